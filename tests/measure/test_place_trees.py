# SPDX-License-Identifier: Apache-2.0
"""Spanning trees of placed nets, and how late their pins are."""

from random import Random

import numpy as np
import pytest

from gcmforge.place.trees import Pins, Trees, spanning_trees

PF, KOHM = 0.0002, 0.003
"""Of a um of wire."""


def trees_of(nets: list[list[tuple[float, float, float]]]) -> Trees:
    """Of nets by pin: x, y, capacitance; the driver first."""
    flat = [pin for net in nets for pin in net]
    x, y, capacitance = np.array(flat, dtype=float).reshape(-1, 3).T
    first = np.cumsum([0, *(len(net) for net in nets)])
    return spanning_trees(Pins(first=first, x=x, y=y, capacitance=capacitance), PF, KOHM)


def plain_prim(net: list[tuple[float, float, float]]) -> float:
    """Length of the shortest spanning tree, one pin at a time."""
    inside, outside, length = [net[0]], list(net[1:]), 0.0
    while outside:
        way, pin = min(
            (min(abs(p[0] - q[0]) + abs(p[1] - q[1]) for q in inside), p) for p in outside
        )
        length += way
        inside.append(pin)
        outside.remove(pin)
    return length


def test_trees_are_as_short_as_those_of_a_plain_prim():
    random = Random(7)
    nets = [
        [(random.randrange(50), random.randrange(50), 0.01) for _ in range(random.randint(1, 40))]
        for _ in range(200)
    ]
    assert trees_of(nets).length == pytest.approx([plain_prim(net) for net in nets])


def test_small_trees_have_the_length_that_one_can_see():
    square = [(0, 0, 0), (0, 10, 0), (10, 10, 0), (10, 0, 0)]
    cross = [(0, 0, 0), (5, 0, 0), (-5, 0, 0), (0, 5, 0), (0, -5, 0)]
    same = [(3, 3, 0), (3, 3, 0)]
    alone = [(1, 1, 0)]
    assert trees_of([square, cross, same, alone]).length.tolist() == [30, 20, 0, 0]


def test_a_tree_reaches_every_pin_from_the_driver():
    random = Random(8)
    net = [(random.random(), random.random(), 0.0) for _ in range(60)]
    found = trees_of([net])
    for pin in range(60):
        for _ in range(60):
            pin = int(found.before[pin])
        assert pin == 0
    assert found.wire.sum() == pytest.approx(found.length[0])


def test_pins_of_a_chain_are_as_late_as_elmore_says():
    (a, b), (c, d) = (100.0, 0.02), (250.0, 0.03)
    delay = trees_of([[(0, 0, 9.0), (a, 0, b), (a, c, d)]]).delay
    last = KOHM * c * (PF * c / 2 + d)
    middle = KOHM * a * (PF * a / 2 + b + PF * c + d)
    assert delay.tolist() == pytest.approx([0, middle, middle + last])


def test_pins_of_a_star_do_not_wait_for_each_other():
    ways = [(10.0, 0.0, 0.01), (0.0, 20.0, 0.02), (-30.0, 0.0, 0.03)]
    delay = trees_of([[(0, 0, 0.5), *ways]]).delay
    for found, (x, y, capacitance) in zip(delay[1:], ways, strict=True):
        way = abs(x) + abs(y)
        assert found == pytest.approx(KOHM * way * (PF * way / 2 + capacitance))


def test_nets_together_are_what_they_are_alone():
    random = Random(9)
    nets = [[(random.random(), random.random(), 0.1) for _ in range(n)] for n in (5, 2, 5, 9, 1)]
    alone = np.concatenate([trees_of([net]).delay for net in nets])
    assert trees_of(nets).delay == pytest.approx(alone)
