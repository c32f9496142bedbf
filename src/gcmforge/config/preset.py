# SPDX-License-Identifier: Apache-2.0
"""What a named configuration is."""

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
