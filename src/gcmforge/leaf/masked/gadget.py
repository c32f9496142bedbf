# SPDX-License-Identifier: Apache-2.0
"""The record of one gadget: a circuit in stages, its shares, and what is claimed of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from gcmforge.circuit import Net, PipelinedCircuit, emit_systemverilog
from gcmforge.circuit.probing import RANDOM, ProbeGraph, Probing, Role, Share


class Claim(NamedTuple):
    """A property of gcmforge.circuit.probing, at an order."""

    property: str
    order: int


class Step(NamedTuple):
    """One value as a function of earlier ones, which it takes as ints in this order."""

    value: str
    sources: tuple[str, ...]
    function: Callable[..., int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Gadget:
    """One masked circuit.

    Of every value the XOR of the shares is what counts. `steps` say which value comes from which,
    the outputs last; the shares of those in between are `marks` in the circuit. Random bits that
    come in a later stage are asked for in that stage: they are new in every cycle.
    """

    module: str
    title: str
    pipe: PipelinedCircuit
    roles: Mapping[str, Role]
    outputs: Mapping[str, Share]
    steps: tuple[Step, ...]
    marks: Mapping[str, tuple[tuple[Net, ...], ...]]
    claims: tuple[Claim, ...]
    source: str
    notes: tuple[str, ...] = ()

    @property
    def latency(self) -> int:
        """Cycles from the inputs of the first stage to the outputs."""
        return self.pipe.stages - 1

    @property
    def random_bits(self) -> int:
        """Fresh random bits a cycle."""
        return sum(b.width for b in self.pipe.circuit.inputs if self.roles[b.name] == RANDOM)

    def probing(self) -> Probing:
        """The circuit before a prover."""
        return Probing(ProbeGraph.of_pipeline(self.pipe), self.roles, self.outputs)

    def text(self, *, enable: bool = False) -> str:
        """The module, as SystemVerilog; with `enable` its registers hold while en_i is low."""
        return emit_systemverilog(self.pipe, self.header(), clocked=True, enable=enable)

    def header(self) -> list[str]:
        """The comment lines that head its file."""
        claims = ", ".join(f"{c.property} at order {c.order}" for c in self.claims)
        return [
            f"{self.module}: {self.title}.",
            f"Source: {self.source}.",
            *self.notes,
            f"Latency: {self.latency} cycles, {self.pipe.registers} register bits. Throughput: one "
            f"a cycle, with {self.random_bits} fresh random bits in each.",
            f"Claims, with glitches: {claims} (docs/theory/masking.md).",
        ]
