# SPDX-License-Identifier: Apache-2.0
"""Area, timing, throughput and power of cores and leaves on a target."""

from gcmforge.measure.netlist import Cell, Module, Netlist, NetlistError, Port
from gcmforge.measure.synthesis import Block, MappedModule, Synthesis, SynthesisError, synthesise
from gcmforge.measure.targets import (
    Known,
    Target,
    TargetError,
    find_target,
    liberty_target,
    library_of,
    target_names,
)

__all__ = [
    "Block",
    "Cell",
    "Known",
    "MappedModule",
    "Module",
    "Netlist",
    "NetlistError",
    "Port",
    "Synthesis",
    "SynthesisError",
    "Target",
    "TargetError",
    "find_target",
    "liberty_target",
    "library_of",
    "synthesise",
    "target_names",
]
