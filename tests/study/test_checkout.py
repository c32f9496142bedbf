# SPDX-License-Identifier: Apache-2.0
"""Figures come from a clean commit: a page is not written from a tree that differs from it."""

import subprocess

import pytest

from gcmforge.config import ConfigError
from gcmforge.study import checkout


def git(folder, *words):
    also = ("-c", "user.name=Test", "-c", "user.email=test@example.org")
    command = ["git", "-C", str(folder), *also, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A checkout with one source file, one page and one file of kept results."""
    root = tmp_path / "checkout"
    for name in ("src/core.py", "docs/reference/page.md", "src/gcmforge/study/x/data/kept.json"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("before\n")
    git(tmp_path, "init", "-q", str(root))
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Begin")
    monkeypatch.setattr(checkout, "ROOT", root)
    monkeypatch.setattr(checkout, "DOCS", root / "docs")
    return root


def test_a_page_names_the_commit_that_it_is_made_from(tree):
    page = tree / "docs/reference/page.md"
    checkout.write_page(page, ["# Page", "text"], "make it")
    commit = git(tree, "rev-parse", "HEAD")[:10]
    assert page.read_text() == f"# Page\ntext\n\nMade from commit `{commit}` by `make it`.\n"


@pytest.mark.parametrize("name", ["src/core.py", "src/new.py"])
def test_a_page_is_refused_from_a_dirty_tree(tree, name):
    (tree / name).write_text("changed\n")
    page = tree / "docs/reference/page.md"
    with pytest.raises(ConfigError, match=rf"^make it: the tree is dirty \({name}\).*commit or"):
        checkout.write_page(page, ["# Page"], "make it")
    assert page.read_text() == "before\n"
    assert not page.with_suffix(".part").exists()


def test_a_page_with_a_figure_of_a_dirty_tree_is_refused(tree):
    page = tree / "docs/reference/page.md"
    lines = ["# Page", "| small | `0.1.0+8ab89c8` |", "| quad | `0.1.0+8ab89c8-dirty` |"]
    with pytest.raises(ConfigError, match=r"^make it: .* version 0\.1\.0\+8ab89c8-dirty, .*again"):
        checkout.write_page(page, lines, "make it")
    assert page.read_text() == "before\n"


def test_a_version_is_that_of_a_commit_or_it_is_not(tree):
    commit = git(tree, "rev-parse", "--short=7", "HEAD")
    git(tree, "tag", "v0.1.0")
    described = git(tree, "describe", "--always", "--tags", "--long")
    assert described.startswith("v0.1.0-0-g")
    for version in (commit, "v0.1.0", described):
        assert checkout.is_of_a_commit(f"0.1.0+{version}")
    for version in (f"0.1.0+{commit}-dirty", "0.1.0+ed219a8", "0.1.0", ""):
        assert not checkout.is_of_a_commit(version)


def test_many_changed_files_are_not_all_named(tree):
    for number in range(5):
        (tree / f"{number}.py").write_text("new\n")
    with pytest.raises(ConfigError, match=r"\(0\.py, 1\.py, 2\.py and 2 more\)"):
        checkout.clean_commit("make it")


def test_what_the_study_writes_itself_does_not_count(tree):
    (tree / "docs/reference/page.md").write_text("another\n")
    (tree / "src/gcmforge/study/x/data/kept.json").write_text("another\n")
    (tree / "README.md").write_text("new\n")
    assert git(tree, "rev-parse", "HEAD").startswith(checkout.clean_commit("make it"))


def test_a_file_of_somebodys_own_is_written_from_any_tree(tree, tmp_path):
    (tree / "src/core.py").write_text("changed\n")
    checkout.write_page(tmp_path / "own.md", ["# Page", ""], "make it")
    assert (tmp_path / "own.md").read_text() == "# Page\n"


def test_without_a_checkout_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(checkout, "ROOT", tmp_path)
    with pytest.raises(ConfigError, match="is no checkout; clone the repository"):
        checkout.clean_commit("make it")
