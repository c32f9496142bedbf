# SPDX-License-Identifier: Apache-2.0
"""What tied inputs leave of a design: nets that never change, and arcs that nothing passes.

A module that is mapped by itself keeps gates whose inputs are constant only where it stands: no
path goes through them. Constants go through gates, as OpenSTA takes them, not through
flip-flops.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from gcmforge.netlist.functions import function_inputs, truth_table
from gcmforge.netlist.library import LibCell, TimingArc
from gcmforge.sta.bound import Bound, Group

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bytes = NDArray[np.int8]
    Ints = NDArray[np.int64]

FREE = -1
"""Value of what may change."""
Pattern = tuple[tuple[str, int], ...]
"""Of a cell, its pins with 0, 1 or FREE."""
_MAX_INPUTS = 10
"""Beyond these an output of a gate is taken as free."""


@dataclass(frozen=True, eq=False)
class Constants:
    """The value of every net: 0, 1 or FREE."""

    value: Bytes

    def patterns(self, group: Group) -> tuple[list[Pattern], Ints]:
        """Values by pin, and which of them each instance has: first all pins FREE, whether an
        instance has that or not, then those that occur."""
        import numpy as np

        pins = np.where(group.nets >= 0, self.value[group.nets], np.int8(FREE))
        tied = (pins != FREE).any(axis=1)  # few instances are: only these are sorted
        rows, of_tied = np.unique(pins[tied], axis=0, return_inverse=True)
        which = np.zeros(tied.size, dtype=np.int64)
        which[tied] = 1 + of_tied.reshape(-1)
        found = [[FREE] * len(group.pins), *rows.tolist()]
        return [tuple(zip(group.pins, row, strict=True)) for row in found], which


def find_constants(bound: Bound, tied: Mapping[int, int] | None = None) -> Constants:
    """Constants of the netlist, nets that are `tied` among them, and what gates make of them."""
    import numpy as np

    value = np.full(bound.net_count, FREE, dtype=np.int8)
    for net, constant in (tied or {}).items():
        value[net] = constant
    value[-2:] = 0, 1
    found = Constants(value)
    known = 0
    while known < (value != FREE).sum():
        known = (value != FREE).sum()
        for group in bound.groups:
            _settle(group, found)
    return found


def _settle(group: Group, found: Constants) -> None:
    """Set the outputs that the instances' inputs decide."""
    import numpy as np

    patterns, which = found.patterns(group)
    for column, pin in enumerate(group.pins):
        if group.cell.pins[pin].direction != "output":
            continue
        outcome = np.array([_output(group.cell, pin, p) for p in patterns], dtype=np.int8)[which]
        nets = group.nets[:, column]
        decided = (nets >= 0) & (outcome != FREE)
        found.value[nets[decided]] = outcome[decided]


def next_state(group: Group, found: Constants) -> Bytes:
    """Of each flip-flop: 0 or 1 where the known inputs decide it, else FREE."""
    import numpy as np

    assert group.cell.flip_flop is not None
    patterns, which = found.patterns(group)
    data = group.cell.flip_flop.data
    outcome = [_value(_cofactor(group.cell, data, pattern)) for pattern in patterns]
    settled: Bytes = np.array(outcome, dtype=np.int8)[which]
    return settled


@cache
def _output(cell: LibCell, pin: str, values: Pattern) -> int:
    """0 or 1 where the known inputs decide a gate's output, else FREE."""
    return _value(_cofactor(cell, cell.pins[pin].function, values))


def _value(table: tuple[int, int, tuple[str, ...]] | None) -> int:
    """Of a function that is the same everywhere; else FREE."""
    if table is None:
        return FREE
    bits, size, _ = table
    return 0 if bits == 0 else 1 if bits == (1 << size) - 1 else FREE


def passes(
    cell: LibCell, arc: TimingArc, output: str, edges: tuple[int, int], values: Pattern
) -> bool:
    """Whether an input edge can cause that output edge (0 falls, 1 rises) with those pins tied."""
    known = dict(values)
    if known.get(arc.related_pin, FREE) != FREE:
        return False
    if arc.when:
        condition = _cofactor(cell, arc.when, values)
        if condition is not None and condition[0] == 0:
            return False
    table = _cofactor(cell, cell.pins[output].function, values)
    if table is None:
        return True
    bits, size, free = table
    if arc.related_pin not in free:
        return False
    step = 1 << free.index(arc.related_pin)
    same = edges[0] == edges[1]
    for low in range(size):
        if not low & step:
            before, after = bits >> low & 1, bits >> (low | step) & 1
            if before != after and (after == 1) == same:
                return True
    return False


def _cofactor(
    cell: LibCell, function: str, values: Pattern
) -> tuple[int, int, tuple[str, ...]] | None:
    """(table, its size, free inputs) of a function of pins; None where it is not one."""
    inputs = function_inputs(function)
    if not function or len(inputs) > _MAX_INPUTS or not set(inputs) <= set(cell.pins):
        return None
    known = dict(values)
    free = tuple(name for name in inputs if known[name] == FREE)
    fixed = tuple(name for name in inputs if known[name] != FREE)
    table = truth_table(function, free + fixed)
    at = sum(known[name] << n for n, name in enumerate(fixed, start=len(free)))
    size = 1 << len(free)
    return table >> at & ((1 << size) - 1), size, free
