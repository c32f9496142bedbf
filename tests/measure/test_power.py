# SPDX-License-Identifier: Apache-2.0
"""Power, against results by hand and against what every S-box has to do."""

import mapped_leaves as mapped
import numpy as np
import pytest
from small_cells import (
    CAP,
    LEAKAGE_NW,
    VOLTAGE,
    delay_ns,
    energy_pj,
    netlist,
    random_netlist,
    small_library,
)

from gcmforge.netlist.netlist import Netlist
from gcmforge.power.events import simulate
from gcmforge.power.power import PowerError, event_design, leaf_power, traffic_power
from gcmforge.power.stimuli import all_transitions, as_patterns
from gcmforge.sta.timing import analyse

LOAD_FF = 5.0


def inverter() -> Netlist:
    return netlist({"a": 1}, {"y": 2}, {"u": ("INV", {"A": 1, "Y": 2})})


def test_an_inverter_spends_its_charge_and_its_tables_energy() -> None:
    power = leaf_power(inverter(), small_library(), load_ff=LOAD_FF, frequency_mhz=50)
    load = LOAD_FF / 1000
    charge = 0.5 * (CAP["INV"] + load) * VOLTAGE**2  # each step: one edge of each net
    inside = (energy_pj(True, 0.0, load) + energy_pj(False, 0.0, load)) / 2
    assert power.transitions == 2
    assert power.exhaustive
    assert power.switching_uw == pytest.approx(charge * 50)
    assert power.internal_uw == pytest.approx(inside * 50)
    assert power.leakage_uw == pytest.approx(LEAKAGE_NW / 1000)
    parts = power.switching_uw + power.internal_uw + power.leakage_uw
    assert power.average_uw == pytest.approx(parts)
    assert power.energy_per_transition_pj == pytest.approx(charge + inside)
    worst = charge + energy_pj(True, 0.0, load)  # rising costs more inside
    assert power.worst_transition == (1, 0)
    assert power.worst_transition_uw == pytest.approx(worst * 50 + power.leakage_uw)
    assert (power.toggles, power.glitch_toggles) == (4, 0)


def test_the_peak_is_the_most_within_the_window() -> None:
    """With a window shorter than the inverter's delay, only one of the two nets is in it."""
    load = LOAD_FF / 1000
    output = 0.5 * load * VOLTAGE**2 + energy_pj(True, 0.0, load)
    delay_ps = 1000 * delay_ns("INV", True, 0.0, load)
    narrow = leaf_power(inverter(), small_library(), load_ff=LOAD_FF, window_ps=5)
    assert delay_ps > 5
    assert narrow.peak_uw == pytest.approx(output / 5e-6 + narrow.leakage_uw)
    wide = leaf_power(inverter(), small_library(), load_ff=LOAD_FF, window_ps=1000)
    both = output + 0.5 * CAP["INV"] * VOLTAGE**2
    assert wide.peak_uw == pytest.approx(both / 1e-3 + wide.leakage_uw)
    assert wide.peak_transition == (1, 0)


def test_a_flip_flop_pays_for_its_clock_in_every_cycle() -> None:
    module = netlist({"ck": 1, "d": 2}, {"q": 3}, {"f": ("DFF", {"CK": 1, "D": 2, "Q": 3})})
    design = event_design(module, small_library(), load_ff=LOAD_FF)
    still = traffic_power(design, np.zeros((11, 1), dtype=np.uint8), frequency_mhz=100)
    clock = CAP["DFF"] * VOLTAGE**2  # two edges of C V^2 / 2
    assert still.switching_uw == pytest.approx(clock * 100)
    assert still.internal_uw == 0
    busy = traffic_power(design, as_patterns([0, 1] * 10, 1), frequency_mhz=100)
    load = LOAD_FF / 1000
    q = 0.5 * load * VOLTAGE**2
    d = 0.5 * CAP["DFF"] * VOLTAGE**2
    assert busy.switching_uw == pytest.approx((clock + d + q * 18 / 19) * 100)
    inside = (energy_pj(True, 0.0, load) + energy_pj(False, 0.0, load)) / 2
    assert busy.internal_uw == pytest.approx(inside * 18 / 19 * 100)


def test_power_is_proportional_to_frequency_except_leakage() -> None:
    module, library = random_netlist(5), small_library()
    slow, fast = (leaf_power(module, library, frequency_mhz=f) for f in (10, 20))
    assert fast.switching_uw == pytest.approx(2 * slow.switching_uw)
    assert fast.internal_uw == pytest.approx(2 * slow.internal_uw)
    assert fast.leakage_uw == slow.leakage_uw


def test_random_traffic_is_repeatable_and_named_by_its_seed() -> None:
    module, library = random_netlist(6, inputs=12), small_library()
    first, again, other = (leaf_power(module, library, steps=300, seed=s) for s in (1, 1, 2))
    assert first == again
    assert first.seed == 1
    assert not first.exhaustive
    assert first.average_uw != other.average_uw
    assert first.average_uw == pytest.approx(other.average_uw, rel=0.2)


def test_a_frequency_that_the_block_cannot_follow_is_refused() -> None:
    with pytest.raises(PowerError, match="too fast"):
        leaf_power(random_netlist(5), small_library(), frequency_mhz=20_000)


def test_a_library_without_energies_is_refused() -> None:
    with pytest.raises(PowerError, match="library small says nothing about energy"):
        leaf_power(inverter(), small_library(power=False))


@pytest.mark.slow
@pytest.mark.osu018
@pytest.mark.parametrize("variant", mapped.SBOXES)
def test_every_sbox_bit_changes_as_often_as_a_bijection_does(variant: str) -> None:
    """Of 65,280 ordered pairs of bytes, 2 * 128 * 128 differ in a given bit: going in, and, as
    the S-box is a bijection, coming out."""
    netlist, library = mapped.mapped_sbox(variant, "speed"), mapped.library()
    design = event_design(netlist, library, driving_cell=mapped.DRIVER, load_ff=mapped.LOAD_FF)
    activity = simulate(design, as_patterns(all_transitions(256), 8))
    assert activity.steps == 65_280
    for nets in (design.bound.inputs, design.bound.outputs):
        assert activity.functional[nets].tolist() == [2 * 128 * 128] * 8
    assert (activity.toggles.sum(axis=1) >= activity.functional).all()
    static = analyse(netlist, library, driving_cell=mapped.DRIVER, load_ff=mapped.LOAD_FF)
    steps = len(static.path)
    assert 0 < activity.settled_ps.max() <= 1000 * static.critical_path_ns + steps


@pytest.mark.slow
@pytest.mark.osu018
def test_an_sbox_report_adds_up() -> None:
    netlist, library = mapped.mapped_sbox("boyar_peralta", "area"), mapped.library()
    power = leaf_power(netlist, library, driving_cell=mapped.DRIVER, load_ff=mapped.LOAD_FF)
    parts = power.switching_uw + power.internal_uw + power.leakage_uw
    assert power.average_uw == pytest.approx(parts)
    assert power.peak_uw > power.worst_transition_uw > power.average_uw
    assert power.peak_transition is not None
    assert 0 < power.glitch_toggles < power.toggles
