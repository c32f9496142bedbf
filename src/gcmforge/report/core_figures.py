# SPDX-License-Identifier: Apache-2.0
"""Figures of one core that its datasheet begins with: area and clock, and cycles. Each says what it
is from; what is not measured is the explorer's estimate, and says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gcmforge.config import CoreConfig
from gcmforge.config.rates import bits_per_cycle, cycles_per_packet, first_text_latency_cycles
from gcmforge.measure.table import significant

if TYPE_CHECKING:
    from gcmforge.explore.point import Point
    from gcmforge.measure.result import Rate, Result
    from gcmforge.sim.trace import Trace

PACKET_BYTES = 1_500
"""Length of the packets whose throughput stands in the first figures."""

LENGTHS = (64, 576, 1500, 9000)
"""Packets whose cycles follow from the laws where nothing was simulated."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Estimate:
    """What the explorer says of the core on one target."""

    target: str
    point: Point
    accuracy: str
    """How far estimates are off."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact:
    """A figure with what it is, ready to be shown."""

    value: str
    what: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Cycles:
    """A number of cycles, and where it comes from."""

    what: str
    number: str
    source: str


def estimates(config: CoreConfig) -> tuple[Estimate, ...]:
    """On every target that cores can be estimated on; none of a core with parts that no estimate
    counts."""
    from gcmforge.explore.calibration import calibrated
    from gcmforge.explore.estimate import accuracy, estimate

    points = {target: estimate(config, target, PACKET_BYTES) for target in calibrated()}
    return tuple(
        Estimate(target=target, point=point, accuracy=accuracy(target).text)
        for target, point in points.items()
        if not point.error
    )


def size_and_clock(estimated: Sequence[Estimate], measured: Sequence[Result]) -> list[Fact]:
    """Area and clock: as placed, else as measured without wires, else as estimated."""
    facts = []
    rows = next(((one, one.placed) for one in measured if one.placed), None)
    if rows is not None:
        where = f"measured on {rows[0].target}, placed"
        return [
            Fact(value=_kge(rows[1].area_ge), what=f"area, {where}"),
            Fact(value=_mhz(rows[1].fmax_mhz), what=f"clock, {where}"),
        ]
    sized = next((one for one in measured if one.area_ge is not None), None)
    placed = next((one for one in measured if one.fpga is not None), None)
    timed = next((one for one in measured if one.timing and one.timing.fmax_mhz), None)
    known = next(iter(estimated), None)
    if sized is not None and sized.area_ge is not None:
        facts.append(Fact(value=_kge(sized.area_ge), what=f"area, measured on {sized.target}"))
    elif placed is not None and placed.fpga is not None:
        what = f"measured on {placed.target}"
        facts.append(Fact(value=f"{placed.fpga.luts:,} LUTs", what=what))
    elif known is not None and known.point.area_ge is not None:
        what = f"area, estimated on {known.target} at effort quick, not measured"
        facts.append(Fact(value=_kge(known.point.area_ge), what=what))
    if timed is not None and timed.timing is not None:
        what = f"clock, measured on {timed.target}"
        facts.append(Fact(value=_mhz(timed.timing.fmax_mhz), what=what))
    elif known is not None and known.point.fmax_mhz is not None:
        what = f"clock, estimated on {known.target} at effort quick, not measured"
        facts.append(Fact(value=_mhz(known.point.fmax_mhz), what=what))
    return facts


def _kge(area_ge: float) -> str:
    return f"{significant(area_ge / 1000)} kGE"


def _mhz(fmax_mhz: float | None) -> str:
    return f"{significant(fmax_mhz)} MHz"


def cycles(config: CoreConfig, trace: Trace | None) -> list[Cycles]:
    """Of this core: simulated where it was, else by the laws of its modules."""
    key = f"{config.key_sizes[-1]}-bit key"
    rows = [_by_law(f"from one beat of a long text to the next, {key}", config.cycles_per_beat)]
    first = "from a packet's first beat of text in to its first beat out, in an idle core"
    if trace is not None:
        rows += [
            _simulated(first, trace.first_text_latency_cycles),
            _simulated(
                "from a packet's last beat in to its tag, in an idle core", trace.tag_latency_cycles
            ),
        ]
    elif not config.release_engine.holds:
        rows.append(_by_law(first, first_text_latency_cycles(config)))
    what = "from a key's transfer until its context takes packets, in an idle core, at most"
    rows.append(_by_law(what, config.key_load_cycles))
    if config.zeroise == "on":
        what = "from zeroise until everything is erased, at most"
        rows.append(_by_law(what, config.erase_cycles))
    if config.timeout:
        what = "of silence in a packet, then its status is BAD_FRAME"
        rows.append(Cycles(what=what, number=f"{config.timeout:,}", source="option timeout"))
    return rows


def _by_law(what: str, number: int) -> Cycles:
    return Cycles(what=what, number=f"{number:,}", source="law")


def _simulated(what: str, number: int) -> Cycles:
    return Cycles(what=what, number=f"{number:,}", source="simulated")


def packet_rates(config: CoreConfig, rates: Sequence[Rate]) -> list[tuple[str, str, str, str]]:
    """Bytes, cycles a packet, bits a cycle, source: one row a length."""
    if rates:
        return [
            _rate(rate.packet_bytes, rate.cycles_per_packet, rate.bits_per_cycle, "simulated")
            for rate in rates
        ]
    if not config.full_throughput:  # the buffer may make packets wait: no law here
        return []
    return [
        _rate(size, cycles_per_packet(config, size), bits_per_cycle(config, size), "law")
        for size in LENGTHS
        if size <= config.max_text_bytes
    ]


def _rate(size: int, number: float, bits: float, source: str) -> tuple[str, str, str, str]:
    return f"{size:,}", f"{number:,.2f}", f"{bits:,.1f}", source
