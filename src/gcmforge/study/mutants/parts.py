# SPDX-License-Identifier: Apache-2.0
"""What `gcmforge verify` plays where nothing is asked for, in parts that begin with a reset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from gcmforge.config import CoreConfig
from gcmforge.sim.core import Core, Failure, RunResult, run_on
from gcmforge.sim.operations import Operation, Packet
from gcmforge.sim.rates import probes
from gcmforge.sim.stalls import PRESSURE, Stalls, patterns_of
from gcmforge.sim.verify import PACKETS, edge_rounds, interruption_failures, random_rounds
from gcmforge.study.mutants.judge import Part

_CHUNK = 64


def parts_of(config: CoreConfig, *, packets: int = PACKETS, seed: int = 1) -> list[Part]:
    """Edge packets, edge packets with a slow reader of tags, every kind of packet after every kind
    with pauses and without, senders that stop, resets and erases amid packets, random packets under
    pressure, then what has a law of its cycles."""
    patterns = patterns_of(PRESSURE)
    parts = [
        _chunks(*one, seed=at) for at, one in enumerate(edge_rounds(config, patterns[0]), seed)
    ]
    parts.append(Part(name="interruptions", play=partial(_interruptions, seed=seed)))
    for number, (operations, at, stalls) in enumerate(
        random_rounds(config, packets, seed, patterns)
    ):
        parts.append(_chunks(f"pressure {number}", operations, stalls, seed=at))
    for probe in probes(config):
        parts.append(_part(probe.what, probe.runs, Stalls(), probe.too_slow, seed=0))
    return parts


def _chunks(name: str, operations: Sequence[Operation], stalls: Stalls, *, seed: int) -> Part:
    """Between them a mutant may end; packets that wait for what is after them stay together."""
    waits = any(isinstance(one, Packet) and (one.held or one.after_key) for one in operations)
    size = len(operations) if waits else _CHUNK
    runs = [operations[at : at + size] for at in range(0, len(operations), size)]
    return _part(name, runs, stalls, lambda _: None, seed=seed)


def _part(
    name: str,
    runs: Sequence[Sequence[Operation]],
    stalls: Stalls,
    too_slow: Callable[[Sequence[RunResult]], Failure | None],
    *,
    seed: int,
) -> Part:
    def play(core: Core) -> tuple[Failure | None, int]:
        with core.simulation(stalls=stalls, seed=seed) as simulation:
            results = []
            for run in runs:
                result = run_on(simulation, run, seed=seed)
                if result.failures:
                    return result.failures[0], 0
                results.append(result)
            return too_slow(results), simulation.counters().cycles

    return Part(name=name, play=play)


def _interruptions(core: Core, *, seed: int) -> tuple[Failure | None, int]:
    return next(interruption_failures(core, seed=seed), None), 0
