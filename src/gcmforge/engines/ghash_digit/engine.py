# SPDX-License-Identifier: Apache-2.0
"""A part of the product in each cycle: the smallest, for an AES that takes as many cycles."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcmforge.config.engine import GhashEngine, Own, Parameters
from gcmforge.config.option import Option
from gcmforge.engines.counting import Count, gates, memory, xor_levels

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig

BITS = "digit_bits"


def block_cycles(config: CoreConfig) -> int:
    """Cycles that a block takes: a digit in each."""
    return -(-128 // int(config[BITS]))


def _refuses(config: CoreConfig) -> Iterator[str]:
    if config.aes_engine.flows:
        yield (
            f"aes={config.aes} with ghash=digit: the pipeline would wait {block_cycles(config)} "
            "cycles for each block; use aes=loop, or ghash=serial"
        )
    ring = config.aes_engine.ring(config)
    if ring > 2:
        yield (
            f"aes_rounds={config['aes_rounds']} and aes_substages={config.aes_substages} with "
            f"ghash=digit: all {ring} blocks of the loop would stand still for each that GHASH "
            "takes; use two at most, or ghash=serial"
        )


def _parameters(config: CoreConfig) -> Parameters:
    return (("Digit", str(config[BITS])), ("Contexts", str(config.contexts)))


def _counts(config: CoreConfig) -> Count:
    """A digit times H, the sum moved by a digit and reduced, what is left of a block."""
    digit = config[BITS]
    found = memory(128, config.contexts) + gates(xors=128 * digit, ands=128 * digit)
    return found + Count(
        register=2 * 128 + 128 * (config.contexts > 1),
        xor=4 * digit + 128,
        mux=3 * 128,
        one=1,
    )


def _path(config: CoreConfig) -> Count:
    """A digit times H and the sum, four terms to reduce it, the next block."""
    levels = math.ceil(math.log2(config[BITS] + 1)) + 4
    return Count(one=1, ta=1 + xor_levels(levels), choice=1)


ENGINE = GhashEngine(
    name="digit",
    says="multiplies by H in steps of digit_bits, a cycle each (one lane)",
    own={
        BITS: Own(
            option=Option(
                meaning="Bits of a block that are multiplied by H in a cycle (ghash=digit). A "
                "block takes 128/digit_bits cycles, rounded up.",
                bounds=(4, 64),
                expert="to trade area against cycles in the smallest cores",
            ),
            default=16,
            without="it takes whole blocks",
        )
    },
    refuses=_refuses,
    parameters=_parameters,
    latency_cycles=lambda config: block_cycles(config) + 1,
    block_cycles=block_cycles,
    counts=_counts,
    path=_path,
    product=lambda config: f"{config[BITS]} bits a cycle",
    one_block=True,
    takes_powers=True,
    multiplies="digit by digit",
    product_tail="the multiplier after GHASH would be larger than all of it",
)
