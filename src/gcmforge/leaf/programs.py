# SPDX-License-Identifier: Apache-2.0
"""Straight-line programs as data: two small notations, and how they become gates."""

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files

from gcmforge.circuit import Builder, Net, XorProgram, paar, parse_program
from gcmforge.field import BitMatrix


def parse_xors(width: int, gates: str, outputs: str) -> XorProgram:
    """A program from "a+b a+b ..." and "n n ...".  Nodes are numbered inputs first, then gates in
    order; gate k adds two nodes; output i is the i-th node of `outputs`."""
    steps = []
    depths = [0] * width
    for gate in gates.split():
        p, q = map(int, gate.split("+"))
        steps.append((p, q))
        depths.append(1 + max(depths[p], depths[q]))
    nodes = tuple(map(int, outputs.split()))
    return XorProgram(
        width=width, steps=tuple(steps), outputs=nodes, depth=max(depths[n] for n in nodes)
    )


def load_xors(name: str) -> XorProgram:
    """A program from this package's data folder, as XorProgram.text wrote it."""
    return parse_program((files("gcmforge.leaf") / "data" / name).read_text(encoding="ascii"))


def apply_transposed(b: Builder, program: XorProgram, nets: Sequence[Net]) -> list[Net]:
    """The transposed map: nets are those of the program's outputs, the answer belongs to its
    inputs.  A node's sum is that of the sums of its readers (and of its outputs): as many XORs as
    the program has, and one for each output more, one for each input less (those in use)."""
    if len(nets) != len(program.outputs):
        raise ValueError(f"the transposed map takes {len(program.outputs)} nets, not {len(nets)}")
    terms: list[list[Net]] = [[] for _ in range(program.width + program.xors)]
    for node, net in zip(program.outputs, nets, strict=True):
        if node is not None:
            terms[node].append(net)
    for k in reversed(range(program.xors)):
        total = b.xor_sum(terms[program.width + k])
        for argument in program.steps[k]:
            terms[argument].append(total)
    return [b.xor_sum(terms[i]) for i in range(program.width)]


def best_program(matrix: BitMatrix) -> XorProgram:
    """The program kept for this map in the data folder, or else the one that `paar` finds."""
    kept = _kept_programs().get((matrix.columns, matrix.rows))
    return kept or paar(matrix.rows, width=matrix.columns)


@cache
def _kept_programs() -> dict[tuple[int, tuple[int, ...]], XorProgram]:
    """By columns and rows.  One map a line: columns, rows in hex, gates, outputs."""
    text = (files("gcmforge.leaf") / "data" / "linear_maps.txt").read_text(encoding="ascii")
    programs = {}
    for line in text.split("\n"):
        if line and not line.startswith("#"):
            columns, rows, gates, outputs = line.split()
            key = int(columns), tuple(int(row, 16) for row in rows.split(","))
            spaced = gates.replace(",", " "), outputs.replace(",", " ")
            programs[key] = parse_xors(int(columns), *spaced)
    return programs


def apply_affine(
    b: Builder, program: XorProgram, nets: Sequence[Net], *, inverted: Iterable[int], constant: int
) -> list[Net]:
    """The program over nets of which those named in `inverted` carry the complement of their
    input; bit i of `constant` complements output i.  Neither costs a gate where an output is a
    gate of its own: that becomes an XNOR where needed.
    """
    if len(nets) != program.width:
        raise ValueError(f"the program takes {program.width} inputs, not {len(nets)}")
    wanted = {node: (constant >> i) & 1 for i, node in enumerate(program.outputs)}
    nodes, flipped = list(nets), [0] * program.width
    for i in inverted:
        flipped[i] = 1
    for node, (p, q) in enumerate(program.steps, program.width):
        parity = flipped[p] ^ flipped[q]
        flipped.append(wanted.get(node, parity))
        add = b.xor if flipped[node] == parity else b.xnor
        nodes.append(add(nodes[p], nodes[q]))
    return [
        nodes[node] if flipped[node] == (constant >> i) & 1 else b.not_(nodes[node])
        for i, node in enumerate(program.outputs)
        if node is not None
    ]


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
