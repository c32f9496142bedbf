# SPDX-License-Identifier: Apache-2.0
"""Static timing of a mapped netlist on a library's delay tables; needs nothing but numpy.

Ideal wires here: a net's load is its pins (and the given load at outputs). Rising and falling edges
apart; at each net the latest arrival and the slowest transition go on, as OpenSTA does; tables are
linear between their points and beyond them. The clock is ideal here, too: it reaches every
flip-flop at 0 with the given transition (clock.py has that of a tree). An input arrives at 0, later
by what its driving cell loses to its load; an output is wanted at the clock's end. All flip-flops
take the same edge. Nothing passes a gate that tied inputs hold still (constants.py).
"""

from __future__ import annotations

from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Module, Netlist
from gcmforge.sta.bound import bind
from gcmforge.sta.graph import TimingGraph
from gcmforge.sta.path import Timing


def analyse(
    netlist: Netlist | Module,
    library: Library,
    *,
    clock_ns: float | None = None,
    driving_cell: str = "",
    load_ff: float = 0.0,
    clock_slew_ns: float = 0.0,
) -> Timing:
    """Timing of a mapped design; NetlistError for latches, loops and cells that are not there."""
    if clock_ns is not None and clock_ns <= 0:
        raise ValueError(f"clock_ns={clock_ns}: use a period above 0")
    graph = TimingGraph(
        bind(netlist, library),
        driving_cell=driving_cell,
        load_ff=load_ff,
        clock_slew_ns=clock_slew_ns,
    )
    return graph.timing(clock_ns)
