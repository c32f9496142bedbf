# SPDX-License-Identifier: Apache-2.0
"""Gadgets are proven against probes that see glitches, and what is wrong with one is found."""

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from gcmforge.circuit import prove_readback
from gcmforge.circuit.probing import ProbeGraph, Probing, prove_probing
from gcmforge.circuit.probing.graph import Gate, Node
from gcmforge.config import CoreConfig
from gcmforge.emit import idle_in_core
from gcmforge.field import aes_sbox
from gcmforge.leaf.masked import Gadget, dom, gadget, gadget_makers, match, sbox
from gcmforge.leaf.masked.function import plain_value, prove_function

GADGETS = tuple(gadget_makers())


def _and(p: int, q: int) -> int:
    return p & q


@pytest.mark.parametrize("name", GADGETS)
def test_a_gadget_is_what_it_claims(name: str) -> None:
    found = gadget(name)
    probing = found.probing()
    for claim in found.claims:
        proof = probing.prove(*claim)
        assert proof.passed, proof.line()


@pytest.mark.slow
@pytest.mark.parametrize("name", GADGETS)
def test_shares_add_up_to_the_function(name: str) -> None:
    proof = prove_function(gadget(name))
    assert proof.passed, proof.line()


@pytest.mark.slow
@pytest.mark.parametrize("name", GADGETS)
def test_the_text_is_the_circuit_and_random_bits_come_in_their_stage(name: str) -> None:
    found = gadget(name)
    proof = prove_readback(found.pipe, found.text(enable=True), controls=("clk", "en_i"))
    assert proof.passed, proof.line()


def test_the_steps_of_the_sbox_are_subbytes() -> None:
    steps = gadget("masked_sbox")
    assert all(plain_value(steps, {"x_i": x}) == aes_sbox(x) for x in range(256))


def test_the_function_of_a_wrong_gadget_is_refuted() -> None:
    found = gadget("dom_mul2")
    (step,) = found.steps
    other = dataclasses.replace(found, steps=(step._replace(function=lambda x, y: x & y),))
    assert not prove_function(other).passed


# ---- other orders, and properties that do not hold


def test_the_order_is_a_parameter_and_counts() -> None:
    three_shares = dom.dom_multiplier(_and, 1, order=2).probing()
    assert three_shares.prove("probing", 2).passed
    assert three_shares.prove("SNI", 2).passed
    assert not three_shares.prove("probing", 3).passed
    assert not dom.dom_multiplier(_and, 1).probing().prove("probing", 2).passed


def test_without_output_registers_a_product_is_ni_and_not_sni() -> None:
    bare = dom.dom_multiplier(_and, 1, registered=False).probing()
    assert bare.prove("NI").passed
    assert not bare.prove("SNI").passed


def test_a_domain_oriented_product_is_not_pini() -> None:
    """Inside it one wire needs share 0 of one factor and share 1 of the other."""
    assert not dom.dom_multiplier(_and, 1).probing().prove("PINI").passed


def test_unknown_properties_and_missing_roles_are_refused() -> None:
    found = gadget("dom_mul1")
    with pytest.raises(ValueError, match="property='safe': there is probing, uniform"):
        found.probing().prove("safe")
    with pytest.raises(ValueError, match="no role for r_i"):
        roles = {bus: role for bus, role in found.roles.items() if bus != "r_i"}
        Probing(ProbeGraph.of_pipeline(found.pipe), roles, found.outputs)


def test_a_tower_in_polynomial_bases_is_refused() -> None:
    with pytest.raises(ValueError, match="takes a tower in normal bases"):
        sbox.masked_sbox(tower="poly_phi3_nu10")


# ---- mutants: each of them computes the same, or nearly so, and each leaks


@pytest.mark.parametrize("name", GADGETS)
def test_terms_in_the_other_domain_are_refuted(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the first product x0 y0 and x1 y1 are added in one domain, and the masked terms in the
    other: the sum of both is what it was."""
    right, calls = dom.compress, []

    def swapped(b: dom.Builder, terms: Sequence[Sequence[dom.Element]]) -> list[list[int]]:
        calls.append(terms)
        (own_0, masked_0), (own_1, masked_1) = terms
        if len(calls) > 1:
            return right(b, terms)
        return right(b, [[own_0, own_1], [masked_0, masked_1]])

    for module in (dom, sbox, match):
        monkeypatch.setattr(module, "compress", swapped)
    mutant = gadget(name)
    proof = mutant.probing().prove("probing")
    assert not proof.passed and "depends on the secret" in proof.detail


@pytest.mark.slow
def test_every_register_of_a_factor_is_needed() -> None:
    """A bit of the image of the input that is not in a register: a product hangs on whole bytes."""
    found = gadget("masked_sbox")
    graph = ProbeGraph.of_pipeline(found.pipe)
    first = [node for node in graph.registers if "in stage 2" in graph.names[node]]
    assert len(first) == 16
    refuted = [_judged(found, _without_register(graph, node)) for node in first]
    direct = sum(graph.registers[node] not in graph.gates for node in first)
    assert refuted.count(False) == len(first) - direct  # a register of an input bit delays it only


@pytest.mark.parametrize(("bus", "one", "other"), [("r7_i", 4, 0), ("r5_i", 2, 0), ("r7_i", 1, 0)])
def test_randomness_used_twice_is_refuted(bus: str, one: int, other: int) -> None:
    found = gadget("masked_sbox")
    graph = ProbeGraph.of_pipeline(found.pipe)
    nodes = graph.inputs[bus]
    assert not _judged(found, _replaced(graph, {nodes[one]: nodes[other]}))


@pytest.mark.slow
@pytest.mark.parametrize("bus", ["r3_i", "r5_i", "r7_i"])
def test_random_bits_that_are_zero_are_refuted(bus: str) -> None:
    found = gadget("masked_sbox")
    graph = ProbeGraph.of_pipeline(found.pipe)
    node, *_ = graph.inputs[bus]
    assert not _judged(found, _replaced(graph, {node: 0}))


@pytest.mark.slow
def test_the_first_products_random_bits_are_not_needed_at_first_order() -> None:
    """nu (h + l)^2 is added share by share, and makes the sharing of gamma uniform without them:
    docs/theory/masking.md."""
    found = gadget("masked_sbox")
    graph = ProbeGraph.of_pipeline(found.pipe)
    assert _judged(found, _replaced(graph, dict.fromkeys(graph.inputs["r1_i"], 0)))


def _judged(found: Gadget, graph: ProbeGraph) -> bool:
    """Whether it is still proven, in both of its claims."""
    claims = [prove_probing(graph, found.roles, found.outputs, *claim) for claim in found.claims]
    return all(proof.passed for proof in claims)


def _without_register(graph: ProbeGraph, node: Node) -> ProbeGraph:
    """A wire instead of one register."""
    registers = {n: d for n, d in graph.registers.items() if n != node}
    gates = {**graph.gates, node: Gate(0b10, (graph.registers[node],))}
    return _with(graph, registers=registers, gates=gates)


def _replaced(graph: ProbeGraph, instead: Mapping[Node, Node]) -> ProbeGraph:
    """Everything that reads one node reads another."""
    gates = {
        node: Gate(gate.table, tuple(instead.get(arg, arg) for arg in gate.args))
        for node, gate in graph.gates.items()
    }
    registers = {node: instead.get(data, data) for node, data in graph.registers.items()}
    return _with(graph, registers=registers, gates=gates)


def _with(
    graph: ProbeGraph, *, registers: Mapping[Node, Node], gates: Mapping[Node, Gate]
) -> ProbeGraph:
    return ProbeGraph(
        name=graph.name,
        inputs=graph.inputs,
        outputs=graph.outputs,
        gates=gates,
        registers=registers,
        names=graph.names,
    )


@pytest.mark.slow
@pytest.mark.parametrize("core", ["masked", "masked_fast", "masked_line"])
def test_a_core_of_gadgets_has_nothing_for_nothing(core: str, tmp_path: Path) -> None:
    config = CoreConfig(
        core=core, key_sizes=(128,), contexts=1, iv="96", max_text_bytes=1024,
        max_aad_bytes=1024,
    )  # fmt: skip
    (tmp_path / "core.toml").write_text(config.to_toml())
    assert [one.line() for one in idle_in_core(tmp_path)] == []
