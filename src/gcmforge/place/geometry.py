# SPDX-License-Identifier: Apache-2.0
"""What a target's cells and wires measure: rows, sites, widths, capacitance and resistance.

Each target's figures stand here once, with where they are from. A target that is not here has no
wires, and is not placed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gcmforge.netlist.libraries import LIBRARIES, find_files
from gcmforge.netlist.library import Library
from gcmforge.netlist.targets import Target, TargetError
from gcmforge.place.cells import Rows
from gcmforge.place.lef import LefError, read_lef
from gcmforge.place.wires import Metal

GATED = "-gated"
"""The same cells and wires as the target without it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Geometry:
    """Of a target; `widths` are by cell, in um."""

    rows: Rows
    metal: Metal
    widths: Mapping[str, float]
    source: str
    """Of the wires' figures."""


def geometry_of(target: Target, library: Library) -> Geometry:
    """TargetError where a target's wires are not stated, or a file that states them is missing."""
    name = target.name.removesuffix(GATED)
    if name not in _STATED:
        raise TargetError(
            f"target {target.name}: its wires are not stated, so it is not placed; targets with "
            f"stated wires are {', '.join(placed_targets())}"
        )
    return _STATED[name](target, library)


def placed_targets() -> tuple[str, ...]:
    """Names of the targets whose wires are stated."""
    return tuple(name for name in LIBRARIES if name.removesuffix(GATED) in _STATED)


def _osu018(target: Target, library: Library) -> Geometry:
    """Of the library's own LEF file, which lies beside its Liberty file: the mean of metal2 and
    metal3, on which signals run up and across. Areas in Liberty are not those of the layout: an
    OAI21X1 has 23 um2 there and is 32 um2 large."""
    liberty = find_files(LIBRARIES["osu018"])
    path = liberty[0].with_suffix(".lef") if liberty else Path("osu018_stdcells.lef")
    if not path.is_file():
        raise TargetError(
            f"target {target.name}: {path} is not there; it states cells and wires. "
            "apt-get install qflow-tech-osu018, or put it beside the Liberty file"
        )
    try:
        lef = read_lef(path.read_text(encoding="utf-8", errors="replace"))
        layers = [lef.layers[name] for name in ("metal2", "metal3")]
    except (LefError, KeyError) as error:
        raise TargetError(f"target {target.name}: {path}: {error}") from error
    site, height = lef.site
    metal = Metal(
        ff_per_um=sum(layer.ff_per_um for layer in layers) / len(layers),
        ohm_per_um=sum(layer.ohm_per_um for layer in layers) / len(layers),
    )
    widths = _of_areas(library, height) | {name: size[0] for name, size in lef.sizes.items()}
    return Geometry(
        rows=Rows(height_um=height, site_um=site), metal=metal, widths=widths,
        source=f"{path.name}, mean of metal2 and metal3",
    )  # fmt: skip


def _ihp_sg13g2(target: Target, library: Library) -> Geometry:
    """Rows and sites are those of IHP's Open PDK (sg13g2_tech.lef, site CoreSite). Wires are those
    with which OpenROAD-flow-scripts estimates signals before routing (platforms/ihp-sg13g2,
    setRC.tcl). Areas in Liberty are those of the layout."""
    height = 3.78
    return Geometry(
        rows=Rows(height_um=height, site_um=0.48),
        metal=Metal(ff_per_um=0.173072, ohm_per_um=2.07259),
        widths=_of_areas(library, height),
        source="OpenROAD-flow-scripts, platforms/ihp-sg13g2/setRC.tcl, signal",
    )


def _sky130(target: Target, library: Library) -> Geometry:
    """Rows and sites are those of sky130_fd_sc_hd (site unithd). Wires are those with which
    OpenROAD-flow-scripts estimates signals before routing (platforms/sky130hd, setRC.tcl: met1).
    Areas in Liberty are those of the layout."""
    height = 2.72
    return Geometry(
        rows=Rows(height_um=height, site_um=0.46),
        metal=Metal(ff_per_um=0.172375, ohm_per_um=0.8929),
        widths=_of_areas(library, height),
        source="OpenROAD-flow-scripts, platforms/sky130hd/setRC.tcl, met1",
    )


def _asap7(target: Target, library: Library) -> Geometry:
    """Rows and sites are those of asap7sc7p5t (LEF as OpenROAD-flow-scripts has it). Wires are
    those with which it estimates signals before routing (platforms/asap7, setRC.tcl). Areas in
    Liberty are those of the layout."""
    height = 0.27
    return Geometry(
        rows=Rows(height_um=height, site_um=0.054),
        metal=Metal(ff_per_um=0.173323, ohm_per_um=32.3151),
        widths=_of_areas(library, height),
        source="OpenROAD-flow-scripts, platforms/asap7/setRC.tcl, signal",
    )


def _of_areas(library: Library, height: float) -> dict[str, float]:
    return {cell.name: cell.area / height for cell in library.cells.values()}


_STATED: dict[str, Callable[[Target, Library], Geometry]] = {
    "osu018": _osu018,
    "ihp-sg13g2": _ihp_sg13g2,
    "sky130": _sky130,
    "asap7": _asap7,
}
