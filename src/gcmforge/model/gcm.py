# SPDX-License-Identifier: Apache-2.0
"""GCM authenticated encryption and decryption (NIST SP 800-38D), on whole bytes.

Names and steps are the standard's. Inside, a block is a 128-bit int with the first byte on top;
keys, IVs, texts and tags are `bytes`.
"""

from collections.abc import Iterator, Sequence

from gcmforge.model.aes import encrypt_block, key_expansion
from gcmforge.model.ghash import gf_inverse, gf_mult, ghash

TAG_BYTES = (4, 8, 12, 13, 14, 15, 16)
"""Tag lengths t / 8 that SP 800-38D section 5.2.1.2 allows."""

MAX_TEXT_BYTES = 2**36 - 32  # len(P) <= 2^39 - 256 bits, section 5.2.1.1
MAX_AAD_BYTES = 2**61 - 1  # len(A) <= 2^64 - 1 bits
MAX_IV_BYTES = 2**61 - 1  # 1 <= len(IV) <= 2^64 - 1 bits


def inc32(x: int) -> int:
    """inc_32, section 6.2: only the last 32 bits count, modulo 2^32."""
    return x >> 32 << 32 | (x + 1) & 0xFFFF_FFFF


def blocks(data: bytes) -> Iterator[int]:
    """`data` in blocks, the last one filled with zeros on its right; none for no data."""
    for i in range(0, len(data), 16):
        yield int.from_bytes(data[i : i + 16].ljust(16, b"\0"), "big")


def bit_lengths(first: bytes, second: bytes) -> int:
    """[len(first)]_64 || [len(second)]_64, in bits."""
    return len(first) * 8 << 64 | len(second) * 8


def initial_counter(h: int, iv: bytes) -> int:
    """J_0, step 2 of algorithm 4: IV || 0^31 || 1 for 96 bits, else GHASH of the padded IV."""
    if len(iv) == 12:
        return int.from_bytes(iv, "big") << 32 | 1
    return ghash(h, (*blocks(iv), bit_lengths(b"", iv)))


def iv_for_counter(h: int, j0: int) -> bytes:
    """The 16-byte IV whose J_0 is `j0`: J_0 = (IV . H + [0]_64 || [128]_64) . H, solved for IV.

    With it a test can start the 32-bit counter anywhere, for example one block before it wraps.
    """
    inverse = gf_inverse(h)
    iv = gf_mult(gf_mult(j0, inverse) ^ bit_lengths(b"", bytes(16)), inverse)
    return iv.to_bytes(16, "big")


def gctr(round_keys: Sequence[int], icb: int, x: bytes) -> bytes:
    """GCTR_K(ICB, X), algorithm 3."""
    y, counter = b"", icb
    for i, block in zip(range(0, len(x), 16), blocks(x), strict=True):
        y += (block ^ encrypt_block(round_keys, counter)).to_bytes(16, "big")[: len(x) - i]
        counter = inc32(counter)
    return y


def encrypt(
    key: bytes, iv: bytes, plaintext: bytes, aad: bytes = b"", *, tag_bytes: int = 16
) -> tuple[bytes, bytes]:
    """GCM-AE_K(IV, P, A), algorithm 4: ciphertext and tag."""
    _check_lengths(iv, plaintext, aad, tag_bytes)
    round_keys = key_expansion(key)
    h = encrypt_block(round_keys, 0)
    j0 = initial_counter(h, iv)
    ciphertext = gctr(round_keys, inc32(j0), plaintext)
    return ciphertext, _tag(round_keys, h, j0, aad, ciphertext)[:tag_bytes]


def decrypt(
    key: bytes, iv: bytes, ciphertext: bytes, aad: bytes = b"", *, tag: bytes
) -> bytes | None:
    """GCM-AD_K(IV, C, A, T), algorithm 5: the plaintext, or None for FAIL whatever the reason.

    The tag length is the one the parties agreed on, `len(tag)`.
    """
    _check_lengths(iv, ciphertext, aad, len(tag))
    round_keys = key_expansion(key)
    h = encrypt_block(round_keys, 0)
    j0 = initial_counter(h, iv)
    plaintext = gctr(round_keys, inc32(j0), ciphertext)
    matches = _tag(round_keys, h, j0, aad, ciphertext)[: len(tag)] == tag
    return plaintext if matches else None


def _tag(round_keys: Sequence[int], h: int, j0: int, aad: bytes, ciphertext: bytes) -> bytes:
    """GCTR_K(J_0, S), 16 bytes: steps 4 to 6 of algorithm 4, steps 5 to 7 of algorithm 5."""
    s = ghash(h, (*blocks(aad), *blocks(ciphertext), bit_lengths(aad, ciphertext)))
    return gctr(round_keys, j0, s.to_bytes(16, "big"))


def _check_lengths(iv: bytes, text: bytes, aad: bytes, tag_bytes: int) -> None:
    """The lengths of section 5.2.1; both directions refuse the same."""
    if not 1 <= len(iv) <= MAX_IV_BYTES:
        raise ValueError(f"an IV of {len(iv)} bytes: GCM needs at least 1")
    if len(text) > MAX_TEXT_BYTES:
        raise ValueError(f"a text of {len(text)} bytes: GCM takes at most {MAX_TEXT_BYTES}")
    if len(aad) > MAX_AAD_BYTES:
        raise ValueError(f"AAD of {len(aad)} bytes: GCM takes at most {MAX_AAD_BYTES}")
    if tag_bytes not in TAG_BYTES:
        allowed = ", ".join(map(str, TAG_BYTES))
        raise ValueError(f"a tag of {tag_bytes} bytes: GCM allows {allowed}")
