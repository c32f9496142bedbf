# SPDX-License-Identifier: Apache-2.0
"""Every leaf is its specification, and the proof that says so notices a wrong gate."""

import random

import pytest

from gcmforge.circuit.mutate import mutations
from gcmforge.circuit.prove import prove, prove_equal
from gcmforge.config.names import MEMORY_SBOXES
from gcmforge.field import gf128_multiply
from gcmforge.leaf import (
    DOT_VARIANTS,
    FROM_RESIDUES_LANES,
    KEY_VARIANTS,
    MIX_COLUMNS_VARIANTS,
    MULTIPLIER_VARIANTS,
    SBOX_VARIANTS,
    SQUARES_VARIANTS,
    STORED_DOT_VARIANTS,
    library,
)

SMALL = [
    *(f"aes_sbox/{variant}" for variant in (*SBOX_VARIANTS, *MEMORY_SBOXES)),
    *(f"aes_mix_column/{variant}" for variant in MIX_COLUMNS_VARIANTS),
    "aes_mix_column/checked",
    "aes_sub_mix_column",
    "gf128_square",
    *(f"gf128_squares/{variant}" for variant in SQUARES_VARIANTS),
    "gf128_reduce",
    "gf128_residues",
]
KINDS = ("/boyar_peralta", "/mozaffari_2012", "/normal_phi2_nu1", "column/small", "gf128_square")
"""Ends of the names of one leaf of each kind."""
MULTIPLIERS = [f"gf128_mul/{variant}" for variant in MULTIPLIER_VARIANTS]
some_multipliers = [
    pytest.param(name, marks=[pytest.mark.slow] * (not name.endswith(("/fft", "/ko5", "_small"))))
    for name in MULTIPLIERS
]


def test_the_library_holds_every_leaf_once(leaves):
    dots = [f"gf128_dot/{variant}x{lanes}" for variant, lanes in DOT_VARIANTS]
    dots += [f"gf128_dot_stored/{variant}x{lanes}" for variant, lanes in STORED_DOT_VARIANTS]
    others = ["aes_sbox_products", "aes_sbox_sum"]
    others += [f"gf128_key/{variant}" for variant in KEY_VARIANTS]
    others += [f"gf128_from_residues/x{lanes}" for lanes in FROM_RESIDUES_LANES]
    assert set(leaves) == {*SMALL, *MULTIPLIERS, *dots, *others}, (
        "enter a new leaf in SMALL, which proves it, or name it here and prove it elsewhere"
    )
    assert len(leaves) == len(SMALL) + len(MULTIPLIERS) + len(dots) + len(others)


@pytest.mark.slow
def test_every_leaf_has_its_name(leaves):
    assert [leaf.name for leaf in library()] == list(leaves)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SMALL, *some_multipliers])
def test_leaf_equals_its_specification(name, leaves):
    leaf = leaves[name]
    proof = prove(leaf.circuit, leaf.spec, leaf.proof_kind)
    assert proof.passed, proof.detail


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (not name.endswith(KINDS))) for name in SMALL],
)
def test_every_changed_gate_of_a_small_leaf_is_caught_or_harmless(name, leaves):
    leaf = leaves[name]
    first = leaf.circuit.first_gate
    nets = list(range(first, leaf.circuit.net_count))
    if leaf.module.startswith(("gf128_", "aes_sub_mix_")):
        nets = random.Random(1).sample(nets, 40)
    caught = 0
    for mutation in mutations(leaf.circuit, nets=nets, seed=1):
        if prove(mutation.circuit, leaf.spec, leaf.proof_kind).passed:
            assert prove_equal(leaf.circuit, mutation.circuit).passed, str(mutation)
        else:
            caught += 1
    assert caught >= 2 * len(nets)


@pytest.mark.slow
@pytest.mark.parametrize("name", some_multipliers)
def test_changed_gates_of_a_multiplier_are_caught(name, leaves):
    leaf = leaves[name]
    rng = random.Random(name)
    nets = rng.sample(range(leaf.circuit.first_gate, leaf.circuit.net_count), 1)
    for mutation in mutations(leaf.circuit, nets=nets, seed=1):
        assert not prove(mutation.circuit, leaf.spec, leaf.proof_kind).passed, str(mutation)


@pytest.mark.slow
def test_a_wrong_specification_is_noticed(leaves):
    circuit = leaves["gf128_mul/ko4"].circuit
    proof = prove(circuit, lambda a, b: gf128_multiply(a, b) ^ (a & 1), "bilinear")
    assert not proof.passed
