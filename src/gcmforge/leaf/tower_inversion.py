# SPDX-License-Identifier: Apache-2.0
"""Inversion in GF(2^4), the innermost step of an S-box over a tower of fields.

`derived_inversion` follows the tower once more, for any field and basis.  `lemma_1` are the
formulas of Mozaffari 2012, Lemma 1, for polynomial bases; `reduced_inversion` is for Canright's
field.

What was found about Lemma 1.  Equations (4) and (5) equal true inversion for all 16 inputs.
Equation (2) does with these scopes of its overbars, and with OR binding tighter than "+":
    theta_3 = g2 ~(g3 g1) + g3 g0
    theta_2 = g3 ~g0 | g2 (g3 | g1)
    theta_1 = g2 ~g0 | g3 ~g1 g0 | ~g3 g1 ~g2          (bar over g3 alone, not over g3 g1)
    theta_0 = (g3 | g1 ~g0 | ~g2 g0 ~g1) + g1 (g2 | g3 ~g0)   (bar over g2 alone, not over g2 g0)
With the long bars theta_1 and theta_0 are wrong.  In equation (3), for the other Phi, theta_3,
theta_2 and theta_1 are right; theta_0 as it can be read is off by gamma_3 + gamma_1, and no scope
of its bars mends it.  What is built adds these two.
"""

from collections.abc import Callable, Sequence

from gcmforge.circuit import Builder, Net
from gcmforge.field import BitMatrix, TowerField
from gcmforge.leaf.programs import apply_affine, best_program

Inversion = Callable[[Builder, TowerField, Sequence[Net]], list[Net]]


def derived_inversion(b: Builder, field: TowerField, gamma: Sequence[Net]) -> list[Net]:
    """theta = gamma^-1 from the structure of the field; bit i of both is nets[i].

    With gamma = (h, l), the norm delta = phi h^2 + l (h + l) in polynomial basis and
    h l + phi (h + l)^2 in normal basis is inverted by squaring, and the inverse is
    (h delta^-1, (h + l) delta^-1), or (l delta^-1, h delta^-1).
    """
    if field.phi is None:
        return _from_products(b, field, gamma)
    phi, polynomial = field.phi, field.bases[1] == "polynomial"
    low, high = gamma[:2], gamma[2:]
    both = [b.xor(p, q) for p, q in zip(low, high, strict=True)]
    first, second, squared = (low, both, high) if polynomial else (low, high, both)
    square = BitMatrix.of_map(lambda a: field.multiply2(a, a), 2, 2)
    scaled = BitMatrix.of_map(lambda a: field.multiply2(phi, field.multiply2(a, a)), 2, 2)
    product = product_matrix(field.multiply2, 2)
    from_products, from_square = square @ product, square @ scaled
    rows = [p | q << 3 for p, q in zip(from_products.rows, from_square.rows, strict=True)]
    nands = [b.nand(p, q) for p, q in zip(_sums2(b, first), _sums2(b, second), strict=True)]
    program = best_program(BitMatrix(rows=tuple(rows), columns=5))
    delta = apply_affine(b, program, [*nands, *squared], inverted=range(3), constant=0)
    theta_high = _product2(b, product, delta, high if polynomial else low)
    theta_low = _product2(b, product, delta, both if polynomial else high)
    return theta_low + theta_high


def _product2(
    b: Builder, product: BitMatrix, left: Sequence[Net], right: Sequence[Net]
) -> list[Net]:
    """The product in GF(2^2)."""
    nands = [b.nand(p, q) for p, q in zip(_sums2(b, left), _sums2(b, right), strict=True)]
    return apply_affine(b, best_program(product), nands, inverted=range(3), constant=0)


def _sums2(b: Builder, bits: Sequence[Net]) -> list[Net]:
    """The sums of product_forms(2)."""
    return [bits[0], bits[1], b.xor(bits[0], bits[1])]


def product_matrix(multiply: Callable[[int, int], int], bits: int) -> BitMatrix:
    """bits x 3^k, bits = 2^k: a product from the products of the sums that Karatsuba takes.

    Product j is that of the sums of `product_forms`.  Each row is found by trying all
    combinations against the products of basis vectors; it is the only one.
    """
    forms = product_forms(bits)
    pairs = [(1 << i, 1 << j) for i in range(bits) for j in range(i + 1)]
    terms = [forms.apply(p) & forms.apply(q) for p, q in pairs]
    wanted = [multiply(p, q) for p, q in pairs]
    rows = []
    for i in range(bits):
        values = [(product >> i) & 1 for product in wanted]
        rows.append(
            next(
                row
                for row in range(1 << len(forms.rows))
                if all((row & t).bit_count() & 1 == v for t, v in zip(terms, values, strict=True))
            )
        )
    return BitMatrix(rows=tuple(rows), columns=len(forms.rows))


def product_forms(bits: int) -> BitMatrix:
    """3^k x bits, bits = 2^k: the sums of an operand's bits that Karatsuba multiplies: those of
    the low half, those of the high half, those of their sum."""
    if bits == 1:
        return BitMatrix.identity(1)
    below, half = product_forms(bits // 2).rows, bits // 2
    rows = below + tuple(r << half for r in below) + tuple(r | r << half for r in below)
    return BitMatrix(rows=rows, columns=bits)


def _from_products(b: Builder, field: TowerField, gamma: Sequence[Net]) -> list[Net]:
    """Inversion from its algebraic normal form: the products that occur, each made once from a
    smaller one, and their sums."""
    forms = [_normal_form([field.inverse4(g) >> i & 1 for g in range(16)]) for i in range(4)]
    products = sorted(set().union(*forms), key=lambda p: (p.bit_count(), p))
    nets = {1 << i: gamma[i] for i in range(4)}
    for product in products:
        if product not in nets:
            low = product & -product
            rest = product ^ low
            if rest not in nets:
                nets[rest] = b.and_(*(gamma[i] for i in range(4) if rest >> i & 1))
            nets[product] = b.and_(nets[low], nets[rest])
    rows = [sum(1 << k for k, p in enumerate(products) if p in form) for form in forms]
    program = best_program(BitMatrix(rows=tuple(rows), columns=len(products)))
    return list(program.apply(b, [nets[p] for p in products]))


def _normal_form(table: Sequence[int]) -> set[int]:
    """The products whose sum is the function of four variables with this table; a product is the
    int of its variables."""
    return {
        p
        for p in range(1, 16)
        if sum(table[subset] for subset in range(16) if subset & ~p == 0) & 1
    }


def lemma_1(b: Builder, field: TowerField, gamma: Sequence[Net]) -> list[Net]:
    """Equation (2) of Lemma 1, or for Phi = {10}_2 equation (3) mended, over NAND, NOR and XOR."""
    if field.bases[:2] != ("polynomial", "polynomial") or field.phi is None:
        raise ValueError("Lemma 1 is for polynomial bases of GF((2^2)^2)")
    return (_equation_2 if field.phi == 0b11 else _equation_3)(b, gamma)


def _equation_2(b: Builder, g: Sequence[Net]) -> list[Net]:
    """For Phi = {11}_2; g[i] is gamma_i, the answer theta_i."""
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


def _equation_3(b: Builder, g: Sequence[Net]) -> list[Net]:
    """For Phi = {10}_2; theta_0 has gamma_3 + gamma_1 more than printed."""
    not_3, not_0 = b.not_(g[3]), b.not_(g[0])
    nor_20 = b.nor(g[2], g[0])
    nand_31 = b.nand(g[3], g[1])
    theta_3 = b.xor(b.nand(g[2], nand_31), b.nand(g[3], not_0))
    theta_2 = b.nand(b.nand(g[2], b.not_(g[1])), b.nand(g[3], b.not_(nor_20)))
    sum_31 = b.xor(g[3], g[1])
    either = b.nand(b.or_(nand_31, nor_20), b.nand(g[2], g[0]))
    theta_1 = b.xor(b.xor(either, g[2]), sum_31)
    left = b.nor(g[0], b.mux(g[2], not_3, b.nor(g[1], not_3)))  # complement of the first bracket
    right = b.nand(g[2], b.or_(g[1], b.nor(g[3], not_0)))  # complement of the second product
    return [b.xor(b.xor(left, right), sum_31), theta_1, theta_2, theta_3]


def reduced_inversion(b: Builder, field: TowerField, gamma: Sequence[Net]) -> list[Net]:
    """For normal bases with Phi = {10}_2, the field of D. Canright, "A Very Compact S-box for
    AES", CHES 2005, with its idea that a product and the sum of its factors are one OR.

    In the norm h l + phi (h + l)^2 of gamma = (h, l) bit 1 is (h_1 | l_1) + s_h s_l and bit 0 is
    h_0 l_0 + (s_h | s_l), where s is the sum of an operand's bits: no square is left to add.
    """
    if field.bases[:2] != ("normal", "normal") or field.phi != 0b10:
        raise ValueError("the reduced inversion is for normal bases with Phi = {10}_2")
    low, high = gamma[:2], gamma[2:]
    sum_low, sum_high = b.xor(*low), b.xor(*high)
    norm_1 = b.xnor(b.nor(high[1], low[1]), b.and_(sum_high, sum_low))
    norm_0 = b.xor(b.nand(high[0], low[0]), b.nor(sum_high, sum_low))
    delta = [norm_1, norm_0]  # squared: in normal basis the bits change places
    product = product_matrix(field.multiply2, 2)
    return _product2(b, product, delta, high) + _product2(b, product, delta, low)
