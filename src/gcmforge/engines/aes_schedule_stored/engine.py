# SPDX-License-Identifier: Apache-2.0
"""Round keys that are made once and kept for every context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gcmforge.config.kinds import KeySchedule
from gcmforge.engines.counting import Count, key_expander, memory

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig

WORDS = {10: 10, 12: 8, 14: 13}
"""Words of a schedule that pass the S-boxes, by rounds (FIPS 197, section 5.2)."""


def _expand(config: CoreConfig, rounds: int) -> int:
    """The law of aes_key_expand."""
    return 4 * (rounds + 1) + 1 + WORDS[rounds] * (config.aes_substages + 1)


def _counts(config: CoreConfig) -> Count:
    """A memory for each round."""
    rounds = config.rounds + 1
    found = memory(128 * rounds, config.contexts) + key_expander(config)
    ahead = 128 * rounds if config.contexts > 16 else 0  # read registers
    places = config.rounds * config.aes_substages + 1
    return found + Count(register=ahead + places * config.context_bits)


ENGINE = KeySchedule(
    name="stored",
    says="makes them once and keeps them for every context",
    default=True,
    feed_cycles=_expand,
    counts=_counts,
)
