# SPDX-License-Identifier: Apache-2.0
"""Throughput for its size against each paper's best, in the nearest technology that is open.

Both sides take the same keys, one at a time, and 96-bit IVs. Where one of them has no clock (the
built-in `ge` target, FPGAs that no open tool places), bits a cycle stand for throughput.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gcmforge.papers.crenne2011 import FIXED
from gcmforge.papers.measured import Figures, Measured, Need, NotMeasuredError

if TYPE_CHECKING:
    from gcmforge.papers.form import Row

Size = Callable[[Measured], float]
"""Of what was measured, in the unit of its Rival."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rival:
    """A row of a paper, and the cores of ours that stand beside it, the one hoped best first."""

    paper: str
    table: str
    row: str
    unit: str
    theirs: Callable[[Row], float]
    ours: Size
    goal: float
    """What this project is after, in the unit."""
    needs: tuple[Need, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """A Rival beside what was measured of ours; ours is None where that is not done."""

    rival: Rival
    theirs: float
    need: Need
    ours: float | None
    detail: str = ""

    @property
    def beats(self) -> bool | None:
        """Whether ours is above theirs."""
        return None if self.ours is None else self.ours > self.theirs

    @property
    def reaches(self) -> bool | None:
        """Whether ours is at the goal."""
        return None if self.ours is None else self.ours >= self.rival.goal


def _number(row: Row, column: str) -> float:
    found = row.number(column)
    assert found is not None
    return found


def _of(found: float | None) -> float:
    assert found is not None
    return found


def _per_gate(found: Measured) -> float:
    return 1e6 * _of(found.gbit_per_s) / _of(found.area_ge)


def _bits_per_kge(found: Measured) -> float:
    return 1000 * max(found.bits_per_cycle.values()) / _of(found.area_ge)


def _bits_per_klut(bits: int) -> Size:
    def size(found: Measured) -> float:
        return 1000 * bits / (_of(found.luts) + (found.lut_ram_luts or 0))

    return size


_ONE_KEY_AT_A_TIME = ("contexts=1", "iv=96")


def _core(target: str, *settings: str, goal: str = "balanced") -> Need:
    return Need(what="default", target=target, settings=(*settings, *_ONE_KEY_AT_A_TIME), goal=goal)


def _ghash(*settings: str) -> Need:
    return Need(what="default", target="xcv5", module="gcm_ghash", settings=settings)


_PIPELINE = ("key_sizes=128", "key_schedule=travelling")
RIVALS = (
    Rival(
        paper="yang2005",
        table="1",
        row="GCM en/decryption",
        unit="kbit/s per gate",
        theirs=lambda row: 1e6 * _number(row, "rate") / _number(row, "area"),
        ours=_per_gate,
        goal=550,
        needs=(
            _core("osu018", *_PIPELINE, "ghash_stages=2"),
            _core("osu018", *_PIPELINE, "ghash_stages=2", "aes_substages=2"),
        ),
    ),
    Rival(
        paper="satoh2007",
        table="1",
        row="4 parallel, composite, balanced",
        unit="kbit/s per gate",
        theirs=lambda row: 1e6 * _number(row, "rate") / _number(row, "area"),
        ours=_per_gate,
        goal=700,
        needs=(
            _core("ihp-sg13g2", "lanes=4", "key_sizes=256", "counter_sharing=on", "ghash_stages=2"),
        ),
    ),
    Rival(
        paper="mozaffari2012",
        table="7",
        row="Proposed (KO4)",
        unit="bits per cycle and kGE",
        theirs=lambda row: 8 * 128 / _number(row, "kge"),
        ours=_bits_per_kge,
        goal=8 * 128 / 560,
        needs=(_core("ge", "lanes=8", "key_sizes=128", "counter_sharing=on", goal="area"),),
    ),
    Rival(
        paper="crenne2011",
        table="I",
        row="Basic GHASH, Virtex-5",
        unit="bits per cycle and 1,000 LUTs",
        theirs=lambda row: 1000 * 64 / _number(row, "lut"),
        ours=_bits_per_klut(64),
        goal=1000 * 64 / 950,
        needs=(FIXED["Basic GHASH, Virtex-5"],),
    ),
    Rival(
        paper="abdellatif2012",
        table="II",
        row="This work, Virtex-5",
        unit="bits per cycle and 1,000 LUTs",
        theirs=lambda row: 1000 * 512 / (4 * _number(row, "slices")),
        ours=_bits_per_klut(128),
        goal=1000 * 128 / 1800,
        needs=(
            _ghash("ghash=window", "window_bits=8", "contexts=1"),
            _ghash("multiplier=ko6", "contexts=1"),
        ),
    ),
)


def standings(figures: Figures) -> Iterator[Standing]:
    """Each rival with each core of ours."""
    from gcmforge.papers import tables

    for rival in RIVALS:
        (table,) = tables(rival.paper, rival.table)
        row = next(row for row in table.rows if row.name == rival.row)
        for need in rival.needs:
            try:
                found = figures.get(need)
            except NotMeasuredError:
                yield Standing(rival=rival, theirs=rival.theirs(row), need=need, ours=None)
                continue
            yield Standing(
                rival=rival, theirs=rival.theirs(row), need=need, ours=rival.ours(found),
                detail=_detail(found),
            )  # fmt: skip


def _detail(found: Measured) -> str:
    """What the figure is made of."""
    if found.luts is not None:
        rams = f" and {found.lut_ram_luts:,} in LUT RAM" if found.lut_ram_luts else ""
        return f"{found.luts:,} LUTs{rams}"
    area = f"{_of(found.area_ge) / 1000:,.0f} kGE"
    if found.gbit_per_s is not None:
        return f"{found.gbit_per_s:.1f} Gbit/s at {_of(found.fmax_mhz):.0f} MHz, {area}"
    return f"{max(found.bits_per_cycle.values()):.0f} bits per cycle, {area}"
