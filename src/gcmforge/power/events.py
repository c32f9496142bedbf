# SPDX-License-Identifier: Apache-2.0
"""Event-driven simulation of a mapped netlist with its own delays, so that glitches count.

The kernel is C++ (events.cpp), compiled once into the cache and called through ctypes: a C++
compiler is there already wherever cores are simulated, it starts at once, and a run is as fast as
the machine allows. Delays come from the built-in timing: per input pin and output edge, at the
load and transition that the netlist has, in whole picoseconds and at least one; where the library
tells states or input edges apart, the slowest counts.

Inputs change together at the start of a step, flip-flops are clocked there, and a step ends when
nothing moves any more.
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gcmforge import tools
from gcmforge.netlist.liberty import LibCell, Pin, Table, function_inputs, truth_table
from gcmforge.netlist.netlist import NetlistError
from gcmforge.sta.bound import FALL, RISE, Group, TableStack
from gcmforge.sta.timing import TimingGraph

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Bytes = NDArray[np.uint8]

Progress = Callable[[int, int], None]
"""Called with (steps done, steps in all) a few times a second."""

MAX_GATE_INPUTS = 6
_CHUNK = 2048


# Kernel -------------------------------------------------------------------------------------------


def _kernel() -> ctypes.CDLL:
    library = tools.load_kernel(Path(__file__).with_name("events.cpp"))
    library.gcm_events_create.restype = ctypes.c_void_p
    library.gcm_events_create.argtypes = [ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p]
    library.gcm_events_run.restype = None
    library.gcm_events_run.argtypes = [
        ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int32, ctypes.c_int32,
        ctypes.c_void_p,
    ]  # fmt: skip
    library.gcm_events_destroy.restype = None
    library.gcm_events_destroy.argtypes = [ctypes.c_void_p]
    return library


class _Design(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_int32) for name in ("nets", "gates", "flops", "inputs", "one")),
        *(
            (name, ctypes.c_void_p)
            for name in (
                "output", "first", "table", "launch", "launch_energy",
                "pin_net", "pin_delay", "pin_energy", "net_energy", "input_net",
            )
        ),
    )  # fmt: skip


class _Results(ctypes.Structure):
    _fields_ = (
        *(
            (name, ctypes.c_void_p)
            for name in ("toggles", "functional", "energy", "peak", "settled")
        ),
        ("arc_energy", ctypes.c_double),
        ("events", ctypes.c_int64),
    )


# Gates --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Function:
    """One output of one library cell: its truth table over these pins."""

    output: str
    inputs: tuple[str, ...]
    table: int
    clocked: bool


def cell_functions(cell: LibCell) -> list[_Function]:
    """What drives each output; of a flip-flop the next state (set and reset as of the clock)."""
    return [_function(cell, pin) for pin in cell.outputs if pin.function]


def _function(cell: LibCell, pin: Pin) -> _Function:
    flop = cell.flip_flop
    if flop is None or not {flop.state, flop.inverted} & set(function_inputs(pin.function)):
        inputs = function_inputs(pin.function)
        _check_inputs(cell, inputs)
        return _Function(pin.name, inputs, truth_table(pin.function, inputs), False)
    texts = [text for text in (flop.data, flop.clear, flop.preset) if text]
    inputs = tuple(dict.fromkeys(name for text in texts for name in function_inputs(text)))
    pins = tuple(_state_pin(cell, name) for name in inputs)
    _check_inputs(cell, pins)
    ones = (1 << (1 << len(inputs))) - 1
    state = truth_table(flop.data, inputs)
    if flop.preset:
        state |= truth_table(flop.preset, inputs)
    if flop.clear:
        state &= ones ^ truth_table(flop.clear, inputs)
    inverted = truth_table(pin.function, (flop.state, flop.inverted)) & 0b0010 == 0
    return _Function(pin.name, pins, ones ^ state if inverted else state, True)


def _state_pin(cell: LibCell, name: str) -> str:
    """The pin that shows a flip-flop's state, where the next state depends on it."""
    if cell.flip_flop is None or name != cell.flip_flop.state:
        return name
    return next((pin.name for pin in cell.outputs if pin.function == name), name)


def _check_inputs(cell: LibCell, inputs: Sequence[str]) -> None:
    if len(inputs) > MAX_GATE_INPUTS or not set(inputs) <= set(cell.pins):
        raise NetlistError(
            f"cell {cell.name} has an output that depends on {', '.join(inputs)}: at most "
            f"{MAX_GATE_INPUTS} of the cell's own pins can be simulated"
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Gates:
    """All instances of one cell's output, in the order of the group."""

    group: Group
    function: _Function
    nets: Ints
    """[instance, input]"""
    output: Ints


def _gates(graph: TimingGraph) -> Iterator[_Gates]:
    for group in graph.bound.groups:
        column = {pin: n for n, pin in enumerate(group.pins)}
        for pin in group.cell.outputs:
            if not pin.function and (group.nets[:, column[pin.name]] >= 0).any():
                raise NetlistError(
                    f"cell {group.names[0]} is a {group.cell.name}, whose output {pin.name} has no "
                    "function in the library: it cannot be simulated"
                )
        for function in cell_functions(group.cell):
            nets = group.nets[:, [column[pin] for pin in function.inputs]]
            output = group.nets[:, column[function.output]]
            open_pins = (nets < 0).any(axis=1) & (output >= 0)
            if open_pins.any():
                name = group.names[int(open_pins.argmax())]
                raise NetlistError(f"cell {name} ({group.cell.name}) has an input without a net")
            yield _Gates(group, function, nets, output)


class EventDesign:
    """A timing graph turned into the kernel's arrays. Energies are in pJ, delays in ps."""

    def __init__(self, graph: TimingGraph) -> None:
        import numpy as np

        self.graph = graph
        self.bound = graph.bound
        self._blocks = list(_gates(graph))
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
        """(cell, input pins, output pin) of each gate, flip-flops behind, as in the arrays."""
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
        """The part of `clock_energy` that is spent inside cells."""
        import numpy as np

        total = 0.0
        slew = np.full(1, self.graph.clock_slew_ns)
        for group in self.bound.groups:
            for column, name in enumerate(group.pins):
                on_clock = int(np.isin(group.nets[:, column], self.graph.clock_nets).sum())
                pin = group.cell.pins[name]
                if on_clock and pin.direction == "input":
                    for edge in (FALL, RISE):
                        tables = _tables(pin, edge, None)
                        total += on_clock * float(_mean_energy(tables, slew, None)[0])
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

    def _energies(self, block: _Gates) -> tuple[Floats, Floats]:
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
                slew = np.full(rows, self.graph.clock_slew_ns)
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


# Running ------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Activity:
    """What happened in a run of `steps` steps."""

    steps: int
    toggles: Ints
    """[net, 2]: falling and rising edges."""
    functional: Ints
    """[net]: steps after which the net had another settled value than before."""
    energy_pj: Floats
    """[step]: of all edges in it, without clock and leakage."""
    peak_pj: Floats
    """[step]: largest energy within any window."""
    settled_ps: Ints
    """[step]: time of the last edge."""
    arc_energy_pj: float
    """Internal energy of all output edges."""
    events: int


def simulate(
    design: EventDesign,
    patterns: Bytes,
    *,
    window_ps: int = 1000,
    warm_up: int = 0,
    progress: Progress | None = None,
) -> Activity:
    """Run input patterns [step, input] of 0 and 1 through the design.

    The first one is where everything starts settled, with flip-flops at 0; each further one is a
    step. The first `warm_up` steps are run but not counted.
    """
    import numpy as np

    patterns = np.ascontiguousarray(patterns, dtype=np.uint8)
    if patterns.ndim != 2 or patterns.shape[1] != design.input_count:
        raise ValueError(f"patterns have shape {patterns.shape}: columns are {design.input_names}")
    if window_ps < 1 or not 0 <= warm_up < len(patterns) - 1:
        raise ValueError("window_ps is at least 1, and a step is left after the warm-up")
    kernel = _kernel()
    arrays, structure = _kernel_design(design)
    longest = int(max(arrays["pin_delay"].max(initial=1), arrays["launch"].max(initial=1)))
    state = kernel.gcm_events_create(ctypes.byref(structure), longest, patterns.ctypes.data)
    try:
        if warm_up:
            _run(kernel, state, design, patterns[1 : 1 + warm_up], window_ps, None)
        return _run(kernel, state, design, patterns[1 + warm_up :], window_ps, progress)
    finally:
        kernel.gcm_events_destroy(state)


def _kernel_design(design: EventDesign) -> tuple[dict[str, Any], _Design]:
    """The structure, and the arrays that it points into."""
    import numpy as np

    arrays = {
        name: np.ascontiguousarray(getattr(design, name))
        for name in (
            "output", "first", "table", "launch", "launch_energy",
            "pin_net", "pin_delay", "pin_energy", "input_net",
        )
    }  # fmt: skip
    arrays["net_energy"] = design.switching_energy + design.input_pin_energy
    structure = _Design(
        nets=design.bound.net_count,
        gates=design.gate_count,
        flops=design.flop_count,
        inputs=design.input_count,
        one=design.bound.net_count - 1,
        **{name: array.ctypes.data for name, array in arrays.items()},
    )
    return arrays, structure


def _run(
    kernel: ctypes.CDLL,
    state: int,
    design: EventDesign,
    patterns: Bytes,
    window_ps: int,
    progress: Progress | None,
) -> Activity:
    """Run in chunks, so that progress is seen and an interrupt is heard."""
    import numpy as np

    steps, nets = len(patterns), design.bound.net_count
    toggles = np.zeros((nets, 2), dtype=np.int64)
    functional = np.zeros(nets, dtype=np.int64)
    energy, peak = np.zeros(steps), np.zeros(steps)
    settled = np.zeros(steps, dtype=np.int32)
    results = _Results(
        toggles=toggles.ctypes.data,
        functional=functional.ctypes.data,
        arc_energy=0.0,
        events=0,
    )
    chunk = max(1, _CHUNK * 500 // max(500, design.gate_count))
    for start in range(0, steps, chunk):
        count = min(chunk, steps - start)
        results.energy = energy[start:].ctypes.data
        results.peak = peak[start:].ctypes.data
        results.settled = settled[start:].ctypes.data
        rows = patterns[start : start + count]
        width = design.input_count
        kernel.gcm_events_run(
            state, count, rows.ctypes.data, width, window_ps, ctypes.byref(results)
        )
        if progress is not None:
            progress(start + count, steps)
    return Activity(
        steps=steps,
        toggles=toggles,
        functional=functional,
        energy_pj=energy,
        peak_pj=peak,
        settled_ps=settled.astype(np.int64),
        arc_energy_pj=float(results.arc_energy),
        events=int(results.events),
    )


# Stimuli ------------------------------------------------------------------------------------------


def all_transitions(count: int) -> list[int]:
    """An Eulerian circuit of the complete digraph on 0..count-1: count * (count - 1) + 1 nodes.

    Every ordered pair of different nodes follows one another exactly once: 0 1 0 2 ... 0 n-1, then
    1 2 1 3 ... 1 n-1, and so on, back to 0.
    """
    circuit = [
        node for low in range(count) for high in range(low + 1, count) for node in (low, high)
    ]
    return [*circuit, 0]


def as_patterns(values: Sequence[int], width: int) -> Bytes:
    """Bits of each value, bit i in column i."""
    import numpy as np

    numbers = np.asarray(values, dtype=np.int64)
    return ((numbers[:, None] >> np.arange(width)) & 1).astype(np.uint8)


def port_patterns(design: EventDesign, ports: Mapping[str, Sequence[int]]) -> Bytes:
    """Patterns from the value of each input port in each step; ports not named stay 0."""
    import numpy as np

    column = {name: i for i, name in enumerate(design.input_names)}
    steps = max(len(values) for values in ports.values())
    patterns = np.zeros((steps, design.input_count), dtype=np.uint8)
    for name, values in ports.items():
        port = design.bound.module.ports.get(name)
        if port is None or port.direction != "input" or len(values) != steps:
            raise ValueError(f"port {name}: no input of the block, or not {steps} values")
        bits = [name if len(port.bits) == 1 else f"{name}[{i}]" for i in range(len(port.bits))]
        for i, bit in enumerate(bits):
            if bit in column:
                patterns[:, column[bit]] = [value >> i & 1 for value in values]
    return patterns


def random_patterns(steps: int, width: int, seed: int) -> Bytes:
    """steps + 1 patterns of independent even bits."""
    import numpy as np

    generator = np.random.default_rng(seed)
    return generator.integers(0, 2, size=(steps + 1, width), dtype=np.uint8)
