# SPDX-License-Identifier: Apache-2.0
"""Bilinear algorithms for products in GF(2^128), taken apart where sums of products share.

Every one of them is c = combine(products(evaluate(a), evaluate(b))): sums of each operand's bits,
products of these sums, and then a linear map (recombination and reduction). Products that are to be
added need that map once, on the sum of what `products` gives for each of them; and an operand that
many products share, or that is known long before, is evaluated once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gcmforge.circuit import Builder, Circuit, Net, with_nands
from gcmforge.leaf.reduction import DEGREE


@dataclass(frozen=True, kw_only=True, slots=True)
class Scheme:
    """One bilinear algorithm; all nets in polynomial order, net i the coefficient of x^i.

    evaluate(b, operand, name): an operand of 128 nets -> the nets that the products take, all of
    them linear in the operand; name is that of the operand in labels.
    products(b, p, q): two evaluated operands -> nets that are sums of products of p and q.
    combine(b, products): those nets, or their sums over several products -> the 128 nets of the
    product, or of the sum of products; linear.
    evaluate_key: the same as `evaluate` for the second operand, where that is another map.
    """

    name: str
    evaluate: Callable[[Builder, Sequence[Net], str], list[Net]]
    products: Callable[[Builder, Sequence[Net], Sequence[Net]], list[Net]]
    combine: Callable[[Builder, Sequence[Net]], list[Net]]
    evaluate_key: Callable[[Builder, Sequence[Net], str], list[Net]] | None = None

    def evaluate_both(
        self, b: Builder, p: Sequence[Net], q: Sequence[Net], lane: str = ""
    ) -> tuple[list[Net], list[Net]]:
        """Both operands of a product, the key's second; labelled a and b, then the lane."""
        key = self.evaluate_key or self.evaluate
        return self.evaluate(b, p, f"a{lane}"), key(b, q, f"b{lane}")


def product_circuit(scheme: Scheme) -> Circuit:
    """gf128_mul: a_i[127:0], b_i[127:0] to c_o[127:0]."""
    b = Builder("gf128_mul")
    p, q = b.input("a_i", DEGREE), b.input("b_i", DEGREE)
    products = scheme.products(b, *scheme.evaluate_both(b, p, q))
    b.output("c_o", scheme.combine(b, products))
    return with_nands(b.build())
