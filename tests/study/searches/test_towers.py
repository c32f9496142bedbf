# SPDX-License-Identifier: Apache-2.0
"""The search over towers: maps as small as the library's, and a table that never gets worse."""

import json
from dataclasses import replace

import pytest

from gcmforge.circuit import cost
from gcmforge.field import TowerField
from gcmforge.leaf import programs
from gcmforge.leaf.sbox_towers import TOWER_SBOXES
from gcmforge.leaf.tower import TowerSbox, tower_circuit
from gcmforge.study.searches import towers
from gcmforge.study.searches.towers import TABLE, THOROUGH, Minimiser, with_better

LIBRARY = dict(programs._kept_programs())


@pytest.fixture
def nothing_kept(monkeypatch):
    """The search begins as if the library had no programs, and leaves the library alone."""
    kept = {}
    monkeypatch.setattr(programs, "_kept_programs", lambda: kept)
    return kept


@pytest.mark.slow
@pytest.mark.parametrize("name", ["poly_phi3_nu10", "normal_phi2_nu4", "merged_phi3_nu8"])
def test_maps_from_nothing_are_as_small_as_the_librarys(name, nothing_kept):
    plan = replace(THOROUGH, seeds=(1, 2, 3, 4), rounds=4)
    Minimiser({}).use(TOWER_SBOXES[name], plan=plan)
    for matrix in TOWER_SBOXES[name].maps().values():
        key = matrix.columns, matrix.rows
        assert nothing_kept[key].rows() == list(matrix.rows)
        if key in LIBRARY:
            assert nothing_kept[key].xors <= LIBRARY[key].xors


def test_table_has_the_areas_of_the_librarys_sboxes():
    """The smallest of the eight conjugates is the one that the library has."""
    table = json.loads(TABLE.read_text(encoding="ascii"))
    for name, sbox in TOWER_SBOXES.items():
        if name in table and name != "mixed":
            areas = {root: ge for root, (ge, _) in table[name].items()}
            assert areas[str(sbox.root)] == min(areas.values())
            assert areas[str(sbox.root)] == cost(tower_circuit(sbox)).ge


@pytest.mark.slow
def test_what_the_library_has_stays_unless_fewer_xors_are_found(nothing_kept):
    sbox = TOWER_SBOXES["poly_phi3_nu10"]
    Minimiser(LIBRARY).use(sbox)
    for matrix in sbox.maps().values():
        key = matrix.columns, matrix.rows
        if key in LIBRARY:
            assert nothing_kept[key] == LIBRARY[key]


def test_a_row_that_was_better_stays_and_is_named():
    before = {"merged": {"a": [10.0, 5.0], "b": [9.0, 5.0]}, "fastest": {"c": [12.0, 4.0]}}
    after = {"merged": {"a": [11.0, 4.0], "b": [8.0, 6.0]}, "fastest": {"c": [10.0, 5.0]}}
    assert with_better(before, after) == {
        "merged": {"a": [10.0, 5.0], "b": [8.0, 6.0]},
        "fastest": {"c": [12.0, 4.0]},
        "earlier": ["merged/a", "fastest/c"],
    }


@pytest.mark.slow
def test_kept_maps_are_those_of_the_library_and_of_what_was_chosen(
    nothing_kept, tmp_path, monkeypatch
):
    monkeypatch.setattr(towers, "LIBRARY", tmp_path / "maps.txt")
    nothing_kept.update(LIBRARY)
    other = TowerSbox(field=TowerField(phi=2, nu=8), root=65)
    assert other not in TOWER_SBOXES.values()
    towers.keep([Minimiser(LIBRARY).use(other)], LIBRARY)
    lines = [line for line in (tmp_path / "maps.txt").read_text().split("\n") if line[:1] != "#"]
    assert len(lines) - 1 > len(LIBRARY)
    for matrix in other.maps().values():
        rows = ",".join(f"{row:x}" for row in matrix.rows)
        assert any(line.startswith(f"{matrix.columns} {rows} ") for line in lines)
