# SPDX-License-Identifier: Apache-2.0
"""Matrices over GF(2)."""

import random

import pytest

from gcmforge.field import BitMatrix, SingularMatrixError, gf128_square


def _random(rng, size):
    return BitMatrix(rows=tuple(rng.getrandbits(size) for _ in range(size)), columns=size)


def test_product_of_matrices_is_composition_of_maps():
    rng = random.Random(3)
    for _ in range(20):
        a, b, v = _random(rng, 16), _random(rng, 16), rng.getrandbits(16)
        assert (a @ b).apply(v) == a.apply(b.apply(v))


def test_inverse_exists_exactly_at_full_rank():
    rng = random.Random(4)
    singular = 0
    for _ in range(100):
        a = _random(rng, 8)
        if a.rank() == 8:
            assert a @ a.inverse() == a.inverse() @ a == BitMatrix.identity(8)
        else:
            singular += 1
            with pytest.raises(SingularMatrixError):
                a.inverse()
    assert 0 < singular < 100


def test_matrix_of_a_map_applies_like_the_map():
    square = BitMatrix.of_map(gf128_square, 128, 128)
    a = random.Random(5).getrandbits(128)
    assert square.apply(a) == gf128_square(a)
    assert square.rank() == 128


def test_transpose_and_columns():
    a = BitMatrix(rows=(0b011, 0b101), columns=3)
    assert a.transpose() == BitMatrix(rows=(0b11, 0b01, 0b10), columns=2)
    assert a.transpose().transpose() == a
    assert BitMatrix.from_columns([0b11, 0b01, 0b10], 2) == a


def test_misfits_are_refused():
    with pytest.raises(ValueError, match="3 columns times 2 rows"):
        BitMatrix(rows=(1, 2), columns=3) @ BitMatrix.identity(2)
    with pytest.raises(SingularMatrixError, match="not square"):
        BitMatrix(rows=(1, 2), columns=3).inverse()
