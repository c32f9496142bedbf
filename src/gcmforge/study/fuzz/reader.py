# SPDX-License-Identifier: Apache-2.0
"""A reader of files, and the judgement of what it did with one."""

import operator
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from gcmforge.cli.common import words_of
from gcmforge.study.fuzz import guard
from gcmforge.study.fuzz.guard import (
    Ended,
    Said,
    TooLongError,
    command,
    differences,
    guarded,
    little_memory,
    standing,
)
from gcmforge.study.fuzz.lines import Lines
from gcmforge.study.fuzz.mutate import Form

LONGEST_MESSAGE = 3_000

Words = Callable[[Path], list[str] | None]
"""From a file to the words of a command that reads it, or None."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reader:
    """One kind of files, and what reads it."""

    name: str
    file: str
    """Where it lies in a folder of its own."""
    samples: tuple[bytes, ...]
    """Valid ones."""
    read: Callable[[Path], object]
    refusals: tuple[type[Exception], ...]
    """The errors that may tell of a wrong file."""
    form: Form
    command: Words = field(default=lambda path: None)
    """That refuses the file, too, where `read` does; of a store it may read less."""
    whole: Words = field(default=lambda path: None)
    """That takes a file which `read` takes, and works with it."""
    prepare: Callable[[Path], None] = field(default=lambda folder: None)
    """What else lies in the folder."""
    share: int = 1
    """How often it is tried, compared with the input's other readers."""
    same: Callable[[bytes, bytes], bool] = operator.eq
    """Whether nothing of what the file held before was changed."""
    stored: bool = False
    """Whether the file is the results store: what is taken may be written."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A folder of a reader's own."""

    reader: Reader
    folder: Path

    @classmethod
    def made(cls, reader: Reader, above: Path) -> "Place":
        folder = above / reader.name.replace(" ", "_")
        folder.mkdir()
        reader.prepare(folder)
        (folder / reader.file).parent.mkdir(parents=True, exist_ok=True)
        return cls(reader=reader, folder=folder)

    @property
    def file(self) -> Path:
        return self.folder / self.reader.file

    def put(self, data: bytes) -> None:
        """The file, with nothing that an earlier one left behind."""
        os.environ["GCMFORGE_STORE"] = str(
            self.file if self.reader.stored else self.folder.parent / "results.sqlite"
        )
        for leftover in self.folder.glob(f"{self.file.name}-*"):
            leftover.unlink() if leftover.is_file() else shutil.rmtree(leftover)
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        self.file.write_bytes(data)

    def tried(self, data: bytes, lines: Lines | None = None) -> "Tried":
        """What the reader does with these bytes."""
        self.put(data)
        before = standing(self.folder)

        def call() -> Ended:
            with little_memory():
                return guarded(lambda: self.reader.read(self.file), guard.LIMIT_S)

        ended, new = (call(), False) if lines is None else lines.new(call)
        taken = ended.error is None
        if taken and self.reader.stored:
            return Tried(taken=True, new=new)
        after = {**standing(self.folder), str(self.file): before[str(self.file)]}
        changed = differences(before, after)
        if not changed and not self.reader.same(data, self.file.read_bytes()):
            changed = self.file.name
        finding = "" if taken else self._refusal(ended)
        if changed and not finding:
            finding = f"changed {changed} and {'took' if taken else 'refused'} it"
        return Tried(taken=taken, new=new, finding=finding)

    def _refusal(self, ended: Ended) -> str:
        """What is wrong with how it was refused; empty when nothing is."""
        error = ended.error
        assert error is not None
        if isinstance(error, TooLongError):
            return f"takes too long: {ended.where}"
        if not isinstance(error, self.reader.refusals):
            return ended.where
        message = words_of(error)
        if not (self.file.name in message or str(self.file.parent) in message):
            return f"the message does not name the file: {ended.where}"
        if not message.isprintable():
            return f"the message is not one printable line: {ended.where}"
        if len(message) > LONGEST_MESSAGE:
            return f"the message is long: {ended.where}"
        return ""

    def refused(self, words: list[str]) -> str:
        """What is wrong with a command that has to refuse the file; empty when nothing is."""
        before = standing(self.folder)
        said = command(words)
        wrong = _wrong(said, (0, 1) if self.reader.stored else (1,))
        if not wrong and said.code and not said.err.startswith("gcmforge: "):
            wrong = "says nothing on standard error"
        return self._told(words, wrong or self._left(before))

    def worked(self, words: list[str]) -> str:
        """What is wrong with a command that may work with the file; empty when nothing is."""
        before = standing(self.folder)
        said = command(words)
        wrong = _wrong(said, (0, 1))
        if not wrong and said.code and not self.reader.stored:
            wrong = self._left(before)
        return self._told(words, wrong)

    def _left(self, before: dict[str, tuple[int, int, int]]) -> str:
        changed = differences(before, standing(self.folder))
        return f"failed and left {changed}" if changed else ""

    def _told(self, words: list[str], wrong: str) -> str:
        return f"gcmforge {words[0]}: {wrong}" if wrong else ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Tried:
    """What became of one file."""

    taken: bool
    new: bool = False
    """Whether it reached a new line."""
    finding: str = ""


def _wrong(said: Said, codes: tuple[int, ...]) -> str:
    if isinstance(said.ended.error, TooLongError):
        return f"takes too long: {said.ended.where}"
    if said.ended.error is not None:
        return said.ended.where
    if "Traceback" in said.err:
        return "a traceback on standard error"
    return "" if said.code in codes else f"exit code {said.code}"
