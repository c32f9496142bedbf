# SPDX-License-Identifier: Apache-2.0
"""Does mapping keep the sums that the circuits share? KO1 to KO6 on `ge` and on an ASIC library.

python bench/structure.py [--target osu018] [--leaves gf128_mul/ko4 ...]: for each multiplier its
own count in GE, the mapped area on `ge`, and on the library the area of plain `abc -liberty` on the
same text, of ours without buffers as plain has none, and of ours as `measure` reports it, buffered
and sized. Exit code 1 if `ge` is more than 2 % above the circuit's count or ours without buffers is
not below plain.
"""

import argparse
import sys

from rich.console import Console
from rich.table import Table

from gcmforge.circuit import cost
from gcmforge.leaf import leaf_text, library
from gcmforge.measure.scripts import BARE, PLAIN
from gcmforge.measure.synthesis import Synthesis, synthesise
from gcmforge.measure.targets import find_target

LEAVES = tuple(f"gf128_mul/ko{level}" for level in range(1, 7))
ALLOWED_ON_GE = 1.02


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", default="osu018")
    parser.add_argument("--leaves", nargs="+", default=LEAVES)
    asked = parser.parse_args()
    target, ge = find_target(asked.target), find_target("ge")
    named = {leaf.name: leaf for leaf in library()}
    table = Table("leaf", "circuit GE", "ge GE", f"{target.name}: plain abc GE", "ours, no buffers",
                  "ours, buffered", "script", "kept")  # fmt: skip
    kept = True
    for name in asked.leaves:
        text, own = leaf_text(named[name]), cost(named[name].circuit).ge
        on_ge = synthesise(text, ge, effort="quick").area_ge
        plain, bare = (synthesise(text, target, scripts=[script]) for script in (PLAIN, BARE))
        ours = synthesise(text, target, effort="normal")
        good = on_ge <= own * ALLOWED_ON_GE and bare.area_ge < plain.area_ge
        kept &= good
        areas = [own, on_ge, *(result.area_ge for result in (plain, bare, ours))]
        table.add_row(name, *(f"{area:,.0f}" for area in areas), script_of(ours), str(good))
    Console(width=140).print(table)
    return 0 if kept else 1


def script_of(result: Synthesis) -> str:
    """The script that won on a leaf's only module."""
    (module,) = result.modules.values()
    return module.script


if __name__ == "__main__":
    sys.exit(main())
