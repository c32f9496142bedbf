# SPDX-License-Identifier: Apache-2.0
"""A netlist as the event simulation takes it: gates, delays, energies."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gcmforge.netlist.library import LibCell, Pin, Table
from gcmforge.netlist.netlist import NetlistError
from gcmforge.power.gates import Gates, gates_of
from gcmforge.sta.bound import FALL, RISE, Group, TableStack, is_buffer
from gcmforge.sta.graph import TimingGraph
from gcmforge.sta.wires import clocked_pins

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]


class EventDesign:
    """A timing graph turned into the kernel's arrays. Energies are in pJ, delays in ps."""

    def __init__(self, graph: TimingGraph) -> None:
        import numpy as np

        self.graph = graph
        self.bound = graph.bound
        self._blocks = list(gates_of(graph))
        gates = self._collect(clocked=False)
        flops = self._collect(clocked=True)
        self.gate_count, self.flop_count = gates.output.size, flops.output.size
        if self.gate_count + self.flop_count == 0:
            raise NetlistError("there is no gate in the netlist")
        self.output = np.concatenate([gates.output, flops.output]).astype(np.int32)
        sizes = np.concatenate([gates.sizes, flops.sizes])
        self.first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
        self.table = np.concatenate([gates.table, flops.table])
        self.launch = np.maximum(flops.launch, 1).astype(np.int32)
        self.launch_energy = flops.launch_energy
        self.pin_net = np.concatenate([gates.pin_net, flops.pin_net]).astype(np.int32)
        self.pin_delay = np.concatenate([gates.pin_delay, flops.pin_delay]).astype(np.int32)
        self.pin_energy = np.concatenate([gates.pin_energy, flops.pin_energy])
        self.input_net = graph.start_nets.astype(np.int32)
        self.gate_cell = np.concatenate([gates.cell, flops.cell])
        self._block_of = np.concatenate([gates.block, flops.block])

    @property
    def input_count(self) -> int:
        return int(self.input_net.size)

    @cached_property
    def input_names(self) -> list[str]:
        """In the order of a pattern's columns."""
        return [self.bound.net_names[net] for net in self.input_net.tolist()]

    def gate_pins(self) -> Iterator[tuple[LibCell, tuple[str, ...], str]]:
        """(cell, input pins, output pin) of each gate, flip-flops last, as in the arrays."""
        for number in self._block_of.tolist():
            block = self._blocks[number]
            yield block.group.cell, block.function.inputs, block.function.output

    @cached_property
    def switching_energy(self) -> Floats:
        """C V^2 / 2 by node in pJ; nothing for clock nets, which are counted by the cycle."""
        energy = 0.5 * self.graph.load * self.bound.library.voltage**2
        for edge in (FALL, RISE):
            energy[2 * self.graph.clock_nets + edge] = 0.0
        return energy

    @cached_property
    def input_pin_energy(self) -> Floats:
        """Internal energy by node in pJ of the input pins on it, whatever their cells do."""
        import numpy as np

        energy = np.zeros(2 * self.bound.net_count)
        clocks = set(self.graph.clock_nets.tolist())
        for group in self.bound.groups:
            for column, name in enumerate(group.pins):
                pin = group.cell.pins[name]
                nets = group.nets[:, column]
                nets = nets[(nets >= 0) & ~np.isin(nets, list(clocks))]
                if pin.direction != "input" or not pin.power or not nets.size:
                    continue
                for edge in (FALL, RISE):
                    nodes = 2 * nets + edge
                    spent = _mean_energy(_tables(pin, edge, None), self._slew(nodes), None)
                    np.add.at(energy, nodes, spent)
        return energy

    def clock_energy(self) -> float:
        """pJ a clock cycle: both edges of the clock nets, and of the pins on them inside."""
        import numpy as np

        nets = self.graph.clock_nets
        nodes = np.concatenate([2 * nets, 2 * nets + 1])
        charge = 0.5 * float(self.graph.load[nodes].sum())
        return charge * self.bound.library.voltage**2 + self.clock_pin_energy()

    def clock_pin_energy(self) -> float:
        """The part of `clock_energy` that is spent inside cells, those of a clock tree included."""
        import numpy as np

        total = 0.0
        for group in self.bound.groups:
            clock = clocked_pins(self.graph.wires, group, self.graph.clock_slew_ns)
            for column, name in enumerate(group.pins):
                nets, pin = group.nets[:, column], group.cell.pins[name]
                rows = np.flatnonzero(np.isin(nets, self.graph.clock_nets))
                driven = pin.direction != "input"  # by a buffer of a tree
                if not rows.size or (driven and not is_buffer(group.cell)):
                    continue
                by = group.cell.inputs[0].name if driven else None
                for edge in (FALL, RISE):
                    load = self.graph.load[2 * nets[rows] + edge] if driven else None
                    energy = _mean_energy(_tables(pin, edge, by), clock.slew[rows], load)
                    total += float(energy.sum())
        return total

    def leakage_nw(self) -> float:
        return float(sum(len(g.names) * g.cell.leakage_nw for g in self.bound.groups))

    def _slew(self, nodes: Ints) -> Floats:
        import numpy as np

        slew = self.graph.slew[nodes]
        return np.where(slew > -np.inf, slew, 0.0)

    # -- building

    def _collect(self, *, clocked: bool) -> _Collected:
        """Arrays over all flip-flops, or over all other gates in topological order."""
        import numpy as np

        chosen = [n for n, block in enumerate(self._blocks) if block.function.clocked == clocked]
        whole = _Collected.join([self._block(n) for n in chosen])
        if clocked:
            return whole
        return whole.reordered(np.argsort(self.graph.net_level[whole.output], kind="stable"))

    def _block(self, number: int) -> _Collected:
        import numpy as np

        block = self._blocks[number]
        used = np.flatnonzero(block.output >= 0)
        group, function = block.group, block.function
        rows, width = used.size, len(function.inputs)
        delay = np.full((len(group.names), width, 2), -1, dtype=np.int64)
        launch = np.full((len(group.names), 2), -1, dtype=np.int64)
        for pin, edge, cells, values in self._arc_delays(group, function.output):
            row = cells - group.first
            if pin in function.inputs:
                target = delay[:, function.inputs.index(pin), edge]
                np.maximum.at(target, row, values)
            elif function.clocked:
                np.maximum.at(launch[:, edge], row, values)
        energy, launch_energy = self._energies(block)
        return _Collected(
            block=np.full(rows, number, dtype=np.int64),
            output=block.output[used],
            cell=group.first + used,
            sizes=np.full(rows, width, dtype=np.int64),
            table=np.full(rows, function.table, dtype=np.uint64),
            launch=launch[used].reshape(-1),
            launch_energy=launch_energy[used].reshape(-1),
            pin_net=block.nets[used].reshape(-1),
            pin_delay=delay[used].reshape(-1),
            pin_energy=energy[used].reshape(-1),
        )

    def _arc_delays(self, group: Group, output: str) -> Iterator[tuple[str, int, Ints, Ints]]:
        """(input pin, output edge, cells, delays in ps) of every kind of arc to an output."""
        import numpy as np

        for number in self._kinds_of.get((group.cell.name, output), ()):
            kind = self.graph.kinds[number]
            arcs = self._arcs_by_kind[number]
            picoseconds = np.rint(1000 * self.graph.delay[arcs]).astype(np.int64)
            yield (
                kind.from_pin,
                kind.out_edge,
                self.graph.arcs.cell[arcs],
                np.maximum(picoseconds, 1),
            )

    @cached_property
    def _kinds_of(self) -> dict[tuple[str, str], list[int]]:
        found: dict[tuple[str, str], list[int]] = {}
        for number, kind in enumerate(self.graph.kinds):
            found.setdefault((kind.cell, kind.to_pin), []).append(number)
        return found

    @cached_property
    def _arcs_by_kind(self) -> list[Ints]:
        import numpy as np

        order = np.argsort(self.graph.arcs.kind, kind="stable")
        bounds = np.searchsorted(self.graph.arcs.kind[order], np.arange(len(self.graph.kinds) + 1))
        return [order[a:b] for a, b in itertools.pairwise(bounds)]

    def _energies(self, block: Gates) -> tuple[Floats, Floats]:
        """Internal energy of the output's edges by causing input; and by the clock."""
        import numpy as np

        group, function = block.group, block.function
        pin = group.cell.pins[function.output]
        rows, width = len(group.names), len(function.inputs)
        energy, launch = np.zeros((rows, width, 2)), np.zeros((rows, 2))
        output = np.maximum(block.output, 0)
        for edge in (FALL, RISE):
            load = self.graph.load[2 * output + edge]
            for i, name in enumerate(function.inputs):
                slews = [self._slew(2 * block.nets[:, i] + e) for e in (FALL, RISE)]
                mean = (slews[0] + slews[1]) / 2
                energy[:, i, edge] = _mean_energy(_tables(pin, edge, name), mean, load)
            if function.clocked:
                slew = clocked_pins(self.graph.wires, group, self.graph.clock_slew_ns).slew
                clock = next((p for power in pin.power for p in power.related_pins), None)
                launch[:, edge] = _mean_energy(_tables(pin, edge, clock), slew, load)
        return energy, launch


@dataclass(frozen=True, slots=True, eq=False)
class _Collected:
    """Kernel arrays of some gates; pairs are flattened."""

    block: Ints
    output: Ints
    cell: Ints
    sizes: Ints
    table: NDArray[np.uint64]
    launch: Ints
    launch_energy: Floats
    pin_net: Ints
    pin_delay: Ints
    pin_energy: Floats

    @classmethod
    def join(cls, parts: Sequence[_Collected]) -> _Collected:
        import numpy as np

        kinds = {"table": np.uint64, "launch_energy": np.float64, "pin_energy": np.float64}
        fields: dict[str, Any] = {}
        for name in cls.__dataclass_fields__:
            empty = np.zeros(0, dtype=kinds.get(name, np.int64))
            fields[name] = np.concatenate([empty, *(getattr(part, name) for part in parts)])
        return cls(**fields)

    def reordered(self, order: Ints) -> _Collected:
        """The same gates in another order (gates without launch delays only)."""
        import numpy as np

        first = np.cumsum(self.sizes) - self.sizes
        sizes = self.sizes[order]
        begin = np.repeat(first[order] - (np.cumsum(sizes) - sizes), sizes)
        pins = begin + np.arange(sizes.sum())
        return _Collected(
            block=self.block[order],
            output=self.output[order],
            cell=self.cell[order],
            sizes=sizes,
            table=self.table[order],
            launch=self.launch[:0],
            launch_energy=self.launch_energy[:0],
            pin_net=self.pin_net[pins],
            pin_delay=self.pin_delay.reshape(-1, 2)[pins].reshape(-1),
            pin_energy=self.pin_energy.reshape(-1, 2)[pins].reshape(-1),
        )


def _tables(pin: Pin, edge: int, related: str | None) -> list[Table]:
    """Tables of an edge for one related pin; without one, those that name none."""
    found = []
    for power in pin.power:
        table = power.rise if edge == RISE else power.fall
        matches = related in power.related_pins if related else not power.related_pins
        if table is not None and matches:
            found.append(table)
    return found


def _mean_energy(tables: Sequence[Table], slew: Floats, load: Floats | None) -> Floats:
    """Mean over tables (one for each state of the other pins, as a rule)."""
    import numpy as np

    total = np.zeros(slew.size)
    second = np.zeros(slew.size) if load is None else load
    for table in tables:
        stack = TableStack()
        number = np.full(slew.size, stack.add(table))
        total += stack.look_up(number, slew, second)
    return total / max(1, len(tables))
