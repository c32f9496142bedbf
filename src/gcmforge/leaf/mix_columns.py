# SPDX-License-Identifier: Apache-2.0
"""MixColumns of one column (FIPS 197 section 5.1.3), 32 bits in, 32 bits out, XORs only.

The programs were found by search (gcmforge.circuit.search_linear); `gcmforge-study search records`
compares them with the published ones and repeats the search with the seed that found them.
"""

from gcmforge.circuit import Builder, Circuit, Net
from gcmforge.leaf.programs import load_xors

CHECKED = "checked"


def checked_circuit() -> Circuit:
    """aes_mix_column of a core with faults=detect. Each row is twice the sum of its byte and the
    next one, and the other three. A gate is in one output bit, or as a sum of two bytes in two
    rows, once doubled. So whichever gate is wrong, the sum of the four output bytes is, too."""
    b = Builder("aes_mix_column")
    x = b.input("x_i", 32)
    rows = [x[24:], x[16:24], x[8:16], x[:8]]
    sums = [[b.xor(p, q) for p, q in zip(rows[i], rows[(i + 1) % 4], strict=True)]
            for i in range(4)]  # fmt: skip
    made: list[list[Net]] = []
    for i in range(4):
        double = [sums[i][7], *sums[i][:7]]
        for bit in (1, 3, 4):
            double[bit] = b.xor(double[bit], sums[i][7])
        others = [b.xor(p, q) for p, q in zip(rows[(i + 1) % 4], sums[(i + 2) % 4], strict=True)]
        made.append([b.xor(p, q) for p, q in zip(double, others, strict=True)])
    b.output("y_o", [*made[3], *made[2], *made[1], *made[0]])
    return b.build()


def mix_columns_circuit(variant: str) -> Circuit:
    """aes_mix_column: x_i[31:0] to y_o[31:0], the byte of row 0 in [31:24]."""
    if variant == CHECKED:
        return checked_circuit()
    program = load_xors(f"mix_columns_{variant}.txt")
    b = Builder("aes_mix_column")
    b.output("y_o", program.apply(b, b.input("x_i", 32)))
    return b.build()
