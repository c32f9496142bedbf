# SPDX-License-Identifier: Apache-2.0
"""The tree of one net whose ways from the driver are to be short, too: where buffers may stand.

`trees` has the shortest wire of all nets, which is what is routed; on such a tree a pin may be far
from the driver that is close to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

STRAIGHT = 0.4
"""How much a way from the driver counts beside the wire to the next pin: 0 is the shortest tree, 1
the shortest ways."""


@dataclass(frozen=True, slots=True)
class Tree:
    """The pins of a net, its driver first, as a tree in which no way from there is much longer than
    it has to be, and all wires together are not either (Alpert and others, "Prim-Dijkstra
    tradeoffs", TCAD 1995). Each pin's one before it and the wire to that in um."""

    before: list[int]
    wire: list[float]
    order: list[int]
    """From the driver on: each after the one before it."""
    children: list[list[int]]
    far: list[float]
    """The way from the driver, in um."""

    @classmethod
    def of(cls, x: Floats, y: Floats) -> Tree:
        import numpy as np

        count = x.size
        by, before = np.zeros(count, dtype=np.int64), [0] * count
        way = np.abs(x - x[0]) + np.abs(y - y[0])
        cost = way.copy()
        cost[0] = np.inf
        far, wire, order = [0.0] * count, [0.0] * count, [0]
        children: list[list[int]] = [[] for _ in range(count)]
        for _ in range(1, count):
            pin = int(np.argmin(cost))
            before[pin] = int(by[pin])
            wire[pin] = float(way[pin])
            far[pin] = far[before[pin]] + wire[pin]
            order.append(pin)
            children[before[pin]].append(pin)
            cost[pin] = np.inf
            own = np.abs(x - x[pin]) + np.abs(y - y[pin])
            closer = (own + STRAIGHT * far[pin] < cost) & np.isfinite(cost)
            cost[closer] = own[closer] + STRAIGHT * far[pin]
            way[closer], by[closer] = own[closer], pin
        return cls(before, wire, order, children, far)


__all__ = ["Tree"]
