# SPDX-License-Identifier: Apache-2.0
"""Patterns in which senders and receivers pause."""

from dataclasses import dataclass, fields, replace
from typing import Any, Self


@dataclass(frozen=True, kw_only=True, slots=True)
class Stalls:
    """How the streams pause: probabilities from 0 to 1, drawn from the run's seed.

    `*_idle`: a source has nothing to offer; `*_wait`: a sink is not ready. `data_after_command`:
    a packet's data is held back until its command was accepted (else it may come before).
    `null_beats`: an empty section gets a beat without bytes. `bursts`: densities change every few
    hundred cycles between flowing, by chance, long pauses, and nearly stopped. `after_valid`: a
    sink is not ready before something has been offered to it for a cycle.
    """

    key_idle: float = 0.0
    command_idle: float = 0.0
    data_idle: float = 0.0
    text_wait: float = 0.0
    tag_wait: float = 0.0
    data_after_command: float = 0.0
    null_beats: float = 0.0
    bursts: bool = False
    after_valid: bool = False

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not 0 <= value <= 1:
                raise ValueError(f"{field.name}={value}: use a probability from 0 to 1")

    @property
    def slow(self) -> bool:
        """Whether a stream nearly stands still."""
        return max(self.key_idle, self.command_idle, self.text_wait, self.tag_wait) > 0.9

    @classmethod
    def named(cls, name: str) -> Self:
        """One of the patterns none, idle, backpressure, both."""
        if name not in STALL_PATTERNS:
            raise ValueError(f"stalls={name}: use one of {', '.join(STALL_NAMES)}")
        return cls(**STALL_PATTERNS[name], bursts=name != "none")


_IDLE = {"key_idle": 0.4, "command_idle": 0.4, "data_idle": 0.4}


_WAIT = {"text_wait": 0.4, "tag_wait": 0.4}


_STYLE: dict[str, Any] = {"data_after_command": 0.3, "null_beats": 0.3}


STALL_PATTERNS: dict[str, dict[str, Any]] = {
    "none": {},
    "idle": {**_IDLE, **_STYLE},
    "backpressure": {**_WAIT, **_STYLE},
    "both": {**_IDLE, **_WAIT, **_STYLE},
}

PRESSURE = "pressure"
STALL_NAMES = (*STALL_PATTERNS, PRESSURE)
SLOW, SLOWER = 0.97, 0.997


def patterns_of(name: str) -> tuple[Stalls, ...]:
    """The patterns that a name stands for. "pressure" is all of the others, and after them each
    stream alone slow while all else flows, so that queues stand full, then empty; and sinks that
    wait for what is offered, as AXI4-Stream lets them."""
    if name != PRESSURE:
        return (Stalls.named(name),)
    slow = (
        Stalls(key_idle=SLOW),
        Stalls(command_idle=SLOW),
        Stalls(data_idle=SLOW),
        Stalls(text_wait=SLOW),
        Stalls(tag_wait=SLOW),
    )
    return (
        *map(Stalls.named, STALL_PATTERNS),
        *slow,
        *(replace(stalls, **_STYLE, bursts=True) for stalls in slow),
        Stalls(text_wait=SLOWER),
        Stalls(tag_wait=SLOWER),
        Stalls(after_valid=True),
    )
