# SPDX-License-Identifier: Apache-2.0
"""Area, timing, throughput and power of cores and leaves on a target.

The names below are loaded when they are first used: most commands need none of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gcmforge.measure.netlist import Cell, Module, Netlist, NetlistError, Port
    from gcmforge.measure.result import Block, Result
    from gcmforge.measure.synthesis import MappedModule, Synthesis, SynthesisError, synthesise
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
    "netlist": ("Cell", "Module", "Netlist", "NetlistError", "Port"),
    "result": ("Block", "Result"),
    "synthesis": ("MappedModule", "Synthesis", "SynthesisError", "synthesise"),
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__} has no {name}")
    home = next((home for home, names in _HOME.items() if name in names), "targets")
    return getattr(import_module(f"{__name__}.{home}"), name)
