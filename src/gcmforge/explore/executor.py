# SPDX-License-Identifier: Apache-2.0
"""Measure many cores: on this machine's processors, or on a Dask cluster.

Every result goes into the store as it comes, under a key of its own, so that a run that was
interrupted goes on where it stopped and a point is never measured again. A worker that is lost, a
local process or one of a cluster, loses nothing but the point that it was at: that is begun again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from gcmforge.cache import digest
from gcmforge.config import CoreConfig
from gcmforge.measure.result import Result
from gcmforge.measure.store import Store, project_version

ATTEMPTS = 3
"""Times that a point is begun before a worker that dies of it is blamed on it."""


class ClusterError(RuntimeError):
    """The cluster cannot be used; the text says why and what to do."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """One core to be measured, and how."""

    config: CoreConfig
    target: str
    effort: str = "quick"
    goal: str | None = None
    power: bool = False

    @property
    def key(self) -> str:
        """What the result is kept under: everything that it can depend on."""
        options = [self.target, target_version(self.target), self.effort, self.goal, self.power]
        return digest("explore", repr(self.config), repr(options), package_digest(), _tools())


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """What came of an Ask: a result, or the reason why there is none."""

    ask: Ask
    result: Result | None
    error: str = ""
    stored: bool = False
    """Whether it had been measured before."""


Measure = Callable[[Ask], tuple[str, str]]
"""(Result as JSON, error): one of them is empty. Runs in the worker."""


def measure_ask(ask: Ask) -> tuple[str, str]:
    """Measure it here, in the worker's own store."""
    from gcmforge.measure.errors import SHOWN
    from gcmforge.measure.measure import measure

    try:
        result = measure(ask.config, ask.target, effort=ask.effort, goal=ask.goal, power=ask.power)
    except SHOWN as error:
        return "", str(error)
    return result.to_json(), ""


def run(
    asks: Sequence[Ask],
    store: Store,
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    measure: Measure = measure_ask,
) -> Iterator[Measured]:
    """What comes of every ask, as it comes; what the store has comes first.

    `jobs` local processes (one a processor unless given), or the workers of the Dask scheduler at
    `cluster`. Leaving the iterator early ends the work under way.
    """
    waiting = []
    for ask in dict.fromkeys(asks):
        text = store.get(ask.key)
        if text is None:
            waiting.append(ask)
        else:
            yield Measured(ask=ask, result=store.read(text, Result), stored=True)
    if not waiting:
        return
    pool = _Cluster(cluster) if cluster else _Local(jobs or os.cpu_count() or 1)
    with pool.open():
        for ask, text, error in pool.run(waiting, measure):
            if text:
                store.put(
                    ask.key, text, at=datetime.now(UTC).isoformat(timespec="seconds"),
                    kind="explore", project=project_version(),
                )  # fmt: skip
            yield Measured(ask=ask, result=Result.from_json(text) if text else None, error=error)


Outcome = tuple[Ask, str, str]


class _LostError(Exception):
    """Workers died; what they were at, or was about to be."""

    def __init__(self, asks: Sequence[Ask]) -> None:
        super().__init__()
        self.asks = asks


class _Local:
    """Processes of this machine; a pool that lost one is made anew."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    @contextmanager
    def open(self) -> Iterator[None]:
        yield

    def run(self, asks: Sequence[Ask], measure: Measure) -> Iterator[Outcome]:
        left = dict.fromkeys(asks, 0)
        while left:
            # Nobody knows which of them killed a process: each of them is tried by itself.
            suspects = [ask for ask, deaths in left.items() if deaths]
            try:
                for outcome in self._some(suspects[:1] or list(left), measure):
                    del left[outcome[0]]
                    yield outcome
            except _LostError as lost:
                for ask in lost.asks:
                    left[ask] += 1
            for ask in [a for a, deaths in left.items() if deaths >= ATTEMPTS]:
                del left[ask]
                yield ask, "", f"its process died {ATTEMPTS} times"

    def _some(self, asks: Sequence[Ask], measure: Measure) -> Iterator[Outcome]:
        """Those that end before a process is lost."""
        import multiprocessing

        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(min(self.jobs, len(asks)), mp_context=context)
        try:
            yield from _as_they_come(
                pool, asks, measure, at_once=2 * self.jobs, lost=(BrokenProcessPool,)
            )
        finally:
            _end(pool)


def _end(pool: ProcessPoolExecutor) -> None:
    """Drop what waits, end what runs."""
    processes = list((getattr(pool, "_processes", None) or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
    for process in processes:
        process.join()


class _Cluster:
    """The workers of a Dask scheduler, which gives a lost worker's points to the others."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._client: Any = None

    @contextmanager
    def open(self) -> Iterator[None]:
        try:
            from distributed import Client
        except ImportError:
            raise ClusterError(
                "--cluster needs Dask: pip install 'gcmforge[cluster]', here and on its workers"
            ) from None
        try:
            client = Client(  # type: ignore[no-untyped-call]
                self.address, timeout="10s", set_as_default=False
            )
        except (OSError, TimeoutError, ValueError) as error:
            raise ClusterError(
                f"{self.address}: no Dask scheduler answers ({error}); start one with "
                "`dask scheduler` and give its address, such as tcp://host:8786"
            ) from None
        with client:
            self._client = client
            yield

    def run(self, asks: Sequence[Ask], measure: Measure) -> Iterator[Outcome]:
        from distributed.scheduler import KilledWorker

        workers = max(1, len(self._client.scheduler_info()["workers"]))
        left = list(asks)
        pool: Executor = self._client.get_executor(pure=False)
        while left:
            try:
                for outcome in _as_they_come(
                    pool, left, measure, at_once=4 * workers, lost=(KilledWorker,)
                ):
                    left.remove(outcome[0])
                    yield outcome
            except _LostError as lost:
                for ask in lost.asks:
                    left.remove(ask)
                    yield ask, "", "every worker that it was given to died"


def _as_they_come(
    pool: Executor,
    asks: Sequence[Ask],
    measure: Measure,
    *,
    at_once: int,
    lost: tuple[type[BaseException], ...],
) -> Iterator[Outcome]:
    """Outcomes in the order in which they end; few are handed out ahead, so that all workers are
    busy to the end and little is lost when this is left. _LostError when futures end by `lost`."""
    waiting = iter(asks)
    running: dict[Future[tuple[str, str]], Ask] = {}
    try:
        while True:
            while len(running) < at_once and (ask := next(waiting, None)) is not None:
                running[pool.submit(measure, ask)] = ask
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            died: list[Ask] = []
            for future in done:
                ask = running.pop(future)
                try:
                    outcome = future.result()
                except lost:
                    died.append(ask)
                else:
                    yield ask, *outcome
            if died:
                raise _LostError(died)
    except BrokenProcessPool:  # while handing out
        raise _LostError(list(running.values())) from None
    finally:
        for future in running:
            future.cancel()


@cache
def package_digest() -> str:
    """SHA-256 over every file of the package that can change a figure."""
    package = Path(__file__).parents[1]
    files = sorted(path for path in package.rglob("*.*") if path.suffix in _SOURCES)
    kept = (path for path in files if path.relative_to(package).parts[0] not in _NO_FIGURES)
    return digest(*(f"{path.relative_to(package)}\n{path.read_text()}" for path in kept))


_SOURCES = (".py", ".sv", ".txt", ".cpp", ".j2", ".json")
_NO_FIGURES = ("explore", "study", "report", "cli")


@cache
def target_version(target: str) -> str:
    """Digest or version of the target's files."""
    from gcmforge.netlist.targets import find_target

    return find_target(target).version


@cache
def _tools() -> str:
    from gcmforge.sta.opensta import opensta_version
    from gcmforge.tools import verilator_version, yosys_version

    return " ".join((yosys_version(), verilator_version(), opensta_version() or ""))
