# SPDX-License-Identifier: Apache-2.0
"""Gadgets stay what they claim as netlists of library cells; netlists that leak are refuted."""

import re
from collections.abc import Mapping
from functools import cache

import pytest

from gcmforge.circuit.probing import ProbeGraph, Probing, Role, Share
from gcmforge.circuit.probing.graph import Gate
from gcmforge.config import CoreConfig
from gcmforge.emit.core import core_files
from gcmforge.leaf.masked import gadget, gadget_makers
from gcmforge.mapped.probing import mapped_probing, probe_graph
from gcmforge.mapped.separation import separation
from gcmforge.netlist.targets import find_target, library_of
from gcmforge.synth.synthesis import synthesise

pytestmark = pytest.mark.yosys


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


# ---- the whole core


@cache
def core_graph(core: str, randomness: str = "port") -> ProbeGraph:
    """A masked core, mapped as quickly as may be."""
    config = CoreConfig(
        core=core, key_sizes=(128,), contexts=1, iv="96", randomness=randomness,
        max_text_bytes=65_536, max_aad_bytes=65_536,
    )  # fmt: skip
    files, rtl, _ = core_files(config, prove=False)
    text = "\n".join(files[name] for name in rtl if not name.startswith("bench/"))
    target = find_target("ge")
    made = synthesise(text, target, top=config.top, effort="quick")
    return probe_graph(made.netlist.flatten(), library_of(target), clock="aclk")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("core", "state", "only"),
    [
        ("masked", 3 * 128, set()),
        ("masked_fast", 11 * 128, {"what encrypts the tag"}),
        ("masked_line", (11 + 10) * 128, {"what encrypts the tag"}),
    ],
)
def test_no_wire_of_a_core_hangs_on_both_shares_of_a_secret(
    core: str, state: int, only: set[str]
) -> None:
    """`only` has the secrets that only this core keeps."""
    found = separation(core_graph(core))
    assert found.meet == ()
    assert found.registers["key and state"][0] > state
    assert all(first == second for first, second in found.registers.values())
    none = {secret for secret, (first, _) in found.registers.items() if not first}
    assert none == {"what encrypts the tag"} - only


@pytest.mark.slow
@pytest.mark.parametrize("core", ["masked", "masked_fast"])
def test_with_a_generator_shares_stay_apart_and_nothing_secret_goes_into_it(core: str) -> None:
    """Random bits come from registers: no wire of the core hangs on the generator's state."""
    graph = core_graph(core, "generator")
    assert separation(graph).meet == ()
    cones = graph.cones()
    inputs = {node: name for name, bus in graph.inputs.items() for node in bus}
    stable = {node: graph.node_name(node) for node in graph.registers} | inputs
    state = {n for n, name in stable.items() if re.search(r"u_trivium\.[abc]_q\[", name)}
    assert len(state) == 288 * (5 if core == "masked_fast" else 1)
    inside, bits = sum(1 << node for node in state), 0
    for register, data in graph.registers.items():
        cone = cones.get(data, 1 << data)
        if register in state or "u_generator." in stable[register]:
            hangs = (name for node, name in stable.items() if cone >> node & 1)
            assert {name for name in hangs if "u_generator." not in name} <= {
                "aresetn", "s_rnd_tvalid", "s_rnd_tdata",
            }  # fmt: skip
        elif cone & inside:  # a random bit, as the core has it
            assert not cone & ~inside
            bits += 1
    assert bits == {"masked": 26, "masked_fast": 325}[core]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("core", "reader", "read", "secret"),
    [
        ("masked", "u_aes.u_share0.state_q[5]", "u_aes.u_share1.key_q[77]", "key and state"),
        ("masked", "u_ghash.u_share1.cross_q[3]", "u_ghash.u_share0.own_q[9]", "digest"),
        ("masked", "u_ghash.subkey0_q[1]", "u_ghash.subkey1_q[1]", "H"),
        (
            "masked_fast",
            "u_aes.u_share0.ring_q[200]",
            "u_aes.u_share1.ring_q[700]",
            "key and state",
        ),
        ("masked_fast", "u_ghash.u_share1.cross_q[3]", "u_ghash.u_share0.factor_q[9]", "digest"),
        ("masked_fast", "u_ghash.subkey0_q[1]", "u_ghash.subkey1_q[1]", "H"),
        ("masked_fast", "first0_q[7]", "first1_q[7]", "what encrypts the tag"),
        (
            "masked_line",
            "u_aes.u_share0.keys_q[200]",
            "u_aes.u_share1.keys_q[700]",
            "key and state",
        ),
        ("masked_line", "u_ghash.u_share1.cross_q[3]", "u_ghash.u_share0.factor_q[9]", "digest"),
        ("masked_line", "u_ghash.power0_q[1]", "u_ghash.subkey1_q[1]", "H"),
        ("masked_line", "first0_q[7]", "first1_q[7]", "what encrypts the tag"),
    ],
)
def test_a_wire_that_joins_both_is_found(core: str, reader: str, read: str, secret: str) -> None:
    graph = core_graph(core)
    node_of = {name: node for node, name in graph.names.items()}
    register, other = node_of[f"register {reader}"], node_of[f"register {read}"]
    joined = max(graph.gates) + 1_000
    gates = {joined: Gate(0b0110, (graph.registers[register], other))}
    registers = {**graph.registers, register: joined}
    assert any(secret in place for place in separation(_with(graph, registers, gates)).meet)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("core", "of_share"),
    [
        ("masked", "u_aes.u_share{}.key_q[77]"),
        ("masked_fast", "u_aes.u_share{}.ring_q[200]"),
        ("masked_line", "u_aes.u_share{}.keys_q[200]"),
    ],
)
def test_a_share_that_takes_the_other_is_found(core: str, of_share: str) -> None:
    """A bit of a round key in share 0 comes from share 1, and hangs on no other share."""
    graph = core_graph(core)
    node_of = {name: node for node, name in graph.names.items()}
    one, other = (node_of[f"register {of_share.format(i)}"] for i in (0, 1))
    registers = {**graph.registers, one: graph.registers[other]}
    found = separation(_with(graph, registers, {})).meet
    assert found == (f"register {of_share.format(0)}: key and state, of the other share",)


@pytest.mark.slow
@pytest.mark.parametrize("core", ["masked_fast", "masked_line"])
def test_a_digest_that_is_put_together_before_its_registers_is_found(core: str) -> None:
    """With one product still in its register a wire hangs on one share of H, else on both."""
    graph = core_graph(core)
    node_of = {name: node for node, name in graph.names.items()}
    own, cross, factor = (
        node_of[f"register u_ghash.u_share0.{one}_q[{bit}]"]
        for one, bit in (("own", 3), ("cross", 3), ("factor", 9))
    )
    joined = max(graph.gates) + 1_000
    for terms, found in (
        ((graph.registers[own], cross), False),
        ((graph.registers[own], graph.registers[cross]), True),
    ):
        changed = _with(graph, {**graph.registers, factor: joined}, {joined: Gate(0b0110, terms)})
        assert any(place.endswith(": H") for place in separation(changed).meet) == found
