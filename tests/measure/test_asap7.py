# SPDX-License-Identifier: Apache-2.0
"""ASAP7: one target out of five Liberty files, timed as OpenSTA times it."""

from pathlib import Path

import pytest

import gcmforge
from gcmforge.netlist.targets import find_target, library_of
from gcmforge.sta.opensta import analyse_with_opensta
from gcmforge.sta.timing import analyse
from gcmforge.synth.synthesis import synthesise

pytestmark = [pytest.mark.asap7, pytest.mark.slow]

FIFO = Path(gcmforge.__file__).parent / "rtl" / "common" / "gcm_fifo.sv"


def test_five_files_are_one_slow_library_that_counts_in_its_smallest_nand2() -> None:
    target = find_target("asap7")
    library = library_of(target)
    assert len(target.liberty) == 5
    assert library.voltage == 0.63
    assert (target.nand2, target.nand2_area) == ("NAND2xp5_ASAP7_75t_R", 0.05832)
    nands = [cell.area for cell in library.cells.values() if cell.name.startswith("NAND2x")]
    assert target.nand2_area == min(nands)
    pin = library.cell(target.nand2).inputs[0]
    assert target.load_ff == pytest.approx(4000 * pin.capacitance, abs=1e-3)
    ge = {name: library.cell(f"{name}_ASAP7_75t_R").area / target.nand2_area
          for name in ("INVx1", "XOR2x2", "DFFHQNx1")}  # fmt: skip
    assert ge == pytest.approx({"INVx1": 0.75, "XOR2x2": 2.75, "DFFHQNx1": 5.0})


def test_leakage_and_energy_of_both_rails_add_up() -> None:
    """XOR2x2 in the file: 3661.36, 3271.78, 3255.29, 2977.68 pW in its states and 3291.53 without
    one, of VDD; 0 of VSS. Its first energy from A while B is high: 0.362434 fJ and 0.216279."""
    cell = library_of(find_target("asap7")).cell("XOR2x2_ASAP7_75t_R")
    assert cell.leakage_nw == pytest.approx(3.291528)
    first = next(p for p in cell.pins["Y"].power if (p.related_pins, p.when) == (("A",), "B"))
    assert first.rise is not None
    assert first.rise.values[0, 0] == pytest.approx((0.362434 + 0.216279) / 1000)


@pytest.mark.yosys
@pytest.mark.opensta
@pytest.mark.parametrize("name", ["asap7", "asap7-gated"])
def test_opensta_reads_the_same_files_and_finds_the_same_path(name: str) -> None:
    target = find_target(name)
    library = library_of(target)
    found = synthesise(FIFO, target, effort="quick", jobs=1)
    assert found.flip_flops == 41
    gates = sum(n for cell, n in found.netlist.counts.items() if cell.startswith("ICG"))
    assert gates == (4 if target.gate else 0)
    options = {
        "driving_cell": target.driving_cell, "load_ff": target.load_ff,
        "clock_slew_ns": target.clock_transition_ns,
    }  # fmt: skip
    ours = analyse(found.netlist, library, **options)
    theirs = analyse_with_opensta(found.netlist, library, **options)
    assert ours.critical_path_ns == pytest.approx(theirs.critical_path_ns, rel=1e-4)
    assert theirs.unclocked == 0
