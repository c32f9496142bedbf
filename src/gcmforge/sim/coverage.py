# SPDX-License-Identifier: Apache-2.0
"""What a verification reached of what it should: pairs of packets, ends of sections, tags, keys,
and points inside the core's modules (see `covered`)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gcmforge.config import CoreConfig
from gcmforge.model import TAG_BYTES
from gcmforge.sim.arranged import CARRY_BLOCKS, has_ends_without_a_byte
from gcmforge.sim.core import RunResult
from gcmforge.sim.directions import directions
from gcmforge.sim.operations import LoadKey, Operation, Packet, Status
from gcmforge.sim.packing import Answer, FramedPacket
from gcmforge.sim.pairs import Kind, kind_of, kinds, statuses
from gcmforge.sim.unreachable import reason

_LONG_END = f"a text of {CARRY_BLOCKS} blocks or more, and a beat without a byte after it"


@dataclass(slots=True)
class Coverage:
    """Bins, and how often each was reached. Those that this core cannot reach have a reason
    instead."""

    config: CoreConfig
    counts: Counter[str] = field(default_factory=Counter)
    bins: dict[str, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.bins.update(dict.fromkeys(_bins(self.config)))

    def add(self, operations: Sequence[Operation], result: RunResult) -> None:
        """What was played from a reset on, and what came of it."""
        self.bins.update(dict.fromkeys(result.points))
        self.counts.update(result.points)
        self.counts.update(_reached(self.config, operations, result.answers))

    @property
    def missed(self) -> tuple[str, ...]:
        """Bins that should have been reached and were not."""
        return tuple(
            name for name in self.bins if not self.counts[name] and not reason(self.config, name)
        )

    @property
    def excused(self) -> Mapping[str, str]:
        """Bins that this core cannot reach, and why."""
        return {
            name: why
            for name in self.bins
            if not self.counts[name] and (why := reason(self.config, name))
        }

    def to_mapping(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "bins": len(self.bins), "missed": list(self.missed), "cannot_be": dict(self.excused),
            "counts": {name: self.counts[name] for name in self.bins},
        }  # fmt: skip

    def __str__(self) -> str:
        total = len(self.bins) - len(self.excused)
        more = " (--json names the others)" if self.missed else ""
        return f"{total - len(self.missed):,} of {total:,} coverage bins{more}"


def _told(kind: Kind) -> str:
    direction, aad, text = kind
    return f"{direction}, {aad} AAD, {text} text"


def _bins(config: CoreConfig) -> Iterator[str]:
    """Those of the packets."""
    for after in kinds(config):
        for kind in kinds(config):
            yield f"{_told(kind)} after {_told(after)}"
    for last in statuses(config):
        for status in statuses(config):
            yield f"{status.name} after {last.name}"
    for section in ("AAD", "text"):
        for size in range(1, 16 * config.lanes + 1):
            yield f"last beat of {section} has {size} bytes"
    if has_ends_without_a_byte(config):
        yield _LONG_END
    for direction in ("decrypt" if decrypt else "encrypt" for decrypt in directions(config)):
        for size in TAG_BYTES:
            yield f"{direction}, tag of {size} bytes"
        for bits in config.key_sizes:
            yield f"{direction}, AES-{bits}"


def _reached(
    config: CoreConfig, operations: Sequence[Operation], answers: Iterable[Answer]
) -> Counter[str]:
    found: Counter[str] = Counter()
    keys: dict[int, int] = {}
    answer = iter(answers)
    last: Packet | None = None
    for operation in operations:
        if isinstance(operation, LoadKey):
            keys[operation.context] = 8 * len(operation.key)
            continue
        given = next(answer, None)
        if given is None or not given.answered:
            break
        found.update(_of_packet(config, operation, last, keys))
        last = operation
    return found


def _of_packet(
    config: CoreConfig, packet: Packet, last: Packet | None, keys: Mapping[int, int]
) -> Iterator[str]:
    status = packet.expect.status
    if last is not None:
        yield f"{status.name} after {last.expect.status.name}"
        if not isinstance(packet, FramedPacket) and not isinstance(last, FramedPacket):
            yield f"{_told(kind_of(config, packet))} after {_told(kind_of(config, last))}"
    if status is not Status.OK:
        return
    if isinstance(packet, FramedPacket):
        blocks = len(packet.expect.text) // 16
        if blocks >= CARRY_BLOCKS and packet.beats[-1].keep == 0:
            yield _LONG_END
        return
    beat = 16 * config.lanes
    for section, data in (("AAD", packet.aad), ("text", packet.text)):
        if data:
            yield f"last beat of {section} has {(len(data) - 1) % beat + 1} bytes"
    direction = "decrypt" if packet.decrypt else "encrypt"
    yield f"{direction}, tag of {packet.tag_bytes} bytes"
    yield f"{direction}, AES-{keys[packet.context]}"


__all__ = ["Coverage"]
