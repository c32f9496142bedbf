# SPDX-License-Identifier: Apache-2.0
"""A sum in each lane, all times H^q, put together in a tail of up to q - 1 cycles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcmforge.config.engine import GhashEngine, lanes_and_contexts
from gcmforge.engines.counting import Count, memory, product_of, products

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig


def _refuses(config: CoreConfig) -> Iterator[str]:
    if config.ghash_lanes == 1:
        yield (
            "lanes=1 with ghash=interleaved: one lane alone has nothing to interleave with; use "
            "lanes=2 or more, or ghash=serial"
        )


def _wait(config: CoreConfig, blocks: int) -> int:
    lanes, hashed = config.lanes, blocks + 1  # the lengths are a block, too
    last = (hashed - 1) % lanes + 1
    tail = max(min(last, lanes - 1), min(hashed, lanes - 1) - 1)
    return max(0, tail - 1)


def _counts(config: CoreConfig) -> Count:
    """With ghash_deal."""
    lanes, bits = config.ghash_lanes, 128 * config.ghash_lanes
    found = products(product_of(config), lanes) + memory(256, config.contexts)
    return found + Count(
        register=2 * bits + 3 * 128 + 256 * (config.contexts > 1),
        xor=2 * bits,
        mux=bits * (3 + lanes.bit_length()),
        one=1,
    )


ENGINE = GhashEngine(
    name="interleaved",
    says="has q sums that take turns, times H^q, and a tail of up to q - 1 cycles",
    source="Satoh 2007, equation (6) and Fig. 2",
    refuses=_refuses,
    parameters=lanes_and_contexts,
    leaves=lambda config: ("gf128_mul",),
    latency_cycles=lambda config: config.ghash_lanes + 1,
    wait_cycles=_wait,
    load_cycles=lambda config: 2 * config.ghash_lanes,  # q - 1 after a tail of as many
    counts=_counts,
    adds_products=True,
)
