# SPDX-License-Identifier: Apache-2.0
"""Cores with segments on their own bus: bits a cycle for every length against the law, and random
packets.

gcmforge-study run segments [--lanes 4 8 16] [--segments 2 4 8] [--release verified]
                            [--preset NAME] [--sample] [--random N] [--seed N]
gcmforge-study run segments --broken N [--core NAME] [--seed N]

For every length 0..600 (with --sample: some), with one key and with another key for each packet,
packets follow one another with no pause: from the last answer of one length to the last answer of
the next there must be as many cycles as the law says, to the cycle. So for IMIX. With --random N,
N packets under four patterns of pauses instead (segments_soak.py); with --broken N, N packets whose
frames are broken at random (segments_broken.py). A text, tag or status that is wrong ends the run
with exit code 1.
"""

import argparse
import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gcmforge.config import CoreConfig
from gcmforge.config.presets import PRESETS
from gcmforge.engines.gcm_segments.engine import bits_per_cycle, packet_segments
from gcmforge.sim.segmented import Packet, sealed
from gcmforge.study.evidence.beats import IMIX
from gcmforge.study.evidence.segments_bus import Bus, library
from gcmforge.study.evidence.segments_soak import (
    PATTERNS,
    Run,
    broken,
    cores_of_broken_frames,
    lines,
    presets,
)

LENGTHS = range(601)
SAMPLE = (0, 1, 15, 16, 17, 31, 32, 33, 40, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 600)
DEFAULT = ((2, 2), (4, 2), (8, 4), (16, 4), (16, 8))
"""Lanes and segments."""
KEYS = [random.Random(n).randbytes(16) for n in range(4)]


@dataclass(frozen=True, kw_only=True)
class Rate:
    """What packets of one length, or of a mix, took."""

    what: str
    bits: float
    law: float

    @property
    def agrees(self) -> bool:
        return self.bits == self.law


def core_of(lanes: int, segments: int, release: str = "streaming") -> CoreConfig:
    """What is compared: the circuits of its leaves are of no matter for cycles."""
    return CoreConfig(
        core="segments", lanes=lanes, segments=segments, key_sizes=(128,), contexts=4, iv="96",
        max_text_bytes=16_384, max_aad_bytes=16_384, ghash_stages=2, counter_sharing="on",
        release=release,
    )  # fmt: skip


def made(sizes: Sequence[int], keys: int, rng: random.Random) -> list[Packet]:
    """Packets of these lengths without AAD, of so many keys in turn."""
    return [
        sealed(KEYS[n % keys], Packet(iv=rng.randbytes(12), text=rng.randbytes(size),
                                      context=n % keys))
        for n, size in enumerate(sizes)
    ]  # fmt: skip


def rates(bus: Bus, lengths: Sequence[int], keys: int, seed: int = 1) -> Iterator[Rate]:
    """Of each length: packets that fill whole beats, after those of the length before it. Then
    IMIX. ValueError when an answer is wrong."""
    rng, count = random.Random(seed), 2 * bus.config["segments"]
    groups = {f"{length} bytes": [length] * count for length in lengths}
    imix = [size for size, share in IMIX.items() for _ in range(share * count)]
    rng.shuffle(imix)
    groups["IMIX"] = imix
    sizes = [lengths[0]] * count + [size for group in groups.values() for size in group]
    played = bus.play(made(sizes, keys, rng))
    if played.wrong:
        raise ValueError("; ".join(played.wrong[:3]))
    answered = [cycle for cycle, tags in zip(played.tag_cycles, played.tags, strict=True)
                for _ in range(tags)]  # fmt: skip
    end = count
    for what, group in groups.items():
        start, end = end, end + len(group)
        cycles = answered[end - 1] - answered[start - 1]
        bits = 8 * sum(group)
        taken = sum(packet_segments(bus.config, 0, size) for size in group)
        law = bits * bus.config["segments"] / taken
        if len(set(group)) == 1 and law != bits_per_cycle(bus.config, group[0]):
            raise ValueError(f"{what}: two laws")
        yield Rate(what=what, bits=bits / cycles, law=law)


def compare(bus: Bus, lengths: Sequence[int]) -> Iterator[str]:
    """A line for each number of keys; ValueError where an answer or a rate is wrong."""
    config = bus.config
    for context, key in enumerate(KEYS):
        bus.load(key, context)
    for keys in (1, len(KEYS)):
        found = list(rates(bus, lengths, keys))
        wrong = [rate for rate in found if not rate.agrees]
        if wrong:
            told = "; ".join(f"{one.what}: {one.bits:.1f}, not {one.law:.1f}" for one in wrong[:5])
            raise ValueError(f"{len(wrong)} of {len(found)} rates differ from the law: {told}")
        by_name = {rate.what: rate.bits for rate in found}
        shown = ", ".join(
            f"{name}: {by_name[name]:.1f}" for name in ("64 bytes", "IMIX") if name in by_name
        )
        full = by_name.get("64 bytes", 0) / (128 * config.lanes)
        yield (
            f"{config.lanes} lanes in {config['segments']} segments, {keys} "
            f"key{'s in turn' if keys > 1 else ''}: {len(found) - 1} lengths and IMIX as the law; "
            f"bits a cycle: {shown} ({full:.0%} of {128 * config.lanes} with 64 bytes)"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lanes", type=int, nargs="+")
    parser.add_argument("--segments", type=int, nargs="+")
    parser.add_argument("--release", choices=("streaming", "verified"), default="streaming")
    parser.add_argument("--sample", action="store_true", help="a few lengths only")
    parser.add_argument("--random", type=int, default=0, metavar="N", help="random packets instead")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--preset", choices=presets(), action="append", default=[])
    every = cores_of_broken_frames()
    parser.add_argument("--broken", type=int, default=0, metavar="N", help="broken frames instead")
    parser.add_argument("--core", choices=every, action="append", help="with --broken; default all")
    asked = parser.parse_args(arguments)
    if asked.broken:
        return _broken({name: every[name] for name in asked.core or every}, asked)
    for name, config in _cores(asked.preset, asked.lanes, asked.segments, asked.release).items():
        with tempfile.TemporaryDirectory() as folder:
            bus = Bus(config, library(config, Path(folder)), seed=asked.seed)
            run = Run(
                name=name, config=config, packets=asked.random // len(PATTERNS), seed=asked.seed
            )
            told = (
                (line for line, _ in lines(bus, run))
                if asked.random
                else compare(bus, SAMPLE if asked.sample else LENGTHS)
            )
            try:
                for line in told:
                    print(line, flush=True)
            except ValueError as error:
                print(f"{name}: {error}", flush=True)
                return 1
    return 0


def _broken(cores: Mapping[str, CoreConfig], asked: argparse.Namespace) -> int:
    for name, config in cores.items():
        found = broken(Run(name=name, config=config, packets=asked.broken, seed=asked.seed))
        print(found.text, flush=True)
        if not found.ok:
            return 1
    return 0


def _cores(
    names: Sequence[str], lanes: Sequence[int] | None, segments: Sequence[int] | None, release: str
) -> dict[str, CoreConfig]:
    """What is asked for, by name."""
    if names:
        return {name: PRESETS[name].config for name in names}
    return {
        f"{one} lanes in {count} segments": core_of(one, count, release)
        for one, count in DEFAULT
        if one in (lanes or [one]) and count in (segments or [count])
    }
