# SPDX-License-Identifier: Apache-2.0
"""Write docs/reference/mutants.md: changes of the control, and what sees them.

gcmforge-study pages mutants: from what `gcmforge-study evidence mutants` kept.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gcmforge.study.checkout import REFERENCE, write_page
from gcmforge.study.evidence.mutants import (
    CORES,
    EACH_CYCLE,
    EVERY,
    KILLED,
    PARTS,
    REACHED,
    REFUTED,
    SLOWER,
    UNSEEN,
    Row,
)
from gcmforge.study.kept import Kept
from gcmforge.study.mutants.reasons import REASONS, reason

PAGE = REFERENCE / "mutants.md"
GOAL = 98
_VERDICTS = (KILLED, REFUTED, EACH_CYCLE, REACHED, SLOWER, UNSEEN)

INTRODUCTION = f"""\
One expression of a core's SystemVerilog is changed at a time: an operator, a condition left out or
turned round, a constant. The cores are near the presets of the same names, or have the option that
names them; lengths have limits that a simulation reaches, and what each core is stands below.
Every {EVERY}th such mutant of each core is simulated under what
`gcmforge verify CORE` plays. What that does not see is looked at by proofs:

- *killed*: a packet, a rule of a stream, a law of cycles or the end of the simulation is wrong.
- *by proofs*: not killed, but a property of `gcmforge prove CORE --control` is false.
- *equal*: proven to be no change. *Each cycle*: the whole core is the same from every state.
  *Reached*: its module, or one that this is in, or the whole core, is the same from every state
  that is reached from a reset of two cycles or more. That relies on what is proven and watched of
  the control.
- *slower*: every answer is right, in another number of cycles.
- *unseen*: no difference was seen, and none is proven to be impossible.

The score is what is killed of what is not proven equal. The goal is {GOAL} %.
"""

LEFT = """\
Verification does not see these, and they are not proven equal. Each was looked at: its reason says
why no packet can show it in that core, or what it changes that no rule forbids. If that is right
for all of those with a reason, {reasons:,} of {left:,}, no traffic kills more than it does now.
What reasons say of a reset is of cores without `zeroise`, whose resets last two cycles or more.

Three kinds of attempts were made on them. Traffic of other kinds, and properties that are watched
in every simulation, killed what they could. A proof of the whole core relies on these properties;
it ends without an answer where a fact has to come through a queue. A proof module by module ends
in seconds; it fails where a module's surroundings never ask for the difference.
"""


def write() -> None:
    """The page, from what is kept."""
    write_page(PAGE, page(Kept("mutants").records()), "gcmforge-study pages mutants")


def _score(counts: Mapping[str, int], *more: str) -> str:
    others = sum(counts.values()) - counts.get(EACH_CYCLE, 0) - counts.get(REACHED, 0)
    seen = sum(counts.get(verdict, 0) for verdict in (KILLED, *more))
    return f"{100 * seen / others:.1f} %" if others else ""


def _table(what: str, rows: Mapping[str, Counter[str]]) -> Iterator[str]:
    yield (
        f"| {what} | mutants | killed | by proofs | equal: each cycle | reached | slower | unseen "
        "| score | with proofs |"
    )
    yield "| --- |" + " ---: |" * 9
    total = sum(rows.values(), Counter())
    for name, counts in [*rows.items(), ("**all**", total)]:
        each = " | ".join(f"{counts[verdict]:,}" for verdict in _VERDICTS)
        yield (
            f"| {name} | {counts.total():,} | {each} | {_score(counts)} | "
            f"{_score(counts, REFUTED)} |"
        )


def page(records: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Lines of the page."""
    rows = [Row(**record["found"]) for record in records]
    versions = ", ".join(sorted({record["version"] for record in records}))
    yield "# Mutants\n"
    yield "Written by `gcmforge-study pages mutants` from what `gcmforge-study evidence mutants`"
    yield f"found; version {versions} of the project.\n"
    yield INTRODUCTION
    done = Counter(row.name for row in rows)
    if unfinished := [f"`{name}`" for name in CORES if done[name] < PARTS]:
        yield f"Not every part has been run of {', '.join(unfinished)}.\n"
    by_core: dict[str, Counter[str]] = {}
    by_file: dict[str, Counter[str]] = {}
    by_part: Counter[str] = Counter()
    for row in rows:
        for file, counts in row.by_file.items():
            by_core.setdefault(f"`{row.name}`", Counter()).update(counts)
            by_file.setdefault(f"`{file.removesuffix('.sv')}`", Counter()).update(counts)
        by_part.update(row.by_part)
    yield from _table("core", by_core)
    yield ""
    last = {row.name: row for row in rows}
    yield from (f"- `{one.name}`: {one.summary}; {one.sites:,} mutants" for one in last.values())
    longest, whole = max(row.longest_s for row in rows), max(row.whole_s for row in rows)
    yield f"\nA mutant was seen within {longest:.0f} s; all that is played takes at most"
    yield f"{whole:.0f} s.\n"
    yield "| seen first by | mutants |\n| --- | ---: |"
    yield from (f"| {part} | {count:,} |" for part, count in by_part.most_common())
    yield "\n## By module\n"
    yield from _table("module", dict(sorted(by_file.items())))
    yield "\n## What is left\n"
    every = [one for row in rows for one in row.left]
    known = sum((file, old, new) in REASONS for file, _, old, new, _ in every)
    yield LEFT.format(reasons=known, left=len(every))
    yield "| where | from | to | cores | verdict | reason |\n| --- | --- | --- | --- | --- | --- |"
    left: dict[tuple[str, int, str, str, str], list[str]] = {}
    for row in rows:
        for one in row.left:
            file, line, old, new, verdict = one
            left.setdefault((file, line, old, new, verdict), []).append(row.name)
    for (file, line, old, new, verdict), cores in sorted(left.items()):
        where = f"`{file}:{line}`"
        yield (
            f"| {where} | {_code(old)} | {_code(new)} | {', '.join(cores)} | {verdict} | "
            f"{reason(file, old, new, verdict)} |"
        )


def _code(text: str) -> str:
    return "`" + text.replace("|", "\\|") + "`"
