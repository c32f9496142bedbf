# SPDX-License-Identifier: Apache-2.0
"""What a verification found, and the lines that say it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from gcmforge.sim.compile import UNWATCHED
from gcmforge.sim.core import Failure
from gcmforge.sim.coverage import Coverage


@dataclass(frozen=True, kw_only=True, slots=True)
class VerifyReport:
    """`passed`, `failed` and `skipped` count packets; `skipped` is by reason.

    `beats_per_cycle` is measured inside long packets without stalls. `coverage` has the
    bins that were reached, those that were missed, and those that this core cannot reach.
    `cycles` and `seconds` are those of the run; `compile_seconds` come before. `failures` are the
    first of `failures_total`.
    `leaves` says of each leaf what was proven of its file, so that it could be simulated as its
    function; or "gates", and the reason why its gates were simulated; and whether properties of
    modules could not be watched. `changed` names the files
    that are not as they were built; it is empty unless that was allowed. `resets` is the number of
    resets amid packets, `simulated` says what ran where it was not the folder's SystemVerilog.
    """

    core: Path
    summary: str
    source: str
    seed: int
    stalls: str
    passed: int
    failed: int
    skipped: Mapping[str, int]
    failures: tuple[Failure, ...]
    failures_total: int
    cycles: int
    seconds: float
    compile_seconds: float
    beats_per_cycle: float
    coverage: Coverage
    leaves: Mapping[str, str]
    waveform: Path | None = field(default=None)
    changed: str = ""
    resets: int = 0
    simulated: str = ""

    @property
    def ok(self) -> bool:
        """At least one packet was checked, and nothing was wrong."""
        return self.passed > 0 and self.failed == 0 and self.failures_total == 0

    def to_mapping(self) -> dict[str, Any]:
        """For JSON."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        values["failures"] = [asdict(failure) for failure in self.failures]
        values["coverage"] = self.coverage.to_mapping()
        values["core"] = str(self.core)
        values["waveform"] = None if self.waveform is None else str(self.waveform)
        return {**values, "ok": self.ok}


def format_line(report: VerifyReport) -> str:
    """The one line that says it all."""
    skipped, rate = sum(report.skipped.values()), f"{report.beats_per_cycle:.3g}"
    reasons = "; ".join(f"{count:,} {reason}" for reason, count in report.skipped.items())
    parts = [
        f"{report.source}: {report.passed:,} passed, {report.failed:,} failed, "
        f"{skipped:,} skipped{f' ({reasons})' if reasons else ''}",
        f"stalls {report.stalls}, seed {report.seed}",
        f"{report.cycles:,} cycles in {report.seconds:.1f} s",
        f"{rate} beat{'s' if rate != '1' else ''} a cycle in long packets",
        str(report.coverage),
    ]
    if report.resets:
        parts.append(f"{report.resets:,} resets amid packets")
    if report.simulated:
        parts.append(report.simulated)
    if report.failures_total and not report.failed:
        other = ", a packet after a reset" if report.resets else ""
        parts.append(f"FAILED: an edge packet{other}, a rule of a stream, or a law of cycles")
    return " · ".join(parts)


def format_failures(report: VerifyReport, limit: int = 5) -> list[str]:
    """The first failures, how many more there are, leaves that were not proven, the waveform."""
    lines = [str(failure) for failure in report.failures[:limit]]
    if report.failures_total > len(lines):
        lines.append(f"and {report.failures_total - len(lines):,} more")
    for module, why in report.leaves.items():
        if why.startswith("gates: "):
            lines.append(f"{module} is simulated gate by gate: {why.removeprefix('gates: ')}")
        elif why.startswith(f"{UNWATCHED}: "):
            lines.append(f"{module} are {why}")
    if report.waveform is not None:
        lines.append(f"waveform: {report.waveform}")
    return lines


__all__ = ["VerifyReport", "format_failures", "format_line"]
