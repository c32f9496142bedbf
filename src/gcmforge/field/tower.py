# SPDX-License-Identifier: Apache-2.0
"""GF(((2^2)^2)^2) in polynomial basis, the composite fields of Mozaffari 2012 section 2.1.2.

    GF(2^2) = GF(2)[x] / (x^2 + x + 1)
    GF(2^4) = GF(2^2)[v] / (v^2 + v + Phi)
    GF(2^8) = GF(2^4)[u] / (u^2 + u + nu)

An element h u + l is the int (h << half) | l, at each level: high coordinate on top.
"""

from collections.abc import Callable
from dataclasses import dataclass

from gcmforge.field.gf2 import AES_POLYNOMIAL
from gcmforge.field.matrix import BitMatrix

Multiply = Callable[[int, int], int]


def _extend(multiply: Multiply, bits: int, constant: int) -> Multiply:
    """Multiplication in the quadratic extension by t^2 + t + constant of a field of `bits` bits."""
    mask = (1 << bits) - 1

    def extended(a: int, b: int) -> int:
        high = multiply(a >> bits, b >> bits)
        low = multiply(a & mask, b & mask)
        cross = multiply((a >> bits) ^ (a & mask), (b >> bits) ^ (b & mask))
        return ((cross ^ low) << bits) | (low ^ multiply(high, constant))

    return extended


def _multiply_gf2(a: int, b: int) -> int:
    return a & b


@dataclass(frozen=True, kw_only=True, slots=True)
class TowerField:
    """The tower with the constants phi (2 bits) and nu (4 bits)."""

    phi: int
    nu: int

    def multiply2(self, a: int, b: int) -> int:
        """The product in GF(2^2)."""
        return _extend(_multiply_gf2, 1, 1)(a, b)

    def multiply4(self, a: int, b: int) -> int:
        """The product in GF(2^4)."""
        return _extend(self.multiply2, 2, self.phi)(a, b)

    def multiply8(self, a: int, b: int) -> int:
        """The product in GF(2^8)."""
        return _extend(self.multiply4, 4, self.nu)(a, b)

    def inverse4(self, a: int) -> int:
        """The inverse in GF(2^4); 0 for 0."""
        return next((b for b in range(16) if self.multiply4(a, b) == 1), 0)

    def inverse8(self, a: int) -> int:
        """The inverse in GF(2^8); 0 for 0."""
        return next((b for b in range(256) if self.multiply8(a, b) == 1), 0)

    def is_field(self) -> bool:
        """Whether v^2 + v + phi and u^2 + u + nu are irreducible, that is, have no root."""
        return all(self.multiply2(t, t) ^ t != self.phi for t in range(4)) and all(
            self.multiply4(t, t) ^ t != self.nu for t in range(16)
        )

    def roots(self) -> tuple[int, ...]:
        """The eight elements xi with xi^8 + xi^4 + xi^3 + xi + 1 = 0: the images that x may have
        under an isomorphism from the AES field."""
        return tuple(xi for xi in range(256) if self._evaluate(AES_POLYNOMIAL, xi) == 0)

    def isomorphism(self, root: int) -> BitMatrix:
        """The 8 x 8 matrix from the AES field to the tower that sends x to root."""
        return BitMatrix.from_columns(self._powers(root, 8), 8)

    def _powers(self, base: int, count: int) -> list[int]:
        powers = [1]
        while len(powers) < count:
            powers.append(self.multiply8(powers[-1], base))
        return powers

    def _evaluate(self, polynomial: int, point: int) -> int:
        total = 0
        for i, power in enumerate(self._powers(point, polynomial.bit_length())):
            if (polynomial >> i) & 1:
                total ^= power
        return total
