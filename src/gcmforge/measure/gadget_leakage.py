# SPDX-License-Identifier: Apache-2.0
"""Whether the simulated power of a gadget tells of what goes through it: a fixed value
against others.

A new value goes in with every cycle, fixed or random as a coin falls, or one of two fixed ones, in
a new sharing. A trace is the energy of the cycles in which it is in the gadget's stages, together
with the values before and after it, whose coins are others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gcmforge.circuit.probing import RANDOM, Share
from gcmforge.leaf.masked import Gadget, gadget, gadget_makers
from gcmforge.measure.leakage import Against, Leakage, Progress, Randomness
from gcmforge.measure.subject import MeasureError
from gcmforge.netlist.targets import Target, library_of
from gcmforge.power.running import Ports, Running
from gcmforge.power.ttest import THRESHOLD, TTest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]
    Bools = NDArray[np.bool_]

FIXED = 0x53
"""The low bits of it are the value of the first class; another fixed value is 0."""
BATCH = 2_000
_NETS_BATCHES = 4


def is_gadget(what: str) -> bool:
    """Whether a gadget has this name."""
    return what in gadget_makers()


def gadget_leakage(
    what: str,
    target: Target,
    *,
    traces: int = 10_000,
    seed: int = 1,
    randomness: Randomness = "fresh",
    against: Against = "random",
    progress: Progress = lambda step: None,
) -> Leakage:
    """The t-test of a gadget of that name on a target."""
    if traces < 2 * BATCH:
        raise MeasureError(f"traces={traces}: use {2 * BATCH} or more")
    stream = _Stream(gadget(what), target, seed, randomness, against)
    try:
        return _tested(what, target, stream, traces, progress)
    finally:
        stream.running.close()


def _tested(what: str, target: Target, stream: _Stream, traces: int, progress: Progress) -> Leakage:
    test = TTest(stream.length)
    fails_at: int | None = None
    while test.traces < traces:
        windows, fixed = stream.batch(min(BATCH, traces - test.traces))
        test.add(windows, fixed)
        worst = abs(test.first()).max()
        fails_at = (fails_at or test.traces) if worst > THRESHOLD else None
        progress(f"leakage: {test.traces:,} of {traces:,} traces, |t| up to {worst:.2f}")
    first, second = test.first(), test.second()
    return Leakage(
        core=what,
        target=target.name,
        traces=test.traces,
        randomness=stream.randomness,
        against=stream.against,
        first=tuple(map(float, first)),
        second=tuple(map(float, second)),
        fails_at=fails_at,
        nets=_nets(stream, int(abs(first).argmax())) if fails_at else (),
    )


def _nets(stream: _Stream, cycle: int) -> tuple[tuple[int, str, float], ...]:
    """The nets whose edges tell the classes apart in the cycle that does so most."""
    import numpy as np

    test = TTest(stream.running.nets)
    for _ in range(_NETS_BATCHES):
        patterns, fixed = stream.patterns(BATCH + stream.length)
        _, rows = stream.running.run(patterns, np.ones(len(patterns), dtype=np.uint8))
        test.add(rows[cycle : cycle + BATCH].astype(np.float64), fixed[:BATCH])
    t = test.first()
    names = stream.design.bound.net_names
    best = np.argsort(-abs(t))[:5]
    return tuple((cycle, names[n] or f"net {n}", float(t[n])) for n in best)


class _Stream:
    """Values going through a netlist, one a cycle."""

    def __init__(
        self, g: Gadget, target: Target, seed: int, randomness: Randomness, against: Against
    ) -> None:
        import numpy as np

        from gcmforge.power.power import event_design
        from gcmforge.synth.synthesis import synthesise

        made = synthesise(g.text(), target, top=g.module)
        self.design = event_design(
            made.netlist, library_of(target), driving_cell=target.driving_cell,
            load_ff=target.load_ff,
        )  # fmt: skip
        self.gadget = g
        self.randomness = randomness
        self.against = against
        self.length = g.latency + 2
        self.ports = Ports(self.design)
        self.running = Running(self.design)
        self.draw = np.random.default_rng(seed)

    def patterns(self, count: int) -> tuple[Bytes, Bools]:
        """Input patterns, and which of them have the fixed value."""
        import numpy as np

        fixed = self.draw.integers(2, size=count).astype(bool)
        patterns = np.zeros((count, self.design.input_count), dtype=np.uint8)
        for buses in self._shares().values():
            width = len(self.ports.columns[buses[0]])
            value = self.draw.integers(2, size=(count, width), dtype=np.uint8)
            value[fixed] = [FIXED >> bit & 1 for bit in range(width)]
            if self.against == "fixed":
                value[~fixed] = 0
            for bus in buses[1:]:
                mask = np.zeros_like(value)
                if self.randomness == "fresh":
                    mask = self.draw.integers(2, size=value.shape, dtype=np.uint8)
                patterns[:, self.ports.columns[bus]] = mask
                value = value ^ mask
            patterns[:, self.ports.columns[buses[0]]] = value
        for bus, role in self.gadget.roles.items():
            if role == RANDOM and self.randomness == "fresh":
                columns = self.ports.columns[bus]
                size = (count, len(columns))
                patterns[:, columns] = self.draw.integers(2, size=size, dtype=np.uint8)
        return patterns, fixed

    def batch(self, count: int) -> tuple[NDArray[np.float64], Bools]:
        """Traces: the energy from the cycle on in which a value comes; and their classes."""
        import numpy as np

        patterns, fixed = self.patterns(count + self.length)
        energy, _ = self.running.run(patterns)
        windows = np.lib.stride_tricks.sliding_window_view(energy, self.length)[:count]
        return windows, fixed[:count]

    def _shares(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = {}
        for bus, role in self.gadget.roles.items():
            if isinstance(role, Share):
                found.setdefault(role.value, []).append(bus)
        return found
