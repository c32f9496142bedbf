# SPDX-License-Identifier: Apache-2.0
"""Bilinear algorithms for products in GF(2^128), taken apart where sums of products share.

Every one of them is c = combine(products(evaluate(a), evaluate(b))): sums of each operand's bits,
products of these sums, and a linear map (recombination and reduction) behind. Products that are to
be added need that map once, on the sum of what `products` gives for each of them; and an operand
that many products share, or that is known long before, is evaluated once.

The Karatsuba schemes are told in multiplier.py.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gcmforge.circuit import Builder, Circuit, Net, with_nands
from gcmforge.leaf.programs import load_xors
from gcmforge.leaf.reduction import DEGREE, reduce_nets

MAX_STEPS = 6

REDUCTION = "reduction modulo x^128 + x^7 + x^2 + x + 1"


@dataclass(frozen=True, kw_only=True, slots=True)
class Scheme:
    """One bilinear algorithm; all nets in polynomial order, net i the coefficient of x^i.

    evaluate(b, operand, name): an operand of 128 nets -> the nets that the products take, all of
    them linear in the operand; name is that of the operand in labels.
    products(b, p, q): two evaluated operands -> nets that are sums of products of p and q.
    combine(b, products): those nets, or their sums over several products -> the 128 nets of the
    product, or of the sum of products; linear.
    """

    name: str
    evaluate: Callable[[Builder, Sequence[Net], str], list[Net]]
    products: Callable[[Builder, Sequence[Net], Sequence[Net]], list[Net]]
    combine: Callable[[Builder, Sequence[Net]], list[Net]]


def product_circuit(scheme: Scheme) -> Circuit:
    """gf128_mul: a_i[127:0], b_i[127:0] to c_o[127:0]."""
    b = Builder("gf128_mul")
    p, q = b.input("a_i", DEGREE), b.input("b_i", DEGREE)
    products = scheme.products(b, scheme.evaluate(b, p, "a"), scheme.evaluate(b, q, "b"))
    b.output("c_o", scheme.combine(b, products))
    return with_nands(b.build())


def karatsuba(name: str, steps: int, *, fast: bool = False) -> Scheme:
    """0 (schoolbook) to 6 Karatsuba steps, all of them overlap-free if fast."""
    if not 0 <= steps <= MAX_STEPS:
        raise ValueError(f"steps={steps}: from 0 (schoolbook) to {MAX_STEPS}")
    split = _INTERLEAVED if fast else _HALVES
    return Scheme(
        name=name,
        evaluate=partial(_evaluate, split=split, steps=steps, path=""),
        products=partial(_products, size=DEGREE >> steps),
        combine=partial(_combine, split=split, steps=steps),
    )


def small_karatsuba(name: str, steps: int) -> Scheme:
    """The halves split with a program found by search behind the products."""
    return replace(karatsuba(name, steps), combine=partial(_searched, steps=steps))


def scheme(variant: str) -> Scheme:
    """The scheme of a multiplier variant: schoolbook, ko1 .. ko6, koN_fast, koN_small."""
    if variant == "schoolbook":
        return karatsuba(variant, 0)
    steps, form = int(variant[2]), variant.partition("_")[2]
    if form == "small":
        return small_karatsuba(variant, steps)
    return karatsuba(variant, steps, fast=form == "fast")


# ---- Karatsuba -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class _Split:
    """How one step takes operands apart and puts the three products together."""

    name: str
    low: Callable[[int], slice]
    high: Callable[[int], slice]
    recombine: Callable[[Builder, Sequence[Net], Sequence[Net], Sequence[Net]], list[Net]]


def _evaluate(
    b: Builder, operand: Sequence[Net], name: str, *, split: _Split, steps: int, path: str
) -> list[Net]:
    """The operands of all schoolbook products, in the order low, high, middle at each step.

    path names the place in the recursion in labels: one letter a step, l, h or m for the low, high
    and middle product.
    """
    if steps == 0:
        return list(operand)
    low, high = operand[split.low(len(operand))], operand[split.high(len(operand))]
    with b.section(f"sums of the {split.name}, {len(operand)} bits"):
        middle = [b.xor(s, t) for s, t in zip(low, high, strict=True)]
    b.label(middle, f"{name}_{path}m")
    parts = zip((low, high, middle), "lhm", strict=True)
    return [
        net
        for part, letter in parts
        for net in _evaluate(b, part, name, split=split, steps=steps - 1, path=path + letter)
    ]


def _products(b: Builder, p: Sequence[Net], q: Sequence[Net], *, size: int) -> list[Net]:
    """The 2 size - 1 coefficients of each schoolbook product of `size` bits."""
    with b.section(f"schoolbook products of {size} bits"):
        return [
            net
            for s, t in zip(_pieces(p, size), _pieces(q, size), strict=True)
            for net in _schoolbook(b, s, t)
        ]


def _pieces(nets: Sequence[Net], size: int) -> Iterator[Sequence[Net]]:
    return (nets[i : i + size] for i in range(0, len(nets), size))


def _schoolbook(b: Builder, p: Sequence[Net], q: Sequence[Net]) -> list[Net]:
    return [
        b.xor_sum(b.and_(p[i], q[k - i]) for i in range(len(p)) if 0 <= k - i < len(q))
        for k in range(len(p) + len(q) - 1)
    ]


def _combine(b: Builder, products: Sequence[Net], *, split: _Split, steps: int) -> list[Net]:
    product = _recombined(b, products, DEGREE, split, steps, "")
    with b.section(REDUCTION):
        return reduce_nets(b, product)


def _searched(b: Builder, products: Sequence[Net], *, steps: int) -> list[Net]:
    with b.section(f"recombination and {REDUCTION}"):
        return list(load_xors(f"ko{steps}_small.txt").apply(b, products))


def _recombined(
    b: Builder, products: Sequence[Net], bits: int, split: _Split, steps: int, path: str
) -> list[Net]:
    """The 2 bits - 1 coefficients of a product from those of its schoolbook products."""
    if steps == 0:
        product = list(products)
    else:
        low, high, middle = (
            _recombined(b, part, bits // 2, split, steps - 1, path + letter)
            for part, letter in zip(_pieces(products, len(products) // 3), "lhm", strict=True)
        )
        with b.section(f"recombination, {bits} bits"):
            product = split.recombine(b, low, middle, high)
    b.label(product, f"product_{path}" if path else "product")
    return product


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
