# SPDX-License-Identifier: Apache-2.0
"""Measure one design on one target: what `gcmforge measure` does.

    result = measure("small", "osu018", clock_ns=5.0)
    result = measure("aes_sbox/boyar_peralta", "osu018", power=True)

A result is kept in the store under everything that it depends on, and is never made twice.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from gcmforge.cache import digest
from gcmforge.config import CoreConfig
from gcmforge.measure.result import (
    IDEAL_WIRES,
    MAPPED_ONLY,
    PLACED,
    CriticalPath,
    OtherTiming,
    PowerFigure,
    Result,
    Throughput,
)
from gcmforge.measure.store import Row, Store, project_version
from gcmforge.measure.subject import ONE_KEY, MeasureError, Subject, find_subject
from gcmforge.netlist.targets import Target, find_target
from gcmforge.place.fpga import FAMILIES, Design, measure_fpga, nextpnr_version
from gcmforge.sta.opensta import opensta_path, opensta_version
from gcmforge.tools import ToolError, verilator_version, yosys_version
from gcmforge.version import release

if TYPE_CHECKING:
    from gcmforge.sta.timing import Timing
    from gcmforge.synth.synthesis import Synthesis

Progress = Callable[[str], None]

EFFORTS = ("quick", "normal", "high")
GOALS = ("area", "delay", "balanced")
DEFAULT_GOAL = {"core": "balanced", "leaf": "area"}
"""A core is there for its throughput per gate, a leaf is compared by its area."""
_NO_POWER = "power was not asked for (--power)"
_NOT_OF_FPGA = "no power model of FPGAs"


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """One measurement, and the key that it is kept under."""

    subject: Subject
    target: Target
    goal: str
    clock_ns: float | None = None
    effort: str = "normal"
    power: bool = False

    def __post_init__(self) -> None:
        if self.effort not in EFFORTS:
            raise MeasureError(f"effort={self.effort}: use {', '.join(EFFORTS)}")
        if self.goal not in GOALS:
            raise MeasureError(f"goal={self.goal}: use {', '.join(GOALS)}")
        if self.clock_ns is not None and not self.clock_ns > 0:
            raise MeasureError(f"clock={self.clock_ns:g}: use a period above 0")
        if self.power and self.target.kind == "fpga":
            raise MeasureError(f"power on {self.target.name}: there is {_NOT_OF_FPGA}; use cells")
        if self.power and self.target.gate is not None:
            plain = self.target.name.removesuffix("-gated")
            raise MeasureError(
                f"power on {self.target.name}: clock gates have no power model here; use {plain}"
            )

    @property
    def options(self) -> dict[str, Any]:
        if self.target.kind == "fpga":
            return {"clock_ns": self.clock_ns}
        return {
            "clock_ns": self.clock_ns,
            "effort": self.effort,
            "goal": self.goal,
            "power": self.power,
        }

    @property
    def tools(self) -> dict[str, str]:
        """Versions of everything that has a say in the figures."""
        found = {"gcmforge": release(), "measure": _program(), "yosys": yosys_version()}
        if self.subject.kind == "core":
            found["verilator"] = verilator_version()
        if self.target.kind == "asic" and (version := opensta_version()):
            found["opensta"] = version
        if self.target.name in FAMILIES and (version := nextpnr_version(self.target.name)):
            found["nextpnr"] = version
        return found

    @property
    def key(self) -> str:
        target = {
            name: str(getattr(self.target, name))
            for name in ("name", "kind", "nand2", "nand2_area", "driving_cell", "load_ff")
        }
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
        if self.target.kind == "asic":
            words += ["--effort", self.effort] if self.effort != "normal" else []
            default = DEFAULT_GOAL[self.subject.kind]
            words += ["--goal", self.goal] if self.goal != default else []
            words += ["--power"] if self.power else []
        return shlex.join(words)


def measure(
    what: str | Path | CoreConfig | Subject,
    target: str | Target = "ge",
    *,
    clock_ns: float | None = None,
    effort: str = "normal",
    goal: str | None = None,
    power: bool = False,
    settings: Sequence[str] = (),
    store: Store | None = None,
    progress: Progress = lambda step: None,
) -> Result:
    """The Result of a core (folder, preset, TOML file, CoreConfig), leaf or Subject on a target.

    `settings` are key=value over a preset or file. On `ge`, `clock_ns` is in T_A. `goal` is area,
    delay or balanced, which makes area x delay small; None is the kind's DEFAULT_GOAL. Errors are
    MeasureError, TargetError, LibertyError, NetlistError, SynthesisError, PowerError,
    ThroughputError, StoreError and ToolError; each one's text says what to do.
    """
    job = _job(what, target, settings, clock_ns, effort, goal, power)
    if store is not None:
        return _stored(job, store, progress)
    with Store() as own:
        return _stored(job, own, progress)


def history(
    what: str | Path | CoreConfig,
    target: str | Target = "ge",
    *,
    store: Store,
    settings: Sequence[str] = (),
    clock_ns: float | None = None,
    effort: str = "normal",
    goal: str | None = None,
    power: bool = False,
) -> list[tuple[Row, Result]]:
    """What was measured of this subject, target and options, by versions of the project."""
    job = _job(what, target, settings, clock_ns, effort, goal, power)
    return [(row, Result.from_json(row.text)) for row in store.history(job.line)]


def _job(
    what: str | Path | CoreConfig | Subject,
    target: str | Target,
    settings: Sequence[str],
    clock_ns: float | None,
    effort: str,
    goal: str | None,
    power: bool,
) -> Job:
    subject = what if isinstance(what, Subject) else find_subject(what, settings)
    return Job(
        subject=subject,
        target=find_target(target) if isinstance(target, str) else target,
        clock_ns=clock_ns,
        effort=effort,
        goal=DEFAULT_GOAL[subject.kind] if goal is None else goal,
        power=power,
    )


def _stored(job: Job, store: Store, progress: Progress) -> Result:
    """From the store; else made now, by one process only, and put there."""
    key = job.key
    text = store.get(key)
    if text is None:
        with store.claim(key):
            text = store.get(key)
            if text is None:
                text = _make(job, store, progress).to_json()
                store.put(
                    key, text, at=_now(), kind="result", line=job.line, project=project_version()
                )
    store.see(key, project=project_version(), at=_now())
    return replace(Result.from_json(text), what=job.subject.what, command=job.command)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


_ROOMS = ("netlist", "sta", "synth", "power", "place", "measure")


@cache
def _program() -> str:
    """Digest of the sources that make the figures: a change there voids every result."""
    package = Path(__file__).parents[1]
    rooms = (package / room for room in _ROOMS)
    names = sorted(path for room in rooms for path in room.iterdir())
    shown = ("store.py", "table.py", "icarus.py", "rates.py")
    kept = [path for path in names if path.suffix in (".py", ".cpp") and path.name not in shown]
    return digest(*(f"{path.name}\n{path.read_text()}" for path in kept))[:12]


def _is_named(target: Target) -> bool:
    from gcmforge.netlist.targets import target_names

    return target.name in target_names()


# Making a result ----------------------------------------------------------------------------------


def _make(job: Job, store: Store, progress: Progress) -> Result:
    start = perf_counter()
    with job.subject.folder() as folder:
        result = (
            _fpga(job, folder, progress)
            if job.target.kind == "fpga"
            else _cells(job, folder, progress)
        )
        if job.subject.kind == "core" and not job.subject.one_key:
            throughput = _throughput(job, folder, store, progress)
            result = _with_rates(replace(result, throughput=throughput))
    return replace(result, seconds=round(perf_counter() - start, 1))


def _base(job: Job, note: str) -> Result:
    subject, target = job.subject, job.target
    return Result(
        what=subject.what,
        kind=subject.kind,
        summary=subject.summary,
        configuration=subject.configuration,
        rtl_sha256=subject.rtl_sha256,
        target=target.name,
        target_kind=target.kind,
        target_family=target.family,
        target_version=target.version,
        tools=job.tools,
        effort=job.effort if target.kind == "asic" else "",
        note=note,
        command=job.command,
        project_version=project_version(),
        measured_at=_now(),
        warnings=subject.notes,
    )


def _cells(job: Job, folder: Path, progress: Progress) -> Result:
    """Area, timing and power on standard cells."""
    from gcmforge.netlist.targets import library_of
    from gcmforge.sta.timing import analyse
    from gcmforge.synth.synthesis import synthesise

    target = job.target
    mapped = synthesise(
        [folder / name for name in job.subject.texts],
        target,
        top=job.subject.top,
        clock_ns=job.clock_ns,
        effort=job.effort,  # type: ignore[arg-type]
        goal=job.goal,  # type: ignore[arg-type]
        progress=progress,
    )
    progress("timing")
    library = library_of(target)
    timing = analyse(
        mapped.netlist,
        library,
        clock_ns=job.clock_ns,
        driving_cell=target.driving_cell,
        load_ff=target.load_ff,
    )
    other, missing = _other_timing(job, mapped, timing, progress)
    result = replace(
        _base(job, IDEAL_WIRES),
        area_ge=mapped.area_ge,
        area_um2=mapped.area_um2 if target.has_units else None,
        flip_flops=mapped.flip_flops,
        blocks=tuple(mapped.by_block.values()),
        contexts=mapped.contexts if mapped.contexts.area_ge else None,
        timing=_critical(timing, target),
        other_timing=other,
        other_timing_missing=missing,
        script=mapped.script,
        warnings=(*job.subject.notes, *mapped.warnings),
        power_asked=job.power,
        pj_per_bit_missing=_NO_POWER,
    )
    return _with_power(result, job, folder, mapped, progress) if job.power else result


def _critical(timing: Timing, target: Target) -> CriticalPath:
    real = target.has_units
    return CriticalPath(
        delay_ns=timing.critical_path_ns if real else None,
        delay_ta=None if real else timing.critical_path_ns,
        fmax_mhz=timing.fmax_mhz if real else None,
        start=timing.start,
        end=timing.end,
        cells=len(timing.path),
        clock_ns=timing.clock_ns,
        slack_ns=timing.slack_ns,
        groups=dict(timing.groups),
    )


def _other_timing(
    job: Job, mapped: Synthesis, timing: Timing, progress: Progress
) -> tuple[OtherTiming | None, str]:
    """OpenSTA's slowest path where it is installed; else why there is none."""
    from gcmforge.netlist.targets import library_of
    from gcmforge.sta.opensta import analyse_with_opensta

    target = job.target
    try:
        opensta_path()
        progress("timing by OpenSTA")
        path = analyse_with_opensta(
            mapped.netlist,
            library_of(target),
            driving_cell=target.driving_cell,
            load_ff=target.load_ff,
        )
    except ToolError as error:
        return None, str(error)
    found = OtherTiming(
        tool=f"OpenSTA {opensta_version()}",
        delay_ns=path.critical_path_ns if target.has_units else None,
        delay_ta=None if target.has_units else path.critical_path_ns,
        start=path.start,
        end=path.end,
        difference_percent=100 * (timing.critical_path_ns / path.critical_path_ns - 1),
    )
    return found, ""


def _with_power(
    result: Result, job: Job, folder: Path, mapped: Synthesis, progress: Progress
) -> Result:
    """Power of a leaf under all transitions or random inputs, of a core under packets."""
    from gcmforge.netlist.targets import library_of
    from gcmforge.power.power import PowerError, leaf_power
    from gcmforge.power.traffic import core_power

    library, target = library_of(job.target), job.target
    if job.subject.kind == "core" and job.subject.top != "gcm_axis":
        missing = "traffic is played on gcm_axis; set registers=off and profile=none for power"
        return replace(result, pj_per_bit_missing=missing)
    if job.subject.one_key:
        return replace(result, pj_per_bit_missing=ONE_KEY)
    try:
        if job.subject.kind == "core":
            power, per_bit = core_power(
                folder,
                mapped.netlist,
                library,
                driving_cell=target.driving_cell,
                load_ff=target.load_ff,
                progress=progress,
            )
        else:
            power = leaf_power(
                mapped.netlist,
                library,
                driving_cell=target.driving_cell,
                load_ff=target.load_ff,
                progress=lambda done, total: progress(f"power: {done:,} of {total:,} transitions"),
            )
            bits = sum(width for _, way, width in job.subject.ports if way == "output")
            per_bit = power.energy_per_transition_pj / bits
    except PowerError as error:
        return replace(result, pj_per_bit_missing=str(error))
    names = PowerFigure.__dataclass_fields__
    figure = PowerFigure(**{name: getattr(power, name) for name in names})
    return replace(result, power=figure, pj_per_bit=per_bit, pj_per_bit_missing="")


def _fpga(job: Job, folder: Path, progress: Progress) -> Result:
    """Resources, and the clock of a placed design."""
    design = Design(
        files=tuple(folder / name for name in job.subject.texts),
        top=job.subject.top,
        ports=job.subject.ports,
        clock=job.subject.clock,
    )
    fpga = measure_fpga(design, job.target.name, progress=progress)
    timing = None
    if fpga.fmax_mhz is not None:
        delay = 1000 / fpga.fmax_mhz
        timing = CriticalPath(
            delay_ns=delay, delay_ta=None, fmax_mhz=fpga.fmax_mhz, start="", end="", cells=0,
            clock_ns=job.clock_ns,
            slack_ns=None if job.clock_ns is None else job.clock_ns - delay,
        )  # fmt: skip
    elif job.clock_ns is not None:
        raise MeasureError(
            f"clock on {job.target.name}: no tool places this target, so it has no timing; "
            "use a family that nextpnr places, such as ecp5"
        )
    return replace(
        _base(job, PLACED if fpga.placed else MAPPED_ONLY),
        fpga=fpga,
        flip_flops=fpga.flip_flops,
        timing=timing,
        pj_per_bit_missing=_NOT_OF_FPGA,
    )


def _throughput(job: Job, folder: Path, store: Store, progress: Progress) -> Throughput:
    """The core's cycles: the same on every target, so simulated once."""
    import msgspec

    from gcmforge.measure import throughput as page

    source = Path(page.__file__).read_text()
    parts = (job.subject.rtl_sha256, repr(job.subject.configuration), verilator_version(), source)
    key = digest("throughput", *parts)
    text = store.get(key)
    if text is None:
        made = page.measure_throughput(folder, progress=progress)
        text = msgspec.json.encode(made).decode()
        store.put(key, text, at=_now(), kind="throughput")
    return msgspec.json.decode(text, type=Throughput)


def _with_rates(result: Result) -> Result:
    """Gbit/s at Fmax, and per gate."""
    fmax = result.timing.fmax_mhz if result.timing else None
    throughput = result.throughput
    if fmax is None or throughput is None:
        return result
    rates = tuple(
        replace(rate, gbit_per_s=rate.bits_per_cycle * fmax / 1000) for rate in throughput.rates
    )
    throughput = replace(throughput, rates=rates)
    long = throughput.long_message
    gbit = long.gbit_per_s if long else None
    per_gate = gbit * 1e6 / result.area_ge if gbit is not None and result.area_ge else None
    return replace(result, throughput=throughput, gbit_per_s=gbit, kbit_per_s_per_gate=per_gate)
