# SPDX-License-Identifier: Apache-2.0
"""SubBytes and MixColumns of one column in one: four S-boxes without their last layers, and one
linear map from all their products to the column.

The S-box is that of 113 gates (leaf/sbox_boyar_peralta.py); four last layers of 28 XORs and
MixColumns of 90 would be 202 XORs, the merged map has 192. It was found by search: `gcmforge-study
search records` shows it and repeats the search. The constant 0x63 of the S-box stays what it is
after MixColumns, since the coefficients of a row add up to 1.
"""

from gcmforge.circuit import Builder, Circuit, Net
from gcmforge.field import aes_affine, aes_mix_column, aes_sbox
from gcmforge.leaf.programs import apply_affine, load_xors
from gcmforge.leaf.sbox_boyar_peralta import products_circuit


def sub_mix_circuit() -> Circuit:
    """aes_sub_mix_column: x_i[31:0] to y_o[31:0], the byte of row 0 in [31:24]."""
    box = products_circuit()
    program = load_xors("merged_columns.txt")
    b = Builder("aes_sub_mix_column")
    x = b.input("x_i", 32)
    products: list[Net] = []
    for row in (3, 2, 1, 0):
        with b.section(f"S-box of row {row} up to its products"):
            byte = x[8 * (3 - row) : 8 * (4 - row)]
            products += b.instance(box, x_i=byte)["z_o"]
    with b.section("four last layers and MixColumns, with the constant 0x63"):
        constant = aes_affine(0) * 0x01010101
        y = apply_affine(b, program, products, inverted=(), constant=constant)
    b.output("y_o", y)
    return b.build()


def sub_mix(column: int) -> int:
    """SubBytes (FIPS 197 section 5.1.1) and MixColumns (5.1.3) of a column, row 0 on top."""
    substituted = sum(aes_sbox(column >> i & 0xFF) << i for i in (0, 8, 16, 24))
    return aes_mix_column(substituted)
