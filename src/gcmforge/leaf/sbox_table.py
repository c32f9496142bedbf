# SPDX-License-Identifier: Apache-2.0
"""The AES S-box as tables: all of it, the inversion only, and a twisted decision diagram.

For counting, proving and cutting into stages a table is a network of multiplexers: each output bit
is split at one input bit after another (Shannon), and equal or complementary tables are made once:
a binary decision diagram.

`table_circuit` is the table of 256 bytes (FIPS 197 section 5.1.1, Figure 7); in SystemVerilog it
is a case statement.  `table_inverse_circuit` has the table for the inversion only, and then the
affine map.  `twisted_bdd_circuit` is after the S-box that Satoh 2007 section 6 uses for speed,
from S. Morioka, A. Satoh, "A 10-Gbps full-AES crypto design with a twisted BDD S-box architecture",
IEEE Trans. VLSI 12 (2004), whose point is that the fan-out of the inputs is spread evenly: here the
diagrams of the eight output bits take the inputs in eight orders, so that each input selects once
at every level.  Which orders the authors took is not in our source; ours are the rotation with the
fewest multiplexers.
"""

from collections.abc import Sequence

from gcmforge.circuit import Builder, Circuit, Net
from gcmforge.field import AES_POLYNOMIAL, BitMatrix, aes_affine, aes_sbox, poly_inverse
from gcmforge.leaf.programs import apply_affine, best_program

_PLAIN_ORDER = tuple(range(8))

TWISTED_ORDER = (3, 5, 6, 2, 7, 4, 1, 0)
"""Output bit i takes the inputs in this order, rotated by i, the last one nearest to the output;
948 GE, found by gcmforge-study search twist among all."""


class _Diagrams:
    """Multiplexers over the inputs x, each function of some of them made once."""

    def __init__(self, b: Builder, x: Sequence[Net]) -> None:
        self.b = b
        self.x = x
        self.made: dict[tuple[tuple[int, ...], tuple[int, ...]], Net] = {}

    def function(self, table: Sequence[int], order: Sequence[int]) -> Net:
        """The net with table[x], order[-1] nearest to the output."""
        places = [sum(((i >> k) & 1) << bit for k, bit in enumerate(order)) for i in range(256)]
        return self._select(tuple(table[place] for place in places), tuple(order))

    def _select(self, table: tuple[int, ...], order: tuple[int, ...]) -> Net:
        """The net whose value is table[i], bit k of i being input order[k]."""
        if len(set(table)) == 1:
            return self.b.const(table[0])
        complement = tuple(1 - y for y in table)
        if (complement, order) in self.made:
            return self.b.not_(self.made[complement, order])
        if (table, order) not in self.made:
            half = len(table) // 2
            if0 = self._select(table[:half], order[:-1])
            if1 = self._select(table[half:], order[:-1])
            self.made[table, order] = self.b.mux(self.x[order[-1]], if1, if0)
        return self.made[table, order]


def _bits(values: Sequence[int]) -> list[list[int]]:
    """The table of each output bit."""
    return [[(value >> bit) & 1 for value in values] for bit in range(8)]


def table_circuit() -> Circuit:
    """aes_sbox: x_i[7:0] to y_o[7:0]."""
    b = Builder("aes_sbox")
    diagrams = _Diagrams(b, b.input("x_i", 8))
    tables = _bits([aes_sbox(x) for x in range(256)])
    b.output("y_o", [diagrams.function(table, _PLAIN_ORDER) for table in tables])
    return b.build()


def table_pair_circuit() -> Circuit:
    """aes_sbox_pair: x_i[15:0] to y_o[15:0], two bytes."""
    b = Builder("aes_sbox_pair")
    x = b.input("x_i", 16)
    tables = _bits([aes_sbox(byte) for byte in range(256)])
    halves = [_Diagrams(b, x[low : low + 8]) for low in (0, 8)]
    b.output("y_o", [half.function(table, _PLAIN_ORDER) for half in halves for table in tables])
    return b.build()


def table_inverse_circuit() -> Circuit:
    """aes_sbox: x_i[7:0] to y_o[7:0]."""
    b = Builder("aes_sbox")
    diagrams = _Diagrams(b, b.input("x_i", 8))
    inverses = [0, *(poly_inverse(x, AES_POLYNOMIAL) for x in range(1, 256))]
    with b.section("inverse in GF(2^8), as a table"):
        inverse = [diagrams.function(table, _PLAIN_ORDER) for table in _bits(inverses)]
        b.label(inverse, "inverse")
    with b.section("affine matrix and constant 0x63"):
        affine = BitMatrix.of_map(lambda byte: aes_affine(byte) ^ aes_affine(0), 8, 8)
        program = best_program(affine)
        b.output("y_o", apply_affine(b, program, inverse, inverted=(), constant=aes_affine(0)))
    return b.build()


def twisted_bdd_circuit(order: Sequence[int] = TWISTED_ORDER) -> Circuit:
    """aes_sbox: x_i[7:0] to y_o[7:0]; output bit i takes the inputs in `order` rotated by i."""
    b = Builder("aes_sbox")
    diagrams = _Diagrams(b, b.input("x_i", 8))
    tables = _bits([aes_sbox(x) for x in range(256)])
    outputs = []
    for bit, table in enumerate(tables):
        with b.section(f"output bit {bit}"):
            outputs.append(diagrams.function(table, [*order[bit:], *order[:bit]]))
    b.output("y_o", outputs)
    return b.build()
