# SPDX-License-Identifier: Apache-2.0
"""Frames on s_axis beat by beat: those that follow its rules, ways to break them, and the answer.

A core must answer every frame. What it answers is read here from the rules of the stream alone:
AAD, then text; only a section's last beat may be without some of its bytes; no holes in tkeep; AAD
with the first beat only, and only with text or nothing; as many beats of text as the command tells,
where it does.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from gcmforge.sim import reference
from gcmforge.sim.operations import Abilities, Expected, Packet, Status
from gcmforge.sim.packing import Beat, FramedPacket, Stops, has_holes

REFUSED_AT_ONCE = (
    Status.NO_KEY, Status.BAD_IV, Status.BAD_TAG_LENGTH, Status.BAD_DIRECTION,
)  # fmt: skip
"""Known from the command: then nothing that the frame does changes the status."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """What a frame says: `aad` and `text` come before the first beat that breaks a rule."""

    aad: bytes
    text: bytes
    first_bad: int | None


def read_frame(beats: Sequence[Beat], beat_bytes: int, said: int | None = None) -> Reading:
    """The sections of a frame up to the first broken rule; `said`: beats of text, from its command,
    None where commands do not say it."""
    aad = text = b""
    left = said
    in_text = ended = False  # ended: the section cannot go on
    for number, beat in enumerate(beats):
        beside_wrong = beat.aad_keep and (number > 0 or (beat.keep and not beat.text))
        goes_back = in_text and not beat.text
        goes_on = ended and beat.text == in_text
        wrong_beats = False
        if left is not None:
            left -= beat.text and beat.keep != 0
            wrong_beats = left < 0 or (number + 1 == len(beats) and left > 0)
        holes = has_holes(beat.keep) or has_holes(beat.aad_keep)
        if holes or beside_wrong or goes_back or goes_on or wrong_beats:
            return Reading(aad=aad, text=text, first_bad=number)
        kept = beat.data[: beat.keep.bit_length()]
        aad += beat.aad[: beat.aad_keep.bit_length()] + (b"" if beat.text else kept)
        text += kept if beat.text else b""
        in_text = in_text or beat.text or beat.aad_keep != 0
        ended = len(kept) < beat_bytes
    return Reading(aad=aad, text=text, first_bad=None)


def frame_of(rng: Random, core: Abilities, packet: Packet) -> list[Beat]:
    """The packet's beats; bytes that are not there are noise."""
    size = 16 * core.lanes
    aside = 0 < len(packet.aad) <= 16 * core.aad_lanes and rng.random() < 0.7
    beats = [
        _beat(rng, section[at : at + size], text=text, size=size)
        for text, section in ((False, b"" if aside else packet.aad), (True, packet.text))
        for at in range(0, len(section), size)
    ] or [_beat(rng, b"", text=aside or rng.random() < 0.5, size=size)]
    if aside:
        beats[0] = replace(beats[0], aad=packet.aad, aad_keep=(1 << len(packet.aad)) - 1)
    return beats


def _beat(rng: Random, data: bytes, *, text: bool, size: int) -> Beat:
    return Beat(data=data + rng.randbytes(size - len(data)), keep=(1 << len(data)) - 1, text=text)


# Ways to break the rules --------------------------------------------------------------------------

Break = Callable[[Random, list[Beat], Abilities], None]


def _hole(rng: Random, beats: list[Beat], core: Abilities) -> None:
    size = 16 * core.lanes
    at, keep = rng.randrange(len(beats)), rng.getrandbits(size)
    if rng.random() < 0.7:
        keep = (1 << rng.randint(2, size)) - 1
        keep ^= 1 << rng.randrange(keep.bit_length() - 1)
    beats[at] = replace(beats[at], keep=keep)


def _shorten(rng: Random, beats: list[Beat], core: Abilities) -> None:
    at = rng.randrange(len(beats))
    beats[at] = replace(beats[at], keep=(1 << rng.choice((0, rng.randrange(16 * core.lanes)))) - 1)


def _turn(rng: Random, beats: list[Beat], core: Abilities) -> None:
    at = rng.randrange(len(beats))
    beats[at] = replace(beats[at], text=not beats[at].text)


def _insert(rng: Random, beats: list[Beat], core: Abilities) -> None:
    size = 16 * core.lanes
    data = rng.randbytes(rng.choice((0, size, rng.randint(1, size))))
    beat = _beat(rng, data, text=rng.random() < 0.5, size=size)
    beats.insert(rng.randint(0, len(beats)), beat)


def _end_early(rng: Random, beats: list[Beat], core: Abilities) -> None:
    del beats[rng.randint(1, len(beats)) :]


def _end_late(rng: Random, beats: list[Beat], core: Abilities) -> None:
    """The frame of the next packet after it, as if tlast were lost between them."""
    size = 16 * core.lanes
    for text in (False, True):
        for _ in range(rng.randint(0, 2)):
            beats.append(_beat(rng, rng.randbytes(rng.choice((size, 5))), text=text, size=size))


def _swap(rng: Random, beats: list[Beat], core: Abilities) -> None:
    first, second = rng.randrange(len(beats)), rng.randrange(len(beats))
    beats[first], beats[second] = beats[second], beats[first]


def _aside(rng: Random, beats: list[Beat], core: Abilities) -> None:
    size = 16 * core.aad_lanes
    if size == 0:
        return
    at, keep = rng.randrange(len(beats)), (1 << rng.randint(0, size)) - 1
    keep ^= (rng.random() < 0.3) << rng.randrange(size)
    beats[at] = replace(beats[at], aad=rng.randbytes(size), aad_keep=keep)


BREAKS: dict[str, Break] = {
    "hole in tkeep": _hole,
    "beat cut short": _shorten,
    "wrong section": _turn,
    "beat too much": _insert,
    "early tlast": _end_early,
    "late tlast": _end_late,
    "beats swapped": _swap,
    "AAD with a beat": _aside,
}


# A packet with such a frame -----------------------------------------------------------------------


def with_broken_frame(rng: Random, core: Abilities, packet: Packet, key: bytes | None) -> Packet:
    """The packet with a frame that was changed in one to three ways and mostly breaks a rule.

    `key` is what its context holds, None if the command is refused for it. The packet itself where
    the frame would cross one of the core's limits.
    """
    beats = frame_of(rng, core, packet)
    done = []
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        name = rng.choice([name for name in BREAKS if name != "AAD with a beat" or core.aad_lanes])
        BREAKS[name](rng, beats, core)
        done.append(name)
    if (
        _bytes(beats, text=False) > core.max_aad_bytes
        or _bytes(beats, text=True) > core.max_text_bytes
    ):
        return packet
    said = _said(rng, core, packet, beats)
    if said is not None and said != -(-len(packet.text) // (16 * core.lanes)):
        done.append(f"{said} beats of text said")
    expect = frame_answer(core, packet, key, beats, said)
    return framed(packet, beats, expect, f"frame: {', '.join(done)}", said=said)


def framed(
    packet: Packet,
    beats: Sequence[Beat],
    expect: Expected,
    what: str,
    *,
    said: int | None = None,
    stops: Stops | None = None,
) -> FramedPacket:
    """The packet in these beats, which must be answered so; `what` goes into its label."""
    return FramedPacket(
        context=packet.context, decrypt=packet.decrypt, iv=packet.iv, aad=b"", text=b"",
        tag=packet.tag, tag_bytes=packet.tag_bytes, beats=tuple(beats), said=said, stops=stops,
        expect=expect, label=f"{packet.label}, {what}",
    )  # fmt: skip


def _bytes(beats: Sequence[Beat], *, text: bool) -> int:
    aside = 0 if text else sum(beat.aad_keep.bit_count() for beat in beats)
    return aside + sum(beat.keep.bit_count() for beat in beats if beat.text == text)


def _said(rng: Random, core: Abilities, packet: Packet, beats: Sequence[Beat]) -> int | None:
    """What the command says of the frame: its beats of text before it was changed, those that
    there are, a few more or less, or many more; nothing on most cores."""
    if not core.ahead:
        return None
    before = -(-len(packet.text) // (16 * core.lanes))
    there = sum(beat.text and beat.keep != 0 for beat in beats)
    near, many = max(0, there + rng.randint(-2, 3)), there + (1 << rng.randint(5, 31))
    return rng.choice((before, before, there, near, many))


def frame_answer(
    core: Abilities,
    packet: Packet,
    key: bytes | None,
    beats: Sequence[Beat],
    said: int | None = None,
) -> Expected:
    """What a core must answer to the packet's command with these beats: text of the beats before
    the first broken rule, zeros from there on. Of a beat with holes the whole beat is counted."""
    size = 16 * core.lanes
    widths = [_width(beat, size) for beat in beats]
    if packet.expect.status in REFUSED_AT_ONCE or key is None:
        return reference.refusal(bytes(sum(widths)), packet.expect.status)
    reading = read_frame(beats, size, said)
    answer = reference.answer(
        key=key, decrypt=packet.decrypt, iv=packet.iv, aad=reading.aad, text=reading.text,
        tag=packet.tag, tag_bytes=packet.tag_bytes, length_first=core.length_first,
    )  # fmt: skip
    if reading.first_bad is None:
        return answer
    zeros = bytes(sum(widths[reading.first_bad :]))
    return Expected(text=answer.text + zeros, tag=None, status=Status.BAD_FRAME)


def _width(beat: Beat, size: int) -> int:
    """Bytes of text that leave for it, at most."""
    if not beat.text:
        return 0
    return size if has_holes(beat.keep) else beat.keep.bit_count()
