# SPDX-License-Identifier: Apache-2.0
"""Tables of the pages of measured figures: rows of Results as Markdown."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gcmforge.measure.result import Result

Column = tuple[str, Callable[[Any], str]]
"""A heading, and what of a Result stands below it; only of results that have that figure."""


def origin(result: Result) -> Iterator[str]:
    """What a table's figures are of. Their version is that of the page's last line: a result is
    found by a hash of everything that it depends on."""
    tools = ", ".join(f"{name} {version}" for name, version in result.tools.items())
    yield f"{result.note[0].upper()}{result.note[1:]}; {result.target_family}. Tools: {tools}.\n"


def bits(result: Any, size: int) -> str:
    return f"{result.throughput.rate(size).bits_per_cycle:.1f}"


def table(
    first: str, names: Sequence[str], results: Sequence[Result], columns: Sequence[Column]
) -> Iterator[str]:
    yield from head(first, [heading for heading, _ in columns])
    for name, result in zip(names, results, strict=True):
        yield line(name, (show(result) for _, show in columns))


def head(first: str, headings: Sequence[str]) -> Iterator[str]:
    yield line(first, headings)
    yield line("---", ("---:" for _ in headings))


def line(first: str, cells: Sequence[str] | Iterator[str]) -> str:
    return f"| {first} | {' | '.join(cells)} |"
