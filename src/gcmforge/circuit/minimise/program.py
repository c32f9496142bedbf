# SPDX-License-Identifier: Apache-2.0
"""A program of XORs, and the text it is kept as."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from gcmforge.circuit.build import Builder
from gcmforge.circuit.ir import Circuit, Net, Op

_COLUMNS = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class XorProgram:
    """Terms 0 .. width-1 are the inputs; step k makes term width + k = XOR of two earlier terms.

    outputs[i] is row i's term, or None for an empty row. depth counts XOR levels.
    """

    width: int
    steps: tuple[tuple[int, int], ...]
    outputs: tuple[int | None, ...]
    depth: int

    @classmethod
    def of(
        cls,
        width: int,
        steps: Sequence[tuple[int, int]],
        outputs: Sequence[int | None],
        arrivals: Sequence[int] | None = None,
    ) -> XorProgram:
        """The program with its depth counted from the arrivals of the inputs (default 0)."""
        depths = list(arrivals) if arrivals is not None else [0] * width
        for p, q in steps:
            depths.append(1 + max(depths[p], depths[q]))
        return cls(
            width=width,
            steps=tuple((p, q) for p, q in steps),
            outputs=tuple(outputs),
            depth=max((depths[n] for n in outputs if n is not None), default=0),
        )

    @property
    def xors(self) -> int:
        return len(self.steps)

    def rows(self) -> list[int]:
        """The matrix that the program computes, bit j of row i: input j is in output i."""
        terms = [1 << j for j in range(self.width)]
        for p, q in self.steps:
            terms.append(terms[p] ^ terms[q])
        return [0 if t is None else terms[t] for t in self.outputs]

    def apply(self, b: Builder, nets: Sequence[Net]) -> tuple[Net, ...]:
        """Make the program's XORs over nets (one for each input); element i is row i."""
        if len(nets) != self.width:
            raise ValueError(f"the linear map takes {self.width} nets, not {len(nets)}")
        terms = list(nets)
        for p, q in self.steps:
            terms.append(b.xor(terms[p], terms[q]))
        return tuple(b.const(0) if t is None else terms[t] for t in self.outputs)

    def text(self, comments: Sequence[str] = ()) -> str:
        """The program as a data file: comment lines, then the sections inputs, gates ("a+b" adds
        two terms) and outputs (terms; - for an empty row)."""
        gates = " ".join(f"{p}+{q}" for p, q in self.steps)
        outputs = " ".join("-" if n is None else str(n) for n in self.outputs)
        lines = [f"# {line}" for line in comments]
        lines += [f"inputs {self.width}", "gates", *textwrap.wrap(gates, _COLUMNS)]
        lines += ["outputs", *textwrap.wrap(outputs, _COLUMNS, break_on_hyphens=False)]
        return "\n".join(lines) + "\n"


def parse_program(text: str) -> XorProgram:
    """The program that XorProgram.text wrote."""
    body = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
    head, outputs = body.split("outputs")
    width, gates = head.split("gates")
    steps = []
    for gate in gates.split():
        p, q = map(int, gate.split("+"))
        steps.append((p, q))
    nodes = [None if word == "-" else int(word) for word in outputs.split()]
    return XorProgram.of(int(width.removeprefix("inputs")), steps, nodes)


def xors_behind(c: Circuit, sources: Sequence[Net]) -> tuple[XorProgram, tuple[int, ...]]:
    """What lies between nets and the outputs of a circuit, where that is XORs only.

    sources[j] becomes input j of the program, output i of the circuit (in port order) row i.
    Returns the program, its depth counted from the second value: the arrival of each source in
    XOR levels (other gates count none). ValueError when another gate is met.
    """
    arrival = [0] * c.net_count
    for net, gate in enumerate(c.gates, c.first_gate):
        arrival[net] = max(arrival[arg] for arg in gate.args) + (gate.op is Op.XOR)
    between = _between(c, set(sources))
    term = {net: j for j, net in enumerate(sources)}
    steps: list[tuple[int, int]] = []
    for net in between:
        p, q = c.gates[net - c.first_gate].args
        term[net] = len(sources) + len(steps)
        steps.append((term[p], term[q]))
    start = tuple(arrival[net] for net in sources)
    outputs = [term[net] for net in c.output_nets]
    return XorProgram.of(len(sources), steps, outputs, start), start


def _between(c: Circuit, sources: set[Net]) -> list[Net]:
    """The XOR gates that lead from sources to outputs, in order."""
    seen: set[Net] = set()
    todo = list(c.output_nets)
    while todo:
        net = todo.pop()
        if net in sources or net in seen:
            continue
        gate = c.gates[net - c.first_gate] if net >= c.first_gate else None
        if gate is None or gate.op is not Op.XOR:
            what = gate.op if gate else "an input or constant"
            raise ValueError(f"{c.name}: net {net} after the sources is {what}, not an XOR")
        seen.add(net)
        todo += gate.args
    return sorted(seen)
