# SPDX-License-Identifier: Apache-2.0
"""Adapter for OpenSTA, where it is installed: the same netlist under the same constraints.

Used to check the built-in timing, never needed by it. Debian: apt-get install opensta.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Bit, Module, Netlist, NetlistError
from gcmforge.sta.bound import bind
from gcmforge.tools import ToolError


@dataclass(frozen=True, kw_only=True, slots=True)
class TreeClock:
    """Of a netlist with a clock tree: the clock's transition at its port, and how late it is at
    what uses the other ports."""

    port_slew_ns: float
    latency_ns: float


@dataclass(frozen=True, kw_only=True, slots=True)
class StaPath:
    """OpenSTA's slowest path: the same figure as Timing.critical_path_ns."""

    critical_path_ns: float
    start: str
    end: str
    report: str
    unclocked: int = 0
    """Clock pins of flip-flops and gates that no clock reaches: paths there are not looked at."""


def opensta_path() -> Path:
    """The program `sta`; ToolError says what to install."""
    found = shutil.which("sta")
    if found is None:
        raise ToolError(
            "OpenSTA: sta not found on PATH; install it (Debian: apt-get install opensta)"
        )
    return Path(found)


@cache
def opensta_version() -> str:
    """Empty where it is not installed; a word where it is and does not run, which stops nothing."""
    if shutil.which("sta") is None:
        return ""
    try:
        return _run("puts [sta::version]\n", 60).strip().splitlines()[-1]
    except ToolError:
        return "that does not run"


def analyse_with_opensta(
    netlist: Netlist | Module,
    library: Library,
    *,
    driving_cell: str = "",
    load_ff: float = 0.0,
    clock_slew_ns: float = 0.0,
    spef: Path | None = None,
    tree: TreeClock | None = None,
    time_limit_s: float = 600,
) -> StaPath:
    """The slowest path as OpenSTA sees it; the arguments are those of `timing.analyse`. Wires are
    those of a SPEF file with the names that `write_verilog` gives, or ideal. The clock goes through
    the netlist's tree where `tree` is given, else it is ideal."""
    module = netlist.flatten() if isinstance(netlist, Netlist) else netlist
    with tempfile.TemporaryDirectory(prefix="gcmforge-sta-") as folder:
        verilog = Path(folder) / "netlist.v"
        verilog.write_text("".join(write_verilog(module, library)), encoding="utf-8")
        plain = [_plain(path, Path(folder) / f"{n}.lib") for n, path in enumerate(library.paths)]
        read = _read(module, plain, verilog, spef)
        clock = clock_slew_ns if tree is None else tree
        script = read + _constrained(module, library, driving_cell, load_ff, clock)
        log = _run(script, time_limit_s)
    return _parse(log)


_CLOCK_NS = 0.001
"""Too short for any path, so that the slack, a single precision number, keeps its digits."""


CALCULATOR = "arnoldi"
"""Of the delays of nets with wires. It takes a driver's transition from the library's table, as the
built-in timing does. OpenSTA's default takes it from a wave that it fits, which is up to 15 %
slower, where there is nearly no wire, too."""

_WIRE_LOAD = re.compile(rb"^\s*default_wire_load(_selection|_mode)?\s*:[^;\n]*;?", re.MULTILINE)


def _plain(path: Path, copy: Path) -> Path:
    """A copy of the Liberty file, unpacked (Debian's OpenSTA reads no .gz), with ideal wires."""
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    copy.write_bytes(_WIRE_LOAD.sub(b"", data))
    return copy


def _read(module: Module, liberty: Sequence[Path], verilog: Path, spef: Path | None) -> str:
    """Tcl that reads it all."""
    lines = [f"read_liberty {{{path}}}" for path in liberty]
    lines += [f"read_verilog {{{verilog}}}", f"link_design {module.name}"]
    lines += [f"read_spef {{{spef}}}", f"set_delay_calculator {CALCULATOR}"] if spef else []
    return "\n".join([*lines, "set_cmd_units -time ns -capacitance pF"]) + "\n"


def _constrained(
    module: Module,
    library: Library,
    driving_cell: str,
    load_ff: float,
    clock: float | TreeClock,
) -> str:
    """Tcl: constrain against one short clock (virtual where nothing is clocked), report. An ideal
    clock is given by its transition."""
    lines = []
    clocks = clock_ports(module, library)
    source = f"[get_ports {{{' '.join(clocks)}}}]" if clocks else ""
    lines.append(f"create_clock -name clock -period {_CLOCK_NS} {source}")
    outside = "clock"
    if isinstance(clock, TreeClock):
        outside = "outside"
        lines.append("set_propagated_clock [get_clocks clock]")
        lines.append(f"set_input_transition {clock.port_slew_ns!r} {source}")
        lines.append(f"create_clock -name {outside} -period {_CLOCK_NS}")
        lines.append(f"set_clock_latency {clock.latency_ns!r} [get_clocks {outside}]")
    elif clocks:
        lines.append(f"set_clock_transition {clock} [get_clocks clock]")
    data = [n for n in _port_bits(module, "input") if n not in clocks]
    for name in data:
        lines.append(f"set_input_delay 0 -clock {outside} [get_ports {{{name}}}]")
        if driving_cell:
            lines.append(f"set_driving_cell -lib_cell {driving_cell} [get_ports {{{name}}}]")
    lines.append(f"set_output_delay 0 -clock {outside} [all_outputs]")
    lines.append(f"set_load {load_ff / 1000!r} [all_outputs]")
    lines.append("check_setup -verbose -no_clock")
    lines.append("report_checks -path_delay max -digits 6")
    return "\n".join(lines) + "\n"


def _port_bits(module: Module, direction: str) -> list[str]:
    names = []
    for name, port in module.ports.items():
        if port.direction == direction:
            names += [bit_name(name, i, len(port.bits)) for i in range(len(port.bits))]
    return names


def bit_name(port: str, bit: int, bits: int) -> str:
    """One bit of a port, as Verilog has it."""
    return port if bits == 1 else f"{port}[{bit}]"


def clock_ports(module: Module, library: Library) -> list[str]:
    """Inputs that clock a flip-flop, directly or through a tree."""
    bound = bind(module, library)
    nets = set(bound.clock_nets.tolist())
    return [bound.net_names[n] for n in bound.inputs.tolist() if n in nets]


def _run(script: str, time_limit_s: float) -> str:
    environment = {**os.environ, "HOME": tempfile.gettempdir()}
    with tempfile.NamedTemporaryFile("w", suffix=".tcl") as file:
        file.write(script)
        file.flush()
        try:
            run = subprocess.run(
                [str(opensta_path()), "-no_splash", "-exit", file.name],
                env=environment,
                text=True,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=time_limit_s,
            )
        except subprocess.TimeoutExpired as error:
            raise ToolError(f"OpenSTA: not done after {time_limit_s} s") from error
    if run.returncode != 0 or "Error:" in run.stdout:
        tail = "\n".join(run.stdout.splitlines()[-20:])
        raise ToolError(f"OpenSTA ended with code {run.returncode}:\n{tail}")
    return run.stdout


def _parse(log: str) -> StaPath:
    """The worst path of what is reported, one for each clock at most. A path's length is the
    clock's period minus its slack."""
    found = []
    for path in re.split(r"(?=^Startpoint: )", log, flags=re.MULTILINE)[1:]:
        slack = re.search(r"^\s*(-?[\d.]+)\s+slack", path, re.MULTILINE)
        start = re.search(r"^Startpoint: (\S+)", path, re.MULTILINE)
        end = re.search(r"^Endpoint: (\S+)", path, re.MULTILINE)
        if slack and start and end:
            found.append((_CLOCK_NS - float(slack[1]), start[1], end[1]))
    if not found:
        raise ToolError(f"OpenSTA reported no path:\n{log[-2000:]}")
    length, begins, ends = max(found)
    return StaPath(
        critical_path_ns=length, start=begins, end=ends, report=log, unclocked=_unclocked(log)
    )


def _unclocked(log: str) -> int:
    found = re.search(r"There (?:are|is) (\d+) unclocked register/latch pin", log)
    return 0 if found is None else int(found[1])


# Verilog ------------------------------------------------------------------------------------------


def escaped(name: str) -> str:
    """A Verilog identifier of any text; an escaped one ends with a blank."""
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else f"\\{name} "


def net_names(module: Module) -> dict[Bit, str]:
    """Verilog text for each bit: ports by name and index, other nets n0, n1, ..."""
    names: dict[Bit, str] = {"0": "1'b0", "1": "1'b1"}
    for direction in ("output", "input"):
        for name, port in module.ports.items():
            if port.direction == direction:
                for i, bit in enumerate(port.bits):
                    if not isinstance(bit, str):
                        names[bit] = bit_name(name, i, len(port.bits))
    return names


def write_verilog(module: Module, library: Library) -> Iterator[str]:
    """A structural netlist: ports as they are, every cell an instance with named pins."""
    names = net_names(module)
    yield f"module {module.name} ({', '.join(module.ports)});\n"
    for name, port in module.ports.items():
        width = "" if len(port.bits) == 1 else f"[{len(port.bits) - 1}:0] "
        yield f"  {port.direction} {width}{name};\n"
    wires: list[str] = []
    lines: list[str] = []
    for instance, cell in module.cells.items():
        if cell.type not in library.cells:
            raise NetlistError(f"cell {instance} is a {cell.type}, not of {library.name}")
        pins = []
        for pin, bits in cell.connections.items():
            if not bits or bits[0] in ("x", "z"):
                continue
            bit = bits[0]
            if bit not in names:
                names[bit] = f"n{bit}"
                wires.append(names[bit])
            pins.append(f".{pin}({names[bit]})")
        lines.append(f"  {cell.type} {escaped(instance)} ({', '.join(pins)});\n")
    for wire in wires:
        yield f"  wire {wire};\n"
    yield from lines
    for name, port in module.ports.items():
        if port.direction == "output":
            for i, bit in enumerate(port.bits):
                target = bit_name(name, i, len(port.bits))
                if names.get(bit, target) != target:
                    yield f"  assign {target} = {names[bit]};\n"
    yield "endmodule\n"
