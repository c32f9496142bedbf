# SPDX-License-Identifier: Apache-2.0
"""Power of a mapped block from simulated activity, as Mozaffari 2012 section 3.3 measures it.

Every ordered transition of an 8-bit block's input (65,280 of them), random traffic for a wider
one, goes through the netlist with gate delays, so that glitches count. Each edge costs C V^2 / 2 of
what hangs on its net (pins and the given output load; no wires) and what the Liberty tables say of
the cell inside; leakage is the Liberty figure of each cell. Inputs' own nets count.
"""

from __future__ import annotations

from dataclasses import dataclass

from gcmforge.measure.bound import bind
from gcmforge.measure.events import (
    Activity,
    EventDesign,
    Progress,
    all_transitions,
    as_patterns,
    random_patterns,
    simulate,
)
from gcmforge.measure.liberty import Library
from gcmforge.measure.netlist import Module, Netlist, NetlistError
from gcmforge.measure.timing import TimingGraph

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
    peak_transition: tuple[int, int] | None
    """Input before and after; None where the block is wider than 8 bits or has flip-flops."""
    worst_transition_uw: float
    worst_transition: tuple[int, int] | None
    frequency_mhz: float
    window_ps: int
    transitions: int
    exhaustive: bool
    seed: int | None
    """Of random traffic; None when exhaustive."""
    toggles: int
    """Edges of all nets."""
    glitch_toggles: int
    """Those that a net without glitches would not have had."""
    settled_ps: int
    """The latest edge after any transition."""
    energy_per_transition_pj: float


def leaf_power(
    netlist: Netlist | Module,
    library: Library,
    *,
    driving_cell: str = "",
    load_ff: float = 0.0,
    frequency_mhz: float = FREQUENCY_MHZ,
    window_ps: int = WINDOW_PS,
    steps: int = RANDOM_STEPS,
    seed: int = 1,
    clock_slew_ns: float = 0.0,
    progress: Progress | None = None,
) -> Power:
    """Power of a mapped block.

    Up to 8 input bits without flip-flops: all transitions, and `steps` and `seed` are not used.
    Otherwise `steps` clock cycles of random traffic, after as many that are not counted (at most
    100), from flip-flops that start at 0.
    """
    if frequency_mhz <= 0 or steps < 1:
        raise ValueError("frequency_mhz is above 0, and there is at least one step")
    graph = TimingGraph(
        bind(netlist, library),
        driving_cell=driving_cell,
        load_ff=load_ff,
        clock_slew_ns=clock_slew_ns,
    )
    design = EventDesign(graph)
    width = design.input_count
    exhaustive = width <= EXHAUSTIVE_BITS and design.flop_count == 0
    values: list[int] | None = None
    warm_up = 0
    if exhaustive:
        values = all_transitions(1 << width)
        patterns = as_patterns(values, width)
    else:
        warm_up = min(steps, 100) if design.flop_count else 0
        patterns = random_patterns(warm_up + steps, width, seed)
    activity = simulate(
        design, patterns, window_ps=window_ps, warm_up=warm_up, progress=progress
    )
    period_ps = 1e6 / frequency_mhz
    if activity.settled_ps.max() >= period_ps:
        raise NetlistError(
            f"the block settles after {activity.settled_ps.max()} ps only: not at {frequency_mhz} "
            f"MHz, use at most {1e6 / float(activity.settled_ps.max()):.1f}"
        )
    return _power(design, activity, values, frequency_mhz, window_ps, None if exhaustive else seed)


def _power(
    design: EventDesign,
    activity: Activity,
    values: list[int] | None,
    frequency_mhz: float,
    window_ps: int,
    seed: int | None,
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
        peak_transition=None if values is None else (values[peak], values[peak + 1]),
        worst_transition_uw=(float(activity.energy_pj[worst]) + clock) * frequency_mhz + leakage,
        worst_transition=None if values is None else (values[worst], values[worst + 1]),
        frequency_mhz=frequency_mhz,
        window_ps=window_ps,
        transitions=activity.steps,
        exhaustive=values is not None,
        seed=seed,
        toggles=toggles,
        glitch_toggles=toggles - functional,
        settled_ps=int(activity.settled_ps.max()),
        energy_per_transition_pj=(average - leakage) / frequency_mhz,
    )
