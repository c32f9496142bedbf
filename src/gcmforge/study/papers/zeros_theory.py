# SPDX-License-Identifier: Apache-2.0
"""How many zeros the table T of Crenne 2011 has for a uniform H: exact moments."""

from __future__ import annotations

import math
import statistics
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Histograms = tuple[NDArray[np.uint64], ...]


ENTRIES = 128 * 128


DEGREE = 128


TAPS = (0, 1, 2, 7)
"""x^128 = 1 + x + x^2 + x^7, SP 800-38D section 6.3."""


@cache
def entry_functions() -> tuple[tuple[int, ...], ...]:
    """[i][j]: bit j of T[i] as a mask over H; bit k of a mask stands for H's coefficient of x^k."""
    vector = tuple(1 << k for k in range(DEGREE))
    table = []
    for _ in range(DEGREE):
        table.append(vector)
        out = vector[-1]
        vector = tuple(
            (vector[k - 1] if k else 0) ^ (out if k in TAPS else 0) for k in range(DEGREE)
        )
    return tuple(table)


@dataclass(frozen=True, kw_only=True, slots=True)
class ZerosTheory:
    """The number of zeros in T for a uniform H: exact moments; quantiles from four of them."""

    distinct_functions: int
    mean: float
    standard_deviation: float
    skewness: float
    excess_kurtosis: float

    def quantile(self, z: float) -> float:
        """Zeros at the normal quantile z, corrected by Cornish and Fisher to fourth moments."""
        skew, kurtosis = self.skewness, self.excess_kurtosis
        corrected = (
            z
            + skew * (z**2 - 1) / 6
            + kurtosis * (z**3 - 3 * z) / 24
            - skew**2 * (2 * z**3 - 5 * z) / 36
        )
        return self.mean + self.standard_deviation * corrected

    def expected_keys(self, keys: int, low: float, high: float) -> float:
        """How many of so many keys have from `low` to below `high` zeros, by Gram and Charlier."""
        return keys * (self._share_below(high - 0.5) - self._share_below(low - 0.5))

    def _share_below(self, zeros: float) -> float:
        z = (zeros - self.mean) / self.standard_deviation
        tail = math.erfc(-z / math.sqrt(2)) / 2
        density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
        hermite2, hermite3 = z**2 - 1, z**3 - 3 * z
        return tail - density * (
            self.skewness * hermite2 / 6 + self.excess_kurtosis * hermite3 / 24
        )

    def extremes(self, keys: int) -> tuple[float, float]:
        """Medians of the lowest and of the highest number of zeros among so many keys."""
        z = -statistics.NormalDist().inv_cdf(-math.expm1(-math.log(2) / keys))
        return self.quantile(-z), self.quantile(z)


@cache
def zeros_theory() -> ZerosTheory:
    """Moments of (16,384 + S) / 2 with S the sum of (-1)^f(H) over the entries f.

    E[S^k] counts the k-tuples of entries whose functions add up to zero.
    """
    often = Counter(mask for vector in entry_functions() for mask in vector)
    pairs: defaultdict[int, int] = defaultdict(int)
    for first, times in often.items():
        for second, more in often.items():
            pairs[first ^ second] += times * more
    second_moment = pairs[0]
    third = sum(pairs[mask] * times for mask, times in often.items())
    fourth = sum(count**2 for count in pairs.values())
    return ZerosTheory(
        distinct_functions=len(often),
        mean=ENTRIES / 2,
        standard_deviation=math.sqrt(second_moment) / 2,
        skewness=third / second_moment**1.5,
        excess_kurtosis=fourth / second_moment**2 - 3,
    )
