# SPDX-License-Identifier: Apache-2.0
"""Figures rounded to what they are worth."""

from __future__ import annotations


def significant(value: float | None, digits: int = 3) -> str:
    """Rounded to so many significant digits, never in exponents; empty for None."""
    if value is None:
        return ""
    if value == 0:
        return "0"
    size = len(str(int(abs(value)))) if abs(value) >= 1 else 0
    decimals = max(0, digits - size)
    if size == 0:
        leading = f"{abs(value):e}".split("e")[1]
        decimals = digits - 1 - int(leading)
    return f"{value:,.{decimals}f}"
