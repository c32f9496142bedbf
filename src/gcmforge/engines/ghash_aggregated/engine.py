# SPDX-License-Identifier: Apache-2.0
"""One sum of q products, p stages deep, and no other multiplier; sums are closed with H^(qp)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gcmforge.config.engine import GhashEngine, Parameters, powers_made, staged_lanes
from gcmforge.engines.counting import Count, memory, product_of, products

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig


ROW_WORDS_MOVED = 8
"""Words of the row of powers that one copy of the wanted number moves, where it is known early."""


def _powers(config: CoreConfig) -> int:
    return config.ghash_lanes * config.ghash_stages


def moves_early(config: CoreConfig) -> bool:
    """Whether a turn knows a cycle before its powers come which of them it wants: with many powers,
    or with some in a stage that is short."""
    return _powers(config) >= (16 if config.ghash_stages >= 4 else 32)


def _latency(config: CoreConfig) -> int:
    """With many powers, or many contexts in memories, a turn waits a cycle for its power."""
    stages = config.ghash_stages
    return 2 * stages + (moves_early(config) or (stages == 1 and config.contexts > 16))


def _parameters(config: CoreConfig) -> Parameters:
    given = ("PowersGiven", f"1'b{int(config.key_unit_engine.dedicated)}")
    return (*staged_lanes(config), given)


def _counts(config: CoreConfig) -> Count:
    """The line of beats that wait, powers, and the row that is moved."""
    lanes, stages, bits = config.ghash_lanes, config.ghash_stages, 128 * config.ghash_lanes
    powers = lanes * stages
    row_bits = (powers - 1).bit_length() if powers > 1 else 1
    moves = sum(128 * (lanes + 2**k - 1) for k in range(row_bits)) if powers > 1 else 0
    found = products(product_of(config), 1) + memory(128 * powers, config.contexts)
    return found + Count(
        register=bits * (stages + 1) + 2 * 128 + (stages - 1) * (config.context_bits + 8),
        xor=2 * 128,
        mux=moves + bits + 2 * 128,
        one=1,
    )


ENGINE = GhashEngine(
    name="aggregated",
    says="adds the products of a beat before one recombination and reduction. It multiplies its "
    "running sums by H^(q*stages), for q blocks a beat",
    default=True,
    parameters=_parameters,
    leaves=lambda config: ("gf128_dot",),
    latency_cycles=_latency,
    load_cycles=lambda config: powers_made(config, _latency(config) + 1),
    powers=_powers,
    counts=_counts,
    staged=True,
    summed=True,
    takes_powers=True,
    given_powers=True,
    tells_ahead=True,
    chooses_powers=False,
    stands_in=True,
)
