# SPDX-License-Identifier: Apache-2.0
"""Long random runs: every stall pattern on 1, 2, 3, 4 and 8 lanes, then every number of AES stages.

gcmforge-study run soak [--packets 10000] [--seed S]: that many packets for each pattern on each
lane count, a tenth of it for each pattern on the others. The seed is printed; the same seed repeats
the run exactly. Exit code 1 on any mismatch or hang.

gcmforge-study run soak --preset small [--preset quad ..] --packets 250000: these presets instead;
`--preset all` means every one. `gcmforge-study evidence soak` does that for all and keeps what it
finds.
"""

import argparse
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain
from multiprocessing import get_context
from typing import Any

from gcmforge.config import CoreConfig
from gcmforge.config.presets import PRESETS
from gcmforge.sim.aead import built
from gcmforge.sim.report import format_failures, format_line
from gcmforge.sim.stalls import STALL_PATTERNS
from gcmforge.sim.traffic import BROKEN_FRAME, FORGED, REFUSED, REKEYED, REKEYED_SLOWLY
from gcmforge.sim.verify import VerifyJob, run_job
from gcmforge.study.checkout import REFERENCE, write_page
from gcmforge.study.evidence import segments_soak
from gcmforge.study.evidence.protected import PACKETS as PROTECTED_PACKETS
from gcmforge.study.evidence.protected import SETTINGS, build_command, protected
from gcmforge.study.kept import Found, Kept, Step

PAGE = REFERENCE / "soak.md"
PACKETS, SEED = 250_000, 6
"""Of the runs that are kept: each preset sees a million packets."""
KEPT = Kept("soak")

LANES = {f"{lanes} lanes": CoreConfig(lanes=lanes) for lanes in (1, 2, 3, 4, 8)}
OTHERS = {
    "loop": CoreConfig(aes="loop", ghash="serial"),
    "ring of 4 rounds": CoreConfig(aes="loop", aes_rounds=4, ghash="serial"),
    "3 loops in turns": CoreConfig(aes="loop_parallel", aes_loops=3, lanes=2),
    "shared counters": CoreConfig(lanes=5, counter_sharing="on"),
    "travelling keys": CoreConfig(key_schedule="travelling", aes_substages=2, contexts=7),
    **{f"{n} stages a round": CoreConfig(aes_substages=n) for n in (2, 3, 4)},
    **{f"{p} GHASH stages": CoreConfig(lanes=2, ghash_stages=p) for p in (2, 3, 4, 5, 6)},
    "own tail": CoreConfig(lanes=2, tail="dedicated", ghash_stages=2),
    "own tail and lane for J0": CoreConfig(lanes=4, tail="dedicated", j0="dedicated"),
    "J0 and shared counters": CoreConfig(
        lanes=3, tail="dedicated", j0="dedicated", counter_sharing="on", aes_substages=2
    ),
    "own key unit": CoreConfig(lanes=2, key_unit="dedicated", ghash_stages=2, contexts=100),
    "AAD with text": CoreConfig(lanes=2, aad_lanes=2, tail="dedicated", ghash_stages=2),
    "96-bit IVs": CoreConfig(lanes=2, iv="96", contexts=3),
    "verified release": CoreConfig(lanes=2, release="verified", max_text_bytes=4096),
    "own IVs, zeroise": CoreConfig(iv="counter", zeroise="on", contexts=3),
}

AT_ONCE = 2
"""Runs side by side, unless --jobs is given."""

SEEDS_A_PATTERN = 10_000
"""Each pattern has traffic of its own: the next one's seeds begin so much later."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """One core under one stall pattern."""

    name: str
    config: CoreConfig
    packets: int
    stalls: str
    seed: int


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packets", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--jobs", type=int, default=AT_ONCE)
    parser.add_argument("--preset", action="append", choices=[*PRESETS, "all"], default=[])
    asked = parser.parse_args(arguments)
    seed = secrets.randbits(32) if asked.seed is None else asked.seed
    print(f"seed {seed}", flush=True)
    presets = list(PRESETS) if "all" in asked.preset else asked.preset
    failed = run(wanted(presets, asked.packets, seed), asked.jobs)
    print(f"{failed} of the runs failed (seed {seed})" if failed else f"all passed (seed {seed})")
    return 1 if failed else 0


def wanted(presets: Sequence[str], packets: int, seed: int) -> list[Run]:
    """What was asked for, or every lane count and, with a tenth of the packets, the others."""
    cores = [(name, PRESETS[name].config, packets) for name in presets]
    if not presets:
        cores = [(name, config, packets) for name, config in LANES.items()]
        cores += [(name, config, max(1, packets // 10)) for name, config in OTHERS.items()]
    return runs(cores, seed)


def runs(cores: Iterable[tuple[str, CoreConfig, int]], seed: int) -> list[Run]:
    """Each core with so many packets under every stall pattern."""
    return [
        Run(
            name=name, config=config, packets=count, stalls=stalls,
            seed=seed + SEEDS_A_PATTERN * number,
        )
        for name, config, count in cores
        for number, stalls in enumerate(STALL_PATTERNS)
    ]  # fmt: skip


def run(asked: Sequence[Run], jobs: int) -> int:
    """How many runs failed."""
    failed = 0
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for found in pool.map(soak, asked):
            failed += not found.ok
            print(found.text, flush=True)
    return failed


def soak(one: Run) -> Found:
    """One run."""
    job = VerifyJob(core=built(one.config), packets=one.packets, seed=one.seed, stalls=one.stalls)
    wall, processor = time.perf_counter(), time.process_time()
    report = run_job(job)
    data = {
        "core": one.name, "stalls": one.stalls, "packets": one.packets,
        "passed": report.passed, "mismatches": report.failures_total,
        "hang": report.passed + report.failed != one.packets
        or any("the core hangs" in failure.what for failure in report.failures),
        "cycles": report.cycles, "processor_seconds": round(time.process_time() - processor, 1),
        "seconds": round(time.perf_counter() - wall - report.compile_seconds, 1),
    }  # fmt: skip
    lines = [f"{one.name}: {format_line(report)}", *format_failures(report)]
    return Found(ok=report.ok, text="\n    ".join(lines), data=data)


# As evidence --------------------------------------------------------------------------------------


def steps() -> Iterator[Step]:
    """Every preset, and every protected core, under every stall pattern."""
    others = [(name, config, PROTECTED_PACKETS) for name, config in protected().items()]
    for one in [*wanted(list(PRESETS), PACKETS, SEED), *runs(others, SEED)]:
        yield Step(
            kind="soak", name=f"{one.name}, {one.stalls}", seed=one.seed, call=soak,
            arguments=(one,), rtl=one.config,
            command=f"gcmforge verify cores/{one.name} --random {one.packets} --seed {one.seed} "
            f"--stalls {one.stalls}",
        )  # fmt: skip


INTRODUCTION = f"""\
Written by `gcmforge-study pages soak` from what `gcmforge-study evidence soak` found, which plays
{PACKETS:,} packets for each stall pattern; `src/gcmforge/study/evidence/data/soak.json` has each
run with its seed and the command that repeats it. Every answer is compared with OpenSSL's.
{FORGED:.0%} of the packets are forged by one bit, {REFUSED:.1%} or more have a command that must be
refused, and the frames of {BROKEN_FRAME:.0%} are changed: holes in `tkeep`, beats cut short,
doubled, swapped or in the wrong section, `tlast` too early or too late. Contexts are drawn, keys
are replaced while packets run ({REKEYED:.0%} and more; {REKEYED_SLOWLY:.0%} and more where their
powers are made slowly), lengths lie around blocks and beats. A run has hung
after 5,000 cycles without a transfer.
"""


def write() -> None:
    """The page, from what is kept."""
    lines = chain(page(KEPT.records()), segments_soak.table(segments_soak.KEPT.records()))
    write_page(PAGE, lines, "gcmforge-study pages soak")


def page(records: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Lines of the page."""
    yield "# Random packets through every preset\n"
    yield INTRODUCTION
    headings = (
        "preset", "RTL", "version", "packets", "stall patterns", "cycles", "mismatches", "hangs",
        "processor seconds", "minutes",
    )  # fmt: skip
    yield f"| {' | '.join(headings)} |"
    yield "| --- | --- | --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |"
    for name in (*PRESETS, *SETTINGS):
        of_name = [one for one in records if one["found"]["core"] == name]
        for rtl in dict.fromkeys(one["rtl"] for one in of_name):
            yield row(name, [one for one in of_name if one["rtl"] == rtl])
    played = {one["found"]["core"] for one in records}
    missing = [name for name in (*PRESETS, *SETTINGS) if name not in played]
    if missing:
        yield f"\nNot played yet: {', '.join(missing)}."
    yield "\nCores that are no presets:\n"
    yield from (f"    {build_command(name)}" for name in SETTINGS)
    yield "\nAn RTL is named by the hash of its files, and the version is that of the project which"
    yield "built it. Processor seconds are of making the traffic, simulating and comparing, without"
    yield f"compiling the simulator; minutes are those of the clock, {AT_ONCE} runs at a time."


def row(name: str, runs: Sequence[Mapping[str, Any]]) -> str:
    """One core of a version: its runs under all stall patterns."""
    found = [one["found"] for one in runs]
    versions = dict.fromkeys(one["version"] for one in runs)
    cells = (
        f"`{name}`", f"`{runs[0]['rtl'][:8]}`", ", ".join(f"`{one}`" for one in versions),
        f"{sum(one['packets'] for one in found):,}", ", ".join(one["stalls"] for one in found),
        f"{sum(one['cycles'] for one in found):,}", str(sum(one["mismatches"] for one in found)),
        str(sum(one["hang"] for one in found)),
        f"{sum(one['processor_seconds'] for one in found):,.0f}",
        f"{sum(one['seconds'] for one in found) / 60 / AT_ONCE:.1f}",
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"
