# SPDX-License-Identifier: Apache-2.0
"""Packets of every kind after packets of every kind, every status after every status, sections that
end at every byte of a beat, every short frame: what random packets come to late, always in the same
order."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from random import Random
from typing import TypeVar

from gcmforge.config import CoreConfig
from gcmforge.config.rates import cycles_per_packet
from gcmforge.model import TAG_BYTES, encrypt_block, iv_for_counter, key_expansion
from gcmforge.sim import reference
from gcmforge.sim.dice import Traffic, draw_tag_bytes
from gcmforge.sim.directions import decrypts, directions, misdirected, takes
from gcmforge.sim.edges import CARRIES
from gcmforge.sim.frames import frame_answer, frame_of, framed, with_broken_frame
from gcmforge.sim.operations import Abilities, Operation, Packet, Status
from gcmforge.sim.packing import Beat, FramedPacket
from gcmforge.sim.traffic import (
    CROSSED_LIMIT_BYTES,
    forged_packet,
    good_packet,
    load_key,
    refused_command,
    sealed_lengths,
    too_long_packet,
    usable_context,
)

T = TypeVar("T")

SEED = 39_000
REKEYED = 0.08
"""Key loads a packet."""

MOST_PACKETS = 8_000
_LOADS, _OVER = 3.5, 5
_BEATS, _EMPTY, _FULL, _CARRIED = 3, 300, 60, 6

NONE, PART, WHOLE = "no", "part", "whole"
"""A section without a byte, one whose last beat is not full, one of full beats only."""

Kind = tuple[str, str, str]
"""Direction, AAD, text."""

KINDS: tuple[Kind, ...] = tuple(
    product(("encrypt", "decrypt"), (NONE, PART, WHOLE), (NONE, PART, WHOLE))
)


def kinds(core: Abilities) -> tuple[Kind, ...]:
    """Those of the directions that the core has."""
    return tuple(kind for kind in KINDS if takes(core, kind[0] == "decrypt"))


def statuses(core: Abilities) -> tuple[Status, ...]:
    """What traffic makes a core answer: `_of_status` has a packet for each."""
    never = {Status.ERASED, Status.FAULT}
    if min(core.max_text_bytes, core.max_aad_bytes) > CROSSED_LIMIT_BYTES:
        never.add(Status.TOO_LONG)
    if core.direction == "both":
        never.add(Status.BAD_DIRECTION)
    if core.direction == "encrypt":
        never |= {Status.AUTH_FAIL} | ({Status.BAD_IV} if core.iv == "counter" else set())
    return tuple(status for status in Status if status not in never)


def pair_operations(core: Abilities) -> list[Operation]:
    """Some 800 packets and the keys for them."""
    traffic = Traffic(core=core, seed=SEED, rng=Random(SEED))
    for context in range(core.contexts):
        load_key(traffic, context)
    number = 0
    for kind in each_after_each(kinds(core)):
        if traffic.rng.random() < REKEYED:
            load_key(traffic, traffic.rng.randrange(core.contexts))
        traffic.operations.append(_of_kind(traffic, number, kind))
        number += 1
    beat = 16 * core.lanes
    for size in range(1, beat + 1):
        for decrypt in directions(core):
            traffic.operations.append(
                _of_bytes(traffic, number, beat + 1 - size, size, decrypt=decrypt)
            )
            number += 1
    for status in each_after_each(statuses(core)):
        traffic.operations.append(_of_status(traffic, number, status))
        number += 1
    for beats in _frames(traffic):
        traffic.operations.append(_of_beats(traffic, number, beats))
        number += 1
    for low in CARRIES if core.iv == "any" else ():
        traffic.operations.append(_carried(traffic, number, low))
        number += 1
    return traffic.operations


def _frames(traffic: Traffic) -> Iterator[Sequence[Beat]]:
    """All frames of up to three beats that are full, cut short, or without a byte, in AAD or in
    text, right or not."""
    core, rng = traffic.core, traffic.rng
    size = 16 * core.lanes
    for count in range(1, _BEATS + 1):
        for kinds in product(product((False, True), (NONE, PART, WHOLE)), repeat=count):
            beats = []
            for text, kind in kinds:
                there = {NONE: 0, PART: rng.randint(1, size - 1), WHOLE: size}[kind]
                beats.append(Beat(data=rng.randbytes(size), keep=(1 << there) - 1, text=text))
            aad, out = (
                sum(beat.keep.bit_count() for beat in beats if beat.text is text)
                for text in (False, True)
            )
            if aad <= core.max_aad_bytes and out <= core.max_text_bytes:
                yield beats


def _of_beats(traffic: Traffic, number: int, beats: Sequence[Beat]) -> Packet:
    """A packet to be encrypted that comes in these beats."""
    packet = _of_bytes_in(traffic, number, usable_context(traffic))
    return _framed(traffic, packet, beats, f"{len(beats)} beats")


def _carried(traffic: Traffic, number: int, low: int) -> Packet:
    """J0 ends in these 32 bits, the counter carries in the text, and the packet's end goes with a
    beat without a byte after it."""
    core, rng, context = traffic.core, traffic.rng, usable_context(traffic)
    key = traffic.keys[context]
    h = encrypt_block(key_expansion(key), 0)
    iv = iv_for_counter(h, rng.getrandbits(96) << 32 | low)
    text = min(_CARRIED, core.max_text_bytes // (16 * core.lanes)) * 16 * core.lanes
    sealed = sealed_lengths(traffic, key, aad_bytes=0, text_bytes=text, iv=iv)
    packet = good_packet(traffic, number, context, sealed, 16, decrypt=decrypts(core, wish=False))
    beats = [*frame_of(rng, core, packet), Beat(data=b"", keep=0, text=True)]
    return _framed(traffic, packet, beats, "a beat without a byte at its end")


def _framed(traffic: Traffic, packet: Packet, beats: Sequence[Beat], what: str) -> FramedPacket:
    expect = frame_answer(traffic.core, packet, traffic.keys[packet.context], beats)
    return framed(packet, beats, expect, f"frame: {what}")


def empty_packets(core: Abilities) -> list[Operation]:
    """Packets of one beat without a byte."""
    traffic = Traffic(core=core, seed=SEED, rng=Random(SEED))
    load_key(traffic, 0)
    for number in range(_EMPTY):
        beat = Beat(data=b"", keep=0, text=number % 2 == 0)
        traffic.operations.append(_of_beats(traffic, number, [beat]))
    return traffic.operations


def full_beats(config: CoreConfig) -> list[Operation]:
    """Packets of one beat with every byte: where several packets may share a beat, too, each beat
    has one answer."""
    traffic = Traffic(core=config, seed=SEED, rng=Random(SEED))
    load_key(traffic, 0)
    size = min(16 * config.lanes, config.max_text_bytes)
    for number in range(_FULL):
        traffic.operations.append(_of_text(traffic, number, size, decrypt=number % 2 == 0))
    return traffic.operations


def keys_amid_packets(config: CoreConfig) -> list[Operation]:
    """Short packets back to back while keys of another context are loaded, so that each key is
    taken while packets begin and end; nothing on a core with one context."""
    if config.contexts == 1:
        return []
    traffic = Traffic(core=config, seed=SEED, rng=Random(SEED))
    for context in (0, 1, 1, 1):
        load_key(traffic, context)
    during = _LOADS * config.key_load_cycles / cycles_per_packet(config, 1)
    for number in range(min(MOST_PACKETS, 1 + int(during))):
        traffic.operations.append(_of_text(traffic, number, 1 + number % 16, decrypt=True))
    return traffic.operations


def _of_text(traffic: Traffic, number: int, size: int, *, decrypt: bool) -> Packet:
    """A packet without AAD, under the key of context 0, in that direction if the core has it."""
    sealed = sealed_lengths(
        traffic, traffic.keys[0], aad_bytes=0, text_bytes=size, iv=_counted(number)
    )
    decrypt = decrypts(traffic.core, wish=decrypt)
    return good_packet(traffic, number, 0, sealed, 16, decrypt=decrypt)


def ivs_to_their_limit(config: CoreConfig) -> list[Operation]:
    """Packets until a context has no IV left, some that are refused for that, and a new key;
    nothing on a core that makes no IVs, or very many."""
    if config.iv != "counter" or config.iv_limit > MOST_PACKETS:
        return []
    traffic = Traffic(core=config, seed=SEED, rng=Random(SEED))
    load_key(traffic, 0)
    for number in range(config.iv_limit + _OVER):
        if number >= config.iv_limit:
            traffic.counts[0] = 0  # so that no key is loaded for it
        packet = _of_bytes_in(traffic, number, 0)
        if number >= config.iv_limit:
            expect = reference.refusal(packet.text, Status.BAD_IV)
            packet = replace(packet, expect=expect, label=f"{packet.label}, no IV is left")
        traffic.operations.append(packet)
    load_key(traffic, 0)
    traffic.operations.append(_of_bytes_in(traffic, config.iv_limit + _OVER, 0))
    return traffic.operations


def _of_bytes_in(traffic: Traffic, number: int, context: int) -> Packet:
    """A short packet in that context, to be encrypted where the core has that direction."""
    sealed = sealed_lengths(
        traffic, traffic.keys[context], aad_bytes=0, text_bytes=1 + number % 16,
        iv=_counted(number),
    )  # fmt: skip
    return good_packet(
        traffic, number, context, sealed, 16, decrypt=decrypts(traffic.core, wish=False)
    )


def _counted(number: int) -> bytes:
    return number.to_bytes(12, "big")


def each_after_each(things: Sequence[T]) -> Iterator[T]:
    """Every thing after every thing, itself included: as short as can be."""
    for first, thing in enumerate(things):
        yield thing
        for other in things[first + 1 :]:
            yield thing
            yield other
    yield things[0]


def kind_of(core: Abilities, packet: Packet) -> Kind:
    """What a packet is, as far as its neighbours matter."""

    def section(data: bytes) -> str:
        return NONE if not data else PART if len(data) % (16 * core.lanes) else WHOLE

    return (
        "decrypt" if packet.decrypt else "encrypt", section(packet.aad), section(packet.text)
    )  # fmt: skip


def _of_kind(traffic: Traffic, number: int, kind: Kind) -> Packet:
    direction, aad, text = kind
    beat = 16 * traffic.core.lanes

    def size(section: str, most: int) -> int:
        if section == NONE:
            return 0
        if section == WHOLE:
            return beat * traffic.rng.randint(1, max(1, min(3, most // beat)))
        return min(most // beat * beat, beat * traffic.rng.randint(0, 2)) + traffic.rng.randint(
            1, beat - 1
        )

    return _of_bytes(
        traffic, number, size(aad, traffic.core.max_aad_bytes - beat),
        size(text, traffic.core.max_text_bytes - beat), decrypt=direction == "decrypt",
    )  # fmt: skip


def _of_bytes(
    traffic: Traffic, number: int, aad_bytes: int, text_bytes: int, *, decrypt: bool
) -> Packet:
    context = usable_context(traffic)
    sealed = sealed_lengths(
        traffic, traffic.keys[context], aad_bytes=aad_bytes, text_bytes=text_bytes
    )
    return good_packet(
        traffic, number, context, sealed, draw_tag_bytes(traffic.rng), decrypt=decrypt
    )


def _of_status(traffic: Traffic, number: int, status: Status) -> Packet:
    if status is Status.TOO_LONG:
        return too_long_packet(traffic, number)
    if status in (Status.NO_KEY, Status.BAD_IV, Status.BAD_TAG_LENGTH):
        return refused_command(traffic, number, status)
    core, context = traffic.core, usable_context(traffic)
    key = traffic.keys[context]
    sealed = sealed_lengths(
        traffic, key, aad_bytes=min(20, core.max_aad_bytes),
        text_bytes=min(16 * core.lanes + 3, core.max_text_bytes),
    )  # fmt: skip
    if status is Status.AUTH_FAIL:
        return forged_packet(traffic, number, context, sealed, TAG_BYTES[-1])
    decrypt = decrypts(traffic.core, traffic.rng.random() < 0.5)
    packet = good_packet(traffic, number, context, sealed, 16, decrypt=decrypt)
    if status is Status.BAD_DIRECTION:
        if not packet.decrypt and traffic.core.iv == "counter":
            traffic.counts[context] -= 1  # a command to decrypt has its own
        return misdirected(traffic.core, packet)
    if status is Status.OK:
        return packet
    if status is not Status.BAD_FRAME:
        raise NotImplementedError(
            f"{status.name}: no packet that is answered with it is made here; make one, or name it "
            "among those that `statuses` leaves out"
        )
    broken = packet
    while broken.expect.status is not Status.BAD_FRAME:
        broken = with_broken_frame(traffic.rng, traffic.core, packet, key)
    return broken


__all__ = [
    "KINDS", "each_after_each", "empty_packets", "ivs_to_their_limit", "keys_amid_packets",
    "kind_of", "kinds", "pair_operations", "statuses",
]  # fmt: skip
