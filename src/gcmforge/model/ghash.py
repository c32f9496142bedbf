# SPDX-License-Identifier: Apache-2.0
"""Multiplication of blocks and GHASH (NIST SP 800-38D sections 6.3 and 6.4), in plain ints.

A block is a 128-bit int whose bit 127 is the standard's bit 0, the first bit of the first byte. As
an element of GF(2^128) that top bit is the coefficient of 1 and bit 0 is that of x^127: multiplying
by x shifts right.
"""

from collections.abc import Iterable

R = 0b11100001 << 120
"""11100001 || 0^120: x^128 mod 1 + x + x^2 + x^7 + x^128, SP 800-38D section 6.3."""

ONE = 1 << 127
"""The 1 of the field."""


def gf_mult(x: int, y: int) -> int:
    """X . Y, SP 800-38D algorithm 1: x is read from its first bit, v runs through y * x^i."""
    z, v = 0, y
    for i in range(127, -1, -1):
        if x >> i & 1:
            z ^= v
        v = v >> 1 ^ R if v & 1 else v >> 1
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
