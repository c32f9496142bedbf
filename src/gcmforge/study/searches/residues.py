# SPDX-License-Identifier: Apache-2.0
"""Products by Chinese remainders: sets of moduli other than those of the additive FFT.

    gcmforge-study search residues

For sums of many products only what each lane has of its own counts: evaluating two operands,
multiplying residues, and adding the products to the sum.  Recombination and reduction are paid once
and left out, so the figures are bounds from below that no recombination can reach.  The additive
FFT (moduli: the irreducible polynomials of degree 1, 2, 4 and 8) and Karatsuba (x, x + 1 and
infinity, again and again) are what the library has; the other sets are the irreducible polynomials
of least degree, with fewer products, but without a tree: their residues are a dense linear map,
made here by Paar's greedy.  A residue of d bits is multiplied by the schoolbook up to 4 bits and by
Karatsuba's halves above; its recombination is left out as well.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from gcmforge.circuit import paar
from gcmforge.field import poly_mod
from gcmforge.leaf.reduction import DEGREE
from gcmforge.study.searches.parts import Parts, area, parts

PRODUCT_BITS = 2 * DEGREE - 1
SETS = {
    "degrees 1 to 7, then 8": (1, 2, 3, 4, 5, 6, 7, 8),
    "degrees 1, 2, 3, 6, then 9": (1, 2, 3, 6, 9),
    "degrees 1 to 4, then 8": (1, 2, 3, 4, 8),
}
KEPT = ("ko5_small", "ko6", "mixed_15_small", "fft", "fft_transposed")


@dataclass(frozen=True, kw_only=True, slots=True)
class Lane:
    """XORs to evaluate the data and the key; ANDs, XORs and sums of the products."""

    evaluate: int
    evaluate_key: int
    ands: int
    xors: int
    sums: int

    @property
    def ge(self) -> float:
        return area((self.ands, self.evaluate + self.evaluate_key + self.xors + self.sums), True)


def of_scheme(part: Parts) -> Lane:
    """What the library's scheme has in each lane."""
    return Lane(
        evaluate=part.evaluate[1],
        evaluate_key=part.evaluate_key[1],
        ands=part.products[0],
        xors=part.products[1],
        sums=part.width,
    )


def of_moduli(moduli: Sequence[int]) -> Lane:
    """The same of residues modulo these polynomials."""
    matrix = [
        sum((poly_mod(1 << j, modulus) >> i & 1) << j for j in range(DEGREE))
        for modulus in moduli
        for i in range(modulus.bit_length() - 1)
    ]
    residues = len(paar(matrix, width=DEGREE).steps)
    each = [residue_product(modulus.bit_length() - 1) for modulus in moduli]
    inner = residues + sum(one.evaluate for one in each)
    return Lane(
        evaluate=inner,
        evaluate_key=inner,
        ands=sum(one.ands for one in each),
        xors=sum(one.xors for one in each),
        sums=sum(one.sums for one in each),
    )


def residue_product(bits: int) -> Lane:
    """One product of polynomials of so many bits, without what follows the products."""
    if bits <= 4:
        sums = 2 * bits - 1
        return Lane(evaluate=0, evaluate_key=0, ands=bits * bits, xors=(bits - 1) ** 2, sums=sums)
    low, high = residue_product((bits + 1) // 2), residue_product(bits // 2)
    return Lane(
        evaluate=2 * low.evaluate + high.evaluate + bits // 2,
        evaluate_key=2 * low.evaluate + high.evaluate + bits // 2,
        ands=2 * low.ands + high.ands,
        xors=2 * low.xors + high.xors,
        sums=2 * low.sums + high.sums,
    )


def chosen(degrees: Sequence[int]) -> list[int]:
    """Irreducible polynomials of these degrees, in order, until the product is determined."""
    found: list[int] = []
    missing = PRODUCT_BITS
    for degree in degrees:
        for polynomial in irreducible(degree):
            if missing <= 0:
                return found
            found.append(polynomial)
            missing -= degree
    if missing > 0:
        raise ValueError(f"degrees {degrees} are {missing} bits too few for {PRODUCT_BITS}")
    return found


def irreducible(degree: int) -> Iterator[int]:
    """All irreducible polynomials of a degree, by trial division."""
    for candidate in range(1 << degree, 2 << degree):
        small = range(2, 1 << (degree // 2 + 1))
        if all(poly_mod(candidate, divisor) for divisor in small):
            yield candidate


def main(arguments: Sequence[str] | None = None) -> int:
    table = Table(
        "moduli", "how many", "bits", "XORs to evaluate", "the key's", "AND", "XOR", "sums",
        "GE a lane, at least", title="What each lane has of its own",
    )  # fmt: skip
    for name in KEPT:
        add(table, f"`{name}`", [], of_scheme(parts(name)))
    for name, degrees in SETS.items():
        moduli = chosen(degrees)
        add(table, name, moduli, of_moduli(moduli))
    Console(width=160).print(table)
    return 0


def add(table: Table, name: str, moduli: Sequence[int], lane: Lane) -> None:
    bits = sum(modulus.bit_length() - 1 for modulus in moduli)
    table.add_row(
        name, str(len(moduli) or ""), str(bits or ""), f"{lane.evaluate:,}",
        f"{lane.evaluate_key:,}", f"{lane.ands:,}", f"{lane.xors:,}", f"{lane.sums:,}",
        f"{lane.ge:,.0f}",
    )  # fmt: skip
