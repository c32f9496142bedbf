# SPDX-License-Identifier: Apache-2.0
"""What power says of a design."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class PowerFigure:
    """Dynamic and leakage power from simulated activity, glitches included."""

    average_uw: float
    switching_uw: float
    internal_uw: float
    leakage_uw: float
    peak_uw: float
    peak_transition: tuple[int, int] | None
    frequency_mhz: float
    transitions: int
    exhaustive: bool
    """Whether every ordered pair of inputs was applied; else random inputs, or a core's packets."""
    toggles: int
    glitch_toggles: int
    energy_per_transition_pj: float
