# SPDX-License-Identifier: Apache-2.0
"""Results that take long to make, kept under a key that names everything they depend on.

The folder is $GCMFORGE_CACHE, else $XDG_CACHE_HOME/gcmforge, else ~/.cache/gcmforge. Removing it is
always safe.
"""

import fcntl
import hashlib
import json
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from gcmforge.tools import cache_folder as cache_folder

_PROGRAM_FOLDERS = ("field", "model", "circuit", "leaf")


def digest(*parts: str) -> str:
    """SHA-256 over the parts and their boundaries, as hex."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


@cache
def program_digest() -> str:
    """SHA-256 over the sources and data that make and prove leaves: a change voids every result."""
    package = Path(__file__).parent
    files = sorted(path for name in _PROGRAM_FOLDERS for path in (package / name).rglob("*.*"))
    texts = (path for path in files if path.suffix in (".py", ".txt"))
    return digest(*(f"{path.relative_to(package)}\n{path.read_text()}" for path in texts))


def cached(
    kind: str, key: str, make: Callable[[], dict[str, Any]], *, least_s: float = 0.0
) -> dict[str, Any]:
    """make()'s JSON-able result, from the cache where it is already there under kind and key. What
    takes no more than `least_s` to make is not kept."""
    file = cache_folder() / kind / f"{key}.json"
    try:
        result: dict[str, Any] = json.loads(file.read_text())
    except (OSError, ValueError):
        began = time.perf_counter()
        result = make()
        if time.perf_counter() - began > least_s:
            keep(file, json.dumps(result).encode())
    return result


def keep(file: Path, data: bytes) -> None:
    """Write whole or not at all; a cache that cannot be written is no error."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as partial:
            path = Path(partial.name)
            try:
                partial.write(data)
                partial.flush()
                path.replace(file)
            except BaseException:
                path.unlink(missing_ok=True)
                raise
    except OSError:
        return


@contextmanager
def locked(entry: Path) -> Iterator[None]:
    """One process at a time for one entry; a dead process leaves no lock."""
    entry.parent.mkdir(parents=True, exist_ok=True)
    with entry.with_name(entry.name + ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def new_entry(entry: Path) -> Iterator[Path]:
    """A folder to fill, which takes the entry's name when the block ends well."""
    work = Path(tempfile.mkdtemp(prefix=".work-", dir=entry.parent))
    try:
        work.chmod(0o755)
        yield work
        if entry.exists():
            shutil.rmtree(entry)
        work.rename(entry)
    finally:
        shutil.rmtree(work, ignore_errors=True)
