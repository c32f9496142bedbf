# SPDX-License-Identifier: Apache-2.0
"""Placed designs mended against their wires."""

from collections import defaultdict
from dataclasses import replace
from itertools import pairwise

import mapped_leaves as mapped
import pytest
from evaluated import columns, evaluate
from small_cells import netlist, small_library
from test_place_clock import library as with_buffer

from gcmforge.netlist.netlist import Cell, Netlist
from gcmforge.netlist.targets import find_target, library_of
from gcmforge.place.cells import Placement
from gcmforge.place.clock_tree import PREFIX
from gcmforge.place.placed import PlacedDesign, place_design
from gcmforge.place.repair import mended, with_new_cells, without_chains, without_idle
from gcmforge.place.repeaters import PREFIX as REPEATER
from gcmforge.synth.repair import repaired

SMALL = netlist(
    {"a": 1}, {"y": 5},
    {
        "g": ("INV", {"A": 1, "Y": 2}), "new": ("INV", {"A": 2, "Y": 3}),
        "newer": ("INV", {"A": 3, "Y": 4}), "h": ("INV", {"A": 4, "Y": 5}),
    },
)  # fmt: skip


def test_a_new_cell_stands_beside_what_drives_it():
    old = Placement(
        width=100, height=100, utilisation=0.5, cells={"g": (10.0, 10.0), "h": (50.0, 30.0)},
        ports={("a", 0): (0.0, 0.0), ("y", 0): (100.0, 100.0)},
    )  # fmt: skip
    cells = with_new_cells(SMALL.flatten(), small_library(), old).cells
    assert cells["g"] == (10, 10) and cells["h"] == (50, 30)
    assert cells["new"] == (10, 10)  # g drives it
    assert cells["newer"] == (10, 10)  # new drives it
    first = with_new_cells(SMALL.flatten(), small_library(), replace(old, cells={"h": (50, 30)}))
    assert first.cells["g"] == first.cells["newer"] == (0, 0)  # beside the port


def test_buffers_that_drive_a_buffer_alone_are_taken_out():
    """And no others: one that drives a gate, a port, or two, and one of a clock's tree."""
    library = with_buffer()
    buffers = {
        "a": (1, 2), "b": (2, 3), "c": (3, 4),  # in a row
        "d": (1, 5), "e": (5, 6), "f": (5, 7), f"{PREFIX}1": (1, 8), "g": (8, 9),
    }  # fmt: skip
    cells = {name: ("BUF", {"A": i, "Y": o}) for name, (i, o) in buffers.items()}
    cells["h"] = ("INV", {"A": 4, "Y": 10})
    module = netlist(
        {"in": 1}, {"e": 6, "f": 7, "g": 9, "h": 10}, cells
    ).flatten()  # fmt: skip
    left = without_chains(module, library)
    assert set(left.cells) == set(module.cells) - {"a", "b"}
    assert left.cells["c"].connections["A"] == module.cells["a"].connections["A"]
    assert {n: c for n, c in left.cells.items() if n != "c"} == {
        n: c for n, c in module.cells.items() if n not in "abc"
    }
    assert without_chains(left, library) is left


def test_buffers_that_drive_nothing_are_taken_out():
    """One along a wire, too, and one that drives only such; not one of a clock's tree, one before a
    port, or one that drives something else as well."""
    library = with_buffer()
    buffers = {
        f"{REPEATER}1": (1, 2), "a": (1, 3), f"{REPEATER}2": (3, 4), "b": (3, 5),
        f"{PREFIX}1": (1, 6), f"{REPEATER}3": (1, 7), "c": (7, 8), "d": (1, 9), "e": (9, 10),
    }  # fmt: skip
    cells = {name: ("BUF", {"A": i, "Y": o}) for name, (i, o) in buffers.items()}
    cells["g"] = ("INV", {"A": 9, "Y": 11})
    module = netlist({"in": 1}, {"c": 8, "g": 11}, cells).flatten()
    left = without_idle(module, library)
    stay = {f"{PREFIX}1", f"{REPEATER}3", "c", "d", "g"}
    assert left.cells == {name: module.cells[name] for name in module.cells if name in stay}
    assert without_idle(left, library) is left


def test_nothing_moves_where_nothing_is_new():
    old = Placement(
        width=1, height=1, utilisation=0.5, cells=dict.fromkeys(SMALL.flatten().cells, (0.5, 0.5)),
        ports={},
    )  # fmt: skip
    assert with_new_cells(SMALL.flatten(), small_library(), old) is old


@pytest.fixture(scope="module")
def placed() -> PlacedDesign:
    target = find_target("osu018")
    sbox = mapped.mapped_sbox("boyar_peralta", next(iter(mapped.SCRIPTS)))
    return place_design(sbox, target, library_of(target), utilisation=0.5)


@pytest.mark.slow
@pytest.mark.osu018
@pytest.mark.coloquinte
def test_a_mended_design_is_faster_and_stands_on_rows_again(placed):
    after = mended(placed)
    assert after.timing.critical_path_ns < placed.timing.critical_path_ns
    assert after.placement.utilisation == pytest.approx(0.5, rel=0.03)
    module, widths, rows = after.bound.module, after.geometry.widths, after.geometry.rows
    taken = defaultdict(list)
    for name, (x, y) in after.placement.cells.items():
        sites = rows.sites(widths[module.cells[name].type])
        first = x / rows.site_um - sites / 2
        assert first == pytest.approx(round(first))
        taken[round(y / rows.height_um - 0.5)].append((round(first), round(first) + sites))
    for row in taken.values():
        row.sort()
        assert all(end <= begin for (_, end), (begin, _) in pairwise(row))
    assert after.placement.cells.keys() == module.cells.keys()
    assert without_idle(module, after.bound.library) is module


@pytest.mark.slow
@pytest.mark.osu018
@pytest.mark.coloquinte
def test_a_buffer_that_a_repair_leaves_idle_is_not_placed(placed, monkeypatch):
    left = []

    def leaves(netlist, library, **how):
        found = repaired(netlist, library, **how)
        module = found.modules[found.top]
        into, out = module.ports["x_i"].bits[0], module.free_net()
        name = f"idle{len(left)}"
        left.append(name)
        cell = Cell(type="BUFX2", connections={"A": (into,), "Y": (out,)})
        more = replace(module, cells={**module.cells, name: cell})
        return replace(found, modules={found.top: more})

    monkeypatch.setattr("gcmforge.place.repair.repaired", leaves)
    after = mended(placed)
    assert left
    assert not after.bound.module.cells.keys() & set(left)


@pytest.mark.slow
@pytest.mark.osu018
@pytest.mark.coloquinte
def test_a_mended_sbox_computes_what_it_did(placed):
    after = mended(placed)
    library, inputs = placed.bound.library, {"x_i": columns(list(range(256)), 8)}
    made = [evaluate(one.bound.module, library, inputs, 256) for one in (placed, after)]
    assert made[0] == made[1]


@pytest.mark.osu018
@pytest.mark.coloquinte
def test_a_clock_that_is_met_is_left_alone(placed):
    assert mended(placed, clock_ns=1.01 * placed.timing.critical_path_ns) is placed


@pytest.mark.slow
@pytest.mark.osu018
def test_a_second_repair_does_not_take_the_names_of_the_first():
    target = find_target("osu018")
    library = library_of(target)
    flat = mapped.mapped_multiplier().flatten()
    count = 0
    for _ in range(3):
        before = len(flat.cells)
        flat = repaired(
            Netlist(modules={flat.name: flat}, top=flat.name), library,
            driving_cell=target.driving_cell, load_ff=10 * target.load_ff, passes=1,
        ).flatten()  # fmt: skip
        count += len(flat.cells) - before
    drivers = [
        bit
        for cell in flat.cells.values()
        for pin in library.cell(cell.type).outputs
        for bit in cell.connections[pin.name]
    ]
    assert count > 0 and len(drivers) == len(set(drivers))
    cells, ports = flat.cells.values(), flat.ports.values()
    read = {bit for cell in cells for bits in cell.connections.values() for bit in bits}
    inputs = {bit for port in ports for bit in port.bits if port.direction == "input"}
    assert {bit for bit in read if isinstance(bit, int)} <= {*drivers, *inputs}
