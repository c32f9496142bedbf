# SPDX-License-Identifier: Apache-2.0
"""Mozaffari-Kermani, Reyhani-Masoleh 2012: Tables 3, 4 and 5, the parts of GHASH."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache, partial
from itertools import pairwise

from gcmforge.study.papers.form import (
    Best,
    Claim,
    Column,
    Table,
    Value,
    Verdict,
    View,
    rows_of,
)
from gcmforge.study.papers.measured import Figures

T_A = 1 / 1.99
"""In T_X, as Table 5 says."""

_LAWS = "laws in words, which tests/laws shows by simulation"
_COLUMNS_3 = (
    Column(key="latency", head="latency, n blocks on q lanes", unit="cycles", worked_out=_LAWS),
    Column(key="rate", head="throughput", worked_out=_LAWS),
)


_OWN_3 = (
    Column(key="cycles", head="16 blocks on 8 lanes (text: 16, 9, 5)", unit="cycles"),
    Column(key="long", head="1,024 blocks on 8 lanes, data", unit="bits/cycle"),
)


_SCHEMES = {
    "Sequential": ("serial", "n"),
    "[31], [32]": ("interleaved", "n/q + q - 1"),
    "Proposed": ("log_tail", "n/q + log2(q)"),
}


def cycles(ghash: str, blocks: int, lanes: int) -> int:
    """From the first product to the digest in its register, beats full, by the module's law."""
    from gcmforge.config import CoreConfig

    used = 1 if ghash == "serial" else lanes
    law = CoreConfig(lanes=used, ghash=ghash, multiplier="ko4").ghash_latency_cycles
    return math.ceil(blocks / used) + law - 2


def _scheme(name: str, figures: Figures) -> Mapping[str, Value]:
    ghash, law = _SCHEMES[name]
    long = cycles(ghash, 1024, 8)
    return {
        "latency": law, "rate": f"128/((Tmul+TX){f' {law}' if law == 'n' else f'({law})'})",
        "cycles": cycles(ghash, 16, 8), "long": 128 * 1024 / long,
    }  # fmt: skip


TABLE_3 = Table(
    paper="mozaffari2012",
    key="3",
    title="GHASH of n blocks on q lanes: latency and throughput",
    theirs="by formula; the throughput counts the 128 bits of the digest",
    here="the laws in the modules' headers, which tests/laws shows exact by simulation; a cycle "
    "is a product and a sum",
    done="we simulated the GHASH of each row (tests/laws), and here use its law",
    columns=(*_COLUMNS_3, *_OWN_3),
    rows=rows_of(
        """
        Sequential | n             | 128/((Tmul+TX) n)
        [31], [32] | n/q + q - 1   | 128/((Tmul+TX)(n/q + q - 1))
        Proposed   | n/q + log2(q) | 128/((Tmul+TX)(n/q + log2(q)))
        """,
        _COLUMNS_3,
        ours={name: partial(_scheme, name) for name in _SCHEMES},
        subjects={name: f'`ghash = "{ghash}"`' for name, (ghash, _) in _SCHEMES.items()},
    ),
    claims=(
        Claim(
            text="n blocks on q lanes take n/q + log2(q) cycles where [31] and [32] take "
            "n/q + q - 1, and 16 blocks on 8 lanes 5 where these take 9",
            where="section 4.1",
            check=lambda view, figures: _latency_laws(),
        ),
    ),
)


def _latency_laws() -> Verdict:
    cases = [(n, q) for q in (2, 4, 8, 16) for n in (q, 4 * q, 64 * q)]
    good = [
        cycles("interleaved", n, q) == n // q + q - 1
        and cycles("log_tail", n, q) == n // q + round(math.log2(q))
        for n, q in cases
    ]
    short_case = cycles("log_tail", 16, 8), cycles("interleaved", 16, 8)
    text = (
        f"both laws are right in {sum(good)} of {len(good)} cases of n and q, and 16 blocks on 8 "
        f"lanes take {short_case[0]} cycles where these take {short_case[1]}"
    )
    return Verdict(holds=all(good) and short_case == (5, 9), evidence=text)


_COLUMNS_4 = (
    Column(key="before", head="before complexity reduction", unit="XOR"),
    Column(key="after", head="after complexity reduction", unit="XOR", rank=True),
    Column(key="percent", head="reduction", unit="%"),
    Column(key="depth", head="path", unit="T_X", rank=True),
)


_FORMS = {"Cascade": (1, 1, 1), "Parallel": (1, 2, 3), "Hybrid": (1, 1, 3)}
"""H^2, H^4 and H^8 by how many squarings at once: Fig. 5."""


def plain_xors(squarings: int) -> int:
    """XORs of the matrix of H^(2^squarings), each of its rows added up by itself."""
    columns = []
    for bit in range(128):
        power = 1 << (bit << squarings)
        while power >> 128:
            top = power.bit_length() - 1
            power ^= 1 << top ^ 0x87 << top - 128
        columns.append(power)
    return sum(sum(column >> row & 1 for column in columns) - 1 for row in range(128))


def _squarers(name: str, figures: Figures) -> Mapping[str, Value]:
    from gcmforge.circuit import cost
    from gcmforge.leaf import squares

    built = cost(squares(f"{name.lower()}3").circuit)
    before = sum(plain_xors(squarings) for squarings in _FORMS[name])
    return {
        "before": before, "after": built.xor, "percent": 100 * (1 - built.xor / before),
        "depth": built.depth_xor,
    }  # fmt: skip


TABLE_4 = Table(
    paper="mozaffari2012",
    key="4",
    title="H^2, H^4 and H^8 for eight lanes",
    theirs="counted",
    here="the circuits of `squarers`, counted",
    done="we built each way and counted its gates",
    columns=_COLUMNS_4,
    rows=rows_of(
        """
        Cascade  | 606  | 594  | 2  | 9
        Parallel | 1986 | 1099 | 45 | 5
        Hybrid   | 1627 | 1062 | 35 | 6
        """,
        _COLUMNS_4,
        ours={name: partial(_squarers, name) for name in _FORMS},
        subjects={name: f'`squarers = "{name.lower()}"`' for name in _FORMS},
    ),
    claims=(
        Claim(
            text="the cascade is the smallest",
            where="section 4.2",
            check=Best(column="after", row="Cascade"),
        ),
        Claim(
            text="the parallel form has the shortest path at the expense of the most XORs, and "
            "the hybrid one lies between it and the cascade",
            where="section 4.2",
            check=lambda view, figures: _price_of_depth(view),
        ),
    ),
)


def _price_of_depth(view: View) -> Verdict:
    """The order alone: how much the sums that are shared save is a matter of the search for them,
    and the paper has another one."""
    xors, depth, theirs = view.ours("after"), view.ours("depth"), view.theirs("after")
    order = ("Cascade", "Hybrid", "Parallel")
    good = all(xors[a] < xors[b] and depth[a] > depth[b] for a, b in pairwise(order))
    here, deep, there = (
        ", ".join(f"{column[name]:,.0f}" for name in order) for column in (xors, depth, theirs)
    )
    text = (
        f"cascade, hybrid and parallel have {here} XORs and paths of {deep} T_X; theirs have "
        f"{there} XORs, as another search finds other sums to share"
    )
    return Verdict(holds=good, evidence=text)


_COLUMNS_5 = (
    Column(key="ge", head="area", unit="GE", rank=True),
    Column(key="depth", head="path after one T_A", unit="T_X", rank=True),
    Column(key="efficiency", head="efficiency", unit="10^3 bits per T_X and GE", rank=True),
)


_OWN_5 = (
    Column(
        key="least", head="least area here at no more depth", unit="GE", rank=True, against="ge"
    ),
)


MULTIPLIERS = {"Quad.": "quadratic", **{f"KO{steps}": f"ko{steps}" for steps in range(1, 7)}}


def efficiency(area_ge: float, depth_xor: float) -> float:
    """Of Table 5: 128 bits over path and area."""
    return 1000 * 128 / ((depth_xor + T_A) * area_ge)


def _multiplier(name: str, figures: Figures) -> Mapping[str, Value]:
    from gcmforge.circuit import cost
    from gcmforge.leaf import multiplier

    built = cost(multiplier(MULTIPLIERS[name]).circuit)
    depth = float(TABLE_5.rows[list(MULTIPLIERS).index(name)].printed["depth"])
    return {
        "ge": built.ge,
        "depth": built.depth_xor,
        "efficiency": efficiency(built.ge, built.depth_xor),
        "least": least_area(depth),
    }


def least_area(most_depth_xor: float) -> float:
    """The smallest multiplier of the library whose path is A + that many X at most, in GE."""
    return min(area for area, depth in _library() if depth <= most_depth_xor)


@cache
def _library() -> tuple[tuple[float, int], ...]:
    from gcmforge.circuit import cost
    from gcmforge.config import MULTIPLIERS as NAMES
    from gcmforge.leaf import multiplier

    costs = [cost(multiplier(name).circuit) for name in NAMES]
    return tuple((built.ge, built.depth_xor) for built in costs)


TABLE_5 = Table(
    paper="mozaffari2012",
    key="5",
    title="Multipliers in GF(2^128)",
    theirs="counted in gate equivalents",
    here="the circuits, counted in the same gate equivalents",
    done="we built each multiplier and counted its gates",
    columns=(*_COLUMNS_5, *_OWN_5),
    rows=rows_of(
        """
        Quad. | 56,957 | 10 | 0.21
        KO1   | 44,338 | 12 | 0.23
        KO2   | 34,660 | 14 | 0.25
        KO3   | 28,195 | 16 | 0.27
        KO4   | 24,517 | 18 | 0.28
        KO5   | 23,443 | 20 | 0.27
        KO6   | 24,961 | 21 | 0.24
        """,
        _COLUMNS_5,
        ours={name: partial(_multiplier, name) for name in MULTIPLIERS},
        subjects={name: f'`multiplier = "{one}"`' for name, one in MULTIPLIERS.items()},
    ),
    claims=(
        Claim(
            text="five steps give the smallest",
            where="section 4.3",
            check=Best(column="ge", row="KO5", among=tuple(MULTIPLIERS)),
        ),
        Claim(
            text="four steps give the best efficiency",
            where="section 4.3",
            check=Best(column="efficiency", row="KO4", most=True, among=tuple(MULTIPLIERS)),
        ),
        Claim(
            text="the quadratic multiplier has 56,957 GE",
            done="we counted what a product takes at least",
            where="Table 5",
            check=lambda view, figures: _two_digits(view),
        ),
    ),
)


def _two_digits(view: View) -> Verdict:
    """The other rows are the halves form before a reduction of 527 XORs."""
    bits = 128
    own = 1.25 * bits**2 + 2.25 * (bits - 1) ** 2
    left = (view.theirs("ge")["Quad."] - own) / 2.25
    text = (
        f"{bits}^2 ANDs and {bits - 1}^2 XORs of the product alone are {own:,.0f} GE, which leaves "
        f"{left:.0f} XORs for the reduction; the other rows have 527, and 527 make "
        f"{own + 527 * 2.25:,.0f}: two digits exchanged"
    )
    return Verdict(holds=left >= 250, evidence=text)
