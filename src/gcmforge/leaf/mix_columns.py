# SPDX-License-Identifier: Apache-2.0
"""MixColumns of one column (FIPS 197 section 5.1.3), 32 bits in, 32 bits out, XORs only.

The programs were found by search (gcmforge.circuit.search_linear); `gcmforge-study search records`
compares them with the published ones and repeats the search with the seed that found them.
"""

from gcmforge.circuit import Builder, Circuit
from gcmforge.leaf.programs import load_xors


def mix_columns_circuit(variant: str) -> Circuit:
    """aes_mix_column: x_i[31:0] to y_o[31:0], the byte of row 0 in [31:24]."""
    program = load_xors(f"mix_columns_{variant}.txt")
    b = Builder("aes_mix_column")
    b.output("y_o", program.apply(b, b.input("x_i", 32)))
    return b.build()
