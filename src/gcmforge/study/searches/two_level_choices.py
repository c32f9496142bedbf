# SPDX-License-Identifier: Apache-2.0
"""What the search of two_level.py chooses from: bits of the norm, sums of theta, products."""

import itertools
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from gcmforge.circuit import (
    Builder,
    Net,
)
from gcmforge.field import aes_affine, aes_sbox
from gcmforge.study.searches.sbox_forms import (
    FAST,
    Pair,
    multiply,
    norm_bit,
    power,
    trace4,
)

GF16 = [a for a in range(1, 256) if power(a, 16) == a]
"""The non-zero elements of GF(2^4) in the AES field. A bit of the norm is trace(c x^17), a sum of
bits of theta is trace(d theta), by c and d out of these."""


INVERSE = {a: power(a, 14) for a in GF16}


def alternating(u: int, v: int) -> int:
    """Which products x_i x_j, i > j, the product of the sums u and v has."""
    pairs = itertools.combinations(range(8), 2)
    return sum(1 << k for k, (i, j) in enumerate(pairs) if (u >> i & v >> j ^ u >> j & v >> i) & 1)


@cache
def ways() -> Mapping[int, tuple[tuple[Pair, ...], ...]]:
    """For each c all ways to write trace(c x^17) as a sum of four gates, each over two sums of one
    or two input bits, in one of them at most a sum of three."""
    short = [u for u in range(1, 256) if u.bit_count() <= 2]
    pairs = [(u, v, alternating(u, v)) for u, v in itertools.combinations(short, 2)]
    triples = [u for u in range(256) if u.bit_count() == 3]
    long = [(u, v, alternating(u, v)) for u in triples for v in short]
    long += [(u, v, alternating(u, v)) for u, v in itertools.combinations(triples, 2)]
    two: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for p, q in itertools.combinations(range(len(pairs)), 2):
        two[pairs[p][2] ^ pairs[q][2]].append((p, q))
    everything = pairs + long
    found = {}
    for c in GF16:
        values = norm_bit(c)
        products = _products(values)
        sets = {
            tuple(sorted(x + y)) for a in two for x in two.get(products ^ a, ()) for y in two[a]
        }
        for number, (_, _, has) in enumerate(long, len(pairs)):
            for p, (_, _, more) in enumerate(pairs):
                for x in two.get(products ^ has ^ more, ()):
                    sets.add((*sorted((p, *x)), number))
        whole = [s for s in sorted(sets) if len(set(s)) == 4]
        quadruples = ([everything[k][:2] for k in numbers] for numbers in whole)
        found[c] = tuple(way for quadruple in quadruples for way in _inverted(quadruple, values))
    return found


def _products(values: Sequence[int]) -> int:
    """Which products x_i x_j a quadratic form without a constant has, from its values."""
    pairs = itertools.combinations(range(8), 2)
    return sum(
        1 << k
        for k, (i, j) in enumerate(pairs)
        if values[1 << i | 1 << j] ^ values[1 << i] ^ values[1 << j]
    )


def _inverted(
    pairs: Sequence[tuple[int, int]], values: Sequence[int]
) -> Iterator[tuple[Pair, ...]]:
    """The inversions of factors that make the form equal; the sum of the products is right already
    but for a linear form: uv + u is u and not v, uv + u + v is u or v."""
    linear = sum(values[1 << i] << i for i in range(8))
    for u, v in pairs:
        linear ^= u & v
    for chosen in itertools.product(range(4), repeat=4):
        rest = linear
        for which, (u, v) in zip(chosen, pairs, strict=True):
            rest ^= (u if which & 2 else 0) ^ (v if which & 1 else 0)
        if rest == 0:
            yield tuple(Pair(u, v, w) for w, (u, v) in zip(chosen, pairs, strict=True))


def sums_of(way: Sequence[Pair]) -> set[int]:
    return {m for pair in way for m in (pair.u, pair.v)}


def fewest_sums(bits: Sequence[int], rng: random.Random) -> dict[int, tuple[Pair, ...]]:
    """For each of these bits of the norm a way, so that all need few sums of input bits: one after
    the other the way that adds the fewest, ties by lot, three times over."""
    chosen = {c: rng.choice(ways()[c]) for c in bits}
    for _ in range(3):
        for c in bits:
            rest = set().union(*(sums_of(chosen[other]) for other in bits if other != c))
            least = min(len(sums_of(way) - rest) for way in ways()[c])
            chosen[c] = rng.choice([w for w in ways()[c] if len(sums_of(w) - rest) == least])
    return chosen


@dataclass(frozen=True, slots=True)
class Gate:
    """An AND of two bits of the norm, by c, each inverted or not; then inverted or not."""

    bits: tuple[int, int]
    inverted: tuple[int, int]
    nand: int

    def table(self) -> int:
        (a, b), (s, t) = (TABLES[c] for c in self.bits), (-i & ONES for i in self.inverted)
        return (a ^ s) & (b ^ t) ^ (-self.nand & ONES)

    def shifted(self, d: int) -> "Gate":
        """The same with trace(c y / d) for trace(c y)."""
        first, second = (multiply(c, INVERSE[d]) for c in self.bits)
        return Gate((first, second), self.inverted, self.nand)

    def build(self, b: Builder, nets: Mapping[int, Net]) -> Net:
        p, q = (nets[c] for c in self.bits)
        s, t = self.inverted
        if s and t:
            return b.or_(p, q) if self.nand else b.nor(p, q)
        p, q = b.not_(p) if s else p, b.not_(q) if t else q
        return b.nand(p, q) if self.nand else b.and_(p, q)


@dataclass(frozen=True, slots=True)
class Choice:
    """A sum of theta's bits: one gate where a bit of the norm is 1, another where it is 0."""

    select: int
    upper: Gate
    lower: Gate

    @property
    def bits(self) -> frozenset[int]:
        return frozenset((self.select, *self.upper.bits, *self.lower.bits))

    def shifted(self, d: int) -> "Choice":
        return Choice(
            multiply(self.select, INVERSE[d]), self.upper.shifted(d), self.lower.shifted(d)
        )

    def build(self, b: Builder, nets: Mapping[int, Net]) -> Net:
        return b.mux(nets[self.select], self.upper.build(b, nets), self.lower.build(b, nets))


ONES = (1 << 16) - 1


TABLES = {c: sum(trace4(multiply(c, y)) << i for i, y in enumerate([0, *GF16])) for c in GF16}
"""trace(c y) over the 16 elements y."""


@cache
def choices() -> tuple[Choice, ...]:
    """All ways to make trace(1 / y) from bits trace(c y)."""
    wanted = sum(trace4(INVERSE.get(y, 0)) << i for i, y in enumerate([0, *GF16]))
    inversions = [(p, q) for p in (0, 1) for q in (0, 1)]
    gates = [
        Gate((p, q), inverted, nand)
        for p, q in itertools.combinations(GF16, 2)
        for inverted in inversions
        for nand in (0, 1)
    ]
    tables = [gate.table() ^ wanted for gate in gates]
    found = []
    for select in GF16:
        one = TABLES[select]
        upper = [g for g, wrong in zip(gates, tables, strict=True) if not wrong & one]
        lower = [g for g, wrong in zip(gates, tables, strict=True) if not wrong & ~one]
        found += [Choice(select, p, q) for p in upper for q in lower]
    return tuple(found)


@cache
def choices_for(d: int) -> tuple[Choice, ...]:
    """All ways to make trace(d / y), which is trace(1 / z) with z = y / d."""
    return tuple(choice.shifted(d) for choice in choices())


@cache
def needs(d: int) -> frozenset[int]:
    """The sets of bits of the norm that choices_for(d) take, as masks over GF16."""
    return frozenset(mask_of(choice.bits) for choice in choices_for(d))


def mask_of(bits: Iterable[int]) -> int:
    return sum(1 << GF16.index(c) for c in bits)


def within(bits: frozenset[int]) -> list[int]:
    """The d of the sums of theta's bits that can be made of these bits of the norm."""
    without = ~mask_of(bits)
    return [d for d in GF16 if any(not need & without for need in needs(d))]


def made_of(bits: frozenset[int]) -> dict[int, list[Choice]]:
    """By d all ways to make them."""
    return {d: [x for x in choices_for(d) if x.bits <= bits] for d in within(bits)}


@cache
def nine_of_tower() -> tuple[int, ...]:
    """The d of the nine sums that FAST multiplies by, in its order."""
    theta = {power(x, 17): FAST.theta(x) for x in range(1, 256)}
    forms = (1, 2, 3, 4, 8, 12, 5, 10, 15)

    def d_of(form: int) -> int:
        return next(
            d
            for d in GF16
            if all(
                trace4(multiply(d, INVERSE[norm])) == (t & form).bit_count() & 1
                for norm, t in theta.items()
            )
        )

    return tuple(map(d_of, forms))


@cache
def sets_of_bits() -> tuple[frozenset[int], ...]:
    """Sets of six or seven bits of the norm of which all nine sums can be made."""
    usable = [c for c in GF16 if ways()[c]]
    wanted = set(nine_of_tower())
    return tuple(
        bits
        for count in (6, 7)
        for bits in map(frozenset, itertools.combinations(usable, count))
        if wanted <= set(within(bits))
    )


@cache
def bases() -> Mapping[tuple[int, ...], tuple[int, ...]]:
    """Every basis of GF(2^4) with its dual: trace(e_i d_j) is 1 where i = j and 0 elsewhere."""
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    for basis in itertools.combinations(GF16, 4):
        dual = [
            [e for e in GF16 if [trace4(multiply(e, d)) for d in basis] == unit]
            for unit in ([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1])
        ]
        if all(dual):
            found[basis] = tuple(e[0] for e in dual)
    return found


@cache
def linear_forms() -> Mapping[tuple[int, int], int]:
    """By output bit and e the sum of input bits trace(e l(x)), where the output without its
    constant is trace(l(x) theta): l(x) = m x^16 + (m x^16)^16 for the bit trace8(m / x)."""
    found = {}
    for bit in range(8):
        m = next(m for m in range(1, 256) if _is_output(bit, m))
        for e in GF16:
            mask = 0
            for i in range(8):
                part = multiply(m, power(1 << i, 16))
                mask |= trace4(multiply(e, part ^ power(part, 16))) << i
            found[bit, e] = mask
    return found


def _is_output(bit: int, m: int) -> bool:
    """Whether trace8(m / x) is that bit of the S-box without its constant."""

    def trace8(z: int) -> int:
        return trace4(z ^ power(z, 16))

    constant = aes_affine(0)
    return all(
        trace8(multiply(m, power(1 << i, 254))) == (aes_sbox(1 << i) ^ constant) >> bit & 1
        for i in range(8)
    ) and all(
        trace8(multiply(m, power(x, 254))) == (aes_sbox(x) ^ constant) >> bit & 1
        for x in range(1, 256)
    )


Products = list[tuple[tuple[int, ...], tuple[int, ...]]]
"""For each output bit four d and the four sums of input bits to multiply by."""


def chosen_products(sums: Sequence[int], known: Sequence[int], rng: random.Random) -> Products:
    """For each output bit a basis among the sums of theta, so that there are few sums of input
    bits to make in addition to those known; the best of six descents."""
    allowed = [(basis, dual) for basis, dual in bases().items() if set(basis) <= set(sums)]
    options: list[Products] = [
        [(basis, tuple(linear_forms()[bit, e] for e in dual)) for basis, dual in allowed]
        for bit in range(8)
    ]
    best: tuple[int, Products] | None = None
    for _ in range(6):
        found = _descend(options, known, rng)
        if best is None or found[0] < best[0]:
            best = found
    assert best is not None
    return best[1]


def _descend(
    options: Sequence[Products], known: Sequence[int], rng: random.Random
) -> tuple[int, Products]:
    now = [rng.choice(some) for some in options]
    least = _xors(now, known)
    improved = True
    while improved:
        improved = False
        for bit, some in enumerate(options):
            for option in rng.sample(some, min(60, len(some))):
                tried = [*now[:bit], option, *now[bit + 1 :]]
                xors = _xors(tried, known)
                if xors < least:
                    now, least, improved = tried, xors, True
    return least, now


def _xors(products: Products, known: Sequence[int]) -> int:
    """About how many XORs make the sums of input bits."""
    have, xors = set(known), 0
    masks = {mask for _, masks in products for mask in masks}
    for mask in sorted(masks - have, key=lambda m: (m.bit_count(), m)):
        xors += 1 if any(mask ^ other in have for other in have) else 2
        have.add(mask)
    return xors
