# SPDX-License-Identifier: Apache-2.0
"""Patterns to simulate a netlist with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]
from gcmforge.power.design import EventDesign


def all_transitions(count: int) -> list[int]:
    """An Eulerian circuit of the complete digraph on 0..count-1: count * (count - 1) + 1 nodes.

    Every ordered pair of different nodes follows one another exactly once: 0 1 0 2 ... 0 n-1, then
    1 2 1 3 ... 1 n-1, and so on, back to 0.
    """
    circuit = [
        node for low in range(count) for high in range(low + 1, count) for node in (low, high)
    ]
    return [*circuit, 0]


def as_patterns(values: Sequence[int], width: int) -> Bytes:
    """Bits of each value, bit i in column i."""
    import numpy as np

    numbers = np.asarray(values, dtype=np.int64)
    return ((numbers[:, None] >> np.arange(width)) & 1).astype(np.uint8)


def port_patterns(design: EventDesign, ports: Mapping[str, Sequence[int]]) -> Bytes:
    """Patterns from the value of each input port in each step; ports not named stay 0."""
    import numpy as np

    column = {name: i for i, name in enumerate(design.input_names)}
    steps = max(len(values) for values in ports.values())
    patterns = np.zeros((steps, design.input_count), dtype=np.uint8)
    for name, values in ports.items():
        port = design.bound.module.ports.get(name)
        if port is None or port.direction != "input" or len(values) != steps:
            raise ValueError(f"port {name}: no input of the block, or not {steps} values")
        bits = [name if len(port.bits) == 1 else f"{name}[{i}]" for i in range(len(port.bits))]
        for i, bit in enumerate(bits):
            if bit in column:
                patterns[:, column[bit]] = [value >> i & 1 for value in values]
    return patterns


def random_patterns(steps: int, width: int, seed: int) -> Bytes:
    """steps + 1 patterns of independent even bits."""
    import numpy as np

    generator = np.random.default_rng(seed)
    return generator.integers(0, 2, size=(steps + 1, width), dtype=np.uint8)
