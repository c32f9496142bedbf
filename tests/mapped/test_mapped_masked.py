# SPDX-License-Identifier: Apache-2.0
"""Gadgets stay what they claim as netlists of library cells; netlists that leak are refuted."""

from collections.abc import Mapping

import pytest

from gcmforge.circuit.probing import ProbeGraph, Probing, Role, Share
from gcmforge.circuit.probing.graph import Gate
from gcmforge.leaf.masked import gadget, gadget_makers
from gcmforge.mapped.probing import mapped_probing
from gcmforge.netlist.targets import find_target


@pytest.mark.slow
@pytest.mark.parametrize("name", list(gadget_makers()))
def test_a_mapped_gadget_is_what_it_claims(name: str) -> None:
    found = gadget(name)
    probing = mapped_probing(found, find_target("ge"))
    for claim in found.claims:
        proof = probing.prove(*claim)
        assert proof.passed, proof.line()


@pytest.mark.slow
def test_a_register_less_and_terms_joined_before_one_are_refuted() -> None:
    """The masked term of one domain without its register, and its mask tied low."""
    found = gadget("dom_mul4")
    graph = mapped_probing(found, find_target("ge")).graph
    assert not _proven(found.roles, found.outputs, _tied(graph, graph.inputs["r_i"][0]))
    refuted = 0
    for node in graph.registers:
        wire = {node: Gate(0b10, (graph.registers[node],))}
        registers = {n: d for n, d in graph.registers.items() if n != node}
        refuted += not _proven(found.roles, found.outputs, _with(graph, registers, wire))
    assert refuted >= 8  # at least every register of a masked term


def _proven(roles: Mapping[str, Role], outputs: Mapping[str, Share], graph: ProbeGraph) -> bool:
    probing = Probing(graph, roles, outputs)
    return probing.prove("probing").passed and probing.prove("SNI").passed


def _tied(graph: ProbeGraph, node: int) -> ProbeGraph:
    gates = {
        n: Gate(gate.table, tuple(0 if arg == node else arg for arg in gate.args))
        for n, gate in graph.gates.items()
    }
    registers = {n: 0 if d == node else d for n, d in graph.registers.items()}
    return _with(graph, registers, gates)


def _with(graph: ProbeGraph, registers: Mapping[int, int], gates: Mapping[int, Gate]) -> ProbeGraph:
    return ProbeGraph(
        name=graph.name,
        inputs=graph.inputs,
        outputs=graph.outputs,
        gates={**graph.gates, **gates},
        registers=registers,
        names=graph.names,
    )
