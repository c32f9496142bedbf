# SPDX-License-Identifier: Apache-2.0
"""Printed SystemVerilog, read by Yosys, turned back into a circuit and compared.

Yosys elaborates the text to single-bit gates and flip-flops without optimising them. From each
output bit the netlist is followed back: flip-flops become wires and are counted, and every path
must count the same number; every flip-flop must be clocked by clk and held by en_i alone.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gcmforge import tools
from gcmforge.circuit.build import Builder
from gcmforge.circuit.ir import ONE, ZERO, Circuit, Net, Op, PipelinedCircuit, combinational
from gcmforge.circuit.prove import Proof, prove_equal

CONTROLS = ("clk", "en_i")
_CELLS = {
    "$_XOR_": Op.XOR, "$_XNOR_": Op.XNOR, "$_AND_": Op.AND, "$_NAND_": Op.NAND,
    "$_OR_": Op.OR, "$_NOR_": Op.NOR,
}  # fmt: skip
_FLIP_FLOPS = {"$_DFF_P_": False, "$_DFFE_PP_": True}

Bit = int | str
Cell = tuple[str, dict[str, Bit]]


class ReadBackError(ValueError):
    """The text is not a netlist of the expected shape; the message says where."""


def prove_readback(
    c: Circuit | PipelinedCircuit, sv_text: str, *, time_limit_s: float = 120
) -> Proof:
    """That sv_text, as Yosys reads it, computes c with the latency of c on every path."""
    start = time.perf_counter()
    pipe = combinational(c) if isinstance(c, Circuit) else c
    circuit = pipe.circuit
    versions = {"yosys": tools.yosys_version()}
    try:
        back = read_systemverilog(circuit, sv_text, pipe.stages - 1, time_limit_s=time_limit_s)
        found = prove_equal(circuit, back, time_limit_s=time_limit_s)
        passed, cases, detail = found.passed, found.cases, found.detail
        versions = found.tools | versions
    except (ReadBackError, tools.ToolError) as error:
        passed, cases, detail = False, 0, str(error)
    if passed and pipe.stages > 1:
        detail += f"; latency {pipe.stages - 1} on every path"
    return Proof(
        kind="readback",
        circuit=circuit.name,
        passed=passed,
        cases=cases,
        seconds=time.perf_counter() - start,
        detail=detail,
        tools=versions,
    )


def read_systemverilog(
    like: Circuit, sv_text: str, latency: int, *, time_limit_s: float = 120
) -> Circuit:
    """The circuit in sv_text, with the ports of `like` and its registers made wires.

    Raises ReadBackError unless every path passes `latency` registers, and ToolError when Yosys
    does not read the text.
    """
    with tempfile.TemporaryDirectory(prefix="gcmforge-") as folder:
        (Path(folder) / "leaf.sv").write_text(sv_text)
        tools.run_yosys(
            [
                "read_verilog -sv leaf.sv",
                f"hierarchy -check -top {like.name}",
                "proc -norom",
                "opt_dff -simple-dffe",
                "simplemap",
                "techmap",
                "check -assert",
                "write_json leaf.json",
            ],
            time_limit_s=time_limit_s,
            cwd=Path(folder),
        )
        design = json.loads((Path(folder) / "leaf.json").read_text())
    return _Importer(like, design["modules"][like.name], latency).circuit()


class _Importer:
    def __init__(self, like: Circuit, module: Mapping[str, Any], latency: int) -> None:
        self.like = like
        self.latency = latency
        self.ports: dict[str, tuple[str, list[Bit]]] = {
            name: (port["direction"], port["bits"]) for name, port in module["ports"].items()
        }
        self.driver: dict[Bit, Cell] = {}
        for cell in module["cells"].values():
            pins = {pin: bits[0] for pin, bits in cell["connections"].items() if bits}
            for pin, direction in cell["port_directions"].items():
                if direction == "output":
                    for bit in cell["connections"][pin]:
                        self.driver[bit] = (cell["type"], pins)
        self.builder = Builder(like.name)
        # what a bit carries: its net, and the registers passed since the inputs (None: constant)
        self.known: dict[Bit, tuple[Net, int | None]] = {"0": (ZERO, None), "1": (ONE, None)}

    def circuit(self) -> Circuit:
        self._check_ports()
        for bus in self.like.inputs:
            nets = self.builder.input(bus.name, bus.width)
            bits = self.ports[bus.name][1]
            self.known |= {bit: (net, 0) for bit, net in zip(bits, nets, strict=True)}
        for bus in self.like.outputs:
            bits = self.ports[bus.name][1]
            self.builder.output(bus.name, [self._output(bus.name, bit) for bit in bits])
        return self.builder.build()

    def _check_ports(self) -> None:
        wanted = {bus.name: ("input", bus.width) for bus in self.like.inputs}
        wanted |= {bus.name: ("output", bus.width) for bus in self.like.outputs}
        found = {name: (way, len(bits)) for name, (way, bits) in self.ports.items()}
        for name in CONTROLS:
            if found.get(name) == ("input", 1) and name not in wanted:
                del found[name]
        if found != wanted:
            raise ReadBackError(f"the module has ports {found}, expected {wanted}")

    def _output(self, name: str, bit: Bit) -> Net:
        net, passed = self._follow(bit)
        if passed is not None and passed != self.latency:
            raise ReadBackError(f"{name}: a path passes {passed} registers, not {self.latency}")
        return net

    def _follow(self, bit: Bit) -> tuple[Net, int | None]:
        """The net and latency of a bit; cells are visited depth first, without recursion."""
        todo = [bit]
        open_bits: set[Bit] = set()
        while todo:
            here = todo[-1]
            if here in self.known:
                todo.pop()
                continue
            if here not in self.driver:
                raise ReadBackError(f"bit {here} has no driver, or a control input feeds data")
            kind, pins = self.driver[here]
            missing = [p for p in self._data(kind, pins) if p not in self.known]
            if missing and here in open_bits:
                raise ReadBackError(f"a loop of gates and registers through a {kind} cell")
            if missing:
                open_bits.add(here)
                todo += missing
            else:
                self.known[here] = self._cell(kind, pins)
        return self.known[bit]

    def _data(self, kind: str, pins: Mapping[str, Bit]) -> list[Bit]:
        """The data inputs of a cell."""
        if kind in _FLIP_FLOPS:
            self._check_control(kind, pins)
            return [pins["D"]]
        return [pins[pin] for pin in ("A", "B", "S") if pin in pins]

    def _check_control(self, kind: str, pins: Mapping[str, Bit]) -> None:
        """Clocked by clk, held by en_i exactly where the module has that port."""
        clk, enable = (self.ports.get(name, ("", [None]))[1][0] for name in CONTROLS)
        if clk is None or pins["C"] != clk:
            raise ReadBackError("a register is not clocked by clk")
        if pins.get("E") != enable:
            raise ReadBackError("a register is not held by en_i alone")

    def _cell(self, kind: str, pins: Mapping[str, Bit]) -> tuple[Net, int | None]:
        data = [self.known[bit] for bit in self._data(kind, pins)]
        if kind in _FLIP_FLOPS:
            net, passed = data[0]
            return net, None if passed is None else passed + 1
        latencies = {passed for _, passed in data if passed is not None}
        if len(latencies) > 1:
            raise ReadBackError(f"a {kind} cell joins paths of {sorted(latencies)} registers")
        return self._gate(kind, [net for net, _ in data]), latencies.pop() if latencies else None

    def _gate(self, kind: str, nets: Sequence[Net]) -> Net:
        b = self.builder
        if kind in _CELLS:
            return b.gate(_CELLS[kind], nets)
        if kind == "$_NOT_":
            return b.not_(nets[0])
        if kind == "$_BUF_":
            return nets[0]
        if kind == "$_MUX_":
            return b.mux(nets[2], nets[1], nets[0])
        if kind == "$_ANDNOT_":
            return b.and_(nets[0], b.not_(nets[1]))
        if kind == "$_ORNOT_":
            return b.or_(nets[0], b.not_(nets[1]))
        raise ReadBackError(f"a cell of type {kind} (a latch, a memory or a black box?)")
