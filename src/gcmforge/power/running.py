# SPDX-License-Identifier: Apache-2.0
"""The event kernel kept running: a mapped design that goes on from where it stands.

`gcmforge.power.events.simulate` runs patterns from reset on. A test for leakage has many traces one
after another, asks for the value of a port before it says what comes next, and looks at single nets
in single cycles.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gcmforge.power.design import EventDesign
from gcmforge.power.events import Results, kernel, kernel_design

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]
    Floats = NDArray[np.float64]

_WINDOW_PS = 1000


class Running:
    """A design under simulation, from flip-flops at 0 and inputs at 0 on."""

    def __init__(self, design: EventDesign, unit_pj: float | None = None) -> None:
        """unit_pj: energies of edges are rounded to it."""
        import numpy as np

        self.design = design
        self.nets = design.bound.net_count
        self._kernel = kernel()
        self._arrays, self._structure = kernel_design(design, unit_pj)
        longest = max(int(self._arrays[n].max(initial=1)) for n in ("pin_delay", "launch"))
        start = np.zeros(design.input_count, dtype=np.uint8)
        self._state = self._kernel.gcm_events_create(
            ctypes.byref(self._structure), longest, start.ctypes.data
        )
        self._toggles = np.zeros((self.nets, 2), dtype=np.int64)
        self._functional = np.zeros(self.nets, dtype=np.int64)

    def close(self) -> None:
        """The kernel's memory is given back; nothing may be run after."""
        if self._state is not None:
            self._kernel.gcm_events_destroy(self._state)
            self._state = None

    def run(self, patterns: Bytes, watched: Bytes | None = None) -> tuple[Floats, Bytes]:
        """Steps with these input patterns: (energy of each in pJ, a row for each step that is
        `watched`: how often each net changed)."""
        import numpy as np

        patterns = np.ascontiguousarray(patterns, dtype=np.uint8)
        steps = len(patterns)
        flags = np.zeros(steps, dtype=np.uint8) if watched is None else watched
        rows = np.zeros((int(flags.sum()), self.nets), dtype=np.uint8)
        energy, peak = np.zeros(steps), np.zeros(steps)
        settled = np.zeros(steps, dtype=np.int32)
        results = Results(
            toggles=self._toggles.ctypes.data,
            functional=self._functional.ctypes.data,
            energy=energy.ctypes.data,
            peak=peak.ctypes.data,
            settled=settled.ctypes.data,
            arc_energy=0.0,
            events=0,
        )
        self._kernel.gcm_events_watch(
            self._state, steps, patterns.ctypes.data, self.design.input_count, _WINDOW_PS,
            ctypes.byref(results), flags.ctypes.data, self.nets, rows.ctypes.data,
        )  # fmt: skip
        return energy, rows

    def values(self, nets: Sequence[int]) -> list[int]:
        """The settled values of these nets."""
        import numpy as np

        asked = np.array(nets, dtype=np.int32)
        out = np.zeros(len(nets), dtype=np.uint8)
        self._kernel.gcm_events_values(self._state, len(nets), asked.ctypes.data, out.ctypes.data)
        return [int(value) for value in out]


class Ports:
    """The columns of an input pattern by port, and nets of ports by name."""

    def __init__(self, design: EventDesign) -> None:
        self.design = design
        self.columns: dict[str, list[int]] = {}
        for column, name in enumerate(design.input_names):
            port, _, place = name.partition("[")
            bits = self.columns.setdefault(port, [])
            bits += [-1] * (int(place[:-1] or 0) + 1 - len(bits) if place else 1 - len(bits))
            bits[int(place[:-1]) if place else 0] = column

    def nets(self, port: str) -> list[int]:
        """The nets of a port of the netlist, bit 0 first."""
        bound = self.design.bound
        return [bound.net_of_bit[bit] for bit in bound.module.ports[port].bits]

    def pattern(self, values: Mapping[str, int]) -> list[int]:
        """Ports that are not named are 0."""
        row = [0] * self.design.input_count
        for port, value in values.items():
            for i, column in enumerate(self.columns[port]):
                row[column] = value >> i & 1
        return row
