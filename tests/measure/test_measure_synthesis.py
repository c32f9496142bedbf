# SPDX-License-Identifier: Apache-2.0
"""Mapping of leaves and small designs: right function, kept structure, clear refusals."""

import random
import tempfile
from functools import cache
from pathlib import Path

import pytest
from evaluated import columns, evaluate, rows

import gcmforge
from gcmforge.circuit import cost
from gcmforge.config import CoreConfig
from gcmforge.emit import build_core
from gcmforge.leaf import Leaf, leaf_text, mix_columns, multiplier, sbox
from gcmforge.netlist.netlist import NetlistError
from gcmforge.netlist.targets import (
    Target,
    TargetError,
    find_target,
    liberty_target,
    library_of,
)
from gcmforge.sta.timing import analyse
from gcmforge.synth.block_names import BLOCKS
from gcmforge.synth.mapping import Mapper
from gcmforge.synth.scripts import LARGE_GATES, SCRIPTS
from gcmforge.synth.synthesis import Synthesis, SynthesisError, synthesise
from gcmforge.synth.yosys import YosysError

pytestmark = pytest.mark.slow

SMALL_LEAVES = [
    *(sbox(variant) for variant in ("boyar_peralta", "mozaffari_2012", "table")),
    *(mix_columns(variant) for variant in ("small", "depth3", "depth4")),
]


def target(name: str) -> Target:
    try:
        return find_target(name)
    except TargetError as error:
        pytest.skip(str(error))


@cache
def mapped(leaf_name: str, target_name: str, **options: str) -> Synthesis:
    return synthesise(leaf_text(leaf(leaf_name)), target(target_name), **options)  # type: ignore[arg-type]


def leaf(name: str) -> Leaf:
    return next(leaf for leaf in SMALL_LEAVES if leaf.name == name)


def check_function(found: Synthesis, wanted: Leaf, inputs: dict[str, list[int]]) -> None:
    """The mapped gates, by the library's own functions, compute what the leaf is specified to."""
    ports = {bus.name: bus.width for bus in wanted.circuit.inputs}
    patterns = len(next(iter(inputs.values())))
    got = evaluate(
        found.netlist.flatten(),
        library_of(found.target),
        {name: columns(values, ports[name]) for name, values in inputs.items()},
        patterns,
    )
    expected = [wanted.spec(*values) for values in zip(*inputs.values(), strict=True)]
    (output,) = got.values()
    assert rows(output, patterns) == expected


@pytest.mark.parametrize("target_name", ["ge", "osu018"])
@pytest.mark.parametrize("name", [leaf.name for leaf in SMALL_LEAVES])
def test_mapped_leaf_computes_its_specification(name: str, target_name: str) -> None:
    wanted = leaf(name)
    (bus,) = wanted.circuit.inputs
    values = list(range(256)) if bus.width == 8 else random.Random(1).choices(range(1 << 32), k=99)
    check_function(mapped(name, target_name), wanted, {bus.name: values})


@pytest.mark.parametrize(
    ("script", "target_name"),
    [("as written", "ge"), *((script, "osu018") for script in SCRIPTS)],
)
def test_every_script_keeps_the_function(script: str, target_name: str) -> None:
    wanted = sbox("mozaffari_2012")
    found = synthesise(leaf_text(wanted), target(target_name), scripts=(script,))
    assert found.modules["aes_sbox"].script == script
    check_function(found, wanted, {"x_i": list(range(256))})


@pytest.mark.parametrize("name", ["keep", "rebuild", "keep, fan-out 4"])
def test_a_large_module_is_buffered_by_ports(name: str) -> None:
    small, large = (SCRIPTS[name].text(sized=True, gates=LARGE_GATES + n) for n in (0, 1))
    assert "buffer -c" in small
    assert large == small.replace("buffer -c", "buffer -p")


def test_script_that_fails_is_told_and_the_others_count() -> None:
    text = leaf_text(mix_columns("small"))
    found = synthesise(text, target("ge"), scripts=("keep", "map area", "amap"))
    assert set(found.modules["aes_mix_column"].tried) == {"keep", "amap"}
    assert any("'map area' gave nothing" in warning for warning in found.warnings)
    with pytest.raises(YosysError, match="aes_mix_column"):
        synthesise(text, target("ge"), scripts=("map area",))


def test_as_written_has_the_gates_and_the_depth_of_the_circuit() -> None:
    for wanted in (sbox("boyar_peralta"), mix_columns("small")):
        found = synthesise(leaf_text(wanted), target("ge"), scripts=("as written",))
        counted = cost(wanted.circuit)
        printed_as_two = 0.75 * counted.xnor  # ~(a ^ b)
        assert found.area_ge == counted.ge + printed_as_two
        assert found.modules[wanted.module].delay_ns == pytest.approx(counted.delay)


@pytest.mark.parametrize("name", [leaf.name for leaf in SMALL_LEAVES if not leaf.as_table])
def test_ge_area_is_not_above_the_circuits_count_by_more_than_two_percent(name: str) -> None:
    assert mapped(name, "ge").area_ge <= 1.02 * cost(leaf(name).circuit).ge


@pytest.mark.parametrize("name", [leaf.name for leaf in SMALL_LEAVES])
def test_osu018_area_is_below_that_of_plain_abc(name: str) -> None:
    plain = synthesise(leaf_text(leaf(name)), target("osu018"), scripts=("plain",))
    assert mapped(name, "osu018").area_ge < plain.area_ge


def test_multiplier_keeps_its_shared_sums() -> None:
    wanted = multiplier("ko4")
    counted = cost(wanted.circuit).ge
    on_ge = synthesise(leaf_text(wanted), target("ge"), effort="quick")
    assert on_ge.area_ge <= 1.02 * counted
    draw = random.Random(4).getrandbits
    operands = {bus: [draw(128) for _ in range(8)] for bus in ("a_i", "b_i")}
    check_function(on_ge, wanted, operands)


def test_goal_delay_gives_a_faster_circuit_than_goal_area() -> None:
    small = mapped("aes_sbox/boyar_peralta", "osu018").modules["aes_sbox"]
    fast = mapped("aes_sbox/boyar_peralta", "osu018", goal="delay").modules["aes_sbox"]
    assert small.delay_ns is not None and fast.delay_ns is not None
    assert fast.delay_ns < small.delay_ns
    assert fast.area_ge > small.area_ge
    assert fast.script in fast.tried


PAIR = """
module toggle (input logic clk, input logic rst, input logic en_i, output logic [3:0] q_o);
  always_ff @(posedge clk)
    if (rst) q_o <= '0;
    else if (en_i) q_o <= q_o + 4'd1;
endmodule
module pair (input logic clk, input logic rst, input logic [1:0] en_i, output logic [7:0] q_o,
             input logic [2:0] addr_i, input logic write_i, output logic [7:0] data_o);
  logic [7:0] mem_q[0:4];
  always_ff @(posedge clk) if (write_i) mem_q[addr_i] <= q_o;
  assign data_o = mem_q[addr_i];
  for (genvar i = 0; i < 2; i++) begin : gen_half
    toggle u_toggle (.clk(clk), .rst(rst), .en_i(en_i[i]), .q_o(q_o[4*i+:4]));
  end
endmodule
"""


@pytest.mark.parametrize("target_name", ["ge", "osu018"])
def test_module_is_mapped_once_and_memory_becomes_flip_flops(target_name: str) -> None:
    found = synthesise(PAIR, target(target_name))
    assert found.modules["toggle"].instances == 2
    assert found.modules["toggle"].flip_flops == 4
    assert found.flip_flops == 2 * 4 + 5 * 8
    assert found.area_ge == pytest.approx(found.modules["pair"].area_ge)
    assert sum(block.area_ge for block in found.by_block.values()) == pytest.approx(found.area_ge)
    cells = library_of(found.target).cells
    assert found.area_um2 == pytest.approx(
        sum(number * cells[kind].area for kind, number in found.netlist.counts.items())
    )


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GCMFORGE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.mark.parametrize("target_name", ["ge", "osu018"])
def test_same_input_gives_the_same_netlist(empty_cache: Path, target_name: str) -> None:
    first = synthesise(PAIR, target(target_name))
    (empty_cache / "mapped").rename(empty_cache / "aside")
    moved = synthesise(f"// elsewhere\n\n{PAIR}", target(target_name))
    assert first.netlist.modules == moved.netlist.modules


def test_what_was_mapped_before_is_not_mapped_again(
    empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = synthesise(PAIR, target("osu018"))
    kept = sorted((empty_cache / "mapped").iterdir())
    assert kept

    def never(*_: object) -> None:
        raise AssertionError("a module was mapped again")

    monkeypatch.setattr(Mapper, "_run", never)
    again = synthesise(f"// elsewhere\n\n{PAIR}", target("osu018"))
    assert first.netlist.modules == again.netlist.modules
    assert first.modules == again.modules
    with pytest.raises(AssertionError, match="mapped again"):
        synthesise(PAIR.replace("4'd1", "4'd3"), target("osu018"))
    with pytest.raises(AssertionError, match="mapped again"):
        synthesise(PAIR, target("osu018"), effort="high")
    with pytest.raises(AssertionError, match="mapped again"):
        synthesise(PAIR, target("osu035"))


@pytest.mark.parametrize(("module", "kept"), [("gf128_fixed", False), ("other", True)])
def test_a_module_that_is_a_key_is_not_kept(empty_cache: Path, module: str, kept: bool) -> None:
    text = f"module {module} (input logic a_i, b_i, output logic c_o);"
    synthesise(f"{text} assign c_o = a_i ^ b_i; endmodule", target("osu018"))
    assert (empty_cache / "mapped").exists() is kept


def test_damaged_file_of_the_cache_is_made_again(empty_cache: Path) -> None:
    first = synthesise(PAIR, target("osu018"))
    kept = sorted((empty_cache / "mapped").iterdir())
    whole = [file.read_bytes() for file in kept]
    for number, file in enumerate(kept):
        file.write_bytes(whole[number][:40] if number % 2 else b"")
    again = synthesise(PAIR, target("osu018"))
    assert first.netlist.modules == again.netlist.modules
    assert [file.read_bytes() for file in kept] == whole


def test_clock_makes_modules_on_the_slowest_path_faster() -> None:
    text = leaf_text(sbox("boyar_peralta"))
    loose = synthesise(text, target("osu018"), clock_ns=100)
    tight = synthesise(text, target("osu018"), clock_ns=0.1)
    assert tight.area_ge > loose.area_ge
    assert loose.modules["aes_sbox"].delay_ns > tight.modules["aes_sbox"].delay_ns  # type: ignore[operator]


LATCH = """
module held (input logic go_i, input logic [1:0] d_i, output logic [1:0] q_o);
  always_latch if (go_i) q_o = d_i;
endmodule
"""
LOOP = """
module ring (input logic a_i, output logic y_o);
  logic x;
  assign x = !(a_i && y_o);
  assign y_o = !(a_i && x);
endmodule
"""


def test_latch_is_refused_by_the_module_it_is_in() -> None:
    with pytest.raises(NetlistError, match="latch in held"):
        synthesise(LATCH, target("ge"))


def test_loop_of_gates_is_refused() -> None:
    with pytest.raises(YosysError, match="check"):
        synthesise(LOOP, target("ge"))


def test_text_that_is_no_systemverilog_is_refused() -> None:
    with pytest.raises(SynthesisError, match="no module"):
        synthesise("hello", target("ge"))
    with pytest.raises(YosysError, match="syntax error"):
        synthesise("module m (input a output b); endmodule", target("ge"))


def test_folder_that_is_no_core_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SynthesisError, match="has no gcm_axis"):
        synthesise(tmp_path, target("ge"))


def test_fpga_target_is_refused() -> None:
    with pytest.raises(SynthesisError, match="xc7 is an FPGA"):
        synthesise(LATCH, find_target("xc7"))


def test_flip_flop_that_the_library_has_not_is_an_unmapped_cell(tmp_path: Path) -> None:
    """Asynchronous set and reset at once, which `ge` has not."""
    text = """
    module both (input logic clk, input logic s, input logic r, input logic d, output logic q);
      always_ff @(posedge clk or posedge s or posedge r)
        if (r) q <= 1'b0; else if (s) q <= 1'b1; else q <= d;
    endmodule
    """
    with pytest.raises((NetlistError, YosysError), match=r"DFFSR|dfflegalize"):
        synthesise(text, target("ge"))


def test_bad_liberty_file_is_refused_before_anything_runs(tmp_path: Path) -> None:
    file = tmp_path / "bad.lib"
    file.write_text("library(bad) { cell(X) { area : ")
    with pytest.raises(TargetError, match="bad"):
        synthesise(PAIR, liberty_target([file]))


def test_balanced_goal_is_worth_its_area() -> None:
    small = mapped("aes_sbox/boyar_peralta", "osu018")
    balanced = mapped("aes_sbox/boyar_peralta", "osu018", goal="balanced")

    def product(found: Synthesis) -> float:
        timing = analyse(
            found.netlist,
            library_of(found.target),
            driving_cell=found.target.driving_cell,
            load_ff=found.target.load_ff,
        )
        return found.area_ge * timing.critical_path_ns

    assert product(balanced) <= product(small)


def test_balanced_goal_pays_for_control_that_is_slow() -> None:
    """A comparison of wide counters among much area: its speed costs next to nothing."""
    text = """
    module wide (input logic clk, input logic [1:0] a_i, output logic [63:0] y_o);
      logic [63:0] mem_q[0:15];
      logic [31:0] one_q, two_q, three_q;
      logic [3:0] at_q;
      always_ff @(posedge clk) begin
        one_q <= one_q + {30'd0, a_i};
        two_q <= two_q + one_q;
        three_q <= one_q + two_q < three_q ? one_q : two_q + three_q;
        at_q <= at_q + 4'd1;
        mem_q[at_q] <= {two_q, three_q};
        y_o <= mem_q[at_q ^ 4'd5];
      end
    endmodule
    """
    area, balanced = (synthesise(text, target("osu018"), goal=g) for g in ("area", "balanced"))
    slow, fast = (one.modules["wide"].delay_ns for one in (area, balanced))
    assert fast < slow  # type: ignore[operator]
    assert balanced.area_ge * fast < area.area_ge * slow  # type: ignore[operator]


def test_cells_are_called_after_what_the_source_calls_their_nets() -> None:
    cells = synthesise(PAIR, target("osu018")).netlist.modules["toggle"].cells
    assert {name for name in cells if name.endswith("_reg")} == {f"q_o[{i}]_reg" for i in range(4)}
    assert not any("$" in name for name in cells)


def test_words_of_a_memory_and_their_addresses_keep_their_names() -> None:
    """Every flip-flop of a FIFO is called after its register; a path starts at one of them."""
    fifo = Path(gcmforge.__file__).parent / "rtl" / "common" / "gcm_fifo.sv"
    found = synthesise(fifo, target("osu018"))
    words = {f"mem_q[{word}][{bit}]_reg" for word in range(4) for bit in range(8)}
    control = {"read_q": 2, "write_q": 2, "count_q": 3}
    pointers = {f"{name}[{bit}]_reg" for name, width in control.items() for bit in range(width)}
    flags = {"full_q_reg", "out_valid_o_reg"}  # a register that is an output is called after that
    cells = found.netlist.modules["gcm_fifo"].cells
    library = library_of(found.target)
    flip_flops = {name for name, cell in cells.items() if library.cell(cell.type).flip_flop}
    assert flip_flops == words | pointers | flags
    timing = analyse(found.netlist, library)
    register, _, pin = timing.start.partition(" (")
    assert f"{register}_reg" in flip_flops
    assert pin == f"{register}_reg/CLK)"


def test_interrupted_run_leaves_no_files_and_no_processes(
    empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path = empty_cache.parent / "work"
    tmp_path.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def interrupt(step: str) -> None:
        if step.startswith("mapped"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        synthesise(PAIR, target("ge"), progress=interrupt)
    assert not list(tmp_path.iterdir())
    marks = [p for p in Path("/proc").glob("[0-9]*/cwd") if str(tmp_path) in _where(p)]
    assert not marks


def _where(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:
        return ""


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Synthesis:
    """The smallest core, on `ge`."""
    folder = tmp_path_factory.mktemp("core") / "core"
    config = CoreConfig(
        contexts=1, key_sizes=(128,), aes="loop", ghash="serial", iv="96", multiplier="ko5"
    )
    build_core(config, folder, prove=False)
    return synthesise(folder, target("ge"), effort="quick")


def test_blocks_of_a_core_add_up_to_it(core: Synthesis) -> None:
    assert tuple(core.by_block) == ("aes", "key schedule", "ghash", "control", "buffers")
    assert set(core.by_block) < set(BLOCKS)
    assert sum(b.area_ge for b in core.by_block.values()) == pytest.approx(core.area_ge)
    assert sum(b.flip_flops for b in core.by_block.values()) == core.flip_flops


def part(name: str, *held: str) -> str:
    """A module of one flip-flop and, in it, one of each of these."""
    wires = "".join(f"logic w{i}; {one} u_{i}(clk, d, w{i}); " for i, one in enumerate(held))
    sum_of = " ^ ".join(["d", *(f"w{i}" for i in range(len(held)))])
    return (
        f"module {name}(input logic clk, input logic d, output logic q); {wires}"
        f"always_ff @(posedge clk) q <= {sum_of}; endmodule\n"
    )


def test_each_feature_of_a_core_is_a_block_with_its_queues_and_memories() -> None:
    parts = {
        "gcm_ram": (), "gcm_fifo": (), "gcm_erase": (), "gcm_timeout": (),
        "gcm_release_verified": ("gcm_fifo", "gcm_ram"), "gcm_iv_counter": ("gcm_fifo", "gcm_ram"),
        "gcm_ghash": ("gcm_ram",), "gcm_tail_dedicated": ("gcm_ram", "gcm_fifo"),
    }  # fmt: skip
    text = "".join(part(name, *held) for name, held in parts.items())
    found = synthesise(text + part("gcm_axis", *parts), target("ge"), effort="quick", leaves=())
    flip_flops = {name: block.flip_flops for name, block in found.by_block.items()}
    assert flip_flops == {
        "ghash": 2, "tail": 2, "verified release": 3, "IV counter": 3, "zeroise": 1,
        "timeout": 1,
        "control": 2, "buffers": 2,
    }  # fmt: skip
    assert found.contexts.flip_flops == 3  # of GHASH, the tail and the IV counter
    assert found.contexts.area_ge == pytest.approx(3 * found.modules["gcm_ram"].area_ge)


def test_leaves_of_a_core_count_for_the_blocks_they_work_in(core: Synthesis) -> None:
    modules, blocks = core.modules, core.by_block
    assert modules["aes_sbox"].instances == 16 + 4  # the round and the key expansion
    assert blocks["aes"].area_ge > 16 * modules["aes_sbox"].area_ge
    assert blocks["ghash"].area_ge > modules["gf128_mul"].area_ge > 20_000
    assert 4 * modules["aes_sbox"].area_ge < blocks["key schedule"].area_ge


def test_leaves_of_a_core_are_not_above_their_circuits_count(core: Synthesis) -> None:
    for wanted in (multiplier("ko5"), sbox("fast"), mix_columns("small")):
        counted = cost(wanted.circuit).ge
        assert core.modules[wanted.module].area_ge <= 1.02 * counted
