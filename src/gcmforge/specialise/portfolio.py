# SPDX-License-Identifier: Apache-2.0
"""Many keys: a folder for each under one interface, an index, and how area and time are spread.

What is finished stays when the work is stopped, and the same call goes on from there: a folder that
is there already is proven to be its key's, not made again. Neither index nor report holds anything
of a key.
"""

import json
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from gcmforge.config import ConfigError
from gcmforge.emit.folder import LOCK, BuildError, changes, write_folder, write_private
from gcmforge.specialise.keys import NamedSubkey
from gcmforge.specialise.logic import make_logic, prove_texts, specification
from gcmforge.specialise.module import module_files, prove_logic
from gcmforge.specialise.plan import Plan

INDEX = "index.json"
KEYS_A_BATCH = 10
"""So many are read back by one process of Yosys."""

Progress = Callable[[int, int], None]
"""Called with keys done and keys in all."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One key's module in the index; seconds are processor seconds of making, proving and writing
    it, its share of what a batch has in common included."""

    name: str
    units: int
    levels: int
    seconds: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Portfolio:
    """What is in the folder. This call made `made` of the entries; the others were there, and were
    proven again."""

    path: Path
    plan: Plan
    entries: tuple[Entry, ...]
    made: int
    seconds: float

    def to_mapping(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "path": str(self.path), "keys": len(self.entries), "made": self.made,
            "seconds": round(self.seconds, 1), **self.plan.to_mapping(),
            "unit": self.plan.target.unit, "units": spread([e.units for e in self.entries]),
            "levels": spread([e.levels for e in self.entries]),
            "seconds_a_key": spread([e.seconds for e in self.entries]),
        }  # fmt: skip


def make_portfolio(
    keys: Sequence[NamedSubkey],
    plan: Plan,
    out: Path,
    *,
    workers: int = 2,
    progress: Progress = lambda done, total: None,
) -> Portfolio:
    """A folder below `out` for each key, in `workers` processes at a time."""
    if workers < 1:
        raise ConfigError(f"workers={workers}: use 1 or more processes")
    start = perf_counter()
    out = Path(out)
    known = _open(out, plan)
    batches = list(_batches(keys))
    done: dict[str, Entry] = {}
    made = 0
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        jobs = [pool.submit(_make_batch, batch, plan, out, known) for batch in batches]
        try:
            for job in as_completed(jobs):
                entries, new = job.result()
                done |= {entry.name: entry for entry in entries}
                made += new
                _write_index(out, plan, {**known, **done})
                progress(len(done), len(keys))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    portfolio = Portfolio(
        path=out, plan=plan, entries=tuple(done[key.name] for key in keys), made=made,
        seconds=perf_counter() - start,
    )  # fmt: skip
    write_private(out / "README.md", portfolio_text(portfolio))
    return portfolio


def _open(out: Path, plan: Plan) -> dict[str, Entry]:
    """The entries of a portfolio that was begun; BuildError for a folder that is something else."""
    if not out.exists():
        out.mkdir(parents=True, mode=0o700)
    out.chmod(0o700)
    if not any(out.iterdir()):
        return {}
    try:
        index = json.loads((out / INDEX).read_text())
        entries = {entry["name"]: Entry(**entry) for entry in index["entries"]}
    except (OSError, ValueError, KeyError, TypeError):
        raise BuildError(
            f"{out}: exists and is not a portfolio (no {INDEX}); choose another name"
        ) from None
    if index["plan"] != plan.to_mapping():
        raise BuildError(f"{out}: a portfolio with other options; choose another name")
    return entries


def _write_index(out: Path, plan: Plan, entries: Mapping[str, Entry]) -> None:
    rows = [asdict(entries[name]) for name in sorted(entries)]
    index = {"plan": plan.to_mapping(), "unit": plan.target.unit, "entries": rows}
    write_private(out / INDEX, json.dumps(index, indent=1) + "\n")


def _batches(keys: Sequence[NamedSubkey]) -> Iterator[list[NamedSubkey]]:
    rest = iter(keys)
    while batch := list(islice(rest, KEYS_A_BATCH)):
        yield batch


def _make_batch(
    keys: Sequence[NamedSubkey], plan: Plan, out: Path, known: Mapping[str, Entry]
) -> tuple[list[Entry], int]:
    """Entries of these keys, and how many of them were made now."""
    begun = _processor_seconds()
    there = [key for key in keys if key.name in known and _is_whole(out / key.name)]
    kept = _proven_again(there, plan, out)
    new = [key for key in keys if key.name not in kept]
    logics = {key.name: make_logic(key.subkey, plan, proven=True) for key in new}
    proofs = prove_logic(logics, plan) if logics else {}
    for name, logic in logics.items():
        write_folder(module_files(plan, logic, proofs[name]), out / name, private=True)
    share = (_processor_seconds() - begun) / max(1, len(new))
    entries = [known[name] for name in kept]
    entries += [
        Entry(name=name, units=logic.units, levels=logic.depth, seconds=round(share, 3))
        for name, logic in logics.items()
    ]
    return entries, len(new)


def _is_whole(folder: Path) -> bool:
    return (folder / LOCK).is_file() and not changes(folder)


def _proven_again(keys: Sequence[NamedSubkey], plan: Plan, out: Path) -> set[str]:
    """Names of those whose folder holds the logic of their key, as they should."""
    if not keys:
        return set()
    leaves = {key.name: specification(key.subkey, plan) for key in keys}
    texts = {key.name: (out / key.name / "gen/gf128_fixed.sv").read_text() for key in keys}
    return {name for name, proof in prove_texts(leaves, texts, plan).items() if proof.passed}


def _processor_seconds() -> float:
    """Of this process and of the tools that it ran."""
    from resource import RUSAGE_CHILDREN, getrusage

    tools = getrusage(RUSAGE_CHILDREN)
    return process_time() + tools.ru_utime + tools.ru_stime


# Report -------------------------------------------------------------------------------------------


def spread(values: Sequence[float]) -> dict[str, float]:
    """Least, mean, standard deviation and most."""
    return {
        "least": min(values),
        "mean": round(statistics.fmean(values), 2),
        "deviation": round(statistics.pstdev(values), 2),
        "most": max(values),
    }


def portfolio_text(portfolio: Portfolio) -> str:
    """README.md of a portfolio: what it is, and how area and time are spread."""
    plan, entries = portfolio.plan, portfolio.entries
    lines = [
        "# GHASH for many keys",
        "",
        "**This folder contains key material.** The hash subkey of every key can be computed from",
        "its `gen/gf128_fixed.sv`. It is readable by its owner only: keep what is made of it so.",
        "",
        f"{len(entries):,} keys, a folder for each, every one with the top module `ghash_key` and",
        f"the same ports ({plan.law}). `{INDEX}` lists them.",
        "",
        "| | least | mean | deviation | most |",
        "| --- | ---: | ---: | ---: | ---: |",
        _row(f"{plan.target.unit}s of a multiplier", [e.units for e in entries]),
        _row("levels", [e.levels for e in entries]),
        _row("processor seconds a key", [e.seconds for e in entries]),
        "",
        f"Minimised for {plan.target.name}, effort {plan.effort}. Each is proven on its text.",
        "",
        "```text",
        *_bars([e.units for e in entries], f"{plan.target.unit}s"),
        "",
        *_bars([e.seconds for e in entries], "seconds"),
        "```",
    ]
    return "\n".join(lines) + "\n"


def _row(what: str, values: Sequence[float]) -> str:
    return f"| {what} | {' | '.join(f'{value:,.6g}' for value in spread(values).values())} |"


_CLASSES = 12
"""Of values, in a histogram."""


def _bars(values: Sequence[float], what: str) -> Iterator[str]:
    """A histogram in text."""
    low, high = min(values), max(values)
    width = (high - low) / _CLASSES or 1
    counts = Counter(min(_CLASSES - 1, int((value - low) / width)) for value in values)
    tallest = max(counts.values())
    for k in range(_CLASSES if high > low else 1):
        bar = "#" * round(50 * counts[k] / tallest)
        yield f"{low + k * width:10,.2f} {what} and more {counts[k]:6,} {bar}".rstrip()
