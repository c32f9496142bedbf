# SPDX-License-Identifier: Apache-2.0
"""The repository that the study writes into, and the commit that its figures come from."""

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from gcmforge.config import ConfigError
from gcmforge.measure.store import NO_FIGURE

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"

_DIRTY = re.compile(r"\d+\.\d+\.\d+\+\S+?-dirty")
"""A version of the project from a tree that was not that of its commit."""


def clean_commit(what: str) -> str:
    """The commit whose figures are to be written; ConfigError unless the files are that commit's.

    `what` says for the message what was asked. Documents and figures that were kept do not count,
    so that one page can be written after another.
    """
    changed = _git(what, "status", "--porcelain", "--", ":/", *NO_FIGURE).splitlines()
    if changed:
        names = ", ".join(line[3:] for line in changed[:3])
        more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
        raise ConfigError(
            f"{what}: the tree is dirty ({names}{more}), so that nobody could make the same "
            "figures again; commit or stash these files first"
        )
    return _git(what, "rev-parse", "--short=10", "HEAD").strip()


def is_of_a_commit(version: str) -> bool:
    """Whether a version, such as 0.1.0+e005140, is that of a commit of this repository."""
    _, _, described = version.partition("+")
    command = ["git", "-C", str(ROOT), "cat-file", "-e", f"{described}^{{commit}}"]
    return subprocess.run(command, capture_output=True, timeout=60).returncode == 0


def _git(what: str, *arguments: str) -> str:
    if not (ROOT / ".git").exists():
        raise ConfigError(
            f"{what}: {ROOT} is no checkout; clone the repository and install it with pip -e"
        )
    run = subprocess.run(
        ["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, timeout=60
    )
    if run.returncode:
        raise ConfigError(f"{what}: git does not answer ({run.stderr.strip()})")
    return run.stdout


def write_page(page: Path, lines: Iterable[str], command: str) -> None:
    """A page with the commit and the command that it is made by below it.

    Under docs/ only from a clean commit, and only with figures that are from one; a file of
    somebody's own is written from any tree.
    """
    text = "\n".join(lines).rstrip("\n") + "\n"
    if page.is_relative_to(DOCS):
        if found := _DIRTY.search(text):
            raise ConfigError(
                f"{command}: a figure is from version {found.group()}, which nobody could make "
                "again; make it from a clean commit first, by `gcmforge-study evidence`"
            )
        text += f"\n{origin(clean_commit(command), command)}\n"
    whole = page.with_suffix(".part")
    whole.write_text(text, encoding="utf-8")
    whole.replace(page)


def origin(commit: str, command: str) -> str:
    """The last line of a page."""
    return f"Made from commit `{commit}` by `{command}`."
