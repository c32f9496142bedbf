# SPDX-License-Identifier: Apache-2.0
"""Every equation, figure, algorithm and lemma of the five papers: the file that implements it, and
the test that shows it. Tables are in the papers' own modules here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """One numbered thing of a paper."""

    paper: str
    """As in gcmforge.study.papers.PAPERS."""
    name: str
    """As the paper numbers it."""
    says: str
    file: str
    """From the top of the repository."""
    test: str
    """The same, with the function after ::."""


_SRC = "src/gcmforge"
_ENGINES, _STUDY = f"{_SRC}/engines", f"{_SRC}/study/engines"
_STUDY_RTL = f"{_SRC}/study/papers/rtl"
_LAWS, _LEAF = "tests/laws", "tests/leaf"
_GCM = f"{_SRC}/model/gcm.py"
_GHASH = f"{_SRC}/model/ghash.py"
_OF_GCM = "tests/model/test_model_gcm.py::test_a_sample_of_every_nist_file"
_OF_GHASH = "tests/model/test_model_ghash.py::test_mcgrew_and_viega_test_case_2"
_OF_PRODUCTS = (
    "tests/model/test_model_ghash.py::test_products_agree_with_long_division_of_polynomials"
)
_CORE = "tests/sim/test_nist.py::test_nist_vectors_of_128_bit_keys_pass_on_a_papers_lanes_and_ghash"
_AES = f"{_LAWS}/test_aes_laws.py"
_PIPELINE = f"{_AES}::test_pipelined_takes_a_beat_a_cycle_and_every_key_size_the_stated_time"
_LOOP = f"{_AES}::test_loops_take_and_give_beats_of_all_sizes_when_the_law_says"
_FIXED = f"{_ENGINES}/ghash_fixed"
_TALL = "tests/specialise/test_specialise.py"
_INTERLEAVED = f"{_STUDY}/ghash_interleaved/ghash_interleaved.sv"
_LOG_TAIL = f"{_STUDY}/ghash_log_tail/ghash_log_tail.sv"
_DOT = f"{_STUDY}/ghash_dot/ghash_dot.sv"
_SHARED = f"{_STUDY}/ghash_shared_reduction/ghash_shared_reduction.sv"
_OF_SHARED = f"{_LAWS}/test_shared_reduction_laws.py"
_OF_INTERLEAVED = f"{_LAWS}/test_ghash_interleaved_laws.py"
_TAIL = f"{_OF_INTERLEAVED}::test_a_message_takes_its_beats_and_the_stated_tail"
_8 = f"{_OF_INTERLEAVED}::test_the_registers_hold_satoh_2007_equations_8a_to_8e"
_9 = f"{_LAWS}/test_ghash_laws.py::test_the_running_sum_holds_satoh_2007_equations_9a_to_9c"
_DOTS = (
    f"{_LAWS}/test_ghash_laws.py::"
    "test_messages_follow_one_another_a_beat_a_cycle_and_digests_come_at_the_stated_time"
)
_FOLD = f"{_LAWS}/satoh2007.sv"
_FIGURE_7 = f"{_LAWS}/test_satoh2007_laws.py::test_figure_7_cycle_by_cycle"
_SERIAL = f"{_ENGINES}/ghash_serial/ghash_serial.sv"
_TOWER = f"{_SRC}/leaf/tower.py"
_INVERSION = f"{_SRC}/leaf/tower_inversion.py"
_LEMMA_1 = f"{_LEAF}/test_leaf_tower.py::test_lemma_1_inverts"
_DERIVED = (
    f"{_LEAF}/test_leaf_tower.py::"
    "test_equations_4_and_5_of_mozaffari_2012_are_the_derived_inversion"
)
_SQUARES = f"{_SRC}/leaf/squares.py"
_PROOFS = f"{_LEAF}/test_leaf_proofs.py::test_leaf_equals_its_specification"
_KARATSUBA = f"{_SRC}/leaf/karatsuba.py"
_FEEDBACK = f"{_LAWS}/test_feedback_laws.py"
_FIG_5 = f"{_STUDY}/gcm_yang2005/gcm_yang2005.sv"
_PACKETS = f"{_LAWS}/test_yang2005_core.py::test_packets_follow_one_another_as_the_paper_counts"
_TEXT = f"{_LAWS}/test_yang2005_core.py::test_text_leaves_as_soon_as_the_paper_counts"

_YANG = (
    ("(1)", "authenticated encryption", _GCM, _OF_GCM),
    ("(2)", "GHASH", _GHASH, _OF_GHASH),
    ("(3)", "GHASH with the lengths between AAD and text",
     f"{_STUDY}/ghash_serial_length_first/ghash_serial_length_first.sv",
     f"{_LAWS}/test_length_first_laws.py::test_digests_are_equation_3_at_the_stated_time"),
    ("Fig. 1 (a)", "iterative AES", f"{_ENGINES}/aes_loop/aes_loop.sv", _LOOP),
    ("Fig. 1 (b)", "pipelined AES", f"{_ENGINES}/aes_pipelined/aes_pipelined.sv", _PIPELINE),
    ("Fig. 2", "GHASH, a multiplier and a register", _SERIAL, _DOTS),
    ("Fig. 3", "a packet encrypted and authenticated", _FIG_5, _TEXT),
    ("Fig. 4 (a)", "encryption: GHASH waits for the key stream", _FIG_5, _PACKETS),
    ("Fig. 4 (b)", "decryption: GHASH takes what comes in", _FIG_5, _PACKETS),
    ("Fig. 5", "the whole, one packet after another", _FIG_5, _PACKETS),
)  # fmt: skip
_SATOH = (
    ("(1)", "tag and text", _GCM, _OF_GCM),
    ("(2)", "the field's polynomial", _GHASH, _OF_PRODUCTS),
    ("(3)", "GHASH", _GHASH, _OF_GHASH),
    ("(4)", "two sums that take turns", _INTERLEAVED, _TAIL),
    ("(5)", "three of them", _INTERLEAVED, _TAIL),
    ("(6)", "q of them", _INTERLEAVED, _TAIL),
    ("(7)", "sums of q products", _DOT, _DOTS),
    *((f"(8.{letter})", "(6) for ten blocks on 4 lanes", _INTERLEAVED, _8) for letter in "abcde"),
    *((f"(9.{letter})", "(7) for the same", _DOT, _9) for letter in "abc"),
    ("(10)", "Len and E(K, Y0) folded into C_X", _FOLD, _FIGURE_7),
    ("Fig. 1", "GCM for m = 5, n = 4", _FOLD, _FIGURE_7),
    ("Fig. 2", "the circuit of (6)", _INTERLEAVED, _TAIL),
    ("Fig. 3", "the circuit of (7)", _DOT, _DOTS),
    ("Fig. 4", "its registers for ten blocks", _INTERLEAVED, _8),
    ("Fig. 5", "those of (7)", _DOT, _9),
    ("Fig. 6", "the four parallel architecture", f"{_STUDY_RTL}/satoh2007_others.sv",
     f"{_LAWS}/test_satoh2007_others.py::"
     "test_messages_of_any_lengths_have_the_texts_and_tags_of_gcm"),
    ("Fig. 7", "its steps for m = 5, n = 4, q = 4", _FOLD, _FIGURE_7),
)  # fmt: skip
_MOZAFFARI = (
    ("Fig. 1", "the S-box in a composite field", _TOWER,
     f"{_LEAF}/test_leaf_tower.py::test_all_conjugates_give_the_sbox"),
    ("Lemma 1", "less logic for the inversion in GF(2^4)", _INVERSION, _LEMMA_1),
    ("(2)", "it for Phi = 11", _INVERSION, _LEMMA_1),
    ("(3)", "it for Phi = 10", _INVERSION, _LEMMA_1),
    ("(4)", "the inversion that (2) is made of", _INVERSION, _DERIVED),
    ("(5)", "the inversion that (3) is made of", _INVERSION, _DERIVED),
    ("Fig. 2", "data flow of GCM", f"{_SRC}/rtl/gcm/gcm_axis_core.sv", _CORE),
    ("(1)", "GHASH as a sum of products with powers", _GHASH, _OF_GHASH),
    ("(6)", "the same on q lanes", _LOG_TAIL, _TAIL),
    ("Algorithm 1", "GHASH on q lanes with powers H^(2^j)", _LOG_TAIL, _TAIL),
    ("Fig. 3", "its circuit", _LOG_TAIL, _TAIL),
    ("(7)", "sixteen blocks on eight lanes", _LOG_TAIL,
     f"{_OF_INTERLEAVED}::"
     "test_16_blocks_on_8_lanes_take_the_5_and_9_cycles_that_mozaffari_2012_states"),
    ("Lemma 2", "H^(2^j) as a sum", _SQUARES, _PROOFS),
    ("(8)", "that sum", _SQUARES, _PROOFS),
    ("Fig. 4", "H^4", _SQUARES, _PROOFS),
    ("Fig. 5", "powers by cascade, parallel and hybrid", _SQUARES, _PROOFS),
    ("Fig. 6 (a)", "AES, a simple loop", f"{_ENGINES}/aes_loop/aes_loop.sv", _LOOP),
    ("Fig. 6 (b)", "unrolled and pipelined", f"{_ENGINES}/aes_pipelined/aes_pipelined.sv",
     _PIPELINE),
    ("Fig. 6 (c)", "with stages inside rounds", f"{_ENGINES}/aes_pipelined/aes_round.sv",
     _PIPELINE),
    ("Fig. 7", "AES-GCM for q = 8; its AES is Fig. 6", f"{_SRC}/study/presets.py", _CORE),
    ("Fig. 8", "numbers: a table here", f"{_SRC}/study/papers/mozaffari2012.py",
     "tests/study/papers/test_papers_data.py::test_rows_are_as_many_as_were_counted_in_the_papers"),
)  # fmt: skip
_CRENNE = (
    ("(1)", "the hash subkey", _GCM, _OF_GCM),
    *((name, "GHASH and MAC, word by word", f"{_FIXED}/ghash_fixed_feedback.sv",
       f"{_FEEDBACK}::test_messages_longer_than_the_chain_take_the_cycles_of_the_law")
      for name in ("(2)", "(3)", "(4)", "(5)", "(6)")),
    ("Fig. 1", "GHASH, its multipliers in a row", f"{_FIXED}/ghash_fixed_chain.sv",
     f"{_LAWS}/test_fixed_key_laws.py::"
     "test_a_skewed_chain_takes_each_block_a_cycle_later_than_the_one_before"),
    ("Algorithm 1", "table T", f"{_SRC}/leaf/fixed_key.py",
     f"{_TALL}::test_algorithm_1_as_printed_multiplies_by_x_times_the_subkey"),
    ("Algorithm 2", "multiplication by H as sums of its rows", f"{_SRC}/leaf/fixed_key.py",
     f"{_TALL}::test_matrix_is_the_sum_of_lanes_times_falling_powers"),
    ("Fig. 2", "the basic module", f"{_FIXED}/ghash_fixed_basic.sv",
     f"{_LAWS}/test_fixed_key_laws.py::"
     "test_digests_come_at_the_stated_time_and_messages_without_a_gap"),
    ("Fig. 3", "zeros in table T", f"{_SRC}/study/papers/zeros.py",
     "tests/study/evidence/test_zeros.py::test_counts_are_those_of_the_standards_models"),
    ("Fig. 4", "the chain of n stages", f"{_FIXED}/ghash_fixed_chain.sv",
     f"{_LAWS}/test_fixed_key_laws.py::"
     "test_digests_come_at_the_stated_time_and_messages_without_a_gap"),
    ("section III-C", "its feedback, for messages longer than the chain",
     f"{_FIXED}/ghash_fixed_feedback.sv",
     f"{_FEEDBACK}::test_ten_thousand_messages_of_up_to_300_blocks"),
)  # fmt: skip
_ABDELLATIF = (
    ("(1)", "GHASH", _GHASH, _OF_GHASH),
    ("(2)", "four sums that take turns", _INTERLEAVED, _TAIL),
    ("(3)", "Karatsuba's product of polynomials", _KARATSUBA, _PROOFS),
    ("(4)", "its reduction", f"{_SRC}/leaf/reduction.py", _PROOFS),
    ("(5)", "the field's polynomial", _GHASH, _OF_PRODUCTS),
    ("(6)", "sums of products with one reduction", _SHARED,
     f"{_OF_SHARED}::test_16_blocks_on_4_lanes_and_4_stages_are_abdellatif_2012_table_i"),
    ("Fig. 1", "GHASH, a multiplier and a register", _SERIAL, _DOTS),
    ("Fig. 2", "four lanes of the paper's reference [3]", _INTERLEAVED, _TAIL),
    ("Fig. 3", "Karatsuba's product", _KARATSUBA, _PROOFS),
    ("Fig. 4", "the parallel GHASH", _SHARED,
     f"{_OF_SHARED}::test_a_lone_message_takes_n_over_q_plus_p_cycles"),
    ("Fig. 5", "the product in stages", f"{_SRC}/circuit/pipeline.py",
     f"{_LEAF}/test_leaf_dot.py::test_text_in_two_stages_read_back_is_its_circuit"),
    ("Fig. 6", "four lanes in stages", f"{_STUDY_RTL}/abdellatif2012_fig6.sv",
     f"{_LAWS}/test_abdellatif2012_fig6.py::"
     "test_messages_of_whole_beats_take_n_over_q_plus_p_cycles"),
)  # fmt: skip
_EVERY = {
    "yang2005": _YANG, "satoh2007": _SATOH, "mozaffari2012": _MOZAFFARI, "crenne2011": _CRENNE,
    "abdellatif2012": _ABDELLATIF,
}  # fmt: skip


def everything() -> Iterator[Shown]:
    """All of them, paper by paper."""
    for paper, rows in _EVERY.items():
        for name, says, file, test in rows:
            yield Shown(paper=paper, name=name, says=says, file=file, test=test)


__all__ = ["Shown", "everything"]
