# SPDX-License-Identifier: Apache-2.0
"""Mozaffari-Kermani, Reyhani-Masoleh 2012: Tables 1 and 2, the S-boxes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from gcmforge.leaf.published import PUBLISHED_SBOXES as SBOXES
from gcmforge.leaf.published import SBOXES_TABLE_1, SBOXES_TABLE_2
from gcmforge.study.papers.form import (
    AllBelow,
    Below,
    Best,
    Claim,
    Column,
    Table,
    Value,
    Verdict,
    View,
    rows_of,
)
from gcmforge.study.papers.measured import Figures, Need

TECHNOLOGY = "STM 65 nm, post-synthesis"


HERE = "osu018 (TSMC 0.18 um, open cells), post-synthesis, ideal wires"


MEASURED_SBOXES = {
    name: Need(what=f"aes_sbox/{name}", target="osu018", power=True, effort="normal")
    for name in SBOXES
}


LEMMA = tuple(name for name in SBOXES if name.endswith("lemma1"))


COMPOSITE = tuple(name for name in SBOXES if not name.startswith("table"))


TABLES_OF_BYTES = ("table", "table_inverse")


PLAIN = tuple(n for n in SBOXES if n.startswith(("poly", "normal")) and n.count("_") == 2)


POLYNOMIAL = tuple(name for name in PLAIN if name.startswith("poly"))


NORMAL = tuple(name for name in PLAIN if name.startswith("normal"))


_COLUMNS_1 = (
    Column(key="um2", head="area", unit="um2"),
    Column(key="ge", head="area", unit="GE", rank=True),
    Column(key="delay", head="delay", unit="ns", rank=True),
    Column(key="clock", head="frequency", unit="MHz"),
    Column(key="rate", head="throughput", unit="Gbit/s"),
    Column(key="efficiency", head="efficiency", unit="Mbit/s per um2", rank=True),
)


_OWN_1 = (
    Column(key="gates", head="gates of our circuit", unit="GE", rank=True, against="ge"),
    Column(key="levels", head="path of our circuit", unit="T_A", rank=True, against="delay"),
)


def _sbox(name: str, figures: Figures) -> Mapping[str, Value]:
    from gcmforge.circuit import cost
    from gcmforge.leaf import sbox

    built = cost(sbox(name).circuit)
    found = figures.get(MEASURED_SBOXES[name])
    assert found.area_um2 and found.area_ge and found.delay_ns
    clock = 1000 / found.delay_ns
    return {
        "um2": found.area_um2, "ge": found.area_ge, "delay": found.delay_ns, "clock": clock,
        "rate": 8 * clock / 1000, "efficiency": 8 * clock / found.area_um2, "gates": built.ge,
        "levels": built.delay,
    }  # fmt: skip


LIBRARY = "ours are open cells of 0.18 um, not the paper's of 65 nm, and circuits of our own"
"""In what our terms are not the paper's."""
_POWER = f"{LIBRARY}; a library's delays decide its glitches"

_SHARED = (
    "With sums of bits shared both bases need the same operations; one row of the paper in normal "
    "basis has its inversion reduced and saves 27.7 GE: the others were not minimised alike"
)


TABLE_1 = Table(
    paper="mozaffari2012",
    key="1",
    title="S-boxes: area, delay, efficiency",
    theirs=TECHNOLOGY,
    here=f"{HERE}, mapped for area; and the circuit's own gates and path",
    columns=(*_COLUMNS_1, *_OWN_1),
    rows=rows_of(SBOXES_TABLE_1, _COLUMNS_1, ours={name: partial(_sbox, name) for name in SBOXES}),
    note="More on the S-boxes: sboxes.md.",
    claims=(
        Claim(
            text="tables are the largest",
            unlike=LIBRARY,
            where="section 3.2",
            check=AllBelow(column="ge", lesser=COMPOSITE, greater=TABLES_OF_BYTES),
        ),
        Claim(
            text="tables are the fastest",
            unlike=LIBRARY,
            where="section 3.2",
            check=AllBelow(column="delay", lesser=TABLES_OF_BYTES, greater=COMPOSITE),
        ),
        Claim(
            text="boyar_peralta is the smallest",
            unlike=LIBRARY,
            where="section 3.2",
            check=Best(column="ge", row="boyar_peralta"),
        ),
        Claim(
            text="boyar_peralta is the slowest of the composite fields",
            unlike=LIBRARY,
            where="section 3.2",
            check=Best(
                column="delay",
                row="boyar_peralta",
                most=True,
                among=COMPOSITE,
                why="Our towers are chosen for area, too: their linear maps are as deep as his",
            ),
        ),
        Claim(
            text="Lemma 1 makes each of its fields smaller",
            where="Table 1",
            check=Below(column="ge", orders=tuple((n, n.removesuffix("_lemma1")) for n in LEMMA)),
        ),
        Claim(
            text="Lemma 1 makes each of its fields faster",
            where="Table 1",
            check=Below(
                column="delay", orders=tuple((n, n.removesuffix("_lemma1")) for n in LEMMA)
            ),
        ),
        Claim(
            text="poly_phi3_nu10_lemma1 has the highest efficiency",
            unlike=LIBRARY,
            where="section 3.2",
            check=Best(
                column="efficiency",
                row="poly_phi3_nu10_lemma1",
                most=True,
                why="Tables are fast here for their area; among composite fields see below",
            ),
        ),
        Claim(
            text="poly_phi3_nu10_lemma1 has the highest efficiency of the composite fields",
            unlike=LIBRARY,
            where="section 3.2",
            check=Best(
                column="efficiency", row="poly_phi3_nu10_lemma1", most=True, among=COMPOSITE
            ),
        ),
        Claim(
            text="every field in polynomial basis is smaller than every one in normal basis",
            unlike=LIBRARY,
            where="Table 1",
            check=AllBelow(column="gates", lesser=POLYNOMIAL, greater=NORMAL, why=_SHARED),
        ),
        Claim(
            text="composite fields reach from 625 to 900 MHz and from 5.0 to 7.2 Gbit/s",
            where="section 3.2",
            check=lambda view, figures: _ranges(view),
        ),
        Claim(
            text="GE are um2 over the 2.08 um2 of a NAND",
            where="section 3.2",
            check=lambda view, figures: _nands(view),
        ),
    ),
)


def _ranges(view: View) -> Verdict:
    clock, rate = ({n: view.theirs(key)[n] for n in COMPOSITE} for key in ("clock", "rate"))
    slow = min(clock, key=clock.__getitem__)
    text = (
        f"its own Table 1 begins at {clock[slow]:g} MHz and {rate[slow]:g} Gbit/s, {slow}, which "
        "the range of areas counts"
    )
    return Verdict(holds=min(clock.values()) == 625 and min(rate.values()) == 5, evidence=text)


def _nands(view: View) -> Verdict:
    wrong = [
        f"{name} {area:,.1f} um2 is {area / 2.08:.1f} and not {view.theirs('ge')[name]:.1f}"
        for name, area in view.theirs("um2").items()
        if abs(area / 2.08 - view.theirs("ge")[name]) > 0.15
    ]
    text = f"{len(SBOXES) - len(wrong)} of {len(SBOXES)} rows are; {'; '.join(wrong)}"
    return Verdict(holds=not wrong, evidence=text)


_COLUMNS_2 = (
    Column(key="average", head="average power", unit="uW", rank=True),
    Column(key="peak", head="peak power", unit="mW", rank=True),
    Column(key="at", head="peak at"),
)


def _power(name: str, figures: Figures) -> Mapping[str, Value]:
    found = figures.get(MEASURED_SBOXES[name])
    assert found.average_uw is not None and found.peak_uw is not None
    return {"average": found.average_uw, "peak": found.peak_uw / 1000, "at": found.peak_at}


_IN_TABLE_2 = tuple(name for name, row in SBOXES.items() if row.average_uw is not None)


TABLE_2 = Table(
    paper="mozaffari2012",
    key="2",
    title="S-boxes: power over all 65,280 transitions at 50 MHz",
    theirs=f"{TECHNOLOGY}, PrimeTime PX",
    here=f"{HERE}, simulated with gate delays; the peak is the largest of any nanosecond",
    columns=_COLUMNS_2,
    rows=rows_of(
        SBOXES_TABLE_2, _COLUMNS_2, ours={name: partial(_power, name) for name in _IN_TABLE_2}
    ),
    note="Cells of 180 nm at 1.8 V take far more energy: compare orders, not values.",
    claims=(
        Claim(
            text="tables take the most power on average",
            unlike=_POWER,
            where="section 3.3.2",
            check=AllBelow(
                column="average",
                lesser=tuple(name for name in _IN_TABLE_2 if name in COMPOSITE),
                greater=TABLES_OF_BYTES,
                why="Glitches are a third of the table's toggles and three quarters of a tower's",
            ),
        ),
        Claim(
            text="boyar_peralta takes the least power on average",
            unlike=_POWER,
            where="section 3.3.2",
            check=Best(
                column="average",
                row="boyar_peralta",
                why="It is a deep chain of XORs, each of which passes every glitch on",
            ),
        ),
        Claim(
            text="most peaks are on a way to the input 00",
            unlike=_POWER,
            where="section 3.3.2",
            check=lambda view, figures: _to_zero(figures),
        ),
        Claim(
            text="with few exceptions, more hardware takes more power",
            unlike=_POWER,
            where="section 3.3.2",
            check=lambda view, figures: _hardware_is_power(view, figures),
        ),
    ),
)


def _to_zero(figures: Figures) -> Verdict:
    peaks = [figures.get(MEASURED_SBOXES[name]).peak_at for name in _IN_TABLE_2]
    here = sum(peak.endswith("to 00") for peak in peaks)
    there = [row.peak_transition for row in SBOXES.values() if row.peak_transition]
    text = f"{here} of {len(peaks)} here, {sum(t[1] == 0 for t in there)} of {len(there)} there"
    return Verdict(holds=here > len(peaks) / 2, evidence=text)


def _hardware_is_power(view: View, figures: Figures) -> Verdict:
    from gcmforge.study.papers.compare import spearman

    def rho(area: Mapping[str, float], power: Mapping[str, float]) -> float:
        return spearman([area[n] for n in _IN_TABLE_2], [power[n] for n in _IN_TABLE_2])

    areas = {name: figures.get(MEASURED_SBOXES[name]).area_ge or 0.0 for name in _IN_TABLE_2}
    here = rho(areas, view.ours("average"))
    there = rho({n: SBOXES[n].area_ge for n in _IN_TABLE_2}, view.theirs("average"))
    text = f"Spearman of area and average power: {here:+.2f} here, {there:+.2f} there"
    return Verdict(holds=here > 0.7, evidence=text)
