# SPDX-License-Identifier: Apache-2.0
"""Results of measurements in one SQLite file, so that nothing is measured twice.

The file is $GCMFORGE_STORE, else results.sqlite in the data folder ($XDG_DATA_HOME/gcmforge, else
~/.local/share/gcmforge): a cache may be emptied at any time, and figures of past versions cannot be
made again. Several processes may use it at once: it is in WAL mode, each write is one transaction,
and a process that is killed leaves what was committed. A row is never changed: its key is a hash
over everything that the result depends on.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self, TypeVar

from gcmforge.config.brief import brief, why_unread
from gcmforge.version import release

T = TypeVar("T")

SCHEMA_VERSION = 1
BUSY_S = 60
"""How long a process waits for another one's transaction."""

_SCHEMA = """
CREATE TABLE result (
  key TEXT PRIMARY KEY,
  kind TEXT NOT NULL,          -- what the text is: "result", or a part of one
  line TEXT NOT NULL,          -- same subject, target and options: one line of the history
  text TEXT NOT NULL           -- JSON
) WITHOUT ROWID;
CREATE INDEX result_by_line ON result (line);
CREATE TABLE seen (            -- the versions of the project that this result belongs to
  key TEXT NOT NULL REFERENCES result (key),
  project TEXT NOT NULL,
  at TEXT NOT NULL,            -- ISO 8601, UTC
  PRIMARY KEY (key, project)
) WITHOUT ROWID;
"""

_STATE = """
SELECT (SELECT user_version FROM pragma_user_version), count(*),
  sum(type = 'table' AND name IN ('result', 'seen')) FROM sqlite_master
"""
_ELSEWHERE = "set GCMFORGE_STORE to a file elsewhere"
_REASONS = {
    sqlite3.SQLITE_FULL: ("the disk is full", f"free some space, or {_ELSEWHERE}"),
    sqlite3.SQLITE_BUSY: (
        "another process keeps it",
        f"try again when that has ended, or {_ELSEWHERE}",
    ),
    sqlite3.SQLITE_READONLY: ("it may not be written", f"change its rights, or {_ELSEWHERE}"),
    sqlite3.SQLITE_IOERR: ("its disk fails, or is full", f"look after the disk, or {_ELSEWHERE}"),
    sqlite3.SQLITE_CANTOPEN: ("it cannot be opened", _ELSEWHERE),
}
"""By SQLite's code: what is the matter with the file, and what to do."""
_OTHER_REASON = ("not a results store", "move it away or set GCMFORGE_STORE")


class StoreError(RuntimeError):
    """The store cannot be used; the text says why and what to do."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """A stored text with one version of the project that it belongs to."""

    key: str
    project: str
    at: str
    text: str


def store_path() -> Path:
    """Where the store is unless another file is asked for."""
    own = os.environ.get("GCMFORGE_STORE")
    if own:
        return Path(own).expanduser()
    shared = os.environ.get("XDG_DATA_HOME")
    folder = Path(shared) if shared else Path.home() / ".local" / "share"
    return folder / "gcmforge" / "results.sqlite"


NO_FIGURE = (
    ":(exclude,glob)docs/**",
    ":(exclude,glob)**/*.md",
    ":(exclude,glob)src/gcmforge/study/*/data/**",
    ":(exclude,glob)src/gcmforge/report/page/published.json",
)
"""For git, to leave out files on which no figure depends: documents, and figures that were kept."""


@cache
def project_version() -> str:
    """Package version, followed by `git describe` where the package runs from a checkout; `-dirty`
    when files that a figure may depend on are not those of the commit."""
    root = Path(__file__).parents[3]
    if not (root / ".git").exists():
        return release()
    try:
        said = _git(root, "describe", "--always", "--tags")
        changed = _git(
            root, "status", "--porcelain", "--untracked-files=no", "--", ":/", *NO_FIGURE
        )
    except (OSError, subprocess.SubprocessError):
        return release()
    return f"{release()}+{said}{'-dirty' if changed else ''}"


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=10, check=True
    ).stdout.strip()


class Store:
    """The open file; a context manager. Not for use by two threads at once."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = store_path() if path is None else Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=BUSY_S, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                f"{self.path}: cannot be opened ({error}); set GCMFORGE_STORE"
            ) from None
        try:
            with self._told():
                self._prepare()
        except StoreError:
            self._db.close()
            raise

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What SQLite says becomes a StoreError that says what to do."""
        try:
            yield
        except UnicodeDecodeError:  # by Python, of what SQLite says of a damaged file
            what, advice = _OTHER_REASON
            raise StoreError(f"{self.path}: {what} (it is damaged); {advice}") from None
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # without what kind of it
            what, advice = _REASONS.get(code, _OTHER_REASON)
            raise StoreError(f"{self.path}: {what} ({brief(error)}); {advice}") from None

    def _prepare(self) -> None:
        """The file is looked at before anything is set in it: it may be another program's."""
        new = self._is_new()
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("PRAGMA foreign_keys = ON")
        if not new:
            return
        with self._transaction():
            if self._is_new():  # no other process was faster
                for statement in _SCHEMA.split(";\n"):
                    if statement.strip():
                        self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def _is_new(self) -> bool:
        """Whether nothing is in the file; StoreError where something else than a store is."""
        version, tables, own = self._db.execute(_STATE).fetchone()
        if version not in (0, SCHEMA_VERSION):
            raise StoreError(
                f"{self.path}: its schema is version {version}, this gcmforge knows version "
                f"{SCHEMA_VERSION}; set GCMFORGE_STORE to another file"
            )
        if (version, tables) != (0, 0) and (version, own) != (SCHEMA_VERSION, 2):
            what, advice = _OTHER_REASON
            raise StoreError(f"{self.path}: {what} (other tables are in it); {advice}")
        return not tables

    def _rows(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        with self._told():
            return self._db.execute(query, values).fetchall()

    def _texts(self, query: str, *values: str) -> list[tuple[str, ...]]:
        found = self._rows(query, *values)
        if not all(isinstance(text, str) for row in found for text in row):
            what, advice = _OTHER_REASON
            raise StoreError(f"{self.path}: {what} (its rows are no texts); {advice}")
        return found

    def read(self, text: str, kind: type[T]) -> T:
        """What a text of this store says; StoreError where it was not written by gcmforge."""
        import msgspec

        try:
            return msgspec.json.decode(text, type=kind)
        except (ValueError, RecursionError) as error:
            what, advice = _OTHER_REASON
            why = f"a text in it is no {kind.__name__}: {why_unread(error)}"
            raise StoreError(f"{self.path}: {what} ({why}); {advice}") from None

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._told():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:  # a full disk ends it by itself
                    self._db.execute("ROLLBACK")
                raise

    def get(self, key: str) -> str | None:
        """The text under a key."""
        found = self._texts("SELECT text FROM result WHERE key = ?", key)
        return found[0][0] if found else None

    def put(
        self,
        key: str,
        text: str,
        *,
        at: str,
        kind: str = "result",
        line: str = "",
        project: str = "",
    ) -> None:
        """Keep a text; one that is there under the key stays as it is."""
        with self._transaction():
            self._db.execute(
                "INSERT OR IGNORE INTO result VALUES (?, ?, ?, ?)", (key, kind, line, text)
            )
            self._see(key, project, at)

    def see(self, key: str, *, project: str, at: str) -> None:
        """Record that the result under the key is also that of this version of the project."""
        if not self._rows("SELECT 1 FROM seen WHERE key = ? AND project = ?", key, project):
            with self._transaction():
                self._see(key, project, at)

    def _see(self, key: str, project: str, at: str) -> None:
        if project:
            self._db.execute("INSERT OR IGNORE INTO seen VALUES (?, ?, ?)", (key, project, at))

    def history(self, line: str) -> list[Row]:
        """Every result of one line with each version of the project it belongs to, oldest first."""
        rows = self._texts(
            "SELECT result.key, project, at, text FROM result JOIN seen USING (key) "
            "WHERE line = ? ORDER BY at, project",
            line,
        )
        return [Row(key=key, project=project, at=at, text=text) for key, project, at, text in rows]

    def of_rtl(self, rtl_sha256: str, *, kind: str = "result") -> list[str]:
        """Every result of a design with exactly this SystemVerilog, by target and command."""
        rows = self._texts(
            "SELECT text FROM result WHERE kind = ? "
            "AND json_extract(text, '$.rtl_sha256') = ? "
            "ORDER BY json_extract(text, '$.target'), json_extract(text, '$.command'), key",
            kind,
            rtl_sha256,
        )
        return [text for (text,) in rows]

    def count(self) -> int:
        """Texts in the store."""
        return int(self._rows("SELECT count(*) FROM result")[0][0])

    @contextmanager
    def claim(self, key: str) -> Iterator[None]:
        """Hold the making of one key: another process that wants it waits here.

        The claim ends with the process, however that ends.
        """
        folder = self.path.with_name(f"{self.path.name}-locks")
        folder.mkdir(exist_ok=True)
        file = folder / key
        while True:
            with closing(_Lock(file)) as lock:
                if lock.is_current():
                    try:
                        yield
                    finally:
                        file.unlink(missing_ok=True)
                    return

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Lock:
    """An exclusive lock on a file that its last holder removes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = path.open("w")
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def is_current(self) -> bool:
        """Whether the locked file is still the one of that name."""
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), self.path.stat())
        except FileNotFoundError:
            return False

    def close(self) -> None:
        self._file.close()
