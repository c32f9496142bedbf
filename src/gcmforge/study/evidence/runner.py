# SPDX-License-Identifier: Apache-2.0
"""Every long run by one command: it may be interrupted, and goes on where it was.

What a step found is written as soon as it ends, with its command, seed, version and seconds. A
step of a core is done when there is a result of the same command and the same SystemVerilog, made
from a commit of this repository; a measurement is looked up in the results store. What took longest
the last time is begun first.
"""

import hashlib
import math
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing import active_children, get_context
from multiprocessing.process import BaseProcess
from typing import Any

from gcmforge.study.checkout import is_of_a_commit
from gcmforge.study.kept import Found, Kept, Step

CLEAR_UP_S = 3.0
Keep = Callable[[Step, Mapping[str, Any]], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Done:
    """A step that ended: `record` is None when its result was there already."""

    step: Step
    ok: bool
    text: str
    seconds: float
    record: Mapping[str, Any] | None


def run_steps(
    steps: Sequence[Step],
    *,
    jobs: int,
    keep: Keep,
    known: Mapping[tuple[str, str], Mapping[str, Any]],
    progress: Callable[[int, int, Done], None],
) -> list[Done]:
    """All steps, `jobs` at a time; `known` has the kept records by kind and name.

    On any exception, an interruption among them, nothing more is begun, what runs is ended, and
    what has ended is kept.
    """
    order = sorted(
        steps,
        key=lambda step: -known.get((step.kind, step.name), {}).get("seconds", math.inf),
    )
    done: list[Done] = []
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_worker)
    try:
        running: dict[Future[Done], Step] = {
            pool.submit(make, step, known.get((step.kind, step.name))): step for step in order
        }
        for future in as_completed(running):
            one = future.result()
            if one.record is not None:
                keep(one.step, one.record)
            done.append(one)
            progress(len(done), len(order), one)
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        _end(active_children())
        raise
    pool.shutdown()
    return done


def make(step: Step, before: Mapping[str, Any] | None) -> Done:
    """One step in this process; not run when its result is `before`."""
    began = time.perf_counter()
    rtl = rtl_digest(step)
    if before and rtl and (before["asked"], before["rtl"], before["ok"]) == (step.asked, rtl, True):
        return Done(step=step, ok=True, text="kept already", seconds=0.0, record=None)
    from gcmforge.measure.store import project_version

    try:
        found: Found = step.call(*step.arguments)
    except Exception as error:  # a step that breaks does not end the others
        found = Found(ok=False, text=f"{type(error).__name__}: {error}")
    seconds = round(time.perf_counter() - began, 1)
    record = {
        "command": step.command, "seed": step.seed, "asked": step.asked, "rtl": rtl,
        "version": project_version(), "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": seconds if found.seconds is None else found.seconds,
        "ok": found.ok, "found": dict(found.data),
    }  # fmt: skip
    return Done(step=step, ok=found.ok, text=found.text, seconds=seconds, record=record)


def rtl_digest(step: Step) -> str:
    """Of the SystemVerilog of the step's core as it is built, comments aside; of a step without a
    core, its own digest."""
    if step.rtl is None:
        return step.digest
    from gcmforge.emit.rtl import code_of
    from gcmforge.sim.aead import built
    from gcmforge.sim.compile import core_sources

    digest = hashlib.sha256()
    for path in core_sources(built(step.rtl)):
        code = code_of(path.read_text(encoding="utf-8"))
        digest.update(f"{path.name}\0{code}\0".encode())
    return digest.hexdigest()[:16]


def _worker() -> None:
    """A group of its own: the interrupt key is the parent's; what a step begins ends with it."""
    os.setpgrp()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


def _end(workers: Sequence[BaseProcess]) -> None:
    """Each worker with all that it has begun: time to clear up, then no more."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        for worker in workers:
            with suppress(ProcessLookupError, PermissionError):
                if worker.pid:
                    os.killpg(worker.pid, number)
        until = time.monotonic() + CLEAR_UP_S
        for worker in workers:
            worker.join(max(0.0, until - time.monotonic()))


def times_text(done: Iterable[Done], wall: float) -> str:
    """How long each kind took."""
    by_kind: dict[str, list[Done]] = {}
    for one in done:
        by_kind.setdefault(one.step.kind, []).append(one)
    lines = [f"{'kind':12}{'steps':>7}{'kept':>7}{'failed':>8}{'processor min':>15}"]
    for kind, ones in by_kind.items():
        kept = sum(one.record is None for one in ones)
        failed = sum(not one.ok for one in ones)
        minutes = sum(one.seconds for one in ones) / 60
        lines.append(f"{kind:12}{len(ones):7}{kept:7}{failed:8}{minutes:15.1f}")
    return "\n".join([*lines, f"{wall / 60:.1f} minutes on the clock"])


def known_records(
    kinds: Iterable[str], *, again: bool = False
) -> dict[tuple[str, str], dict[str, Any]]:
    """What is kept, by kind and name; without that of versions that are no commit of this
    repository, so that it is made again. `again`: only that of the present version."""
    from gcmforge.measure.store import project_version

    records = {(kind, name): one for kind in kinds for name, one in Kept(kind).read().items()}
    present = project_version()
    good = {
        version: version == present if again else is_of_a_commit(version)
        for version in {r["version"] for r in records.values()}
    }
    return {which: record for which, record in records.items() if good[record["version"]]}


def to_mapping(one: Done) -> dict[str, Any]:
    """For JSON."""
    return {
        "kind": one.step.kind, "name": one.step.name, "ok": one.ok, "seconds": one.seconds,
        "kept": one.record is None,
    }  # fmt: skip
