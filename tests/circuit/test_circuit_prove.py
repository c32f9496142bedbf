# SPDX-License-Identifier: Apache-2.0
"""Proofs pass on right circuits and fail on every harmful change of one gate."""

import random
import re

import pytest
from circuit_samples import gf_inverse, gf_inverse_spec, gf_mult, gf_multiplier, gf_square, tangle

from gcmforge.circuit import (
    Builder,
    call,
    emit_systemverilog,
    mutations,
    pipeline,
    prove,
    prove_bilinear,
    prove_equal,
    prove_exhaustive,
    prove_linear,
    prove_readback,
)

CASES = {
    "exhaustive": (gf_inverse(4), gf_inverse_spec),
    "linear": (gf_square(16), lambda a: gf_mult(a, a, 16)),
    "bilinear": (gf_multiplier(8), lambda a, b: gf_mult(a, b, 8)),
}


def function(c):
    """The whole truth table of a circuit of up to 16 input bits."""
    from gcmforge.circuit.patterns import all_patterns, outputs

    return outputs(c, all_patterns(c))


@pytest.mark.parametrize("kind", CASES)
def test_right_circuits_are_proven(kind):
    c, spec = CASES[kind]
    proof = prove(c, spec, kind)
    assert proof.passed and proof.kind == kind and proof.cases >= 16
    assert "proven" in proof.line() and c.name in proof.line()


@pytest.mark.slow
@pytest.mark.parametrize("kind", CASES)
def test_every_change_of_one_gate_is_caught_or_harmless(kind):
    c, spec = CASES[kind]
    original = function(c)
    caught = harmless = 0
    for mutation in mutations(c):
        proof = prove(mutation.circuit, spec, kind)
        if proof.passed:
            assert function(mutation.circuit) == original, str(mutation)
            harmless += 1
        else:
            caught += 1
    assert caught > 4 * len(c.gates)
    assert harmless < caught / 10


@pytest.mark.slow
def test_the_128_bit_multiplier_is_proven_and_changes_are_caught():
    c = gf_multiplier(128, leaf=8)
    spec = _table_of_products()
    proof = prove_bilinear(c, spec)
    assert proof.passed and proof.cases > 128 * 128
    assert proof.seconds < 5
    nets = random.Random(2).sample(range(c.first_gate, c.net_count), 6)
    for mutation in mutations(c, nets=nets):
        assert not prove_bilinear(mutation.circuit, spec).passed, str(mutation)


def _table_of_products():
    """GF(2^128) multiplication by shared shifts: a * x^j for the single-bit b of a basis pair."""

    def spec(a, b):
        return gf_mult(b, a, 128) if b.bit_count() > a.bit_count() else gf_mult(a, b, 128)

    return spec


def test_a_failed_proof_names_a_true_counterexample():
    c, spec = CASES["exhaustive"]
    wrong = next(mutations(c)).circuit
    proof = prove_exhaustive(wrong, spec)
    x = int(proof.detail.split("x_i=0x")[1].split(":")[0], 16)
    got = int(proof.detail.split("y_o=0x")[1].split(",")[0], 16)
    assert call(wrong, x_i=x) == {"y_o": got}
    assert spec(x) != got


def test_structure_is_checked_before_patterns():
    b = Builder("almost_linear")
    x = b.input("x_i", 20)
    b.output("y_o", [b.xor(x[0], b.and_(x[1], x[2]))])
    c = b.build()  # agrees with y = x0 on zero and on every unit vector
    proof = prove_linear(c, lambda x: x & 1)
    assert not proof.passed and "and gate" in proof.detail

    b = Builder("almost_bilinear")
    x, y = b.input("a_i", 4), b.input("b_i", 4)
    extra = b.and_(b.and_(x[0], x[1]), y[0])  # zero on every pair of unit vectors
    b.output("c_o", [b.xor(b.and_(x[0], y[0]), extra)])
    proof = prove_bilinear(b.build(), lambda a, b: a & b & 1)
    assert not proof.passed and "not bilinear" in proof.detail


def test_a_specification_of_another_kind_is_noticed():
    b = Builder("wire")
    b.output("y_o", b.input("x_i", 20)[:1])
    proof = prove_linear(b.build(), lambda x: (x ^ (x >> 1 & x >> 2)) & 1)
    assert not proof.passed and "specification" in proof.detail


def test_more_than_16_inputs_are_refused_exhaustively():
    with pytest.raises(ValueError, match="at most 16"):
        prove_exhaustive(gf_square(128), lambda a: a)


def test_equality_is_decided_by_each_method():
    same = prove_equal(gf_multiplier(8), gf_multiplier(8))
    assert same.passed and "graph" in same.detail
    tried = prove_equal(gf_multiplier(8), gf_multiplier(8, leaf=8))
    assert tried.passed and "all input patterns" in tried.detail
    pairs = prove_equal(gf_multiplier(16), gf_multiplier(16, leaf=16))
    assert pairs.passed and "pairs of unit vectors" in pairs.detail
    wrong = prove_equal(gf_multiplier(16), next(mutations(gf_multiplier(16))).circuit)
    assert not wrong.passed and "expected" in wrong.detail


def chain(reverse):
    """The AND of 20 bits, in two orders: neither small, affine nor bilinear."""
    b = Builder("chain")
    x = b.input("x_i", 20)
    net = b.const(1)
    for bit in reversed(x) if reverse else x:
        net = b.and_(net, bit)
    b.output("y_o", [net])
    return b.build()


def test_other_circuits_are_left_to_the_sweeping_checker():
    proof = prove_equal(chain(False), chain(True))
    assert proof.passed and "yosys-abc" in proof.tools
    b = Builder("chain")  # differs from the chain on one pattern of 2^20, that no sample finds
    b.input("x_i", 20)
    b.output("y_o", [b.const(0)])
    assert not prove_equal(chain(False), b.build()).passed


@pytest.mark.slow
@pytest.mark.parametrize("stages", [1, 2, 3])
def test_printed_text_reads_back_as_the_circuit(stages):
    for c in (gf_inverse(4), gf_square(16), gf_multiplier(16, leaf=4)):
        pipe = pipeline(c, stages)
        text = emit_systemverilog(pipe, clocked=True, enable=stages == 2)
        proof = prove_readback(pipe, text)
        assert proof.passed, proof.detail
        assert proof.tools["yosys"]


@pytest.mark.slow
def test_a_128_bit_multiplier_reads_back_in_seconds():
    c = pipeline(gf_multiplier(128, leaf=8), 2)
    proof = prove_readback(c, emit_systemverilog(c, clocked=True))
    assert proof.passed and proof.seconds < 20, proof


@pytest.mark.slow
def test_random_gates_of_all_kinds_read_back():
    for seed in range(5):
        for c in (tangle(seed), pipeline(tangle(seed), 3)):
            proof = prove_readback(c, emit_systemverilog(c, clocked=True))
            assert proof.passed, (seed, proof.detail)


def test_a_case_table_reads_back_against_a_gate_circuit():
    rows = "\n".join(f"      4'd{x}: y_o = 4'd{gf_inverse_spec(x)};" for x in range(16))
    text = (
        "module gf4_inverse (input logic [3:0] x_i, output logic [3:0] y_o);\n"
        f"  always_comb\n    case (x_i)\n{rows}\n"
        "      default: y_o = 4'd0;\n    endcase\nendmodule\n"
    )
    assert prove_readback(gf_inverse(4), text).passed
    assert not prove_readback(gf_inverse(4), text.replace("4'd3: y_o = 4'd1", "4'd3: y_o = 4'd0")
                              .replace("4'd5: y_o = ", "4'd5: y_o = ~")).passed  # fmt: skip


@pytest.mark.slow
def test_changed_text_is_caught():
    c = pipeline(gf_multiplier(8), 3)
    text = emit_systemverilog(c, clocked=True, enable=True)
    assert prove_readback(c, text).passed
    lines = text.splitlines()
    spots = [i for i, line in enumerate(lines) if " ^ " in line or " & " in line or "<=" in line]
    for i in random.Random(3).sample(spots, 8):
        line = lines[i]
        if "<=" in line:
            changed = line.replace("<= ", "<= ~")
        elif " ^ " in line:
            changed = line.replace(" ^ ", " | ", 1)
        else:
            changed = line.replace(" & ", " | ", 1)
        proof = prove_readback(c, "\n".join([*lines[:i], changed, *lines[i + 1 :]]))
        assert not proof.passed, line


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("<= a_i;", "<= a_q1;", "undefined"),
        ("if (en_i)", "if (!en_i)", "register|cell"),
        ("if (en_i)", "if (en_i && a_i[0])", "en_i"),
        ("if (en_i)", "if (1'b1)", "en_i"),
        ("posedge clk", "negedge clk", "cell of type"),
        ("assign c_o = a_q1 & b_q1", "assign c_o = a_i & b_q1", "registers"),
        ("assign c_o", "logic q;\n  always_latch if (en_i) q = a_i[0];\n  assign c_o", ""),
    ],
)
def test_wrong_registers_are_caught(old, new, why):
    b = Builder("ands")
    x, y = b.input("a_i", 4), b.input("b_i", 4)
    b.output("c_o", [b.and_(p, q) for p, q in zip(x, y, strict=True)])
    c = pipeline(b.build(), 2, tail_delay=1)
    text = (
        "module ands (input logic clk, input logic en_i,\n"
        "  input logic [3:0] a_i, input logic [3:0] b_i, output logic [3:0] c_o);\n"
        "  logic [3:0] a_q1, b_q1;\n"
        "  always_ff @(posedge clk)\n    if (en_i) begin\n"
        "      a_q1 <= a_i;\n      b_q1 <= b_i;\n    end\n"
        "  assign c_o = a_q1 & b_q1;\nendmodule\n"
    )
    assert prove_readback(c, text).passed
    assert old in text
    proof = prove_readback(c, text.replace(old, new))
    if why:
        assert not proof.passed and re.search(why, proof.detail), proof.detail
    else:  # a latch next to the outputs changes nothing that they compute
        assert proof.passed


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("assign", "`ifdef YOSYS\nassign", "`ifdef: tools would read different things"),
        ("endmodule", "// synthesis translate_off\n// translate_on\nendmodule", "translate_off"),
        ("assign", "(* full_case *) assign", "full_case"),
        ("endmodule", "endmodule\nmodule gcm_fifo; endmodule", "2 modules, not one"),
    ],
)
def test_text_that_tools_read_differently_is_refused(old, new, why):
    text = emit_systemverilog(gf_square(8))
    assert prove_readback(gf_square(8), text).passed
    proof = prove_readback(gf_square(8), text.replace(old, new, 1))
    assert not proof.passed and why in proof.detail, proof.detail


@pytest.mark.slow
@pytest.mark.parametrize("stages", [1, 2])
def test_control_inputs_that_are_asked_for_must_be_there_and_no_others(stages):
    c = pipeline(gf_multiplier(4), stages)
    for clocked, enable in ((True, False), (True, True)):
        text = emit_systemverilog(c, clocked=clocked, enable=enable)
        has = ("clk",) * clocked + ("en_i",) * enable
        assert prove_readback(c, text).passed
        for controls in ((), ("clk",), ("clk", "en_i")):
            proof = prove_readback(c, text, controls=controls)
            assert proof.passed == (controls == has), (has, controls, proof.detail)


def test_text_that_yosys_refuses_fails_the_proof():
    proof = prove_readback(gf_square(8), "module gf8_square (input logic a_i; endmodule")
    assert not proof.passed and "Yosys" in proof.detail


def test_another_port_fails_the_proof():
    text = emit_systemverilog(gf_square(8)).replace("c_o", "d_o")
    proof = prove_readback(gf_square(8), text)
    assert not proof.passed and "ports" in proof.detail


def test_a_case_without_all_values_fails_the_proof():
    text = (
        "module gf4_inverse (input logic [3:0] x_i, output logic [3:0] y_o);\n"
        "  always_comb\n    case (x_i)\n      4'd1: y_o = 4'd0;\n"
        "      default: y_o = 4'bx;\n    endcase\nendmodule\n"
    )
    proof = prove_readback(gf_inverse(4), text)
    assert not proof.passed and "undefined" in proof.detail


def two_bytes(mixed):
    """Sum of a function of each byte; `mixed` adds the AND of a bit of either."""
    b = Builder("two_bytes")
    x = b.input("x_i", 16)
    terms = [b.and_(x[0], b.or_(x[3], x[7])), b.not_(b.mux(x[9], x[8], x[15]))]
    b.output("y_o", [b.xor_sum(terms + [b.and_(x[0], x[8])] * mixed)])
    return b.build()


def test_a_sum_of_functions_of_bytes_is_proven_and_another_circuit_refused():
    def spec(x):
        one = x & 1 and (x >> 3 | x >> 7) & 1
        other = (x >> 8 if x >> 9 & 1 else x >> 15) & 1
        return one ^ other ^ 1

    good, bad = two_bytes(False), two_bytes(True)
    proof = prove(good, spec, "bytewise")
    assert proof.passed and proof.cases >= 512
    assert not prove(good, lambda x: spec(x) ^ (x >> 14 & 1), "bytewise").passed
    refused = prove(bad, lambda x: spec(x) ^ (x & x >> 8 & 1), "bytewise")
    assert not refused.passed
    assert "more than one byte" in refused.detail
    assert "whole bytes" in prove(gf_inverse(4), gf_inverse_spec, "bytewise").detail
