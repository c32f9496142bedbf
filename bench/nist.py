# SPDX-License-Identifier: Apache-2.0
"""Every NIST GCM vector on three cores: small, default and quad.

python bench/nist.py [--jobs 2] [--stalls both]: builds and compiles what is not in the cache, then
plays the 47,250 vectors of the `cryptography-vectors` package on each core, and prints one line for
each core and the time for all of them (the goal is ten minutes on two processors). Exit
code 1 unless every vector passed and none was skipped.
"""

import argparse
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from gcmforge.build import build_core
from gcmforge.presets import preset
from gcmforge.sim.driver import STALL_PATTERNS
from gcmforge.sim.verify import VerifyJob, format_failures, format_line, nist_files, run_job

CORES = ("small", "default", "quad")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stalls", choices=STALL_PATTERNS, default="none")
    asked = parser.parse_args()
    began = time.perf_counter()
    complete = True
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool,
    ):
        jobs = {
            name: pool.submit(play, name, Path(folder), asked.seed, asked.stalls) for name in CORES
        }
        for name, job in jobs.items():
            passed, lines = job.result()
            complete &= passed
            print(f"{name}: ", "\n    ".join(lines), sep="", flush=True)
    print(f"{len(CORES)} cores in {time.perf_counter() - began:.0f} s")
    return 0 if complete else 1


def play(name: str, folder: Path, seed: int, stalls: str) -> tuple[bool, list[str]]:
    """All vectors on one preset: whether all passed with none skipped, and what to print."""
    core = build_core(preset(name), folder / name).path
    report = run_job(VerifyJob(core=core, vectors=nist_files(), seed=seed, stalls=stalls))
    return report.ok and not report.skipped, [format_line(report), *format_failures(report)]


if __name__ == "__main__":
    sys.exit(main())
