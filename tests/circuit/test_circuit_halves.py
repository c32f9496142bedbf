# SPDX-License-Identifier: Apache-2.0
"""Toeplitz matrices by halves: the rows stay what they are, and what is alike is made once."""

import random

import pytest

from gcmforge.circuit.minimise import paar
from gcmforge.circuit.minimise.halves import all_halves, halves


def toeplitz(size, seed, matrices=1):
    """Matrices side by side, each with entries by column - row."""
    rows = [0] * size
    for block in range(matrices):
        line = random.Random(f"{seed} {block}").getrandbits(2 * size - 1)
        for r in range(size):
            for c in range(size):
                rows[r] |= (line >> (c - r + size - 1) & 1) << (block * size + c)
    return rows


def over_the_inputs(found):
    """Its rows with each sum written out."""
    columns = [1 << j for j in range(found.width)]
    for low, high in found.sums:
        columns.append(columns[low] ^ columns[high])
    rows = []
    for row in found.rows:
        total = 0
        for j, column in enumerate(columns):
            total ^= column if row >> j & 1 else 0
        rows.append(total)
    return rows


@pytest.mark.parametrize("bits", [(0,), (4,), (2, 0), (3, 4), (1, 0, 4)])
@pytest.mark.parametrize("matrices", [1, 2])
def test_any_matrix_stays_what_it_is(bits, matrices):
    rows = [random.Random(r).getrandbits(32 * matrices) for r in range(32)]
    found = halves(rows, 32 * matrices, bits)
    assert over_the_inputs(found) == rows
    assert found.program().rows() == rows


@pytest.mark.parametrize("bit", range(5))
@pytest.mark.parametrize("matrices", [1, 2])
def test_of_a_toeplitz_matrix_both_halves_have_the_same_terms_of_the_sums(bit, matrices):
    found = halves(toeplitz(32, bit, matrices), 32 * matrices, (bit,))
    first = [row >> found.width for r, row in enumerate(found.rows) if not r >> bit & 1]
    second = [row >> found.width for r, row in enumerate(found.rows) if r >> bit & 1]
    assert first == second
    assert any(first)


def test_the_second_time_both_halves_are_halved_and_their_sum_is_not():
    found = halves(toeplitz(32, 1), 32, (3, 1))
    assert len(found.sums) == 16 + 8 + 8
    assert found.arrivals == (0,) * 32 + (1,) * 32
    assert all(high == low | 8 for low, high in found.sums[:16])
    assert all(high == low | 2 for low, high in found.sums[16:])
    assert len(set(found.group)) == 7


@pytest.mark.slow
def test_halves_take_fewer_xors_than_the_whole():
    rows = toeplitz(128, 7)
    ways = sorted(all_halves(rows, 128), key=lambda way: way.ones)
    assert len(ways) == 7 + 42
    program = next(way for way in ways if way.depth <= 8).program(8)
    assert program.rows() == rows
    assert program.depth <= 8
    assert program.xors < 0.95 * paar(rows, 8, width=128).xors


def test_groups_are_summed_first():
    """Rows x0+x1+x2, x0+x1+x3: with x0 and x1 in two groups, the pairs inside come first."""
    rows = [0b0111, 0b1111]
    assert paar(rows, 4, width=4).steps[0] == (0, 1)
    assert paar(rows, 4, width=4, groups=(0, 1, 0, 1)).steps[0] == (0, 2)
    assert paar(rows, 4, width=4, groups=(0, 1, 0, 1)).rows() == rows
