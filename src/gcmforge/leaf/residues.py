# SPDX-License-Identifier: Apache-2.0
"""GF(2^128) products by tables of residues: what comes before the tables, and what after them.

A product is known by its residues modulo the 36 irreducible polynomials of degree 1, 2, 4 and 8, as
`fft` has it. In GF(256) a residue times that of a key is two look-ups in tables of 16 entries:
with e the element that was adjoined last, u = low + e high, and both halves are in GF(16), so
that u k = low k + e (high k), and one table of v k, for all v of GF(16), answers for both. e is
multiplied in after the tables, where the lanes have been added up. Residues of fewer bits take
one look-up each.

A residue's bits in the order of `fft`'s basis are addresses, smallest fields first: a nibble for
each half, and the first nibble for those in GF(2) and GF(4), 256 bits in all. What is found for a
half has 8 bits, for the nibbles before 4: 496 bits in the same order.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from gcmforge.circuit import Builder, Circuit, Net, linear_map
from gcmforge.leaf.fft import (
    basis_matrix,
    coordinates,
    interpolated,
    multiply,
    residue_bases,
    residue_roots,
    values,
)
from gcmforge.leaf.reduction import DEGREE

ADDRESS = 256
"""Bits of all residues of a block."""
NIBBLE = 4
FOUND = 496
"""Bits that the tables of one lane give."""


def residues_circuit() -> Circuit:
    """gf128_residues: a_i[127:0], v_i[3:0] to r_o[255:0]: the residues of a_i, and v_i added to
    each nibble."""
    b = Builder("gf128_residues")
    operand, v = b.input("a_i", DEGREE), b.input("v_i", NIBBLE)
    found = [net for value in values(b, operand, v) for net in value]
    with b.section("the residues in GF(2) and GF(4) as one nibble"):
        has = (v[0], v[0], v[0], v[1])
        first = [b.xor(found[i], b.xor(has[i], v[i])) for i in range(NIBBLE)]
    b.output("r_o", first + found[NIBBLE:])
    return b.build()


def residues_of(a: int, v: int) -> int:
    """What gf128_residues computes, by the powers of each root."""
    result = sum(v << place for place in range(0, ADDRESS, NIBBLE))
    for i, residues in enumerate(_residues_of_powers()):
        result ^= residues if a >> i & 1 else 0
    return result


@cache
def _residues_of_powers() -> tuple[int, ...]:
    """Of 1, x, .. x^127: the powers of each root, each in its coordinates."""
    found = [0] * DEGREE
    place = 0
    for basis, root in zip(residue_bases(), residue_roots(), strict=True):
        power = 1
        for i in range(DEGREE):
            found[i] |= coordinates(basis)[power] << place
            power = multiply(power, root)
        place += len(basis)
    return tuple(found)


def from_residues_circuit(lanes: int) -> Circuit:
    """gf128_from_residues: t_i[496q-1:0] to c_o[127:0]: what the tables of q lanes give, added up,
    as one polynomial modulo x^128 + x^7 + x^2 + x + 1; lane 0 on top."""
    if lanes < 1:
        raise ValueError(f"lanes={lanes}: at least 1")
    b = Builder("gf128_from_residues")
    found = b.input("t_i", FOUND * lanes)
    with b.section("sums over the lanes"):
        sums = [b.xor_sum(found[i::FOUND]) for i in range(FOUND)]
    b.output("c_o", interpolated(b, list(_joined(b, sums))))
    return b.build()


def _joined(b: Builder, found: Sequence[Net]) -> Iterator[list[Net]]:
    """The residues: the lower half's find, and e times the higher one's."""
    place = 0
    with b.section("both halves of each residue"):
        for basis in residue_bases():
            size = len(basis)
            low = found[place : place + size]
            place += size
            if size <= NIBBLE:
                yield list(low)
                continue
            e = basis[NIBBLE]
            matrix = basis_matrix(basis, [multiply(e, element) for element in basis])
            high = linear_map(b, found[place : place + size], matrix)
            place += size
            yield [b.xor(s, t) for s, t in zip(low, high, strict=True)]


def looked_up_circuit(lanes: int, after: Circuit | None = None) -> Circuit:
    """Both leaves with tables between them, gf128_dot with a_i and b_i: a_l looked up in tables of
    b_l, and the lanes' sum; `after` is what follows the tables (gf128_from_residues unless given).
    What a table gives is the sum of its entries at the address's bits: they are multiples of one
    key."""
    b = Builder("gf128_dot")
    p, q = b.input("a_i", DEGREE * lanes), b.input("b_i", DEGREE * lanes)
    evaluate, none = residues_circuit(), [b.const(0)] * NIBBLE
    found: list[Net] = []
    for low in range(0, DEGREE * lanes, DEGREE):
        address = b.instance(evaluate, a_i=p[low : low + DEGREE], v_i=none)["r_o"]
        key = b.instance(evaluate, a_i=q[low : low + DEGREE], v_i=none)["r_o"]
        found += _finds(b, address, key)
    b.output("c_o", b.instance(after or from_residues_circuit(lanes), t_i=found)["c_o"])
    return b.build()


def _finds(b: Builder, address: Sequence[Net], key: Sequence[Net]) -> Iterator[Net]:
    place = 0
    for basis in residue_bases():
        bits = slice(place, place + len(basis))
        place += len(basis)
        entries = [  # of the table at each bit of an address
            linear_map(b, key[bits], basis_matrix(basis, [multiply(v, k) for k in basis]))
            for v in basis[:NIBBLE]
        ]
        for half in range(0, len(basis), NIBBLE):
            chosen = address[bits][half : half + NIBBLE]
            for column in zip(*entries, strict=True):
                terms = [b.and_(u, entry) for u, entry in zip(chosen, column, strict=True)]
                yield b.xor_sum(terms)
