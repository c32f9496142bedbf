# SPDX-License-Identifier: Apache-2.0
"""Packets on the bus of a core with many streams: their beats in any order, and what has to leave.

A packet is a command and beats of data, all of one stream. Beats of packets of different streams
stand in any order; those of one stream keep theirs. As the core never changes the order of beats,
every word of text and every answer is known beforehand, one by one. Expected values are those of
`cryptography`, by gcmforge.sim.reference.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gcmforge.config.codes import Status
from gcmforge.sim import reference

TEXT_FIELDS = ("tdata", "tkeep", "tlast", "tid")
TAG_FIELDS = ("tid", "tag", "status")
AAD, TEXT, COMMAND = range(3)
"""On bits 1:0 of s_axis_tuser."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Beat:
    """One beat of data as it is offered."""

    data: bytes
    text: bool
    last: bool = False
    refuse: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Packet:
    """What is sent on one stream. `cut`: so many beats of it come, and then it is broken off."""

    stream: int
    context: int = 0
    iv: bytes = bytes(12)
    aad: bytes = b""
    text: bytes = b""
    decrypt: bool = False
    tag: bytes = bytes(16)
    tag_bytes: int = 16
    iv_good: bool = True
    command: bool = True
    refused_at: int | None = None
    """The beat that its sender refuses."""
    cut: int | None = None

    @property
    def beats(self) -> tuple[Beat, ...]:
        """Those of data that come."""
        sections = ((False, self.aad), (True, self.text))
        found = [
            Beat(data=section[at : at + 16], text=text)
            for text, section in sections
            for at in range(0, len(section), 16)
        ] or [Beat(data=b"", text=False)]
        return tuple(
            Beat(
                data=beat.data, text=beat.text, last=number + 1 == len(found),
                refuse=number == self.refused_at,
            )
            for number, beat in enumerate(found)
        )[: self.cut]  # fmt: skip


Out = tuple[bytes, bool]
"""Bytes of a beat of text that leaves, and whether it is the last one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What a packet has to give: for each beat of data what leaves with it, if anything; whether an
    end without a byte leaves when it is broken off; its answer."""

    outs: tuple[Out | None, ...]
    ends: bool
    tag: bytes
    status: Status


def refusal(packet: Packet, key: bytes | None) -> Status:
    """What is wrong with the packet from its command on."""
    if not packet.command:
        return Status.BAD_FRAME
    if key is None:
        return Status.NO_KEY
    if not packet.iv_good:
        return Status.BAD_IV
    if packet.tag_bytes not in (4, 8, *range(12, 17)):
        return Status.BAD_TAG_LENGTH
    return Status.OK


def outcome(packet: Packet, key: bytes | None, limits: tuple[int, int] | None = None) -> Outcome:
    """With that key in its context, None for none; `limits` of AAD and of text in bytes."""
    beats, status = packet.beats, refusal(packet, key)
    good = len(beats)  # beats before the first that is wrong
    if status is not Status.OK:
        good = 0
    elif packet.refused_at is not None and packet.refused_at < len(beats):
        good, status = packet.refused_at, Status.BAD_FRAME
    if status in (Status.OK, Status.BAD_FRAME) and limits and packet.command:
        for number, beat in enumerate(beats[:good]):
            upto = b"".join(b.data for b in beats[: number + 1] if b.text == beat.text)
            if len(upto) > limits[beat.text]:
                good, status = number, Status.TOO_LONG
                break
    sent = {
        text: b"".join(beat.data for beat in beats[:good] if beat.text == text)
        for text in (False, True)
    }
    made, tag = b"", bytes(16)
    if good or status is Status.OK:
        assert key is not None
        answer = reference.answer(
            key=key, decrypt=packet.decrypt, iv=packet.iv, aad=sent[False], text=sent[True],
            tag=packet.tag[: packet.tag_bytes], tag_bytes=packet.tag_bytes,
        )  # fmt: skip
        made = answer.text
        if status is Status.OK:
            status, tag = answer.status, (answer.tag or b"").ljust(16, b"\0")
    cut = packet.cut is not None
    if cut and status in (Status.OK, Status.AUTH_FAIL):
        status, tag = Status.BAD_FRAME, bytes(16)
    outs, at, left = list[Out | None](), 0, False
    for number, beat in enumerate(beats):
        ends = beat.last and not cut
        if not beat.text or not beat.data:
            outs.append((b"", True) if ends and left else None)
            continue
        size = len(beat.data)
        outs.append((made[at : at + size] if number < good else bytes(size), ends))
        at, left = at + size, True
    return Outcome(outs=tuple(outs), ends=cut and left, tag=tag, status=status)


# ---- beats ---------------------------------------------------------------------------------------

Place = tuple[int, int]
"""Number of a packet, and of its beat of data; -1 for its command."""


def places(packets: Sequence[Packet], number: int) -> Iterator[Place]:
    """The beats of a packet."""
    packet = packets[number]
    first = 0 if not packet.command else -1
    yield from ((number, beat) for beat in range(first, len(packet.beats)))


def interleaved(
    packets: Sequence[Packet],
    rng: random.Random,
    *,
    turns: bool = False,
    rest: float = 0.0,
    stays: float = 0.0,
) -> list[Place]:
    """Every packet's beats, those of each stream in order; a stream is chosen at random for each
    beat, or by `turns` each in its turn. `rest`: part of the streams that come seldom. `stays`: how
    often the next beat is of the same stream."""
    queues: dict[int, list[Place]] = {}
    for number, packet in enumerate(packets):
        queues.setdefault(packet.stream, []).extend(places(packets, number))
    seldom = {stream for stream in queues if rng.random() < rest}
    queues = {stream: queue[::-1] for stream, queue in queues.items()}  # the next one at the end
    left, found, turn = list(queues), list[Place](), 0
    while left:
        turn = turn % len(left) if turns else rng.randrange(len(left))
        stream = left[turn]
        if stream in seldom and rng.random() < 0.98 and not seldom.issuperset(left):
            turn += 1
            continue
        found.append(queues[stream].pop())
        while queues[stream] and rng.random() < stays:
            found.append(queues[stream].pop())
        if queues[stream]:
            turn += 1
        else:
            left.pop(turn)
    return found


def cuts(packets: Sequence[Packet], order: Sequence[Place]) -> int:
    """How often a packet is cut and goes on later: beats of others stand between two of its own."""
    ends = [len(packet.beats) - 1 for packet in packets]
    return sum(
        beat < ends[number] and following != number
        for (number, beat), (following, _) in pairwise(order)
    )


def words(packets: Sequence[Packet], order: Iterable[Place]) -> list[dict[str, int]]:
    """For s_axis. What has no meaning is noise."""
    noise = random.Random(len(packets))
    return [_word(packets[number], beat, noise) for number, beat in order]


def _word(packet: Packet, beat: int, noise: random.Random) -> dict[str, int]:
    bits, flag = noise.getrandbits, noise.getrandbits(1)
    word = {
        "tid": packet.stream, "tag": bits(128), "context": 0, "decrypt": flag, "iv_bytes": bits(16),
        "tag_bytes": bits(5),
    }  # fmt: skip
    if beat < 0:
        word |= {
            "tdata": int.from_bytes(packet.iv, "little") | bits(32) << 96, "tkeep": bits(16),
            "tuser": COMMAND, "tlast": flag, "context": packet.context,
            "decrypt": packet.decrypt, "iv_bytes": 12 if packet.iv_good else flag * 16,
            "tag_bytes": packet.tag_bytes,
        }  # fmt: skip
    else:
        one = packet.beats[beat]
        data = one.data + noise.randbytes(16 - len(one.data))
        word |= {
            "tdata": int.from_bytes(data, "little"), "tkeep": (1 << len(one.data)) - 1,
            "tuser": (TEXT if one.text else AAD) + 4 * one.refuse, "tlast": one.last,
        }  # fmt: skip
        if one.last:
            word["tag"] = int.from_bytes(packet.tag, "little")
    return {f"s_axis_{name}": int(value) for name, value in word.items()}


def awaited(
    packets: Sequence[Packet], order: Iterable[Place], outcomes: Sequence[Outcome]
) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """Words of text and of answers, in order, as TEXT_FIELDS and TAG_FIELDS name them."""
    text, tags = list[tuple[int, ...]](), list[tuple[int, ...]]()
    broken: dict[int, Outcome] = {}  # of each stream: the packet that the next command breaks off
    for number, beat in order:
        packet, result = packets[number], outcomes[number]
        stream = packet.stream
        if beat < 0:
            if before := broken.pop(stream, None):
                if before.ends:
                    text.append((0, 0, 1, stream))
                tags.append((stream, 0, before.status.value))
            if packet.cut is not None:
                broken[stream] = result
            continue
        out = result.outs[beat]
        if out is not None:
            data, last = out
            keep = (1 << len(data)) - 1
            text.append((int.from_bytes(data, "little"), keep, int(last), stream))
        if packet.beats[beat].last and packet.cut is None:
            tag = int.from_bytes(result.tag, "little")
            tags.append((stream, tag, result.status.value))
    return text, tags


def differences(
    what: str, got: Sequence[tuple[int, ...]], wanted: Sequence[tuple[int, ...]]
) -> Iterator[str]:
    """Each word that is not as it has to be, and whether there are too few or too many."""
    for number, (one, other) in enumerate(zip(got, wanted, strict=False)):
        if one != other:
            yield f"{what} {number}: {tuple(map(hex, one))}, not {tuple(map(hex, other))}"
    if len(got) != len(wanted):
        yield f"{len(got)} words of {what}, not {len(wanted)}"
