# SPDX-License-Identifier: Apache-2.0
"""Wires of placed nets: a tree for each, its length, and how late each pin is on it.

A net's tree is the shortest one of straight ways, first along x, then along y, between its own
pins (Prim's rectilinear spanning tree). A router may branch between pins, too: the shortest tree of
that kind is never longer, and by Hwang's theorem never shorter than two thirds of this one. So
lengths here are an upper bound of the shortest ones. Nets of which that is asked are stars instead:
each pin has a wire of its own from the driver. A pin is late by Elmore's delay: each piece of wire
has its resistance, and half of its capacitance at either end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

_AT_ONCE = 4_000_000
"""Places of a table of nets by pins that are worked on together, at most."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Pins:
    """Pins of all nets, those of a net together, its driver first. `first` has where each net
    begins, and the end; positions in um, capacitances in pF."""

    first: Ints
    x: Floats
    y: Floats
    capacitance: Floats


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Trees:
    """By net its wire in um. By pin how late it is after the net's driver, in ns, the pin before it
    on the way from there (a driver's is itself), and the wire between the two in um."""

    length: Floats
    delay: Floats
    before: Ints
    wire: Floats


def spanning_trees(
    pins: Pins, pf_per_um: float, kohm_per_um: float, stars: Bools | None = None
) -> Trees:
    """The trees of all nets. kOhm times pF is ns. `stars` says of which nets each pin has a wire of
    its own from the driver, as a clock tree's branches have."""
    import numpy as np

    counts = np.diff(pins.first)
    length = np.zeros(counts.size)
    delay = np.zeros(pins.x.size)
    before = np.arange(pins.x.size)
    wires = np.zeros(pins.x.size)
    for count in np.unique(counts):
        if count < 2:
            continue
        nets = np.flatnonzero(counts == count)
        step = max(1, _AT_ONCE // int(count))
        for at in range(0, nets.size, step):
            some = nets[at : at + step]
            where = pins.first[some][:, None] + np.arange(count)
            parent, order, wire = _prim(pins.x[where], pins.y[where])
            if stars is not None and stars[some].any():
                own = stars[some]
                parent[own], order[own] = 0, np.arange(count)
                wire[own] = np.abs(pins.x[where] - pins.x[where[:, :1]])[own]
                wire[own] += np.abs(pins.y[where] - pins.y[where[:, :1]])[own]
            length[some] = wire.sum(axis=1)
            before[where] = where[:, :1] + parent
            wires[where] = wire
            delay[where] = _elmore(
                parent, order, wire, pins.capacitance[where], pf_per_um, kohm_per_um
            )
    return Trees(length=length, delay=delay, before=before, wire=wires)


def _prim(x: Floats, y: Floats) -> tuple[Ints, Ints, Floats]:
    """Of nets (rows) with as many pins (columns) each: each pin's parent, the order in which pins
    were reached, and each pin's way to its parent."""
    import numpy as np

    nets, count = x.shape
    rows = np.arange(nets)
    parent = np.zeros((nets, count), dtype=np.int64)
    order = np.zeros((nets, count), dtype=np.int64)
    wire = np.zeros((nets, count))
    near = np.abs(x - x[:, :1]) + np.abs(y - y[:, :1])
    near[:, 0] = np.inf
    by = np.zeros((nets, count), dtype=np.int64)
    reached = np.zeros((nets, count), dtype=np.bool_)
    reached[:, 0] = True
    for step in range(1, count):
        pin = np.argmin(near, axis=1)
        order[:, step] = pin
        parent[rows, pin] = by[rows, pin]
        wire[rows, pin] = near[rows, pin]
        reached[rows, pin] = True
        way = np.abs(x - x[rows, pin][:, None]) + np.abs(y - y[rows, pin][:, None])
        closer = (way < near) & ~reached
        near = np.where(closer, way, near)
        near[rows, pin] = np.inf
        by = np.where(closer, pin[:, None], by)
    return parent, order, wire


def _elmore(
    parent: Ints,
    order: Ints,
    wire: Floats,
    capacitance: Floats,
    pf_per_um: float,
    kohm_per_um: float,
) -> Floats:
    """Delay from the first pin of each row to each of its pins."""
    import numpy as np

    nets, count = wire.shape
    rows = np.arange(nets)
    after = capacitance + wire * pf_per_um / 2  # at a pin and beyond it, with half of its own wire
    for step in range(count - 1, 0, -1):
        pin = order[:, step]
        up = parent[rows, pin]
        after[rows, up] += after[rows, pin] + wire[rows, pin] * pf_per_um / 2
    delay = np.zeros((nets, count))
    for step in range(1, count):
        pin = order[:, step]
        own = wire[rows, pin] * kohm_per_um * after[rows, pin]
        delay[rows, pin] = delay[rows, parent[rows, pin]] + own
    return delay


__all__ = ["Pins", "Trees", "spanning_trees"]
