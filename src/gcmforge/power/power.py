# SPDX-License-Identifier: Apache-2.0
"""Power of a mapped block from simulated activity, as Mozaffari 2012 section 3.3 measures it.

Every ordered transition of an 8-bit block's input (65,280 of them), random traffic for a wider
one, goes through the netlist with gate delays, so that glitches count. Each edge costs C V^2 / 2 of
what hangs on its net (pins, the given output load, and wires where these are given) and what the
Liberty tables have of the cell inside; leakage is the Liberty figure of each cell. Inputs' own nets
count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Module, Netlist
from gcmforge.power.design import EventDesign
from gcmforge.power.events import Activity, Progress, simulate
from gcmforge.power.stimuli import all_transitions, as_patterns, random_patterns
from gcmforge.sta.bound import Bound, bind
from gcmforge.sta.graph import TimingGraph
from gcmforge.sta.wires import Wires

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]

EXHAUSTIVE_BITS = 8
FREQUENCY_MHZ = 50.0
WINDOW_PS = 1000
RANDOM_STEPS = 2000


@dataclass(frozen=True, kw_only=True, slots=True)
class Power:
    """Average and peak. Power of one transition is its energy times the frequency, as in
    `worst_transition_uw`; `peak_uw` is momentary: the largest energy within `window_ps`, over it.
    """

    average_uw: float
    """All of it: switching + internal + leakage."""
    switching_uw: float
    internal_uw: float
    leakage_uw: float
    peak_uw: float
    peak_step: int
    """Number of the step that the peak is in: from pattern peak_step to the next one."""
    worst_transition_uw: float
    """The step with the largest energy, taken over a whole period."""
    worst_step: int
    frequency_mhz: float
    window_ps: int
    transitions: int
    toggles: int
    """Edges of all nets."""
    glitch_toggles: int
    """Those that a net without glitches would not have had."""
    settled_ps: int
    """The latest edge after any transition."""
    energy_per_transition_pj: float
    """Without leakage."""
    exhaustive: bool = False
    """Every ordered transition of the input once."""
    seed: int | None = None
    """Of random traffic."""
    peak_transition: tuple[int, int] | None = None
    """Input before and after, where the traffic was exhaustive."""
    worst_transition: tuple[int, int] | None = None


class PowerError(ValueError):
    """Power cannot be measured so; the text says why and what to do."""


def leaf_power(
    netlist: Netlist | Module | Bound,
    library: Library,
    *,
    driving_cell: str = "",
    load_ff: float = 0.0,
    clock_slew_ns: float = 0.0,
    wires: Wires | None = None,
    frequency_mhz: float = FREQUENCY_MHZ,
    window_ps: int = WINDOW_PS,
    steps: int = RANDOM_STEPS,
    seed: int = 1,
    progress: Progress | None = None,
) -> Power:
    """Power of a mapped block.

    Up to 8 input bits without flip-flops: all transitions, and `steps` and `seed` are not used.
    Otherwise `steps` clock cycles of random traffic, after as many that are not counted (at most
    100), from flip-flops that start at 0. May run in several threads at once.
    """
    if steps < 1:
        raise PowerError(f"steps={steps}: use 1 or more")
    design = event_design(
        netlist, library, driving_cell=driving_cell, load_ff=load_ff, clock_slew_ns=clock_slew_ns,
        wires=wires,
    )  # fmt: skip
    width = design.input_count
    if width <= EXHAUSTIVE_BITS and design.flop_count == 0:
        values = all_transitions(1 << width)
        power = traffic_power(
            design,
            as_patterns(values, width),
            frequency_mhz=frequency_mhz,
            window_ps=window_ps,
            progress=progress,
        )
        return replace(
            power,
            exhaustive=True,
            peak_transition=(values[power.peak_step], values[power.peak_step + 1]),
            worst_transition=(values[power.worst_step], values[power.worst_step + 1]),
        )
    warm_up = min(steps, 100) if design.flop_count else 0
    power = traffic_power(
        design,
        random_patterns(warm_up + steps, width, seed),
        warm_up=warm_up,
        frequency_mhz=frequency_mhz,
        window_ps=window_ps,
        progress=progress,
    )
    return replace(power, seed=seed)


def event_design(
    netlist: Netlist | Module | Bound,
    library: Library,
    *,
    driving_cell: str = "",
    load_ff: float = 0.0,
    clock_slew_ns: float = 0.0,
    wires: Wires | None = None,
) -> EventDesign:
    """A mapped netlist made ready for `traffic_power`. `wires` are those of a bound design."""
    if not library.has_power:
        raise PowerError(
            f"library {library.name} says nothing about energy (no internal_power, or no "
            "nom_voltage): measure power on a target that does, for example osu018"
        )
    graph = TimingGraph(
        netlist if isinstance(netlist, Bound) else bind(netlist, library),
        driving_cell=driving_cell,
        load_ff=load_ff,
        clock_slew_ns=clock_slew_ns,
        wires=wires,
    )
    return EventDesign(graph)


def traffic_power(
    design: EventDesign,
    patterns: Bytes,
    *,
    warm_up: int = 0,
    frequency_mhz: float = FREQUENCY_MHZ,
    window_ps: int = WINDOW_PS,
    progress: Progress | None = None,
) -> Power:
    """Power under given input patterns [step, input], columns as in `design.input_names`.

    The first pattern is the start; the first `warm_up` steps are not counted.
    """
    if frequency_mhz <= 0:
        raise PowerError(f"frequency_mhz={frequency_mhz}: use a frequency above 0")
    activity = simulate(design, patterns, window_ps=window_ps, warm_up=warm_up, progress=progress)
    latest = int(activity.settled_ps.max())
    if latest >= 1e6 / frequency_mhz:
        raise PowerError(
            f"the block settles {latest} ps after its inputs change: {frequency_mhz} MHz is too "
            f"fast for it, use less than {1e6 / latest:.1f}"
        )
    return _power(design, activity, frequency_mhz, window_ps, warm_up)


def _power(
    design: EventDesign,
    activity: Activity,
    frequency_mhz: float,
    window_ps: int,
    warm_up: int,
) -> Power:
    """Sum up; 1 pJ at 1 MHz is 1 uW."""
    per_step = frequency_mhz / activity.steps
    edges = activity.toggles.reshape(-1)
    clock = design.clock_energy()
    clock_switching = clock - design.clock_pin_energy()
    switching = float(edges @ design.switching_energy) * per_step + clock_switching * frequency_mhz
    pins = float(edges @ design.input_pin_energy)
    internal = (pins + activity.arc_energy_pj) * per_step
    internal += design.clock_pin_energy() * frequency_mhz
    leakage = design.leakage_nw() / 1000
    peak, worst = int(activity.peak_pj.argmax()), int(activity.energy_pj.argmax())
    toggles, functional = int(edges.sum()), int(activity.functional.sum())
    average = switching + internal + leakage
    return Power(
        average_uw=average,
        switching_uw=switching,
        internal_uw=internal,
        leakage_uw=leakage,
        peak_uw=float(activity.peak_pj[peak]) * 1e6 / window_ps + leakage,
        peak_step=warm_up + peak,
        worst_transition_uw=(float(activity.energy_pj[worst]) + clock) * frequency_mhz + leakage,
        worst_step=warm_up + worst,
        frequency_mhz=frequency_mhz,
        window_ps=window_ps,
        transitions=activity.steps,
        toggles=toggles,
        glitch_toggles=toggles - functional,
        settled_ps=int(activity.settled_ps.max()),
        energy_per_transition_pj=(average - leakage) / frequency_mhz,
    )
