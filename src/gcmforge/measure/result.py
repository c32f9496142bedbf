# SPDX-License-Identifier: Apache-2.0
"""The record of one measurement: plain, frozen, units in the names, to and from JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

from gcmforge.place.figures import Fpga as Fpga
from gcmforge.place.figures import PlacedFigure as PlacedFigure
from gcmforge.place.figures import PlacedMap as PlacedMap
from gcmforge.power.figures import PowerFigure as PowerFigure
from gcmforge.synth.figures import Block as Block

IDEAL_WIRES = "post-synthesis, ideal wires"
MAPPED_ONLY = "after mapping, not placed"
PLACED = "placed and routed"


@dataclass(frozen=True, kw_only=True, slots=True)
class CriticalPath:
    """The slowest path. On `ge` time is counted in T_A, and what is in ns or MHz is None."""

    delay_ns: float | None
    delay_ta: float | None
    fmax_mhz: float | None
    start: str
    end: str
    cells: int
    clock_ns: float | None = None
    """The clock that was asked for (on `ge` in T_A)."""
    clock_transition_ns: float | None = None
    """Of the clock at every flip-flop: an assumption of the target, there being no clock tree."""
    slack_ns: float | None = None
    """Clock minus delay, in the clock's unit; negative: the clock is not met."""
    groups: Mapping[str, float] | None = None
    """Slowest path of each kind (register to register, ...), in the same unit."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OtherTiming:
    """The slowest path as another tool sees it: same netlist, same constraints."""

    tool: str
    delay_ns: float | None
    delay_ta: float | None
    """In place of delay_ns on `ge`."""
    start: str
    end: str
    difference_percent: float
    """By how much the built-in path is longer than this one."""
    unclocked: int = 0
    """Clock pins that the tool finds no clock at: it does not look at paths from and to them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rate:
    """Packets of one length back to back, text only, as simulated; averages of a long run."""

    key_bits: int
    packet_bytes: int
    cycles_per_packet: float
    bits_per_cycle: float
    gbit_per_s: float | None = None
    """At Fmax."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Throughput:
    """What a core does in simulation; latencies are those of one packet in an idle core."""

    rates: tuple[Rate, ...]
    long_message_bytes: int
    first_text_latency_cycles: int
    """From the first beat in to the first beat out."""
    tag_latency_cycles: int
    """From the last beat in to the tag."""
    key_bits: int
    """Key size of both latencies and of the headline figures: the largest that is built."""

    def rate(self, packet_bytes: int, key_bits: int | None = None) -> Rate | None:
        """The rate of that packet length and key size (by default the largest)."""
        key = self.key_bits if key_bits is None else key_bits
        for rate in self.rates:
            if (rate.packet_bytes, rate.key_bits) == (packet_bytes, key):
                return rate
        return None

    @property
    def long_message(self) -> Rate | None:
        return self.rate(self.long_message_bytes)


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """Area by the library's LEF file in place of Liberty's."""

    lef: str
    """The file's name."""
    area_um2: float
    area_ge: float
    """In NAND2 of that file."""
    differs: Mapping[str, tuple[float, float]]
    """Cells of the design on which the two files differ: um2 of Liberty, and of LEF."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """One design on one target."""

    what: str
    kind: Literal["core", "leaf"]
    summary: str
    configuration: dict[str, Any] | None
    rtl_sha256: str
    target: str
    target_kind: Literal["asic", "fpga"]
    target_family: str
    target_version: str
    tools: dict[str, str]
    effort: str
    note: str
    command: str

    area_ge: float | None = None
    area_um2: float | None = None
    layout: Layout | None = None
    """Both areas again by the sizes in the library's LEF file, where it has one."""
    flip_flops: int | None = None
    blocks: tuple[Block, ...] = ()
    contexts: Block | None = None
    """What holds keys, powers of H and counts for each context: a part of the blocks above."""
    timing: CriticalPath | None = None
    other_timing: OtherTiming | None = None
    other_timing_missing: str = ""
    """Why there is none, where cells were timed."""
    placed: PlacedFigure | None = None
    """The same netlist with wires; everything else here is without them."""
    fpga: Fpga | None = None
    throughput: Throughput | None = None
    gbit_per_s: float | None = None
    """Long message, largest key, at Fmax."""
    kbit_per_s_per_gate: float | None = None
    """gbit_per_s over area_ge."""
    power_asked: bool = False
    power: PowerFigure | None = None
    pj_per_bit: float | None = None
    pj_per_bit_missing: str = ""
    """Why there is no pj_per_bit."""
    script: str = ""
    """The synthesis script that won, by module."""
    warnings: tuple[str, ...] = ()
    project_version: str = ""
    measured_at: str = ""
    """ISO 8601, UTC."""
    seconds: float = 0.0
    """How long the measurement took."""

    @property
    def meets_clock(self) -> bool:
        """False only when a clock was asked for and is not met, with wires where they are known."""
        found = (figure.slack_ns for figure in (self.timing, self.placed) if figure)
        return all(slack is None or slack >= 0 for slack in found)

    @property
    def kbit_per_s_per_layout_gate(self) -> float | None:
        """gbit_per_s over the area in GE by LEF; None without a LEF file."""
        if self.layout is None or self.gbit_per_s is None or not self.layout.area_ge:
            return None
        return self.gbit_per_s * 1e6 / self.layout.area_ge

    def to_json(self) -> str:
        import msgspec

        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The result in a text of to_json; ValueError for anything else."""
        import msgspec

        return msgspec.json.decode(text, type=cls)
