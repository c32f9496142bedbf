# SPDX-License-Identifier: Apache-2.0
"""Names of the gate-level circuits that a configuration chooses among, and of what it has lost."""

from importlib.util import find_spec

SBOXES = (
    "table", "table_mux", "table_inverse", "twisted_bdd", "boyar_peralta", "mozaffari_2012",
    "small", "fast", "merged_phi3_nu8", "merged_phi3_nu12", "mixed",
    *(f"poly_phi{phi}_nu{nu}" for phi in (2, 3) for nu in range(8, 16)),
    "poly_phi2_nu8_lemma1", "poly_phi2_nu14_lemma1",
    "poly_phi3_nu8_lemma1", "poly_phi3_nu10_lemma1",
    *(f"normal_phi{phi}_nu{nu}" for phi in (1, 2) for nu in (1, 2, 4, 7, 8, 11, 13, 14)),
    "normal_phi2_nu1_reduced", "gf16_nu14", "faster", "low_depth", "medium",
)  # fmt: skip
"""Every AES S-box that is a circuit; `gcmforge sbox` lists them with their figures."""

MEMORY_SBOXES = ("bram",)
"""S-boxes that are memories: their table is read with a clock, into a register of the memory."""

MULTIPLIERS = (
    "schoolbook", "quadratic", "mastrovito", "ko1", "ko2", "ko3", "ko4", "ko5", "ko6", "ko7",
    "ko1_fast", "ko2_fast", "ko3_fast", "ko4_fast", "ko5_fast", "ko6_fast", "ko7_fast",
    "mixed_14", "mixed_15", "mixed_16", "mixed_17", "mixed_18",
    "ko4_small", "ko5_small", "mixed_15_small", "fft", "fft_transposed",
)  # fmt: skip
"""Every multiplier in GF(2^128) there is; docs/theory/multipliers.md compares them."""

STUDY = (
    "dot", "evaluated", "interleaved", "log_tail", "serial_length_first", "shared_reduction",
    "squarers", "tags_not_of_gcm", "yang2005", "satoh2007", "mozaffari2012", "abdellatif2012",
)  # fmt: skip
"""Engines, options and presets that gcmforge.study has: a refusal tells so where it is missing."""


def belongs_to_study(name: object) -> str:
    """What a refusal adds of a name that exists with the study only; empty for other names."""
    if name not in STUDY or find_spec("gcmforge.study"):
        return ""
    return f" ({name} belongs to gcmforge.study, which is missing here: install gcmforge with it)"
