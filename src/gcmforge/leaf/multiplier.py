# SPDX-License-Identifier: Apache-2.0
"""Multipliers in GF(2^128), polynomial order: schoolbook, and Karatsuba-Ofman in 1 to 6 steps.

A step halves the operands.  With a = a1 x^m + a0, b likewise, L = a0 b0, H = a1 b1 and
M = (a1 + a0)(b1 + b0) the product is L + x^m (M + L + H) + x^2m H.  Written as
(1 + x^m)(L + x^m H) + x^m M it needs the overlap of L and x^m H only once: 7m - 3 XORs a step,
2m of them in front, and 3 T_X (D. J. Bernstein, "Batch binary Edwards", CRYPTO 2009).

The fast form splits into even and odd coefficients instead, a = a0(x^2) + x a1(x^2): the product is
L + x^2 H + x (M + L + H) with L, H, M polynomials in x^2, where nothing overlaps but L and x^2 H:
8m - 4 XORs a step and 2 T_X (H. Fan, J. Sun, M. Gu, K.-Y. Lam, "Overlap-free Karatsuba-Ofman
polynomial multiplication algorithms", IET Information Security 4, 2010).

The small form keeps the products of the halves form and replaces all that follows them, which is
linear (recombination and reduction together), by a program of fewer XORs at the same depth that
bench/xor_search.cpp found; `python bench/search_linear_layers.py multiplier 4` repeats it.

What was found about Mozaffari 2012 Table 5: its KO1..KO6 are the halves form with a reduction of
527 XORs (here 444).  With those 527 the quadratic multiplier has 16,384 AND and 16,656 XOR, 57,956
GE; the table prints 56,957, which would leave 83 XORs for the reduction: probably two digits
exchanged.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gcmforge.circuit import Builder, Circuit, Net
from gcmforge.leaf.programs import load_xors
from gcmforge.leaf.reduction import reduce_nets

MAX_STEPS = 6


def multiplier_circuit(steps: int, *, fast: bool = False) -> Circuit:
    """gf128_mul: a_i[127:0], b_i[127:0] to c_o[127:0], with 0 <= steps <= 6 Karatsuba steps, all
    of them overlap-free if fast."""
    if not 0 <= steps <= MAX_STEPS:
        raise ValueError(f"steps={steps}: from 0 (schoolbook) to {MAX_STEPS}")
    b = Builder("gf128_mul")
    a, c = b.input("a_i", 128), b.input("b_i", 128)
    product = _product(b, a, c, steps, _INTERLEAVED if fast else _HALVES, "", [])
    with b.section("reduction modulo x^128 + x^7 + x^2 + x + 1"):
        b.output("c_o", reduce_nets(b, product))
    return b.build()


def small_multiplier_circuit(steps: int) -> Circuit:
    """gf128_mul with the halves split and a program found by search behind the products."""
    b = Builder("gf128_mul")
    a, c = b.input("a_i", 128), b.input("b_i", 128)
    products = leaf_products(b, a, c, steps)
    with b.section("recombination and reduction modulo x^128 + x^7 + x^2 + x + 1"):
        b.output("c_o", load_xors(f"ko{steps}_small.txt").apply(b, products))
    return b.build()


def leaf_products(b: Builder, p: Sequence[Net], q: Sequence[Net], steps: int) -> list[Net]:
    """The coefficients of all schoolbook products of the halves form, in the order low, high,
    middle at each step."""
    leaves: list[Net] = []
    _product(b, p, q, steps, _HALVES, "", leaves)
    return leaves


@dataclass(frozen=True, kw_only=True, slots=True)
class _Split:
    """How one step takes operands apart and puts the three products together."""

    name: str
    low: Callable[[int], slice]
    high: Callable[[int], slice]
    recombine: Callable[[Builder, Sequence[Net], Sequence[Net], Sequence[Net]], list[Net]]


def _product(
    b: Builder,
    p: Sequence[Net],
    q: Sequence[Net],
    steps: int,
    split: _Split,
    path: str,
    leaves: list[Net],
) -> list[Net]:
    """The 2n - 1 coefficients of the product of two polynomials with n coefficients.

    path names the place in the recursion in the printed text: one letter a step, l, h or m for
    the low, high and middle product.  `leaves` collects the coefficients of the products at
    the end of the recursion.
    """
    if steps == 0:
        product = _schoolbook(b, p, q)
        leaves += product
    else:
        low, high = split.low(len(p)), split.high(len(p))
        with b.section(f"sums of the {split.name}, {len(p)} bits"):
            p_sum = [b.xor(s, t) for s, t in zip(p[low], p[high], strict=True)]
            q_sum = [b.xor(s, t) for s, t in zip(q[low], q[high], strict=True)]
        b.label(p_sum, f"a_{path}m")
        b.label(q_sum, f"b_{path}m")
        product_l = _product(b, p[low], q[low], steps - 1, split, path + "l", leaves)
        product_h = _product(b, p[high], q[high], steps - 1, split, path + "h", leaves)
        product_m = _product(b, p_sum, q_sum, steps - 1, split, path + "m", leaves)
        with b.section(f"recombination, {len(p)} bits"):
            product = split.recombine(b, product_l, product_m, product_h)
    b.label(product, f"product_{path}" if path else "product")
    return product


def _schoolbook(b: Builder, p: Sequence[Net], q: Sequence[Net]) -> list[Net]:
    with b.section(f"schoolbook products of {len(p)} bits"):
        return [
            b.xor_sum(b.and_(p[i], q[k - i]) for i in range(len(p)) if 0 <= k - i < len(q))
            for k in range(len(p) + len(q) - 1)
        ]


def _join_halves(
    b: Builder, low: Sequence[Net], middle: Sequence[Net], high: Sequence[Net]
) -> list[Net]:
    """(1 + x^m)(low + x^m high) + x^m middle, all three with 2m - 1 coefficients."""
    m = (len(low) + 1) // 2
    overlap = [b.xor(s, t) for s, t in zip(low[m:], high[: m - 1], strict=True)] + [high[m - 1]]
    lower = [b.xor_sum((overlap[i], low[i], middle[i])) for i in range(m)]
    upper = [b.xor_sum((overlap[i], middle[m + i], high[m + i])) for i in range(m - 1)]
    return [*low[:m], *lower, *upper, overlap[m - 1], *high[m:]]


def _interleave(
    b: Builder, low: Sequence[Net], middle: Sequence[Net], high: Sequence[Net]
) -> list[Net]:
    """low + x^2 high + x (middle + low + high), where all three are polynomials in x^2."""
    even = [low[0], *(b.xor(s, t) for s, t in zip(low[1:], high, strict=False)), high[-1]]
    odd = [b.xor_sum(terms) for terms in zip(low, high, middle, strict=True)]
    return [*(net for pair in zip(even, odd, strict=False) for net in pair), even[-1]]


_HALVES = _Split(
    name="halves",
    low=lambda n: slice(0, n // 2),
    high=lambda n: slice(n // 2, n),
    recombine=_join_halves,
)
_INTERLEAVED = _Split(
    name="even and odd coefficients",
    low=lambda n: slice(0, n, 2),
    high=lambda n: slice(1, n, 2),
    recombine=_interleave,
)
