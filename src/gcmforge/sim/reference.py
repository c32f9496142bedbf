# SPDX-License-Identifier: Apache-2.0
"""The right answer to a packet, computed by the `cryptography` package (OpenSSL).

It is independent of the RTL and of `gcmforge.model`. OpenSSL takes IVs of 8 to 128 bytes only; for
the others GCM is put together from its parts, all of them `cryptography`'s too: AES-ECB, AES-CTR,
and GHASH read out of a GCM tag whose mask is known.

Tags of a length-first core are of another mode, which `cryptography` does not have: its AES and its
ciphertext, and `gcmforge.model.ghash_length_first` by equation (3) of Yang 2005 between them.
"""

from gcmforge.model import ghash_length_first
from gcmforge.model.gcm import bit_lengths, blocks
from gcmforge.sim.operations import Expected, Status

_GHASH_IV = bytes(12)
"""The IV under which tags are made only to read GHASH out of them."""


def seal(
    key: bytes, iv: bytes, plaintext: bytes, aad: bytes = b"", *, length_first: bool = False
) -> tuple[bytes, bytes]:
    """Ciphertext and 16-byte tag for an IV of one byte or more."""
    ciphertext, tag = _gcm_seal(key, iv, plaintext, aad)
    return ciphertext, _length_first_tag(key, iv, ciphertext, aad) if length_first else tag


def _gcm_seal(key: bytes, iv: bytes, plaintext: bytes, aad: bytes) -> tuple[bytes, bytes]:
    if 8 <= len(iv) <= 128:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        sealed = AESGCM(key).encrypt(iv, plaintext, aad)
        return sealed[:-16], sealed[-16:]
    j0 = _initial_counter(key, iv)
    ciphertext = _gctr(key, j0, plaintext)
    return ciphertext, _xor(_ghash(key, aad, ciphertext), _ecb(key, j0))


def _length_first_tag(key: bytes, iv: bytes, ciphertext: bytes, aad: bytes) -> bytes:
    """Yang 2005, equation (3), under the mask of GCM; an IV is never hashed length first."""
    h = int.from_bytes(_ecb(key, bytes(16)), "big")
    lengths = bit_lengths(aad, ciphertext)
    digest = ghash_length_first(h, blocks(aad), lengths, blocks(ciphertext))
    j0 = iv + b"\0\0\0\1" if len(iv) == 12 else _initial_counter(key, iv)
    return _xor(digest.to_bytes(16, "big"), _ecb(key, j0))


def open_unchecked(key: bytes, iv: bytes, ciphertext: bytes) -> bytes:
    """The plaintext that a core releases before it knows whether the tag matches."""
    if 8 <= len(iv) <= 128:
        return _gcm_plaintext(key, iv, ciphertext)
    return _gctr(key, _initial_counter(key, iv), ciphertext)


def answer(
    *,
    key: bytes,
    decrypt: bool,
    iv: bytes,
    aad: bytes,
    text: bytes,
    tag: bytes | None,
    tag_bytes: int,
    length_first: bool = False,
) -> Expected:
    """What a core must answer; `tag` is compared when decrypting, None when encrypting."""
    if not decrypt:
        ciphertext, full_tag = seal(key, iv, text, aad, length_first=length_first)
        return Expected(text=ciphertext, tag=full_tag[:tag_bytes], status=Status.OK)
    plaintext = open_unchecked(key, iv, text)
    _, full_tag = seal(key, iv, plaintext, aad, length_first=length_first)
    status = Status.OK if full_tag[:tag_bytes] == tag else Status.AUTH_FAIL
    return Expected(text=plaintext, tag=None, status=status)


def refusal(text: bytes, status: Status) -> Expected:
    """The answer to a command refused before its data: zeros of the text's length, no tag."""
    return Expected(text=bytes(len(text)), tag=None, status=status)


def _initial_counter(key: bytes, iv: bytes) -> bytes:
    """J_0 of an IV that is not 96 bits long: GHASH of it as if it were a ciphertext."""
    if not iv:
        raise ValueError("GCM defines nothing for an empty IV")
    return _ghash(key, b"", iv)


def _gctr(key: bytes, j0: bytes, text: bytes) -> bytes:
    """SP 800-38D's GCTR from inc_32(j0), out of CTR, which carries beyond 32 bits."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    out, counter = b"", int.from_bytes(j0[12:], "big")
    while len(out) < len(text):
        counter = (counter + 1) % 2**32
        part = text[len(out) : len(out) + 16 * (2**32 - counter)]  # up to where it wraps
        mode = modes.CTR(j0[:12] + counter.to_bytes(4, "big"))
        out += Cipher(algorithms.AES(key), mode).encryptor().update(part)
        counter = 2**32 - 1
    return out


def _ghash(key: bytes, aad: bytes, ciphertext: bytes) -> bytes:
    """GHASH of AAD, ciphertext and their lengths: a tag without its mask E_K(J_0)."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    plaintext = _gcm_plaintext(key, _GHASH_IV, ciphertext)
    tag = AESGCM(key).encrypt(_GHASH_IV, plaintext, aad)[-16:]
    return _xor(tag, _ecb(key, _GHASH_IV + b"\0\0\0\1"))


def _gcm_plaintext(key: bytes, iv: bytes, ciphertext: bytes) -> bytes:
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    return Cipher(algorithms.AES(key), modes.GCM(iv)).decryptor().update(ciphertext)


def _ecb(key: bytes, block: bytes) -> bytes:
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    return Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(block)


def _xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))
