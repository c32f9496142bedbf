# SPDX-License-Identifier: Apache-2.0
"""Throughput for its size against the papers, on made-up figures."""

from dataclasses import replace

import pytest

from gcmforge.study.papers import needs
from gcmforge.study.papers.measured import Figures, Measured
from gcmforge.study.papers.per_gate import RIVALS, standings
from gcmforge.study.papers.text import standings_markdown
from gcmforge.study.papers.yang2005_model import SIZES

# Worked out from the printed tables: 34.69 Gbit/s on 498,658 gates; 128.00 on 697,567; 8 x 128
# bits a cycle on 630 kGE; 64 bits a cycle on 2,008 LUTs; 512 on 7,127 slices of four LUTs.
THEIRS = {
    "yang2005": 69.57, "satoh2007": 183.49, "mozaffari2012": 1.6254, "crenne2011": 31.87,
    "abdellatif2012": 17.96,
}  # fmt: skip


KEYS = ("128", "192", "256")
PLACED = {"placed_area_ge": 250_000, "placed_fmax_mhz": 300.0}
PACKETS = {**dict.fromkeys(map(str, SIZES), 126.0), "64": 300.0, "65536": 511.0}


def figures(found):
    return Figures({need.name: found for rival in RIVALS for need in rival.needs})


def test_theirs_are_those_of_the_printed_tables():
    found = {one.rival.paper: one.theirs for one in standings(Figures({}))}
    assert found == pytest.approx(THEIRS, rel=1e-3)


def test_what_is_not_measured_is_neither_above_nor_below():
    for one in standings(Figures({})):
        assert (one.ours, one.beats, one.reaches) == (None, None, None)
    page = [*standings_markdown(tuple(standings(Figures({}))))]
    rows = page[2 : page.index("")]
    assert len(rows) == sum(len(rival.cores or rival.contenders) for rival in RIVALS)
    assert all("not measured yet" in row for row in rows)


def test_ours_is_throughput_over_all_gates_or_luts():
    made = Measured(
        area_ge=200_000, gbit_per_s=153.0, fmax_mhz=400.0, luts=1_000, lut_ram_luts=600,
        delay_ta=40.0, bits_per_cycle=PACKETS, long_bits_by_key=dict.fromkeys(KEYS, 511.0),
        **PLACED,
    )  # fmt: skip
    found = {one.rival.paper: one for one in standings(figures(made))}
    assert found["yang2005"].ours == pytest.approx(511 * 300e3 / 250_000)  # placed
    assert found["mozaffari2012"].ours == pytest.approx(1024 / 400)  # AES and GHASH
    assert found["crenne2011"].ours == pytest.approx(40.0)
    assert found["abdellatif2012"].ours == pytest.approx(320.0)  # four blocks
    assert (found["yang2005"].beats, found["yang2005"].reaches) == (True, True)
    assert (found["satoh2007"].beats, found["satoh2007"].reaches) == (True, True)
    large = {**PLACED, "placed_area_ge": 475_000}  # 323: less than 400 and 350
    found = {one.rival.paper: one for one in standings(figures(replace(made, **large)))}
    assert (found["yang2005"].beats, found["yang2005"].reaches) == (True, False)
    assert (found["satoh2007"].beats, found["satoh2007"].reaches) == (True, False)
    assert (found["abdellatif2012"].beats, found["abdellatif2012"].reaches) == (True, True)


def test_a_cycle_may_be_that_of_another_core():
    (rival,) = (rival for rival in RIVALS if rival.timed_by)
    slow = {need.name: Measured(area_ge=1.0, delay_ta=50.0) for need in rival.timed_by}
    fast = {
        need.name: Measured(area_ge=200_000, delay_ta=delay)
        for need, delay in zip(rival.cores[0], (25.0, 20.0), strict=True)
    }
    (one,) = (one for one in standings(Figures(slow | fast)) if one.rival is rival)
    assert one.ours == pytest.approx(2 * 1024 / 400)


def test_every_paper_has_a_rival_and_its_cores_are_among_the_needs():
    assert {rival.paper for rival in RIVALS} == set(THEIRS)
    for rival in RIVALS:
        assert set(rival.needs) <= set(needs(rival.paper))
