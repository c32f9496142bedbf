# SPDX-License-Identifier: Apache-2.0
"""The event simulation for many runs at once: a lane each, a bit in a word (wide.cpp).

A lane's energies are those that `gcmforge.power.running` gives for its patterns, to the last bit if
it is given the same unit, whatever the other lanes do and however many there are. There is nothing
else: no edges by net, no times. Wherever lanes have events at the same picosecond in the same gate,
they cost one together.
"""

from __future__ import annotations

import ctypes
import math
from pathlib import Path
from typing import TYPE_CHECKING

from gcmforge import tools
from gcmforge.power.design import EventDesign
from gcmforge.power.events import kernel_design

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]
    Floats = NDArray[np.float64]

MOST_LANES = 1024
_WORD_LANES = 512


def kernel() -> ctypes.CDLL:
    """The compiled kernel, its functions declared."""
    library = tools.load_kernel(Path(__file__).with_name("wide.cpp"), native=True)
    library.gcm_wide_create.restype = ctypes.c_void_p
    library.gcm_wide_create.argtypes = [
        ctypes.c_void_p, ctypes.c_int32, ctypes.c_int32, ctypes.c_double,
    ]  # fmt: skip
    library.gcm_wide_run.restype = None
    library.gcm_wide_run.argtypes = [
        ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64,
        ctypes.c_void_p,
    ]  # fmt: skip
    library.gcm_wide_destroy.restype = None
    library.gcm_wide_destroy.argtypes = [ctypes.c_void_p]
    return library


def energy_unit(design: EventDesign) -> float:
    """In pJ, a power of two: no edge takes more than 2^26 of it, and 2^25 is less than the most."""
    arrays, _ = kernel_design(design)
    most = {n: abs(arrays[n]).max(initial=0) for n in ("launch_energy", "pin_energy", "net_energy")}
    largest = most["net_energy"] + max(most["launch_energy"], most["pin_energy"])
    return 2.0 ** (math.ceil(math.log2(max(largest, 1e-9))) - 26)


class Wide:
    """A design under simulation in some lanes, from flip-flops at 0 and inputs at 0 on."""

    def __init__(self, design: EventDesign, lanes: int) -> None:
        """lanes: 1 to MOST_LANES; of few of them each takes longer."""
        if not 1 <= lanes <= MOST_LANES:
            raise ValueError(f"lanes={lanes}: use 1 to {MOST_LANES}")
        self.design = design
        self.lanes = lanes
        self._words = -(-lanes // _WORD_LANES)
        self._kernel = kernel()
        self._arrays, self._structure = kernel_design(design, unit := energy_unit(design))
        longest = max(int(self._arrays[n].max(initial=1)) for n in ("pin_delay", "launch"))
        self._state = self._kernel.gcm_wide_create(
            ctypes.byref(self._structure), longest, lanes, unit
        )

    def close(self) -> None:
        """The kernel's memory is given back; nothing may be run after."""
        if self._state is not None:
            self._kernel.gcm_wide_destroy(self._state)
            self._state = None

    def patterns(self, steps: int) -> Bytes:
        """Room for the patterns of so many steps, all 0: [step, input, byte], lane n is bit n % 8
        of byte n // 8."""
        import numpy as np

        room = _WORD_LANES // 8 * self._words
        return _aligned((steps, self.design.input_count, room), np.dtype(np.uint8))

    def run(self, patterns: Bytes) -> Floats:
        """Steps with these input patterns, of `patterns`: the energy in pJ [step, lane]."""
        import numpy as np

        steps, width = len(patterns), self._words * _WORD_LANES
        energy = np.zeros((steps, width))
        self._kernel.gcm_wide_run(
            self._state, steps, patterns.ctypes.data, self.design.input_count * self._words, width,
            energy.ctypes.data,
        )  # fmt: skip
        return energy[:, : self.lanes]


def _aligned(shape: tuple[int, ...], kind: np.dtype[np.uint8]) -> Bytes:
    """Zeros that begin at a multiple of 64 bytes."""
    import numpy as np

    room = np.zeros(int(np.prod(shape)) + 64, dtype=kind)
    start = -room.ctypes.data % 64
    return room[start : start + int(np.prod(shape))].reshape(shape)
