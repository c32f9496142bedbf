# SPDX-License-Identifier: Apache-2.0
"""One explored core on one target: its figures, whatever they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from gcmforge.config import CoreConfig
from gcmforge.explore.pareto import Goal

GOALS = {
    goal.name: goal
    for goal in (
        Goal(name="gbit_per_s", more_is_better=True),
        Goal(name="bits_per_cycle", more_is_better=True),
        Goal(name="fmax_mhz", more_is_better=True),
        Goal(name="kbit_per_s_per_gate", more_is_better=True),
        Goal(name="area_ge", more_is_better=False),
        Goal(name="luts", more_is_better=False),
        Goal(name="flip_flops", more_is_better=False),
        Goal(name="delay_ta", more_is_better=False),
        Goal(name="latency_cycles", more_is_better=False),
        Goal(name="latency_ns", more_is_better=False),
        Goal(name="pj_per_bit", more_is_better=False),
    )
}
"""Figures of a Point that fronts can be drawn of."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Point:
    """Figures of a core on a target; what is not known is None.

    Throughput is that of packets of `packet_bytes` back to back with the core's largest key.
    """

    config: CoreConfig
    target: str
    depth: Literal["estimate", "measure"]
    packet_bytes: int
    area_ge: float | None = None
    luts: int | None = None
    flip_flops: int | None = None
    fmax_mhz: float | None = None
    delay_ta: float | None = None
    bits_per_cycle: float | None = None
    gbit_per_s: float | None = None
    latency_cycles: int | None = None
    """From a packet's first beat in to its first beat out, in an idle core."""
    pj_per_bit: float | None = None
    placed_fmax_mhz: float | None = None
    """With wires and a clock tree; the other figures are for ideal wires and an ideal clock."""
    placed_area_ge: float | None = None
    blocks: Mapping[str, float] = field(default_factory=dict)
    """GE by block."""
    note: str = ""
    """What is to be known of the figures."""
    error: str = ""
    """Why there are none."""

    @property
    def kbit_per_s_per_gate(self) -> float | None:
        if self.gbit_per_s is None or not self.area_ge:
            return None
        return 1e6 * self.gbit_per_s / self.area_ge

    @property
    def latency_ns(self) -> float | None:
        if self.latency_cycles is None or not self.fmax_mhz:
            return None
        return 1000 * self.latency_cycles / self.fmax_mhz

    @property
    def build_command(self) -> str:
        """What builds exactly this core, from any folder."""
        import shlex

        words = ["gcmforge", "build"]
        for setting in self.config.settings:
            words += ["--set", setting]
        return shlex.join([*words, "-o", "cores/mine"])

    def to_mapping(self) -> dict[str, Any]:
        """For JSON."""
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return values | {
            "config": self.config.to_mapping(),
            "blocks": dict(self.blocks),
            "kbit_per_s_per_gate": self.kbit_per_s_per_gate,
            "latency_ns": self.latency_ns,
            "build": self.build_command,
        }
