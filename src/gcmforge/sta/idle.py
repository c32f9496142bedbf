# SPDX-License-Identifier: Apache-2.0
"""Flip-flops of a mapped design that are there for nothing.

Nobody reads a flip-flop from which no way leads to an output, through gates and other flip-flops. A
flip-flop is constant where tied inputs decide what it takes next, whatever else happens; that of a
constant one decides for the next. What only many inputs together never do is not seen here:
circuit/idle.py looks at leaves that way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gcmforge.sta.bound import Bound, Group
from gcmforge.sta.constants import FREE, Constants, find_constants, next_state

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bools = NDArray[np.bool_]
    Ints = NDArray[np.int64]

_SHOWN = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class IdleFlops:
    """Instances by name."""

    unread: tuple[str, ...]
    constant: tuple[str, ...]
    """Those that somebody reads."""

    def notes(self) -> tuple[str, ...]:
        """A line for each kind that there is."""
        kinds = (("that nobody reads", self.unread), ("that never change", self.constant))
        return tuple(f"{len(names):,} flip-flops {what}: {_some(names)}"
                     for what, names in kinds if names)  # fmt: skip


def _some(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def idle_flops(bound: Bound) -> IdleFlops:
    """What that design has for nothing."""
    read = _read_nets(bound)
    unread: list[str] = []
    steady: list[str] = []
    constants = _settled(bound)
    for group in bound.groups:
        if group.cell.flip_flop is None:
            continue
        used = _drives(group, read)
        values = next_state(group, constants)
        unread += [name for name, one in zip(group.names, used.tolist(), strict=True) if not one]
        steady += [
            name
            for name, one, value in zip(group.names, used.tolist(), values.tolist(), strict=True)
            if one and value != FREE
        ]
    return IdleFlops(unread=tuple(sorted(unread)), constant=tuple(sorted(steady)))


def _read_nets(bound: Bound) -> Bools:
    """Nets from which a way leads to an output; one more, that of open pins, is never read."""
    import numpy as np

    into, out = _ways(bound)
    starts = np.searchsorted(out, np.arange(bound.net_count + 1))
    read = np.zeros(bound.net_count + 1, dtype=np.bool_)
    new = np.unique(bound.outputs)
    while new.size:
        read[new] = True
        many = starts[new + 1] - starts[new]
        places = np.repeat(starts[new] - np.cumsum(many) + many, many) + np.arange(many.sum())
        found = np.unique(into[places])
        new = found[~read[found]]
    return read


def _ways(bound: Bound) -> tuple[Ints, Ints]:
    """From an input to an output of each cell, as nets, in the order of the outputs' nets."""
    import numpy as np

    into, out = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for group in bound.groups:
        ways = {pin: group.cell.pins[pin].direction for pin in group.pins}
        for output in (n for n, pin in enumerate(group.pins) if ways[pin] == "output"):
            for n, pin in enumerate(group.pins):
                if ways[pin] == "input":
                    used = (group.nets[:, output] >= 0) & (group.nets[:, n] >= 0)
                    into.append(group.nets[used, n])
                    out.append(group.nets[used, output])
    sources, sinks = np.concatenate(into), np.concatenate(out)
    order = np.argsort(sinks, kind="stable")
    return sources[order], sinks[order]


def _drives(group: Group, read: Bools) -> Bools:
    """Which instances drive a net that is read."""
    import numpy as np

    outputs = [n for n, pin in enumerate(group.pins) if group.cell.pins[pin].direction == "output"]
    return np.asarray(read[group.nets[:, outputs]].any(axis=1), dtype=np.bool_)


def _settled(bound: Bound) -> Constants:
    """Constants, those that constant flip-flops make included."""
    tied: dict[int, int] = {}
    while True:
        constants = find_constants(bound, tied)
        before = len(tied)
        for group in bound.groups:
            flop = group.cell.flip_flop
            if flop is None:
                continue
            values = next_state(group, constants)
            for column, pin in enumerate(group.pins):
                function = group.cell.pins[pin].function
                if function in (flop.state, flop.inverted):
                    flip = int(function == flop.inverted)
                    nets = group.nets[:, column].tolist()
                    for net, value in zip(nets, values.tolist(), strict=True):
                        if value != FREE and net >= 0:
                            tied[net] = value ^ flip
        if len(tied) == before:
            return constants
