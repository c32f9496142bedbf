# SPDX-License-Identifier: Apache-2.0
"""Every page of figures tells the commit that it is made from, and that commit is here."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from gcmforge.study.checkout import is_of_a_commit
from gcmforge.study.pages import PAGES

ROOT = Path(__file__).parents[2]
FIGURES = sorted({*re.findall(r"docs/\S+?\.md", " ".join(what for what, _ in PAGES.values()))})
ORIGIN = re.compile(
    r"\n\nMade from commit `([0-9a-f]{10})` by `gcmforge-study pages ([\w-]+)`\.\n\Z"
)
VERSION = re.compile(r"\b\d+\.\d+\.\d+\+[\w.-]*\w")


@cache
def has_history() -> bool:
    """Whether all commits are here: not in an archive, nor in a shallow clone."""
    command = ["git", "-C", str(ROOT), "rev-parse", "--is-shallow-repository"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return (ROOT / ".git").exists() and run.stdout.strip() == "false"


def test_every_page_that_a_writer_makes_is_known():
    written = [
        str(page.relative_to(ROOT))
        for page in (ROOT / "docs").rglob("*.md")
        if "Written by `gcmforge-study pages" in page.read_text(encoding="utf-8")
    ]
    assert sorted({*written, "docs/theory/table-zeros.md"}) == FIGURES


@pytest.mark.parametrize("page", FIGURES)
def test_a_page_of_figures_ends_with_the_commit_that_it_is_made_from(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    origin = ORIGIN.search(text)
    assert origin, f"run: gcmforge-study pages {Path(page).stem}, from a clean commit"
    assert page in PAGES[origin[2]][0]
    assert "-dirty" not in text
    if not has_history():
        pytest.skip("the commits are not here to be looked for")
    versions = {f"+{origin[1]}", *VERSION.findall(text)}
    assert [version for version in sorted(versions) if not is_of_a_commit(version)] == []
