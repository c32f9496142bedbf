# SPDX-License-Identifier: Apache-2.0
"""Areas by LEF beside Liberty's."""

from dataclasses import replace

import pytest
from test_measure_result import result

from gcmforge.measure.layout import areas, layout_of
from gcmforge.measure.result import Layout, Result
from gcmforge.measure.table import results_text
from gcmforge.netlist.targets import TargetError, find_target, library_of

LAYOUT = Layout(lef="cells.lef", area_um2=48_000.0, area_ge=2_000.0,
                differs={"OAI21X1": (23.0, 32.0)})  # fmt: skip


@pytest.mark.osu018
def test_cells_whose_two_areas_differ_are_those_of_the_libraries_files() -> None:
    target = find_target("osu018")
    library = library_of(target)
    counts = {"NAND2X1": 2, "OAI21X1": 3, "NAND3X1": 1}
    found = layout_of(counts, target, library)
    assert found is not None
    assert found.differs == {"NAND3X1": (36.0, 32.0), "OAI21X1": (23.0, 32.0)}
    assert found.area_um2 == pytest.approx(2 * 24 + 3 * 32 + 32)
    assert found.area_ge == pytest.approx(found.area_um2 / 24)


@pytest.mark.osu018
def test_a_gate_that_is_made_of_cells_is_as_large_as_they_are_in_the_layout() -> None:
    target = find_target("osu018-gated")
    found = areas(target, library_of(target))
    assert found["GATE_OF_LATCH"] == pytest.approx(56 + 16 + 32)


def test_a_library_without_a_lef_file_has_one_area() -> None:
    target = find_target("ge")
    assert layout_of({"NAND2": 1}, target, library_of(target)) is None


@pytest.mark.osu018
def test_a_file_that_is_no_lef_is_named(tmp_path) -> None:
    target = replace(find_target("osu018"), lef=tmp_path / "wrong.lef")
    (tmp_path / "wrong.lef").write_text("nothing")
    with pytest.raises(TargetError, match=r"wrong\.lef: the LEF file has no SITE"):
        layout_of({"NAND2X1": 1}, target, library_of(target))


def test_both_areas_stand_in_the_result_and_the_table() -> None:
    both = replace(result(), layout=LAYOUT)
    assert Result.from_json(both.to_json()) == both
    assert both.kbit_per_s_per_layout_gate == pytest.approx(10.24e6 / 2000)
    text = results_text([both])
    for part in ("area by LEF, GE", "2,000", "48,000", "5,120", "OAI21X1 23 and 32", "cells.lef"):
        assert part in text, part
    assert "LEF" not in results_text([result()])
