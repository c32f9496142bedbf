# SPDX-License-Identifier: Apache-2.0
"""Multiplication of blocks and GHASH (NIST SP 800-38D sections 6.3 and 6.4), in plain ints.

A block is a 128-bit int whose bit 127 is the standard's bit 0, the first bit of the first byte. As
an element of GF(2^128) that top bit is the coefficient of 1 and bit 0 is that of x^127: multiplying
by x shifts right.
"""

from collections.abc import Iterable

ONE = 1 << 127
"""The 1 of the field."""


_BLOCK = (1 << 128) - 1
_BITS = int.from_bytes(b"\1" * 255, "big")
_ZEROS = int.from_bytes(b"0" * 255, "big")


def _carry_less(x: int, y: int) -> int:
    """Product of polynomials over GF(2) of 128 terms, 255 bits: bits go into bytes of their own,
    whose sums, 128 at most, are even or odd."""
    spread_x = int.from_bytes(f"{x:0128b}".encode(), "big") & _BITS
    spread_y = int.from_bytes(f"{y:0128b}".encode(), "big") & _BITS
    return int((spread_x * spread_y & _BITS | _ZEROS).to_bytes(255, "big"), 2)


def gf_mult(x: int, y: int) -> int:
    """X . Y of SP 800-38D section 6.3. Terms above x^127 come down by x^128 = 1 + x + x^2 + x^7,
    twice, as the first time leaves some up to x^133."""
    product = _carry_less(x, y) << 1
    z, over = product >> 128, product & _BLOCK
    while over:
        folded = over << 128
        folded ^= folded >> 1 ^ folded >> 2 ^ folded >> 7
        z, over = z ^ folded >> 128, folded & _BLOCK
    return z


def ghash(h: int, blocks: Iterable[int]) -> int:
    """GHASH_H, SP 800-38D algorithm 2."""
    y = 0
    for block in blocks:
        y = gf_mult(y ^ block, h)
    return y


def ghash_length_first(h: int, aad: Iterable[int], lengths: int, ciphertext: Iterable[int]) -> int:
    """Yang 2005, equation (3): GHASH with the length block between AAD and ciphertext.

    Not SP 800-38D: its tags are different ones, and nobody has to accept them. What it buys is one
    cycle a packet, and only where lengths are known before the text.
    """
    return ghash(h, (*aad, lengths, *ciphertext))


def gf_inverse(x: int) -> int:
    """x^-1 as x^(2^128 - 2); 0 has none."""
    if x == 0:
        raise ZeroDivisionError("0 has no inverse in GF(2^128)")
    result, power = ONE, x
    for _ in range(127):  # 2^128 - 2 = 2 + 4 + ... + 2^127
        power = gf_mult(power, power)
        result = gf_mult(result, power)
    return result
