# SPDX-License-Identifier: Apache-2.0
"""Products of shared elements, domain by domain.

    x = x_0 + .. + x_d, y = y_0 + .. + y_d
    z_i = x_i y_i + sum over j of (x_i y_j + r_ij), r_ij = r_ji, each term in a register

Domain i has share i of everything, and meets share j only under a random element of its own: the
DOM-indep multiplier of Gross, Mangard, Korak, "Domain-Oriented Masking", TIS 2016. Both factors
have to be shared independently, and no bit of theirs may come from a gate that joins two of their
terms: the sum z_i is a factor only once it has been through a register.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gcmforge.circuit import Builder, Net, StagedBuilder
from gcmforge.circuit.probing import RANDOM, Role, Share
from gcmforge.field import BitMatrix
from gcmforge.leaf.masked.gadget import Claim, Gadget, Step
from gcmforge.leaf.programs import best_program
from gcmforge.leaf.tower_inversion import product_forms, product_matrix

Element = Sequence[Net]

SOURCE = "Gross, Mangard, Korak, Domain-Oriented Masking, TIS 2016 (DOM-indep)"


@dataclass(frozen=True, slots=True)
class Product:
    """A product in GF(2^bits): sums of bits, ANDs, sums (Karatsuba, as in leaf/tower.py)."""

    bits: int
    matrix: BitMatrix

    @classmethod
    def of(cls, multiply: Callable[[int, int], int], bits: int) -> Product:
        return cls(bits, product_matrix(multiply, bits))

    def apply(self, b: Builder, p: Element, q: Element) -> list[Net]:
        forms = best_program(product_forms(self.bits))
        sums = zip(forms.apply(b, p), forms.apply(b, q), strict=True)
        return list(best_program(self.matrix).apply(b, [b.and_(s, t) for s, t in sums]))


def pairs(shares: int) -> list[tuple[int, int]]:
    """i < j, in the order of their random elements."""
    return [(i, j) for i in range(shares) for j in range(i + 1, shares)]


def add(b: Builder, p: Element, q: Element) -> list[Net]:
    """The sum, bit by bit."""
    return [b.xor(s, t) for s, t in zip(p, q, strict=True)]


def dom_terms(
    b: StagedBuilder,
    product: Product,
    x: Sequence[Element],
    y: Sequence[Element],
    random: Element,
    own: Sequence[Element] | None = None,
) -> list[list[list[Net]]]:
    """The terms of each share of x y, to be read in the next stage; `own` is added to x_i y_i."""
    n = len(x)
    element = {
        pair: random[k * product.bits : (k + 1) * product.bits] for k, pair in enumerate(pairs(n))
    }
    terms: list[list[list[Net]]] = []
    for i in range(n):
        inner = product.apply(b, x[i], y[i])
        terms.append([add(b, inner, own[i]) if own else inner])
        for j in range(n):
            if j != i:
                masked = product.apply(b, x[i], y[j])
                terms[i].append(add(b, masked, element[min(i, j), max(i, j)]))
    return terms


def compress(b: Builder, terms: Sequence[Sequence[Element]]) -> list[list[Net]]:
    """The shares: the terms of each domain, added."""
    shares = []
    for domain in terms:
        total = list(domain[0])
        for term in domain[1:]:
            total = add(b, total, term)
        shares.append(total)
    return shares


def share_inputs(
    b: StagedBuilder, value: str, width: int, shares: int
) -> tuple[list[Element], dict[str, Role]]:
    """Input buses VALUE0_i, VALUE1_i, .. and their roles."""
    roles: dict[str, Role] = {f"{value}{i}_i": Share(f"{value}_i", i) for i in range(shares)}
    return [b.input(name, width) for name in roles], roles


def share_outputs(b: StagedBuilder, value: str, shares: Sequence[Element]) -> dict[str, Share]:
    """Output buses VALUE0_o, VALUE1_o, .. and what they are."""
    names = {f"{value}{i}_o": Share(f"{value}_o", i) for i in range(len(shares))}
    for name, nets in zip(names, shares, strict=True):
        b.output(name, nets)
    return names


def dom_multiplier(
    multiply: Callable[[int, int], int], bits: int, *, order: int = 1, registered: bool = True
) -> Gadget:
    """A product in GF(2^bits) in order + 1 shares. Its outputs are in registers, or else sums."""
    b = StagedBuilder(f"dom_mul{bits}")
    product = Product.of(multiply, bits)
    x, roles = share_inputs(b, "x", bits, order + 1)
    y, more = share_inputs(b, "y", bits, order + 1)
    random = b.input("r_i", bits * len(pairs(order + 1)))
    terms = dom_terms(b, product, x, y, random)
    b.next_stage()
    z = compress(b, terms)
    if registered:
        b.next_stage()
    outputs = share_outputs(b, "z", z)
    claims = [Claim("probing", order), Claim("uniform", order), Claim("NI", order)]
    return Gadget(
        module=b.name,
        title=f"product in GF(2^{bits}) of two elements in {order + 1} shares, outputs "
        + ("in registers" if registered else "not in registers"),
        pipe=b.staged(),
        roles={**roles, **more, "r_i": RANDOM},
        outputs=outputs,
        steps=(Step("z_o", ("x_i", "y_i"), multiply),),
        marks={},
        claims=(*claims, *([Claim("SNI", order)] if registered else [])),
        source=SOURCE,
        notes=("The factors have to be shared independently of each other.",),
    )
