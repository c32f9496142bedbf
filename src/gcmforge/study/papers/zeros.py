# SPDX-License-Identifier: Apache-2.0
"""How many zeros the table T of Crenne 2011 has, over many random keys, and in theory.

T is the 128 vectors H * x^i, i = 0..127. Each of its 16,384 bits is a linear function of the bits
of H, and many are the same function: there are 509 different ones. For a uniform H any two of them
are independent, so mean and variance of the number of zeros follow from how often each occurs,
exactly; for the third and fourth moment it also counts which of them add up to zero.

Algorithm 1 of the paper shifts before it stores, so that its T[i] is H * x^(i+1), the table of
another H. H * x is as uniform as H: the statistics are the same.
"""

from __future__ import annotations

import ctypes
import math
import os
import secrets
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gcmforge import tools
from gcmforge.config import ConfigError
from gcmforge.study.papers.zeros_theory import DEGREE, ENTRIES, TAPS, entry_functions, zeros_theory

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Histograms = tuple[NDArray[np.uint64], ...]

DRAWS = ("keys", "subkeys")
GENERATORS = ("mt19937", "system")
CHUNK_KEYS = 1 << 18
"""Keys that one stream of the generator makes: what is drawn does not depend on the processors."""

SAMPLE_KEYS = 100
"""As many as Fig. 3 of the paper shows."""
PUBLISHED_PERCENT = (30, 50, 70)
"""Crenne 2011, section III-A: lowest, average, highest share of zeros for 10^8 keys."""

KERNEL = Path(__file__).with_name("zeros.cpp")

# Measurement ----------------------------------------------------------------------------------


_PLAIN = ("keys", "draw", "generator", "seed", "seconds", "processor_seconds")


@dataclass(frozen=True, kw_only=True, slots=True)
class ZerosStatistics:
    """Zeros in T over `keys` random keys.

    `zeros` has how many keys there were for each number of zeros in T, `row_ones` how many of the
    128 output rows of all keys for each number of ones (the inputs of that row's XOR), `widest_row`
    how many keys for each number of ones in the widest row; `sample` has the zeros of the first
    keys, one by one.
    """

    keys: int
    draw: str
    generator: str
    seed: int | None
    seconds: float
    processor_seconds: float
    zeros: Mapping[int, int]
    row_ones: Mapping[int, int]
    widest_row: Mapping[int, int]
    sample: tuple[int, ...]

    @property
    def lowest(self) -> int:
        return min(self.zeros)

    @property
    def highest(self) -> int:
        return max(self.zeros)

    @property
    def mean(self) -> float:
        return sum(zeros * count for zeros, count in self.zeros.items()) / self.keys

    @property
    def standard_deviation(self) -> float:
        mean = self.mean
        square = sum(count * (zeros - mean) ** 2 for zeros, count in self.zeros.items())
        return math.sqrt(square / self.keys)

    @property
    def agrees(self) -> bool:
        """Whether mean and variance are within five standard errors of the theory's."""
        theory = zeros_theory()
        variance = theory.standard_deviation**2
        mean_error = math.sqrt(variance / self.keys)
        variance_error = variance * math.sqrt((2 + theory.excess_kurtosis) / self.keys)
        off = self.standard_deviation**2 - variance * (1 - 1 / self.keys)
        return abs(self.mean - theory.mean) < 5 * mean_error and abs(off) < 5 * variance_error

    def binned(self, width: int) -> list[tuple[int, int, float]]:
        """(lowest number of zeros, keys, keys that theory expects) for bins of so many zeros."""
        bins: defaultdict[int, int] = defaultdict(int)
        for zeros, count in self.zeros.items():
            bins[zeros // width * width] += count
        expected = zeros_theory().expected_keys
        starts = range(min(bins), max(bins) + 1, width)
        return [(low, bins[low], expected(self.keys, low, low + width)) for low in starts]

    def to_mapping(self) -> dict[str, Any]:
        """For JSON; each histogram as its lowest value and the counts from there on."""
        theory = zeros_theory()
        low, high = theory.extremes(self.keys)
        return {
            "keys": self.keys,
            "draw": self.draw,
            "generator": self.generator,
            "seed": self.seed,
            "seconds": round(self.seconds, 2),
            "processor_seconds": round(self.processor_seconds, 2),
            "lowest_percent": percent(self.lowest),
            "mean_percent": percent(self.mean),
            "highest_percent": percent(self.highest),
            "standard_deviation_percent": percent(self.standard_deviation),
            "theory": {
                "distinct_functions": theory.distinct_functions,
                "lowest_percent": percent(low),
                "mean_percent": percent(theory.mean),
                "highest_percent": percent(high),
                "standard_deviation_percent": percent(theory.standard_deviation),
                "skewness": round(theory.skewness, 6),
                "excess_kurtosis": round(theory.excess_kurtosis, 6),
            },
            "zeros": _dense(self.zeros),
            "row_ones": _dense(self.row_ones),
            "widest_row": _dense(self.widest_row),
            "sample": list(self.sample),
        }

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> ZerosStatistics:
        """What `to_mapping` wrote; figures that follow from the histograms are not read."""
        zeros, row_ones, widest_row = (
            _sparse(values[name]) for name in ("zeros", "row_ones", "widest_row")
        )
        return cls(
            **{name: values[name] for name in _PLAIN},
            zeros=zeros,
            row_ones=row_ones,
            widest_row=widest_row,
            sample=tuple(values["sample"]),
        )


def percent(zeros: float) -> float:
    """Share of T's 16,384 bits."""
    return round(100 * zeros / ENTRIES, 4)


def statistics_text(found: ZerosStatistics) -> str:
    """A few lines: what was counted, what theory expects, what was published."""
    theory = zeros_theory()
    low, high = theory.extremes(found.keys)
    source = found.generator + ("" if found.seed is None else f", seed {found.seed}")
    ones = sum(ones * rows for ones, rows in found.row_ones.items()) / found.keys / DEGREE
    rows = [
        ("counted", found.lowest, found.mean, found.highest, found.standard_deviation),
        ("theory", low, theory.mean, high, theory.standard_deviation),
    ]
    lines = [
        f"zeros in T, {found.keys:,} random {found.draw} ({source})",
        f"in {found.seconds:.1f} s, {found.processor_seconds:.1f} processor seconds",
        f"{'%':10}{'lowest':>9}{'mean':>9}{'highest':>9}{'std dev':>9}",
        *(f"{name:10}" + "".join(f"{percent(x):9.3f}" for x in row) for name, *row in rows),
        f"{'published':10}" + "".join(f"{share:9d}" for share in PUBLISHED_PERCENT),
        "theory's lowest and highest are medians; published is Crenne 2011, for 10^8 keys",
        f"ones in an output row: {ones:.2f} on average; in a key's widest row "
        f"{min(found.widest_row)} to {max(found.widest_row)}",
    ]
    if not found.agrees:
        lines.append("mean or variance is NOT what theory says")
    return "\n".join(lines)


def _dense(histogram: Mapping[int, int]) -> dict[str, Any]:
    low, high = min(histogram), max(histogram)
    return {"from": low, "counts": [histogram.get(value, 0) for value in range(low, high + 1)]}


def _sparse(dense: Mapping[str, Any]) -> dict[int, int]:
    return {dense["from"] + n: count for n, count in enumerate(dense["counts"]) if count}


def table_statistics(
    keys: int,
    *,
    draw: str = "keys",
    generator: str = "mt19937",
    seed: int | None = None,
    plain_aes: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> ZerosStatistics:
    """Count the zeros of T for so many random AES-128 keys, or for random subkeys H.

    mt19937 is numpy's Mersenne Twister, seeded for each chunk of 2^18 keys by (seed, chunk), two
    64-bit outputs a key; without a seed one is drawn. `system` is the system's generator, which
    takes none. `plain_aes` leaves the processor's AES instructions unused, with the same result.
    """
    _check(keys, draw, generator, seed)
    if generator == "mt19937" and seed is None:
        seed = secrets.randbits(32)
    began, busy = time.perf_counter(), time.process_time()
    tools.load_kernel(KERNEL)  # compiled once, before the threads

    def chunk(index: int) -> tuple[Histograms, tuple[int, ...]]:
        some = min(CHUNK_KEYS, keys - index * CHUNK_KEYS)
        blocks = _blocks(some, generator, seed, index)
        counted = _count(blocks, draw, plain_aes)
        return counted, () if index else _one_by_one(blocks, draw)

    chunks = range(-(-keys // CHUNK_KEYS))
    totals = _empty()
    sample: tuple[int, ...] = ()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for done, (histograms, first) in enumerate(pool.map(chunk, chunks), 1):
            sample = sample or first
            for total, more in zip(totals, histograms, strict=True):
                total += more
            if progress:
                progress(min(done * CHUNK_KEYS, keys), keys)
    zeros, row_ones, widest_row = map(_counted, totals)
    return ZerosStatistics(
        keys=keys, draw=draw, generator=generator, seed=seed,
        seconds=time.perf_counter() - began, processor_seconds=time.process_time() - busy,
        zeros=zeros, row_ones=row_ones, widest_row=widest_row, sample=sample,
    )  # fmt: skip


def _count(blocks: bytes, draw: str, plain_aes: bool) -> Histograms:
    histograms = _empty()
    tools.load_kernel(KERNEL).gcm_table_zeros(
        blocks, ctypes.c_int64(len(blocks) // 16), int(draw == "keys"), int(plain_aes),
        ctypes.byref(_weights()), *(one.ctypes.data_as(ctypes.c_void_p) for one in histograms),
    )  # fmt: skip
    return histograms


def _one_by_one(blocks: bytes, draw: str) -> tuple[int, ...]:
    """Zeros of the first keys, in their order."""
    starts = range(0, min(len(blocks), 16 * SAMPLE_KEYS), 16)
    return tuple(int(_count(blocks[i : i + 16], draw, True)[0].argmax()) for i in starts)


def _check(keys: int, draw: str, generator: str, seed: int | None) -> None:
    if keys < 1:
        raise ConfigError(f"keys={keys}: nothing to count; use 1 or more keys")
    if draw not in DRAWS:
        raise ConfigError(f"draw={draw}: not allowed; use {' or '.join(DRAWS)}")
    if generator not in GENERATORS:
        raise ConfigError(f"generator={generator}: not allowed; use {' or '.join(GENERATORS)}")
    if seed is not None and generator == "system":
        raise ConfigError(
            f"seed={seed}: the system's generator takes no seed; use generator=mt19937, or no seed"
        )
    if seed is not None and seed < 0:
        raise ConfigError(f"seed={seed}: negative; use 0 or more")


def _blocks(some: int, generator: str, seed: int | None, chunk: int) -> bytes:
    """16 bytes for each key."""
    if generator == "system":
        return os.urandom(16 * some)
    import numpy as np

    assert seed is not None
    stream = np.random.Generator(np.random.MT19937([seed, chunk]))
    return stream.integers(0, 2**64, 2 * some, dtype=np.uint64).astype("<u8").tobytes()


def _empty() -> Histograms:
    """Histograms of zeros, of ones in a row, of ones in a key's widest row."""
    import numpy as np

    return tuple(np.zeros(size, np.uint64) for size in (ENTRIES + 1, DEGREE + 1, DEGREE + 1))


def _counted(histogram: NDArray[np.uint64]) -> dict[int, int]:
    return {int(value): int(histogram[value]) for value in histogram.nonzero()[0]}


# The kernel -----------------------------------------------------------------------------------


class _Weights(ctypes.Structure):
    """How often each bit, pair and triple of the shift register's sequence is an entry of T."""

    _fields_ = (
        ("single", ctypes.c_uint64 * 4 * 7),
        ("pair", ctypes.c_uint64 * 4 * 1),
        ("triple", ctypes.c_uint64 * 4 * 3),
    )


@cache
def _weights() -> _Weights:
    """Every entry of T found among the bits, pairs and triples of the sequence, and counted."""
    bits = _sequence_functions()
    pairs = [a ^ b for a, b in pairwise(bits)]
    triples = [a ^ b for a, b in zip(pairs, bits[2:], strict=False)]
    often = Counter(mask for vector in entry_functions() for mask in vector)
    weights = _Weights()
    for name, masks in (("single", bits), ("pair", pairs), ("triple", triples)):
        _set_planes(getattr(weights, name), [often.pop(mask, 0) for mask in masks])
    assert not often, "an entry of T is no sum of one to three neighbours of the sequence"
    return weights


def _sequence_functions() -> list[int]:
    """o[n], n = 0..254, as masks over H: o[n + 7] is the coefficient of x^127 in H * x^n; before
    that the recurrence goes backwards."""
    sequence = [vector[-1] for vector in entry_functions()]
    for _ in range(7):
        sequence.insert(0, sequence[127] ^ sequence[0] ^ sequence[1] ^ sequence[6])
    while len(sequence) < 255:
        sequence.append(_xor(sequence[len(sequence) - DEGREE + tap] for tap in TAPS))
    return sequence


def _xor(masks: Any) -> int:
    total = 0
    for mask in masks:
        total ^= mask
    return total


def _set_planes(planes: Any, weights: Sequence[int]) -> None:
    """Bit b of weight n becomes bit n % 64 of planes[b][n / 64]."""
    for n, weight in enumerate(weights):
        assert weight < 1 << len(planes)
        for b in range(len(planes)):
            planes[b][n // 64] |= (weight >> b & 1) << (n % 64)
