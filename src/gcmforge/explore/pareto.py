# SPDX-License-Identifier: Apache-2.0
"""Which points no other point beats: the Pareto front."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Goal:
    """A figure of a point, and whether more of it is better."""

    name: str
    more_is_better: bool


def front(rows: Sequence[Sequence[float | None]], goals: Sequence[Goal]) -> list[int]:
    """Indices, in order, of the rows that no row beats: none is as good in all goals and better
    in one. A row that lacks a figure is on no front; of equal rows the first one is."""
    signed: dict[int, tuple[float, ...]] = {}
    for index, row in enumerate(rows):
        known = [value for value in row if value is not None]
        if len(known) == len(goals):
            signed[index] = tuple(
                -value if goal.more_is_better else value
                for value, goal in zip(known, goals, strict=True)
            )
    found: list[int] = []
    for index in sorted(signed, key=lambda i: (signed[i], i)):
        # Whatever beats this row sorts before it, and is itself beaten only by what is found.
        if not any(_covers(signed[other], signed[index]) for other in found):
            found.append(index)
    return sorted(found)


def _covers(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    """Whether a is at least as good as b in every goal (smaller is better)."""
    return all(x <= y for x, y in zip(a, b, strict=True))
