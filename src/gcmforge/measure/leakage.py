# SPDX-License-Identifier: Apache-2.0
"""Whether the simulated power of a core tells of its key: a fixed one against others.

Every trace is a key, its H, and a packet that is decrypted and refused: nothing public depends on
the key in it, as its text is empty and its tag wrong. Half of the traces, drawn at random, have one
fixed key, the others a new one each, or all of them another fixed key. A key of two shares gets a
new sharing in every trace. A trace
has the energy of each cycle, from the mapped netlist with the delays of its gates, so that glitches
count (gcmforge.power). There is no noise in it: what shows here in so many traces takes a
measurement more of them.

Traces are made in batches, many of them in one simulation, and a simulation for each processor.
What is known after each batch is kept, so that a run that was interrupted goes on, and one of more
traces begins where one of fewer ended.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING

from gcmforge.measure.leakage_record import Leakage as Leakage
from gcmforge.measure.leakage_record import keep, kept, run_key
from gcmforge.measure.leakage_state import State
from gcmforge.measure.leakage_traffic import BATCH, Traffic
from gcmforge.measure.leakage_traffic import Against as Against
from gcmforge.measure.leakage_traffic import Randomness as Randomness
from gcmforge.measure.subject import MeasureError, Subject, find_subject
from gcmforge.netlist.targets import Target, library_of
from gcmforge.power.ttest import TTest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gcmforge.measure.store import Store
    from gcmforge.power.design import EventDesign

Progress = Callable[[str], None]

WATCHED_CYCLES = 3
"""Cycles that are looked into, net by net, after the test has failed."""
_NETS_BATCHES = 4
_NETS_FROM = 2**32
"""The number of the first batch of these."""
_SAVED_EVERY_S = 20.0
_TOLD_EVERY_S = 1.0
_MOST = 1e6
"""Of |t|, which is infinite where no trace differs from another of its class."""


def leakage(
    what: str | Path,
    target: Target,
    *,
    traces: int = 1000,
    seed: int = 1,
    randomness: Randomness = "fresh",
    against: Against = "random",
    jobs: int = 0,
    store: Store | None = None,
    progress: Progress = lambda step: None,
) -> Leakage:
    """The t-test of a core with streams of bytes, or of a masked one, on a target.

    against: the keys of the other class are random, or one other fixed key.
    jobs: simulations at a time; 0 is as many as processors. The result is the same with any number.
    store: where the result is kept, and taken from; what an interrupted run knew is in the cache.
    """
    if traces < 2 * BATCH:
        raise MeasureError(f"traces={traces}: use {2 * BATCH} or more")
    subject = find_subject(what)
    names = {name for name, _, _ in subject.ports}
    if not {"s_key_tlast", "s_key_tmask"} & names:
        raise MeasureError(f"{what}: the test for leakage takes cores with streams of bytes, and "
                           "masked cores")  # fmt: skip
    seeded = (subject.configuration or {}).get("randomness") == "generator"
    if seeded and randomness == "zero":
        raise MeasureError(f"{what}: zero randomness with randomness=generator: no random bits "
                           "come from outside; measure a core with randomness=port")  # fmt: skip
    run = run_key(subject, target, seed, randomness, against)
    if store and (found := kept(store, run, traces)):
        return found
    design = event_design_of(subject, target, progress)
    core = str((subject.configuration or {}).get("core", ""))
    traffic = Traffic(design, seed, randomness, core=core, against=against, seeded=seeded)
    state = _tested(run, traffic, traces, jobs or os.cpu_count() or 1, progress)
    test = state.test
    first, second = (t.clip(-_MOST, _MOST) for t in (test.first(), test.second()))
    made = Leakage(
        core=str(what),
        target=target.name,
        traces=test.traces,
        randomness=randomness,
        against=against,
        first=tuple(map(float, first)),
        second=tuple(map(float, second)),
        fails_at=state.fails_at,
        nets=_nets(traffic, first, progress) if state.fails_at else (),
        parts=traffic.parts,
    )
    if store:
        keep(store, run, made, subject, target, seed)
    return made


def event_design_of(subject: Subject, target: Target, progress: Progress) -> EventDesign:
    """A core mapped to a target, for the simulation of events."""
    from gcmforge.power.power import event_design
    from gcmforge.synth.synthesis import synthesise

    with subject.folder() as folder:
        files = [folder / name for name in subject.texts]
        made = synthesise(files, target, top=subject.top, goal="balanced", progress=progress)
    return event_design(
        made.netlist, library_of(target), driving_cell=target.driving_cell, load_ff=target.load_ff
    )


def _tested(run: str, traffic: Traffic, traces: int, jobs: int, progress: Progress) -> State:
    """All traces; what is known is kept from time to time, and when it is interrupted."""
    state = State.open(run, len(traffic.keys_at), traces)
    begun, had, saved = time.monotonic(), state.test.traces, time.monotonic()

    def tell() -> None:
        rate = traffic.simulated / max(1e-9, time.monotonic() - begun)
        done = min(traces, had + int(traffic.simulated))
        progress(f"leakage: {done:,} of {traces:,} traces, {rate:.1f} a second, |t| up to "
                 f"{state.worst:.2f}, of {state.test.traces:,}")  # fmt: skip

    try:
        for energy, fixed in _batches(traffic, had, traces, jobs, tell):
            whole = len(fixed) == BATCH
            if not whole:  # another run goes on from before it
                state.save(run)
            state.add(energy, fixed)
            if whole and time.monotonic() - saved > _SAVED_EVERY_S:
                state.save(run)
                saved = time.monotonic()
    finally:
        if state.test.traces % BATCH == 0:
            state.save(run)
    tell()
    return state


def _batches(
    traffic: Traffic, done: int, traces: int, jobs: int, tell: Callable[[], None]
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.bool_]]]:
    """The batches that are not done, in their order; some for each job are made at once."""
    numbers = range(done // BATCH, -(-traces // BATCH))
    some = max(1, min(traffic.lanes, -(-len(numbers) // jobs)))
    ahead: list[Future[list[tuple[NDArray[np.float64], NDArray[np.bool_]]]]] = []
    with ThreadPoolExecutor(jobs) as pool:
        try:
            left = [numbers[start : start + some] for start in range(0, len(numbers), some)]
            while left or ahead:
                while left and len(ahead) < jobs:
                    group = left.pop(0)
                    counts = [min(BATCH, traces - BATCH * number) for number in group]
                    ahead.append(pool.submit(traffic.batches, group[0], counts))
                while not ahead[0].done():
                    wait(ahead[:1], timeout=_TOLD_EVERY_S)
                    tell()
                yield from ahead.pop(0).result()
        except BaseException:
            traffic.stop()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _nets(
    traffic: Traffic, first: NDArray[np.float64], progress: Progress
) -> tuple[tuple[int, str, float], ...]:
    """The nets whose edges tell the classes apart, in the cycles that do so most."""
    import numpy as np

    cycles = [int(c) for c in np.argsort(-abs(first))[:WATCHED_CYCLES]]
    tests = [TTest(traffic.nets) for _ in cycles]
    for number in range(_NETS_BATCHES):
        progress(f"leakage: nets, {number} of {_NETS_BATCHES} batches")
        fixed, rows = traffic.watched(_NETS_FROM + number, BATCH, sorted(cycles))
        for place, cycle in enumerate(sorted(cycles)):
            edges = rows[place :: len(cycles)].astype(np.float64)
            tests[cycles.index(cycle)].add(edges, fixed)
    names = traffic.design.bound.net_names
    found = []
    for cycle, test in zip(cycles, tests, strict=True):
        t = test.first()
        best = np.argsort(-abs(t))[:5]
        found += [(cycle, names[n] or f"net {n}", float(t[n])) for n in best]
    return tuple(found)
