# SPDX-License-Identifier: Apache-2.0
"""GHASH and its field."""

import random

import pytest

from gcmforge.model.ghash import ONE, gf_inverse, gf_mult, ghash, ghash_length_first

R = 0b11100001 << 120
"""11100001 || 0^120: x^128 mod 1 + x + x^2 + x^7 + x^128, SP 800-38D section 6.3."""

# McGrew and Viega, The Galois/Counter Mode of Operation, test case 2.
H = 0x66E94BD4EF8A2C3B884CFA59CA342B2E
C = 0x0388DACE60B6A392F328C2B971B2FE78
LENGTHS = 0x80
C_TIMES_H = 0x5E2EC746917062882C85B0685353DEB7
GHASH = 0xF38CBB1AD69223DCC3457AE5B6B0F885


def carry_less_product_mod(x: int, y: int) -> int:
    """The same product by another road: polynomials with bit i = x^i, then long division."""
    a, b = (int(f"{v:0128b}"[::-1], 2) for v in (x, y))
    product = 0
    for i in range(128):
        if a >> i & 1:
            product ^= b << i
    for i in range(254, 127, -1):
        if product >> i & 1:
            product ^= (1 << 128 | 0x87) << (i - 128)
    return int(f"{product:0128b}"[::-1], 2)


def algorithm_1(x: int, y: int) -> int:
    """SP 800-38D algorithm 1 to the letter: x from its first bit, v runs through y * x^i."""
    z, v = 0, y
    for i in range(127, -1, -1):
        if x >> i & 1:
            z ^= v
        v = v >> 1 ^ R if v & 1 else v >> 1
    return z


def test_mcgrew_and_viega_test_case_2() -> None:
    assert gf_mult(C, H) == C_TIMES_H
    assert ghash(H, [C, LENGTHS]) == GHASH


def test_products_agree_with_long_division_of_polynomials() -> None:
    rng = random.Random(1)
    for _ in range(200):
        x, y = rng.getrandbits(128), rng.getrandbits(128)
        assert gf_mult(x, y) == gf_mult(y, x) == carry_less_product_mod(x, y)


def test_products_are_those_of_algorithm_1() -> None:
    rng = random.Random(3)
    ends = [0, 1, ONE, ONE >> 1, (1 << 128) - 1, 0xFF, 0xFF << 120]
    pairs = [(x, y) for x in ends for y in ends]
    pairs += [(rng.getrandbits(128), rng.getrandbits(rng.randrange(129))) for _ in range(200)]
    for x, y in pairs:
        assert gf_mult(x, y) == algorithm_1(x, y), (x, y)


def test_one_is_neutral_and_x_reduces_to_r() -> None:
    assert gf_mult(H, ONE) == H
    assert gf_mult(1, ONE >> 1) == R  # x^127 * x


def test_inverse_undoes_multiplication() -> None:
    rng = random.Random(2)
    for x in (ONE, 1, H, rng.getrandbits(128)):
        assert gf_mult(x, gf_inverse(x)) == ONE
    with pytest.raises(ZeroDivisionError, match="no inverse"):
        gf_inverse(0)


def test_ghash_of_nothing_is_zero() -> None:
    assert ghash(H, []) == 0


def test_length_first_is_yang_2005_equation_3() -> None:
    """X_i = (X_(i-1) + A_i) H, then the lengths and the C_i by the same recurrence."""
    rng = random.Random(3)
    aad, text = ([rng.getrandbits(128) for _ in range(n)] for n in (2, 3))
    x = gf_mult(gf_mult(aad[0], H) ^ aad[1], H)
    x = gf_mult(x ^ LENGTHS, H)
    for c in text:
        x = gf_mult(x ^ c, H)
    assert ghash_length_first(H, aad, LENGTHS, text) == x
    assert x != ghash(H, [*aad, *text, LENGTHS])
