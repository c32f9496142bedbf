# SPDX-License-Identifier: Apache-2.0
"""Polynomials over GF(2), and the two fields of AES-GCM: GF(2^8) of FIPS 197 and GF(2^128) of
SP 800-38D.  Bit i of every int is the coefficient of x^i."""

AES_POLYNOMIAL = 0x11B
"""x^8 + x^4 + x^3 + x + 1, FIPS 197 section 4."""

GCM_POLYNOMIAL = (1 << 128) | 0x87
"""x^128 + x^7 + x^2 + x + 1, SP 800-38D section 6.3."""


def poly_multiply(a: int, b: int) -> int:
    """The product of two polynomials over GF(2), not reduced."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a <<= 1
        b >>= 1
    return product


def poly_divmod(a: int, b: int) -> tuple[int, int]:
    """Quotient and remainder of polynomials over GF(2); b is not zero."""
    if b == 0:
        raise ZeroDivisionError("polynomial division by zero")
    quotient = 0
    degree = b.bit_length()
    while a.bit_length() >= degree:
        shift = a.bit_length() - degree
        quotient ^= 1 << shift
        a ^= b << shift
    return quotient, a


def poly_mod(a: int, modulus: int) -> int:
    """The remainder of a after division by modulus."""
    return poly_divmod(a, modulus)[1]


def poly_multiply_mod(a: int, b: int, modulus: int) -> int:
    """The product of a and b modulo modulus."""
    return poly_mod(poly_multiply(a, b), modulus)


def poly_inverse(a: int, modulus: int) -> int:
    """The b with a b = 1 modulo modulus, by Euclid; ZeroDivisionError if there is none."""
    r0, r1, t0, t1 = modulus, poly_mod(a, modulus), 0, 1
    while r1:
        quotient, remainder = poly_divmod(r0, r1)
        r0, r1 = r1, remainder
        t0, t1 = t1, t0 ^ poly_multiply(quotient, t1)
    if r0 != 1:
        raise ZeroDivisionError(f"{a:#x} has no inverse modulo {modulus:#x}")
    return poly_mod(t0, modulus)


def aes_affine(byte: int) -> int:
    """The affine transformation of FIPS 197 section 5.1.1: bit i of the result is
    b_i + b_(i+4) + b_(i+5) + b_(i+6) + b_(i+7) + c_i, indices mod 8, c = 0x63."""
    result = 0x63
    for shift in (0, 1, 2, 3, 4):
        result ^= ((byte << shift) | (byte >> (8 - shift))) & 0xFF
    return result


def aes_sbox(byte: int) -> int:
    """SubBytes of one byte, FIPS 197 section 5.1.1: inverse in GF(2^8) (0 to 0), then affine."""
    return aes_affine(poly_inverse(byte, AES_POLYNOMIAL) if byte else 0)


def aes_mix_column(column: int) -> int:
    """MixColumns of one column, FIPS 197 section 5.1.3: multiplication by
    03 y^3 + 01 y^2 + 01 y + 02 modulo y^4 + 1.  32 bits, the byte of row 0 in [31:24]."""
    s = column.to_bytes(4, "big")
    result = bytearray(4)
    for row in range(4):
        for factor, byte in zip((2, 3, 1, 1), s[row:] + s[:row], strict=True):
            result[row] ^= poly_multiply_mod(factor, byte, AES_POLYNOMIAL)
    return int.from_bytes(result, "big")


def gf128_reduce(product: int) -> int:
    """A polynomial of any degree modulo x^128 + x^7 + x^2 + x + 1."""
    return poly_mod(product, GCM_POLYNOMIAL)


def gf128_multiply(a: int, b: int) -> int:
    """The product in GF(2^128), both operands 128 bits in polynomial order."""
    return gf128_reduce(poly_multiply(a, b))


def gf128_square(a: int) -> int:
    """The square in GF(2^128), polynomial order."""
    return gf128_multiply(a, a)
