# SPDX-License-Identifier: Apache-2.0
"""The commands of gcmforge: parse, call, print. Nothing imports this module.

Results go to standard output, as JSON with --json; progress and errors go to standard error. The
exit code is 0 only when what the command claims holds.
"""

import json as json_format
import os
import secrets
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from gcmforge import __version__
from gcmforge.config import ConfigError, CoreConfig
from gcmforge.emit.folder import BuildError
from gcmforge.emit.leaves import ProofRecord
from gcmforge.tools import ToolError

if TYPE_CHECKING:
    from gcmforge.emit import BuiltCore
    from gcmforge.emit.core import Progress
    from gcmforge.explore.explore import Exploration
    from gcmforge.explore.need import Recommendation
    from gcmforge.explore.own import OwnCore
    from gcmforge.explore.space import Survey
    from gcmforge.measure.result import Result
    from gcmforge.measure.store import Row
    from gcmforge.report.explorer import Mark
    from gcmforge.sim.verify import VerifyReport
    from gcmforge.specialise import Plan, Subkey


def _shown_default(value: object) -> object:
    """What help says of a default: nothing of "none" and "no", and no Python."""
    if value in (None, (), False):
        return None
    return "yes" if value is True else value


app = App(
    name="gcmforge",
    help="AES-GCM hardware: from one configuration to verified, proven SystemVerilog.",
    version=__version__,
    result_action="return_value",
    default_parameter=Parameter(show_default=_shown_default),
)

Json = Annotated[bool, Parameter(name="--json", negative=(), help="Print the result as JSON.")]

KeyFile = Annotated[str | None, Parameter(allow_leading_hyphen=True)]
"""A file's name, or - for standard input."""

_SHOWN_ERRORS = (ConfigError, BuildError, ToolError, OSError)
"""Errors whose text is written for the user; anything else is a bug and keeps its traceback."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point of the program gcmforge; ends the process with the command's exit code."""
    if arguments is None:
        signal.signal(signal.SIGTERM, _terminated)
    try:
        code = app(sys.argv[1:] if arguments is None else list(arguments))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    except _SHOWN_ERRORS as error:
        print(f"gcmforge: {error}", file=sys.stderr)
        code = 1
    sys.exit(code)


def _terminated(*_: object) -> None:
    """As Ctrl-C: whatever is under way clears up behind itself."""
    sys.exit(128 + signal.SIGTERM)


# build --------------------------------------------------------------------------------------------


@app.command
def build(
    file: Path | None = None,
    /,
    *,
    out: Annotated[Path, Parameter(name=["--out", "-o"])],
    preset: str | None = None,
    settings: Annotated[tuple[str, ...], Parameter(name="--set", negative=())] = (),
    prove: bool = True,
    datasheet: bool = True,
    measured: Annotated[bool, Parameter(negative=())] = False,
    force: Annotated[bool, Parameter(negative=())] = False,
    json: Json = False,
) -> int:
    """Build a core: from a configuration to a folder that stands alone.

    The same configuration gives the same bytes. Either the whole folder is written or nothing.
    The datasheet's timing comes from a simulation, which is compiled the first time.

    Parameters
    ----------
    file
        TOML file of options. Without it and without --preset: the default core.
    out
        Folder to write. A core that nobody changed since it was built is replaced.
    preset
        A named configuration: default, small, quad, balanced, a line rate from 100g to 800g, or the
        system of a paper, such as yang2005.
    settings
        key=value, overrides an option; may be given more than once.
    prove
        Prove every leaf equal to its specification.
    datasheet
        Write datasheet.html and datasheet.md.
    measured
        Put what the results store has of this very core into the datasheet, too.
    force
        Replace a core's folder even if it was changed.
    """
    from gcmforge.config.presets import load_config
    from gcmforge.emit import build_core
    from gcmforge.report.datasheet import datasheet_documents

    if measured and not datasheet:
        raise ConfigError("--measured with --no-datasheet: there is no page to put it in")
    config = load_config(file, preset, settings)
    with _progress() as progress:
        documents = datasheet_documents(measured=measured, progress=progress)
        core = build_core(
            config, out, prove=prove, force=force, progress=progress,
            documents=documents if datasheet else None,
        )  # fmt: skip
    if json:
        _print_json({**_core_mapping(core), "rate": _rate_lines(config, core.path)})
    else:
        print(f"{_core_text(core)}\n  next: gcmforge verify {core.path} --random 1000")
        for line in _rate_lines(config, core.path):
            print(f"  {line}")
    return 0


def _rate_lines(config: CoreConfig, core: Path) -> tuple[str, ...]:
    """The arithmetic of a core that is a preset's which is named for its line rate."""
    from gcmforge.config.presets import PRESETS, rate_arithmetic

    for named in PRESETS.values():
        if named.config == config and named.clock_mhz is not None:
            return rate_arithmetic(config, named.clock_mhz, named.technology, str(core))
    return ()


def _core_text(core: "BuiltCore") -> str:
    proofs = len(core.proofs)
    proven = f"{proofs} of {proofs} proofs passed" if proofs else "nothing proven (--no-prove)"
    state = "written" if core.written else "already there, unchanged"
    return (
        f"{core.path}: {core.config.summary}\n"
        f"  {len(core.files)} files {state}; {len(core.rtl)} SystemVerilog files, "
        f"top {core.config.top}\n"
        f"  {proven}"
    )


def _core_mapping(core: "BuiltCore") -> dict[str, Any]:
    return {
        "path": str(core.path),
        "written": core.written,
        "config": core.config.to_mapping(),
        "files": list(core.files),
        "rtl": list(core.rtl),
        "proofs": [proof.to_mapping() for proof in core.proofs],
    }


# verify -------------------------------------------------------------------------------------------


@app.command
def verify(
    core: Path,
    /,
    *,
    vectors: Annotated[tuple[Path, ...], Parameter(negative=(), consume_multiple=True)] = (),
    nist: Annotated[bool, Parameter(negative=())] = False,
    random: Annotated[int, Parameter(name="--random")] = 0,
    seed: int | None = None,
    stalls: str = "none",
    trace: Path | None = None,
    json: Json = False,
) -> int:
    """Run vectors or random packets on a built core in Verilator, many packets in flight.

    Prints one line: passed, failed, skipped with the reason. Some hundred edge packets go before,
    not counted. Exit code 1 on any failure, or when nothing was checked.

    Parameters
    ----------
    core
        The core's folder.
    vectors
        Files: NIST CAVP .rsp, or JSON in Wycheproof's schema.
    nist
        The 47,250 NIST vectors of the package cryptography-vectors.
    random
        That many random packets, checked against the package cryptography.
    seed
        Draws stalls and random packets; without it one is drawn and printed.
    stalls
        How the streams pause: none, idle, backpressure or both.
    trace
        Write a waveform of the first failure there.
    """
    from gcmforge.sim.vectors import VectorFileError
    from gcmforge.sim.verify import VerifyJob, nist_files, run_job

    changed = _changed(core)
    if (core / "gen" / "gf128_fixed.sv").is_file():
        raise ConfigError(
            f"{core}: made for one key, and verify sends packets of many, which it refuses; "
            "verify the core with the same options that gcmforge build makes"
        )
    if not json:
        _note_changes(core, changed)
    files = (*vectors, *(nist_files() if nist else ()))
    drawn = secrets.randbits(32) if seed is None else seed
    try:
        job = VerifyJob(
            core=core, vectors=files, packets=random, seed=drawn, stalls=stalls, trace=trace
        )
    except ValueError as error:
        raise ConfigError(str(error)) from None
    with _progress() as progress:
        progress("compiling")
        try:
            report = run_job(
                job, progress=lambda done, total: progress(f"{done:,} of {total:,} packets")
            )
        except VectorFileError as error:
            raise ConfigError(str(error)) from None
    _print_report(report, changed, json)
    return 0 if report.ok else 1


def _changed(core: Path) -> str:
    from gcmforge.emit import changes

    return str(changes(core))


def _note_changes(core: Path, changed: str) -> None:
    if changed:
        print(f"note: {core} was changed since it was built ({changed})", file=sys.stderr)


def _print_report(report: "VerifyReport", changed: str, json: bool) -> None:
    from gcmforge.sim.verify import format_failures, format_line

    if json:
        _print_json({**report.to_mapping(), "changed": changed})
        return
    print(format_line(report))
    for line in format_failures(report):
        print(line, file=sys.stderr)


# sbox ---------------------------------------------------------------------------------------------


@app.command
def sbox(*names: str, json: Json = False) -> int:
    """List the S-boxes: gates, area, delay, source; each is proven while it is listed.

    Any name is a value of the option sbox. Exit code 0 when every proof passes.

    Parameters
    ----------
    names
        S-boxes to tell more of: source, stages that it can be cut into, power that was published.
        Without any, all are listed, one a line.
    """
    from gcmforge.config import SBOXES, options
    from gcmforge.leaf.sbox_list import sbox_details, sbox_figures, sbox_table

    for name in names:
        options()["sbox"].check("sbox", name)
    with _progress() as progress:
        rows = []
        for name in names or SBOXES:
            progress(name)
            rows.append(sbox_figures(name, most_stages=4 if names or json else 1))
    if json:
        _print_json([row.to_mapping() for row in rows])
    else:
        print("\n\n".join(map(sbox_details, rows)) if names else sbox_table(rows))
    return int(not all(row.proof.passed for row in rows))


# prove --------------------------------------------------------------------------------------------


@app.command
def prove(*targets: str, json: Json = False) -> int:
    """Prove leaves equal to their specifications, and their printed text equal to them.

    Parameters
    ----------
    targets
        A built core's folder, or names of leaves as aes_sbox or aes_sbox/table; without any, the
        whole library.
    """
    passed = failed = 0
    records: list[ProofRecord] = []
    with _progress() as progress:
        for record in _proofs(targets, progress):
            passed, failed = passed + record.passed, failed + (not record.passed)
            records.append(record)
            if not json:
                print(_proof_text(record), flush=True)
    if json:
        mapping = [record.to_mapping() for record in records]
        _print_json({"passed": passed, "failed": failed, "proofs": mapping})
    else:
        print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def _proofs(targets: Sequence[str], progress: "Progress") -> Iterator[ProofRecord]:
    from gcmforge.emit import prove_core, prove_library

    folders = [target for target in targets if Path(target).is_dir()]
    names = [target for target in targets if target not in folders]
    for folder in folders:
        _note_changes(Path(folder), _changed(Path(folder)))
        yield from prove_core(Path(folder), progress=progress)
    if names or not folders:
        yield from prove_library(names, progress=progress)


def _proof_text(record: ProofRecord) -> str:
    verdict = "proven" if record.passed else "FAILED"
    name = f"{record.module}/{record.variant}" if record.variant else record.module
    return f"{verdict}  {name}: {record.kind}: {record.detail}"


# measure ------------------------------------------------------------------------------------------


@app.command
def measure(
    what: str,
    /,
    *,
    target: Annotated[tuple[str, ...], Parameter(negative=(), consume_multiple=True)] = (),
    liberty: Annotated[tuple[Path, ...], Parameter(negative=(), consume_multiple=True)] = (),
    settings: Annotated[tuple[str, ...], Parameter(name="--set", negative=())] = (),
    clock: float | None = None,
    effort: str = "normal",
    goal: str | None = None,
    power: Annotated[bool, Parameter(negative=())] = False,
    history: Annotated[bool, Parameter(negative=())] = False,
    json: Json = False,
) -> int:
    """Area, timing, throughput and power of a core or a leaf; measured once, then remembered.

    Exit code 0 when everything was measured and the clock, if one was given, is met everywhere.

    Parameters
    ----------
    what
        A preset, a built core's folder, a TOML file of options, or a leaf as aes_sbox/table.
    target
        Names of targets (ge, osu018, xc7, ecp5, ...); ge when nothing is said.
    liberty
        Files of one more library of standard cells.
    settings
        key=value, overrides an option of a preset or file; may be given more than once.
    clock
        Period in ns that synthesis aims at, and slack is told for (on ge in T_A).
    effort
        How many scripts are tried: quick, normal or high. With high, what loads a core's slowest
        paths without being on them is put behind buffers, too.
    goal
        What scripts are chosen by: area, delay, or balanced (a small product of both). A core's
        is balanced, a leaf's area, unless you say.
    power
        Simulate the netlist with gate delays for its power.
    history
        Show what is in the store over versions of the project; nothing is measured.
    """
    from gcmforge.measure import measure as page
    from gcmforge.measure.store import Store
    from gcmforge.measure.table import results_text
    from gcmforge.netlist.targets import liberty_target

    named: list[Any] = list(target) if target or liberty else ["ge"]
    options = {"settings": settings, "clock_ns": clock, "effort": effort, "goal": goal}
    results: list[Result] = []
    code = 0
    try:
        wanted = [*named, *([liberty_target(liberty)] if liberty else [])]
        with Store() as store:
            ask: dict[str, Any] = {**options, "power": power, "store": store}
            if history:
                return _print_history([page.history(what, one, **ask) for one in wanted], json)
            with _progress() as progress:
                for one in wanted:
                    results.append(page.measure(what, one, progress=progress, **ask))
    except KeyboardInterrupt:
        print("gcmforge: interrupted; what was finished is in the store", file=sys.stderr)
        return 130
    except Exception as error:
        from gcmforge.measure.errors import SHOWN

        if not isinstance(error, SHOWN):
            raise
        print(f"gcmforge: {error}", file=sys.stderr)
        code = 1
    if json:
        print(f"[{','.join(result.to_json() for result in results)}]")
    elif results:
        print(results_text(results))
    return code or int(not all(result.meets_clock for result in results))


def _print_history(lines: "Sequence[Sequence[tuple[Row, Result]]]", json: bool) -> int:
    """Figures of each target over versions of the project; 1 when there are none."""
    from gcmforge.measure.table import history_text

    if json:
        rows = [
            f'{{"project":{json_format.dumps(row.project)},"at":"{row.at}","result":{row.text}}}'
            for line in lines
            for row, _ in line
        ]
        print(f"[{','.join(rows)}]")
    else:
        print("\n\n".join(history_text(line) for line in lines if line))
    if not any(lines):
        print("gcmforge: nothing of it was measured yet; leave --history away", file=sys.stderr)
        return 1
    return 0


# study --------------------------------------------------------------------------------------------


@app.command(show=False)
def papers(*_: Annotated[str, Parameter(allow_leading_hyphen=True)]) -> int:
    """Says where the papers' tables are now."""
    return _moved("gcmforge papers", "gcmforge-study papers")


def _moved(old: str, new: str) -> int:
    print(f"{old}: it is now `{new}`", file=sys.stderr)
    return 2


# specialise ---------------------------------------------------------------------------------------


@app.command
def specialise(
    *,
    key_file: KeyFile = None,
    subkey_file: KeyFile = None,
    keys: KeyFile = None,
    statistics: Annotated[int, Parameter(show=False)] = 0,
    out: Annotated[Path | None, Parameter(name=["--out", "-o"])] = None,
    stages: int = 0,
    lanes: int = 0,
    cycles: int = 1,
    skewed: Annotated[bool, Parameter(negative=())] = False,
    core: str | None = None,
    target: str = "gates",
    effort: str = "normal",
    workers: int = 2,
    force: Annotated[bool, Parameter(negative=())] = False,
    json: Json = False,
) -> int:
    """A GHASH for one key: H folded into XOR logic, minimised, proven (Crenne 2011).

    The key is read from a file or standard input, and what is printed holds nothing of it. The
    folder is key material, readable by its owner only.

    Parameters
    ----------
    key_file
        File with an AES key: 32, 48 or 64 hex digits; - is standard input.
    subkey_file
        File with the hash subkey H instead: 32 hex digits; - is standard input.
    keys
        File with many AES keys, one a line, each with a name before it or not: a folder for each,
        an index and a report. What is there already is proven again, not made again.
    statistics
        Now `gcmforge-study zeros`.
    out
        Folder to write.
    stages
        A chain of that many multipliers: a message of as many blocks every cycle.
    lanes
        Blocks a cycle of messages of any length, with the powers of H in the logic.
    cycles
        Cycles a block of the basic module: 1, or 2 as in the paper.
    skewed
        Blocks come to the stages of a chain one by one, without registers to wait in.
    core
        A preset or a TOML file of options: a whole AES-GCM core that takes this key only.
    target
        What the logic is minimised for: gates, lut4, lut6, or an FPGA family as xcv5 or ecp5.
    effort
        quick, normal (seconds) or high (minutes).
    workers
        Processes at a time (--keys).
    force
        Replace a folder even if it was changed.
    """
    if statistics:
        return _moved("--statistics", f"gcmforge-study zeros {statistics}")
    from gcmforge.specialise import amount, make_plan, read_key_file, read_subkey_file
    from gcmforge.specialise import specialise as make

    plan = make_plan(
        stages=stages, lanes=lanes, cycles=cycles, skewed=skewed, target=target, effort=effort
    )
    if sum(file is not None for file in (key_file, subkey_file, keys)) != 1:
        raise ConfigError(
            "a key is needed, from one place: use --key-file, --subkey-file or --keys FILE"
        )
    if out is None:
        raise ConfigError("a folder to write is needed: use --out DIR")
    if keys is not None:
        return _portfolio(keys, plan, out, workers, json)
    subkey = read_key_file(key_file) if key_file else read_subkey_file(str(subkey_file))
    if core is not None:
        return _fixed_core(core, subkey, plan, out, force, json)
    with _progress() as progress:
        progress("minimising and proving")
        made = make(subkey, plan, out, force=force)
    if json:
        _print_json(made.to_mapping())
    else:
        state = "written" if made.written else "already there, unchanged"
        print(
            f"{made.path}: GHASH for one key, {plan.law}\n"
            f"  {amount(plan, made.units, made.levels)}\n"
            f"  proven: {made.proof}\n"
            f"  {len(made.files)} files {state}; THIS FOLDER IS KEY MATERIAL, for its owner only"
        )
    return 0


def _fixed_core(
    core: str, subkey: "Subkey", plan: "Plan", out: Path, force: bool, json: bool
) -> int:
    from gcmforge.config.presets import PRESETS, load_config
    from gcmforge.specialise.core import specialise_core

    if plan != type(plan)(effort=plan.effort):
        raise ConfigError(
            "core with another shape or target: a core's options say how many lanes it has, and "
            "its logic is XOR gates; leave --stages, --lanes, --cycles and --target away"
        )
    named = core in PRESETS
    config = load_config(None if named else Path(core), core if named else None, ())
    with _progress() as progress:
        made = specialise_core(
            subkey, config, out, effort=plan.effort, force=force, progress=progress
        )
    if json:
        _print_json(_core_mapping(made))
    else:
        print(f"{_core_text(made)}\n  THIS FOLDER IS KEY MATERIAL, and the core takes one key only")
    return 0


def _portfolio(keys: str, plan: "Plan", out: Path, workers: int, json: bool) -> int:
    from gcmforge.specialise import make_portfolio, read_portfolio

    with _progress() as progress:
        made = make_portfolio(
            read_portfolio(keys), plan, out, workers=max(1, workers),
            progress=lambda done, total: progress(f"{done:,} of {total:,} keys"),
        )  # fmt: skip
    if json:
        _print_json(made.to_mapping())
        return 0
    units = made.to_mapping()["units"]
    print(
        f"{made.path}: GHASH for {len(made.entries):,} keys, {plan.law}\n"
        f"  {units['least']:,} to {units['most']:,} {plan.target.unit}s, mean {units['mean']:,}; "
        "all proven\n"
        f"  {made.made:,} made now and {len(made.entries) - made.made:,} before, "
        f"in {made.seconds:.0f} s\n"
        "  THIS FOLDER IS KEY MATERIAL, for its owner only; how it is spread: README.md"
    )
    return 0


# explore ------------------------------------------------------------------------------------------


@app.command
def explore(
    space: Path | None = None,
    /,
    *,
    target: Annotated[tuple[str, ...], Parameter(negative=(), consume_multiple=True)] = (),
    depth: str = "estimate",
    need: str | None = None,
    packet_bytes: int | None = None,
    gbit: float | None = None,
    front: str = "gbit_per_s,area_ge",
    search: int = 0,
    seed: int = 1,
    effort: str = "quick",
    goal: str | None = None,
    power: Annotated[bool, Parameter(negative=())] = False,
    jobs: int | None = None,
    cluster: str | None = None,
    count: Annotated[bool, Parameter(negative=())] = False,
    out: Annotated[Path | None, Parameter(name=["--out", "-o"])] = None,
    mine: Annotated[tuple[Path, ...], Parameter(negative=(), consume_multiple=True)] = (),
    plots: Path | None = None,
    csv: Path | None = None,
    json: Json = False,
) -> int:
    """A space of cores: estimated or measured, its Pareto fronts, and the core that serves a need.

    Exit code 0 when every point has its figures and, with a need, when a core serves it.

    Parameters
    ----------
    space
        TOML file: a configuration whose values may be lists or ranges. Without it and with a need:
        some thousand cores of all sizes.
    target
        Names of targets (osu018, ge; to measure also xc7, ecp5, ...); osu018 when nothing is said.
    depth
        estimate: seconds for thousands. measure: synthesis and simulation; kept in the results
        store, never done twice, and may be interrupted.
    need
        What the core is for: "100 Gbit/s, osu018, 64-byte packets, AES-256, 16 contexts, clock
        200 MHz, latency 300 ns, at most 500 kGE, any IV". The smallest that serves is named; with
        depth measure those that may serve are measured, the smallest first, until one does.
    packet_bytes
        Length of the packets that throughput is told for (1500); part of the need.
    gbit
        Part of the need: Gbit/s.
    front
        Two figures or more that fronts are drawn of.
    search
        Look at so many points only, chosen by NSGA-II, and not at all of them.
    seed
        Draws the points of a search.
    effort
        Of measurements: quick, normal or high; as `gcmforge measure`.
    goal
        Of measurements: area, delay or balanced; as `gcmforge measure`.
    power
        Measure energy, too.
    jobs
        Processes that measure; as many as there are processors unless said.
    cluster
        Address of a Dask scheduler whose workers measure instead.
    count
        Only say how many points there are, and why other combinations are none.
    out
        Write the explorer page there: one HTML file that needs no network.
    mine
        Own points to mark in page and plots: CSV files (columns name, area_ge, gbit_per_s, ...),
        and folders of built cores, those for one key, too, which are measured.
    plots
        Folder for the fronts as SVG and PNG.
    csv
        Write all points there.
    """
    from gcmforge.explore.explore import Plan, serve
    from gcmforge.explore.explore import explore as explore_space
    from gcmforge.explore.need import asked_need
    from gcmforge.explore.own import own_core, own_cores
    from gcmforge.explore.space import Space, common_space
    from gcmforge.report.explorer import core_mark, own_marks

    if space is None and need is None and gbit is None:
        raise ConfigError("explore: name a space (a TOML file) or a need (--need, --gbit)")
    named = common_space() if space is None else Space.from_toml(space)
    survey = named.survey() if count else None
    if survey:
        return _print_survey(survey, json)
    wanted = asked_need(need, gbit, packet_bytes, target)
    plan = Plan(
        targets=target or ("osu018",),
        depth=depth,  # type: ignore[arg-type]
        front=tuple(front.split(",")), points=search, seed=seed, effort=effort, goal=goal,
        power=power, jobs=jobs, cluster=cluster,
        **({} if packet_bytes is None else {"packet_bytes": packet_bytes}),
    )  # fmt: skip
    folders = [own_core(path) for path in mine if path.is_dir()]
    marks = [mark for path in mine if not path.is_dir() for mark in own_marks(path)]
    answer = None
    try:
        with _bar() as bar:
            if wanted:
                found, answer = serve(named, plan, wanted, progress=bar)
            else:
                found = explore_space(named, plan, progress=bar)
            own = own_cores(folders, found.plan)
    except KeyboardInterrupt:
        print("gcmforge: interrupted; what was measured is in the store", file=sys.stderr)
        return 130
    marks += map(core_mark, own)
    _write_exploration(found, out=out, marks=marks, plots=plots, csv=csv)
    _print_exploration(found, answer, own, json)
    failed = any(point.error for point in found.points)
    return int(failed or (answer is not None and answer.best is None))


def _write_exploration(
    found: "Exploration",
    *,
    out: Path | None,
    marks: "Sequence[Mark]",
    plots: Path | None,
    csv: Path | None,
) -> None:
    """The files that were asked for; each is named on standard error."""
    from gcmforge.report.explore import points_csv
    from gcmforge.report.explorer import page
    from gcmforge.report.front_plot import save_plots

    written = []
    if csv:
        csv.write_text(points_csv(found.points))
        written.append(csv)
    if out:
        out.write_text(page(found, mine=marks), encoding="utf-8")
        written.append(out)
    if plots:
        written += save_plots(found, plots, marks)
    for file in written:
        print(f"written: {file}", file=sys.stderr)


def _print_survey(survey: "Survey", json: bool) -> int:
    from gcmforge.report.explore import survey_text

    if json:
        _print_json({"points": len(survey.points), "invalid": dict(survey.invalid)})
    else:
        print(survey_text(survey))
    return int(not survey.points)


def _print_exploration(
    found: "Exploration", answer: "Recommendation | None", own: "Sequence[OwnCore]", json: bool
) -> None:
    from gcmforge.explore.estimate import accuracy
    from gcmforge.report.explore import errors_text, front_tables, own_text, recommendation_text

    if json:
        beside: dict[str, Any] = {"own": [core.to_mapping() for core in own]} if own else {}
        beside |= {"answer": answer.to_mapping()} if answer else {}
        _print_json(found.to_mapping() | beside)
        return
    if answer:
        print(recommendation_text(answer))
    else:
        from rich.console import Console

        console = Console() if sys.stdout.isatty() else Console(width=200)
        for table in front_tables(found):
            console.print(table)
    if own:
        print(own_text(own))
    if found.plan.depth == "estimate":
        for target in found.plan.targets:
            print(accuracy(target).text)
    if errors := errors_text(found):
        print(errors, file=sys.stderr)


# doctor -------------------------------------------------------------------------------------------


@app.command
def doctor(*, json: Json = False) -> int:
    """Say which tools are found, which versions, and what each missing one would enable.

    Exit code 0 when everything is there that build, prove and verify need.
    """
    from gcmforge.doctor import REQUIRED, examine

    report = examine()
    if json:
        _print_json(report.to_mapping())
        return 1 if report.missing else 0
    for tool in report.tools:
        if tool.found:
            print(f"  found    {tool.name:22} {tool.version}")
        else:
            need = "MISSING" if tool.name in REQUIRED else "absent"
            print(f"  {need:8} {tool.name:22} would enable: {tool.enables}; get it: {tool.install}")
    if report.missing:
        print(f"missing for build, prove and verify: {', '.join(report.missing)}")
        return 1
    print("everything that build, prove and verify need was found")
    return 0


# common -------------------------------------------------------------------------------------------


def _print_json(value: object) -> None:
    print(json_format.dumps(value, indent=2))


@contextmanager
def _bar() -> "Iterator[Callable[[int, int, str], None]]":
    """A bar on standard error with the time that is left, while that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total, what: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    columns = (BarColumn(20), MofNCompleteColumn(), TimeLeft(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("starting", total=None)
        yield lambda done, total, what: shown.update(
            task, completed=done, total=total, description=what
        )


@contextmanager
def _progress() -> "Iterator[Progress]":
    """A line on standard error that says what is being done, while that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda step: None
        return
    from rich.console import Console

    with Console(stderr=True).status("starting") as status:
        yield status.update
