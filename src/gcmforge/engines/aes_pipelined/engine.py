# SPDX-License-Identifier: Apache-2.0
"""Every round in hardware: a block a lane and cycle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gcmforge.config.engine import AesEngine, Parameters
from gcmforge.engines.counting import (
    Count,
    keys_loaded,
    optional_rounds,
    sboxes,
)

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig


def _parameters(config: CoreConfig) -> Parameters:
    return (
        ("Lanes", str(config.aes_lanes)),
        ("Contexts", str(config.contexts)),
        ("MinRounds", str(min(config.key_sizes) // 32 + 6)),
        ("MaxRounds", str(config.rounds)),
        ("SubStages", str(config.aes_substages)),
    )


def _counts(config: CoreConfig) -> Count:
    """aes_pipelined, aes_front_shared."""
    bits = 128 * config.aes_lanes
    shared = config.counter_sharing == "on"
    rounds = config.rounds - 2 * shared
    columns = 4 * config.aes_lanes * (rounds - 1)
    found = sboxes(config, 16 * config.aes_lanes * rounds + _front_sboxes(config) * shared)
    optional = bits * optional_rounds(config)
    found += Count(
        column=columns + 6 * shared,
        xor=bits * rounds,
        mux=optional,
        register=bits * rounds + optional * (config.aes_substages - 1),
        one=1,
    )
    return found + (_front(config) if shared else Count(xor=bits, register=bits))


def _front_sboxes(config: CoreConfig) -> int:
    return 18 + config.aes_lanes + 24 + 4 * config.aes_lanes


def _front(config: CoreConfig) -> Count:
    """What the first two rounds have, not S-boxes and columns: common, two values, a lane's."""
    lanes, choosing = config.aes_lanes, config.aes_lanes - 2
    entrance = 96 + 2 * 24 + 8 * lanes
    places = 2 * config.aes_substages + 1
    return Count(
        xor=entrance + 6 * 32 + 9 * 116 + 5 * 43 * lanes + 24 * choosing,
        mux=128 * choosing,
        register=2 * entrance + 2 * 96 + 32 * lanes + places * lanes,
    )


def _key_counts(config: CoreConfig) -> Count:
    return keys_loaded(config) + config.key_schedule_engine.counts(config)


ENGINE = AesEngine(
    name="pipelined",
    says="has every round in hardware and takes a block per lane and cycle",
    source="Satoh 2007, Fig. 6; Yang 2005, Fig. 5",
    default=True,
    parameters=_parameters,
    latency_cycles=lambda config, rounds: config.rounds * config.aes_substages + 2,
    turn=lambda config: (1, 1),
    beat_cycles=lambda config: 1,
    slot_cycles=lambda config: 1.0,
    counts=_counts,
    key_counts=_key_counts,
    diagram=lambda config: f"{config.rounds} rounds",
    flows=True,
    cut_rounds=lambda config: config.rounds,
)
