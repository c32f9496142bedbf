# SPDX-License-Identifier: Apache-2.0
"""The papers' texts, read on their own: the numbers of each printed table, row by row.

The texts are not part of the project. GCMFORGE_SEEDS names a folder that holds them as .txt files;
without it the tests that need them are skipped.
"""

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

MARKS = {
    "crenne2011": "Efficient Key-Dependent Message Authentication",
    "satoh2007": "High-speed Parallelized Hardware Implementation of GCM",
    "yang2005": "High Speed Architecture for Galois/Counter Mode",
    "mozaffari2012": "Efficient and High-Performance Parallel Hardware Architectures",
    "abdellatif2012": "Efficient Parallel-Pipelined GHASH",
}
"""A line near the beginning of each text."""

NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


@cache
def seed(paper: str) -> list[str]:
    """Lines of a paper's text."""
    folder = os.environ.get("GCMFORGE_SEEDS", "")
    if not folder:
        pytest.skip("GCMFORGE_SEEDS does not name a folder with the papers' texts")
    for path in sorted(Path(folder).glob("*.txt")):
        text = path.read_text("utf-8")
        if any(line.startswith(MARKS[paper]) for line in text[:6000].splitlines()):
            return text.splitlines()
    pytest.skip(f"GCMFORGE_SEEDS={folder} has no text of {paper}")


def between(paper: str, first: str, last: str) -> Iterator[str]:
    """Lines after the first that begins with `first`, up to one that begins with `last`."""
    lines = iter(seed(paper))
    for line in lines:
        if line.startswith(first):
            break
    else:
        raise AssertionError(f"{paper}: no line begins with {first}")
    for line in lines:
        if line.startswith(last):
            return
        yield line


def numbers(line: str) -> list[str]:
    """The numbers of a line, footnote marks and references left out."""
    plain = re.sub(r"<sup>.*?</sup>|[¹²³]|\[\d+\]", " ", line)
    return NUMBER.findall(plain)


def cells(line: str) -> list[str]:
    """What stands between tabs, empty cells left out."""
    return [cell.strip() for cell in line.split("\t") if cell.strip()]
