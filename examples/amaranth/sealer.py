# SPDX-License-Identifier: Apache-2.0
"""A design in Amaranth around a core: it encrypts packets under one key, each with a given IV."""

from amaranth.hdl import Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped
from gcm import Gcm


class Sealer(wiring.Component):
    """Packets (AAD with tuser 0, then text with tuser 1) become ciphertext and an answer. A key of
    256 bits comes before the first packet; `iv` is that of the packet on `packets`."""

    def __init__(self, core):
        self.gcm = Gcm(core)
        of = self.gcm.layouts
        super().__init__(
            {
                "key": In(stream.Signature(256)),
                "iv": In(96),
                "packets": In(stream.Signature(data.StructLayout(of["s_axis"]))),
                "sealed": Out(stream.Signature(data.StructLayout(of["m_axis"]))),
                "answers": Out(stream.Signature(data.StructLayout(of["m_tag"]))),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.gcm = gcm = self.gcm
        connect(m, gcm.m_axis, flipped(self.sealed))
        connect(m, gcm.m_tag, flipped(self.answers))

        m.d.comb += [
            gcm.s_key.valid.eq(self.key.valid),
            gcm.s_key.payload.tdata.eq(self.key.payload),
            gcm.s_key.payload.size.eq(2),  # 256 bits, into context 0
            self.key.ready.eq(gcm.s_key.ready),
        ]

        keyed, commanded = Signal(), Signal()
        with m.If(self.key.valid & self.key.ready):
            m.d.sync += keyed.eq(1)
        command = gcm.s_cmd
        m.d.comb += [
            command.valid.eq(keyed & self.packets.valid & ~commanded),
            command.payload.tag_bytes.eq(16),
            command.payload.iv_bytes.eq(12),
            command.payload.iv.eq(self.iv),
        ]
        with m.If(command.valid & command.ready):
            m.d.sync += commanded.eq(1)

        m.d.comb += [
            gcm.s_axis.valid.eq(self.packets.valid & commanded),
            gcm.s_axis.payload.eq(self.packets.payload),
            self.packets.ready.eq(gcm.s_axis.ready & commanded),
        ]
        with m.If(self.packets.valid & self.packets.ready & self.packets.payload.tlast):
            m.d.sync += commanded.eq(0)
        return m
