# SPDX-License-Identifier: Apache-2.0
"""A built core with segments, compiled with its own bus as the top and driven from Python."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gcmforge.config import CoreConfig
from gcmforge.config.codes import Status
from gcmforge.engines.gcm_segments.engine import SEGMENTS
from gcmforge.sim.segmented import TAG_FIELDS, TEXT_FIELDS, Packet, answers, beats, texts
from gcmforge.study.evidence import own_bus
from gcmforge.study.evidence.own_bus import OwnBus, Pauses, Raw, Wires

WIRES = Wires(
    text=TEXT_FIELDS,
    tag=TAG_FIELDS,
    answered="__builtin_popcount(core.m_tag_ena)",
    ready_again=True,
)


@dataclass(frozen=True, kw_only=True)
class Played:
    """Cycles of transfers, and what differs from what had to come."""

    in_cycles: Sequence[int]
    text_cycles: Sequence[int]
    tag_cycles: Sequence[int]
    tags: Sequence[int]
    """Packets answered in each transfer."""
    wrong: tuple[str, ...]


@dataclass(kw_only=True, slots=True)
class Tally:
    """What was played at random."""

    packets: int = 0
    shared: int = 0
    """Packets that begin in a beat in which another one begins."""
    keys: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    cycles: int = 0

    @property
    def answers(self) -> str:
        """How many of each, as text."""
        return ", ".join(f"{count:,} {name}" for name, count in self.statuses.most_common())


def library(config: CoreConfig, work: Path, *, optimise: str = "-O1") -> Path:
    """Compiled, see own_bus.library."""
    return own_bus.library(config, WIRES, work, optimise=optimise)


class Bus(OwnBus):
    """A running core."""

    def __init__(self, config: CoreConfig, made: Path, *, seed: int = 1) -> None:
        super().__init__(config, WIRES, made, seed=seed)

    def play(
        self, packets: Sequence[Packet], *, pauses: Pauses = (0, 0, 0), words: Sequence[
            Mapping[str, int]] | None = None,
    ) -> Played:  # fmt: skip
        """Packets, and whether every text, tag and status is the right one."""
        words = list(beats(self.config, packets)) if words is None else words
        raw = self.run(words, len(packets), self.most(words), pauses=pauses)
        wrong = (raw.wrong,) if raw.wrong else tuple(self.wrong(packets, raw))
        return Played(
            in_cycles=raw.in_cycles,
            text_cycles=raw.text_cycles,
            tag_cycles=raw.tag_cycles,
            tags=[ena.bit_count() for _, ena, _ in raw.tags],
            wrong=wrong,
        )

    def load_every(self, rng: random.Random) -> dict[int, bytes]:
        """A key for each context."""
        sizes = self.config.key_sizes
        keys = {n: rng.randbytes(rng.choice(sizes) // 8) for n in range(self.config.contexts)}
        for context, key in keys.items():
            self.load(key, context)
        return keys

    def most(self, words: Sequence[Mapping[str, int]]) -> int:
        """More words than these never come out."""
        return len(words) * (1 + int(self.config[SEGMENTS]))

    def wrong(self, packets: Sequence[Packet], raw: Raw) -> Iterable[str]:
        """Of each packet, what differs."""
        expected = [(packet.answer, packet.status) for packet in packets]
        found: list[tuple[bytes, Status]] = answers(self.config, raw.tags)
        for number, (want, got) in enumerate(zip(expected, found, strict=False)):
            if want != got:
                yield f"packet {number}: answer {got}, not {want}"
        if len(expected) != len(found):
            yield f"{len(found)} answers for {len(expected)} packets"
        holds = self.config.release_engine.holds
        outs = [
            packet.out
            for packet in packets
            if packet.out and (packet.status is Status.OK or not holds)
        ]
        came = texts(self.config, raw.text)
        for number, (wanted, out) in enumerate(zip(outs, came, strict=False)):
            if wanted != out:
                yield f"text {number}: {out.hex()}, not {wanted.hex()}"
        if len(outs) != len(came):
            yield f"{len(came)} texts for {len(outs)} packets with text"
