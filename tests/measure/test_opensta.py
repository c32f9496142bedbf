# SPDX-License-Identifier: Apache-2.0
"""Built-in timing and OpenSTA on the same netlists under the same constraints."""

from collections.abc import Callable

import mapped_leaves as mapped
import pytest

from gcmforge.measure.netlist import Netlist
from gcmforge.measure.opensta import analyse_with_opensta, opensta_version
from gcmforge.measure.timing import analyse

pytestmark = [mapped.needs_osu018, mapped.needs_opensta]

AGREEMENT = 1e-5

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


def test_the_version_is_known() -> None:
    assert opensta_version()[0].isdigit()
