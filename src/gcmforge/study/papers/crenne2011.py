# SPDX-License-Identifier: Apache-2.0
"""J. Crenne, P. Cotret, G. Gogniat, R. Tessier, J.-P. Diguet, "Efficient Key-Dependent Message
Authentication in Reconfigurable Hardware", FPT 2011: Table I and Fig. 3; Xilinx, ISE 13.1."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from gcmforge.study.papers.abdellatif2012 import FOUR_FIXED, MASTROVITO, slices
from gcmforge.study.papers.form import Claim, Column, Table, Value, Verdict, View, rows_of, short
from gcmforge.study.papers.measured import ONE_KEY, ZEROS, Figures, Need


def _one_key(target: str, setting: str) -> Need:
    return Need(what=ONE_KEY, target=target, settings=(setting,), effort="normal")


FIXED = {
    "Basic GHASH, Virtex-4": _one_key("xcv4", "cycles=2"),
    "Basic GHASH, Virtex-5": _one_key("xcv5", "cycles=2"),
    "Basic GHASH, Virtex-6": _one_key("xcv6", "cycles=2"),
    "Basic GHASH, Spartan-3": _one_key("xc3s", "cycles=2"),
    "Pipe GHASH (n=4), Virtex-4": FOUR_FIXED,
    "Pipe GHASH (n=8), Virtex-5": _one_key("xcv5", "stages=8"),
    "Pipe GHASH (n=8), Virtex-6": _one_key("xcv6", "stages=8"),
    "Pipe GHASH (n=1), Spartan-3": _one_key("xc3s", "stages=1"),
}
OWN = tuple(FIXED)
NEEDS: tuple[Need, ...] = (MASTROVITO, ZEROS, *FIXED.values())

_NO_CLOCK = "no open tool places Virtex or Spartan parts"
_COLUMNS_I = (
    Column(key="lut", head="LUT", rank=True),
    Column(key="ff", head="FF"),
    Column(key="slices", head="slices (ours: the least that hold the LUTs)"),
    Column(key="clock", head="frequency", unit="MHz", why=_NO_CLOCK),
    Column(key="rate", head="throughput", unit="Gbit/s", why=_NO_CLOCK),
    Column(key="per_slice", head="throughput a slice", unit="Mbit/s", why=_NO_CLOCK),
)

_OTHERS = "another group's design of which only these figures are published"


def _fixed(name: str, figures: Figures) -> Mapping[str, Value]:
    return _of(FIXED[name], figures)


def _mastrovito(figures: Figures) -> Mapping[str, Value]:
    return _of(MASTROVITO, figures)


def _of(need: Need, figures: Figures) -> Mapping[str, Value]:
    found = figures.get(need)
    assert found.luts is not None and found.flip_flops is not None
    return {
        "lut": found.luts, "ff": found.flip_flops, "slices": slices(found.luts, need.target)
    }  # fmt: skip


TABLE_I = Table(
    paper="crenne2011",
    key="I",
    title="GHASH with its key folded in, and designs before",
    theirs="Xilinx ISE 13.1, placed and routed",
    here="Yosys, mapped to the same family's LUTs, not placed",
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
        ours={
            **{name: partial(_fixed, name) for name in FIXED},
            "Wang et al., Virtex-5": _mastrovito,
        },
        subjects={
            "Basic GHASH, Virtex-4": "`gcmforge specialise`, two cycles a block, an ordinary key; "
            "the chains with --stages",
            "Wang et al., Virtex-5": "`gcm_ghash` of `abdellatif2012` with ghash=dot: five "
            "Mastrovito multipliers, and the powers of one key",
        },
        others=_OTHERS,
    ),
    note=_NO_CLOCK[0].upper() + _NO_CLOCK[1:] + ": only LUTs and flip-flops are compared.",
    claims=(
        Claim(
            text="throughput per area is above that of all designs before",
            where="section IV-B",
            check=lambda view, figures: _above_all(view),
        ),
        Claim(
            text="with its key folded in a GHASH takes fewer LUTs than with any key",
            where="sections II-D and V",
            check=lambda view, figures: _fewer(view),
        ),
        Claim(
            text="eight stages produce the MAC of a message of 1 KByte every clock cycle",
            where="section IV-A",
            check=lambda view, figures: _kilobyte(),
        ),
        Claim(
            text="the basic module does 128 bits in two cycles, a chain of n stages n x 128 bits "
            "in one",
            where="section IV-A",
            check=lambda view, figures: _rates(view),
        ),
    ),
)


def _above_all(view: View) -> Verdict:
    """By the printed table itself."""
    found = view.theirs("per_slice")
    best = max((name for name in found if name not in OWN), key=found.__getitem__)
    below = [f"{name} {short(found[name])}" for name in OWN if found[name] <= found[best]]
    text = f"{best} has {short(found[best])} Mbit/s a slice; below are {', '.join(below)}"
    return Verdict(holds=not below, evidence=text)


def _fewer(view: View) -> Verdict:
    ours = view.ours("lut")
    fixed, agile = ours.get("Pipe GHASH (n=8), Virtex-5"), ours.get("Wang et al., Virtex-5")
    if fixed is None or agile is None:
        return Verdict(holds=None, evidence="not measured")
    text = (
        f"eight multipliers of one key take {short(fixed)} LUT6, five for any key {short(agile)}, "
        "on Virtex-5"
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
    claims=(
        Claim(
            text="30, 50 and 70 % for 10^8 keys",
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
