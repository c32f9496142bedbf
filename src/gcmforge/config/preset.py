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
