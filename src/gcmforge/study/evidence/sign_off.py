# SPDX-License-Identifier: Apache-2.0
"""Write docs/reference/sign-off.md: what was proven, simulated, changed and tried of this release.

gcmforge-study pages sign-off: from what `gcmforge-study evidence` kept, each result compared with
the SystemVerilog that is built now.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gcmforge.config import CoreConfig
from gcmforge.study.checkout import REFERENCE, write_page
from gcmforge.study.evidence.kinds import KINDS
from gcmforge.study.evidence.mutants import EACH_CYCLE, KILLED, REACHED, REFUTED, Row
from gcmforge.study.evidence.runner import rtl_digest
from gcmforge.study.kept import Kept, Step

PAGE = REFERENCE / "sign-off.md"
Found = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """A kind of evidence that a release needs: what it says, and what was found, in words."""

    says: str
    found: Callable[[Found], str]


def _total(found: Found, *names: str) -> int:
    return sum(one[name] for one in found for name in names)


def _mutants(found: Found) -> str:
    rows = [Row(**one) for one in found]
    judged = sum(row.judged for row in rows)
    equal = sum(row.count(EACH_CYCLE, REACHED) for row in rows)
    killed, refuted = (sum(row.count(word) for row in rows) for word in (KILLED, REFUTED))
    return (
        f"{judged:,} mutants, {equal:,} of them proven equal; of the other {judged - equal:,} "
        f"verification killed {killed:,} ({100 * killed / (judged - equal):.1f} %), "
        f"proofs alone {refuted:,}"
    )


def _mapped(found: Found) -> str:
    played = [one for one in found if "nist" in one]  # the others are of Icarus
    return (
        f"{_total(played, 'nist'):,} vectors, {_total(played, 'random'):,} random packets, "
        f"{_total(played, 'resets'):,} resets, {_total(played, 'failures'):,} wrong"
    )


def _control(found: Found) -> str:
    counts: Counter[str] = Counter()
    for one in found:
        for each in one["found"].values():
            counts.update(each)
    return ", ".join(f"{counts[word]:,} {word}" for word in ("proven", "watched", "open", "false"))


def _segments(found: Found) -> str:
    runs = [part for one in found for part in one.get("patterns", {"": one}).values()]
    return f"{_total(runs, 'packets'):,} packets, 0 wrong"


PARTS = {
    "control": Part(says="the control proven, by class of core", found=_control),
    "nist": Part(
        says="NIST's vectors on presets and engines",
        found=lambda found: (
            f"{_total(found, 'passed'):,} passed, {_total(found, 'failed'):,} failed"
        ),
    ),
    "coverage": Part(
        says="the default verification of every preset",
        found=lambda found: (
            f"{_total(found, 'reached'):,} coverage bins reached, "
            f"{sum(len(one['missed']) for one in found):,} missed, "
            f"{sum(len(one['cannot_be']) for one in found):,} that a core cannot reach"
        ),
    ),
    "soak": Part(
        says="random packets under every stall pattern",
        found=lambda found: (
            f"{_total(found, 'packets'):,} packets, {_total(found, 'mismatches'):,} wrong"
        ),
    ),
    "segments": Part(
        says="random packets on the bus of cores with segments",
        found=_segments,
    ),
    "flips": Part(
        says="packets with one wrong bit, verified release",
        found=lambda found: (
            f"{sum(sum(one['flipped'].values()) for one in found):,} packets, "
            f"{_total(found, 'failures'):,} failures"
        ),
    ),
    "mapped": Part(says="cores as netlists, and a reset in every cycle", found=_mapped),
    "fuzz": Part(
        says="changed files given to what reads them",
        found=lambda found: (
            f"{_total(found, 'tried'):,} files, "
            f"{sum(len(one['findings']) for one in found):,} findings"
        ),
    ),
    "mutants": Part(says="changes of the control, one at a time", found=_mutants),
}
"""Kind -> what a release needs of it, in the order of the page."""


def write() -> None:
    """The page, from what is kept."""
    write_page(PAGE, page(), "gcmforge-study pages sign-off")


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """The steps of a kind: how many there are, passed, failed, and passed with the SystemVerilog
    that is built now."""

    steps: int
    passed: int
    failed: int
    current: int
    versions: tuple[str, ...]
    seeds: tuple[int, ...]
    minutes: float

    @property
    def whole(self) -> bool:
        return self.current == self.steps and not self.failed


def standing(steps: Iterable[Step], kept: Mapping[str, Mapping[str, Any]]) -> Standing:
    """Of the steps of a kind, by what is kept of them."""
    digests: dict[CoreConfig, str] = {}
    passed = failed = current = count = 0
    for step in steps:
        count += 1
        record = kept.get(step.name)
        if record is None or record["asked"] != step.asked:
            continue
        passed, failed = passed + record["ok"], failed + (not record["ok"])
        if step.rtl is None:  # each has a digest of its own
            now = rtl_digest(step)
        else:
            now = digests[step.rtl] = digests.get(step.rtl) or rtl_digest(step)
        current += record["ok"] and record["rtl"] == now
    records = kept.values()
    return Standing(
        steps=count, passed=passed, failed=failed, current=current,
        versions=tuple(sorted({record["version"] for record in records})),
        seeds=tuple(sorted({record["seed"] for record in records if record["seed"] is not None})),
        minutes=sum(record["seconds"] for record in records) / 60,
    )  # fmt: skip


INTRODUCTION = """\
Written by `gcmforge-study pages sign-off` from results that are kept with command, seed and
version: what was done to this release's SystemVerilog, and what came of it. A step is *current*
when it passed, and the SystemVerilog that it ran on is the one that is built now, comments aside.
`gcmforge-study evidence KIND` makes what is not.
"""


def page() -> Iterator[str]:
    """Lines of the page."""
    yield "# Sign-off\n"
    yield INTRODUCTION
    stands = {name: standing(KINDS[name].steps(), Kept(name).read()) for name in PARTS}
    missing = [name for name, one in stands.items() if not one.whole]
    if missing:
        listed = ", ".join(f"`{name}`" for name in missing)
        yield f"**Not signed off**: not every step is current in {listed}.\n"
    else:
        yield "**Signed off**: every step of every kind is current.\n"
    yield "| kind | what | found | steps | failed | current | version | seed | minutes |"
    yield "| --- | --- | --- | ---: | ---: | ---: | --- | ---: | ---: |"
    for name, part in PARTS.items():
        one = stands[name]
        records = [record["found"] for record in Kept(name).read().values()]
        said = part.found(records) if records else "nothing is kept"
        versions, seeds = ", ".join(one.versions), ", ".join(map(str, one.seeds))
        yield (
            f"| `{name}` | {part.says} | {said} | {one.steps} | {one.failed} | {one.current} | "
            f"{versions} | {seeds} | {one.minutes:,.0f} |"
        )
    yield "\nSteps and commands are in `src/gcmforge/study/evidence/data`, a file for each kind."
    yield "Pages: [control](control.md), [random packets](soak.md), [one wrong bit](flips.md),"
    yield "[netlists](mapped.md), [fuzzing](fuzz.md), [mutants](mutants.md)."
