# SPDX-License-Identifier: Apache-2.0
"""Measure presets and leaves on several targets; prints one table a subject.

python bench/measure.py                               presets default, small, quad on ge and osu018
python bench/measure.py --what small --target xc7 --jobs 1
python bench/measure.py --sboxes                      all S-boxes with power, and how long it took
python bench/measure.py --stored                      seconds of a command whose result is stored,
                                                      beside a command that does nothing
"""

import argparse
import statistics
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from gcmforge.measure import errors
from gcmforge.measure.measure import measure
from gcmforge.measure.result import Result
from gcmforge.measure.subject import leaf_names
from gcmforge.measure.table import results_text, significant

PRESETS = ("default", "small", "quad")
STORED_RUNS = 7


def main() -> int:
    arguments = _arguments()
    if arguments.stored:
        return _stored(arguments.what[0], arguments.target[-1], arguments.effort)
    started = time.perf_counter()
    subjects = [n for n in leaf_names() if n.startswith("aes_sbox/")] if arguments.sboxes else None
    jobs = [
        (what, target, arguments.effort, arguments.clock, arguments.sboxes or arguments.power)
        for what in subjects or arguments.what
        for target in arguments.target
    ]
    failed = 0
    by_subject: dict[str, list[Result]] = {}
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for job, result in zip(jobs, pool.map(_measure, jobs), strict=True):
            if isinstance(result, str):
                failed += 1
                print(f"{job[0]} on {job[1]}: {result}", file=sys.stderr)
            else:
                by_subject.setdefault(job[0], []).append(result)
    for results in by_subject.values():
        print(_power_line(results) if arguments.sboxes else results_text(results))
        print()
    print(f"{len(jobs) - failed} measured or remembered, {failed} failed, ", end="")
    print(f"{time.perf_counter() - started:.0f} s")
    return 1 if failed else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--what", nargs="+", default=PRESETS)
    parser.add_argument("--target", nargs="+", default=("ge", "osu018"))
    parser.add_argument("--effort", default="normal")
    parser.add_argument("--clock", type=float)
    parser.add_argument("--power", action="store_true")
    parser.add_argument("--sboxes", action="store_true")
    parser.add_argument("--stored", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


def _stored(what: str, target: str, effort: str) -> int:
    """Both commands in turn, each in a new process; the first run of each is not counted."""
    measure(what, target, effort=effort)
    gcmforge = [sys.executable, "-m", "gcmforge"]
    commands = {
        f"gcmforge measure {what} --target {target}": [
            *gcmforge, "measure", what, "--target", target, "--effort", effort
        ],
        "gcmforge --version": [*gcmforge, "--version"],
    }  # fmt: skip
    took: dict[str, list[float]] = {said: [] for said in commands}
    for _ in range(STORED_RUNS + 1):
        for said, words in commands.items():
            started = time.perf_counter()
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
            took[said].append(time.perf_counter() - started)
    for said, seconds in took.items():
        middle, least = statistics.median(seconds[1:]), min(seconds[1:])
        print(f"{said}: median {middle:.2f} s, least {least:.2f} s of {STORED_RUNS}")
    return 0


def _measure(job: tuple[str, str, str, float | None, bool]) -> Result | str:
    what, target, effort, clock, power = job
    try:
        return measure(what, target, effort=effort, clock_ns=clock, power=power)
    except errors.SHOWN as error:
        return str(error)


def _power_line(results: list[Result]) -> str:
    lines = []
    for result in results:
        delay = result.timing.delay_ns or result.timing.delay_ta if result.timing else None
        power = result.power
        figures = (
            f"{significant(power.average_uw)} uW average, {significant(power.peak_uw)} uW peak"
            if power
            else f"no power: {result.pj_per_bit_missing}"
        )
        unit = "ns" if result.timing and result.timing.delay_ns else "T_A"
        lines.append(
            f"{result.what} on {result.target}: {significant(result.area_ge, 4)} GE, "
            f"{significant(delay)} {unit}, {figures}"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
