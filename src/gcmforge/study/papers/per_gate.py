# SPDX-License-Identifier: Apache-2.0
"""Throughput for its size against each paper's best, in the nearest technology that is open.

Both sides take the same keys, one at a time, and 96-bit IVs. Where one of them has no clock (the
built-in `ge` target, FPGAs that no open tool places), bits a cycle stand for throughput.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gcmforge.study.papers.contenders import SATOH_ROW, Contender, contenders
from gcmforge.study.papers.crenne2011 import FIXED
from gcmforge.study.papers.measured import Figures, Measured, Need, NotMeasuredError
from gcmforge.study.papers.rules import HEADLINE, Comparison

if TYPE_CHECKING:
    from gcmforge.study.papers.form import Row

Core = tuple[Need, ...]
"""A core, or the parts of one that a paper counts."""
Size = Callable[[Sequence[Measured]], float]
"""Of what was measured of a Core, in the unit of its Rival."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rival:
    """A row of a paper, and the cores of ours that it is compared with."""

    paper: str
    table: str
    row: str
    unit: str
    theirs: Callable[[Row], float]
    ours: Size
    goal: float
    """What this project is after, in the unit; of a whole core on ideal wires."""
    placed_goal: float | None = None
    """And of a whole core that is placed."""
    cores: tuple[Core, ...] = ()
    contenders: tuple[Contender, ...] = ()
    """Of a whole core: configurations that stand where the paper's stands, in place of `cores`."""
    timed_by: Core = ()
    """Where a cycle is that of another core: its parts, of which the slowest stage counts."""
    note: str = ""

    @property
    def headline_goal(self) -> float:
        """Of what stands beside the paper's figure: whole cores are placed."""
        return self.goal if self.placed_goal is None else self.placed_goal

    @property
    def needs(self) -> tuple[Need, ...]:
        parts = (need for core in self.cores for need in core)
        whole = (need for one in self.contenders for need in one.needs)
        return (*parts, *self.timed_by, *whole)


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """A Rival and what was measured of ours; ours is None where that is not done."""

    rival: Rival
    theirs: float
    core: Core
    ours: float | None
    detail: str = ""
    missing: str = "not measured yet"
    """Why there is no figure of ours, if there is none."""

    @property
    def beats(self) -> bool | None:
        """Whether ours is above theirs."""
        return None if self.ours is None else self.ours > self.theirs

    @property
    def reaches(self) -> bool | None:
        """Whether ours is at the goal."""
        return None if self.ours is None else self.ours >= self.rival.headline_goal


def _number(row: Row, column: str) -> float:
    found = row.number(column)
    assert found is not None
    return found


def _of(found: float | None) -> float:
    assert found is not None
    return found


def _per_gate(found: Sequence[Measured]) -> float:
    (core,) = found
    return 1e6 * _of(core.gbit_per_s) / _of(core.area_ge)


def _bits_per_kge(bits: int) -> Size:
    return lambda found: 1000 * bits / sum(_of(part.area_ge) for part in found)


def _bits_per_klut(bits: int) -> Size:
    return lambda found: 1000 * bits / sum(_luts(part) for part in found)


def _luts(found: Measured) -> int:
    assert found.luts is not None
    return found.luts + (found.lut_ram_luts or 0)


_ONE_KEY_AT_A_TIME = ("contexts=1", "iv=96")


def _parts(*settings: str) -> Core:
    """AES with its key schedule, and GHASH, on `ge`."""
    return tuple(
        Need(
            what="plain", target="ge", module=module, goal="area",
            settings=(*settings, *_ONE_KEY_AT_A_TIME),
        )
        for module in ("gcm_aes", "gcm_ghash")
    )  # fmt: skip


def _ghash(*settings: str) -> Core:
    return (Need(what="plain", target="xcv5", module="gcm_ghash", settings=settings),)


_EIGHT_LANES = ("lanes=8", "key_sizes=128", "counter_sharing=on", "multiplier=ko6")
_WHOLE = (
    "ours is placed, with clock gates, which the papers do not tell of theirs, and mapped by one "
    "script; a core that is worse than its paper in any column that is printed is refused"
)
_PARTS = "AES and GHASH alone, as the paper has no queues and streams; beats of 8 blocks"
RIVALS = (
    Rival(
        paper="yang2005",
        table="1",
        row="GCM en/decryption",
        unit="kbit/s per gate",
        theirs=lambda row: 1e6 * _number(row, "rate") / _number(row, "area"),
        ours=_per_gate,
        goal=550,
        placed_goal=400,
        note=_WHOLE,
        contenders=contenders("yang2005"),
    ),
    Rival(
        paper="satoh2007",
        table="1",
        row=SATOH_ROW,
        unit="kbit/s per gate",
        theirs=lambda row: 1e6 * _number(row, "rate") / _number(row, "area"),
        ours=_per_gate,
        goal=700,
        placed_goal=350,
        note=_WHOLE,
        contenders=contenders("satoh2007"),
    ),
    Rival(
        paper="mozaffari2012",
        table="7",
        row="Proposed (KO4)",
        unit="bits per cycle and kGE",
        theirs=lambda row: 8 * 128 / _number(row, "kge"),
        ours=_bits_per_kge(8 * 128),
        goal=8 * 128 / 560,
        cores=(
            _parts(*_EIGHT_LANES, "sbox=mozaffari_2012"),
            _parts(*_EIGHT_LANES, "sbox=medium"),
        ),
        note=f"{_PARTS}. The goal is for stages of equal depth: those with `mozaffari_2012`, the "
        "paper's S-box, and with `medium`, which has its delay",
    ),
    Rival(
        paper="mozaffari2012",
        table="7",
        row="Proposed (KO4)",
        unit="bits per cycle of one stage a round and kGE",
        theirs=lambda row: 8 * 128 / _number(row, "kge"),
        ours=_bits_per_kge(8 * 128),
        goal=2.2,
        cores=(_parts(*_EIGHT_LANES, "sbox=medium", "aes_substages=2", "ghash_stages=2"),),
        timed_by=_parts(*_EIGHT_LANES, "sbox=mozaffari_2012")[:1],
        note=f"{_PARTS}. With two stages a round and two of the product; the cycle is that of the "
        "AES with the paper's S-box in one stage a round",
    ),
    Rival(
        paper="crenne2011",
        table="I",
        row="Basic GHASH, Virtex-5",
        unit="bits per cycle and 1,000 LUTs",
        theirs=lambda row: 1000 * 64 / _number(row, "lut"),
        ours=_bits_per_klut(64),
        goal=1000 * 64 / 950,
        cores=((FIXED["Basic GHASH, Virtex-5"].mapped,),),
    ),
    Rival(
        paper="abdellatif2012",
        table="II",
        row="This work, Virtex-5",
        unit="bits per cycle and 1,000 LUTs",
        theirs=lambda row: 1000 * 512 / (4 * _number(row, "slices")),
        ours=_bits_per_klut(512),
        goal=1000 * 128 / 1800,
        cores=(
            _ghash("lanes=4", "ghash=window", "window_bits=5", "contexts=1"),
            _ghash("lanes=4", "ghash=window", "window_bits=5", "window_splits=2", "contexts=1"),
            _ghash("lanes=4", "ghash=residues", "contexts=1"),
            _ghash("lanes=4", "multiplier=ko6", "contexts=1"),
        ),
        note="four LUTs a slice; both have four lanes. No clock is in it, as no open tool places "
        "Virtex-5: tables of residues have the longest path (theory/key-agile.md)",
    ),
)


def standings(figures: Figures) -> Iterator[Standing]:
    """Each rival with each core of ours; WorseError where one does not stand beside its paper."""
    from gcmforge.study.papers import tables

    for rival in RIVALS:
        (table,) = tables(rival.paper, rival.table)
        row = next(row for row in table.rows if row.name == rival.row)
        for one in rival.contenders:
            yield _contended(rival, rival.theirs(row), one, figures)
        for core in rival.cores:
            theirs = rival.theirs(row)
            try:
                found = [figures.get(need) for need in core]
                clock = [figures.get(need) for need in rival.timed_by]
            except NotMeasuredError:
                yield Standing(rival=rival, theirs=theirs, core=core, ours=None)
                continue
            faster = _slowest_ta(clock) / _slowest_ta(found) if clock else 1.0
            ours = faster * rival.ours(found)
            yield Standing(rival=rival, theirs=theirs, core=core, ours=ours, detail=_detail(found))


def _contended(rival: Rival, theirs: float, one: Contender, figures: Figures) -> Standing:
    """The headline of a core that stands beside its paper."""
    comparison = one.comparison(figures)
    comparison.check()
    missing = "worse than the paper there" if HEADLINE in comparison.figures else "not measured yet"
    return Standing(
        rival=rival, theirs=theirs, core=(one.need(HEADLINE),), ours=comparison.headline(),
        detail=_flows(comparison), missing=missing,
    )  # fmt: skip


def comparisons(figures: Figures) -> Iterator[Comparison]:
    """Of every whole core; WorseError as above."""
    for rival in RIVALS:
        for one in rival.contenders:
            found = one.comparison(figures)
            found.check()
            yield found


def _flows(comparison: Comparison) -> str:
    """What there is of it."""
    if not comparison.figures:
        return ""
    return f"{comparison.core}; measured: " + "; ".join(f.name for f in comparison.figures)


def _slowest_ta(found: Sequence[Measured]) -> float:
    return max(_of(part.delay_ta) for part in found)


def _detail(found: Sequence[Measured]) -> str:
    """What the figure is made of."""
    first = found[0]
    if first.luts is not None:
        rams = f" and {first.lut_ram_luts:,} in LUT RAM" if first.lut_ram_luts else ""
        return f"{first.luts:,} LUTs{rams}"
    area = f"{sum(_of(part.area_ge) for part in found) / 1000:,.0f} kGE"
    if first.gbit_per_s is None:
        return f"{area}, slowest stage {_slowest_ta(found):.1f} T_A"
    return f"{first.gbit_per_s:.1f} Gbit/s at {_of(first.fmax_mhz):.0f} MHz, {area}"
