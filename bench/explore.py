# SPDX-License-Identifier: Apache-2.0
"""Estimates of cores: how far off they are, and how long they take.

python bench/explore.py validate [--target osu018] [--within 10]
python bench/explore.py time [SPACE.toml]

    validate  every point measured, and estimated by a calibration without it; exit code 1 when area
              or Fmax of any is off by more than that many percent
    time      how long the estimates of a space take, from a fresh process

The points are those of `gcmforge-study run calibration gather`.
"""

import argparse
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from gcmforge.explore.estimate import accuracy, errors, estimate_all
from gcmforge.explore.space import Space

ROOT = Path(__file__).parents[1]


def validate(target: str, within: float) -> int:
    table = Table("core", "GE", "estimated", "off", "slowest path", "estimated", "Fmax off")
    for error in errors(target):
        sample = error.sample
        table.add_row(
            ", ".join(sample.config.settings),
            f"{sample.area_ge:,.0f}",
            f"{error.area_ge:,.0f}",
            f"{error.area:+.1%}",
            f"{sample.delay:.2f}",
            f"{error.delay:.2f}",
            f"{error.fmax:+.1%}",
        )
    Console(width=160).print(table)
    told = accuracy(target)
    print(told.text)
    return int(100 * max(told.worst_area, told.worst_fmax) > within)


def timed(file: Path, target: str) -> int:
    began = time.perf_counter()
    survey = Space.from_toml(file).survey()
    sorted_out = time.perf_counter()
    points = estimate_all(survey.points, target, 1_500)
    end = time.perf_counter()
    print(
        f"{len(points):,} points of {survey.combinations:,} combinations: sorted out in "
        f"{sorted_out - began:.1f} s, estimated in {end - sorted_out:.1f} s"
    )
    return int(end - began > 60)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("validate", "time"))
    parser.add_argument("space", type=Path, nargs="?", default=ROOT / "examples/explore-wide.toml")
    parser.add_argument("--target", default="osu018")
    parser.add_argument("--within", type=float, default=10.0)
    asked = parser.parse_args()
    if asked.what == "validate":
        return validate(asked.target, asked.within)
    return timed(asked.space, asked.target)


if __name__ == "__main__":
    sys.exit(main())
