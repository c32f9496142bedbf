# SPDX-License-Identifier: Apache-2.0
"""The AEAD class on simulated RTL against `cryptography`."""

from random import Random

import pytest
from cryptography import exceptions
from cryptography.hazmat.primitives.ciphers import aead

from gcmforge.config import ConfigError, CoreConfig
from gcmforge.config.presets import preset
from gcmforge.sim import AESGCM, Core, InvalidTag
from gcmforge.sim.aead import built

SEED = 99


@pytest.mark.parametrize("key_bytes", [16, 24, 32])
def test_it_seals_and_opens_as_cryptography_does(key_bytes):
    random = Random(SEED + key_bytes)
    key = random.randbytes(key_bytes)
    reference = aead.AESGCM(key)
    with AESGCM("small", key) as ours:
        for data_bytes, aad_bytes, nonce_bytes in (
            (0, 0, 12),
            (1, 0, 8),
            (0, 20, 12),
            (333, 7, 60),
        ):
            nonce, data = random.randbytes(nonce_bytes), random.randbytes(data_bytes)
            associated = random.randbytes(aad_bytes) or None
            sealed = ours.encrypt(nonce, data, associated)
            assert sealed == reference.encrypt(nonce, data, associated)
            assert ours.decrypt(nonce, sealed, associated) == data


def test_anything_changed_is_an_invalid_tag_and_the_next_packet_is_fine():
    with AESGCM("small", AESGCM.generate_key(128)) as ours:
        sealed = ours.encrypt(b"n" * 12, b"data", b"associated")
        for position in range(len(sealed)):
            forged = bytearray(sealed)
            forged[position] ^= 1
            with pytest.raises(exceptions.InvalidTag):
                ours.decrypt(b"n" * 12, forged, b"associated")
        with pytest.raises(InvalidTag):
            ours.decrypt(b"m" * 12, sealed, b"associated")
        with pytest.raises(InvalidTag):
            ours.decrypt(b"n" * 12, sealed, None)
        with pytest.raises(InvalidTag):
            ours.decrypt(b"n" * 12, sealed[:15], b"associated")
        assert ours.decrypt(b"n" * 12, sealed, b"associated") == b"data"


def test_it_takes_a_folder_a_configuration_or_a_core():
    folder = built(preset("small"))
    key = bytes(16)
    sealed = {
        AESGCM(core, key).encrypt(b"n" * 12, b"x", None)
        for core in (folder, str(folder), preset("small"), Core(folder))
    }
    assert sealed == {aead.AESGCM(key).encrypt(b"n" * 12, b"x", None)}


def test_a_core_is_built_once_for_a_configuration(monkeypatch):
    folder = built(CoreConfig.from_mapping(preset("small").to_mapping()))
    monkeypatch.setattr("gcmforge.emit.build_core", None)
    assert built(preset("small")) == folder


def test_refusals_say_what_is_allowed(tmp_path):
    with pytest.raises(ConfigError, match=r"smal.*did you mean small.*folder"):
        AESGCM("smal", bytes(16))
    with pytest.raises(FileNotFoundError, match=r"core\.toml"):
        AESGCM(tmp_path, bytes(16))
    with pytest.raises(ValueError, match="keys of 128, 192, 256 bits"):
        AESGCM("small", bytes(17))
    with (
        AESGCM("small", bytes(16)) as ours,
        pytest.raises(ValueError, match="nonce of 0 bytes: this core takes 1 to 65535"),
    ):
        ours.encrypt(b"", b"", None)


def test_a_closed_one_is_not_used_again():
    ours = AESGCM("small", bytes(16))
    ours.close()
    ours.close()
    with pytest.raises(ValueError, match="closed"):
        ours.encrypt(b"n" * 12, b"", None)
