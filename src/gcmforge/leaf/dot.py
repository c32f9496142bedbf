# SPDX-License-Identifier: Apache-2.0
"""Sums of q products in GF(2^128) with one recombination and one reduction.

Both are linear, so they may follow the addition of the lanes: each lane has its evaluated operands
and its products, the products are added coefficient by coefficient, and a single `combine` makes
the 128 bits of the sum.  Against q multipliers and q - 1 additions of 128 bits that saves q - 1
recombinations and reductions and costs the additions of the lanes at the products' width; it pays
the more the more steps the splitting has.

An operand that stays the same for long, a power of H, may be kept as it is when evaluated: then
`gf128_key` evaluates it once, and `gf128_dot_stored` has the products and what follows them.
"""

from collections.abc import Callable

from gcmforge.circuit import Builder, Circuit, Net, with_nands
from gcmforge.field import gf128_multiply
from gcmforge.leaf.reduction import DEGREE
from gcmforge.leaf.scheme import Scheme


def dot_circuit(scheme: Scheme, lanes: int) -> Circuit:
    """gf128_dot: a_i[128q-1:0], b_i[128q-1:0] to c_o[127:0], the sum over the lanes l of
    a_l * b_l; lane 0 is on top: x_l = x_i[(q-1-l)*128 +: 128]."""
    if lanes < 1:
        raise ValueError(f"lanes={lanes}: at least 1")
    b = Builder("gf128_dot")
    p, q = b.input("a_i", DEGREE * lanes), b.input("b_i", DEGREE * lanes)

    def evaluated(lane: int) -> tuple[list[Net], list[Net]]:
        bits = _lane(lane, lanes, DEGREE)
        return scheme.evaluate_both(b, p[bits], q[bits], str(lane))

    return _sum(b, scheme, lanes, evaluated)


def _sum(
    b: Builder, scheme: Scheme, lanes: int, evaluated: Callable[[int], tuple[list[Net], list[Net]]]
) -> Circuit:
    """The lanes' products of both evaluated operands, added, and the one recombination."""
    products = [scheme.products(b, *evaluated(lane)) for lane in range(lanes)]
    with b.section("sums over the lanes"):
        sums = [b.xor_sum(terms) for terms in zip(*products, strict=True)]
    b.output("c_o", scheme.combine(b, sums))
    return with_nands(b.build())


def _lane(lane: int, lanes: int, width: int) -> slice:
    """The bits of a lane; lane 0 is on top."""
    return slice((lanes - 1 - lane) * width, (lanes - lane) * width)


def key_circuit(scheme: Scheme) -> Circuit:
    """gf128_key: a_i[127:0] to k_o[K-1:0], all sums of a key's bits that the products take."""
    b = Builder("gf128_key")
    evaluate = scheme.evaluate_key or scheme.evaluate
    b.output("k_o", evaluate(b, b.input("a_i", DEGREE), "a"))
    return b.build()


def stored_dot_circuit(scheme: Scheme, lanes: int) -> Circuit:
    """gf128_dot_stored: a_i[128q-1:0], k_i[Kq-1:0] to c_o[127:0], the sum over the lanes l of
    a_l * b_l where k_l is what gf128_key makes of b_l; lane 0 is on top."""
    if lanes < 1:
        raise ValueError(f"lanes={lanes}: at least 1")
    width = key_circuit(scheme).output_width
    b = Builder("gf128_dot_stored")
    p, k = b.input("a_i", DEGREE * lanes), b.input("k_i", width * lanes)

    def evaluated(lane: int) -> tuple[list[Net], list[Net]]:
        data = scheme.evaluate(b, p[_lane(lane, lanes, DEGREE)], f"a{lane}")
        return data, list(k[_lane(lane, lanes, width)])

    return _sum(b, scheme, lanes, evaluated)


def keyed(key: Circuit, stored: Circuit) -> Circuit:
    """Both together, gf128_dot with a_i and b_i: every lane of b_i through `key`."""
    lanes = stored.inputs[0].width // DEGREE
    b = Builder("gf128_dot")
    p, q = b.input("a_i", DEGREE * lanes), b.input("b_i", DEGREE * lanes)
    keys: list[Net] = []
    for lane in reversed(range(lanes)):
        keys += b.instance(key, a_i=q[_lane(lane, lanes, DEGREE)])["k_o"]
    b.output("c_o", b.instance(stored, a_i=p, k_i=keys)["c_o"])
    return b.build()


def dot_product(a: int, b: int) -> int:
    """The sum over the 128-bit lanes of a and b of their products in GF(2^128), in polynomial
    order within a lane."""
    mask = (1 << DEGREE) - 1
    total = 0
    while a and b:
        total ^= gf128_multiply(a & mask, b & mask)
        a >>= DEGREE
        b >>= DEGREE
    return total
