# SPDX-License-Identifier: Apache-2.0
"""The repository that the study writes into, and the commit that its figures come from."""

import subprocess
from collections.abc import Iterable
from pathlib import Path

from gcmforge.config import ConfigError
from gcmforge.measure.store import NO_FIGURE

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"


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

    Under docs/ only from a clean commit; a file of somebody's own is written from any tree.
    """
    text = "\n".join(lines).rstrip("\n") + "\n"
    if page.is_relative_to(DOCS):
        text += f"\n{origin(clean_commit(command), command)}\n"
    whole = page.with_suffix(".part")
    whole.write_text(text, encoding="utf-8")
    whole.replace(page)


def origin(commit: str, command: str) -> str:
    """The last line of a page."""
    return f"Made from commit `{commit}` by `{command}`."
