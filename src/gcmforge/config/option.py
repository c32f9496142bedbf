# SPDX-License-Identifier: Apache-2.0
"""One option: what it means and which values it takes; and the words in which it refuses others."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gcmforge.config import identifiers
from gcmforge.config.brief import brief
from gcmforge.config.names import belongs_to_study


class ConfigError(ValueError):
    """What was asked, what is allowed, what to do: one line, fit to be shown to a user."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Option:
    """What one option means and which values it takes; the metadata of a CoreConfig field.

    Exactly one of `choices`, `numbers` (one of these), `bounds` (lowest and highest, both allowed),
    `subset_of` (any non-empty subset, kept in ascending order) and `identifier` (a name, or none)
    says what is allowed.  `listed_by` is the command that lists choices which are too many for a
    message.
    """

    meaning: str
    choices: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    bounds: tuple[int, int] | None = None
    subset_of: tuple[int, ...] = ()
    identifier: bool = False
    unit: str = ""
    listed_by: str = ""
    expert: str = ""
    """When an engineer would set it by hand; empty for what every engineer decides."""

    @property
    def allowed(self) -> str:
        """The allowed values, for messages and documents."""
        if self.listed_by:
            return f"one of the {len(self.choices)} that `{self.listed_by}` lists"
        if self.choices:
            return either(self.choices)
        if self.numbers:
            return either(map(str, self.numbers))
        if self.identifier:
            return identifiers.ALLOWED
        if self.bounds is not None:
            return f"{self.bounds[0]} to {self.bounds[1]}"
        return f"one or more of {', '.join(map(str, self.subset_of))}"

    def check(self, name: str, value: object) -> None:
        """Raise ConfigError unless `value` has the right type and is allowed."""
        if self.choices:
            fits = isinstance(value, str) and value in self.choices
        elif self.numbers:
            fits = _is_int(value) and value in self.numbers
        elif self.identifier:
            fits = isinstance(value, str) and not identifiers.wrong(value)
        elif self.bounds is not None:
            fits = _is_int(value) and self.bounds[0] <= value <= self.bounds[1]  # type: ignore[operator]
        else:
            listed = value if not self._wrong_type(value) else ()
            fits = bool(listed) and set(listed) <= set(self.subset_of)  # type: ignore[call-overload]
        if not fits:
            reason = self._wrong_type(value) or self._wrong_name(value) or "not allowed"
            raise ConfigError(f"{name}={brief(shown(value))}: {reason}; {self._advice(value)}")

    def _wrong_type(self, value: object) -> str:
        """How the type of a value is wrong; empty when it is not."""
        kind = type(value).__name__
        if self.choices or self.identifier:
            return "" if isinstance(value, str) else f"{kind} instead of text in quotes"
        if self.subset_of:
            right = isinstance(value, tuple) and all(map(_is_int, value))
            return "" if right else "not a list of whole numbers"
        return "" if isinstance(value, int) else f"{kind} instead of whole numbers"

    def _wrong_name(self, value: object) -> str:
        return identifiers.wrong(value) if self.identifier and isinstance(value, str) else ""

    def _advice(self, value: object) -> str:
        near = nearest(value, self.choices) if isinstance(value, str) else []
        hint = f" (did you mean {either(near)}?)" if near else ""
        unit = f" {self.unit}" if self.unit else ""
        return f"use {self.allowed}{unit}{belongs_to_study(value) or hint}"

    def parse(self, name: str, text: str) -> Any:
        """The value that `--set name=text` means; not yet checked against the range."""
        if self.choices or self.identifier:
            return text
        try:
            if self.numbers or self.bounds is not None:
                return int(text, 0)
            if text.startswith("[") and text.endswith("]"):  # as in TOML
                text = text[1:-1]
            return tuple(int(part, 0) for part in text.split(",") if part.strip())
        except ValueError:
            raise ConfigError(f"{name}={text}: not a number; {self._advice(None)}") from None


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """The known names that `name` may have been meant to be, the best first."""
    return difflib.get_close_matches(name, list(known), n=2, cutoff=0.6)


def either(names: Iterable[str]) -> str:
    """a, b or c."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def shown(value: object) -> str:
    """A value as `--set` takes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (tuple, list)):
        return ",".join(map(str, value)) or "(empty)"
    return str(value)


def toml_text(value: object) -> str:
    """A value as TOML has it."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)
