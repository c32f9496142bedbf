# SPDX-License-Identifier: Apache-2.0
"""H^2, H^4 .. H^(2^k) at once: the powers that a tail by binary digits needs.

Squaring is linear over GF(2), and so is every repeated squaring. Mozaffari-Kermani and
Reyhani-Masoleh 2012, Fig. 5, have three ways: one squarer after another (`cascade`), every power
straight from H (`parallel`), and every second power the square of the one before it (`hybrid`).
For H^2, H^4 and H^8 all three are programs found by search at the depth that the paper's Table 4
has for the form: sums may be shared across the powers, so that they differ in depth only.
"""

from collections.abc import Sequence

from gcmforge.circuit import Builder, Circuit, Net, least_depth, linear_map
from gcmforge.field import gf128_square
from gcmforge.leaf.programs import load_xors
from gcmforge.leaf.reduction import DEGREE, square_nets

SQUARES_FORMS = ("cascade", "parallel", "hybrid")

_SEARCHED = {
    ("cascade", 3): "squarers_depth9.txt",
    ("parallel", 3): "squarers_depth5.txt",
    ("hybrid", 3): "squarers_depth6.txt",
}


def squares_circuit(form: str, powers: int) -> Circuit:
    """gf128_squares: a_i[127:0] to c_o[128*powers-1:0], a^2 in the low bits, then a^4, .."""
    b = Builder("gf128_squares")
    h = b.input("a_i", DEGREE)
    if (form, powers) in _SEARCHED:
        b.output("c_o", load_xors(_SEARCHED[form, powers]).apply(b, h))
        return b.build()
    made: list[Sequence[Net]] = [h]
    if form == "parallel":
        made += _powers_of(b, h, range(1, powers + 1))
    elif form == "hybrid":
        straight = iter(_powers_of(b, h, range(1, powers + 1, 2)))
        for k in range(1, powers + 1):
            made.append(next(straight) if k % 2 else square_nets(b, made[-1]))
    else:
        for _ in range(powers):
            made.append(square_nets(b, made[-1]))
    b.output("c_o", [net for power in made[1:] for net in power])
    return b.build()


def _powers_of(b: Builder, h: Sequence[Net], doublings: Sequence[int]) -> list[tuple[Net, ...]]:
    """h^(2^k) for each k of `doublings`, with sums in common, no deeper than each row needs."""
    matrix = []
    for k in doublings:
        images = [_doubled(1 << j, k) for j in range(DEGREE)]
        matrix += [sum((images[j] >> i & 1) << j for j in range(DEGREE)) for i in range(DEGREE)]
    nets = linear_map(b, h, matrix, least_depth(matrix))
    return [nets[i : i + DEGREE] for i in range(0, len(nets), DEGREE)]


def _doubled(a: int, k: int) -> int:
    """a^(2^k) in GF(2^128)."""
    for _ in range(k):
        a = gf128_square(a)
    return a


def all_squares(powers: int, a: int) -> int:
    """a^2, a^4 .. a^(2^powers) side by side, a^2 in the low 128 bits."""
    return sum(_doubled(a, k) << DEGREE * (k - 1) for k in range(1, powers + 1))
