# SPDX-License-Identifier: Apache-2.0
"""Sums of products: proven for every scheme and lane count, and what a shared tail saves."""

import dataclasses
import random

import pytest

from gcmforge.circuit import Builder, call, cost, mutations, pipeline, prove, prove_equal
from gcmforge.circuit.ir import Gate, Op
from gcmforge.circuit.readback import prove_readback
from gcmforge.field import gf128_multiply
from gcmforge.leaf import (
    MULTIPLIER_VARIANTS,
    dot,
    from_residues,
    key,
    leaf_text,
    multiplier,
    stored_dot,
)
from gcmforge.leaf.dot import dot_circuit, dot_product, keyed
from gcmforge.leaf.residues import looked_up_circuit
from gcmforge.leaf.scheme import scheme

some_variants = [
    pytest.param(variant, marks=[pytest.mark.slow] * (variant not in ("ko6", "fft")))
    for variant in MULTIPLIER_VARIANTS
]


@pytest.mark.slow
@pytest.mark.parametrize("variant", some_variants)
def test_two_lanes_of_every_scheme_are_proven(variant):
    leaf = dot(variant, 2)
    proof = prove(leaf.circuit, leaf.spec, leaf.proof_kind)
    assert proof.passed, proof.detail
    assert proof.cases > 256**2


@pytest.mark.parametrize(
    "lanes", [1, 3, *(pytest.param(n, marks=pytest.mark.slow) for n in (8, 16))]
)
def test_any_number_of_lanes_is_proven(lanes):
    leaf = dot("ko6", lanes)
    proof = prove(leaf.circuit, leaf.spec, leaf.proof_kind)
    assert proof.passed, proof.detail
    assert proof.cases > (128 * lanes) ** 2


@pytest.mark.slow
@pytest.mark.parametrize("variant", some_variants)
def test_two_lanes_of_every_scheme_with_evaluated_keys_are_proven(variant):
    leaf = stored_dot(variant, 2)
    proof = prove(leaf.proven, leaf.spec, leaf.proof_kind)
    assert proof.passed, proof.detail


@pytest.mark.slow
def test_a_key_by_itself_has_the_proof_of_what_it_is_for():
    leaf = key("ko5")
    assert prove(leaf.proven, leaf.spec, leaf.proof_kind).passed
    stored = stored_dot("ko5", 1).circuit
    nets = random.Random(3).sample(range(leaf.circuit.first_gate, leaf.circuit.net_count), 3)
    for mutation in mutations(leaf.circuit, nets=nets, seed=1):
        assert not prove(keyed(mutation.circuit, stored), leaf.spec, "dot").passed, str(mutation)


@pytest.mark.slow
def test_changed_gates_behind_evaluated_keys_are_caught():
    leaf, evaluated = stored_dot("fft", 2), key("fft").circuit
    nets = random.Random(4).sample(range(leaf.circuit.first_gate, leaf.circuit.net_count), 2)
    for mutation in mutations(leaf.circuit, nets=nets, seed=1):
        whole = keyed(evaluated, mutation.circuit)
        if prove(whole, leaf.spec, "dot").passed:
            assert prove_equal(leaf.circuit, mutation.circuit).passed, str(mutation)


@pytest.mark.slow
def test_evaluated_keys_take_their_sums_out_of_every_lane():
    saved = cost(dot("ko6", 3).circuit).ge - cost(stored_dot("ko6", 3).circuit).ge
    assert saved == 3 * cost(key("ko6").circuit).ge


@pytest.mark.slow
@pytest.mark.parametrize("lanes", [1, 3])
def test_tables_of_residues_make_the_sum_of_products(lanes):
    leaf = from_residues(lanes)
    proof = prove(leaf.proven, leaf.spec, leaf.proof_kind)
    assert proof.passed, proof.detail


@pytest.mark.slow
@pytest.mark.parametrize("gates", [1, 5])
def test_changed_gates_behind_tables_of_residues_are_caught(gates):
    leaf = from_residues(2)
    nets = random.Random(6).sample(range(leaf.circuit.first_gate, leaf.circuit.net_count), gates)
    for mutation in mutations(leaf.circuit, nets=nets, seed=1):
        whole = looked_up_circuit(2, mutation.circuit)
        if prove(whole, leaf.spec, "dot").passed:
            assert prove_equal(leaf.circuit, mutation.circuit).passed, str(mutation)


@pytest.mark.slow
def test_lane_0_is_on_top():
    rng = random.Random(5)
    a, b = ([rng.getrandbits(128) for _ in range(3)] for _ in range(2))
    circuit = dot("ko3", 3).circuit
    words = {
        name: lanes[0] << 256 | lanes[1] << 128 | lanes[2]
        for name, lanes in (("a_i", a), ("b_i", b))
    }
    expected = 0
    for s, t in zip(a, b, strict=True):
        expected ^= gf128_multiply(s, t)
    assert call(circuit, **words) == {"c_o": expected}
    assert dot_product(words["a_i"], words["b_i"]) == expected


@pytest.mark.slow
def test_one_lane_is_the_multiplier():
    for variant in ("schoolbook", "ko4_fast", "ko5_small"):
        assert cost(dot(variant, 1).circuit) == cost(multiplier(variant).circuit)


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["ko3", "ko6", "ko4_fast", "ko4_small"])
def test_changed_gates_are_caught_or_harmless(variant):
    leaf = dot(variant, 2)
    rng = random.Random(variant)
    first, last = leaf.circuit.first_gate, leaf.circuit.net_count
    for mutation in mutations(leaf.circuit, nets=rng.sample(range(first, last), 2), seed=1):
        if prove(mutation.circuit, leaf.spec, "dot").passed:
            assert prove_equal(leaf.circuit, mutation.circuit).passed, str(mutation)


@pytest.mark.slow
def test_a_product_of_two_lanes_is_caught():
    """Bilinear still, and right on all pairs of one lane: only a pair of two lanes shows it."""
    circuit = dot("ko4", 2).circuit
    a_lane_0, b_lane_1 = circuit.inputs[0].nets[200], circuit.inputs[1].nets[7]
    extra = circuit.net_count
    (bus,) = circuit.outputs
    wrong = dataclasses.replace(
        circuit,
        gates=(
            *circuit.gates,
            Gate(Op.AND, (a_lane_0, b_lane_1)),
            Gate(Op.XOR, (bus.nets[3], extra)),
        ),
        section_of=(*circuit.section_of, 0, 0),
        outputs=(bus._replace(nets=(*bus.nets[:3], extra + 1, *bus.nets[4:])),),
    )
    proof = prove(wrong, dot_product, "dot")
    assert not proof.passed
    assert f"a_i=0x{1 << 200:x}, b_i=0x{1 << 7:x}: got c_o=0x8, expected 0x0" in proof.detail
    assert not prove_equal(circuit, wrong).passed


@pytest.mark.slow
def test_exchanged_lanes_of_one_operand_are_caught():
    b = Builder("gf128_dot")
    p, q = b.input("a_i", 256), b.input("b_i", 256)
    inner = dot_circuit(scheme("ko4"), 2)
    b.output("c_o", b.instance(inner, a_i=p, b_i=(*q[128:], *q[:128]))["c_o"])
    assert not prove(b.build(), dot_product, "dot").passed


@pytest.mark.slow
def test_what_is_not_bilinear_is_refused():
    b = Builder("gf128_dot")
    p, q = b.input("a_i", 256), b.input("b_i", 256)
    nets = dot_circuit(scheme("ko4"), 2)
    out = b.instance(nets, a_i=p, b_i=q)["c_o"]
    b.output("c_o", [b.xor(out[0], b.and_(b.and_(p[0], p[1]), q[0])), *out[1:]])
    proof = prove(b.build(), dot_product, "dot")
    assert not proof.passed and "not bilinear" in proof.detail


def test_buses_of_different_width_are_refused():
    b = Builder("gf128_dot")
    p, q = b.input("a_i", 256), b.input("b_i", 128)
    b.output("c_o", [b.and_(s, t) for s, t in zip(p, q, strict=False)])
    proof = prove(b.build(), dot_product, "dot")
    assert not proof.passed and "not of one width" in proof.detail


@pytest.mark.slow
def test_text_in_two_stages_read_back_is_its_circuit():
    leaf = dot("ko6", 2)
    pipelined = pipeline(leaf.circuit, 2)
    proof = prove_readback(pipelined, leaf_text(leaf, pipelined, clocked=True))
    assert proof.passed, proof.detail


@pytest.mark.slow
def test_lanes_that_share_their_tail_save_thousands_of_ge_each():
    alone = cost(multiplier("ko6").circuit).ge
    together = cost(dot("ko6", 8).circuit).ge / 8
    assert together < alone - 7_000
