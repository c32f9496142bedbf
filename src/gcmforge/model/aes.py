# SPDX-License-Identifier: Apache-2.0
"""AES-128, AES-192 and AES-256 encryption (FIPS 197, update 1 of 2023), in plain ints.

A byte is an int, bit i the coefficient of x^i. A state or a round key is the 16 bytes in the order
of input and output, so row r, column c is byte 4c + r (FIPS 197 section 3.4). At the edges a block
is a 128-bit int with the first byte on top. Decryption is left out: GCM never uses it.
"""

from collections.abc import Iterator, Sequence
from functools import cache

FIELD_POLYNOMIAL = 0x11B
"""m(x) = x^8 + x^4 + x^3 + x + 1, FIPS 197 equation (4.1)."""

ROUNDS = {16: 10, 24: 12, 32: 14}
"""Nr for each key length in bytes, FIPS 197 table 3."""


def xtimes(b: int) -> int:
    """x * b in GF(2^8), FIPS 197 equation (4.5)."""
    return (b << 1) ^ FIELD_POLYNOMIAL if b & 0x80 else b << 1


def gf256_mult(a: int, b: int) -> int:
    """a * b in GF(2^8), FIPS 197 section 4.2."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a, b = xtimes(a), b >> 1
    return product


def gf256_inverse(a: int) -> int:
    """a^-1 in GF(2^8) as a^254, and 0 for 0, FIPS 197 section 4.4."""
    power = 1
    for bit in f"{254:b}":
        power = gf256_mult(power, power)
        if bit == "1":
            power = gf256_mult(power, a)
    return power


def affine(b: int) -> int:
    """The S-box's affine map: b'_i = b_i + b_i+4 + b_i+5 + b_i+6 + b_i+7 + c_i, equation (5.4)."""
    twice = b << 8 | b  # bit i + 8 - k of it is bit (i - k) mod 8 of b: rotations are shifts
    rotated = twice >> 4 ^ twice >> 5 ^ twice >> 6 ^ twice >> 7
    return (b ^ rotated ^ 0x63) & 0xFF


@cache
def sbox() -> tuple[int, ...]:
    """SBOX as 256 bytes, FIPS 197 section 5.1.1: inverse, then the affine map."""
    return tuple(affine(gf256_inverse(b)) for b in range(256))


def sub_bytes(state: Sequence[int]) -> list[int]:
    """SUBBYTES, FIPS 197 section 5.1.1."""
    table = sbox()
    return [table[b] for b in state]


def shift_rows(state: Sequence[int]) -> list[int]:
    """SHIFTROWS, FIPS 197 section 5.1.2: row r moves r columns to the left."""
    return [state[4 * ((c + r) % 4) + r] for c in range(4) for r in range(4)]


def mix_column(column: Sequence[int]) -> list[int]:
    """One column of MIXCOLUMNS, equations (5.8): row r is 02 b_r + 03 b_r+1 + b_r+2 + b_r+3.

    That is b_r + (the sum of all four) + 02 (b_r + b_r+1).
    """
    total = column[0] ^ column[1] ^ column[2] ^ column[3]
    return [b ^ total ^ xtimes(b ^ column[(r + 1) % 4]) for r, b in enumerate(column)]


def mix_columns(state: Sequence[int]) -> list[int]:
    """MIXCOLUMNS, FIPS 197 section 5.1.3."""
    return [b for c in range(4) for b in mix_column(state[4 * c : 4 * c + 4])]


def add_round_key(state: Sequence[int], round_key: Sequence[int]) -> list[int]:
    """ADDROUNDKEY, FIPS 197 section 5.1.4."""
    return [b ^ k for b, k in zip(state, round_key, strict=True)]


def cipher(state: Sequence[int], round_keys: Sequence[Sequence[int]]) -> list[int]:
    """CIPHER, FIPS 197 algorithm 1; `round_keys` has Nr + 1 of them."""
    first, *middle, last = round_keys
    state = add_round_key(state, first)
    for round_key in middle:
        state = add_round_key(mix_columns(shift_rows(sub_bytes(state))), round_key)
    return add_round_key(shift_rows(sub_bytes(state)), last)


def round_constants() -> Iterator[int]:
    """The first byte of Rcon[1], Rcon[2], ..., FIPS 197 table 5: 1, x, x^2, ..."""
    constant = 1
    while True:
        yield constant
        constant = xtimes(constant)


def _expanded_words(key: bytes) -> list[list[int]]:
    """w of KEYEXPANSION, FIPS 197 algorithm 2: 4 (Nr + 1) words of 4 bytes."""
    key_words = len(key) // 4  # Nk
    table, constant = sbox(), round_constants()
    w = [list(key[i : i + 4]) for i in range(0, len(key), 4)]
    for i in range(key_words, 4 * (ROUNDS[len(key)] + 1)):
        word = w[i - 1]
        if i % key_words == 0:
            word = [table[b] for b in (*word[1:], word[0])]  # SUBWORD(ROTWORD(word))
            word[0] ^= next(constant)
        elif key_words > 6 and i % key_words == 4:
            word = [table[b] for b in word]
        w.append([a ^ b for a, b in zip(w[i - key_words], word, strict=True)])
    return w


def key_expansion(key: bytes) -> tuple[int, ...]:
    """Round keys 0 to Nr of a 16, 24 or 32-byte key, each a 128-bit int."""
    if len(key) not in ROUNDS:
        raise ValueError(f"an AES key of {len(key)} bytes: it must have 16, 24 or 32")
    w = _expanded_words(key)
    return tuple(
        int.from_bytes(bytes(b for word in w[i : i + 4] for b in word), "big")
        for i in range(0, len(w), 4)
    )


def encrypt_block(round_keys: Sequence[int], block: int) -> int:
    """CIPH_K(block) under the round keys of `key_expansion`; block and result are 128-bit ints."""
    schedule = [round_key.to_bytes(16, "big") for round_key in round_keys]
    return int.from_bytes(bytes(cipher(block.to_bytes(16, "big"), schedule)), "big")
