# SPDX-License-Identifier: Apache-2.0
"""Hash subkeys on hardware of their own: a cipher of one column and a serial multiplier."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gcmforge.config.engine import Parameters
from gcmforge.config.kinds import KeyUnit
from gcmforge.engines.counting import Count, gates, key_expander, sboxes

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig

DIGIT = 4
"""Bits a cycle of its multiplier, as in its module."""


def _parameters(config: CoreConfig) -> Parameters:
    powers = config.ghash_engine.powers(config)
    return (("Powers", str(powers)), ("SubStages", str(config.aes_substages)))


def _round_cycles(config: CoreConfig) -> int:
    """From a round key to the end of its round."""
    return 4 + config.aes_substages


def _power_cycles(config: CoreConfig) -> int:
    """From each power of H to the next."""
    return 128 // DIGIT + 1


def _load_cycles(config: CoreConfig) -> int:
    """Each round waits for the expansion of its key, four words with an S-box at most twice."""
    expanded = 4 + config.aes_substages
    rounds = (config.rounds + 1) * (expanded + _round_cycles(config))
    return rounds + _power_cycles(config) * config.ghash_engine.powers(config)


def _counts(config: CoreConfig) -> Count:
    """A column of a cipher, the multiplier, and with round keys that travel an expansion of its
    own (gcm_key_feed_both)."""
    found = sboxes(config, 4) + gates(xors=128 * DIGIT, ands=128 * DIGIT)
    if config.key_schedule_engine.travels:
        found += key_expander(config)
    return found + Count(
        column=1,
        register=128 + 96 + 2 * 128 + 22,
        xor=32 + 4 * DIGIT,
        mux=2 * 128 + 3 * 32 + 2 * 128,
    )


ENGINE = KeyUnit(
    name="dedicated",
    says="has a cipher of four S-boxes and a serial multiplier of its own. They are slower, and no "
    "packet waits for them",
    summary=", own key unit",
    parameters=_parameters,
    load_cycles=_load_cycles,
    round_cycles=_round_cycles,
    power_cycles=_power_cycles,
    counts=_counts,
    diagram=("H and its powers,", "by a cipher of its own"),
    dedicated=True,
)
