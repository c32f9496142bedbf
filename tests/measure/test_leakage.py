# SPDX-License-Identifier: Apache-2.0
"""The t-test of simulated power: its statistic, and that it finds what leaks and nothing else."""

import numpy as np
import pytest

from gcmforge.measure.errors import SHOWN
from gcmforge.measure.gadget_leakage import gadget_leakage
from gcmforge.measure.leakage import leakage
from gcmforge.measure.leakage_text import leakage_text
from gcmforge.netlist.targets import find_target
from gcmforge.power.ttest import THRESHOLD, TTest


def _filled(traces: np.ndarray, second: np.ndarray) -> TTest:
    test = TTest(traces.shape[1])
    for start in range(0, len(traces), 300):
        test.add(traces[start : start + 300], second[start : start + 300])
    return test


def test_the_statistic_is_welchs_t_whatever_the_batches() -> None:
    draw = np.random.default_rng(3)
    second = draw.integers(2, size=1000).astype(bool)
    traces = draw.normal(5.0, 2.0, size=(1000, 3)) + second[:, None] * [0.0, 0.3, 0.0]
    zero, one = traces[~second], traces[second]
    spread = zero.var(axis=0) / len(zero) + one.var(axis=0) / len(one)
    wanted = (zero.mean(axis=0) - one.mean(axis=0)) / np.sqrt(spread)
    assert np.allclose(_filled(traces, second).first(), wanted)


def test_variances_are_told_apart_at_second_order_alone() -> None:
    draw = np.random.default_rng(4)
    second = draw.integers(2, size=4000).astype(bool)
    traces = draw.normal(0.0, 1.0, size=(4000, 1)) * np.where(second, 1.3, 1.0)[:, None]
    test = _filled(traces, second)
    assert abs(test.first()[0]) < THRESHOLD < abs(test.second()[0])


@pytest.mark.slow
@pytest.mark.yosys
def test_a_gadget_passes_with_random_bits_and_fails_without() -> None:
    target = find_target("osu018")
    fresh = gadget_leakage("masked_match", target, traces=6_000)
    assert fresh.fails_at is None and fresh.worst < THRESHOLD
    assert "passed" in leakage_text(fresh)
    zero = gadget_leakage("masked_match", target, traces=4_000, randomness="zero")
    assert zero.fails_at == 2_000 and zero.worst > 4 * THRESHOLD
    assert "failed, from 2,000 traces on" in leakage_text(zero) and zero.nets


@pytest.mark.slow
def test_too_few_traces_and_other_cores_are_refused() -> None:
    with pytest.raises(SHOWN, match="traces=10: use 4000 or more"):
        gadget_leakage("masked_match", find_target("osu018"), traces=10)
    with pytest.raises(SHOWN, match="the test for leakage takes cores with streams of bytes"):
        leakage("small", find_target("osu018"), traces=1_000)
