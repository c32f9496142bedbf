# SPDX-License-Identifier: Apache-2.0
"""As dot, but the sums of a key's bits that the products take are made once a key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gcmforge.config.engine import GhashEngine, Parameters, powers_made
from gcmforge.engines.counting import Count, memory, product_of, products

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig


def _parameters(config: CoreConfig) -> Parameters:
    from gcmforge.leaf import key_bits

    return (
        ("Lanes", str(config.ghash_lanes)),
        ("Stages", str(config.ghash_stages)),
        ("KeyBits", str(key_bits(config.multiplier))),
        ("Contexts", str(config.contexts)),
    )


def _counts(config: CoreConfig) -> Count:
    """Keys of the lanes, their sum of products, what evaluates a key, and ghash_sums with its
    multiplier."""
    from gcmforge.leaf import key_bits
    from gcmforge.leaf.costs import key_cost, stored_product_cost

    lanes, stages, bits = config.ghash_lanes, config.ghash_stages, 128 * config.ghash_lanes
    found = products(stored_product_cost(config.multiplier, lanes, stages), 1)
    found += products(key_cost(config.multiplier, stages), 1) + products(product_of(config), 1)
    found += memory(lanes * key_bits(config.multiplier), config.contexts)
    found += memory(128, config.contexts * lanes * stages) + memory(128, stages)
    keys = lanes * key_bits(config.multiplier) * (config.contexts > 1)
    return found + Count(
        register=bits + keys + 5 * 128,
        xor=2 * 128,
        mux=bits * lanes.bit_length() + 4 * 128,
        one=1,
    )


ENGINE = GhashEngine(
    name="evaluated",
    says="is dot with one recombination and reduction, and with the sums of a key's bits that the "
    "products take made once a key",
    parameters=_parameters,
    leaves=lambda config: ("gf128_mul", "gf128_dot_stored", "gf128_key"),
    latency_cycles=lambda config: 2 * config.ghash_stages + 2,
    load_cycles=lambda config: powers_made(config, config.ghash_stages + 3),
    counts=_counts,
    staged=True,
)
