# SPDX-License-Identifier: Apache-2.0
"""A test for leakage as lines of text."""

from gcmforge.measure.leakage import Leakage
from gcmforge.power.ttest import THRESHOLD

_COLUMNS = 64
_ROWS = 8
_AGAINST = {"random": "fixed against random", "fixed": "fixed against fixed"}


def leakage_text(found: Leakage) -> str:
    """The verdict, |t| over the cycles as a small plot, and where it leaks."""
    verdict = "passed" if found.fails_at is None else f"failed, from {found.fails_at:,} traces on"
    lines = [
        f"{found.core} on {found.target}, {found.traces:,} traces of {len(found.first)} cycles, "
        f"{_AGAINST[found.against]}, randomness {found.randomness}: {verdict}",
        f"  |t| of first order up to {found.worst:.2f}, of second order up to "
        f"{found.worst_second:.2f}; threshold {THRESHOLD}",
        "",
        *_plot([abs(t) for t in found.first]),
    ]
    if found.nets:
        lines += ["", "  where: cycle, net, t of its edges"]
        lines += [f"  {cycle:5}  {net}  {t:.1f}" for cycle, net, t in found.nets]
    return "\n".join(lines)


def _plot(values: list[float]) -> list[str]:
    """Columns of the largest value of some cycles each; the threshold is a row of its own."""
    step = -(-len(values) // _COLUMNS)
    columns = [max(values[k : k + step]) for k in range(0, len(values), step)]
    top = max(*columns, 2 * THRESHOLD)
    lines = []
    for row in range(_ROWS, 0, -1):
        level = top * row / _ROWS
        marks = "".join("#" if value >= level else " " for value in columns)
        lines.append(f"  {level:6.1f} |{marks}")
    lines.append(f"   cycle 0{'':{max(1, len(columns) - 4)}}{len(values)}")
    return lines
