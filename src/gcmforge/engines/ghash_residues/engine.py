# SPDX-License-Identifier: Apache-2.0
"""Tables of the residues of each lane's power of H instead of a multiplier, for FPGAs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gcmforge.config.engine import GhashEngine, lanes_and_contexts
from gcmforge.engines.counting import Count, memory, xor_levels

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig

ENTRIES = 16
NIBBLES = 64
FOUND_BITS = 4 * 4 + 60 * 8
"""That the tables of a lane give: entries of 4 bits in the first four, of 8 in the others."""


def _counts(config: CoreConfig) -> Count:
    """A table for each nibble of each lane's residues, their sums put together and reduced once,
    and the loader, which multiplies the residues of a power by an element of GF(16) a cycle."""
    from gcmforge.leaf.costs import from_residues_cost, residues_cost

    lanes, bits = config.ghash_lanes, 128 * config.ghash_lanes
    found = memory(FOUND_BITS * lanes, config.contexts * ENTRIES)
    circuits = lanes * residues_cost().ge + from_residues_cost(lanes).ge
    return found + Count(
        product_xor=circuits,
        register=bits + 3 * 128 + 4 * NIBBLES,
        xor=bits + 128 + 3 * (NIBBLES - 1),
        mux=bits * lanes.bit_length() + bits + 4 * NIBBLES,
        table=NIBBLES * lanes,
        one=1,
    )


def _path(config: CoreConfig) -> Count:
    """The residues, what the tables hold, their sum put together and reduced, and the way to the
    operand of the next beat; an address bit goes to half of a table's multiplexers."""
    from gcmforge.leaf.costs import from_residues_cost, residues_cost

    entries = config.contexts * ENTRIES
    circuits = residues_cost().period_ta + from_residues_cost(config.ghash_lanes).period_ta
    return Count(
        one=1,
        circuit=circuits,
        ta=xor_levels(math.log2(entries)),
        table=math.log2(entries * 8),
        lanes=math.log2(config.lanes),
        choice=1,
    )


ENGINE = GhashEngine(
    name="residues",
    says="has tables of remainders of multiples of each lane's power of H. They are fewer and "
    "smaller than tables of the multiples, with a longer path. No block is hashed while a key is "
    "loaded",
    parameters=lanes_and_contexts,
    leaves=lambda config: ("gf128_residues", "gf128_from_residues"),
    latency_cycles=lambda config: 2,
    load_cycles=lambda config: 20 * config.ghash_lanes - 1,
    counts=_counts,
    path=_path,
    product=lambda config: "4-bit tables",
    multiplies="by tables",
)
