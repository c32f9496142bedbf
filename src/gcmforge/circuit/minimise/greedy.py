# SPDX-License-Identifier: Apache-2.0
"""Few XORs for a linear map, greedily.

`paar` is the greedy of C. Paar (1997): again and again the pair of terms that the most rows share
becomes a term of its own; cancellation-free. The depth bound follows Kraft: a row over terms of
depth d can still be summed within depth D exactly when the sum of its 2^d is at most 2^D, so a
pair is replaced only in rows where that stays true.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gcmforge.circuit.build import Builder
from gcmforge.circuit.ir import Net
from gcmforge.circuit.minimise.program import XorProgram

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


def paar(
    matrix: Sequence[int],
    max_depth: int | None = None,
    *,
    width: int | None = None,
    arrivals: Sequence[int] | None = None,
    groups: Sequence[int] | None = None,
    seed: int | None = None,
) -> XorProgram:
    """A program of few XORs for rows given as ints (bit j of a row: input j takes part).

    max_depth bounds every row's depth in XOR levels, arrivals[j] being input j's own (default 0).
    Pairs of one group (groups[j] of input j; a sum is of its terms' group) come first, and pairs
    of two groups only when there is none left.
    Ties go to the pair of lesser depth; with a seed they go any way that the seed decides.
    Raises ValueError when no order of summing can meet the bound.
    """
    columns = width if width is not None else max((row.bit_length() for row in matrix), default=0)
    start = list(arrivals) if arrivals is not None else [0] * columns
    if len(start) != columns or any(row >> columns for row in matrix):
        raise ValueError(f"rows and arrivals must fit the width of {columns} inputs")
    bound = max_depth if max_depth is not None else max(start, default=0) + columns.bit_length() + 2
    _check_bound(matrix, start, bound)
    search = _Pairs(matrix, start, bound, seed, groups)
    search.extract_all()
    return search.finish()


def linear_map(
    b: Builder, nets: Sequence[Net], matrix: Sequence[int], max_depth: int | None = None
) -> tuple[Net, ...]:
    """`paar` for matrix, made in b over nets."""
    return paar(matrix, max_depth, width=len(nets)).apply(b, nets)


def least_depth(matrix: Sequence[int], arrivals: Sequence[int] | None = None) -> int:
    """The least depth in which every row can be summed (Kraft)."""
    depth = 0
    for row in matrix:
        terms = [j for j in range(row.bit_length()) if row >> j & 1]
        total = sum(1 << (arrivals[j] if arrivals else 0) for j in terms)
        depth = max(depth, (total - 1).bit_length() if total else 0)
    return depth


def _check_bound(matrix: Sequence[int], arrivals: Sequence[int], bound: int) -> None:
    need = least_depth(matrix, arrivals)
    if need > bound:
        raise ValueError(
            f"max_depth={bound}: the longest row needs depth {need}; allow at least that"
        )
    if bound > 40:
        raise ValueError(f"max_depth={bound}: at most 40 levels are supported")


class _Pairs:
    """The state of the greedy. Row sets are bit sets of 64-bit words; best[k] is an upper bound of
    the score of the best pair (k, j < k), which only ever sinks, so stale bounds are re-examined
    only when they come out on top. Score: rows that share the pair, then the lesser depth or,
    with a seed, a number that the seed gives the pair once and for all.
    """

    def __init__(
        self,
        matrix: Sequence[int],
        arrivals: Sequence[int],
        bound: int,
        seed: int | None,
        groups: Sequence[int] | None,
    ) -> None:
        import numpy as np

        self.np = np
        self.width = len(arrivals)
        self.bound = bound
        self.seed = seed
        self.rows = len(matrix)
        words = (self.rows + 63) // 64
        capacity = max(64, 4 * self.width)
        self.depth = np.zeros(capacity, dtype=np.int64)
        self.depth[: self.width] = arrivals
        self.column = np.zeros((capacity, words), dtype=np.uint64)
        self.best = np.full(capacity, -1, dtype=np.int64)
        self.group = np.zeros(capacity, dtype=np.int64)
        self.group[: self.width] = groups or 0
        self.apart = bool(groups)
        self.steps: list[tuple[int, int]] = []
        self.used = self.width
        bits = np.array(
            [[row >> j & 1 for row in matrix] for j in range(self.width)], dtype=np.uint8
        ).reshape(self.width, self.rows)
        self.column[: self.width] = self._words(bits)
        weights = bits.T.astype(np.int64) << self.depth[: self.width]
        self.slack = (1 << bound) - weights.sum(axis=1)
        self.possible = np.zeros((bound + 1, bound + 1, words), dtype=np.uint64)
        self._refresh_possible()
        self._examine_all()

    def _words(self, bits: Array) -> Array:
        """(n, rows) of 0/1 -> (n, words) of uint64."""
        np = self.np
        padded = np.zeros((bits.shape[0], self.column.shape[1] * 8), dtype=np.uint8)
        packed = np.packbits(bits, axis=1, bitorder="little")
        padded[:, : packed.shape[1]] = packed
        words: Array = padded.view(np.uint64)
        return words

    def _refresh_possible(self) -> None:
        """possible[d, e]: the rows whose slack allows joining terms of depths d and e."""
        np = self.np
        levels = np.int64(1) << np.arange(self.bound + 1, dtype=np.int64)
        price = np.abs(levels[:, None] - levels[None, :])
        allowed = (self.slack[None, None, :] >= price[:, :, None]).astype(np.uint8)
        side = self.bound + 1
        self.possible = self._words(allowed.reshape(side * side, -1)).reshape(side, side, -1)

    def _examine(self, k: int) -> tuple[int, int]:
        """(score, j) of the best pair (k, j < k); score -1 when no two rows share one."""
        if k == 0 or not self.column[k].any():
            return -1, -1
        np = self.np
        depth = int(self.depth[k])
        shared = self.column[:k] & self.column[k] & self.possible[depth][self.depth[:k]]
        count = np.bitwise_count(shared).sum(axis=1, dtype=np.int64)
        if self.apart:
            count[self.group[:k] != self.group[k]] = 0
        score = count * 64 - (
            np.maximum(self.depth[:k], depth) if self.seed is None else self._lots(k)
        )
        j = int(score.argmax())
        return (int(score[j]), j) if count[j] >= 2 else (-1, -1)

    def _lots(self, k: int) -> Array:
        """0 .. 63 for each pair (k, j < k), as the seed has it."""
        np = self.np
        mixed = np.arange(k, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= np.uint64((k * 0xBF58476D1CE4E5B9 + (self.seed or 0) * 0x94D049BB133111EB) % 2**64)
        mixed ^= mixed >> np.uint64(29)
        mixed *= np.uint64(0xD6E8FEB86659FD93)
        lots: Array = (mixed >> np.uint64(58)).astype(np.int64)
        return lots

    def _examine_all(self) -> None:
        for k in range(self.used):
            self.best[k] = self._examine(k)[0]

    def extract_all(self) -> None:
        """Make pairs terms until none is shared, first inside the groups."""
        while self.extract():
            pass
        if self.apart:
            self.apart = False
            self._examine_all()
            self.extract_all()

    def extract(self) -> bool:
        """Make the best pair a term; False when no pair is shared any more."""
        while True:
            k = int(self.best[: self.used].argmax())
            if self.best[k] < 0:
                return False
            score, j = self._examine(k)
            if score == self.best[k]:
                self._join(k, j)
                return True
            self.best[k] = score

    def _join(self, k: int, j: int) -> None:
        np = self.np
        d, e = int(self.depth[k]), int(self.depth[j])
        rows = self.column[k] & self.column[j] & self.possible[d, e]
        if self.used == len(self.best):
            self._grow()
        new = self.used
        self.used += 1
        self.steps.append((j, k))
        self.column[new] = rows
        self.column[k] &= ~rows
        self.column[j] &= ~rows
        self.depth[new] = max(d, e) + 1
        self.group[new] = self.group[k]
        if d != e:
            member = np.unpackbits(rows.view(np.uint8), bitorder="little", count=self.rows)
            self.slack -= member.astype(np.int64) * abs((1 << d) - (1 << e))
            self._refresh_possible()
        self.best[new] = self._examine(new)[0]

    def _grow(self) -> None:
        np = self.np
        extra = len(self.best)
        self.depth = np.concatenate([self.depth, np.zeros(extra, dtype=np.int64)])
        self.best = np.concatenate([self.best, np.full(extra, -1, dtype=np.int64)])
        self.group = np.concatenate([self.group, np.zeros(extra, dtype=np.int64)])
        self.column = np.concatenate([self.column, np.zeros_like(self.column)])

    def finish(self) -> XorProgram:
        """Sum what is left of each row, earliest terms first."""
        np = self.np
        left = np.unpackbits(
            self.column[: self.used].view(np.uint8), axis=1, bitorder="little", count=self.rows
        )
        depth = [int(d) for d in self.depth[: self.used]]
        outputs: list[int | None] = []
        for row in range(self.rows):
            heap = [(depth[t], int(t)) for t in np.flatnonzero(left[:, row])]
            heapq.heapify(heap)
            while len(heap) > 1:
                (_, p), (d, q) = heapq.heappop(heap), heapq.heappop(heap)
                self.steps.append((min(p, q), max(p, q)))
                depth.append(d + 1)
                heapq.heappush(heap, (d + 1, len(depth) - 1))
            outputs.append(heap[0][1] if heap else None)
        deepest = max((depth[t] for t in outputs if t is not None), default=0)
        return XorProgram(
            width=self.width, steps=tuple(self.steps), outputs=tuple(outputs), depth=deepest
        )
