# SPDX-License-Identifier: Apache-2.0
"""Built-in timing and OpenSTA on the same netlists under the same constraints."""

from collections.abc import Callable
from random import Random

import mapped_leaves as mapped
import pytest

from gcmforge.netlist.netlist import Cell, Module, Netlist
from gcmforge.sta.opensta import analyse_with_opensta, opensta_version
from gcmforge.sta.timing import analyse

pytestmark = [pytest.mark.osu018, pytest.mark.opensta]

AGREEMENT = 1e-5
TIED_AGREEMENT = 5e-4
"""OpenSTA lets the transition of an edge that a tied pin rules out slow the next gate down."""

NETLISTS: dict[str, Callable[[], Netlist]] = {
    **{
        f"{variant}_{script}": lambda v=variant, s=script: mapped.mapped_sbox(v, s)  # type: ignore[misc]
        for variant in mapped.SBOXES
        for script in mapped.SCRIPTS
    },
    "pipelined_sbox": mapped.mapped_pipelined_sbox,
    "multiplier_ko4": mapped.mapped_multiplier,
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.slow] * (n == "multiplier_ko4")) for n in NETLISTS],
)
@pytest.mark.parametrize("constrained", [True, False])
def test_both_find_the_same_slowest_path(
    name: str, constrained: bool, record_property: Callable[[str, object], None]
) -> None:
    netlist, library = NETLISTS[name](), mapped.library()
    driver, load = (mapped.DRIVER, mapped.LOAD_FF) if constrained else ("", 0.0)
    slew = 0.1 if constrained else 0.0
    ours = analyse(netlist, library, driving_cell=driver, load_ff=load, clock_slew_ns=slew)
    theirs = analyse_with_opensta(
        netlist, library, driving_cell=driver, load_ff=load, clock_slew_ns=slew
    )
    difference = ours.critical_path_ns / theirs.critical_path_ns - 1
    record_property("built-in ns", ours.critical_path_ns)
    record_property("OpenSTA ns", theirs.critical_path_ns)
    print(
        f"{name}: built-in {ours.critical_path_ns:.6f} ns, OpenSTA "
        f"{theirs.critical_path_ns:.6f} ns, difference {100 * difference:+.5f} %"
    )
    assert abs(difference) < AGREEMENT
    assert theirs.end.split("/")[0] in ours.end


@pytest.mark.parametrize("seed", range(4))
def test_both_see_what_tied_pins_leave(seed: int) -> None:
    """The S-box with one pin in twelve tied to 0 or 1: less remains, and both see how much."""
    random, library = Random(seed), mapped.library()
    whole = mapped.mapped_sbox("boyar_peralta", next(iter(mapped.SCRIPTS))).flatten()
    cells = {}
    for name, cell in whole.cells.items():
        pins = dict(cell.connections)
        for pin in library.cell(cell.type).inputs:
            if random.random() < 1 / 12:
                pins[pin.name] = (random.choice("01"),)
        cells[name] = Cell(type=cell.type, connections=pins)
    tied = Module(name=whole.name, ports=whole.ports, cells=cells, net_names=whole.net_names)
    ours = analyse(tied, library, driving_cell=mapped.DRIVER, load_ff=mapped.LOAD_FF)
    theirs = analyse_with_opensta(tied, library, driving_cell=mapped.DRIVER, load_ff=mapped.LOAD_FF)
    shorter = 1 - ours.critical_path_ns / theirs.critical_path_ns
    assert -AGREEMENT < shorter < TIED_AGREEMENT
    assert theirs.end.split("/")[0] in ours.end


def test_the_version_is_known() -> None:
    assert opensta_version()[0].isdigit()
