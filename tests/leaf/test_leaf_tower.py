# SPDX-License-Identifier: Apache-2.0
"""S-boxes over towers of fields: every field, basis, conjugate, inversion and layout."""

import dataclasses
import itertools

import pytest

from gcmforge.circuit import Builder, call, cost, prove
from gcmforge.field import NORMAL_BASES, POLYNOMIAL_BASES, TowerField, aes_sbox
from gcmforge.leaf.sbox_table import TWISTED_ORDER, twisted_bdd_circuit
from gcmforge.leaf.sbox_towers import TOWER_SBOXES
from gcmforge.leaf.tower import TowerSbox, tower_circuit
from gcmforge.leaf.tower_inversion import (
    derived_inversion,
    lemma_1,
    product_forms,
    product_matrix,
    reduced_inversion,
)

KINDS = list(itertools.product(("polynomial", "normal"), repeat=3))
FIELD = TowerField(phi=0b11, nu=0b1010)
CANRIGHT = TowerField(phi=0b10, nu=0b0001, bases=NORMAL_BASES)
FLAT = TowerField(phi=None, nu=0b1110)


def proven(sbox):
    proof = prove(tower_circuit(sbox), aes_sbox, "exhaustive")
    assert proof.passed, f"{sbox}: {proof.detail}"
    assert proof.cases == 256


@pytest.mark.parametrize("field", [FIELD, CANRIGHT, FLAT], ids=str)
@pytest.mark.parametrize("merged", [False, True])
def test_all_conjugates_give_the_sbox(field, merged):
    for root in field.roots():
        proven(TowerSbox(field=field, root=root, merged=merged))


@pytest.mark.slow
@pytest.mark.parametrize("bases", KINDS, ids="-".join)
@pytest.mark.parametrize("merged", [False, True])
def test_mixed_bases_give_the_sbox(bases, merged):
    field = FIELD.rebased(bases)
    for inverse in KINDS:
        root = field.roots()[0]
        proven(TowerSbox(field=field, root=root, inverse_bases=inverse, merged=merged))


def test_an_image_of_x_that_is_no_root_is_no_sbox():
    wrong = next(root for root in range(2, 256) if root not in FIELD.roots())
    sbox = dataclasses.replace(TOWER_SBOXES["poly_phi3_nu10"], root=wrong)
    try:
        circuit = tower_circuit(sbox)
    except ValueError:
        return  # its powers are no basis
    assert not prove(circuit, aes_sbox, "exhaustive").passed


def inversion_table(invert, field):
    b = Builder("inversion")
    b.output("theta_o", invert(b, field, b.input("gamma_i", 4)))
    circuit = b.build()
    return [call(circuit, gamma_i=gamma)["theta_o"] for gamma in range(16)]


@pytest.mark.parametrize("bases", KINDS, ids="-".join)
@pytest.mark.parametrize("phi", [0b10, 0b11])
def test_derived_inversion_inverts_in_every_basis(phi, bases):
    field = TowerField(phi=phi, nu=0b1010).rebased(bases)
    assert inversion_table(derived_inversion, field) == [field.inverse4(g) for g in range(16)]


def test_derived_inversion_inverts_modulo_x4_x_1():
    assert inversion_table(derived_inversion, FLAT) == [FLAT.inverse4(g) for g in range(16)]


@pytest.mark.parametrize("phi", [0b10, 0b11])
def test_lemma_1_inverts(phi):
    field = TowerField(phi=phi, nu=0b1010)
    assert inversion_table(lemma_1, field) == [field.inverse4(g) for g in range(16)]


EQUATION_4 = ("321 30 2", "321 320 30 21 3", "321 310 30 31 20 21 2 1",
              "321 320 310 210 20 30 21 3 1 0")  # fmt: skip
EQUATION_5 = ("321 30 3 2", "321 320 30 21 2", "321 310 20 3 2 1",
              "321 320 310 210 31 30 21 2 1 0")  # fmt: skip
"""Mozaffari-Kermani, Reyhani-Masoleh 2012: products of the inputs that theta_3 to theta_0 add."""


@pytest.mark.parametrize(("phi", "equation"), [(0b11, EQUATION_4), (0b10, EQUATION_5)])
def test_equations_4_and_5_of_mozaffari_2012_are_the_derived_inversion(phi, equation):
    def printed(gamma):
        sums = [
            sum(all(gamma >> int(digit) & 1 for digit in product) for product in line.split())
            for line in equation
        ]
        return sum(total % 2 << place for place, total in enumerate(reversed(sums)))

    field = TowerField(phi=phi, nu=0b1010)
    assert inversion_table(derived_inversion, field) == [printed(gamma) for gamma in range(16)]


def test_reduced_inversion_inverts():
    expected = [CANRIGHT.inverse4(g) for g in range(16)]
    assert inversion_table(reduced_inversion, CANRIGHT) == expected


def test_inversions_refuse_fields_that_they_are_not_for():
    with pytest.raises(ValueError, match="Lemma 1 is for polynomial bases"):
        inversion_table(lemma_1, CANRIGHT)
    with pytest.raises(ValueError, match="is for normal bases with Phi"):
        inversion_table(reduced_inversion, FIELD)


@pytest.mark.parametrize("field", [FIELD, CANRIGHT, FLAT], ids=str)
def test_nine_products_recombine_to_the_product(field):
    forms, product = product_forms(4), product_matrix(field.multiply4, 4)
    for a, b in itertools.product(range(16), repeat=2):
        assert product.apply(forms.apply(a) & forms.apply(b)) == field.multiply4(a, b)


def test_optimised_inversions_make_smaller_sboxes():
    for name in ("poly_phi2_nu8", "poly_phi2_nu14", "poly_phi3_nu8", "poly_phi3_nu10"):
        plain, optimised = TOWER_SBOXES[name], TOWER_SBOXES[f"{name}_lemma1"]
        assert (plain.field, plain.root) == (optimised.field, optimised.root)
        assert cost(tower_circuit(optimised)).ge < cost(tower_circuit(plain)).ge


def test_merged_layers_are_smaller_than_blocks():
    merged = TOWER_SBOXES["mozaffari_2012"]
    blocks = dataclasses.replace(merged, merged=False)
    assert cost(tower_circuit(merged)).ge < cost(tower_circuit(blocks)).ge - 25


def test_the_thirty_two_fields_have_their_names():
    fields = {
        (sbox.field.bases, sbox.field.phi, sbox.field.nu)
        for name, sbox in TOWER_SBOXES.items()
        if name.split("_")[0] in ("poly", "normal")
    }
    assert len(fields) == 32
    assert {bases for bases, _, _ in fields} == {POLYNOMIAL_BASES, NORMAL_BASES}
    for name, sbox in TOWER_SBOXES.items():
        if name.startswith(("poly", "normal")):
            assert f"_phi{sbox.field.phi}_nu{sbox.field.nu}" in name


@pytest.mark.slow
def test_merged_towers_are_sixteen_up_to_the_order_of_halves():
    """Whatever the basis: 32 fields x 8 conjugates multiply 16 sets of sums of input bits."""
    seen = set()
    for bases, phi, nu in itertools.product((POLYNOMIAL_BASES, NORMAL_BASES), range(4), range(16)):
        field = TowerField(phi=phi, nu=nu, bases=bases)
        if field.is_field():
            for root in field.roots():
                rows = TowerSbox(field=field, root=root).merged_operands().rows
                both = [p ^ q for p, q in zip(rows[:9], rows[9:18], strict=True)]
                seen.add(frozenset([*rows[:18], *both]))
    assert len(seen) == 16


def test_in_the_twisted_diagram_every_input_selects_once_at_every_level():
    orders = [[*TWISTED_ORDER[bit:], *TWISTED_ORDER[:bit]] for bit in range(8)]
    for level in range(8):
        assert sorted(order[level] for order in orders) == list(range(8))
    assert cost(twisted_bdd_circuit()).ge < cost(twisted_bdd_circuit(range(8))).ge
