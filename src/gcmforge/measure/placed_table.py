# SPDX-License-Identifier: Apache-2.0
"""What a table says of placed cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gcmforge.measure.result import PlacedFigure, Result
from gcmforge.measure.rounded import significant


def placed_rows() -> Iterator[tuple[str, Callable[[Result], str]]]:
    """Rows of the table, empty for results without a placement."""

    def of(show: Callable[[PlacedFigure], str]) -> Callable[[Result], str]:
        return lambda result: "" if result.placed is None else show(result.placed)

    yield "placed: slowest path", of(lambda p: f"{significant(p.delay_ns)} ns")
    yield "placed: slowest path by OpenSTA", of(_other)
    yield "placed: Fmax, MHz", of(lambda p: significant(p.fmax_mhz))
    yield "placed: slack to the clock", of(_slack)
    yield "placed: Gbit/s at Fmax", of(lambda p: significant(p.gbit_per_s))
    yield "placed: area, GE", of(lambda p: f"{p.area_ge:,.0f}")
    yield "placed: core, um2", of(lambda p: f"{p.core_area_um2:,.0f}")
    yield "placed: wire, m", of(lambda p: significant(p.wire_m))
    yield "placed: wire, pF", of(lambda p: significant(p.wire_pf))
    yield "placed: clock tree, GE", of(_tree)
    yield "placed: clock skew, ns", of(lambda p: _clock(p, p.clock_skew_ns))
    yield "placed: power, uW", of(lambda p: significant(p.power.average_uw) if p.power else "")
    yield "placed: pJ/bit", of(lambda p: significant(p.pj_per_bit) if p.pj_per_bit else "")


def placed_notes(placed: PlacedFigure) -> Iterator[str]:
    """Lines under the table."""
    if placed.slack_ns is not None and placed.slack_ns < 0:
        yield f"  CLOCK NOT MET, placed: slack {placed.slack_ns:+.2f} ns"
    yield f"  placed, slowest path: {placed.start} -> {placed.end}"
    if placed.mapped_delay_ns > placed.delay_ns:
        yield (
            f"  placed: {significant(placed.mapped_delay_ns)} ns as mapped; then "
            f"{abs(placed.cells_added):,} {'more' if placed.cells_added >= 0 else 'fewer'} cells, "
            "and stronger ones, where wires are long"
        )
    if placed.other_delay_ns:
        difference = 100 * (placed.delay_ns / placed.other_delay_ns - 1)
        yield f"  placed, {placed.other_tool}: {placed.other_start} -> {placed.other_end}"
        yield f"  placed, the two paths differ by {abs(difference):.2f} % in length"
    elif placed.other_missing:
        yield f"  placed, no second timing: {placed.other_missing}"
    yield (
        f"  placed: cells take {placed.utilisation:.0%} of {placed.width_um:,.0f} um x "
        f"{placed.height_um:,.0f} um, ports on its edge; wires {significant(placed.ff_per_um)} "
        f"fF/um and {significant(placed.ohm_per_um)} Ohm/um ({placed.wires_from})"
    )
    yield f"  placed, {_clock_note(placed)}; not routed; took {placed.seconds:g} s"


def _clock_note(placed: PlacedFigure) -> str:
    if not placed.clock_buffers:
        return "no clock"
    return (
        f"clock: a tree of {placed.clock_buffers:,} {placed.clock_buffer}, "
        f"{significant(placed.clock_latency_ns)} ns from the port to flip-flops on average, skew "
        f"{significant(placed.clock_skew_ns)} ns, transition "
        f"{significant(placed.clock_transition_ns)} ns; wires of "
        f"{significant(placed.clock_wire_pf)} pF"
    )


def _tree(placed: PlacedFigure) -> str:
    return f"{placed.clock_area_ge:,.0f}" if placed.clock_buffers else ""


def _clock(placed: PlacedFigure, value: float) -> str:
    return significant(value) if placed.clock_buffers else ""


def _other(placed: PlacedFigure) -> str:
    return f"{significant(placed.other_delay_ns)} ns" if placed.other_delay_ns else ""


def _slack(placed: PlacedFigure) -> str:
    if placed.slack_ns is None:
        return ""
    return f"{placed.slack_ns:+.2f} ns, {'met' if placed.slack_ns >= 0 else 'NOT MET'}"
