# SPDX-License-Identifier: Apache-2.0
"""Builder, cost and evaluation."""

import itertools
import random

import pytest

from gcmforge.circuit import Builder, Op, call, cost, evaluate, pack, simulate, unpack

TRUTH = {
    Op.XOR: lambda p, q: p ^ q,
    Op.XNOR: lambda p, q: 1 - (p ^ q),
    Op.AND: lambda p, q: p & q,
    Op.NAND: lambda p, q: 1 - (p & q),
    Op.OR: lambda p, q: p | q,
    Op.NOR: lambda p, q: 1 - (p | q),
    Op.NOT: lambda p: 1 - p,
    Op.MUX: lambda s, p, q: p if s else q,
}


def random_circuit(seed: int, width: int = 6, gates: int = 60):
    """A circuit from random gate requests, with what each requested net must compute."""
    rng = random.Random(seed)
    b = Builder("rand")
    nets = [b.const(0), b.const(1), *b.input("x_i", width)]
    wanted = [lambda x: 0, lambda x: 1] + [lambda x, i=i: x >> i & 1 for i in range(width)]
    for _ in range(gates):
        op = rng.choice(list(Op))
        n = {Op.NOT: 1, Op.MUX: 3}.get(op, 2)
        pick = [rng.randrange(len(nets)) for _ in range(n)]
        nets.append(b.gate(op, [nets[i] for i in pick]))
        args = [wanted[i] for i in pick]
        wanted.append(lambda x, op=op, args=args: TRUTH[op](*(f(x) for f in args)))
    b.output("y_o", nets[-24:])
    return b.build(), wanted[-24:]


@pytest.mark.parametrize("op", list(Op))
def test_each_gate_computes_its_truth_table(op):
    n = {Op.NOT: 1, Op.MUX: 3}.get(op, 2)
    b = Builder("one")
    x = b.input("x_i", n)
    b.output("y_o", [b.gate(op, x)])
    c = b.build()
    for bits in itertools.product((0, 1), repeat=n):
        value = sum(bit << i for i, bit in enumerate(bits))
        assert call(c, x_i=value) == {"y_o": TRUTH[op](*bits)}


@pytest.mark.parametrize("seed", range(30))
def test_folding_and_hashing_keep_the_function(seed):
    c, wanted = random_circuit(seed, gates=24)
    for x in range(64):
        y = sum(f(x) << i for i, f in enumerate(wanted))
        assert call(c, x_i=x)["y_o"] == y


def test_equal_gates_are_made_once_and_constants_fold():
    b = Builder("fold")
    p, q = b.input("x_i", 2)
    assert b.xor(p, q) == b.xor(q, p)
    assert b.mux(p, q, q) == q
    assert b.xor(p, p) == b.const(0)
    assert b.and_(p, b.not_(p)) == b.const(0)
    assert b.or_(p, b.not_(p)) == b.const(1)
    assert b.xor(b.not_(p), q) == b.xnor(p, q)
    assert b.not_(b.not_(p)) == p
    assert b.and_(b.xor(p, q), b.xnor(p, q)) == b.const(0)
    assert b.xor(b.const(1), p) == b.not_(p)


def test_gates_that_reach_no_output_are_dropped():
    b = Builder("dead")
    p, q = b.input("x_i", 2)
    dead = b.and_(p, q)
    b.label(b.or_(dead, p), "gone")
    b.output("y_o", [b.xor(p, q)])
    c = b.build()
    assert [gate.op for gate in c.gates] == [Op.XOR]
    assert c.labels == ()


def test_xor_sum_joins_early_terms_first():
    b = Builder("sum")
    x = b.input("x_i", 9)
    late = b.xor_sum(x[:4])
    b.output("y_o", [b.xor_sum([late, *x[4:9]])])
    c = b.build()
    assert cost(c).depth_xor == 4  # 2 levels for late, then Kraft: 4 + 5 terms <= 16
    assert cost(c).xor == 8
    assert b.xor_sum([x[0], x[0]]) == b.const(0)


def test_cost_counts_gate_equivalents_and_the_slowest_path():
    b = Builder("cost")
    p, q, r = b.input("x_i", 3)
    b.output("y_o", [b.not_(b.xor(b.and_(p, q), r)), b.mux(p, q, r), b.nand(q, r)])
    k = cost(b.build())
    assert (k.xor, k.and_, k.not_, k.mux, k.nand, k.gates) == (1, 1, 1, 1, 1, 5)
    assert k.ge == pytest.approx(2.25 + 1.25 + 0.75 + 2 + 1)
    assert (k.depth_and, k.depth_xor, k.path) == (1, 1, "A+X")
    assert k.delay == pytest.approx(2.99)


def test_numpy_and_int_evaluation_agree_over_many_patterns():
    c, _ = random_circuit(7, width=12, gates=200)
    rng = random.Random(1)
    values = [rng.randrange(1 << 12) for _ in range(1000)]
    got = unpack(simulate(c, {"x_i": pack(values, 12)})["y_o"], 1000)
    assert got == [call(c, x_i=v)["y_o"] for v in values]
    words = [sum((v >> i & 1) << k for k, v in enumerate(values)) for i in range(12)]
    sliced = evaluate(c, {"x_i": words}, 1000)["y_o"]
    assert [sum((w >> k & 1) << i for i, w in enumerate(sliced)) for k in range(1000)] == got


def test_instance_composes_circuits():
    inner, _ = random_circuit(3)
    b = Builder("outer")
    x = b.input("x_i", 6)
    b.output("y_o", b.instance(inner, x_i=x[::-1])["y_o"])
    outer = b.build()
    for v in range(64):
        flipped = int(f"{v:06b}"[::-1], 2)
        assert call(outer, x_i=v) == call(inner, x_i=flipped)


def test_wrong_requests_are_refused():
    b = Builder("bad")
    x = b.input("x_i", 2)
    with pytest.raises(ValueError, match="taken"):
        b.input("x_i", 2)
    with pytest.raises(ValueError, match="identifier"):
        b.input("x i", 2)
    with pytest.raises(ValueError, match="does not exist"):
        b.output("y_o", [99])
    b.output("y_o", x)
    with pytest.raises(ValueError, match="does not fit"):
        call(b.build(), x_i=4)
