# SPDX-License-Identifier: Apache-2.0
"""Figures of a core without building it: counts, laws of cycles, and what measured cores taught."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from gcmforge.config import CoreConfig, default_of, options
from gcmforge.explore.calibration import Sample, calibration_of, data_of
from gcmforge.explore.laws import bits_per_cycle, first_text_latency_cycles
from gcmforge.explore.point import Point

COUNTED = frozenset(
    (
        "lanes", "key_sizes", "contexts", "aes", "aes_rounds", "aes_loops", "aes_substages",
        "key_schedule", "counter_sharing", "sbox", "mix_columns", "ghash", "multiplier",
        "squarers", "ghash_stages", "iv", "j0", "tail", "aad_lanes",
        "max_text_bytes", "max_aad_bytes",
    )
)  # fmt: skip
"""Options that an estimate takes into account; of any other it says that it does not."""


def estimate(config: CoreConfig, target: str, packet_bytes: int) -> Point:
    """The core's figures; ConfigError where nothing was measured on the target."""
    calibration = calibration_of(target)
    blocks = calibration.area_ge(config)
    delay = max(calibration.delays(config).values())
    rate = bits_per_cycle(config, packet_bytes)
    in_ns = target != "ge"
    fmax = 1000 / delay if in_ns else None
    return Point(
        config=config,
        target=target,
        depth="estimate",
        packet_bytes=packet_bytes,
        area_ge=sum(blocks.values()),
        fmax_mhz=fmax,
        delay_ta=None if in_ns else delay,
        bits_per_cycle=rate,
        gbit_per_s=None if fmax is None else rate * fmax / 1000,
        latency_cycles=first_text_latency_cycles(config),
        blocks=blocks,
        note=_note(config),
    )


def estimate_all(configs: Iterable[CoreConfig], target: str, packet_bytes: int) -> list[Point]:
    """Estimates in the order of the configurations."""
    return [estimate(config, target, packet_bytes) for config in configs]


def _note(config: CoreConfig) -> str:
    left = [
        f"{name}={getattr(config, name)}"
        for name in options()
        if name not in COUNTED and getattr(config, name) != default_of(name)
    ]
    return f"not in the estimate: {', '.join(left)}" if left else ""


# How good they are --------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Error:
    """Estimate over measurement, less one: of area and of the slowest path."""

    sample: Sample
    area: float
    delay: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Accuracy:
    """How far estimates are off on points that did not calibrate them."""

    target: str
    effort: str
    points: int
    calibrated_on: int
    mean_area: float
    worst_area: float
    mean_fmax: float
    worst_fmax: float

    @property
    def text(self) -> str:
        """One line."""
        if not self.points:
            return f"estimates on {self.target}: not checked against any measured core"
        return (
            f"estimates on {self.target} (effort {self.effort}) against {self.points} measured "
            f"cores that did not calibrate them: area off by {self.mean_area:.1%} on average, "
            f"{self.worst_area:.1%} at most; Fmax by {self.mean_fmax:.1%}, {self.worst_fmax:.1%}"
        )


def errors(target: str, samples: Sequence[Sample]) -> list[Error]:
    """Of the estimates of these samples."""
    calibration = calibration_of(target)
    return [
        Error(
            sample=sample,
            area=sum(calibration.area_ge(sample.config).values()) / sample.area_ge - 1,
            delay=max(calibration.delays(sample.config).values()) / sample.delay - 1,
        )
        for sample in samples
    ]


@cache
def accuracy(target: str) -> Accuracy:
    """Over the target's points for validation."""
    data = data_of(target)
    found = errors(target, data.validate)
    areas = [abs(error.area) for error in found] or [0.0]
    rates = [abs(1 / (1 + error.delay) - 1) for error in found] or [0.0]
    return Accuracy(
        target=data.target,
        effort=data.effort,
        points=len(found),
        calibrated_on=len(data.calibrate),
        mean_area=sum(areas) / len(areas),
        worst_area=max(areas),
        mean_fmax=sum(rates) / len(rates),
        worst_fmax=max(rates),
    )
