# SPDX-License-Identifier: Apache-2.0
"""Area, timing, throughput and power of cores and leaves on a target.

The names below are loaded when they are first used: most commands need none of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gcmforge.measure.result import Block, Result
    from gcmforge.netlist.netlist import Cell, Module, Netlist, NetlistError, Port
    from gcmforge.netlist.targets import (
        Known,
        Target,
        TargetError,
        find_target,
        liberty_target,
        library_of,
        target_names,
    )
    from gcmforge.synth.synthesis import MappedModule, Synthesis, SynthesisError, synthesise

__all__ = [
    "Block",
    "Cell",
    "Known",
    "MappedModule",
    "Module",
    "Netlist",
    "NetlistError",
    "Port",
    "Result",
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

_HOME = {
    "netlist.netlist": ("Cell", "Module", "Netlist", "NetlistError", "Port"),
    "measure.result": ("Block", "Result"),
    "synth.synthesis": ("MappedModule", "Synthesis", "SynthesisError", "synthesise"),
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__} has no {name}")
    home = next((home for home, names in _HOME.items() if name in names), "netlist.targets")
    return getattr(import_module(f"gcmforge.{home}"), name)
