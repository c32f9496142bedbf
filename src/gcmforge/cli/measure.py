# SPDX-License-Identifier: Apache-2.0
"""gcmforge measure: area, timing, throughput and power of a core or a leaf."""

import json as json_format
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from gcmforge.cli.common import AllowChanged, Json, changed_line, fail, print_json, words_of
from gcmforge.cli.progress import progress_line

if TYPE_CHECKING:
    from gcmforge.measure.result import Result
    from gcmforge.measure.store import Row


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
    placed: Annotated[bool, Parameter(negative=())] = False,
    utilisation: float = 0.7,
    seeds: int = 1,
    leakage: int = 0,
    zero_randomness: Annotated[bool, Parameter(negative=())] = False,
    two_keys: Annotated[bool, Parameter(negative=())] = False,
    jobs: int = 0,
    history: Annotated[bool, Parameter(negative=())] = False,
    allow_changed: AllowChanged = False,
    json: Json = False,
) -> int:
    """Area, timing, throughput and power of a core or a leaf; measured once, then remembered.

    Exit code 0 when everything was measured and the clock, if one was given, is met everywhere.

    Parameters
    ----------
    what
        A preset, a built core's folder, a TOML file of options, or a leaf as aes_sbox/table.
    target
        Names of targets (ge, osu018, xc7, ecp5, ...); ge when none is given.
    liberty
        Files of one more library of standard cells.
    settings
        key=value, overrides an option of a preset or file; may be given more than once.
    clock
        Period in ns that synthesis aims at, and slack is told for (on ge in T_A).
    effort
        How many scripts are tried: quick, normal or high. With high, what loads a core's slowest
        paths without being on them gets buffers of its own, too.
    goal
        What scripts are chosen by: area, delay, or balanced (a small product of both). A core's
        is balanced, a leaf's area, unless you set another.
    power
        Simulate the netlist with gate delays for its power.
    placed
        Place the cells in rows, with a clock tree, time the netlist again with the wires between
        them, and mend it where they made it slow. With --power, its power, too. For libraries
        whose wires are known; needs the extra `place`.
    utilisation
        With --placed: the part of the area that cells take, from 0.1 to 0.95.
    seeds
        Placements of an FPGA, from seed 1 on: its clock is their median.
    leakage
        Nothing but this: traces of simulated power, glitches included, of fixed and of random keys,
        and a t-test between them; of a core with streams of bytes, of a masked core, or of a
        gadget such as masked_sbox. Exit code 1 where it tells them apart. A core's is kept, for
        its datasheet; interrupted, or of more traces, it goes on where it was.
    zero_randomness
        With --leakage: random bits are all 0, which a masked core does not withstand.
    two_keys
        With --leakage: the fixed key, or a gadget's value, against another fixed one.
    jobs
        With --leakage of a core: how much is simulated at a time; 0 is as many as processors.
    history
        Show what is in the store over versions of the project; nothing is measured.
    """
    from gcmforge.measure import measure as page
    from gcmforge.measure.store import Store
    from gcmforge.measure.table import results_text
    from gcmforge.netlist.targets import liberty_target

    if leakage:
        return _leakage(what, target, leakage, zero_randomness, two_keys, jobs, json)
    named: list[Any] = list(target) if target or liberty else ["ge"]
    options = {"settings": settings, "clock_ns": clock, "effort": effort, "goal": goal}
    where = {"placed": placed, "utilisation": utilisation, "seeds": seeds}
    results: list[Result] = []
    changed = ""
    try:
        changed = _changed(what, allow_changed)
        wanted = [*named, *([liberty_target(liberty)] if liberty else [])]
        with Store() as store:
            ask: dict[str, Any] = {**options, **where, "power": power, "store": store}
            if history:
                return _print_history([page.history(what, one, **ask) for one in wanted], json)
            with progress_line() as progress:
                for one in wanted:
                    results.append(page.measure(what, one, progress=progress, **ask))
    except KeyboardInterrupt:
        return fail("interrupted; what was finished is in the store", json=json, code=130)
    except Exception as error:
        from gcmforge.measure.errors import SHOWN

        if not isinstance(error, SHOWN):
            raise
        if results and not json:
            print(results_text(results), flush=True)
        return fail(words_of(error), json=json, results=_mappings(results, changed))
    if json:
        print_json(_mappings(results, changed))
    else:
        print(results_text(results))
        if changed:
            print(changed_line(changed))
    return int(not all(result.meets_clock for result in results))


def _leakage(
    what: str, targets: Sequence[str], traces: int, zero: bool, two: bool, jobs: int, json: bool
) -> int:
    """The t-test, printed; 1 where it fails."""
    from gcmforge.measure.errors import SHOWN
    from gcmforge.measure.gadget_leakage import gadget_leakage, is_gadget
    from gcmforge.measure.leakage import Leakage, leakage
    from gcmforge.measure.leakage_text import leakage_text
    from gcmforge.measure.store import Store
    from gcmforge.netlist.targets import find_target

    found: list[Leakage] = []
    try:
        with progress_line() as progress, Store() as store:
            for name in targets or ("osu018",):
                ask: dict[str, Any] = {"traces": traces, "progress": progress}
                ask["randomness"] = "zero" if zero else "fresh"
                ask["against"] = "fixed" if two else "random"
                if is_gadget(what):
                    found.append(gadget_leakage(what, find_target(name), **ask))
                else:
                    found.append(leakage(what, find_target(name), jobs=jobs, store=store, **ask))
    except KeyboardInterrupt:
        again = "" if is_gadget(what) else "; the same command goes on where it was"
        return fail(f"interrupted{again}", json=json, code=130)
    except SHOWN as error:
        return fail(words_of(error), json=json)
    if json:
        print_json([asdict(one) for one in found])
    else:
        print("\n\n".join(map(leakage_text, found)))
    return int(any(one.fails_at is not None for one in found))


def _changed(what: str, allow_changed: bool) -> str:
    """How the folder that is measured differs from what was built."""
    from gcmforge.config.presets import PRESETS
    from gcmforge.emit import check_unchanged
    from gcmforge.emit.folder import LOCK
    from gcmforge.measure.subject import leaf_names

    if what in PRESETS or what in leaf_names() or not (Path(what) / LOCK).is_file():
        return ""
    return check_unchanged(Path(what), allow_changed=allow_changed)


def _mappings(results: "Sequence[Result]", changed: str) -> list[dict[str, Any]]:
    """For JSON; `changed` is there only where the folder is not what was built."""
    more = {"changed": changed} if changed else {}
    return [json_format.loads(result.to_json()) | more for result in results]


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
