# SPDX-License-Identifier: Apache-2.0
"""A core's folder on disk: written whole or not at all, and locked by the hash of every file."""

import fcntl
import hashlib
import os
import shutil
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from gcmforge.config.brief import why_unread
from gcmforge.tools import naming
from gcmforge.version import release

LOCK = "gcmforge.lock"

_BY_PRODUCTS = ("bench/results.xml",)
_BY_PRODUCT_FOLDERS = ("bench/sim_build/", "bench/__pycache__/")
"""What running the bench leaves in the folder: neither part of the core nor a change to it."""


class BuildError(RuntimeError):
    """A core could not be made or opened; the text is one line for the user."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Changes:
    """How a folder differs from its lock file."""

    changed: tuple[str, ...]
    missing: tuple[str, ...]
    added: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.changed or self.missing or self.added)

    def __str__(self) -> str:
        kinds = (("changed", self.changed), ("missing", self.missing), ("added", self.added))
        return "; ".join(f"{kind}: {', '.join(names)}" for kind, names in kinds if names)


def with_lock(files: Mapping[str, str]) -> dict[str, str]:
    """The files and their lock file."""
    lines = [
        "# SHA-256 of every other file of this folder, as gcmforge wrote it.",
        f'generator = "gcmforge {release()}"',
        "",
        "[sha256]",
        *(f'"{name}" = "{sha256(text.encode())}"' for name, text in sorted(files.items())),
    ]
    return {**files, LOCK: "\n".join(lines) + "\n"}


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def read_lock(folder: Path) -> dict[str, str]:
    """File name -> SHA-256 as locked; BuildError when this is no core's folder."""
    try:
        lock = tomllib.loads((folder / LOCK).read_text(encoding="utf-8"))
        return {str(name): str(value) for name, value in lock["sha256"].items()}
    except FileNotFoundError:
        raise BuildError(
            f"{folder}: not a core's folder (no {LOCK}); make one with: gcmforge build -o {folder}"
        ) from None
    except (OSError, ValueError, KeyError, AttributeError, RecursionError) as error:
        raise BuildError(f"{folder / LOCK}: cannot be read ({why_unread(error)})") from None


def changes(folder: Path) -> Changes:
    """How the folder differs from what was written. Files that its bench makes do not count."""
    locked = read_lock(folder)
    present = {
        path.relative_to(folder).as_posix(): path
        for path in folder.rglob("*")
        if path.is_symlink() or not path.is_dir()
    }
    return Changes(
        changed=tuple(
            sorted(
                name
                for name in locked.keys() & present.keys()
                if _hash_of(present[name]) != locked[name]
            )
        ),
        missing=tuple(sorted(locked.keys() - present.keys())),
        added=tuple(
            sorted(
                name
                for name in present.keys() - locked.keys() - {LOCK}
                if name not in _BY_PRODUCTS and not name.startswith(_BY_PRODUCT_FOLDERS)
            )
        ),
    )


def _hash_of(path: Path) -> str:
    """Of a file's bytes; nothing for a link to none, a folder, or what else is no file."""
    return sha256(path.read_bytes()) if path.is_file() else ""


def check_unchanged(folder: Path, *, allow_changed: bool = False) -> str:
    """What differs from the folder as it was built; empty when nothing does.

    BuildError names every file that was changed, is missing or was added. With `allow_changed` it
    comes only where a file of the file list is missing: what is left is no core.
    """
    found = changes(folder)
    if found and not allow_changed:
        raise BuildError(
            f"{folder}: was changed since it was built ({found}); build it again, or take it as it "
            "is with --allow-changed (in Python allow_changed=True)"
        )
    locked = read_lock(folder) if found.missing else ()
    lists = {name for name in locked if name.endswith(".f")} - {*found.missing}
    needed = {name for one in lists for name in (folder / one).read_text().split()}
    needed |= {name for name in found.missing if name == "core.toml" or name.endswith(".f")}
    if gone := [name for name in found.missing if name in needed]:
        raise BuildError(f"{folder}: not a whole core (missing: {', '.join(gone)}); build it again")
    return str(found)


def standing(target: Path) -> str:
    """What is there now, to be compared later: the hash of its lock; empty where nothing is."""
    if (target / LOCK).is_file():
        return sha256((target / LOCK).read_bytes())
    return "no core" if target.exists() and any(target.iterdir()) else ""


def check_target(target: Path, *, force: bool) -> str:
    """Raise BuildError unless a core may be written there; else what is `standing` there.

    A new or empty folder may be; so may a core's folder that nobody changed since it was written.
    force also replaces a changed one, but never a folder that is something else.
    """
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise BuildError(f"{target}: exists and is not a folder; choose another name")
    for parent in target.parents:
        if parent.exists() and not parent.is_dir():
            raise BuildError(f"{target}: {parent} is not a folder; choose another name")
    before = standing(target)
    if not before:
        return before
    if not (target / LOCK).is_file():
        raise BuildError(
            f"{target}: exists and is not a core's folder (no {LOCK}); choose another name"
        )
    if not force and (difference := changes(target)):
        raise BuildError(
            f"{target}: was changed since it was built ({difference}); "
            "choose another name, or replace it with --force"
        )
    return before


def write_folder(
    files: Mapping[str, str], target: Path, *, private: bool = False, before: str | None = None
) -> bool:
    """Put the files there in one step, replacing a folder; False when it holds these already.

    private: only the owner can read the folder and its files, from the moment they exist.
    before: what `check_target` found. BuildError when something else is there now, as of two builds
    that run at the same time only one may say that its core is there.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with naming(target, always=True), _alone_in(target.parent):
        if (target / LOCK).is_file() and _same(files, target):
            if private:
                _close(target)
            return False
        if before is not None and standing(target) != before:
            raise BuildError(
                f"{target}: another build wrote there in the meantime, and what it wrote stays; "
                "choose another name, or build again to replace it"
            )
        _put(files, target, private)
    return True


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """One process at a time puts folders into this one. The lock is the folder's own: it leaves no
    file, and ends with the process."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some file systems of networks lock no folders
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _put(files: Mapping[str, str], target: Path, private: bool) -> None:
    partial = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        _fill(partial / "new", files, private)
        try:
            if target.exists():
                target.rename(partial / "old")
            (partial / "new").rename(target)
        except BaseException:  # an interruption, too
            if (partial / "old").exists() and not target.exists():
                (partial / "old").rename(target)
            raise
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _same(files: Mapping[str, str], target: Path) -> bool:
    return (target / LOCK).read_text() == files[LOCK] and not changes(target)


def _close(folder: Path) -> None:
    """Take everybody else's rights to what is there."""
    folder.chmod(0o700)
    for path in folder.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)


def write_private(file: Path, text: str) -> None:
    """One file that only its owner can read, whole or not at all."""
    partial = file.with_name(f".{file.name}.partial")
    with naming(file, always=True):
        _write(partial, text, 0o600)
        partial.replace(file)


def _fill(folder: Path, files: Mapping[str, str], private: bool) -> None:
    for name, text in files.items():
        file = folder / name
        for parent in reversed(file.relative_to(folder).parents):
            (folder / parent).mkdir(mode=0o700 if private else 0o777, exist_ok=True)
        _write(file, text, 0o600 if private else 0o666)


def _write(file: Path, text: str, mode: int) -> None:
    def opener(path: str, flags: int) -> int:
        return os.open(path, flags, mode)

    with open(file, "w", encoding="utf-8", newline="\n", opener=opener) as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
