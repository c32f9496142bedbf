# SPDX-License-Identifier: Apache-2.0
"""The products of a beat are added before one reduction; each lane chooses its power of H."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gcmforge.config.engine import GhashEngine, powers_made, staged_lanes
from gcmforge.engines.counting import Count, memory, product_of, products

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig


def _counts(config: CoreConfig) -> Count:
    """A queue of beats, and a table that each lane reads."""
    lanes, stages, bits = config.ghash_lanes, config.ghash_stages, 128 * config.ghash_lanes
    words = config.contexts * lanes * stages
    found = products(product_of(config), 1) + memory(128, stages)
    return found + Count(
        store=128 * words,
        read=lanes * 128 * (words - 1),
        register=bits * (stages + 2) + 3 * 128,
        xor=bits + 128,
        mux=bits * (lanes.bit_length() + stages + 1),
        one=1,
    )


ENGINE = GhashEngine(
    name="shared_reduction",
    says="adds the products of a beat before one reduction and lets each lane choose its power, "
    "up to H^(q*stages)",
    source="Abdellatif 2012, equation (6), Fig. 6 and Table I",
    parameters=staged_lanes,
    leaves=lambda config: ("gf128_dot",),
    latency_cycles=lambda config: 2 * config.ghash_stages + 1,
    load_cycles=lambda config: powers_made(config, config.ghash_stages + 2),
    counts=_counts,
    staged=True,
    summed=True,
)
