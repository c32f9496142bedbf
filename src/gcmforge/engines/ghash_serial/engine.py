# SPDX-License-Identifier: Apache-2.0
"""One multiplier, Y = (Y + X) * H for each block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gcmforge.config.engine import GhashEngine, contexts_only
from gcmforge.engines.counting import Count, memory, product_of, products

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig


def _counts(config: CoreConfig) -> Count:
    found = products(product_of(config), 1) + memory(128, config.contexts)
    return found + Count(register=256 + 128 * (config.contexts > 1), xor=128, mux=128, one=1)


ENGINE = GhashEngine(
    name="serial",
    says="multiplies by H once for each block (one lane)",
    source="Yang 2005, section 3.2",
    parameters=contexts_only,
    leaves=lambda config: ("gf128_mul",),
    latency_cycles=lambda config: 2,
    counts=_counts,
    one_block=True,
    takes_powers=True,
    stands_in=True,
)
