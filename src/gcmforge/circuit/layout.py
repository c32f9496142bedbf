# SPDX-License-Identifier: Apache-2.0
"""What the printer decides before it prints: blocks, inlined sums, signals, and their names.

A block is what is printed under one comment: the gates of one section in one stage. A gate that
is read once, in its own block, and has no label is written inside its reader's expression, up to
MAX_TERMS operands and MAX_LEVELS changes of operation. Every other gate gets a signal: its label,
its output bit, or a numbered name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from gcmforge.circuit.ir import ZERO, Circuit, Net, Op, PipelinedCircuit, fanout_counts

MAX_TERMS = 8
MAX_LEVELS = 2


@dataclass(slots=True)
class Signal:
    """A declared signal; lo and hi are None for a scalar. `order` sorts operands."""

    name: str
    order: int
    lo: int | None = None
    hi: int | None = None


class Ref(NamedTuple):
    """One bit of a signal."""

    signal: Signal
    bit: int | None


class Node(NamedTuple):
    """An operation in a printed expression."""

    op: Op
    args: tuple[Tree, ...]


Tree = Ref | Node


@dataclass(slots=True)
class Block:
    """One comment's worth of text."""

    stage: int
    title: str
    gates: list[Net] = field(default_factory=list)


@dataclass(slots=True)
class Layout:
    """Everything the printer needs; `home[net]` is the signal bit a gate drives."""

    blocks: list[Block]
    home: dict[Net, Ref]
    inlined: set[Net]
    registers: list[list[Signal]]  # [k]: declared at the end of stage k
    register_of: dict[tuple[Net, int], Ref]  # (net, stage that reads it)
    inputs: dict[Net, Ref]
    outputs: dict[str, Signal]


class Namer:
    """Hands out names that are not taken yet, and their order."""

    def __init__(self, taken: Iterable[str]) -> None:
        self.taken = set(taken)
        self.count = 0

    def signal(self, name: str, lo: int | None = None, hi: int | None = None) -> Signal:
        while name in self.taken:
            name += "_x"
        self.taken.add(name)
        self.count += 1
        return Signal(name, self.count, lo, hi)


def lay_out(pipe: PipelinedCircuit) -> Layout:
    """Decide blocks, inlining, signals and registers of a pipelined circuit."""
    c = pipe.circuit
    fanout = fanout_counts(c)
    namer = Namer(
        [bus.name for bus in c.inputs + c.outputs] + [label.name for label in c.labels]
        + ["clk", "en_i", "unused"]
    )  # fmt: skip
    block_of, blocks = _blocks(pipe)
    inputs: dict[Net, Ref] = {}
    for bus in c.inputs:
        refs = _bus_refs(bus.name, bus.width, len(inputs) - c.net_count)
        inputs |= dict(zip(bus.nets, refs, strict=True))
    outputs = {bus.name: _bus_signal(bus.name, bus.width, c.net_count) for bus in c.outputs}
    labelled = {net for label in c.labels for _, net in label.bits}
    inlined = _inlined(c, block_of, fanout, labelled)
    home: dict[Net, Ref] = {}
    _home_labels(pipe, namer, home)
    _home_outputs(pipe, fanout, outputs, home)
    _home_numbered(c, namer, block_of, inlined, home)
    registers, register_of = _registers(pipe, namer, inputs | home)
    return Layout(blocks, home, inlined, registers, register_of, inputs, outputs)


def _bus_signal(name: str, width: int, order: int) -> Signal:
    return Signal(name, order) if width == 1 else Signal(name, order, 0, width - 1)


def _bus_refs(name: str, width: int, order: int) -> list[Ref]:
    signal = _bus_signal(name, width, order)
    return [Ref(signal, None if width == 1 else i) for i in range(width)]


def _blocks(pipe: PipelinedCircuit) -> tuple[dict[Net, int], list[Block]]:
    """Put each gate into the first block of its stage and section that comes after its arguments.

    A section is split (and its comment repeated) only where it needs a later section's result.
    """
    c = pipe.circuit
    blocks: list[Block] = []
    block_of: dict[Net, int] = {}
    for stage in range(pipe.stages):
        known: dict[int, list[int]] = defaultdict(list)
        for net, gate in enumerate(c.gates, c.first_gate):
            if pipe.stage_of[net] != stage:
                continue
            section = c.section_of[net - c.first_gate]
            earliest = max((block_of.get(arg, 0) for arg in gate.args), default=0)
            fits = next((b for b in known[section] if b >= earliest), None)
            if fits is None:
                fits = len(blocks)
                title = c.sections[section]
                again = " (continued)" if known[section] and title else ""
                blocks.append(Block(stage, title + again))
                known[section].append(fits)
            block_of[net] = fits
            blocks[fits].gates.append(net)
    return block_of, blocks


def _inlined(
    c: Circuit, block_of: dict[Net, int], fanout: Sequence[int], labelled: set[Net]
) -> set[Net]:
    """Gates written inside their only reader; larger operands are kept out when space is short."""
    outputs = set(c.output_nets)
    terms = [1] * c.net_count
    levels = [0] * c.net_count
    inlined: set[Net] = set()
    for net, gate in enumerate(c.gates, c.first_gate):
        total, level = len(gate.args), int(gate.op is not Op.NOT)
        for arg in sorted(gate.args, key=lambda a: (terms[a], a)):
            private = fanout[arg] == 1 and arg not in outputs and arg not in labelled
            if arg < c.first_gate or not private or block_of[arg] != block_of[net]:
                continue
            deeper = levels[arg] + _changes(gate.op, c.gates[arg - c.first_gate].op)
            if total + terms[arg] - 1 <= MAX_TERMS and deeper <= MAX_LEVELS:
                total += terms[arg] - 1
                level = max(level, deeper)
                inlined.add(arg)
        terms[net], levels[net] = total, level
    return inlined


def _changes(outer: Op, inner: Op) -> bool:
    """Whether an operand of another operation makes an expression harder to read."""
    return not (outer is inner in (Op.XOR, Op.AND, Op.OR) or Op.NOT in (outer, inner))


def runs(indices: Iterable[int]) -> list[tuple[int, int]]:
    """Maximal runs (lo, hi) of consecutive ints, ascending."""
    out: list[tuple[int, int]] = []
    for i in sorted(indices):
        if out and out[-1][1] == i - 1:
            out[-1] = (out[-1][0], i)
        else:
            out.append((i, i))
    return out


def _named_runs(
    namer: Namer, name: str, nets: dict[int, Net], whole: bool, suffix: str = ""
) -> list[tuple[Signal, dict[Net, Ref]]]:
    """Signals for the given bits of a bus: one where they are consecutive, else one for each run.

    `whole` says that no other signal shares the name, so that it can be used as it is.
    """
    found = runs(nets)
    out = []
    for lo, hi in found:
        if len(found) == 1 and whole and hi > lo:
            signal = namer.signal(name + suffix, lo, hi)
        elif hi > lo:
            signal = namer.signal(f"{name}_{hi}_{lo}{suffix}", lo, hi)
        else:
            signal = namer.signal(f"{name}_{lo}{suffix}")
        refs = {nets[i]: Ref(signal, i if hi > lo else None) for i in range(lo, hi + 1)}
        out.append((signal, refs))
    return out


def _home_labels(pipe: PipelinedCircuit, namer: Namer, home: dict[Net, Ref]) -> None:
    """Signals for labelled nets: vectors where the bits of one stage are consecutive."""
    c = pipe.circuit
    looped = _looped_labels(pipe)
    for number, label in enumerate(c.labels):
        namer.taken.discard(label.name)
        if label.scalar:
            ((_, net),) = label.bits
            home[net] = Ref(namer.signal(label.name), None)
            continue
        by_stage: dict[int, dict[int, Net]] = defaultdict(dict)
        for i, net in label.bits:
            by_stage[pipe.stage_of[net]][i] = net
        groups = list(by_stage.values())
        if number in looped:
            groups = [{i: net} for group in groups for i, net in group.items()]
        for group in groups:
            for _, refs in _named_runs(namer, label.name, group, len(groups) == 1):
                home |= refs
        namer.taken.add(label.name)


def _looped_labels(pipe: PipelinedCircuit) -> set[int]:
    """Labels whose bits depend on each other, alone or through other labels.

    As one vector they would look like a combinational loop to tools that order whole signals.
    """
    c = pipe.circuit
    label_of = {net: n for n, label in enumerate(c.labels) for _, net in label.bits}
    below = [0] * c.net_count  # bit n: a bit of label n feeds this net within its stage
    depends = [0] * len(c.labels)
    for net, gate in enumerate(c.gates, c.first_gate):
        for arg in gate.args:
            if pipe.stage_of[arg] == pipe.stage_of[net]:
                below[net] |= below[arg] | (1 << label_of[arg] if arg in label_of else 0)
        if net in label_of:
            depends[label_of[net]] |= below[net]
    for k in range(len(depends)):  # transitive closure
        for n in range(len(depends)):
            if depends[n] >> k & 1:
                depends[n] |= depends[k]
    return {n for n, mask in enumerate(depends) if mask >> n & 1}


def _home_outputs(
    pipe: PipelinedCircuit,
    fanout: Sequence[int],
    outputs: dict[str, Signal],
    home: dict[Net, Ref],
) -> None:
    """A gate that only drives one output bit, in the last stage, is assigned to it directly."""
    c = pipe.circuit
    for bus in c.outputs:
        for i, net in enumerate(bus.nets):
            gate_here = net >= c.first_gate and pipe.stage_of[net] == pipe.stages - 1
            if gate_here and fanout[net] == 1 and net not in home:
                home[net] = Ref(outputs[bus.name], None if bus.width == 1 else i)


def _home_numbered(
    c: Circuit,
    namer: Namer,
    block_of: dict[Net, int],
    inlined: set[Net],
    home: dict[Net, Ref],
) -> None:
    """Names n<block>_<count> for gates that have neither label nor output nor reader to live in."""
    count: dict[int, int] = defaultdict(int)
    for net in range(c.first_gate, c.net_count):
        if net not in home and net not in inlined:
            block = block_of[net]
            signal = namer.signal(f"n{block}_{count[block]}")
            count[block] += 1
            home[net] = Ref(signal, None)


def _registers(
    pipe: PipelinedCircuit, namer: Namer, home: dict[Net, Ref]
) -> tuple[list[list[Signal]], dict[tuple[Net, int], Ref]]:
    """Registers <signal>_q<k> read in stage k, as vectors where the bits that cross are."""
    last = pipe.last_use
    declared: list[list[Signal]] = []
    refs: dict[tuple[Net, int], Ref] = {}
    for k in range(1, pipe.stages):
        crossing: dict[str, dict[int, Net]] = defaultdict(dict)
        scalar: dict[str, Net] = {}
        for net, ref in home.items():
            if pipe.stage_of[net] < k <= last[net]:
                if ref.bit is None:
                    scalar[ref.signal.name] = net
                else:
                    crossing[ref.signal.name][ref.bit] = net
        declared.append([])
        for name in sorted([*crossing, *scalar], key=lambda n: _order(n, crossing, scalar, home)):
            base = name.removesuffix("_i")
            if name in scalar:
                signal = namer.signal(f"{base}_q{k}")
                found = [(signal, {scalar[name]: Ref(signal, None)})]
            else:
                found = _named_runs(namer, base, crossing[name], True, f"_q{k}")
            for signal, new in found:
                declared[-1].append(signal)
                refs |= {(net, k): ref for net, ref in new.items()}
    return declared, refs


def _order(
    name: str, crossing: dict[str, dict[int, Net]], scalar: dict[str, Net], home: dict[Net, Ref]
) -> int:
    net = scalar[name] if name in scalar else next(iter(crossing[name].values()))
    return home[net].signal.order


def constant(net: Net) -> Ref:
    """The printed form of net 0 or 1."""
    return Ref(Signal("1'b0" if net == ZERO else "1'b1", -1), None)
