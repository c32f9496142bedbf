# SPDX-License-Identifier: Apache-2.0
"""What pages of figures ask to be measured, and their results.

A result comes from the results store where it is there. It is also kept beside the pages, in
data/PAGE.jsonl: a page can be written again on another machine, and only what a change of gcmforge
or of a tool has made stale is measured there. The key of each result says what it depends on.
"""

import json
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from gcmforge.measure.job import Job, job_of
from gcmforge.measure.measure import Progress, measure
from gcmforge.measure.result import Result
from gcmforge.measure.store import Store
from gcmforge.netlist.targets import TargetError
from gcmforge.place.placed import UTILISATION
from gcmforge.tools import ToolError

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """One measurement."""

    what: str
    target: str = "osu018"
    settings: tuple[str, ...] = ()
    power: bool = False
    clock_ns: float | None = None
    effort: str = "normal"
    goal: str | None = None
    placed: bool = False
    utilisation: float = UTILISATION

    @property
    def words(self) -> str:
        """As `gcmforge measure` takes them."""
        words = [self.what, *(f"--set {setting}" for setting in self.settings)]
        words += [f"--target {self.target}", f"--effort {self.effort}"]
        words += [f"--goal {self.goal}"] if self.goal else []
        words += [] if self.clock_ns is None else [f"--clock {self.clock_ns:g}"]
        words += ["--placed"] if self.placed else []
        if self.utilisation != UTILISATION:
            words += [f"--utilisation {self.utilisation:g}"]
        words += ["--power"] if self.power else []
        return " ".join(words)

    def result(self, progress: Progress) -> Result:
        """From the store, or made now."""
        asked = {field.name: getattr(self, field.name) for field in fields(self)}
        return measure(**asked, progress=progress)

    @property
    def job(self) -> Job:
        """With the key under which the store has its result; ToolError where cells are missing, as
        where a program is."""
        utilisation = self.utilisation if self.placed else None
        try:
            return job_of(
                self.what, self.target, self.settings, self.clock_ns, self.effort, self.goal,
                self.power, utilisation, 1,
            )  # fmt: skip
        except TargetError as error:
            raise ToolError(str(error)) from error


Found = Mapping[Ask, Result]
"""Results that have the figures which were asked for."""


def results_of(
    page: str, asks: Iterable[Ask], *, until: float, jobs: int, only: Iterable[Ask] | None = None
) -> dict[Ask, Result]:
    """What there is of each, in their order. Nothing more is begun once that clock has passed, and
    nothing else than `only` these, where that is said."""
    every = list(dict.fromkeys(asks))
    wanted = set(every if only is None else only)
    lend(page)
    with ProcessPoolExecutor(jobs) as pool:
        making = {
            ask: pool.submit(begun_before, until if ask in wanted else 0.0, Ask.result, ask)
            for ask in sorted(every, key=lambda ask: ask not in wanted)
        }
        results = {ask: making[ask].result() for ask in every}
    there = {ask: result for ask, result in results.items() if result}
    keep(page, there)
    return there


class TooLateError(Exception):
    """Something that is not in the store was to be begun after the time was up."""


def begun_before(until: float, make: Callable[[Any, Progress], Any], asked: Any) -> Any:
    """What is made of it; once that clock has passed what the store has of it, else None."""
    begun = time.monotonic() < until

    def progress(step: str) -> None:
        if not begun:
            raise TooLateError(step)

    try:
        return make(asked, progress)
    except TooLateError:
        return None


def lend(page: str, folder: Path | None = None) -> None:
    """Put what is kept with the page into the store."""
    file = (folder or DATA) / f"{page}.jsonl"
    if not file.is_file():
        return
    with Store() as store:
        for line in file.read_text(encoding="utf-8").splitlines():
            kept = json.loads(line)
            text = json.dumps(kept.pop("result"), separators=(",", ":"))
            store.put(kept.pop("key"), text, kind="result", **kept)


def keep(page: str, results: Found, folder: Path | None = None) -> None:
    """Write these results, a line each; those that the page asks for no more are dropped."""
    lines = []
    for ask, result in results.items():
        job = ask.job
        kept = {"key": job.key, "line": job.line}
        kept |= {"project": result.project_version, "at": result.measured_at}
        lines.append(json.dumps({**kept, "result": json.loads(result.to_json())}))
    file = (folder or DATA) / f"{page}.jsonl"
    whole = file.with_suffix(".part")
    whole.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    whole.replace(file)
