# SPDX-License-Identifier: Apache-2.0
"""Multiplication by a fixed element of GF(2^128): Crenne et al. 2011, folded into XOR gates.

A product with a constant H is linear over GF(2). Algorithm 1 of the paper makes a table T of 128
rows, H x^i in the standard's order of bits; algorithm 2 adds the rows that the operand's bits
choose. With T known, the AND gates go and the network of XORs is what is left: a 128x128 matrix.

As printed, algorithm 1 stores V after its shift, so that T[i] = H x^(i+1), and algorithm 2 clears X
inside its loop. SP 800-38D, algorithm 1, starts with V_0 = H and clears Z once, and so does this
page.
"""

from collections.abc import Callable

from gcmforge.circuit import Builder, Circuit
from gcmforge.field import BitMatrix, gf128_multiply
from gcmforge.leaf.base import Leaf

BITS = 128
_R = 0b11100001 << 120


def key_table(subkey: int) -> tuple[int, ...]:
    """Table T of algorithm 1, in the standard's order (bit 127 is the first bit): T[i] = H x^i."""
    table, v = [], subkey
    for _ in range(BITS):
        table.append(v)
        v = v >> 1 ^ (_R if v & 1 else 0)
    return tuple(table)


def reflected(block: int) -> int:
    """The standard's order of bits to that of polynomials, and back."""
    return int(f"{block:0{BITS}b}"[::-1], 2)


def fixed_matrix(subkey: int, lanes: int = 1) -> BitMatrix:
    """The matrix of the sum of lane l times H^(lanes-l), lane 0 on top, in the order of
    polynomials: columns of the last lane first, which are the rows of T."""
    columns: list[int] = []
    for power in _powers(reflected(subkey), lanes):
        columns += map(reflected, key_table(reflected(power)))
    return BitMatrix.from_columns(columns, BITS)


def fixed_product(subkey: int, lanes: int = 1) -> Callable[[int], int]:
    """What the matrix has to compute, by polynomial multiplication."""
    powers = _powers(reflected(subkey), lanes)

    def product(a: int) -> int:
        total = 0
        for lane, power in enumerate(powers):
            total ^= gf128_multiply(a >> BITS * lane & (1 << BITS) - 1, power)
        return total

    return product


def fixed_leaf(subkey: int, lanes: int, variant: str, circuit: Circuit) -> Leaf:
    """gf128_fixed, a_i[128q-1:0] to c_o[127:0], around a circuit. Its texts name no key."""
    what = "product with a fixed element"
    if lanes > 1:
        what = f"sum of {lanes} blocks, lane 0 on top, times falling powers of a fixed element"
    return Leaf(
        module="gf128_fixed",
        variant=variant,
        title=f"{what} modulo x^128 + x^7 + x^2 + x + 1, bit i the coefficient of x^i",
        circuit=circuit,
        spec=fixed_product(subkey, lanes),
        proof_kind="linear",
        source="Crenne et al. 2011, algorithms 1 and 2",
        notes=("KEY MATERIAL: the hash subkey can be computed from this file.",),
    )


def fixed_ports(lanes: int = 1) -> Circuit:
    """The ports of gf128_fixed, and no logic."""
    b = Builder("gf128_fixed")
    nets = b.input("a_i", BITS * lanes)
    b.output("c_o", nets[:BITS])
    return b.build()


def _powers(h: int, count: int) -> list[int]:
    """h, h^2, .. h^count as polynomials."""
    powers = [h]
    while len(powers) < count:
        powers.append(gf128_multiply(powers[-1], h))
    return powers
