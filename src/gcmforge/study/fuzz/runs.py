# SPDX-License-Identifier: Apache-2.0
"""One run: files of one input for some seconds, and what was found."""

import importlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from gcmforge.study.fuzz import configuration, liberty, stores, vectors
from gcmforge.study.fuzz.guard import Watch
from gcmforge.study.fuzz.lines import Lines
from gcmforge.study.fuzz.mutate import mutated
from gcmforge.study.fuzz.reader import Place, Reader

TRACED = 4
"""Of so many files one is watched for new lines, which takes longer."""
ASKED = 8
"""Of so many files that are refused one is given to the command, too."""
WHOLE_SHARE = 0.3
"""Of the time is for commands that work with files that were taken."""
MOST_KEPT = 400
"""Files that reached new lines, of each reader."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Input:
    """One of the four: its readers, and the modules whose lines are watched."""

    what: str
    readers: Callable[[], tuple[Reader, ...]]
    modules: tuple[str, ...]

    @property
    def files(self) -> frozenset[str]:
        """Source files, as their code objects name them."""
        modules: list[ModuleType] = [importlib.import_module(name) for name in self.modules]
        return frozenset(str(module.__file__) for module in modules)


INPUTS = {
    "configuration": Input(
        what="options, spaces, and what lies in the folder of a core",
        readers=configuration.readers,
        modules=(
            "gcmforge.config.core", "gcmforge.config.option", "gcmforge.config.intent",
            "gcmforge.config.identifiers", "gcmforge.config.presets", "gcmforge.config.rules",
            "gcmforge.explore.space", "gcmforge.emit.core", "gcmforge.emit.folder",
            "gcmforge.emit.naming", "gcmforge.measure.subject",
        ),
    ),
    "vectors": Input(
        what="NIST .rsp and JSON in Wycheproof's schema",
        readers=vectors.readers,
        modules=("gcmforge.sim.vectors", "gcmforge.sim.reference"),
    ),
    "stores": Input(
        what="results stores, and CSV files of own points",
        readers=stores.readers,
        modules=(
            "gcmforge.measure.store", "gcmforge.measure.result", "gcmforge.measure.measure",
            "gcmforge.measure.table", "gcmforge.report.explorer",
        ),
    ),
    "liberty": Input(
        what="Liberty files, plain and compressed",
        readers=liberty.readers,
        modules=(
            "gcmforge.netlist.liberty", "gcmforge.netlist.liberty_syntax",
            "gcmforge.netlist.functions", "gcmforge.netlist.targets", "gcmforge.netlist.library",
        ),
    ),
}  # fmt: skip


@dataclass(kw_only=True, slots=True)
class Report:
    """What a run did."""

    input: str
    seed: int
    tried: int = 0
    taken: int = 0
    refused: int = 0
    commands: int = 0
    """Whole commands, in this process."""
    lines: int = 0
    """Of the readers' lines, those that were reached."""
    kept: int = 0
    """Files that reached new lines."""
    processor_seconds: float = field(default=0.0, compare=False)
    findings: dict[str, int] = field(default_factory=dict)
    """Each kind, and how often it was seen."""

    @property
    def text(self) -> str:
        one = (
            f"{self.input}: {self.tried:,} files, {self.taken:,} taken, {self.refused:,} refused, "
            f"{self.commands:,} commands, {len(self.findings)} findings (seed {self.seed})"
        )
        return "\n".join([one, *(f"    {count} x {what}" for what, count in self.findings.items())])

    def to_mapping(self) -> dict[str, Any]:
        return asdict(self)


def fuzz(
    name: str,
    *,
    seed: int,
    seconds: float | None = None,
    files: int | None = None,
    commands: bool = True,
    keep: Path | None = None,
) -> Report:
    """Files of an input until the seconds are over, or so many of them were tried.

    The same seed makes the same files. `keep` is a folder for one file of each finding. Without
    `commands` only the readers see the files.
    """
    readers = INPUTS[name].readers()
    rng, report = Random(seed), Report(input=name, seed=seed)
    lines = Lines(INPUTS[name].files)
    shares = [reader.share for reader in readers]
    began, spent, processor = time.monotonic(), 0.0, _processor()
    with _places(readers) as places, Watch() as watch:
        pools = [list(place.reader.samples) for place in places]
        for place in places:
            _check_samples(place)
        while not _over(began, seconds, report.tried, files):
            (number,) = rng.choices(range(len(places)), shares)
            place, pool = places[number], pools[number]
            data = mutated(rng, pool, place.reader.form)
            dice = Random(rng.random())  # what follows changes none of the later files
            tried = place.tried(data, lines if report.tried % TRACED == 0 else None)
            report.tried += 1
            watch.goes_on()
            report.taken += tried.taken
            report.refused += not tried.taken
            finding = tried.finding
            if tried.new and not finding and len(pool) < MOST_KEPT:
                pool.append(data)
            if commands and not finding:
                before = time.monotonic()
                share = spent <= WHOLE_SHARE * (before - began)
                finding, asked = _command(place, tried.taken, share, dice)
                report.commands += asked
                spent += time.monotonic() - before if tried.taken else 0.0
            if finding:
                _found(report, place.reader, finding, data, keep)
        report.kept = sum(
            len(pool) - len(place.reader.samples) for pool, place in zip(pools, places, strict=True)
        )
    report.lines = len(lines.reached)
    report.processor_seconds = round(_processor() - processor, 1)
    return report


def _processor() -> float:
    """Seconds of this process and of those that it waited for."""
    return sum(os.times()[:4])


def _check_samples(place: Place) -> None:
    """Files that are nearly wrong say little where the right one is refused."""
    for data in place.reader.samples:
        tried = place.tried(data)
        if not tried.taken or tried.finding:
            raise RuntimeError(f"a sample of {place.reader.name} is not taken {tried.finding}")


def _over(began: float, seconds: float | None, tried: int, files: int | None) -> bool:
    if files is not None and tried >= files:
        return True
    return seconds is not None and time.monotonic() - began >= seconds


def _command(place: Place, taken: bool, share: bool, dice: Random) -> tuple[str, int]:
    """What is wrong with a command on this file, and whether one was run."""
    reader = place.reader
    if taken:
        words = reader.whole(place.file) if share else None
        return (place.worked(words), 1) if words else ("", 0)
    words = reader.command(place.file) if dice.randrange(ASKED) == 0 else None
    return (place.refused(words), 1) if words else ("", 0)


def _found(report: Report, reader: Reader, finding: str, data: bytes, keep: Path | None) -> None:
    what = f"{reader.name}: {finding}"
    report.findings[what] = report.findings.get(what, 0) + 1
    if keep is not None and report.findings[what] == 1:
        keep.mkdir(parents=True, exist_ok=True)
        name = f"{report.input}-{report.seed}-{len(report.findings)}"
        (keep / f"{name}{Path(reader.file).suffix}").write_bytes(data)
        (keep / f"{name}.txt").write_text(f"{what}\nfile {report.tried} of seed {report.seed}\n")


@contextmanager
def _places(readers: tuple[Reader, ...]) -> Iterator[list[Place]]:
    """A folder of its own for each reader; the environment is as before at the end."""
    before = os.environ.get("GCMFORGE_STORE")
    with tempfile.TemporaryDirectory(prefix="gcmforge-fuzz-") as folder:
        try:
            yield [Place.made(reader, Path(folder)) for reader in readers]
        finally:
            os.environ.pop("GCMFORGE_STORE", None)
            if before is not None:
                os.environ["GCMFORGE_STORE"] = before
