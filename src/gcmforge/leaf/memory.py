# SPDX-License-Identifier: Apache-2.0
"""A leaf that is a table in a memory, such as the block RAM of an FPGA.

A memory is read with a clock: its register is the first stage boundary, and every further one is a
register after it. Each byte of the input reads through a port of its own.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from gcmforge.circuit import Circuit, PipelinedCircuit, call
from gcmforge.leaf.base import Leaf

_COLUMNS = 100
_ENTRIES_PER_LINE = 4
_STYLE = '(* ram_style = "block", rom_style = "block", syn_romstyle = "EBR" *)'
"""What Yosys and Xilinx, and Lattice's tools read; other tools see a table with a register."""


def memory_pipeline(circuit: Circuit, stages: int) -> PipelinedCircuit:
    """The circuit with all of it in the first stage, and the registers after it."""
    return PipelinedCircuit(
        circuit=circuit, stages=stages, stage_of=(0,) * circuit.net_count, period=float("inf")
    )


def memory_header(leaf: Leaf, stages: int, proof: str) -> list[str]:
    """The comment lines that head the file."""
    ports = leaf.circuit.inputs[0].width // 8
    more = {2: "", 3: " and one more"}.get(stages, f" and {stages - 2} more")
    return [
        f"{leaf.module}: {leaf.title}.",
        f"Source: {leaf.source}.",
        f"A memory of 256 bytes, read through {ports} port{'s'[: ports > 1]}. Latency: "
        f"{stages - 1} cycle{'s'[: stages > 2]}, its own register{more}. Throughput: one a cycle.",
        proof,
    ]


def memory_lines(leaf: Leaf, header: Sequence[str], stages: int) -> Iterator[str]:
    """The whole file: a memory that never changes, a register for each port and further stage."""
    (source,), (target,) = leaf.circuit.inputs, leaf.circuit.outputs
    width = source.width
    bits = f"[{width - 1}:0]"
    yield "// SPDX-License-Identifier: Apache-2.0"
    for line in header:
        yield from textwrap.wrap(line, _COLUMNS, initial_indent="// ", subsequent_indent="// ")
    yield f"module {leaf.module} ("
    for name in ("clk", "en_i"):
        yield f"  input  logic {'':{len(bits)}} {name},"
    yield f"  input  logic {bits} {source.name},"
    yield f"  output logic {bits} {target.name}"
    yield ");"
    yield f"  {_STYLE}"
    yield "  logic [7:0] table_q [0:255];"
    yield ""
    yield "  initial begin"
    for first in range(0, 256, _ENTRIES_PER_LINE):
        some = range(first, first + _ENTRIES_PER_LINE)
        yield "    " + " ".join(f"table_q[{x}] = 8'h{_byte(leaf, x):02x};" for x in some)
    yield "  end"
    yield ""
    yield f"  logic {bits} {', '.join(f'read{n}_q' for n in range(1, stages))};"
    yield "  always_ff @(posedge clk)"
    yield "    if (en_i) begin"
    for low in range(0, width, 8):
        yield f"      read1_q[{low}+:8] <= table_q[{source.name}[{low}+:8]];"
    for number in range(2, stages):
        yield f"      read{number}_q <= read{number - 1}_q;"
    yield "    end"
    yield f"  assign {target.name} = read{stages - 1}_q;"
    yield "endmodule"


def _byte(leaf: Leaf, x: int) -> int:
    (source,), (target,) = leaf.circuit.inputs, leaf.circuit.outputs
    return call(leaf.circuit, **{source.name: x})[target.name] & 0xFF
