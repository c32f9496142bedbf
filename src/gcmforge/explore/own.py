# SPDX-License-Identifier: Apache-2.0
"""The user's own cores, compared with those of a space: folders that `gcmforge build` or `gcmforge
specialise --core` wrote, measured as its points are, and kept in the store as they are.

A core whose GHASH is made for one key has no options that would build it again, so that it is no
point of a space. Its cycles are those of its configuration, as the module that stands in for its
GHASH takes a beat a cycle, too; of its key nothing is read or told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gcmforge.config import ConfigError
from gcmforge.explore.executor import Ask, Measured
from gcmforge.explore.explore import Plan, point_of
from gcmforge.explore.point import GOALS, Point

if TYPE_CHECKING:
    from gcmforge.measure.store import Store
    from gcmforge.measure.subject import Subject


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnCore:
    """A core in a folder, with its figures on a target."""

    name: str
    note: str
    point: Point

    @property
    def figures(self) -> dict[str, float | None]:
        """By the names that points have."""
        return {name: getattr(self.point, name) for name in GOALS}

    def to_mapping(self) -> dict[str, Any]:
        """For JSON; without options, which may not be all that it is made of."""
        return {
            "name": self.name, "note": self.note, "target": self.point.target, **self.figures,
            "packet_bytes": self.point.packet_bytes,
        }  # fmt: skip


def own_core(folder: Path) -> Subject:
    """The core in a folder; ConfigError where there is none."""
    from gcmforge.measure.subject import find_subject

    subject = find_subject(folder)
    if subject.kind != "core":
        raise ConfigError(
            f"{folder}: a GHASH alone is no core to compare with; use a folder that gcmforge "
            "build or gcmforge specialise --core wrote"
        )
    return subject


def own_cores(
    subjects: Sequence[Subject],
    plan: Plan,
    *,
    store: Store | None = None,
    progress: Callable[[str], None] = lambda step: None,
) -> list[OwnCore]:
    """Every core on every target of the plan."""
    return [
        _measured(subject, target, plan, store, progress)
        for subject in subjects
        for target in plan.targets
    ]


def _measured(
    subject: Subject, target: str, plan: Plan, store: Store | None, progress: Callable[[str], None]
) -> OwnCore:
    from gcmforge.config import CoreConfig
    from gcmforge.measure.measure import measure

    assert subject.configuration is not None
    name = Path(subject.what).name
    progress(f"measuring {name} on {target}")
    result = measure(
        subject, target, effort=plan.effort, goal=plan.goal, power=plan.power, store=store
    )
    ask = Ask(
        config=CoreConfig.from_mapping(subject.configuration), target=target, effort=plan.effort,
        goal=plan.goal, power=plan.power,
    )  # fmt: skip
    point = point_of(Measured(ask=ask, result=result), plan.packet_bytes)
    what = f"{name}: {'GHASH for one key' if subject.one_key else subject.summary}"
    where = f", {target}" if len(plan.targets) > 1 else ""
    return OwnCore(name=f"{what}{where}", note=point.note, point=point)
