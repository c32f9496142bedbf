# SPDX-License-Identifier: Apache-2.0
"""Proofs of masked circuits against probes that see glitches.

    probing   no set of `order` probes depends on a secret, if its sharing is uniform
    uniform   every set of `order` output shares is uniform, whatever the input shares are
    NI        what t probes see can be simulated from t shares of each input
    SNI       the same from as many shares as there are probes inside, for those on outputs none
    PINI      the same from the shares of the outputs' numbers, and of one more for a probe inside

NI and SNI: Barthe et al., CCS 2016. PINI: Cassiers, Standaert, IEEE TIFS 2020. All with glitches.
A probe on an output is taken to see all bits of its share. Every set of probes is looked at, but
for those that see less than another one.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gcmforge.circuit.probing.graph import RANDOM, Gate, Node, ProbeGraph, Role, Share, bits
from gcmforge.circuit.probing.joint import Joint, TooManyVariablesError
from gcmforge.circuit.prove import Proof, python_version

PROPERTIES = ("probing", "uniform", "NI", "SNI", "PINI")


@dataclass(frozen=True, slots=True)
class _Probe:
    """A set of signals that one probe sees: where it is, and the share if it is on an output."""

    node: Node
    seen: int
    output: Share | None = None


class Probing:
    """One masked circuit, its inputs' roles, and the proofs about it."""

    def __init__(
        self,
        graph: ProbeGraph,
        roles: Mapping[str, Role],
        outputs: Mapping[str, Share],
    ) -> None:
        missing = [name for name in graph.inputs if name not in roles]
        if missing or any(name not in graph.outputs for name in outputs):
            raise ValueError(f"{graph.name}: no role for {', '.join(missing) or 'an output'}")
        self.graph = graph
        self.roles = roles
        self.outputs = outputs
        self.share_of: dict[Node, Share] = {}
        self.random: list[Node] = []
        self.public: list[Node] = []
        for name, nodes in graph.inputs.items():
            role = roles[name]
            if isinstance(role, Share):
                self.share_of |= dict.fromkeys(nodes, role)
            else:
                (self.random if role == RANDOM else self.public).extend(nodes)

    # ---- what is asked

    def prove(self, property_: str, order: int = 1) -> Proof:
        """One of PROPERTIES at an order: that many probes."""
        if property_ not in PROPERTIES:
            raise ValueError(f"property={property_!r}: there is {', '.join(PROPERTIES)}")
        if order < 1:
            raise ValueError(f"order={order}: use 1 or more")
        start = time.perf_counter()
        joint = self._joint(property_)
        cases, wrong = 0, ""
        for probes in self._sets(property_, order):
            cases += 1
            wrong = self._wrong(joint, property_, probes)
            if wrong:
                break
        return Proof(
            kind=f"{property_}, order {order}",
            circuit=self.graph.name,
            passed=not wrong,
            cases=cases,
            seconds=time.perf_counter() - start,
            detail=wrong or "no set of probes, each with the glitches of its wire, breaks it",
            tools=python_version(),
        )

    def _joint(self, property_: str) -> Joint:
        if property_ != "probing":
            given = [*self.share_of, *self.public]
            return Joint(self.graph, given=given, free=self.random)
        secrets: list[Node] = []
        free = list(self.random)
        derived = {}
        fresh = max([1, *self.graph.gates, *self.graph.registers, *self.share_of,
                     *self.random, *self.public]) + 1  # fmt: skip
        for shares in self._sharings():
            *masks, last = shares
            free += masks
            secrets.append(fresh)
            args = (fresh, *masks)
            odd = sum(1 << p for p in range(1 << len(args)) if p.bit_count() & 1)
            derived[last] = Gate(odd, args)
            fresh += 1
        return Joint(self.graph, given=secrets, free=[*free, *self.public], derived=derived)

    def _sharings(self) -> Iterator[tuple[Node, ...]]:
        """For each bit of each value the inputs that are its shares."""
        values: dict[str, dict[int, tuple[Node, ...]]] = {}
        for name, nodes in self.graph.inputs.items():
            role = self.roles[name]
            if isinstance(role, Share):
                values.setdefault(role.value, {})[role.number] = nodes
        for shares in values.values():
            yield from zip(*(shares[i] for i in sorted(shares)), strict=True)

    # ---- probes

    def _sets(self, property_: str, order: int) -> Iterator[tuple[_Probe, ...]]:
        probes = list(self._outputs())
        if property_ == "uniform":
            yield from itertools.combinations(probes, order)
            return
        if property_ == "probing":
            probes = self._largest(self._inside())
        else:
            probes += self._largest(self._inside())
        for count in range(1, order + 1):
            if count < order and property_ == "probing":
                continue  # fewer probes see less
            yield from itertools.combinations(probes, min(count, len(probes)))

    def _outputs(self) -> Iterator[_Probe]:
        cones = self.graph.cones()
        for name, share in self.outputs.items():
            nodes = self.graph.outputs[name]
            seen = 0
            for node in nodes:
                seen |= cones[node]
            yield _Probe(nodes[0], seen, share)

    def _inside(self) -> list[_Probe]:
        cones = self.graph.cones()
        return [_Probe(node, seen) for node, seen in cones.items() if seen]

    def _largest(self, probes: list[_Probe]) -> list[_Probe]:
        """Without those that see no more than another one."""
        kept: list[_Probe] = []
        for probe in sorted(probes, key=lambda p: -p.seen.bit_count()):
            if all(probe.seen & ~other.seen for other in kept):
                kept.append(probe)
        return kept

    # ---- the answer for one set

    def _wrong(self, joint: Joint, property_: str, probes: tuple[_Probe, ...]) -> str:
        seen = 0
        for probe in probes:
            seen |= probe.seen
        if property_ == "uniform":
            return self._not_uniform(probes)
        for node in self.public:
            seen |= 1 << node
        try:
            found = joint.matters(seen)
        except TooManyVariablesError as error:
            return f"{self._place(probes)}: not decided, {error}"
        if property_ == "probing":
            told = f"{self._place(probes)}: what it sees depends on the secret: {self._list(seen)}"
            return told if found else ""
        shares = {self.share_of[node] for node in found if node in self.share_of}
        inside = sum(probe.output is None for probe in probes)
        indices = {probe.output.number for probe in probes if probe.output is not None}
        if property_ == "PINI":
            needed = {share.number for share in shares} - indices
            too_many = len(needed) > inside
        else:
            allowed = inside if property_ == "SNI" else len(probes)
            counts = [len({s.number for s in shares if s.value == v}) for v, _ in shares]
            too_many = max(counts, default=0) > allowed
        if not too_many:
            return ""
        needs = ", ".join(f"share {s.number} of {s.value}" for s in sorted(shares))
        return f"{self._place(probes)}: it takes {needs} to simulate {self._list(seen)}"

    def _not_uniform(self, probes: tuple[_Probe, ...]) -> str:
        """The output bits themselves, not what glitches show, as functions of the random bits."""
        from gcmforge.circuit.probing.uniform import not_uniform

        nodes = [
            node
            for name, share in self.outputs.items()
            if share in {probe.output for probe in probes}
            for node in self.graph.outputs[name]
        ]
        return not_uniform(self.graph, nodes, [*self.share_of, *self.public], self.random)

    def _place(self, probes: tuple[_Probe, ...]) -> str:
        places = [self.graph.node_name(probe.node) for probe in probes]
        return f"a probe on {places[0]}" if len(places) == 1 else f"probes on {', '.join(places)}"

    def _list(self, seen: int) -> str:
        names = [self.graph.node_name(node) for node in bits(seen)]
        more = f" and {len(names) - 8} more" if len(names) > 8 else ""
        return ", ".join(names[:8]) + more


def prove_probing(
    graph: ProbeGraph,
    roles: Mapping[str, Role],
    outputs: Mapping[str, Share],
    property_: str,
    order: int = 1,
) -> Proof:
    """One property of one circuit."""
    return Probing(graph, roles, outputs).prove(property_, order)
