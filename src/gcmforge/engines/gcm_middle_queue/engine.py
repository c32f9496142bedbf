# SPDX-License-Identifier: Apache-2.0
"""Slots that wait in queues for their key stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gcmforge.config.kinds import Slots
from gcmforge.engines.counting import Count, memory, slot_commands, slot_facts, slot_steps

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig


def _depth(config: CoreConfig) -> int:
    if config.aes_engine.flows:
        return config.aes_latency_cycles + 2
    return config.aes_turn[0] + 3  # one waits for its turn, one to leave, one is to come


def _counts(config: CoreConfig) -> Count:
    """Facts and data in two queues."""
    found = memory(slot_facts(config), config.slot_depth - 2)
    found += memory(128 * config.lanes, config.slot_depth - 1)
    return found + slot_steps(config) + slot_commands(config, 2)


ENGINE = Slots(
    name="queue",
    says="is a FIFO. It stores each beat once, and lets blocks of an IV through without delay",
    default=True,
    depth=_depth,
    counts=_counts,
    diagram="gcm_slots_queue",
)
