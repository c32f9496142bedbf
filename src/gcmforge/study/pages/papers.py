# SPDX-License-Identifier: Apache-2.0
"""Write the page of the papers' tables, and README's counts of their figures.

Both are made of the figures that are kept with the tables; `gcmforge-study evidence papers`
measures them.
"""

import argparse
import re
from collections.abc import Iterator, Sequence
from functools import cache
from textwrap import wrap

from gcmforge.study.checkout import DOCS, REFERENCE, write_page
from gcmforge.study.papers import PAPERS, tables
from gcmforge.study.papers.compare import Compared, compare
from gcmforge.study.papers.measured import Figures, read_kept
from gcmforge.study.papers.per_gate import comparisons, standings
from gcmforge.study.papers.shown import everything
from gcmforge.study.papers.text import (
    comparisons_markdown,
    counts_sentence,
    missing_markdown,
    nodes_markdown,
    overview_markdown,
    standings_markdown,
    table_markdown,
    worked_out_markdown,
)

PAGE = REFERENCE / "papers.md"
README = DOCS.parent / "README.md"
README_COUNTS = re.compile(r"The five papers' tables print .*?\n  \(\[", re.DOTALL)


def main(arguments: Sequence[str] | None = None) -> int:
    argparse.ArgumentParser(description=__doc__).parse_args(arguments)
    write_page(PAGE, page(compared()), "gcmforge-study pages papers")
    README.write_text(with_counts(README.read_text()))
    return 0


# Pages --------------------------------------------------------------------------------------------


@cache
def compared() -> tuple[Compared, ...]:
    """Every table compared with what is kept."""
    figures = Figures()
    return tuple(compare(one, figures) for one in tables())


def page(found: Sequence[Compared]) -> Iterator[str]:
    yield "# The papers' tables\n"
    yield "Written by `gcmforge-study pages papers`; `gcmforge-study papers PAPER TABLE` shows the"
    yield "same, with `--measure` measured anew. Theirs is as printed, ours in the nearest open"
    yield "technology, the ratio ours over theirs. A figure without one of ours has a reason.\n"
    figures = read_kept().values()
    minutes = sum(figure.seconds for figure in figures) / 60
    yield (
        f"Its {len(figures)} measurements take {minutes:.0f} minutes of one process with "
        "nothing in the store.\n"
    )
    yield "*Measured* is a property of a printed figure: it has one of ours beside it."
    yield "*Cannot be* counts those that no tool at hand measures, *not yet* those that one"
    yield "could. " + worked_out_markdown(found) + "\n"
    yield from overview_markdown(found)
    yield ""
    yield "## Printed figures without one of ours\n"
    yield from missing_markdown(found)
    yield ""
    yield "## What survives two nodes\n"
    yield "Mozaffari-Kermani and Reyhani-Masoleh 2012 use cells of 65 nm, which are not to be had."
    yield "What they conclude is looked at on osu018 (180 nm) and asap7 (7 nm), with circuits of"
    yield "our own. What holds on both may well hold between them. What holds on none is not"
    yield "refuted, as their circuits are not published, but nothing here speaks for it.\n"
    yield from nodes_markdown(found)
    yield ""
    yield "## Throughput for its size\n"
    yield "Each paper's best, and cores of ours with the same keys, one at a time, and 96-bit IVs."
    yield "A whole core is placed; a figure on ideal wires is no headline. Parts are on ideal wires"
    yield "after synthesis, LUTs as mapped. Theirs is as printed.\n"
    yield from standings_markdown(tuple(standings(Figures())))
    yield ""
    yield "### Whole cores, in every flow that was measured\n"
    yield "Kbit/s per gate at Fmax, by packet length. Each core is no worse than its paper in any"
    yield "column that it prints, or is refused; what is admitted as worse is named below.\n"
    yield from comparisons_markdown(comparisons(Figures()))
    for paper, authors in PAPERS.items():
        yield f"## {authors}\n"
        for one in found:
            if one.paper == paper:
                yield from table_markdown(one)
    yield "## Every equation, figure and algorithm\n"
    yield "What implements it, and the test that shows it.\n"
    yield "| paper | what it numbers | which is | implemented by | shown by |"
    yield "| --- | --- | --- | --- | --- |"
    for item in everything():
        names = (PAPERS[item.paper], item.name, item.says, f"`{item.file}`", f"`{item.test}`")
        yield f"| {' | '.join(names)} |"
    yield ""
    yield "## Where our figures are from\n"
    yield from origins()


def origins() -> Iterator[str]:
    """Each kept figure: when and with which tools it was made, and how long that took."""
    yield "| measured | at | tools | seconds |"
    yield "| --- | --- | --- | ---: |"
    for name, value in read_kept().items():
        yield f"| `{name}` | {value.at[:10]} | {value.tools} | {value.seconds:.0f} |"


def with_counts(text: str) -> str:
    """README.md with the counts of printed figures as they are now."""
    lines = wrap(counts_sentence(compared()), 150, break_on_hyphens=False)
    sentence = "\n  ".join([*lines, "(["])
    written, times = README_COUNTS.subn(lambda _: sentence, text)
    if times != 1:
        raise ValueError(f"{README}: {times} counts of the papers' figures; one was expected")
    return written
