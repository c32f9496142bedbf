# SPDX-License-Identifier: Apache-2.0
"""Composite fields in polynomial basis, and Lemma 1 of Mozaffari 2012."""

import pytest

from gcmforge.field import AES_POLYNOMIAL, TowerField, poly_multiply_mod


def test_the_sixteen_fields_of_mozaffari_2012_section_3_are_fields_and_no_others():
    fields = [
        (phi, nu) for phi in range(4) for nu in range(16) if TowerField(phi=phi, nu=nu).is_field()
    ]
    assert fields == [(phi, nu) for phi in (0b10, 0b11) for nu in range(0b1000, 0b10000)]


@pytest.mark.parametrize("root", TowerField(phi=0b11, nu=0b1010).roots())
def test_each_root_gives_an_isomorphism(root):
    tower = TowerField(phi=0b11, nu=0b1010)
    basis = tower.isomorphism(root)
    images = [basis.apply(a) for a in range(256)]
    assert sorted(images) == list(range(256))
    for a in range(0, 256, 7):
        for b in range(0, 256, 11):
            product = poly_multiply_mod(a, b, AES_POLYNOMIAL)
            assert images[product] == tower.multiply8(images[a], images[b])


def test_every_non_zero_element_has_its_inverse():
    tower = TowerField(phi=0b11, nu=0b1010)
    assert tower.inverse8(0) == tower.inverse4(0) == 0
    assert all(tower.multiply4(a, tower.inverse4(a)) == 1 for a in range(1, 16))
    assert all(tower.multiply8(a, tower.inverse8(a)) == 1 for a in range(3, 256, 17))


def test_there_are_eight_roots():
    assert len(TowerField(phi=0b11, nu=0b1010).roots()) == 8


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
