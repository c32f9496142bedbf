# SPDX-License-Identifier: Apache-2.0
"""A sum in each lane, all times H^q, put together in a tail of log2 q cycles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcmforge.config.engine import GhashEngine, Own, lanes_and_contexts
from gcmforge.config.option import Option
from gcmforge.engines.counting import Count, memory, product_of, products, squarers

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig


def _refuses(config: CoreConfig) -> Iterator[str]:
    lanes = config.ghash_lanes
    if lanes == 1:
        yield (
            "lanes=1 with ghash=log_tail: one lane alone has nothing to interleave with; use "
            "lanes=2 or more, or ghash=serial"
        )
    if lanes & (lanes - 1):
        near = 1 << lanes.bit_length()
        asked, of_them = f"lanes={config.lanes}", ""
        if config.aad_lanes:
            asked, of_them = f"{asked} and aad_lanes={config.aad_lanes}", " lanes in all"
        yield (
            f"{asked} with ghash=log_tail: log_tail needs a power of two; "
            f"use {near // 2} or {near}{of_them}, or ghash=aggregated"
        )


def _counts(config: CoreConfig) -> Count:
    """With ghash_deal and gf128_squares."""
    lanes, bits = config.ghash_lanes, 128 * config.ghash_lanes
    steps = lanes.bit_length() - 1
    found = products(product_of(config), lanes) + memory(128 * (steps + 1), config.contexts)
    found += squarers(f"{config['squarers']}{steps}")
    return found + Count(
        register=2 * bits + 2 * 128 + 128 * (steps + 1) * (config.contexts > 1),
        xor=2 * bits,
        mux=bits * (3 + lanes.bit_length()) + 128 * steps,
        one=1,
    )


ENGINE = GhashEngine(
    name="log_tail",
    says="has q sums that take turns, times H^q, and a tail of log2 q cycles (lanes a power of "
    "two)",
    source="Mozaffari 2012, Algorithm 1 and Fig. 3",
    own={
        "squarers": Own(
            option=Option(
                meaning="How H^2, H^4, .. are made (ghash=log_tail): one squarer after another, "
                "every power straight from H, or every second one straight and its square from it.",
                choices=("cascade", "parallel", "hybrid"),
                expert="to shorten the path of the squarers",
            ),
            default="cascade",
            without="it has no squarers",
        )
    },
    refuses=_refuses,
    parameters=lanes_and_contexts,
    leaves=lambda config: ("gf128_mul", "gf128_squares"),
    latency_cycles=lambda config: config.ghash_lanes.bit_length() + 1,
    wait_cycles=lambda config, blocks: config.lanes.bit_length() - 2,
    load_cycles=lambda config: 2,
    counts=_counts,
    adds_products=True,
    takes_powers=True,
)
