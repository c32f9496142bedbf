# SPDX-License-Identifier: Apache-2.0
"""J. Crenne, P. Cotret, G. Gogniat, R. Tessier, J.-P. Diguet, "Efficient Key-Dependent Message
Authentication in Reconfigurable Hardware", FPT 2011: Table I and Fig. 3; Xilinx, ISE 13.1."""

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
from gcmforge.study.papers.measured import ZEROS, Figures, Need
from gcmforge.study.papers.virtex import DONE, NOTE, RIVALS, UNPLACED, columns, one_key

WHOLE_ENGINES = (
    "a whole AES-GCM engine of another group, AES and buffers included, of which the paper prints "
    "only this; the other rows are GHASH alone"
)

FIXED = {
    "Basic GHASH, Virtex-4": one_key("xcv4", "cycles=2", 64),
    "Basic GHASH, Virtex-5": one_key("xcv5", "cycles=2", 64),
    "Basic GHASH, Virtex-6": one_key("xcv6", "cycles=2", 64),
    "Basic GHASH, Spartan-3": one_key("xc3s", "cycles=2", 64),
    "Pipe GHASH (n=4), Virtex-4": one_key("xcv4", "stages=4", 512),
    "Pipe GHASH (n=8), Virtex-5": one_key("xcv5", "stages=8", 1024),
    "Pipe GHASH (n=8), Virtex-6": one_key("xcv6", "stages=8", 1024),
    "Pipe GHASH (n=1), Spartan-3": one_key("xc3s", "stages=1", 128),
}
OWN = tuple(FIXED)
_RIVALS = {name: design for name, (design, _) in RIVALS.items()}
NEEDS: tuple[Need, ...] = (
    ZEROS,
    *dict.fromkeys(need for one in (*FIXED.values(), *_RIVALS.values()) for need in one.needs),
)

_COLUMNS_I = columns((Column(key="lut", head="LUT", rank=True), Column(key="ff", head="FF")))
_OURS: dict[str, Ours] = {**FIXED, **_RIVALS}
_THEIRS = "we worked the printed figures out again"


TABLE_I = Table(
    paper="crenne2011",
    key="I",
    title="GHASH with its key folded in, and designs before",
    theirs="Xilinx ISE 13.1, placed and routed",
    here="Yosys, mapped to the same family's LUTs; clocks by nextpnr on ECP5",
    done=DONE,
    columns=_COLUMNS_I,
    rows=rows_of(
        """
        Basic GHASH, Virtex-4       | 2,469  | 165   | 1,277  | 250.0 | 16.0  | 12.5
        Basic GHASH, Virtex-5       | 2,008  | 128   | 533    | 303.0 | 19.4  | 36.4
        Basic GHASH, Virtex-6       | 1,714  | 143   | 447    | 384.6 | 24.6  | 55.1
        Basic GHASH, Spartan-3      | 2,429  | 150   | 1,242  | 114.9 | 7.4   | 5.9
        Pipe GHASH (n=4), Virtex-4  | 12,186 | 793   | 6,182  | 222.2 | 113.8 | 18.4
        Pipe GHASH (n=8), Virtex-5  | 17,611 | 1,152 | 4,594  | 232.6 | 238.1 | 51.8
        Pipe GHASH (n=8), Virtex-6  | 15,414 | 1,358 | 3,985  | 285.7 | 292.6 | 73.4
        Pipe GHASH (n=1), Spartan-3 | 4,875  | 280   | 2,484  | 116.3 | 14.9  | 6.0
        Huo et al., Virtex-5        | 8,864  | 411   | 2,992  | 240.2 | 30.8  | 10.3
        Lu et al., Virtex-5         | 9,405  | 430   | 3,175  | 120.2 | 15.4  | 4.8
        Zhou et al., Virtex-5       | n/a    | n/a   | 4,628  | 324.0 | 41.5  | 8.9
        Chen et al., Virtex-4       | n/a    | n/a   | 10,756 | 312.5 | 40.0  | 3.7
        Henzen et al., Virtex-5     | n/a    | n/a   | 14,799 | 233.0 | 119.3 | 8.1
        Wang et al., Virtex-5       | 32,410 | 2,612 | 10,943 | 240.3 | 123.1 | 11.2
        """,
        _COLUMNS_I,
        ours=_OURS,
        subjects={
            "Basic GHASH, Virtex-4": "`gcmforge specialise`, two cycles a block, an ordinary key; "
            "the chains with --stages",
            **{name: subject for name, (_, subject) in RIVALS.items()},
        },
        others=WHOLE_ENGINES,
        why=UNPLACED,
    ),
    note=f"{NOTE}. By their own LUTs the paper's rows use 94 to 98 % of what their slices could "
    "hold, so the estimate is up to 6 % low.",
    claims=(
        Claim(
            text="throughput per area is above that of the designs before, for all measured "
            "comparisons",
            done=_THEIRS,
            where="section IV-B",
            check=lambda view, figures: _above_all(view),
        ),
        Claim(
            text="with its key folded in a GHASH takes fewer LUTs than with any key",
            where="sections II-D and V",
            check=lambda view, figures: _fewer(view),
        ),
        Claim(
            text="on Virtex-6 eight stages reach 292.6 Gbit/s, 73.4 Mbit/s a slice",
            unlike="ECP5 is another family with LUT4, and no open tool places a Virtex-6",
            where="section IV-A",
            check=lambda view, figures: _fastest_chain(view),
        ),
        Claim(
            text="eight stages produce the MAC of a message of 1 KByte every clock cycle",
            done="we counted the bits",
            where="section IV-A",
            check=lambda view, figures: _kilobyte(),
        ),
        Claim(
            text="the basic module does 128 bits in two cycles, a chain of n stages n x 128 bits "
            "in one",
            done=_THEIRS,
            where="section IV-A",
            check=lambda view, figures: _rates(view),
        ),
    ),
)


def _above_all(view: View) -> Verdict:
    """By the printed table itself, within a family: slices of two families are not alike."""
    found = view.theirs("per_slice")
    rows: dict[str, dict[str, float]] = {}
    for name, value in found.items():
        rows.setdefault(name.rpartition(", ")[2], {})[name] = value
    texts, good, alone = [], [], []
    for family, values in rows.items():
        before = {name: value for name, value in values.items() if name not in OWN}
        own = [value for name, value in values.items() if name in OWN]
        if not before:
            alone.append(family)
            continue
        best = max(before, key=before.__getitem__)
        good.append(min(own) > before[best])
        texts.append(
            f"on {family} {' and '.join(map(short, own))} Mbit/s a slice against "
            f"the {short(before[best])} of {best.partition(',')[0]}"
        )
    text = (
        f"within each family that has designs of both it is so: {'; '.join(texts)}; for "
        f"{' and '.join(alone)} none before is printed"
    )
    return Verdict(holds=all(good), evidence=text)


def _fastest_chain(view: View) -> Verdict:
    """Ours at the clock of ECP5 beside theirs."""
    name = "Pipe GHASH (n=8), Virtex-6"
    rate, slices, clock = (view.ours(key).get(name) for key in ("rate", "slices", "clock"))
    if rate is None or slices is None or clock is None:
        return Verdict(holds=None, evidence="not placed")
    text = (
        f"our chain of eight is placed at {short(clock)} MHz on ECP5, which makes {short(rate)} "
        f"Gbit/s, and takes some {short(slices)} slices of Virtex-6, "
        f"{short(1000 * rate / slices)} Mbit/s a slice"
    )
    return Verdict(holds=rate >= view.theirs("rate")[name], evidence=text)


def _fewer(view: View) -> Verdict:
    ours = view.ours("lut")
    fixed, agile = ours.get("Pipe GHASH (n=8), Virtex-5"), ours.get("Wang et al., Virtex-5")
    if fixed is None or agile is None:
        return Verdict(holds=None, evidence="not measured")
    text = (
        f"a multiplier of one key takes {short(fixed / 8)} LUT6 on Virtex-5, an eighth of our "
        f"chain of eight, and one for any key {short(agile / 5)}, a fifth of our five"
    )
    return Verdict(holds=fixed / 8 < agile / 5, evidence=text)


def _kilobyte() -> Verdict:
    bits = 8 * 128
    text = f"8 stages of 128 bits are {bits:,} bits, {bits // 8} bytes"
    return Verdict(holds=bits == 8 * 1024, evidence=text)


def _rates(view: View) -> Verdict:
    clock, rate = view.theirs("clock"), view.theirs("rate")
    good = []
    for name in OWN:
        stages = int(name.partition("n=")[2].partition(")")[0] or 0)
        expected = clock[name] * 128 * (stages or 0.5) / 1000
        good.append(abs(expected - rate[name]) < 0.1)
    text = f"{sum(good)} of {len(good)} printed throughputs are clock x bits"
    return Verdict(holds=all(good), evidence=text)


# Fig. 3 -------------------------------------------------------------------------------------------

_COLUMNS_3 = (Column(key="zeros", head="zeros in table T", unit="%", rank=True),)


def _zeros(name: str, figures: Figures) -> Mapping[str, Value]:
    return {"zeros": figures.get(ZEROS).values[name]}


FIG_3 = Table(
    paper="crenne2011",
    key="fig3",
    title="Zeros in table T over random keys",
    theirs="10^8 keys, Mersenne Twister; the figure shows a sample of 100 without numbers, the "
    "text of section III-A has these",
    here="the same number of keys, drawn and counted",
    columns=_COLUMNS_3,
    rows=rows_of(
        """
        lowest  | 30
        average | 50
        highest | 70
        """,
        _COLUMNS_3,
        ours={name: partial(_zeros, name) for name in ("lowest", "average", "highest")},
    ),
    done="we drew as many keys and counted",
    claims=(
        Claim(
            text="the lowest share of zeros in table T over 10^8 keys is 30 %, the average 50 % "
            "and the highest 70 %",
            where="section III-A",
            check=lambda view, figures: _rounded(view),
        ),
    ),
)


def _rounded(view: View) -> Verdict:
    ours, theirs = view.ours("zeros"), view.theirs("zeros")
    if not ours:
        return Verdict(holds=None, evidence="not measured")
    text = "; ".join(f"{name} {value:.1f} %" for name, value in ours.items())
    good = all(10 * round(value / 10) == theirs[name] for name, value in ours.items())
    return Verdict(holds=good, evidence=f"{text}; theory and counts: table-zeros.md")


TABLES = (TABLE_I, FIG_3)
