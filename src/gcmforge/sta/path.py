# SPDX-License-Identifier: Apache-2.0
"""A slowest path, and what it allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

PATH_GROUPS = (
    "register to register",
    "input to register",
    "register to output",
    "input to output",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One cell on a path: from its input pin to its output, and what it drives."""

    instance: str
    cell: str
    from_pin: str
    to_pin: str
    edge: str
    """Of the output: "rise" or "fall"."""
    net: str
    delay_ns: float
    arrival_ns: float
    slew_ns: float
    load_pf: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Timing:
    """The slowest path, setup included, and what it allows."""

    critical_path_ns: float
    fmax_mhz: float
    start: str
    end: str
    path: tuple[Step, ...]
    setup_ns: float
    """Part of the critical path: the flip-flop's setup time at its end; 0 at an output."""
    clock_ns: float | None
    slack_ns: float | None
    """Clock minus critical path; negative when the clock cannot be met. None without a clock."""
    groups: Mapping[str, float]
    """Slowest path in ns of each kind in PATH_GROUPS that there is."""
    end_instance: str = ""
    """The flip-flop at its end; empty for an output."""
