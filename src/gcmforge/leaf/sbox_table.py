# SPDX-License-Identifier: Apache-2.0
"""The AES S-box as its table of 256 bytes (FIPS 197 section 5.1.1, Figure 7).

In SystemVerilog it is a case statement.  For counting, proving and cutting into stages it is a
network of multiplexers: each output bit is split at one input bit after another (Shannon), and
equal or complementary tables are made once.
"""

from functools import partial

from gcmforge.circuit import Builder, Circuit, Net
from gcmforge.field import aes_sbox


def table_circuit() -> Circuit:
    """aes_sbox: x_i[7:0] to y_o[7:0]."""
    table = [aes_sbox(x) for x in range(256)]
    b = Builder("aes_sbox")
    x = b.input("x_i", 8)
    made: dict[tuple[int, ...], Net] = {}
    make = partial(_select, b, x, made)
    b.output("y_o", [make(tuple((y >> bit) & 1 for y in table)) for bit in range(8)])
    return b.build()


def _select(
    b: Builder, x: tuple[Net, ...], made: dict[tuple[int, ...], Net], table: tuple[int, ...]
) -> Net:
    """The net that holds table[x], x taken modulo the size of the table."""
    if len(table) == 1:
        return b.const(table[0])
    complement = tuple(1 - y for y in table)
    if complement in made:
        return b.not_(made[complement])
    if table not in made:
        half = len(table) // 2
        bit = half.bit_length() - 1
        if0 = _select(b, x, made, table[:half])
        if1 = _select(b, x, made, table[half:])
        made[table] = b.mux(x[bit], if1, if0)
    return made[table]
