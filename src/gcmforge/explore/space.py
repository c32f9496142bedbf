# SPDX-License-Identifier: Apache-2.0
"""A space of cores: a configuration whose values may be lists or ranges.

    lanes = [1, 2, 4]                            # these values
    ghash_stages = "1..4"                        # every whole number from 1 to 4
    contexts = { from = 1, to = 64, times = 2 }  # 1, 2, 4 .. 64; or step = 3
    key_sizes = [[128], [128, 192, 256]]         # two sets; [128, 256] would be one
    sbox = "fast"                                # the same in every core

What is not named keeps its default. A point that contradicts itself is not part of the space, and
is known as such before anything is estimated or measured.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Self

from gcmforge.config import ConfigError, CoreConfig, check_names, options
from gcmforge.config.brief import brief
from gcmforge.config.core import toml_values

MOST_ENUMERATED = 250_000
"""Combinations up to which a space is looked at one by one; a larger one is searched."""

_RANGE = re.compile(r"\s*(\d{1,18})\s*\.\.\s*(\d{1,18})\s*")
_RANGE_KEYS = {"from", "to", "step", "times"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Axis:
    """One option and the values that it takes, in the order in which they were written."""

    name: str
    values: tuple[Any, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Survey:
    """Every combination of a space, sorted out."""

    points: tuple[CoreConfig, ...]
    invalid: Mapping[str, int]
    """Combinations that contradict themselves, by the first reason that was found."""

    @property
    def combinations(self) -> int:
        return len(self.points) + sum(self.invalid.values())


@dataclass(frozen=True, kw_only=True, slots=True)
class Space:
    """Axes in the order of CoreConfig's options; the last one changes fastest."""

    axes: tuple[Axis, ...]

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Self:
        """From option names and values, lists or ranges, as read from TOML."""
        if not values:
            raise ConfigError(
                "no option is named, so that this space has the default core only; name an option "
                "and its values, such as lanes = [1, 2, 4]"
            )
        check_names(values)
        return cls(axes=tuple(_axis(name, values[name]) for name in options() if name in values))

    @classmethod
    def from_toml(cls, path: Path) -> Self:
        """From a TOML file; ConfigError says what is wrong with it."""
        values = toml_values(path)
        try:
            return cls.from_mapping(values)
        except ConfigError as error:
            raise ConfigError(f"{path}: {error}") from None

    @property
    def combinations(self) -> int:
        """How many there are, contradictory ones included."""
        return math.prod(len(axis.values) for axis in self.axes)

    @property
    def is_small(self) -> bool:
        """Whether it can be looked at one by one."""
        return self.combinations <= MOST_ENUMERATED

    def config(self, choice: Sequence[int]) -> CoreConfig:
        """The core with that value on each axis; ConfigError when it contradicts itself."""
        values = {
            axis.name: axis.values[index] for axis, index in zip(self.axes, choice, strict=True)
        }
        return CoreConfig(**values)

    def survey(self) -> Survey:
        """Every combination in order: those that can be built, and why the others cannot."""
        if not self.is_small:
            raise ConfigError(
                f"{self.combinations:,} combinations: at most {MOST_ENUMERATED:,} are looked at "
                "one by one; search them (--search), or name fewer values"
            )
        points: list[CoreConfig] = []
        invalid: Counter[str] = Counter()
        for choice in self.choices():
            try:
                points.append(self.config(choice))
            except ConfigError as error:
                invalid[_reason(str(error))] += 1
        return Survey(points=tuple(dict.fromkeys(points)), invalid=dict(invalid))

    def choices(self) -> Iterator[tuple[int, ...]]:
        """Indices on the axes, in the space's order."""
        return itertools.product(*(range(len(axis.values)) for axis in self.axes))


def common_space() -> Space:
    """Some thousand cores of all sizes: data/cores.toml."""
    with as_file(files("gcmforge.explore") / "data" / "cores.toml") as path:
        return Space.from_toml(path)


def _reason(message: str) -> str:
    """A contradiction without its values: "lanes=2 with ghash=serial" is lanes with ghash."""
    subject = message.partition(":")[0]
    return re.sub(r"=\S+", "", subject)


def _axis(name: str, value: Any) -> Axis:
    """The axis that a value in the file means; each of its values is checked by itself."""
    option = options()[name]
    if option.identifier:
        raise ConfigError(f"{name}: cores of any {name} are the same core; leave it out of a space")
    values = _values(name, value, is_set=bool(option.subset_of))
    if not values:
        raise ConfigError(f"{name}=[]: no values; name at least one, or leave {name} away")
    taken: dict[Any, None] = {}
    for one in values:
        fixed = tuple(one) if isinstance(one, list) else one
        option.check(name, fixed)
        if fixed in taken:
            raise ConfigError(f"{name}: {brief(one)} is there twice; name it once")
        taken[fixed] = None
    return Axis(name=name, values=tuple(taken))


def _values(name: str, value: Any, *, is_set: bool) -> list[Any]:
    if isinstance(value, dict):
        return _range(name, value)
    if isinstance(value, str) and (ends := _RANGE.fullmatch(value)):
        return _range(name, {"from": int(ends[1]), "to": int(ends[2])})
    if not isinstance(value, list):
        return [value]
    if is_set and not (value and all(isinstance(one, list) for one in value)):
        return [value]  # one set of numbers, as in a configuration
    return value


def _range(name: str, value: Mapping[str, Any]) -> list[int]:
    """Whole numbers from one end to the other by steps or factors."""
    unknown = sorted(set(value) - _RANGE_KEYS)
    numbers = [value.get(key, 1) for key in _RANGE_KEYS]
    if unknown or not {"from", "to"} <= set(value) or ("step" in value and "times" in value):
        raise ConfigError(
            f"{name}: not a range; use {{ from = 1, to = 8 }} with step = 2 or times = 2, or "
            f'"1..8"{f" ({brief(unknown[0])} is unknown)" if unknown else ""}'
        )
    if not all(isinstance(number, int) and not isinstance(number, bool) for number in numbers):
        raise ConfigError(f"{name}: a range has whole numbers only")
    low, high = value["from"], value["to"]
    step, times = value.get("step", 1), value.get("times", 1)
    if low > high or step < 1 or times < 1 or (times > 1 and low < 1):
        raise ConfigError(
            f"{name}: a range goes up, from {brief(low)} to {brief(high)}; use steps above 0"
        )
    if times == 1:
        if (count := (high - low) // step + 1) > MOST_ENUMERATED:
            many = brief(count, "{:,}".format)
            raise ConfigError(
                f"{name}: {many} values from {brief(low)} to {brief(high)}; use a larger step"
            )
        return list(range(low, high + 1, step))
    found = []
    while low <= high:
        found.append(low)
        low *= times
    return found
