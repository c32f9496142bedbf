# SPDX-License-Identifier: Apache-2.0
"""A built core with many streams, compiled with its own bus as the top and driven from Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gcmforge.config import CoreConfig
from gcmforge.sim.interleaved import (
    TAG_FIELDS,
    TEXT_FIELDS,
    Packet,
    Place,
    awaited,
    differences,
    outcome,
    words,
)
from gcmforge.study.evidence import own_bus
from gcmforge.study.evidence.own_bus import Loaded, OwnBus, Pauses, Raw, Wires

WIRES = Wires(text=TEXT_FIELDS, tag=TAG_FIELDS, answered="1", ready_again=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Played:
    """Cycles of transfers, and what differs from what had to come."""

    raw: Raw
    wrong: tuple[str, ...]


def library(config: CoreConfig, work: Path, *, optimise: str = "-O1") -> Path:
    """Compiled, see own_bus.library."""
    return own_bus.library(config, WIRES, work, optimise=optimise)


class Bus(OwnBus):
    """A running core."""

    def __init__(self, config: CoreConfig, made: Path, *, seed: int = 1) -> None:
        super().__init__(config, WIRES, made, seed=seed)
        self.held: dict[int, bytes] = {}
        """The key of each context."""

    def load(self, key: bytes, context: int) -> None:
        super().load(key, context)
        self.held[context] = key

    def play(
        self,
        packets: Sequence[Packet],
        order: Sequence[Place],
        *,
        pauses: Pauses = (0, 0, 0),
        holds: float = 0.0,
        keys: Sequence[Loaded] = (),
    ) -> Played:
        """Packets in that order, and whether every word of text and every answer is the right one.
        A packet has the new key if its command is taken in the cycle of the key, or later."""
        given = words(packets, order)
        raw = self.run(given, len(packets), 2 * len(given), pauses=pauses, holds=holds, keys=keys)
        begun = {
            number: cycle
            for (number, beat), cycle in zip(order, raw.in_cycles, strict=True)
            if beat < 0
        }
        changes = list(zip(keys, raw.key_cycles, strict=True))
        outcomes = []
        for number, packet in enumerate(packets):
            key = self.held.get(packet.context)
            for one, cycle in changes:
                if one.context == packet.context and begun.get(number, 0) >= cycle:
                    key = one.key if one.size is None else None
            outcomes.append(outcome(packet, key))
        for one, _ in changes:
            if one.size is None:
                self.held[one.context] = one.key
            else:
                self.held.pop(one.context, None)
        text, tags = awaited(packets, order, outcomes)
        wrong: tuple[str, ...] = (raw.wrong,) if raw.wrong else ()
        wrong += tuple(differences("text", raw.text, text))
        wrong += tuple(differences("answers", raw.tags, tags))
        return Played(raw=raw, wrong=wrong)
