# SPDX-License-Identifier: Apache-2.0
"""The blocks of a beat times H^q .. H, added; one multiplier more for the running sum."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gcmforge.config.engine import GhashEngine, powers_made, staged_lanes
from gcmforge.engines.counting import Count, memory, product_of, products

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig


def _counts(config: CoreConfig) -> Count:
    """A multiplier a lane and one for the running sums; powers are kept twice."""
    lanes, stages, bits = config.ghash_lanes, config.ghash_stages, 128 * config.ghash_lanes
    powers = lanes * stages
    found = products(product_of(config), lanes + 1) + memory(bits, config.contexts)
    found += memory(128, config.contexts * powers) + memory(128, stages)
    return found + Count(
        register=bits + bits * (config.contexts > 1) + 5 * 128,
        xor=bits + 2 * 128,
        mux=bits * lanes.bit_length() + 4 * 128,
        one=1,
    )


ENGINE = GhashEngine(
    name="dot",
    says="multiplies the q blocks of a beat by H^q to H, and adds the products",
    source="Satoh 2007, equation (7) and Fig. 3",
    parameters=staged_lanes,
    leaves=lambda config: ("gf128_mul",),
    latency_cycles=lambda config: 2 * config.ghash_stages + 2,
    load_cycles=lambda config: powers_made(config, config.ghash_stages + 3),
    counts=_counts,
    staged=True,
    adds_products=True,
)
