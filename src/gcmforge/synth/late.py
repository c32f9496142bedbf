# SPDX-License-Identifier: Apache-2.0
"""Which gates of a netlist are late, and by how much."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gcmforge.sta.graph import TimingGraph

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(slots=True)
class Net:
    """A net that is too slow: its driver, its readers with (flat cell, load, slack), its slew."""

    driver: str
    pin: str
    slew: float
    readers: list[tuple[str, float, float]]
    late: Late
    arcs: list[int]
    worth: float

    def gain(self, less: float) -> float:
        """What its driver gains with so much less to drive, at its slowest edge."""
        return -self.late.change(self.arcs, -less) if less > 0 else 0.0

    def delay(self) -> float:
        """What its driver adds to the slowest edge."""
        graph = self.late.graph
        sources = graph.arcs.source[self.arcs]
        ends = graph.arrival[sources] + graph.delay[self.arcs]
        return float(ends.max() - graph.arrival[sources].max())

    def later(self, more: float) -> float:
        """By how much what drives its driver is later with so much more to drive."""
        sources = {int(source) // 2 for source in self.late.graph.arcs.source[self.arcs]}
        return max(self.late.later(source, more) for source in sources)


class Late:
    """What does not reach its end within a period."""

    def __init__(self, graph: TimingGraph, period: float) -> None:
        import numpy as np

        self.graph = graph
        self.period = period
        wanted = np.full(graph.clock_node + 1, np.inf)
        np.minimum.at(wanted, graph.checks.node, period - graph.setup - graph.checks.wire)
        np.minimum.at(wanted, graph.output_nodes, period - graph.output_wires)
        arcs = graph.arcs
        for low, high in reversed(list(graph.level_ranges())):
            np.minimum.at(
                wanted, arcs.source[low:high], wanted[arcs.sink[low:high]] - graph.delay[low:high]
            )
        self.wanted = wanted
        self.into: dict[int, list[int]] = defaultdict(list)
        """Arcs into each net that is late."""

    def change(self, arcs: list[int], more: float) -> float:
        """By how much the net that these arcs end at is later with so much more on it."""
        import numpy as np

        graph, own = self.graph, np.array(arcs)
        load = graph.load[graph.arcs.sink[own]] + more
        new = graph.tables.look_up(graph.arcs.delay_table[own], graph.slews_into(own), load)
        new = new + graph.arcs.wire[own]
        start = graph.arrival[graph.arcs.source[own]]
        return float((start + new).max() - (start + graph.delay[own]).max())

    def later(self, net: int, more: float) -> float:
        """The same of a net; 0 of one that has time."""
        return self.change(self.into[net], more) if net in self.into else 0.0

    def nets(self) -> Iterator[Net]:
        """The worst first."""
        import numpy as np

        graph, arcs, bound = self.graph, self.graph.arcs, self.graph.bound
        slack = self.wanted - graph.arrival
        slack[~np.isfinite(slack)] = np.inf
        by_net = np.minimum(slack[0 : 2 * bound.net_count : 2], slack[1 : 2 * bound.net_count : 2])
        late = np.flatnonzero(by_net < 0)
        is_late = np.zeros(bound.net_count, dtype=np.bool_)
        is_late[late] = True
        into = self.into
        for arc in np.flatnonzero(is_late[arcs.sink // 2]):
            into[int(arcs.sink[arc]) // 2].append(int(arc))
        least: dict[tuple[int, int], float] = defaultdict(lambda: float("inf"))
        source = np.minimum(arcs.source // 2, bound.net_count - 1)
        own = arcs.source != graph.clock_node
        for arc in np.flatnonzero(is_late[source] & own):
            net, cell = int(arcs.source[arc]) // 2, int(arcs.cell[arc])
            left = self.wanted[arcs.sink[arc]] - graph.delay[arc] - graph.arrival[arcs.source[arc]]
            least[net, cell] = min(least[net, cell], float(left))
        for check in np.flatnonzero(is_late[graph.checks.node // 2]):
            node, cell = int(graph.checks.node[check]), int(graph.checks.cell[check])
            late_by = graph.arrival[node] + graph.checks.wire[check]
            left = self.period - graph.setup[check] - late_by
            least[node // 2, cell] = min(least[node // 2, cell], float(left))
        readers = self._readers(is_late)
        outputs = set(bound.outputs.tolist())
        for net in sorted(late.tolist(), key=lambda n: by_net[n]):
            if net not in into:
                continue
            (driver,) = {int(arcs.cell[arc]) for arc in into[net]}
            wire = self._wire(net, len(readers[net]))
            found = [
                (bound.instance(cell), load + wire, least[net, cell]) for cell, load in readers[net]
            ]
            if net in outputs:
                out = self.period - float(graph.arrival[2 * net : 2 * net + 2].max())
                found.append(("", graph.load_ff / 1000, out))
            slews = graph.slew[2 * net : 2 * net + 2]
            yield Net(
                driver=bound.instance(driver),
                pin=graph.kinds[int(arcs.kind[into[net][0]])].to_pin,
                slew=float(max(0.0, slews.max())),
                readers=found,
                late=self,
                arcs=into[net],
                worth=0.01 * self.period,
            )

    def _wire(self, net: int, readers: int) -> float:
        """What of a net's wire a reader takes with it."""
        wires = self.graph.wires
        return 0.0 if wires is None else float(wires.capacitance[net]) / max(1, readers)

    def _readers(self, is_late: NDArray[np.bool_]) -> dict[int, list[tuple[int, float]]]:
        """(cell, load of its pin) by net, of the nets that are late."""
        found: dict[int, list[tuple[int, float]]] = defaultdict(list)
        for group in self.graph.bound.groups:
            for column, name in enumerate(group.pins):
                pin = group.cell.pins[name]
                if pin.direction != "input":
                    continue
                nets = group.nets[:, column]
                for row in (nets >= 0).nonzero()[0][is_late[nets[nets >= 0]]]:
                    found[int(nets[row])].append((group.first + int(row), pin.capacitance))
        return found
