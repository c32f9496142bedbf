# SPDX-License-Identifier: Apache-2.0
"""Mutants of six cores, judged by what `gcmforge verify` plays; those that it does not see are
proven to be no change where that is possible.

gcmforge-study run mutants [--core NAME] [--every N] [--part I/N] [--jobs J]
"""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from gcmforge.config import CoreConfig
from gcmforge.config.presets import preset
from gcmforge.study.kept import Found, Step
from gcmforge.study.mutants.equal import Equal
from gcmforge.study.mutants.judge import Judged, judge
from gcmforge.study.mutants.parts import parts_of
from gcmforge.study.mutants.proofs import Proofs
from gcmforge.study.mutants.sites import Mutant
from gcmforge.study.mutants.switched import switched

_SHORT: dict[str, Any] = {"max_text_bytes": 1_000, "max_aad_bytes": 600}
CORES = {
    "default": CoreConfig(**_SHORT),
    "small": preset("small").with_settings(["max_text_bytes=2048", "max_aad_bytes=48"]),
    "compact": preset("compact").with_settings(["max_text_bytes=65536"]),
    "guarded": CoreConfig(
        aes="loop", key_schedule="travelling", ghash="serial", sbox="table", contexts=2,
        release="verified", zeroise="on", timeout=2_000, iv="counter", iv_limit=1_000, **_SHORT,
    ),
    "ahead": CoreConfig(
        lanes=2, key_sizes=(128,), slots="ahead", iv="96", contexts=1, sbox="table",
        max_text_bytes=20_000, max_aad_bytes=600,
    ),
    "line": CoreConfig(
        lanes=2, key_sizes=(128, 256), contexts=3, key_schedule="travelling",
        key_unit="dedicated", j0="dedicated", tail="dedicated", slots="line", sbox="table",
        ghash_stages=2, aad_lanes=1, **_SHORT,
    ),
}  # fmt: skip
"""Cores that together have most modules of the control. Lengths have limits that packets of a
simulation reach."""

EVERY, PARTS, SEED = 5, 4, 1
KILLED, EACH_CYCLE, REACHED, REFUTED, SLOWER, UNSEEN = (
    "killed", "each cycle", "reached", "refuted", "slower", "unseen",
)  # fmt: skip
"""What verification sees; what is proven equal in two ways; what only `prove --control` sees; what
gives the right answers in another number of cycles; the rest."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """What became of mutants of one core."""

    name: str
    summary: str
    sites: int
    """Mutants that the core has."""
    by_file: dict[str, dict[str, int]]
    """File -> verdict -> mutants."""
    by_part: dict[str, int]
    """Part of the verification -> mutants that it saw."""
    longest_s: float
    """Until a mutant was seen."""
    whole_s: float
    """All parts, on the core as it is."""
    left: list[tuple[str, int, str, str, str]]
    """File, line, what, into what and verdict of those that verification did not see and that are
    not proven equal."""

    def count(self, *verdicts: str) -> int:
        return sum(one.get(verdict, 0) for one in self.by_file.values() for verdict in verdicts)

    @property
    def judged(self) -> int:
        return sum(sum(one.values()) for one in self.by_file.values())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--core", choices=CORES, action="append")
    parser.add_argument("--every", type=int, default=EVERY)
    parser.add_argument("--part", default="1/1", metavar="I/N")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args(arguments)
    try:
        part, parts = map(int, asked.part.split("/"))
    except ValueError:
        part, parts = 0, 0
    if not 1 <= part <= parts or asked.every < 1:
        parser.error("--part takes I/N with I from 1 to N; --every takes 1 or more")
    for name in asked.core or CORES:
        chosen = slice((part - 1) * asked.every, None, parts * asked.every)
        row = mutate(name, CORES[name], chosen, jobs=asked.jobs, aloud=True)
        print(told(row), flush=True)
        for file, line, old, new, verdict in row.left:
            print(f"    {file}:{line}: {old} -> {new}: {verdict}")
    return 0


def mutate(name: str, config: CoreConfig, chosen: slice, *, jobs: int, aloud: bool = False) -> Row:
    """Those of the core's mutants that the slice takes."""
    with tempfile.TemporaryDirectory(prefix="gcmforge-mutants-") as folder:
        core, mutants = switched(config, Path(folder))
        numbers = [0, *range(1, len(mutants) + 1)[chosen]]
        say = partial(_say, name, mutants) if aloud else lambda _: None
        found = judge(core, parts_of(config, seed=SEED), numbers, jobs=jobs, told=say)
    as_it_is, *judged = sorted(found, key=lambda one: one.number)
    if as_it_is.killed:
        raise AssertionError(f"{name}: the core without a mutant fails: {as_it_is.said}")
    row = Row(
        name=name, summary=config.summary, sites=len(mutants), by_file={}, by_part={}, left=[],
        longest_s=max((one.seconds for one in judged if one.killed), default=0.0),
        whole_s=as_it_is.seconds,
    )  # fmt: skip
    equal, proofs = Equal(config), Proofs(config)
    for one in judged:
        mutant = mutants[one.number - 1]
        if one.killed:
            verdict = KILLED
            row.by_part[one.by] = row.by_part.get(one.by, 0) + 1
        else:
            verdict = _not_seen(one, as_it_is, mutant, equal, proofs)
            if verdict not in (EACH_CYCLE, REACHED):
                row.left.append((mutant.file, mutant.line, mutant.old, mutant.new, verdict))
        counts = row.by_file.setdefault(mutant.file, {})
        counts[verdict] = counts.get(verdict, 0) + 1
    return row


def _not_seen(one: Judged, as_it_is: Judged, mutant: Mutant, equal: Equal, proofs: Proofs) -> str:
    """What can be said of a mutant that verification did not see."""
    if equal.in_each_cycle(one.number):
        return EACH_CYCLE
    if equal.where_reached(one.number, Path(mutant.file).stem):
        return REACHED
    if proofs.refute(one.number, mutant.file):
        return REFUTED
    return UNSEEN if one.cycles == as_it_is.cycles else SLOWER


def _say(name: str, mutants: Sequence[Mutant], one: Judged) -> None:
    what = mutants[one.number - 1] if one.number else "as it is"
    print(f"{name} {one.number}: {what}: {one.by or 'not seen'}", flush=True)


def told(row: Row) -> str:
    counts = {
        "killed": row.count(KILLED),
        "proven equal": row.count(EACH_CYCLE, REACHED),
        "refuted by proofs only": row.count(REFUTED),
        "with other cycles": row.count(SLOWER),
        "not seen": row.count(UNSEEN),
    }
    each = ", ".join(f"{count:,} {what}" for what, count in counts.items())
    return f"{row.name}: {row.judged:,} of {row.sites:,} mutants: {each}"


# As evidence --------------------------------------------------------------------------------------


def steps() -> Iterator[Step]:
    """Every core, in parts."""
    for part in range(1, PARTS + 1):
        for name, config in CORES.items():
            yield Step(
                kind="mutants", name=f"{name} {part}/{PARTS}", seed=SEED, call=kept_row,
                arguments=(name, part), rtl=config,
                command=f"gcmforge-study run mutants --core {name} --every {EVERY} "
                f"--part {part}/{PARTS}",
            )  # fmt: skip


def kept_row(name: str, part: int) -> Found:
    chosen = slice((part - 1) * EVERY, None, PARTS * EVERY)
    row = mutate(name, CORES[name], chosen, jobs=1)
    return Found(ok=True, text=told(row), data=asdict(row))
