# SPDX-License-Identifier: Apache-2.0
"""Buffer trees across modules: each sink still hears its net, no net has more than its share."""

from collections.abc import Iterator

import pytest
from small_cells import CAP, library_text

from gcmforge.netlist.liberty import parse_liberty_text
from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Bit, Cell, Module, Netlist, Port
from gcmforge.synth.fanout import FAN_OUT, buffered

BUFFER_CAP = 0.005
BUFFER = f"""cell (BUF) {{ area : 3;
pin (A) {{ direction : input; capacitance : {BUFFER_CAP}; }}
pin (Y) {{ direction : output; function : "A"; }} }}
"""
FLOPS, COPIES = 30, 12


@pytest.fixture(scope="module")
def library() -> Library:
    return parse_liberty_text(library_text().rstrip().removesuffix("}") + BUFFER + "}\n")


def netlist() -> Netlist:
    """A flip-flop's output to an input of COPIES modules, each with FLOPS gates and flip-flops."""
    clk, en, data = 2, 3, 4
    cells = {}
    for i in range(FLOPS):
        gate, state = 10 + 2 * i, 11 + 2 * i
        cells[f"g{i}"] = Cell(type="NAND2", connections={"A": (en,), "B": (data,), "Y": (gate,)})
        cells[f"q{i}"] = Cell(type="DFF", connections={"CK": (clk,), "D": (gate,), "Q": (state,)})
    inner = Module(
        name="inner",
        ports={
            "clk": Port(direction="input", bits=(clk,)),
            "en": Port(direction="input", bits=(en,)),
            "data": Port(direction="input", bits=(data,)),
            "q": Port(direction="output", bits=(11,)),
        },
        cells=cells,
        net_names={clk: "clk", en: "en", data: "data"}
        | {10 + 2 * i: f"gate{i}" for i in range(FLOPS)},
    )
    copies = {
        f"u{i}": Cell(
            type="inner",
            connections={"clk": (2,), "en": (4,), "data": (3,), "q": (20 + i,)},
        )
        for i in range(COPIES)
    }
    top = Module(
        name="top",
        ports={
            "clk": Port(direction="input", bits=(2,)),
            "data": Port(direction="input", bits=(3,)),
            "q": Port(direction="output", bits=tuple(range(20, 20 + COPIES))),
        },
        cells={
            "enable": Cell(type="DFF", connections={"CK": (2,), "D": (3,), "Q": (4,)}),
            **copies,
        },
        net_names={2: "clk", 3: "data", 4: "enable"},
    )
    return Netlist(modules={"inner": inner, "top": top}, top="top")


def sinks(module: Module, library: Library) -> Iterator[tuple[str, str, Bit, float]]:
    for instance, cell in module.cells.items():
        for pin in library.cells[cell.type].inputs:
            yield instance, pin.name, cell.connections[pin.name][0], pin.capacitance


def test_each_sink_hears_what_it_heard(library):
    before, after = netlist().flatten(), buffered(netlist(), library).flatten()
    through = {
        cell.connections["Y"][0]: cell.connections["A"][0]
        for cell in after.cells.values()
        if cell.type == "BUF"
    }

    def root(bit: Bit) -> str:
        while bit in through:
            bit = through[bit]
        return after.net_name(bit)

    found = {(i, p): root(bit) for i, p, bit, _ in sinks(after, library)}
    for instance, pin, bit, _ in sinks(before, library):
        assert found[instance, pin] == before.net_name(bit)


def test_no_net_has_more_than_its_share(library):
    after = buffered(netlist(), library).flatten()
    load: dict[str, float] = {}
    for _, pin, bit, cap in sinks(after, library):
        if pin != "CK":
            load[after.net_name(bit)] = load.get(after.net_name(bit), 0.0) + cap
    # The thirty gates inside are more than a share, and so is each input of a copy without a tree.
    assert FLOPS * CAP["NAND2"] > FAN_OUT * BUFFER_CAP
    for name, pf in load.items():
        assert pf <= FAN_OUT * BUFFER_CAP * 1.0001, name


def test_clocks_get_no_buffer(library):
    after = buffered(netlist(), library).flatten()
    clocks = {cell.connections["CK"][0] for cell in after.cells.values() if cell.type == "DFF"}
    assert {after.net_name(bit) for bit in clocks} == {"clk"}


def test_buffers_are_counted(library):
    after = buffered(netlist(), library)
    # Inside, a buffer for four of the thirty gates on either input; outside one for each copy (the
    # first copy's on data has the flip-flop, too), and two for these.
    assert after.counts["BUF"] == COPIES * 2 * 8 + 2 * (COPIES + 2)
    assert after.counts["NAND2"] == FLOPS * COPIES


def test_without_a_buffer_nothing_changes():
    plain = parse_liberty_text(library_text())
    asked = netlist()
    assert buffered(asked, plain) is asked


def test_a_cell_that_drives_more_than_it_may_gets_a_tree(library):
    """Within a module, where nets of other cells are ABC's to buffer."""
    gates = {
        f"g{i}": Cell(type="NAND2", connections={"A": (3,), "B": (4,), "Y": (10 + i,)})
        for i in range(200)
    }
    flop = {"q": Cell(type="DFF", connections={"CK": (2,), "D": (4,), "Q": (3,)})}
    ports = {
        "clk": Port(direction="input", bits=(2,)),
        "d": Port(direction="input", bits=(4,)),
        "y": Port(direction="output", bits=tuple(range(10, 210))),
    }
    module = Module(name="one", ports=ports, cells=flop | gates, net_names={3: "q"})
    asked = Netlist(modules={"one": module}, top="one")

    def load(asked: Netlist, library: Library) -> float:
        flat = asked.flatten()
        return sum(pf for *_, bit, pf in sinks(flat, library) if flat.net_name(bit) == "q")

    text = library_text().rstrip().removesuffix("}") + BUFFER + "}\n"
    limited = parse_liberty_text(text.replace("pin (Q) {", "pin (Q) { max_capacitance : 0.2;"))
    assert limited.cells["DFF"].pins["Q"].max_capacitance == 0.2
    whole = load(asked, limited)
    assert whole > 0.2
    assert load(buffered(asked, library), library) == whole  # no limit is told
    assert load(buffered(asked, limited), limited) <= 0.2
    # Nor does a port's net of two gates get any where buffers tell what they may drive.
    pair = Module(name="pair", ports=ports, cells=dict(list(gates.items())[:2]), net_names={})
    below = Cell(type="pair", connections={"clk": (2,), "d": (4,), "y": tuple(range(10, 210))})
    both = Module(name="both", ports=ports, cells={"u": below}, net_names={})
    small = Netlist(modules={"pair": pair, "both": both}, top="both")
    told = parse_liberty_text(
        text.replace(
            "pin (Y) { direction : output;", "pin (Y) { max_capacitance : 0.5; direction : output;"
        )
    )
    assert told.cells["BUF"].outputs[0].max_capacitance == 0.5
    assert buffered(small, told).counts["BUF"] == 0
    roomy = parse_liberty_text(text.replace("pin (Q) {", "pin (Q) { max_capacitance : 20;"))
    assert load(buffered(asked, roomy), roomy) == whole
