# SPDX-License-Identifier: Apache-2.0
"""The circuits a core is made of, each with its specification and the proof that ties them."""

from gcmforge.leaf.base import Leaf, ProofKind
from gcmforge.leaf.catalog import (
    DOT_VARIANTS,
    KEY_VARIANTS,
    MIX_COLUMNS_VARIANTS,
    MULTIPLIER_VARIANTS,
    SBOX_VARIANTS,
    SQUARES_VARIANTS,
    STORED_DOT_VARIANTS,
    dot,
    key,
    leaf_makers,
    library,
    mix_columns,
    multiplier,
    reduce,
    sbox,
    square,
    squares,
    stored_dot,
    sub_mix_column,
)
from gcmforge.leaf.text import leaf_header, leaf_text

__all__ = [
    "DOT_VARIANTS",
    "KEY_VARIANTS",
    "MIX_COLUMNS_VARIANTS",
    "MULTIPLIER_VARIANTS",
    "SBOX_VARIANTS",
    "SQUARES_VARIANTS",
    "STORED_DOT_VARIANTS",
    "Leaf",
    "ProofKind",
    "dot",
    "key",
    "leaf_header",
    "leaf_makers",
    "leaf_text",
    "library",
    "mix_columns",
    "multiplier",
    "reduce",
    "sbox",
    "square",
    "squares",
    "stored_dot",
    "sub_mix_column",
]
