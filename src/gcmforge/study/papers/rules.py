# SPDX-License-Identifier: Apache-2.0
"""The rules by which a core of ours is compared with a paper's, in one place.

1. It is no worse than the paper in any column that the paper prints of a whole core: every packet
   length, every key size. It stands beside the paper only in the flows in which that is so; one
   that stands in none is refused by `Comparison.check`, which names the columns. A figure of a flow
   in which it does not stand is shown with the columns, and counts for nothing. A column in which
   it may be worse is admitted by name, with the reason, and shown with it.
2. Its figures are simulated and measured, never those of a law.
3. Each figure says what it is of: ideal wires or placed, with clock gates or without, one script
   (--effort quick) or effort high. It is given at 64, 576, 1,500 and 9,000 bytes and for a long
   message.
4. The headline is placed. A figure on ideal wires is never it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

LENGTHS = (64, 576, 1_500, 9_000)
"""Bytes of packets at which each figure is given."""
LONG = "long"


class WorseError(ValueError):
    """A core that does not stand where its paper's stands: the text names the columns."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Flow:
    """How a figure was made."""

    placed: bool
    gated: bool
    effort: Literal["quick", "high"]

    @property
    def name(self) -> str:
        wires = "placed" if self.placed else "ideal"
        gates = "gated" if self.gated else "ungated"
        return f"{wires}, {gates}, {'one script' if self.effort == 'quick' else 'effort high'}"


EFFORTS: tuple[Literal["quick"], Literal["high"]] = ("quick", "high")
FLOWS = tuple(
    Flow(placed=placed, gated=gated, effort=effort)
    for placed in (True, False)
    for gated in (True, False)
    for effort in EFFORTS
)
"""Every way to make a figure, the headline's first."""
HEADLINE = FLOWS[0]


@dataclass(frozen=True, kw_only=True, slots=True)
class Printed:
    """A number that a paper prints of its core."""

    column: str
    value: float
    less_is_better: bool = False
    admitted: str = ""
    """Why ours may be worse here; empty: it may not."""

    def beaten_or_met(self, ours: float) -> bool:
        return ours <= self.value if self.less_is_better else ours >= self.value


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """One core, made in one flow."""

    area_ge: float
    fmax_mhz: float
    bits_per_cycle: Mapping[str, float]
    """By bytes of a packet, and LONG."""
    columns: Mapping[str, float]
    """Ours, by the paper's columns."""

    def per_gate(self, length: str) -> float | None:
        """kbit/s per gate at that packet length; None where it was not simulated."""
        bits = self.bits_per_cycle.get(length)
        return None if bits is None else 1000 * bits * self.fmax_mhz / self.area_ge


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """A core of ours against a paper's, in every flow in which it was measured."""

    paper: str
    core: str
    printed: tuple[Printed, ...]
    figures: Mapping[Flow, Figure] = field(default_factory=dict)

    def worse(self) -> Iterator[str]:
        """Each column in which it is worse and must not be, or has no figure, as text."""
        for flow in self.figures:
            yield from (f"{text} ({flow.name})" for text in self.worse_in(flow))

    def worse_in(self, flow: Flow) -> Iterator[str]:
        """Of one flow."""
        for one in self.printed:
            ours = self.figures[flow].columns.get(one.column)
            if one.admitted:
                continue
            if ours is None:
                yield f"{one.column}: not measured"
            elif not one.beaten_or_met(ours):
                yield f"{one.column}: {ours:.4g} where it has {one.value:.4g}"

    def stands(self, flow: Flow) -> bool:
        """Whether it was measured in that flow, and is no worse in any column."""
        return flow in self.figures and not any(self.worse_in(flow))

    def check(self) -> None:
        """WorseError where it was measured and stands in no flow."""
        if self.figures and not any(map(self.stands, self.figures)):
            raise WorseError(
                f"{self.core} does not stand beside {self.paper}: {'; '.join(self.worse())}. Use a "
                "configuration that is no worse there, or admit the column with its reason"
            )

    def admitted(self) -> Iterator[str]:
        """Each admitted column in which it is worse, with the reason."""
        for one in self.printed:
            ours = [figure.columns.get(one.column) for figure in self.figures.values()]
            worst = [value for value in ours if value is not None and not one.beaten_or_met(value)]
            if one.admitted and worst:
                most = max(worst) if one.less_is_better else min(worst)
                yield f"{one.column}: {most:.4g} where it has {one.value:.4g}: {one.admitted}"

    def headline(self) -> float | None:
        """kbit/s per gate of a long message, placed, gated, with one script; None where that is not
        measured or it does not stand there, whatever else is."""
        return self.figures[HEADLINE].per_gate(LONG) if self.stands(HEADLINE) else None

    def missing(self) -> tuple[Flow, ...]:
        """Flows without a figure."""
        return tuple(flow for flow in FLOWS if flow not in self.figures)
