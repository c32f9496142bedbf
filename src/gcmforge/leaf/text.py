# SPDX-License-Identifier: Apache-2.0
"""A leaf's SystemVerilog file: header and module."""

import textwrap
from collections.abc import Iterator, Sequence

from gcmforge.circuit import PipelinedCircuit, call, combinational, cost, emit_systemverilog
from gcmforge.leaf.base import Leaf
from gcmforge.leaf.memory import memory_header, memory_lines

_COLUMNS = 100
_ENTRIES_PER_LINE = 4

PROOF_TEXT = {
    "exhaustive": "equal to its specification for every input",
    "linear": "equal to its specification on the whole basis, and linear by structure",
    "bytewise": "a sum of functions of one byte by structure, equal to its specification for every"
    " value of each byte",
    "bilinear": "bilinear by structure, equal to its specification on all pairs of basis vectors",
    "dot": "bilinear by structure, equal to its specification on all pairs of basis vectors of a"
    " lane, and 0 on all pairs of two lanes",
}


def leaf_header(leaf: Leaf, pipelined: PipelinedCircuit, *, proven: bool) -> list[str]:
    """The comment lines that head a leaf's file; proven is the caller's word that the complete
    proof passed."""
    counted = cost(leaf.circuit)
    lines = [
        f"{leaf.module}: {leaf.title}.",
        f"Circuit: {leaf.variant or 'the only one'}. Source: {leaf.source}.",
        *leaf.notes,
        f"Gates: {counted.summary()}.",
    ]
    if pipelined.stages > 1:
        lines.append(
            f"Latency: {pipelined.stages - 1} cycles, {pipelined.registers} register bits; stages"
            f" of at most {pipelined.period:.2f} T_A. Throughput: one a cycle."
        )
    else:
        lines.append("Latency: 0 cycles (combinational).")
    if leaf.as_table and pipelined.stages == 1:
        lines.append("Printed as the table; gates, area and delay are those of its multiplexers.")
    lines.append(f"Proof: {PROOF_TEXT[leaf.proof_kind]}." if proven else "Proof: none was run.")
    return lines


def leaf_text(
    leaf: Leaf,
    pipelined: PipelinedCircuit | None = None,
    *,
    header: Sequence[str] | None = None,
    proven: bool = False,
    clocked: bool = False,
    enable: bool = False,
) -> str:
    """The module that leaf.module names, as SystemVerilog.

    pipelined is leaf.circuit cut into stages (none by default); header replaces `leaf_header`.
    clocked and enable add the ports clk and en_i.  A table without registers is printed as a case
    statement, a memory as one, all else gate by gate.
    """
    pipe = combinational(leaf.circuit) if pipelined is None else pipelined
    if leaf.as_memory and pipe.stages > 1:
        if not (clocked and enable):
            raise ValueError(f"{leaf.name}: a memory needs clocked=True and enable=True")
        proof = f"Proof: {PROOF_TEXT[leaf.proof_kind]}." if proven else "Proof: none was run."
        head = memory_header(leaf, pipe.stages, proof) if header is None else header
        return "\n".join(memory_lines(leaf, head, pipe.stages)) + "\n"
    lines = leaf_header(leaf, pipe, proven=proven) if header is None else list(header)
    if leaf.as_table and pipe.stages == 1:
        return "\n".join(_table_lines(leaf, lines, clocked, enable)) + "\n"
    return emit_systemverilog(pipe, lines, clocked=clocked, enable=enable)


def _table_lines(leaf: Leaf, header: Sequence[str], clocked: bool, enable: bool) -> Iterator[str]:
    """A case statement with the values that the circuit takes; the last one is the default, so
    that no tool sees a value missing."""
    (source,), (target,) = leaf.circuit.inputs, leaf.circuit.outputs
    controls = ["clk"] * clocked + ["en_i"] * enable
    ranges = [f"[{bus.width - 1}:0]" for bus in (source, target)]
    pad = max(map(len, ranges))
    yield "// SPDX-License-Identifier: Apache-2.0"
    for line in header:
        yield from textwrap.wrap(line, _COLUMNS, initial_indent="// ", subsequent_indent="// ")
    yield f"module {leaf.module} ("
    for name in controls:
        yield f"  input  logic {'':{pad}} {name},"
    yield f"  input  logic {ranges[0]:{pad}} {source.name},"
    yield f"  output logic {ranges[1]:{pad}} {target.name}"
    yield ");"
    if controls:
        yield ""
        yield "  logic unused;"
        yield f"  assign unused = &{{1'b0, {', '.join(controls)}}};"
    yield ""
    yield "  always_comb"
    yield f"    case ({source.name})"
    yield from _entries(leaf)
    yield "    endcase"
    yield "endmodule"


def _entries(leaf: Leaf) -> Iterator[str]:
    (source,), (target,) = leaf.circuit.inputs, leaf.circuit.outputs
    digits = (-(-source.width // 4), -(-target.width // 4))
    last = (1 << source.width) - 1
    for first in range(0, last + 1, _ENTRIES_PER_LINE):
        entries = []
        for x in range(first, first + _ENTRIES_PER_LINE):
            y = call(leaf.circuit, **{source.name: x})[target.name]
            choice = f"{source.width}'h{x:0{digits[0]}x}" if x < last else "default"
            entries.append(f"{choice}: {target.name} = {target.width}'h{y:0{digits[1]}x};")
        yield "      " + " ".join(entries)
