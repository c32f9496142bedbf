# SPDX-License-Identifier: Apache-2.0
"""A mapped netlist on its target's rows, and its slowest path with the wires that come of it."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Module, Netlist
from gcmforge.netlist.targets import Target
from gcmforge.place.cells import AGAIN, EFFORT, Placement, place_cells
from gcmforge.place.clock_tree import with_clock_tree
from gcmforge.place.geometry import Geometry, geometry_of
from gcmforge.place.spef import write_spef
from gcmforge.place.wires import PlacedWires, wires_of
from gcmforge.sta.bound import Bound, bind
from gcmforge.sta.graph import TimingGraph
from gcmforge.sta.opensta import StaPath, TreeClock, analyse_with_opensta
from gcmforge.sta.path import Timing
from gcmforge.sta.timing import analyse
from gcmforge.sta.wires import Wires

UTILISATION = 0.7
"""Of the core's area by cells, unless another is asked for: usual for a first placement."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class PlacedDesign:
    """A netlist with the places of its cells, its wires, and its timing with them."""

    bound: Bound
    target: Target
    asked: float
    """Utilisation."""
    geometry: Geometry
    placement: Placement
    wires: PlacedWires
    timing: Timing

    @property
    def area_um2(self) -> float:
        """Of all cells, by Liberty."""
        cells = self.bound.library.cells
        return sum(cells[cell.type].area for cell in self.bound.module.cells.values())

    def by_opensta(self) -> StaPath:
        """The slowest path as OpenSTA finds it with the same wires, read as SPEF; ToolError where
        it is not installed."""
        tree, clock = None, self.wires.clock
        if clock is not None:
            tree = TreeClock(port_slew_ns=clock.port_slew_ns, latency_ns=clock.latency_ns)
        with tempfile.TemporaryDirectory(prefix="gcmforge-spef-") as folder:
            spef = Path(folder) / "wires.spef"
            with spef.open("w", encoding="utf-8") as file:
                file.writelines(write_spef(self.bound, self.wires))
            return analyse_with_opensta(
                self.bound.module,
                self.bound.library,
                driving_cell=self.target.driving_cell,
                load_ff=self.target.load_ff,
                clock_slew_ns=self.target.clock_transition_ns,
                spef=spef,
                tree=tree,
            )


def place_design(
    netlist: Netlist,
    target: Target,
    library: Library,
    *,
    utilisation: float = UTILISATION,
    clock_ns: float | None = None,
) -> PlacedDesign:
    """With a clock tree, where there is a clock. TargetError for a target without stated wires;
    else as place_cells."""
    geometry = geometry_of(target, library)
    module = netlist.flatten()
    placement = _on_sites(module, library, geometry, utilisation=utilisation)
    ideal = analyse(
        module, library, driving_cell=target.driving_cell, load_ff=target.load_ff
    ).critical_path_ns
    planted = with_clock_tree(
        module, target, library, placement, geometry.metal, period_ns=clock_ns or ideal
    )
    if planted.module is not module:
        module = planted.module
        placement = _on_sites(
            module, library, geometry, utilisation=utilisation, start=planted.placement
        )
    return _timed(module, target, library, geometry, placement, utilisation, clock_ns)


def on_rows(
    module: Module,
    target: Target,
    library: Library,
    geometry: Geometry,
    *,
    utilisation: float = UTILISATION,
    start: Placement,
    clock_ns: float | None = None,
) -> PlacedDesign:
    """A flat module, placed anew from `start` with less effort, wired and timed."""
    placement = _on_sites(
        module, library, geometry, utilisation=utilisation, start=start, effort=AGAIN
    )
    return _timed(module, target, library, geometry, placement, utilisation, clock_ns)


def wires_between(
    bound: Bound, target: Target, geometry: Geometry, placement: Placement
) -> PlacedWires:
    """Of a design whose cells have these places."""
    return wires_of(
        bound, placement, geometry.metal, output_load_pf=target.load_ff / 1000,
        driving_cell=target.driving_cell,
    )  # fmt: skip


def graph_of(bound: Bound, target: Target, wires: Wires | None) -> TimingGraph:
    """A design on its target with these wires; with ideal ones without."""
    return TimingGraph(
        bound, driving_cell=target.driving_cell, load_ff=target.load_ff,
        clock_slew_ns=target.clock_transition_ns, wires=wires,
    )  # fmt: skip


def _on_sites(
    module: Module,
    library: Library,
    geometry: Geometry,
    *,
    utilisation: float,
    start: Placement | None = None,
    effort: int = EFFORT,
) -> Placement:
    """A port that clocks something has no wire before it has a tree: it would draw all together."""
    bound = bind(module, library)
    ports = set() if bound.has_clock_tree else set(bound.inputs.tolist())
    ideal = set(bound.clock_nets.tolist()).intersection(ports)
    return place_cells(
        module,
        geometry.widths,
        geometry.rows,
        utilisation=utilisation,
        unplaced={bit for bit, net in bound.net_of_bit.items() if net in ideal},
        start=start,
        effort=effort,
    )


def _timed(
    module: Module,
    target: Target,
    library: Library,
    geometry: Geometry,
    placement: Placement,
    utilisation: float,
    clock_ns: float | None,
) -> PlacedDesign:
    bound = bind(module, library)
    wires = wires_between(bound, target, geometry, placement)
    graph = graph_of(bound, target, wires.wires)
    return PlacedDesign(
        bound=bound, target=target, asked=utilisation, geometry=geometry, placement=placement,
        wires=wires, timing=graph.timing(clock_ns),
    )  # fmt: skip
