# SPDX-License-Identifier: Apache-2.0
"""Flip-flops that become output registers of ECP5's block RAMs: by SAT against their source, with
a model of the memory written from its data sheet (Lattice FPGA-TN-02204)."""

import json
from pathlib import Path

import pytest

from gcmforge.leaf import leaf_text, memory_pipeline, sbox_pair
from gcmforge.place import fpga
from gcmforge.place.families import FAMILIES
from gcmforge.place.memory_registers import use_output_registers
from gcmforge.tools import run_yosys

CYCLES = 5


def memory_model() -> str:
    """DP16KD with words of 9 bits, read only: a register, and one more with REGMODE OUTREG."""
    sides = {"A": [], "B": []}
    for side, ports in sides.items():
        ports += [f"input AD{side}{bit}" for bit in range(14)]
        ports += [f"input DI{side}{bit}" for bit in range(18)]
        ports += [f"output DO{side}{bit}" for bit in range(18)]
        ports += [f"input {pin}{side}" for pin in ("CE", "OCE", "CLK", "WE", "RST")]
        ports += [f"input CS{side}{bit}" for bit in range(3)]
    known = {
        "DATA_WIDTH_A": 18, "DATA_WIDTH_B": 18, "REGMODE_A": '"NOREG"', "REGMODE_B": '"NOREG"',
        "RESETMODE": '"SYNC"', "ASYNC_RESET_RELEASE": '"SYNC"', "CSDECODE_A": '"0b000"',
        "CSDECODE_B": '"0b000"', "WRITEMODE_A": '"NORMAL"', "WRITEMODE_B": '"NORMAL"',
        "GSR": '"AUTO"', "CLKAMUX": '"CLKA"', "CLKBMUX": '"CLKB"',
    }  # fmt: skip
    parameters = [f"parameter {name} = {value}" for name, value in known.items()]
    parameters += [f"parameter [319:0] INITVAL_{row:02X} = 320'b0" for row in range(64)]
    rows = ", ".join(f"INITVAL_{row:02X}" for row in reversed(range(64)))
    lines = [
        f"module DP16KD #({', '.join(parameters)}) ({', '.join(sides['A'] + sides['B'])});",
        "  reg [8:0] words [0:2047];",
        f"  localparam [20479:0] ALL = {{{rows}}};",
        "  integer i;",
        "  initial for (i = 0; i < 2048; i = i + 1)",
        "    words[i] = ALL[(i / 32) * 320 + (i % 32) / 2 * 20 + i % 2 * 9 +: 9];",
    ]
    for side in sides:
        address = ", ".join(f"AD{side}{bit}" for bit in reversed(range(3, 14)))
        outputs = ", ".join(f"DO{side}{bit}" for bit in reversed(range(9)))
        lines += [
            f"  reg [8:0] read{side}, late{side};",
            f"  always @(posedge CLK{side}) if (CE{side}) read{side} <= words[{{{address}}}];",
            f"  always @(posedge CLK{side}) if (OCE{side}) late{side} <= read{side};",
            f'  assign {{{outputs}}} = REGMODE_{side} == "OUTREG" ? late{side} : read{side};',
        ]
    return "\n".join([*lines, "endmodule", ""])


def pair(folder: Path, stages: int) -> tuple[Path, Path]:
    """The source of two S-boxes in a memory, and its netlist for ECP5."""
    leaf = sbox_pair("bram")
    source, netlist = folder / "pair.sv", folder / "mapped.json"
    pipelined = memory_pipeline(leaf.circuit, stages)
    source.write_text(leaf_text(leaf, pipelined, clocked=True, enable=True))
    fpga._synthesise([source], leaf.module, FAMILIES["ecp5"], netlist, 120)
    return source, netlist


def cells_of(netlist: Path) -> dict:
    return json.loads(netlist.read_text())["modules"]["aes_sbox_pair"]["cells"]


def proof(source: Path, netlist: Path) -> str:
    """What SAT says of some cycles from registers of 0 on, with any inputs."""
    model = netlist.with_name("model.v")
    model.write_text(memory_model())
    return run_yosys(
        [
            f"read_json {netlist}",
            "delete =*paramod*",  # boxes without content, which would be taken for models
            "read_verilog -overwrite -nowb +/lattice/cells_sim_ecp5.v",
            f"read_verilog -overwrite {model}",
            "hierarchy -top aes_sbox_pair",
            "rename aes_sbox_pair mapped",
            "proc",
            "flatten",
            f"read_verilog -sv {source}",
            "proc -norom",
            "miter -equiv -flatten -make_outputs aes_sbox_pair mapped miter",
            "hierarchy -top miter",
            "memory -nordff",
            "opt -full",
            f"sat -set-init-zero -seq {CYCLES} -prove trigger 0 miter",
        ],
        time_limit_s=300,
    )


@pytest.mark.slow
@pytest.mark.parametrize("stages", [3, 4])
def test_the_register_after_a_memory_becomes_its_own(stages, tmp_path):
    source, netlist = pair(tmp_path, stages)
    cells = cells_of(netlist)
    (memory,) = [cell for cell in cells.values() if cell["type"] == "DP16KD"]
    assert {memory["parameters"][f"REGMODE_{side}"] for side in "AB"} == {"OUTREG"}
    left = [cell for cell in cells.values() if cell["type"] == "TRELLIS_FF"]
    assert len(left) == 16 * (stages - 3)
    assert "no model found: SUCCESS" in proof(source, netlist)


@pytest.mark.slow
def test_a_memory_without_a_register_after_it_is_left_as_it_is(tmp_path):
    source, netlist = pair(tmp_path, 2)
    (memory,) = cells_of(netlist).values()
    assert {memory["parameters"][f"REGMODE_{side}"] for side in "AB"} == {"NOREG"}
    assert "no model found: SUCCESS" in proof(source, netlist)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pin", "net"), [("OCEA", "1"), ("OCEB", "0"), ("CEA", "1")], ids=["always", "never", "reads"]
)
def test_a_register_with_another_enable_is_seen(pin, net, tmp_path):
    """The proof above is one that can fail."""
    source, netlist = pair(tmp_path, 3)
    made = json.loads(netlist.read_text())
    for cell in made["modules"]["aes_sbox_pair"]["cells"].values():
        cell["connections"][pin] = [net]
    netlist.write_text(json.dumps(made))
    assert "model found: FAIL" in proof(source, netlist)


def memory_and_registers() -> dict:
    """A module of a memory and the flip-flops of two of its bits, by hand."""
    pins = {"CLKA": [2], "DOA0": [10], "DOA1": [11], "OCEA": ["1"], "OCEB": ["1"], "CLKB": ["0"]}
    memory = {
        "type": "DP16KD",
        "parameters": {"REGMODE_A": "NOREG", "REGMODE_B": "NOREG"},
        "connections": pins,
        "port_directions": {pin: "output" if pin.startswith("DO") else "input" for pin in pins},
    }
    cells = {"memory": memory}
    for bit in range(2):
        pins = {"CLK": [2], "CE": [3], "DI": [10 + bit], "LSR": ["0"], "Q": [20 + bit]}
        cells[f"register{bit}"] = {
            "type": "TRELLIS_FF",
            "parameters": {"CEMUX": "CE", "CLKMUX": "CLK", "REGSET": "RESET", "GSR": "DISABLED"},
            "connections": pins,
            "port_directions": {pin: "output" if pin == "Q" else "input" for pin in pins},
        }
    return {"cells": cells, "ports": {"clk": {"direction": "input", "bits": [2]}}}


def test_bits_that_nobody_reads_do_not_matter():
    module = memory_and_registers()
    module["cells"]["memory"]["connections"]["DOA2"] = [12]
    module["cells"]["memory"]["port_directions"]["DOA2"] = "output"
    assert use_output_registers(module) == 1
    assert module["cells"].keys() == {"memory"}
    assert module["cells"]["memory"]["connections"]["OCEA"] == [3]
    assert module["cells"]["memory"]["connections"]["DOA1"] == [21]


@pytest.mark.parametrize(
    ("place", "name", "value"),
    [
        ("connections", "CE", [4]),
        ("connections", "CLK", [5]),
        ("connections", "LSR", [6]),
        ("parameters", "CEMUX", "INV"),
        ("parameters", "CEMUX", "1"),
        ("parameters", "CLKMUX", "INV"),
        ("parameters", "REGSET", "SET"),
        ("parameters", "GSR", "ENABLED"),
    ],
)
def test_registers_that_differ_are_left(place, name, value):
    module = memory_and_registers()
    module["cells"]["register1"][place][name] = value
    assert use_output_registers(module) == 0
    assert len(module["cells"]) == 3


@pytest.mark.parametrize("reader", ["cell", "port", "other pin"])
def test_a_word_that_is_read_before_its_register_is_left(reader):
    module = memory_and_registers()
    if reader == "cell":
        module["cells"]["lut"] = {
            "type": "LUT4",
            "parameters": {},
            "connections": {"A": [10]},
            "port_directions": {"A": "input"},
        }
    elif reader == "port":
        module["ports"]["y"] = {"direction": "output", "bits": [11]}
    else:
        module["cells"]["register1"]["connections"]["CE"] = [11]
    assert use_output_registers(module) == 0
    assert module["cells"]["memory"]["parameters"]["REGMODE_A"] == "NOREG"


@pytest.mark.parametrize(
    ("place", "name", "value"),
    [
        ("connections", "RSTA", [7]),
        ("parameters", "CLKAMUX", "INV"),
        ("parameters", "DATA_WIDTH_A", f"{36:032b}"),
        ("parameters", "DATA_WIDTH_B", f"{36:032b}"),
    ],
    ids=["reset", "falling edge", "both sides for a word", "both sides for what is written"],
)
def test_a_memory_that_reads_in_another_way_is_left(place, name, value):
    module = memory_and_registers()
    module["cells"]["memory"][place][name] = value
    assert use_output_registers(module) == 0
    assert len(module["cells"]) == 3


def test_a_port_of_both_directions_reads():
    module = memory_and_registers()
    module["ports"]["pad"] = {"direction": "inout", "bits": [10]}
    assert use_output_registers(module) == 0


def test_a_word_that_is_the_enable_of_a_register_that_is_gone_is_read():
    """The flip-flops of one memory have a word of another as their enable."""
    module = memory_and_registers()
    pins = {"CLKA": [2], "CLKB": ["0"], "DOA0": [3], "OCEA": ["1"], "OCEB": ["1"]}
    module["cells"]["other"] = {
        "type": "DP16KD",
        "parameters": {"REGMODE_A": "NOREG", "REGMODE_B": "NOREG"},
        "connections": pins,
        "port_directions": {pin: "output" if pin.startswith("DO") else "input" for pin in pins},
    }
    assert use_output_registers(module) == 1
    assert module["cells"].keys() == {"memory", "other"}
    assert module["cells"]["other"]["parameters"]["REGMODE_A"] == "NOREG"
