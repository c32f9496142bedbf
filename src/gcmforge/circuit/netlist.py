# SPDX-License-Identifier: Apache-2.0
"""A netlist of single-bit cells, as Yosys writes it in JSON, turned into a circuit.

From each output bit the netlist is followed back: flip-flops become wires and are counted, and
every path must count the same number; every flip-flop must be clocked by clk and held by en_i
alone. Undefined values (the default of a case that lists every value becomes one) are carried
along as a second net, which must be 0 at the outputs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from gcmforge.circuit.build import Builder
from gcmforge.circuit.ir import ONE, ZERO, Circuit, Net, Op
from gcmforge.circuit.minimise import cse
from gcmforge.circuit.patterns import MAX_EXHAUSTIVE_INPUTS
from gcmforge.circuit.prove import prove_exhaustive

CONTROLS = ("clk", "en_i")
_CELLS = {
    "$_XOR_": Op.XOR, "$_XNOR_": Op.XNOR, "$_AND_": Op.AND, "$_NAND_": Op.NAND,
    "$_OR_": Op.OR, "$_NOR_": Op.NOR,
}  # fmt: skip
_FLIP_FLOPS = {"$_DFF_P_", "$_DFFE_PP_"}

Bit = int | str
Cell = tuple[str, dict[str, Bit]]


class ReadBackError(ValueError):
    """The text is not a netlist of the expected shape; the message says where."""


class Value(NamedTuple):
    """What a bit carries; `passed` counts registers since the inputs, None for a constant."""

    net: Net
    undefined: Net
    passed: int | None


def import_netlist(
    like: Circuit,
    module: Mapping[str, Any],
    latency: int,
    controls: Collection[str] | None = None,
    arrives: Mapping[str, int] | None = None,
) -> Circuit:
    """The circuit of a Yosys JSON module, with the ports of `like` and registers made wires.

    `controls` are the control inputs (of clk, en_i) that it must have, None for whichever it has.
    Raises ReadBackError unless every path passes `latency` registers, less those of the stage in
    which an input arrives.
    """
    return _Importer(like, module, latency, controls, arrives or {}).circuit()


class _Importer:
    def __init__(
        self,
        like: Circuit,
        module: Mapping[str, Any],
        latency: int,
        controls: Collection[str] | None,
        arrives: Mapping[str, int],
    ) -> None:
        self.like = like
        self.arrives = arrives
        self.controls = controls
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
        self.known: dict[Bit, Value] = {
            "0": Value(ZERO, ZERO, None),
            "1": Value(ONE, ZERO, None),
            "x": Value(ZERO, ONE, None),
        }

    def circuit(self) -> Circuit:
        self._check_ports()
        for bus in self.like.inputs:
            nets = self.builder.input(bus.name, bus.width)
            bits = self.ports[bus.name][1]
            values = [Value(net, ZERO, self.arrives.get(bus.name, 0)) for net in nets]
            self.known |= dict(zip(bits, values, strict=True))
        undefined: list[Net] = []
        for bus in self.like.outputs:
            values = [self._output(bus.name, bit) for bit in self.ports[bus.name][1]]
            self.builder.output(bus.name, [value.net for value in values])
            undefined += [value.undefined for value in values]
        if not any(undefined):
            return self.builder.build()
        self.builder.output("undefined_o", undefined)
        return _always_defined(self.builder.build())

    def _check_ports(self) -> None:
        wanted = {bus.name: ("input", bus.width) for bus in self.like.inputs}
        wanted |= {bus.name: ("output", bus.width) for bus in self.like.outputs}
        found = {name: (way, len(bits)) for name, (way, bits) in self.ports.items()}
        for name in CONTROLS:
            if self.controls is None and found.get(name) == ("input", 1):
                wanted.setdefault(name, ("input", 1))
        wanted |= dict.fromkeys(self.controls or (), ("input", 1))
        if found != wanted:
            raise ReadBackError(f"the module has ports {found}, expected {wanted}")

    def _output(self, name: str, bit: Bit) -> Value:
        value = self._follow(bit)
        if value.passed not in (None, self.latency):
            raise ReadBackError(
                f"{name}: a path passes {value.passed} registers, not {self.latency}"
            )
        return value

    def _follow(self, bit: Bit) -> Value:
        """The value of a bit; cells are visited depth first, without recursion."""
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

    def _cell(self, kind: str, pins: Mapping[str, Bit]) -> Value:
        data = [self.known[bit] for bit in self._data(kind, pins)]
        if kind in _FLIP_FLOPS:
            net, undefined, passed = data[0]
            return Value(net, undefined, None if passed is None else passed + 1)
        latencies = {value.passed for value in data} - {None}
        if len(latencies) > 1:
            raise ReadBackError(f"a {kind} cell joins paths of {latencies} registers")
        net, undefined = self._gate(kind, [(value.net, value.undefined) for value in data])
        return Value(net, undefined, latencies.pop() if latencies else None)

    def _gate(self, kind: str, data: Sequence[tuple[Net, Net]]) -> tuple[Net, Net]:
        """(value, whether it is undefined) of a cell; the value is anything where undefined."""
        b = self.builder
        if kind == "$_BUF_":
            return data[0]
        if kind == "$_NOT_":
            return b.not_(data[0][0]), data[0][1]
        if kind == "$_MUX_":
            (if0, no0), (if1, no1), (sel, no_sel) = data
            return b.mux(sel, if1, if0), b.or_(no_sel, b.mux(sel, no1, no0))
        if kind not in _CELLS:
            raise ReadBackError(f"a cell of type {kind} (a latch, a memory or a black box?)")
        op = _CELLS[kind]
        (p, no_p), (q, no_q) = data
        undefined = b.or_(no_p, no_q)
        if op in (Op.AND, Op.NAND):  # a defined 0 decides
            undefined = b.and_(undefined, b.and_(b.or_(p, no_p), b.or_(q, no_q)))
        elif op in (Op.OR, Op.NOR):  # a defined 1 decides
            open_p, open_q = b.or_(b.not_(p), no_p), b.or_(b.not_(q), no_q)
            undefined = b.and_(undefined, b.and_(open_p, open_q)) if undefined else ZERO
        return b.gate(op, (p, q)), undefined


def _always_defined(c: Circuit) -> Circuit:
    """c without its last bus, which must be 0 on every input pattern (an unreachable default)."""
    proof = (
        prove_exhaustive(dataclasses.replace(c, outputs=c.outputs[-1:]), lambda *_: 0)
        if c.input_width <= MAX_EXHAUSTIVE_INPUTS
        else None
    )
    if proof is None or not proof.passed:
        where = proof.detail if proof else "too many inputs to try them all"
        raise ReadBackError(f"an undefined value may reach an output: {where}")
    return cse(dataclasses.replace(c, outputs=c.outputs[:-1]))
