# SPDX-License-Identifier: Apache-2.0
"""Figures of a core without building it: counts, laws of cycles, and what measured cores taught."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from gcmforge.config import CoreConfig, default_of, options
from gcmforge.config.installed import own_options
from gcmforge.config.rates import bits_per_cycle, first_text_latency_cycles
from gcmforge.explore.calibration import Sample, calibrate, calibration_of, data_of
from gcmforge.explore.parts import UncountedError
from gcmforge.explore.placed import with_placed
from gcmforge.explore.point import Point

COUNTED = frozenset(
    (
        "lanes", "key_sizes", "contexts", "aes", "aes_rounds", "aes_loops", "aes_substages",
        "aes_slack", "key_schedule", "counter_sharing", "sbox", "mix_columns", "ghash",
        "multiplier", "squarers", "window_bits", "window_splits", "ghash_stages", "iv", "j0",
        "tail", "aad_lanes", "max_text_bytes", "max_aad_bytes", "release", "buffer_beats",
        "tag_places", "digit_bits", "key_unit",
    )
)  # fmt: skip
"""Options that an estimate takes into account, next to those of an engine that counts itself; of
any other it says that it does not."""


def estimate(config: CoreConfig, target: str, packet_bytes: int) -> Point:
    """The core's figures, or why there are none; ConfigError where nothing was measured on the
    target."""
    calibration = calibration_of(target)
    try:
        blocks = calibration.area_ge(config)
    except UncountedError as error:
        return Point(
            config=config, target=target, depth="estimate", packet_bytes=packet_bytes,
            error=str(error),
        )  # fmt: skip
    delay = max(calibration.delays(config).values())
    rate = bits_per_cycle(config, packet_bytes)
    in_ns = target != "ge"
    fmax = 1000 / delay if in_ns else None
    point = Point(
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
    return with_placed(point)


def estimate_all(configs: Iterable[CoreConfig], target: str, packet_bytes: int) -> list[Point]:
    """Estimates in the order of the configurations."""
    return [estimate(config, target, packet_bytes) for config in configs]


def _is_counted(name: str) -> bool:
    having, _ = own_options().get(name, ((), None))
    return name in COUNTED or any(getattr(engine, "counts", None) for engine in having)


def _note(config: CoreConfig) -> str:
    left = [
        f"{name}={getattr(config, name)}"
        for name in options()
        if getattr(config, name) != default_of(name) and not _is_counted(name)
    ]
    return f"not in the estimate: {', '.join(left)}" if left else ""


# How good they are --------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Error:
    """A measured core, and the estimate by a calibration without it."""

    sample: Sample
    area_ge: float
    delay: float

    @property
    def area(self) -> float:
        """Estimated over measured area, less one."""
        return self.area_ge / self.sample.area_ge - 1

    @property
    def fmax(self) -> float:
        """Estimated over measured Fmax, less one."""
        return self.sample.delay / self.delay - 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Accuracy:
    """How far estimates are off, each by a calibration that leaves out the core it is of."""

    target: str
    effort: str
    points: int
    mean_area: float
    worst_area: float
    mean_fmax: float
    worst_fmax: float

    @property
    def text(self) -> str:
        """One line."""
        return (
            f"estimates on {self.target} (effort {self.effort}) against {self.points} measured "
            f"cores, each calibrated without the core itself: area off by {self.mean_area:.1%} on "
            f"average, {self.worst_area:.1%} at most; Fmax by {self.mean_fmax:.1%}, "
            f"{self.worst_fmax:.1%}"
        )


@cache
def errors(target: str) -> tuple[Error, ...]:
    """Of every measured core of the target, left out of the calibration that estimates it."""
    data = data_of(target)
    found = []
    for number, sample in enumerate(data.samples):
        others = data.samples[:number] + data.samples[number + 1 :]
        calibration = calibrate(data.target, data.effort, others, data.leaves)
        found.append(
            Error(
                sample=sample,
                area_ge=sum(calibration.area_ge(sample.config).values()),
                delay=max(calibration.delays(sample.config).values()),
            )
        )
    return tuple(found)


@cache
def accuracy(target: str) -> Accuracy:
    """Over all of the target's points."""
    data = data_of(target)
    areas = [abs(error.area) for error in errors(target)]
    rates = [abs(error.fmax) for error in errors(target)]
    return Accuracy(
        target=data.target,
        effort=data.effort,
        points=len(areas),
        mean_area=sum(areas) / len(areas),
        worst_area=max(areas),
        mean_fmax=sum(rates) / len(rates),
        worst_fmax=max(rates),
    )
