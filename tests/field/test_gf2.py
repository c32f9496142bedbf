# SPDX-License-Identifier: Apache-2.0
"""The two fields of AES-GCM against published values and against their own axioms."""

import random

import pytest

from gcmforge.field import (
    AES_POLYNOMIAL,
    GCM_POLYNOMIAL,
    aes_affine,
    aes_mix_column,
    aes_sbox,
    gf128_multiply,
    gf128_reduce,
    gf128_square,
    poly_divmod,
    poly_inverse,
    poly_mod,
    poly_multiply,
    poly_multiply_mod,
)


def _mirror(block: str) -> int:
    """A block as SP 800-38D prints it, as a polynomial (bit i the coefficient of x^i)."""
    return int(f"{int(block, 16):0128b}"[::-1], 2)


@pytest.mark.parametrize(
    ("x", "y"), [(0x00, 0x63), (0x01, 0x7C), (0x53, 0xED), (0x9A, 0xB8), (0xFF, 0x16), (0x19, 0xD4)]
)
def test_sbox_has_the_values_of_fips_197_figure_7(x, y):
    assert aes_sbox(x) == y


def test_sbox_is_a_permutation_without_fixed_points():
    table = [aes_sbox(x) for x in range(256)]
    assert sorted(table) == list(range(256))
    assert all(x != y for x, y in enumerate(table))


def test_affine_of_zero_is_the_constant():
    assert aes_affine(0) == 0x63


def test_products_of_fips_197_section_4_2():
    assert poly_multiply_mod(0x57, 0x83, AES_POLYNOMIAL) == 0xC1
    assert poly_multiply_mod(0x57, 0x13, AES_POLYNOMIAL) == 0xFE


@pytest.mark.parametrize(
    ("column", "mixed"),
    [  # FIPS 197 Appendix B, round 1
        (0xD4BF5D30, 0x046681E5),
        (0xE0B452AE, 0xE0CB199A),
        (0xB84111F1, 0x48F8D37A),
        (0x1E2798E5, 0x2806264C),
    ],
)
def test_mix_columns_of_fips_197_appendix_b(column, mixed):
    assert aes_mix_column(column) == mixed


def test_ghash_product_of_the_gcm_specification_test_case_2():
    h = _mirror("66e94bd4ef8a2c3b884cfa59ca342b2e")
    ciphertext = _mirror("0388dace60b6a392f328c2b971b2fe78")
    assert gf128_multiply(ciphertext, h) == _mirror("5e2ec746917062882c85b0685353deb7")


def test_division_gives_back_the_dividend():
    rng = random.Random(1)
    for _ in range(200):
        a, b = rng.getrandbits(200), rng.getrandbits(rng.randrange(1, 90)) | 1
        quotient, remainder = poly_divmod(a, b)
        assert poly_multiply(quotient, b) ^ remainder == a
        assert remainder.bit_length() < b.bit_length()
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        poly_divmod(5, 0)


def test_every_non_zero_element_of_gf_2_8_has_its_inverse():
    for a in range(1, 256):
        assert poly_multiply_mod(a, poly_inverse(a, AES_POLYNOMIAL), AES_POLYNOMIAL) == 1
    with pytest.raises(ZeroDivisionError, match="no inverse"):
        poly_inverse(0, AES_POLYNOMIAL)


def test_gf_2_128_is_commutative_associative_and_distributive():
    rng = random.Random(2)
    for _ in range(50):
        a, b, c = (rng.getrandbits(128) for _ in range(3))
        assert gf128_multiply(a, b) == gf128_multiply(b, a)
        assert gf128_multiply(gf128_multiply(a, b), c) == gf128_multiply(a, gf128_multiply(b, c))
        assert gf128_multiply(a, b ^ c) == gf128_multiply(a, b) ^ gf128_multiply(a, c)
        assert gf128_square(a) == gf128_multiply(a, a)
        inverse = poly_inverse(a, GCM_POLYNOMIAL)
        assert gf128_multiply(a, inverse) == 1


def test_reduction_of_x_to_the_128():
    assert gf128_reduce(1 << 128) == 0x87
    assert gf128_reduce(1 << 254) == poly_mod(1 << 254, GCM_POLYNOMIAL)
    assert gf128_reduce((1 << 128) - 1) == (1 << 128) - 1
