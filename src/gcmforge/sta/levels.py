# SPDX-License-Identifier: Apache-2.0
"""How deep each net of a bound design is in its arcs, so that all of a depth are timed at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gcmforge.netlist.netlist import NetlistError
from gcmforge.sta.bound import Bound

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


def net_levels(bound: Bound, source: Ints, sink: Ints, cell: Ints) -> Ints:
    """1 + the longest way in arcs from a start to each net; loops are an error."""
    import numpy as np

    nets = bound.net_count + 1
    order = np.argsort(source, kind="stable")
    by_source = sink[order]
    first = np.searchsorted(source[order], np.arange(nets + 1))
    waiting = np.bincount(sink, minlength=nets)
    level = np.zeros(nets, dtype=np.int64)
    ready = np.flatnonzero(waiting == 0)
    depth = 0
    while ready.size:
        depth += 1
        lengths = first[ready + 1] - first[ready]
        offsets = np.repeat(first[ready] - (np.cumsum(lengths) - lengths), lengths)
        reached = by_source[offsets + np.arange(lengths.sum())]
        touched, times = np.unique(reached, return_counts=True)
        waiting[touched] -= times
        ready = touched[waiting[touched] == 0]
        level[ready] = depth
    if waiting.any():
        stuck = int(np.flatnonzero(waiting[sink] > 0)[0])
        raise NetlistError(
            f"there is a loop of gates without a flip-flop; cell "
            f"{bound.instance(int(cell[stuck]))} is on it or after it"
        )
    return level
