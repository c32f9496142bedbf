# SPDX-License-Identifier: Apache-2.0
"""When a clock tree's edge reaches each flip-flop and clock gate, and with which transition.

The rising edge goes from the clock's port through buffers, and through clock gates where the
library says how slow they are, with the loads and wires of each net. At the port it has the
transition that the driving cell makes of a step there. Lateness is told from the mean of
all flip-flops: ports are taken to be used by neighbours with a tree as slow as that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gcmforge.netlist.library import LibCell, Table
from gcmforge.netlist.netlist import NetlistError
from gcmforge.sta.arcs import SETUP, arc_edges, driver_tables, setup_arcs
from gcmforge.sta.bound import RISE, Bound, Group, TableStack, clock_pins, is_buffer
from gcmforge.sta.wires import Clocked, Wires, late_pins, slews_at_pins

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class ClockArrival:
    """What a clock tree does; times in ns. Skew and transition are those at flip-flops."""

    pins: Mapping[str, Clocked]
    """By cell type; of buffers, too, with no numbers for those that are not in the tree."""
    latency_ns: float
    """From the port, mean of all flip-flops."""
    skew_ns: float
    """From the first flip-flop to the last."""
    transition_ns: float
    """The slowest."""
    port_slew_ns: float
    gate_lead_ns: float = 0.0
    """By how much the clock is earlier at clock gates than at flip-flops, both in the mean."""


def clock_arrival(bound: Bound, wires: Wires, driving_cell: str) -> ClockArrival:
    """Of a bound design with a tree; NetlistError where flip-flops take the falling edge."""
    import numpy as np

    _check_edges(bound)
    load = bound.loads(0.0)[RISE::2] + wires.capacitance
    roots = np.intersect1d(bound.inputs, bound.clock_nets)
    port_slew = _port_slew(bound, driving_cell, float(load[roots].max()))
    late, slew = np.full(bound.net_count, np.nan), np.full(bound.net_count, np.nan)
    late[roots], slew[roots] = 0.0, port_slew
    stages = [(g, *ends) for g in bound.groups if (ends := _ends(g)) is not None]
    waiting = bound.clock_nets.size
    while (now := int(np.isnan(late[bound.clock_nets]).sum())) < waiting:
        waiting = now
        for group, before, after in stages:
            source, sink = (group.nets[:, group.pins.index(pin)] for pin in (before, after))
            ready = ~np.isnan(late[source]) & np.isin(sink, bound.clock_nets)
            rows = np.flatnonzero(ready & np.isnan(late[sink]))
            wire = late_pins(wires, group, before)[rows]
            into = slews_at_pins(slew[source[rows]], wire, bound)
            delay, after_slew = _through(group, before, after, into, load[sink[rows]])
            late[sink[rows]] = late[source[rows]] + wire + delay
            slew[sink[rows]] = after_slew
    if waiting:
        net = bound.net_names[int(bound.clock_nets[np.isnan(late[bound.clock_nets])][0])]
        raise NetlistError(f"net {net} clocks something, and no clock of the ports reaches it")
    pins = {
        g.cell.name: _at_pins(g, late, slew, wires, bound) for g in bound.groups if _entry(g.cell)
    }
    flops = [pins[g.cell.name] for g in bound.groups if g.cell.flip_flop and _clock(g.cell)]
    at = np.concatenate([one.late for one in flops])
    latency = float(at.mean())
    gates = [pins[g.cell.name].late for g in bound.groups if g.cell.clock_gate]
    return ClockArrival(
        pins={name: replace(one, late=one.late - latency) for name, one in pins.items()},
        latency_ns=latency,
        skew_ns=float(at.max() - at.min()),
        transition_ns=max(float(one.slew.max()) for one in flops),
        port_slew_ns=port_slew,
        gate_lead_ns=latency - float(np.concatenate(gates).mean()) if gates else 0.0,
    )


def _clock(cell: LibCell) -> str:
    """The clock pin of a flip-flop or clock gate; empty for any other cell."""
    return next(iter(sorted(clock_pins(cell))), "")


def _entry(cell: LibCell) -> str:
    """The pin by which a clock enters a cell, buffers included."""
    return cell.inputs[0].name if is_buffer(cell) else _clock(cell)


def _ends(group: Group) -> tuple[str, str] | None:
    """Pins by which a clock enters and leaves a cell of a tree."""
    cell = group.cell
    passes = is_buffer(cell) or cell.clock_gate
    return (_entry(cell), cell.outputs[0].name) if passes else None


def _at_pins(group: Group, late: Floats, slew: Floats, wires: Wires, bound: Bound) -> Clocked:
    pin = _entry(group.cell)
    nets = group.nets[:, group.pins.index(pin)]
    wire = late_pins(wires, group, pin)
    return Clocked(late[nets] + wire, slews_at_pins(slew[nets], wire, bound))


def _through(
    group: Group, before: str, after: str, slew: Floats, load: Floats
) -> tuple[Floats, Floats]:
    """Delay of a rising edge through cells, and its transition after them. A clock gate of which
    the library does not say it takes no time."""
    import numpy as np

    delay, found = np.zeros(slew.size), np.zeros(slew.size)
    stack, there = TableStack(), False
    for arc in group.cell.pins[after].timing:
        for edge in arc_edges(arc, stack) if arc.related_pin == before else ():
            if edge[:2] == (RISE, RISE):
                there = True
                tables = (np.full(slew.size, number) for number in edge[2:])
                d, s = (stack.look_up(number, slew, load) for number in tables)
                delay, found = np.maximum(delay, d), np.maximum(found, s)
    return (delay, found) if there else (np.zeros(slew.size), slew)


def _port_slew(bound: Bound, driving_cell: str, load: float) -> float:
    import numpy as np

    def value(table: Table) -> float:
        stack = TableStack()
        number = np.array([stack.add(table)])
        return float(stack.look_up(number, np.zeros(1), np.array([load]))[0])

    tables = driver_tables(bound.library, driving_cell, RISE) if driving_cell else ()
    return max((value(slew) for _, slew in tables), default=0.0)


def _check_edges(bound: Bound) -> None:
    arcs = (arc for group in bound.groups for _, arc, _ in setup_arcs(group))
    if any(SETUP[arc.timing_type] == "falling_edge" for arc in arcs):
        raise NetlistError("a clock tree is timed for flip-flops of the rising edge only")


__all__ = ["ClockArrival", "clock_arrival"]
