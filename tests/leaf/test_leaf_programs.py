# SPDX-License-Identifier: Apache-2.0
"""Programs kept as data against the matrices that they are for."""

import pytest

from gcmforge.circuit import Builder, call, cost, paar, prove
from gcmforge.field import BitMatrix, aes_mix_column, aes_sbox
from gcmforge.leaf import multiplier, sbox
from gcmforge.leaf.programs import (
    _kept_programs,
    apply_affine,
    apply_transposed,
    load_xors,
    parse_xors,
)


def test_kept_programs_compute_the_maps_that_they_are_kept_for():
    kept = _kept_programs()
    assert len(kept) > 60
    for (columns, rows), program in kept.items():
        assert program.width == columns
        assert tuple(program.rows()) == rows


def test_kept_programs_are_no_worse_than_the_greedy():
    for (columns, rows), program in _kept_programs().items():
        assert program.xors <= paar(rows, width=columns).xors


def test_affine_programs_complement_without_inverters():
    program = parse_xors(3, "0+1 2+3", "4 3")
    b = Builder("t")
    x = b.input("x_i", 3)
    b.output("y_o", apply_affine(b, program, x, inverted=[0], constant=0b01))
    c = b.build()
    assert {gate.op for gate in c.gates} <= {"xor", "xnor"}
    for value in range(8):
        x0, x1, x2 = 1 - (value & 1), value >> 1 & 1, value >> 2 & 1
        assert call(c, x_i=value)["y_o"] == (x0 ^ x1 ^ x2 ^ 1) | (x0 ^ x1) << 1


def test_an_output_that_is_an_input_or_another_output_is_complemented_where_asked():
    program = parse_xors(2, "0+1", "0 2 2")
    b = Builder("t")
    x = b.input("x_i", 2)
    b.output("y_o", apply_affine(b, program, x, inverted=[1], constant=0b011))
    c = b.build()
    for value in range(4):
        x0, x1 = value & 1, 1 - (value >> 1)
        assert call(c, x_i=value)["y_o"] == (1 - x0) | (1 - (x0 ^ x1)) << 1 | (x0 ^ x1) << 2


def test_a_program_refuses_the_wrong_width():
    with pytest.raises(ValueError, match="takes 2 inputs, not 3"):
        b = Builder("t")
        program = parse_xors(2, "0+1", "2")
        apply_affine(b, program, b.input("x_i", 3), inverted=(), constant=0)


def test_a_transposed_program_is_the_transposed_matrix_in_as_many_xors_as_it_says():
    program = load_xors("squarers_depth6.txt")
    matrix = BitMatrix(rows=tuple(program.rows()), columns=128)
    b = Builder("t")
    b.output("y_o", apply_transposed(b, program, b.input("x_i", 384)))
    c = b.build()
    proof = prove(c, matrix.transpose().apply, "linear")
    assert proof.passed, proof.detail
    assert cost(c).xor == program.xors + 384 - 128
    with pytest.raises(ValueError, match="takes 384 nets, not 1"):
        apply_transposed(b, program, [0])


def test_unknown_variants_are_refused_with_what_there_is():
    with pytest.raises(ValueError, match=r"sbox='poly_phi3_nu7': there is .*poly_phi3_nu8"):
        sbox("poly_phi3_nu7")
    with pytest.raises(ValueError, match="multiplier='ko8'"):
        multiplier("ko8")


def test_specifications_know_fips_197():
    assert aes_sbox(0x53) == 0xED
    assert BitMatrix.of_map(aes_mix_column, 32, 32).rank() == 32
