# SPDX-License-Identifier: Apache-2.0
"""Random packets on the own bus of cores with segments, several of them in one beat.

gcmforge-study run segments --random N [--preset 400ge] [--seed N]; `gcmforge-study evidence
segments` plays a million through each preset that has segments and keeps what it finds.

Packets have any key size that the core has, any direction and any length up to 9,600 bytes, with
AAD and without; some are forged, refused or broken, and beats have gaps or none. New keys come
while packets run. Which key a packet has is known only when it has run: it is that of the beat in
which the packet starts. Expected texts and tags are those of `cryptography`.
"""

import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gcmforge.config import CoreConfig
from gcmforge.config.codes import Status
from gcmforge.config.presets import PRESETS
from gcmforge.engines.gcm_segments.engine import blocks
from gcmforge.sim import reference
from gcmforge.sim.segmented import Packet, laid_out, opened, sealed
from gcmforge.study.evidence import segments_broken
from gcmforge.study.evidence.own_bus import Loaded, Pauses, Raw
from gcmforge.study.evidence.segments_bus import Bus, Tally, library
from gcmforge.study.kept import Found, Kept, Step

PATTERNS: dict[str, Pauses] = {
    "none": (0, 0, 0),
    "the sender": (0.5, 0, 0),
    "receivers": (0, 0.4, 0.4),
    "all": (0.3, 0.3, 0.3),
}
PACKETS, SEED = 250_000, 6
"""Of the runs that are kept: each preset has as many under each pattern."""
BROKEN_PACKETS = 30_000
"""With frames broken at random, on each core."""
CHUNK = 1_000
"""Packets that are made and compared at a time; a key comes amid them."""
LONGEST = (16, 40, 100, 100, 600, 1_600)
"""Of a chunk, one of these; one packet in 300 is up to JUMBO bytes long."""
JUMBO = 9_600
FORGED, REFUSED, BROKEN = 0.05, 0.01, 0.01
UNUSABLE = 0.1
"""How many of the keys are of a size that is not built."""

KEPT = Kept("segments")

Keys = dict[int, bytes | None]
"""What a context holds; None: a key that is not usable."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Drawn:
    """A packet as it is sent, and the key that it was made for."""

    packet: Packet
    key: bytes | None
    refused: Status | None = None
    broken_at: int | None = None
    """The segment that carries the sign of an error."""


def random_run(bus: Bus, packets: int, seed: int, pauses: Pauses) -> Tally:
    """So many packets; ValueError at the first chunk in which something is wrong."""
    rng, tally = random.Random(seed), Tally()
    held: Keys = {**bus.load_every(rng)}
    while tally.packets < packets:
        wrong = _play(bus, rng, held, min(CHUNK, packets - tally.packets), pauses, tally)
        if wrong:
            raise ValueError(f"after {tally.packets:,} packets: " + "; ".join(wrong[:3]))
    return tally


def _play(
    bus: Bus, rng: random.Random, held: Keys, count: int, pauses: Pauses, tally: Tally
) -> list[str]:
    """A chunk: what is wrong with it. `held` is what contexts hold after it."""
    config = bus.config
    changed, change = rng.randrange(config.contexts), rng.randrange(count)
    every = list(range(config.contexts))
    # While the new key is made, its context mostly rests: a packet of it would hold up all others.
    others = [one for one in every if one != changed or rng.random() < 0.2] or every
    longest = rng.choice(LONGEST)
    drawn = [
        _drawn(rng, config, held, rng.choice(every if n < change else others), longest)
        for n in range(count)
    ]
    gaps = rng.choice((0.0, 0.0, 0.2))
    words, starts = laid_out(config, [one.packet for one in drawn], gap=lambda: rng.random() < gaps)
    key = None if rng.random() < UNUSABLE else _key(rng, config)
    load = Loaded(
        key=key or bytes(16), context=changed, size=None if key else 3,
        after=max(0, starts[change] - rng.randrange(4)),
    )  # fmt: skip
    raw = bus.run(words, count, bus.most(words), pauses=pauses, keys=[load])
    if raw.wrong:
        return [raw.wrong]
    expected = [
        _expected(one, _key_at(held, load, key, one.packet.context, raw, start))
        for one, start in zip(drawn, starts, strict=True)
    ]
    held[changed] = key
    together = Counter(starts)
    tally.packets += count
    tally.shared += sum(number for number in together.values() if number > 1)
    tally.keys += 1
    tally.statuses.update(one.status.name for one in expected)
    tally.cycles += raw.tag_cycles[-1] - raw.in_cycles[0]
    return list(bus.wrong(expected, raw))


def _key_at(
    held: Keys, load: Loaded, new: bytes | None, context: int, raw: Raw, start: int
) -> bytes | None:
    """The key of a packet that starts in that beat."""
    came_after = raw.in_cycles[start] > raw.key_cycles[0]
    return new if context == load.context and came_after else held[context]


def _key(rng: random.Random, config: CoreConfig) -> bytes:
    return rng.randbytes(rng.choice(config.key_sizes) // 8)


# ---- packets -------------------------------------------------------------------------------------


def _drawn(rng: random.Random, config: CoreConfig, held: Keys, context: int, longest: int) -> Drawn:
    longest = JUMBO if rng.random() < 1 / 300 else longest
    packet = Packet(
        iv=rng.randbytes(12), aad=rng.randbytes(rng.choice((0, 0, 16, 20, rng.randint(0, 100)))),
        text=rng.randbytes(rng.randint(0, longest)), context=context,
        tag_bytes=rng.choice((16, 16, 12, 8, 4, 13)),
    )  # fmt: skip
    key = held[context]
    if rng.random() < REFUSED:
        if rng.random() < 0.5:
            bad = replace(packet, iv_bytes=rng.choice((0, 1, 11, 13, 16)))
            return Drawn(packet=bad, key=key, refused=Status.BAD_IV)
        bad = replace(packet, tag_bytes=rng.choice((0, 3, 5, 11, 17)))
        return Drawn(packet=bad, key=key, refused=Status.BAD_TAG_LENGTH)
    if rng.random() < BROKEN:
        parts = packet.segments(16 * blocks(config))
        at = rng.randrange(len(parts))
        marked = (*parts[:at], replace(parts[at], error=True), *parts[at + 1 :])
        return Drawn(packet=replace(packet, parts=marked), key=key, broken_at=at)
    if key and rng.random() < 0.5:
        return Drawn(packet=opened(key, packet, forged=rng.random() < 2 * FORGED), key=key)
    return Drawn(packet=packet, key=key)


def _expected(one: Drawn, key: bytes | None) -> Packet:
    """The packet with what has to come of it under that key."""
    packet = one.packet
    nothing = replace(packet, out=bytes(len(packet.text)), answer=bytes(16))
    if key is None or one.refused:
        status = one.refused if key and one.refused else Status.NO_KEY
        return replace(nothing, status=status)
    if one.broken_at is not None and packet.parts is not None:
        good = sum(len(part.data) for part in packet.parts[: one.broken_at] if part.text)
        out = sealed(key, packet).out[:good].ljust(len(packet.text), b"\0")
        return replace(nothing, out=out, status=Status.BAD_FRAME)
    if not packet.decrypt:
        return sealed(key, packet)
    if key == one.key:
        return packet
    text = reference.open_unchecked(key, packet.iv, packet.text)
    return replace(nothing, out=text, status=Status.AUTH_FAIL)


# ---- as evidence ---------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """A core, and how many packets: under each pattern of pauses, or with broken frames."""

    name: str
    config: CoreConfig
    packets: int
    seed: int


def presets() -> list[str]:
    """Those with segments."""
    return [name for name, preset in PRESETS.items() if preset.config.core == "segments"]


def cores_of_broken_frames() -> dict[str, CoreConfig]:
    """Those that are no preset, then the presets."""
    return segments_broken.CORES | {name: PRESETS[name].config for name in presets()}


def lines(bus: Bus, run: Run) -> Iterator[tuple[str, Tally]]:
    """A sentence and figures for each pattern; ValueError where something is wrong."""
    for number, (name, pauses) in enumerate(PATTERNS.items()):
        seed = run.seed + 10_000 * number
        try:
            tally = random_run(bus, run.packets, seed, pauses)
        except ValueError as error:
            raise ValueError(f"{run.name}, pauses of {name}, seed {seed}, {error}") from None
        line = (
            f"{run.name}, pauses of {name}: {tally.packets:,} packets as they have to be, "
            f"{tally.shared:,} of them begin in one beat with another; {tally.keys:,} new keys "
            f"amid them; answers: {tally.answers}; {tally.cycles:,} cycles, seed {seed}"
        )
        yield line, tally


def play(run: Run) -> Found:
    """All patterns."""
    began, told = time.perf_counter(), list[str]()
    figures: dict[str, dict[str, object]] = {}
    try:
        with tempfile.TemporaryDirectory() as folder:
            bus = Bus(run.config, library(run.config, Path(folder)), seed=run.seed)
            for name, (line, tally) in zip(PATTERNS, lines(bus, run), strict=True):
                told.append(line)
                figures[name] = {
                    "packets": tally.packets, "shared": tally.shared, "keys": tally.keys,
                    "answers": dict(tally.statuses), "cycles": tally.cycles,
                }  # fmt: skip
    except ValueError as error:
        return Found(ok=False, text="\n".join([*told, str(error)]), data={})
    seconds = round(time.perf_counter() - began, 1)
    return Found(
        ok=True, text="\n".join(told),
        data={"core": run.name, "patterns": figures, "seconds": seconds},
    )  # fmt: skip


def broken(run: Run) -> Found:
    """Frames broken at random."""
    began = time.perf_counter()
    try:
        with tempfile.TemporaryDirectory() as folder:
            bus = Bus(run.config, library(run.config, Path(folder)), seed=run.seed)
            tally = segments_broken.play(bus, run.packets, run.seed)
    except ValueError as error:
        return Found(ok=False, text=f"{run.name}: {error}", data={})
    return Found(
        ok=True,
        text=f"{run.name}: {tally.packets:,} packets as they have to be, frames broken at random; "
        f"{tally.keys:,} keys amid them; answers: {tally.answers}; seed {run.seed}",
        data={
            "core": run.name, "packets": tally.packets, "keys": tally.keys,
            "answers": dict(tally.statuses), "seconds": round(time.perf_counter() - began, 1),
        },
    )  # fmt: skip


def steps() -> Iterator[Step]:
    """Every preset with segments; then frames broken at random, on other cores, too."""
    for name in presets():
        config = PRESETS[name].config
        run = Run(name=name, config=config, packets=PACKETS, seed=SEED)
        yield Step(
            kind="segments", name=name, seed=SEED, call=play, arguments=(run,), rtl=config,
            command=f"gcmforge-study run segments --preset {name} "
            f"--random {PACKETS * len(PATTERNS)} --seed {SEED}",
        )  # fmt: skip
    for name, config in cores_of_broken_frames().items():
        run = Run(name=name, config=config, packets=BROKEN_PACKETS, seed=SEED)
        yield Step(
            kind="segments", name=f"{name}, broken frames", seed=SEED, call=broken,
            arguments=(run,), rtl=config,
            command=f"gcmforge-study run segments --broken {BROKEN_PACKETS} --seed {SEED} "
            f"--core '{name}'",
        )  # fmt: skip


OWN_BUS = f"""\

## Cores with segments, on their own bus

Above, packets come by the plain streams, a packet to a beat. Here they come on the bus of segments,
as many in a beat as have room, made by `gcmforge-study evidence segments`:
{PACKETS * len(PATTERNS):,} packets for each preset, a quarter without pauses, with pauses of the
sender, of both receivers, and of all. Lengths are 0 to {JUMBO:,} bytes, most of them below 600.
{FORGED:.0%} are forged, {REFUSED:.0%} have a command that must be refused, {BROKEN:.0%} a segment
with the sign of an error; every {CHUNK:,} packets a new key comes amid them, one in ten of them not
usable. A packet has the key of the beat in which it starts.
"""

BROKEN_FRAMES = f"""
And {BROKEN_PACKETS:,} packets each whose frames are broken at random: any flag of a segment, with
noise in all that has no meaning, AAD and text around the limits, and keys at any moment, also for
contexts and of sizes that the core has not. What has to come is worked out from the rules on
[the ports page](ports.md#gcm_segments-coresegments), segment by segment.
"""


_SUMMED = ("packets", "shared", "keys", "cycles")


def table(records: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The section, from what is kept."""
    yield OWN_BUS
    yield (
        "| preset | RTL | version | packets | begin with another | new keys | failed tags "
        "| cycles | wrong |"
    )
    yield "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    good = [one for one in records if one["ok"]]
    found = {one["found"]["core"]: one for one in good if "patterns" in one["found"]}
    for name, one in found.items():
        patterns = one["found"]["patterns"].values()
        sums = {key: sum(part[key] for part in patterns) for key in _SUMMED}
        failed = sum(part["answers"].get(Status.AUTH_FAIL.name, 0) for part in patterns)
        yield (
            f"| `{name}` | `{one['rtl'][:8]}` | `{one['version']}` | {sums['packets']:,} | "
            f"{sums['shared']:,} | {sums['keys']:,} | {failed:,} | {sums['cycles']:,} | 0 |"
        )
    missing = [name for name in presets() if name not in found]
    if missing:
        yield f"\nNot played yet: {', '.join(missing)}."
    yield BROKEN_FRAMES
    kinds = [status.name for status in Status if status.value <= Status.BAD_FRAME.value]
    yield f"| core | RTL | version | packets | keys | {' | '.join(kinds)} | wrong |"
    yield f"| --- | --- | --- | {'---: | ' * (len(kinds) + 3)}".rstrip()
    for one in good:
        what = one["found"]
        if "patterns" in what:
            continue
        counts = " | ".join(f"{what['answers'].get(kind, 0):,}" for kind in kinds)
        yield (
            f"| `{what['core']}` | `{one['rtl'][:8]}` | `{one['version']}` | {what['packets']:,} | "
            f"{what['keys']:,} | {counts} | 0 |"
        )
