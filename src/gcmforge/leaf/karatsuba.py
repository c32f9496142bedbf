# SPDX-License-Identifier: Apache-2.0
"""Karatsuba-Ofman multipliers in GF(2^128): halves, even and odd coefficients, and mixtures.

A step splits the operands in two.  With a = a1 x^m + a0, b likewise, L = a0 b0, H = a1 b1 and
M = (a1 + a0)(b1 + b0) the product is L + x^m (M + L + H) + x^2m H.  Written as
(1 + x^m)(L + x^m H) + x^m M it needs the overlap of L and x^m H only once: 7m - 3 XORs a step,
2m of them in front (D. J. Bernstein, "Batch binary Edwards", CRYPTO 2009).

Split into even and odd coefficients instead, a = a0(x^2) + x a1(x^2), the product is
L + x^2 H + x (M + L + H) with L, H, M polynomials in x^2, where nothing overlaps but L and x^2 H:
8m - 4 XORs a step (H. Fan, J. Sun, M. Gu, K.-Y. Lam, "Overlap-free Karatsuba-Ofman polynomial
multiplication algorithms", IET Information Security 4, 2010).

Both put 2 T_X around M, one before and one after; around L and H the halves put 3 T_X and the
even and odd coefficients 2.  So in a chain of halves only the outermost products are late, and the
best form under a depth bound is another one for L and H than for M: `mixture` finds it.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from gcmforge.circuit import Builder, Net
from gcmforge.circuit.cost import GE
from gcmforge.circuit.ir import Op
from gcmforge.leaf.bilinear import Scheme
from gcmforge.leaf.programs import load_xors
from gcmforge.leaf.reduction import DEGREE, reduce_balanced, reduce_nets

MAX_STEPS = 7

REDUCTION = "reduction modulo x^128 + x^7 + x^2 + x + 1"


@dataclass(frozen=True, kw_only=True, slots=True)
class Form:
    """How a product of polynomials with `bits` coefficients is made: by the schoolbook if there are
    no parts, else by a step of the kind `split` (h: halves, e: even and odd coefficients) with the
    parts low, high, middle."""

    bits: int
    split: str = ""
    parts: "tuple[Form, ...]" = ()

    @property
    def products(self) -> int:
        """Coefficients of all schoolbook products together."""
        return sum(part.products for part in self.parts) if self.parts else 2 * self.bits - 1

    @property
    def operands(self) -> int:
        """Operand bits of all schoolbook products together."""
        return sum(part.operands for part in self.parts) if self.parts else self.bits

    def __str__(self) -> str:
        """Short: a step's letter before its parts, L and H once (they are alike), then M; a number
        is a schoolbook of that many bits."""
        if not self.parts:
            return str(self.bits)
        low, _, middle = self.parts
        inside = str(low) if low == middle else f"{low},{middle}"
        return f"{self.split}({inside})"


def uniform(splits: str, bits: int = DEGREE) -> Form:
    """The same kind of step for all products of a level: one letter, h or e, a step."""
    if len(splits) > MAX_STEPS or set(splits) - {"h", "e"}:
        raise ValueError(f"splits={splits!r}: up to {MAX_STEPS} letters, each h or e")
    if not splits:
        return Form(bits=bits)
    part = uniform(splits[1:], bits // 2)
    return Form(bits=bits, split=splits[0], parts=(part,) * 3)


def mixture(depth_xor: int, bits: int = DEGREE) -> Form:
    """The form of least area whose product, before reduction, is ready after one AND and depth_xor
    XORs: a dynamic programme over the size and the XORs that are left around a product."""
    if depth_xor < _levels(bits):
        raise ValueError(f"depth_xor={depth_xor}: {bits} bits need at least {_levels(bits)}")
    return _best(bits, depth_xor)[1]


def _levels(bits: int) -> int:
    return math.ceil(math.log2(bits))


@cache
def _best(bits: int, levels: int) -> tuple[float, Form]:
    """The least area in GE, and its form; ties go to the schoolbook, then to the halves."""
    found = []
    if levels >= _levels(bits):
        area_ge = bits**2 * GE[Op.NAND] + (bits - 1) ** 2 * GE[Op.XOR]
        found.append((area_ge, Form(bits=bits)))
    for split, outer, xors in (("h", 3, 7 * bits // 2 - 3), ("e", 2, 8 * bits // 2 - 4)):
        if bits % 2 == 0 and levels - outer >= _levels(bits // 2):
            end, end_form = _best(bits // 2, levels - outer)
            middle, middle_form = _best(bits // 2, levels - 2)
            form = Form(bits=bits, split=split, parts=(end_form, end_form, middle_form))
            found.append((2 * end + middle + xors * GE[Op.XOR], form))
    return min(found, key=lambda one: one[0])


def karatsuba(name: str, form: Form, *, balanced: bool = False) -> Scheme:
    """The scheme of a form; balanced: a reduction of least depth for the times at which the
    coefficients come."""
    reduce = reduce_balanced if balanced else reduce_nets
    return Scheme(
        name=name,
        evaluate=partial(_evaluate, form=form, path=""),
        products=partial(_products, form=form),
        combine=partial(_combine, form=form, reduce=reduce),
    )


def searched_karatsuba(plain: Scheme, program: str) -> Scheme:
    """The same products; `program` names a file of leaf/data, found by search, that takes the place
    of recombination and reduction."""
    return replace(plain, combine=partial(_searched, program=program))


def leaves(form: Form) -> Iterator[Form]:
    """The schoolbook products in the order low, high, middle at each step."""
    if not form.parts:
        yield form
    for part in form.parts:
        yield from leaves(part)


# ---- circuits ------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class _Split:
    """How one step takes operands apart and puts the three products together."""

    name: str
    low: Callable[[int], slice]
    high: Callable[[int], slice]
    recombine: Callable[[Builder, Sequence[Net], Sequence[Net], Sequence[Net]], list[Net]]


def _evaluate(b: Builder, operand: Sequence[Net], name: str, *, form: Form, path: str) -> list[Net]:
    """The operands of all schoolbook products, in the order low, high, middle at each step.

    path names the place in the recursion in labels: one letter a step, l, h or m for the low, high
    and middle product.
    """
    if not form.parts:
        return list(operand)
    split = _SPLITS[form.split]
    low, high = operand[split.low(form.bits)], operand[split.high(form.bits)]
    with b.section(f"sums of the {split.name}, {form.bits} bits"):
        middle = [b.xor(s, t) for s, t in zip(low, high, strict=True)]
    b.label(middle, f"{name}_{path}m")
    return [
        net
        for part, letter, nets in zip(form.parts, "lhm", (low, high, middle), strict=True)
        for net in _evaluate(b, nets, name, form=part, path=path + letter)
    ]


def _products(b: Builder, p: Sequence[Net], q: Sequence[Net], *, form: Form) -> list[Net]:
    """The coefficients of each schoolbook product."""
    nets: list[Net] = []
    place = 0
    for leaf in leaves(form):
        end = place + leaf.bits
        with b.section(f"schoolbook products of {leaf.bits} bits"):
            nets += schoolbook(b, p[place:end], q[place:end])
        place = end
    return nets


def schoolbook(b: Builder, p: Sequence[Net], q: Sequence[Net]) -> list[Net]:
    """The coefficients of the product of two polynomials."""
    return [
        b.xor_sum(b.and_(p[i], q[k - i]) for i in range(len(p)) if 0 <= k - i < len(q))
        for k in range(len(p) + len(q) - 1)
    ]


def _combine(
    b: Builder,
    products: Sequence[Net],
    *,
    form: Form,
    reduce: Callable[[Builder, Sequence[Net]], list[Net]],
) -> list[Net]:
    product = _recombined(b, products, form, "")
    with b.section(REDUCTION):
        return reduce(b, product)


def _searched(b: Builder, products: Sequence[Net], *, program: str) -> list[Net]:
    with b.section(f"recombination and {REDUCTION}"):
        return list(load_xors(program).apply(b, products))


def _recombined(b: Builder, products: Sequence[Net], form: Form, path: str) -> list[Net]:
    """The 2 bits - 1 coefficients of a product from those of its schoolbook products."""
    if not form.parts:
        product = list(products)
    else:
        parts = []
        place = 0
        for part, letter in zip(form.parts, "lhm", strict=True):
            end = place + part.products
            parts.append(_recombined(b, products[place:end], part, path + letter))
            place = end
        low, high, middle = parts
        with b.section(f"recombination, {form.bits} bits"):
            product = _SPLITS[form.split].recombine(b, low, middle, high)
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


_SPLITS = {
    "h": _Split(
        name="halves",
        low=lambda n: slice(0, n // 2),
        high=lambda n: slice(n // 2, n),
        recombine=_join_halves,
    ),
    "e": _Split(
        name="even and odd coefficients",
        low=lambda n: slice(0, n, 2),
        high=lambda n: slice(1, n, 2),
        recombine=_interleave,
    ),
}
