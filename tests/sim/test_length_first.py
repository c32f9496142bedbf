# SPDX-License-Identifier: Apache-2.0
"""A whole core with ghash=serial_length_first: right by Yang 2005, and never taken for AES-GCM."""

import json
from pathlib import Path
from random import Random

import cryptography_vectors
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, aead, algorithms, modes

from gcmforge import cli
from gcmforge.config import CoreConfig
from gcmforge.model import gf_mult
from gcmforge.sim import AESGCM, verify
from gcmforge.sim.aead import built

pytestmark = pytest.mark.slow

CONFIG = CoreConfig(
    aes="loop", ghash="serial_length_first", tags_not_of_gcm="yes", iv="96", contexts=3
)
NIST_FILE = Path(cryptography_vectors.__file__).parent / "ciphers/AES/GCM/gcmEncryptExtIV128.rsp"
WYCHEPROOF_FILE = Path(__file__).parents[1] / "data/aes_gcm_edge_cases.json"


@pytest.fixture(scope="module")
def folder():
    return built(CONFIG)


@pytest.mark.parametrize("stalls", ["none", "both"])
def test_random_traffic_passes(folder, stalls):
    report = verify(folder, packets=400, seed=5, stalls=stalls)
    assert report.ok, report.failures
    assert report.passed == 400
    assert report.summary.endswith("tags are not those of SP 800-38D")


@pytest.mark.parametrize(
    "asked", [("--nist",), ("--vectors", str(NIST_FILE)), ("--vectors", str(WYCHEPROOF_FILE))]
)
def test_vectors_are_refused(folder, asked, capsys):
    with pytest.raises(SystemExit) as end:
        cli.main(["verify", str(folder), *asked])
    out, err = capsys.readouterr()
    assert end.value.code == 1
    assert out == ""
    assert "vectors have the tags of SP 800-38D" in err
    assert "use random packets (--random N), or build a core with ghash=aggregated" in err


def tag_of_two_and_a_bit_blocks(key: bytes, nonce: bytes, aad: bytes, ciphertext: bytes) -> bytes:
    """Equation (3) written out for one block of AAD and two of text, the second not full."""
    ecb = lambda block: Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(block)  # noqa: E731
    h = int.from_bytes(ecb(bytes(16)), "big")
    padded = [aad.ljust(16, b"\0"), ciphertext[:16], ciphertext[16:].ljust(16, b"\0")]
    a_1, c_1, c_2 = (int.from_bytes(block, "big") for block in padded)
    lengths = 8 * len(aad) << 64 | 8 * len(ciphertext)
    x_2 = gf_mult(gf_mult(a_1, h) ^ lengths, h)
    x_4 = gf_mult(gf_mult(x_2 ^ c_1, h) ^ c_2, h)
    return (x_4 ^ int.from_bytes(ecb(nonce + b"\0\0\0\1"), "big")).to_bytes(16, "big")


def test_its_text_is_that_of_gcm_and_its_tag_that_of_equation_3(folder):
    rng = Random(3)
    key, nonce, aad, text = (rng.randbytes(n) for n in (16, 12, 9, 21))
    with AESGCM(folder, key) as ours:
        sealed = ours.encrypt(nonce, text, aad)
        assert ours.decrypt(nonce, sealed, aad) == text
    standard = aead.AESGCM(key).encrypt(nonce, text, aad)
    assert sealed[:-16] == standard[:-16]
    assert sealed[-16:] != standard[-16:]
    assert sealed[-16:] == tag_of_two_and_a_bit_blocks(key, nonce, aad, sealed[:-16])


def test_its_folder_says_so(folder):
    readme = (folder / "README.md").read_text()
    assert "**This core's tags are not those of SP 800-38D: it is not AES-GCM.**" in readme
    assert "--nist" not in readme
    for file in ("gen/gcm_axis.sv", "gen/gcm_ghash.sv", "gcm_axis.core"):
        assert "tags are not those of SP 800-38D" in (folder / file).read_text(), file
    vectors = json.loads((folder / "bench/vectors.json").read_text())["vectors"]
    assert all("its tag is by Yang 2005, equation (3)" in vector["source"] for vector in vectors)
