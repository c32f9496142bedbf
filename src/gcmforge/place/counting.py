# SPDX-License-Identifier: Apache-2.0
"""What of an FPGA a mapped netlist takes: LUTs, flip-flops, carry chains, block RAM, DSPs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from gcmforge.netlist.netlist import Module, Netlist, NetlistError
from gcmforge.place.figures import Fpga
from gcmforge.synth.lut_pairs import module_pairs


def best_modules(netlists: Sequence[Netlist]) -> Netlist:
    """Each module as that netlist has it where it takes the fewest LUTs, then the fewest wide
    multiplexers; the first one when several do."""

    def size(module: Module) -> tuple[int, int]:
        kinds = Counter(_kind(cell.type) for cell in module.cells.values())
        return kinds["lut"] - module_pairs(module), kinds["mux"]

    first = netlists[0]
    modules = {
        name: min((netlist.modules[name] for netlist in netlists), key=size)
        for name in first.children_first()
    }
    return Netlist(modules=modules, top=first.top)


_FLIP_FLOP = re.compile(r"FD[A-Z]{1,3}(_1)?|TRELLIS_FF|SB_DFF\w*|FD1P3[A-Z]X|DFF\w*|CC_DFF")


_LATCH = re.compile(r"LD(CE|PE|C|P|E|CPE)?(_1)?|DL[A-Z]{0,4}\d?|CC_DLT")


_LUT = re.compile(r"LUT[1-6]|LUT6_2|SB_LUT4|CC_LUT[1-4]|CC_L2T[45]")


_CARRY = re.compile(r"CARRY[48]|CCU2[CDE]?|SB_CARRY|ALU|XORCY|MUXCY|CC_ADDF|CC_FADD")


_WIDE_MUX = re.compile(r"MUXF[5-9]|PFUMX|L6MUX21|MUX2_LUT[5-8]|CC_MX[248]")


_DSP = re.compile(r"DSP48\w*|MULT\d+X\d+\w*|SB_MAC16|CC_MULT")


_LUTS_OF_RAM = {
    "RAM32M": 4, "RAM64M": 4, "RAM32M16": 8, "RAM64M8": 8, "RAM32X1D": 2, "RAM64X1D": 2,
    "RAM128X1D": 4, "RAM16X1D": 2, "RAM16X1S": 1, "RAM32X1S": 1, "RAM64X1S": 1, "RAM128X1S": 2,
    "RAM256X1S": 4, "RAM32X2S": 2, "RAM32X16DR8": 8, "RAM64X8SW": 8, "RAM512X1S": 8,
    "SRL16": 1, "SRL16E": 1, "SRLC16E": 1, "SRLC32E": 1,
    "TRELLIS_DPR16X4": 6, "DPR16X4": 6, "RAM16SDP1": 2, "RAM16SDP2": 4, "RAM16SDP4": 4,
}  # fmt: skip
"""LUTs that one LUT RAM or shift register takes, address decoding of its slice included."""


_BLOCK_RAM = {
    "RAMB36E1": 1.0, "RAMB36E2": 1.0, "RAMB18E1": 0.5, "RAMB18E2": 0.5, "RAMB36": 1.0,
    "RAMB18": 0.5, "RAMB36SDP": 1.0, "RAMB18SDP": 0.5, "RAMB16": 1.0, "RAMB16_S36_S36": 1.0,
    "DP16KD": 1.0, "PDPW16KD": 1.0, "SB_RAM40_4K": 1.0, "PDPSC16K": 1.0, "DP16K": 1.0,
    "PDP16K": 1.0, "SDPB": 1.0, "DPB": 1.0, "SDPX9B": 1.0, "DPX9B": 1.0, "SP": 1.0, "SPX9": 1.0,
    "pROM": 1.0, "pROMX9": 1.0, "CC_BRAM_20K": 0.5, "CC_BRAM_40K": 1.0,
}  # fmt: skip


_NOTHING = frozenset(
    {"INV", "VCC", "GND", "VHI", "VLO", "BUFG", "IBUF", "OBUF", "IB", "OB", "GSR", "CC_BUFG",
     "CC_IBUF", "CC_OBUF"}
)  # fmt: skip
"""Cells that take none of the counted resources; an inverter goes into what it drives."""


def fpga_of(counts: Mapping[str, int], device: str, *, shared: int = 0) -> Fpga:
    """Resources out of the cells of a mapped netlist, of which `shared` pairs of LUTs are one LUT
    each; NetlistError for a latch, and for a cell that this page does not know, so that nothing is
    left out of a count in silence."""
    sums: Counter[str] = Counter()
    block_rams = 0.0
    for cell, number in sorted(counts.items()):
        if cell in _LUTS_OF_RAM:
            sums["ram"] += _LUTS_OF_RAM[cell] * number
        elif cell in _BLOCK_RAM:
            block_rams += _BLOCK_RAM[cell] * number
        elif kind := _kind(cell):
            sums[kind] += number
        elif cell == "WIDEFN9":  # two LUT4 and the multiplexer between them
            sums["lut"] += 2 * number
            sums["mux"] += number
        elif cell.startswith("RAMB16_"):
            block_rams += number
        else:
            raise NetlistError(f"cell type {cell} ({number} of them): not known on {device}")
    if sums["latch"]:
        raise NetlistError(
            f"the netlist has {sums['latch']} latches: a value is not assigned on every path "
            "through a combinational block"
        )
    return Fpga(
        device=device,
        luts=sums["lut"] - shared,
        luts_of_two=counts.get("LUT6_2", 0) + shared,
        lut_ram_luts=sums["ram"],
        flip_flops=sums["ff"],
        block_rams=block_rams,
        carry=sums["carry"],
        wide_muxes=sums["mux"],
        dsps=sums["dsp"],
        cells=dict(sorted(counts.items())),
        placed=False,
    )


def _kind(cell: str) -> str:
    kinds = (
        ("lut", _LUT), ("ff", _FLIP_FLOP), ("latch", _LATCH), ("carry", _CARRY),
        ("mux", _WIDE_MUX), ("dsp", _DSP),
    )  # fmt: skip
    if cell in _NOTHING:
        return "nothing"
    return next((kind for kind, pattern in kinds if pattern.fullmatch(cell)), "")
