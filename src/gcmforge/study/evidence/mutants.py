# SPDX-License-Identifier: Apache-2.0
"""Mutants of six cores, judged by what `gcmforge verify` plays; those that it does not see are
proven to be no change where that is possible.

gcmforge-study run mutants [--core NAME] [--every N] [--jobs J]
"""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
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
        lanes=2, key_sizes=(128,), slots="ahead", iv="96", contexts=1, sbox="table", **_SHORT
    ),
    "line": CoreConfig(
        lanes=2, key_sizes=(128, 256), contexts=3, key_schedule="travelling",
        key_unit="dedicated", j0="dedicated", tail="dedicated", slots="line", sbox="table",
        ghash_stages=2, aad_lanes=1, **_SHORT,
    ),
}  # fmt: skip
"""Cores that together have most modules of the control. Lengths have limits that packets of a
simulation reach."""

EVERY, SEED = 4, 1
KILLED, EACH_CYCLE, REACHED, REFUTED, SLOWER, UNSEEN = (
    "killed", "each cycle", "reached", "refuted", "slower", "unseen",
)  # fmt: skip
"""What verification sees; what is proven equal in two ways; what only `prove --control` sees; what
gives the right answers in another number of cycles; the rest."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """What became of the mutants of one core."""

    name: str
    summary: str
    sites: int
    """Mutants that there are; every so many of them was judged."""
    by_file: dict[str, dict[str, int]] = field(default_factory=dict)
    """File -> verdict -> mutants."""
    by_part: dict[str, int] = field(default_factory=dict)
    """Part of the verification -> mutants that it saw."""
    longest_s: float = 0.0
    """Until a mutant was seen."""
    whole_s: float = 0.0
    """All parts, on the core as it is."""
    left: list[list[str]] = field(default_factory=list)
    """Where, what, into what and verdict of those that were not seen, and are not proven equal."""

    def count(self, *verdicts: str) -> int:
        return sum(one.get(verdict, 0) for one in self.by_file.values() for verdict in verdicts)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--core", choices=CORES, action="append")
    parser.add_argument("--every", type=int, default=EVERY)
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args(arguments)
    for name in asked.core or CORES:
        row = mutate(name, CORES[name], every=asked.every, jobs=asked.jobs, aloud=True)
        print(told(row), flush=True)
    return 0


def mutate(name: str, config: CoreConfig, *, every: int, jobs: int, aloud: bool = False) -> Row:
    """Every so many mutants of one core."""
    with tempfile.TemporaryDirectory(prefix="gcmforge-mutants-") as folder:
        core, mutants = switched(config, Path(folder))
        numbers = [0, *range(1, len(mutants) + 1, every)]
        say = partial(_say, name, mutants) if aloud else lambda _: None
        found = judge(core, parts_of(config, seed=SEED), numbers, jobs=jobs, seed=SEED, told=say)
    as_it_is = next(one for one in found if one.number == 0)
    if as_it_is.killed:
        raise AssertionError(f"{name}: the core without a mutant fails: {as_it_is.said}")
    row = Row(name=name, summary=config.summary, sites=len(mutants), whole_s=as_it_is.seconds)
    equal, proofs = Equal(config), Proofs(config)
    longest = 0.0
    for one in sorted(found, key=lambda one: one.number):
        if one.number == 0:
            continue
        mutant = mutants[one.number - 1]
        if one.killed:
            verdict = KILLED
            longest = max(longest, one.seconds)
            row.by_part[one.by] = row.by_part.get(one.by, 0) + 1
        elif equal.in_each_cycle(one.number):
            verdict = EACH_CYCLE
        elif equal.where_reached(one.number):
            verdict = REACHED
        elif proofs.refute(one.number, mutant.file):
            verdict = REFUTED
        else:
            verdict = UNSEEN if one.cycles == as_it_is.cycles else SLOWER
            row.left.append([f"{mutant.file}:{mutant.line}", mutant.old, mutant.new, verdict])
        counts = row.by_file.setdefault(mutant.file, {})
        counts[verdict] = counts.get(verdict, 0) + 1
    return Row(**{**asdict(row), "longest_s": longest})


def _say(name: str, mutants: Sequence[Mutant], one: Judged) -> None:
    what = mutants[one.number - 1] if one.number else "as it is"
    print(f"{name} {one.number}: {what}: {one.by or 'not seen'}", flush=True)


def told(row: Row) -> str:
    judged = sum(sum(one.values()) for one in row.by_file.values())
    counts = {
        "killed": row.count(KILLED),
        "proven equal": row.count(EACH_CYCLE, REACHED),
        "refuted by proofs only": row.count(REFUTED),
        "with other cycles": row.count(SLOWER),
        "not seen": row.count(UNSEEN),
    }
    each = ", ".join(f"{count:,} {what}" for what, count in counts.items())
    return f"{row.name}: {judged:,} of {row.sites:,} mutants: {each}"


# As evidence --------------------------------------------------------------------------------------


def steps() -> Iterator[Step]:
    """Every core."""
    for name, config in CORES.items():
        yield Step(
            kind="mutants", name=name, seed=SEED, call=kept_row, arguments=(name,), rtl=config,
            command=f"gcmforge-study run mutants --core {name} --every {EVERY}",
        )  # fmt: skip


def kept_row(name: str) -> Found:
    row = mutate(name, CORES[name], every=EVERY, jobs=1)
    return Found(ok=True, text=told(row), data=asdict(row))
