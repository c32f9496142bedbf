# SPDX-License-Identifier: Apache-2.0
"""What `gcmforge verify` plays where nothing is asked for, in parts that begin with a reset."""

from __future__ import annotations

from gcmforge.config import CoreConfig
from gcmforge.sim.edges import edge_operations
from gcmforge.sim.pairs import pair_operations
from gcmforge.sim.rates import probes
from gcmforge.sim.stalls import PRESSURE, Stalls, patterns_of
from gcmforge.sim.traffic import random_traffic
from gcmforge.sim.verify import PACKETS, SLOW_READER
from gcmforge.study.mutants.judge import Part


def parts_of(config: CoreConfig, *, packets: int = PACKETS, seed: int = 1) -> list[Part]:
    """Edge packets, edge packets with a slow reader of tags, every kind of packet after every kind
    with pauses and without, random packets under pressure, then what has a law of its cycles."""
    edges, pairs = edge_operations(config), pair_operations(config)
    parts = [
        Part(name="edges", operations=edges, stalls=Stalls()),
        Part(name="edges, slow tags", operations=edges, stalls=Stalls(tag_wait=SLOW_READER)),
        Part(name="pairs", operations=pairs, stalls=Stalls()),
        Part(name="pairs, pauses", operations=pairs, stalls=Stalls.named("both")),
    ]
    patterns = patterns_of(PRESSURE)
    for number, stalls in enumerate(patterns):
        size = packets // len(patterns) + (number < packets % len(patterns))
        operations = random_traffic(config, packets=size, seed=seed + number)
        parts.append(Part(name=f"pressure {number}", operations=operations, stalls=stalls))
    for probe in probes(config):
        parts.append(
            Part(
                name=f"rate of {probe.size} bytes", operations=probe.operations, stalls=Stalls(),
                too_slow=probe.too_slow,
            )
        )  # fmt: skip
    return parts
