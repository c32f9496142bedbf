# SPDX-License-Identifier: Apache-2.0
"""gcmforge verify: vectors and random packets on a built core."""

import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from gcmforge.cli.common import AllowChanged, Json, changed_line, print_json
from gcmforge.cli.progress import progress_line

if TYPE_CHECKING:
    from gcmforge.sim.report import VerifyReport


def verify(
    core: Path,
    /,
    *,
    vectors: Annotated[tuple[Path, ...], Parameter(negative=(), consume_multiple=True)] = (),
    nist: Annotated[bool, Parameter(negative=())] = False,
    random: Annotated[int, Parameter(name="--random")] = 0,
    seed: int | None = None,
    stalls: str | None = None,
    trace: Path | None = None,
    sample: int = 0,
    resets: Annotated[bool, Parameter(negative=())] = False,
    mapped: str | None = None,
    allow_changed: AllowChanged = False,
    json: Json = False,
) -> int:
    """Run vectors or random packets on a built core in Verilator, many packets in flight.

    Without vectors, or a number of packets, 4,000 random packets.
    Prints one line: passed, failed, skipped with the reason. Some hundred edge packets go before,
    not counted. Exit code 1 on any failure, when nothing was checked, and for a folder that is not
    what was built.

    Parameters
    ----------
    core
        The core's folder.
    vectors
        Files: NIST CAVP .rsp, or JSON in Wycheproof's schema.
    nist
        The 47,250 NIST vectors of the package cryptography-vectors.
    random
        That many random packets, checked against the package cryptography.
    seed
        Draws stalls and random packets; without it one is drawn and printed.
    stalls
        How the streams pause: none, idle, backpressure, both, or pressure, which is all of these
        in turn and then each stream alone slow. Pressure for random packets, none for vectors.
    trace
        Write a waveform of the first failure there.
    sample
        That many of the vectors only, evenly spread over those that the core can take.
    resets
        Reset the core in every cycle of two packets, too, and send others after it.
    mapped
        Simulate the core's netlist on that target (osu018, sky130, ge, ...), made as measure makes
        it, cell by cell, instead of its SystemVerilog. Edge packets are left out, and assertions
        and coverage points of the SystemVerilog are not there.
    """
    from gcmforge.config import ConfigError
    from gcmforge.emit import check_unchanged
    from gcmforge.sim.stalls import PRESSURE
    from gcmforge.sim.vectors import VectorFileError
    from gcmforge.sim.verify import PACKETS, VerifyJob, nist_files, run_job
    from gcmforge.specialise.core import for_one_key, not_verified

    check_unchanged(core, allow_changed=allow_changed)
    if for_one_key(core):
        raise ConfigError(not_verified(core))
    files = (*vectors, *(nist_files() if nist else ()))
    drawn = secrets.randbits(32) if seed is None else seed
    try:
        job = VerifyJob(
            core=core, vectors=files, packets=random or (0 if files else PACKETS), seed=drawn,
            stalls=stalls or ("none" if files else PRESSURE), trace=trace,
            allow_changed=allow_changed, sample=sample, resets=resets, edges=not mapped,
        )  # fmt: skip
    except ValueError as error:
        raise ConfigError(str(error)) from None
    with progress_line() as progress:
        progress("compiling")
        try:
            netlist = None
            if mapped:
                from gcmforge.mapped import mapped_core

                netlist = mapped_core(core, mapped, progress=progress)
            report = run_job(
                job, core=netlist,
                progress=lambda done, total: progress(f"{done:,} of {total:,} packets"),
            )  # fmt: skip
        except VectorFileError as error:
            raise ConfigError(str(error)) from None
    _print_report(report, json)
    return 0 if report.ok else 1


def _print_report(report: "VerifyReport", json: bool) -> None:
    from gcmforge.sim.report import format_failures, format_line

    if json:
        print_json(report.to_mapping())
        return
    print(format_line(report), flush=True)
    for line in format_failures(report):
        print(line, file=sys.stderr)
    if report.changed:
        print(changed_line(report.changed))
