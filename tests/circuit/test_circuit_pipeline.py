# SPDX-License-Identifier: Apache-2.0
"""Pipelining: the delay bound holds, and the registers are the fewest (against brute force)."""

import itertools
import random

import pytest
from circuit_samples import lint, tangle

from gcmforge.circuit import (
    Builder,
    Op,
    cost,
    emit_systemverilog,
    pipeline,
    pipeline_ge,
    stage_delays,
)
from gcmforge.circuit.cost import DELAY
from gcmforge.circuit.flow import FlowGraph


def random_circuit(seed, inputs=3, gates=7):
    rng = random.Random(seed)
    b = Builder("rand")
    nets = list(b.input("x_i", inputs))
    while len(nets) < inputs + gates:
        op = rng.choice([Op.XOR, Op.AND, Op.OR, Op.MUX])
        net = b.gate(op, rng.choices(nets, k=3 if op is Op.MUX else 2))
        if net >= 2 and net not in nets:
            nets.append(net)
    b.output("y_o", [*rng.sample(nets[inputs:], 2), nets[-1]])
    return b.build()


def best_by_brute_force(c, stages, tail):
    """(least bound, fewest registers under it) over every assignment of gates to stages."""
    best = None
    for choice in itertools.product(range(stages), repeat=len(c.gates)):
        stage = [0] * c.first_gate + list(choice)
        if any(
            stage[arg] > stage[net]
            for net, gate in enumerate(c.gates, c.first_gate)
            for arg in gate.args
        ):
            continue
        times, last, slowest = [0] * c.net_count, list(stage), tail
        for net, gate in enumerate(c.gates, c.first_gate):
            here = [times[a] for a in gate.args if stage[a] == stage[net]]
            times[net] = DELAY[gate.op] + max(here, default=0)
            slowest = max(slowest, times[net])
            for arg in gate.args:
                last[arg] = max(last[arg], stage[net])
        for net in c.output_nets:
            last[net] = stages - 1
            slowest = max(slowest, tail + (times[net] if stage[net] == stages - 1 else 0))
        registers = sum(b - a for n, (a, b) in enumerate(zip(stage, last, strict=True)) if n > 1)
        if best is None or (slowest, registers) < best:
            best = (slowest, registers)
    return best


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("tail", [0.0, 1.99])
def test_two_stages_have_the_least_bound_and_the_fewest_registers(seed, tail):
    c = random_circuit(seed)
    pipe = pipeline(c, 2, tail)
    bound, registers = best_by_brute_force(c, 2, round(tail * 100))
    assert round(pipe.period * 100) == bound
    assert pipe.registers == registers


def test_three_stages_are_rarely_and_slightly_above_the_fewest_registers():
    extra = []
    for seed in range(12):
        c = random_circuit(seed, gates=6)
        pipe = pipeline(c, 3)
        bound, registers = best_by_brute_force(c, 3, 0)
        assert round(pipe.period * 100) == bound
        extra.append(pipe.registers - registers)
    assert sum(extra) <= 2, extra


def check(pipe):
    """Stages never run backward, the bound holds, the register count is what crosses."""
    c = pipe.circuit
    for net, gate in enumerate(c.gates, c.first_gate):
        assert all(pipe.stage_of[arg] <= pipe.stage_of[net] for arg in gate.args)
    assert max(stage_delays(pipe)) <= pipe.period + 1e-9
    assert set(pipe.stage_of) <= set(range(pipe.stages))


def product(n):
    """Polynomial product of a and b by Karatsuba down to single bits: a big circuit."""

    def multiply(b, x, y):
        h = len(x) // 2
        if h == 0:
            return [b.and_(x[0], y[0])]
        low, high = multiply(b, x[:h], y[:h]), multiply(b, x[h:], y[h:])
        sums = [[b.xor(p, q) for p, q in zip(v[:h], v[h:], strict=True)] for v in (x, y)]
        terms = [[] for _ in range(4 * h - 1)]
        for shift, part in ((0, low), (h, low), (h, high), (h, multiply(b, *sums)), (2 * h, high)):
            for k, net in enumerate(part):
                terms[k + shift].append(net)
        return [b.xor_sum(group) for group in terms]

    b = Builder("product")
    x, y = b.input("a_i", n), b.input("b_i", n)
    b.output("c_o", multiply(b, list(x), list(y)))
    return b.build()


@pytest.mark.parametrize("stages", [1, 2, 3, 6])
@pytest.mark.parametrize("tail", [0.0, 5.97])
def test_a_large_product_is_balanced(stages, tail):
    c = product(32)
    pipe = pipeline(c, stages, tail)
    check(pipe)
    assert len(pipe.cut_registers) == stages - 1
    assert pipeline_ge(pipe) == cost(c).ge + 5.5 * sum(pipe.cut_registers)
    assert pipe.period <= (cost(c).delay + tail) / stages + 1.99


def test_a_looser_period_needs_no_more_registers_and_a_tighter_one_is_refused():
    c = product(16)
    tight = pipeline(c, 2)
    loose = pipeline(c, 2, period=tight.period * 1.5)
    check(loose)
    assert loose.registers <= tight.registers
    with pytest.raises(ValueError, match="least possible"):
        pipeline(c, 2, period=tight.period - 0.01)


def test_a_net_with_many_readers_costs_one_register():
    b = Builder("fan")
    x = b.input("x_i", 2)
    net = b.and_(*x)
    for _ in range(3):
        net = b.xor(net, x[0])
        net = b.and_(net, x[1])
    b.output("y_o", [b.xor(net, x[0]), b.or_(net, x[0]), b.nor(net, x[1])])
    pipe = pipeline(b.build(), 2)
    check(pipe)
    assert pipe.registers <= 3


def test_flow_finds_the_least_cut():
    g = FlowGraph()
    a, b = g.add_node(), g.add_node()
    for tail, head, capacity in ((0, a, 3), (0, b, 2), (a, b, 1), (a, 1, 2), (b, 1, 2)):
        g.add_edge(tail, head, capacity)
    assert g.source_side()[0] and not g.source_side()[1]
    assert sum(g.capacity[1::2]) > 0
    flow_into_sink = g.capacity[7] + g.capacity[9]
    assert flow_into_sink == 4


@pytest.mark.parametrize("enable", [False, True])
def test_pipelined_text_is_clean_in_verilator_and_yosys(enable, tmp_path):
    for circuit in (product(8), tangle(1), tangle(2)):
        text = emit_systemverilog(pipeline(circuit, 3), clocked=True, enable=enable)
        assert lint(text, tmp_path, circuit.name) == ""
        assert max(map(len, text.splitlines())) <= 100


def test_registers_without_a_clock_are_refused():
    with pytest.raises(ValueError, match="clocked=True"):
        emit_systemverilog(pipeline(product(4), 2))
