# SPDX-License-Identifier: Apache-2.0
"""Does mapping keep the sums that multipliers share? What pages/structure.py finds, as a table.

gcmforge-study run structure [--target osu018] [--leaves gf128_mul/ko4 ...]. Exit code 1 where a
leaf on `ge` is more than 2 % above its circuit's count, or where ours is not below plain `abc`, as
it comes and sized.
"""

import argparse
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from gcmforge.netlist.targets import find_target
from gcmforge.study.pages.structure import HEADINGS, LEAVES, measured


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", default="osu018")
    parser.add_argument("--leaves", nargs="+", default=LEAVES)
    asked = parser.parse_args(arguments)
    target = find_target(asked.target)
    found = [measured(name, target) for name in asked.leaves]
    table = Table("leaf, GE", *HEADINGS, "script", "kept", title=target.name)
    for one in found:
        table.add_row(one.leaf, *one.cells, one.script, str(one.good))
    Console(width=140).print(table)
    return 0 if all(one.good for one in found) else 1
