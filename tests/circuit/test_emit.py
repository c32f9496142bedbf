# SPDX-License-Identifier: Apache-2.0
"""The SystemVerilog printer: clean in both tools, readable, stable."""

import random
import re
import subprocess

import pytest

from gcmforge import tools
from gcmforge.circuit import Builder, Op, emit_systemverilog


def lint(text, folder, name):
    """Verilator -Wall's complaints about one module, and that Yosys reads it."""
    path = folder / f"{name}.sv"
    path.write_text(text)
    run = subprocess.run(
        [tools.verilator_binary(), "--lint-only", "-Wall", "--quiet", "--top-module", name, path],
        env=tools.verilator_environment(),
        text=True,
        capture_output=True,
        timeout=60,
    )
    tools.run_yosys([f"read_verilog -sv {path}", f"hierarchy -check -top {name}"], time_limit_s=60)
    return run.stdout + run.stderr


def adder(width=8):
    """A ripple adder with its carries labelled as one bus: bits that depend on each other."""
    b = Builder("adder")
    x, y = b.input("x_i", width), b.input("y_i", width)
    p = [b.xor(s, t) for s, t in zip(x, y, strict=True)]
    b.label(p, "propagate")
    carry = [b.const(0)]
    for k in range(width):
        carry.append(b.or_(b.and_(x[k], y[k]), b.and_(p[k], carry[k])))
    b.label(carry[1:], "carry")
    b.output("s_o", [*(b.xor(p[k], carry[k]) for k in range(width)), carry[-1]])
    return b.build()


def every_gate():
    b = Builder("every_gate")
    x, y, s = b.input("x_i", 4), b.input("y_i", 4), b.input("s_i", 1)
    outs = []
    for op in Op:
        with b.section(f"all about {op}"):
            if op is Op.MUX:
                row = [b.mux(s[0], p, q) for p, q in zip(x, y, strict=True)]
            elif op is Op.NOT:
                row = [b.not_(p) for p in x]
            else:
                row = [b.gate(op, pair) for pair in zip(x, y, strict=True)]
            b.label(row, f"{op}_row")
            outs.append(b.xor_sum(row))
            outs += row
    b.output("z_o", [*outs, b.const(1), b.const(0), x[2], b.mux(x[0], y[1], s[0])])
    return b.build()


def tangle(seed, gates=150):
    """Random gates, labels and sections, some input bits left unread."""
    rng = random.Random(seed)
    b = Builder("tangle")
    nets = list(b.input("x_i", 12)[:9]) + list(b.input("e_i", 1))
    for k in range(gates):
        op = rng.choice(list(Op))
        args = [rng.choice(nets[-30:]) for _ in range({Op.NOT: 1, Op.MUX: 3}.get(op, 2))]
        with b.section(f"part {k // 20 % 4}"):
            nets.append(b.gate(op, args))
        if k % 25 == 24:
            b.label(nets[-8:], f"bus{k}")
        if k % 17 == 0:
            b.label(nets[-1], f"one{k}")
    b.output("y_o", nets[-12:])
    b.output("z_o", [nets[-20]])
    return b.build()


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
