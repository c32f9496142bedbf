# SPDX-License-Identifier: Apache-2.0
"""The searches behind the S-boxes in which theta is two levels of gates: faster and low_depth.

    gcmforge-study search two-level                              what is kept
    gcmforge-study search two-level forms                        what the searches choose from
    gcmforge-study search two-level search faster --seeds 1-4    a climb from each seed

What is better than what is kept replaces it: by delay on osu018 (Debian's qflow-tech-osu018) at up
to 350 GE, by area x delay above. A climb takes minutes and is decided by its seed. As in `fast`
(search_sboxes.py) the norm x^17 is a quadratic form of the input bits, bit by bit, and a bit of
theta = norm^-1 is a function of four bits of the norm. Two things are new.

*More than four bits of the norm.* Any of the 15 sums of the norm's bits can be made from the input
as directly as any other: four gates over sums of input bits. With six or seven of them at hand,
instead of four, most of the 15 sums of the bits of theta are

    s ? ~(a b) : c d        (any of them, also inverted; s, a, b, c, d among those bits)

a NAND, an AND and a multiplexer: two levels.

*What the products are.* `faster` multiplies as towers do, by nine sums of theta, and adds the 18
products up in a layer behind. `low_depth` has no such layer: each output bit is a sum of four
products of a sum of theta's bits and a sum of input bits, for each bit with four sums of its own
choice. This is the form that Maximov and Ekdahl claim (see leaf/sbox_searched.py).
"""

import argparse
import itertools
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from gcmforge.circuit import (
    Builder,
    Circuit,
    Net,
    circuit_listing,
    cost,
    emit_systemverilog,
    parse_listing,
    prove,
)
from gcmforge.field import aes_affine, aes_sbox
from gcmforge.measure import find_target, synthesise
from gcmforge.study.searches.sboxes import (
    DATA,
    FAST,
    FAST_NORM,
    Pair,
    add_form,
    finish,
    multiply,
    norm_bit,
    operands_over,
    power,
    quadratic,
    seed_range,
    trace4,
)

GF16 = [a for a in range(1, 256) if power(a, 16) == a]
"""The non-zero elements of GF(2^4) in the AES field. A bit of the norm is trace(c x^17), a sum of
bits of theta is trace(d theta), by c and d out of these."""
INVERSE = {a: power(a, 14) for a in GF16}
SCRIPTS = ("keep, fan-out 4", "rebuild, fan-out 4", "speed, fan-out 4")


# Bits of the norm as sums of four gates ----------------------------------------------------------


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


# Sums of theta's bits in two levels ---------------------------------------------------------------


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


# Towers: nine sums of theta, a layer behind ------------------------------------------------------


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


# Sums of four products ----------------------------------------------------------------------------


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
    bits to make beside those known; the best of six descents."""
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


# Circuits -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rolls:
    """What is chosen by lot: each choice has a name and is decided by a number, by `base` unless it
    was rolled again."""

    base: int
    again: tuple[tuple[str, int], ...] = ()

    def rng(self, choice: str) -> random.Random:
        return random.Random(f"{choice} {dict(self.again).get(choice, self.base)}")

    def changed(self, rng: random.Random) -> "Rolls":
        """With one choice rolled again."""
        names = ["bits", "norm", "behind"]
        names += [f"{what} {a}" for what in ("order", "theta") for a in GF16]
        return Rolls(
            self.base, tuple((dict(self.again) | {rng.choice(names): rng.getrandbits(32)}).items())
        )


def norm_of(b: Builder, rolls: Rolls, nets: dict[int, Net]) -> dict[int, Net]:
    """The chosen bits of the norm by c; adds the sums of input bits that they need to nets."""
    bits = sorted(rolls.rng("bits").choice(sets_of_bits()))
    chosen = fewest_sums(bits, rolls.rng("norm"))
    with b.section("sums of input bits for the norm"):
        for mask in sorted(set().union(*map(sums_of, chosen.values())), key=int.bit_count):
            add_form(b, nets, mask)
    with b.section("norm: bits and sums of bits, each a quadratic form of four products"):
        order = {c: rolls.rng(f"order {c}").sample(chosen[c], 4) for c in bits}
        norm = {c: quadratic(b, nets, order[c]) for c in bits}
        b.label(list(norm.values()), "norm")
    return norm


def sums_of_theta(
    b: Builder, rolls: Rolls, norm: Mapping[int, Net], wanted: Sequence[int]
) -> dict[int, Net]:
    """Those sums by d, one after the other with the fewest gates that are not there yet."""
    made, there = made_of(frozenset(norm)), set[Gate]()
    sums = {}
    for d in wanted:
        rng = rolls.rng(f"theta {d}")
        more = [len({x.upper, x.lower} - there) for x in made[d]]
        least = min(more)
        choice = rng.choice([x for x, n in zip(made[d], more, strict=True) if n == least])
        there |= {choice.upper, choice.lower}
        sums[d] = choice.build(b, norm)
    return sums


def faster_start(rolls: Rolls) -> Circuit:
    """The nine sums of theta in two levels, 18 products, a layer behind."""
    b = Builder("aes_sbox")
    nets = {1 << i: net for i, net in enumerate(b.input("x_i", 8))}
    norm = norm_of(b, rolls, nets)
    with b.section("sums of theta = norm^-1 in GF(2^4)"):
        sums = sums_of_theta(b, rolls, norm, nine_of_tower())
        b.label(list(sums.values()), "theta_sum")
    with b.section("operands"):
        operands = operands_over(b, nets, FAST.operands().rows[:18])
    finish(b, FAST, operands, list(sums.values()), 3)
    return b.build()


def low_depth_start(rolls: Rolls) -> Circuit:
    """Each output bit a sum of four products."""
    b = Builder("aes_sbox")
    nets = {1 << i: net for i, net in enumerate(b.input("x_i", 8))}
    norm = norm_of(b, rolls, nets)
    allowed = within(frozenset(norm))
    products = chosen_products(allowed, list(nets), rolls.rng("behind"))
    with b.section("sums of theta = norm^-1 in GF(2^4)"):
        used = sorted({d for basis, _ in products for d in basis})
        sums = sums_of_theta(b, rolls, norm, used)
        b.label(list(sums.values()), "theta_sum")
    with b.section("sums of input bits to be multiplied"):
        for mask in sorted({m for _, masks in products for m in masks}, key=int.bit_count):
            near = next((other for other in nets if mask ^ other in nets), None)
            if mask not in nets and near is not None:
                nets[mask] = b.xor(nets[near], nets[mask ^ near])
            add_form(b, nets, mask)
    with b.section("each output bit the sum of four products, with the constant 0x63"):
        outputs = [four_products(b, sums, nets, *products[bit], bit) for bit in range(8)]
    b.output("y_o", outputs)
    return b.build()


def four_products(
    b: Builder,
    sums: Mapping[int, Net],
    nets: Mapping[int, Net],
    basis: Sequence[int],
    masks: Sequence[int],
    bit: int,
) -> Net:
    terms = [b.nand(sums[d], nets[mask]) for d, mask in zip(basis, masks, strict=True)]
    low, high = b.xor(terms[0], terms[1]), b.xor(terms[2], terms[3])
    return b.xnor(low, high) if aes_affine(0) >> bit & 1 else b.xor(low, high)


# The search ---------------------------------------------------------------------------------------


ENOUGH = 350.0
"""GE that are free: the part of the front between towers and tables that is searched."""


@dataclass(frozen=True, slots=True)
class Mapped:
    """On osu018, by the script that makes the figure least: area x delay, where area below ENOUGH
    counts as ENOUGH."""

    figure: float
    area_ge: float
    delay_ns: float


def mapped(c: Circuit) -> Mapped:
    made = synthesise(emit_systemverilog(c), find_target("osu018"), goal="delay", scripts=SCRIPTS)
    (module,) = made.modules.values()
    tried = [(area, delay) for area, delay in module.tried.values() if delay]
    return min(
        (Mapped(max(area, ENOUGH) * delay, area, delay) for area, delay in tried),
        key=lambda m: m.figure,
    )


@dataclass(frozen=True, slots=True)
class Kind:
    """An S-box to be searched."""

    title: str
    start: Callable[[Rolls], Circuit]


KINDS = {
    "faster": Kind("less delay than fast on osu018", faster_start),
    "low_depth": Kind("little delay on osu018, without a layer behind", low_depth_start),
}
FIRST, MOVES = 20, 300
"""Circuits to start from, and changes tried on the best of them."""


def search(name: str, seed: int) -> None:
    """The best of FIRST choices, then MOVES changes of one choice, kept where no worse."""
    kind, rng = KINDS[name], random.Random(seed)
    kept = figure_of_kept(name)
    now: tuple[Mapped, Rolls] | None = None
    seen = set()
    for move in range(FIRST + MOVES):
        first = now is None or move < FIRST
        rolls = Rolls(rng.getrandbits(32)) if first or now is None else now[1].changed(rng)
        circuit = kind.start(rolls)
        if circuit.gates in seen:
            continue
        seen.add(circuit.gates)
        found = mapped(circuit)
        if now is None or found.figure <= now[0].figure:
            if now is None or found.figure < now[0].figure:
                print(f"  {move}: {found.area_ge:.1f} GE, {found.delay_ns:.3f} ns", flush=True)
            now = found, rolls
        if found.figure < kept:
            kept = found.figure
            keep(name, circuit, f"search, seed {seed}, circuit {move}")


def figure_of_kept(name: str) -> float:
    file = DATA / f"sbox_{name}.txt"
    if not file.exists():
        return float("inf")
    return mapped(parse_listing(file.read_text(), "aes_sbox")).figure


def keep(name: str, circuit: Circuit, step: str) -> None:
    if not prove(circuit, aes_sbox, "exhaustive").passed:
        sys.exit("not the S-box")
    lines = [
        "SPDX-License-Identifier: Apache-2.0",
        f"aes_sbox for {KINDS[name].title}: {cost(circuit).summary()}",
        f"gcmforge-study search two-level search {name}",
        f"step: {step}",
    ]
    (DATA / f"sbox_{name}.txt").write_text(circuit_listing(circuit, lines))


def print_forms() -> None:
    """What there is to choose from."""
    for c in GF16:
        least = min((len(sums_of(way)) for way in ways()[c]), default=0)
        print(f"trace({c} x^17): {len(ways()[c])} ways as four gates, at least {least} sums")
    rng = random.Random(1)
    tried = [fewest_sums(tuple(FAST_NORM), rng) for _ in range(300)]
    least = min(len(set().union(*map(sums_of, chosen.values()))) for chosen in tried)
    print(f"the four bits of `fast`, {tuple(FAST_NORM)}: {least} sums together")
    print(f"trace(1 / y): {len(choices())} ways in two levels, from {len(needs(1))} sets of bits")
    for count in (4, 5, 6, 7):
        most = max(len(within(frozenset(s))) for s in itertools.combinations(GF16, count))
        print(f"{count} bits of the norm: up to {most} of 15 sums of theta in two levels")
    print(f"the nine sums of the tower: from {len(sets_of_bits())} sets of six or seven bits")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", nargs="?", choices=["forms", "search"])
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(KINDS))
    parser.add_argument("--seeds", type=seed_range, default=[1])
    given = parser.parse_args(arguments)
    if given.command == "forms":
        print_forms()
    elif given.command:
        for name, seed in itertools.product(given.names, given.seeds):
            print(f"{name}, seed {seed}")
            search(name, seed)
    else:
        for name in KINDS:
            if not (DATA / f"sbox_{name}.txt").exists():
                continue
            text = (DATA / f"sbox_{name}.txt").read_text()
            found = mapped(parse_listing(text, "aes_sbox"))
            print(
                f"{name}: {found.area_ge:.1f} GE, {found.delay_ns:.3f} ns; {text.splitlines()[3]}"
            )
