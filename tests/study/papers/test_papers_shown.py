# SPDX-License-Identifier: Apache-2.0
"""Every equation, figure, algorithm and lemma of the papers has a file and a test, both there."""

import ast
from functools import cache
from pathlib import Path

import pytest

from gcmforge.study.papers import PAPERS
from gcmforge.study.papers.shown import everything

ROOT = Path(__file__).parents[3]
EVERY = list(everything())


def numbers(text):
    return {name.strip() for name in text.split(",")}


NUMBERED = {
    "yang2005": numbers("(1), (2), (3), Fig. 1 (a), Fig. 1 (b), Fig. 2, Fig. 3, Fig. 4 (a), "
                        "Fig. 4 (b), Fig. 5"),
    "satoh2007": {f"({n})" for n in (*range(1, 8), 10)} | {f"Fig. {n}" for n in range(1, 8)}
    | {f"(8.{c})" for c in "abcde"} | {f"(9.{c})" for c in "abc"},
    "mozaffari2012": {f"({n})" for n in range(1, 9)} | {f"Fig. {n}" for n in (1, 2, 3, 4, 5, 7, 8)}
    | numbers("Fig. 6 (a), Fig. 6 (b), Fig. 6 (c), Lemma 1, Lemma 2, Algorithm 1"),
    "crenne2011": {f"({n})" for n in range(1, 7)} | {f"Fig. {n}" for n in range(1, 5)}
    | numbers("Algorithm 1, Algorithm 2, section III-C"),
    "abdellatif2012": {f"({n})" for n in range(1, 7)} | {f"Fig. {n}" for n in range(1, 7)},
}  # fmt: skip
"""Counted in the papers."""


@cache
def functions(path):
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("paper", PAPERS)
def test_nothing_that_a_paper_numbers_is_left_out(paper):
    names = [one.name for one in EVERY if one.paper == paper]
    assert set(names) == NUMBERED[paper]
    assert len(set(names)) == len(names)


def test_each_has_a_file_and_a_test_that_are_there():
    open_rows = [
        f"{one.paper} {one.name}"
        for one in EVERY
        if not (ROOT / one.file).is_file()
        or one.test.partition("::")[2] not in functions(one.test.partition("::")[0])
    ]
    assert not open_rows
