# SPDX-License-Identifier: Apache-2.0
"""Compared tables as Markdown and for a terminal. Nothing is computed here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from gcmforge.study.papers import PAPERS
from gcmforge.study.papers.compare import Cell, CheckedClaim, Compared
from gcmforge.study.papers.form import short
from gcmforge.study.papers.rules import LENGTHS, LONG

if TYPE_CHECKING:
    from rich.table import Table

    from gcmforge.study.papers.per_gate import Standing
    from gcmforge.study.papers.rules import Comparison


def verdict(claim: CheckedClaim) -> str:
    """ "Does not hold" only on like terms."""
    if claim.holds is None:
        return "open"
    if claim.holds:
        return "holds"
    return "not so here, on other terms" if claim.differs else "does not hold"


def told(claim: CheckedClaim) -> str:
    """Two sentences: what the paper says and what was done; what was found and what follows."""
    done = claim.done or "we compared it with ours"
    first = f"The paper says that {claim.text} ({claim.where}), and {done}."
    found = claim.evidence[:1].upper() + claim.evidence[1:]
    return f"{first} {found}; {_follows(claim)}."


def _follows(claim: CheckedClaim) -> str:
    if claim.holds is None:
        return "so it is open"
    if claim.holds:
        return "so it holds"
    if claim.differs:
        return f"so it is not so here, but on other terms, as {claim.unlike}"
    return "so it does not hold"


# Overview -----------------------------------------------------------------------------------------

OVERVIEW = (
    "table", "what", "figures", "measured", "cannot be", "not yet", "claims", "hold", "do not",
    "differ", "open",
)  # fmt: skip


def overview_row(table: Compared) -> list[str]:
    """Counts of one table."""
    claims = table.claims
    return [
        f"{PAPERS[table.paper]}, {table.heading}", table.title, str(len(table.cells)),
        str(table.measured), str(table.excused), str(table.pending), str(len(claims)),
        str(sum(claim.holds is True for claim in claims)),
        str(sum(claim.fails for claim in claims)), str(sum(claim.differs for claim in claims)),
        str(sum(claim.holds is None for claim in claims)),
    ]  # fmt: skip


def overview_markdown(tables: Sequence[Compared]) -> Iterator[str]:
    yield _line(OVERVIEW)
    yield _line(["---", "---", *["---:"] * (len(OVERVIEW) - 2)])
    for table in tables:
        yield _line(overview_row(table))
    sums = [sum(column) for column in zip(*map(_counts, tables), strict=True)]
    yield _line(["all", "", *map(str, sums)])


def _counts(table: Compared) -> list[int]:
    return [int(count) for count in overview_row(table)[2:]]


def worked_out_markdown(tables: Sequence[Compared]) -> str:
    """One sentence: how many of the measured figures are not measured on a circuit."""
    found = [
        (count, f"{count} of {_author(one)}'s {one.heading} ({reason})")
        for one in tables
        for reason, count in one.worked_out.items()
    ]
    total, measured = sum(count for count, _ in found), sum(one.measured for one in tables)
    return (
        f"{total} of the {measured} measured ones are worked out here and not measured on a "
        f"circuit: {'; '.join(text for _, text in found)}."
    )


def counts_sentence(tables: Sequence[Compared]) -> str:
    """For README: how many figures there are, and how many lack ours, where and why."""
    figures, measured, pending = (
        sum(counts)
        for counts in zip(
            *((len(one.cells), one.measured, one.pending) for one in tables), strict=True
        )
    )
    excused = [one for one in tables if one.excused]
    where = ", ".join(f"{one.excused} in {_author(one)}'s {one.heading}" for one in excused)
    text = (
        f"The five papers' tables print {figures} figures: {measured} have one of ours beside "
        f"them, {sum(one.excused for one in excused)} cannot have one ({where}), as nothing "
        "more is published of a design or no open tool routes its counterpart"
    )
    return text + (f", and {pending} could have one and do not yet" if pending else "")


def _author(table: Compared) -> str:
    """The first author and the year."""
    names, _, year = PAPERS[table.paper].rpartition(" ")
    return f"{names.partition(',')[0]} {year}"


def missing_markdown(tables: Sequence[Compared]) -> Iterator[str]:
    """Each reason for which printed figures have none of ours, and how many of which tables."""
    reasons: dict[tuple[bool, str], list[str]] = {}
    for table in tables:
        for reason, cells in missing(table).items():
            pending = any(cell.pending for _, cell in cells)
            told = f"{PAPERS[table.paper]}, {table.heading}: {len(cells)}"
            reasons.setdefault((pending, reason), []).append(told)
    yield _line(["why", "figures", "could be measured"])
    yield _line(["---", "---", "---"])
    for (pending, reason), where in sorted(reasons.items(), key=lambda one: one[0]):
        yield _line([reason, "; ".join(where), "yes" if pending else "no"])


def missing(table: Compared) -> dict[str, list[tuple[str, Cell]]]:
    """The printed figures without one of ours, with their rows, by reason."""
    found: dict[str, list[tuple[str, Cell]]] = {}
    for row in table.rows:
        for cell in row.cells:
            if cell.missing:
                found.setdefault(cell.why, []).append((row.name, cell))
    return found


def overview_text(tables: Sequence[Compared]) -> Table:
    """The same for a terminal, under the names that the command takes."""
    from rich import box
    from rich.table import Table

    shown = Table(
        title="The papers' tables and what is measured here",
        box=box.SIMPLE,
        padding=(0, 1, 0, 0),
        caption="figures: printed ones; measured: those with one of ours; cannot: those that tools "
        "at hand cannot measure, each with a reason; later: those that they could; "
        "fail: a claim that does not hold; differ: one that is not so here, on other terms than "
        "the paper's. gcmforge-study papers PAPER TABLE shows one.",
        caption_justify="left",
    )
    heads = (
        "what", "figures", "measured", "cannot", "later", "claims", "hold", "fail", "differ",
        "open",
    )  # fmt: skip
    shown.add_column("table", no_wrap=True, min_width=len("mozaffari2012 fig8"))
    for number, head in enumerate(heads):
        shown.add_column(head, justify="right" if number else "left", no_wrap=bool(number))
    for table in tables:
        shown.add_row(f"{table.paper} {table.key}", *overview_row(table)[1:])
    counts = zip(*map(_counts, tables), strict=True)
    shown.add_section()
    shown.add_row("all", "", *(str(sum(column)) for column in counts))
    return shown


def nodes_markdown(tables: Sequence[Compared]) -> Iterator[str]:
    """Every claim that was looked at on more than one process, and where it holds."""
    claims = [(one, claim) for one in tables for claim in one.claims if claim.on]
    names = list(dict.fromkeys(name for _, claim in claims for name, _ in claim.on))
    yield _line(["where", "the paper says that", *names, "survives"])
    yield _line(["---"] * (len(names) + 3))
    for one, claim in claims:
        good = dict(claim.on)
        count = sum(holds is True for holds in good.values())
        survives = {len(names): "all", 0: "none"}.get(count, "one")
        if None in good.values():
            survives = "open"
        shown = [_HOLDS[good.get(name)] for name in names]
        yield _line([one.heading, claim.text, *shown, survives])


_HOLDS = {True: "holds", False: "does not", None: "not measured"}


def standings_markdown(standings: Sequence[Standing]) -> Iterator[str]:
    """Throughput for its size: theirs, ours, the goal, whether ours is above them; then what has
    to be known of each."""
    yield _line(["paper", "unit", "theirs", "ours", "goal", "above theirs", "goal met", "ours is"])
    yield _line(["---", "---", "---:", "---:", "---:", "---", "---", "---"])
    for one in standings:
        rival = one.rival
        subject = " and ".join(f"`{need.name}`" for need in one.core)
        subject += f": {one.detail}" if one.detail else ""
        yield _line(
            [
                f"{PAPERS[rival.paper]}: {rival.row}", rival.unit, short(one.theirs),
                one.missing if one.ours is None else short(one.ours),
                short(rival.headline_goal), _YES[one.beats], _YES[one.reaches], subject,
            ]
        )  # fmt: skip
    noted = dict.fromkeys(one.rival for one in standings if one.rival.note)
    yield ""
    for rival in noted:
        yield f"- {PAPERS[rival.paper]}, {rival.unit}: {rival.note}."


def comparisons_markdown(comparisons: Iterable[Comparison]) -> Iterator[str]:
    """Every figure of every whole core with what it is of, kbit/s per gate by packet length."""
    found = tuple(comparisons)
    heads = [f"{size:,} bytes" for size in LENGTHS]
    yield _line(["paper", "core", "what of", "stands", "MHz", "kGE", *heads, "long"])
    yield _line(["---", "---", "---", "---", *["---:"] * (3 + len(heads))])
    for one in found:
        for flow, figure in one.figures.items():
            values = [figure.per_gate(length) for length in (*map(str, LENGTHS), LONG)]
            yield _line(
                [
                    one.paper, one.core, flow.name, _YES[one.stands(flow)],
                    f"{figure.fmax_mhz:.0f}",
                    f"{figure.area_ge / 1000:.0f}",
                    *("" if value is None else f"{value:.0f}" for value in values),
                ]
            )  # fmt: skip
    yield ""
    for one in found:
        if not one.figures:
            yield f"- {one.paper}, {one.core}: not measured yet."
            continue
        for text in one.admitted():
            yield f"- {one.paper}, {one.core}, worse by leave: {text}."
        for flow in one.figures:
            if texts := "; ".join(one.worse_in(flow)):
                yield f"- {one.paper}, {one.core}, does not stand {flow.name}: {texts}."
        names = "; ".join(flow.name for flow in one.missing())
        yield f"- {one.paper}, {one.core}, not measured yet: {names or 'nothing'}."
    yield ""


_YES = {True: "yes", False: "no", None: ""}


# One table ----------------------------------------------------------------------------------------


def table_markdown(table: Compared) -> Iterator[str]:
    """A section: the table, rank correlations, claims, and what each row is compared with."""
    yield f"### {table.heading}: {table.title}\n"
    yield f"Theirs: {table.theirs}. Ours: {table.here}.{' ' + table.note if table.note else ''}\n"
    shown = _measured_columns(table)
    heads = ["row"]
    for cell in table.rows[0].cells:
        head = _head(table, cell)
        heads += [head, "ours", "ratio"] if cell.column in shown else [head]
    yield _line(heads)
    yield _line(["---", *["---:"] * (len(heads) - 1)])
    for row in table.rows:
        cells = [row.name]
        for cell in row.cells:
            cells += [cell.printed]
            cells += [_value(cell), _ratio(cell)] if cell.column in shown else []
        yield _line(cells)
    yield ""
    yield from _compared_with(table)
    for rank in table.ranks:
        head = _head(table, next(c for c in table.rows[0].cells if c.column == rank.column))
        yield f"- Spearman, {head}: {rank.rho:+.2f} over {rank.rows} rows"
    yield from [""] if table.ranks else []
    if table.claims:
        yield _line(["verdict", "in two sentences"])
        yield _line(["---"] * 2)
        for claim in table.claims:
            yield _line([verdict(claim), told(claim)])
        yield ""


def _compared_with(table: Compared) -> Iterator[str]:
    """What of ours the rows are compared with, and why some have nothing."""
    notes = [f"{row.name}: {row.subject}" for row in table.rows if row.subject]
    for note in notes:
        yield f"- {note}"
    reasons = missing(table)
    for reason, cells in reasons.items():
        yield f"- Not measured ({len(cells)}): {_cells(cells)}: {reason}"
    if notes or reasons:
        yield ""


def _cells(cells: Sequence[tuple[str, Cell]]) -> str:
    """Rows with their columns, those with the same columns together."""
    columns: dict[str, list[str]] = {}
    for name, cell in cells:
        columns.setdefault(name, []).append(cell.head.partition(" (")[0])
    rows: dict[str, list[str]] = {}
    for name, heads in columns.items():
        rows.setdefault(", ".join(heads), []).append(name)
    return "; ".join(f"{', '.join(names)}: {heads}" for heads, names in rows.items())


def table_text(table: Compared) -> Table:
    from rich.table import Table

    title = f"{PAPERS[table.paper]}, {table.heading}: {table.title}"
    shown = Table(title=title, caption=_caption(table), caption_justify="left")
    shown.add_column("row")
    for cell in table.rows[0].cells:
        shown.add_column(_head(table, cell), justify="right")
    for row in table.rows:
        cells = [_both(cell) for cell in row.cells]
        name = row.name if row.measured or not row.why else f"{row.name} (*)"
        shown.add_row(name, *cells)
    return shown


def _caption(table: Compared) -> str:
    lines = [f"theirs: {table.theirs}", f"ours: {table.here}; each cell: theirs, ours, ours/theirs"]
    lines += [table.note] if table.note else []
    lines += [f"not measured, {_cells(cells)}: {why}" for why, cells in missing(table).items()]
    for rank in table.ranks:
        head = _head(table, next(c for c in table.rows[0].cells if c.column == rank.column))
        lines.append(f"Spearman, {head}: {rank.rho:+.2f} over {rank.rows} rows")
    for claim in table.claims:
        lines.append(f"{verdict(claim).upper()}: {told(claim)}")
    return "\n".join(lines)


def _head(table: Compared, cell: Cell) -> str:
    return f"{cell.head}, {cell.unit}" if cell.unit else cell.head


def _measured_columns(table: Compared) -> set[str]:
    return {cell.column for row in table.rows for cell in row.cells if cell.ours is not None}


def _value(cell: Cell) -> str:
    if cell.ours is None:
        return ""
    return cell.ours if isinstance(cell.ours, str) else short(cell.ours)


def _ratio(cell: Cell) -> str:
    return "" if cell.ratio is None else f"{cell.ratio:.2f}"


def _both(cell: Cell) -> str:
    if cell.ours is None:
        return cell.printed
    if cell.printed == cell.ours:
        return f"{cell.printed} (same)"
    ratio = f" x{cell.ratio:.2f}" if cell.ratio is not None else ""
    return f"{cell.printed}  {_value(cell)}{ratio}"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
