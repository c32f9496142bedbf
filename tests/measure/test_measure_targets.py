# SPDX-License-Identifier: Apache-2.0
"""Targets: the built-in library's figures, what is found where, what is said when it is not."""

import gzip
import re
from pathlib import Path

import numpy as np
import pytest

from gcmforge.circuit.cost import GE, GE_DFF
from gcmforge.netlist import libraries
from gcmforge.netlist.ge_library import DRIVING_CELL, GATES, liberty_text
from gcmforge.netlist.liberty import parse_liberty_text
from gcmforge.netlist.targets import (
    TargetError,
    find_target,
    liberty_target,
    library_of,
    target_names,
    targets,
)
from gcmforge.sta.bound import TableStack

# design.md and Mozaffari 2012: GE and delay in T_A.
GE_TABLE = {
    "NAND2": (1, 1), "NOR2": (1, 1), "AND2": (1.25, 1), "OR2": (1.25, 1),
    "XOR2": (2.25, 1.99), "XNOR2": (2.25, 1.99), "MUX2": (2, 1.99), "INV": (0.75, 0),
}  # fmt: skip


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Only tmp_path is looked into, through the environment variable."""
    monkeypatch.setenv("GCMFORGE_PDK", str(tmp_path))
    monkeypatch.setattr(libraries, "QFLOW_TECH", tmp_path / "none")
    monkeypatch.setattr(libraries, "_PLACES", ())
    return tmp_path


@pytest.mark.parametrize("cell", GE_TABLE)
def test_ge_cell_has_the_area_and_delay_of_the_table(cell: str) -> None:
    area, delay = GE_TABLE[cell]
    found = parse_liberty_text(liberty_text()).cells[cell]
    assert found.area == area
    for arc in found.outputs[0].timing:
        assert arc.cell_rise is not None and arc.cell_fall is not None
        assert (arc.cell_rise.values == delay).all()
        assert (arc.cell_fall.values == delay).all()


def test_ge_flip_flop_costs_area_and_no_time() -> None:
    cell = parse_liberty_text(liberty_text()).cells["DFF"]
    assert cell.area == GE_DFF == 5.5
    assert cell.flip_flop is not None and cell.flip_flop.clock == "CK"
    launch = cell.pins["Q"].timing[0].cell_rise
    assert launch is not None and (launch.values == 0).all()


def test_ge_gates_cost_what_circuits_are_counted_with() -> None:
    assert {gate.name: gate.area_ge for gate in GATES if gate.count == 1} == {
        gate.name: GE[gate.op] for gate in GATES if gate.count == 1
    }


def test_ge_target_counts_in_nand2() -> None:
    target = find_target("ge")
    assert (target.nand2, target.nand2_area, target.has_units) == ("NAND2", 1.0, False)
    assert target.liberty[0].read_text() == liberty_text()


def test_every_target_is_listed_with_how_to_get_it() -> None:
    listed = {known.name: known for known in targets()}
    assert tuple(listed) == target_names()
    assert all(known.found or known.install for known in listed.values())


@pytest.mark.parametrize(
    ("name", "install"),
    [
        ("osu018", "apt-get install qflow-tech-osu018"),
        ("sky130", "ciel enable --pdk sky130"),
        ("nangate45", "platforms/nangate45"),
    ],
)
def test_target_that_is_not_there_says_what_to_install(
    nothing_installed: Path, name: str, install: str
) -> None:
    with pytest.raises(TargetError, match="GCMFORGE_PDK") as caught:
        find_target(name)
    assert install in str(caught.value)


def test_unknown_target_names_its_neighbours() -> None:
    with pytest.raises(TargetError, match="did you mean osu018"):
        find_target("osu18")


def test_library_is_found_through_the_environment_gzipped_or_not(nothing_installed: Path) -> None:
    folder = nothing_installed / "platforms/nangate45/lib"
    folder.mkdir(parents=True)
    packed = folder / "NangateOpenCellLibrary_typical.lib.gz"
    packed.write_bytes(gzip.compress(liberty_text().encode()))
    with pytest.raises(TargetError, match=r"has no cell BUF_X2 to drive inputs"):
        find_target("nangate45")
    with_driver = liberty_text().replace(f"cell({DRIVING_CELL})", "cell(BUF_X2)")
    packed.write_bytes(gzip.compress(with_driver.encode()))
    target = find_target("nangate45")
    assert target.liberty == (packed,)
    assert (target.nand2, target.driving_cell) == ("NAND2", "BUF_X2")


def test_version_changes_with_the_files_contents(tmp_path: Path) -> None:
    file = tmp_path / "a.lib"
    file.write_text(liberty_text())
    before = liberty_target([file])
    file.write_text(liberty_text().replace("area : 2.25", "area : 2.5"))
    assert liberty_target([file]).version != before.version
    assert before.name == "a"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("this is no Liberty file", "."),
        ("library(x) { cell(", "."),
        (liberty_text().replace("!(A&B)", "!(A&A)"), "no two-input NAND"),
        (liberty_text().replace("ff(IQ, IQN)", "nothing(IQ, IQN)"), "no flip-flop"),
    ],
)
def test_bad_liberty_file_is_refused_with_the_reason(
    tmp_path: Path, text: str, reason: str
) -> None:
    file = tmp_path / "bad.lib"
    file.write_text(text)
    with pytest.raises(TargetError, match=reason) as caught:
        liberty_target([file])
    assert "bad" in str(caught.value)


def test_missing_liberty_file_is_named() -> None:
    with pytest.raises(TargetError, match=r"nowhere\.lib: there is no such file"):
        liberty_target([Path("nowhere.lib")])


def test_every_library_is_on_the_page_of_measuring_with_its_clock_transition() -> None:
    page = (Path(__file__).parents[2] / "docs/how-to/measure.md").read_text()
    names = page.partition("## Targets")[2].partition("\n\n*")[0]
    rows = page.partition("| target | transition, ns |\n")[2].partition("\n\n")[0].splitlines()[1:]
    told = {
        name: float(row.split("|")[2])
        for row in rows
        for name in re.findall(r"`([\w-]+)`", row.split("|")[1])
    }
    for name, library in libraries.LIBRARIES.items():
        assert f"`{name}`" in names, f"enter {name} in the table of targets of measure.md"
        plain = name.removesuffix("-gated")
        assert told.get(plain) == library.clock_transition_ns, (
            f"transition of {plain} in measure.md"
        )


def test_fpga_targets_are_declared() -> None:
    assert {known.name for known in targets() if known.kind == "fpga"} == {
        "xc7", "xcup", "xcv4", "xcv5", "xcv6", "xc3s", "ecp5", "ecp5-dense", "ecp5-85",
        "ecp5-85-8", "ecp5-25", "ice40", "ice40-up5k", "nexus", "gowin", "gatemate",
    }  # fmt: skip
    assert find_target("xc7").kind == "fpga"


@pytest.mark.slow
def test_a_clock_transition_is_one_that_a_buffer_keeps_with_eight_flip_flops() -> None:
    """Of every library that is here: not out of reach, and not much longer than the weakest
    buffer needs."""
    checked = []
    for known in targets():
        if known.kind != "asic" or known.name == "ge" or not known.found:
            continue
        target = find_target(known.name)
        library = library_of(target)
        flops = [cell for cell in library.cells.values() if cell.flip_flop]
        smallest = min(flops, key=lambda cell: (cell.area, cell.name))
        load = 8 * next(pin.capacitance for pin in smallest.inputs if pin.clock)
        found = []
        for cell in library.cells.values():
            if "buf" in cell.name.lower() and len(cell.inputs) == 1 and cell.outputs[0].timing:
                slews = TableStack()
                number = slews.add(cell.outputs[0].timing[0].rise_transition)
                at = np.full(1, target.clock_transition_ns)
                found.append(slews.look_up(np.full(1, number), at, np.full(1, load))[0])
        assert min(found) < target.clock_transition_ns < 1.2 * max(found), known.name
        checked.append(known.name)
    if not checked:
        pytest.skip("no library of cells is here")
