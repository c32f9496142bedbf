# SPDX-License-Identifier: Apache-2.0
"""NAND for AND in sums of products, and the proof of bilinear maps that follows complements."""

import pytest
from circuit_samples import gf_mult, gf_multiplier

from gcmforge.circuit import Builder, cost, prove_bilinear, prove_equal, with_nands
from gcmforge.circuit.mutate import mutations


def test_products_become_nands_of_the_same_function_and_depth():
    plain = gf_multiplier(8, leaf=2)
    now = with_nands(plain)
    before, after = cost(plain), cost(now)
    assert prove_equal(plain, now).passed
    assert (after.and_, after.nand) == (0, before.and_)
    assert after.xor + after.xnor == before.xor
    assert after.ge == before.ge - before.and_ / 4
    assert after.path == before.path


def test_an_and_that_more_than_sums_read_stays():
    b = Builder("t")
    x = b.input("x_i", 4)
    first, second = b.and_(x[0], x[1]), b.and_(x[2], x[3])
    b.output("y_o", [b.xor(first, second), b.and_(first, x[3]), second])
    c = b.build()
    assert with_nands(c) == c


def test_a_label_of_a_complemented_net_is_dropped():
    b = Builder("t")
    x = b.input("x_i", 4)
    products = [b.and_(x[0], x[1]), b.and_(x[2], x[3])]
    total = b.xor(*products)
    b.label([*products, total], "part")
    b.output("y_o", [b.xor(total, x[0])])
    (label,) = with_nands(b.build()).labels
    assert [i for i, _ in label.bits] == [2]


@pytest.mark.slow
def test_the_bilinear_proof_follows_complements_and_notices_a_changed_gate():
    c = with_nands(gf_multiplier(16, leaf=4))

    def spec(a, b):
        return gf_mult(a, b, 16)

    assert prove_bilinear(c, spec).passed
    for mutation in mutations(c, nets=range(c.first_gate, c.net_count, 7)):
        assert not prove_bilinear(mutation.circuit, spec).passed, str(mutation)


@pytest.mark.parametrize("last", ["xnor", "xor"])
def test_a_complemented_output_or_operand_is_not_bilinear(last):
    b = Builder("t")
    x, y = b.input("a_i", 20), b.input("b_i", 20)
    pair = [b.nand(x[0], y[0]), b.and_(x[1], y[1])]
    b.output("c_o", [getattr(b, last)(*pair)])
    proof = prove_bilinear(b.build(), lambda p, q: (p & q & 1) ^ (p & q) >> 1 & 1)
    assert proof.passed == (last == "xnor")
    b = Builder("t")
    x, y = b.input("a_i", 20), b.input("b_i", 20)
    b.output("c_o", [b.xor(b.and_(b.not_(x[0]), y[0]), y[0])])
    proof = prove_bilinear(b.build(), lambda p, q: p & q & 1)
    assert not proof.passed and "not bilinear" in proof.detail
