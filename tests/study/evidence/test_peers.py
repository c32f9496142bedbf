# SPDX-License-Identifier: Apache-2.0
"""Cores of others: their files at a commit, VHDL made Verilog, tied inputs;
on cores made here."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from gcmforge.config import ConfigError
from gcmforge.place.fpga import Design, measure_fpga
from gcmforge.study.evidence import peers, vhdl
from gcmforge.tools import run_yosys

VERILOG = "module adder(input clk, input [7:0] a, b, output reg [7:0] c);\n" \
    "  always @(posedge clk) c <= a + b;\nendmodule\n"  # fmt: skip


VHDL = """library ieee;
use ieee.std_logic_1164.all;
use ieee.std_logic_misc.xor_reduce;
entity toy is
  generic (width : natural := 3);
  port (
    clk : in std_logic;
    a : in std_logic_vector(width - 1 downto 0);
    odd : out std_logic;
    code, side : out std_logic_vector(7 downto 0)
  );
end entity;
architecture rtl of toy is
  function coded(x : std_logic_vector) return std_logic_vector is
    variable y : std_logic_vector(7 downto 0);
  begin
    case x is
      when "00" => y := x"12"; when "01" => y := x"34"; when others => y := x"56";
    end case;
    return y;
  end function;
  signal output : std_logic_vector(7 downto 0);
begin
  code <= coded(a(1 downto 0));
  output <= "101" & a(width - 1 downto width - 5);
  process (all) begin
    case a(2 downto 1) is
      when "00" => side <= x"ff"; when others => side <= output;
    end case;
  end process;
  process (clk) begin
    if rising_edge(clk) then odd <= xor_reduce(a); end if;
  end process;
end architecture;
"""
GENERATOR = "import sys\nopen('../' + sys.argv[1], 'w').write(open('text').read())\n"


def repository(folder: Path, **files: str) -> str:
    """A repository with these files, and its commit."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "toy"]):
        subprocess.run([*git, *arguments], cwd=folder, check=True)
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, capture_output=True, text=True)
    return head.stdout.strip()


def adder(commit: str) -> peers.Peer:
    return peers.Peer(
        repository="https://example.invalid/adder",
        commit=commit,
        files=("rtl/adder.v",),
        module="adder",
        ports=(("clk", "input", 1), ("a", "input", 8), ("c", "output", 8)),
        tied=(("b", "8'd1"),),
        cycles=16,
        cycles_from="its text",
        does="a sum",
        lacks="GCM",
    )


@pytest.mark.slow
def test_a_peer_is_read_at_its_commit_and_its_inputs_are_tied(tmp_path: Path) -> None:
    there = tmp_path / "there"
    commit = repository(there, rtl__adder_DOT_v=VERILOG)
    (there / "rtl/adder.v").write_text("not what was committed")
    folder = tmp_path / "made"
    folder.mkdir()
    files = peers.sources(adder(commit), there, folder)
    assert [file.name for file in files] == ["flat.v"]
    found = measure_fpga(
        Design(files=tuple(files), top=peers.TOP, ports=adder(commit).ports, clock="clk"),
        peers.FPGA,
        place=False,
    )
    assert found.flip_flops == 8


@pytest.mark.slow
def test_a_tied_input_takes_out_what_it_does_not_need(tmp_path: Path) -> None:
    """Registers within the core that only another value of the input needs."""
    there = tmp_path / "there"
    text = (
        "module inner(input clk, way, input [7:0] a, output reg [7:0] c);\n"
        "  reg [7:0] q;\n  always @(posedge clk) begin q <= a; c <= way ? a : q; end\nendmodule\n"
        "module adder(input clk, way, input [7:0] a, output [7:0] c);\n"
        "  inner u_inner(.clk(clk), .way(way), .a(a), .c(c));\nendmodule\n"
    )
    peer = replace(adder(repository(there, rtl__adder_DOT_v=text)), tied=(("way", "1'b1"),))
    (tmp_path / "made").mkdir()
    files = peers.sources(peer, there, tmp_path / "made")
    design = Design(files=tuple(files), top=peers.TOP, ports=peer.ports, clock="clk")
    assert measure_fpga(design, peers.FPGA, place=False).flip_flops == 8


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"files": ("rtl/other.v",)}, "no rtl/other.v"),
        ({"commit": "0" * 40}, "clone it"),
        ({"generator": ("rtl/none.py",)}, "its generator failed"),
    ],
)
def test_what_a_repository_has_not_is_told(
    tmp_path: Path, changes: dict[str, object], said: str
) -> None:
    commit = repository(tmp_path / "there", rtl__adder_DOT_v=VERILOG)
    (tmp_path / "made").mkdir()
    peer = replace(adder(commit), **changes)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=said):
        peers.sources(peer, tmp_path / "there", tmp_path / "made")


def test_a_generator_of_its_own_makes_files(tmp_path: Path) -> None:
    there = tmp_path / "there"
    commit = repository(there, config__make_DOT_py=GENERATOR, config__text=VERILOG)
    (tmp_path / "made").mkdir()
    peer = replace(adder(commit), files=("made.v",), generator=("config/make.py", "made.v"))
    peers.sources(peer, there, tmp_path / "made")
    assert (tmp_path / "made/source/made.v").read_text() == VERILOG
    assert not (there / "made.v").exists()


PACKAGES = """package one_pkg; typedef logic [7:0] byte_t; endpackage
package two_pkg; parameter one_pkg::byte_t TWO = 8'd2; typedef enum logic {A, B} way_e; endpackage
"""
TYPED = """`include "step.svh"
module adder import two_pkg::*; #(parameter way_e Way = B) (
  input logic clk, input one_pkg::byte_t a, output one_pkg::byte_t c, input way_e way, output x);
  assign x = way;
  always_ff @(posedge clk) c <= Way == A ? a : a + `STEP;
endmodule
"""


@pytest.mark.slow
def test_systemverilog_with_packages_is_read_with_its_parameters(tmp_path: Path) -> None:
    there = tmp_path / "there"
    commit = repository(
        there,
        rtl__pkg_DOT_sv=PACKAGES,
        rtl__adder_DOT_sv=TYPED,
        inc__step_DOT_svh="`define STEP two_pkg::TWO\n",
        other="not asked for",
    )
    peer = replace(
        adder(commit),
        files=("rtl/pkg.sv", "rtl/adder.sv"),
        slang=("-DSYNTHESIS", "-I", "+inc"),
        generics=("Way=two_pkg::A",),
        tied=(("way", "two_pkg::B"), ("x", "")),
    )
    (tmp_path / "made").mkdir()
    files = peers.sources(peer, there, tmp_path / "made")
    assert not (tmp_path / "made/source/other").exists()
    design = Design(files=tuple(files), top=peers.TOP, ports=peer.ports, clock="clk")
    found = measure_fpga(design, peers.FPGA, place=False)
    assert (found.luts, found.flip_flops) == (0, 8)


def test_a_tool_that_does_not_end_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vhdl, "TIME_LIMIT_S", 0.1)
    with pytest.raises(ConfigError, match=r"sleep: not done after 0\.1 s"):
        vhdl.run_tool(tmp_path, ["sleep", "10"], "")


@pytest.mark.ghdl
def test_vhdl_becomes_verilog_with_its_generics_and_the_value_of_other_cases(
    tmp_path: Path,
) -> None:
    """GHDL 2.0 leaves the value of other cases out of its Verilog; SAT shows that it is there."""
    there = tmp_path / "there"
    commit = repository(there, toy_DOT_vhd=VHDL)
    (tmp_path / "made").mkdir()
    ports = (
        ("clk", "input", 1), ("a", "input", 5),
        ("odd", "output", 1), ("code", "output", 8), ("side", "output", 8),
    )  # fmt: skip
    peer = replace(
        adder(commit), files=("toy.vhd",), module="toy", generics=("width=5",), ports=ports, tied=()
    )
    files = peers.sources(peer, there, tmp_path / "made")
    expected = tmp_path / "expected.sv"
    expected.write_text(
        "module expected(input clk, input [4:0] a, output reg odd, output [7:0] code, side);\n"
        "  assign code = a[1:0] == 0 ? 8'h12 : a[1:0] == 1 ? 8'h34 : 8'h56;\n"
        "  assign side = a[2:1] == 0 ? 8'hff : {3'b101, a};\n"
        "  always @(posedge clk) odd <= ^a;\nendmodule\n"
    )
    log = run_yosys(
        [
            *(f"read_verilog -sv {file}" for file in (*files, expected)),
            "proc",
            "check -assert",
            "flatten",
            f"miter -equiv -flatten -make_outputs {peers.TOP} expected miter",
            "hierarchy -top miter",
            "sat -verify -prove trigger 0 -set-init-zero -seq 2 miter",
        ],
        time_limit_s=60,
    )
    assert "no model found: SUCCESS" in log


def test_a_choice_by_comparisons_of_one_net_is_one_by_that_net() -> None:
    text = (
        "  assign n1 = s == 2'b11;\n  assign n2 = s == 2'b10;\n  assign n3 = {{n1, n2}};\n"
        "    case (n3)\n      2'b10: y <= a;\n      2'b01: y <= b;\n{}      default: y <= c;\n"
    )
    made = vhdl.with_selectors(text.format(""))
    assert "case (s)\n      2'b11: y <= a;\n      2'b10: y <= b;\n" in made
    both = text.format("      2'b11: y <= d;\n")
    assert vhdl.with_selectors(both) == both


def test_a_shift_that_ghdl_writes_wrongly_is_an_error() -> None:
    with pytest.raises(ConfigError, match="shift"):
        vhdl.with_defaults("assign n1 = $signed(a) >> k;", "")


def test_a_value_that_ghdl_does_not_give_is_an_error() -> None:
    case = "    case (n1_o)\n      2'b10: n2_o <= a;\n      2'b01: n2_o <= b;\n    endcase\n"
    with pytest.raises(ConfigError, match="n2_o"):
        vhdl.with_defaults(case, "")
    with pytest.raises(ConfigError, match="not understood"):
        vhdl.with_defaults("  case (x)\n  endcase\n", "")


@pytest.mark.slow
@pytest.mark.nextpnr
def test_a_peer_that_is_not_placed_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "there"
    peer = adder(repository(there, rtl__adder_DOT_v=VERILOG))
    monkeypatch.setattr(peers, "CELLS", "ge")
    found = peers.measured(replace(peer, no_clock="it has none"), there, seeds=1)
    assert found["flip_flops"] == 8
    assert found["area_ge"] is None
    monkeypatch.setattr(peers, "LUTS_OF_FPGA", -1)
    found = peers.measured(peer, there, seeds=1)
    assert found["area_ge"] > 8
    assert "fmax_mhz" not in found
    monkeypatch.setitem(peers.PEERS, "adder", peer)
    record = {"commit": peer.commit, "command": "none", "found": found}
    assert "does not fit" in "\n".join(peers.table({"adder": record}))


def test_every_peer_that_is_kept_is_one_of_those_named() -> None:
    known = peers.kept()
    assert known.keys() <= peers.PEERS.keys()
    for name, record in known.items():
        assert record["commit"] == peers.PEERS[name].commit
    text = "\n".join(peers.table(known))
    assert all(name in text for name in known)


def test_a_peer_that_is_not_mapped_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "PEERS", {"adder": replace(adder("0" * 40), not_mapped="too long")})
    lines = list(peers.table({}, ("ours", 0.25)))
    assert any("`ours` with `key_sizes=128` gives 0.250 Mbit/s per LUT" in line for line in lines)
    assert any("| not mapped | 128 | 16 | - |" in line for line in lines)
    assert any(line.endswith("Not in it: GCM. No figures: too long.") for line in lines)
