# SPDX-License-Identifier: Apache-2.0
"""What S-boxes are searched with: towers with a scaled input, the norm as quadratic forms."""

import dataclasses
import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from gcmforge.circuit import (
    Builder,
    Net,
    Plan,
    XorProgram,
    paar,
    search_linear,
)
from gcmforge.field import BitMatrix, aes_affine
from gcmforge.field.gf2 import AES_POLYNOMIAL, poly_multiply_mod
from gcmforge.leaf.programs import apply_affine
from gcmforge.leaf.sbox_towers import TOWER_SBOXES
from gcmforge.leaf.tower import TowerSbox

LINEAR = Plan(seeds=(1, 2, 3), rounds=3, moves=300_000, hot=0.5, cold=0.12)


def multiply(a: int, b: int) -> int:
    return poly_multiply_mod(a, b, AES_POLYNOMIAL)


def power(a: int, n: int) -> int:
    product = 1
    for _ in range(n):
        product = multiply(product, a)
    return product


@dataclass(frozen=True, slots=True)
class Tower:
    """A tower of the library with another conjugate and a scaled input."""

    name: str
    root: int
    scale: int

    @property
    def sbox(self) -> TowerSbox:
        return dataclasses.replace(TOWER_SBOXES[self.name], root=self.root, merged=True)

    def scaling(self) -> BitMatrix:
        return BitMatrix.of_map(lambda x: multiply(self.scale, x), 8, 8)

    def operands(self) -> BitMatrix:
        """22 x 8: nine sums for each factor of the norm, then the scaled square."""
        return self.sbox.merged_operands() @ self.scaling()

    def output(self) -> BitMatrix:
        """8 x 18: the S-box without its constant from the products of theta."""
        affine = BitMatrix.of_map(lambda y: aes_affine(y) ^ aes_affine(0), 8, 8)
        return affine @ self.scaling() @ affine.inverse() @ self.sbox.merged_output()

    def theta(self, x: int) -> int:
        """The inverse of the norm of the scaled input, in the tower's basis."""
        change = self.sbox.basis_change() @ self.scaling()
        field = self.sbox.field
        image = change.apply(x)
        conjugate = image
        for _ in range(4):
            conjugate = field.multiply8(conjugate, conjugate)
        return field.inverse4(field.multiply8(image, conjugate) & 15)


def searched(matrix: BitMatrix, depth: int | None = None) -> XorProgram:
    return search_linear(matrix.rows, depth, width=matrix.columns, plan=LINEAR).program


def nine_sums(b: Builder, bits: Sequence[Net]) -> list[Net]:
    low, high = b.xor(bits[0], bits[1]), b.xor(bits[2], bits[3])
    sum_0, sum_1 = b.xor(bits[0], bits[2]), b.xor(bits[1], bits[3])
    return [bits[0], bits[1], low, bits[2], bits[3], high, sum_0, sum_1, b.xor(low, high)]


def finish(
    b: Builder, tower: Tower, operands: Sequence[Net], sums: Sequence[Net], depth: int | None
) -> None:
    with b.section("products of theta with both factors"):
        nands = [b.nand(p, q) for p, q in zip(operands, [*sums, *sums], strict=True)]
        b.label(nands, "product_n")
    with b.section("recombination, basis change back, affine matrix and constant 0x63"):
        program = searched(tower.output(), depth)
        inverted = range(18)
        y = apply_affine(b, program, nands, inverted=inverted, constant=aes_affine(0))
    b.output("y_o", y)


@dataclass(frozen=True, slots=True)
class Pair:
    """One term of a quadratic form: (u.x + s)(v.x + t), u and v as masks over the input bits,
    inverted bit 0 for s, bit 1 for t."""

    u: int
    v: int
    inverted: int


FAST = Tower("poly_phi2_nu8", 69, 246)
"""One of six, of five fields, with output bits of at most 8 products each: depth 3, 30 XORs."""


FAST_NORM = {
    81: (Pair(1, 64, 0), Pair(12, 130, 3), Pair(20, 66, 3), Pair(48, 133, 3)),
    93: (Pair(1, 12, 0), Pair(2, 144, 2), Pair(20, 192, 3), Pair(10, 98, 1)),
    177: (Pair(8, 20, 3), Pair(5, 192, 2), Pair(66, 160, 1), Pair(1, 98, 1)),
    225: (Pair(8, 144, 0), Pair(64, 130, 1), Pair(5, 66, 2), Pair(17, 48, 3)),
}
"""The norm's bits trace(c x^17), by c: of the forms that are sums of four gates over sums of two
input bits (two of them of three), four independent ones with the fewest sums (13) in all."""


def trace4(a: int) -> int:
    """The trace from GF(2^4), as a subfield of the AES field, to GF(2)."""
    return a ^ power(a, 2) ^ power(a, 4) ^ power(a, 8)


@cache
def norm_bit(c: int) -> tuple[int, ...]:
    """The trace of c x^17 for each x."""
    return tuple(trace4(multiply(c, power(x, 17))) for x in range(256))


def add_form(b: Builder, nets: dict[int, Net], mask: int) -> None:
    """The sum of two or three input bits, by a sum of two that is there if there is one."""
    bits = [1 << i for i in range(8) if mask >> i & 1]
    if mask in nets:
        return
    part = next((mask ^ bit for bit in bits if mask ^ bit in nets), mask ^ bits[0])
    add_form(b, nets, part)
    nets[mask] = b.xor(nets[part], nets[mask ^ part])


def quadratic(b: Builder, nets: dict[int, Net], pairs: Sequence[Pair]) -> Net:
    terms = []
    for pair in pairs:
        p, q = nets[pair.u], nets[pair.v]
        if pair.inverted == 3:
            terms.append(b.or_(p, q))
        elif pair.inverted:
            p, q = (b.not_(p), q) if pair.inverted == 1 else (p, b.not_(q))
            terms.append(b.and_(p, q))
        else:
            terms.append(b.and_(p, q))
    return b.xor(b.xor(terms[0], terms[1]), b.xor(terms[2], terms[3]))


def operands_over(b: Builder, nets: dict[int, Net], rows: Sequence[int]) -> list[Net]:
    """The operands from the sums that there are, each as a sum of few; the best of some tries."""
    masks = list(nets)
    ways = [shortest(masks, row) for row in rows]
    best: XorProgram | None = None
    for seed in range(100):
        rng = random.Random(seed)
        matrix = [rng.choice(choices) for choices in ways]
        program = paar(matrix, 3, width=len(masks), seed=seed)
        if best is None or program.xors < best.xors:
            best = program
    assert best is not None
    return list(best.apply(b, list(nets.values())))


def shortest(masks: Sequence[int], row: int) -> list[int]:
    """The shortest ways to write row as a sum of masks, each as a set of places."""
    for count in range(1, 9):
        ways = [
            sum(1 << i for i in places)
            for places in itertools.combinations(range(len(masks)), count)
            if not _rest(masks, places, row)
        ]
        if ways:
            return ways
    raise ValueError(f"no sum gives {row:08b}")


def _rest(masks: Sequence[int], places: Sequence[int], row: int) -> int:
    for i in places:
        row ^= masks[i]
    return row
