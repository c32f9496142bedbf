# SPDX-License-Identifier: Apache-2.0
"""Section limits: the longest allowed passes, a byte more is TOO_LONG with zeros from there on."""

import pytest

from gcmforge.config import CoreConfig
from gcmforge.sim import Core, Expected, LoadKey, Packet, Stalls, Status, reference
from gcmforge.sim.aead import built

pytestmark = pytest.mark.slow

KEY, IV = bytes(range(32)), bytes(range(12))
MAX_TEXT, MAX_AAD = 64, 40


@pytest.fixture(scope="module")
def core() -> Core:
    config = CoreConfig(aes="loop", ghash="serial", max_text_bytes=MAX_TEXT, max_aad_bytes=MAX_AAD)
    return Core(built(config))


def packet(aad_bytes: int, text_bytes: int) -> Packet:
    aad, text = b"a" * aad_bytes, b"t" * text_bytes
    expect = reference.answer(
        key=KEY, decrypt=False, iv=IV, aad=aad, text=text, tag=None, tag_bytes=16
    )
    if aad_bytes > MAX_AAD:
        expect = Expected(text=bytes(text_bytes), tag=None, status=Status.TOO_LONG)
    elif text_bytes > MAX_TEXT:
        shown = expect.text[:MAX_TEXT] + bytes(text_bytes - MAX_TEXT)
        expect = Expected(text=shown, tag=None, status=Status.TOO_LONG)
    return Packet(
        context=0, decrypt=False, iv=IV, aad=aad, text=text, tag=None, tag_bytes=16,
        expect=expect, label=f"{aad_bytes} bytes of AAD, {text_bytes} of text",
    )  # fmt: skip


@pytest.mark.parametrize("stalls", ["none", "both"])
def test_a_byte_above_a_limit_is_refused_and_the_limit_is_not(core, stalls):
    operations = [LoadKey(context=0, key=KEY)]
    for aad_bytes in (0, MAX_AAD - 1, MAX_AAD, MAX_AAD + 1, 3 * MAX_AAD):
        for text_bytes in (0, MAX_TEXT - 1, MAX_TEXT, MAX_TEXT + 1, MAX_TEXT + 33):
            operations.append(packet(aad_bytes, text_bytes))
    result = core.run(operations, stalls=Stalls.named(stalls), seed=3)
    assert result.clean, [str(failure) for failure in result.failures]
    assert result.passed == 25
