# SPDX-License-Identifier: Apache-2.0
"""Buffers for loads that slow a path down without being on it, stronger cells and shorter ways for
what is: the design stays what it was."""

from collections import Counter
from dataclasses import replace

import pytest
from small_cells import arc_text, delay_ns, library_text, slew_ns, table

from gcmforge.measure import find_target, library_of, synthesise
from gcmforge.netlist.liberty import parse_liberty_text
from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Bit, Cell, Module, Netlist, Port
from gcmforge.sta.timing import analyse
from gcmforge.synth import repair
from gcmforge.synth.repair import FEW, repaired

CHAIN, READERS = 12, 20
BUFFER = (
    "cell (BUF) { area : 3; pin (A) { direction : input; capacitance : 0.005; }\n"
    f'pin (Y) {{ direction : output; function : "A";\n'
    f"{arc_text('INV', 'A', 'combinational', 'positive_unate')} }} }}\n"
)


def with_cells(*more: str) -> Library:
    """The small library and these cells."""
    return parse_liberty_text("".join([library_text().rstrip().removesuffix("}"), *more, "}\n"]))


@pytest.fixture(scope="module")
def library() -> Library:
    return with_cells(BUFFER)


def with_a_near_one(plain: Netlist) -> Netlist:
    """Next to the chain one that is five inverters shorter: in time, but not after a buffer."""
    part = plain.modules["part"]
    more = {
        f"n{i}": Cell(type="INV", connections={"A": (70 + i if i else 4,), "Y": (71 + i,)})
        for i in range(CHAIN - 5)
    }
    end = Cell(type="DFF", connections={"CK": (2,), "D": (70 + CHAIN - 5,), "Q": (90,)})
    changed = replace(part, cells={**part.cells, **more, "near": end})
    return Netlist(modules={**plain.modules, "part": changed}, top=plain.top)


def netlist(copies: int = 1) -> Netlist:
    """A register drives CHAIN inverters up to the next register, and READERS registers with it,
    which lie in a module of their own; all of it in a module that the top has `copies` times."""
    gates = {
        f"g{i}": Cell(type="NAND2", connections={"A": (3,), "B": (3,), "Y": (10 + i,)})
        for i in range(READERS)
    }
    registers = {
        f"r{i}": Cell(type="DFF", connections={"CK": (2,), "D": (10 + i,), "Q": (40 + i,)})
        for i in range(READERS)
    }
    side = Module(
        name="side",
        ports={
            "clk": Port(direction="input", bits=(2,)),
            "a": Port(direction="input", bits=(3,)),
        },
        cells=gates | registers,
        net_names={},
    )
    chain = {
        f"i{i}": Cell(type="INV", connections={"A": (4 + i,), "Y": (5 + i,)}) for i in range(CHAIN)
    }
    part = Module(
        name="part",
        ports={
            "clk": Port(direction="input", bits=(2,)),
            "d": Port(direction="input", bits=(3,)),
            "q": Port(direction="output", bits=(60,)),
        },
        cells={
            "first": Cell(type="DFF", connections={"CK": (2,), "D": (3,), "Q": (4,)}),
            **chain,
            "last": Cell(type="DFF", connections={"CK": (2,), "D": (4 + CHAIN,), "Q": (60,)}),
            "side": Cell(type="side", connections={"clk": (2,), "a": (4,)}),
        },
        net_names={4: "start"},
    )
    top = Module(
        name="top",
        ports={
            "clk": Port(direction="input", bits=(2,)),
            "d": Port(direction="input", bits=(3,)),
            "q": Port(direction="output", bits=tuple(range(10, 10 + copies))),
        },
        cells={
            f"u{i}": Cell(type="part", connections={"clk": (2,), "d": (3,), "q": (10 + i,)})
            for i in range(copies)
        },
        net_names={},
    )
    return Netlist(modules={"side": side, "part": part, "top": top}, top="top")


def without_buffers(module: Module, buffers: set[str]) -> dict[str, tuple[str, tuple[Bit, ...]]]:
    """Cells but for buffers: type, and the nets of its pins as they were before these."""
    through = {
        cell.connections["Y"][0]: cell.connections["A"][0]
        for cell in module.cells.values()
        if cell.type in buffers
    }

    def root(bit: Bit) -> Bit:
        while bit in through:
            bit = through[bit]
        return bit

    def nets(cell: Cell) -> tuple[Bit, ...]:
        return tuple(root(b) for pin in sorted(cell.connections) for b in cell.connections[pin])

    cells = module.cells.items()
    return {name: (cell.type, nets(cell)) for name, cell in cells if cell.type not in buffers}


def shape(cells: dict[str, tuple[str, tuple[Bit, ...]]]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """The same with each net named by the pins that it joins: numbers do not matter."""
    pins: dict[Bit, list[str]] = {}
    for name, (_, bits) in sorted(cells.items()):
        for place, bit in enumerate(bits):
            pins.setdefault(bit, []).append(f"{name}/{place}")
    return {
        name: (kind, tuple(bit if isinstance(bit, str) else pins[bit][0] for bit in bits))
        for name, (kind, bits) in cells.items()
    }


def test_the_slowest_path_loses_what_it_does_not_need(library):
    before, after = netlist(), repaired(netlist(), library)
    slow, fast = (analyse(one, library).critical_path_ns for one in (before, after))
    assert fast < 0.8 * slow
    assert 1 <= after.counts["BUF"] <= 3
    assert after.counts - Counter(BUF=after.counts["BUF"]) == before.counts


def test_a_reader_that_cannot_wait_stays_where_it_was(library):
    after = repaired(with_a_near_one(netlist()), library, passes=1).flatten()
    near, side = (
        after.net_name(after.cells[name].connections["A"][0]) for name in ("u0.n0", "u0.side.g0")
    )
    assert near == "u0.start"
    assert side != "u0.start"


def test_behind_a_buffer_everyone_hears_what_it_heard(library):
    before, after = netlist().flatten(), repaired(netlist(), library).flatten()
    assert shape(without_buffers(after, {"BUF"})) == shape(without_buffers(before, {"BUF"}))


def test_nothing_is_done_for_a_clock_that_is_met(library):
    asked = netlist()
    met = analyse(asked, library).critical_path_ns
    assert repaired(asked, library, clock_ns=met) is asked
    assert repaired(asked, library, clock_ns=0.99 * met) is not asked


def test_a_module_of_many_instances_is_left(library):
    few, many = netlist(FEW), netlist(FEW + 1)
    assert repaired(few, library).counts["BUF"] >= FEW
    assert repaired(many, library) is many


def test_without_a_buffer_nothing_changes():
    plain = parse_liberty_text(library_text())
    asked = netlist()
    assert repaired(asked, plain) is asked


def inverter(name: str, capacitance: float, part: float = 0.25) -> str:
    """An inverter that loses this part of what the plain one loses to its load."""
    tables = "".join(
        table(f"cell_{edge}", "delay", lambda s, c, r=rise: delay_ns("INV", r, s, part * c))
        + table(f"{edge}_transition", "delay", lambda s, c: slew_ns(s, part * c))
        for edge, rise in (("rise", True), ("fall", False))
    )
    arc = f'related_pin : "A"; timing_type : combinational; timing_sense : negative_unate; {tables}'
    return (
        f"cell ({name}) {{ area : 5; pin (A) {{ direction : input; "
        f"capacitance : {capacitance}; }}\n"
        f'pin (Y) {{ direction : output; function : "!A"; timing () {{ {arc} }} }} }}\n'
    )


def chain(first: list[str], readers: int = 0, heavy: int = 1) -> Netlist:
    """A register drives these cells one after another, then three inverters, the later two of them
    `heavy` times, and these a register. After `first` there are `readers` registers, too."""
    kinds = [*first, "INV", "INV", "INV"]
    cells = {
        f"c{i}_{copy}": Cell(type=kind, connections={"A": (4 + i,), "Y": (5 + i + 100 * copy,)})
        for i, kind in enumerate(kinds)
        for copy in range(heavy if i > len(first) else 1)
    }
    ends = {
        f"r{i}": Cell(type="DFF", connections={"CK": (2,), "D": (4 + len(first),), "Q": (50 + i,)})
        for i in range(readers)
    }
    start = Cell(type="DFF", connections={"CK": (2,), "D": (3,), "Q": (4,)})
    last = Cell(type="DFF", connections={"CK": (2,), "D": (4 + len(kinds),), "Q": (40,)})
    module = Module(
        name="top",
        ports={
            "clk": Port(direction="input", bits=(2,)),
            "d": Port(direction="input", bits=(3,)),
            "q": Port(direction="output", bits=(40,)),
        },
        cells={"start": start, **cells, **ends, "last": last},
        net_names={4: "start"},
    )
    return Netlist(modules={"top": module}, top="top")


def test_a_stronger_cell_comes_where_it_gains_more_than_its_input_costs():
    strong = with_cells(BUFFER, inverter("STRONG", 0.012))
    before = chain([], heavy=6)
    after = repaired(before, strong)
    slow, fast = (analyse(one, strong).critical_path_ns for one in (before, after))
    assert fast < 0.95 * slow
    changed = {name for name, cell in after.flatten().cells.items() if cell.type == "STRONG"}
    assert "c0_0" in changed
    same = {
        name: replace(cell, type="INV") if cell.type == "STRONG" else cell
        for name, cell in after.flatten().cells.items()
    }
    assert shape(without_buffers(replace(after.flatten(), cells=same), {"BUF"})) == shape(
        without_buffers(before.flatten(), {"BUF"})
    )


def test_no_cell_is_taken_that_costs_more_than_it_gains():
    cells = with_cells(BUFFER, inverter("STRONG", 0.012), inverter("HEAVY", 0.2, part=0.05))
    found = repaired(chain([], heavy=6), cells).counts
    assert found["STRONG"] > 0
    assert found["HEAVY"] == 0


def test_a_cell_that_is_not_to_be_used_is_not():
    strong = with_cells(BUFFER, inverter("STRONG", 0.012))
    asked = chain([], heavy=6)
    assert repaired(asked, strong).counts["STRONG"] > 0
    assert repaired(asked, strong, dont_use=["STR*"]).counts["STRONG"] == 0


def test_a_reader_that_cannot_wait_for_a_buffer_moves_before_it(library, monkeypatch):
    monkeypatch.setattr(repair, "TRIALS", ((0.08, ("move",)),))
    before = chain(["BUF", "BUF", "BUF"], readers=8)
    after = repaired(before, library)
    slow, fast = (analyse(one, library).critical_path_ns for one in (before, after))
    assert fast < slow
    earlier, later = before.modules["top"].cells, after.modules["top"].cells
    assert later["c3_0"].connections["A"] != earlier["c3_0"].connections["A"]
    assert after.counts == before.counts
    assert shape(without_buffers(after.flatten(), {"BUF"})) == shape(
        without_buffers(before.flatten(), {"BUF"})
    )


PAIR = """
module reader (input clk, input e, input [31:0] d, output reg [31:0] q);
  always @(posedge clk) q <= e ? d : ~d;
endmodule
module pair (input clk, input a, input [63:0] d, output [63:0] q, output reg [31:0] sum);
  reg e;
  always @(posedge clk) begin
    e <= a;
    if (e) sum <= sum + d[31:0] * 3;
  end
  reader u_low (.clk(clk), .e(e), .d(d[31:0]), .q(q[31:0]));
  reader u_high (.clk(clk), .e(e), .d(d[63:32]), .q(q[63:32]));
endmodule
"""


@pytest.mark.slow
@pytest.mark.osu018
def test_effort_high_repairs_and_others_do_not():
    target = find_target("osu018")
    library = library_of(target)
    usual, high = (
        synthesise(PAIR, target, top="pair", goal="balanced", effort=effort, clock_ns=0.01)
        for effort in ("normal", "high")
    )
    put_in = [
        [name for name in one.netlist.flatten().cells if "apart_" in name] for one in (usual, high)
    ]
    assert put_in[1] and not put_in[0]
    slow, fast = (
        analyse(
            one.netlist, library, driving_cell=target.driving_cell, load_ff=target.load_ff
        ).critical_path_ns
        for one in (usual, high)
    )
    assert fast < slow
    areas = {name: block.area_ge for name, block in high.by_block.items()}
    assert sum(areas.values()) == pytest.approx(high.area_ge)
