# SPDX-License-Identifier: Apache-2.0
"""The default verification of every preset: what it reached of what it should.

gcmforge-study run coverage [--preset NAME ...]: `gcmforge verify CORE --seed 1` on each. Exit code
1 when a packet is wrong, or a bin is missed that the core can reach.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from gcmforge.config.presets import PRESETS, preset
from gcmforge.sim.aead import built
from gcmforge.sim.report import format_line
from gcmforge.sim.stalls import PRESSURE
from gcmforge.sim.verify import PACKETS, VerifyJob, run_job
from gcmforge.study.kept import Found, Kept, Step

SEED = 1
KEPT = Kept("coverage")


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One preset."""

    name: str
    line: str
    reached: int
    missed: list[str]
    cannot_be: dict[str, str]
    """Bin -> why this core cannot reach it."""
    failed: int


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--preset", choices=PRESETS, action="append")
    asked = parser.parse_args(arguments)
    rows = []
    for name in asked.preset or PRESETS:
        rows.append(cover(name))
        print(f"{name}: {rows[-1].line}", flush=True)
    return int(any(row.failed or row.missed for row in rows))


def cover(name: str) -> Row:
    """One preset."""
    job = VerifyJob(core=built(preset(name)), packets=PACKETS, seed=SEED, stalls=PRESSURE)
    report = run_job(job)
    coverage = report.coverage
    return Row(
        name=name, line=format_line(report), missed=list(coverage.missed),
        reached=len(coverage.bins) - len(coverage.missed) - len(coverage.excused),
        cannot_be=dict(coverage.excused), failed=report.failed + report.failures_total,
    )  # fmt: skip


def steps() -> Iterator[Step]:
    """Every preset."""
    for name in PRESETS:
        yield Step(
            kind="coverage", name=name, seed=SEED, call=kept_row, arguments=(name,),
            rtl=preset(name), command=f"gcmforge-study run coverage --preset {name}",
        )  # fmt: skip


def kept_row(name: str) -> Found:
    row = cover(name)
    return Found(ok=not row.failed and not row.missed, text=f"{name}: {row.line}", data=asdict(row))
