# SPDX-License-Identifier: Apache-2.0
"""Long random runs: every stall pattern on 1, 2, 3, 4 and 8 lanes, then every number of AES stages.

python bench/soak.py [--packets 10000] [--seed S]: that many packets for each pattern on each lane
count, a tenth of it for each pattern on the others. The seed is printed; the same seed repeats the
run exactly. Exit code 1 on any mismatch or hang.

python bench/soak.py --preset small [--preset quad ..] --packets 250000: these presets instead, so
that each sees a million packets; `--preset all` means every one. With --keep each run's result goes
to bench/soak.json, docs/reference/soak.md is written from there, and what stands there already of
the same RTL is not run again. --page writes the page only.
"""

import argparse
import hashlib
import json
import secrets
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from gcmforge.config import CoreConfig
from gcmforge.config.presets import PRESETS
from gcmforge.measure.store import project_version
from gcmforge.sim.aead import built
from gcmforge.sim.compile import core_sources
from gcmforge.sim.driver import STALL_PATTERNS
from gcmforge.sim.traffic import BROKEN_FRAME, FORGED, REFUSED, REKEYED, REKEYED_SLOWLY
from gcmforge.sim.verify import VerifyJob, format_failures, format_line, run_job

ROOT = Path(__file__).parents[1]
DATA = ROOT / "bench/soak.json"
PAGE = ROOT / "docs/reference/soak.md"

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
    "J0 beside shared counters": CoreConfig(
        lanes=3, tail="dedicated", j0="dedicated", counter_sharing="on", aes_substages=2
    ),
    "own key unit": CoreConfig(lanes=2, key_unit="dedicated", ghash_stages=2, contexts=100),
    "AAD beside text": CoreConfig(lanes=2, aad_lanes=2, tail="dedicated", ghash_stages=2),
    "96-bit IVs": CoreConfig(lanes=2, iv="96", contexts=3),
    "verified release": CoreConfig(lanes=2, release="verified", max_text_bytes=4096),
    "own IVs, zeroise": CoreConfig(iv="counter", zeroise="on", contexts=3),
}

AT_ONCE = 2
"""Runs side by side, unless --jobs says otherwise."""

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


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What a run gave: a record for the data, and lines to print."""

    ok: bool
    record: Mapping[str, Any]
    lines: Sequence[str]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packets", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--jobs", type=int, default=AT_ONCE)
    parser.add_argument("--preset", action="append", choices=[*PRESETS, "all"], default=[])
    parser.add_argument("--keep", action="store_true", help="results to bench/soak.json")
    parser.add_argument("--page", action="store_true", help="only the page, from bench/soak.json")
    asked = parser.parse_args()
    if asked.page:
        write_page()
        return 0
    seed = secrets.randbits(32) if asked.seed is None else asked.seed
    print(f"seed {seed}", flush=True)
    presets = list(PRESETS) if "all" in asked.preset else asked.preset
    failed = run(wanted(presets, asked.packets, seed), asked.jobs, keep=asked.keep)
    print(f"{failed} of the runs failed (seed {seed})" if failed else f"all passed (seed {seed})")
    return 1 if failed else 0


def wanted(presets: Sequence[str], packets: int, seed: int) -> list[Run]:
    """What was asked for, or every lane count and, with a tenth of the packets, the others."""
    cores = [(name, PRESETS[name].config, packets) for name in presets]
    if not presets:
        cores = [(name, config, packets) for name, config in LANES.items()]
        cores += [(name, config, max(1, packets // 10)) for name, config in OTHERS.items()]
    return [
        Run(
            name=name, config=config, packets=count, stalls=stalls,
            seed=seed + SEEDS_A_PATTERN * number,
        )
        for name, config, count in cores
        for number, stalls in enumerate(STALL_PATTERNS)
    ]  # fmt: skip


def run(runs: Sequence[Run], jobs: int, *, keep: bool) -> int:
    """How many runs failed."""
    failed = 0
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        running = {pool.submit(soak, one, skip=keep): one for one in runs}
        for done in as_completed(running):
            outcome = done.result()
            if outcome is None:
                print(f"{running[done].name}, {running[done].stalls}: kept already", flush=True)
                continue
            failed += not outcome.ok
            print(f"{running[done].name}: ", "\n    ".join(outcome.lines), flush=True, sep="")
            if keep:
                add(outcome.record)
    return failed


def soak(one: Run, *, skip: bool) -> Outcome | None:
    """One run; None with `skip` if its result is kept already."""
    core = built(one.config)
    record = {
        "core": one.name, "stalls": one.stalls, "seed": one.seed, "packets": one.packets,
        "rtl": rtl_digest(core),
    }  # fmt: skip
    if skip and any(record.items() <= old.items() for old in kept()):
        return None
    job = VerifyJob(core=core, packets=one.packets, seed=one.seed, stalls=one.stalls)
    wall, processor = time.perf_counter(), time.process_time()
    report = run_job(job)
    record |= {
        "passed": report.passed, "mismatches": report.failures_total,
        "hang": report.passed + report.failed != one.packets
        or any("the core hangs" in failure.what for failure in report.failures),
        "cycles": report.cycles, "processor_seconds": round(time.process_time() - processor, 1),
        "seconds": round(time.perf_counter() - wall - report.compile_seconds, 1),
        "version": project_version(),
        "command": f"gcmforge verify cores/{one.name} --random {one.packets} --seed {one.seed} "
        f"--stalls {one.stalls}",
    }  # fmt: skip
    lines = [format_line(report), *format_failures(report)]
    return Outcome(ok=report.ok, record=record, lines=lines)


def rtl_digest(core: Path) -> str:
    """Of the core's SystemVerilog as it is built."""
    digest = hashlib.sha256()
    for path in core_sources(core):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


# The data and the page ----------------------------------------------------------------------------


def kept() -> list[dict[str, Any]]:
    return json.loads(DATA.read_text()) if DATA.exists() else []


def add(record: Mapping[str, Any]) -> None:
    """One more result; it replaces an older one of the same core and stall pattern."""
    same = ("core", "stalls")
    records = [old for old in kept() if any(old[key] != record[key] for key in same)]
    records.append(dict(record))
    names, patterns = list(PRESETS), list(STALL_PATTERNS)
    records.sort(key=lambda one: (names.index(one["core"]), patterns.index(one["stalls"])))
    whole = DATA.with_suffix(".part")  # others read while this is written
    whole.write_text("[\n" + ",\n".join(json.dumps(one) for one in records) + "\n]\n")
    whole.replace(DATA)
    write_page()


INTRODUCTION = f"""\
Written by `python bench/soak.py --preset NAME --packets N --seed 6 --keep`, N packets for each
stall pattern; each run is in `bench/soak.json` with its seed and the command that repeats it. Every
answer is compared with OpenSSL's. {FORGED:.0%} of the packets are forged by one bit, {REFUSED:.1%}
or more have a command that must be refused, and the frames of {BROKEN_FRAME:.0%} are changed: holes
in `tkeep`, beats cut short, doubled, swapped or in the wrong section, `tlast` too early or too
late. Contexts are drawn, keys are replaced while packets run ({REKEYED:.0%} and more;
{REKEYED_SLOWLY:.0%} and more where a key unit of its own makes their powers slowly), lengths lie
around blocks and beats. A run has hung after 5,000 cycles without a transfer.
"""


def write_page() -> None:
    PAGE.write_text("\n".join(page(kept())) + "\n")


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
    for name in PRESETS:
        of_name = [one for one in records if one["core"] == name]
        for rtl in dict.fromkeys(one["rtl"] for one in of_name):
            yield row(name, [one for one in of_name if one["rtl"] == rtl])
    yield "\nAn RTL is named by the hash of its files, and the version is that of the project which"
    yield "built it. Processor seconds are of making the traffic, simulating and comparing, without"
    yield f"compiling the simulator; minutes are those of the clock, {AT_ONCE} runs at a time."


def row(name: str, runs: Sequence[Mapping[str, Any]]) -> str:
    """One core of a version: its runs under all stall patterns."""
    cells = (
        f"`{name}`", f"`{runs[0]['rtl'][:8]}`", f"`{runs[0]['version']}`",
        f"{sum(one['packets'] for one in runs):,}", ", ".join(one["stalls"] for one in runs),
        f"{sum(one['cycles'] for one in runs):,}", str(sum(one["mismatches"] for one in runs)),
        str(sum(one["hang"] for one in runs)),
        f"{sum(one['processor_seconds'] for one in runs):,.0f}",
        f"{sum(one['seconds'] for one in runs) / 60 / AT_ONCE:.1f}",
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())
