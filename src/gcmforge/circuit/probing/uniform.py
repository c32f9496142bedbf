# SPDX-License-Identifier: Apache-2.0
"""Whether output shares are uniform, whatever the input shares are."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gcmforge.circuit.probing.graph import Node, ProbeGraph, bits
from gcmforge.circuit.probing.joint import Joint


def not_uniform(
    graph: ProbeGraph, nodes: Sequence[Node], given: Collection[Node], free: Collection[Node]
) -> str:
    """Why these nodes are not shown to be uniform and independent of `given`; empty if they are.

    Of the stable signals that they hang on some are uniform, independent of each other and of all
    the rest. Each node is a sum of these and of a function of the rest, and the sums are
    independent vectors: so the nodes are uniform, too.
    """
    joint = Joint(graph, given=given, free=free)
    terms = [joint.terms(node) for node in nodes]
    seen = 0
    for node in nodes:
        seen |= joint.cone[node]
    left, _ = joint.simplified(seen)
    uniform = seen & ~left
    for _, others in terms:
        uniform &= ~others
    pivots: list[int] = []
    for node, (added, _) in zip(nodes, terms, strict=True):
        row = added & uniform
        for pivot in pivots:
            row = min(row, row ^ pivot)
        if not row:
            names = ", ".join(graph.node_name(n) for n in list(bits(joint.cone[node] & left))[:8])
            return f"{graph.node_name(node)} is not uniform, given {names or 'the other outputs'}"
        pivots.append(row)
    return ""
