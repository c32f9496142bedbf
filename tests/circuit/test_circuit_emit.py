# SPDX-License-Identifier: Apache-2.0
"""The SystemVerilog printer: clean in both tools, readable, stable."""

import re

import pytest
from circuit_samples import adder, every_gate, lint, tangle

from gcmforge.circuit import Builder, Op, emit_systemverilog


@pytest.mark.parametrize(
    "circuit", [adder(), every_gate(), *(tangle(seed) for seed in range(6))], ids=lambda c: c.name
)
@pytest.mark.parametrize("clocked", [False, True])
def test_text_is_clean_in_verilator_and_yosys(circuit, clocked, tmp_path):
    text = emit_systemverilog(circuit, ["what it is"], clocked=clocked, enable=clocked)
    assert lint(text, tmp_path, circuit.name) == ""
    assert max(map(len, text.splitlines())) <= 100


def test_lint_check_itself_can_fail(tmp_path):
    text = emit_systemverilog(adder()).replace("logic [7:0] propagate", "logic [8:0] propagate")
    assert "UNUSED" in lint(text, tmp_path, "adder") or "WIDTH" in lint(text, tmp_path, "adder")


def test_equal_forms_over_consecutive_bits_are_one_vector_assignment():
    text = emit_systemverilog(every_gate())
    assert "  assign xor_row = x_i ^ y_i;" in text
    assert "  assign nand_row = ~(x_i & y_i);" in text
    assert "  assign mux_row = s_i ? x_i : y_i;" in text
    assert "  // all about mux\n" in text


def test_a_bit_against_a_vector_is_written_as_replication():
    b = Builder("rows")
    a, x = b.input("a_i", 2), b.input("x_i", 8)
    row = [b.and_(a[1], bit) for bit in x]
    b.output("y_o", [b.xor(p, a[0]) for p in row])
    text = emit_systemverilog(b.build())
    assert "  assign y_o = {8{a_i[0]}} ^ ({8{a_i[1]}} & x_i);" in text


def test_bits_that_depend_on_each_other_are_not_one_vector():
    text = emit_systemverilog(adder())
    assert "  logic [7:0] propagate;" in text
    assert "carry_0, carry_1" in text


def test_unread_ports_are_tied_off_by_name():
    text = emit_systemverilog(tangle(0), clocked=True, enable=True)
    assert re.search(r"assign unused = &\{1'b0, clk, en_i, .*x_i\[11:\d+\]", text)


def test_same_circuit_prints_the_same_text_and_a_local_change_a_short_diff():
    def make(op):
        b = Builder("stable")
        x = b.input("x_i", 16)
        with b.section("first"):
            p = [b.and_(x[i], x[i + 1]) for i in range(8)]
            b.label(p, "pairs")
        with b.section("second"):
            q = b.gate(op, (p[0], p[5]))
            b.label(q, "chosen")
        with b.section("third"):
            b.output("y_o", [b.xor(q, p[k]) for k in range(8)])
        return emit_systemverilog(b.build()).splitlines()

    assert make(Op.AND) == make(Op.AND)
    changed = set(make(Op.AND)) ^ set(make(Op.OR))
    assert changed == {
        "  assign chosen = pairs[0] & pairs[5];",
        "  assign chosen = pairs[0] | pairs[5];",
    }


def test_header_lines_follow_the_licence_line():
    text = emit_systemverilog(adder(), ["What: a sum", "", "Gates: " + "many " * 40])
    lines = text.splitlines()
    assert lines[:3] == ["// SPDX-License-Identifier: Apache-2.0", "// What: a sum", "//"]
    assert all(len(line) <= 100 for line in lines)


def test_an_enable_without_a_clock_is_refused():
    with pytest.raises(ValueError, match="clocked=True"):
        emit_systemverilog(adder(), enable=True)
