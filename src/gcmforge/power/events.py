# SPDX-License-Identifier: Apache-2.0
"""Event-driven simulation of a mapped netlist with its own delays, so that glitches count.

The kernel is C++ (events.cpp), compiled once into the cache and called through ctypes: a C++
compiler is there already wherever cores are simulated, it starts at once, and a run is as fast as
the machine allows. Delays come from the built-in timing: per input pin and output edge, at the
load and transition that the netlist has, in whole picoseconds and at least one; where the library
tells states or input edges apart, the slowest counts.

Inputs change together at the start of a step, flip-flops are clocked there, and a step ends when
nothing moves any more.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gcmforge import tools
from gcmforge.power.design import EventDesign

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Bytes = NDArray[np.uint8]

Progress = Callable[[int, int], None]
"""Called with (steps done, steps in all) a few times a second."""

_CHUNK = 2048


# Kernel -------------------------------------------------------------------------------------------


def kernel() -> ctypes.CDLL:
    """The compiled kernel, its functions declared."""
    library = tools.load_kernel(Path(__file__).with_name("events.cpp"))
    library.gcm_events_create.restype = ctypes.c_void_p
    library.gcm_events_create.argtypes = [ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p]
    library.gcm_events_run.restype = None
    library.gcm_events_run.argtypes = [
        ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int32, ctypes.c_int32,
        ctypes.c_void_p,
    ]  # fmt: skip
    library.gcm_events_watch.restype = None
    library.gcm_events_watch.argtypes = [
        ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int32, ctypes.c_int32,
        ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p,
    ]  # fmt: skip
    library.gcm_events_values.restype = None
    library.gcm_events_values.argtypes = [
        ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p,
    ]  # fmt: skip
    library.gcm_events_destroy.restype = None
    library.gcm_events_destroy.argtypes = [ctypes.c_void_p]
    return library


class _Design(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_int32) for name in ("nets", "gates", "flops", "inputs", "one")),
        *(
            (name, ctypes.c_void_p)
            for name in (
                "output", "first", "table", "launch", "launch_energy",
                "pin_net", "pin_delay", "pin_energy", "net_energy", "input_net",
            )
        ),
    )  # fmt: skip


class Results(ctypes.Structure):
    """What the kernel fills in."""

    _fields_ = (
        *(
            (name, ctypes.c_void_p)
            for name in ("toggles", "functional", "energy", "peak", "settled")
        ),
        ("arc_energy", ctypes.c_double),
        ("events", ctypes.c_int64),
    )


# Running ------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Activity:
    """What happened in a run of `steps` steps."""

    steps: int
    toggles: Ints
    """[net, 2]: falling and rising edges."""
    functional: Ints
    """[net]: steps after which the net had another settled value than before."""
    energy_pj: Floats
    """[step]: of all edges in it, without clock and leakage."""
    peak_pj: Floats
    """[step]: largest energy within any window."""
    settled_ps: Ints
    """[step]: time of the last edge."""
    arc_energy_pj: float
    """Internal energy of all output edges."""
    events: int


def simulate(
    design: EventDesign,
    patterns: Bytes,
    *,
    window_ps: int = 1000,
    warm_up: int = 0,
    progress: Progress | None = None,
) -> Activity:
    """Run input patterns [step, input] of 0 and 1 through the design.

    The first one is where everything starts settled, with flip-flops at 0; each further one is a
    step. The first `warm_up` steps are run but not counted.
    """
    import numpy as np

    patterns = np.ascontiguousarray(patterns, dtype=np.uint8)
    if patterns.ndim != 2 or patterns.shape[1] != design.input_count:
        raise ValueError(f"patterns have shape {patterns.shape}: columns are {design.input_names}")
    if window_ps < 1 or not 0 <= warm_up < len(patterns) - 1:
        raise ValueError("window_ps is at least 1, and a step is left after the warm-up")
    library = kernel()
    arrays, structure = kernel_design(design)
    longest = int(max(arrays["pin_delay"].max(initial=1), arrays["launch"].max(initial=1)))
    state = library.gcm_events_create(ctypes.byref(structure), longest, patterns.ctypes.data)
    try:
        if warm_up:
            _run(library, state, design, patterns[1 : 1 + warm_up], window_ps, None)
        return _run(library, state, design, patterns[1 + warm_up :], window_ps, progress)
    finally:
        library.gcm_events_destroy(state)


def kernel_design(
    design: EventDesign, unit_pj: float | None = None
) -> tuple[dict[str, Any], _Design]:
    """The structure, and the arrays that it points into; with a unit, energies are rounded to it.

    Sums of whole numbers of a power of two are exact, in whatever order they are made.
    """
    import numpy as np

    arrays = {
        name: np.ascontiguousarray(getattr(design, name))
        for name in (
            "output", "first", "table", "launch", "launch_energy",
            "pin_net", "pin_delay", "pin_energy", "input_net",
        )
    }  # fmt: skip
    arrays["net_energy"] = design.switching_energy + design.input_pin_energy
    if unit_pj is not None:
        for name in ("launch_energy", "pin_energy", "net_energy"):
            arrays[name] = np.rint(arrays[name] / unit_pj) * unit_pj
    structure = _Design(
        nets=design.bound.net_count,
        gates=design.gate_count,
        flops=design.flop_count,
        inputs=design.input_count,
        one=design.bound.net_count - 1,
        **{name: array.ctypes.data for name, array in arrays.items()},
    )
    return arrays, structure


def _run(
    kernel: ctypes.CDLL,
    state: int,
    design: EventDesign,
    patterns: Bytes,
    window_ps: int,
    progress: Progress | None,
) -> Activity:
    """Run in chunks, so that progress is seen and an interrupt is heard."""
    import numpy as np

    steps, nets = len(patterns), design.bound.net_count
    toggles = np.zeros((nets, 2), dtype=np.int64)
    functional = np.zeros(nets, dtype=np.int64)
    energy, peak = np.zeros(steps), np.zeros(steps)
    settled = np.zeros(steps, dtype=np.int32)
    results = Results(
        toggles=toggles.ctypes.data,
        functional=functional.ctypes.data,
        arc_energy=0.0,
        events=0,
    )
    chunk = max(1, _CHUNK * 500 // max(500, design.gate_count))
    for start in range(0, steps, chunk):
        count = min(chunk, steps - start)
        results.energy = energy[start:].ctypes.data
        results.peak = peak[start:].ctypes.data
        results.settled = settled[start:].ctypes.data
        rows = patterns[start : start + count]
        width = design.input_count
        kernel.gcm_events_run(
            state, count, rows.ctypes.data, width, window_ps, ctypes.byref(results)
        )
        if progress is not None:
            progress(start + count, steps)
    return Activity(
        steps=steps,
        toggles=toggles,
        functional=functional,
        energy_pj=energy,
        peak_pj=peak,
        settled_ps=settled.astype(np.int64),
        arc_energy_pj=float(results.arc_energy),
        events=int(results.events),
    )
