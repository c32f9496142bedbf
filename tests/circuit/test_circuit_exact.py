# SPDX-License-Identifier: Apache-2.0
"""Exact search: what is found computes the functions, and what is called impossible is."""

import pytest

from gcmforge.circuit import GateBudget, Op, call, cost, exact

pytestmark = pytest.mark.pysat

SUM = sum((t.bit_count() & 1) << t for t in range(8))
CARRY = sum((t.bit_count() > 1) << t for t in range(8))
SELECT = sum((t >> 1 if t & 1 else t >> 2) % 2 << t for t in range(8))


def tables(c):
    values = [call(c, x_i=t)["y_o"] for t in range(1 << c.input_width)]
    return [sum((y >> i & 1) << t for t, y in enumerate(values)) for i in range(c.output_width)]


@pytest.mark.slow
@pytest.mark.parametrize("flip", [0, 0xFF])
def test_a_full_adder_has_five_gates_and_no_fewer(flip):
    wanted = [SUM ^ flip, CARRY]
    found = exact(wanted, 3, GateBudget(gates=5))
    assert found.answer == "found"
    assert tables(found.circuit) == wanted
    counted = cost(found.circuit)
    assert counted.gates - counted.not_ == 5
    assert exact(wanted, 3, GateBudget(gates=4)).answer == "impossible"


@pytest.mark.slow
def test_budgets_of_multiplexers_and_xors_are_kept():
    one = exact([SELECT], 3, GateBudget(gates=1, muxes=1))
    assert tables(one.circuit) == [SELECT]
    assert [gate.op for gate in one.circuit.gates] == [Op.MUX]
    assert exact([SELECT], 3, GateBudget(gates=2)).answer == "impossible"
    plain = exact([SUM], 3, GateBudget(gates=6, xors=0), time_limit_s=120)
    assert tables(plain.circuit) == [SUM]
    assert cost(plain.circuit).xor == cost(plain.circuit).xnor == 0
    assert exact([SUM], 3, GateBudget(gates=5, xors=0)).answer == "impossible"


def test_no_time_no_answer():
    assert exact([SUM, CARRY], 3, GateBudget(gates=5), time_limit_s=0.0).answer == "unknown"


@pytest.mark.parametrize("wrong", [[0], [0b1010_1010], [SUM, 0xFF]])
def test_constants_and_inputs_are_refused(wrong):
    with pytest.raises(ValueError, match="leave it out"):
        exact(wrong, 3, GateBudget(gates=2))
