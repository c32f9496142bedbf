# SPDX-License-Identifier: Apache-2.0
"""Mapped modules put together again to the netlist of a whole design."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Cell, Module, Netlist
from gcmforge.netlist.targets import Target
from gcmforge.synth.elaborate import Elaborated
from gcmforge.synth.fanout import buffered
from gcmforge.synth.mapping import Candidate
from gcmforge.synth.names import plain_name
from gcmforge.synth.repair import repaired

Progress = Callable[[str], None]
"""Called with a few words before each step."""


class Assembler:
    """Netlists of one design out of a candidate for each module."""

    def __init__(self, design: Elaborated, library: Library, target: Target) -> None:
        self.design = design
        self.library = library
        self.target = target
        self.names = _readable(design)
        """Names in the netlist by the names modules were elaborated under."""
        self.originals = {new: old for old, new in self.names.items()}
        self.repair_to_ns: float | None = None
        """From then on netlists are repaired: until that clock is met, as far as they get for 0."""
        self._modules: dict[tuple[str, str], Module] = {}
        self._repaired: dict[frozenset[tuple[str, str]], Netlist] = {}

    def netlist(self, chosen: Mapping[str, Candidate]) -> Netlist:
        """The whole design, each module as it was chosen."""
        modules = {self.names[old]: self._module(c) for old, c in chosen.items()}
        netlist = Netlist(modules=modules, top=self.names[self.design.top])
        if not self.target.has_units:  # delays do not depend on loads
            return netlist
        netlist = buffered(netlist, self.library, self.target.dont_use)
        if self.repair_to_ns is None:
            return netlist
        key = frozenset((name, candidate.script) for name, candidate in chosen.items())
        if key not in self._repaired:
            self._repaired[key] = repaired(
                netlist,
                self.library,
                driving_cell=self.target.driving_cell,
                load_ff=self.target.load_ff,
                clock_ns=self.repair_to_ns,
                dont_use=self.target.dont_use,
                clock_slew_ns=self.target.clock_transition_ns,
            )
        return self._repaired[key]

    def _module(self, candidate: Candidate) -> Module:
        key = (candidate.module, candidate.script)
        if key not in self._modules:
            mapped = candidate.netlist()
            self._modules[key] = Module(
                name=self.names[candidate.module],
                ports=mapped.ports,
                cells=self._named(mapped),
                net_names=mapped.net_names,
            )
        return self._modules[key]

    def _named(self, module: Module) -> dict[str, Cell]:
        """Cells under names that tell something: a flip-flop is called after its net, gates are
        numbered; what tools call them changes from run to run."""
        cells: dict[str, Cell] = {}
        gates = 0
        for instance, cell in module.cells.items():
            name = instance
            if instance.startswith("$"):
                name = self._flip_flop_name(module, cell)
                while not name or name in cells or name in module.cells:
                    gates += 1
                    name = f"g{gates}"
            kind = self.names.get(cell.type, cell.type)
            cells[name] = Cell(type=kind, connections=cell.connections)
        return cells

    def _flip_flop_name(self, module: Module, cell: Cell) -> str:
        """Its output's name with _reg, empty for any other cell or a net without a name."""
        lib = self.library.cells.get(cell.type)
        if lib is None or lib.flip_flop is None:
            return ""
        outputs = [bit for pin in lib.outputs for bit in cell.connections.get(pin.name, ())]
        named = [
            module.net_names[b] for b in outputs if isinstance(b, int) and b in module.net_names
        ]
        return f"{named[0]}_reg" if named else ""


def _readable(design: Elaborated) -> dict[str, str]:
    """Module names without parameters; variants of one module are numbered by their size."""
    variants: dict[str, list[str]] = {}
    for name in design.pieces:
        variants.setdefault(plain_name(name), []).append(name)
    names: dict[str, str] = {}
    for plain, found in variants.items():
        found.sort(key=lambda name: (design.pieces[name].gates, name))
        for number, name in enumerate(found, 1):
            names[name] = plain if len(found) == 1 else f"{plain}_{number}"
    return names
