# SPDX-License-Identifier: Apache-2.0
"""Cycles and bits per cycle of GCM and CWC by the model of Yang, Mishra and Karri 2005."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

SIZES = (16, 20, 40, 44, 64, 128, 256, 552, 576, 1024, 1500, 8192)
"""Packet lengths of Tables 2 and 3 in bytes."""


MIX = {1500: 0.60, 576: 0.20, 552: 0.15, 44: 0.05}
"""Section 5: the share of all bytes that lies in packets of that many bytes."""


def gcm_cycles(size: int) -> int:
    """Of a packet in the paper's arrangement: IV, ten rounds, lengths, and a cycle a block."""
    return math.ceil(size / 16) + 12


def cwc_cycles(size: int) -> int:
    """Of CWC, section 5."""
    return math.ceil(size / 16) + 11


def bits_per_cycle(cycles: Callable[[int], float]) -> dict[str, float]:
    """By packet length, and the mean over cycles of the mix of section 5."""
    found = {str(size): 8 * size / cycles(size) for size in SIZES}
    return {**found, "Avg.": average(found)}


def average(found: Mapping[str, float]) -> float:
    """E[bits/cycle] of section 5: bytes of the mix over the cycles that they take."""
    return 1 / sum(share / found[str(size)] for size, share in MIX.items())


LOOP_TERMS = (
    "our loop holds its round keys and chooses among them, which the paper counts elsewhere"
)
"""In what our terms are not the paper's."""

ENCRYPTING, DECRYPTING = 12, 11
"""Cycles of Fig. 5 as the paper counts them: ten rounds, the sum with the text, and the lengths
when encrypting. A test counts them in simulation."""

LATENCY = (
    "Latency of a whole core is what each of many packets takes beyond its blocks, simulated. As "
    "the paper counts it, that is ten rounds and the sum with the text, 11 cycles from text in to "
    "text out. Encrypting, the lengths are hashed in one cycle more, which decrypting hides "
    "(tests/laws/test_yang2005_core.py)."
)
