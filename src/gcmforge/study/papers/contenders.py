# SPDX-License-Identifier: Apache-2.0
"""Cores of ours that are to stand where a paper's whole core stands (rules.py), and their figures.

Yang 2005 prints a table of packet lengths, so that a core needs places for short packets: one with
a single place for key stream made ahead is below the paper's 64 bytes and is refused, one with two
is below its 20 bytes. Satoh 2007's core takes keys of three sizes, so that ours does, too; at 64
bytes, of which that paper prints nothing, half of its bits a cycle are asked of ours. With two
stages a round and three key sizes ours has more gates than that paper prints (763,000 on
ihp-sg13g2-gated, one script, where it has 697,567), and is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from gcmforge.study.papers import satoh2007, yang2005, yang2005_packets
from gcmforge.study.papers.measured import Figures, Measured, Need, NotMeasuredError
from gcmforge.study.papers.rules import FLOWS, LENGTHS, LONG, Comparison, Figure, Flow, Printed
from gcmforge.study.papers.yang2005_model import SIZES, average

Columns = Callable[[Measured, float, float, Measured | None], Mapping[str, float]]
"""Ours by the paper's columns: of what was measured, the area in GE and the clock in MHz of the
flow, and the packets that were simulated."""

SHARED = ("contexts=1", "iv=96", "mix_columns=depth3", "multiplier=ko5_small")
"""One key at a time and 96-bit IVs, as both papers have it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Contender:
    """A configuration, and the paper's core that it is compared with."""

    paper: str
    name: str
    target: str
    settings: tuple[str, ...]
    printed: tuple[Printed, ...]
    columns: Columns
    packets: tuple[int, ...] = ()
    """Bytes of packets that the paper's table has, simulated by themselves."""
    asked: tuple[Flow, ...] = FLOWS
    """What is to be measured of it."""

    @property
    def all_settings(self) -> tuple[str, ...]:
        return (*self.settings, *SHARED)

    def need(self, flow: Flow) -> Need:
        """Its measurement in that flow."""
        return Need(
            what="plain", target=self.target + ("-gated" if flow.gated else ""),
            settings=self.all_settings, effort=flow.effort, goal="balanced", placed=flow.placed,
        )  # fmt: skip

    @property
    def packets_need(self) -> Need | None:
        if not self.packets:
            return None
        return Need(what="plain", settings=self.all_settings, packets=self.packets)

    @property
    def needs(self) -> tuple[Need, ...]:
        """Everything that is to be measured of it."""
        found = tuple(self.need(flow) for flow in self.asked)
        return (*found, self.packets_need) if self.packets_need else found

    def comparison(self, figures: Figures) -> Comparison:
        """With every flow that was measured."""
        packets = _known(figures, self.packets_need) if self.packets_need else None
        found: dict[Flow, Figure] = {}
        for flow in FLOWS:
            measured = _known(figures, self.need(flow))
            clock = measured and (measured.placed_fmax_mhz if flow.placed else measured.fmax_mhz)
            area = measured and (measured.placed_area_ge if flow.placed else measured.area_ge)
            if measured and clock and area:
                bits = dict(measured.bits_per_cycle)
                longest = max(bits, key=int, default="")
                found[flow] = Figure(
                    area_ge=area,
                    fmax_mhz=clock,
                    bits_per_cycle={
                        **{str(size): bits[str(size)] for size in LENGTHS if str(size) in bits},
                        **({LONG: bits[longest]} if longest else {}),
                    },
                    columns=self.columns(measured, area, clock, packets),
                )
        return Comparison(paper=self.paper, core=self.name, printed=self.printed, figures=found)


def _known(figures: Figures, need: Need) -> Measured | None:
    try:
        return figures.get(need)
    except NotMeasuredError:
        return None


# Yang 2005 ----------------------------------------------------------------------------------------

_DEEPER = (
    "more stages make the clock faster, and each is a cycle before the first block; it comes later "
    "in ns, too"
)


def _yang_printed() -> Iterator[Printed]:
    (whole,) = (row for row in yang2005.TABLE_1.rows if row.name == "GCM en/decryption")
    for key, head, less in (
        ("area", "Table 1, gates", True), ("clock", "Table 1, MHz", False),
        ("rate", "Table 1, Gbit/s", False), ("latency", "Table 1, latency in cycles", True),
    ):  # fmt: skip
        value = whole.number(key)
        assert value is not None
        yield Printed(
            column=head, value=value, less_is_better=less,
            admitted=_DEEPER if key == "latency" else "",
        )  # fmt: skip
    for table, unit in (
        (yang2005_packets.TABLE_2, "bits a cycle"),
        (yang2005_packets.TABLE_3, "Gbit/s"),
    ):
        for row in table.rows:
            value = row.number("gcm")
            assert value is not None
            yield Printed(column=_length(table.key, row.name, unit), value=value)


def _length(table: str, size: str, unit: str) -> str:
    return f"Table {table}, {size if size == 'Avg.' else f'{size} bytes'}, {unit}"


def _yang_columns(
    found: Measured, area_ge: float, fmax_mhz: float, packets: Measured | None
) -> Mapping[str, float]:
    long = found.bits_per_cycle.get("65536", 0.0)
    columns = {
        "Table 1, gates": area_ge,
        "Table 1, MHz": fmax_mhz,
        "Table 1, Gbit/s": long * fmax_mhz / 1000,
        "Table 1, latency in cycles": float(found.first_text_latency_cycles or 0),
    }
    if packets is not None:
        bits = {**packets.bits_per_cycle, "Avg.": average(packets.bits_per_cycle)}
        for size, value in bits.items():
            columns[_length("2", size, "bits a cycle")] = value
            columns[_length("3", size, "Gbit/s")] = value * fmax_mhz / 1000
    return columns


def _yang(name: str, *settings: str) -> Contender:
    return Contender(
        paper="yang2005", name=name, target="osu018", settings=("key_sizes=128", *settings),
        printed=tuple(_yang_printed()), columns=_yang_columns, packets=SIZES,
    )  # fmt: skip


# Satoh 2007 ---------------------------------------------------------------------------------------

SATOH_ROW = "4 parallel, composite, balanced"
KEYS = (128, 192, 256)
_SHORT = "64 bytes, bits a cycle (not printed: half of its 512)"


def _satoh_printed() -> Iterator[Printed]:
    (row,) = (row for row in satoh2007.TABLE_1.rows if row.name == SATOH_ROW)
    for key, head, less in (
        ("path", "Table 1, critical path in ns", True), ("clock", "Table 1, MHz", False),
        ("area", "Table 1, gates", True), ("efficiency", "Table 1, kbit/s per gate", False),
    ):  # fmt: skip
        value = row.number(key)
        assert value is not None
        yield Printed(column=head, value=value, less_is_better=less)
    rate = row.number("rate")
    assert rate is not None
    for bits in KEYS:
        yield Printed(column=_key(bits), value=rate)
    yield Printed(column=_SHORT, value=256.0)


def _key(bits: int) -> str:
    return f"Table 1, Gbit/s, AES-{bits}"


def _satoh_columns(
    found: Measured, area_ge: float, fmax_mhz: float, packets: Measured | None
) -> Mapping[str, float]:
    by_key = {key: bits * fmax_mhz / 1000 for key, bits in found.long_bits_by_key.items()}
    columns = {
        "Table 1, critical path in ns": 1000 / fmax_mhz,
        "Table 1, MHz": fmax_mhz,
        "Table 1, gates": area_ge,
        "Table 1, kbit/s per gate": 1e6 * min(by_key.values(), default=0.0) / area_ge,
        **{_key(int(key)): rate for key, rate in by_key.items()},
    }
    if "64" in found.bits_per_cycle:
        columns[_SHORT] = found.bits_per_cycle["64"]
    return columns


def _satoh(name: str, *settings: str) -> Contender:
    return Contender(
        paper="satoh2007", name=name, target="ihp-sg13g2", printed=tuple(_satoh_printed()),
        columns=_satoh_columns, asked=tuple(flow for flow in FLOWS if flow.effort == "quick"),
        settings=("lanes=4", "key_sizes=128,192,256", "counter_sharing=on", *settings),
    )  # fmt: skip


CONTENDERS = (
    _yang("one stage a round", "ghash_stages=2"),
    _yang(
        "three stages a round, three packets ahead", "aes_substages=3", "ghash_stages=5",
        "slots=ahead", "ahead_places=3", "tag_places=2",
    ),
    _satoh(
        "one stage a round, slots in step", "ghash_stages=2", "slots=line", "tag_places=4"
    ),
)  # fmt: skip
"""Cores that stand beside their papers; more are compared nowhere."""


def contenders(paper: str) -> tuple[Contender, ...]:
    """Those of one paper."""
    return tuple(one for one in CONTENDERS if one.paper == paper)
