# SPDX-License-Identifier: Apache-2.0
"""What the study's commands print: JSON, a bar, a line of progress."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def print_json(value: object) -> None:
    print(json.dumps(value, indent=2))


@contextmanager
def bar() -> Iterator[Callable[[int, int, str], None]]:
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
