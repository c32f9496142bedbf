# SPDX-License-Identifier: Apache-2.0
"""Clock gates: the mapped circuit does what its text says and is smaller; enables are timed."""

import random
import re
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

import gcmforge
from gcmforge.measure.measure import MeasureError, measure
from gcmforge.netlist.liberty import read_liberty
from gcmforge.netlist.netlist import Module
from gcmforge.netlist.targets import find_target, library_of
from gcmforge.power.icarus import cell_model
from gcmforge.sta.bound import bind
from gcmforge.sta.graph import TimingGraph
from gcmforge.sta.opensta import analyse_with_opensta, write_verilog
from gcmforge.sta.timing import analyse
from gcmforge.synth.synthesis import Synthesis, synthesise

RTL = Path(gcmforge.__file__).parent / "rtl" / "common"
PARTS = ("gcm_fifo", "axis_skid")
GATE_MODEL = """
module GATE_OF_LATCH (EN, CLK, GCLK);
  input EN, CLK; output GCLK;
  reg open;
  always @* if (!CLK) open = EN;
  assign GCLK = CLK & open;
endmodule
"""


def mapped(part: str, target: str) -> Synthesis:
    return synthesise(RTL / f"{part}.sv", find_target(target), effort="quick", jobs=1)


@pytest.mark.slow
@pytest.mark.osu018
@pytest.mark.parametrize("part", PARTS)
def test_gates_take_the_place_of_multiplexers(part: str) -> None:
    plain, gated = mapped(part, "osu018"), mapped(part, "osu018-gated")
    assert plain.flip_flops == gated.flip_flops
    assert gated.area_ge < 0.95 * plain.area_ge
    gates = gated.netlist.counts["GATE_OF_LATCH"]
    # One a word; what keeps the spare word of axis_skid is the multiplexer in front of the other.
    assert gates == {"gcm_fifo": 4, "axis_skid": 1}[part]
    assert plain.netlist.counts["GATE_OF_LATCH"] == 0


@pytest.mark.osu018
@pytest.mark.parametrize("part", PARTS)
def test_what_enables_a_gate_has_to_come_in_time_and_gated_clocks_are_ideal(part: str) -> None:
    found = mapped(part, "osu018-gated")
    library, target = library_of(found.target), found.target
    options = {
        "driving_cell": target.driving_cell, "load_ff": target.load_ff,
        "clock_slew_ns": target.clock_transition_ns,
    }  # fmt: skip
    graph = TimingGraph(bind(found.netlist, library), **options)
    names = {graph._flop_name(check).split(" ")[1] for check in range(graph.checks.node.size)}
    gates = [c for c in found.netlist.flatten().cells.values() if c.type == "GATE_OF_LATCH"]
    assert len({name for name in names if name.endswith("/EN)")}) == len(gates)
    ours = analyse(found.netlist, library, **options).critical_path_ns
    theirs = analyse_with_opensta(found.netlist, library, **options)
    assert ours == pytest.approx(theirs.critical_path_ns, rel=1e-5)
    assert theirs.unclocked == 0


@pytest.mark.slow
@pytest.mark.osu018
@pytest.mark.opensta
def test_opensta_counts_what_a_gate_without_an_arc_leaves_unclocked(tmp_path: Path) -> None:
    """The gate as it was before it had an arc: every flip-flop after a gate is without a clock."""
    found = mapped("gcm_fifo", "osu018-gated")
    text = found.target.liberty[0].read_text()
    output = text.index("clock_gate_out_pin")
    start = text.index("timing () {", output)
    whole = tmp_path / "no_arc.lib"
    whole.write_text(text[:start] + "}}}\n")
    cells = found.netlist.flatten().cells.values()
    gated = {cell.connections["GCLK"] for cell in cells if cell.type == "GATE_OF_LATCH"}
    late = sum(cell.connections.get("CLK") in gated for cell in cells)
    assert late == 32
    assert analyse_with_opensta(found.netlist, read_liberty((whole,))).unclocked == late


@pytest.mark.osu018
def test_a_gate_that_is_made_of_cells_has_the_delay_of_its_and_gate() -> None:
    library = library_of(find_target("osu018-gated"))
    (arc,) = library.cell("GATE_OF_LATCH").pins["GCLK"].timing
    last = library.cell("AND2X2")
    (first,) = (one for one in last.pins["Y"].timing if one.related_pin == "A")
    assert (arc.related_pin, arc.timing_sense) == ("CLK", "positive_unate")
    for name in ("cell_rise", "cell_fall", "rise_transition", "fall_transition"):
        ours, theirs = getattr(arc, name), getattr(first, name)
        for part in ("first", "second", "values"):
            assert getattr(ours, part) == pytest.approx(getattr(theirs, part))


@pytest.mark.iverilog
@pytest.mark.parametrize("part", PARTS)
def test_the_mapped_circuit_does_what_the_text_says(part: str, tmp_path: Path) -> None:
    """Both side by side through a thousand random cycles, outputs compared while they are valid."""
    found = mapped(part, "osu018-gated")
    library = library_of(found.target)
    flat = found.netlist.flatten()
    netlist = Module(
        name="mapped", ports=flat.ports, net_names=flat.net_names,
        cells={f"g{n}": cell for n, cell in enumerate(flat.cells.values())},
    )  # fmt: skip
    used = sorted({cell.type for cell in netlist.cells.values()} - {"GATE_OF_LATCH"})
    models = [cell_model(library.cell(name)) for name in used]
    # A flip-flop's output comes later than its clock through any gate.
    text = "".join([*models, GATE_MODEL, *write_verilog(netlist, library)]).replace(
        " <= ", " <= #1 "
    )
    rng = random.Random(part)
    words = [rng.getrandbits(10) for _ in range(1000)]
    bench = f"""
module bench;
  reg clk = 0, rst = 1;
  reg [9:0] word;
  wire [1:0] ready, valid;
  wire [7:0] data0, data1;
  integer wrong = 0, moved = 0;
  reg [9:0] words[0:{len(words) - 1}];
  {part} text (.clk(clk), .rst(rst), .in_valid_i(word[8]), .in_ready_o(ready[0]),
    .in_data_i(word[7:0]), .out_valid_o(valid[0]), .out_ready_i(word[9]), .out_data_o(data0));
  mapped gates (.clk(clk), .rst(rst), .in_valid_i(word[8]), .in_ready_o(ready[1]),
    .in_data_i(word[7:0]), .out_valid_o(valid[1]), .out_ready_i(word[9]), .out_data_o(data1));
  always #50 clk = ~clk;
  integer i;
  initial begin
    $readmemh("words.hex", words);
    word = 0;
    repeat (3) @(negedge clk);
    rst = 0;
    for (i = 0; i < {len(words)}; i = i + 1) begin
      word = words[i];
      #20;
      if (ready[0] !== ready[1] || valid[0] !== valid[1]) wrong = wrong + 1;
      if (valid[0] && data0 !== data1) wrong = wrong + 1;
      if (valid[0] && word[9]) moved = moved + 1;
      @(negedge clk);
    end
    $display("wrong %0d moved %0d", wrong, moved);
    $finish;
  end
endmodule
"""
    (tmp_path / "words.hex").write_text("\n".join(f"{word:x}" for word in words))
    (tmp_path / "all.v").write_text(text + bench)
    source = (RTL / f"{part}.sv").read_text()  # Icarus has no $error outside procedures
    (tmp_path / "text.sv").write_text(re.sub(r"  if .* : gen_bad\n.*\n  end\n", "", source))
    command = ["iverilog", "-g2012", "-o", "sim", "all.v", "text.sv"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=60)
    run = subprocess.run(["vvp", "sim"], cwd=tmp_path, check=True, timeout=60, capture_output=True)
    wrong, moved = run.stdout.decode().split()[1::2]
    taken = sum(bool(a & 0x100) for a, _ in pairwise(words))
    assert int(wrong) == 0
    assert int(moved) > taken // 3


@pytest.mark.osu018
def test_power_of_gated_clocks_is_refused() -> None:
    with pytest.raises(MeasureError, match="use osu018"):
        measure("aes_sbox/boyar_peralta", "osu018-gated", power=True)


@pytest.mark.osu018
def test_a_gate_is_made_as_often_as_its_flip_flops_take() -> None:
    text = """
    module many (input logic clk, input logic en, input logic [499:0] d, output logic [499:0] q);
      always_ff @(posedge clk) if (en) q <= d;
    endmodule
    """
    found = synthesise(text, find_target("osu018-gated"), effort="quick", jobs=1)
    library = library_of(found.target)
    most = library.cell("GATE_OF_LATCH").outputs[0].max_capacitance
    assert most is not None
    driven: dict[object, float] = {}
    gated = set()
    for cell in found.netlist.flatten().cells.values():
        if cell.type == "GATE_OF_LATCH":
            gated |= set(cell.connections["GCLK"])
        for pin in library.cell(cell.type).inputs:
            (bit,) = cell.connections[pin.name]
            driven[bit] = driven.get(bit, 0.0) + pin.capacitance
    assert len(gated) > 1
    assert all(driven[bit] <= most for bit in gated)
    one = library.cell("DFFPOSX1").pins["CLK"].capacitance
    assert sum(driven[bit] for bit in gated) == pytest.approx(500 * one)
