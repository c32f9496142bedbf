# SPDX-License-Identifier: Apache-2.0
"""Paar's greedy under a depth bound, and common subexpressions."""

import random
import time

import pytest

from gcmforge.circuit import Builder, Bus, call, cost, cse, least_depth, linear_map, paar
from gcmforge.circuit.ir import Circuit, Gate, Op


def random_rows(seed, rows, columns, ones):
    rng = random.Random(seed)
    return [sum(1 << j for j in rng.sample(range(columns), ones)) for _ in range(rows)]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("extra", [0, 1, 4])
def test_program_computes_the_matrix_within_the_depth(seed, extra):
    rng = random.Random(seed)
    rows = [rng.randrange(1 << 20) for _ in range(24)]
    arrivals = [rng.randrange(3) for _ in range(20)]
    bound = least_depth(rows, arrivals) + extra
    program = paar(rows, bound, width=20, arrivals=arrivals)
    assert program.rows() == rows
    depth = list(arrivals)
    for p, q in program.steps:
        depth.append(max(depth[p], depth[q]) + 1)
    used = [depth[t] for t in program.outputs if t is not None]
    assert max(used) == program.depth <= bound


def test_a_looser_depth_bound_does_not_cost_gates_on_average():
    totals = {}
    for extra in (0, 1, 3):
        programs = (
            paar(rows, least_depth(rows) + extra)
            for rows in (random_rows(seed, 32, 32, 12) for seed in range(12))
        )
        totals[extra] = sum(p.xors for p in programs)
    assert totals[0] > totals[1] >= totals[3]


def test_known_example_of_paar_shares_the_common_pair():
    # y0 = a+b+c, y1 = a+b+d, y2 = a+b: 3 XORs instead of 5
    assert paar([0b0111, 0b1011, 0b0011]).xors == 3


def test_sparse_128_by_128_takes_seconds():
    start = time.perf_counter()
    program = paar(random_rows(1, 128, 128, 16), 6)
    assert program.xors < 128 * 15 * 0.75
    assert time.perf_counter() - start < 5


def test_empty_rows_are_constant_zero_and_unit_rows_are_wires():
    b = Builder("tiny")
    x = b.input("x_i", 3)
    y = linear_map(b, x, [0, 0b100, 0b011])
    assert y[:2] == (b.const(0), x[2])
    b.output("y_o", y)
    c = b.build()
    assert [call(c, x_i=v)["y_o"] for v in range(8)] == [0, 4, 4, 0, 2, 6, 6, 2]


def test_an_impossible_depth_is_refused_with_the_least_one():
    with pytest.raises(ValueError, match="needs depth 4"):
        paar([(1 << 9) - 1], 3)


def test_cse_merges_equal_gates_and_absorbs_inverters():
    # built by hand, because the Builder would not make these
    gates = (
        Gate(Op.AND, (2, 3)),
        Gate(Op.AND, (3, 2)),
        Gate(Op.XOR, (4, 5)),
        Gate(Op.NOT, (6,)),
        Gate(Op.OR, (2, 3)),
        Gate(Op.NOT, (8,)),
        Gate(Op.NAND, (7, 9)),
    )
    plain = Circuit(
        name="plain",
        inputs=(Bus("x_i", (2, 3)),),
        outputs=(Bus("y_o", (7, 9, 10)),),
        gates=gates,
        section_of=(0,) * len(gates),
    )
    small = cse(plain)
    assert all(call(plain, x_i=v) == call(small, x_i=v) for v in range(4))
    assert cost(small).gates == 2  # the equal ANDs cancel; OR and NOR remain
