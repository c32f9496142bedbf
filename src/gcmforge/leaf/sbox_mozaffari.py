# SPDX-License-Identifier: Apache-2.0
"""The AES S-box over the composite field that Mozaffari 2012 finds best (Table 1, 239.6 GE):
polynomial basis, Phi = {11}_2, nu = {1010}_2, inversion in GF(2^4) by its equation (2).

M. Mozaffari-Kermani, A. Reyhani-Masoleh, "Efficient and High-Performance Parallel Hardware
Architectures for the AES-GCM", IEEE Trans. Computers 61 (2012), section 2.1.2 and Lemma 1.

With eta = eta_h u + eta_l the image of the input, gamma = nu eta_h^2 + eta_h eta_l + eta_l^2 and
theta = gamma^-1, the inverse is psi_h = eta_h theta, psi_l = (eta_h + eta_l) theta.  Here
    gamma   = nu eta_h^2 + eta_l eta_s      with eta_s = eta_h + eta_l
    psi_l   = eta_s theta,   psi_h = eta_l theta + eta_s theta,
so that both steps multiply by the same two operands eta_l and eta_s and their sums are made once.
A product in GF(2^4) is nine ANDs of sums of operand bits (Karatsuba twice); as every product is
only added further, NANDs do, and their inversions end up in a few XNORs.  What lies between the
nonlinear gates are three linear maps: `operand_matrix`, `norm_matrix` and `output_matrix` (products
recombined, basis change back and affine matrix in one).  bench/sbox_search.py minimises them
for each of the eight isomorphisms; the best is kept as data.

What was found about Lemma 1.  Equations (4) and (5) equal true inversion for all 16 inputs.
Equation (2) does with these scopes of its overbars, and with OR binding tighter than "+":
    theta_3 = g2 ~(g3 g1) + g3 g0
    theta_2 = g3 ~g0 | g2 (g3 | g1)
    theta_1 = g2 ~g0 | g3 ~g1 g0 | ~g3 g1 ~g2          (bar over g3 alone, not over g3 g1)
    theta_0 = (g3 | g1 ~g0 | ~g2 g0 ~g1) + g1 (g2 | g3 ~g0)   (bar over g2 alone, not over g2 g0)
With the long bars theta_1 and theta_0 are wrong.  In equation (3), for the other Phi, theta_3,
theta_2 and theta_1 are right; theta_0 as it can be read is off by gamma_3 + gamma_1, and no scope
of its bars mends it.
"""

from collections.abc import Sequence

from gcmforge.circuit import Builder, Circuit, Net
from gcmforge.field import BitMatrix, TowerField, aes_affine
from gcmforge.leaf.programs import apply_affine, parse_xors

FIELD = TowerField(phi=0b11, nu=0b1010)
ROOT = 83
"""The image of x under the isomorphism used, the best of FIELD.roots()."""

_FORMS = BitMatrix(rows=(1, 2, 3, 4, 8, 12, 5, 10, 15), columns=4)
"""The sums of operand bits that a product in GF(2^4) multiplies: low half, high half, sum."""

_PRODUCT = BitMatrix(rows=(0b000110011, 0b000011101, 0b011000011, 0b101000101), columns=9)
"""The product in GF(2^4) from the nine products of sums, for Phi = {11}_2."""

_OPERANDS = parse_xors(
    8,
    """
    2+4 5+6 1+7 2+7 3+7 4+7 10+13 0+9 2+12 5+10 16+17 1+15 9+14 11+14 12+14 7+15 9+18 15+18
    13+23 0+22 10+18 18+22 11+19 12+20
    """,
    """
    19 10 23 11 8 13 30 21 26 15 18 25 31 29 24 27 22 0 28 1 20 17
    """,
)
_NORM = parse_xors(
    13,
    """
    0+1 0+2 3+4 6+7 6+8 5+9 4+13 14+15 13+16 12+17 18+19 10+20 11+21 14+22
    """,
    "23 24 25 26",
)
_OUTPUT = parse_xors(
    18,
    """
    1+5 4+6 9+10 10+11 16+17 0+18 2+18 5+19 8+19 13+20 15+20 21+22 12+22 7+25 14+27 16+28 4+29
    27+30 3+32 31+32 31+33 23+34 24+35 35+39 32+38 29+38 26+40 36+40
    """,
    "39 41 44 43 38 45 42 37",
)


def mozaffari_circuit() -> Circuit:
    """aes_sbox: x_i[7:0] to y_o[7:0]."""
    b = Builder("aes_sbox")
    x = b.input("x_i", 8)
    with b.section("basis change: eta_l and eta_h + eta_l with the sums of their bits, nu eta_h^2"):
        top = list(_OPERANDS.apply(b, x))
    b.label(top[:9], "low")
    b.label(top[9:18], "sum")
    b.label(top[18:], "nu_square")
    with b.section("gamma = nu eta_h^2 + eta_l (eta_h + eta_l) in GF(2^4)"):
        products = [b.nand(p, q) for p, q in zip(top[:9], top[9:18], strict=True)]
        gamma = apply_affine(b, _NORM, products + top[18:], inverted=range(9), constant=0)
        b.label(gamma, "gamma")
    with b.section("theta = gamma^-1 in GF(2^4), equation (2)"):
        theta = _invert(b, gamma)
        b.label(theta, "theta")
        sums = _sums(b, theta)
    with b.section("eta_l theta and (eta_h + eta_l) theta"):
        products = [b.nand(p, q) for p, q in zip(top[:18], sums + sums, strict=True)]
        b.label(products, "product_n")
    with b.section("recombination, basis change back, affine matrix and constant 0x63"):
        y = apply_affine(b, _OUTPUT, products, inverted=range(18), constant=aes_affine(0))
    b.output("y_o", y)
    return b.build()


def _invert(b: Builder, g: Sequence[Net]) -> list[Net]:
    """Equation (2) of Lemma 1 over NAND, NOR and XOR; g[i] is gamma_i, the answer theta_i."""
    not_0, not_2 = b.not_(g[0]), b.not_(g[2])
    nand_30 = b.nand(g[3], g[0])
    nand_3n0 = b.nand(g[3], not_0)
    theta_3 = b.xor(b.nand(g[2], b.nand(g[3], g[1])), nand_30)
    theta_2 = b.nand(nand_3n0, b.nand(g[2], b.or_(g[3], g[1])))
    both = b.nor(b.nor(nand_30, g[1]), b.nor(b.nand(g[1], not_2), g[3]))
    theta_1 = b.nand(b.nand(g[2], not_0), both)
    either = b.mux(g[0], b.nor(g[2], g[1]), g[1])  # g1 ~g0 | ~g2 g0 ~g1
    theta_0 = b.xor(b.nor(g[3], either), b.nand(g[1], b.nand(not_2, nand_3n0)))
    return [theta_0, theta_1, theta_2, theta_3]


def _sums(b: Builder, bits: Sequence[Net]) -> list[Net]:
    """The nine sums of _FORMS."""
    low, high = b.xor(bits[0], bits[1]), b.xor(bits[2], bits[3])
    sum_0, sum_1 = b.xor(bits[0], bits[2]), b.xor(bits[1], bits[3])
    total = b.xor(low, high)
    for name, net in (("10", low), ("32", high), ("20", sum_0), ("31", sum_1), ("3210", total)):
        b.label(net, f"theta_{name}")
    return [bits[0], bits[1], low, bits[2], bits[3], high, sum_0, sum_1, total]


def operand_matrix(root: int) -> BitMatrix:
    """22 x 8, from the input byte: the sums for eta_l, those for eta_h + eta_l, nu eta_h^2."""
    basis = FIELD.isomorphism(root)
    low = BitMatrix(rows=basis.rows[:4], columns=8)
    high = BitMatrix(rows=basis.rows[4:], columns=8)
    both = BitMatrix(rows=tuple(p ^ q for p, q in zip(low.rows, high.rows, strict=True)), columns=8)
    square = BitMatrix.of_map(lambda a: FIELD.multiply4(FIELD.nu, FIELD.multiply4(a, a)), 4, 4)
    rows = (_FORMS @ low).rows + (_FORMS @ both).rows + (square @ high).rows
    return BitMatrix(rows=rows, columns=8)


def norm_matrix() -> BitMatrix:
    """4 x 13: gamma from the nine products and nu eta_h^2."""
    rows = tuple(row | (1 << (9 + i)) for i, row in enumerate(_PRODUCT.rows))
    return BitMatrix(rows=rows, columns=13)


def output_matrix(root: int) -> BitMatrix:
    """8 x 18: the S-box output without its constant, from the nine products of eta_l theta (low
    columns) and the nine of (eta_h + eta_l) theta."""
    low = tuple(row << 9 for row in _PRODUCT.rows)
    high = tuple(row | (row << 9) for row in _PRODUCT.rows)
    psi = BitMatrix(rows=low + high, columns=18)
    affine = BitMatrix.of_map(lambda byte: aes_affine(byte) ^ aes_affine(0), 8, 8)
    return affine @ FIELD.isomorphism(root).inverse() @ psi
