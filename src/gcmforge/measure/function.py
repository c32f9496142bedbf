# SPDX-License-Identifier: Apache-2.0
"""Boolean functions as Liberty writes them: !A, A', A&B, A*B, A B, A|B, A+B, A^B, brackets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_TOKEN = re.compile(r"\s*([A-Za-z_][\w.\[\]]*|[01]|[!'&*|+^()])")


class FunctionError(ValueError):
    """The text is not a Liberty function of the given inputs."""


def truth_table(function: str, inputs: Sequence[str]) -> int:
    """Bit n is the value where inputs[i] is bit i of n; FunctionError when it cannot be read."""
    size = 1 << len(inputs)
    values = {name: sum(1 << n for n in range(size) if n >> i & 1) for i, name in enumerate(inputs)}
    return _Parser(function, values | {"0": 0, "1": (1 << size) - 1}, (1 << size) - 1).whole()


class _Parser:
    """Precedence as in Liberty: ! and ', then ^, then AND, then OR."""

    def __init__(self, text: str, values: Mapping[str, int], ones: int) -> None:
        self.text = text
        self.values = values
        self.ones = ones
        self.tokens = self._tokens()
        self.place = 0

    def _tokens(self) -> list[str]:
        tokens: list[str] = []
        place, text = 0, self.text.strip()
        while place < len(text):
            match = _TOKEN.match(text, place)
            if match is None:
                raise FunctionError(f"function {self.text!r}: what is {text[place:]!r}?")
            tokens.append(match.group(1))
            place = match.end()
        return tokens

    def whole(self) -> int:
        value = self._or()
        if self.place < len(self.tokens):
            raise FunctionError(f"function {self.text!r}: {self.tokens[self.place]!r} is too much")
        return value

    def _next(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def _take(self, wanted: str) -> bool:
        if self._next() and self._next() in wanted:
            self.place += 1
            return True
        return False

    def _or(self) -> int:
        value = self._and()
        while self._take("|+"):
            value |= self._and()
        return value

    def _and(self) -> int:
        value = self._xor()
        while self._take("&*") or self._next() not in ("", ")", "|", "+", "^", "'"):
            value &= self._xor()
        return value

    def _xor(self) -> int:
        value = self._not()
        while self._take("^"):
            value ^= self._not()
        return value

    def _not(self) -> int:
        if self._take("!"):
            return self._not() ^ self.ones
        value = self._atom()
        while self._take("'"):
            value ^= self.ones
        return value

    def _atom(self) -> int:
        token = self._next()
        self.place += 1
        if token == "(":
            value = self._or()
            if not self._take(")"):
                raise FunctionError(f"function {self.text!r}: a bracket is not closed")
            return value
        if token not in self.values:
            raise FunctionError(f"function {self.text!r}: {token or 'the end'!r} is no input")
        return self.values[token]
