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
    text = emit_systemverilog(adder()).replace("wire [7:0] propagate", "wire [8:0] propagate")
    assert "UNUSED" in lint(text, tmp_path, "adder") or "WIDTH" in lint(text, tmp_path, "adder")


def test_equal_forms_over_consecutive_bits_are_one_vector_assignment():
    text = emit_systemverilog(every_gate())
    assert "  wire [3:0] xor_row = x_i ^ y_i;" in text
    assert "  wire [3:0] nand_row = ~(x_i & y_i);" in text
    assert "  wire [3:0] mux_row = s_i ? x_i : y_i;" in text
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
    assert "  wire [7:0] propagate = x_i ^ y_i;" in text
    assert "  wire carry_1 = " in text


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
        "  wire chosen = pairs[0] & pairs[5];",
        "  wire chosen = pairs[0] | pairs[5];",
    }


def test_header_lines_follow_the_licence_line():
    text = emit_systemverilog(adder(), ["What: a sum", "", "Gates: " + "many " * 40])
    lines = text.splitlines()
    assert lines[:3] == ["// SPDX-License-Identifier: Apache-2.0", "// What: a sum", "//"]
    assert all(len(line) <= 100 for line in lines)


def test_an_enable_without_a_clock_is_refused():
    with pytest.raises(ValueError, match="clocked=True"):
        emit_systemverilog(adder(), enable=True)


def test_long_sums_break_outside_parentheses():
    b = Builder("long_names")
    x = b.input("operand_with_a_long_name_i", 64)
    pairs = [b.and_(x[k], x[63 - k]) for k in range(4)]
    b.output("y_o", [b.xor(b.xor(pairs[0], pairs[1]), b.xor(pairs[2], pairs[3]))])
    lines = emit_systemverilog(b.build()).splitlines()
    start = next(i for i, line in enumerate(lines) if "assign y_o" in line)
    statement = lines[start : lines.index("endmodule")]
    assert len(statement) > 1
    assert all(line.strip().startswith("^") for line in statement[1:])
    assert all(len(line) <= 100 for line in statement)


def test_wires_are_declared_before_they_are_read():
    for circuit in (adder(), every_gate(), *(tangle(seed) for seed in range(8))):
        seen = {bus.name for bus in circuit.inputs}
        for line in emit_systemverilog(circuit).split("endmodule")[0].split(";"):
            if " = " in line and "unused" not in line:
                read = re.findall(r"[a-z_]\w*(?<!'b)", line.split(" = ", 1)[1])
                assert {name for name in read if name not in ("b0", "b1")} <= seen, line
            seen |= set(re.findall(r"wire (?:\[\d+:\d+\] )?(\w+)", line))
