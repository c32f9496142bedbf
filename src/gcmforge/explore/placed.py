# SPDX-License-Identifier: Apache-2.0
"""What wires and a clock tree cost an estimated core: learnt from cores that were placed.

The cores are data: data/placed/TARGET.json, written by `gcmforge-study run calibration placed`.
Each was measured with ideal wires and placed; its ratios of clock and of area are what an estimate
for ideal wires is multiplied by. Larger cores have longer wires, so a ratio is a straight line over
the logarithm of the mapped area, by least squares, and never beyond the smallest and the largest
ratio that was seen. Few cores are known: two have no line, but their mean.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from math import log

from gcmforge.explore.point import Point

FEWEST = 3
"""Cores that make a line."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacedSample:
    """A core as it was measured, and as it was placed."""

    command: str
    """What repeats it."""
    version: str
    area_ge: float
    fmax_mhz: float
    placed_area_ge: float
    placed_fmax_mhz: float

    @property
    def clock(self) -> float:
        """Placed over ideal clock."""
        return self.placed_fmax_mhz / self.fmax_mhz

    @property
    def area(self) -> float:
        """Placed over mapped area."""
        return self.placed_area_ge / self.area_ge


@dataclass(frozen=True, kw_only=True, slots=True)
class Placing:
    """By how much placing changes an estimate on a target."""

    target: str
    samples: tuple[PlacedSample, ...]

    def clock(self, area_ge: float) -> float:
        """Of a core of that mapped area."""
        return self._at([sample.clock for sample in self.samples], area_ge)

    def area(self, area_ge: float) -> float:
        return self._at([sample.area for sample in self.samples], area_ge)

    def _at(self, ratios: Sequence[float], area_ge: float) -> float:
        sizes = [log(sample.area_ge) for sample in self.samples]
        middle, mean = sum(sizes) / len(sizes), sum(ratios) / len(ratios)
        spread = sum((size - middle) ** 2 for size in sizes)
        if len(sizes) < FEWEST or not spread:
            return mean
        together = zip(sizes, ratios, strict=True)
        slope = sum((size - middle) * (ratio - mean) for size, ratio in together) / spread
        return min(max(mean + slope * (log(area_ge) - middle), min(ratios)), max(ratios))

    @property
    def text(self) -> str:
        """One line."""
        clocks = [sample.clock for sample in self.samples]
        areas = [sample.area for sample in self.samples]
        sizes = [sample.area_ge / 1000 for sample in self.samples]
        return (
            f"placed figures on {self.target} are estimates, clock x {min(clocks):.2f} to "
            f"{max(clocks):.2f} and area x {min(areas):.2f} to {max(areas):.2f} by size, from "
            f"{len(clocks)} cores of {min(sizes):.0f} to {max(sizes):.0f} kGE that were placed"
        )


@cache
def placing_of(target: str) -> Placing | None:
    """None where no core was placed."""
    file = files("gcmforge.explore") / "data" / "placed" / f"{target}.json"
    if not file.is_file():
        return None
    samples = tuple(PlacedSample(**values) for values in json.loads(file.read_text())["cores"])
    return Placing(target=target, samples=samples)


def with_placed(point: Point) -> Point:
    """The point with what it would be placed, where that is known and the point is an estimate."""
    placing = placing_of(point.target)
    if placing is None or point.depth != "estimate" or not point.fmax_mhz or not point.area_ge:
        return point
    return replace(
        point,
        placed_fmax_mhz=point.fmax_mhz * placing.clock(point.area_ge),
        placed_area_ge=point.area_ge * placing.area(point.area_ge),
    )
