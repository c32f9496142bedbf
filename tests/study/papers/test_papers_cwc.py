# SPDX-License-Identifier: Apache-2.0
"""CWC's multiplier multiplies integers."""

import random

import pytest

from gcmforge.circuit import call, cost
from gcmforge.study.papers.cwc import BITS, product_circuit


@pytest.mark.parametrize("bits", [1, 2, 3, 5])
def test_of_few_bits_all_products_are_right(bits):
    whole, residue = product_circuit(bits), product_circuit(bits, modular=True)
    for a in range(1 << bits):
        for b in range(1 << bits):
            assert call(whole, a_i=a, b_i=b)["c_o"] == a * b
            found = call(residue, a_i=a, b_i=b)["c_o"]
            assert found < 1 << bits
            assert (found - a * b) % ((1 << bits) - 1 or 1) == 0


@pytest.mark.slow
def test_of_127_bits_products_of_random_and_of_extreme_numbers_are_right():
    draw, top = random.Random(5), (1 << BITS) - 1
    pairs = [(draw.getrandbits(BITS), draw.getrandbits(BITS)) for _ in range(20)]
    pairs += [(top, top), (top, 1), (0, top), (1 << BITS - 1, 1 << BITS - 1), (top, top - 1)]
    for a, b in pairs:
        assert call(product_circuit(), a_i=a, b_i=b)["c_o"] == a * b
        found = call(product_circuit(modular=True), a_i=a, b_i=b)["c_o"]
        assert (found - a * b) % top == 0


@pytest.mark.slow
def test_the_tree_is_as_deep_as_wallace_counts():
    """127 numbers become two in eleven rounds of full adders: 127, 85, 57, 38, 26, 18, 12, 8, 6, 4,
    3, 2. A round is two XORs deep at most; the adder has eight levels, an XOR before and after."""
    path = cost(product_circuit())
    assert path.depth_xor <= 2 * 11 + 2
    assert path.depth_and <= 1 + 2 * 11 + 1 + 2 * 8
