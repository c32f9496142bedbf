# SPDX-License-Identifier: Apache-2.0
"""Sums of q products in GF(2^128) with one recombination and one reduction.

Both are linear, so they may follow the addition of the lanes: each lane has its evaluated operands
and its products, the products are added coefficient by coefficient, and a single `combine` makes
the 128 bits of the sum.  Against q multipliers and q - 1 additions of 128 bits that saves q - 1
recombinations and reductions and costs the additions of the lanes at the products' width; it pays
the more the more steps the splitting has.
"""

from gcmforge.circuit import Builder, Circuit, with_nands
from gcmforge.field import gf128_multiply
from gcmforge.leaf.reduction import DEGREE
from gcmforge.leaf.scheme import Scheme


def dot_circuit(scheme: Scheme, lanes: int) -> Circuit:
    """gf128_dot: a_i[128q-1:0], b_i[128q-1:0] to c_o[127:0], the sum over the lanes l of
    a_l * b_l; lane 0 is on top: x_l = x_i[(q-1-l)*128 +: 128]."""
    if lanes < 1:
        raise ValueError(f"lanes={lanes}: at least 1")
    b = Builder("gf128_dot")
    p, q = b.input("a_i", DEGREE * lanes), b.input("b_i", DEGREE * lanes)
    products = []
    for lane in range(lanes):
        bits = slice((lanes - 1 - lane) * DEGREE, (lanes - lane) * DEGREE)
        evaluated = scheme.evaluate_both(b, p[bits], q[bits], str(lane))
        products.append(scheme.products(b, *evaluated))
    with b.section("sums over the lanes"):
        sums = [b.xor_sum(terms) for terms in zip(*products, strict=True)]
    b.output("c_o", scheme.combine(b, sums))
    return with_nands(b.build())


def dot_product(a: int, b: int) -> int:
    """The sum over the 128-bit lanes of a and b of their products in GF(2^128), in polynomial
    order within a lane."""
    mask = (1 << DEGREE) - 1
    total = 0
    while a and b:
        total ^= gf128_multiply(a & mask, b & mask)
        a >>= DEGREE
        b >>= DEGREE
    return total
