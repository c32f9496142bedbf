# SPDX-License-Identifier: Apache-2.0
"""What each leaf costs must not get worse; figures of Mozaffari 2012 and ours."""

import pytest

from gcmforge.circuit import cost
from gcmforge.leaf import sbox

# name: GE, T_A and T_X of the slowest path, as reached.
REACHED = {
    "aes_sbox/table": (723.5, 0, 7),
    "aes_sbox/table_mux": (723.5, 0, 7),
    "aes_sbox/bram": (723.5, 0, 7),  # as multiplexers
    "aes_sbox/table_inverse": (769.75, 0, 10),
    "aes_sbox/twisted_bdd": (948.0, 0, 7),
    "aes_sbox/boyar_peralta": (222.25, 6, 21),
    "aes_sbox/mozaffari_2012": (212.0, 4, 16),
    "aes_sbox/small": (188.75, 3, 25),
    "aes_sbox/fast": (252.25, 4, 10),
    "aes_sbox/faster": (316.5, 3, 8),
    "aes_sbox/low_depth": (306.25, 3, 7),
    "aes_sbox/medium": (189.25, 4, 16),
    "aes_sbox/merged_phi3_nu8": (212.0, 4, 15),
    "aes_sbox/merged_phi3_nu12": (209.75, 4, 19),
    "aes_sbox/mixed": (261.0, 3, 18),
    "aes_sbox/poly_phi2_nu8": (252.0, 4, 24),
    "aes_sbox/poly_phi2_nu9": (249.75, 4, 26),
    "aes_sbox/poly_phi2_nu10": (252.0, 4, 25),
    "aes_sbox/poly_phi2_nu11": (254.25, 4, 25),
    "aes_sbox/poly_phi2_nu12": (254.25, 4, 24),
    "aes_sbox/poly_phi2_nu13": (258.75, 3, 24),
    "aes_sbox/poly_phi2_nu14": (245.25, 4, 25),
    "aes_sbox/poly_phi2_nu15": (256.5, 4, 23),
    "aes_sbox/poly_phi3_nu8": (252.0, 4, 23),
    "aes_sbox/poly_phi3_nu9": (247.5, 4, 24),
    "aes_sbox/poly_phi3_nu10": (256.5, 4, 21),
    "aes_sbox/poly_phi3_nu11": (246.0, 4, 26),
    "aes_sbox/poly_phi3_nu12": (258.75, 4, 21),
    "aes_sbox/poly_phi3_nu13": (252.0, 4, 22),
    "aes_sbox/poly_phi3_nu14": (257.25, 4, 24),
    "aes_sbox/poly_phi3_nu15": (254.25, 4, 23),
    "aes_sbox/poly_phi2_nu8_lemma1": (245.5, 4, 21),
    "aes_sbox/poly_phi2_nu14_lemma1": (238.75, 4, 22),
    "aes_sbox/poly_phi3_nu8_lemma1": (236.75, 5, 18),
    "aes_sbox/poly_phi3_nu10_lemma1": (241.25, 4, 17),
    "aes_sbox/normal_phi1_nu1": (245.25, 4, 23),
    "aes_sbox/normal_phi1_nu2": (245.25, 4, 21),
    "aes_sbox/normal_phi1_nu4": (245.25, 3, 24),
    "aes_sbox/normal_phi1_nu7": (247.5, 4, 24),
    "aes_sbox/normal_phi1_nu8": (245.25, 4, 21),
    "aes_sbox/normal_phi1_nu11": (247.5, 4, 24),
    "aes_sbox/normal_phi1_nu13": (247.5, 4, 24),
    "aes_sbox/normal_phi1_nu14": (247.5, 4, 24),
    "aes_sbox/normal_phi2_nu1": (245.25, 3, 21),
    "aes_sbox/normal_phi2_nu2": (245.25, 3, 24),
    "aes_sbox/normal_phi2_nu4": (245.25, 4, 20),
    "aes_sbox/normal_phi2_nu7": (247.5, 3, 24),
    "aes_sbox/normal_phi2_nu8": (245.25, 3, 24),
    "aes_sbox/normal_phi2_nu11": (247.5, 3, 24),
    "aes_sbox/normal_phi2_nu13": (247.5, 4, 23),
    "aes_sbox/normal_phi2_nu14": (247.5, 3, 25),
    "aes_sbox/normal_phi2_nu1_reduced": (237.5, 3, 20),
    "aes_sbox/gf16_nu14": (282.5, 4, 21),
    "aes_mix_column/small": (90 * 2.25, 0, 6),
    "aes_mix_column/depth3": (99 * 2.25, 0, 3),
    "aes_mix_column/depth4": (93 * 2.25, 0, 4),
    "aes_mix_column/checked": (108 * 2.25, 0, 3),
    "aes_sbox_products": (159.25, 6, 16),
    "aes_sbox_sum": (63.0, 0, 7),
    "aes_sub_mix_column": (1_069.0, 6, 32),
    "gf128_mul/schoolbook": (53_675.5, 1, 10),
    "gf128_mul/ko1": (41_079.0, 1, 12),
    "gf128_mul/ko2": (32_168.25, 1, 14),
    "gf128_mul/ko3": (26_280.0, 1, 16),
    "gf128_mul/ko4": (23_033.25, 1, 18),
    "gf128_mul/ko5": (22_284.0, 1, 20),
    "gf128_mul/ko6": (24_045.75, 1, 21),
    "gf128_mul/quadratic": (53_691.25, 1, 10),
    "gf128_mul/mastrovito": (53_817.25, 1, 10),
    "gf128_mul/ko7": (28_237.5, 1, 21),
    "gf128_mul/ko1_fast": (41_223.0, 1, 11),
    "gf128_mul/ko2_fast": (32_521.5, 1, 12),
    "gf128_mul/ko6_fast": (26_221.5, 1, 15),
    "gf128_mul/ko7_fast": (30_413.25, 1, 16),
    "gf128_mul/mixed_14": (23_634.0, 1, 14),
    "gf128_mul/mixed_15": (23_231.25, 1, 15),
    "gf128_mul/mixed_16": (22_896.0, 1, 16),
    "gf128_mul/mixed_17": (22_619.25, 1, 17),
    "gf128_mul/mixed_18": (22_430.25, 1, 18),
    "gf128_mul/mixed_15_small": (22_725.0, 1, 15),
    "gf128_mul/fft": (20_980.5, 1, 70),
    "gf128_mul/fft_transposed": (21_012.0, 1, 63),
    "gf128_mul/ko3_fast": (26_937.0, 1, 13),
    "gf128_mul/ko4_fast": (24_115.5, 1, 13),
    "gf128_mul/ko5_fast": (23_913.0, 1, 14),
    "gf128_mul/ko4_small": (22_097.25, 1, 18),
    "gf128_mul/ko5_small": (20_862.0, 1, 20),
    "gf128_dot/ko4_smallx4": (79_679.25, 1, 20),
    "gf128_dot/ko6x4": (70_431.75, 1, 23),
    "gf128_dot/ko4_smallx8": (156_431.25, 1, 21),
    "gf128_dot/ko6x8": (132_279.75, 1, 24),
    "gf128_key/ko6": (1_330 * 2.25, 0, 6),
    "gf128_key/fft": (2_119 * 2.25, 0, 31),
    "gf128_dot_stored/ko6x4": (58_461.75, 1, 23),
    "gf128_dot_stored/fftx8": (75_112.5, 1, 73),
    "gf128_square": (198 * 2.25, 0, 3),
    "gf128_squares/cascade3": (588 * 2.25, 0, 9),
    "gf128_squares/parallel3": (594 * 2.25, 0, 5),
    "gf128_squares/hybrid3": (591 * 2.25, 0, 6),
    "gf128_reduce": (445 * 2.25, 0, 4),
    "gf128_residues": (2_176 * 2.25, 0, 29),
    "gf128_from_residues/x1": (4_187 * 2.25, 0, 37),
    "gf128_from_residues/x4": (5_675 * 2.25, 0, 39),
}

# Mozaffari 2012 Table 5: GE at T_A and this many T_X.
TABLE_5 = {
    "schoolbook": (56_957, 10),
    "quadratic": (56_957, 10),
    "mastrovito": (56_957, 10),
    "mixed_17": (24_517, 18),
    "ko1": (44_338, 12),
    "ko2": (34_660, 14),
    "ko3": (28_195, 16),
    "ko4": (24_517, 18),
    "ko5": (23_443, 20),
    "ko6": (24_961, 21),
}


# Mozaffari 2012 Table 4: XOR gates and T_X of H^2, H^4 and H^8, after its complexity reduction.
TABLE_4 = {"cascade": (594, 9), "parallel": (1_099, 5), "hybrid": (1_062, 6)}


def test_every_leaf_has_its_figures(leaves):
    assert set(REACHED) == set(leaves), "enter what a new leaf costs: its header says it"


LARGE = ("gf128_mul/", "gf128_dot/", "gf128_dot_stored/")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * name.startswith(LARGE)) for name in REACHED],
)
def test_cost_is_no_worse_than_what_was_reached(name, leaves):
    ge, depth_and, depth_xor = REACHED[name]
    now = cost(leaves[name].circuit)
    assert now.ge <= ge
    assert now.delay <= depth_and + 1.99 * depth_xor + 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("variant", TABLE_5)
def test_multipliers_are_below_table_5_at_its_depth(variant, leaves):
    ge, depth_xor = TABLE_5[variant]
    now = cost(leaves[f"gf128_mul/{variant}"].circuit)
    assert now.ge < ge
    assert (now.depth_and, now.depth_xor) <= (1, depth_xor)


@pytest.mark.parametrize("form", TABLE_4)
def test_squarers_are_not_above_table_4(form, leaves):
    xors, depth = TABLE_4[form]
    now = cost(leaves[f"gf128_squares/{form}3"].circuit)
    assert now.xor <= xors
    assert now.depth_xor <= depth


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["ko4", "ko5"])
def test_fast_multipliers_are_five_levels_faster_and_small_ones_smaller(variant, leaves):
    plain, fast, small = (
        cost(leaves[f"gf128_mul/{variant}{form}"].circuit) for form in ("", "_fast", "_small")
    )
    assert fast.depth_xor <= plain.depth_xor - 5
    assert small.ge < plain.ge - 900
    assert small.delay <= plain.delay


def test_mozaffari_sbox_is_below_the_papers_area():
    assert cost(sbox("mozaffari_2012").circuit).ge < 239.6


def test_boyar_peralta_has_32_ands_and_81_xors():
    now = cost(sbox("boyar_peralta").circuit)
    assert (now.and_, now.xor + now.xnor, now.gates) == (32, 81, 113)
