# SPDX-License-Identifier: Apache-2.0
"""Toggle counts of the event kernel and of Icarus Verilog, same netlists, same delays."""

from collections.abc import Callable

import mapped_leaves as mapped
import numpy as np
import pytest
from small_cells import netlist, random_netlist, small_library

from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Netlist
from gcmforge.power.design import EventDesign
from gcmforge.power.events import simulate
from gcmforge.power.icarus import count_toggles
from gcmforge.power.stimuli import all_transitions, as_patterns, random_patterns
from gcmforge.sta.bound import bind
from gcmforge.sta.graph import TimingGraph

pytestmark = pytest.mark.iverilog

LIMIT = 0.005
SOME_STEPS = 3000


def designed(netlist: Netlist, library: Library) -> EventDesign:
    bound = bind(netlist, library)
    driver = mapped.DRIVER if mapped.DRIVER in library.cells else ""
    return EventDesign(TimingGraph(bound, driving_cell=driver, load_ff=mapped.LOAD_FF))


def compare(design: EventDesign, patterns: np.ndarray) -> tuple[float, float]:
    """Relative difference of all edges, and the sum of nets' differences over all edges."""
    ours = simulate(design, patterns).toggles.sum(axis=1)
    theirs = count_toggles(design, patterns)
    theirs[design.graph.clock_nets] = 0
    total = int(theirs.sum())
    assert total > 0
    return (int(ours.sum()) - total) / total, int(np.abs(ours - theirs).sum()) / total


def check_sbox(variant: str, script: str, steps: int | None) -> None:
    design = designed(mapped.mapped_sbox(variant, script), mapped.library())
    patterns = as_patterns(all_transitions(256), 8)
    if steps is not None:
        patterns = patterns[: steps + 1]
    whole, by_net = compare(design, patterns)
    print(f"{variant} {script}: {100 * whole:+.4f} % of all edges, {100 * by_net:.4f} % by net")
    assert abs(whole) < LIMIT
    assert by_net < LIMIT


@pytest.mark.osu018
@pytest.mark.parametrize("script", mapped.SCRIPTS)
@pytest.mark.parametrize(
    "variant",
    [pytest.param("table", marks=pytest.mark.slow), *(v for v in mapped.SBOXES if v != "table")],
)
def test_sboxes_toggle_as_in_icarus(variant: str, script: str) -> None:
    check_sbox(variant, script, SOME_STEPS)


@pytest.mark.osu018
@pytest.mark.slow
@pytest.mark.parametrize("variant", mapped.OTHER_SBOXES)
def test_sboxes_of_every_kind_toggle_as_in_icarus(variant: str) -> None:
    check_sbox(variant, "area", SOME_STEPS)


@pytest.mark.slow
@pytest.mark.osu018
@pytest.mark.parametrize(
    ("variant", "script"),
    [("table", "speed"), ("boyar_peralta", "area"), ("twisted_bdd", "area")],
)
def test_sboxes_toggle_as_in_icarus_over_all_transitions(variant: str, script: str) -> None:
    check_sbox(variant, script, None)


@pytest.mark.slow
@pytest.mark.osu018
def test_a_clocked_sbox_toggles_as_in_icarus() -> None:
    design = designed(mapped.mapped_pipelined_sbox(), mapped.library())
    assert design.flop_count > 20
    whole, by_net = compare(design, random_patterns(1000, design.input_count, 1))
    assert abs(whole) < LIMIT
    assert by_net < LIMIT


@pytest.mark.slow
@pytest.mark.osu018
def test_a_mix_column_toggles_as_in_icarus() -> None:
    design = designed(mapped.mapped_mix_column(), mapped.library())
    whole, by_net = compare(design, random_patterns(1000, design.input_count, 1))
    assert abs(whole) < LIMIT
    assert by_net < LIMIT


@pytest.mark.slow
@pytest.mark.osu018
def test_a_multiplier_toggles_as_in_icarus() -> None:
    design = designed(mapped.mapped_multiplier(), mapped.library())
    whole, by_net = compare(design, random_patterns(20, design.input_count, 1))
    assert abs(whole) < LIMIT
    assert by_net < LIMIT


@pytest.mark.parametrize("seed", range(3))
def test_small_cells_toggle_as_in_icarus(seed: int) -> None:
    design = designed(random_netlist(seed, gates=60), small_library())
    patterns = random_patterns(300, design.input_count, seed)
    assert compare(design, patterns) == (0.0, 0.0)


def test_a_wrong_delay_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison can fail: with one inverter ten times as slow, a pulse is longer."""
    cells: dict[str, tuple[str, dict[str, int | str]]] = {
        "i": ("INV", {"A": 1, "Y": 2}),
        "n": ("NAND2", {"A": 1, "B": 2, "Y": 3}),
    }
    module = netlist({"a": 1}, {"y": 3}, cells)
    design = designed(module, small_library())
    patterns = as_patterns([0, 1] * 20, 1)
    assert compare(design, patterns)[1] == 0
    count: Callable[..., np.ndarray] = count_toggles
    theirs = count(design, patterns)
    delay = design.pin_delay.copy()
    inverter = next(g for g in range(2) if design.bound.instance(int(design.gate_cell[g])) == "i")
    pin = int(design.first[inverter])
    delay[2 * pin : 2 * pin + 2] *= 10
    design.pin_delay = delay
    assert simulate(design, patterns).toggles.sum() != theirs.sum()
