# SPDX-License-Identifier: Apache-2.0
"""Multipliers with one AND for each pair of bits: the least delay, and any field.

Mastrovito's (LNCS 357, 1989; Yang 2005 generates it from the field polynomial): c = Z b, where
column j of the matrix Z is x^j a reduced.  Each column follows from the one before by a shift and
one XOR for each inner term of the polynomial, and a bit of c is a sum of as many products as the
field has bits.

Reyhani-Masoleh and Hasan's (IEEE Trans. Computers 53, 2004; the first row of Mozaffari 2012
Table 5): c = d + Q e with d the coefficients of the product of polynomials below the degree and e
those from there on; every coefficient of e that several bits of c need is made once.  The sums
in d and e are shared as far as the depth of the whole allows: the shorter a coefficient's own
sum, the earlier it is there.
"""

from collections.abc import Sequence
from functools import partial

from gcmforge.circuit import Builder, Circuit, Net, with_nands
from gcmforge.field import GCM_POLYNOMIAL
from gcmforge.leaf.bilinear import Scheme
from gcmforge.leaf.karatsuba import schoolbook
from gcmforge.leaf.reduction import reduce_balanced


def mastrovito_circuit(polynomial: int, name: str = "gf_mul") -> Circuit:
    """a_i times b_i modulo any polynomial of degree m >= 2 with a constant term, all buses of m
    bits, bit i the coefficient of x^i."""
    _check(polynomial)
    bits = polynomial.bit_length() - 1
    b = Builder(name)
    p, q = b.input("a_i", bits), b.input("b_i", bits)
    b.output("c_o", _mastrovito(b, p, q, polynomial=polynomial))
    return with_nands(b.build())


def mastrovito(name: str) -> Scheme:
    """Over GF(2^128); nothing is left to do after the products."""
    return Scheme(
        name=name,
        evaluate=_as_it_is,
        products=partial(_mastrovito, polynomial=GCM_POLYNOMIAL),
        combine=lambda b, products: list(products),
    )


def quadratic(name: str) -> Scheme:
    """d and e, then c = d + Q e with no more depth than the longest sum of each bit needs."""
    return Scheme(name=name, evaluate=_as_it_is, products=_coefficients, combine=_reduced)


def _check(polynomial: int) -> None:
    if polynomial < 4 or not polynomial & 1:
        raise ValueError(
            f"polynomial={polynomial:#x}: needs degree 2 or more and a constant term, as every "
            "irreducible polynomial has"
        )


def _as_it_is(b: Builder, operand: Sequence[Net], name: str) -> list[Net]:
    return list(operand)


def _mastrovito(b: Builder, p: Sequence[Net], q: Sequence[Net], *, polynomial: int) -> list[Net]:
    bits = len(p)
    with b.section("columns of the matrix: x^j a"):
        columns = [list(p)]
        while len(columns) < bits:
            columns.append(_times_x(b, columns[-1], polynomial))
    with b.section("matrix times b"):
        return [
            b.xor_sum(b.and_(column[i], bit) for column, bit in zip(columns, q, strict=True))
            for i in range(bits)
        ]


def _times_x(b: Builder, a: Sequence[Net], polynomial: int) -> list[Net]:
    top = a[-1]
    shifted = [top, *a[:-1]]
    return [b.xor(net, top) if i and polynomial >> i & 1 else net for i, net in enumerate(shifted)]


def _coefficients(b: Builder, p: Sequence[Net], q: Sequence[Net]) -> list[Net]:
    with b.section("d and e: coefficients of the product"):
        return schoolbook(b, p, q)


def _reduced(b: Builder, products: Sequence[Net]) -> list[Net]:
    with b.section("d + Q e"):
        return reduce_balanced(b, products)
