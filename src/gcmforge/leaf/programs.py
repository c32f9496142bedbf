# SPDX-License-Identifier: Apache-2.0
"""Straight-line programs as data: two small notations, and how they become gates."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gcmforge.circuit import Builder, Net


@dataclass(frozen=True, kw_only=True, slots=True)
class XorProgram:
    """A GF(2)-linear map as XOR gates.  Nodes are numbered inputs first, then gates in order;
    gate k adds the two nodes gates[k]; output i is node outputs[i]."""

    inputs: int
    gates: tuple[tuple[int, int], ...]
    outputs: tuple[int, ...]

    @classmethod
    def parse(cls, inputs: int, gates: str, outputs: str) -> "XorProgram":
        """From "a+b a+b ..." and "n n ..."."""
        pairs = [pair.split("+") for pair in gates.split()]
        return cls(
            inputs=inputs,
            gates=tuple((int(a), int(b)) for a, b in pairs),
            outputs=tuple(int(node) for node in outputs.split()),
        )

    def build(
        self, b: Builder, nets: Sequence[Net], *, inverted: Iterable[int] = (), constant: int = 0
    ) -> list[Net]:
        """The gates on the given input nets; the nets of the outputs.

        The inputs named in `inverted` come in complemented; bit i of `constant` complements output
        i.  Both cost nothing: the gate of an output becomes an XNOR where needed.
        """
        if len(nets) != self.inputs:
            raise ValueError(f"the program takes {self.inputs} inputs, not {len(nets)}")
        wanted = {node: (constant >> i) & 1 for i, node in enumerate(self.outputs)}
        nodes, flipped = list(nets), [0] * self.inputs
        for i in inverted:
            flipped[i] = 1
        for node, (p, q) in enumerate(self.gates, self.inputs):
            parity = flipped[p] ^ flipped[q]
            flipped.append(wanted.get(node, parity))
            add = b.xor if flipped[node] == parity else b.xnor
            nodes.append(add(nodes[p], nodes[q]))
        return [
            b.not_(nodes[node]) if flipped[node] != (constant >> i) & 1 else nodes[node]
            for i, node in enumerate(self.outputs)
        ]

    def rows(self) -> tuple[int, ...]:
        """The matrix of the map: bit j of row i is set when output i contains input j."""
        values = [1 << j for j in range(self.inputs)]
        for p, q in self.gates:
            values.append(values[p] ^ values[q])
        return tuple(values[node] for node in self.outputs)


def build_listing(b: Builder, listing: str, nets: dict[str, Net]) -> None:
    """Add the gates of a published listing, one "name = p op q" a line, to b and to nets.

    op is + for XOR, # for XNOR, x for AND, the notation of Boyar and Peralta.  Every net is
    labelled with its name in the listing.
    """
    operations = {"+": b.xor, "#": b.xnor, "x": b.and_}
    for line in listing.split("\n"):
        if line.strip():
            name, _, p, op, q = line.split()
            nets[name] = operations[op](nets[p], nets[q])
            b.label(nets[name], name.lower())
