# SPDX-License-Identifier: Apache-2.0
"""A core of gcmforge as a module of LiteX: registers on AXI4-Lite, two streams, an interrupt."""

from pathlib import Path

from litex.gen import LiteXModule
from litex.soc.interconnect import stream
from litex.soc.interconnect.axi import AXILiteInterface
from migen import ClockSignal, Instance, ResetSignal, Signal

import gcmforge


class Gcm(LiteXModule):
    """The core in the folder `core`, built with registers=axi4lite, whose files it adds to the
    platform. `bus` is its register block, 4 KiB. `sink` is s_axis and `source` is m_axis:
    byte 0 in the lowest bits of `data`, `user` is 0 for AAD and 1 for text."""

    def __init__(self, platform, core: Path):
        config = gcmforge.open_core(core).config
        if config.registers != "axi4lite" or config.aad_lanes:
            raise ValueError(
                f"{core}: this module has the ports of a core with registers=axi4lite and "
                "aad_lanes=0; build such a core, or add the ports that yours has more"
            )
        (files,) = core.glob("*.f")
        for line in files.read_text().splitlines():
            if line.endswith(".sv"):
                platform.add_source(str(core / line), language="systemverilog")

        beat = [("data", 128 * config.lanes), ("keep", 16 * config.lanes)]
        self.bus = bus = AXILiteInterface(data_width=32, address_width=32)
        self.sink = sink = stream.Endpoint([*beat, ("user", 1)])
        self.source = source = stream.Endpoint(beat)
        self.irq = Signal()
        ports = {"i_aclk": ClockSignal("sys"), "i_aresetn": ~ResetSignal("sys"), "o_irq": self.irq}

        to_core = {"aw": ("addr", "prot"), "w": ("data", "strb"), "ar": ("addr", "prot")}
        to_host = {"b": ("resp",), "r": ("data", "resp")}
        for names, forward, back in ((to_core, "i", "o"), (to_host, "o", "i")):
            for channel, fields in names.items():
                one = getattr(bus, channel)
                ports[f"{forward}_s_axil_{channel}valid"] = one.valid
                ports[f"{back}_s_axil_{channel}ready"] = one.ready
                for field in fields:
                    signal = getattr(one, field)
                    ports[f"{forward}_s_axil_{channel}{field}"] = (
                        signal[:12] if field == "addr" else signal
                    )

        for name, one, forward, back in (("s_axis", sink, "i", "o"), ("m_axis", source, "o", "i")):
            ports[f"{forward}_{name}_tvalid"] = one.valid
            ports[f"{back}_{name}_tready"] = one.ready
            ports[f"{forward}_{name}_tdata"] = one.data
            ports[f"{forward}_{name}_tkeep"] = one.keep
            ports[f"{forward}_{name}_tlast"] = one.last
        ports["i_s_axis_tuser"] = sink.user

        if config.zeroise == "on":
            self.zeroise = Signal()  # 1 erases every key
            self.zeroise_busy = Signal()
            ports |= {"i_zeroise": self.zeroise, "o_zeroise_busy": self.zeroise_busy}
        self.specials += Instance(config.top, **ports)
