# SPDX-License-Identifier: Apache-2.0
"""Frames that are broken at random, on the own bus of cores with segments.

gcmforge-study run segments --broken N [--seed N]; `gcmforge-study evidence segments` plays them,
too. Each flag of a segment may be wrong; what has no meaning is noise: bytes that are not there,
commands without sop, everything in a segment that is not used. Texts and AAD lie around the limits,
keys come at any moment, also for contexts that the core does not have and of sizes that it has not,
and receivers hold still for up to 250 cycles.

What has to come is worked out segment by segment from the rules on the ports page, by AES-CTR and
AES-GCM of `cryptography`: text, sop, eop and mty of each segment, and tag and status of each
packet, in the segment where they belong and together with what shares its beat.
"""

import random
from collections.abc import Iterator, Sequence
from typing import TypeVar

from gcmforge.config import CoreConfig
from gcmforge.config.codes import Status
from gcmforge.engines.gcm_segments.engine import SEGMENTS, blocks
from gcmforge.model import TAG_BYTES
from gcmforge.sim import reference
from gcmforge.study.evidence.own_bus import Pauses, Raw
from gcmforge.study.evidence.segments_bus import Bus, Tally
from gcmforge.study.evidence.segments_drawn import Command, Draw, Placed, Segment

PAUSES: tuple[Pauses, ...] = (
    (0, 0, 0), (0, 0, 0), (0.5, 0, 0), (0.9, 0, 0), (0, 0.5, 0), (0, 0, 0.6), (0.3, 0.3, 0.3),
    (0, 0.9, 0.1), (0, 0.1, 0.95), (0, 0.98, 0),
)  # fmt: skip
HOLDS = (0, 0, 0.004)

COMMON = CoreConfig(
    core="segments", lanes=2, segments=2, key_sizes=(128,), contexts=3, iv="96",
    max_text_bytes=4_096, max_aad_bytes=4_096,
)  # fmt: skip
CORES = {
    name: COMMON.with_settings(settings.split())
    for name, settings in {
        "5 stages of GHASH": "ghash_stages=5 key_sizes=128,256",
        "5 stages of GHASH, verified": "ghash_stages=5 contexts=2 release=verified",
        "3 stages a round, verified": "contexts=16 aes_substages=3 release=verified key_sizes=192",
        "2 blocks a segment, verified":
            "lanes=4 ghash_stages=3 counter_sharing=on release=verified",
        "4 segments, verified":
            "lanes=4 segments=4 contexts=5 ghash_stages=4 aes_substages=2 release=verified "
            "key_sizes=192,256",
        "4 blocks a segment":
            "lanes=8 contexts=7 ghash_stages=4 aes_substages=2 counter_sharing=on "
            "key_sizes=128,192,256",
        "8 segments, verified":
            "lanes=8 segments=8 ghash_stages=5 counter_sharing=on release=verified",
        "8 blocks a segment, verified": "lanes=16 counter_sharing=on release=verified",
    }.items()
}  # fmt: skip
"""Cores that no preset is."""


Out = tuple[int, int, bool, bool, bytes]
"""Of a segment of text: beat, place, sop, eop and bytes."""
Answer = tuple[int, int, bytes, Status]
Came = TypeVar("Came", Out, Answer)


def play(bus: Bus, packets: int, seed: int) -> Tally:
    """So many packets and a few; ValueError at the first chunk in which something is wrong."""
    rng, tally = random.Random(seed), Tally()
    held: dict[int, bytes | None] = {**bus.load_every(rng)}
    while tally.packets < packets:
        wrong = _chunk(bus, rng, held, tally)
        if wrong:
            raise ValueError(f"seed {seed}, after {tally.packets:,} packets: {wrong}")
    return tally


def _chunk(bus: Bus, rng: random.Random, held: dict[int, bytes | None], tally: Tally) -> str | None:
    """Packets after each other: what is wrong with them. `held` is what contexts hold then."""
    draw = Draw(bus.config, rng)
    beats = draw.beats(draw.segments(rng.choice((20, 60, 120))))
    packets = packets_of(beats)
    loads = draw.keys(len(beats))
    usable = [draw.usable(load) for load in loads]
    for packet in packets:
        command = packet[0][2].command
        keys = [held.get(command.context)]
        keys += [key for load, key in zip(loads, usable, strict=True)
                 if load.context == command.context]  # fmt: skip
        draw.seal(packet, rng.choice(keys))
    words = [draw.word(beat) for beat in beats]
    raw = bus.run(
        words, len(packets), bus.most(words), pauses=rng.choice(PAUSES), holds=rng.choice(HOLDS),
        keys=loads,
    )  # fmt: skip
    if raw.wrong:
        return raw.wrong

    def key_of(packet: Sequence[Placed]) -> bytes | None:
        beat, _, first = packet[0]
        key = held.get(first.command.context)
        for load, new, cycle in zip(loads, usable, raw.key_cycles, strict=True):
            if load.context == first.command.context and raw.in_cycles[beat] > cycle:
                key = new if load.context in held else None
        return key

    outs, answers = list[Out](), list[Answer]()
    for packet in packets:
        out, answer = expected(bus.config, packet, key_of(packet))
        outs += out
        answers.append(answer)
    held.update(
        {load.context: key for load, key in zip(loads, usable, strict=True) if load.context in held}
    )
    tally.packets += len(packets)
    tally.keys += len(loads)
    tally.statuses.update(status.name for _, _, _, status in answers)
    return _differs("answer", answers, came_answers(bus.config, raw)) or _differs(
        "segment of text", outs, came_text(bus.config, raw)
    )


# ---- the rules -----------------------------------------------------------------------------------


def packets_of(beats: Sequence[Sequence[Segment]]) -> list[list[Placed]]:
    """Segments that are used, from one to the next with eop, whatever sop says."""
    packets, open_ = list[list[Placed]](), list[Placed]()
    for number, beat in enumerate(beats):
        for place, one in enumerate(beat):
            if one.ena:
                open_.append((number, place, one))
                if one.eop:
                    packets.append(open_)
                    open_ = []
    return packets


def expected(
    config: CoreConfig, packet: Sequence[Placed], key: bytes | None
) -> tuple[list[Out], Answer]:
    """What leaves of a packet, and its answer."""
    command = packet[0][2].command
    status = _refused(command, key)
    aad = text = b""
    in_text = short = False
    rows = list[tuple[int, int, bool, int, bool]]()
    for number, (beat, place, one) in enumerate(packet):
        wrong = one.err or one.sop != (number == 0) or one.mty > len(one.data)
        wrong |= (in_text and short) if one.text else (in_text or short)
        section, limit = (text, config.max_text_bytes) if one.text else (aad, config.max_aad_bytes)
        if status is Status.OK and wrong:
            status = Status.BAD_FRAME
        if status is Status.OK and len(section) + len(one.there) > limit:
            status = Status.TOO_LONG
        good = status is Status.OK
        if good and one.text:
            text += one.there
        elif good:
            aad += one.there
        size = len(one.there) if one.text else 0
        if size or (rows and one.eop):
            rows.append((beat, place, one.eop, size, good and one.text))
        in_text, short = in_text or one.text, one.mty > 0
    out, tag = b"", bytes(16)
    if key is not None and text:
        out = reference.open_unchecked(key, command.iv, text)  # CTR is its own inverse
    last = packet[-1]
    if status is Status.OK and key is not None:
        plain = out if command.decrypt else text
        made = reference.seal(key, command.iv, plain, aad)[1][: command.tag_bytes]
        if not command.decrypt:
            tag = made.ljust(16, b"\0")
        elif made != last[2].tag[: command.tag_bytes]:
            status = Status.AUTH_FAIL
    outs, at = list[Out](), 0
    for beat, place, ends, size, good in rows:
        outs.append((beat, place, not outs, ends, out[at : at + size] if good else bytes(size)))
        at += size if good else 0
    held_back = config.release_engine.holds and status is not Status.OK
    return [] if held_back else outs, (last[0], last[1], tag, status)


def _refused(command: Command, key: bytes | None) -> Status:
    if key is None:
        return Status.NO_KEY
    if command.iv_bytes != 12:
        return Status.BAD_IV
    return Status.OK if command.tag_bytes in TAG_BYTES else Status.BAD_TAG_LENGTH


# ---- what came -----------------------------------------------------------------------------------


def came_text(config: CoreConfig, raw: Raw) -> Iterator[Out]:
    """Segments of text, with the number of their transfer. ValueError where one that is not used
    says something, or a byte that is not there."""
    size = 16 * blocks(config)
    bits = size.bit_length()
    for transfer, (data, ena, sop, eop, mty) in enumerate(raw.text):
        for place in range(config[SEGMENTS]):
            part = (data >> 8 * size * place & (1 << 8 * size) - 1).to_bytes(size, "little")
            flags = [bool(flag >> place & 1) for flag in (ena, sop, eop)]
            count = size - (mty >> bits * place & (1 << bits) - 1) if flags[0] else 0
            if any(part[max(0, count) :]) or (not flags[0] and any(flags)):
                raise ValueError(f"transfer {transfer} of text, segment {place}: it says too much")
            if flags[0]:
                yield transfer, place, flags[1], flags[2], part[:count]


def came_answers(config: CoreConfig, raw: Raw) -> Iterator[Answer]:
    """Answers, with the number of their transfer."""
    by_code = {status.value: status for status in Status}
    for transfer, (tags, ena, statuses) in enumerate(raw.tags):
        for place in range(config[SEGMENTS]):
            if ena >> place & 1:
                tag = (tags >> 128 * place & (1 << 128) - 1).to_bytes(16, "little")
                yield transfer, place, tag, by_code[statuses >> 3 * place & 7]


def _differs(what: str, wanted: Sequence[Came], came: Iterator[Came]) -> str | None:
    """The first that is not as it has to be. A transfer has what belongs to one beat."""
    got, beat_of = list(came), dict[int, int]()
    for number, (want, have) in enumerate(zip(wanted, got, strict=False)):
        if want[1:] != have[1:]:
            return f"{what} {number}: {have[1:]}, not {want[1:]}"
        if beat_of.setdefault(have[0], want[0]) != want[0]:
            return f"{what} {number}: it shares a transfer with another beat"
    return None if len(wanted) == len(got) else f"{len(got)} came of {len(wanted)}: {what}"
