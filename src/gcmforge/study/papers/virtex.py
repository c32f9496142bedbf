# SPDX-License-Identifier: Apache-2.0
"""What of ours stands beside a design on a Xilinx part: LUTs and flip-flops of the same family as
Yosys maps them, slices estimated from these, and the clock of the same design placed and routed on
ECP5, as no open tool places Virtex or Spartan parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gcmforge.study.papers.form import Column, Todo, Value
from gcmforge.study.papers.measured import ONE_KEY, Figures, Need, NotMeasuredError

PLACED_ON = "ecp5"
DENSE_ON = "ecp5-dense"
"""For multipliers of any two operands, which nextpnr's usual flow does not route within an hour."""
LUTS_A_SLICE = {"xcv6": 4, "xcv5": 4, "xcv4": 2, "xc3s": 2}
"""Virtex-6 (UG364) and Virtex-5 User Guides (UG190): four LUT6 in a slice; Virtex-4 (UG070) and
Spartan-3 (UG331): two LUT4."""
FLOPS_A_SLICE = {"xcv6": 8, "xcv5": 4, "xcv4": 2, "xc3s": 2}
"""By the same guides."""

SLICES = "slices (ours: an estimate, each LUT and flip-flop of a slice in use)"
CLOCK = "frequency (ours: placed on ECP5)"
RATE = "throughput (ours: at that clock)"
PER_SLICE = "throughput a slice (ours: that, over the estimate)"
NOTE = (
    "No open tool places Virtex or Spartan parts. Slices of ours are an estimate: LUTs, of which "
    "two small ones share a LUT6 where a placer could do that, over the LUTs of a slice. Clocks of "
    "ours are those of the same design placed and routed on a Lattice ECP5-85 (40 nm, speed grade "
    "6) by nextpnr, its inputs and outputs in registers: a counterpart with a clock, not that of a "
    "Virtex. Multipliers of any two operands take nextpnr hours so; these are placed by the length "
    "of wires alone (target `ecp5-dense`), which costs clock: 72 MHz for 126 of the GHASH of one "
    "key that both ways do"
)
DONE = (
    "we mapped the same designs to the LUTs of the paper's families and placed them on ECP5 for a "
    "clock"
)
NOT_PLACED = Todo(
    "our counterpart is mapped and not placed yet: nextpnr takes from minutes to an hour for one; "
    "gcmforge-study papers --measure does it"
)


def columns(first: tuple[Column, ...], unit: str = "") -> tuple[Column, ...]:
    """Those of a table of such designs, after the first ones."""
    return (
        *first,
        Column(key="slices", head=SLICES, unit=unit, rank=True),
        Column(key="clock", head=CLOCK, unit="MHz", why=NOT_PLACED),
        Column(key="rate", head=RATE, unit="Gbit/s", rank=True, why=NOT_PLACED),
        Column(key="per_slice", head=PER_SLICE, unit="Mbit/s", why=NOT_PLACED),
    )


def slices(luts: int, flip_flops: int, target: str) -> float:
    """The least that hold so many of both."""
    return max(luts / LUTS_A_SLICE[target], flip_flops / FLOPS_A_SLICE[target])


@dataclass(frozen=True, kw_only=True, slots=True)
class Design:
    """One of ours beside a row: on a Xilinx family, and placed."""

    mapped: Need
    bits: int
    """That it takes a cycle."""
    on: str = PLACED_ON
    seeds: int = 1
    unplaced: str = ""
    """Why no open tool places it."""

    @property
    def placed(self) -> Need:
        return replace(self.mapped, target=self.on, seeds=self.seeds)

    @property
    def needs(self) -> tuple[Need, ...]:
        return (self.mapped,) if self.unplaced else (self.mapped, self.placed)

    def __call__(self, figures: Figures) -> Mapping[str, Value]:
        found = figures.get(self.mapped)
        assert found.luts is not None and found.flip_flops is not None
        area = slices(found.luts, found.flip_flops, self.mapped.target)
        made: dict[str, Value] = {"lut": found.luts, "ff": found.flip_flops, "slices": area}
        if self.unplaced:
            return made
        try:
            clock = figures.get(self.placed).fmax_mhz
        except NotMeasuredError:
            return made
        assert clock is not None
        rate = self.bits * clock / 1000
        return made | {"clock": clock, "rate": rate, "per_slice": 1000 * rate / area}


def one_key(target: str, setting: str, bits: int) -> Design:
    """A GHASH with its key folded in."""
    need = Need(what=ONE_KEY, target=target, settings=(setting,), effort="normal")
    return Design(mapped=need, bits=bits)


def ghash(target: str, bits: int, *settings: str, what: str = "plain") -> Design:
    """The GHASH of a core, for any key."""
    need = Need(what=what, target=target, module="gcm_ghash", settings=settings)
    return Design(mapped=need, bits=bits, on=DENSE_ON)


_ONE = ("key_sizes=128", "contexts=1", "lanes=1")
HUO = ghash("xcv5", 128, *_ONE, "ghash=serial", "multiplier=quadratic")
LU = ghash("xcv5", 128, *_ONE, "ghash=serial", "multiplier=mastrovito")
CHEN = ghash("xcv4", 128, *_ONE, "ghash=aggregated", "ghash_stages=4", "multiplier=quadratic")
WANG = replace(
    ghash(
        "xcv5", 512, "ghash=dot", "multiplier=mastrovito", "ghash_stages=1", what="abdellatif2012"
    ),
    unplaced="our counterpart takes 74 % of the LUTs of an ECP5-85, the largest part that open "
    "tools place, and nextpnr does not route it: its router2 comes to a standstill with wires "
    "used twice, whichever way the cells were placed, and its router1 would take hours",
)
RIVALS = {
    "Huo et al., Virtex-5": (
        HUO,
        "a single GHASH with the quadratic multiplier, which is by Reyhani-Masoleh's method as "
        "theirs is",
    ),
    "Lu et al., Virtex-5": (
        LU,
        "a single GHASH with a Mastrovito multiplier; their method is not told",
    ),
    "Chen et al., Virtex-4": (
        CHEN,
        "a single GHASH in four stages with the quadratic multiplier, by the method of their "
        "source; the loop is closed with H^4",
    ),
    "Wang et al., Virtex-5": (
        WANG,
        "`gcm_ghash` of `abdellatif2012` with ghash=dot: five Mastrovito multipliers, and the "
        "powers of one key",
    ),
}
"""Designs of others with one of ours that does the same, and what that is."""
UNPLACED = {name: design.unplaced for name, (design, _) in RIVALS.items() if design.unplaced}
