# SPDX-License-Identifier: Apache-2.0
"""Straight-line programs: build, cost, simulate, minimise, pipeline, prove, print."""

from gcmforge.circuit.build import Builder
from gcmforge.circuit.cost import Cost, arrival_times, cost
from gcmforge.circuit.ir import Bus, Circuit, Gate, Label, Net, Op
from gcmforge.circuit.simulate import (
    call,
    evaluate,
    pack,
    simulate,
    slice_ints,
    unpack,
    unslice_ints,
)

__all__ = [
    "Builder", "Bus", "Circuit", "Cost", "Gate", "Label", "Net", "Op", "arrival_times", "call",
    "cost", "evaluate", "pack", "simulate", "slice_ints", "unpack", "unslice_ints",
]  # fmt: skip
