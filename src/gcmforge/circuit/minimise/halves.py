# SPDX-License-Identifier: Apache-2.0
"""Toeplitz matrices by halves: three products of half the size instead of four.

Where the entry in row r and column c is a matter of c - r only, the rows and columns with bit b of
their numbers 0 and 1 make up four blocks, the two on the diagonal alike. With s = x_0 + x_1

    y_0 = E x_0 + F x_1 = E s + (E + F) x_1
    y_1 = G x_0 + E x_1 = E s + (E + G) x_0

so that E s is made once (Winograd; Fan and Hasan 2007 for GF(2^n)). Each row is rewritten by itself
and stays right whatever the matrix is; only the sharing needs blocks that are alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from gcmforge.circuit.minimise.greedy import least_depth, paar
from gcmforge.circuit.minimise.program import XorProgram


@dataclass(frozen=True, kw_only=True, slots=True)
class Halves:
    """Rows over the inputs and sums of two of them. sums[k] is column width + k; group says which
    half of a half a column is of, arrivals how many XORs are before it."""

    width: int
    rows: tuple[int, ...]
    sums: tuple[tuple[int, int], ...]
    group: tuple[int, ...]

    @property
    def arrivals(self) -> tuple[int, ...]:
        found = [0] * self.width
        for low, high in self.sums:
            found.append(1 + max(found[low], found[high]))
        return tuple(found)

    @property
    def depth(self) -> int:
        """The least that the rows can be summed in."""
        return least_depth(self.rows, self.arrivals)

    @property
    def ones(self) -> int:
        """Terms of all rows: what a program for them grows with."""
        return sum(row.bit_count() for row in self.rows)

    def program(self, max_depth: int | None = None) -> XorProgram:
        """By `paar`, over the inputs alone; ValueError when the bound cannot be met."""
        found = paar(
            self.rows, max_depth, width=self.width + len(self.sums), arrivals=self.arrivals,
            groups=self.group,
        )  # fmt: skip
        return XorProgram.of(self.width, (*self.sums, *found.steps), found.outputs)


def all_halves(rows: Sequence[int], width: int) -> Iterator[Halves]:
    """Every way to halve by one bit, and then both halves (not their sum) by another one."""
    bits = range((len(rows) - 1).bit_length())
    for bit in bits:
        yield halves(rows, width, (bit,))
    for pair in permutations(bits, 2):
        yield halves(rows, width, pair)


def halves(rows: Sequence[int], width: int, bits: Sequence[int]) -> Halves:
    """The rows halved by each bit in turn. Their number, a power of two, is the matrix's size; with
    more columns it is several matrices side by side."""
    size = len(rows)
    found = Halves(width=width, rows=tuple(rows), sums=(), group=(0,) * width)
    for bit in bits:
        low = [column for column in range(width) if not column % size >> bit & 1]
        found = _halved(found, low, bit)
    return found


def _halved(before: Halves, low: Sequence[int], bit: int) -> Halves:
    """Halved once more: every pair of inputs, low[k] and the one with that bit in its number."""
    first = before.width + len(before.sums)
    columns = [(column, column | 1 << bit, first + k) for k, column in enumerate(low)]
    group = [*before.group, *(3 * before.group[column] + 3 for column in low)]
    for column, other, _ in columns:
        group[column], group[other] = 3 * group[column] + 1, 3 * group[other] + 2
    return Halves(
        width=before.width,
        rows=tuple(_rewritten(row, columns, r >> bit & 1) for r, row in enumerate(before.rows)),
        sums=(*before.sums, *((column, other) for column, other, _ in columns)),
        group=tuple(group),
    )


def _rewritten(row: int, columns: Sequence[tuple[int, int, int]], half: int) -> int:
    """x_0 p + x_1 q as s q + x_0 (p + q) in the rows of half 1, as s p + x_1 (p + q) in the
    others."""
    for low, high, total in columns:
        p, q = row >> low & 1, row >> high & 1
        row ^= p << low | q << high
        row |= (p ^ q) << (low if half else high) | (q if half else p) << total
    return row
