# SPDX-License-Identifier: Apache-2.0
"""AES against FIPS 197 and against `cryptography`."""

import random

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from gcmforge.model import aes

# FIPS 197 (2001) appendix C: one plaintext, keys 00 01 02 ... of three lengths.
PLAINTEXT = 0x00112233445566778899AABBCCDDEEFF
APPENDIX_C = {
    16: 0x69C4E0D86A7B0430D8CDB78070B4C55A,
    24: 0xDDA97CA4864CDFE06EAF70A0EC0D7191,
    32: 0x8EA2B7CA516745BFEAFC49904B496089,
}


def openssl_block(key: bytes, block: int) -> int:
    encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    return int.from_bytes(encryptor.update(block.to_bytes(16, "big")), "big")


@pytest.mark.parametrize("key_bytes", APPENDIX_C)
def test_example_vectors_of_fips_197_appendix_c(key_bytes: int) -> None:
    round_keys = aes.key_expansion(bytes(range(key_bytes)))
    assert aes.encrypt_block(round_keys, PLAINTEXT) == APPENDIX_C[key_bytes]


def test_key_expansion_example_of_fips_197_appendix_a1() -> None:
    round_keys = aes.key_expansion(bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c"))
    assert len(round_keys) == 11
    assert round_keys[0] == 0x2B7E151628AED2A6ABF7158809CF4F3C
    assert round_keys[1] == 0xA0FAFE1788542CB123A339392A6C7605
    assert round_keys[10] == 0xD014F9A8C9EE2589E13F0CC8B6630CA6


@pytest.mark.parametrize("key_bytes", [16, 24, 32])
def test_random_blocks_agree_with_cryptography(key_bytes: int) -> None:
    rng = random.Random(key_bytes)
    for _ in range(100):
        key, block = rng.randbytes(key_bytes), rng.getrandbits(128)
        round_keys = aes.key_expansion(key)
        assert len(round_keys) == {16: 11, 24: 13, 32: 15}[key_bytes]
        assert aes.encrypt_block(round_keys, block) == openssl_block(key, block)


def test_sbox_is_a_permutation_with_the_standards_corners() -> None:
    table = aes.sbox()
    assert sorted(table) == list(range(256))
    assert (table[0x00], table[0x53], table[0xFF]) == (0x63, 0xED, 0x16)  # FIPS 197 table 4


def test_every_byte_but_zero_times_its_inverse_is_one() -> None:
    assert aes.gf256_inverse(0) == 0
    assert all(aes.gf256_mult(a, aes.gf256_inverse(a)) == 1 for a in range(1, 256))


def test_multiplication_examples_of_fips_197_section_4_2() -> None:
    assert aes.gf256_mult(0x57, 0x83) == 0xC1
    assert aes.gf256_mult(0x57, 0x13) == 0xFE
    assert [aes.xtimes(b) for b in (0x57, 0xAE, 0x47, 0x8E)] == [0xAE, 0x47, 0x8E, 0x07]


@pytest.mark.parametrize("key_bytes", [0, 8, 15, 17, 33])
def test_a_key_of_another_length_is_refused(key_bytes: int) -> None:
    with pytest.raises(ValueError, match=f"key of {key_bytes} bytes: it must have 16, 24 or 32"):
        aes.key_expansion(bytes(key_bytes))
