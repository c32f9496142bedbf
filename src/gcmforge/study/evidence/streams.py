# SPDX-License-Identifier: Apache-2.0
"""Cores with many streams on their own bus: cycles of every length against the law, and random
packets.

gcmforge-study run streams [--streams N] [--stages 1 2 3] [--substages 1] [--contexts N]
                           [--keys 128 256] [--sample] [--random N] [--seed N]

For every length 0..600 (with --sample: some), with one key and with four, packets of all streams
follow one another with another stream in every beat: a beat goes in in every cycle, and each text
and each answer comes as many cycles later as the law says, to the cycle. With --random N, N packets
of any length, direction, key and stream instead, some forged, refused, broken off or without a
command, some streams at rest for long, keys that change meanwhile, under five patterns of pauses. A
cut is where a packet stops and beats of others come before it goes on. A text, tag or status that
is wrong ends the run with exit code 1.
"""

import argparse
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from gcmforge.config import CoreConfig
from gcmforge.engines.gcm_streams.engine import packet_beats, tag_cycles, text_cycles
from gcmforge.sim import reference
from gcmforge.sim.interleaved import Packet, Place, cuts, interleaved
from gcmforge.study.evidence.own_bus import Loaded, Pauses
from gcmforge.study.evidence.streams_bus import Bus, library

LENGTHS = range(601)
SAMPLE = (0, 1, 15, 16, 17, 31, 32, 33, 40, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 600)
PATTERNS: dict[str, Pauses] = {
    "none": (0, 0, 0),
    "the sender": (0.5, 0, 0),
    "receivers": (0, 0.4, 0.4),
    "all": (0.3, 0.3, 0.3),
    "receivers, long": (0.1, 0, 0),
}
LONG = {"receivers, long": 0.01}
"""Patterns in which a receiver also takes nothing for 30 to 250 cycles, and how often."""
CHUNK = 300
"""Random packets that are made and compared at a time, and two more for each stream."""
CHANGES = 8
"""Keys that are offered amid them."""
_TAG_BYTES = (16, 16, 12, 8, 4, 13)


def core_of(
    streams: int,
    stages: int = 1,
    *,
    substages: int = 1,
    contexts: int = 4,
    key_sizes: tuple[int, ...] = (128,),
) -> CoreConfig:
    """What is run: the circuits of its leaves are of no matter for cycles."""
    return CoreConfig(
        core="streams", streams=streams, contexts=contexts, key_sizes=key_sizes, iv="96",
        aes_substages=substages, ghash_stages=stages,
    )  # fmt: skip


def load(bus: Bus, rng: random.Random) -> None:
    """A key in every context."""
    for context in range(bus.config.contexts):
        bus.load(rng.randbytes(rng.choice(bus.config.key_sizes) // 8), context)


# ---- laws ----------------------------------------------------------------------------------------


def compare(bus: Bus, lengths: Sequence[int], seed: int = 1) -> Iterator[str]:
    """A line for each number of keys; ValueError where a text, an answer or a cycle is wrong."""
    config, rng = bus.config, random.Random(seed)
    load(bus, rng)
    first = [Packet(stream=0, context=context) for context in range(config.contexts)]
    bus.play(first, interleaved(first, rng))  # keys are usable then
    for keys in dict.fromkeys((1, min(4, config.contexts))):
        beats = 0
        for length in lengths:
            packets = [
                Packet(stream=stream, context=stream % keys, iv=rng.randbytes(12),
                       text=rng.randbytes(length))
                for stream in range(config["streams"])
                for _ in range(2)
            ]  # fmt: skip
            order = interleaved(packets, rng, turns=True)
            if len(order) != len(packets) * packet_beats(0, length):
                raise ValueError(f"{length} bytes: {len(order)} beats")
            beats += len(order)
            wrong = next(out_of_law(bus, packets, order), None)
            if wrong:
                raise ValueError(f"{length} bytes, {keys} keys: {wrong}")
        yield (
            f"{config['streams']} streams, {config.ghash_stages} stages, {keys} "
            f"key{'s in turn' if keys > 1 else ''}: {len(lengths)} lengths, {beats:,} beats in "
            f"{beats:,} cycles, text after {text_cycles(config)} and answers after "
            f"{tag_cycles(config)}, as the law"
        )


def out_of_law(bus: Bus, packets: Sequence[Packet], order: Sequence[Place]) -> Iterator[str]:
    """What differs, when nobody pauses."""
    played = bus.play(packets, order)
    yield from played.wrong
    raw, config = played.raw, bus.config
    first = raw.in_cycles[0]
    if list(raw.in_cycles) != list(range(first, first + len(order))):
        yield f"{len(order)} beats went in in {raw.in_cycles[-1] - first + 1} cycles"
    gives = [packets[number].beats[beat] if beat >= 0 else None for number, beat in order]
    texts = [first + at for at, beat in enumerate(gives) if beat and beat.text and beat.data]
    if [cycle - text_cycles(config) for cycle in raw.text_cycles] != texts:
        yield f"text does not come {text_cycles(config)} cycles after its beat"
    ends = [first + at for at, beat in enumerate(gives) if beat and beat.last]
    if [cycle - tag_cycles(config) for cycle in raw.tag_cycles] != ends:
        yield f"an answer does not come {tag_cycles(config)} cycles after the last beat"


# ---- random packets ------------------------------------------------------------------------------


def random_packet(
    rng: random.Random,
    keys: dict[int, bytes],
    stream: int,
    contexts: Sequence[int],
    longest: int,
    missing: Sequence[int] = (),
) -> Packet:
    """Any direction, any lengths; some forged, some wrong, some of a context that is `missing`."""
    packet = Packet(
        stream=stream, context=rng.choice(contexts), iv=rng.randbytes(12),
        aad=rng.randbytes(rng.choice((0, 0, 16, 20, rng.randint(0, longest)))),
        text=rng.randbytes(rng.choice((0, 16, 32, rng.randint(0, longest)))),
        tag_bytes=rng.choice(_TAG_BYTES),
    )  # fmt: skip
    key = keys.get(packet.context)
    if rng.random() < 0.5 and key is not None:
        text, tag = reference.seal(key, packet.iv, packet.text, packet.aad)
        forged = rng.random() < 0.1
        tag = bytes([tag[0] ^ (forged << rng.randrange(8))]) + tag[1 : packet.tag_bytes]
        tag += rng.randbytes(16 - len(tag))
        packet = replace(packet, decrypt=True, text=text, tag=tag)
    what = rng.random()
    if what < 0.01:
        return replace(packet, iv_good=False)
    if what < 0.02:
        return replace(packet, tag_bytes=rng.choice((0, 3, 5, 11, 17, 31)))
    if what < 0.03:
        return replace(packet, command=False)
    if what < 0.05:
        return replace(packet, refused_at=rng.randrange(len(packet.beats)))
    if what < 0.08:
        return replace(packet, cut=rng.randrange(len(packet.beats)))
    if what < 0.11 and missing:
        return replace(packet, context=rng.choice(missing))
    return packet


def random_packets(
    rng: random.Random,
    bus: Bus,
    held: dict[int, bytes],
    count: int,
    contexts: Sequence[int],
    longest: int,
) -> list[Packet]:
    """The last packet of each stream is whole, and what follows a broken one has a command."""
    found, cut = list[Packet](), set[int]()
    missing = range(bus.config.contexts, 2**bus.config.context_bits)
    for _ in range(count):
        stream = rng.randrange(bus.config["streams"])
        packet = random_packet(rng, held, stream, contexts, longest, missing)
        if stream in cut:
            packet = replace(packet, command=True)
        (cut.add if packet.cut is not None else cut.discard)(stream)
        found.append(packet)
    last = {packet.stream: number for number, packet in enumerate(found)}
    for number in last.values():
        found[number] = replace(found[number], cut=None)
    return found


def random_run(bus: Bus, packets: int, seed: int) -> Iterator[str]:
    """Random packets under each pattern of pauses; ValueError at the first that is wrong."""
    rng = random.Random(seed)
    load(bus, rng)
    for name, pauses in PATTERNS.items():
        done = beats = cut = changed = 0
        while done < packets // len(PATTERNS):
            most = CHUNK + 2 * bus.config["streams"]
            count = min(most, packets // len(PATTERNS) - done)
            chunk, order, keys = _traffic(rng, bus, count)
            played = bus.play(chunk, order, pauses=pauses, holds=LONG.get(name, 0.0), keys=keys)
            if played.wrong:
                raise ValueError(f"seed {seed}, pauses of {name}, after {done:,} packets: "
                                 + "; ".join(played.wrong[:3]))  # fmt: skip
            done, beats = done + len(chunk), beats + len(order)
            cut += cuts(chunk, order)
            changed += sum(cycle < played.raw.in_cycles[-1] for cycle in played.raw.key_cycles)
        yield (
            f"{bus.config['streams']} streams, {bus.config.ghash_stages} stages, pauses of {name}: "
            f"{done:,} of {done:,} packets as they have to be, {beats:,} beats, {cut:,} cuts, "
            f"{changed} keys changed amid them, seed {seed}"
        )


def _traffic(
    rng: random.Random, bus: Bus, count: int
) -> tuple[list[Packet], list[Place], list[Loaded]]:
    """Packets, their beats in order, and keys, each for a context that the packets before it use.
    While one is offered its context mostly rests."""
    every = list(range(bus.config.contexts))
    held, resting = dict(bus.held), list[int]()
    packets, order, keys = list[Packet](), list[Place](), list[Loaded]()
    for part in range(CHANGES + 1):
        size = count * (part + 1) // (CHANGES + 1) - count * part // (CHANGES + 1)
        contexts = [one for one in every if one not in resting] or every
        longest = rng.choice((40, 100, 100, 600))
        made = random_packets(rng, bus, held, size, contexts, longest)
        found = interleaved(
            made, rng, turns=rng.random() < 0.5, rest=rng.choice((0, 0, 0.1, 0.5)),
            stays=rng.choice((0, 0, 0.5, 0.9)),
        )  # fmt: skip
        order += [(number + len(packets), beat) for number, beat in found]
        packets += made
        if part == CHANGES or not found:
            continue
        newest = packets[order[-1][0]].context  # its blocks are under way when the key comes
        changed = newest if newest in every and rng.random() < 0.7 else rng.choice(contexts)
        key = rng.randbytes(rng.choice(bus.config.key_sizes) // 8)
        gone = 3 if rng.random() < 0.1 else None
        after = len(order) - rng.choice((0, 0, 1, 2, rng.randrange(len(found))))
        keys.append(Loaded(key=key, context=changed, after=after, size=gone))
        if gone is None:
            held[changed] = key
        resting = [changed] if rng.random() < 0.8 else []
    return packets, order, keys


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--streams", type=int, nargs="+", default=[4])
    parser.add_argument("--stages", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--substages", type=int, default=1, help="stages of a round of the AES")
    parser.add_argument("--contexts", type=int, default=4)
    parser.add_argument("--keys", type=int, nargs="+", default=[128], help="key sizes in bits")
    parser.add_argument("--sample", action="store_true", help="a few lengths only")
    parser.add_argument("--random", type=int, default=0, metavar="N", help="random packets instead")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    for streams in asked.streams:
        for stages in asked.stages:
            config = core_of(
                streams, stages, substages=asked.substages, contexts=asked.contexts,
                key_sizes=tuple(asked.keys),
            )  # fmt: skip
            with tempfile.TemporaryDirectory() as folder:
                bus = Bus(config, library(config, Path(folder)), seed=asked.seed)
                lines = (
                    random_run(bus, asked.random, asked.seed)
                    if asked.random
                    else compare(bus, SAMPLE if asked.sample else LENGTHS)
                )
                try:
                    for line in lines:
                        print(line, flush=True)
                except ValueError as error:
                    print(f"{streams} streams, {stages} stages: {error}", flush=True)
                    return 1
    return 0
