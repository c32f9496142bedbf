# SPDX-License-Identifier: Apache-2.0
"""Measure one design on one target: what `gcmforge measure` does.

    result = measure("small", "osu018", clock_ns=5.0)
    result = measure("aes_sbox/boyar_peralta", "osu018", power=True)

A result is kept in the store under everything that it depends on, and is never made twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from gcmforge.cache import digest
from gcmforge.config import CoreConfig
from gcmforge.measure.job import NOT_OF_FPGA, Job, job_of
from gcmforge.measure.layout import layout_of
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
from gcmforge.measure.subject import ONE_KEY, MeasureError, Subject
from gcmforge.netlist.targets import Target
from gcmforge.place.asic import placed_figure
from gcmforge.place.fpga import Design, measure_fpga
from gcmforge.place.placed import UTILISATION
from gcmforge.sta.bound import bind
from gcmforge.sta.idle import idle_flops
from gcmforge.sta.opensta import opensta_path, opensta_version
from gcmforge.tools import ToolError, verilator_version

if TYPE_CHECKING:
    from gcmforge.netlist.netlist import Netlist
    from gcmforge.place.placed import PlacedDesign
    from gcmforge.sta.bound import Bound
    from gcmforge.sta.path import Timing
    from gcmforge.sta.wires import Wires
    from gcmforge.synth.synthesis import Synthesis

Progress = Callable[[str], None]

_NO_POWER = "power was not asked for (--power)"


def measure(
    what: str | Path | CoreConfig | Subject,
    target: str | Target = "ge",
    *,
    clock_ns: float | None = None,
    effort: str = "normal",
    goal: str | None = None,
    power: bool = False,
    placed: bool = False,
    utilisation: float = UTILISATION,
    seeds: int = 1,
    settings: Sequence[str] = (),
    store: Store | None = None,
    progress: Progress = lambda step: None,
) -> Result:
    """The Result of a core (folder, preset, TOML file, CoreConfig), leaf or Subject on a target.

    `settings` are key=value over a preset or file. On `ge`, `clock_ns` is in T_A. `goal` is area,
    delay or balanced, which makes area x delay small; None is the kind's DEFAULT_GOAL. With
    `placed`, cells are placed in rows, of which they take the part `utilisation`. An FPGA is placed
    `seeds` times, and its clock is the median. Errors are MeasureError, TargetError, LibertyError,
    NetlistError, SynthesisError, PowerError, ThroughputError, StoreError and ToolError; each one's
    text says what to do.
    """
    part = utilisation if placed else None
    job = job_of(what, target, settings, clock_ns, effort, goal, power, part, seeds)
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
    placed: bool = False,
    utilisation: float = UTILISATION,
    seeds: int = 1,
) -> list[tuple[Row, Result]]:
    """What was measured of this subject, target and options, by versions of the project."""
    part = utilisation if placed else None
    job = job_of(what, target, settings, clock_ns, effort, goal, power, part, seeds)
    return [(row, store.read(row.text, Result)) for row in store.history(job.line)]


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
    result = store.read(text, Result)
    store.see(key, project=project_version(), at=_now())
    return replace(result, what=job.subject.what, command=job.command)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


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
        clock_slew_ns=target.clock_transition_ns,
    )
    idle = idle_flops(bind(mapped.netlist, library)).notes() if mapped.flip_flops else ()
    other, missing = _other_timing(job, mapped, timing, progress)
    result = replace(
        _base(job, IDEAL_WIRES),
        area_ge=mapped.area_ge,
        area_um2=mapped.area_um2 if target.has_units else None,
        layout=layout_of(mapped.netlist.counts, target, library),
        flip_flops=mapped.flip_flops,
        blocks=tuple(mapped.by_block.values()),
        contexts=mapped.contexts if mapped.contexts.area_ge else None,
        timing=_critical(timing, target),
        other_timing=other,
        other_timing_missing=missing,
        script=mapped.script,
        warnings=(*job.subject.notes, *mapped.warnings, *idle),
        power_asked=job.power,
        pj_per_bit_missing=_NO_POWER,
    )
    design = None
    if job.utilisation is not None:
        figure, design = placed_figure(
            mapped.netlist, target, library, utilisation=job.utilisation, clock_ns=job.clock_ns,
            progress=progress,
        )  # fmt: skip
        result = replace(result, placed=figure)
    return _with_power(result, job, folder, mapped, design, progress) if job.power else result


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
        clock_transition_ns=target.clock_transition_ns if real else None,
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
            clock_slew_ns=target.clock_transition_ns,
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
        unclocked=path.unclocked,
    )
    return found, ""


def _with_power(
    result: Result,
    job: Job,
    folder: Path,
    mapped: Synthesis,
    design: PlacedDesign | None,
    progress: Progress,
) -> Result:
    """Power of a leaf under all transitions or random inputs, of a core under packets; of the
    placed design, too, where there is one."""
    from gcmforge.power.power import PowerError

    if job.subject.kind == "core" and job.subject.top != "gcm_axis":
        missing = "traffic is played on gcm_axis, and this netlist is of another top"
        if not CoreConfig.from_mapping(job.subject.configuration or {}).architecture:
            missing = "traffic is played on gcm_axis; set registers=off and profile=none for power"
        return replace(result, pj_per_bit_missing=missing)
    if job.subject.one_key:
        return replace(result, pj_per_bit_missing=ONE_KEY)
    try:
        power, per_bit = _power(job, folder, mapped.netlist, None, progress)
        placed = result.placed
        if placed is not None and design is not None:
            of_placed, bit = _power(job, folder, design.bound, design.wires.wires, progress)
            placed = replace(placed, power=of_placed, pj_per_bit=bit)
    except PowerError as error:
        return replace(result, pj_per_bit_missing=str(error))
    return replace(result, power=power, pj_per_bit=per_bit, pj_per_bit_missing="", placed=placed)


def _power(
    job: Job, folder: Path, netlist: Netlist | Bound, wires: Wires | None, progress: Progress
) -> tuple[PowerFigure, float]:
    """Power, and pJ for each bit."""
    from gcmforge.netlist.targets import library_of
    from gcmforge.power.power import leaf_power
    from gcmforge.power.traffic import core_power

    library, target = library_of(job.target), job.target
    if job.subject.kind == "core":
        power, per_bit = core_power(
            folder,
            netlist,
            library,
            driving_cell=target.driving_cell,
            load_ff=target.load_ff,
            wires=wires,
            progress=progress,
        )
    else:
        power = leaf_power(
            netlist,
            library,
            driving_cell=target.driving_cell,
            load_ff=target.load_ff,
            wires=wires,
            progress=lambda done, total: progress(f"power: {done:,} of {total:,} transitions"),
        )
        bits = sum(width for _, way, width in job.subject.ports if way == "output")
        per_bit = power.energy_per_transition_pj / bits
    names = PowerFigure.__dataclass_fields__
    return PowerFigure(**{name: getattr(power, name) for name in names}), per_bit


def _fpga(job: Job, folder: Path, progress: Progress) -> Result:
    """Resources, and the clock of a placed design."""
    design = Design(
        files=tuple(folder / name for name in job.subject.texts), top=job.subject.top,
        ports=job.subject.ports, clock=job.subject.clock,
    )  # fmt: skip
    fpga = measure_fpga(design, job.target.name, seeds=job.placements, progress=progress)
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
        pj_per_bit_missing=NOT_OF_FPGA,
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
    return store.read(text, Throughput)


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
    placed = result.placed
    if placed is not None and long is not None:
        placed = replace(placed, gbit_per_s=long.bits_per_cycle * placed.fmax_mhz / 1000)
    return replace(
        result, throughput=throughput, gbit_per_s=gbit, kbit_per_s_per_gate=per_gate, placed=placed
    )
