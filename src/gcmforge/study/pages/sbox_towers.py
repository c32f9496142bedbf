# SPDX-License-Identifier: Apache-2.0
"""The part of the S-boxes' page on towers: eight conjugates of 32 fields."""

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from gcmforge.field import NORMAL_BASES, POLYNOMIAL_BASES, TowerField
from gcmforge.leaf.published import PUBLISHED_SBOXES as PAPER
from gcmforge.leaf.tower import TowerSbox
from gcmforge.study.searches.towers import TABLE, fields, name, sum_classes


@cache
def search_table() -> dict[str, Any]:
    """What gcmforge-study search towers kept."""
    return dict(json.loads(TABLE.read_text()))


def towers() -> Iterator[str]:
    """The search over conjugates and fields, from what `gcmforge-study search towers` kept."""
    table = search_table()
    merged = merged_areas(table["merged"])
    yield "## Eight conjugates of 32 fields\n"
    yield from paragraph("""
        The paper takes one isomorphism of the eight of each field. Here all eight are made,
        laid out as its Figure 1 (blocks), with minimised linear maps and the inversion in
        GF(2^4) by the tower once more (fastest: the least delay of the eight, with maps of least
        depth); and with merged layers (`leaf/tower.py`) and Lemma 1,
        equation (2). GE of the circuits; command: `gcmforge-study search towers`.
    """)
    heads = [
        "paper",
        "blocks, best",
        "worst",
        "best saves",
        "fastest, T_A",
        "merged, best",
        "best saves",
    ]
    yield line("field", heads)
    yield line("---", ["---:"] * len(heads))
    gains, best = [], []
    for field in [*fields(POLYNOMIAL_BASES), *fields(NORMAL_BASES)]:
        what = name(field)
        areas = [ge for ge, _ in table[what].values()]
        small = min(merged[sum_classes(sbox)] for sbox in merged_of(field))
        gains.append(1 - min(areas) / max(areas))
        best.append(small)
        yield line(f"`{what}`", [
            f"{PAPER[what].area_ge:.1f}", f"{min(areas):.2f}", f"{max(areas):.2f}",
            f"{gains[-1]:.1%}", f"{table['fastest'][what][1]:.2f}", f"{small:.2f}",
            f"{1 - small / PAPER[what].area_ge:.1%}",
        ])  # fmt: skip
    yield ""
    yield from paragraph(f"""
        In blocks, the best conjugate saves {min(gains):.1%} to {max(gains):.1%} of the worst,
        {sum(gains) / len(gains):.1%} on average. The last column compares the best merged tower
        with the paper's figure for the field (another technology, so an indication only); its
        own best row of these fields, with Lemma 1, has 239.6 GE, ours {min(best):.2f}.
        `small` goes further: its input is scaled, and its gates rewritten.
    """)
    yield from classes(table["merged"], merged)


def classes(
    table: Mapping[str, Sequence[float]], merged: Mapping[frozenset[int], float]
) -> Iterator[str]:
    yield "### Why merged towers are sixteen\n"
    yield from paragraph(f"""
        Since u + u^16 = 1, both bases of an extension are made of two of the three coordinates
        h, l and h + l, and Karatsuba multiplies all three. So what is multiplied depends on the
        pairs {{x, x^2}}, {{v, v^4}} and {{u, u^16}} alone, not on which basis is taken nor on
        which of a pair is named first: of 2 x 4 x 16 = 128 choices of (x, v, u), that is 16
        fields times 8 conjugates in either basis, {len(merged)} are different. Conjugation in
        GF(2^8) has orbits of four among them, so each field reaches four, and the 32 fields
        fall into four groups with the same best tower.
    """)
    yield line("tower (any of its names)", ["GE", "T_A"])
    yield line("---", ["---:", "---:"])
    for what, (ge, delay) in table.items():
        field, _, root = what.partition("/")
        yield line(f"`{field}`, x to {int(root):08b}", [f"{ge:.2f}", f"{delay:.2f}"])
    yield ""


def merged_of(field: TowerField) -> list[TowerSbox]:
    return [TowerSbox(field=field, root=root, merged=True) for root in field.roots()]


def merged_areas(table: Mapping[str, Sequence[float]]) -> dict[frozenset[int], float]:
    """GE by what is multiplied."""
    by_name = {
        f"{name(sbox.field)}/{sbox.root}": sum_classes(sbox)
        for field in fields(POLYNOMIAL_BASES)
        for sbox in merged_of(field)
    }
    return {by_name[what]: ge for what, (ge, _) in table.items()}


def paragraph(text: str) -> Iterator[str]:
    yield textwrap.fill(" ".join(text.split()), 100, break_on_hyphens=False) + "\n"


def line(first: str, rest: Sequence[str]) -> str:
    return f"| {first} | {' | '.join(rest)} |"
