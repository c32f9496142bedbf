# SPDX-License-Identifier: Apache-2.0
"""Loops of one round that take the blocks in turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcmforge.config.engine import AesEngine, Own, Parameters
from gcmforge.config.option import Option
from gcmforge.engines.counting import Count, keys_of_loops, sboxes, travelling_bits

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig

LOOPS = "aes_loops"


def _refuses(config: CoreConfig) -> Iterator[str]:
    if config.aes_substages > 1:
        yield (
            f"aes_substages={config.aes_substages} with aes=loop_parallel: a loop holds one block, "
            "so its round is one stage; use aes_substages=1, or aes=loop"
        )
    if config[LOOPS] == 1:
        yield (
            "aes_loops=1 with aes=loop_parallel: there is nothing to take turns with; use "
            "aes_loops=2 to 8, or aes=loop"
        )


def _parameters(config: CoreConfig) -> Parameters:
    return (
        ("Lanes", str(config.aes_lanes)),
        ("Contexts", str(config.contexts)),
        ("Loops", str(config[LOOPS])),
    )


def _counts(config: CoreConfig) -> Count:
    """Loops of one round that read one store of round keys."""
    bits, loops = 128 * config.aes_lanes, config[LOOPS]
    found = sboxes(config, 16 * config.aes_lanes * loops)
    found += Count(
        column=4 * config.aes_lanes * loops,
        xor=bits * (loops + 1),
        mux=bits * 3 * loops,
        register=bits * (loops + 2) + loops * (config.context_bits + 10),
        one=1,
    )
    if config.key_schedule_engine.travels:
        window = travelling_bits(config)
        return found + Count(register=loops * (12 + window), mux=loops * window)
    words = config.contexts * config.rounds
    return found + Count(store=128 * words, read=loops * 128 * (words - 1), register=128 * loops)


ENGINE = AesEngine(
    name="loop_parallel",
    says="has loops of one round side by side that take the blocks in turn",
    own={
        LOOPS: Own(
            option=Option(
                meaning="Loops side by side (aes=loop_parallel, which needs at least 2).",
                bounds=(1, 8),
                expert="to choose a rate with stored round keys that all loops read",
            ),
            default=1,
            without="there are no loops side by side",
        )
    },
    refuses=_refuses,
    parameters=_parameters,
    latency_cycles=lambda config, rounds: rounds + 2,
    turn=lambda config: (int(config[LOOPS]), min(config.key_sizes) // 32 + 6),
    beat_cycles=lambda config: -(-config.rounds // int(config[LOOPS])),
    slot_cycles=lambda config: max(1.0, config.rounds / int(config[LOOPS])),
    counts=_counts,
    key_counts=lambda config: keys_of_loops(config, int(config[LOOPS])),
    diagram=lambda config: f"{config[LOOPS]} loops of a round",
    extent=lambda config: f" of {config[LOOPS]} loops",
    muxes_after_mix=2,
    side_by_side=True,
)
