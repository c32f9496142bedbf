# SPDX-License-Identifier: Apache-2.0
"""The logic of one key: minimised, printed, read back and proven. Nothing of it goes into a cache.

A proof that fails says so without its counterexample, which would be bits of the key.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gcmforge.circuit import (
    Builder,
    Circuit,
    XorProgram,
    combinational,
    emit_systemverilog,
    improve_program,
    least_depth,
    paar,
    prove_linear,
    read_systemverilog,
)
from gcmforge.circuit import Plan as SearchPlan
from gcmforge.circuit.lut_text import lut_text, read_many_luts
from gcmforge.circuit.minimise.halves import all_halves
from gcmforge.circuit.minimise.luts import LutProgram, search_luts
from gcmforge.leaf.base import Leaf
from gcmforge.leaf.fixed_key import fixed_leaf, fixed_matrix, fixed_ports
from gcmforge.leaf.text import leaf_header
from gcmforge.specialise.keys import Subkey
from gcmforge.specialise.plan import Plan

LUT_ROUNDS = {"quick": 0, "normal": 100, "high": 10_000}
GATE_STARTS = {"quick": 1, "normal": 3, "high": 24}
GATE_MOVES = {"quick": 0, "normal": 4_000_000, "high": 60_000_000}
GATE_SEEDS = {"quick": (1,), "normal": (1,), "high": (1, 2)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Logic:
    """The leaf of one key: its text, what it takes (units of the target, levels on the longest
    path), and the processor seconds that it took to find."""

    leaf: Leaf
    text: str
    units: int
    depth: int
    seconds: float


def make_logic(subkey: Subkey, plan: Plan, *, proven: bool) -> Logic:
    """gf128_fixed for that key and plan; proven is the caller's word that its proof will pass."""
    start = time.process_time()
    matrix = fixed_matrix(subkey.value, plan.lanes)
    program = _minimised(matrix.rows, plan)
    leaf = _leaf(subkey, plan, program)
    header = leaf_header(leaf, combinational(leaf.circuit), proven=proven)
    if isinstance(program, LutProgram):
        units, text = len(program.luts), _lut_text(program, plan, header)
    else:
        units, text = program.xors, emit_systemverilog(leaf.circuit, header)
    return Logic(
        leaf=leaf, text=text, units=units, depth=program.depth,
        seconds=time.process_time() - start,
    )  # fmt: skip


def _minimised(rows: Sequence[int], plan: Plan) -> XorProgram | LutProgram:
    width = 128 * plan.lanes
    if not plan.target.lut_inputs:
        return _fewest_xors(rows, width, plan.effort)
    return search_luts(
        rows, plan.target.lut_inputs, width=width, dual=plan.target.dual,
        max_depth=lut_depth(rows, plan.target.lut_inputs), rounds=LUT_ROUNDS[plan.effort],
    )  # fmt: skip


def _fewest_xors(rows: Sequence[int], width: int, effort: str) -> XorProgram:
    """One level deeper than it has to be: that is room for the halves of the matrix, which is
    Toeplitz but for the rows 0 to 6. Of all ways to halve, those with the fewest terms are tried,
    and what is best is annealed."""
    depth = least_depth(rows) + 1
    found = [paar(rows, depth, width=width)]
    ways = sorted(all_halves(rows, width), key=lambda way: way.ones)
    for way in [way for way in ways if way.depth <= depth][: GATE_STARTS[effort]]:
        found.append(way.program(depth))
    best = min(found, key=lambda program: program.xors)
    if moves := GATE_MOVES[effort]:
        search = SearchPlan(
            seeds=GATE_SEEDS[effort], rounds=1, moves=moves, scan=64, hot=0.15, cold=0.06, slack=100
        )
        best = improve_program(best, depth, plan=search).program
    return best


def lut_depth(rows: Sequence[int], lut_inputs: int) -> int:
    """The least depth at which the longest row has room for sharing: 5/2 of its terms."""
    depth, longest = 1, max(row.bit_count() for row in rows)
    while 2 * lut_inputs**depth < 5 * longest:
        depth += 1
    return depth


def specification(subkey: Subkey, plan: Plan) -> Leaf:
    """What the logic of a key has to compute; without a circuit."""
    return fixed_leaf(subkey.value, plan.lanes, plan.target.name, fixed_ports(plan.lanes))


def _leaf(subkey: Subkey, plan: Plan, program: XorProgram | LutProgram) -> Leaf:
    b = Builder("gf128_fixed")
    nets = b.input("a_i", 128 * plan.lanes)
    b.output("c_o", program.apply(b, nets))
    return fixed_leaf(subkey.value, plan.lanes, plan.target.name, b.build())


def _lut_text(program: LutProgram, plan: Plan, header: Sequence[str]) -> str:
    dual = sum(len(lut) == 2 for lut in program.luts)
    with_two = f", {dual} of them with two outputs" if plan.target.dual else ""
    counted = (
        f"LUTs: {len(program.luts)} of {plan.target.lut_inputs} inputs{with_two}, "
        f"{program.depth} levels."
    )
    lines = [counted if line.startswith("Gates: ") else line for line in header]
    return lut_text(program, fixed_ports(plan.lanes), lines, plan.target.cells)


@dataclass(frozen=True, kw_only=True, slots=True)
class LogicProof:
    """That a file of logic computes the product with its key's powers, for every input."""

    passed: bool
    detail: str


def prove_texts(
    leaves: Mapping[str, Leaf], texts: Mapping[str, str], plan: Plan
) -> dict[str, LogicProof]:
    """By name: each text, as Yosys reads it, is linear by its gates and right on the basis."""
    ports = fixed_ports(plan.lanes)
    if plan.target.cells:
        read = read_many_luts(texts, ports, plan.target.cells)
    else:
        read = {
            name: read_systemverilog(ports, text, 0, controls=()) for name, text in texts.items()
        }
    return {name: _prove(circuit, leaves[name]) for name, circuit in read.items()}


def _prove(circuit: Circuit, leaf: Leaf) -> LogicProof:
    proof = prove_linear(circuit, leaf.spec)
    if proof.passed:
        return LogicProof(passed=True, detail=f"as Yosys reads it: {proof.detail}")
    return LogicProof(
        passed=False, detail="it differs from the product (where, would tell the key)"
    )
