# SPDX-License-Identifier: Apache-2.0
"""Nets that never change and gates that nobody reads are found, and nothing else is."""

import pytest

from gcmforge.circuit import Circuit, Gate, Op, call, emit_systemverilog, idle, pipeline
from gcmforge.circuit.idle import RANDOM_PATTERNS, without_constants
from gcmforge.circuit.ir import Bus
from gcmforge.leaf import sbox
from gcmforge.leaf.catalog import SBOX_VARIANTS


def circuit(gates: list[Gate], output: int, width: int = 3) -> Circuit:
    return Circuit(
        name="c", inputs=(Bus("a", tuple(range(2, 2 + width))),), outputs=(Bus("y", (output,)),),
        gates=tuple(gates), section_of=(0,) * len(gates),
    )  # fmt: skip


def test_a_sum_with_itself_is_constant_and_a_spare_gate_is_not_read() -> None:
    """(a0 and a1) and (not a0) is 0; gate 4 has no reader."""
    found = idle(
        circuit(
            [
                Gate(Op.AND, (2, 3)), Gate(Op.NOT, (2,)), Gate(Op.AND, (5, 6)),
                Gate(Op.OR, (7, 4)), Gate(Op.XOR, (3, 4)),
            ],
            8,
        )
    )  # fmt: skip
    assert [value for _, value in found.constant] == [0]
    assert len(found.unread) == 1
    assert (found.complete, found.patterns) == (True, 8)
    assert "is always 0" in found.text() and "nobody reads" in found.text()


def test_flip_flops_that_hold_a_constant_are_counted() -> None:
    """A constant made in the first of three stages and read in the last is held twice."""
    gates = [Gate(Op.NOT, (2,)), Gate(Op.AND, (2, 5))]
    net = 3
    for _ in range(11):
        gates.append(Gate(Op.XOR, (net, 4)))
        net = 4 + len(gates)
    gates.append(Gate(Op.OR, (net, 6)))
    pipe = pipeline(circuit(gates, 4 + len(gates)), 3)
    found = idle(pipe)
    last, first = pipe.last_use[6], pipe.stage_of[6]
    assert [value for _, value in found.constant] == [0]
    assert found.flip_flops == last - first


def test_a_wide_circuit_is_judged_by_random_patterns() -> None:
    width = 40
    gates = [Gate(Op.XOR, (2, 2 + width - 1)), Gate(Op.XNOR, (2 + width, 2 + width))]
    found = idle(circuit(gates, 2 + width + 1, width))
    assert (found.complete, found.patterns) == (False, RANDOM_PATTERNS)
    assert [value for _, value in found.constant] == [1]


@pytest.mark.parametrize("variant", SBOX_VARIANTS)
def test_no_sbox_has_anything_for_nothing(variant: str) -> None:
    found = idle(sbox(variant).circuit)
    assert found.complete and not found


def test_without_constants_the_function_is_the_same() -> None:
    """a0 and not a0 is 0, so that a multiplexer which may choose it is a gate."""
    gates = [
        Gate(Op.NOT, (2,)), Gate(Op.AND, (2, 5)), Gate(Op.XOR, (3, 4)), Gate(Op.MUX, (7, 6, 3)),
    ]  # fmt: skip
    before = circuit(gates, 8)
    after = without_constants(before)
    assert len(after.gates) < len(before.gates)
    assert not idle(after)
    for x in range(8):
        assert call(after, a=x) == call(before, a=x)


def test_names_are_those_of_the_printed_text() -> None:
    """A constant that two gates read has a signal of its own."""
    gates = [
        Gate(Op.NOT, (2,)), Gate(Op.AND, (2, 5)), Gate(Op.OR, (6, 3)), Gate(Op.MUX, (7, 6, 4)),
    ]  # fmt: skip
    made = circuit(gates, 8)
    ((name, value),) = idle(made).constant
    assert value == 0
    assert f"wire {name} = " in emit_systemverilog(made)
