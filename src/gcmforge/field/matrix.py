# SPDX-License-Identifier: Apache-2.0
"""Matrices over GF(2), one int a row: bit j of rows[i] is the entry in row i, column j."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


class SingularMatrixError(ValueError):
    """The matrix has no inverse."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BitMatrix:
    """A matrix over GF(2).  It maps a vector v (bit j of an int is v_j) to the vector whose bit i
    is the sum of v_j over the set bits j of rows[i]."""

    rows: tuple[int, ...]
    columns: int

    @classmethod
    def identity(cls, size: int) -> "BitMatrix":
        return cls(rows=tuple(1 << i for i in range(size)), columns=size)

    @classmethod
    def from_columns(cls, images: Sequence[int], height: int) -> "BitMatrix":
        """The matrix whose column j, read as an int, is images[j]."""
        rows = tuple(
            sum(((image >> i) & 1) << j for j, image in enumerate(images)) for i in range(height)
        )
        return cls(rows=rows, columns=len(images))

    @classmethod
    def of_map(cls, function: Callable[[int], int], columns: int, height: int) -> "BitMatrix":
        """The matrix of a linear function on ints; linearity itself is the caller's claim."""
        return cls.from_columns([function(1 << j) for j in range(columns)], height)

    def apply(self, vector: int) -> int:
        return sum(((row & vector).bit_count() & 1) << i for i, row in enumerate(self.rows))

    def transpose(self) -> "BitMatrix":
        return BitMatrix.from_columns(self.rows, self.columns)

    def __matmul__(self, other: "BitMatrix") -> "BitMatrix":
        """The product: (self @ other).apply(v) == self.apply(other.apply(v))."""
        if self.columns != len(other.rows):
            raise ValueError(f"{self.columns} columns times {len(other.rows)} rows")
        rows = []
        for row in self.rows:
            total = 0
            for j, other_row in enumerate(other.rows):
                if (row >> j) & 1:
                    total ^= other_row
            rows.append(total)
        return BitMatrix(rows=tuple(rows), columns=other.columns)

    def rank(self) -> int:
        pivots: list[int] = []
        for row in self.rows:
            for pivot in pivots:
                row = min(row, row ^ pivot)
            if row:
                pivots.append(row)
        return len(pivots)

    def inverse(self) -> "BitMatrix":
        """By Gauss and Jordan; SingularMatrixError if there is none."""
        size = self.columns
        if len(self.rows) != size:
            raise SingularMatrixError(f"{len(self.rows)} rows, {size} columns: not square")
        work = [row | (1 << (size + i)) for i, row in enumerate(self.rows)]
        for column in range(size):
            pivot = next((i for i in range(column, size) if (work[i] >> column) & 1), None)
            if pivot is None:
                raise SingularMatrixError(f"rank below {size}")
            work[column], work[pivot] = work[pivot], work[column]
            for i in range(size):
                if i != column and (work[i] >> column) & 1:
                    work[i] ^= work[column]
        return BitMatrix(rows=tuple(row >> size for row in work), columns=size)
