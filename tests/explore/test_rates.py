# SPDX-License-Identifier: Apache-2.0
"""The laws of throughput against simulated cores."""

import pytest

from gcmforge.config import CoreConfig
from gcmforge.config.presets import preset
from gcmforge.config.rates import bits_per_cycle, first_text_latency_cycles
from gcmforge.emit import build_core
from gcmforge.measure.throughput import measure_throughput

# As `gcmforge measure` simulated them: docs/reference/measured.md.
MEASURED = {
    "default": {64: 102.4, 576: 124.5, 1500: 126.3, 9000: 127.7, 65536: 128.0},
    "small": {64: 7.3, 576: 8.9, 1500: 9.0, 9000: 9.1, 65536: 9.1},
    "quad": {64: 256.0, 576: 460.8, 1500: 500.0, 9000: 510.6, 65536: 511.5},
}
EIGHT = CoreConfig(lanes=8, key_sizes=(128,), counter_sharing="on", ghash_stages=2)
MEASURED_EIGHT = {64: 512.0, 576: 921.6, 1500: 1000.0, 9000: 1014.1, 65536: 1022.0}


@pytest.mark.parametrize("name", MEASURED)
def test_bits_per_cycle_of_presets_are_those_that_were_simulated(name):
    for size, rate in MEASURED[name].items():
        assert round(bits_per_cycle(preset(name), size), 1) == rate


def test_bits_per_cycle_of_eight_lanes_with_shared_counters():
    for size, rate in MEASURED_EIGHT.items():
        assert round(bits_per_cycle(EIGHT, size), 1) == rate


def test_shared_counters_take_a_slot_more_when_the_last_beat_carries():
    plain = CoreConfig(lanes=4, key_sizes=(128,))
    shared = CoreConfig(lanes=4, key_sizes=(128,), counter_sharing="on")
    more = [
        n for n in range(1, 1025) if shared.packet_slots(0, 16 * n) > plain.packet_slots(0, 16 * n)
    ]
    assert more == [255, 511, 767, 1023]


def test_key_stream_ahead_takes_a_slot_more_whatever_the_last_beat_has():
    for sharing in ("off", "on"):
        config = CoreConfig(
            lanes=4, key_sizes=(128,), slots="ahead", iv="96", contexts=1, counter_sharing=sharing
        )
        slots = [config.packet_slots(0, 16 * n) for n in (1, 3, 4, 5, 8, 255, 256)]
        assert slots == [2, 2, 2, 3, 3, 65, 65]


@pytest.mark.verilator
@pytest.mark.slow
@pytest.mark.parametrize(
    "config",
    [
        CoreConfig(key_sizes=(128, 256), aes="loop", aes_rounds=4, ghash="serial", contexts=1),
        CoreConfig(
            lanes=2, key_sizes=(128,), aes="loop_parallel", aes_loops=5, ghash="interleaved",
            contexts=1,
        ),
        CoreConfig(
            lanes=2, key_sizes=(128,), sbox="table", ghash="dot", ghash_stages=2, contexts=1,
            tag_places=2,
        ),
        CoreConfig(
            lanes=2, key_sizes=(128, 256), sbox="table", slots="line", ghash_stages=2, contexts=1,
            aes_substages=2, counter_sharing="on",
        ),
        CoreConfig(
            lanes=4, key_sizes=(128, 256), sbox="table", slots="ahead", iv="96", ghash_stages=2,
            contexts=1, aes_substages=2, counter_sharing="on",
        ),
        CoreConfig(
            lanes=3, key_sizes=(128,), sbox="table", slots="ahead", iv="96", contexts=1,
            ahead_places=2,
        ),
        CoreConfig(
            key_sizes=(128,), sbox="table", slots="ahead", iv="96", contexts=1, ahead_places=1,
        ),
    ],
    ids=[
        "loop",
        "loop_parallel",
        "tag_places",
        "line",
        "ahead",
        "two ahead",
        "one ahead",
    ],
)  # fmt: skip
def test_laws_hold_in_simulation(config, tmp_path):
    core = build_core(config, tmp_path / "core", prove=False)
    measured = measure_throughput(core.path)
    assert measured.first_text_latency_cycles == first_text_latency_cycles(config)
    for rate in measured.rates:
        if rate.key_bits == max(config.key_sizes):
            assert bits_per_cycle(config, rate.packet_bytes) == pytest.approx(
                rate.bits_per_cycle, rel=0.02
            )
