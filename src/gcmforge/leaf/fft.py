# SPDX-License-Identifier: Apache-2.0
"""Products in GF(2^128) by a Frobenius additive FFT: few products, large linear maps around them.

The product of two polynomials of degree below 128 has degree at most 254, so it is known by its
residues modulo x^256 + x, the product of all 36 irreducible polynomials of degree 1, 2, 4 and 8
(2 + 1 + 3 + 30 of them): by one product in GF(2), GF(4), GF(16) or GF(256) for each.  A residue is
the value at one root, one root of each polynomial is enough (the others are its conjugates), and
Karatsuba inside the fields takes 1, 3, 9 or 27 products of bits: 842 in all.

The values come from the tree of an additive FFT (D. G. Cantor, J. Combinatorial Theory A 50, 1989)
pruned to one root of each orbit (W. Li, M. Chen, P. Kuo, C. Cheng, B. Yang, "Frobenius additive
fast Fourier transform", ISSAC 2018).  With s_0 = x and s_(k+1) = s_k^2 + s_k every s_k is linear,
has coefficients in GF(2), and s_(k+1) + c = (s_k + e)(s_k + e + 1) where e^2 + e = c.  A node of
the tree is a polynomial modulo s_k + c with coefficients in K, the field that its path has needed
so far:  lo + s_k hi becomes lo + e hi and lo + (e + 1) hi.  If e is not in K the two are conjugate
over K, and lo + e hi is the pair (lo, hi): no gate.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from gcmforge.circuit import Builder, Net, linear_map, paar
from gcmforge.circuit.ir import ZERO
from gcmforge.field import AES_POLYNOMIAL, BitMatrix, gf128_multiply, poly_multiply_mod
from gcmforge.leaf.bilinear import Scheme
from gcmforge.leaf.fft_bases import from_subspace_basis, to_subspace_basis
from gcmforge.leaf.programs import apply_transposed, load_xors
from gcmforge.leaf.reduction import DEGREE, reduce_nets

LEVELS = 8
PRODUCTS = 842
"""Bits that `products` gives."""

Basis = tuple[int, ...]
"""Of a field over GF(2), as elements of GF(256): 1, e1, e2, e1 e2, e3, ... where e1, e2, e3 are the
elements that the path through the tree has adjoined."""


def fft(name: str) -> Scheme:
    """The scheme as the tree gives it."""
    return Scheme(
        name=name,
        evaluate=lambda b, operand, _: evaluate(b, operand),
        products=products,
        combine=combine,
    )


def searched_fft(name: str) -> Scheme:
    """The same products; both linear maps by programs of leaf/data, found by search."""
    return Scheme(
        name=name,
        evaluate=lambda b, operand, _: _values_searched(b, operand),
        products=products,
        combine=_combine_searched,
    )


def transposed_fft(name: str) -> Scheme:
    """The same trilinear form with the key and the result exchanged: the key's side is evaluated by
    the transposed interpolation, once a key, and what the lanes share is the transposed evaluation,
    which is far smaller.

    With f(c) the constant coefficient of c, f(a b h) is symmetric in all three.  It is a sum over
    the products of pairs, w0 u0 v0 + w1 (u0 v1 + u1 v0) + w2 u1 v1, with u and v from a and b by
    `evaluate`, and w by the transposed `combine` from the functional c -> f(h c); so what is
    multiplied by each v, taken back by the transposed `evaluate`, is the functional b -> f(a h b).
    """
    return Scheme(
        name=name,
        evaluate=lambda b, operand, _: _values_searched(b, operand),
        products=_turned_products,
        combine=_turned_combine,
        evaluate_key=lambda b, operand, _: _turned_key(b, operand),
    )


def _values_searched(b: Builder, operand: Sequence[Net]) -> list[Net]:
    with b.section("values of the operand, and their sums"):
        return list(load_xors("fft_evaluate.txt").apply(b, operand))


def _combine_searched(b: Builder, nets: Sequence[Net]) -> list[Net]:
    with b.section("interpolation and reduction"):
        return list(load_xors("fft_combine.txt").apply(b, nets))


def _turned_key(b: Builder, key: Sequence[Net]) -> list[Net]:
    with b.section("functional of the key, and the transposed interpolation"):
        functional = linear_map(b, key, _functionals().rows)
        return apply_transposed(b, load_xors("fft_combine.txt"), functional)


def _turned_products(b: Builder, p: Sequence[Net], q: Sequence[Net]) -> list[Net]:
    """562 bits of the one operand and 842 of the key -> 562 bits: for each pair w0 u0 + w1 u1 and
    w1 u0 + w2 u1."""
    nets: list[Net] = []
    u, w = iter(p), iter(q)
    with b.section("products in the residue fields"):
        for basis in residue_bases():
            for _ in range(_leaves(basis)):
                if len(basis) == 1:
                    nets.append(b.and_(next(u), next(w)))
                    continue
                u0, u1, w0, w1, w2 = next(u), next(u), next(w), next(w), next(w)
                nets.append(b.xor(b.and_(w0, u0), b.and_(w1, u1)))
                nets.append(b.xor(b.and_(w1, u0), b.and_(w2, u1)))
    return nets


def _turned_combine(b: Builder, nets: Sequence[Net]) -> list[Net]:
    with b.section("transposed evaluation"):
        functional = apply_transposed(b, load_xors("fft_evaluate.txt"), nets)
        return list(linear_map(b, functional, _functionals().inverse().rows))


@cache
def _functionals() -> BitMatrix:
    """128 x 128, symmetric: row i sends h to the constant coefficient of h x^i."""
    rows = []
    for i in range(DEGREE):
        images = [gf128_multiply(1 << i, 1 << j) & 1 for j in range(DEGREE)]
        rows.append(sum(bit << j for j, bit in enumerate(images)))
    return BitMatrix(rows=tuple(rows), columns=DEGREE)


def evaluate(b: Builder, operand: Sequence[Net]) -> list[Net]:
    """128 coefficients -> the 562 bits that the products take, residue by residue."""
    found = values(b, operand)
    with b.section("sums for Karatsuba in the residue fields"):
        return [net for value in found for net in _forms(b, value)]


def values(
    b: Builder, operand: Sequence[Net], constant: Sequence[Net] = (ZERO,) * 4
) -> list[list[Net]]:
    """128 coefficients -> the value at one root of each irreducible polynomial, in coordinates of
    its basis, smallest fields first. `constant` is added to it, an element of the part of GF(16)
    that is in its field; and, in GF(256), that times the element that was adjoined last."""
    with b.section("basis of products of s_k"):
        coefficients = to_subspace_basis(b, operand)
    with b.section("values at one root of each irreducible polynomial"):
        nodes = [[net] for net in [*coefficients, *[ZERO] * DEGREE]]
        nodes[0] = [b.xor(coefficients[0], constant[0])]
        return list(_values(b, nodes, 0, (1,), constant))


def products(b: Builder, p: Sequence[Net], q: Sequence[Net]) -> list[Net]:
    """Two evaluated operands -> 842 bits: three for each pair of bits, u0 v0, u0 v1 + u1 v0 and
    u1 v1, and one for each of the values in GF(2)."""
    nets: list[Net] = []
    place = 0
    with b.section("products in the residue fields"):
        for basis in residue_bases():
            size = min(2, len(basis))
            for _ in range(_leaves(basis)):
                u, v = p[place : place + size], q[place : place + size]
                place += size
                nets.append(b.and_(u[0], v[0]))
                if size == 2:
                    nets.append(b.xor(b.and_(u[0], v[1]), b.and_(u[1], v[0])))
                    nets.append(b.and_(u[1], v[1]))
    return nets


def combine(b: Builder, nets: Sequence[Net]) -> list[Net]:
    """842 products, or sums of products -> the 128 coefficients of the reduced product."""
    place = 0
    residues = []
    with b.section("recombination in the residue fields"):
        for basis in residue_bases():
            weights = product_weights(basis)
            part = nets[place : place + len(weights)]
            place += len(weights)
            residues.append(list(linear_map(b, part, basis_matrix(basis, weights))))
    return interpolated(b, residues)


def interpolated(b: Builder, residues: Iterable[list[Net]]) -> list[Net]:
    """The polynomial of degree 254 at most with these residues, in the order of `values`, modulo
    x^128 + x^7 + x^2 + x + 1."""
    with b.section("interpolation"):
        nodes = _interpolated(b, iter(residues), LEVELS, 0, (1,))
        product = from_subspace_basis(b, [net for (net,) in nodes])
    with b.section("reduction modulo x^128 + x^7 + x^2 + x + 1"):
        return reduce_nets(b, product[: 2 * DEGREE - 1])


# ---- the residue fields --------------------------------------------------------------------------


def multiply(p: int, q: int) -> int:
    """In GF(256)."""
    return poly_multiply_mod(p, q, AES_POLYNOMIAL)


@cache
def coordinates(basis: Basis) -> dict[int, int]:
    """Of every element of the field: bit i belongs to basis[i]."""
    table = {0: 0}
    for i, element in enumerate(basis):
        table |= {value ^ element: bits | 1 << i for value, bits in table.items()}
    return table


@cache
def _artin_schreier(c: int) -> int:
    """The lesser e in GF(256) with e^2 + e = c."""
    return next(e for e in range(256) if multiply(e, e) ^ e == c)


def _adjoined(basis: Basis, e: int) -> Basis:
    return (*basis, *(multiply(e, element) for element in basis))


def basis_matrix(basis: Basis, columns: Iterable[int]) -> list[int]:
    """Rows of the map that sends unit vector j to columns[j], in coordinates of the basis."""
    images = [coordinates(basis)[column] for column in columns]
    return [sum((value >> i & 1) << j for j, value in enumerate(images)) for i in range(len(basis))]


def product_weights(basis: Basis) -> list[int]:
    """The element that each product of bits is multiplied with to give the product in the field.

    With values u + e v a Karatsuba step gives (1 + e) L + (e^2 + e) H + e M; the last step is the
    schoolbook's, with 1, e and e^2.
    """
    if len(basis) == 1:
        return [1]
    e, half = basis[len(basis) // 2], basis[: len(basis) // 2]
    if len(basis) == 2:
        return [1, e, multiply(e, e)]
    inner = product_weights(half)
    steps = (1 ^ e, multiply(e, e) ^ e, e)
    return [multiply(step, weight) for step in steps for weight in inner]


def _leaves(basis: Basis) -> int:
    """Products of pairs of bits (or of single ones in GF(2)) that the field takes."""
    return 1 if len(basis) <= 2 else 3 * _leaves(basis[: len(basis) // 2])


def _forms(b: Builder, value: Sequence[Net]) -> list[Net]:
    """The operands of the products of pairs, in the order low, high, middle."""
    if len(value) <= 2:
        return list(value)
    low, high = value[: len(value) // 2], value[len(value) // 2 :]
    middle = [b.xor(s, t) for s, t in zip(low, high, strict=True)]
    return [net for part in (low, high, middle) for net in _forms(b, part)]


# ---- the tree ------------------------------------------------------------------------------------


@cache
def residue_bases() -> tuple[Basis, ...]:
    """The basis of each residue's field, in the order of the tree."""
    return tuple(_bases(LEVELS, 0, (1,)))


@cache
def residue_roots() -> tuple[int, ...]:
    """The root at which each residue is the value, as an element of GF(256)."""
    return tuple(_roots(LEVELS, 0, (1,)))


def _bases(level: int, shift: int, basis: Basis) -> Iterator[Basis]:
    if level == 0:
        yield basis
        return
    for e, field in _children(shift, basis):
        yield from _bases(level - 1, e, field)


def _roots(level: int, shift: int, basis: Basis) -> Iterator[int]:
    if level == 0:
        yield shift
        return
    for e, field in _children(shift, basis):
        yield from _roots(level - 1, e, field)


def _children(shift: int, basis: Basis) -> list[tuple[int, Basis]]:
    e = _artin_schreier(shift)
    if e in coordinates(basis):
        return [(e, basis), (e ^ 1, basis)]
    return [(e, _adjoined(basis, e))]


def _values(
    b: Builder, nodes: Sequence[list[Net]], shift: int, basis: Basis, constant: Sequence[Net]
) -> Iterator[list[Net]]:
    """The values at the leaves below a node, each in coordinates of its basis; nodes[i] is the
    coefficient at the i-th product of s_k, in coordinates of this one's. Of `constant` those
    coordinates are still to be added that the basis does not have yet."""
    if len(nodes) == 1:
        yield nodes[0]
        return
    half = len(nodes) // 2
    low, high = nodes[:half], nodes[half:]
    (e, field), *second = _children(shift, basis)
    if not second:
        size = len(basis) % len(constant)  # those of e times an element of GF(16) are the same
        high = [_sum(b, high[0], constant[size : size + len(basis)]), *high[1:]]
        wider = [s + t for s, t in zip(low, high, strict=True)]
        yield from _values(b, wider, e, field, constant)
        return
    cheap, matrix = _cheaper(e, basis)
    first = [_sum(b, s, linear_map(b, t, matrix)) for s, t in zip(low, high, strict=True)]
    other = [_sum(b, s, t) for s, t in zip(first, high, strict=True)]
    left, right = (first, other) if cheap == e else (other, first)
    yield from _values(b, left, e, basis, constant)
    yield from _values(b, right, e ^ 1, basis, constant)


@cache
def _cheaper(e: int, basis: Basis) -> tuple[int, list[int]]:
    """Of e and e + 1 the one whose products take fewer XORs, and its matrix."""
    choices = [
        (one, basis_matrix(basis, [multiply(one, element) for element in basis]))
        for one in (e, e ^ 1)
    ]
    return min(choices, key=lambda choice: paar(choice[1], width=len(basis)).xors)


def _interpolated(
    b: Builder, residues: Iterator[list[Net]], level: int, shift: int, basis: Basis
) -> list[list[Net]]:
    """The inverse of `_values`."""
    if level == 0:
        return [next(residues)]
    (e, field), *second = _children(shift, basis)
    left = _interpolated(b, residues, level - 1, e, field)
    if not second:
        return [node[: len(basis)] for node in left] + [node[len(basis) :] for node in left]
    right = _interpolated(b, residues, level - 1, e ^ 1, basis)
    high = [_sum(b, s, t) for s, t in zip(left, right, strict=True)]
    matrix = basis_matrix(basis, [multiply(e, element) for element in basis])
    low = [_sum(b, s, linear_map(b, t, matrix)) for s, t in zip(left, high, strict=True)]
    return low + high


def _sum(b: Builder, s: Sequence[Net], t: Sequence[Net]) -> list[Net]:
    return [b.xor(p, q) for p, q in zip(s, t, strict=True)]
