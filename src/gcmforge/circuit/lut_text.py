# SPDX-License-Identifier: Apache-2.0
"""A network of LUTs as SystemVerilog, and back from there to a circuit.

Plain text has one assignment a sum. A synthesiser may map it to other LUTs than those that were
chosen, and Yosys does; so the text for an FPGA family instantiates the family's own LUT cells. Read
back, each cell has to be the XOR of some of its inputs: that is looked up in its table, bit by bit.
"""

from __future__ import annotations

import json
import re
import tempfile
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gcmforge import tools
from gcmforge.circuit.build import Builder
from gcmforge.circuit.ir import ONE, ZERO, Circuit, Net
from gcmforge.circuit.minimise.luts import LutProgram
from gcmforge.circuit.netlist import ReadBackError

_COLUMNS = 100
Bit = int | str


@dataclass(frozen=True, kw_only=True, slots=True)
class LutCell:
    """A family's LUT: input pins, the first the least significant one of the table's index, then
    the output. Of two outputs the first one reads all inputs, the second all but the last, in the
    table's lower half."""

    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    parameter: str = "INIT"

    @property
    def table_bits(self) -> int:
        return 1 << len(self.inputs)


def _xilinx(size: int) -> LutCell:
    pins = tuple(f"I{i}" for i in range(size))
    return LutCell(name=f"LUT{size}", inputs=pins, outputs=("O",))


_XILINX_6 = (*map(_xilinx, range(2, 7)),
             LutCell(name="LUT6_2", inputs=_xilinx(6).inputs, outputs=("O6", "O5")))  # fmt: skip

LUT_CELLS: dict[str, tuple[LutCell, ...]] = {
    "xilinx4": tuple(map(_xilinx, range(2, 5))),
    "xilinx6": _XILINX_6,
    "ecp5": (LutCell(name="LUT4", inputs=("A", "B", "C", "D"), outputs=("Z",)),),
    "ice40": (
        LutCell(
            name="SB_LUT4", inputs=("I0", "I1", "I2", "I3"), outputs=("O",), parameter="LUT_INIT"
        ),
    ),
    "gowin": (LutCell(name="LUT4", inputs=("I0", "I1", "I2", "I3"), outputs=("F",)),),
}  # fmt: skip
"""The LUT cells of each kind of device."""


def parity_table(inputs: int, used: int) -> int:
    """Bit v: the parity of those of v's bits that are set in `used`."""
    return sum(((v & used).bit_count() & 1) << v for v in range(1 << inputs))


# Printing -----------------------------------------------------------------------------------------


def lut_text(
    program: LutProgram, like: Circuit, header: Sequence[str] = (), cells: str = ""
) -> str:
    """The module `like` (one input bus, one output bus) as these LUTs.

    As assignments, or with the LUT cells of a kind of device. header lines become // comments.
    """
    (source,), (target,) = like.inputs, like.outputs

    def term(t: int) -> str:
        return f"{source.name}[{t}]" if t < program.width else f"sum[{t - program.width}]"

    pad = len(str(max(source.width, target.width) - 1))
    lines = ["// SPDX-License-Identifier: Apache-2.0"]
    for line in header:
        lines += textwrap.wrap(line, _COLUMNS, initial_indent="// ", subsequent_indent="// ")
    lines += [
        f"module {like.name} (",
        f"  input  logic [{source.width - 1:>{pad}}:0] {source.name},",
        f"  output logic [{target.width - 1:>{pad}}:0] {target.name}",
        ");",
        f"  wire [{len(program.sums) - 1}:0] sum;",
        "",
    ]
    if cells:
        lines += _instances(program, LUT_CELLS[cells], term)
    else:
        for k, args in enumerate(program.sums):
            lines += _assignment(f"sum[{k}]", [term(t) for t in args])
    lines.append("")
    for i, t in enumerate(program.outputs):
        value = "1'b0" if t is None else term(t)
        lines.append(f"  assign {target.name}[{i}] = {value};")
    return "\n".join([*lines, "endmodule"]) + "\n"


def _assignment(target: str, terms: Sequence[str]) -> Iterator[str]:
    text = f"assign {target} = {' ^ '.join(terms)};"
    yield from textwrap.wrap(
        text, _COLUMNS, initial_indent="  ", subsequent_indent="      ", break_on_hyphens=False
    )


def _instances(program: LutProgram, kinds: Sequence[LutCell], term: Any) -> Iterator[str]:
    for number, lut in enumerate(program.luts):
        read = sorted({t for k in lut for t in program.sums[k]})
        cell = _cell_for(kinds, len(read), len(lut))
        pins = [term(t) for t in read]
        half = len(cell.inputs) - (len(lut) - 1)
        pins += ["1'b0"] * (half - len(pins))
        used = [sum(1 << read.index(t) for t in program.sums[k]) for k in lut]
        tables = [parity_table(half, mask) for mask in used]
        init = tables[0]
        if len(lut) == 2:
            pins.append("1'b1")
            init = tables[0] << (1 << half) | tables[1]
        bits = cell.table_bits
        connections = [
            f".{pin}({value})"
            for pin, value in (
                *zip(cell.outputs, [f"sum[{k}]" for k in lut], strict=True),
                *zip(cell.inputs, pins, strict=True),
            )
        ]
        yield f"  {cell.name} #(.{cell.parameter}({bits}'h{init:0{bits // 4}X})) u_lut{number} ("
        yield from textwrap.wrap(
            ", ".join(connections), _COLUMNS, initial_indent="    ", subsequent_indent="    "
        )
        yield "  );"


def _cell_for(kinds: Sequence[LutCell], inputs: int, outputs: int) -> LutCell:
    """The smallest cell that has room."""
    return next(
        cell
        for cell in kinds
        if len(cell.outputs) == outputs and len(cell.inputs) - (outputs - 1) >= inputs
    )


def black_boxes(cells: str) -> str:
    """Declarations of a kind of device's LUT cells, for a front end that does not have them."""
    return "".join(map(_black_box, LUT_CELLS[cells]))


def lut_model(cell: LutCell) -> str:
    """A simulation model of a LUT cell."""
    pins = ", ".join(reversed(cell.inputs))
    ports = ",\n".join(
        [f"  input  logic {pin}" for pin in cell.inputs]
        + [f"  output logic {pin}" for pin in cell.outputs]
    )
    top = len(cell.inputs) - 1
    lines = [
        "// SPDX-License-Identifier: Apache-2.0",
        f"// What the LUT cell {cell.name} does, for simulators that do not have it.",
        f"module {cell.name} #(",
        f"  parameter logic [{cell.table_bits - 1}:0] {cell.parameter} = '0",
        ") (",
        ports,
        ");",
        f"  assign {cell.outputs[0]} = {cell.parameter}[{{{pins}}}];",
    ]
    if len(cell.outputs) == 2:
        low = ", ".join(reversed(cell.inputs[:top]))
        lines.append(f"  assign {cell.outputs[1]} = {cell.parameter}[{{1'b0, {low}}}];")
    return "\n".join([*lines, "endmodule"]) + "\n"


# Reading back -------------------------------------------------------------------------------------


def read_luts(like: Circuit, sv_text: str, cells: str, *, time_limit_s: float = 120) -> Circuit:
    """The circuit in a text of LUT cells, with the ports of `like`, as Yosys reads it.

    ReadBackError unless the text is one module of these cells, each an XOR of its inputs.
    """
    return read_many_luts({like.name: sv_text}, like, cells, time_limit_s=time_limit_s)[like.name]


def read_many_luts(
    texts: Mapping[str, str], like: Circuit, cells: str, *, time_limit_s: float = 120
) -> dict[str, Circuit]:
    """The same for many texts of a module of that name, in one process of Yosys."""
    kinds = LUT_CELLS[cells]
    with tempfile.TemporaryDirectory(prefix="gcmforge-") as name:
        folder = Path(name)
        (folder / "cells.sv").write_text(black_boxes(cells))
        commands = []
        for number, text in enumerate(texts.values()):
            _check_text(text)
            (folder / f"{number}.sv").write_text(text)
            commands += [
                "design -reset", "read_verilog -sv cells.sv", f"read_verilog -sv {number}.sv",
                f"hierarchy -check -top {like.name}", "proc", "check -assert",
                f"write_json {number}.json",
            ]  # fmt: skip
        tools.run_yosys(commands, time_limit_s=time_limit_s, cwd=folder)
        found = {}
        for number, key in enumerate(texts):
            design = json.loads((folder / f"{number}.json").read_text())
            found[key] = _import(like, design["modules"][like.name], kinds)
    return found


def _check_text(text: str) -> None:
    code = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
    if "`" in code or len(re.findall(r"\bmodule\b", code)) != 1:
        raise ReadBackError("the text holds a directive, or not exactly one module")


def _black_box(cell: LutCell) -> str:
    inputs, outputs = ", ".join(cell.inputs), ", ".join(cell.outputs)
    parameter = f"parameter [{cell.table_bits - 1}:0] {cell.parameter} = 0"
    return (
        f"(* blackbox *) module {cell.name} #({parameter}) (input {inputs}, output {outputs});\n"
        "endmodule\n"
    )


def _import(like: Circuit, module: Mapping[str, Any], kinds: Sequence[LutCell]) -> Circuit:
    by_name = {cell.name: cell for cell in kinds}
    (source,), (target,) = like.inputs, like.outputs
    ports = {name: (p["direction"], len(p["bits"])) for name, p in module["ports"].items()}
    wanted = {source.name: ("input", source.width), target.name: ("output", target.width)}
    if ports != wanted:
        raise ReadBackError(f"the module has ports {ports}, expected {wanted}")
    b = Builder(like.name)
    known: dict[Bit, Net] = {"0": ZERO, "1": ONE}
    known |= zip(module["ports"][source.name]["bits"], b.input(source.name, source.width),
                 strict=True)  # fmt: skip
    drivers: dict[Bit, list[Bit]] = {}
    for instance in module["cells"].values():
        if instance["type"] not in by_name:
            raise ReadBackError(f"a cell of type {instance['type']}")
        for bit, terms in _sums(instance, by_name[instance["type"]]):
            drivers[bit] = terms
    for bit in module["ports"][target.name]["bits"]:
        _follow(bit, drivers, known, b)
    b.output(target.name, [known[bit] for bit in module["ports"][target.name]["bits"]])
    return b.build()


def _sums(instance: Mapping[str, Any], cell: LutCell) -> Iterator[tuple[Bit, list[Bit]]]:
    """(output bit, the bits that it is the XOR of) of a LUT."""
    pins = {pin: bits[0] for pin, bits in instance["connections"].items() if bits}
    table = int(instance["parameters"][cell.parameter], 2)
    for number, output in enumerate(cell.outputs):
        if output not in pins:
            continue
        inputs, half = cell.inputs, table
        if number == 1:
            inputs = inputs[:-1]
            half &= (1 << (1 << len(inputs))) - 1
        elif len(cell.outputs) == 2 and pins[inputs[-1]] == "1":
            inputs = inputs[:-1]
            half >>= 1 << len(inputs)
        used = sum(1 << i for i in range(len(inputs)) if half >> (1 << i) & 1)
        if half != parity_table(len(inputs), used):
            raise ReadBackError(f"a {cell.name} is not the XOR of inputs: its table says otherwise")
        yield pins[output], [pins[pin] for i, pin in enumerate(inputs) if used >> i & 1]


def _follow(bit: Bit, drivers: Mapping[Bit, list[Bit]], known: dict[Bit, Net], b: Builder) -> None:
    """Make the net of a bit, and of what it depends on, depth first without recursion."""
    todo, opened = [bit], set()
    while todo:
        here = todo[-1]
        if here in known:
            todo.pop()
            continue
        if here not in drivers:
            raise ReadBackError(f"bit {here} has no driver")
        missing = [p for p in drivers[here] if p not in known]
        if missing and here in opened:
            raise ReadBackError("a loop of LUTs")
        if missing:
            opened.add(here)
            todo += missing
        else:
            known[here] = b.xor_sum([known[p] for p in drivers[here]])
