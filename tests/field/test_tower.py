# SPDX-License-Identifier: Apache-2.0
"""Composite fields in polynomial basis, and Lemma 1 of Mozaffari 2012."""

import itertools

import pytest

from gcmforge.field import (
    AES_POLYNOMIAL,
    NORMAL_BASES,
    POLYNOMIAL_BASES,
    TowerField,
    poly_multiply_mod,
)

KINDS = list(itertools.product(("polynomial", "normal"), repeat=3))
FIELDS = [
    TowerField(phi=0b11, nu=0b1010),
    TowerField(phi=0b10, nu=0b0001, bases=NORMAL_BASES),
    TowerField(phi=0b01, nu=0b0111, bases=("normal", "normal", "polynomial")),
    TowerField(phi=None, nu=0b1110),
]


def test_the_sixteen_fields_of_mozaffari_2012_section_3_are_fields_and_no_others():
    fields = [
        (phi, nu) for phi in range(4) for nu in range(16) if TowerField(phi=phi, nu=nu).is_field()
    ]
    assert fields == [(phi, nu) for phi in (0b10, 0b11) for nu in range(0b1000, 0b10000)]


def test_the_sixteen_fields_in_normal_basis_are_those_of_the_paper():
    fields = [
        (phi, nu)
        for phi in range(4)
        for nu in range(16)
        if TowerField(phi=phi, nu=nu, bases=NORMAL_BASES).is_field()
    ]
    nus = {0b0100, 0b0001, 0b1000, 0b0010, 0b0111, 0b1101, 0b1011, 0b1110}
    assert fields == [(phi, nu) for phi in (0b01, 0b10) for nu in sorted(nus)]


@pytest.mark.parametrize("tower", FIELDS, ids=str)
@pytest.mark.parametrize("which", range(8))
def test_each_root_gives_an_isomorphism(tower, which):
    root = tower.roots()[which]
    basis = tower.isomorphism(root)
    images = [basis.apply(a) for a in range(256)]
    assert sorted(images) == list(range(256))
    for a in range(0, 256, 7):
        for b in range(0, 256, 11):
            product = poly_multiply_mod(a, b, AES_POLYNOMIAL)
            assert images[product] == tower.multiply8(images[a], images[b])


@pytest.mark.parametrize("tower", FIELDS, ids=str)
def test_every_non_zero_element_has_its_inverse(tower):
    assert tower.inverse8(0) == tower.inverse4(0) == 0
    assert all(tower.multiply4(a, tower.inverse4(a)) == tower.one4 for a in range(1, 16))
    assert all(tower.multiply8(a, tower.inverse8(a)) == tower.one8 for a in range(3, 256, 17))


@pytest.mark.parametrize("tower", FIELDS, ids=str)
def test_the_eight_roots_are_conjugates(tower):
    roots = set(tower.roots())
    assert len(roots) == 8
    assert {tower.multiply8(root, root) for root in roots} == roots


@pytest.mark.parametrize("bases", KINDS, ids="-".join)
@pytest.mark.parametrize("tower", FIELDS[:3], ids=str)
def test_a_change_of_bases_keeps_every_product(tower, bases):
    other, change = tower.rebased(bases), tower.change8(bases)
    assert other.is_field()
    assert other.rebased(tower.bases) == tower
    assert change.apply(tower.one8) == other.one8
    for a in range(1, 256, 23):
        for b in range(2, 256, 19):
            product = other.multiply8(change.apply(a), change.apply(b))
            assert product == change.apply(tower.multiply8(a, b))


def test_the_flat_field_has_polynomial_bases_only():
    flat = TowerField(phi=None, nu=0b1110)
    assert flat.change4(NORMAL_BASES) == flat.change4(POLYNOMIAL_BASES)
    assert flat.one4 == 1


def _bits(value):
    return value >> 3 & 1, value >> 2 & 1, value >> 1 & 1, value & 1


def _value(t3, t2, t1, t0):
    return t3 << 3 | t2 << 2 | t1 << 1 | t0


def _equation_2(g):
    """Mozaffari 2012 (2), each overbar over one variable but in theta_3."""
    g3, g2, g1, g0 = _bits(g)
    n3, n2, n1, n0 = 1 - g3, 1 - g2, 1 - g1, 1 - g0
    return _value(
        g2 & (1 - (g3 & g1)) ^ g3 & g0,
        g3 & n0 | g2 & (g3 | g1),
        g2 & n0 | g3 & n1 & g0 | n3 & g1 & n2,
        (g3 | g1 & n0 | n2 & g0 & n1) ^ g1 & (g2 | g3 & n0),
    )


def _equation_2_with_long_bars(g):
    """The same with the bars in theta_1 and theta_0 as the scan has them, over two variables."""
    g3, g2, g1, g0 = _bits(g)
    n2, n1, n0 = 1 - g2, 1 - g1, 1 - g0
    return _value(
        g2 & (1 - (g3 & g1)) ^ g3 & g0,
        g3 & n0 | g2 & (g3 | g1),
        g2 & n0 | g3 & n1 & g0 | (1 - (g3 & g1)) & n2,
        (g3 | g1 & n0 | (1 - (g2 & g0)) & n1) ^ g1 & (g2 | g3 & n0),
    )


def _equation_4(g):
    g3, g2, g1, g0 = _bits(g)
    return _value(
        g3 & g2 & g1 ^ g3 & g0 ^ g2,
        g3 & g2 & g1 ^ g3 & g2 & g0 ^ g3 & g0 ^ g2 & g1 ^ g3,
        g3 & g2 & g1 ^ g3 & g1 & g0 ^ g3 & g0 ^ g3 & g1 ^ g2 & g0 ^ g2 & g1 ^ g2 ^ g1,
        g3 & g2 & g1 ^ g3 & g2 & g0 ^ g3 & g1 & g0 ^ g2 & g1 & g0
        ^ g2 & g0 ^ g3 & g0 ^ g2 & g1 ^ g3 ^ g1 ^ g0,
    )  # fmt: skip


def _equation_3(g):
    g3, g2, g1, g0 = _bits(g)
    n3, n2, n1, n0 = 1 - g3, 1 - g2, 1 - g1, 1 - g0
    return _value(
        g2 & (1 - (g3 & g1)) ^ g3 & n0,
        g2 & n1 | g3 & (g2 | g0),
        (g3 & g1 & (g2 | g0) | g2 & g0) ^ g3 ^ g2 ^ g1,
        (g0 | g2 & n3 | n1 & g3 & n2) ^ g2 & (g1 | g0 & n3),
    )


def _equation_5(g):
    g3, g2, g1, g0 = _bits(g)
    return _value(
        g3 & g2 & g1 ^ g3 & g0 ^ g3 ^ g2,
        g3 & g2 & g1 ^ g3 & g2 & g0 ^ g3 & g0 ^ g2 & g1 ^ g2,
        g3 & g2 & g1 ^ g3 & g1 & g0 ^ g2 & g0 ^ g3 ^ g2 ^ g1,
        g3 & g2 & g1 ^ g3 & g2 & g0 ^ g3 & g1 & g0 ^ g2 & g1 & g0
        ^ g3 & g1 ^ g3 & g0 ^ g2 & g1 ^ g2 ^ g1 ^ g0,
    )  # fmt: skip


def _inverses(phi):
    return [TowerField(phi=phi, nu=0b1010).inverse4(g) for g in range(16)]


def test_equations_2_and_4_invert_for_phi_11():
    assert [_equation_4(g) for g in range(16)] == _inverses(0b11)
    assert [_equation_2(g) for g in range(16)] == _inverses(0b11)


def test_equation_2_with_long_bars_is_wrong_in_its_two_low_bits_only():
    wrong = 0
    for g, inverse in enumerate(_inverses(0b11)):
        wrong |= _equation_2_with_long_bars(g) ^ inverse
    assert wrong == 0b0011


def test_equation_5_inverts_for_phi_10_and_equation_3_is_off_by_gamma_3_plus_gamma_1():
    inverses = _inverses(0b10)
    assert [_equation_5(g) for g in range(16)] == inverses
    for g in range(16):
        g3, _, g1, _ = _bits(g)
        assert _equation_3(g) ^ inverses[g] == g3 ^ g1
