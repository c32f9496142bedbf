# SPDX-License-Identifier: Apache-2.0
"""Round keys that are made together with the data, from the key alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gcmforge.config.kinds import KeySchedule
from gcmforge.engines.counting import Count, memory, sboxes, travelling_bits

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig


def _counts(config: CoreConfig) -> Count:
    """Windows between the rounds, four S-boxes a step."""
    bits, sizes = travelling_bits(config), len(config.key_sizes)
    found = memory(bits, config.contexts) + sboxes(config, 4 * config.rounds)
    return found + Count(
        register=bits * config.rounds * config.aes_substages + bits * (config.contexts > 1),
        xor=128 * config.rounds * sizes,
        mux=bits * config.rounds * (sizes - 1),
        step=config.rounds,
    )


ENGINE = KeySchedule(
    name="travelling",
    says="makes them for each block anew, in step with its rounds, so that only the key is stored",
    summary=", travelling keys",
    feed_cycles=lambda config, rounds: 0,
    counts=_counts,
    travels=True,
)
