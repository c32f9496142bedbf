# SPDX-License-Identifier: Apache-2.0
"""As dot, but the sums of a key's bits that the products take are made once a key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gcmforge.config.engine import GhashEngine, Parameters, powers_made

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


ENGINE = GhashEngine(
    name="evaluated",
    says="is dot with one recombination and reduction, and with the sums of a key's bits that the "
    "products take made once a key",
    parameters=_parameters,
    leaves=lambda config: ("gf128_mul", "gf128_dot_stored", "gf128_key"),
    latency_cycles=lambda config: 2 * config.ghash_stages + 2,
    load_cycles=lambda config: powers_made(config, config.ghash_stages + 3),
    staged=True,
)
