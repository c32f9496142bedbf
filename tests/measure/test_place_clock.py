# SPDX-License-Identifier: Apache-2.0
"""A placed clock: its tree, when it reaches flip-flops, and what that does to paths and power."""

from collections import Counter
from dataclasses import replace
from math import log

import mapped_leaves as mapped
import numpy as np
import pytest
from small_cells import (
    CAP,
    VOLTAGE,
    arc_text,
    delay_ns,
    library_text,
    netlist,
    setup_ns,
    slew_ns,
)
from test_place_wires import METAL, by_chance

from gcmforge.netlist.liberty import parse_liberty_text
from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Cell, Module, NetlistError, Port
from gcmforge.netlist.targets import Target, find_target, library_of
from gcmforge.place.clock_tree import PREFIX, _forms, with_clock_tree
from gcmforge.place.placed import PlacedDesign, place_design
from gcmforge.place.wires import wires_of
from gcmforge.power.power import event_design
from gcmforge.sta.bound import bind
from gcmforge.sta.graph import TimingGraph
from gcmforge.sta.wires import Clocked

BUFFER = (
    "cell (BUF) { area : 2; pin (A) { direction : input; capacitance : 0.01; }\n"
    f'pin (Y) {{ direction : output; function : "A";\n'
    f"{arc_text('INV', 'A', 'combinational', 'positive_unate')} }} }}\n"
)
TARGET = Target(name="small", kind="asic", nand2="NAND2", nand2_area=2.0)


def library() -> Library:
    """The small one with a buffer that is as slow as its inverter."""
    text = library_text().rstrip()
    return parse_liberty_text(text.removesuffix("}") + BUFFER + "}\n", "small.lib")


def flip_flops(count: int) -> Module:
    """As many with one clock, each between a port and a port."""
    ports = {"clk": Port(direction="input", bits=(0,))}
    ports["d"] = Port(direction="input", bits=tuple(range(1, 1 + count)))
    ports["q"] = Port(direction="output", bits=tuple(range(1 + count, 1 + 2 * count)))
    cells = {
        f"f{n}": Cell(type="DFF", connections={"CK": (0,), "D": (1 + n,), "Q": (1 + count + n,)})
        for n in range(count)
    }
    return Module(name="top", ports=ports, cells=cells, net_names={})


def treed(module: Module, side: float = 400.0):
    bound = bind(module, library())
    planted = with_clock_tree(
        module, TARGET, library(), by_chance(bound, side), METAL, period_ns=2.0
    )
    return planted.module, planted.placement


@pytest.mark.parametrize("count", [1, 9, 100, 333])
def test_each_flip_flop_has_as_many_buffers_before_it_and_nearly_the_same_load(count):
    module, placement = treed(flip_flops(count))
    driver = {
        cell.connections["Y"][0]: name for name, cell in module.cells.items() if cell.type == "BUF"
    }
    depths, drives = Counter(), Counter()
    for cell in module.cells.values():
        if cell.type == "DFF":
            (bit,), depth = cell.connections["CK"], 0
            drives[driver[bit]] += 1
            while bit != 0:
                (bit,), depth = module.cells[driver[bit]].connections["A"], depth + 1
            depths[depth] += 1
    assert len(depths) == 1 and depths.total() == count
    assert max(drives.values()) - min(drives.values()) <= 1
    assert set(module.cells) == set(placement.cells)
    assert all(name.startswith(PREFIX) for name in driver.values())


def test_buffers_for_clocks_are_tried_and_none_that_is_made_for_delay():
    text = library_text().rstrip().removesuffix("}")
    names = ("buf_1", "clkbuf_1", "clkdlybuf4_1", "dlygate_1")
    text += "".join(BUFFER.replace("(BUF)", f"({name})") for name in names) + "}\n"
    target = replace(TARGET, dont_use=("clk*", "dlygate*"))
    forms = _forms(target, parse_liberty_text(text, "small.lib"), gated=False)
    assert {form.cell.name for form in forms} == {"buf_1", "clkbuf_1"}


def test_a_design_without_a_clock_gets_no_tree():
    module = netlist({"a": 1}, {"y": 2}, {"g": ("INV", {"A": 1, "Y": 2})}).flatten()
    assert treed(module)[0] is module


def test_a_clock_that_nothing_brings_is_an_error():
    made = netlist(
        {"a": 1, "clk": 2}, {"y": 5},
        {
            "b": ("BUF", {"A": 2, "Y": 3}), "g": ("INV", {"A": 1, "Y": 4}),
            "f": ("DFF", {"CK": 3, "D": 1, "Q": 6}), "h": ("DFF", {"CK": 4, "D": 6, "Q": 5}),
        },
    )  # fmt: skip
    bound = bind(made, library())
    with pytest.raises(NetlistError, match="net w4 clocks something, and no clock of the ports"):
        wires_of(bound, by_chance(bound, 100.0), METAL)


PAIR = {
    "b": ("BUF", {"A": 1, "Y": 2}),
    "f": ("DFF", {"CK": 2, "D": 3, "Q": 4}),
    "g": ("DFF", {"CK": 2, "D": 4, "Q": 5}),
}
SPOTS = {"b": (200.0, 0.0), "f": (200.0, 100.0), "g": (500.0, 0.0)}
FAR = {("clk", 0): (0.0, 0.0), ("d", 0): (200.0, 100.0), ("q", 0): (500.0, 0.0)}


def pair():
    """One buffer, and a flip-flop before a flip-flop that the clock reaches later."""
    bound = bind(netlist({"clk": 1, "d": 3}, {"q": 5}, PAIR), library())
    placement = replace(by_chance(bound, 500.0), cells=SPOTS, ports=FAR)
    return bound, wires_of(bound, placement, METAL)


def late(um: float, beyond: float) -> float:
    """Elmore's delay of a wire to so much capacitance."""
    return um * 0.003 * (um * 0.0002 / 2 + beyond)


def test_the_clock_of_two_flip_flops_is_as_late_as_by_hand():
    _, wires = pair()
    wire = late(200, CAP["INV"])
    slew = log(4) * wire  # of a step at the port
    load = 400 * 0.0002 + 2 * CAP["DFF"]
    through = wire + delay_ns("INV", True, slew, load)
    ends = [through + late(100, CAP["DFF"]), through + late(300, CAP["DFF"])]
    clock = wires.clock
    assert clock is not None
    assert clock.latency_ns == pytest.approx(sum(ends) / 2)
    assert clock.skew_ns == pytest.approx(ends[1] - ends[0])
    after = np.hypot(slew_ns(slew, load), log(4) * late(300, CAP["DFF"]))
    assert clock.transition_ns == pytest.approx(after)
    assert clock.pins["DFF"].late.tolist() == pytest.approx([e - sum(ends) / 2 for e in ends])


def test_a_path_begins_and_ends_with_the_clock_of_its_own_two_flip_flops():
    bound, wires = pair()
    clock = wires.clock.pins["DFF"]
    between = wires.wires.delay["DFF", "D"][1]
    load = CAP["DFF"] + wires.wires.capacitance[bound.net_of_bit[4]]
    (early, later), (slew, other) = clock.late.tolist(), clock.slew.tolist()
    for rise in (True, False):
        at = slew_ns(slew, load)
        at = float(np.hypot(at, log(4) * between))
        length = early + delay_ns("DFF", rise, slew, load) + between + setup_ns(other, at) - later
        graph = TimingGraph(bound, wires=wires.wires)
        assert graph.timing().groups["register to register"] >= length - 1e-12
        if not rise:  # its slower edge
            found = graph.timing().groups["register to register"]
            assert found == pytest.approx(length)
    # Were they clocked the other way round, it would be longer by twice the difference.
    turned = {"DFF": Clocked(clock.late[::-1].copy(), clock.slew)}
    graph = TimingGraph(bound, wires=replace(wires.wires, clocks=turned))
    longer = graph.timing().groups["register to register"] - found
    assert longer == pytest.approx(2 * (later - early))


def test_clock_energy_has_the_wires_and_the_buffers_of_the_tree():
    bound, wires = pair()
    design = event_design(bound, bound.library, wires=wires.wires)
    farads = CAP["INV"] + 2 * CAP["DFF"] + (200 + 400) * 0.0002
    inside = design.clock_pin_energy()
    assert design.clock_energy() - inside == pytest.approx(farads * VOLTAGE**2)
    assert inside > 0.05  # both edges of the buffer, RISE_ENERGY and FALL_ENERGY at least
    assert design.gate_count == 0 and design.flop_count == 2


def test_wires_raise_the_energy_of_data_by_their_capacitance():
    bound, wires = pair()
    ideal = event_design(bound, bound.library)
    wired = event_design(bound, bound.library, wires=wires.wires)
    more = wired.switching_energy - ideal.switching_energy
    node = 2 * bound.net_of_bit[4]
    assert more[node] == pytest.approx(400 * 0.0002 * VOLTAGE**2 / 2)
    assert more[2 * bound.net_of_bit[2]] == 0  # the clock's is told by the cycle


@pytest.fixture(scope="module")
def placed() -> PlacedDesign:
    target = find_target("osu018")
    return place_design(mapped.mapped_pipelined_sbox(), target, library_of(target), utilisation=0.5)


@pytest.mark.osu018
@pytest.mark.coloquinte
@pytest.mark.opensta
def test_opensta_takes_the_clock_through_the_tree_and_finds_nearly_the_same_path(placed):
    """Its report has the latency of one flip-flop; the built-in mean is near it."""
    clock = placed.wires.clock
    assert 0 < clock.skew_ns < clock.latency_ns and clock.transition_ns > 0
    found = placed.by_opensta()
    assert "clock network delay (propagated)" in found.report
    assert placed.timing.critical_path_ns == pytest.approx(found.critical_path_ns, rel=0.01)
    ideal = replace(placed.wires.wires, clocks={})
    without = TimingGraph(
        placed.bound, driving_cell=placed.target.driving_cell, load_ff=placed.target.load_ff,
        wires=ideal,
    )  # fmt: skip
    assert without.critical_path_ns() != placed.timing.critical_path_ns


@pytest.mark.osu018
@pytest.mark.coloquinte
def test_buffers_of_the_tree_stand_in_rows_of_their_own_and_their_wires_are_in_the_spef(placed):
    from gcmforge.place.spef import write_spef

    names = [name for name in placed.bound.module.cells if name.startswith(PREFIX)]
    assert names and set(names) <= set(placed.placement.cells)
    spots = [placed.placement.cells[name] for name in names]
    assert len(set(spots)) == len(spots)
    text = "".join(write_spef(placed.bound, placed.wires))
    assert all(name in text for name in names)
    nets = placed.wires.wires.capacitance[placed.bound.clock_nets]
    assert (nets > 0).all()


GATE = (
    'cell (GATE) { area : 4; clock_gating_integrated_cell : "latch_posedge";\n'
    "pin (EN) { direction : input; capacitance : 0.01; clock_gate_enable_pin : true; }\n"
    "pin (CK) { direction : input; capacitance : 0.01; clock : true;\n"
    " clock_gate_clock_pin : true; }\n"
    "pin (G) { direction : output; clock_gate_out_pin : true; } }\n"
)


@pytest.mark.slow
@pytest.mark.parametrize("gates", [1, 3])
@pytest.mark.parametrize(("gated", "plain"), [(5, 15), (20, 0), (40, 200), (900, 100)])
def test_a_clock_gate_takes_the_place_of_a_buffer(gated, plain, gates):
    """So all flip-flops have as many cells before them, with a gate or without. Gates are as many
    as it takes, whatever mapping had, and all have the enable."""
    text = library_text().rstrip().removesuffix("}") + BUFFER + GATE + "}\n"
    cells_of = parse_liberty_text(text, "gated.lib")
    cells = {
        f"f{n}": ("DFF", {"CK": 5 + n % gates if n < gated else 1, "D": 4, "Q": 10 + n})
        for n in range(gated + plain)
    }
    for n in range(gates):
        cells[f"g{n}"] = ("GATE", {"CK": 1, "EN": 3, "G": 5 + n})
    module = netlist({"clk": 1, "e": 3, "d": 4}, {"q": 10}, cells).flatten()
    placement = by_chance(bind(module, cells_of), 300.0)
    planted = with_clock_tree(module, TARGET, cells_of, placement, METAL, period_ns=2.0)
    assert set(planted.placement.cells) == set(planted.module.cells)
    found = planted.module.cells
    driver = {c.connections["Y"]: name for name, c in found.items() if c.type == "BUF"}
    own = {name for name, c in found.items() if c.type == "GATE"}
    driver |= {found[name].connections["G"]: name for name in own}
    assert all(
        found[name].connections["EN"] == module.cells["g0"].connections["EN"] for name in own
    )
    clock, ways = module.ports["clk"].bits, {}
    for n in range(gated + plain):
        bit, way = found[f"f{n}"].connections["CK"], []
        while bit != clock:
            way.append(driver[bit])
            bit = found[way[-1]].connections["CK" if way[-1] in own else "A"]
        ways[n] = way
    assert len({len(way) for way in ways.values()}) == 1
    levels = {[one in own for one in way].index(True) for n, way in ways.items() if n < gated}
    assert levels in ({0}, {1})
    assert not any(own & set(way) for n, way in ways.items() if n >= gated)
    each = Counter(way[one] for n, way in ways.items() for one in levels if n < gated)
    assert set(each) == own and max(each.values()) <= (32 if levels == {0} else 256)
    bound = bind(planted.module, cells_of)
    assert bound.clock_nets.size == len(set(driver)) + 1
    wires = wires_of(bound, planted.placement, METAL)
    assert wires.clock is not None and set(wires.clock.pins) == {"BUF", "DFF", "GATE"}
