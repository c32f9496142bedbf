# SPDX-License-Identifier: Apache-2.0
"""nano_aes computes AES-128 for every block and key: by induction over its rounds.

The gates of the module, as Yosys reads it, are unrolled over the cycles of a round, from any
contents of its rings. What goes into the S-box in each cycle is cut: it becomes an input of its
own, and an output that has to be right. So everything is a sum of functions of one byte, by its
gates; all values of each byte are a complete proof. Loading, ten rounds, the last key and the way
out follow each other: each begins with what the one before is proven to end with.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from gcmforge.circuit import Builder, Circuit, Proof, prove
from gcmforge.circuit.ir import ONE, ZERO, Bus, Net, Op
from gcmforge.config.presets import preset
from gcmforge.emit.leaves import leaf_file
from gcmforge.emit.rtl import handwritten
from gcmforge.model.aes import key_expansion, mix_columns, sbox, shift_rows
from gcmforge.tools import run_yosys

pytestmark = [pytest.mark.yosys, pytest.mark.slow]

RINGS = ("state_q", "key_q")
ROUNDS, LOAD, LAST, REST = 10, 0, 11, 12
GATES = {
    "$_XOR_": Op.XOR, "$_XNOR_": Op.XNOR, "$_AND_": Op.AND, "$_NAND_": Op.NAND,
    "$_OR_": Op.OR, "$_NOR_": Op.NOR,
}  # fmt: skip

INPUTS = {"state_i": 16, "key_i": 16, "cut_i": 24, "outer_key_i": 16, "block_i": 16}
"""Bytes of each, in one bus: the rings, what the S-box gets, the bytes of the key and the block."""

Answers = tuple[int, ...]
Spec = Callable[..., Answers]
Bytes = Sequence[int]
"""Sixteen of them: byte 4 * row + column is that of cell 4 * row + column of a ring."""


def changed(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1
    return text.replace(old, new)


@cache
def netlist(old: str = "", new: str = "") -> Mapping[str, Any]:
    """nano_aes in single gates with its S-box's input and output as ports; `old` becomes `new`."""
    text = handwritten()["nano_aes"].read_text()
    text = changed(text, old, new) if old else text
    text = changed(text, "    input  logic       clk,\n", "    input  logic       clk,\n"
                   "    output logic [7:0] asked_o,\n    input  logic [7:0] cut_i,\n")  # fmt: skip
    text = changed(text, ".x_i (mixes ? source : added)", ".x_i (cut_i)")
    text = changed(text, "endmodule", "  assign asked_o = mixes ? source : added;\nendmodule")
    config = preset("nano")
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "nano_aes.sv").write_text(text)
        for leaf in ("aes_sbox", "aes_mix_column"):
            (folder / f"{leaf}.sv").write_text(leaf_file(config, leaf, prove=False).text)
        files = " ".join(f"{leaf}.sv" for leaf in ("aes_sbox", "aes_mix_column", "nano_aes"))
        run_yosys(
            [
                f"read_verilog -sv {files}", "hierarchy -check -top nano_aes", "proc -norom",
                "flatten", "opt_expr", "opt_clean", "dffunmap", "techmap", "simplemap", "dffunmap",
                "opt_clean", "check -assert", "write_json nano.json",
            ],
            time_limit_s=120,
            cwd=folder,
        )  # fmt: skip
        design = json.loads((folder / "nano.json").read_text())
    module: Mapping[str, Any] = design["modules"]["nano_aes"]
    return module


class Unrolled:
    """The module's registers as nets of a Builder, cycle after cycle."""

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


def unrolled(module: Mapping[str, Any], round_: int, cycles: int) -> Circuit:
    """So many cycles from step 0 of a round on, which begins in phase 0: rings, the key's and the
    block's bytes and cuts in; what was asked of the S-box, the stream, and the rings out."""
    b = Builder("nano_aes")
    run = Unrolled(module, b)
    whole, low, ports = b.input("x_i", 8 * sum(INPUTS.values())), 0, {}
    for name, count in INPUTS.items():
        ports[name] = whole[low : low + 8 * count]
        low += 8 * count
    for ring, port in zip(RINGS, ("state_i", "key_i"), strict=True):
        run.set(ring, ports[port])
    run.set("round_q", constant(round_, 4))
    run.set("step_q", constant(0, 5))
    asked: list[Net] = []
    stream: list[Net] = []
    for cycle in range(cycles):
        run.set("rst", [ZERO])
        run.set("start_i", [ZERO])
        run.set("phase_i", constant(cycle % 16, 4))
        run.set("cut_i", ports["cut_i"][8 * cycle : 8 * cycle + 8])
        place = slice(8 * (cycle % 16), 8 * (cycle % 16) + 8)
        run.set("key_i", ports["outer_key_i"][place])
        run.set("block_i", ports["block_i"][place])
        asked += run.get("asked_o")
        stream += run.get("stream_o")
        run.edge()
    after = REST if round_ == REST else round_ + 1
    assert run.get("round_q") == constant(after, 4)
    assert run.get("step_q") == constant(0, 5)
    b.output("asked_o", asked)
    b.output("stream_o", stream if round_ == REST else [ZERO])
    for ring, port in zip(RINGS, ("state_o", "key_o"), strict=True):
        b.output(port, run.get(ring))
    return b.build()


# ---- what a round has to be, by FIPS 197 ---------------------------------------------------------


def octets(value: int, count: int = 16) -> list[int]:
    return [value >> 8 * n & 0xFF for n in range(count)]


def packed(values: Bytes) -> int:
    return sum(value << 8 * n for n, value in enumerate(values))


def turned(values: Bytes) -> list[int]:
    """From rows to columns, and back."""
    return [values[4 * (n % 4) + n // 4] for n in range(16)]


def round_key(key: Bytes, outer: Bytes, round_: int) -> list[int]:
    """That of a round, out of the ring: its first column stands there, each other one less the
    column before it. The first round's comes from outside."""
    if round_ == 1:
        return list(outer)
    found = list(key)
    for n in range(16):
        if n % 4:
            found[n] ^= found[n - 1]
    return found


@cache
def constants() -> list[int]:
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


def of_round(round_: int) -> Spec:
    """Rings and bytes in, what has to come out, as one number each."""
    table = sbox()

    def spec(state_i: int, key_i: int, cut_i: int, outer_key_i: int, block_i: int) -> Answers:
        state, ring, cut = octets(state_i), octets(key_i), octets(cut_i, 24)
        key = round_key(ring, octets(outer_key_i), round_)
        asked = [s ^ k for s, k in zip(state, key, strict=True)]
        asked += [key[4 * ((row + 1) % 4) + 3] for row in range(4)]
        boxed = [table[byte] for byte in cut[:16]]
        moved = shift_rows(turned(boxed))
        after = turned(mix_columns(moved) if round_ < ROUNDS else moved)
        for row in range(4):
            key[4 * row] ^= table[cut[16 + row]]
        key[0] ^= constants()[round_ - 1]
        return packed(asked), 0, packed(after), packed(key)

    return spec


def check(c: Circuit, spec: Spec, only: str = "") -> Proof:
    """That the outputs, or one of them, are what `spec` says."""
    buses = [bus for bus in c.outputs if only in ("", bus.name)]
    joined = replace(c, outputs=(Bus("all_o", tuple(n for bus in buses for n in bus.nets)),))

    def whole(x_i: int) -> int:
        given, low = [], 0
        for count in INPUTS.values():
            given.append(x_i >> low & (1 << 8 * count) - 1)
            low += 8 * count
        total, low = 0, 0
        for value, bus in zip(spec(*given), buses, strict=True):
            total |= value << low
            low += bus.width
        return total

    return prove(joined, whole, "bytewise")


@pytest.mark.parametrize("round_", range(1, ROUNDS + 1))
def test_a_round_from_any_rings_is_that_of_fips_197_and_leaves_the_next_rounds_key(round_):
    proof = check(unrolled(netlist(), round_, 20), of_round(round_))
    assert proof.passed, proof.detail


def test_a_block_is_loaded():
    proof = check(unrolled(netlist(), LOAD, 16), lambda *given: (given[4],), "state_o")
    assert proof.passed, proof.detail


def test_the_last_key_is_added_and_the_stream_leaves_in_the_order_of_bytes():
    def added(state_i: int, key_i: int, cut_i: int, outer_key_i: int, block_i: int) -> Answers:
        key = round_key(octets(key_i), octets(outer_key_i), LAST)
        return (packed([s ^ k for s, k in zip(octets(state_i), key, strict=True)]),)

    proof = check(unrolled(netlist(), LAST, 24), added, "state_o")
    assert proof.passed, proof.detail
    streams = unrolled(netlist(), REST, 16)
    proof = check(streams, lambda state, *_: (packed(turned(octets(state))),), "stream_o")
    assert proof.passed, proof.detail


WRONG = {
    "ShiftRows": (
        "assign late    = ciphers && !mixes && column >= row;",
        "assign late    = ciphers && !mixes && column > row;",
        {1: False},
    ),
    "a round constant": ("4'd9: constant = 8'h1b;", "4'd9: constant = 8'h1d;", {8: True, 9: False}),
    "the key's word": (
        "2'd1: source = key_q[8*10+:8];", "2'd1: source = key_q[8*9+:8];", {2: False},
    ),
    "the last MixColumns": ("round_q != LAST - 4'd1", "round_q != LAST", {9: True, 10: False}),
}  # fmt: skip
"""What is written instead of what, and in which rounds it makes no difference."""


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_module_is_not_proven(name):
    old, new, expected = WRONG[name]
    module = netlist(old, new)
    found = {r: check(unrolled(module, r, 20), of_round(r)).passed for r in expected}
    assert found == expected
