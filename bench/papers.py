# SPDX-License-Identifier: Apache-2.0
"""Measure what the papers' tables need, keep it with the tables, and write their page.

    python bench/papers.py [PAPER ..] [--again] [--jobs 2] [--page]

Measures what is not kept yet (everything with --again; what the results store has is taken from
there), writes src/gcmforge/papers/data/measured.json, docs/reference/papers.md, and the table on
docs/README.md; --page writes the pages only. Each figure is kept as it comes, so that a run that
was interrupted goes on without --again. It needs qflow-tech-osu018, and IHP's cells for Satoh 2007;
a figure that cannot be made is left out, and the page says so. The time of all of it is kept when
the store was empty, as with GCMFORGE_STORE=new.sqlite and GCMFORGE_CACHE=new for what is compiled.
"""

import argparse
import re
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from gcmforge.measure.store import store_path
from gcmforge.study.papers import PAPERS, needs, tables
from gcmforge.study.papers.compare import Compared, compare
from gcmforge.study.papers.measured import (
    WHOLE,
    Figures,
    Measured,
    Need,
    make_all,
    read_kept,
    write_kept,
)
from gcmforge.study.papers.per_gate import standings
from gcmforge.study.papers.text import overview_markdown, standings_markdown, table_markdown

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "reference" / "papers.md"
FRONT = DOCS / "README.md"
FRONT_TABLE = re.compile(r"^\| table \| what \| rows \|.*?\n\n", re.MULTILINE | re.DOTALL)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("papers", nargs="*", metavar="PAPER")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--page", action="store_true")
    asked = parser.parse_args()
    if not asked.page:
        wanted = [need for paper in asked.papers or PAPERS for need in needs(paper)]
        measure(list(dict.fromkeys(wanted)), asked)
    PAGE.write_text(page_text())
    FRONT.write_text(with_front_table(FRONT.read_text()))
    return 0


def measure(wanted: Sequence[Need], asked: argparse.Namespace) -> None:
    """Fill the kept figures; what is kept of other tables stays."""
    known = {WHOLE, *(need.name for need in needs())}
    kept = {name: value for name, value in read_kept().items() if name in known}
    missing = [need for need in wanted if asked.again or need.name not in kept]
    cold = asked.again and not asked.papers and not store_path().exists()
    start, failed = time.monotonic(), 0
    for number, (need, found) in enumerate(make_all(missing, jobs=asked.jobs), 1):
        print(f"{number} of {len(missing)}, {time.monotonic() - start:.0f} s: {need.name}")
        if isinstance(found, str):
            failed += 1
            print(f"{need.name}: {found}", file=sys.stderr)
        else:
            kept[need.name] = found
            write_kept(kept)
    if cold and not failed:
        kept[WHOLE] = Measured(
            seconds=round(time.monotonic() - start),
            values={"measurements": len(missing), "processes": asked.jobs},
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            tools=f"{asked.jobs} processes",
        )
    write_kept(kept)


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
    yield "Written by `python bench/papers.py`; `gcmforge-study papers PAPER TABLE` shows the same,"
    yield "with `--measure` measured anew. Theirs is as printed, ours in the nearest open"
    yield "technology, the ratio ours over theirs. A row that is not measured says why.\n"
    if whole := read_kept().get(WHOLE):
        yield (
            f"All {whole.values['measurements']:.0f} measurements behind it took "
            f"{whole.seconds / 60:.0f} minutes with nothing in the store, in {whole.tools}.\n"
        )
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
