# SPDX-License-Identifier: Apache-2.0
"""`gcmforge measure --placed`: what it finds, how it is asked for, and what it says."""

import json
import sys
from dataclasses import replace

import pytest

from gcmforge.cli import main
from gcmforge.config import CoreConfig
from gcmforge.measure.job import job_of
from gcmforge.measure.measure import measure
from gcmforge.measure.result import PlacedFigure, Result
from gcmforge.measure.store import Store
from gcmforge.measure.subject import MeasureError
from gcmforge.measure.table import results_text
from gcmforge.netlist.targets import TargetError
from gcmforge.tools import ToolError

LEAF = "aes_mix_column/small"

FIGURE = PlacedFigure(
    utilisation=0.7, core_area_um2=250_000.0, width_um=500.0, height_um=500.0, wire_m=1.25,
    wire_pf=150.0, ff_per_um=0.12, ohm_per_um=0.25, wires_from="a file", cells_added=77,
    area_um2=1e5, area_ge=4_321.0, mapped_delay_ns=9.0, delay_ns=8.0, fmax_mhz=125.0, start="a_q",
    end="b_d", slack_ns=-0.5, gbit_per_s=8.0, other_tool="OpenSTA 9", other_delay_ns=8.1,
    other_start="a", other_end="b", seconds=12.0, clock_buffers=40, clock_buffer="BUFX4",
    clock_area_ge=53.0, clock_wire_pf=2.5, clock_latency_ns=1.25, clock_skew_ns=0.125,
    clock_transition_ns=0.25,
)  # fmt: skip

RESULT = Result(
    what="small", kind="core", summary="a core", configuration=None, rtl_sha256="0",
    target="osu018", target_kind="asic", target_family="cells", target_version="v", tools={},
    effort="normal", note="ideal wires", command="gcmforge measure small", placed=FIGURE,
    measured_at="2026-01-02T03:04:05+00:00",
)  # fmt: skip


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("GCMFORGE_STORE", str(tmp_path / "results.sqlite"))
    with Store(tmp_path / "results.sqlite") as found:
        yield found


def command(capsys, *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(["measure", *map(str, arguments)])
    said = capsys.readouterr()
    assert isinstance(end.value.code, int)
    return end.value.code, said.out, said.err


@pytest.mark.slow
@pytest.mark.osu018
@pytest.mark.coloquinte
@pytest.mark.opensta
def test_a_placed_leaf_is_slower_by_its_wires_and_opensta_agrees(store):
    found = measure(LEAF, "osu018", placed=True, store=store)
    placed, ideal = found.placed, found.timing
    assert ideal.delay_ns < placed.mapped_delay_ns < 2 * ideal.delay_ns
    assert placed.fmax_mhz == pytest.approx(1000 / placed.delay_ns)
    assert placed.delay_ns == pytest.approx(placed.other_delay_ns, rel=0.01)
    assert placed.utilisation == pytest.approx(0.7, rel=0.05)
    assert placed.delay_ns <= placed.mapped_delay_ns
    assert placed.core_area_um2 > placed.area_um2 >= found.area_um2
    assert placed.wire_pf == pytest.approx(placed.wire_m * 1e6 * placed.ff_per_um / 1000)
    assert found.tools["coloquinte"]
    again = measure(LEAF, "osu018", placed=True, store=store)
    assert again.placed == placed
    plain = measure(LEAF, "osu018", store=store)
    assert plain.placed is None and plain.timing == ideal and plain.area_ge == found.area_ge


@pytest.mark.slow
@pytest.mark.osu018
@pytest.mark.coloquinte
def test_a_placed_leaf_has_power_with_its_wires_beside_that_without(store):
    found = measure(LEAF, "osu018", placed=True, power=True, store=store)
    ideal, wired = found.power, found.placed.power
    assert wired.switching_uw > 1.1 * ideal.switching_uw
    assert wired.average_uw == pytest.approx(
        wired.switching_uw + wired.internal_uw + wired.leakage_uw
    )
    assert found.placed.pj_per_bit > found.pj_per_bit
    assert "placed: power, uW" in results_text([found])


@pytest.mark.slow
@pytest.mark.osu018
@pytest.mark.coloquinte
def test_json_stays_clean_and_a_missed_clock_is_an_exit_code(store, capfd):
    code, out, _ = command(
        capfd, LEAF, "--target", "osu018", "--placed", "--utilisation", 0.5, "--json"
    )
    (found,) = json.loads(out)
    assert code == 0
    assert found["placed"]["utilisation"] == pytest.approx(0.5, rel=0.05)
    assert found["command"].endswith("--placed --utilisation 0.5")
    code, out, _ = command(capfd, LEAF, "--target", "osu018", "--placed", "--clock", 0.5)
    assert code == 1 and "CLOCK NOT MET, placed" in out


def test_a_result_with_a_placement_comes_back_from_json():
    assert Result.from_json(RESULT.to_json()) == RESULT


def test_the_table_says_what_was_placed_and_what_is_assumed():
    text = results_text([RESULT])
    assert "placed: slowest path" in text and "8.00 ns" in text and "8.10 ns" in text
    assert "9.00 ns as mapped; then 77 more cells" in text and "4,321" in text
    fewer = results_text([replace(RESULT, placed=replace(FIGURE, cells_added=-3))])
    assert "then 3 fewer cells" in fewer  # buffers of mapping that drive nothing but a buffer
    assert "70% of 500 um x 500 um" in text
    assert "0.120 fF/um and 0.250 Ohm/um (a file)" in text
    assert "a tree of 40 BUFX4, 1.25 ns from the port to flip-flops on average" in text
    assert "skew 0.125 ns, transition 0.250 ns; wires of 2.50 pF; not routed; took 12 s" in text
    assert "placed: power, uW" not in text
    assert "CLOCK NOT MET, placed: slack -0.50 ns" in text and not RESULT.meets_clock
    assert "placed" not in results_text([replace(RESULT, placed=None)])


def test_without_opensta_it_says_so():
    alone = replace(FIGURE, other_delay_ns=None, other_missing="OpenSTA: sta not found")
    assert "placed, no second timing: OpenSTA: sta" in results_text([replace(RESULT, placed=alone)])


@pytest.mark.osu018
@pytest.mark.coloquinte
def test_only_a_placed_measurement_has_the_option_in_its_key_and_command():
    plain = job_of(LEAF, "osu018", (), None, "normal", None, False)
    placed = job_of(LEAF, "osu018", (), None, "normal", None, False, 0.7)
    fuller = job_of(LEAF, "osu018", (), None, "normal", None, False, 0.8)
    assert "placed" not in plain.options and "coloquinte" not in plain.tools
    assert placed.options == {**plain.options, "placed": 0.7}
    assert len({plain.key, placed.key, fuller.key}) == 3
    assert len({plain.line, placed.line, fuller.line}) == 3
    assert placed.command == f"{plain.command} --placed"
    assert fuller.command == f"{plain.command} --placed --utilisation 0.8"


def test_what_cannot_be_placed_is_refused_before_anything_is_made(store):
    with pytest.raises(TargetError, match=r"target ge: its wires are not stated"):
        measure(LEAF, "ge", placed=True, store=store)
    with pytest.raises(MeasureError, match="placed on xc7: that is for standard cells"):
        measure(CoreConfig(), "xc7", placed=True, store=store)


@pytest.mark.osu018
def test_a_utilisation_out_of_range_and_a_missing_placer_are_told(store, monkeypatch):
    with pytest.raises(MeasureError, match=r"utilisation=3: .* from 0\.1 to 0\.95"):
        measure(LEAF, "osu018", placed=True, utilisation=3, store=store)
    monkeypatch.setitem(sys.modules, "coloquinte_pybind", None)
    with pytest.raises(ToolError, match=r"gcmforge\[place\]"):
        measure(LEAF, "osu018", placed=True, store=store)
