# SPDX-License-Identifier: Apache-2.0
"""Names of the gate-level circuits that a configuration chooses among."""

SBOXES = (
    "table", "table_mux", "table_inverse", "twisted_bdd", "boyar_peralta", "mozaffari_2012",
    "small", "fast", "merged_phi3_nu8", "merged_phi3_nu12", "mixed",
    *(f"poly_phi{phi}_nu{nu}" for phi in (2, 3) for nu in range(8, 16)),
    "poly_phi2_nu8_lemma1", "poly_phi2_nu14_lemma1",
    "poly_phi3_nu8_lemma1", "poly_phi3_nu10_lemma1",
    *(f"normal_phi{phi}_nu{nu}" for phi in (1, 2) for nu in (1, 2, 4, 7, 8, 11, 13, 14)),
    "normal_phi2_nu1_reduced", "gf16_nu14", "faster", "low_depth", "medium",
)  # fmt: skip
"""Every AES S-box there is; `gcmforge sbox` lists them with their figures."""

MULTIPLIERS = (
    "schoolbook", "quadratic", "mastrovito", "ko1", "ko2", "ko3", "ko4", "ko5", "ko6", "ko7",
    "ko1_fast", "ko2_fast", "ko3_fast", "ko4_fast", "ko5_fast", "ko6_fast", "ko7_fast",
    "mixed_14", "mixed_15", "mixed_16", "mixed_17", "mixed_18",
    "ko4_small", "ko5_small", "mixed_15_small", "fft", "fft_transposed",
)  # fmt: skip
"""Every multiplier in GF(2^128) there is; docs/theory/multipliers.md compares them."""
