# SPDX-License-Identifier: Apache-2.0
"""Slots that move on with the AES, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gcmforge.config.kinds import Slots
from gcmforge.engines.counting import Count, slot_commands, slot_line, slot_steps

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig


def _counts(config: CoreConfig) -> Count:
    return slot_line(config) + slot_steps(config) + slot_commands(config, 2)


ENGINE = Slots(
    name="line",
    says="is a shift register as long as the AES, with less hardware and a shorter path "
    "(aes=pipelined with ghash=aggregated)",
    rank=1,
    summary=", slots in step",
    depth=lambda config: config.aes_latency_cycles,
    counts=_counts,
    diagram="gcm_slots_line",
    in_step=True,
)
