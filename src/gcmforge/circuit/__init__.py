# SPDX-License-Identifier: Apache-2.0
"""Straight-line programs: build, cost, simulate, minimise, pipeline, prove, print."""

from gcmforge.circuit.build import Builder
from gcmforge.circuit.cost import Cost, arrival_times, cost
from gcmforge.circuit.emit import emit_systemverilog
from gcmforge.circuit.ir import Bus, Circuit, Gate, Label, Net, Op, PipelinedCircuit, combinational
from gcmforge.circuit.minimise import XorProgram, cse, least_depth, linear_map, paar
from gcmforge.circuit.pipeline import least_period, pipeline, stage_delays
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
    "Builder", "Bus", "Circuit", "Cost", "Gate", "Label", "Net", "Op", "PipelinedCircuit",
    "XorProgram", "arrival_times", "call", "combinational", "cost", "cse", "emit_systemverilog",
    "evaluate", "least_depth", "least_period", "linear_map", "paar", "pack", "pipeline", "simulate",
    "slice_ints", "stage_delays", "unpack", "unslice_ints",
]  # fmt: skip
