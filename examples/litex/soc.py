# SPDX-License-Identifier: Apache-2.0
"""A SoC of LiteX with a core of gcmforge: a DMA moves packets from memory into it and back.

There is no processor in it. A bus master on pads takes its place, so that a bench, or what else the
SoC is put into, can do what a program would. The core's interrupt is on a pad, too. The memory is
in the SoC, or outside of it on AXI4.
"""

from gcm import Gcm
from litex.build.generic_platform import Pins
from litex.build.io import CRG
from litex.build.sim import SimPlatform
from litex.gen import LiteXModule
from litex.soc.cores.dma import WishboneDMAReader, WishboneDMAWriter
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCMini
from litex.soc.interconnect import stream, wishbone
from litex.soc.interconnect.axi import AXIInterface
from litex.soc.interconnect.csr import CSRStorage
from migen import Case

REGISTERS, MEMORY, MEMORY_BYTES = 0x2000_0000, 0x4000_0000, 0x1000
WORD, BEAT = 32, 128


class Platform(SimPlatform):
    def __init__(self):
        pads = [("sys_clk", 0, Pins(1)), ("sys_rst", 0, Pins(1)), ("irq", 0, Pins(1))]
        super().__init__("SIM", [*pads, *host().get_ios("host"), *memory().get_ios("memory")])


def host():
    return wishbone.Interface(data_width=WORD, address_width=32)


def memory():
    return AXIInterface(data_width=WORD, address_width=32, id_width=1)


class Mover(LiteXModule):
    """Between memory and the core's streams. `text` says what the reader reads: 0 for AAD, 1 for
    text, which ends the packet. Both are whole words of 32 bits."""

    def __init__(self, core):
        # endianness="big" is what leaves bytes where they are: byte 0 is the lowest in both.
        self.reader = reader = WishboneDMAReader(host(), endianness="big", with_csr=True)
        self.writer = writer = WishboneDMAWriter(host(), endianness="big", with_csr=True)
        self.text = CSRStorage(1)
        self.pack = pack = stream.Converter(WORD, BEAT, report_valid_token_count=True)
        self.unpack = unpack = stream.Converter(BEAT, WORD)
        words = {count: core.sink.keep.eq((1 << 4 * count) - 1) for count in range(1, 5)}
        self.comb += [
            reader.source.connect(pack.sink),
            pack.source.connect(core.sink, omit={"valid_token_count", "last"}),
            Case(pack.source.valid_token_count, words),
            core.sink.user.eq(self.text.storage),
            core.sink.last.eq(pack.source.last & self.text.storage),
            core.source.connect(unpack.sink, omit={"keep"}),
            unpack.source.connect(writer.sink),
        ]


class Soc(SoCMini):
    def __init__(self, platform, core, *, memory_outside=False):
        inside = 0 if memory_outside else MEMORY_BYTES
        super().__init__(platform, clk_freq=100_000_000, integrated_main_ram_size=inside)
        self.crg = CRG(platform.request("sys_clk"), platform.request("sys_rst"))
        outside = host()
        self.comb += outside.connect_to_pads(platform.request("host"), mode="slave")
        self.bus.add_master("host", outside)
        if memory_outside:
            axi = memory()
            self.comb += axi.connect_to_pads(platform.request("memory"), mode="master")
            self.bus.add_slave("main_ram", axi, SoCRegion(origin=MEMORY, size=MEMORY_BYTES))
        self.gcm = Gcm(platform, core)
        self.comb += platform.request("irq").eq(self.gcm.irq)
        self.bus.add_slave("gcm", self.gcm.bus, SoCRegion(origin=REGISTERS, size=0x1000))
        self.mover = Mover(self.gcm)
        self.bus.add_master("reader", self.mover.reader.bus)
        self.bus.add_master("writer", self.mover.writer.bus)
