# SPDX-License-Identifier: Apache-2.0
"""A core of gcmforge as a component of Amaranth, with a stream for each of its AXI4-Streams."""

from pathlib import Path

from amaranth.hdl import ClockSignal, Instance, Module, ResetSignal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

import gcmforge


class Gcm(wiring.Component):
    """The core in the folder `core`, in the domain `sync`. A stream's payload has a field for each
    port of the core, under the name that follows the stream's in docs/reference/ports.md. Byte 0 of
    a key, an IV, a tag or a beat is in the lowest bits."""

    def __init__(self, core: Path):
        config = gcmforge.open_core(core).config
        if (config.top, config.aad_lanes, config.iv) != ("gcm_axis", 0, "any"):
            raise ValueError(
                f"{core}: this component has the streams of a core with registers=off, "
                "profile=none, aad_lanes=0 and iv=any, and no name; build such a core, or add "
                "the ports that yours has more"
            )
        self.top = config.top
        beat = {"tdata": 128 * config.lanes, "tkeep": 16 * config.lanes}
        context = bits_for(config.contexts - 1)
        self.layouts = {
            "s_key": {"tdata": 256, "size": 2, "context": context},
            "s_cmd": {
                "context": context, "decrypt": 1, "tag": 128, "tag_bytes": 5, "iv_bytes": 16,
                "iv": 128,
            },
            "s_axis": {**beat, "tuser": 1, "tlast": 1},
            "m_axis": {**beat, "tlast": 1},
            "m_tag": {"tag": 128, "ok": 1, "status": 3},
        }  # fmt: skip
        super().__init__(
            {
                name: (Out if name.startswith("m_") else In)(
                    stream.Signature(data.StructLayout(fields))
                )
                for name, fields in self.layouts.items()
            }
        )

    def elaborate(self, platform):
        ports = {"i_aclk": ClockSignal(), "i_aresetn": ~ResetSignal()}
        for name, fields in self.layouts.items():
            one = getattr(self, name)
            forward, back = ("o", "i") if name.startswith("m_") else ("i", "o")
            ports[f"{forward}_{name}_tvalid"] = one.valid
            ports[f"{back}_{name}_tready"] = one.ready
            for field in fields:
                ports[f"{forward}_{name}_{field}"] = one.payload[field]
        m = Module()
        m.submodules.core = Instance(self.top, **ports)
        return m
