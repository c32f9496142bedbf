# SPDX-License-Identifier: Apache-2.0
"""Welch's t-test between two classes of traces, point by point, at first and second order.

As in Schneider, Moradi, "Leakage assessment methodology", CHES 2015: the second order compares
variances, by the test of the squared distances from the mean of each class. Sums are kept, not
traces; they are taken around the mean of the first batch, so that little is lost to rounding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

THRESHOLD = 4.5
"""Of |t|, as usual: 99.999 % for one point."""


class TTest:
    """Sums of powers of two classes of traces, from batch to batch."""

    def __init__(self, points: int) -> None:
        import numpy as np

        self.count = np.zeros(2)
        self.sums = np.zeros((2, 4, points))
        self.around: Floats | None = None

    def add(self, traces: Floats, second: Bools) -> None:
        """A batch [trace, point]; `second` says which belong to the second class."""
        if self.around is None:
            self.around = traces.mean(axis=0)
        centred = traces - self.around
        for number in (0, 1):
            mine = centred[second == bool(number)]
            self.count[number] += len(mine)
            power = mine.copy()
            for order in range(4):
                self.sums[number, order] += power.sum(axis=0)
                power *= mine

    @property
    def traces(self) -> int:
        return int(self.count.sum())

    def first(self) -> Floats:
        """t of the means at each point."""
        (mean_0, var_0, _), (mean_1, var_1, _) = self._moments(0), self._moments(1)
        return _welch(mean_0 - mean_1, var_0 / self.count[0] + var_1 / self.count[1])

    def second(self) -> Floats:
        """t of the variances at each point."""
        (_, var_0, four_0), (_, var_1, four_1) = self._moments(0), self._moments(1)
        spread = (four_0 - var_0**2) / self.count[0] + (four_1 - var_1**2) / self.count[1]
        return _welch(var_0 - var_1, spread)

    def _moments(self, number: int) -> tuple[Floats, Floats, Floats]:
        """Mean, variance and fourth central moment of a class."""
        m1, m2, m3, m4 = self.sums[number] / self.count[number]
        variance = m2 - m1**2
        return m1, variance, m4 - 4 * m1 * m3 + 6 * m1**2 * m2 - 3 * m1**4


def _welch(difference: Floats, spread: Floats) -> Floats:
    """Their quotient; 0 where neither class varies and both agree, infinite where they differ."""
    import numpy as np

    small = 1e-18
    still = np.where(np.abs(difference) < 1e-9, 0.0, np.inf)
    root = np.sqrt(np.maximum(spread, small))
    return np.where(spread > small, difference / root, still)
