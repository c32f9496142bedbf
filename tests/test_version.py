# SPDX-License-Identifier: Apache-2.0
"""The version comes from tags; what is written into a core is its release alone."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import gcmforge
from gcmforge import version
from gcmforge.emit import build_core, changes

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("installed", "release"),
    [
        ("0.1.0", "0.1.0"),
        ("0.1.0.post1.dev12+g1a2b3c4d", "0.1.0"),
        ("0.1.0.post1.dev0+g1a2b3c4d.d20260101", "0.1.0"),
        ("1.20.3rc1", "1.20.3"),
        (version.UNKNOWN, "0"),
    ],
)
def test_a_release_is_the_numbers_of_a_version(installed, release):
    assert version.release_of(installed) == release


def test_what_is_no_version_is_refused():
    with pytest.raises(ValueError, match="unknown: not a version"):
        version.release_of("unknown")


@pytest.mark.slow
def test_a_core_is_the_same_at_every_commit_of_a_release(tmp_path, monkeypatch):
    monkeypatch.setattr(version, "installed_version", lambda: "0.1.0.post1.dev1+g1111111")
    build_core(gcmforge.preset("small"), tmp_path / "core", prove=False)
    monkeypatch.setattr(version, "installed_version", lambda: "0.1.0.post1.dev2+g2222222")
    again = build_core(gcmforge.preset("small"), tmp_path / "core", prove=False)
    assert not again.written
    texts = [path.read_text() for path in (tmp_path / "core").rglob("*") if path.is_file()]
    assert any("gcmforge 0.1.0" in text for text in texts)
    assert not any("1111111" in text or ".dev" in text for text in texts)
    monkeypatch.setattr(version, "installed_version", lambda: "0.2.0")
    assert build_core(gcmforge.preset("small"), tmp_path / "core", prove=False).written
    assert not changes(tmp_path / "core")


def test_the_version_is_that_of_the_installed_package():
    from importlib.metadata import version as of_package

    assert gcmforge.__version__ == of_package("gcmforge")


def test_the_fallback_is_the_newest_release_of_the_changelog():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "version" in project["project"]["dynamic"]
    changelog = (ROOT / "CHANGELOG.md").read_text()
    newest = re.search(r"^## \[(\d+\.\d+\.\d+)\]", changelog, re.MULTILINE)
    assert project["tool"]["hatch"]["version"]["fallback-version"] == newest[1]


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.mark.slow
def test_tags_decide_and_every_version_begins_with_its_release(tmp_path):
    """With the build backend, on a small tree that has this project's settings."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for name in ("README.md", "LICENSE", "NOTICE"):
        (tmp_path / name).write_text("text\n")

    def built() -> str:
        command = [sys.executable, "-m", "hatchling", "version"]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        return run.stdout.strip()

    assert built() == "0.1.0"  # no git, as in a source archive
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "first")
    assert version.release_of(built()) == "0.1.0"  # no tag, as in a shallow clone
    git(tmp_path, "tag", "v0.3.0")
    git(tmp_path, "tag", "nightly")
    assert built() == "0.3.0"
    (tmp_path / "README.md").write_text("more\n")
    git(tmp_path, "commit", "-qam", "second")
    assert re.fullmatch(r"0\.3\.0\.post1\.dev1\+g[0-9a-f]+", built())
