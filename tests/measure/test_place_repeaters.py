# SPDX-License-Identifier: Apache-2.0
"""Buffers along wires: as many as a long wire is fastest with, where it is fastest, and none that
costs more than it gains."""

from dataclasses import replace
from itertools import pairwise, product

import pytest
from small_cells import netlist
from test_place_clock import library
from test_place_wires import by_chance

from gcmforge.netlist.netlist import Module
from gcmforge.place.cells import Placement
from gcmforge.place.repeaters import PREFIX, best_distance, repeaters, with_repeaters
from gcmforge.place.wires import Metal, wires_of
from gcmforge.sta.bound import bind
from gcmforge.sta.graph import TimingGraph

METAL = Metal(ff_per_um=0.2, ohm_per_um=2.0)
SIDE = 10_000.0


def at(module: Module, spots: dict[str, tuple[float, float]], first: str, last: str) -> Placement:
    """Ports beside the first and the last cell, so that they have no wire."""
    ports = {(name, 0): spots[first if port.direction == "input" else last]
             for name, port in module.ports.items()}  # fmt: skip
    return Placement(width=SIDE, height=SIDE, utilisation=0.5, cells=spots, ports=ports)


def delay(module: Module, placement: Placement) -> float:
    bound = bind(module, library())
    wires = wires_of(bound, placement, METAL)
    return TimingGraph(bound, wires=wires.wires).critical_path_ns()


def made(module: Module, placement: Placement, period: float) -> tuple[Module, Placement] | None:
    bound = bind(module, library())
    wires = wires_of(bound, placement, METAL)
    graph = TimingGraph(bound, wires=wires.wires)
    return with_repeaters(bound, wires, placement, graph, period=period)


def along(found: tuple[Module, Placement]) -> list[tuple[float, float]]:
    return sorted(spot for name, spot in found[1].cells.items() if name.startswith(PREFIX))


def wire(length: float) -> tuple[Module, Placement]:
    module = netlist(
        {"a": 1}, {"y": 3}, {"g": ("INV", {"A": 1, "Y": 2}), "h": ("INV", {"A": 2, "Y": 3})}
    ).flatten()
    return module, at(module, {"g": (0.0, 0.0), "h": (length, 0.0)}, "g", "h")


def evenly(module: Module, placement: Placement, count: int) -> float:
    """The delay of the same wire with so many buffers at equal distances, by the timing."""
    length = placement.cells["h"][0]
    chain = {"g": ("INV", {"A": 1, "Y": 2}), "h": ("INV", {"A": 2 + count, "Y": 99})}
    spots = dict(placement.cells)
    for n in range(count):
        chain[f"b{n}"] = ("BUF", {"A": 2 + n, "Y": 3 + n})
        spots[f"b{n}"] = (length * (n + 1) / (count + 1), 0.0)
    whole = netlist({"a": 1}, {"y": 99}, chain).flatten()
    return delay(whole, at(whole, spots, "g", "h"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("length", "part"), [(1_000.0, 0.95), (2_000.0, 0.75), (4_000.0, 0.55), (9_000.0, 0.35)]
)
def test_a_long_wire_is_nearly_as_fast_as_with_the_best_number_at_equal_distances(length, part):
    module, placement = wire(length)
    found = made(module, placement, 0.1)
    assert found is not None
    spots = along(found)
    best = min(evenly(module, placement, count) for count in range(40))
    assert delay(*found) < min(1.05 * best, part * delay(module, placement))
    gaps = [b - a for (a, _), (b, _) in pairwise(spots)]
    (kind,) = repeaters(library(), ())
    assert all(0.6 < gap / best_distance(kind, METAL) < 1.7 for gap in gaps)
    assert all(y == 0 for _, y in spots)


def test_a_short_wire_and_one_with_time_are_left_alone():
    assert made(*wire(50.0), 0.01) is None
    module, placement = wire(4_000.0)
    assert made(module, placement, 1.01 * delay(module, placement)) is None


def test_what_is_near_is_not_held_up_by_what_is_far():
    """A near reader on a slow path, and a far one that has time: the far one's wire is behind a
    buffer beside the driver."""
    cells = {
        "g": ("INV", {"A": 1, "Y": 2}), "far": ("INV", {"A": 2, "Y": 3}),
        **{f"n{k}": ("INV", {"A": 2 if k == 0 else 9 + k, "Y": 10 + k}) for k in range(30)},
    }  # fmt: skip
    module = netlist({"a": 1}, {"y": 3, "z": 39}, cells).flatten()
    spots = dict.fromkeys(cells, (0.0, 0.0)) | {"far": (800.0, 0.0)}
    placement = at(module, spots, "g", "g")
    placement = replace(placement, ports={**placement.ports, ("y", 0): (800.0, 0.0)})
    before = delay(module, placement)
    found = made(module, placement, 0.9 * before)
    assert found is not None
    (x, _), *_ = along(found)
    assert x < 300
    assert delay(*found) < before


def test_all_pins_still_read_what_they_did():
    """A net of pins all over the place: each is reached from the driver, through buffers alone."""
    cells = {"g": ("INV", {"A": 1, "Y": 2})}
    cells |= {f"h{n}": ("INV", {"A": 2, "Y": 3 + n}) for n in range(40)}
    module = netlist({"a": 1}, {f"y{n}": 3 + n for n in range(40)} | {"z": 2}, cells).flatten()
    placement = by_chance(bind(module, library()), 3_000.0)
    found = made(module, placement, 0.2)
    assert found is not None
    after, where = found
    driver = {
        cell.connections["Y"][0]: name
        for name, cell in after.cells.items() if name.startswith(PREFIX)
    }  # fmt: skip
    for name in [f"h{n}" for n in range(40)]:
        net = after.cells[name].connections["A"][0]
        while net in driver:
            net = after.cells[driver[net]].connections["A"][0]
        assert net == module.cells["g"].connections["Y"][0]
    net = after.ports["z"].bits[0]
    while net in driver:
        net = after.cells[driver[net]].connections["A"][0]
    assert net == module.ports["z"].bits[0]
    assert where.cells.keys() == after.cells.keys()
    assert delay(*found) < 0.7 * delay(module, placement)
    assert {n: c for n, c in after.cells.items() if n not in module.cells}.keys() == set(
        driver.values()
    )


@pytest.mark.slow
def test_the_best_places_of_a_small_tree_are_found():
    """Against every choice of places along two branches, timed one by one."""
    cells = {
        "g": ("INV", {"A": 1, "Y": 2}), "h": ("INV", {"A": 2, "Y": 3}),
        "i": ("INV", {"A": 2, "Y": 4}),
    }  # fmt: skip
    module = netlist({"a": 1}, {"y": 3, "z": 4}, cells).flatten()
    spots = {"g": (0.0, 0.0), "h": (1_500.0, 0.0), "i": (0.0, 1_500.0)}
    placement = at(module, spots, "g", "g")
    ports = {**placement.ports, ("y", 0): spots["h"], ("z", 0): spots["i"]}
    placement = replace(placement, ports=ports)
    found = made(module, placement, 0.1)
    assert found is not None
    points = [n / 6 for n in range(6)]
    choices = [(), *((one,) for one in points), *((a, b) for a in points for b in points if a < b)]
    best = float("inf")
    for along_x, along_y in product(choices, choices):
        chain = {"g": cells["g"]}
        where = dict(spots)
        for branch, end, places in (("x", "h", along_x), ("y", "i", along_y)):
            net = 2
            for n, place in enumerate(places):
                name, out = f"{branch}{n}", 100 + 10 * (branch == "y") + n
                chain[name] = ("BUF", {"A": net, "Y": out})
                where[name] = (1_500 * place, 0.0) if branch == "x" else (0.0, 1_500 * place)
                net = out
            chain[end] = ("INV", {"A": net, "Y": cells[end][1]["Y"]})
        whole = netlist({"a": 1}, {"y": 3, "z": 4}, chain).flatten()
        best = min(best, delay(whole, replace(placement, cells=where)))
    assert delay(*found) < 1.05 * best


def test_a_branch_with_time_gets_no_buffer_that_gains_nearly_nothing():
    """Three readers with time beside the driver, and one far away that is late: all buffers are on
    the way to that one."""
    cells = {"g": ("INV", {"A": 1, "Y": 2}), "far": ("INV", {"A": 2, "Y": 3})}
    cells |= {f"n{k}": ("INV", {"A": 2, "Y": 10 + k}) for k in range(3)}
    module = netlist({"a": 1}, {"y": 3, **{f"z{k}": 10 + k for k in range(3)}}, cells).flatten()
    spots = {"g": (5_000.0, 5_000.0), "far": (9_000.0, 5_000.0), "n0": (4_998.0, 5_000.0),
             "n1": (5_000.0, 5_002.0), "n2": (5_000.0, 4_998.0)}  # fmt: skip
    placement = at(module, spots, "g", "far")
    ports = placement.ports | {(f"z{k}", 0): spots[f"n{k}"] for k in range(3)}
    placement = replace(placement, ports=ports)
    found = made(module, placement, 0.6 * delay(module, placement))
    assert found is not None
    assert all(x > 5_010 for x, _ in along(found)) and len(along(found)) > 2


def test_a_wire_that_nothing_waits_for_gets_no_more_buffers_than_another():
    """The far reader's output is read by nothing: no path ends there."""
    cells = {"g": ("INV", {"A": 1, "Y": 2}), "near": ("INV", {"A": 2, "Y": 3})}
    counts = []
    for out in (3, 4):
        whole = cells | {"far": ("INV", {"A": 2, "Y": 5})}
        ports = {"y": 3} if out == 3 else {"y": 3, "z": 5}
        module = netlist({"a": 1}, ports, whole).flatten()
        spots = {"g": (0.0, 0.0), "near": (0.0, 100.0), "far": (9_000.0, 0.0)}
        placement = at(module, spots, "g", "near")
        if out == 4:
            placement = replace(placement, ports=placement.ports | {("z", 0): spots["far"]})
        found = made(module, placement, 0.2)
        counts.append(len(along(found)) if found else 0)
    assert 0 < counts[0] <= 2 * counts[1]
