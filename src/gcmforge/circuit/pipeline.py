# SPDX-License-Identifier: Apache-2.0
"""Cutting a circuit into stages of balanced delay with few registers.

The delay bound is the least for which the stages suffice. Under it each boundary is a minimum cut
of the nets that cross it: a net that is computed before and read after costs one register however
many readers it has, and no path crosses back. A gate has to lie before the cut when the stages
after could not finish it in time, and after the cut when the stage before could not reach it; the
flow decides the rest. Boundaries are cut one after the other, from the inputs on and once more from
the outputs back; then each is cut again between its fixed neighbours until none gets smaller, and
the better result stays: every single cut is exactly minimal given the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gcmforge.circuit.cost import DELAY
from gcmforge.circuit.flow import INFINITE, FlowGraph
from gcmforge.circuit.ir import Circuit, Net, PipelinedCircuit

MAX_SWEEPS = 4


def pipeline(
    c: Circuit,
    stages: int,
    tail_delay: float = 0.0,
    *,
    head_delay: float = 0.0,
    period: float | None = None,
    margin: float = 0.0,
) -> PipelinedCircuit:
    """c in `stages` stages: stages - 1 register boundaries on every path from input to output.

    tail_delay is the delay (T_A) that follows the outputs within the last stage, head_delay the
    one before the inputs within the first. period, the delay bound of a stage in T_A, is the least
    feasible one unless given, and may be longer by the share `margin` of it, for fewer registers.
    """
    if stages < 1:
        raise ValueError(f"{c.name}: stages must be at least 1, not {stages}")
    tail, head = round(tail_delay * 100), round(head_delay * 100)
    least = least_period(c, stages, tail, head)
    bound = int(least * (1 + margin)) if period is None else int(period * 100 + 1e-6)
    if bound < least:
        raise ValueError(
            f"{c.name}: {stages} stages cannot meet period={period} T_A; "
            f"the least possible is {least / 100}"
        )
    stage_of = _Cutter(c, stages, bound, tail, head).run()
    return PipelinedCircuit(
        circuit=c,
        stages=stages,
        stage_of=tuple(stage_of),
        period=bound / 100,
        tail_delay=tail_delay,
        head_delay=head_delay,
    )


def least_period(c: Circuit, stages: int, tail: int, head: int = 0) -> int:
    """The least delay bound (hundredths of T_A) under which `stages` stages hold the circuit."""
    high = _finish(c, 1 << 40, tail, head)[1]
    low = max([tail, head, *(DELAY[gate.op] for gate in c.gates)])
    low = max(low, -(-high // stages)) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if _finish(c, middle, tail, head)[0] < stages:
            high = middle
        else:
            low = middle
    return high


def _finish(c: Circuit, bound: int, tail: int, head: int) -> tuple[int, int]:
    """(stage, delay in it) in which the outputs and their tail are done at the earliest."""
    done = _done(c, bound, head)
    stage, time = max((done[net] for net in c.output_nets), default=(0, 0))
    return (stage, time + tail) if time + tail <= bound else (stage + 1, tail)


def _done(c: Circuit, bound: int, head: int) -> list[tuple[int, int]]:
    """For each net (stage, delay in it) in which it is done at the earliest."""
    done = [(0, head)] * c.first_gate
    for op, args in c.gates:
        stage, time = max(done[arg] for arg in args)
        delay = DELAY[op]
        done.append((stage, time + delay) if time + delay <= bound else (stage + 1, delay))
    return done


@dataclass(slots=True)
class _Region:
    """The gates that one cut may divide; free ones are neither in `before` nor in `after`."""

    nets: list[Net]
    before: set[Net]
    after: set[Net]


class _Cutter:
    def __init__(self, c: Circuit, stages: int, bound: int, tail: int, head: int) -> None:
        self.c = c
        self.stages = stages
        self.bound = bound
        self.tail = tail
        self.head = head
        self.delay = [0] * c.first_gate + [DELAY[gate.op] for gate in c.gates]
        self.args = [()] * c.first_gate + [tuple(dict.fromkeys(g.args)) for g in c.gates]
        self.readers: list[list[Net]] = [[] for _ in range(c.net_count)]
        for net, args in enumerate(self.args):
            for arg in args:
                self.readers[arg].append(net)
        self.drives_output = [False] * c.net_count
        for net in c.output_nets:
            self.drives_output[net] = True

    def run(self) -> list[int]:
        """The stage of every net: the better of cutting from the inputs and from the outputs."""
        found = [self._refined(self._cut_forward())]
        if self.stages > 2:
            found.append(self._refined(self._cut_backward()))
        return min(found, key=self._total)

    def _total(self, stage: Sequence[int]) -> int:
        return sum(self._count(stage, k) for k in range(1, self.stages))

    def _refined(self, stage: list[int]) -> list[int]:
        """Cut each boundary again between its neighbours until nothing gets smaller."""
        for _ in range(MAX_SWEEPS if self.stages > 2 else 0):
            before = self._total(stage)
            for k in range(1, self.stages):
                self._recut(stage, k)
            if self._total(stage) == before:
                break
        return stage

    def _gates(self) -> range:
        return range(self.c.first_gate, self.c.net_count)

    def _cut_forward(self) -> list[int]:
        latest = self._latest()
        stage = [0] * self.c.net_count
        for k in range(1, self.stages):
            nets = [net for net in self._gates() if stage[net] == k - 1]
            before = {net for net in nets if latest[net] < k}
            for net in self._cut(_Region(nets, before, self._too_late(nets, k == 1)), stage, k):
                stage[net] = k
        return stage

    def _cut_backward(self) -> list[int]:
        earliest = self._earliest()
        stage = [0] * self.c.first_gate + [self.stages - 1] * len(self.c.gates)
        for k in range(self.stages - 1, 0, -1):
            nets = [net for net in self._gates() if stage[net] == k]
            early = self._too_early(nets, k == self.stages - 1)
            after = {net for net in nets if earliest[net] >= k}
            later = set(self._cut(_Region(nets, early, after), stage, k))
            for net in nets:
                stage[net] = k if net in later else k - 1
        return stage

    def _recut(self, stage: list[int], k: int) -> None:
        """Cut k again; the gates of the stages on both sides of it are free where timing allows."""
        nets = [net for net in self._gates() if k - 1 <= stage[net] <= k]
        early = self._too_early(nets, k == self.stages - 1)
        region = _Region(nets, early, self._too_late(nets, k == 1))
        old = self._count(stage, k)
        trial = list(stage)
        for net in nets:
            trial[net] = k - 1
        for net in self._cut(region, stage, k):
            trial[net] = k
        if self._count(trial, k) < old:
            stage[:] = trial

    def _count(self, stage: Sequence[int], k: int) -> int:
        """Registers at boundary k."""
        return sum(
            stage[net] < k
            and (self.drives_output[net] or any(stage[r] >= k for r in self.readers[net]))
            for net in range(2, self.c.net_count)
        )

    def _earliest(self) -> list[int]:
        """The earliest stage in which each net can be computed."""
        return [stage for stage, _ in _done(self.c, self.bound, self.head)]

    def _latest(self) -> list[int]:
        """The latest stage in which each net can be computed with the rest still in time."""
        best = [(self.stages, 0)] * self.c.net_count  # (stage, minus the time to its end)
        for net in self.c.output_nets:
            best[net] = (self.stages - 1, -self.tail)
        for net in range(self.c.net_count - 1, self.c.first_gate - 1, -1):
            stage, rest = best[net]
            delay = self.delay[net]
            if delay - rest > self.bound:
                stage, rest = stage - 1, 0
                best[net] = (stage, 0)
            for arg in self.args[net]:
                best[arg] = min(best[arg], (stage, rest - delay))
        return [stage for stage, _ in best]

    def _too_late(self, nets: list[Net], first: bool) -> set[Net]:
        """Gates that a stage which begins before `nets` cannot reach within the bound."""
        arrival: dict[Net, int] = dict.fromkeys(range(self.c.first_gate), self.head * first)
        for net in nets:
            start = max((arrival.get(arg, 0) for arg in self.args[net]), default=0)
            arrival[net] = start + self.delay[net]
        return {net for net in nets if arrival[net] > self.bound}

    def _too_early(self, nets: list[Net], last: bool) -> set[Net]:
        """Gates that a stage which ends after `nets` cannot begin with within the bound."""
        need: dict[Net, int] = {}
        for net in reversed(nets):
            rest = self.tail if last and self.drives_output[net] else 0
            rest = max([rest, *(need.get(reader, 0) for reader in self.readers[net])])
            need[net] = rest + self.delay[net]
        return {net for net in nets if need[net] > self.bound}

    def _cut(self, region: _Region, stage: Sequence[int], k: int) -> list[Net]:
        """The gates of the region that a minimum cut k puts after it.

        Outside the region, nets of stages before k - 1 lie before it and all others after it.
        """
        graph = FlowGraph()
        node: dict[Net, int] = {}
        for net in region.nets:
            if net in region.before:
                node[net] = graph.SOURCE
            elif net in region.after:
                node[net] = graph.SINK
            else:
                node[net] = graph.add_node()
        inside = set(region.nets)
        feeding = {arg for net in region.nets for arg in self.args[net]} - inside - {0, 1}
        for net in sorted(feeding):
            self._add_net(graph, node, net, graph.SOURCE, stage, k)
        for net in region.nets:
            if node[net] != graph.SINK:
                self._add_net(graph, node, net, node[net], stage, k)
        side = graph.source_side()
        return [net for net in region.nets if not side[node[net]]]

    def _add_net(
        self,
        graph: FlowGraph,
        node: dict[Net, int],
        net: Net,
        tail: int,
        stage: Sequence[int],
        k: int,
    ) -> None:
        """One register if the net is before the cut and any reader is not."""
        readers = [r for r in self.readers[net] if r in node or stage[r] >= k]
        heads = list(dict.fromkeys(node.get(r, graph.SINK) for r in readers))
        free = [head for head in heads if head > graph.SINK]
        if tail != graph.SOURCE:  # no path crosses back
            for head in free:
                graph.add_edge(head, tail, INFINITE)
        if self.drives_output[net] or graph.SINK in heads:
            graph.add_edge(tail, graph.SINK, 1)
        elif len(free) == 1:
            graph.add_edge(tail, free[0], 1)
        elif free:
            split = graph.add_node()
            graph.add_edge(tail, split, 1)
            for head in free:
                graph.add_edge(split, head, INFINITE)


def stage_delays(pipe: PipelinedCircuit) -> tuple[float, ...]:
    """The slowest path in each stage, in T_A; the first includes the head, the last the tail."""
    c = pipe.circuit
    times = [round(pipe.head_delay * 100)] * c.first_gate + [0] * len(c.gates)
    slowest = [0] * pipe.stages
    for net, gate in enumerate(c.gates, c.first_gate):
        here = pipe.stage_of[net]
        start = max(times[arg] * (pipe.stage_of[arg] == here) for arg in gate.args)
        times[net] = start + DELAY[gate.op]
        slowest[here] = max(slowest[here], times[net])
    tail = round(pipe.tail_delay * 100)
    for net in c.output_nets:
        here = times[net] if pipe.stage_of[net] == pipe.stages - 1 else 0
        slowest[-1] = max(slowest[-1], here + tail)
    return tuple(time / 100 for time in slowest)
