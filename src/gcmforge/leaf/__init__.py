# SPDX-License-Identifier: Apache-2.0
"""The circuits a core is made of, each with its specification and the proof that ties them."""

from gcmforge.leaf.base import Leaf
from gcmforge.leaf.catalog import (
    MIX_COLUMNS_VARIANTS,
    MULTIPLIER_VARIANTS,
    SBOX_VARIANTS,
    library,
    mix_columns,
    multiplier,
    reduce,
    sbox,
    square,
)

__all__ = [
    "MIX_COLUMNS_VARIANTS",
    "MULTIPLIER_VARIANTS",
    "SBOX_VARIANTS",
    "Leaf",
    "library",
    "mix_columns",
    "multiplier",
    "reduce",
    "sbox",
    "square",
]
