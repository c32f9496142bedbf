# SPDX-License-Identifier: Apache-2.0
"""Timing with the wires of a placement: by hand, and against OpenSTA, which reads them as SPEF."""

from dataclasses import replace
from math import hypot, log
from pathlib import Path

import mapped_leaves as mapped
import numpy as np
import pytest
from small_cells import CAP, delay_ns, netlist, random_netlist, slew_ns, small_library

from gcmforge.netlist.netlist import Netlist
from gcmforge.place.cells import Placement, Rows, place_cells
from gcmforge.place.spef import write_spef
from gcmforge.place.wires import Metal, PlacedWires, wires_of
from gcmforge.sta.bound import Bound, bind
from gcmforge.sta.graph import TimingGraph
from gcmforge.sta.opensta import analyse_with_opensta

METAL = Metal(ff_per_um=0.2, ohm_per_um=3.0)


def by_chance(bound: Bound, side: float, seed: int = 1) -> Placement:
    """Cells anywhere in a square."""
    random = np.random.default_rng(seed)
    module = bound.module
    bits = [(name, n) for name, port in module.ports.items() for n in range(len(port.bits))]
    spots = (side * random.random((len(module.cells) + len(bits), 2))).tolist()
    names = [*module.cells, *bits]
    found = {name: (x, y) for name, (x, y) in zip(names, spots, strict=True)}
    return Placement(
        width=side, height=side, utilisation=0.5,
        cells={name: found[name] for name in module.cells},
        ports={bit: found[bit] for bit in bits},
    )  # fmt: skip


@pytest.mark.parametrize("of_step", [log(4), log(9)])
def test_two_inverters_are_as_slow_as_by_hand(of_step):
    """Transitions are from 20 % to 80 %, or from 10 % to 90 % as in asap7."""
    library = replace(small_library(), slew_of_step=of_step)
    two = netlist(
        {"a": 1}, {"y": 3}, {"g": ("INV", {"A": 1, "Y": 2}), "h": ("INV", {"A": 2, "Y": 3})}
    )
    bound = bind(two, library)
    placement = Placement(
        width=1000, height=1000, utilisation=0.5,
        cells={"g": (100.0, 0.0), "h": (100.0, 400.0)},
        ports={("a", 0): (0.0, 0.0), ("y", 0): (700.0, 400.0)},
    )  # fmt: skip
    load = 0.05
    wires = wires_of(bound, placement, METAL, output_load_pf=load)
    found = TimingGraph(bound, load_ff=1000 * load, wires=wires.wires).timing()

    def late(um: float, pin: float) -> float:
        return um * 0.003 * (um * 0.0002 / 2 + pin)

    first, second, third = late(100, CAP["INV"]), late(400, CAP["INV"]), late(600, load)
    loads = CAP["INV"] + 400 * 0.0002, load + 600 * 0.0002

    def through(rise: bool) -> float:
        """Of the output's edge; the input is a step that the wire makes slower."""
        slew = of_step * first
        one = delay_ns("INV", not rise, slew, loads[0])
        slew = hypot(slew_ns(slew, loads[0]), of_step * second)
        return first + one + second + delay_ns("INV", rise, slew, loads[1]) + third

    assert wires.length.sum() == pytest.approx(1100)
    assert found.critical_path_ns == pytest.approx(max(through(True), through(False)))


def test_wires_of_no_length_are_ideal():
    bound = bind(random_netlist(5), small_library())
    spots = dict.fromkeys(bound.module.cells, (1.0, 1.0))
    ports = {(name, 0): (1.0, 1.0) for name in bound.module.ports}
    placement = Placement(width=2, height=2, utilisation=0.5, cells=spots, ports=ports)
    wires = wires_of(bound, placement, METAL).wires
    assert TimingGraph(bound, wires=wires).timing() == TimingGraph(bound).timing()


def test_constant_and_repeated_outputs_are_placed_too():
    one = netlist({"a": 1}, {"x": 2, "y": 2, "z": "1"}, {"g": ("INV", {"A": 1, "Y": 2})})
    bound = bind(one, small_library())
    wires = wires_of(bound, by_chance(bound, 100.0), METAL)
    assert wires.wires.outputs.shape == (2,)
    assert TimingGraph(bound, wires=wires.wires).critical_path_ns() > 0


def spef_of(bound: Bound, wires: PlacedWires, folder: Path) -> Path:
    path = folder / "wires.spef"
    path.write_text("".join(write_spef(bound, wires)))
    return path


def test_spef_has_every_net_its_whole_wire_and_every_pin():
    bound = bind(random_netlist(6), small_library())
    wires = wires_of(bound, by_chance(bound, 500.0), METAL)
    text = "".join(write_spef(bound, wires))
    nets = [line.split() for line in text.splitlines() if line.startswith("*D_NET")]
    assert sum(float(words[2]) for words in nets) == pytest.approx(0.2 * wires.length.sum())
    pins = sum(len(group.names) * len(group.pins) for group in bound.groups)
    assert text.count("*I ") + text.count("*P ") <= pins + len(bound.module.ports)
    assert text.count("*END") == len(nets)


NETLISTS = {
    "sbox": lambda: mapped.mapped_sbox("boyar_peralta", next(iter(mapped.SCRIPTS))),
    "pipelined sbox": mapped.mapped_pipelined_sbox,
}


@pytest.mark.osu018
@pytest.mark.opensta
@pytest.mark.parametrize(("ohm_per_um", "agreement"), [(0.27, 0.01), (1.0, 0.02)])
@pytest.mark.parametrize("name", NETLISTS)
def test_opensta_with_the_same_wires_finds_nearly_the_same_path(
    name, ohm_per_um, agreement, tmp_path
):
    netlist: Netlist = NETLISTS[name]()
    library = mapped.library()
    bound = bind(netlist, library)
    placement = by_chance(bound, 120.0)
    metal = Metal(ff_per_um=0.12, ohm_per_um=ohm_per_um)
    wires = wires_of(bound, placement, metal, output_load_pf=mapped.LOAD_FF / 1000)
    ideal = TimingGraph(bound, driving_cell=mapped.DRIVER, load_ff=mapped.LOAD_FF)
    ours = TimingGraph(
        bound, driving_cell=mapped.DRIVER, load_ff=mapped.LOAD_FF, wires=wires.wires
    ).critical_path_ns()
    theirs = analyse_with_opensta(
        netlist, library, driving_cell=mapped.DRIVER, load_ff=mapped.LOAD_FF,
        spef=spef_of(bound, wires, tmp_path),
    )  # fmt: skip
    print(f"ideal {ideal.critical_path_ns():.4f}, ours {ours:.4f}, {theirs.critical_path_ns:.4f}")
    assert ours > 1.1 * ideal.critical_path_ns()
    assert ours == pytest.approx(theirs.critical_path_ns, rel=agreement)


@pytest.mark.osu018
@pytest.mark.coloquinte
def test_placed_wires_are_shorter_than_those_of_cells_anywhere():
    module = NETLISTS["sbox"]().flatten()
    bound = bind(module, mapped.library())
    rows = Rows(height_um=10, site_um=0.8)
    widths = {cell.name: cell.area / 10 for cell in mapped.library().cells.values()}
    placement = place_cells(module, widths, rows, utilisation=0.7)
    placed = wires_of(bound, placement, METAL).length.sum()
    anywhere = wires_of(bound, by_chance(bound, placement.width), METAL).length.sum()
    assert placed < 0.6 * anywhere
