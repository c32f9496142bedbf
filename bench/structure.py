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
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from gcmforge.circuit import cost
from gcmforge.leaf import leaf_text, library
from gcmforge.measure.scripts import BARE, PLAIN
from gcmforge.measure.synthesis import Synthesis, synthesise
from gcmforge.measure.targets import Target, find_target

LEAVES = tuple(f"gf128_mul/ko{level}" for level in range(1, 7))
ALLOWED_ON_GE = 1.02


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """Areas of one leaf in GE."""

    leaf: str
    circuit: float
    ge: float
    plain: float
    bare: float
    ours: float
    script: str
    """That won for `ours`."""

    @property
    def good(self) -> bool:
        return self.ge <= self.circuit * ALLOWED_ON_GE and self.bare < self.plain

    @property
    def areas(self) -> tuple[str, ...]:
        values = (self.circuit, self.ge, self.plain, self.bare, self.ours)
        return tuple(f"{area:,.0f}" for area in values)


HEADINGS = ("circuit", "`ge`", "plain abc", "ours, no buffers", "ours")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", default="osu018")
    parser.add_argument("--leaves", nargs="+", default=LEAVES)
    asked = parser.parse_args()
    target = find_target(asked.target)
    table = Table("leaf, GE", *HEADINGS, "script", "kept", title=target.name)
    found = [measured(name, target) for name in asked.leaves]
    for one in found:
        table.add_row(one.leaf, *one.areas, one.script, str(one.good))
    Console(width=140).print(table)
    return 0 if all(one.good for one in found) else 1


def measured(name: str, target: Target) -> Kept:
    """The areas of one leaf."""
    leaf = next(leaf for leaf in library() if leaf.name == name)
    text = leaf_text(leaf)
    plain, bare = (synthesise(text, target, scripts=[script]) for script in (PLAIN, BARE))
    ours = synthesise(text, target, effort="normal")
    return Kept(
        leaf=name,
        circuit=cost(leaf.circuit).ge,
        ge=synthesise(text, find_target("ge"), effort="quick").area_ge,
        plain=plain.area_ge,
        bare=bare.area_ge,
        ours=ours.area_ge,
        script=script_of(ours),
    )


def script_of(result: Synthesis) -> str:
    """The script that won on a leaf's only module."""
    (module,) = result.modules.values()
    return module.script


if __name__ == "__main__":
    sys.exit(main())
