# SPDX-License-Identifier: Apache-2.0
"""Tests for leakage in the results store: of a core, for its datasheet."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from gcmforge.cache import digest
from gcmforge.measure.job import Job, job_of
from gcmforge.measure.store import project_version

if TYPE_CHECKING:
    from gcmforge.measure.leakage_traffic import Against, Randomness
    from gcmforge.measure.store import Store
    from gcmforge.measure.subject import Subject
    from gcmforge.netlist.targets import Target

KIND = "leakage"
"""Of its rows in the store."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Leakage:
    """What the test found; t by cycle of a trace."""

    core: str
    target: str
    traces: int
    randomness: str
    first: tuple[float, ...]
    second: tuple[float, ...]
    fails_at: int | None
    """Traces after which |t| of first order was above the threshold for the first time, and stayed
    so; batches are looked at one after another."""
    nets: tuple[tuple[int, str, float], ...]
    """Where it leaks: (cycle, net, t of its edges), the worst first."""
    parts: tuple[tuple[str, int, int], ...] = ()
    """What a trace consists of: a name, its first cycle, and the one after its last."""
    against: str = "random"
    """What the fixed key is compared with: random ones, or another fixed one."""

    @property
    def worst(self) -> float:
        return max(map(abs, self.first))

    @property
    def worst_second(self) -> float:
        return max(map(abs, self.second))


@dataclass(frozen=True, kw_only=True, slots=True)
class LeakageRecord:
    """A test, and what repeats it."""

    rtl_sha256: str
    target: str
    command: str
    seed: int
    tools: Mapping[str, str]
    found: Leakage


def run_key(
    subject: Subject, target: Target, seed: int, randomness: Randomness, against: Against
) -> str:
    """The same for every number of traces, and for nothing else that the figures depend on."""
    classes = () if against == "random" else (against,)
    return digest(KIND, _job(subject, target).key, str(seed), randomness, *classes)


def kept(store: Store, run: str, traces: int) -> Leakage | None:
    """The result of so many traces, if it is there."""
    text = store.get(digest(run, str(traces)))
    return store.read(text, LeakageRecord).found if text else None


def keep(
    store: Store, run: str, found: Leakage, subject: Subject, target: Target, seed: int
) -> None:
    """Put a result into the store."""
    job = _job(subject, target)
    words = ["gcmforge", "measure", found.core, "--target", target.name]
    words += ["--leakage", str(found.traces)]
    words += ["--zero-randomness"] if found.randomness == "zero" else []
    words += ["--two-keys"] if found.against == "fixed" else []
    record = LeakageRecord(
        rtl_sha256=subject.rtl_sha256,
        target=target.name,
        command=shlex.join(words),
        seed=seed,
        tools=job.tools,
        found=found,
    )
    key = digest(run, str(found.traces))
    now = datetime.now(UTC).isoformat(timespec="seconds")
    classes = () if found.against == "random" else (found.against,)
    line = digest(job.line, found.randomness, str(seed), *classes)
    text = json.dumps(asdict(record))
    store.put(key, text, at=now, kind=KIND, line=line, project=project_version())


def of_core(store: Store, rtl_sha256: str) -> list[LeakageRecord]:
    """Of each target the test of most traces against random keys, random bits as they should be."""
    texts = store.of_rtl(rtl_sha256, kind=KIND)
    found = [store.read(text, LeakageRecord) for text in texts]
    best: dict[str, LeakageRecord] = {}
    for one in found:
        if (one.found.randomness, one.found.against) == ("fresh", "random"):
            before = best.get(one.target)
            if before is None or before.found.traces < one.found.traces:
                best[one.target] = one
    return list(best.values())


def _job(subject: Subject, target: Target) -> Job:
    return job_of(subject, target, (), None, "normal", "balanced", False)
