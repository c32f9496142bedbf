# SPDX-License-Identifier: Apache-2.0
"""What mapping and placing find of a design on an FPGA."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Fpga:
    """Resources of an FPGA; LUT RAM stands apart from LUTs that hold logic."""

    device: str
    luts: int
    """That hold logic. A LUT6 of a Xilinx part counts once when it holds two functions."""
    lut_ram_luts: int
    flip_flops: int
    block_rams: float
    """In the family's large blocks; a half block is 0.5."""
    carry: int
    wide_muxes: int
    dsps: int
    cells: Mapping[str, int]
    """Of the mapped netlist by type; each LUT cell is one function, but LUT6_2."""
    placed: bool
    luts_of_two: int = 0
    """Of `luts`, those that hold two functions, which read at most five different nets."""
    fmax_mhz: float | None = None
    utilisation: Mapping[str, tuple[int, int]] | None = None
    """Of the placed device: used and available by kind, wrapper included."""
    wrapper_flip_flops: int = 0
    """Flip-flops of the few-pin wrapper, counted in `utilisation` only."""
    seed: int | None = None
