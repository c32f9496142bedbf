# SPDX-License-Identifier: Apache-2.0
"""From SystemVerilog to a netlist of library cells, with area by block."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gcmforge.measure.netlist import Netlist
from gcmforge.measure.targets import Target


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """A part of a core: what its cells take, without wires."""

    area_um2: float
    area_ge: float
    flip_flops: int


@dataclass(frozen=True, kw_only=True, slots=True)
class MappedModule:
    """How one distinct module was mapped; figures of one instance with everything below it."""

    area_ge: float
    flip_flops: int
    instances: int
    script: str
    """Name of the script that won."""
    delay_ns: float | None
    """Slowest path through its gates, as the mapper saw it; None where it was not asked."""
    tried: Mapping[str, tuple[float, float | None]]
    """Every script that ended: own area in GE (without modules below) and delay in ns."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Synthesis:
    """A mapped design. Areas are sums of cells: no wires, no clock tree, no fill."""

    target: Target
    netlist: Netlist
    area_um2: float
    """In the library's unit; for `ge` this is GE."""
    area_ge: float
    flip_flops: int
    by_block: Mapping[str, Block]
    """"aes", "key schedule", "ghash", "control", "buffers" of a core; one block for a leaf."""
    modules: Mapping[str, MappedModule]
    script: str
    """Which scripts won, by module."""
    warnings: tuple[str, ...]
    yosys_version: str
    seconds: float
