# SPDX-License-Identifier: Apache-2.0
"""K. M. Abdellatif, R. Chotin-Avot, H. Mehrez, "Efficient Parallel-Pipelined GHASH for Message
Authentication", ReConFig 2012: Tables I and II, Xilinx Virtex-5 and Virtex-4 after routing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from gcmforge.study.papers.form import (
    Claim,
    Column,
    Ours,
    Table,
    Value,
    Verdict,
    View,
    rows_of,
    short,
)
from gcmforge.study.papers.measured import FIG_6, Figures, Need
from gcmforge.study.papers.virtex import (
    DENSE_ON,
    DONE,
    NOTE,
    RIVALS,
    UNPLACED,
    Design,
    columns,
    ghash,
    one_key,
    slices,
)

LANES = 4
BLOCKS = 16
STAGES = 4

OWN = {
    f"This work, {name}": Design(
        mapped=Need(what=FIG_6, target=target), bits=512, on=DENSE_ON, seeds=2
    )
    for name, target in (("Virtex-5", "xcv5"), ("Virtex-4", "xcv4"))
}
"""With seed 1 nextpnr is not done within its hour."""
ENGINES = {
    name: ghash(design.mapped.target, 512, what="abdellatif2012").mapped
    for name, design in OWN.items()
}
"""The engine of the preset, which does more than the paper has."""
_RIVALS = {name: design for name, (design, _) in RIVALS.items()}
FOUR_FIXED = one_key("xcv4", "stages=4", 512)
"""Four stages of Crenne 2011, whose own table has them, too."""
DESIGNS = {**OWN, **_RIVALS, "Crenne et al., Virtex-4": FOUR_FIXED}
NEEDS = (
    *dict.fromkeys(need for one in DESIGNS.values() for need in one.needs), *ENGINES.values()
)  # fmt: skip

VIRTEX_4_LX25_SLICES = 10_752
"""All that an XC4VLX25 has (Xilinx DS112, Table 1)."""

# Table I ------------------------------------------------------------------------------------------

_LANE_KEYS = tuple(f"lane{lane + 1}" for lane in range(LANES))
_EQUATION_6 = "equation (6), which tests/laws simulates"
_COLUMNS_I = (
    *(
        Column(key=key, head=f"M(i+{n})/H^k", worked_out=_EQUATION_6)
        for n, key in enumerate(_LANE_KEYS, 1)
    ),
    Column(key="out", head="Q/Tag", worked_out=_EQUATION_6),
)


def schedule(clk: int) -> dict[str, Value]:
    """What enters and leaves in that cycle by equation (6): each block with the power of its
    distance to the end, a beat a cycle, each sum STAGES cycles in the multipliers."""
    first = LANES * (clk - 1) + 1
    row: dict[str, Value] = {}
    for lane, key in enumerate(_LANE_KEYS):
        block = first + lane
        power = BLOCKS - block + 1
        row[key] = "-" if block > BLOCKS else f"M{block}/H" + (f"^{power}" if power > 1 else "")
    beat = clk - STAGES + 1
    beats = BLOCKS // LANES
    last = beats + STAGES
    row["out"] = "Tag" if clk == last else f"Q{beat}" if 1 <= beat <= beats else "-"
    return row


def _schedule(clk: int, figures: Figures) -> Mapping[str, Value]:
    return schedule(clk)


TABLE_I = Table(
    paper="abdellatif2012",
    key="I",
    title="Sixteen blocks on four lanes in four stages, cycle by cycle",
    theirs="schedule",
    here="equation (6) worked out; tests/laws/test_shared_reduction_laws.py simulates it",
    columns=_COLUMNS_I,
    rows=rows_of(
        """
        1 | M1/H^16 | M2/H^15 | M3/H^14 | M4/H^13 | -
        2 | M5/H^12 | M6/H^11 | M7/H^10 | M8/H^9  | -
        3 | M9/H^8  | M10/H^7 | M11/H^6 | M12/H^5 | -
        4 | M13/H^4 | M14/H^3 | M15/H^2 | M16/H   | Q1
        5 | -       | -       | -       | -       | Q2
        6 | -       | -       | -       | -       | Q3
        7 | -       | -       | -       | -       | Q4
        8 | -       | -       | -       | -       | Tag
        """,
        _COLUMNS_I,
        ours={str(clk): partial(_schedule, clk) for clk in range(1, 9)},
    ),
    done="we worked equation (6) out and simulated it",
    claims=(
        Claim(
            text="the tag is there in clock 8",
            where="Table I",
            check=lambda view, figures: _tag_clock(),
        ),
    ),
)


def _tag_clock() -> Verdict:
    last = BLOCKS // LANES + STAGES
    same = all(_as_printed(clk) for clk in range(1, last + 1))
    text = f"it takes n/q + p = {last} cycles; all {last} lines are those of equation (6)"
    return Verdict(holds=last == 8 and same, evidence=text)


def _as_printed(clk: int) -> bool:
    row = TABLE_I.rows[clk - 1]
    return all(row.printed.get(key, "-") == value for key, value in schedule(clk).items())


# Table II -----------------------------------------------------------------------------------------

_COLUMNS_II = columns((), "slices")
_OWN_II = (Column(key="engine", head="of the preset's engine, which does more", unit="slices"),)


def _own(name: str, figures: Figures) -> Mapping[str, Value]:
    """Fig. 6 as it is, and the engine that takes beats and messages of any length."""
    engine = figures.get(ENGINES[name])
    assert engine.luts is not None and engine.flip_flops is not None
    area = slices(engine.luts, engine.flip_flops, ENGINES[name].target)
    return {**OWN[name](figures), "engine": area}


_OURS: dict[str, Ours] = {**DESIGNS, **{name: partial(_own, name) for name in OWN}}


TABLE_II = Table(
    paper="abdellatif2012",
    key="II",
    title="GHASH on Virtex: slices, clock, throughput",
    theirs="Xilinx ISE, placed and routed (Wang, Huo, Lu: before placing, slices estimated)",
    here="Yosys, mapped to the same family's LUTs; clocks by nextpnr on ECP5",
    done=DONE,
    columns=(*_COLUMNS_II, *_OWN_II),
    rows=rows_of(
        """
        This work, Virtex-5      |  7127 | 222.2 | 113.8 | 15.96
        This work, Virtex-4      | 16257 | 200   | 102.4 | 6.2
        Wang et al., Virtex-5    | 10943 | 240.3 | 123.1 | 11.2
        Huo et al., Virtex-5     |  2992 | 240.2 | 30.8  | 10.3
        Lu et al., Virtex-5      |  3175 | 120.2 | 15.4  | 4.8
        Chen et al., Virtex-4    | 10756 | 312.5 | 40.0  | 3.7
        Crenne et al., Virtex-4  |  6182 | 222.2 | 113.8 | 18.4
        """,
        _COLUMNS_II,
        ours=_OURS,
        subjects={
            "This work, Virtex-5": "Fig. 6 and no more (study/papers/rtl/abdellatif2012_fig6.sv, "
            "shown by tests/laws/test_abdellatif2012_fig6.py), registers of H .. H^16 included, "
            "what makes these powers not",
            "This work, Virtex-4": "the same, in LUT4",
            "Crenne et al., Virtex-4": "`gcmforge specialise`, a chain of four: fixed to one key",
            **{name: subject for name, (_, subject) in RIVALS.items()},
        },
        why=UNPLACED,
    ),
    note=f"{NOTE}. The engine of the preset `abdellatif2012` is larger than Fig. 6: it takes beats "
    "that are not full, so that each lane chooses among 16 powers and not 4, it holds beats until "
    "it knows how a message ends, and it makes the powers.",
    claims=(
        Claim(
            text="one reduction for all lanes and Karatsuba take less area than four Mastrovito "
            "multipliers",
            where="section VI",
            check=lambda view, figures: _smaller(figures),
        ),
        Claim(
            text="10,943 slices are more than 7,127 by 34.87 %; 113.8 Gbit/s are below 123.1 by "
            "7.5 %; 10,756 slices are fewer than 16,257 by 51 %; 40 Gbit/s are below by 184 %",
            done="we worked the printed figures out again",
            where="section VI",
            check=lambda view, figures: _percentages(view),
        ),
        Claim(
            text="the Virtex-4 design was placed and routed on an xc4vlx25",
            done="we looked up what that part holds",
            where="Table II",
            check=lambda view, figures: _fits(view),
        ),
    ),
)


def _smaller(figures: Figures) -> Verdict:
    """Four against four: `ghash=dot` has a fifth multiplier, which makes the powers."""
    shared = figures.get(OWN["This work, Virtex-5"].mapped).luts
    five = figures.get(_RIVALS["Wang et al., Virtex-5"].mapped).luts
    assert shared is not None and five is not None
    four = five * LANES / (LANES + 1)
    text = (
        f"four multipliers with one reduction take {short(shared)} LUT6 on Virtex-5, four "
        f"Mastrovito multipliers {short(four)}, which is four fifths of the {short(five)} of our "
        "ghash=dot, as that has five"
    )
    return Verdict(holds=shared < four, evidence=text)


def _percentages(view: View) -> Verdict:
    slices, rate = view.theirs("slices"), view.theirs("rate")
    five, four = "This work, Virtex-5", "This work, Virtex-4"
    wang, chen = "Wang et al., Virtex-5", "Chen et al., Virtex-4"
    more = 100 * (slices[wang] / slices[five] - 1)
    less = 100 * (1 - rate[five] / rate[wang])
    fewer = 100 * (1 - slices[chen] / slices[four])
    below = 100 * (1 - rate[chen] / rate[four])
    text = (
        f"10,943 are more by {more:.1f} % (34.87 % is what 7,127 are fewer by); 113.8 are below "
        f"by {less:.1f} %; 10,756 are fewer by {fewer:.1f} % (51 % is what 16,257 are more by); 40 "
        f"are below the 102.4 of Virtex-4 by {below:.1f} % (184 % is what the 113.8 of Virtex-5 "
        "are above), and nothing is below by more than 100 %"
    )
    holds = abs(more - 34.87) < 0.1 and abs(fewer - 51) < 1 and abs(below - 184) < 1
    return Verdict(holds=holds, evidence=text)


def _fits(view: View) -> Verdict:
    used = view.theirs("slices")["This work, Virtex-4"]
    text = f"an XC4VLX25 has {VIRTEX_4_LX25_SLICES:,} slices (Xilinx DS112), the row {used:,.0f}"
    return Verdict(holds=used <= VIRTEX_4_LX25_SLICES, evidence=text)


TABLES = (TABLE_I, TABLE_II)
