# SPDX-License-Identifier: Apache-2.0
"""The gates of a multiplier by part: what each lane has of its own, and what lanes may share."""

from dataclasses import dataclass
from functools import cache

from gcmforge.circuit import Builder, Circuit, Cost, cost
from gcmforge.leaf import multiplier
from gcmforge.leaf.reduction import DEGREE
from gcmforge.leaf.scheme import scheme


@dataclass(frozen=True, kw_only=True, slots=True)
class Parts:
    """Gates (AND, XOR) of what one lane has and of what lanes may share."""

    evaluate: tuple[int, int]
    evaluate_key: tuple[int, int]
    products: tuple[int, int]
    combine: tuple[int, int]
    width: int
    """Bits that are added when products are summed."""
    key_bits: int
    """Of an evaluated key."""
    whole: Cost
    nands: bool


@cache
def parts(variant: str) -> Parts:
    """The gates of a multiplier by part; the sum of the parts is the multiplier."""
    whole = multiplier(variant).circuit
    data, key = (_evaluated(variant, side) for side in (0, 1))
    front, width = _products(variant)
    sides = [gates_of(circuit) for circuit in (data, key)]
    products = tuple(p - a - b for p, a, b in zip(gates_of(front), *sides, strict=True))
    combine = tuple(w - f for w, f in zip(gates_of(whole), gates_of(front), strict=True))
    return Parts(
        evaluate=sides[0],
        evaluate_key=sides[1],
        products=(products[0], products[1]),
        combine=(combine[0], combine[1]),
        width=width,
        key_bits=key.output_width,
        whole=cost(whole),
        nands=cost(whole).and_ == 0,
    )


def _evaluated(variant: str, side: int) -> Circuit:
    """One operand, evaluated: 0 the data, 1 the key."""
    b = Builder("evaluate")
    p, q = (b.input(name, DEGREE) for name in ("a_i", "b_i"))
    b.output("y_o", scheme(variant).evaluate_both(b, p, q)[side])
    return b.build()


def _products(variant: str) -> tuple[Circuit, int]:
    b = Builder("products")
    how = scheme(variant)
    p, q = (b.input(f"{name}_i", DEGREE) for name in "ab")
    nets = how.products(b, *how.evaluate_both(b, p, q))
    b.output("y_o", nets)
    return b.build(), len(nets)


def gates_of(circuit: Circuit) -> tuple[int, int]:
    counted = cost(circuit)
    return counted.and_ + counted.nand, counted.xor + counted.xnor


def area(gates: tuple[float, float], nands: bool) -> float:
    return gates[0] * (1.0 if nands else 1.25) + gates[1] * 2.25
