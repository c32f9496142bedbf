# SPDX-License-Identifier: Apache-2.0
"""The event kernel against a slow simulator written here, and against cells by hand."""

import heapq
import itertools
import random
from collections import Counter

import numpy as np
import pytest
from small_cells import (
    FUNCTIONS,
    PINS,
    library_text,
    netlist,
    random_netlist,
    small_library,
)

from gcmforge.netlist.liberty import parse_liberty_text
from gcmforge.netlist.netlist import Netlist, NetlistError
from gcmforge.power.design import EventDesign
from gcmforge.power.events import simulate
from gcmforge.power.stimuli import all_transitions, as_patterns, port_patterns, random_patterns
from gcmforge.sta.bound import bind
from gcmforge.sta.graph import TimingGraph


def design_of(design: Netlist, load_ff: float = 0.0) -> EventDesign:
    return EventDesign(TimingGraph(bind(design, small_library()), load_ff=load_ff))


@pytest.mark.parametrize("count", [2, 3, 16, 256])
def test_every_ordered_pair_follows_one_another_once(count: int) -> None:
    circuit = all_transitions(count)
    pairs = list(itertools.pairwise(circuit))
    assert len(pairs) == len(set(pairs)) == count * (count - 1)
    assert all(a != b for a, b in pairs)
    assert circuit[0] == circuit[-1] == 0


class SlowSimulator:
    """A heap of (time, gate). A gate's output takes, when an event is due, the value its function
    then has; an event comes after the shortest delay of the inputs that just changed."""

    def __init__(self, design: EventDesign) -> None:
        top = design.bound.module
        number = design.bound.net_of_bit
        self.gates = []
        delays = {}
        for gate in range(design.gate_count):
            first, last = design.first[gate], design.first[gate + 1]
            delays[design.bound.instance(int(design.gate_cell[gate]))] = [
                (int(design.pin_delay[2 * p]), int(design.pin_delay[2 * p + 1]))
                for p in range(first, last)
            ]
        for name, cell in top.cells.items():
            pins = [number[cell.connections[p][0]] for p in PINS[cell.type]]
            out = number[cell.connections["Y"][0]]
            self.gates.append((FUNCTIONS[cell.type][1], pins, out, delays[name]))
        self.value = [0] * design.bound.net_count
        self.inputs = design.input_net.tolist()
        self.toggles: Counter[tuple[int, int]] = Counter()
        self.latest = 0

    def settle(self, pattern: list[int]) -> None:
        for net, bit in zip(self.inputs, pattern, strict=True):
            self.value[net] = bit
        for _ in self.gates:  # as many rounds as there are gates are always enough
            for function, pins, out, _ in self.gates:
                self.value[out] = function(*(self.value[p] for p in pins))
        self.wanted = [f(*(self.value[p] for p in pins)) for f, pins, _, _ in self.gates]

    def step(self, pattern: list[int]) -> None:
        queue: list[tuple[int, int]] = []
        changed = set()
        for net, bit in zip(self.inputs, pattern, strict=True):
            if self.value[net] != bit:
                self.change(net, bit, changed)
        now = 0
        self.react(now, changed, queue)
        while queue:
            now = queue[0][0]
            changed = set()
            while queue and queue[0][0] == now:
                gate = heapq.heappop(queue)[1]
                if self.value[self.gates[gate][2]] != self.wanted[gate]:
                    self.change(self.gates[gate][2], self.wanted[gate], changed)
                    self.latest = max(self.latest, now)
            self.react(now, changed, queue)

    def change(self, net: int, bit: int, changed: set[int]) -> None:
        self.value[net] = bit
        self.toggles[net, bit] += 1
        changed.add(net)

    def react(self, now: int, changed: set[int], queue: list[tuple[int, int]]) -> None:
        for gate, (function, pins, _, delays) in enumerate(self.gates):
            if changed.isdisjoint(pins):
                continue
            bit = function(*(self.value[p] for p in pins))
            if bit != self.wanted[gate]:
                self.wanted[gate] = bit
                delay = min(d[bit] for p, d in zip(pins, delays, strict=True) if p in changed)
                heapq.heappush(queue, (now + delay, gate))


@pytest.mark.parametrize("seed", range(12))
def test_random_netlists_toggle_as_in_the_slow_simulator(seed: int) -> None:
    module = random_netlist(seed, inputs=6, gates=20 + 10 * seed)
    design = design_of(module, load_ff=3.0)
    patterns = random_patterns(60, design.input_count, seed)
    slow = SlowSimulator(design)
    slow.settle(patterns[0].tolist())
    for row in patterns[1:].tolist():
        slow.step(row)
    activity = simulate(design, patterns)
    for net, edge in itertools.product(range(design.bound.net_count), (0, 1)):
        assert activity.toggles[net, edge] == slow.toggles[net, edge], (net, edge)
    assert activity.settled_ps.max() == slow.latest
    assert activity.toggles.sum() > activity.functional.sum()  # there are glitches


def pulse_maker(inverters: int) -> Netlist:
    """a NAND (a through inverters): a low pulse when a rises, as long as the inverters take."""
    cells: dict[str, tuple[str, dict[str, int | str]]] = {}
    for n in range(inverters):
        cells[f"i{n}"] = ("INV", {"A": 1 + n, "Y": 2 + n})
    end = 1 + inverters
    cells["u_nand"] = ("NAND2", {"A": 1, "B": end, "Y": end + 1})
    return netlist({"a": 1}, {"y": end + 1}, cells)


@pytest.mark.parametrize(("inverters", "load_ff", "passes"), [(1, 50.0, False), (9, 0.0, True)])
def test_a_pulse_shorter_than_the_delay_vanishes(
    inverters: int, load_ff: float, passes: bool
) -> None:
    design = design_of(pulse_maker(inverters), load_ff)
    net = design.bound.net_names.index("y")
    activity = simulate(design, as_patterns([0, 1], 1))
    assert activity.toggles[net].tolist() == ([1, 1] if passes else [0, 0])
    assert activity.functional[net] == 0


def test_flip_flops_take_what_was_there_before_the_clock() -> None:
    """A shift register of three, with an XOR that reads its ends."""
    module = netlist(
        {"ck": 1, "d": 2},
        {"y": 6},
        {
            "f0": ("DFF", {"CK": 1, "D": 2, "Q": 3}),
            "f1": ("DFF", {"CK": 1, "D": 3, "Q": 4}),
            "f2": ("DFF", {"CK": 1, "D": 4, "Q": 5}),
            "x": ("XOR2", {"A": 3, "B": 5, "Y": 6}),
        },
    )
    design = design_of(module)
    assert design.input_names == ["d"]
    chance = random.Random(1)
    bits = [chance.randrange(2) for _ in range(200)]
    activity = simulate(design, as_patterns(bits, 1), warm_up=0)
    state, history = (0, 0, 0), []
    for before in bits[:-1]:
        state = (before, *state[:2])
        history.append(state)
    for name, index in (("w3", 0), ("w4", 1), ("w5", 2)):
        expected = sum(a[index] != b[index] for a, b in itertools.pairwise([(0, 0, 0), *history]))
        assert activity.functional[design.bound.net_names.index(name)] == expected
    ends = [a ^ c for a, _, c in [(0, 0, 0), *history]]
    expected = sum(a != b for a, b in itertools.pairwise(ends))
    assert activity.functional[design.bound.net_names.index("y")] == expected


def test_warm_up_steps_are_run_but_not_counted() -> None:
    module = random_netlist(3)
    design = design_of(module)
    patterns = random_patterns(40, design.input_count, 1)
    whole, head = simulate(design, patterns), simulate(design, patterns[:16])
    tail = simulate(design, patterns, warm_up=15)
    np.testing.assert_array_equal(whole.toggles, head.toggles + tail.toggles)
    assert tail.steps == 25


def test_long_runs_report_progress_and_are_the_sum_of_their_steps() -> None:
    module = random_netlist(4)
    design = design_of(module)
    seen: list[tuple[int, int]] = []
    patterns = random_patterns(5000, design.input_count, 2)
    activity = simulate(design, patterns, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (5000, 5000)
    assert len(seen) > 1
    assert (activity.energy_pj >= activity.peak_pj).all()


def test_patterns_of_another_width_are_refused() -> None:
    design = design_of(random_netlist(1))
    with pytest.raises(ValueError, match="columns are"):
        simulate(design, random_patterns(3, design.input_count + 1, 1))


def test_values_of_ports_become_patterns() -> None:
    module = netlist(
        {"a": 1, "b": 2, "c": 3},
        {"y": 5},
        {"u": ("NAND2", {"A": 1, "B": 2, "Y": 4}), "v": ("XOR2", {"A": 4, "B": 3, "Y": 5})},
    )
    design = design_of(module)
    patterns = port_patterns(design, {"c": [1, 0, 1], "a": [0, 1, 1]})
    column = design.input_names.index
    assert patterns[:, column("a")].tolist() == [0, 1, 1]
    assert patterns[:, column("b")].tolist() == [0, 0, 0]
    assert patterns[:, column("c")].tolist() == [1, 0, 1]
    for wrong in ({"y": [1]}, {"a": [1, 0], "b": [1]}):
        with pytest.raises(ValueError, match="port"):
            port_patterns(design, wrong)


def test_an_output_without_a_function_is_refused() -> None:
    text = library_text().replace('function : "A ^ B";', "")
    module = netlist({"a": 1}, {"y": 2}, {"u_x": ("XOR2", {"A": 1, "B": 1, "Y": 2})})
    graph = TimingGraph(bind(module, parse_liberty_text(text)))
    with pytest.raises(NetlistError, match="u_x is a XOR2, whose output Y has no function"):
        EventDesign(graph)


def test_an_open_input_is_refused() -> None:
    module = netlist({"a": 1}, {"y": 2}, {"u_open": ("NAND2", {"A": 1, "Y": 2})})
    with pytest.raises(NetlistError, match="u_open"):
        design_of(module)
