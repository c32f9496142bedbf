# SPDX-License-Identifier: Apache-2.0
"""Ethernet with MACsec on a core whose packets share beats: the clock for each rate, and what the
core can take of a full line by the length of the frames."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gcmforge.config import CoreConfig
from gcmforge.config.ethernet import (
    FRAME_BYTES,
    LONGEST_ADDED_BYTES,
    SECTAG_BYTES,
    Need,
    clock_needed,
    fraction,
)
from gcmforge.config.presets import PRESETS
from gcmforge.report.svg import document, rule, text

FILE = "datasheet_ethernet.svg"
SHOWN_BYTES = (64, 128, 256, 512, 1_024, 1_518, 9_600)
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640.0, 260.0, 46.0, 20.0, 14.0, 40.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Ethernet:
    """What the section of a datasheet says."""

    needs: tuple[tuple[int, Need], ...]
    """For each rate of a preset, Gbit/s."""
    gbit_per_s: int
    clock_mhz: float
    """Of the curve: those of the preset, or the first rate at the lowest clock for it."""
    preset: str
    lowest: float
    lowest_bytes: int
    shown: tuple[tuple[int, float], ...]
    """Frame bytes, and the fraction of the line, the lower one of both forms of SecTAG."""
    drawing: str


def ethernet(config: CoreConfig) -> Ethernet | None:
    """None for a core that has no law of packets that share beats."""
    own = config.architecture
    if own is None or own.bus_cycles is None:
        return None
    rates = sorted({one.ethernet_gbit_per_s or 0 for one in PRESETS.values()} - {0})
    needs = tuple((rate, clock_needed(config, rate)) for rate in rates)
    rate, clock, name = rates[0], needs[0][1].clock_mhz, ""
    for preset in PRESETS.values():
        if preset.config == config and preset.ethernet_gbit_per_s and preset.clock_mhz:
            rate, clock, name = preset.ethernet_gbit_per_s, preset.clock_mhz, preset.name
    lengths = range(FRAME_BYTES.start, FRAME_BYTES.stop + LONGEST_ADDED_BYTES)
    found = {length: _fraction(config, rate, clock, length) for length in lengths}
    worst = min(lengths, key=lambda length: found[length])
    return Ethernet(
        needs=needs, gbit_per_s=rate, clock_mhz=clock, preset=name, lowest=found[worst],
        lowest_bytes=worst, shown=tuple((length, found[length]) for length in SHOWN_BYTES),
        drawing=curve(found, f"Fraction of {rate:,} Gbit/s Ethernet by frame length"),
    )  # fmt: skip


def _fraction(config: CoreConfig, rate: float, clock: float, length: int) -> float:
    return min(fraction(config, rate, clock, length, sectag) for sectag in SECTAG_BYTES)


def curve(found: dict[int, float], title: str) -> str:
    """Lengths to the right, each twice the one before it at the same distance; the lowest fraction
    of the lengths that share a point."""
    first, last = min(found), max(found)
    most = math.ceil(4 * max(found.values())) / 4
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def across(length: float) -> float:
        return LEFT + wide * math.log(length / first) / math.log(last / first)

    def up(value: float) -> float:
        return TOP + high * (1 - value / most)

    body = []
    for step in range(int(4 * most) + 1):
        value = step / 4
        if value == int(value) or value == most:
            body.append(rule((LEFT, up(value)), (WIDTH - RIGHT, up(value))))
            body.append(text(LEFT - 6, up(value) + 4, f"{value:g}", "soft", "end"))
    for length in (64, 128, 256, 512, 1_024, 2_048, 4_096, 9_600):
        body.append(text(across(length), HEIGHT - BOTTOM + 16, f"{length:,}", "soft"))
    columns: dict[float, float] = {}
    for length, value in found.items():
        column = round(across(length) * 2) / 2
        columns[column] = min(value, columns.get(column, value))
    points = " L".join(f"{x:g} {up(value):.1f}" for x, value in sorted(columns.items()))
    body.append(f'<path d="M{points}"/>')
    body.append(
        text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, "bytes of a frame on the line", "soft")
    )
    return document(WIDTH, HEIGHT, title, body)
