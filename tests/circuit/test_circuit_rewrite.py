# SPDX-License-Identifier: Apache-2.0
"""Rewriting circuits of few inputs: the same function, cheaper, by the target's prices."""

import random
from dataclasses import replace

import pytest

from gcmforge.circuit import (
    GE_PRICES,
    Builder,
    Op,
    RewritePlan,
    call,
    circuit_listing,
    cost,
    emit_systemverilog,
    parse_listing,
    prove,
    rewrite,
)
from gcmforge.leaf import sbox

SHORT = RewritePlan(seeds=(1, 2), rounds=2, moves=2_000)


def random_circuit(seed, inputs=5, gates=40):
    rng = random.Random(seed)
    b = Builder("sample")
    nets = list(b.input("x_i", inputs))
    for _ in range(gates):
        op = rng.choice(list(Op))
        count = {Op.NOT: 1, Op.MUX: 3}.get(op, 2)
        nets.append(b.gate(op, rng.sample(nets[-12:], count)))
    b.output("y_o", nets[-6:])
    return b.build()


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("inputs", [3, 5, 8])
def test_random_circuits_keep_their_function(seed, inputs):
    c = random_circuit(seed, inputs)
    made = rewrite(c, plan=RewritePlan(seeds=(seed,), rounds=1, moves=3_000)).circuit
    for x in range(1 << inputs):
        assert call(c, x_i=x) == call(made, x_i=x)
    assert cost(made).ge <= cost(c).ge


def test_cost_is_that_of_the_circuit_and_decided_by_the_seed():
    c = sbox("boyar_peralta").circuit
    one, two = (rewrite(c, plan=SHORT, workers=n) for n in (1, 2))
    assert one.circuit == two.circuit
    assert one.complete
    assert one.cost_ge == cost(one.circuit).ge == min(ge for _, ge in one.by_seed)
    assert one.cost_ge < 0.96 * cost(c).ge


def test_sbox_stays_the_sbox_with_its_names_and_sections():
    leaf = sbox("mozaffari_2012")
    made = rewrite(leaf.circuit, plan=SHORT).circuit
    assert prove(made, leaf.spec, "exhaustive").passed
    assert {"theta", "gamma"} <= {label.name for label in made.labels}
    assert set(made.sections) <= set(leaf.circuit.sections)


def test_polarity_follows_the_prices():
    b = Builder("sample")
    x = b.input("x_i", 4)
    b.output("y_o", [b.xor(b.and_(x[0], x[1]), b.and_(x[2], x[3]))])
    c = b.build()
    assert cost(rewrite(c, plan=SHORT).circuit).nand == 2
    dear = replace(GE_PRICES, area_ge={**GE_PRICES.area_ge, Op.NAND: 9.0, Op.NOR: 9.0})
    assert cost(rewrite(c, target=dear, plan=SHORT).circuit).nand == 0


def test_delay_over_the_bound_costs():
    b = Builder("chain")
    x = b.input("x_i", 8)
    total = x[0]
    for net in x[1:]:
        total = b.xor(total, net)
    b.output("y_o", [total])
    target = replace(GE_PRICES, max_delay=3 * 1.99)
    assert cost(rewrite(b.build(), target=target, plan=SHORT).circuit).path == "3X"


def test_what_no_output_can_see_is_used():
    # x0 is 0 wherever the OR lets it through: y = x0 | x1 & (x0 ^ x2) = x0 | x1 & x2
    b = Builder("hidden")
    x = b.input("x_i", 3)
    b.output("y_o", [b.or_(x[0], b.and_(x[1], b.xor(x[0], x[2])))])
    made = rewrite(b.build(), plan=SHORT).circuit
    assert cost(made).xor == cost(made).xnor == 0


def test_time_limit_stops_early_and_says_so():
    plan = RewritePlan(seeds=(1,), rounds=1_000, moves=1_000_000)
    result = rewrite(sbox("mozaffari_2012").circuit, plan=plan, time_limit_s=0.5)
    assert not result.complete
    assert result.seconds < 10


def test_more_than_eight_inputs_are_refused():
    b = Builder("wide")
    x = b.input("x_i", 9)
    b.output("y_o", [b.xor_sum(x)])
    with pytest.raises(ValueError, match="up to 8"):
        rewrite(b.build())


@pytest.mark.parametrize("seed", range(4))
def test_a_listing_is_read_back(seed):
    c = random_circuit(seed, 6)
    text = circuit_listing(c, ["who found it"])
    assert text.startswith("# who found it\ninput x_i 6\n")
    assert max(map(len, text.splitlines())) <= 100
    made = parse_listing(text, c.name)
    assert (made.gates, made.inputs, made.outputs) == (c.gates, c.inputs, c.outputs)
    leaf = sbox("mozaffari_2012").circuit
    again = parse_listing(circuit_listing(leaf), leaf.name)
    assert emit_systemverilog(again) == emit_systemverilog(leaf)


def test_a_net_with_many_readers_is_later():
    b = Builder("sample")
    x = b.input("x_i", 4)
    shared = b.and_(x[0], x[1])
    b.output("y_o", [b.xor(shared, x[2]), b.xor(shared, x[3]), shared])
    c = b.build()
    slow = replace(GE_PRICES, load={Op.XOR: 5.0, Op.XNOR: 5.0}, output_load=1.0, input_part=0.0)
    costs = []
    for bound in (1 + 2 * 5 + 1 + 1.99 + 1, 0.0):  # AND with two XORs and an output, XOR with one
        target = replace(slow, max_delay=bound, penalty_ge=1.0)
        plan = RewritePlan(seeds=(1,), rounds=1, moves=1, hot=1e-6, cold=1e-6)
        costs.append(rewrite(c, target=target, plan=plan).cost_ge)
    assert costs[0] == cost(c).ge
    assert costs[1] == pytest.approx(cost(c).ge + 2 * 14.99 + 12)
