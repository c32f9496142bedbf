# SPDX-License-Identifier: Apache-2.0
"""Circuits as short text, for those that a search found and that are kept as data.

    # comment
    input x_i 8
    section title of the gates that follow
    nand 2 3
    label gamma 0:10 1:12
    output y_o 13 12

Nets are numbered as in Circuit: inputs from 2 on, then a net for each gate in order.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from gcmforge.circuit.ir import FIRST_INPUT, Bus, Circuit, Gate, Label, Op, check

_COLUMNS = 100


def circuit_listing(c: Circuit, comments: Sequence[str] = ()) -> str:
    """c as text; several gates a line, a semicolon between."""
    lines = [f"# {line}" for line in comments]
    lines += [f"input {bus.name} {bus.width}" for bus in c.inputs]
    start = 0
    while start < len(c.gates):
        end = start
        while end < len(c.gates) and c.section_of[end] == c.section_of[start]:
            end += 1
        lines.append(f"section {c.sections[c.section_of[start]]}")
        gates = [" ".join((gate.op, *map(str, gate.args))) for gate in c.gates[start:end]]
        text = "; ".join(gate.replace(" ", "\0") for gate in gates)
        wrapped = textwrap.wrap(text, _COLUMNS, break_on_hyphens=False)
        lines += [line.rstrip(";").replace("\0", " ") for line in wrapped]
        start = end
    for label in c.labels:
        bits = " ".join(f"{i}:{net}" for i, net in label.bits)
        lines.append(f"{'scalar' if label.scalar else 'label'} {label.name} {bits}")
    lines += [f"output {bus.name} {' '.join(map(str, bus.nets))}" for bus in c.outputs]
    return "\n".join(lines) + "\n"


def parse_listing(text: str, name: str) -> Circuit:
    """The circuit, called name, that circuit_listing wrote."""
    inputs: list[Bus] = []
    outputs: list[Bus] = []
    gates: list[Gate] = []
    sections: list[str] = [""]
    section_of: list[int] = []
    labels: list[Label] = []
    net = FIRST_INPUT
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word in ("#", ""):
            continue
        if word == "input":
            bus, width = rest.split()
            inputs.append(Bus(bus, tuple(range(net, net + int(width)))))
            net += int(width)
        elif word == "section":
            if rest not in sections:
                sections.append(rest)
            current = sections.index(rest)
        elif word in ("label", "scalar"):
            title, *bits = rest.split()
            pairs = tuple((int(i), int(n)) for i, n in (bit.split(":") for bit in bits))
            labels.append(Label(title, pairs, word == "scalar"))
        elif word == "output":
            bus, *nets = rest.split()
            outputs.append(Bus(bus, tuple(map(int, nets))))
        else:
            for gate in line.split(";"):
                op, *args = gate.split()
                gates.append(Gate(Op(op), tuple(map(int, args))))
                section_of.append(current)
    made = Circuit(
        name=name, inputs=tuple(inputs), outputs=tuple(outputs), gates=tuple(gates),
        sections=tuple(sections), section_of=tuple(section_of), labels=tuple(labels),
    )  # fmt: skip
    check(made)
    return made
