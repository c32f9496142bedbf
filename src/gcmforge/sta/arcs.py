# SPDX-License-Identifier: Apache-2.0
"""The arcs of a library's cells, as the timing graph takes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gcmforge.netlist.library import Library, Table, TimingArc
from gcmforge.netlist.netlist import NetlistError
from gcmforge.sta.bound import FALL, LAUNCH, RISE, Group, TableStack
from gcmforge.sta.wires import Clocked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]


_COMBINATIONAL = ("combinational", "combinational_rise", "combinational_fall")


SETUP = {"setup_rising": "rising_edge", "setup_falling": "falling_edge"}


def arc_edges(arc: TimingArc, tables: TableStack) -> Iterator[tuple[int, int, int, int]]:
    """(input edge, output edge, delay table, slew table) of an arc, with numbers in `tables`."""
    if arc.timing_type not in _COMBINATIONAL + LAUNCH:
        return
    for out_edge in (FALL, RISE):
        delay = arc.cell_rise if out_edge else arc.cell_fall
        slew = arc.rise_transition if out_edge else arc.fall_transition
        if delay is None or slew is None:
            continue
        both = tables.add(delay), tables.add(slew)
        if arc.timing_type in LAUNCH:
            yield RISE if arc.timing_type == "rising_edge" else FALL, out_edge, *both
            continue
        if arc.timing_sense != "negative_unate":
            yield out_edge, out_edge, *both
        if arc.timing_sense != "positive_unate":
            yield 1 - out_edge, out_edge, *both


@dataclass(frozen=True, slots=True)
class Kind:
    """What all instances of one arc share."""

    cell: str
    from_pin: str
    to_pin: str
    in_edge: int
    out_edge: int


@dataclass(frozen=True, slots=True, eq=False)
class Arcs:
    """Arcs from a node to a node, sorted by level and node of what they end at."""

    kind: Ints
    cell: Ints
    source: Ints
    sink: Ints
    delay_table: Ints
    slew_table: Ints
    wire: Floats
    """How late the wire to each begins it, in ns; of one that a clock begins, how late that is."""
    clock_slew: Floats
    """Transition of the clock that begins it; not a number for all others."""


@dataclass(frozen=True, slots=True, eq=False)
class Checks:
    """Data pins of flip-flops, one entry an edge."""

    node: Ints
    cell: Ints
    table: Ints
    pin: Sequence[str]
    pin_of: Ints
    wire: Floats
    """How late the wire to each is, less how late the clock is there, in ns."""
    clock: Clocked
    """At each."""


def arcs_from(arcs: Sequence[TimingArc], pin: str) -> list[TimingArc]:
    return [a for a in arcs if a.related_pin == pin and a.timing_type in _COMBINATIONAL]


def setup_arcs(group: Group) -> Iterator[tuple[int, TimingArc, str]]:
    for column, name in enumerate(group.pins):
        for arc in group.cell.pins[name].timing:
            if arc.timing_type in SETUP:
                yield column, arc, name


def driver_tables(library: Library, name: str, edge: int) -> Iterator[tuple[Table, Table]]:
    """Delay and transition of a driving cell's first input to its output."""
    cell = library.cell(name)
    if cell.is_sequential or len(cell.outputs) != 1 or not cell.inputs:
        raise NetlistError(f"{cell.name} cannot be a driving cell: it is no simple gate")
    output = cell.outputs[0]
    first = next(pin.name for pin in cell.inputs if arcs_from(output.timing, pin.name))
    for arc in arcs_from(output.timing, first):
        delay = arc.cell_rise if edge else arc.cell_fall
        slew = arc.rise_transition if edge else arc.fall_transition
        if delay is not None and slew is not None:
            yield delay, slew
