# SPDX-License-Identifier: Apache-2.0
"""Cells in rows, placed by Coloquinte."""

import sys
from collections import Counter, defaultdict
from itertools import pairwise

import pytest
from small_cells import netlist, random_netlist

from gcmforge.netlist.netlist import NetlistError
from gcmforge.place import coloquinte
from gcmforge.place.cells import Placement, Rows, place_cells
from gcmforge.tools import ToolError

ROWS = Rows(height_um=3.78, site_um=0.48)
SITES = {"INV": 3, "NAND2": 4, "XOR2": 8}
WIDTHS = {name: sites * ROWS.site_um for name, sites in SITES.items()}
MODULE = random_netlist(3, inputs=9, gates=300).flatten()


def placed(utilisation: float = 0.7) -> Placement:
    return place_cells(MODULE, WIDTHS, ROWS, utilisation=utilisation)


@pytest.mark.coloquinte
@pytest.mark.parametrize("utilisation", [0.3, 0.7, 0.9])
def test_cells_stand_on_sites_of_rows_inside_and_do_not_overlap(utilisation):
    found = placed(utilisation)
    rows = defaultdict(list)
    for name, (x, y) in found.cells.items():
        sites = SITES[MODULE.cells[name].type]
        row, first = y / ROWS.height_um - 0.5, x / ROWS.site_um - sites / 2
        assert row == pytest.approx(round(row)) and first == pytest.approx(round(first))
        rows[round(row)].append((round(first), round(first) + sites))
    assert min(rows) >= 0 and max(rows) < round(found.height / ROWS.height_um)
    for taken in rows.values():
        taken.sort()
        assert taken[0][0] >= 0 and taken[-1][1] <= round(found.width / ROWS.site_um)
        for (_, end), (begin, _) in pairwise(taken):
            assert end <= begin


@pytest.mark.coloquinte
@pytest.mark.parametrize("utilisation", [0.3, 0.7, 0.9])
def test_cells_take_the_stated_part_of_a_square(utilisation):
    found = placed(utilisation)
    area = sum(WIDTHS[cell.type] for cell in MODULE.cells.values()) * ROWS.height_um
    assert found.utilisation == pytest.approx(area / (found.width * found.height))
    assert found.utilisation == pytest.approx(utilisation, rel=0.02)
    assert abs(found.width - found.height) <= ROWS.height_um


def test_a_row_is_a_whole_number_of_units_tall_at_any_height():
    """sky130's are 5.91 sites tall."""
    rows = Rows(height_um=2.72, site_um=0.46)
    tall = rows.up(2.72)
    assert [rows.up(2.72 * row) for row in range(1000)] == [tall * row for row in range(1000)]


@pytest.mark.coloquinte
def test_ports_lie_on_the_edge_each_at_its_place():
    found = placed()
    bits = sum(len(port.bits) for port in MODULE.ports.values())
    assert len(set(found.ports.values())) == len(found.ports) == bits
    for x, y in found.ports.values():
        assert min(x, y, found.width - x, found.height - y) == pytest.approx(0)


@pytest.mark.coloquinte
def test_a_placement_is_the_same_each_time():
    assert placed() == placed()


@pytest.mark.coloquinte
def test_what_takes_the_placer_long_is_kept_and_an_interrupted_one_goes_on(tmp_path, monkeypatch):
    """The first placing is kept before cells are put on rows, and each step has its own key."""
    import coloquinte_pybind

    def interrupted(*_):
        raise KeyboardInterrupt

    found = placed()
    again = place_cells(MODULE, WIDTHS, ROWS, utilisation=0.7, start=found, effort=1)
    monkeypatch.setenv("GCMFORGE_CACHE", str(tmp_path))
    monkeypatch.setattr(coloquinte, "LONG_S", 0.0)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(coloquinte_pybind.Circuit, "place_detailed", interrupted)
        placed()
    monkeypatch.setattr(coloquinte_pybind.Circuit, "place_global", interrupted)
    assert placed() == found
    assert place_cells(MODULE, WIDTHS, ROWS, utilisation=0.7, start=found, effort=1) == again
    assert len(list((tmp_path / "placed").iterdir())) == 3
    monkeypatch.setattr(coloquinte_pybind.Circuit, "place_detailed", interrupted)
    assert placed() == found
    bits = {bit for cell in MODULE.cells.values() for (bit,) in cell.connections.values()}
    for changed in (
        {"utilisation": 0.71}, {"utilisation": 0.7, "effort": 3},
        {"utilisation": 0.7, "unplaced": bits},
        {"utilisation": 0.7, "start": found}, {"utilisation": 0.7, "start": again, "effort": 1},
    ):  # fmt: skip
        with pytest.raises(KeyboardInterrupt):
            place_cells(MODULE, WIDTHS, ROWS, **changed)
    for file in (tmp_path / "placed").iterdir():
        file.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(KeyboardInterrupt):
        placed()


@pytest.mark.coloquinte
def test_a_short_placing_leaves_nothing_in_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GCMFORGE_CACHE", str(tmp_path))
    placed()
    assert not list(tmp_path.iterdir())


@pytest.mark.coloquinte
def test_wires_are_shorter_than_without_a_placer():
    """Half the perimeter of all nets, against cells in the order of the netlist."""
    found = placed()
    names = list(found.cells)
    spots = sorted(found.cells.values(), key=lambda spot: (spot[1], spot[0]))

    def length(cells):
        nets = defaultdict(list)
        for name, cell in MODULE.cells.items():
            for (bit,) in cell.connections.values():
                nets[bit].append(cells[name])
        sides = (max(side) - min(side) for net in nets.values() for side in zip(*net, strict=True))
        return sum(sides)

    assert length(found.cells) < 0.8 * length(dict(zip(names, spots, strict=True)))


@pytest.mark.slow
@pytest.mark.coloquinte
def test_room_is_left_among_cells():
    """Of 64 parts of the square: few are nearly full, where a cell that is put in would push others
    away, and few nearly empty."""
    module = random_netlist(3, inputs=40, gates=6_000).flatten()
    found = place_cells(module, WIDTHS, ROWS, utilisation=0.7)
    taken = Counter[tuple[int, int]]()
    for name, (x, y) in found.cells.items():
        at = int(8 * x / found.width), int(8 * y / found.height)
        taken[at] += WIDTHS[module.cells[name].type] * ROWS.height_um
    parts = [64 * area / (found.width * found.height) for area in taken.values()]
    assert sum(part > 0.95 for part in parts) <= 3
    assert sum(part > 0.5 for part in parts) >= 48


@pytest.mark.coloquinte
def test_the_placer_writes_nothing_to_the_standard_output(capfd):
    print("before", flush=True)
    placed()
    print("after", flush=True)
    assert capfd.readouterr().out == "before\nafter\n"


@pytest.mark.coloquinte
def test_the_standard_output_is_there_again_after_an_error(capfd, monkeypatch):
    import coloquinte_pybind

    def fails(circuit, parameters, seen):
        raise RuntimeError("no place")

    monkeypatch.setattr(coloquinte_pybind.Circuit, "place_global", fails)
    with pytest.raises(RuntimeError, match="no place") as error:
        placed()
    assert not isinstance(error.value, ToolError)  # not one that another utilisation mends
    print("after", flush=True)
    assert capfd.readouterr().out == "after\n"


@pytest.mark.coloquinte
def test_a_cell_without_a_width_is_named():
    with pytest.raises(NetlistError, match=r"cell g\d+ is a XOR2, which has no width"):
        place_cells(MODULE, {"INV": 1.0, "NAND2": 1.0}, ROWS, utilisation=0.7)


@pytest.mark.coloquinte
def test_nothing_to_place_is_an_error():
    empty = netlist({"a": 0}, {"y": 0}, {}).flatten()
    with pytest.raises(NetlistError, match="no cell"):
        place_cells(empty, WIDTHS, ROWS, utilisation=0.7)


@pytest.mark.parametrize("utilisation", [0.0, 0.05, 0.96, 7, float("nan")])
def test_rows_too_full_or_too_empty_are_refused(utilisation):
    with pytest.raises(ValueError, match=r"utilisation=.*from 0\.1 to 0\.95"):
        placed(utilisation)


def test_without_coloquinte_one_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "coloquinte_pybind", None)
    with pytest.raises(ToolError, match=r"pip install 'gcmforge\[place\]'"):
        placed()


@pytest.mark.coloquinte
def test_cells_that_do_not_fit_into_so_few_rows_are_an_error_that_says_what_to_do():
    few = random_netlist(0, inputs=2, gates=5).flatten()
    wide = {"INV": ROWS.site_um, "NAND2": 15 * ROWS.site_um, "XOR2": 17 * ROWS.site_um}
    with pytest.raises(ToolError, match=r"5 cells .* 3 rows .* use a lower utilisation"):
        place_cells(few, wide, ROWS, utilisation=0.9)
