# SPDX-License-Identifier: Apache-2.0
"""Many runs at once against each of them alone, and traces of a core against those of one lane."""

from contextlib import closing

import numpy as np
import pytest
from small_cells import random_netlist, small_library

from gcmforge.measure.leakage import event_design_of
from gcmforge.measure.leakage_traffic import Traffic
from gcmforge.measure.subject import find_subject
from gcmforge.netlist.targets import find_target
from gcmforge.power.design import EventDesign
from gcmforge.power.running import Running
from gcmforge.power.wide import MOST_LANES, Wide, energy_unit
from gcmforge.sta.bound import bind
from gcmforge.sta.graph import TimingGraph


def _design(seed: int, gates: int) -> EventDesign:
    module = random_netlist(seed, inputs=6, gates=gates)
    return EventDesign(TimingGraph(bind(module, small_library()), load_ff=3.0))


def _wide(design: EventDesign, rows: np.ndarray) -> np.ndarray:
    """Energies [step, lane] of patterns [step, input, lane]."""
    bits = np.packbits(rows, axis=2, bitorder="little")
    with closing(Wide(design, rows.shape[2])) as wide:
        patterns = wide.patterns(len(rows))
        patterns[:, :, : bits.shape[2]] = bits
        return wide.run(patterns)


def _alone(design: EventDesign, rows: np.ndarray) -> np.ndarray:
    """To the unit that the wide simulation takes."""
    with closing(Running(design, energy_unit(design))) as running:
        return running.run(rows)[0]


@pytest.mark.parametrize(
    ("seed", "lanes"), [(1, 1), (2, 16), (3, 100), (4, 512), (5, 513), (6, MOST_LANES), (7, 40)]
)
def test_every_lane_has_the_energies_that_it_has_alone(seed: int, lanes: int) -> None:
    design = _design(seed, gates=20 + 40 * seed)
    rows = np.random.default_rng(seed).integers(2, size=(30, 6, lanes), dtype=np.uint8)
    together = _wide(design, rows)
    assert together.shape == (30, lanes) and together.max() > 0
    for lane in {0, lanes // 3, lanes // 2, lanes - 1}:
        mine = rows[:, :, lane]
        assert (together[:, lane] == _alone(design, mine)).all()
        with closing(Running(design)) as running:
            assert together[:, lane] == pytest.approx(running.run(mine)[0], rel=1e-6)


def test_a_lane_does_not_depend_on_the_others_nor_on_where_steps_are_cut() -> None:
    design = _design(9, gates=300)
    rows = np.random.default_rng(9).integers(2, size=(40, 6, 600), dtype=np.uint8)
    together = _wide(design, rows)
    assert (together[:, 5:9] == _wide(design, rows[:, :, 5:9])).all()
    bits = np.packbits(rows, axis=2, bitorder="little")
    with closing(Wide(design, 600)) as wide:
        patterns = wide.patterns(40)
        patterns[:, :, : bits.shape[2]] = bits
        parts = [wide.run(patterns[start : start + 7]) for start in range(0, 40, 7)]
    assert (np.concatenate(parts) == together).all()


@pytest.mark.parametrize("lanes", [0, MOST_LANES + 1])
def test_other_numbers_of_lanes_are_refused(lanes: int) -> None:
    with pytest.raises(ValueError, match=f"lanes={lanes}: use 1 to {MOST_LANES}"):
        Wide(_design(1, gates=20), lanes)


@pytest.mark.slow
@pytest.mark.yosys
@pytest.mark.osu018
def test_traces_of_a_core_are_those_of_one_lane_after_another() -> None:
    design = event_design_of(find_subject("nano"), find_target("osu018"), lambda step: None)
    traffic = Traffic(design, 1, "fresh")
    counts = [2] * 8 + [1]
    made = traffic.batches(3, counts)
    for n, (energy, fixed) in enumerate(made):
        batch = traffic.batch(3 + n, counts[n])
        assert (fixed == batch.fixed).all()
        with closing(Running(design)) as running:
            running.run(traffic.reset(batch.draw))
            wanted = running.run(traffic.patterns(batch, 0, counts[n]))[0]
        assert energy.reshape(-1) == pytest.approx(wanted, rel=1e-6)
    again, *_ = traffic.batches(4, [2])  # one after another
    assert (again[0] == made[1][0]).all()
