# SPDX-License-Identifier: Apache-2.0
"""Results as text for people: rounded to what the figures are worth, every unit written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING

from gcmforge.config.architecture import Architecture
from gcmforge.config.installed import engines
from gcmforge.measure.placed_table import placed_notes, placed_rows
from gcmforge.measure.result import Block, CriticalPath, OtherTiming, Result, Throughput
from gcmforge.measure.rounded import significant as significant
from gcmforge.measure.store import Row
from gcmforge.place.figures import Fpga

if TYPE_CHECKING:
    from rich.table import Table

WIDTH = 100
"""Columns of a table that does not go to a terminal."""


def results_text(results: Sequence[Result], width: int | None = None) -> str:
    """One table with a column a target, and under it what does not fit into one."""
    first = results[0]
    lines = [f"{first.what}: {first.summary}", ""]
    lines.append(_rendered(_table(results), width))
    for result in results:
        lines += [*_notes(result), ""]
    return "\n".join(lines).rstrip()


def history_text(rows: Sequence[tuple[Row, Result]], width: int | None = None) -> str:
    """Figures by versions of the project, oldest first."""
    table = _new_table()
    headings = ("project", "first seen", "GE", "LUT", "flip-flops", "slowest path", "Gbit/s")
    for heading in headings:
        table.add_column(heading, justify="left" if heading[0] in "pf" else "right")
    for row, result in rows:
        table.add_row(
            row.project,
            row.at[:16].replace("T", " "),
            _ge(result.area_ge),
            _whole(result.fpga.luts if result.fpga else None),
            _whole(result.flip_flops),
            _delay(result),
            significant(result.gbit_per_s),
        )
    last = rows[-1][1]
    title = f"{last.what} on {last.target}: {last.note}"
    return f"{title}\n\n{_rendered(table, width)}\n{last.command}"


def _ge(value: float | None) -> str:
    """Whole gate equivalents, a quarter counting on small blocks only."""
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 1000 else f"{value:,.1f}"


def _whole(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


# The table ----------------------------------------------------------------------------------------

_Row = tuple[str, Callable[[Result], str]]


def _table(results: Sequence[Result]) -> Table:
    table = _new_table()
    table.add_column("")
    for result in results:
        table.add_column(result.target, justify="right")
    sections = (
        _area_rows(results), _fpga_rows(), _time_rows(), placed_rows(), _rate_rows(results),
    )  # fmt: skip
    for section in sections:
        written = False
        for label, show in section:
            cells = [show(result) for result in results]
            if any(cells):
                table.add_row(label, *cells)
                written = True
        if written:
            table.add_section()
    return table


def _area_rows(results: Sequence[Result]) -> Iterator[_Row]:
    names = list(dict.fromkeys(block.name for result in results for block in result.blocks))
    if len(names) > 1:
        for name in names:
            yield f"{name}, GE", lambda result, name=name: _block(result, name)  # type: ignore[misc]
    yield "(of which contexts, GE)", _contexts
    yield "area, GE", lambda result: _ge(result.area_ge)
    yield "area, um2", lambda result: _whole(result.area_um2)
    yield "area by LEF, GE", lambda r: _ge(r.layout.area_ge) if r.layout else ""
    yield "area by LEF, um2", lambda r: _whole(r.layout.area_um2) if r.layout else ""
    yield "flip-flops", lambda result: _whole(result.flip_flops)


def _contexts(result: Result) -> str:
    """Nothing of a core that keeps most of its keys in stores of its own."""
    core = engines("core").get((result.configuration or {}).get("core", ""))
    if isinstance(core, Architecture) and core.own_stores:
        return ""
    return _share(result.contexts, result)


def _block(result: Result, name: str) -> str:
    return _share(next((block for block in result.blocks if block.name == name), None), result)


def _share(block: Block | None, result: Result) -> str:
    if block is None or not result.area_ge:
        return ""
    return f"{_ge(block.area_ge)} ({block.area_ge / result.area_ge:.0%})"


def _fpga_rows() -> Iterator[_Row]:
    def of(name: str) -> Callable[[Result], str]:
        return lambda result: "" if result.fpga is None else f"{getattr(result.fpga, name):,g}"

    yield "LUTs, logic", of("luts")
    yield "(of which with two functions)", _luts_of_two
    yield "LUTs, as RAM", of("lut_ram_luts")
    yield "block RAMs", of("block_rams")
    yield "wide multiplexers", of("wide_muxes")
    yield "carry cells", of("carry")
    yield "DSPs", of("dsps")


def _luts_of_two(result: Result) -> str:
    return _whole(result.fpga.luts_of_two or None) if result.fpga else ""


def _time_rows() -> Iterator[_Row]:
    yield "slowest path", _delay
    yield "slowest path by OpenSTA", lambda r: _path_length(r.other_timing)
    yield "Fmax, MHz", lambda r: significant(r.timing.fmax_mhz if r.timing else None)
    yield "slack to the clock", _slack


def _delay(result: Result) -> str:
    return _path_length(result.timing)


def _path_length(path: CriticalPath | OtherTiming | None) -> str:
    if path is None:
        return ""
    if path.delay_ta is not None:
        return f"{path.delay_ta:,.1f} T_A"
    return f"{significant(path.delay_ns)} ns"


def _slack(result: Result) -> str:
    if result.timing is None or result.timing.slack_ns is None:
        return ""
    unit = "T_A" if result.timing.delay_ta is not None else "ns"
    met = "met" if result.timing.slack_ns >= 0 else "NOT MET"
    return f"{result.timing.slack_ns:+.2f} {unit}, {met}"


def _rate_rows(results: Sequence[Result]) -> Iterator[_Row]:
    throughput = next((r.throughput for r in results if r.throughput), None)
    if throughput is not None:
        yield from _cycles_rows(throughput)
    yield "Gbit/s at Fmax", lambda r: significant(r.gbit_per_s)
    yield "kbit/s per gate", lambda r: significant(r.kbit_per_s_per_gate)
    yield "kbit/s per gate by LEF", lambda r: significant(r.kbit_per_s_per_layout_gate)
    yield "power at 50 MHz, uW", _power
    yield "peak power, uW", lambda r: significant(r.power.peak_uw) if r.power else ""
    yield "pJ per bit", lambda r: significant(r.pj_per_bit)


def _cycles_rows(throughput: Throughput) -> Iterator[_Row]:
    """Bits per cycle by packet length; the long message for every key size where they differ."""

    def bits(size: int, key: int) -> Callable[[Result], str]:
        def show(result: Result) -> str:
            rate = result.throughput.rate(size, key) if result.throughput else None
            return f"{rate.bits_per_cycle:.1f}" if rate else ""

        return show

    long = throughput.long_message_bytes
    keys = sorted({rate.key_bits for rate in throughput.rates})
    sizes = sorted({rate.packet_bytes for rate in throughput.rates} - {long})
    for size in sizes:
        yield f"bits/cycle, {size:,} bytes", bits(size, throughput.key_bits)
    figures = {round(r.bits_per_cycle, 3) for r in throughput.rates if r.packet_bytes == long}
    if len(figures) == 1:
        yield "bits/cycle, long message", bits(long, throughput.key_bits)
    else:
        for key in keys:
            yield f"bits/cycle, long message, AES-{key}", bits(long, key)


def _power(result: Result) -> str:
    if result.power is None:
        return ""
    return f"{significant(result.power.average_uw)}"


# Under it -----------------------------------------------------------------------------------------


def _notes(result: Result) -> Iterator[str]:
    yield f"{result.target}: {result.note}; {result.target_family}"
    if result.timing and result.timing.start:
        yield f"  slowest path: {result.timing.start} -> {result.timing.end}"
    if (other := result.other_timing) is not None:
        yield f"  {other.tool}: {other.start} -> {other.end}"
        yield f"  the two paths differ by {abs(other.difference_percent):.4f} % in length"
        if other.unclocked:
            yield f"  {other.tool} FINDS NO CLOCK at {other.unclocked:,} clock pins"
    elif result.other_timing_missing:
        yield f"  no second timing: {result.other_timing_missing}"
    if result.timing and result.timing.clock_transition_ns is not None:
        yield f"  ideal clock: no skew, transition {result.timing.clock_transition_ns:g} ns"
    if result.layout is not None and result.layout.differs:
        cells = ", ".join(f"{n} {a:g} and {b:g}" for n, (a, b) in result.layout.differs.items())
        yield f"  um2 in Liberty and in {result.layout.lef}: {cells}"
    slack = _slack(result)
    if slack.endswith("NOT MET"):
        yield f"  CLOCK NOT MET: slack {slack.removesuffix(', NOT MET')}"
    if result.placed is not None:
        yield from placed_notes(result.placed)
    if result.throughput:
        key = result.throughput.key_bits
        yield (
            f"  packets one after another, text only, AES-{key} unless noted; latency "
            f"{result.throughput.first_text_latency_cycles} cycles to the first text, "
            f"{result.throughput.tag_latency_cycles} cycles from the last beat to the tag"
        )
    if result.power is not None:
        kind = "all transitions of the input" if result.power.exhaustive else "random inputs"
        kind = "packets of 576 bytes, the largest key" if result.kind == "core" else kind
        share = result.power.glitch_toggles / max(1, result.power.toggles)
        yield f"  power: {kind}, gate delays; {share:.0%} of the edges are glitches"
    elif result.power_asked:
        yield f"  no power: {result.pj_per_bit_missing}"
    if result.fpga is not None and result.fpga.placed:
        use = result.fpga.utilisation or {}
        used = ", ".join(f"{kind} {a:,} of {b:,}" for kind, (a, b) in use.items())
        yield f"  {result.fpga.device}, seed {result.fpga.seed}, few-pin wrapper included: {used}"
        yield from _placement_notes(result.fpga)
    for warning in result.warnings:
        yield f"  note: {warning}"
    tools = ", ".join(f"{n} {v}" for n, v in result.tools.items() if n != "measure")
    yield f"  {tools}; measured {result.measured_at[:10]} in {result.seconds:g} s"
    yield f"  repeat: {result.command}"


def _placement_notes(fpga: Fpga) -> Iterator[str]:
    """The spread of several placements, and what limits the clock of the one that counts."""
    if len(fpga.fmax_by_seed) > 1:
        clocks = ", ".join(f"{mhz:.1f}" for _, mhz in fpga.fmax_by_seed)
        yield f"  Fmax is the median of {len(fpga.fmax_by_seed)} placements: {clocks} MHz"
    if fpga.seeds_not_done:
        seeds = ", ".join(map(str, fpga.seeds_not_done))
        yield f"  not placed and routed with seed {seeds}"
    if fpga.limit is not None:
        limit = fpga.limit
        yield (
            f"  slowest path: {limit.cells_ns:.2f} ns in cells with {limit.luts} LUTs, "
            f"{limit.wires_ns:.2f} ns in wires"
        )
        yield f"    from {limit.start}"
        yield f"    to {limit.end}"


# Rich ---------------------------------------------------------------------------------------------


def _new_table() -> Table:
    from rich import box
    from rich.table import Table

    return Table(box=box.SIMPLE_HEAD, pad_edge=False)


def _rendered(table: Table, width: int | None) -> str:
    from rich.console import Console

    text = StringIO()
    Console(file=text, width=width or WIDTH, no_color=True, highlight=False).print(table)
    return "\n".join(line.rstrip() for line in text.getvalue().strip("\n").splitlines()) + "\n"
