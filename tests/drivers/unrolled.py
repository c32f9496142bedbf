# SPDX-License-Identifier: Apache-2.0
"""The gates of a module, as Yosys reads it, unrolled over cycles into a circuit that can be proven:
its registers begin with what is given."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gcmforge.circuit import Builder, Circuit, Proof, prove
from gcmforge.circuit.ir import ONE, ZERO, Bus, Net, Op
from gcmforge.model.aes import key_expansion, sbox
from gcmforge.tools import run_yosys

Answers = tuple[int, ...]
Spec = Callable[..., Answers]

GATES = {
    "$_XOR_": Op.XOR, "$_XNOR_": Op.XNOR, "$_AND_": Op.AND, "$_NAND_": Op.NAND,
    "$_OR_": Op.OR, "$_NOR_": Op.NOR,
}  # fmt: skip


def changed(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1
    return text.replace(old, new)


def in_gates(texts: Mapping[str, str], top: str) -> Mapping[str, Any]:
    """The module `top` in single gates and flip-flops, from the texts of all its modules by name,
    those that others need first."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for module, text in texts.items():
            (folder / f"{module}.sv").write_text(text)
        files = " ".join(f"{module}.sv" for module in texts)
        run_yosys(
            [
                f"read_verilog -sv {files}", f"hierarchy -check -top {top}", "proc -norom",
                "flatten", "opt_expr", "opt_clean", "dffunmap", "techmap", "simplemap", "dffunmap",
                "opt_clean", "check -assert", "write_json gates.json",
            ],
            time_limit_s=120,
            cwd=folder,
        )  # fmt: skip
        design = json.loads((folder / "gates.json").read_text())
    made: Mapping[str, Any] = design["modules"][top]
    return made


class Unrolled:
    """A module's registers as nets of a Builder, cycle after cycle."""

    def __init__(self, module: Mapping[str, Any], builder: Builder) -> None:
        self.module, self.b = module, builder
        self.flops, self.gates = {}, {}
        for cell in module["cells"].values():
            pins = {pin: bits[0] for pin, bits in cell["connections"].items()}
            if cell["type"] == "$scopeinfo":
                continue
            if cell["type"] == "$_DFF_P_":
                self.flops[pins["Q"]] = pins["D"]
            else:
                self.gates[pins["Y"]] = (cell["type"], pins)
        self.values: dict[Any, Net] = dict.fromkeys(self.flops, ZERO)

    def bits(self, name: str) -> list[Any]:
        found: list[Any] = self.module["netnames"][name]["bits"]
        return found

    def set(self, name: str, nets: Sequence[Net]) -> None:
        """What a register, or an input, holds."""
        for bit, net in zip(self.bits(name), nets, strict=True):
            self.values[bit] = net

    def get(self, name: str) -> list[Net]:
        return [self.known(bit) for bit in self.bits(name)]

    def known(self, bit: Any) -> Net:
        """The net of a bit in this cycle."""
        if bit in ("0", "1"):
            return ONE if bit == "1" else ZERO
        todo = [bit]
        while todo:
            here = todo[-1]
            if here in self.values or here in ("0", "1", "x"):
                todo.pop()
                continue
            kind, pins = self.gates[here]
            reads = [pins[pin] for pin in ("A", "B", "S") if pin in pins]
            open_ = [one for one in reads if one not in self.values and one not in ("0", "1", "x")]
            if open_:
                todo += open_
                continue
            nets = [ONE if one == "1" else self.values.get(one, ZERO) for one in reads]
            self.values[here] = self.gate(kind, nets)
            todo.pop()
        return self.values[bit]

    def gate(self, kind: str, nets: Sequence[Net]) -> Net:
        if kind == "$_NOT_":
            return self.b.not_(nets[0])
        if kind == "$_BUF_":
            return nets[0]
        if kind == "$_MUX_":
            return self.b.mux(nets[2], nets[1], nets[0])
        return self.b.gate(GATES[kind], nets)

    def edge(self) -> None:
        self.values = {q: self.known(d) for q, d in self.flops.items()}


def constant(value: int, width: int) -> list[Net]:
    return [ONE if value >> bit & 1 else ZERO for bit in range(width)]


def octets(value: int, count: int = 16) -> list[int]:
    return [value >> 8 * n & 0xFF for n in range(count)]


def packed(values: Sequence[int]) -> int:
    return sum(value << 8 * n for n, value in enumerate(values))


def byte_inputs(b: Builder, counts: Mapping[str, int]) -> dict[str, list[Net]]:
    """So many bytes of each name, in one bus."""
    whole, low, ports = b.input("x_i", 8 * sum(counts.values())), 0, {}
    for name, count in counts.items():
        ports[name] = list(whole[low : low + 8 * count])
        low += 8 * count
    return ports


def check(c: Circuit, counts: Mapping[str, int], spec: Spec, only: str = "") -> Proof:
    """That the outputs, or one of them, are what `spec` says of the inputs, by name: a sum of
    functions of one byte each, for every value of that byte."""
    buses = [bus for bus in c.outputs if only in ("", bus.name)]
    joined = replace(c, outputs=(Bus("all_o", tuple(n for bus in buses for n in bus.nets)),))

    def whole(x_i: int) -> int:
        given, low = [], 0
        for count in counts.values():
            given.append(x_i >> low & (1 << 8 * count) - 1)
            low += 8 * count
        total, low = 0, 0
        for value, bus in zip(spec(*given), buses, strict=True):
            total |= value << low
            low += bus.width
        return total

    return prove(joined, whole, "bytewise")


@cache
def round_constants() -> list[int]:
    """Rcon[1] to Rcon[10], out of the expansion of the key 0: there word 4r is that of word 4r - 4
    and of S-boxes, and the rest is a constant."""
    words = key_expansion(bytes(16))
    flat = [byte for key in words for byte in (key if not isinstance(key, int)
            else key.to_bytes(16, "big"))]  # fmt: skip
    made = []
    for r in range(1, 11):
        old, new = flat[16 * (r - 1) : 16 * r], flat[16 * r : 16 * r + 16]
        made.append(old[0] ^ new[0] ^ sbox()[old[13]])
    return made
