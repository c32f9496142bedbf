# SPDX-License-Identifier: Apache-2.0
"""Fewest XORs for a linear map under a depth bound, by annealing. Needs a C++ compiler.

A start (Paar's greedy, or Boyar and Peralta's, ties by seed; or a program that exists already) is
improved by random moves that leave every output what it is:

- by value: a gate is written as the XOR of two other nodes that exist and happen to sum to it;
- re-association: n = (q + s) + r becomes (q + r) + s;
- detour: n = m + t, with t a new gate over two nodes that exist, or over one and another new gate.

Gates that nobody reads are dropped. A move that costs nothing is taken, one that costs a gate with
the probability exp(-1/T), and T falls from `hot` to `cold` in the course of each round. Sums may
cancel. Depths are exact at each move, so that neither the bound nor the arrival times of the inputs
are ever violated.

Nothing but the seed and the numbers in the Plan decides what is found: each seed is a chain of its
own, each round of a chain starts from the program that the round before ended with. Seeds run side
by side on all processors. The time limit (or Ctrl-C) only stops the search early, and the result
says so (`complete`); with a checkpoint file the same call goes on where it was stopped, and ends
with the very result that it would have had.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from gcmforge.circuit.minimise.greedy import paar
from gcmforge.circuit.minimise.kernel import (
    Listing,
    RoundSettings,
    StopFlag,
    anneal_round,
    boyar_peralta_steps,
)
from gcmforge.circuit.minimise.program import XorProgram

Start = Literal["paar", "boyar_peralta"]
Progress = Callable[[int, int, int], None]
"""Called with (seed, rounds done, XORs of the seed's best program) after each round."""

UNBOUNDED = 1 << 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """The budget of a search in moves; it decides what is found.

    seeds: one chain each. rounds of moves each: T falls from hot to cold in each. slack: how many
    gates over the best a chain may stray. scan: one move in scan is by value and one a detour
    (both look through all nodes), the rest re-associate; 3 for up to some hundred gates, 16 for
    thousands. start: what a matrix is begun with. goal: a chain that gets there ends, and those of
    later seeds are not needed.
    """

    seeds: tuple[int, ...] = (1, 2)
    rounds: int = 4
    moves: int = 2_000_000
    hot: float = 0.6
    cold: float = 0.2
    slack: int = 10
    scan: int = 3
    start: Start = "paar"
    goal: int = 0

    def __post_init__(self) -> None:
        if not self.seeds or self.rounds < 1 or self.moves < 1:
            raise ValueError("a plan needs at least one seed, one round and one move")
        if not 0 < self.cold <= self.hot:
            raise ValueError(f"hot={self.hot}, cold={self.cold}: need 0 < cold <= hot")
        if self.slack < 0 or self.scan < 2:
            raise ValueError(f"slack={self.slack}, scan={self.scan}: need at least 0 and 2")


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchResult:
    """The best program, the seed whose chain found it (the first among equals), and how.

    by_seed lists (seed, XORs) of all chains that were run; seconds is wall time of this call;
    complete says that the whole plan was run (or its goal met), so that the same call gives the
    same result anywhere.
    """

    program: XorProgram
    seed: int
    by_seed: tuple[tuple[int, int], ...]
    start_xors: int
    seconds: float
    complete: bool


def search_linear(
    matrix: Sequence[int],
    max_depth: int | None = None,
    *,
    width: int | None = None,
    arrivals: Sequence[int] | None = None,
    plan: Plan | None = None,
    time_limit_s: float | None = None,
    workers: int | None = None,
    checkpoint: Path | None = None,
    progress: Progress | None = None,
) -> SearchResult:
    """Search a program of few XORs for rows given as ints (bit j of a row: input j takes part).

    max_depth bounds every row's depth in XOR levels, arrivals[j] being input j's own (default 0).
    workers: threads, by default one a processor. ValueError when the bound cannot be met.

        result = search_linear(BitMatrix.of_map(aes_mix_column, 32, 32).rows, 3, width=32)
        result.program.apply(builder, nets)
    """
    plan = plan or Plan()
    columns = width if width is not None else max((row.bit_length() for row in matrix), default=0)
    times = tuple(arrivals) if arrivals is not None else (0,) * columns
    first = paar(matrix, max_depth, width=columns, arrivals=times)

    def begin(seed: int) -> XorProgram:
        if plan.start == "boyar_peralta":
            return boyar_peralta(matrix, max_depth, width=columns, arrivals=times, seed=seed)
        return paar(matrix, max_depth, width=columns, arrivals=times, seed=seed)

    task = _Task(first, begin, times, max_depth, plan, checkpoint)
    return task.run(time_limit_s, workers, progress)


def improve_program(
    program: XorProgram,
    max_depth: int | None = None,
    *,
    arrivals: Sequence[int] | None = None,
    plan: Plan | None = None,
    time_limit_s: float | None = None,
    workers: int | None = None,
    checkpoint: Path | None = None,
    progress: Progress | None = None,
) -> SearchResult:
    """`search_linear` that starts from a program, such as a recombination of thousands of XORs
    (`xors_behind` takes it out of a circuit, with the arrivals); Plan(scan=16) suits those.

    max_depth None: no bound. Two gates of equal value become one before the search begins.
    """
    plan = plan or Plan()
    times = tuple(arrivals) if arrivals is not None else (0,) * program.width
    task = _Task(program, lambda seed: program, times, max_depth, plan, checkpoint)
    return task.run(time_limit_s, workers, progress)


def boyar_peralta(
    matrix: Sequence[int],
    max_depth: int | None = None,
    *,
    width: int | None = None,
    arrivals: Sequence[int] | None = None,
    seed: int = 1,
) -> XorProgram:
    """The greedy of Boyar and Peralta (SEA 2010) for up to 64 inputs, under a depth bound.

    Again and again the sum that brings the rows nearest becomes a node, where a row's distance is
    the least number of sums still to be made; ties go to the larger sum of squared distances, then
    by seed. The bound is kept as in `paar`. Exponential in the distance: for rows of few terms.
    """
    columns = width if width is not None else max((row.bit_length() for row in matrix), default=0)
    if columns > 64:
        raise ValueError(f"{columns} inputs: boyar_peralta takes up to 64; use paar")
    times = tuple(arrivals) if arrivals is not None else (0,) * columns
    fallback = paar(matrix, max_depth, width=columns, arrivals=times, seed=seed)
    bound = max_depth if max_depth is not None else 40
    rows = [row for row in matrix if row]
    found = boyar_peralta_steps(rows, times, bound, seed)
    if found is None:
        return fallback
    nodes = iter(found.outputs)
    outputs = [next(nodes) if row else None for row in matrix]
    return XorProgram.of(columns, found.steps, outputs, times)


@dataclass(slots=True)
class _Chain:
    """One seed: rounds done, the program the next round starts from, and the best one so far."""

    seed: int
    current: Listing
    best: Listing
    known: int
    rounds: int = 0
    finished: bool = False
    stop: StopFlag = field(default_factory=StopFlag)


class _Task:
    """All chains of one search, their checkpoint, and the choice among them."""

    def __init__(
        self,
        first: XorProgram,
        begin: Callable[[int], XorProgram],
        arrivals: tuple[int, ...],
        max_depth: int | None,
        plan: Plan,
        checkpoint: Path | None,
    ) -> None:
        self.first, self.begin, self.arrivals, self.plan = first, begin, arrivals, plan
        self.bound = UNBOUNDED if max_depth is None else max_depth
        self.rows = first.rows()
        self.checkpoint = checkpoint
        self.chains: dict[int, _Chain] = {}
        self.lock = threading.Lock()
        parts = (self.rows, arrivals, self.bound, plan.hot, plan.cold, plan.slack, plan.scan,
                 plan.moves, plan.start, plan.goal, first.steps)  # fmt: skip
        self.key = hashlib.sha256(repr(parts).encode()).hexdigest()
        self._load()

    def run(
        self, time_limit_s: float | None, workers: int | None, progress: Progress | None
    ) -> SearchResult:
        """Run the chains until the plan is done, the goal met, the time up, or Ctrl-C."""
        begun = time.monotonic()
        end = begun + time_limit_s if time_limit_s is not None else None
        pool = ThreadPoolExecutor(workers or os.cpu_count() or 1)
        waiting: set[Future[None]] = set()
        try:
            waiting = {pool.submit(self._run_chain, seed, progress) for seed in self.plan.seeds}
            while waiting and (end is None or time.monotonic() < end):
                done, waiting = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
                for future in done:
                    future.result()
        except KeyboardInterrupt:
            pass
        finally:
            self._stop_all()
            for future in waiting:
                future.cancel()
            pool.shutdown()
        return self._result(time.monotonic() - begun)

    def _stop_all(self) -> None:
        with self.lock:
            self.stopped = True
            for chain in self.chains.values():
                chain.stop.set()

    stopped = False

    def _run_chain(self, seed: int, progress: Progress | None) -> None:
        chain = self._chain(seed)
        while not (chain.finished or chain.stop.is_set() or self._is_spare(seed)):
            current, best, ended = anneal_round(chain.current, self._settings(chain), chain.stop)
            if len(best.steps) < len(chain.best.steps):
                chain.best = best
            if ended:
                chain.current, chain.known = current, min(chain.known, len(best.steps))
                chain.rounds += 1
                chain.finished = self._is_finished(chain)
                self._save()
            if progress is not None:
                progress(seed, chain.rounds, len(chain.best.steps))

    def _is_finished(self, chain: _Chain) -> bool:
        return chain.rounds >= self.plan.rounds or len(chain.best.steps) <= self.plan.goal

    def _is_spare(self, seed: int) -> bool:
        """Whether an earlier seed has met the goal; chains that run are stopped, too."""
        order = self.plan.seeds
        with self.lock:
            winner = next((s for s in order if self._met(s)), None)
            if winner is None:
                return False
            for late in order[order.index(winner) + 1 :]:
                if late in self.chains:
                    self.chains[late].stop.set()
            return order.index(seed) > order.index(winner)

    def _met(self, seed: int) -> bool:
        chain = self.chains.get(seed)
        return chain is not None and len(chain.best.steps) <= self.plan.goal

    def _chain(self, seed: int) -> _Chain:
        with self.lock:
            known = self.chains.get(seed)
        if known is not None:
            known.finished = self._is_finished(known)
            return known
        start = _listing(self.begin(seed))
        chain = _Chain(seed, start, start, len(start.steps))
        with self.lock:
            self.chains[seed] = chain
            if self.stopped:
                chain.stop.set()
        return chain

    def _settings(self, chain: _Chain) -> RoundSettings:
        plan = self.plan
        name = f"{chain.seed} {chain.rounds}".encode()
        return RoundSettings(
            arrivals=self.arrivals, bound=self.bound, known=chain.known, slack=plan.slack,
            goal=plan.goal, scan=plan.scan, hot=plan.hot, cold=plan.cold, moves=plan.moves,
            seed=int.from_bytes(hashlib.sha256(name).digest()[:8], "little"),
        )  # fmt: skip

    def _result(self, seconds: float) -> SearchResult:
        plan = self.plan
        chains = [self.chains[seed] for seed in plan.seeds if seed in self.chains]
        met = next((c for c in chains if len(c.best.steps) <= plan.goal), None)
        candidates = chains if met is None else [met]
        listing, seed = _listing(self.first), plan.seeds[0]
        for chain in candidates:
            if len(chain.best.steps) < len(listing.steps):
                listing, seed = chain.best, chain.seed
        if met is None:
            complete = len(chains) == len(plan.seeds) and all(c.finished for c in chains)
        else:
            earlier = plan.seeds[: plan.seeds.index(met.seed)]
            complete = all(s in self.chains and self.chains[s].finished for s in earlier)
        return SearchResult(
            program=self._program(listing), seed=seed, complete=complete, seconds=seconds,
            by_seed=tuple((c.seed, len(c.best.steps)) for c in chains),
            start_xors=self.first.xors,
        )  # fmt: skip

    def _program(self, listing: Listing) -> XorProgram:
        """The program, checked bit by bit against what was asked for."""
        nodes = iter(listing.outputs)
        outputs = [None if n is None else next(nodes) for n in self.first.outputs]
        program = XorProgram.of(self.first.width, listing.steps, outputs, self.arrivals)
        if program.rows() != self.rows or program.depth > self.bound:
            raise RuntimeError("the search changed the linear map: two sums had the same name")
        return program

    # ---- checkpoint

    def _save(self) -> None:
        if self.checkpoint is None:
            return
        with self.lock:
            state = {
                "key": self.key,
                "chains": [
                    {
                        "seed": c.seed, "rounds": c.rounds, "known": c.known,
                        "current": [c.current.steps, c.current.outputs],
                        "best": [c.best.steps, c.best.outputs],
                    }
                    for c in self.chains.values()
                ],
            }  # fmt: skip
            partial = self.checkpoint.with_suffix(".partial")
            partial.write_text(json.dumps(state), encoding="ascii")
            partial.replace(self.checkpoint)

    def _load(self) -> None:
        if self.checkpoint is None or not self.checkpoint.exists():
            return
        state = json.loads(self.checkpoint.read_text(encoding="ascii"))
        if state["key"] != self.key:
            raise ValueError(
                f"{self.checkpoint} belongs to another search; remove it or name another file"
            )
        for c in state["chains"]:
            chain = _Chain(
                c["seed"], _from_json(c["current"]), _from_json(c["best"]), c["known"], c["rounds"]
            )
            self.chains[chain.seed] = chain


def _listing(program: XorProgram) -> Listing:
    return Listing(program.steps, tuple(n for n in program.outputs if n is not None))


def _from_json(state: Any) -> Listing:
    steps, outputs = state
    return Listing(tuple((p, q) for p, q in steps), tuple(outputs))
