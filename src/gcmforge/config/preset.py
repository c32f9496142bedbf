# SPDX-License-Identifier: Apache-2.0
"""What a named configuration is."""

import math
from dataclasses import dataclass

from gcmforge.config.core import CoreConfig


@dataclass(frozen=True, kw_only=True, slots=True)
class Preset:
    """A configuration that has a name, and what it is for."""

    name: str
    purpose: str
    config: CoreConfig
    clock_mhz: float | None = None
    """What the line rate in its name asks of the technology."""
    technology: str = ""
    ethernet_gbit_per_s: int | None = None
    """The Ethernet rate that it carries at that clock, whatever the frames are."""

    @property
    def clock_ns(self) -> float | None:
        """Its period."""
        return None if self.clock_mhz is None else period_ns(self.clock_mhz)


def period_ns(clock_mhz: float) -> float:
    """Of a clock, rounded down to 10 ps: rounded up it would be a lower clock."""
    return math.floor(100_000 / clock_mhz) / 100


def rate_arithmetic(
    config: CoreConfig, clock_mhz: float, technology: str, core: str = "CORE"
) -> tuple[str, ...]:
    """How lanes and clock make the rate of a pipelined core, in lines to print; `core` is its
    folder."""
    beat = config.data_bits // 8
    mixed = math.ceil(1500 / beat)
    period = f"{period_ns(clock_mhz):.2f}"
    return (
        f"{config.lanes} lane{'s' * (config.lanes > 1)} x 128 bits x {clock_mhz:g} MHz = "
        f"{config.data_bits * clock_mhz / 1000:.1f} Gbit/s, a beat of {beat} bytes a cycle",
        f"packets of 64 bytes: {math.ceil(64 / beat)} beat{'s' * (beat < 64)}, "
        f"{clock_mhz / math.ceil(64 / beat):.0f} million a second; of 1,500 bytes: {mixed} beats, "
        f"{8 * 1500 * clock_mhz / mixed / 1000:.1f} Gbit/s",
        f"{clock_mhz:g} MHz is asked of {technology}: {period} ns a stage; "
        f"gcmforge measure {core} --target {technology} --clock {period} says what it gives",
    )
