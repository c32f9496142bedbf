# SPDX-License-Identifier: Apache-2.0
"""The AES S-box over a tower of fields: constants, bases and isomorphism in, a circuit out.

After A. Satoh et al., ASIACRYPT 2001, D. Canright, CHES 2005, and section 2.1.2 of
M. Mozaffari-Kermani, A. Reyhani-Masoleh, IEEE Trans. Computers 61 (2012).  With (h, l) the image
of the input in GF(2^8) over GF(2^4), gamma its norm and theta = gamma^-1,

    polynomial basis   gamma = nu h^2 + l (h + l)     inverse (h theta, (h + l) theta)
    normal basis       gamma = h l + nu (h + l)^2     inverse (l theta, h theta)

so that the same two operands are multiplied in both steps, or two of h, l and h + l when the
inverse is wanted in another basis than the input.  A product in GF(2^4) is nine ANDs of sums of
operand bits (Karatsuba twice).  The sums are the same bits in every basis; as every product is only
added further, NANDs do, and their inversions end up in a few XNORs.

Two ways to lay out what is linear:

    blocks   as the paper's Figure 1: basis change, square and scale, norm, products, and the
             basis change back merged with the affine matrix, each block for itself
    merged   three maps between what is not linear: operands (every sum to be multiplied), norm,
             output (products recombined, basis change back and affine matrix in one)

Merged, basis and conjugate hardly matter: docs/reference/sboxes.md has why.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gcmforge.circuit import Builder, Circuit, Net
from gcmforge.field import Bases, BitMatrix, TowerField, aes_affine
from gcmforge.leaf.programs import apply_affine, best_program
from gcmforge.leaf.tower_inversion import (
    derived_inversion,
    lemma_1,
    product_forms,
    product_matrix,
    reduced_inversion,
)

_INVERSIONS = {
    "derived": (derived_inversion, "by the tower once more"),
    "lemma_1": (lemma_1, "Mozaffari 2012, Lemma 1"),
    "reduced": (reduced_inversion, "products and sums of operands in one OR"),
}

_FORMS = product_forms(4)
"""9 x 4: the sums of operand bits that a product in GF(2^4) multiplies."""

_SUMS = len(_FORMS.rows)


@dataclass(frozen=True, kw_only=True, slots=True)
class TowerSbox:
    """How an S-box is made: the field, x's image under the isomorphism (one of field.roots()), the
    bases of the inverse if they are others, the inversion in GF(2^4), and the layout."""

    field: TowerField
    root: int
    inverse_bases: Bases | None = None
    inversion: Literal["derived", "lemma_1", "reduced"] = "derived"
    merged: bool = False

    @property
    def target(self) -> TowerField:
        """The same field in the bases of the inverse."""
        return self.field.rebased(self.inverse_bases or self.field.bases)

    # ---- the matrices

    def basis_change(self) -> BitMatrix:
        """8 x 8: the input byte to the tower."""
        return self.field.isomorphism(self.root)

    def operands(self) -> tuple[BitMatrix, BitMatrix, BitMatrix]:
        """Three of 4 x 8, from the image of the input byte: the two factors of the norm's product,
        and what is squared and scaled."""
        low = BitMatrix(rows=tuple(1 << i for i in range(4)), columns=8)
        high = BitMatrix(rows=tuple(16 << i for i in range(4)), columns=8)
        both = BitMatrix(rows=tuple(17 << i for i in range(4)), columns=8)
        if self.field.bases[2] == "polynomial":
            return low, both, high
        return low, high, both

    def factors(self) -> tuple[int, int]:
        """What theta is multiplied by for the high and the low half of the inverse, as numbers
        into `operands`."""
        if self.field.bases[2] == "polynomial":
            return (2, 1) if self.target.bases[2] == "polynomial" else (1, 0)
        return (0, 1) if self.target.bases[2] == "normal" else (2, 0)

    def square(self) -> BitMatrix:
        """4 x 4: nu a^2."""
        multiply, nu = self.field.multiply4, self.field.nu
        return BitMatrix.of_map(lambda a: multiply(nu, multiply(a, a)), 4, 4)

    def norm(self) -> BitMatrix:
        """4 x 13: gamma from the nine products and the scaled square."""
        product = product_matrix(self.field.multiply4, 4)
        rows = tuple(row | 1 << (_SUMS + i) for i, row in enumerate(product.rows))
        return BitMatrix(rows=rows, columns=_SUMS + 4)

    def product(self) -> BitMatrix:
        """4 x 9: a half of the inverse, in its bases, from nine products."""
        change = self.field.change4(self.target.bases)
        return change @ product_matrix(self.field.multiply4, 4)

    def output(self) -> BitMatrix:
        """8 x 8: the inverse to the S-box output without its constant."""
        back = self.field.change8(self.target.bases) @ self.basis_change()
        affine = BitMatrix.of_map(lambda byte: aes_affine(byte) ^ aes_affine(0), 8, 8)
        return affine @ back.inverse()

    def merged_operands(self) -> BitMatrix:
        """22 x 8: for each factor of the norm its nine sums, then what is added to the products."""
        first, second, squared = self.operands()
        rows = (_FORMS @ first).rows + (_FORMS @ second).rows + (self.square() @ squared).rows
        return BitMatrix(rows=rows, columns=8) @ self.basis_change()

    def merged_output(self) -> BitMatrix:
        """8 x 18: the output from the nine products of theta with the first factor of the norm
        (low columns) and the nine with the second."""
        product = self.product()
        halves = []
        for factor in self.factors():
            first, second = factor in (0, 2), factor in (1, 2)
            halves.append([row * first | (row << _SUMS) * second for row in product.rows])
        high, low = halves
        return self.output() @ BitMatrix(rows=(*low, *high), columns=2 * _SUMS)

    def maps(self) -> dict[str, BitMatrix]:
        """The linear maps that the circuit is made of, by name."""
        if self.merged:
            return {
                "operands": self.merged_operands(),
                "norm": self.norm(),
                "output": self.merged_output(),
            }
        return {
            "basis_change": self.basis_change(),
            "square": self.square(),
            "norm": self.norm(),
            "product": self.product(),
            "output": self.output(),
        }


def tower_circuit(sbox: TowerSbox) -> Circuit:
    """aes_sbox: x_i[7:0] to y_o[7:0]."""
    return _merged(sbox) if sbox.merged else _blocks(sbox)


def _blocks(sbox: TowerSbox) -> Circuit:
    b = Builder("aes_sbox")
    x = b.input("x_i", 8)
    with b.section("basis change, and the sum of the halves of the image"):
        image = best_program(sbox.basis_change()).apply(b, x)
        low, high = image[:4], image[4:]
        both = [b.xor(p, q) for p, q in zip(low, high, strict=True)]
        _label(b, {"low": low, "high": high, "both": both})
    halves = (low, both, high) if sbox.field.bases[2] == "polynomial" else (low, high, both)
    with b.section("sums of bits for the products"):
        sums = [_sums(b, half) for half in halves[:2]]
    with b.section("gamma: the product of the two factors, and the square of the third, scaled"):
        squared = best_program(sbox.square()).apply(b, halves[2])
        gamma = _norm(b, sbox, sums[0], sums[1], squared)
    theta = _theta(b, sbox, gamma)
    with b.section("products of theta: the inverse"):
        product = best_program(sbox.product())
        inverse: list[Net] = []
        for factor in reversed(sbox.factors()):
            nands = [b.nand(p, q) for p, q in zip(_sums(b, halves[factor]), theta, strict=True)]
            inverse += apply_affine(b, product, nands, inverted=range(_SUMS), constant=0)
        b.label(inverse, "inverse")
    with b.section("basis change back, affine matrix and constant 0x63"):
        program = best_program(sbox.output())
        b.output("y_o", apply_affine(b, program, inverse, inverted=(), constant=aes_affine(0)))
    return b.build()


def _merged(sbox: TowerSbox) -> Circuit:
    b = Builder("aes_sbox")
    x = b.input("x_i", 8)
    with b.section("basis change: both factors with the sums of their bits, the scaled square"):
        top = best_program(sbox.merged_operands()).apply(b, x)
        first, second, squared = top[:_SUMS], top[_SUMS : 2 * _SUMS], top[2 * _SUMS :]
        _label(b, {"first": first, "second": second, "nu_square": squared})
    with b.section("gamma: the product of the two factors, and the scaled square"):
        gamma = _norm(b, sbox, first, second, squared)
    theta = _theta(b, sbox, gamma)
    with b.section("products of theta with both factors"):
        nands = [b.nand(p, q) for p, q in zip(first + second, theta + theta, strict=True)]
        b.label(nands, "product_n")
    with b.section("recombination, basis change back, affine matrix and constant 0x63"):
        program = best_program(sbox.merged_output())
        inverted = range(2 * _SUMS)
        y = apply_affine(b, program, nands, inverted=inverted, constant=aes_affine(0))
    b.output("y_o", y)
    return b.build()


def _norm(
    b: Builder, sbox: TowerSbox, first: Sequence[Net], second: Sequence[Net], added: Sequence[Net]
) -> list[Net]:
    """gamma from the sums of both factors and from the scaled square."""
    nands = [b.nand(p, q) for p, q in zip(first, second, strict=True)]
    program = best_program(sbox.norm())
    gamma = apply_affine(b, program, [*nands, *added], inverted=range(_SUMS), constant=0)
    b.label(gamma, "gamma")
    return gamma


def _theta(b: Builder, sbox: TowerSbox, gamma: Sequence[Net]) -> list[Net]:
    """The nine sums of theta = gamma^-1."""
    invert, how = _INVERSIONS[sbox.inversion]
    with b.section(f"theta = gamma^-1 in GF(2^4), {how}"):
        theta = invert(b, sbox.field, gamma)
        b.label(theta, "theta")
        return _sums(b, theta)


def _sums(b: Builder, bits: Sequence[Net]) -> list[Net]:
    """The nine sums of _FORMS."""
    low, high = b.xor(bits[0], bits[1]), b.xor(bits[2], bits[3])
    sum_0, sum_1 = b.xor(bits[0], bits[2]), b.xor(bits[1], bits[3])
    return [bits[0], bits[1], low, bits[2], bits[3], high, sum_0, sum_1, b.xor(low, high)]


def _label(b: Builder, buses: dict[str, Sequence[Net]]) -> None:
    for name, nets in buses.items():
        b.label(nets, name)
