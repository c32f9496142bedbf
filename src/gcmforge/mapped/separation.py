# SPDX-License-Identifier: Apache-2.0
"""Whether the two shares stay apart in a masked core's netlist, wire by wire.

A gadget is proven by itself; around the gadgets a masked core does what is linear with each share,
and nothing with both. Here every wire of the whole core is looked at: no wire outside the
gadgets may hang on registers of both shares of one secret. What glitches on it is then a function
of one share, which is uniform. And no register of one share may take what hangs on the other.

Secrets are told apart (`SECRETS`): GHASH multiplies share 0 of one with share 1 of another. These
are shared independently, and each product is added to a random value. Shares meet on purpose in few
places: inside the gadgets, which are proven; where text and an encrypted packet's tag leave; where
the verdict on a tag is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gcmforge.circuit.probing.graph import ONE, ZERO, Node, ProbeGraph

COMPARES = re.compile(r"u_tag\.u_match\.")
"""The gadget that takes both shares of a difference as they are. The S-box has registers first."""

_COMPARED = "difference of tags"
SECRETS = (
    ("key and state", re.compile(r"(?:u_key\.u_ring|u_aes\.u_share)([01])\.")),
    ("digest", re.compile(r"u_ghash\.u_share([01])\.(?:own|cross|multiplier|factor)_q")),
    ("H", re.compile(r"u_ghash\.(?:subkey|power)([01])_q")),
    ("what encrypts the tag", re.compile(r"\bfirst([01])_q")),
    (_COMPARED, re.compile(r"u_tag\.byte([01])_q")),
    ("verdict", re.compile(r"u_tag\.equal([01])_q")),
    ("what leaves", re.compile(r"\bout([01])_q")),
    ("key that comes", re.compile(r"\bs_key_t(data|mask)")),
)
ON_PURPOSE = {"what leaves", "verdict"}
"""Their shares are added."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Separation:
    """What was found: wires looked at, registers of each share, and where shares meet."""

    wires: int
    registers: dict[str, tuple[int, int]]
    meet: tuple[str, ...]
    """Places where both shares of a secret meet and should not."""


def separation(graph: ProbeGraph) -> Separation:
    """Every wire of a masked core's netlist."""
    sides = _sides(graph)
    marks: dict[Node, int] = {}
    for n, both in enumerate(sides.values()):
        for share, stable in enumerate(both):
            for node in stable:
                marks[node] = marks.get(node, 0) | _flag(n, share)
    hangs = graph.cones(marks)
    compares = _inside(graph)
    meet = []
    for node, found in hangs.items():
        for n, secret in enumerate(sides):
            shares = _flag(n, 0) | _flag(n, 1)
            if found & shares != shares or secret in ON_PURPOSE:
                continue
            if not (secret == _COMPARED and node in compares):
                meet.append(f"{graph.node_name(node)}: {secret}")
    meet += _swapped(graph, hangs)
    return Separation(
        wires=len(hangs),
        registers={secret: (len(first), len(second)) for secret, (first, second) in sides.items()},
        meet=tuple(meet),
    )


def _flag(secret: int, share: int) -> int:
    """The bit of a share in what a wire hangs on."""
    return 1 << 2 * secret + share


def _swapped(graph: ProbeGraph, hangs: dict[Node, int]) -> Iterator[str]:
    """Registers of one share that take the other one. In a gadget they may, under a mask."""
    for register, data in graph.registers.items():
        name = graph.node_name(register)
        for n, (secret, pattern) in enumerate(SECRETS):
            if match := pattern.search(name):
                other = match[1] not in ("1", "mask")
                if hangs[data] & _flag(n, other):
                    yield f"{name}: {secret}, of the other share"


def _sides(graph: ProbeGraph) -> dict[str, tuple[set[Node], set[Node]]]:
    """Of each secret the registers and inputs of either share. What leaves a gadget belongs to the
    state, or to the verdict: it is found by what it goes to."""
    found: dict[str, tuple[set[Node], set[Node]]] = {name: (set(), set()) for name, _ in SECRETS}
    stable = [*graph.registers, *(n for bus in graph.inputs.values() for n in bus)]
    for node in stable:
        for secret, pattern in SECRETS:
            if match := pattern.search(graph.node_name(node)):
                found[secret][match[1] in ("1", "mask")].add(node)
    for net, share, secret in _gadget_outputs(graph):
        found[secret][share].update(_stable(graph, net))
    return found


def _stable(graph: ProbeGraph, net: Node) -> Iterator[Node]:
    """What a wire hangs on."""
    todo, seen = [net], {net}
    while todo:
        node = todo.pop()
        if node in graph.gates:
            new = set(graph.gates[node].args) - seen
            seen |= new
            todo += new
        elif node not in (ZERO, ONE):
            yield node


_OUTPUTS = (
    (re.compile(r"u_aes\.box([01])\["), "key and state"),
    (re.compile(r"u_tag\.all([01])$"), _COMPARED),
)


def _gadget_outputs(graph: ProbeGraph) -> Iterator[tuple[Node, int, str]]:
    for node, name in graph.names.items():
        for pattern, secret in _OUTPUTS:
            if node in graph.gates and (match := pattern.search(name)):
                yield node, int(match[1]), secret


def _inside(graph: ProbeGraph) -> set[Node]:
    """Wires that lead to registers of the gadget that compares."""
    found: set[Node] = set()
    for register, data in graph.registers.items():
        if COMPARES.search(graph.node_name(register)):
            todo = [data]
            while todo:
                wire = todo.pop()
                if wire in graph.gates and wire not in found:
                    found.add(wire)
                    todo += graph.gates[wire].args
    return found
