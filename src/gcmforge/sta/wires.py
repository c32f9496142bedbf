# SPDX-License-Identifier: Apache-2.0
"""What wires add to a bound design: capacitance at each net, and how late each pin is on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Wires:
    """`capacitance` is by net, in pF. `delay` is in ns from a net's driver to a pin, by the pin's
    cell type and name, one for each cell of that type in the order of the bound design. `outputs`
    is the same for output ports, in their order."""

    capacitance: Floats
    delay: Mapping[tuple[str, str], Floats]
    outputs: Floats
