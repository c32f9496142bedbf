# SPDX-License-Identifier: Apache-2.0
"""The AES S-box in 113 gates: 32 AND and 81 XOR or XNOR.

The method is that of J. Boyar and R. Peralta, "A new combinational logic minimization technique
with applications to cryptology", SEA 2010, and J. Boyar, P. Matthews and R. Peralta, "Logic
minimization techniques with applications to cryptology", J. Cryptology 26 (2013): inversion in the
tower field with few ANDs, between two linear layers minimised with cancellation.  The formulas
are the straight-line program that the authors' group publishes as SLP_AES_113.  U0 is the most
significant bit of the input byte, S0 that of the output.
"""

from gcmforge.circuit import Builder, Circuit
from gcmforge.leaf.programs import build_listing

_TOP = """
Y14 = U3 + U5
Y13 = U0 + U6
Y9 = U0 + U3
Y8 = U0 + U5
T0 = U1 + U2
Y1 = T0 + U7
Y4 = Y1 + U3
Y12 = Y13 + Y14
Y2 = Y1 + U0
Y5 = Y1 + U6
Y3 = Y5 + Y8
T1 = U4 + Y12
Y15 = T1 + U5
Y20 = T1 + U1
Y6 = Y15 + U7
Y10 = Y15 + T0
Y11 = Y20 + Y9
Y7 = U7 + Y11
Y17 = Y10 + Y11
Y19 = Y10 + Y8
Y16 = T0 + Y11
Y21 = Y13 + Y16
Y18 = U0 + Y16
"""

_NORM = """
T2 = Y12 x Y15
T3 = Y3 x Y6
T4 = T3 + T2
T5 = Y4 x U7
T6 = T5 + T2
T7 = Y13 x Y16
T8 = Y5 x Y1
T9 = T8 + T7
T10 = Y2 x Y7
T11 = T10 + T7
T12 = Y9 x Y11
T13 = Y14 x Y17
T14 = T13 + T12
T15 = Y8 x Y10
T16 = T15 + T12
T17 = T4 + Y20
T18 = T6 + T16
T19 = T9 + T14
T20 = T11 + T16
T21 = T17 + T14
T22 = T18 + Y19
T23 = T19 + Y21
T24 = T20 + Y18
"""

_INVERSE = """
T25 = T21 + T22
T26 = T21 x T23
T27 = T24 + T26
T28 = T25 x T27
T29 = T28 + T22
T30 = T23 + T24
T31 = T22 + T26
T32 = T31 x T30
T33 = T32 + T24
T34 = T23 + T33
T35 = T27 + T33
T36 = T24 x T35
T37 = T36 + T34
T38 = T27 + T36
T39 = T29 x T38
T40 = T25 + T39
T41 = T40 + T37
T42 = T29 + T33
T43 = T29 + T40
T44 = T33 + T37
T45 = T42 + T41
"""

_PRODUCTS = """
Z0 = T44 x Y15
Z1 = T37 x Y6
Z2 = T33 x U7
Z3 = T43 x Y16
Z4 = T40 x Y1
Z5 = T29 x Y7
Z6 = T42 x Y11
Z7 = T45 x Y17
Z8 = T41 x Y10
Z9 = T44 x Y12
Z10 = T37 x Y3
Z11 = T33 x Y4
Z12 = T43 x Y13
Z13 = T40 x Y5
Z14 = T29 x Y2
Z15 = T42 x Y9
Z16 = T45 x Y14
Z17 = T41 x Y8
"""

_BOTTOM = """
TC1 = Z15 + Z16
TC2 = Z10 + TC1
TC3 = Z9 + TC2
TC4 = Z0 + Z2
TC5 = Z1 + Z0
TC6 = Z3 + Z4
TC7 = Z12 + TC4
TC8 = Z7 + TC6
TC9 = Z8 + TC7
TC10 = TC8 + TC9
TC11 = TC6 + TC5
TC12 = Z3 + Z5
TC13 = Z13 + TC1
TC14 = TC4 + TC12
S3 = TC3 + TC11
TC16 = Z6 + TC8
TC17 = Z14 + TC10
TC18 = TC13 + TC14
S7 = Z12 # TC18
TC20 = Z15 + TC16
TC21 = TC2 + Z11
S0 = TC3 + TC16
S6 = TC10 # TC18
S4 = TC14 + S3
S1 = S3 # TC16
TC26 = TC17 + TC20
S2 = TC26 # Z17
S5 = TC21 + TC17
"""

_UP_TO_PRODUCTS = (
    ("linear layer in front: the operands of all products", _TOP),
    ("norm: from GF(2^8) down to GF(2^4)", _NORM),
    ("inversion in GF(2^4)", _INVERSE),
    ("products of the inverse with the operands", _PRODUCTS),
)
_SECTIONS = (
    *_UP_TO_PRODUCTS,
    ("last linear layer, with the affine constant 0x63 in the XNORs", _BOTTOM),
)


def boyar_peralta_circuit() -> Circuit:
    """aes_sbox: x_i[7:0] to y_o[7:0]."""
    b = Builder("aes_sbox")
    x = b.input("x_i", 8)
    nets = {f"U{i}": x[7 - i] for i in range(8)}
    for title, listing in _SECTIONS:
        with b.section(title):
            build_listing(b, listing, nets)
    b.output("y_o", [nets[f"S{7 - i}"] for i in range(8)])
    return b.build()


def products_circuit() -> Circuit:
    """aes_sbox_products: x_i[7:0] to z_o[17:0], the products that the last layer adds up."""
    b = Builder("aes_sbox_products")
    x = b.input("x_i", 8)
    nets = {f"U{i}": x[7 - i] for i in range(8)}
    for title, listing in _UP_TO_PRODUCTS:
        with b.section(title):
            build_listing(b, listing, nets)
    b.output("z_o", [nets[f"Z{i}"] for i in range(18)])
    return b.build()


def sum_circuit() -> Circuit:
    """aes_sbox_sum: z_i[17:0], products of several S-boxes added up, to y_o[7:0], the sum of their
    outputs. It is the last layer without its constant, which an even number of S-boxes has not."""
    b = Builder("aes_sbox_sum")
    z = b.input("z_i", 18)
    nets = {f"Z{i}": z[i] for i in range(18)}
    with b.section("last linear layer, without the affine constant"):
        build_listing(b, _BOTTOM.replace("#", "+"), nets)
    b.output("y_o", [nets[f"S{7 - i}"] for i in range(8)])
    return b.build()


def two_boxes_circuit() -> Circuit:
    """aes_sbox_two: x_i[15:0] to y_o[7:0], the sum of two S-boxes: of both circuits, what they do
    together."""
    b = Builder("aes_sbox_two")
    x = b.input("x_i", 16)
    one = b.instance(products_circuit(), x_i=x[:8])["z_o"]
    other = b.instance(products_circuit(), x_i=x[8:])["z_o"]
    sums = [b.xor(p, q) for p, q in zip(one, other, strict=True)]
    b.output("y_o", b.instance(sum_circuit(), z_i=sums)["y_o"])
    return b.build()
