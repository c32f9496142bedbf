# SPDX-License-Identifier: Apache-2.0
"""A mapped netlist on its target's rows, and its slowest path with the wires that come of it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Netlist
from gcmforge.netlist.targets import Target
from gcmforge.place.cells import Placement, place_cells
from gcmforge.place.figures import PlacedFigure
from gcmforge.place.geometry import Geometry, geometry_of
from gcmforge.place.spef import write_spef
from gcmforge.place.wires import PlacedWires, wires_of
from gcmforge.sta.bound import Bound, bind
from gcmforge.sta.graph import TimingGraph
from gcmforge.sta.opensta import StaPath, analyse_with_opensta, opensta_version
from gcmforge.sta.path import Timing
from gcmforge.tools import ToolError

UTILISATION = 0.7
"""Of the core's area by cells, unless another is asked for: usual for a first placement."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class PlacedDesign:
    """A netlist with the places of its cells, its wires, and its timing with them."""

    bound: Bound
    target: Target
    geometry: Geometry
    placement: Placement
    wires: PlacedWires
    timing: Timing

    def by_opensta(self) -> StaPath:
        """The slowest path as OpenSTA finds it with the same wires, read as SPEF; ToolError where
        it is not installed."""
        with tempfile.TemporaryDirectory(prefix="gcmforge-spef-") as folder:
            spef = Path(folder) / "wires.spef"
            with spef.open("w", encoding="utf-8") as file:
                file.writelines(write_spef(self.bound, self.wires))
            return analyse_with_opensta(
                self.bound.module,
                self.bound.library,
                driving_cell=self.target.driving_cell,
                load_ff=self.target.load_ff,
                spef=spef,
            )


def place_design(
    netlist: Netlist,
    target: Target,
    library: Library,
    *,
    utilisation: float = UTILISATION,
    clock_ns: float | None = None,
) -> PlacedDesign:
    """TargetError for a target without stated wires; else as place_cells."""
    geometry = geometry_of(target, library)
    bound = bind(netlist, library)
    clocks = set(bound.clock_nets.tolist())
    placement = place_cells(
        bound.module,
        geometry.widths,
        geometry.rows,
        utilisation=utilisation,
        unplaced={bit for bit, net in bound.net_of_bit.items() if net in clocks},
    )
    wires = wires_of(bound, placement, geometry.metal, output_load_pf=target.load_ff / 1000)
    graph = TimingGraph(
        bound, driving_cell=target.driving_cell, load_ff=target.load_ff, wires=wires.wires
    )
    return PlacedDesign(
        bound=bound, target=target, geometry=geometry, placement=placement, wires=wires,
        timing=graph.timing(clock_ns),
    )  # fmt: skip


def placed_figure(
    netlist: Netlist,
    target: Target,
    library: Library,
    *,
    utilisation: float = UTILISATION,
    clock_ns: float | None = None,
    progress: Callable[[str], None] = lambda step: None,
) -> PlacedFigure:
    """What there is to say of a placed design; OpenSTA's path where that is installed."""
    start = perf_counter()
    progress("placing")
    placed = place_design(netlist, target, library, utilisation=utilisation, clock_ns=clock_ns)
    other, missing = None, ""
    try:
        progress("timing of what is placed by OpenSTA")
        other = placed.by_opensta()
    except ToolError as error:
        missing = str(error)
    placement, timing, metal = placed.placement, placed.timing, placed.geometry.metal
    return PlacedFigure(
        utilisation=placement.utilisation,
        core_area_um2=placement.width * placement.height,
        width_um=placement.width,
        height_um=placement.height,
        wire_m=float(placed.wires.length.sum()) / 1e6,
        wire_pf=float(placed.wires.wires.capacitance.sum()),
        ff_per_um=metal.ff_per_um,
        ohm_per_um=metal.ohm_per_um,
        wires_from=placed.geometry.source,
        delay_ns=timing.critical_path_ns,
        fmax_mhz=timing.fmax_mhz,
        start=timing.start,
        end=timing.end,
        slack_ns=timing.slack_ns,
        other_tool=f"OpenSTA {opensta_version()}" if other else "",
        other_delay_ns=other.critical_path_ns if other else None,
        other_start=other.start if other else "",
        other_end=other.end if other else "",
        other_missing=missing,
        seconds=round(perf_counter() - start, 1),
    )
