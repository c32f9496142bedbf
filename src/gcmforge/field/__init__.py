# SPDX-License-Identifier: Apache-2.0
"""Finite fields of characteristic two, in plain ints: what the leaves are checked against.

A polynomial over GF(2) is an int, bit i the coefficient of x^i.  Nothing here is constant time:
these are specifications, not implementations.
"""

from gcmforge.field.gf2 import (
    AES_POLYNOMIAL,
    GCM_POLYNOMIAL,
    aes_affine,
    aes_mix_column,
    aes_sbox,
    gf128_multiply,
    gf128_reduce,
    gf128_square,
    poly_divmod,
    poly_inverse,
    poly_mod,
    poly_multiply,
    poly_multiply_mod,
)
from gcmforge.field.matrix import BitMatrix, SingularMatrixError
from gcmforge.field.tower import NORMAL_BASES, POLYNOMIAL_BASES, Bases, TowerField

__all__ = [
    "AES_POLYNOMIAL",
    "GCM_POLYNOMIAL",
    "NORMAL_BASES",
    "POLYNOMIAL_BASES",
    "Bases",
    "BitMatrix",
    "SingularMatrixError",
    "TowerField",
    "aes_affine",
    "aes_mix_column",
    "aes_sbox",
    "gf128_multiply",
    "gf128_reduce",
    "gf128_square",
    "poly_divmod",
    "poly_inverse",
    "poly_mod",
    "poly_multiply",
    "poly_multiply_mod",
]
