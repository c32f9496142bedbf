# SPDX-License-Identifier: Apache-2.0
"""A length block that is added after GHASH, on a multiplier of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gcmforge.config.engine import Parameters
from gcmforge.config.kinds import Tail
from gcmforge.engines.counting import Count, memory, products, tail_product

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig


def _parameters(config: CoreConfig) -> Parameters:
    return (
        ("Stages", str(config.ghash_stages)),
        ("Contexts", str(config.contexts)),
        ("Depth", str(config.tag_depth)),
        ("TextBits", str((8 * config.max_text_bytes).bit_length())),
        ("AadBits", str((8 * config.max_aad_bytes).bit_length())),
    )


def _counts(config: CoreConfig) -> Count:
    """A multiplier, and H of each context."""
    found = products(tail_product(config), 1) + memory(128, config.contexts)
    return found + Count(register=4 * 128, xor=128)


ENGINE = Tail(
    name="dedicated",
    says="adds and multiplies it after GHASH, in one multiplier more",
    summary=", own tail",
    parameters=_parameters,
    leaves=lambda config: ("gf128_mul",),
    diagram=("lengths,", "times H"),
    latency_cycles=lambda config: config.ghash_stages,
    counts=_counts,
    closing="gcm_closing_own_tail",
    dedicated=True,
)
