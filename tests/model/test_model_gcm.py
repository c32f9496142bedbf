# SPDX-License-Identifier: Apache-2.0
"""The GCM specification against NIST CAVP, the authors' test cases and `cryptography`."""

import random
from collections.abc import Iterator
from pathlib import Path

import cryptography_vectors
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from gcmforge.model import encrypt_block, gcm, key_expansion
from gcmforge.model.gcm import TAG_BYTES, decrypt, encrypt, inc32, initial_counter, iv_for_counter

NIST = Path(cryptography_vectors.__file__).parent / "ciphers/AES/GCM"
NIST_FILES = [
    f"gcm{kind}{bits}.rsp" for kind in ("Decrypt", "EncryptExtIV") for bits in (128, 192, 256)
]
EVERY = 40
"""The default tests take every 40th NIST vector."""


def nist_records(path: Path) -> Iterator[dict[str, str]]:
    """The records of a CAVP file as they stand; read here without `gcmforge.sim.vectors`."""
    for paragraph in path.read_text().split("\n\n"):
        lines = [line.partition("=") for line in paragraph.splitlines()]
        if lines and lines[0][0].strip() == "Count":
            yield {name.strip(): value.strip() for name, _, value in lines}


def check_nist_record(record: dict[str, str]) -> None:
    data = {n: bytes.fromhex(v) for n, v in record.items() if n not in ("Count", "FAIL")}
    key, iv, aad, tag = (data[name] for name in ("Key", "IV", "AAD", "Tag"))
    if "FAIL" in record:
        assert decrypt(key, iv, data["CT"], aad, tag=tag) is None
    else:
        assert decrypt(key, iv, data["CT"], aad, tag=tag) == data["PT"]
        assert encrypt(key, iv, data["PT"], aad, tag_bytes=len(tag)) == (data["CT"], tag)


@pytest.mark.slow
@pytest.mark.parametrize("name", NIST_FILES)
def test_a_sample_of_every_nist_file(name: str) -> None:
    records = list(nist_records(NIST / name))
    assert len(records) == 7875
    sample = records[::EVERY]
    assert {len(r["IV"]) for r in sample} == {2, 24, 256}
    assert {len(r["Tag"]) // 2 for r in sample} == set(TAG_BYTES)
    for record in sample:
        check_nist_record(record)


@pytest.mark.slow
@pytest.mark.parametrize("name", NIST_FILES)
def test_every_fifth_vector_of_every_nist_file(name: str) -> None:
    """The cores take every one of them, and each answer of theirs is compared with the file's."""
    for record in list(nist_records(NIST / name))[NIST_FILES.index(name) % 5 :: 5]:
        check_nist_record(record)


def openssl(key: bytes, iv: bytes, text: bytes, aad: bytes) -> tuple[bytes, bytes]:
    encryptor = Cipher(algorithms.AES(key), modes.GCM(iv)).encryptor()
    encryptor.authenticate_additional_data(aad)
    return encryptor.update(text) + encryptor.finalize(), encryptor.tag


@pytest.mark.slow
def test_random_lengths_agree_with_cryptography() -> None:
    rng = random.Random(3)
    for _ in range(150):
        key = rng.randbytes(rng.choice((16, 24, 32)))
        iv = rng.randbytes(rng.choice((12, rng.randint(8, 128))))
        aad, text = rng.randbytes(rng.randint(0, 200)), rng.randbytes(rng.randint(0, 300))
        tag_bytes = rng.choice(TAG_BYTES)
        ciphertext, tag = openssl(key, iv, text, aad)
        assert encrypt(key, iv, text, aad, tag_bytes=tag_bytes) == (ciphertext, tag[:tag_bytes])
        assert decrypt(key, iv, ciphertext, aad, tag=tag[:tag_bytes]) == text


def test_cases_4_5_and_6_of_mcgrew_and_viega() -> None:
    """One packet under IVs of 96, 64 and 480 bits (The Galois/Counter Mode, appendix B)."""
    key = bytes.fromhex("feffe9928665731c6d6a8f9467308308")
    aad = bytes.fromhex("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    text = bytes.fromhex(
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
        "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
    )
    long_iv = bytes.fromhex(
        "9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728"
        "c3c0c95156809539fcf0e2429a6b525416aedbf5a0de6a57a637b39b"
    )
    tags = {
        bytes.fromhex("cafebabefacedbaddecaf888"): "5bc94fbc3221a5db94fae95ae7121a47",
        bytes.fromhex("cafebabefacedbad"): "3612d2e79e3b0785561be14aaca2fccb",
        long_iv: "619cc5aefffe0bfa462af43c1699d050",
    }
    for iv, tag in tags.items():
        assert encrypt(key, iv, text, aad)[1].hex() == tag


def test_any_one_flipped_bit_is_rejected_with_the_same_answer() -> None:
    rng = random.Random(4)
    key, iv, aad, text = (rng.randbytes(n) for n in (16, 12, 5, 6))
    ciphertext, tag = encrypt(key, iv, text, aad, tag_bytes=4)
    whole = iv + aad + ciphertext + tag
    for bit in range(len(whole) * 8):
        bad = (int.from_bytes(whole, "big") ^ 1 << bit).to_bytes(len(whole), "big")
        assert decrypt(key, bad[:12], bad[17:23], bad[12:17], tag=bad[23:]) is None


def test_the_counter_wraps_within_its_32_bits() -> None:
    assert inc32(2**128 - 1) == (2**96 - 1) << 32
    key, text, aad = bytes(range(16)), bytes(range(100)), b"header"
    h = encrypt_block(key_expansion(key), 0)
    for low_word in (0xFFFF_FFFF, 0xFFFF_FFFE, 0xFFFF_FFFC):
        j0 = 0x0123456789ABCDEF01234567 << 32 | low_word
        iv = iv_for_counter(h, j0)
        assert initial_counter(h, iv) == j0
        assert encrypt(key, iv, text, aad) == openssl(key, iv, text, aad)


@pytest.mark.parametrize("tag_bytes", sorted(set(range(18)) - set(TAG_BYTES)))
def test_other_tag_lengths_are_refused(tag_bytes: int) -> None:
    message = f"tag of {tag_bytes} bytes: GCM allows 4, 8, 12, 13, 14, 15, 16"
    with pytest.raises(ValueError, match=message):
        encrypt(bytes(16), bytes(12), b"", tag_bytes=tag_bytes)
    with pytest.raises(ValueError, match=message):
        decrypt(bytes(16), bytes(12), b"", tag=bytes(tag_bytes))


def test_an_empty_iv_and_over_long_sections_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="IV of 0 bytes: GCM needs at least 1"):
        encrypt(bytes(16), b"", b"")
    monkeypatch.setattr(gcm, "MAX_TEXT_BYTES", 32)
    monkeypatch.setattr(gcm, "MAX_AAD_BYTES", 16)
    encrypt(bytes(16), bytes(12), bytes(32), bytes(16))
    with pytest.raises(ValueError, match="text of 33 bytes: GCM takes at most 32"):
        encrypt(bytes(16), bytes(12), bytes(33))
    with pytest.raises(ValueError, match="AAD of 17 bytes: GCM takes at most 16"):
        encrypt(bytes(16), bytes(12), b"", bytes(17))


def test_the_limits_are_those_of_sp_800_38d() -> None:
    assert gcm.MAX_TEXT_BYTES * 8 == 2**39 - 256
    assert gcm.MAX_AAD_BYTES * 8 == 2**64 - 8  # whole bytes within 2^64 - 1 bits
