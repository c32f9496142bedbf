# SPDX-License-Identifier: Apache-2.0
"""Reduction of a product modulo x^128 + x^7 + x^2 + x + 1, and the square, which is reduction only.

With h the coefficients 128..254, x^128 = x^7 + x^2 + x + 1 folds the part that would overflow
again (h_121..h_126) into h_0..h_6 first; then bit i of the result is
c_i + h_i + h_(i-1) + h_(i-2) + h_(i-7), where h_i + h_(i-1) serves two neighbouring bits.
"""

from collections.abc import Sequence
from functools import cache

from gcmforge.circuit import Builder, Circuit, Net, least_depth, paar
from gcmforge.circuit.ir import ZERO
from gcmforge.field import gf128_reduce

DEGREE = 128
XOR_DELAY = 1.99
"""T_X in T_A."""

_TAPS = (0, 1, 2, 7)


def reduce_nets(b: Builder, product: Sequence[Net]) -> list[Net]:
    """The 128 coefficients of a product of up to 255 coefficients, reduced."""
    low = list(product[:DEGREE])
    high = list(product[DEGREE:]) + [ZERO] * (2 * DEGREE - 1 - len(product))
    folded = _fold_overflow(b, high)
    return [b.xor_sum([low[i], *_neighbour_sums(b, folded, i)]) for i in range(DEGREE)]


def _fold_overflow(b: Builder, high: Sequence[Net]) -> list[Net]:
    """128 coefficients h' of degree below 128 with h x^128 = low part of h'(x^7 + x^2 + x + 1)."""
    terms: list[list[Net]] = [[net] for net in high] + [[ZERO]]
    for tap in _TAPS[1:]:
        for i in range(DEGREE - tap, len(high)):
            terms[i + tap - DEGREE].append(high[i])
    return [b.xor_sum(nets) for nets in terms]


def _neighbour_sums(b: Builder, h: Sequence[Net], i: int) -> list[Net]:
    """Terms that add up to h_i + h_(i-1) + h_(i-2) + h_(i-7); pairs (2k, 2k - 1) are shared."""

    def at(k: int) -> Net:
        return h[k] if k >= 0 else ZERO

    if i % 2 == 0:
        return [b.xor(at(i), at(i - 1)), at(i - 2), at(i - 7)]
    return [at(i), b.xor(at(i - 1), at(i - 2)), at(i - 7)]


def reduce_balanced(b: Builder, product: Sequence[Net]) -> list[Net]:
    """The same with the least depth for the times at which the coefficients come, sums in common
    as far as that allows (`paar`)."""
    arrivals = [round(b.arrival(net) / XOR_DELAY) for net in product]
    rows = _reduction_matrix(len(product))
    depth = least_depth(rows, arrivals)
    return list(paar(rows, depth, width=len(product), arrivals=arrivals).apply(b, product))


@cache
def _reduction_matrix(size: int) -> list[int]:
    columns = [gf128_reduce(1 << k) for k in range(size)]
    return [sum((column >> i & 1) << k for k, column in enumerate(columns)) for i in range(DEGREE)]


def reduce_circuit() -> Circuit:
    """gf128_reduce: a_i[254:0] to c_o[127:0]."""
    b = Builder("gf128_reduce")
    b.output("c_o", reduce_nets(b, b.input("a_i", 2 * DEGREE - 1)))
    return b.build()


def square_nets(b: Builder, a: Sequence[Net]) -> list[Net]:
    """The square of 128 coefficients: they are spread, without a gate, and then reduced."""
    spread = [net for bit in a for net in (bit, ZERO)]
    return reduce_nets(b, spread[:-1])


def square_circuit() -> Circuit:
    """gf128_square: a_i[127:0] to c_o[127:0]."""
    b = Builder("gf128_square")
    b.output("c_o", square_nets(b, b.input("a_i", DEGREE)))
    return b.build()
