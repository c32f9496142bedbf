# SPDX-License-Identifier: Apache-2.0
"""What `gcmforge verify` plays where nothing is asked for, in parts that begin with a reset."""

from __future__ import annotations

from collections.abc import Sequence

from gcmforge.config import CoreConfig
from gcmforge.sim.edges import edge_operations
from gcmforge.sim.operations import Operation
from gcmforge.sim.pairs import pair_operations
from gcmforge.sim.rates import probes
from gcmforge.sim.stalls import PRESSURE, Stalls, patterns_of
from gcmforge.sim.traffic import random_traffic
from gcmforge.sim.verify import PACKETS, SLOW_READER
from gcmforge.study.mutants.judge import Part

_CHUNK = 64


def parts_of(config: CoreConfig, *, packets: int = PACKETS, seed: int = 1) -> list[Part]:
    """Edge packets, edge packets with a slow reader of tags, every kind of packet after every kind
    with pauses and without, random packets under pressure, then what has a law of its cycles."""
    edges, pairs = edge_operations(config), pair_operations(config)
    parts = [
        _part("edges", edges, Stalls()),
        _part("edges, slow tags", edges, Stalls(tag_wait=SLOW_READER)),
        _part("pairs", pairs, Stalls()),
        _part("pairs, pauses", pairs, Stalls.named("both")),
    ]
    patterns = patterns_of(PRESSURE)
    for number, stalls in enumerate(patterns):
        size = packets // len(patterns) + (number < packets % len(patterns))
        operations = random_traffic(config, packets=size, seed=seed + number)
        parts.append(_part(f"pressure {number}", operations, stalls))
    for probe in probes(config):
        parts.append(
            Part(name=probe.what, runs=probe.runs, stalls=Stalls(), too_slow=probe.too_slow)
        )
    return parts


def _part(name: str, operations: Sequence[Operation], stalls: Stalls) -> Part:
    runs = [operations[at : at + _CHUNK] for at in range(0, len(operations), _CHUNK)]
    return Part(name=name, runs=runs, stalls=stalls)
