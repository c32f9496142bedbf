# SPDX-License-Identifier: Apache-2.0
"""The same netlist with the same delays in Icarus Verilog, to check the event kernel.

Cell models are written from the Liberty functions, with a specify path for every pin; delays go in
as SDF. The bench counts every edge of every net, so that no waveform is stored. Debian:
apt-get install iverilog.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gcmforge.netlist.functions import Expression, parse_function
from gcmforge.netlist.library import LibCell
from gcmforge.netlist.netlist import Module
from gcmforge.power.design import EventDesign
from gcmforge.power.gates import cell_functions
from gcmforge.sta.opensta import net_names, write_verilog
from gcmforge.tools import ToolError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Bytes = NDArray[np.uint8]

PERIOD_PS = 20_000


@dataclass(frozen=True, slots=True)
class _Programs:
    compiler: Path
    runner: Path


def icarus_path() -> Path:
    """The compiler `iverilog`; ToolError says what to install."""
    return _programs().compiler


def _programs() -> _Programs:
    compiler, runner = shutil.which("iverilog"), shutil.which("vvp")
    if compiler is None or runner is None:
        raise ToolError(
            "Icarus Verilog: iverilog and vvp not found on PATH; install them "
            "(Debian: apt-get install iverilog)"
        )
    return _Programs(Path(compiler), Path(runner))


def count_toggles(
    design: EventDesign, patterns: Bytes, *, period_ps: int = PERIOD_PS, time_limit_s: float = 600
) -> Ints:
    """Edges of each net over the patterns' steps, as `simulate(...).toggles.sum(axis=1)` counts.

    Flip-flops start at 0 and are clocked as each pattern begins, as in the event kernel.
    """
    import numpy as np

    with tempfile.TemporaryDirectory(prefix="gcmforge-icarus-") as name:
        folder = Path(name)
        nets = _write_files(folder, design, patterns, period_ps)
        programs = _programs()
        command = [str(programs.compiler), "-g2012", "-gspecify", "-Tmax", "-s", "bench"]
        _run([*command, "-o", "sim.vvp", "bench.v", "netlist.v", "cells.v"], folder, time_limit_s)
        log = _run([str(programs.runner), "-n", "sim.vvp"], folder, time_limit_s)
    counts = np.zeros(design.bound.net_count, dtype=np.int64)
    lines = [line.split() for line in log.splitlines() if line.startswith("toggles ")]
    if len(lines) != len(nets):
        raise ToolError(f"Icarus Verilog did not count all nets:\n{log[-2000:]}")
    for _, index, count in lines:
        counts[nets[int(index)]] = int(count)
    return counts


def _run(command: Sequence[str], folder: Path, time_limit_s: float) -> str:
    try:
        run = subprocess.run(
            command,
            cwd=folder,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=time_limit_s,
        )
    except subprocess.TimeoutExpired as error:
        raise ToolError(f"{Path(command[0]).name}: not done after {time_limit_s} s") from error
    complaints = [line for line in run.stdout.splitlines() if line.startswith("SDF ")]
    if run.returncode != 0 or complaints:
        tail = "\n".join((complaints or run.stdout.splitlines())[-20:])
        raise ToolError(f"{Path(command[0]).name} ended with code {run.returncode}:\n{tail}")
    return run.stdout


def _write_files(folder: Path, design: EventDesign, patterns: Bytes, period_ps: int) -> list[int]:
    """Everything that Icarus reads; returns the nets in the order in which the bench counts."""
    module = design.bound.module
    plain = Module(
        name=module.name,
        ports=module.ports,
        cells={f"g{n}": cell for n, cell in enumerate(module.cells.values())},
        net_names=module.net_names,
    )
    library = design.bound.library
    used = sorted({cell.type for cell in module.cells.values()})
    texts = {
        "netlist.v": "`timescale 1ps/1ps\n" + "".join(write_verilog(plain, library)),
        "cells.v": "`timescale 1ps/1ps\n" + "".join(cell_model(library.cell(c)) for c in used),
        "delays.sdf": "".join(_sdf(design)),
        "patterns.hex": "\n".join(_hex(row) for row in patterns) + "\n",
    }
    names = {bit: name for bit, name in net_names(module).items() if not isinstance(bit, str)}
    numbers = design.bound.net_of_bit
    counted = [(numbers[b], names.get(b, f"n{b}")) for b in numbers if not isinstance(b, str)]
    texts["bench.v"] = "".join(_bench(design, [n for _, n in counted], len(patterns), period_ps))
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [net for net, _ in counted]


def _hex(row: Bytes) -> str:
    """A pattern as a number whose bit i is column i."""
    return f"{int(''.join(map(str, row[::-1].tolist())), 2):x}"


# Cells --------------------------------------------------------------------------------------------

_OPERATORS = {"and": "&", "or": "|", "xor": "^"}


def verilog_expression(tree: Expression | str) -> str:
    """A Liberty function's tree in Verilog, every operator in parentheses."""
    if isinstance(tree, str):
        return f"1'b{tree}" if tree in ("0", "1") else tree
    operator, left, right = tree
    if operator == "not":
        return f"(~{verilog_expression(left)})"
    return f"({verilog_expression(left)} {_OPERATORS[operator]} {verilog_expression(right)})"


def clock_pin(cell: LibCell) -> str:
    """The pin whose rising edge clocks a flip-flop."""
    clock = "" if cell.flip_flop is None else parse_function(cell.flip_flop.clock)
    if not isinstance(clock, str) or clock not in cell.pins:
        raise ToolError(f"{cell.name}: only flip-flops of a pin's rising edge can be simulated")
    return clock


def cell_model(cell: LibCell) -> str:
    """A Verilog module of a cell; every path has a delay of 1 ps until SDF gives it its own."""
    lines = [f"module {cell.name} ({', '.join(cell.pins)});"]
    for pin in cell.pins.values():
        lines.append(f"  {'output' if pin.direction == 'output' else 'input'} {pin.name};")
    flop = cell.flip_flop
    if flop is not None:
        data = verilog_expression(parse_function(flop.data))
        lines.append(f"  reg {flop.state} = 1'b0;")
        if flop.inverted:
            lines.append(f"  wire {flop.inverted} = ~{flop.state};")
        if flop.preset:
            data = f"({verilog_expression(parse_function(flop.preset))} | {data})"
        if flop.clear:
            data = f"(~{verilog_expression(parse_function(flop.clear))} & {data})"
        lines.append(f"  always @(posedge {clock_pin(cell)}) {flop.state} <= {data};")
    lines += [
        f"  assign {pin.name} = {verilog_expression(parse_function(pin.function))};"
        for pin in cell.outputs
    ]
    paths = [
        f"    ({name} => {function.output}) = (1, 1);"
        for function in cell_functions(cell)
        for name in ((clock_pin(cell),) if function.clocked else function.inputs)
    ]
    lines += ["  specify", *paths, "  endspecify"] if paths else []
    return "\n".join([*lines, "endmodule", ""])


# Delays and bench ---------------------------------------------------------------------------------


def _sdf(design: EventDesign) -> Iterator[str]:
    """Delays of every gate's pins (flip-flops: of their clock) in SDF, ps."""
    yield '(DELAYFILE (SDFVERSION "3.0") (DESIGN "bench") (DIVIDER .) (TIMESCALE 1ps)\n'
    index = {name: n for n, name in enumerate(design.bound.module.cells)}
    for gate, (cell, inputs, output) in enumerate(design.gate_pins()):
        first = int(design.first[gate])
        flop = gate - design.gate_count
        delays: dict[object, tuple[str, int, int]] = {}
        if flop >= 0:
            fall, rise = design.launch[2 * flop : 2 * flop + 2].tolist()
            delays["clock"] = (clock_pin(cell), rise, fall)
        else:
            for pin, name in enumerate(inputs, first):
                fall, rise = design.pin_delay[2 * pin : 2 * pin + 2].tolist()
                if fall >= 0 and rise >= 0:
                    # pins on one net: Icarus keeps the first one's path, the shortest delay counts
                    net = int(design.pin_net[pin])
                    kept = delays.get(net, (name, rise, fall))
                    delays[net] = (kept[0], min(kept[1], rise), min(kept[2], fall))
        paths = [f"(IOPATH {name} {output} ({r}) ({f}))" for name, r, f in delays.values()]
        instance = index[design.bound.instance(int(design.gate_cell[gate]))]
        yield f'(CELL (CELLTYPE "{cell.name}") (INSTANCE g{instance}) '
        yield f"(DELAY (ABSOLUTE {' '.join(paths)})))\n"
    yield ")\n"


def _bench(
    design: EventDesign, names: Sequence[str], patterns: int, period_ps: int
) -> Iterator[str]:
    """One pattern a period, and a counter for every net."""
    module = design.bound.module
    width, inputs = design.input_count, design.input_names
    clocks = set(design.graph.clock_nets.tolist())
    yield "`timescale 1ps/1ps\nmodule bench;\n"
    yield f"  reg [{width - 1}:0] pattern;\n  reg [{width - 1}:0] patterns [0:{patterns - 1}];\n"
    yield "  reg clock = 0, counting = 0;\n  integer step;\n"
    yield f"  integer count [0:{len(names) - 1}];\n"
    column = {name: f"pattern[{i}]" for i, name in enumerate(inputs)}
    ports = []
    for name, port in module.ports.items():
        bits = [name if len(port.bits) == 1 else f"{name}[{i}]" for i in range(len(port.bits))]
        if port.direction == "output":
            yield f"  wire [{len(bits) - 1}:0] {name};\n"
            ports.append(f".{name}({name})")
            continue
        values = []
        for bit, text in zip(port.bits, bits, strict=True):
            clocked = design.bound.net_of_bit.get(bit) in clocks
            values.append("clock" if clocked else column.get(text, "1'b0"))
        ports.append(f".{name}({{{', '.join(reversed(values))}}})")
    yield f"  {module.name} dut ({', '.join(ports)});\n"
    for n, name in enumerate(names):
        yield f"  always @(dut.{name}) if (counting) count[{n}] = count[{n}] + 1;\n"
    yield (
        "  initial begin\n"
        '    $sdf_annotate("delays.sdf", dut);\n'
        '    $readmemh("patterns.hex", patterns);\n'
        f"    for (step = 0; step < {len(names)}; step = step + 1) count[step] = 0;\n"
        f"    pattern = patterns[0];\n    #{period_ps * 5} counting = 1;\n"
        f"    for (step = 1; step < {patterns}; step = step + 1) begin\n"
        f"      clock = 1; pattern <= patterns[step];\n"
        f"      #{period_ps // 2} clock = 0;\n      #{period_ps - period_ps // 2};\n"
        "    end\n"
        f"    for (step = 0; step < {len(names)}; step = step + 1)\n"
        '      $display("toggles %0d %0d", step, count[step]);\n'
        "    $finish;\n  end\nendmodule\n"
    )
