# SPDX-License-Identifier: Apache-2.0
"""Hash subkeys from the data path: a slot of the AES, and the multiplier of the GHASH."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gcmforge.config.kinds import KeyUnit

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig


def _load_cycles(config: CoreConfig) -> int:
    """The key goes to the AES, the zero block through it, and the GHASH makes the powers."""
    schedule = config.key_schedule_engine
    feed = max(schedule.feed_cycles(config, size // 32 + 6) for size in config.key_sizes)
    return feed + config.pass_cycles + config.ghash_engine.load_cycles(config)


ENGINE = KeyUnit(
    name="shared",
    says="uses the AES for one block and the GHASH for some cycles, in which packets wait",
    default=True,
    load_cycles=_load_cycles,
    diagram=("H, by a slot of the AES",),
)
