# SPDX-License-Identifier: Apache-2.0
"""Frames that break the rules of s_axis: BAD_FRAME, no tag, zeros from there on, and no hang."""

import pytest

from gcmforge.config.presets import preset
from gcmforge.sim import (
    Beat,
    Core,
    Expected,
    FramedPacket,
    LoadKey,
    Packet,
    Stalls,
    Status,
    reference,
)
from gcmforge.sim.aead import built

KEY, IV = bytes(range(16)), bytes(12)
FULL = 0xFFFF


def beat(keep: int = FULL, *, text: bool) -> Beat:
    return Beat(data=b"\xa5" * 16, keep=keep, text=text)


def good_packet() -> Packet:
    expect = reference.answer(
        key=KEY, decrypt=False, iv=IV, aad=b"aad", text=b"t" * 40, tag=None, tag_bytes=16
    )
    return Packet(
        context=0, decrypt=False, iv=IV, aad=b"aad", text=b"t" * 40, tag=None, tag_bytes=16,
        expect=expect, label="good packet",
    )  # fmt: skip


FRAMES = {
    "AAD after text": (beat(text=True), beat(text=False), beat(text=True)),
    "partial AAD beat before another": (beat(0x00FF, text=False), beat(text=False)),
    "partial text beat before another": (beat(0x00FF, text=True), beat(text=True)),
    "gap in tkeep of AAD": (beat(0xF0FF, text=False), beat(text=True)),
    "tkeep does not start at byte 0": (beat(0xFFFE, text=False),),
}


@pytest.mark.parametrize("stalls", ["none", "both"])
@pytest.mark.parametrize("name", FRAMES)
@pytest.mark.parametrize("decrypt", [False, True])
def test_a_bad_frame_is_refused_and_the_next_packet_is_right(name, stalls, decrypt):
    frame = FRAMES[name]
    # Text that left before the rule was broken is real, from there on it is zero.
    kept = [bin(b.keep).count("1") for b in frame if b.text]
    stream = reference.seal(KEY, IV, b"\xa5" * 16)[0]
    first_is_fine = name in ("AAD after text", "partial text beat before another")
    text = b""
    if first_is_fine:
        text, kept = stream[: kept[0]], kept[1:]
    text += bytes(sum(kept))
    bad = FramedPacket(
        context=0, decrypt=decrypt, iv=IV, aad=b"", text=b"", tag=bytes(16) if decrypt else None,
        tag_bytes=16, expect=Expected(text=text, tag=None, status=Status.BAD_FRAME),
        label=name, beats=frame,
    )  # fmt: skip
    core = Core(built(preset("small")))
    operations = [LoadKey(context=0, key=KEY), good_packet(), bad, bad, good_packet()]
    result = core.run(operations, stalls=Stalls.named(stalls), seed=5)
    assert result.clean, [str(failure) for failure in result.failures]
