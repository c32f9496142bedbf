# SPDX-License-Identifier: Apache-2.0
"""The commands of the study: parse, call, print.

Results go to standard output, as JSON with --json; progress and errors go to standard error.
"""

import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from gcmforge import __version__
from gcmforge.config import ConfigError
from gcmforge.study.console import bar, print_json
from gcmforge.tools import ToolError

if TYPE_CHECKING:
    from gcmforge.study.papers.compare import Compared
    from gcmforge.study.papers.form import Table
    from gcmforge.study.papers.measured import Figures

app = App(
    name="gcmforge-study",
    help="The study behind gcmforge: papers, searches, long runs, and the pages that show them.",
    version=__version__,
    result_action="return_value",
)

Json = Annotated[bool, Parameter(name="--json", negative=(), help="Print the result as JSON.")]

_SHOWN_ERRORS = (ConfigError, ToolError, OSError)


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point of the program gcmforge-study; ends the process with the command's exit code."""
    if arguments is None:
        signal.signal(signal.SIGTERM, _terminated)
    try:
        code = app(sys.argv[1:] if arguments is None else list(arguments))
    except _SHOWN_ERRORS as error:
        print(f"gcmforge-study: {error}", file=sys.stderr)
        code = 1
    except KeyboardInterrupt:
        print("gcmforge-study: interrupted; what was finished is kept", file=sys.stderr)
        code = 130
    sys.exit(code)


def _terminated(*_: object) -> None:
    """As Ctrl-C: whatever is under way clears up after itself."""
    sys.exit(128 + signal.SIGTERM)


# papers -------------------------------------------------------------------------------------------


@app.command
def papers(
    paper: str | None = None,
    table: str | None = None,
    /,
    *,
    measure: Annotated[bool, Parameter(negative=())] = False,
    json: Json = False,
) -> int:
    """The tables of the five papers beside what is measured here: ratios, orders, conclusions.

    Exit code 0 when every row is measured or cannot be, and says why.

    Parameters
    ----------
    paper
        yang2005, satoh2007, mozaffari2012, crenne2011 or abdellatif2012; without it an overview.
    table
        1, 2, .. or I, II, .. or fig8; without it all of the paper.
    measure
        Measure again (what is in the results store is taken from there) instead of showing the
        figures that are kept with the tables. Most of an hour when the store is empty; a run
        that was interrupted goes on where it was.
    """
    from gcmforge.study.papers import PapersError, tables
    from gcmforge.study.papers.compare import compare
    from gcmforge.study.papers.measured import Figures

    try:
        asked = tables(paper, table)
    except PapersError as error:
        raise ConfigError(str(error)) from None
    figures = _measured_for(asked) if measure else Figures()
    found = [compare(one, figures) for one in asked]
    if json:
        from dataclasses import asdict

        print_json([asdict(one) for one in found])
    else:
        _print_papers(found, overview=paper is None)
    return int(not all(row.measured or row.excused for one in found for row in one.rows))


def _measured_for(asked: "Sequence[Table]") -> "Figures":
    """What these tables need, from the store or measured now."""
    from gcmforge.study.papers.compare import compare
    from gcmforge.study.papers.measured import Figures, Measured, make_all

    known: dict[str, Measured] = {}
    failed: dict[str, str] = {}
    with bar() as progress:
        while True:  # a table asks for more when it has what it asked for first
            figures = Figures(known, failed)
            for one in asked:
                compare(one, figures)
            if not figures.missing:
                return figures
            total = len(known) + len(failed) + len(figures.missing)
            progress(len(known) + len(failed), total, "the longest first")
            for need, made in make_all(figures.missing.values()):
                if isinstance(made, str):
                    failed[need.name] = made
                else:
                    known[need.name] = made
                progress(len(known) + len(failed), total, need.name)


def _print_papers(found: "Sequence[Compared]", *, overview: bool) -> None:
    from rich.console import Console

    from gcmforge.study.papers.text import overview_text, table_text

    console = Console()
    if overview:
        console.print(overview_text(found))
        return
    for one in found:
        console.print(table_text(one))
        console.print()


# zeros --------------------------------------------------------------------------------------------


@app.command
def zeros(
    keys: int,
    /,
    *,
    draw: str = "keys",
    generator: str = "mt19937",
    seed: int | None = None,
    plot: Path | None = None,
    json: Json = False,
) -> int:
    """Count the zeros in table T of Crenne 2011 over that many random keys.

    Exit code 0 when mean and variance agree with theory.

    Parameters
    ----------
    keys
        How many keys; the paper has 10^8.
    draw
        What is random: keys (AES-128, H is E(K, 0), as in the paper) or subkeys (H itself).
    generator
        mt19937 is the Mersenne Twister, as in the paper; system is the system's generator.
    seed
        Of the Mersenne Twister; without it one is drawn and printed.
    plot
        Write the histograms as a picture there: .svg, .png or .html.
    """
    from gcmforge.study.evidence.zeros import statistics_text, table_statistics

    if plot:
        from gcmforge.study.evidence.zeros_picture import check_picture, save_picture

        check_picture(plot)
    with bar() as progress:
        found = table_statistics(
            keys, draw=draw, generator=generator, seed=seed,
            progress=lambda done, total: progress(done, total, "keys"),
        )  # fmt: skip
        if plot:
            save_picture(found, plot)
    if json:
        print_json(found.to_mapping())
    else:
        print(statistics_text(found))
    return 0 if found.agrees else 1
