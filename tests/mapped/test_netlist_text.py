# SPDX-License-Identifier: Apache-2.0
"""A mapped netlist as text for a simulator: what stands for each cell, and what is refused."""

import re
import subprocess
from itertools import product
from random import Random

import pytest
from evaluated import columns, evaluate
from small_cells import netlist, random_netlist, small_library

from gcmforge.mapped import netlist_text
from gcmforge.mapped.text import exact
from gcmforge.netlist.functions import function_inputs, truth_table
from gcmforge.netlist.netlist import NetlistError
from gcmforge.netlist.targets import find_target, library_of

PATTERNS = 32


def text_of(*given) -> str:
    return netlist_text(netlist(*given), small_library())


def test_each_cell_is_one_statement_with_its_function_in_the_order_of_the_values():
    cells = {
        "late": ("NAND2", {"A": 4, "B": 2, "Y": 5}),
        "early": ("INV", {"A": 1, "Y": 4}),
        "flop": ("DFF", {"CK": 0, "D": 5, "Q": 2}),
    }
    assert text_of({"clk": 0, "a": 1}, {"y": 5, "one": "1"}, cells) == (
        "module top (\n  input logic clk,\n  input logic a,\n  output logic y,\n"
        "  output logic one\n);\n"
        "  logic n4;\n  logic n3;\n  logic n2;\n"
        "  always_comb begin\n    n3 = (~a);\n    n2 = (~(n3 & n4));\n  end\n"
        "  always_ff @(posedge clk) begin\n    n4 <= n2;\n  end\n"
        "  assign y = {n2};\n  assign one = {1'b1};\nendmodule\n"
    )


def test_a_multiplexer_has_the_function_of_the_liberty_file():
    cells = {"m": ("MUX2", {"A": 0, "B": 1, "S": 2, "Y": 3})}
    made = netlist({"a": 0, "b": 1, "s": 2}, {"y": 3}, cells)
    text = netlist_text(made, library_of(find_target("ge")))
    assert "n3 = (((a & (~s)) | (b & s)) | (a & b));" in text


@pytest.mark.parametrize("target", ["ge", pytest.param("osu018", marks=pytest.mark.osu018)])
def test_a_cell_gives_x_only_where_its_inputs_leave_both_values_open(target):
    """By the operators of SystemVerilog, beside all values that the X may stand for."""
    operators = {
        "and": lambda a, b: 0 if 0 in (a, b) else None if None in (a, b) else 1,
        "or": lambda a, b: 1 if 1 in (a, b) else None if None in (a, b) else 0,
        "xor": lambda a, b: None if None in (a, b) else a ^ b,
        "not": lambda a, _: None if a is None else 1 - a,
    }

    def value(tree, pins):
        if isinstance(tree, str):
            return pins[tree] if tree in pins else int(tree or 0)
        return operators[tree[0]](value(tree[1], pins), value(tree[2], pins))

    functions = {
        pin.function
        for cell in library_of(find_target(target)).cells.values()
        for pin in cell.outputs
        if pin.function and cell.flip_flop is None
    }
    seen_x = 0
    for function in functions:
        names = function_inputs(function)
        table = truth_table(function, names)
        for values in product((0, 1, None), repeat=len(names)):
            each = product(*((0, 1) if one is None else (one,) for one in values))
            meant = {table >> sum(bit << at for at, bit in enumerate(one)) & 1 for one in each}
            found = value(exact(function), dict(zip(names, values, strict=True)))
            assert {found} == (meant if len(meant) == 1 else {None}), (function, values)
            seen_x += found is None
    assert len(functions) > 5 and seen_x


@pytest.mark.osu018
@pytest.mark.parametrize("tied", [("1", "1"), ("1", "0"), ("0", "1"), ("1", 2), (2, "1")])
def test_a_flip_flop_with_set_and_clear_is_simulated_where_both_are_tied_off(tied):
    """Both are active low in osu018."""
    pins = {"CLK": 0, "D": 1, "R": tied[0], "S": tied[1], "Q": 3}
    made = netlist({"clk": 0, "d": 1, "r": 2}, {"q": 3}, {"u": ("DFFSR", pins)})
    library = library_of(find_target("osu018"))
    if tied == ("1", "1"):
        assert "always_ff @(posedge clk) begin\n    n3 <= d;" in netlist_text(made, library)
        return
    with pytest.raises(NetlistError, match="with a set or clear of their own are not simulated"):
        netlist_text(made, library)


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ({"u": ("LAT", {"G": 0, "D": 1, "Q": 2})}, "latches and clock gates are not simulated"),
        ({"u": ("DFFN", {"CK": 0, "D": 1, "Q": 2})}, "only flip-flops of a pin's rising edge"),
        ({"u": ("NAND2", {"A": 0, "Y": 2})}, "has no function of its pins"),
        (
            {"u": ("NAND2", {"A": 0, "B": 3, "Y": 2}), "v": ("INV", {"A": 2, "Y": 3})},
            "depends on itself",
        ),
    ],
    ids=["latch", "falling edge", "open input", "loop"],
)
def test_what_is_not_simulated_is_refused(cells, words):
    with pytest.raises(NetlistError, match=re.escape(words)):
        text_of({"a": 0, "b": 1}, {"y": 2}, cells)


@pytest.mark.iverilog
@pytest.mark.parametrize("seed", range(3))
def test_a_simulator_gives_what_the_functions_give(seed, tmp_path):
    made, library = random_netlist(seed, gates=900), small_library()
    top = made.modules["top"]
    values = Random(seed).choices(range(32), k=PATTERNS)
    inputs = columns(values, 5)
    given = {f"i{n}": [inputs[n]] for n in range(5)}
    expected = evaluate(top, library, given, PATTERNS)
    outputs = [name for name, port in top.ports.items() if port.direction == "output"]
    (tmp_path / "top.sv").write_text(netlist_text(made, library))
    (tmp_path / "bench.sv").write_text(bench(outputs, values))
    words = ["iverilog", "-g2012", "-s", "bench", "-o", "top.vvp", "top.sv", "bench.sv"]
    subprocess.run(words, cwd=tmp_path, check=True)
    run = subprocess.run(["vvp", "-n", "top.vvp"], cwd=tmp_path, text=True, capture_output=True)
    told = [line.split() for line in run.stdout.splitlines()]
    got = dict.fromkeys(outputs, 0)
    for pattern, line in enumerate(told):
        for name, bit in zip(outputs, line, strict=True):
            got[name] |= int(bit) << pattern
    assert len(told) == PATTERNS
    assert {name: [value] for name, value in got.items()} == expected


def bench(outputs: list[str], values: list[int]) -> str:
    ports = [f".i{n}(i[{n}])" for n in range(5)] + [f".{name}({name})" for name in outputs]
    shown = " ".join("%b" for _ in outputs)
    steps = "".join(
        f'    i = {value}; #1 $display("{shown}", {", ".join(outputs)});\n' for value in values
    )
    return (
        f"module bench;\n  logic [4:0] i;\n  logic {', '.join(outputs)};\n"
        f"  top u_top ({', '.join(ports)});\n  initial begin\n{steps}  end\nendmodule\n"
    )
