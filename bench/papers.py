# SPDX-License-Identifier: Apache-2.0
"""Measure what the papers' tables need, keep it with the tables, and write their page.

    python bench/papers.py [PAPER ..] [--again] [--minutes N] [--jobs 2]

Measures what is not kept yet (everything with --again; what the results store has is taken from
there), writes src/gcmforge/papers/data/measured.json, docs/reference/papers.md, and the table on
docs/README.md. After N minutes nothing more is begun. It needs qflow-tech-osu018, and IHP's cells
for Satoh 2007; a figure that cannot be made is left out, and the page says so.
"""

import argparse
import re
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path

from gcmforge.papers import PAPERS, needs, tables
from gcmforge.papers.compare import Compared, compare
from gcmforge.papers.measured import Figures, Measured, Need, make, read_kept, write_kept
from gcmforge.papers.per_gate import standings
from gcmforge.report.papers import overview_markdown, standings_markdown, table_markdown

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "reference" / "papers.md"
FRONT = DOCS / "README.md"
FRONT_TABLE = re.compile(r"^\| table \| what \| rows \|.*?\n\n", re.MULTILINE | re.DOTALL)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("papers", nargs="*", metavar="PAPER")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--minutes", type=float, default=600.0)
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    measure(asked.papers or list(PAPERS), asked.again, asked.minutes, asked.jobs)
    PAGE.write_text(page_text())
    FRONT.write_text(with_front_table(FRONT.read_text()))
    return 0


def measure(papers: Sequence[str], again: bool, minutes: float, jobs: int) -> None:
    """Fill the kept figures; what is kept of other tables stays."""
    kept = read_kept()
    wanted = [need for paper in papers for need in needs(paper)]
    missing = [need for need in wanted if again or need.name not in kept]
    until = time.monotonic() + 60 * minutes
    with ProcessPoolExecutor(jobs) as pool:
        for need, found in zip(missing, pool.map(partial(made, until), missing), strict=True):
            if found is not None:
                kept[need.name] = found
                write_kept(kept)
    known = {need.name for need in needs()}
    write_kept({name: value for name, value in kept.items() if name in known})


def made(until: float, need: Need) -> Measured | None:
    """None when the time is over, or when it cannot be measured here."""
    from gcmforge.measure.errors import SHOWN

    if time.monotonic() > until:
        return None
    try:
        return make(need)
    except SHOWN as error:
        print(f"{need.name}: {error}", file=sys.stderr)
        return None


# Pages --------------------------------------------------------------------------------------------


def page_text() -> str:
    """docs/reference/papers.md out of what is kept."""
    return "\n".join(page(compared())) + "\n"


@cache
def compared() -> tuple[Compared, ...]:
    """Every table beside what is kept."""
    figures = Figures()
    return tuple(compare(one, figures) for one in tables())


def page(found: Sequence[Compared]) -> Iterator[str]:
    yield "# The papers' tables\n"
    yield "Written by `python bench/papers.py`; `gcmforge papers PAPER TABLE` shows the same, with"
    yield "`--measure` measured anew. Theirs is as printed, ours in the nearest open technology,"
    yield "the ratio ours over theirs. A row that is not measured says why.\n"
    yield from overview_markdown(found)
    yield ""
    yield "## Throughput for its size\n"
    yield "Each paper's best, and cores of ours with the same keys, one at a time, and 96-bit IVs."
    yield "Post-synthesis, ideal wires, or LUTs as mapped, not placed; theirs as printed.\n"
    yield from standings_markdown(tuple(standings(Figures())))
    yield ""
    for paper, authors in PAPERS.items():
        yield f"## {authors}\n"
        for one in found:
            if one.paper == paper:
                yield from table_markdown(one)
    yield "## Where our figures are from\n"
    yield from origins()


def origins() -> Iterator[str]:
    """Each kept figure: when and with which tools it was made, and how long that took."""
    yield "| measured | at | tools | seconds |"
    yield "| --- | --- | --- | ---: |"
    for name, value in read_kept().items():
        yield f"| `{name}` | {value.at[:10]} | {value.tools} | {value.seconds:.0f} |"


def with_front_table(text: str) -> str:
    """docs/README.md with the overview as it is now."""
    table = "\n".join(overview_markdown(compared())) + "\n\n"
    written, times = FRONT_TABLE.subn(lambda _: table, text)
    if times != 1:
        raise ValueError(f"{FRONT}: {times} tables of papers; one was expected")
    return written


if __name__ == "__main__":
    sys.exit(main())
