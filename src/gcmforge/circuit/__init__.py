# SPDX-License-Identifier: Apache-2.0
"""Straight-line programs: build, cost, simulate, minimise, pipeline, prove, print."""

from gcmforge.circuit.build import Builder
from gcmforge.circuit.cost import Cost, arrival_times, cost, pipeline_ge
from gcmforge.circuit.emit import emit_systemverilog
from gcmforge.circuit.export import emit_aiger, emit_blif
from gcmforge.circuit.idle import Idle, idle
from gcmforge.circuit.ir import Bus, Circuit, Gate, Label, Net, Op, PipelinedCircuit, combinational
from gcmforge.circuit.listing import circuit_listing, parse_listing
from gcmforge.circuit.minimise import (
    GE_PRICES,
    ExactResult,
    GateBudget,
    Plan,
    Prices,
    RewritePlan,
    RewriteResult,
    SearchResult,
    XorProgram,
    boyar_peralta,
    cse,
    exact,
    improve_program,
    least_depth,
    linear_map,
    paar,
    parse_program,
    rewrite,
    search_linear,
    xors_behind,
)
from gcmforge.circuit.mutate import Mutation, mutations
from gcmforge.circuit.netlist import ReadBackError
from gcmforge.circuit.pipeline import least_period, pipeline, stage_delays
from gcmforge.circuit.polarity import with_nands
from gcmforge.circuit.prove import (
    Proof,
    prove,
    prove_bilinear,
    prove_dot,
    prove_equal,
    prove_exhaustive,
    prove_linear,
)
from gcmforge.circuit.readback import prove_readback, read_systemverilog
from gcmforge.circuit.simulate import (
    call,
    evaluate,
    pack,
    simulate,
    slice_ints,
    unpack,
    unslice_ints,
)
from gcmforge.circuit.staged import StagedBuilder

__all__ = [
    "GE_PRICES",
    "Builder",
    "Bus",
    "Circuit",
    "Cost",
    "ExactResult",
    "Gate",
    "GateBudget",
    "Idle",
    "Label",
    "Mutation",
    "Net",
    "Op",
    "PipelinedCircuit",
    "Plan",
    "Prices",
    "Proof",
    "ReadBackError",
    "RewritePlan",
    "RewriteResult",
    "SearchResult",
    "StagedBuilder",
    "XorProgram",
    "arrival_times",
    "boyar_peralta",
    "call",
    "circuit_listing",
    "combinational",
    "cost",
    "cse",
    "emit_aiger",
    "emit_blif",
    "emit_systemverilog",
    "evaluate",
    "exact",
    "idle",
    "improve_program",
    "least_depth",
    "least_period",
    "linear_map",
    "mutations",
    "paar",
    "pack",
    "parse_listing",
    "parse_program",
    "pipeline",
    "pipeline_ge",
    "prove",
    "prove_bilinear",
    "prove_dot",
    "prove_equal",
    "prove_exhaustive",
    "prove_linear",
    "prove_readback",
    "read_systemverilog",
    "rewrite",
    "search_linear",
    "simulate",
    "slice_ints",
    "stage_delays",
    "unpack",
    "unslice_ints",
    "with_nands",
    "xors_behind",
]  # fmt: skip
