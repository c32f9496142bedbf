# SPDX-License-Identifier: Apache-2.0
"""What `gcmforge verify` plays where nothing is asked for, in parts that begin with a reset."""

from __future__ import annotations

from collections.abc import Sequence

from gcmforge.config import CoreConfig
from gcmforge.sim.operations import Operation
from gcmforge.sim.rates import probes
from gcmforge.sim.stalls import PRESSURE, Stalls, patterns_of
from gcmforge.sim.verify import PACKETS, edge_rounds, random_rounds
from gcmforge.study.mutants.judge import Part

_CHUNK = 64


def parts_of(config: CoreConfig, *, packets: int = PACKETS, seed: int = 1) -> list[Part]:
    """Edge packets, edge packets with a slow reader of tags, every kind of packet after every kind
    with pauses and without, random packets under pressure, then what has a law of its cycles."""
    patterns = patterns_of(PRESSURE)
    parts = [_part(*one) for one in edge_rounds(config, patterns[0])]
    for number, (operations, _, stalls) in enumerate(
        random_rounds(config, packets, seed, patterns)
    ):
        parts.append(_part(f"pressure {number}", operations, stalls))
    for probe in probes(config):
        parts.append(
            Part(name=probe.what, runs=probe.runs, stalls=Stalls(), too_slow=probe.too_slow)
        )
    return parts


def _part(name: str, operations: Sequence[Operation], stalls: Stalls) -> Part:
    runs = [operations[at : at + _CHUNK] for at in range(0, len(operations), _CHUNK)]
    return Part(name=name, runs=runs, stalls=stalls)
