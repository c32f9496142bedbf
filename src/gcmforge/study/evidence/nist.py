# SPDX-License-Identifier: Apache-2.0
"""Every NIST GCM vector on three cores, small, default and quad, or on one of each AES engine, or
on four with the aggregated GHASH.

gcmforge-study run nist [--engines | --aggregated] [--jobs 2] [--stalls both]: builds and compiles
what is not in the cache, then plays the 47,250 vectors of the `cryptography-vectors` package on
each core, and prints one line for each core and the time for all of them (the goal is ten minutes
on two processors). Exit code 1 unless every vector passed and none was skipped.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from gcmforge.config import CoreConfig
from gcmforge.config.presets import PRESETS, preset
from gcmforge.emit import build_core
from gcmforge.sim.report import format_failures, format_line
from gcmforge.sim.stalls import STALL_PATTERNS
from gcmforge.sim.verify import VerifyJob, nist_files, run_job
from gcmforge.study.evidence.protected import protected
from gcmforge.study.kept import Found, Kept, Step

KEPT = Kept("nist")
SEED = 1
CORES = {name: preset(name) for name in ("small", "default", "quad")}
ENGINES = {
    "ring of 4 rounds": CoreConfig(aes="loop", aes_rounds=4, ghash="serial"),
    "ring of 3 rounds in 2 stages": CoreConfig(
        aes="loop", aes_rounds=3, aes_substages=2, ghash="serial"
    ),
    "4 loops in turns": CoreConfig(aes="loop_parallel", aes_loops=4, ghash="serial"),
    "travelling keys": CoreConfig(key_schedule="travelling"),
    "shared counters": CoreConfig(lanes=4, counter_sharing="on"),
    "both, 2 stages a round": CoreConfig(
        lanes=3, counter_sharing="on", key_schedule="travelling", aes_substages=2
    ),
}
AGGREGATED = {
    f"{lanes} lanes, {stages} stages": CoreConfig(
        lanes=lanes, ghash="aggregated", ghash_stages=stages, multiplier="ko6"
    )
    for lanes, stages in ((1, 1), (1, 2), (4, 2), (8, 2))
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--engines", action="store_true")
    which.add_argument("--aggregated", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stalls", choices=STALL_PATTERNS, default="none")
    asked = parser.parse_args(arguments)
    cores = ENGINES if asked.engines else AGGREGATED if asked.aggregated else CORES
    began = time.perf_counter()
    complete = True
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool,
    ):
        jobs = {
            name: pool.submit(play, config, Path(folder, name), asked.seed, asked.stalls)
            for name, config in cores.items()
        }
        for name, job in jobs.items():
            passed, lines = job.result()
            complete &= passed
            print(f"{name}: ", "\n    ".join(lines), sep="", flush=True)
    print(f"{len(cores)} cores in {time.perf_counter() - began:.0f} s")
    return 0 if complete else 1


def play(config: CoreConfig, folder: Path, seed: int, stalls: str) -> tuple[bool, list[str]]:
    """All vectors on one core: whether all passed with none skipped, and what to print."""
    core = build_core(config, folder).path
    report = run_job(VerifyJob(core=core, vectors=nist_files(), seed=seed, stalls=stalls))
    return report.ok and not report.skipped, [format_line(report), *format_failures(report)]


# As evidence --------------------------------------------------------------------------------------


def steps() -> Iterator[Step]:
    """Every preset, every protected core, every AES engine and the aggregated GHASH."""
    for flag, cores in (
        ("", {name: one.config for name, one in PRESETS.items()} | protected()),
        (" --engines", ENGINES),
        (" --aggregated", AGGREGATED),
    ):
        for name, config in cores.items():
            again = f"gcmforge-study run nist{flag} --seed {SEED}"
            if not flag:
                again = f"gcmforge verify cores/{name} --nist --seed {SEED}"
            yield Step(
                kind="nist", name=name, seed=SEED, call=played, arguments=(config,), rtl=config,
                command=again,
            )  # fmt: skip


def played(config: CoreConfig) -> Found:
    """All vectors on one core; those that it cannot take are counted."""
    with tempfile.TemporaryDirectory() as folder:
        core = build_core(config, Path(folder, "core"), prove=False).path
        report = run_job(VerifyJob(core=core, vectors=nist_files(), seed=SEED, stalls="none"))
    lines = (format_line(report), *format_failures(report))
    skipped = dict(report.skipped)
    data = {"passed": report.passed, "failed": report.failed, "skipped": skipped}
    return Found(ok=report.ok, text="\n    ".join(lines), data=data)
