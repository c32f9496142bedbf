# SPDX-License-Identifier: Apache-2.0
"""BLIF and AIGER text of a circuit, and the and-inverter graph that comparisons stand on.

A port bit is called bus[i] (bus alone when it is one bit wide), bit 0 of a bus first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gcmforge.circuit.ir import Bus, Circuit, Op

_COVER = {
    Op.XOR: ("01 1", "10 1"),
    Op.XNOR: ("00 1", "11 1"),
    Op.AND: ("11 1",),
    Op.NAND: ("0- 1", "-0 1"),
    Op.OR: ("1- 1", "-1 1"),
    Op.NOR: ("00 1",),
    Op.NOT: ("0 1",),
    Op.MUX: ("11- 1", "0-1 1"),
}


def bit_names(bus: Bus) -> list[str]:
    """The names of a bus's bits, bit 0 first."""
    return [bus.name] if bus.width == 1 else [f"{bus.name}[{i}]" for i in range(bus.width)]


def emit_blif(c: Circuit) -> str:
    """c as one BLIF model of .names tables; internal nets are called n<net>."""
    name = ["gnd", "vcc", *(bit for bus in c.inputs for bit in bit_names(bus))]
    name += [f"n{net}" for net in range(c.first_gate, c.net_count)]
    lines = [f".model {c.name}"]
    lines += _listed(".inputs", [bit for bus in c.inputs for bit in bit_names(bus)])
    lines += _listed(".outputs", [bit for bus in c.outputs for bit in bit_names(bus)])
    lines += [".names gnd", ".names vcc", "1"]
    for net, (op, args) in enumerate(c.gates, c.first_gate):
        lines.append(" ".join([".names", *(name[arg] for arg in args), name[net]]))
        lines += _COVER[op]
    for bus in c.outputs:
        for bit, net in zip(bit_names(bus), bus.nets, strict=True):
            lines += [f".names {name[net]} {bit}", "1 1"]
    return "\n".join([*lines, ".end"]) + "\n"


def _listed(keyword: str, names: Sequence[str]) -> Iterator[str]:
    """The names in lines of eight, continued with a backslash."""
    for start in range(0, len(names), 8):
        more = " \\" if start + 8 < len(names) else ""
        yield (keyword if start == 0 else "   ") + " " + " ".join(names[start : start + 8]) + more


class Aig:
    """An and-inverter graph with structural hashing; a literal is 2 * variable + inverted.

    Variable 0 is the constant 0, then the inputs, then the ANDs. XOR moves inversions of its
    operands to its result, so that XOR and XNOR of the same operands share their nodes.
    """

    def __init__(self, inputs: int) -> None:
        self.inputs = inputs
        self.ands: list[tuple[int, int]] = []
        self._known: dict[tuple[int, int], int] = {}

    def and_(self, p: int, q: int) -> int:
        if p < q:
            p, q = q, p
        if q == 0 or p == q ^ 1:
            return 0
        if q == 1 or p == q:
            return p
        literal = self._known.get((p, q))
        if literal is None:
            self.ands.append((p, q))
            literal = 2 * (self.inputs + len(self.ands))
            self._known[p, q] = literal
        return literal

    def or_(self, p: int, q: int) -> int:
        return self.and_(p ^ 1, q ^ 1) ^ 1

    def xor(self, p: int, q: int) -> int:
        flip = (p ^ q) & 1
        p, q = p & ~1, q & ~1
        return self.or_(self.and_(p, q ^ 1), self.and_(p ^ 1, q)) ^ flip

    def mux(self, sel: int, if1: int, if0: int) -> int:
        if if1 == if0 ^ 1:
            return self.xor(sel, if0)
        return self.or_(self.and_(sel, if1), self.and_(sel ^ 1, if0))

    def add(self, c: Circuit) -> list[int]:
        """Build c over the graph's inputs; the literals of its output bits in port order."""
        v = [0, 1, *(2 * (i + 1) for i in range(c.input_width))]
        for op, args in c.gates:
            p, q = v[args[0]], v[args[-1]]
            if op in (Op.XOR, Op.XNOR):
                v.append(self.xor(p, q) ^ (op is Op.XNOR))
            elif op in (Op.AND, Op.NAND):
                v.append(self.and_(p, q) ^ (op is Op.NAND))
            elif op in (Op.OR, Op.NOR):
                v.append(self.or_(p, q) ^ (op is Op.NOR))
            elif op is Op.NOT:
                v.append(p ^ 1)
            else:
                v.append(self.mux(p, v[args[1]], q))
        return [v[net] for net in c.output_nets]


def emit_aiger(c: Circuit) -> bytes:
    """c in the binary AIGER format, with a symbol table of the port bits."""
    aig = Aig(c.input_width)
    outputs = aig.add(c)
    total = aig.inputs + len(aig.ands)
    head = [f"aig {total} {aig.inputs} 0 {len(outputs)} {len(aig.ands)}", *map(str, outputs)]
    body = bytearray()
    for number, (p, q) in enumerate(aig.ands, aig.inputs + 1):
        body += and_bytes(2 * number, p, q)
    symbols = [f"{letter}{i} {bit}" for letter, buses in (("i", c.inputs), ("o", c.outputs))
               for i, bit in enumerate(bit for bus in buses for bit in bit_names(bus))]  # fmt: skip
    text = "\n".join(head) + "\n"
    return text.encode() + bytes(body) + ("\n".join(symbols) + "\n").encode()


def and_bytes(literal: int, p: int, q: int) -> bytes:
    """An AND of two literals, p >= q, in the binary AIGER format."""
    return _varint(literal - p) + _varint(p - q)


def _varint(value: int) -> bytes:
    """Seven bits a byte, least significant first, top bit set on all but the last."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
