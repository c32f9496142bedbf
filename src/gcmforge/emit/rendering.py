# SPDX-License-Identifier: Apache-2.0
"""Templates of a core's texts, with undefined names refused. No date and no path gets into any."""

import textwrap
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gcmforge.version import release

if TYPE_CHECKING:
    from jinja2 import Environment

HERE = Path(__file__).parent


@cache
def _templates() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
    made.globals |= {"wrapped": wrapped, "commented": commented, "noted": noted}
    return made


COLUMNS = 100
"""Of the SystemVerilog in a core's folder."""


def wrapped(head: str, names: Iterable[str], end: str) -> str:
    """`head, NAME, NAME ... end` in lines of at most COLUMNS."""
    text = ", ".join((head, *names)) + end
    deeper = " " * (len(head) - len(head.lstrip()) + 4)
    return "\n".join(
        textwrap.wrap(
            text, COLUMNS, subsequent_indent=deeper, break_long_words=False,
            break_on_hyphens=False, drop_whitespace=True,
        )
    )  # fmt: skip


def commented(text: str, indent: str = "") -> str:
    """A text as comment lines of at most COLUMNS."""
    mark = f"{indent}// "
    return textwrap.fill(text, COLUMNS, initial_indent=mark, subsequent_indent=mark)


def noted(line: str, note: str) -> str:
    """A line with a comment after it, or above it where both do not fit."""
    both = f"{line}  // {note}" if note else line
    if len(both) <= COLUMNS:
        return both
    return f"{commented(note, line[: len(line) - len(line.lstrip())])}\n{line}"


def render(template: str, **values: Any) -> str:
    """That template, with the version of gcmforge and these values."""
    return _templates().get_template(template).render(version=release(), **values)
