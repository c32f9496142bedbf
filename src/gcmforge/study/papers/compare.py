# SPDX-License-Identifier: Apache-2.0
"""A published table compared with ours: ratios, rank correlations, verdicts on what it claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gcmforge.study.papers.form import EMPTY, Table, Todo, Value, Verdict, View
from gcmforge.study.papers.measured import Figures, NotMeasuredError


@dataclass(frozen=True, kw_only=True, slots=True)
class Cell:
    """One figure: theirs as printed, ours, and ours over theirs."""

    column: str
    head: str
    unit: str
    printed: str
    """Empty where the paper has none."""
    ours: Value | None
    ratio: float | None
    """None where one of them is no number."""
    why: str = ""
    """Why a printed figure has none of ours."""
    pending: bool = False
    """Whether that could be measured with tools at hand."""
    worked_out: str = ""
    """By what ours is worked out where no circuit is built, simulated or counted for it here."""

    @property
    def figure(self) -> bool:
        """Whether the paper prints one."""
        return self.printed not in ("", *EMPTY)

    @property
    def missing(self) -> bool:
        """Whether the paper prints one, and there is none of ours."""
        return self.figure and self.ours is None


@dataclass(frozen=True, kw_only=True, slots=True)
class ComparedRow:
    """A row and ours; `why` tells why it, or a part of it, is not measured."""

    name: str
    subject: str
    cells: tuple[Cell, ...]
    why: str
    pending: bool
    """Whether it could be measured and is not."""

    @property
    def measured(self) -> bool:
        return any(cell.ours is not None for cell in self.cells)

    @property
    def excused(self) -> bool:
        """Whether it cannot be measured here, and says why."""
        return bool(self.why) and not self.pending


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedClaim:
    """A claim and what was found."""

    text: str
    where: str
    holds: bool | None
    evidence: str
    done: str = ""
    """What was done to see it."""
    on: tuple[tuple[str, bool | None], ...] = ()
    """Of each process that it was looked at on, whether it holds there."""
    unlike: str = ""
    """In what terms differ, where it is not so here."""

    @property
    def differs(self) -> bool:
        """Whether it is not so here, on other terms than the paper's."""
        return self.holds is False and bool(self.unlike)

    @property
    def fails(self) -> bool:
        """Whether it is not so on like terms."""
        return self.holds is False and not self.unlike


@dataclass(frozen=True, kw_only=True, slots=True)
class Rank:
    """Spearman's correlation between a column of theirs and ours over `rows` rows."""

    column: str
    rows: int
    rho: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Compared:
    """A whole table and ours."""

    paper: str
    key: str
    heading: str
    title: str
    theirs: str
    here: str
    note: str
    rows: tuple[ComparedRow, ...]
    ranks: tuple[Rank, ...]
    claims: tuple[CheckedClaim, ...]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Those with a printed figure."""
        return tuple(cell for row in self.rows for cell in row.cells if cell.figure)

    @property
    def measured(self) -> int:
        """Printed figures that have one of ours beside them."""
        return sum(cell.ours is not None for cell in self.cells)

    @property
    def worked_out(self) -> Mapping[str, int]:
        """How many of these are worked out and not measured, by what they are worked out from."""
        return Counter(cell.worked_out for cell in self.cells if cell.worked_out)

    @property
    def excused(self) -> int:
        """Those that have none and cannot have one with the tools at hand."""
        return sum(cell.missing and not cell.pending for cell in self.cells)

    @property
    def pending(self) -> int:
        """Those that could have one."""
        return sum(cell.missing and cell.pending for cell in self.cells)

    @property
    def unexplained(self) -> tuple[str, ...]:
        """Those that have none, and nothing says why: row and column."""
        return tuple(
            f"{row.name}, {cell.head}"
            for row in self.rows
            for cell in row.cells
            if cell.missing and not cell.why
        )


def compare(table: Table, figures: Figures) -> Compared:
    """Every row of the table, measured or with its reason."""
    found = [_row(table, index, figures) for index in range(len(table.rows))]
    view = _view(table, found)
    return Compared(
        paper=table.paper,
        key=table.key,
        heading=table.heading,
        title=table.title,
        theirs=table.theirs,
        here=table.here,
        note=table.note,
        rows=tuple(found),
        ranks=tuple(_ranks(table, view)),
        claims=tuple(_claims(table, view, figures)),
    )


def _row(table: Table, index: int, figures: Figures) -> ComparedRow:
    row = table.rows[index]
    ours: Mapping[str, Value] = {}
    why, pending = row.why, False
    if row.ours is not None:
        try:
            ours = row.ours(figures)
        except NotMeasuredError as error:
            why, pending = str(error), True
    cells = []
    for column in table.columns:
        value, number = ours.get(column.key), row.number(column.key)
        ratio = value / number if isinstance(value, (int, float)) and number else None
        cell = Cell(
            column=column.key, head=column.head, unit=column.unit,
            printed=row.printed.get(column.key, ""), ours=value, ratio=ratio,
            worked_out="" if value is None else column.worked_out,
        )  # fmt: skip
        if cell.missing:
            reason = why or column.why
            cell = replace(cell, why=reason, pending=pending or isinstance(reason, Todo))
        cells.append(cell)
    return ComparedRow(
        name=row.name, subject=row.subject, cells=tuple(cells), why=why, pending=pending
    )


def _view(table: Table, rows: Sequence[ComparedRow]) -> View:
    printed: dict[str, dict[str, float]] = {column.key: {} for column in table.columns}
    measured: dict[str, dict[str, float]] = {column.key: {} for column in table.columns}
    for row, source in zip(rows, table.rows, strict=True):
        for cell in row.cells:
            number = source.number(cell.column)
            if number is not None:
                printed[cell.column][row.name] = number
            if isinstance(cell.ours, (int, float)):
                measured[cell.column][row.name] = float(cell.ours)
    return View(printed, measured)


def _ranks(table: Table, view: View) -> list[Rank]:
    ranks = []
    for column in table.columns:
        theirs, ours = view.theirs(column.against or column.key), view.ours(column.key)
        names = [name for name in theirs if name in ours]
        if column.rank and len(names) >= 3:
            rho = spearman([ours[n] for n in names], [theirs[n] for n in names])
            ranks.append(Rank(column=column.key, rows=len(names), rho=rho))
    return ranks


def _claims(table: Table, view: View, figures: Figures) -> list[CheckedClaim]:
    checked = []
    for claim in table.claims:
        try:
            verdict = claim.check(view, figures)
        except NotMeasuredError as error:
            verdict = Verdict(holds=None, evidence=str(error))
        checked.append(
            CheckedClaim(
                text=claim.text,
                where=claim.where,
                holds=verdict.holds,
                evidence=verdict.evidence,
                done=claim.done or table.done,
                on=verdict.on,
                unlike=claim.unlike if verdict.holds is False else "",
            )
        )
    return checked


def spearman(first: Sequence[float], second: Sequence[float]) -> float:
    """Spearman's rank correlation; equal values share the mean of their ranks. 0 where one of
    them has a single value only."""
    p, q = ranks_of(first), ranks_of(second)
    mean = (len(p) + 1) / 2
    covariance = sum((a - mean) * (b - mean) for a, b in zip(p, q, strict=True))
    spread = [sum((a - mean) ** 2 for a in r) for r in (p, q)]
    return covariance / (spread[0] * spread[1]) ** 0.5 if all(spread) else 0.0


def ranks_of(values: Sequence[float]) -> list[float]:
    """1 for the least."""
    order = sorted(values)
    return [order.index(value) + (order.count(value) + 1) / 2 for value in values]
