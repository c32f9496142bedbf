# SPDX-License-Identifier: Apache-2.0
"""What wires add to a bound design: capacitance at each net, and how late each pin is on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gcmforge.sta.bound import Bound, Group

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Clocked:
    """Clock pins of all cells of a type, in the order of the bound design: how late each is after
    the mean of all flip-flops (before it: negative), and the transition there; in ns."""

    late: Floats
    slew: Floats


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Wires:
    """`capacitance` is by net, in pF. `delay` is in ns from a net's driver to a pin, by the pin's
    cell type and name, one for each cell of that type in the order of the bound design. `outputs`
    is the same for output ports, in their order. `clocks` is by cell type, and empty where the
    clock is ideal."""

    capacitance: Floats
    delay: Mapping[tuple[str, str], Floats]
    outputs: Floats
    clocks: Mapping[str, Clocked] = field(default_factory=dict)


def late_pins(wires: Wires | None, group: Group, pin: str) -> Floats:
    """How late that pin of each cell of a group is after the net's driver; 0 without wires."""
    import numpy as np

    return np.zeros(len(group.names)) if wires is None else wires.delay[group.cell.name, pin]


def clocked_pins(wires: Wires | None, group: Group, slew: float) -> Clocked:
    """The clock pins of a group; all at once and with that transition under an ideal clock."""
    import numpy as np

    if wires is not None and group.cell.name in wires.clocks:
        return wires.clocks[group.cell.name]
    size = len(group.names)
    return Clocked(np.zeros(size), np.full(size, slew))


def slews_at_pins(slew: Floats, late: Floats, bound: Bound) -> Floats:
    """Transitions at pins that are so late after their nets' drivers: a wire is taken for a
    resistance and a capacitance, which make a transition of their own out of a step."""
    import numpy as np

    found: Floats = np.hypot(slew, bound.library.slew_of_step * late)
    return found


def late_outputs(wires: Wires | None, bound: Bound, nodes: Ints) -> Floats:
    """The same for nodes of output ports; the latest where a net is several outputs."""
    import numpy as np

    late = np.zeros(bound.net_count)
    if wires is not None:
        np.maximum.at(late, bound.outputs, wires.outputs)
    found: Floats = late[nodes // 2]
    return found
