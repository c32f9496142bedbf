# SPDX-License-Identifier: Apache-2.0
"""Whole cores with a GHASH for one key: NIST vectors of that key pass, other keys are refused."""

import dataclasses
import random
import stat

import pytest

from gcmforge.config import CoreConfig
from gcmforge.emit import open_core
from gcmforge.emit.core import BuildError
from gcmforge.sim import reference
from gcmforge.sim.core import Core
from gcmforge.sim.operations import LoadKey, Packet, Status
from gcmforge.sim.vectors import parse_vectors, vector_operations
from gcmforge.sim.verify import nist_files
from gcmforge.specialise import subkey_of_key
from gcmforge.specialise.core import specialise_core

pytestmark = pytest.mark.slow

CONFIG = CoreConfig(
    lanes=2, key_sizes=(128, 256), aes="loop", aes_rounds=7, sbox="table",
    key_schedule="travelling", contexts=4, ghash_stages=3,
)  # fmt: skip


def nist_vectors(name):
    (path,) = (path for path in nist_files() if path.name == name)
    return list(parse_vectors(path))


@pytest.fixture(scope="module")
def chosen():
    """A vector with AAD, text of more than a beat and an IV of another length than 96 bits."""
    return next(
        v for v in nist_vectors("gcmEncryptExtIV128.rsp")
        if len(v.aad) > 32 and len(v.text) > 32 and len(v.iv) != 12
    )  # fmt: skip


@pytest.fixture(scope="module")
def core(tmp_path_factory, chosen):
    path = tmp_path_factory.mktemp("fixed") / "core"
    return specialise_core(subkey_of_key(chosen.key), CONFIG, path, effort="quick")


def random_packet(rng, key, number):
    """Lengths that end everywhere in a beat, in both directions; some with a wrong tag."""
    iv, aad, plain = (rng.randbytes(n) for n in (12, rng.randrange(70), rng.randrange(150)))
    text, tag = reference.seal(key, iv, plain, aad, length_first=False)
    decrypt = bool(rng.getrandbits(1))
    if decrypt and rng.random() < 0.3:
        tag = bytes([tag[0] ^ 1]) + tag[1:]
    given = text if decrypt else plain
    sent = tag if decrypt else None
    expect = reference.answer(
        key=key, decrypt=decrypt, iv=iv, aad=aad, text=given, tag=sent, tag_bytes=16,
        length_first=False,
    )  # fmt: skip
    return Packet(
        context=0, decrypt=decrypt, iv=iv, aad=aad, text=given, tag=sent, tag_bytes=16,
        expect=expect, label=f"random packet {number}",
    )  # fmt: skip


def refused(operation):
    if isinstance(operation, LoadKey):
        return operation
    return dataclasses.replace(operation, expect=reference.refusal(operation.text, Status.NO_KEY))


def test_nist_vectors_of_the_key_pass_and_those_of_other_keys_are_refused(core, chosen):
    others = [v for v in nist_vectors("gcmDecrypt128.rsp")[::200] if v.key != chosen.key]
    before, own, after = (
        vector_operations(vectors, core.config).operations
        for vectors in (others[:20], [chosen], others[20:])
    )
    rng = random.Random(1)
    traffic = [random_packet(rng, chosen.key, number) for number in range(300)]
    long_key = [LoadKey(context=0, key=chosen.key + chosen.key), refused(traffic[0])]
    operations = [
        *map(refused, before), *own, *traffic, *map(refused, after), *own, *long_key, *own,
    ]  # fmt: skip
    result = Core(core.path).run(operations)
    assert result.failures == ()
    assert result.hang is None
    assert result.passed == len([o for o in operations if isinstance(o, Packet)])


def test_what_is_compiled_of_it_stays_in_its_folder(core, tmp_path, monkeypatch):
    monkeypatch.setenv("GCMFORGE_CACHE", str(tmp_path / "cache"))
    library = Core(core.path).library()
    assert library.is_relative_to(core.path / "bench" / "sim_build")
    assert not (tmp_path / "cache" / "sim").exists()
    assert open_core(core.path).proofs  # and is no change of the core
    assert stat.S_IMODE(core.path.stat().st_mode) == 0o700


def test_the_folder_says_that_it_is_key_material(core):
    text = (core.path / "README.md").read_text()
    assert "**This folder contains key material.**" in text
    assert "make -C bench" not in text  # its vectors have other keys, which the core refuses
    assert not any(name.startswith("bench/") for name in open_core(core.path).files)
    assert stat.S_IMODE((core.path / "gen/gf128_fixed.sv").stat().st_mode) == 0o600


def test_a_changed_core_is_not_replaced(core):
    (core.path / "README.md").write_text("changed")
    with pytest.raises(BuildError, match="was changed"):
        specialise_core(subkey_of_key(bytes(16)), CONFIG, core.path, effort="quick")
