# SPDX-License-Identifier: Apache-2.0
"""Built-in static timing, against results by hand and against a search over all paths."""

import mapped_leaves as mapped
import numpy as np
import pytest
from small_cells import (
    CAP,
    PINS,
    SENSE,
    delay_ns,
    netlist,
    random_netlist,
    setup_ns,
    slew_ns,
    small_library,
)

from gcmforge.netlist.netlist import Netlist, NetlistError
from gcmforge.sta.bound import TableStack, bind
from gcmforge.sta.graph import TimingGraph
from gcmforge.sta.timing import analyse

LOAD_FF = 5.0


def chain() -> Netlist:
    """a -> INV -> NAND2 with b -> y"""
    return netlist(
        {"a": 1, "b": 2},
        {"y": 4},
        {"u_inv": ("INV", {"A": 1, "Y": 3}), "u_nand": ("NAND2", {"A": 3, "B": 2, "Y": 4})},
    )


def registers(clock_edge: str = "DFF") -> Netlist:
    """Two flip-flops with an inverter between them; both on ck."""
    return netlist(
        {"ck": 1, "d": 2},
        {"q": 5},
        {
            "u_first": ("DFF", {"CK": 1, "D": 2, "Q": 3}),
            "u_inv": ("INV", {"A": 3, "Y": 4}),
            "u_second": (clock_edge, {"CK": 1, "D": 4, "Q": 5}),
        },
    )


def test_a_chain_takes_what_its_cells_take_at_their_loads_and_transitions() -> None:
    timing = analyse(chain(), small_library(), load_ff=LOAD_FF)
    middle, end = CAP["NAND2"], LOAD_FF / 1000
    ways = []
    for rises in (False, True):  # what the inverter's output does; the gate inverts again
        at = delay_ns("INV", rises, 0.0, middle)
        ways.append(at + delay_ns("NAND2", not rises, slew_ns(0.0, middle), end))
    assert timing.critical_path_ns == pytest.approx(max(ways), rel=1e-12)
    assert (timing.start, timing.end) == ("input a", "output y")
    assert [(s.instance, s.from_pin, s.to_pin) for s in timing.path] == [
        ("u_inv", "A", "Y"),
        ("u_nand", "A", "Y"),
    ]
    assert {timing.path[0].edge, timing.path[1].edge} == {"rise", "fall"}
    assert timing.path[0].load_pf == pytest.approx(middle)
    assert timing.path[-1].arrival_ns == timing.critical_path_ns
    assert sum(step.delay_ns for step in timing.path) == pytest.approx(timing.critical_path_ns)
    assert timing.fmax_mhz == pytest.approx(1000 / timing.critical_path_ns)
    assert timing.slack_ns is None
    assert set(timing.groups) == {"input to output"}


def test_a_driving_cell_is_late_by_what_its_load_costs_and_shapes_the_edge() -> None:
    wire = netlist({"a": 1}, {"y": 2}, {"u": ("INV", {"A": 1, "Y": 2})})
    timing = analyse(wire, small_library(), driving_cell="INV", load_ff=LOAD_FF)
    late = 2 * CAP["INV"]
    slew = slew_ns(0.0, CAP["INV"])
    worst = max(delay_ns("INV", rises, slew, LOAD_FF / 1000) for rises in (False, True))
    assert timing.critical_path_ns == pytest.approx(late + worst)


def test_paths_between_registers_pay_launch_and_setup() -> None:
    clock_slew = 0.2
    timing = analyse(registers(), small_library(), clock_slew_ns=clock_slew, load_ff=LOAD_FF)
    ways = []
    for rises in (False, True):
        launch = delay_ns("DFF", rises, clock_slew, CAP["INV"])
        slew = slew_ns(clock_slew, CAP["INV"])
        way = launch + delay_ns("INV", not rises, slew, CAP["DFF"])
        ways.append(way + setup_ns(clock_slew, slew_ns(slew, CAP["DFF"])))
    assert timing.groups["register to register"] == pytest.approx(max(ways))
    assert timing.critical_path_ns == pytest.approx(max(ways))
    assert timing.setup_ns > 0
    assert timing.start == "w3 (u_first/CK)"
    assert timing.end == "q (u_second/D)"
    assert timing.groups["input to register"] == pytest.approx(setup_ns(clock_slew, 0.0))
    launch = max(delay_ns("DFF", r, clock_slew, LOAD_FF / 1000) for r in (False, True))
    assert timing.groups["register to output"] == pytest.approx(launch)


def test_a_clock_that_cannot_be_met_shows_as_negative_slack() -> None:
    library = small_library()
    needed = analyse(registers(), library).critical_path_ns
    for clock in (needed / 2, needed * 2):
        timing = analyse(registers(), library, clock_ns=clock)
        assert timing.clock_ns == clock
        assert timing.slack_ns == pytest.approx(clock - needed)
        assert timing.critical_path_ns == needed
    with pytest.raises(ValueError, match="clock_ns=0"):
        analyse(registers(), library, clock_ns=0)


def test_constants_start_no_path() -> None:
    tied = netlist(
        {"a": 1},
        {"y": 3, "z": 4},
        {
            "u_tied": ("XOR2", {"A": "0", "B": "1", "Y": 2}),
            "u_gate": ("NAND2", {"A": 1, "B": 2, "Y": 3}),
            "u_more": ("INV", {"A": 2, "Y": 4}),
        },
    )
    timing = analyse(tied, small_library())
    assert [step.instance for step in timing.path] == ["u_gate"]
    assert timing.end == "output y"


def test_nothing_passes_a_gate_that_tied_inputs_hold_still() -> None:
    """u_tied is 1 whatever a is, through two gates; u_same lets a pass, inverted and not."""
    tied = netlist(
        {"a": 1, "b": 2},
        {"y": 5, "z": 6},
        {
            "u_tied": ("NAND2", {"A": 1, "B": "0", "Y": 3}),
            "u_inv": ("INV", {"A": 3, "Y": 4}),
            "u_gate": ("NAND2", {"A": 4, "B": 2, "Y": 5}),
            "u_same": ("XOR2", {"A": 1, "B": 4, "Y": 6}),
        },
    )
    timing = analyse(tied, small_library())
    assert [step.instance for step in timing.path] == ["u_same"]
    graph = TimingGraph(bind(tied, small_library()))
    edges = {(graph.kinds[k].in_edge, graph.kinds[k].out_edge) for k in graph.arcs.kind.tolist()}
    assert edges == {(0, 0), (1, 1)}


def test_a_loop_of_gates_is_refused() -> None:
    loop = netlist(
        {"a": 1},
        {"y": 3},
        {
            "u_in": ("NAND2", {"A": 1, "B": 3, "Y": 2}),
            "u_back": ("INV", {"A": 2, "Y": 3}),
        },
    )
    with pytest.raises(NetlistError, match=r"loop of gates .*u_(in|back)"):
        analyse(loop, small_library())


def test_a_latch_is_refused_by_name() -> None:
    with pytest.raises(NetlistError, match=r"u_latch is a latch \(LAT\)"):
        analyse(
            netlist({"a": 1, "g": 2}, {"q": 3}, {"u_latch": ("LAT", {"D": 1, "G": 2, "Q": 3})}),
            small_library(),
        )


def test_cells_and_pins_that_the_library_lacks_are_refused() -> None:
    unknown = netlist({"a": 1}, {"y": 2}, {"u": ("$_NOT_", {"A": 1, "Y": 2})})
    with pytest.raises(NetlistError, match=r"u is a \$_NOT_, which library small does not have"):
        analyse(unknown, small_library())
    pin = netlist({"a": 1}, {"y": 2}, {"u": ("INV", {"A": 1, "ZN": 2})})
    with pytest.raises(NetlistError, match="INV of small has no pin ZN"):
        analyse(pin, small_library())


def test_both_clock_edges_are_refused() -> None:
    with pytest.raises(NetlistError, match="both clock edges"):
        analyse(registers("DFFN"), small_library())


def test_a_netlist_without_paths_is_refused() -> None:
    with pytest.raises(NetlistError, match="no path"):
        analyse(netlist({"a": 1}, {}, {"u": ("INV", {"A": 1})}), small_library())


def slowest(design: Netlist) -> float:
    """The latest arrival at any output, by recursion from the outputs; loads counted afresh."""
    top = design.modules["top"]
    drivers = {cell.connections["Y"][0]: cell for cell in top.cells.values()}
    loads: dict[object, float] = {}
    for cell in top.cells.values():
        for pin in PINS[cell.type]:
            net = cell.connections[pin][0]
            loads[net] = loads.get(net, 0.0) + CAP[cell.type]
    outputs = [p.bits[0] for p in top.ports.values() if p.direction == "output"]
    for net in outputs:
        loads[net] = loads.get(net, 0.0) + LOAD_FF / 1000
    known: dict[tuple[object, bool], tuple[float, float]] = {}

    def at(net: object, rise: bool) -> tuple[float, float]:
        if net not in drivers:
            return 0.0, 0.0
        if (net, rise) not in known:
            cell = drivers[net]
            load = loads.get(net, 0.0)
            edges = (not rise,) if SENSE[cell.type] == "negative_unate" else (True, False)
            before = [at(cell.connections[p][0], e) for p in PINS[cell.type] for e in edges]
            known[net, rise] = (
                max(t + delay_ns(cell.type, rise, s, load) for t, s in before),
                max(slew_ns(s, load) for _, s in before),
            )
        return known[net, rise]

    return max(at(net, rise)[0] for net in outputs for rise in (True, False))


@pytest.mark.parametrize("seed", range(20))
def test_random_netlists_are_as_slow_as_the_search_says(seed: int) -> None:
    design = random_netlist(seed, gates=10 + 15 * seed)
    timing = analyse(design, small_library(), load_ff=LOAD_FF)
    assert timing.critical_path_ns == pytest.approx(slowest(design), rel=1e-12)
    for before, after in zip(timing.path, timing.path[1:], strict=False):
        assert before.arrival_ns + after.delay_ns == pytest.approx(after.arrival_ns)


@pytest.mark.osu018
def test_values_that_are_looked_up_one_by_one_are_those_of_all_together():
    """On points of the axes, between and beyond them; to the last bit."""
    stack = TableStack()
    pins = (pin for cell in mapped.library().cells.values() for pin in cell.outputs)
    tables = [arc.cell_rise for pin in pins for arc in pin.timing if arc.cell_rise is not None]
    numbers = np.array([stack.add(table) for table in tables for _ in range(20)])
    random = np.random.default_rng(5)
    x, y = random.uniform(-0.1, 2.0, (2, numbers.size))
    x[::7] = [stack._tables[n].first[1] for n in numbers[::7]]
    y[::5] = [stack._tables[n].second[-1] for n in numbers[::5]]
    whole = stack.look_up(numbers, x, y)
    parts = [
        stack.look_up(numbers[i : i + 3], x[i : i + 3], y[i : i + 3]) for i in range(0, 900, 3)
    ]
    assert (np.concatenate(parts) == whole[:900]).all()
