# SPDX-License-Identifier: Apache-2.0
"""Faults in the netlist of micro with faults=detect: every single one, and random pairs.

gcmforge-study run faults [--doubles N] [--sample N] [--seed S] [--effort normal] [--seconds N]:
each net of the netlist on osu018 is stuck at 0, stuck at 1, and wrong in one random cycle; then N
random pairs of such faults. With --sample so many single faults by chance, and no more than
--seconds are spent. Exit code 1 if of the single faults in AES, its keys and GHASH more than one
in a thousand is silent, or of those in data, control and checks.
"""

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from gcmforge.config.presets import preset
from gcmforge.mapped.fault_classes import (
    AES,
    CHECKS,
    CLASSES,
    CONTROL,
    DATA,
    GHASH,
    KEYS,
    MIX,
    SBOXES,
    SHARED,
    classes,
)
from gcmforge.mapped.fault_design import PORTS
from gcmforge.mapped.faults import (
    DETECTED,
    EARLY,
    FLIP,
    HANG,
    HARMLESS,
    KINDS,
    LANES,
    OUTCOMES,
    REFUSED,
    SILENT,
    STUCK_0,
    STUCK_1,
    Fault,
    FaultSimulator,
    Outcome,
)
from gcmforge.sim.aead import built
from gcmforge.study.checkout import REFERENCE, write_page
from gcmforge.study.kept import Found, Kept, Step

CORE = preset("micro").with_settings(["faults=detect"])
TARGET = "osu018"
SINGLE, DOUBLE = "single", "double"
SEED, DOUBLES = 1, 20_000
CIPHERS = (SBOXES, MIX, AES, KEYS, GHASH)
AROUND = (DATA, CONTROL, CHECKS, SHARED)
FEW = 0.001
"""More silent faults than this in either of both are too many."""
ANSWER_CYCLES = 10
"""From a fault until a key is taken again, in a core without a packet."""
LISTED = (SILENT, HANG)
KEPT = Kept("faults")

Progress = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Campaign:
    """What some faults did: counts by class (of the first net), kind and outcome."""

    name: str
    cells: int
    nets: int
    cycles: int
    """Of the packets, without a fault."""
    counts: Mapping[str, Mapping[str, Mapping[str, int]]]
    unrecovered: int
    """Flips before the last key after which the packet with it was wrong, too."""
    listed: Sequence[tuple[str, str, str, str]]
    """Outcome, class, net and what was wrong with it, of single faults that are silent or hang."""

    def count(self, outcome: str, names: Sequence[str] = CLASSES) -> int:
        return sum(
            kinds.get(outcome, 0)
            for name in names
            for kinds in self.counts.get(name, {}).values()
        )  # fmt: skip

    def total(self, names: Sequence[str] = CLASSES) -> int:
        return sum(self.count(outcome, names) for outcome in OUTCOMES)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--doubles", type=int, default=DOUBLES)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--effort", choices=("quick", "normal", "high"), default="normal")
    parser.add_argument("--seconds", type=float, default=0.0)
    asked = parser.parse_args(arguments)
    simulator = FaultSimulator(built(CORE), TARGET, effort=asked.effort, seed=asked.seed)
    until = time.monotonic() + asked.seconds if asked.seconds else float("inf")
    single = campaign(simulator, SINGLE, singles(simulator, asked.seed, asked.sample), until=until)
    print(told(single), flush=True)
    for one in single.listed:
        if one[1] != PORTS:
            print("    " + ", ".join(one))
    if asked.doubles:
        pairs = doubles(simulator, asked.seed, asked.doubles)
        print(told(campaign(simulator, DOUBLE, pairs, until=until)), flush=True)
    return int(not few_silent(single))


def few_silent(found: Campaign) -> bool:
    """Whether single faults but those of ports are found, or do no harm: in AES, its keys and
    GHASH, and around these."""
    return all(found.count(SILENT, part) <= FEW * found.total(part) for part in (CIPHERS, AROUND))


def singles(simulator: FaultSimulator, seed: int, sample: int = 0) -> list[tuple[Fault, ...]]:
    """Every net stuck at 0, at 1, and wrong in a random cycle; or so many of these by chance."""
    rng = Random(seed)
    every: list[tuple[Fault, ...]] = [
        (Fault(net=net, kind=kind, cycle=rng.randrange(4, simulator.cycles)),)
        for net in simulator.design.named
        for kind in (STUCK_0, STUCK_1, FLIP)
    ]
    return rng.sample(every, min(sample, len(every))) if sample else every


def doubles(simulator: FaultSimulator, seed: int, number: int) -> list[tuple[Fault, ...]]:
    """Pairs of faults on any nets; two flips come in the same cycle."""
    rng = Random(seed + 1)
    pairs = []
    for _ in range(number):
        cycle = rng.randrange(4, simulator.cycles)
        nets = rng.sample(simulator.design.named, 2)
        pairs.append(tuple(Fault(net=n, kind=rng.randrange(3), cycle=cycle) for n in nets))
    return pairs


def campaign(
    simulator: FaultSimulator, name: str, runs: Sequence[tuple[Fault, ...]], *,
    until: float = float("inf"), progress: Progress = lambda done, total: None,
) -> Campaign:  # fmt: skip
    """The faults, one run each, as far as the time allows."""
    of_net = classes(simulator.design, simulator.module)
    counts: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    listed: list[tuple[str, str, str, str]] = []
    unrecovered = 0
    for first in range(0, len(runs), LANES):
        if time.monotonic() > until:
            break
        some = runs[first : first + LANES]
        for faults, outcome in zip(some, simulator.run(some), strict=True):
            kind = " and ".join(sorted(KINDS[fault.kind] for fault in faults))
            counts[of_net[faults[0].net]][kind][outcome.what] += 1
            unrecovered += _is_lasting(faults, outcome, simulator.last_packet)
            if len(faults) == 1 and outcome.what in LISTED:
                net = faults[0].net
                what = KINDS[faults[0].kind]
                what += f" in cycle {faults[0].cycle}" * (faults[0].kind == FLIP)
                listed.append((outcome.what, of_net[net], simulator.design.names[net], what))
        progress(first + len(some), len(runs))
    return Campaign(
        name=name, cells=len(simulator.module.cells), nets=len(simulator.design.named),
        cycles=simulator.cycles, unrecovered=unrecovered, listed=sorted(listed),
        counts={a: {b: dict(c) for b, c in kinds.items()} for a, kinds in counts.items()},
    )  # fmt: skip


def _is_lasting(faults: Sequence[Fault], outcome: Outcome, last_packet: int) -> bool:
    """Whether what had passed before the last key was still wrong after it."""
    before = last_packet - ANSWER_CYCLES
    passed = all(fault.kind == FLIP and fault.cycle < before for fault in faults)
    return passed and not outcome.recovered


def told(found: Campaign) -> str:
    lines = [
        f"{found.total():,} {found.name} faults on {found.nets:,} nets, {found.cycles} cycles: "
        + ", ".join(f"{found.count(one):,} {one}" for one in OUTCOMES)
        + f"; {found.unrecovered} flips that a new key did not mend"
    ]
    for name in CLASSES:
        if total := found.total((name,)):
            what = ", ".join(f"{found.count(one, (name,)):,} {one}" for one in OUTCOMES)
            lines.append(f"    {name}: {total:,}: {what}")
    share = 1 - found.count(SILENT, CIPHERS) / max(1, found.total(CIPHERS))
    lines.append(f"    AES, keys and GHASH: {share:.3%} not silent")
    return "\n".join(lines)


# As evidence --------------------------------------------------------------------------------------


def steps() -> Iterator[Step]:
    """Single faults, and pairs."""
    for name in (SINGLE, DOUBLE):
        yield Step(
            kind="faults", name=name, seed=SEED, call=kept_campaign, arguments=(name,), rtl=CORE,
            command=f"gcmforge-study run faults --seed {SEED} --doubles {DOUBLES}",
        )  # fmt: skip


def kept_campaign(name: str) -> Found:
    simulator = FaultSimulator(built(CORE), TARGET, seed=SEED)
    runs = singles(simulator, SEED) if name == SINGLE else doubles(simulator, SEED, DOUBLES)
    found = campaign(simulator, name, runs)
    data = {one: getattr(found, one) for one in Campaign.__dataclass_fields__}
    return Found(ok=name == DOUBLE or few_silent(found), text=told(found), data=data)


INTRODUCTION = """\
The core is `micro` with `faults=detect`, synthesised to `osu018` as `gcmforge measure` does. Each
net of the netlist is stuck at 0, stuck at 1, and wrong in one random cycle, alone and in random
pairs, while the core encrypts and decrypts seven packets with three keys; two have a wrong tag.
[What the core checks](../theory/faults.md) says how it finds them.

| outcome | what it means |
| --- | --- |
| detected | a packet was answered with FAULT, and no wrong word had left |
| early | the same, but a wrong word had left before |
| refused | another error than without the fault; nothing wrong with status OK |
| harmless | all came out as without the fault |
| silent | wrong text or a wrong tag with status OK, or a wrong tag accepted |
| hang | a packet was never answered |

The class *ports* are the nets of the core's ports, their buffers, and the last gates before an
output: what is wrong there was right, or will be wrong, where no core can see it.
"""


def page(found: Sequence[Campaign], versions: Sequence[str]) -> Iterator[str]:
    """Lines of the page."""
    yield "# Faults\n"
    yield "Written by `gcmforge-study pages faults` from what `gcmforge-study evidence faults`"
    yield f"found: `gcmforge-study run faults --seed {SEED} --doubles {DOUBLES}`, version"
    yield f"{', '.join(versions)} of the project."
    yield INTRODUCTION
    for one in found:
        yield from _table(one)
    yield "## Single faults that are silent or hang, but for those of ports\n"
    yield "| outcome | class | net | fault |"
    yield "| --- | --- | --- | --- |"
    for row in found[0].listed:
        if row[1] != PORTS:
            yield f"| {row[0]} | {row[1]} | `{row[2]}` | {row[3]} |"


def _table(one: Campaign) -> Iterator[str]:
    yield f"## {one.name.capitalize()} faults\n"
    share = 1 - one.count(SILENT, CIPHERS) / one.total(CIPHERS)
    yield (
        f"{one.total():,} faults on {one.nets:,} nets. In AES, its keys and GHASH "
        f"{share:.3%} are not silent. After a flip a packet with a new key was right, but for "
        f"{one.unrecovered}.\n"
    )
    shown = (DETECTED, EARLY, REFUSED, HARMLESS, SILENT, HANG)
    yield f"| class | faults | {' | '.join(shown)} |"
    yield "| --- |" + " ---: |" * (len(shown) + 1)
    for name in CLASSES:
        if total := one.total((name,)):
            figures = " | ".join(f"{one.count(what, (name,)):,}" for what in shown)
            yield f"| {name} | {total:,} | {figures} |"
    yield f"| all | {one.total():,} | {' | '.join(f'{one.count(what):,}' for what in shown)} |"
    yield ""


def write() -> None:
    """The page, from what is kept."""
    records = KEPT.records()
    fields: list[dict[str, Any]] = [one["found"] for one in records]
    rows = [Campaign(**{**one, "listed": [tuple(x) for x in one["listed"]]}) for one in fields]
    versions = sorted({one["version"] for one in records})
    write_page(REFERENCE / "faults.md", page(rows, versions), "gcmforge-study pages faults")
