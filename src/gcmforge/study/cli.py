# SPDX-License-Identifier: Apache-2.0
"""The commands of the study: parse, call, print.

Results go to standard output, as JSON with --json; progress and errors go to standard error.
"""

import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from gcmforge import __version__
from gcmforge.cli.common import print_json
from gcmforge.cli.progress import bar
from gcmforge.config import ConfigError
from gcmforge.tools import ToolError

if TYPE_CHECKING:
    from gcmforge.study.evidence.kinds import Kind
    from gcmforge.study.papers.compare import Compared
    from gcmforge.study.papers.form import Table
    from gcmforge.study.papers.measured import Figures

app = App(
    name="gcmforge-study",
    help="The study of gcmforge: papers, searches, long runs, and the pages that show them.",
    version=__version__,
    result_action="return_value",
    suppress_keyboard_interrupt=False,
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
    """The tables of the five papers compared with what is measured here: ratios, orders, claims.

    Exit code 0 when every printed figure has one of ours beside it, or says why it has none.

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
    asked_for = any(row.pending for one in found for row in one.rows)
    return int(asked_for or any(one.unexplained for one in found))


def _measured_for(asked: "Sequence[Table]") -> "Figures":
    """What these tables need, from the store or measured now."""
    from gcmforge.study.papers.compare import compare
    from gcmforge.study.papers.making import make_all
    from gcmforge.study.papers.measured import Figures, Measured

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
    from gcmforge.study.papers.zeros import statistics_text, table_statistics

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


# searches, runs, pages, evidence ------------------------------------------------------------------

Rest = Annotated[str, Parameter(allow_leading_hyphen=True)]
"""Arguments of what is run."""


@app.command
def search(name: str | None = None, /, *arguments: Rest) -> int:
    """Searches for smaller circuits; without a name: which ones there are.

    Parameters
    ----------
    name
        sboxes, two-level, towers, twist, inversions, multipliers, records, residues or presets.
    arguments
        Of that search; most print what is kept when there are none.
    """
    from gcmforge.study.searches import SEARCHES

    return _run_script("search", name, arguments, SEARCHES, "gcmforge.study.searches")


@app.command
def run(name: str | None = None, /, *arguments: Rest) -> int:
    """One long run with arguments of its own, printed and not kept; without a name: which ones.

    Parameters
    ----------
    name
        soak, segments, segments-levels, streams, nist, faults, flips, fuzz, beats, control,
        coverage, mutants, mapped, routed, sbox-cores, structure, one-key, calibration, peers or
        lint.
    arguments
        Of that run.
    """
    from gcmforge.study.evidence import RUNS

    return _run_script("run", name, arguments, RUNS, "gcmforge.study.evidence")


def _run_script(
    command: str, name: str | None, arguments: Sequence[str], known: Mapping[str, str], room: str
) -> int:
    if name is None:
        for one, what in known.items():
            print(f"{one:15} {what}")
        return 0
    if name not in known:
        raise ConfigError(f"{command} {name}: there is {', '.join(known)}")
    module = import_module(f"{room}.{name.replace('-', '_')}")
    return int(module.main(list(arguments)) or 0)


@app.command
def pages(name: str | None = None, /, *arguments: Rest) -> int:
    """Write a page of figures, or all of them; without a name: which ones there are.

    Pages are written from a clean commit only, which they name. Figures come from what is kept and
    from the results store where they are there; the others are measured now.

    Parameters
    ----------
    name
        measured, sboxes, goals, bound, features, line-rates, asap7, fpga, papers, soak, beats,
        flips, fuzz, faults, control, mutants, mapped, routed, sign-off, zeros, tools, published;
        or all.
    arguments
        Of that page's writer, such as --minutes 30.
    """
    from gcmforge.study.checkout import clean_commit
    from gcmforge.study.pages import PAGES

    if name is None:
        for one, (what, takes) in PAGES.items():
            print(f"{one:12} {what} ({takes})")
        return 0
    if name not in (*PAGES, "all"):
        raise ConfigError(f"pages {name}: there is {', '.join(PAGES)}, or all")
    if not arguments:
        clean_commit(f"gcmforge-study pages {name}")
    return _write_pages(PAGES if name == "all" else (name,), arguments)


def _write_pages(names: Iterable[str], arguments: Sequence[str]) -> int:
    """Exit code 1 where one could not be written; the others are."""
    from gcmforge.measure.errors import SHOWN

    failed = 0
    for name in names:
        try:
            _write_page(name, arguments)
        except (*SHOWN, *_SHOWN_ERRORS) as error:
            failed += 1
            print(f"gcmforge-study: pages {name}: {error}", file=sys.stderr)
    return int(failed > 0)


def _write_page(name: str, arguments: Sequence[str]) -> None:
    from gcmforge.study.checkout import clean_commit

    kept = {"zeros": "zeros_run", "mutants": "mutants_page", "sign-off": "sign_off"}
    runs = (
        "soak", "beats", "faults", "flips", "fuzz", "control", "mapped", "routed", "asap7", "fpga",
    )  # fmt: skip
    if name in (*runs, *kept):
        import_module(f"gcmforge.study.evidence.{kept.get(name, name)}").write()
    elif name == "published":
        from gcmforge.study.papers.marks import FILE, published_text

        clean_commit("gcmforge-study pages published")
        FILE.write_text(published_text())
    else:
        import_module(f"gcmforge.study.pages.{name.replace('-', '_')}").main(list(arguments))
    print(f"written: {name}", file=sys.stderr)


@app.command
def evidence(
    *names: str,
    jobs: int = 2,
    again: Annotated[bool, Parameter(negative=())] = False,
    write: bool = True,
    listed: Annotated[bool, Parameter(name="--list", negative=())] = False,
    json: Json = False,
) -> int:
    """Run all long runs, or those kinds; may be interrupted, and goes on where it was.

    From a clean commit only. What each step found is kept with its command, seed, version and
    seconds under src/gcmforge/study. At the end it says how long each kind took, and writes the
    pages that show them. Exit code 0 when every step passed.

    Parameters
    ----------
    names
        soak, segments, nist, flips, fuzz, beats, control, coverage, mutants, mapped, routed,
        sbox-cores, zeros, sboxes, papers, measured, features, line-rates, asap7, fpga; all of them
        unless some are named.
    jobs
        Steps at a time.
    again
        Make again what an older version made, though command and SystemVerilog are the same: for
        checks that have changed.
    write
        Write the pages at the end.
    listed
        Only list the kinds, and how many steps each has.
    """
    from gcmforge.study.evidence.kinds import KINDS

    if unknown := [name for name in names if name not in KINDS]:
        raise ConfigError(f"evidence {unknown[0]}: there is {', '.join(KINDS)}")
    chosen = {name: kind for name, kind in KINDS.items() if not names or name in names}
    if listed:
        for name, kind in chosen.items():
            print(f"{name:12}{len(list(kind.steps())):5} steps  {kind.what}")
        return 0
    return _evidence(chosen, jobs, again, write, json)


def _evidence(chosen: "Mapping[str, Kind]", jobs: int, again: bool, write: bool, json: bool) -> int:
    import time

    from gcmforge.study.checkout import clean_commit
    from gcmforge.study.evidence.kinds import keep
    from gcmforge.study.evidence.runner import (
        Done,
        known_records,
        run_steps,
        times_text,
        to_mapping,
    )

    clean_commit("gcmforge-study evidence")
    steps = [step for kind in chosen.values() for step in kind.steps()]
    order = {name: [step.name for step in steps if step.kind == name] for name in chosen}

    def told(done: int, total: int, one: Done) -> None:
        state = "" if one.ok else "FAILED: "
        line = f"{done} of {total}, {one.step.kind}, {one.seconds:.0f} s: {state}{one.text}"
        print(line, file=sys.stderr, flush=True)

    began = time.perf_counter()
    done = run_steps(
        steps, jobs=jobs, known=known_records(chosen, again=again), progress=told,
        keep=lambda step, record: keep(step, record, order),
    )  # fmt: skip
    unwritten = 0
    if write:
        unwritten = _write_pages((page for kind in chosen.values() for page in kind.pages), ())
    if json:
        print_json([to_mapping(one) for one in done])
    else:
        print(times_text(done, time.perf_counter() - began))
    return int(unwritten or not all(one.ok for one in done))
