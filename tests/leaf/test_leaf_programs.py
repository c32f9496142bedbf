# SPDX-License-Identifier: Apache-2.0
"""Programs kept as data against the matrices that they are for."""

import pytest

from gcmforge.circuit import Builder, call
from gcmforge.field import BitMatrix, aes_mix_column, aes_sbox
from gcmforge.leaf import multiplier, sbox, sbox_mozaffari
from gcmforge.leaf.programs import apply_affine, parse_xors
from gcmforge.leaf.sbox_mozaffari import FIELD, ROOT, norm_matrix, operand_matrix, output_matrix


def test_linear_layers_of_the_composite_field_sbox_are_the_derived_matrices():
    assert tuple(sbox_mozaffari._OPERANDS.rows()) == operand_matrix(ROOT).rows
    assert tuple(sbox_mozaffari._NORM.rows()) == norm_matrix().rows
    assert tuple(sbox_mozaffari._OUTPUT.rows()) == output_matrix(ROOT).rows


def test_the_nine_products_recombine_to_the_product_in_gf_2_4():
    forms, product = sbox_mozaffari._FORMS, sbox_mozaffari._PRODUCT
    for a in range(16):
        for b in range(16):
            assert product.apply(forms.apply(a) & forms.apply(b)) == FIELD.multiply4(a, b)


def test_inversion_in_the_circuit_is_true_inversion():
    b = Builder("inversion")
    b.output("theta_o", sbox_mozaffari._invert(b, b.input("gamma_i", 4)))
    c = b.build()
    for gamma in range(16):
        assert call(c, gamma_i=gamma)["theta_o"] == FIELD.inverse4(gamma)


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


def test_a_program_refuses_the_wrong_width():
    with pytest.raises(ValueError, match="takes 2 inputs, not 3"):
        b = Builder("t")
        program = parse_xors(2, "0+1", "2")
        apply_affine(b, program, b.input("x_i", 3), inverted=(), constant=0)


def test_unknown_variants_are_refused_with_what_there_is():
    with pytest.raises(ValueError, match="sbox='canright': there is table, mozaffari_2012"):
        sbox("canright")
    with pytest.raises(ValueError, match="multiplier='ko7'"):
        multiplier("ko7")


def test_specifications_know_fips_197():
    assert aes_sbox(0x53) == 0xED
    assert BitMatrix.of_map(aes_mix_column, 32, 32).rank() == 32
