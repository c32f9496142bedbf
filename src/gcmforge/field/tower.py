# SPDX-License-Identifier: Apache-2.0
"""Towers of quadratic extensions up to GF(2^8), the composite fields of Mozaffari 2012 section 3.

    GF(2^2) = GF(2)[x] / (x^2 + x + 1)
    GF(2^4) = GF(2^2)[v] / (v^2 + v + Phi), or GF(2)[v] / (v^4 + v + 1)
    GF(2^8) = GF(2^4)[u] / (u^2 + u + nu)

At each level an element is the int (h << half) | l, high coordinate on top: h u + l in polynomial
basis (u, 1), h u^q + l u in normal basis (u^q, u), where q is the size of the field below.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from gcmforge.field.gf2 import AES_POLYNOMIAL, poly_multiply_mod
from gcmforge.field.matrix import BitMatrix

Multiply = Callable[[int, int], int]
Basis = Literal["polynomial", "normal"]
Bases = tuple[Basis, Basis, Basis]

POLYNOMIAL_BASES: Bases = ("polynomial",) * 3
NORMAL_BASES: Bases = ("normal",) * 3

_FLAT_POLYNOMIAL = 0b10011
"""x^4 + x + 1, for GF(2^4) without GF(2^2) below."""


def _extend(multiply: Multiply, bits: int, constant: int, basis: Basis) -> Multiply:
    """Multiplication in the quadratic extension by t^2 + t + constant of a field of `bits` bits."""
    mask = (1 << bits) - 1

    def extended(a: int, b: int) -> int:
        high = multiply(a >> bits, b >> bits)
        low = multiply(a & mask, b & mask)
        cross = multiply((a >> bits) ^ (a & mask), (b >> bits) ^ (b & mask))
        if basis == "polynomial":
            return ((cross ^ low) << bits) | (low ^ multiply(high, constant))
        norm = multiply(cross, constant)
        return ((high ^ norm) << bits) | (low ^ norm)

    return extended


def _one(one: int, bits: int, basis: Basis) -> int:
    """The 1 of the extension of a field of `bits` bits whose 1 is `one`."""
    return one if basis == "polynomial" else (one << bits) | one


@dataclass(frozen=True, kw_only=True, slots=True)
class TowerField:
    """The tower with the constants phi (2 bits) and nu (4 bits), each in the basis of its level.

    `bases` names the kind of basis of GF(2^2), GF(2^4) and GF(2^8).  With phi None, GF(2^4) is
    GF(2)[x] / (x^4 + x + 1) in polynomial basis, and only the last of `bases` counts.
    """

    phi: int | None
    nu: int
    bases: Bases = POLYNOMIAL_BASES

    @property
    def one2(self) -> int:
        """The 1 of GF(2^2)."""
        return _one(1, 1, self.bases[0])

    @property
    def one4(self) -> int:
        """The 1 of GF(2^4)."""
        return 1 if self.phi is None else _one(self.one2, 2, self.bases[1])

    @property
    def one8(self) -> int:
        """The 1 of GF(2^8)."""
        return _one(self.one4, 4, self.bases[2])

    def multiply2(self, a: int, b: int) -> int:
        """The product in GF(2^2)."""
        return _extend(lambda p, q: p & q, 1, 1, self.bases[0])(a, b)

    def multiply4(self, a: int, b: int) -> int:
        """The product in GF(2^4)."""
        if self.phi is None:
            return poly_multiply_mod(a, b, _FLAT_POLYNOMIAL)
        return _extend(self.multiply2, 2, self.phi, self.bases[1])(a, b)

    def multiply8(self, a: int, b: int) -> int:
        """The product in GF(2^8)."""
        return _extend(self.multiply4, 4, self.nu, self.bases[2])(a, b)

    def inverse4(self, a: int) -> int:
        """The inverse in GF(2^4); 0 for 0."""
        return next((b for b in range(16) if self.multiply4(a, b) == self.one4), 0)

    def inverse8(self, a: int) -> int:
        """The inverse in GF(2^8); 0 for 0."""
        return next((b for b in range(256) if self.multiply8(a, b) == self.one8), 0)

    def is_field(self) -> bool:
        """Whether v^2 + v + phi and u^2 + u + nu are irreducible, that is, have no root."""
        reducible4 = any(self.multiply4(t, t) ^ t == self.nu for t in range(16))
        if self.phi is None:
            return not reducible4
        return not reducible4 and all(self.multiply2(t, t) ^ t != self.phi for t in range(4))

    def roots(self) -> tuple[int, ...]:
        """The eight elements xi with xi^8 + xi^4 + xi^3 + xi + 1 = 0: the images that x may have
        under an isomorphism from the AES field.  They are one another's conjugates."""
        return tuple(xi for xi in range(256) if self._evaluate(AES_POLYNOMIAL, xi) == 0)

    def isomorphism(self, root: int) -> BitMatrix:
        """The 8 x 8 matrix from the AES field to the tower that sends x to root."""
        return BitMatrix.from_columns(self._powers(root, 8), 8)

    def rebased(self, bases: Bases) -> "TowerField":
        """The same tower with other bases: the same x, v and u, phi and nu written anew."""
        change = self.change4(bases)
        phi = self.phi if self.phi is None else _change2(self.bases[0], bases[0]).apply(self.phi)
        return replace(self, phi=phi, nu=change.apply(self.nu), bases=bases)

    def change4(self, bases: Bases) -> BitMatrix:
        """4 x 4: an element of GF(2^4) in this tower's bases to itself in other bases."""
        if self.phi is None:
            return BitMatrix.identity(4)
        inner = _change2(self.bases[0], bases[0])
        return _lifted(inner, 2, self.bases[1], bases[1])

    def change8(self, bases: Bases) -> BitMatrix:
        """8 x 8: an element of GF(2^8) in this tower's bases to itself in other bases."""
        return _lifted(self.change4(bases), 4, self.bases[2], bases[2])

    def _powers(self, base: int, count: int) -> list[int]:
        powers = [self.one8]
        while len(powers) < count:
            powers.append(self.multiply8(powers[-1], base))
        return powers

    def _evaluate(self, polynomial: int, point: int) -> int:
        total = 0
        for i, power in enumerate(self._powers(point, polynomial.bit_length())):
            if (polynomial >> i) & 1:
                total ^= power
        return total


def _change2(source: Basis, target: Basis) -> BitMatrix:
    """GF(2^2) between its bases."""
    return _lifted(BitMatrix.identity(1), 1, source, target)


def _lifted(inner: BitMatrix, bits: int, source: Basis, target: Basis) -> BitMatrix:
    """The change of basis of the extension, from that of the field of `bits` bits below.

    Since u + u^q = 1, both ways the coordinates (h, l) become (l + h, h) or (l, h + l):
    h u + l = l u^q + (h + l) u, and h u^q + l u = (h + l) u + h.
    """
    mask = (1 << bits) - 1

    def change(a: int) -> int:
        high, low = inner.apply(a >> bits), inner.apply(a & mask)
        if source == target:
            return (high << bits) | low
        if target == "normal":
            return (low << bits) | (high ^ low)
        return ((high ^ low) << bits) | high

    return BitMatrix.of_map(change, 2 * bits, 2 * bits)
