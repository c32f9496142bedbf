# SPDX-License-Identifier: Apache-2.0
"""gcmforge specialise: a GHASH, or a whole core, for one key."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from gcmforge.cli.common import Json, core_mapping, core_text, moved, print_json
from gcmforge.cli.progress import progress_line

if TYPE_CHECKING:
    from gcmforge.specialise import Plan, Subkey

KeyFile = Annotated[str | None, Parameter(allow_leading_hyphen=True)]
"""A file's name, or - for standard input."""


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
    feedback: Annotated[bool, Parameter(negative=())] = False,
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
    feedback
        The chain's last stage leads back to its first: messages of any length, as many at a time as
        there are stages. The last block of a message is what its digest is added to.
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
        return moved("--statistics", f"gcmforge-study zeros {statistics}")
    from gcmforge.config import ConfigError
    from gcmforge.specialise import amount, make_plan, read_key_file, read_subkey_file
    from gcmforge.specialise import specialise as make

    plan = make_plan(
        stages=stages, lanes=lanes, cycles=cycles, skewed=skewed, feedback=feedback,
        target=target, effort=effort,
    )  # fmt: skip
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
    with progress_line() as progress:
        progress("minimising and proving")
        made = make(subkey, plan, out, force=force)
    if json:
        print_json(made.to_mapping())
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
    from gcmforge.config import ConfigError
    from gcmforge.config.presets import PRESETS, load_config
    from gcmforge.specialise.core import specialise_core

    if plan != type(plan)(effort=plan.effort):
        raise ConfigError(
            "core with another shape or target: a core's options set how many lanes it has, and "
            "its logic is XOR gates; leave --stages, --lanes, --cycles and --target away"
        )
    named = core in PRESETS
    config = load_config(None if named else Path(core), core if named else None, ())
    with progress_line() as progress:
        made = specialise_core(
            subkey, config, out, effort=plan.effort, force=force, progress=progress
        )
    if json:
        print_json(core_mapping(made))
    else:
        print(f"{core_text(made)}\n  THIS FOLDER IS KEY MATERIAL, and the core takes one key only")
    return 0


def _portfolio(keys: str, plan: "Plan", out: Path, workers: int, json: bool) -> int:
    from gcmforge.specialise import make_portfolio, read_portfolio

    with progress_line() as progress:
        made = make_portfolio(
            read_portfolio(keys), plan, out, workers=workers,
            progress=lambda done, total: progress(f"{done:,} of {total:,} keys"),
        )  # fmt: skip
    if json:
        print_json(made.to_mapping())
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
