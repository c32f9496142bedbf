# SPDX-License-Identifier: Apache-2.0
"""Texts name only files of bench/ and of the study that exist, and only commands that there are."""

import re
import subprocess
from pathlib import Path

import pytest

from gcmforge.study.evidence import RUNS
from gcmforge.study.evidence.kinds import KINDS
from gcmforge.study.pages import PAGES
from gcmforge.study.searches import SEARCHES

ROOT = Path(__file__).parents[2]
A_CORES_OWN = ("src/gcmforge/emit/", "docs/how-to/verify-a-core.md")
"""They speak of bench/ in the folder of a core."""
FILE = re.compile(r"(?<![\w/.])((?:bench|study|src/gcmforge/study)/[\w./-]*\w\.[a-z]+)\b")
COMMAND = re.compile(r"gcmforge-study\s+(search|run|pages|evidence)\s+([a-z]+[0-9]*(?:-[a-z]+)*)")
NAMES = {
    "search": {*SEARCHES},
    "run": {*RUNS},
    "pages": {*PAGES, "all"},
    "evidence": {*KINDS},
}


@pytest.fixture(scope="module")
def texts():
    """What is read by people: documents, and code with its docstrings and comments."""
    run = subprocess.run(
        ["git", "ls-files", "*.py", "*.md", "*.sv", "*.cpp", "*.toml", "*.j2", "Makefile"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    names = [
        name
        for name in run.stdout.splitlines()
        if not name.startswith(("tests/", *A_CORES_OWN)) and (ROOT / name).is_file()
    ]
    assert len(names) > 300
    return {name: (ROOT / name).read_text(encoding="utf-8") for name in names}


def test_files_that_texts_name_exist(texts):
    named = {(name, path) for name, text in texts.items() for path in FILE.findall(text)}
    assert len(named) > 10
    missing = {
        f"{name}: {path}"
        for name, path in named
        if not (ROOT / path).exists() and not (ROOT / "src/gcmforge" / path).exists()
    }
    assert not missing


def test_commands_of_the_study_that_texts_name_exist(texts):
    named = {(name, *found) for name, text in texts.items() for found in COMMAND.findall(text)}
    assert len(named) > 40
    assert not {f"{name}: {kind} {what}" for name, kind, what in named if what not in NAMES[kind]}
