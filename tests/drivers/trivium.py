# SPDX-License-Identifier: Apache-2.0
"""Trivium one bit a step, as its specification has it (De Cannière, Preneel, eSTREAM 2005)."""

WARM_UP = 4 * 288


def keystream(key: bytes, iv: bytes, bits: int) -> list[int]:
    """That many bits. The last bit of a key, in eSTREAM's order of bytes and bits, is s1."""
    s = [0] * 289  # s[1] to s[288]
    s[1:81], s[94:174] = _bits(key)[::-1], _bits(iv)[::-1]
    s[286:289] = [1, 1, 1]
    found = []
    for _ in range(WARM_UP + bits):
        t1, t2, t3 = s[66] ^ s[93], s[162] ^ s[177], s[243] ^ s[288]
        found.append(t1 ^ t2 ^ t3)
        t1 ^= s[91] & s[92] ^ s[171]
        t2 ^= s[175] & s[176] ^ s[264]
        t3 ^= s[286] & s[287] ^ s[69]
        s = [0, t3, *s[1:93], t1, *s[94:177], t2, *s[178:288]]
    return found[WARM_UP:]


def _bits(data: bytes) -> list[int]:
    return [byte >> n & 1 for byte in data for n in range(8)]


def as_bytes(bits: list[int]) -> bytes:
    """As eSTREAM prints a stream: the first bit is the lowest of the first byte."""
    return bytes(
        sum(bit << n for n, bit in enumerate(bits[at : at + 8])) for at in range(0, len(bits), 8)
    )
