# SPDX-License-Identifier: Apache-2.0
"""Long random runs: every stall pattern on 1, 2, 3, 4 and 8 lanes, then every number of AES stages.

python bench/soak.py [--packets 10000] [--seed S]: that many packets for each pattern on each lane
count, a tenth of it for each pattern on the others. The seed is printed; the same seed repeats the
run exactly. Exit code 1 on any mismatch or hang.

python bench/soak.py --preset small [--preset quad ..] --packets 250000: these presets instead, so
that each sees a million packets.
"""

import argparse
import secrets
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from gcmforge.build import build_core
from gcmforge.config import CoreConfig
from gcmforge.presets import PRESETS
from gcmforge.sim.driver import STALL_PATTERNS
from gcmforge.sim.verify import VerifyJob, format_failures, format_line, run_job

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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packets", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--preset", action="append", choices=list(PRESETS), default=[])
    asked = parser.parse_args()
    seed = secrets.randbits(32) if asked.seed is None else asked.seed
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        failed = run(Path(folder), wanted(asked.preset, asked.packets), seed, asked.jobs)
    print(f"{failed} of the runs failed (seed {seed})" if failed else f"all passed (seed {seed})")
    return 1 if failed else 0


Run = tuple[str, CoreConfig, int]
"""Name, core, packets for each stall pattern."""


def wanted(presets: list[str], packets: int) -> list[Run]:
    """What was asked for, or every lane count and, with a tenth of the packets, the others."""
    if presets:
        return [(name, PRESETS[name].config, packets) for name in presets]
    lanes = [(name, config, packets) for name, config in LANES.items()]
    return lanes + [(name, config, max(1, packets // 10)) for name, config in OTHERS.items()]


def run(folder: Path, runs: list[Run], seed: int, jobs: int) -> int:
    """How many runs failed."""
    failed = 0
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        running = {
            pool.submit(soak, folder / name.replace(" ", "_"), config, count, seed): name
            for name, config, count in runs
        }
        for done in as_completed(running):
            for ok, lines in done.result():
                failed += not ok
                print(f"{running[done]}: ", "\n    ".join(lines), flush=True, sep="")
    return failed


def soak(folder: Path, config: CoreConfig, packets: int, seed: int) -> list[tuple[bool, list[str]]]:
    """Every stall pattern on one core: whether it passed, and what to print."""
    core = build_core(config, folder).path
    results = []
    for stalls in STALL_PATTERNS:
        report = run_job(VerifyJob(core=core, packets=packets, seed=seed, stalls=stalls))
        results.append((report.ok, [format_line(report), *format_failures(report)]))
    return results


if __name__ == "__main__":
    sys.exit(main())
