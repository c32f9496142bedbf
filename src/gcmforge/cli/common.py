# SPDX-License-Identifier: Apache-2.0
"""What commands share: how they print, and how they tell that they are under way."""

import json as json_format
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

if TYPE_CHECKING:
    from gcmforge.emit import BuiltCore
    from gcmforge.emit.core import Progress

Json = Annotated[bool, Parameter(name="--json", negative=(), help="Print the result as JSON.")]


def core_text(core: "BuiltCore") -> str:
    """What was built, for people."""
    proofs = len(core.proofs)
    proven = f"{proofs} of {proofs} proofs passed" if proofs else "nothing proven (--no-prove)"
    state = "written" if core.written else "already there, unchanged"
    return (
        f"{core.path}: {core.config.summary}\n"
        f"  {len(core.files)} files {state}; {len(core.rtl)} SystemVerilog files, "
        f"top {core.config.named(core.config.top)}\n"
        f"  {proven}"
    )


def core_mapping(core: "BuiltCore") -> dict[str, Any]:
    """The same for programs."""
    return {
        "path": str(core.path),
        "written": core.written,
        "config": core.config.to_mapping(),
        "files": list(core.files),
        "rtl": list(core.rtl),
        "proofs": [proof.to_mapping() for proof in core.proofs],
    }


def changes_of(core: Path) -> str:
    """What differs from the folder as it was built; empty when nothing does."""
    from gcmforge.emit import changes

    return str(changes(core))


def note_changes(core: Path, changed: str) -> None:
    """Says on standard error that the folder was changed."""
    if changed:
        print(f"note: {core} was changed since it was built ({changed})", file=sys.stderr)


def moved(old: str, new: str) -> int:
    """Says what a command is called now; 2, the exit code of a wrong command line."""
    print(f"{old}: it is now `{new}`", file=sys.stderr)
    return 2


def print_json(value: object) -> None:
    """On standard output."""
    print(json_format.dumps(value, indent=2))


@contextmanager
def bar() -> "Iterator[Callable[[int, int, str], None]]":
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
def progress_line() -> "Iterator[Progress]":
    """A line on standard error that says what is being done, while that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda step: None
        return
    from rich.console import Console

    with Console(stderr=True).status("starting") as status:
        yield status.update
