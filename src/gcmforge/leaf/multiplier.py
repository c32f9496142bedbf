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

All products are made by NAND: circuit/polarity.py.

What was found about Mozaffari 2012 Table 5: its KO1..KO6 are the halves form with a reduction of
527 XORs (here 444).  With those 527 the quadratic multiplier has 16,384 AND and 16,656 XOR, 57,956
GE; the table prints 56,957, which would leave 83 XORs for the reduction: probably two digits
exchanged.
"""

from gcmforge.circuit import Circuit
from gcmforge.leaf.scheme import karatsuba, product_circuit, small_karatsuba


def multiplier_circuit(steps: int, *, fast: bool = False) -> Circuit:
    """gf128_mul: a_i[127:0], b_i[127:0] to c_o[127:0], with 0 <= steps <= 6 Karatsuba steps, all
    of them overlap-free if fast."""
    return product_circuit(karatsuba(f"ko{steps}", steps, fast=fast))


def small_multiplier_circuit(steps: int) -> Circuit:
    """gf128_mul with the halves split and a program found by search behind the products."""
    return product_circuit(small_karatsuba(f"ko{steps}_small", steps))
