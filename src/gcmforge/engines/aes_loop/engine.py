# SPDX-License-Identifier: Apache-2.0
"""A few rounds in hardware, and blocks that go round in them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gcmforge.config.engine import AesEngine, Own, Parameters
from gcmforge.config.names import MEMORY_SBOXES
from gcmforge.config.option import Option
from gcmforge.engines.counting import Count, keys_of_loops, sboxes, travelling_bits

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig

ROUNDS = "aes_rounds"


def _parameters(config: CoreConfig) -> Parameters:
    return (
        ("Lanes", str(config.aes_lanes)),
        ("Contexts", str(config.contexts)),
        ("MinRounds", str(min(config.key_sizes) // 32 + 6)),
        ("MaxRounds", str(config.rounds)),
        ("Rounds", str(config[ROUNDS])),
        ("SubStages", str(config.aes_substages)),
        *([("InMemory", "1'b1")] if config.sbox in MEMORY_SBOXES else []),
    )


def _places(config: CoreConfig) -> int:
    return int(config[ROUNDS]) * config.aes_substages


def _turn(config: CoreConfig) -> tuple[int, int]:
    rounds, places = min(config.key_sizes) // 32 + 6, _places(config)
    return places, -(-rounds // int(config[ROUNDS])) * places


def _beat_cycles(config: CoreConfig) -> int:
    return -(-config.rounds // int(config[ROUNDS]))


def _counts(config: CoreConfig) -> Count:
    """A ring of rounds with an entrance and an exit."""
    bits, rounds = 128 * config.aes_lanes, config[ROUNDS]
    found = sboxes(config, 16 * config.aes_lanes * rounds)
    found += Count(
        column=4 * config.aes_lanes * rounds,
        xor=bits * (rounds + 1),
        mux=bits * (2 * rounds + 1),
        register=bits * (rounds + 2) + rounds * config.aes_substages * (config.context_bits + 9),
        one=1,
    )
    if config.key_schedule_engine.travels:
        window = travelling_bits(config)
        found += Count(register=rounds * (12 + window), mux=window)
    return found


def _key_counts(config: CoreConfig) -> Count:
    rounds = config[ROUNDS]
    found = keys_of_loops(config, rounds)
    if not config.key_schedule_engine.travels:
        words = config.contexts * math.ceil(config.rounds / rounds)
        found += Count(
            store=128 * config.contexts * config.rounds,
            read=128 * rounds * (words - 1),
            register=128 * rounds,
        )
    return found


ENGINE = AesEngine(
    name="loop",
    says="has a few rounds and sends the blocks round",
    source="Satoh 2007, [8] there",
    own={
        ROUNDS: Own(
            option=Option(
                meaning="AES rounds in hardware, each with its own block under way (aes=loop).",
                bounds=(1, 7),
                expert="to choose a rate between the smallest core and a block a cycle",
            ),
            default=1,
            without="only a loop has a choice of rounds",
        )
    },
    parameters=_parameters,
    memories_are_registers=True,
    latency_cycles=lambda config, rounds: rounds * config.aes_substages + 2,
    turn=_turn,
    beat_cycles=_beat_cycles,
    slot_cycles=lambda config: float(_beat_cycles(config)),
    counts=_counts,
    key_counts=_key_counts,
    diagram=lambda config: f"{config[ROUNDS]} of {config.rounds} rounds",
    extent=lambda config: f" of {config[ROUNDS]} rounds" if config[ROUNDS] > 1 else "",
    cut_rounds=lambda config: int(config[ROUNDS]),
    muxes_after_mix=3,
    ring=_places,
)
