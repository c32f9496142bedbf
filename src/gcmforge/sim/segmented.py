# SPDX-License-Identifier: Apache-2.0
"""Packets on the bus of a core with segments: laid out in its beats, and read from them again.

A packet is a list of segments; beats are filled with the segments of packets one after the other,
with gaps where they are asked for. What comes out is read segment by segment. Expected values are
those of `cryptography`, by gcmforge.sim.reference.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from gcmforge.config import CoreConfig
from gcmforge.config.codes import Status
from gcmforge.engines.gcm_segments.engine import SEGMENTS, blocks
from gcmforge.sim import reference

TEXT_FIELDS = ("tdata", "ena", "sop", "eop", "mty")
TAG_FIELDS = ("tag", "ena", "status")


_STATUS = {status.value: status for status in Status}


@dataclass(frozen=True, kw_only=True)
class Part:
    """One segment as it is offered."""

    data: bytes = b""
    text: bool = False
    start: bool = False
    end: bool = False
    error: bool = False


@dataclass(frozen=True, kw_only=True)
class Packet:
    """What is to be sent, and what has to come: text byte for byte, tag, status."""

    iv: bytes
    aad: bytes = b""
    text: bytes = b""
    decrypt: bool = False
    tag: bytes = bytes(16)
    tag_bytes: int = 16
    iv_bytes: int = 12
    context: int = 0
    parts: tuple[Part, ...] | None = None
    """Segments, for frames out of the ordinary."""
    out: bytes = b""
    answer: bytes = bytes(16)
    status: Status = Status.OK

    def segments(self, size: int) -> tuple[Part, ...]:
        """As they are to be sent."""
        if self.parts is not None:
            return self.parts
        found = [
            Part(data=section[at : at + size], text=text)
            for text, section in ((False, self.aad), (True, self.text))
            for at in range(0, len(section), size)
        ] or [Part()]
        found[0] = replace(found[0], start=True)
        found[-1] = replace(found[-1], end=True)
        return tuple(found)


def sealed(key: bytes, packet: Packet) -> Packet:
    """To encrypt, with the right answer."""
    out, tag = reference.seal(key, packet.iv, packet.text, packet.aad)
    tag = tag[: packet.tag_bytes].ljust(16, b"\0")
    return replace(packet, decrypt=False, out=out, answer=tag)


def opened(key: bytes, packet: Packet, *, forged: bool = False) -> Packet:
    """The same packet to be decrypted again; forged: with one bit of its tag wrong."""
    good = sealed(key, packet)
    tag = bytes([good.answer[0] ^ forged]) + good.answer[1:]
    return replace(
        good, decrypt=True, text=good.out, out=packet.text, tag=tag, answer=bytes(16),
        status=Status.AUTH_FAIL if forged else Status.OK,
    )  # fmt: skip


def random_packet(
    rng: random.Random, keys: Sequence[bytes], *, longest: int = 100, size: int | None = None
) -> Packet:
    """Any direction, any lengths; every tenth one that is to be decrypted is forged."""
    context = rng.randrange(len(keys))
    aad = rng.randbytes(rng.choice((0, 0, 16, 20, rng.randint(0, longest))))
    text = rng.randbytes(rng.randint(0, longest) if size is None else size)
    packet = Packet(
        iv=rng.randbytes(12), aad=aad if size is None else b"", text=text, context=context,
        tag_bytes=rng.choice((16, 16, 12, 8, 4, 13)),
    )  # fmt: skip
    if rng.random() < 0.5:
        return sealed(keys[context], packet)
    return opened(keys[context], packet, forged=rng.random() < 0.1)


# ---- beats ---------------------------------------------------------------------------------------


Place = tuple[Packet, Part, bool]
"""A segment of a packet, and whether it is the first one, with its command."""


def offered(config: CoreConfig, packets: Iterable[Packet]) -> Iterator[Place]:
    """The segments of packets one after the other."""
    for packet in packets:
        for number, part in enumerate(packet.segments(16 * blocks(config))):
            yield packet, part, number == 0


def beats(
    config: CoreConfig, packets: Iterable[Packet], *, gap: Callable[[], bool] = lambda: False
) -> list[dict[str, int]]:
    """Words for s_axis: every segment in the next place, but for gaps; the last beat may have
    fewer."""
    return laid_out(config, packets, gap=gap)[0]


def laid_out(
    config: CoreConfig, packets: Iterable[Packet], *, gap: Callable[[], bool] = lambda: False
) -> tuple[list[dict[str, int]], list[int]]:
    """The same, and the beat in which each packet starts."""
    places: list[Place | None] = []
    starts, count = list[int](), config[SEGMENTS]
    for one in offered(config, packets):
        while gap():
            places.append(None)
        if one[2]:
            starts.append(len(places) // count)
        places.append(one)
    words = [_beat(config, places[at : at + count]) for at in range(0, len(places), count)]
    return words, starts


def _beat(config: CoreConfig, places: Sequence[Place | None]) -> dict[str, int]:
    size = 16 * blocks(config)
    empty_bits, context_bits = size.bit_length(), config.context_bits
    word: dict[str, int] = dict.fromkeys(
        ("tdata", "ena", "sop", "eop", "err", "mty", "text", "context", "decrypt", "iv",
         "iv_bytes", "tag_bytes", "tag"), 0,
    )  # fmt: skip
    noise = random.Random(len(places))
    for g, place in enumerate(places):
        if place is None:
            continue
        packet, part, first = place
        values: dict[str, tuple[bytes | int, int]] = {
            "tdata": (part.data + noise.randbytes(size - len(part.data)), 8 * size),
            "ena": (1, 1), "sop": (part.start, 1), "eop": (part.end, 1), "err": (part.error, 1),
            "mty": (size - len(part.data), empty_bits), "text": (part.text, 1),
        }  # fmt: skip
        if first:
            values |= {
                "context": (packet.context, context_bits), "decrypt": (packet.decrypt, 1),
                "iv": (packet.iv, 96), "iv_bytes": (packet.iv_bytes, 16),
                "tag_bytes": (packet.tag_bytes, 5),
            }  # fmt: skip
        if part.end:
            values["tag"] = (packet.tag, 128)
        for name, (value, bits) in values.items():
            number = int.from_bytes(value, "little") if isinstance(value, bytes) else int(value)
            word[name] |= number << (bits * g)
    return {f"s_axis_{name}": value for name, value in word.items()}


# ---- what came -----------------------------------------------------------------------------------


class BusError(ValueError):
    """The core's outputs break the rules of the bus."""


def texts(config: CoreConfig, got: Sequence[tuple[int, ...]]) -> list[bytes]:
    """Texts of packets, put together of the segments that came out."""
    size, found, open_ = 16 * blocks(config), list[bytes](), False
    bits = size.bit_length()
    for data, ena, sop, eop, mty in got:
        if not ena:
            raise BusError("a beat of text without a segment")
        for g in range(config[SEGMENTS]):
            part = (data >> (8 * size * g) & (1 << 8 * size) - 1).to_bytes(size, "little")
            if not ena >> g & 1:
                if (sop | eop) >> g & 1 or part != bytes(size):
                    raise BusError("a segment that is not used says something")
                continue
            if (sop >> g & 1) == open_:
                raise BusError("start and end of texts do not agree")
            kept = size - (mty >> (bits * g) & (1 << bits) - 1)
            if part[kept:] != bytes(size - kept):
                raise BusError("bytes that are not there are not zero")
            if open_:
                found[-1] += part[:kept]
            else:
                found.append(part[:kept])
            open_ = not eop >> g & 1
    if open_:
        raise BusError("a text without its end")
    return found


def answers(config: CoreConfig, got: Sequence[tuple[int, ...]]) -> list[tuple[bytes, Status]]:
    return [
        (
            (tag >> (128 * g) & (1 << 128) - 1).to_bytes(16, "little"),
            _STATUS[status >> (3 * g) & 7],
        )
        for tag, ena, status in got
        for g in range(config[SEGMENTS])
        if ena >> g & 1
    ]
