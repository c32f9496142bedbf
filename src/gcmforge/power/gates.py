# SPDX-License-Identifier: Apache-2.0
"""Cells as the event simulation has them: truth tables of their outputs and states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gcmforge.netlist.functions import function_inputs, truth_table
from gcmforge.netlist.library import LibCell, Pin
from gcmforge.netlist.netlist import NetlistError
from gcmforge.sta.bound import Group
from gcmforge.sta.graph import TimingGraph

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


MAX_GATE_INPUTS = 6


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
class Gates:
    """All instances of one cell's output, in the order of the group."""

    group: Group
    function: _Function
    nets: Ints
    """[instance, input]"""
    output: Ints


def gates_of(graph: TimingGraph) -> Iterator[Gates]:
    """What computes data: buffers of a clock tree have no output here."""
    import numpy as np

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
            output = np.where(np.isin(output, graph.clock_nets), -1, output)
            open_pins = (nets < 0).any(axis=1) & (output >= 0)
            if open_pins.any():
                name = group.names[int(open_pins.argmax())]
                raise NetlistError(f"cell {name} ({group.cell.name}) has an input without a net")
            yield Gates(group, function, nets, output)
