# SPDX-License-Identifier: Apache-2.0
"""Multipliers in GF(2^128), polynomial order: schoolbook, and Karatsuba-Ofman in 1 to 6 steps.

A step halves the operands: with a = a1 x^m + a0, b likewise, L = a0 b0, H = a1 b1 and
M = (a1 + a0)(b1 + b0) the product is L + x^m (M + L + H) + x^2m H.  Written as
(1 + x^m)(L + x^m H) + x^m M it needs the overlap of L and x^m H only once: 7m - 3 XORs a step,
2m of them in front (D. J. Bernstein, "Batch binary Edwards", CRYPTO 2009).
"""

from collections.abc import Sequence

from gcmforge.circuit import Builder, Circuit, Net
from gcmforge.leaf.reduction import reduce_nets

MAX_STEPS = 6


def multiplier_circuit(steps: int) -> Circuit:
    """gf128_mul: a_i[127:0], b_i[127:0] to c_o[127:0], with 0 <= steps <= 6 Karatsuba steps."""
    if not 0 <= steps <= MAX_STEPS:
        raise ValueError(f"steps={steps}: from 0 (schoolbook) to {MAX_STEPS}")
    b = Builder("gf128_mul")
    a, c = b.input("a_i", 128), b.input("b_i", 128)
    product = _product(b, a, c, steps, "")
    with b.section("reduction modulo x^128 + x^7 + x^2 + x + 1"):
        b.output("c_o", reduce_nets(b, product))
    return b.build()


def _product(b: Builder, p: Sequence[Net], q: Sequence[Net], steps: int, path: str) -> list[Net]:
    """The 2n - 1 coefficients of the product of two polynomials with n coefficients.

    path names the place in the recursion in the printed text: one letter a step, l, h or m for
    the low, high and middle product.
    """
    if steps == 0:
        product = _schoolbook(b, p, q)
        b.label(product, f"product_{path}" if path else "product")
        return product
    half = len(p) // 2
    with b.section(f"sums of the halves, {len(p)} bits"):
        p_sum = [b.xor(s, t) for s, t in zip(p[:half], p[half:], strict=True)]
        q_sum = [b.xor(s, t) for s, t in zip(q[:half], q[half:], strict=True)]
    b.label(p_sum, f"a_{path}m")
    b.label(q_sum, f"b_{path}m")
    low = _product(b, p[:half], q[:half], steps - 1, path + "l")
    high = _product(b, p[half:], q[half:], steps - 1, path + "h")
    middle = _product(b, p_sum, q_sum, steps - 1, path + "m")
    with b.section(f"recombination, {len(p)} bits"):
        product = _recombine(b, low, middle, high)
    b.label(product, f"product_{path}" if path else "product")
    return product


def _schoolbook(b: Builder, p: Sequence[Net], q: Sequence[Net]) -> list[Net]:
    with b.section(f"schoolbook products of {len(p)} bits"):
        return [
            b.xor_sum(b.and_(p[i], q[k - i]) for i in range(len(p)) if 0 <= k - i < len(q))
            for k in range(len(p) + len(q) - 1)
        ]


def _recombine(
    b: Builder, low: Sequence[Net], middle: Sequence[Net], high: Sequence[Net]
) -> list[Net]:
    """(1 + x^m)(low + x^m high) + x^m middle, all three with 2m - 1 coefficients."""
    m = (len(low) + 1) // 2
    overlap = [b.xor(s, t) for s, t in zip(low[m:], high[: m - 1], strict=True)] + [high[m - 1]]
    lower = [b.xor_sum((overlap[i], low[i], middle[i])) for i in range(m)]
    upper = [b.xor_sum((overlap[i], middle[m + i], high[m + i])) for i in range(m - 1)]
    return [*low[:m], *lower, *upper, overlap[m - 1], *high[m:]]
