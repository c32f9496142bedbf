# SPDX-License-Identifier: Apache-2.0
"""The one form of a published table: what is printed, what is measured here, its claims.

A table is written as text, a line for each row, with every number as the paper prints it:

    name | first column | second | ...

`-` is a cell that the paper leaves empty. What is measured for a row is a function of Figures that
gives numbers by column; a row without one, or without some columns, says why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gcmforge.study.papers.measured import Figures

Value = float | str
"""A number, or words where the paper has words."""

EMPTY = ("-", "n/a")
"""What a paper prints where it has no figure."""


class Todo(str):
    """Why a figure is not measured that tools at hand could measure."""

    __slots__ = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """One quantity of a table."""

    key: str
    head: str
    unit: str = ""
    rank: bool = False
    """Whether the order of its rows is compared (Spearman)."""
    against: str = ""
    """A column of ours that the paper does not have: the printed one that its order is compared
    with."""
    why: str = ""
    """Why figures in it have none of ours, in rows that do not say why themselves."""
    worked_out: str = ""
    """By what ours are worked out where no circuit is built, simulated or counted for them here."""


Ours = Callable[["Figures"], Mapping[str, Value]]
"""Our figures by column; NotMeasuredError where they are not there."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """A line of a table."""

    name: str
    printed: Mapping[str, str]
    """Column -> the number as printed; empty cells are left out."""
    ours: Ours | None = None
    subject: str = ""
    """What of ours it is compared with."""
    why: str = ""
    """Why it, or the rest of it, is not measured; a Todo where it could be."""

    def number(self, column: str) -> float | None:
        """The printed number; None for words and empty cells."""
        return parsed(self.printed.get(column, ""))


def parsed(text: str) -> float | None:
    """A number as papers print it: 1,234.5 or 12."""
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """Whether what a paper says holds here; None where it cannot be told."""

    holds: bool | None
    evidence: str
    on: tuple[tuple[str, bool | None], ...] = ()
    """Of each process that it was looked at on, whether it holds there."""


@dataclass(frozen=True, slots=True)
class View:
    """A table and ours, for claims: values by row."""

    printed: Mapping[str, Mapping[str, float]]
    measured: Mapping[str, Mapping[str, float]]

    def theirs(self, column: str) -> Mapping[str, float]:
        return self.printed.get(column, {})

    def ours(self, column: str) -> Mapping[str, float]:
        return self.measured.get(column, {})


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """What a paper concludes from a table."""

    text: str
    where: str
    check: Callable[[View, Figures], Verdict]
    done: str = ""
    """What was done to see whether it is so; empty: what the table says was done."""
    unlike: str = ""
    """In what our terms are not the paper's. Then what does not hold here may hold on the paper's,
    and is not said to fail."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """A published table or figure."""

    paper: str
    """As in gcmforge.study.papers.PAPERS."""
    key: str
    """What the command line calls it: 1, I, fig8."""
    title: str
    theirs: str
    """The paper's technology."""
    here: str
    """Ours."""
    done: str = ""
    """What was done for its claims, unless they say it themselves: "we ..."."""
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    claims: tuple[Claim, ...] = ()
    note: str = ""
    transposed: bool = False
    """The paper prints our columns as rows."""

    @property
    def heading(self) -> str:
        return f"Fig. {self.key[3:]}" if self.key.startswith("fig") else f"Table {self.key}"


def rows_of(
    text: str,
    columns: Sequence[Column],
    *,
    ours: Mapping[str, Ours] | None = None,
    subjects: Mapping[str, str] | None = None,
    why: Mapping[str, str] | None = None,
    others: str = "",
) -> tuple[Row, ...]:
    """The rows of a table's text; what is tied to them by name. `others` is the reason of rows
    that are neither measured nor have one of their own."""
    ours, subjects, why = ours or {}, subjects or {}, why or {}
    rows = []
    for line in text.strip().splitlines():
        name, *cells = (cell.strip() for cell in line.split("|"))
        if len(cells) != len(columns):
            raise ValueError(f"{name}: {len(cells)} cells for {len(columns)} columns")
        printed = {
            column.key: cell for column, cell in zip(columns, cells, strict=True) if cell != "-"
        }
        reason = why.get(name, "" if name in ours else others)
        rows.append(
            Row(
                name=name, printed=printed, ours=ours.get(name), why=reason,
                subject=subjects.get(name, ""),
            )
        )  # fmt: skip
    names = [row.name for row in rows]
    if strangers := {*ours, *why, *subjects} - set(names):
        raise ValueError(f"no rows {sorted(strangers)} among {names}")
    return tuple(rows)


# Claims -------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Below:
    """Check that values of a column grow along `order`; more than one order: each by itself."""

    column: str
    orders: tuple[tuple[str, ...], ...]
    margin: float = 0.0
    """How much of the greater value may be missing all the same."""
    strict: bool = False
    """Whether equal values fail."""
    why: str = field(default="")
    """What makes it fail, where it does."""

    def __call__(self, view: View, figures: Figures) -> Verdict:
        ours = view.ours(self.column)
        pairs = [(a, b) for order in self.orders for a, b in pairwise(order)]
        known = [(a, b) for a, b in pairs if a in ours and b in ours]
        if not known:
            return Verdict(holds=None, evidence="not measured")
        good = [
            ours[a] <= ours[b] * (1 + self.margin) and not (self.strict and ours[a] == ours[b])
            for a, b in known
        ]
        a, b = max(known, key=lambda pair: ours[pair[0]] / ours[pair[1]])
        text = _deciding(sum(good), len(pairs), (a, ours[a]), (b, ours[b]))
        if not all(good):
            return Verdict(holds=False, evidence=because(text, self.why))
        return Verdict(holds=True if len(known) == len(pairs) else None, evidence=text)


@dataclass(frozen=True, kw_only=True, slots=True)
class AllBelow:
    """Check that each of `lesser` is below each of `greater` in a column."""

    column: str
    lesser: tuple[str, ...]
    greater: tuple[str, ...]
    why: str = ""
    """What makes it fail, where it does."""

    def __call__(self, view: View, figures: Figures) -> Verdict:
        ours = view.ours(self.column)
        low = {name: ours[name] for name in self.lesser if name in ours}
        high = {name: ours[name] for name in self.greater if name in ours}
        if not low or not high:
            return Verdict(holds=None, evidence="not measured")
        good = sum(a < b for a in low.values() for b in high.values())
        total = len(low) * len(high)
        most, least = max(low, key=low.__getitem__), min(high, key=high.__getitem__)
        text = _deciding(good, total, (most, low[most]), (least, high[least]))
        if good < total:
            return Verdict(holds=False, evidence=because(text, self.why))
        complete = total == len(self.lesser) * len(self.greater)
        return Verdict(holds=True if complete else None, evidence=text)


@dataclass(frozen=True, kw_only=True, slots=True)
class Best:
    """Check that a row has the least (or the most) of a column."""

    column: str
    row: str
    most: bool = False
    among: tuple[str, ...] = ()
    """Empty: all rows that are measured."""
    why: str = ""

    def __call__(self, view: View, figures: Figures) -> Verdict:
        ours = view.ours(self.column)
        found = {name: ours[name] for name in self.among or ours if name in ours}
        if self.row not in found or len(found) < 2:
            return Verdict(holds=None, evidence="not measured")
        best = (max if self.most else min)(found, key=lambda name: found[name])
        holds = found[best] == found[self.row]
        complete = not self.among or len(found) == len(self.among)
        if holds:
            which = "the most" if self.most else "the least"
            text = f"{self.row} has {short(found[best])}, {which} of {len(found)}"
            return Verdict(holds=True if complete else None, evidence=text)
        text = f"{best} has {short(found[best])}, and {self.row} {short(found[self.row])}"
        return Verdict(holds=False, evidence=because(text, self.why))


@dataclass(frozen=True, kw_only=True, slots=True)
class OnNodes:
    """A check on each of several processes, between which the paper's lies: it holds where it does
    on all of them."""

    checks: tuple[tuple[str, Callable[[View, Figures], Verdict]], ...]
    """Process -> the check of its columns."""
    why: str = ""
    """What makes it fail, where it does."""

    def __call__(self, view: View, figures: Figures) -> Verdict:
        found = {name: check(view, figures) for name, check in self.checks}
        evidence = "; ".join(f"on {name} {verdict.evidence}" for name, verdict in found.items())
        good = [name for name, verdict in found.items() if verdict.holds]
        on = tuple((name, verdict.holds) for name, verdict in found.items())
        if any(verdict.holds is None for verdict in found.values()):
            return Verdict(holds=None, evidence=evidence, on=on)
        if len(good) == len(found):
            return Verdict(holds=True, evidence=evidence, on=on)
        survives = f"it is so on {good[0]} only" if good else "it is so on neither node"
        return Verdict(holds=False, evidence=because(f"{survives}: {evidence}", self.why), on=on)


def _deciding(good: int, total: int, lesser: tuple[str, float], greater: tuple[str, float]) -> str:
    """How many of the comparisons hold, and the one that decides: the nearest of those that all
    hold, or the one that fails by most."""
    low, high = (f"{name} ({short(value)})" for name, value in (lesser, greater))
    if good == total:
        return f"{good} of {total} comparisons hold, the nearest {low} below {high}"
    return f"{good} of {total} comparisons hold, but {low} is not below {high}"


def because(text: str, why: str) -> str:
    """Evidence with the reason of a failure, in one clause."""
    return f"{text}; the cause: {why}" if why else text


def short(value: float) -> str:
    """A number for a sentence or a cell: four digits that count."""
    if value == 0:
        return "0"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4g}"
