# SPDX-License-Identifier: Apache-2.0
"""What is to be measured, and the key under which it is remembered."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gcmforge.cache import digest
from gcmforge.config import CoreConfig
from gcmforge.measure.subject import MeasureError, Subject, find_subject
from gcmforge.netlist.targets import Target, find_target
from gcmforge.place.cells import check_utilisation
from gcmforge.place.coloquinte import coloquinte, coloquinte_version
from gcmforge.place.families import FAMILIES
from gcmforge.place.fpga import nextpnr_version
from gcmforge.place.placed import UTILISATION
from gcmforge.sta.opensta import opensta_version
from gcmforge.tools import verilator_version, yosys_version
from gcmforge.version import release

if TYPE_CHECKING:
    pass

EFFORTS = ("quick", "normal", "high")

NOT_OF_FPGA = "no power model of FPGAs"


MOST_SEEDS = 100

GOALS = ("area", "delay", "balanced")


DEFAULT_GOAL = {"core": "balanced", "leaf": "area"}
"""A core is there for its throughput per gate, a leaf is compared by its area."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """One measurement, and the key that it is kept under."""

    subject: Subject
    target: Target
    goal: str
    clock_ns: float | None = None
    effort: str = "normal"
    power: bool = False
    utilisation: float | None = None
    """Cells are placed, and take this part of the area; None: not placed."""
    seeds: int = 1
    """Placements of an FPGA, from seed 1 on."""

    def __post_init__(self) -> None:
        if self.effort not in EFFORTS:
            raise MeasureError(f"effort={self.effort}: use {', '.join(EFFORTS)}")
        if self.goal not in GOALS:
            raise MeasureError(f"goal={self.goal}: use {', '.join(GOALS)}")
        if self.clock_ns is not None and not self.clock_ns > 0:
            raise MeasureError(f"clock={self.clock_ns:g}: use a period above 0")
        if self.power and self.target.kind == "fpga":
            raise MeasureError(f"power on {self.target.name}: there is {NOT_OF_FPGA}; use cells")
        if self.seeds != 1:
            self._check_seeds()
        if self.utilisation is not None:
            check_placed(self.target, self.utilisation)
        if self.power and self.target.gate is not None:
            plain = self.target.name.removesuffix("-gated")
            raise MeasureError(
                f"power on {self.target.name}: clock gates have no power model here; use {plain}"
            )

    @property
    def placements(self) -> range:
        """Seeds of an FPGA's placements."""
        return range(1, self.seeds + 1)

    def _check_seeds(self) -> None:
        if not 1 <= self.seeds <= MOST_SEEDS:
            raise MeasureError(f"seeds={self.seeds}: use 1 to {MOST_SEEDS}")
        known = FAMILIES.get(self.target.name)
        if known is None or not known.nextpnr:
            placed = ", ".join(name for name, family in FAMILIES.items() if family.nextpnr)
            raise MeasureError(
                f"seeds={self.seeds} on {self.target.name}: that is for FPGAs that are placed; use "
                f"seeds=1, or one of {placed}"
            )

    @property
    def options(self) -> dict[str, Any]:
        if self.target.kind == "fpga":
            seeds = {} if self.seeds == 1 else {"seeds": self.seeds}
            return {"clock_ns": self.clock_ns, **seeds}
        placed = {} if self.utilisation is None else {"placed": self.utilisation}
        return {
            "clock_ns": self.clock_ns,
            "effort": self.effort,
            "goal": self.goal,
            "power": self.power,
            **placed,
        }

    @property
    def tools(self) -> dict[str, str]:
        """Versions of everything on which the figures depend."""
        placed = self.utilisation is not None or self.target.kind == "fpga"
        found = {"gcmforge": release(), "measure": _program(placed), "yosys": yosys_version()}
        if self.subject.kind == "core":
            found["verilator"] = verilator_version()
        if self.target.kind == "asic" and (version := opensta_version()):
            found["opensta"] = version
        if self.utilisation is not None:
            found["coloquinte"] = coloquinte_version()
        if self.target.name in FAMILIES and (version := nextpnr_version(self.target.name)):
            found["nextpnr"] = version
        return found

    @property
    def key(self) -> str:
        names = (
            "name", "kind", "nand2", "nand2_area", "driving_cell", "load_ff", "clock_transition_ns",
            "gate",
        )  # fmt: skip
        target = {name: str(getattr(self.target, name)) for name in names}
        parts = {
            "configuration": self.subject.configuration,
            "rtl": self.subject.rtl_sha256,
            "target": [target, list(self.target.dont_use), self.target.version],
            "tools": self.tools,
            "options": self.options,
        }
        return digest("result", json.dumps(parts, sort_keys=True))

    @property
    def line(self) -> str:
        """The same over versions of the project, its tools and the target."""
        parts = [self.subject.identity, self.target.name, self.options]
        return digest("line", json.dumps(parts, sort_keys=True))

    @property
    def command(self) -> str:
        """What repeats it."""
        words = ["gcmforge", "measure", self.subject.what]
        for setting in self.subject.settings:
            words += ["--set", setting]
        if _is_named(self.target):
            words += ["--target", self.target.name]
        else:
            words += [word for path in self.target.liberty for word in ("--liberty", str(path))]
        if self.clock_ns is not None:
            words += ["--clock", f"{self.clock_ns:g}"]
        if self.seeds != 1:
            words += ["--seeds", str(self.seeds)]
        if self.target.kind == "asic":
            words += ["--effort", self.effort] if self.effort != "normal" else []
            default = DEFAULT_GOAL[self.subject.kind]
            words += ["--goal", self.goal] if self.goal != default else []
            words += ["--power"] if self.power else []
        if self.utilisation is not None:
            words += ["--placed"]
            if self.utilisation != UTILISATION:
                words += ["--utilisation", f"{self.utilisation:g}"]
        return shlex.join(words)


def job_of(
    what: str | Path | CoreConfig | Subject,
    target: str | Target,
    settings: Sequence[str],
    clock_ns: float | None,
    effort: str,
    goal: str | None,
    power: bool,
    utilisation: float | None = None,
    seeds: int = 1,
) -> Job:
    subject = what if isinstance(what, Subject) else find_subject(what, settings)
    return Job(
        subject=subject,
        target=find_target(target) if isinstance(target, str) else target,
        clock_ns=clock_ns,
        effort=effort,
        goal=DEFAULT_GOAL[subject.kind] if goal is None else goal,
        power=power,
        utilisation=utilisation,
        seeds=seeds,
    )


def check_placed(target: Target, utilisation: float) -> None:
    """MeasureError where cells cannot be placed, before anything is synthesised."""
    from gcmforge.netlist.targets import library_of
    from gcmforge.place.geometry import geometry_of

    if target.kind == "fpga":
        raise MeasureError(
            f"placed on {target.name}: that is for standard cells; FPGAs that can be placed are "
            "placed without it"
        )
    try:
        check_utilisation(utilisation)
    except ValueError as error:
        raise MeasureError(str(error)) from error
    geometry_of(target, library_of(target))
    coloquinte()


_ROOMS = ("netlist", "sta", "synth", "power", "measure")


@cache
def _program(placed: bool) -> str:
    """Digest of the sources that make the figures: a change there voids every result, a change of
    `place` those that are placed. What `libraries.py` says of a target is in the key of that
    target's results."""
    package = Path(__file__).parents[1]
    rooms = (package / room for room in (*_ROOMS, *(("place",) if placed else ())))
    names = sorted(path for room in rooms for path in room.iterdir())
    tables = ("table.py", "placed_table.py", "rounded.py")
    beside = (*tables, "store.py", "icarus.py", "rates.py", "libraries.py")
    kept = [
        path for path in names if path.suffix in (".py", ".cpp", ".hpp") and path.name not in beside
    ]
    return digest(*(f"{path.name}\n{path.read_text()}" for path in kept))[:12]


def _is_named(target: Target) -> bool:
    from gcmforge.netlist.targets import target_names

    return target.name in target_names()
