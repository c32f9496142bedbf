# SPDX-License-Identifier: Apache-2.0
"""A mapped netlist as a graph of timing arcs, and what arrives when at each of its nets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from gcmforge.netlist.netlist import NetlistError
from gcmforge.sta.arcs import SETUP, Arcs, Checks, Kind, arc_edges, driver_tables, setup_arcs
from gcmforge.sta.bound import EDGE_NAMES, FALL, LAUNCH, RISE, Bound, TableStack
from gcmforge.sta.constants import FREE, find_constants, passes
from gcmforge.sta.levels import net_levels
from gcmforge.sta.path import PATH_GROUPS, Step, Timing
from gcmforge.sta.wires import (
    Clocked,
    Wires,
    clocked_pins,
    late_outputs,
    late_pins,
    slews_at_pins,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]


@dataclass(eq=False)
class TimingGraph:
    """Arcs of a bound design with delays, transitions and arrivals at every node."""

    bound: Bound
    driving_cell: str = ""
    load_ff: float = 0.0
    clock_slew_ns: float = 0.0
    wires: Wires | None = None
    """None: wires without resistance and capacitance."""
    tables: TableStack = field(default_factory=TableStack)
    kinds: list[Kind] = field(default_factory=list)

    def __post_init__(self) -> None:
        import numpy as np

        self.clock_node = 2 * self.bound.net_count
        self.load = self.bound.loads(self.load_ff / 1000)
        if self.wires is not None:
            self.load += np.repeat(self.wires.capacitance, 2)
        self.constants = find_constants(self.bound)
        self.checks = self._checks()
        self.arcs, self._levels, self._runs = self._sorted_arcs()
        self._propagate()

    # -- building

    def _pieces(self) -> Iterator[tuple[int, Ints, Ints, Ints, int, int, Bools, Floats, Floats]]:
        """(kind, cells, source nodes, sink nodes, delay table, slew table) of each kind of arc,
        which of them anything passes, how late the wire or the clock before each is, and the
        transition of that clock."""
        import numpy as np

        data = np.ones(self.bound.net_count, dtype=np.bool_)
        data[self.clock_nets] = False
        for group in self.bound.groups:
            if group.cell.clock_gate:  # a gated clock is as ideal as any
                continue
            column = {pin: n for n, pin in enumerate(group.pins)}
            cells = group.first + np.arange(len(group.names))
            patterns, which = self.constants.patterns(group)
            for output in group.cell.outputs:
                out = group.nets[:, column[output.name]]
                out = np.where((out >= 0) & data[out], out, -1)  # a clock tree is timed by clock.py
                for arc in output.timing:
                    for in_edge, out_edge, delay, slew in arc_edges(arc, self.tables):
                        kind = Kind(
                            group.cell.name, arc.related_pin, output.name, in_edge, out_edge
                        )
                        self.kinds.append(kind)
                        passing = np.ones(out.size, dtype=np.bool_)
                        if arc.timing_type in LAUNCH:
                            source = np.full(out.size, self.clock_node)
                            used = out >= 0
                        else:
                            nets = group.nets[:, column[arc.related_pin]]
                            source = 2 * nets + in_edge
                            edges = in_edge, out_edge
                            can = [passes(group.cell, arc, output.name, edges, p) for p in patterns]
                            passing = np.array(can, dtype=np.bool_)[which]
                            used = (out >= 0) & (nets >= 0) & (nets < self.bound.net_count - 2)
                        sink = 2 * out + out_edge
                        number = len(self.kinds) - 1
                        arcs = number, cells[used], source[used], sink[used]
                        if arc.timing_type in LAUNCH:
                            clock = clocked_pins(self.wires, group, self.clock_slew_ns)
                            late, given = clock.late, clock.slew
                        else:
                            late = late_pins(self.wires, group, arc.related_pin)
                            given = np.full(out.size, np.nan)
                        yield *arcs, delay, slew, passing[used], late[used], given[used]

    def _sorted_arcs(self) -> tuple[Arcs, Ints, Ints]:
        """Arcs by level; where each level starts; where each node's run of arcs starts."""
        import numpy as np

        columns: list[list[Ints]] = [[], [], [], [], [], []]
        passing = [np.zeros(0, dtype=np.bool_)]
        wires, clocks = [np.zeros(0)], [np.zeros(0)]
        for number, cells, source, sink, delay, slew, passed, wire, clock in self._pieces():
            passing.append(passed)
            wires.append(wire)
            clocks.append(clock)
            size = cells.size
            same = [np.full(size, n) for n in (number, delay, slew)]
            for column, part in zip(
                columns, (same[0], cells, source, sink, same[1], same[2]), strict=True
            ):
                column.append(part)
        kind, cell, source, sink, delays, slews = (
            np.concatenate(column) if column else np.zeros(0, dtype=np.int64) for column in columns
        )
        self.net_level = net_levels(self.bound, source // 2, sink // 2, cell)
        level = self.net_level[sink // 2]
        order = np.lexsort((sink, level))
        order = order[np.concatenate(passing)[order]]
        arcs = Arcs(
            kind[order], cell[order], source[order], sink[order], delays[order], slews[order],
            np.concatenate(wires)[order], np.concatenate(clocks)[order],
        )  # fmt: skip
        level = level[order]
        starts = np.searchsorted(level, np.arange(level[-1] + 2 if level.size else 1))
        changes = np.flatnonzero(np.diff(arcs.sink, prepend=-1))
        return arcs, starts, changes

    def _checks(self) -> Checks:
        import numpy as np

        nodes: list[Ints] = []
        cells: list[Ints] = []
        tables: list[Ints] = []
        pins: list[str] = []
        pin_of: list[Ints] = []
        wires, late, slews = [np.zeros(0)], [np.zeros(0)], [np.zeros(0)]
        edges = set()
        for group in self.bound.groups:
            numbers = group.first + np.arange(len(group.names))
            clock = clocked_pins(self.wires, group, self.clock_slew_ns)
            for column, arc, pin in setup_arcs(group):
                nets = group.nets[:, column]
                used = (nets >= 0) & (self.constants.value[nets] == FREE)
                edges.add(SETUP[arc.timing_type])
                pins.append(pin)
                for edge, table in ((FALL, arc.fall_constraint), (RISE, arc.rise_constraint)):
                    if table is None:
                        continue
                    nodes.append(2 * nets[used] + edge)
                    cells.append(numbers[used])
                    tables.append(np.full(used.sum(), self.tables.add(table)))
                    pin_of.append(np.full(used.sum(), len(pins) - 1))
                    wires.append(late_pins(self.wires, group, pin)[used])
                    late.append(clock.late[used])
                    slews.append(clock.slew[used])
        if len(edges) > 1:
            raise NetlistError(
                "the netlist has flip-flops of both clock edges; timing knows one edge only"
            )
        empty = np.zeros(0, dtype=np.int64)
        parts = [np.concatenate(p) if p else empty for p in (nodes, cells, tables, pin_of)]
        at = Clocked(np.concatenate(late), np.concatenate(slews))
        wire = np.concatenate(wires) - at.late
        return Checks(parts[0], parts[1], parts[2], pins, parts[3], wire, at)

    @property
    def clock_nets(self) -> Ints:
        """Nets that clock a flip-flop: no data starts there."""
        return self.bound.clock_nets

    @cached_property
    def start_nets(self) -> Ints:
        """Nets of inputs that are data."""
        import numpy as np

        return np.setdiff1d(self.bound.inputs, self.clock_nets)

    # -- delays and arrivals

    def _drive(self) -> tuple[Floats, Floats]:
        """Arrival and transition at every node of an input, in ns (else never and none).

        A driving cell starts early by its delay without a load, as OpenSTA has it.
        """
        import numpy as np

        arrival = np.full(self.clock_node + 1, -np.inf)
        slew = np.full(self.clock_node + 1, -np.inf)
        for edge in (FALL, RISE):
            nodes = 2 * self.start_nets + edge
            arrival[nodes], slew[nodes] = 0.0, 0.0
            if not self.driving_cell:
                continue
            zero = np.zeros(nodes.size)
            arrival[nodes] = -np.inf
            for delay, transition in driver_tables(self.bound.library, self.driving_cell, edge):
                stack = TableStack()
                d, s = (np.full(nodes.size, stack.add(t)) for t in (delay, transition))
                late = stack.look_up(d, zero, self.load[nodes]) - stack.look_up(d, zero, zero)
                arrival[nodes] = np.maximum(arrival[nodes], late)
                slew[nodes] = np.maximum(slew[nodes], stack.look_up(s, zero, self.load[nodes]))
        arrival[self.clock_node], slew[self.clock_node] = 0.0, self.clock_slew_ns
        return arrival, slew

    def _propagate(self) -> None:
        """Fill delay by arc, arrival and slew by node, level by level."""
        import numpy as np

        self.arrival, self.slew = self._drive()
        self.delay = np.zeros(self.arcs.sink.size)
        arcs = self.arcs
        for low, high in self.level_ranges():
            part = slice(low, high)
            source, sink = arcs.source[part], arcs.sink[part]
            alive, load = self.slew[source] > -np.inf, self.load[sink]
            at = self.slews_into(part)
            delay = self.tables.look_up(arcs.delay_table[part], at, load) + arcs.wire[part]
            slew = self.tables.look_up(arcs.slew_table[part], at, load)
            self.delay[part] = delay
            starts = self._runs_in(low, high)
            nodes = sink[starts]
            late = np.maximum.reduceat(self.arrival[source] + delay, starts)
            self.arrival[nodes] = np.maximum(self.arrival[nodes], late)
            slow = np.maximum.reduceat(np.where(alive, slew, -np.inf), starts)
            self.slew[nodes] = np.maximum(self.slew[nodes], slow)

    def slews_into(self, arcs: slice | Ints) -> Floats:
        """Transitions at the pins where arcs begin; 0 where nothing arrives."""
        import numpy as np

        slew = self.slew[self.arcs.source[arcs]]
        slew = np.where(slew > -np.inf, slew, 0.0)
        if self.wires is not None:
            slew = slews_at_pins(slew, self.arcs.wire[arcs], self.bound)
        given = self.arcs.clock_slew[arcs]
        return np.where(np.isnan(given), slew, given)

    def level_ranges(self) -> Iterator[tuple[int, int]]:
        for low, high in zip(self._levels[:-1], self._levels[1:], strict=True):
            if high > low:
                yield int(low), int(high)

    def _runs_in(self, low: int, high: int) -> Ints:
        import numpy as np

        first, last = np.searchsorted(self._runs, (low, high))
        return self._runs[first:last] - low

    def _arrival_from(self, registers: bool) -> Floats:
        """Arrivals of paths that start at flip-flops only, or at inputs only."""
        import numpy as np

        arrival = self._drive()[0]
        if registers:
            arrival[: self.clock_node] = -np.inf
        else:
            arrival[self.clock_node] = -np.inf
        for low, high in self.level_ranges():
            late = arrival[self.arcs.source[low:high]] + self.delay[low:high]
            starts = self._runs_in(low, high)
            nodes = self.arcs.sink[low:high][starts]
            arrival[nodes] = np.maximum(arrival[nodes], np.maximum.reduceat(late, starts))
        return arrival

    # -- results

    @cached_property
    def setup(self) -> Floats:
        """Setup time by check, in ns."""
        import numpy as np

        slew = self.slew[self.checks.node]
        slew = np.where(slew > -np.inf, slew, 0.0)
        if self.wires is not None:
            slew = slews_at_pins(slew, self.checks.wire + self.checks.clock.late, self.bound)
        return self.tables.look_up(self.checks.table, self.checks.clock.slew, slew)

    @cached_property
    def output_nodes(self) -> Ints:
        import numpy as np

        data = np.setdiff1d(self.bound.outputs, self.clock_nets)
        return np.concatenate([2 * data + FALL, 2 * data + RISE])

    @cached_property
    def output_wires(self) -> Floats:
        return late_outputs(self.wires, self.bound, self.output_nodes)

    def _ends(self) -> tuple[Floats, Floats, float, float]:
        """When paths to flip-flops, setup included, and to outputs end; the latest of each."""
        import numpy as np

        at_flops = self.arrival[self.checks.node] + self.checks.wire + self.setup
        at_outputs = self.arrival[self.output_nodes] + self.output_wires
        worst_flop = float(at_flops.max(initial=-np.inf))
        worst_output = float(at_outputs.max(initial=-np.inf))
        if max(worst_flop, worst_output) == -np.inf:
            raise NetlistError("no path from an input or flip-flop to an output or flip-flop")
        return at_flops, at_outputs, worst_flop, worst_output

    def critical_path_ns(self) -> float:
        """The slowest path's length alone."""
        return max(self._ends()[2:])

    def timing(self, clock_ns: float | None = None) -> Timing:
        """The slowest of all paths."""
        at_flops, at_outputs, worst_flop, worst_output = self._ends()
        needed = max(worst_flop, worst_output)
        setup, instance = 0.0, ""
        if worst_flop >= worst_output:
            check = int(at_flops.argmax())
            instance = self.bound.instance(int(self.checks.cell[check]))
            setup = float(self.setup[check])
            node, end = int(self.checks.node[check]), self._flop_name(check)
        else:
            node = int(self.output_nodes[at_outputs.argmax()])
            end = f"output {self.bound.net_names[node // 2]}"
        start, path = self._trace(node)
        return Timing(
            critical_path_ns=needed,
            fmax_mhz=1000 / needed if needed > 0 else float("inf"),
            start=start,
            end=end,
            path=path,
            setup_ns=setup,
            clock_ns=clock_ns,
            slack_ns=None if clock_ns is None else clock_ns - needed,
            groups=self._group_worst(),
            end_instance=instance,
        )

    def _group_worst(self) -> dict[str, float]:
        import numpy as np

        found = {}
        for registers, to_flop, to_output in (
            (True, PATH_GROUPS[0], PATH_GROUPS[2]),
            (False, PATH_GROUPS[1], PATH_GROUPS[3]),
        ):
            arrival = self._arrival_from(registers)
            at_flops = arrival[self.checks.node] + self.checks.wire + self.setup
            found[to_flop] = at_flops.max(initial=-np.inf)
            found[to_output] = (arrival[self.output_nodes] + self.output_wires).max(initial=-np.inf)
        return {name: float(found[name]) for name in PATH_GROUPS if found[name] > -np.inf}

    def _flop_name(self, check: int) -> str:
        """A flip-flop by the net that it drives, with its instance and data pin."""
        cell = int(self.checks.cell[check])
        pin = self.checks.pin[int(self.checks.pin_of[check])]
        return f"{self.bound.driven_name(cell)} ({self.bound.instance(cell)}/{pin})"

    def _trace(self, node: int) -> tuple[str, tuple[Step, ...]]:
        """Start and steps of the latest way to a node."""
        import numpy as np

        steps: list[Step] = []
        run_sinks = self.arcs.sink[self._runs]
        order = np.argsort(run_sinks)
        ends = np.append(self._runs[1:], self.arcs.sink.size)
        while True:
            at = int(np.searchsorted(run_sinks, node, sorter=order))
            if at == order.size or run_sinks[order[at]] != node:
                return f"input {self.bound.net_names[node // 2]}", tuple(reversed(steps))
            low, high = int(self._runs[order[at]]), int(ends[order[at]])
            late = self.arrival[self.arcs.source[low:high]] + self.delay[low:high]
            best = low + int(late.argmax())
            steps.append(self._step(best, node))
            node = int(self.arcs.source[best])
            if node == self.clock_node:
                first = steps[-1]
                start = f"{first.net} ({first.instance}/{first.from_pin})"
                return start, tuple(reversed(steps))

    def _step(self, arc: int, node: int) -> Step:
        kind = self.kinds[int(self.arcs.kind[arc])]
        return Step(
            instance=self.bound.instance(int(self.arcs.cell[arc])),
            cell=kind.cell,
            from_pin=kind.from_pin,
            to_pin=kind.to_pin,
            edge=EDGE_NAMES[kind.out_edge],
            net=self.bound.net_names[node // 2],
            delay_ns=float(self.delay[arc]),
            arrival_ns=float(self.arrival[node]),
            slew_ns=float(self.slew[node]),
            load_pf=float(self.load[node]),
        )
