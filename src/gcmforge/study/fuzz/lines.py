# SPDX-License-Identifier: Apache-2.0
"""Which lines of the readers a file reaches: one that reaches a new line is changed further."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from gcmforge.study.fuzz.guard import Ended


class Lines:
    """The lines of some source files that were reached so far."""

    def __init__(self, files: frozenset[str]) -> None:
        self.files = files
        self.reached: set[tuple[str, int]] = set()

    def new(self, call: Callable[[], Ended]) -> tuple[Ended, bool]:
        """What a call returns, and whether it reached a line that none before it did."""
        before = len(self.reached)
        sys.settrace(self._enter)
        try:
            ended = call()
        finally:
            sys.settrace(None)
        return ended, len(self.reached) > before

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        return self._line if frame.f_code.co_filename in self.files else None

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            self.reached.add((frame.f_code.co_filename, frame.f_lineno))
        return self._line
