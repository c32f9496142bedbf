# SPDX-License-Identifier: Apache-2.0
"""Horner's rule, eight bits of a block in a cycle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gcmforge.config.engine import GhashEngine, contexts_only
from gcmforge.engines.counting import Count, gates, memory

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig

CYCLES = 17


def _counts(config: CoreConfig) -> Count:
    found = memory(128, config.contexts) + gates(xors=8 * 132, ands=8 * 128)
    return found + Count(register=256 + 128 * (config.contexts > 1), xor=128, mux=256, one=1)


ENGINE = GhashEngine(
    name="horner",
    says="multiplies by H in sixteen cycles by Horner's rule (one lane)",
    parameters=contexts_only,
    latency_cycles=lambda config: CYCLES,
    block_cycles=lambda config: CYCLES,
    counts=_counts,
    product=lambda config: "eight bits a cycle",
    one_block=True,
    multiplies="by Horner's rule",
)
