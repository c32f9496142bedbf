# SPDX-License-Identifier: Apache-2.0
"""Cycles of built cores, from simulation, against the laws of their engines."""

from pathlib import Path

import pytest

from gcmforge.config import CoreConfig
from gcmforge.config.presets import preset
from gcmforge.measure.throughput import ThroughputError, measure_throughput, packet_sizes
from gcmforge.sim import reference
from gcmforge.sim.aead import built


@pytest.fixture(scope="module")
def default() -> Path:
    return built(preset("default"))


@pytest.fixture(scope="module")
def small() -> Path:
    return built(preset("small"))


@pytest.mark.slow
def test_a_packet_on_one_pipelined_lane_costs_its_blocks_and_one_cycle(default):
    found = measure_throughput(default)
    assert {rate.key_bits for rate in found.rates} == {128, 192, 256}
    for rate in found.rates:
        blocks = -(-rate.packet_bytes // 16)
        assert rate.cycles_per_packet == blocks + 1, rate
        assert rate.bits_per_cycle == pytest.approx(8 * rate.packet_bytes / (blocks + 1))
    assert {rate.packet_bytes for rate in found.rates} == {64, 576, 1500, 9000, 65536}
    assert found.long_message is not None
    assert found.long_message.bits_per_cycle > 127.9


@pytest.mark.slow
def test_a_block_in_the_loop_costs_its_rounds(small):
    found = measure_throughput(small)
    for rate in found.rates:
        blocks, rounds = -(-rate.packet_bytes // 16), rate.key_bits // 32 + 6
        assert rate.cycles_per_packet == pytest.approx((blocks + 1) * rounds, rel=1e-9), rate


@pytest.mark.slow
def test_a_core_with_wrong_answers_has_no_throughput(small, monkeypatch):
    from dataclasses import replace

    right = reference.answer

    def wrong(**asked):
        expected = right(**asked)
        return replace(expected, tag=bytes(16))

    monkeypatch.setattr(reference, "answer", wrong)
    with pytest.raises(ThroughputError, match=r"no throughput of a core that does not work.*tag"):
        measure_throughput(small)


def test_lengths_that_a_core_does_not_take_are_left_out():
    assert packet_sizes(CoreConfig(max_text_bytes=1500)) == (64, 576, 1500)
    assert packet_sizes(CoreConfig()) == (64, 576, 1500, 9000, 65536)
