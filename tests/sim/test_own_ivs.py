# SPDX-License-Identifier: Apache-2.0
"""A core that makes the IVs: it is verified with the IVs that it makes, whatever its directions and
its limit, and a key for a context that does not exist changes no IV of a context that does."""

from dataclasses import replace
from random import Random

import pytest

from gcmforge.config import CoreConfig
from gcmforge.measure.throughput import packet_rate
from gcmforge.sim.aead import built
from gcmforge.sim.core import Core
from gcmforge.sim.dice import Traffic
from gcmforge.sim.operations import LoadKey
from gcmforge.sim.resets import fresh, reset_in_every_cycle, reset_near_events
from gcmforge.sim.stalls import PRESSURE, patterns_of
from gcmforge.sim.trace import play_trace
from gcmforge.sim.traffic import good_packet, load_key, sealed_lengths
from gcmforge.sim.verify import edge_rounds, random_rounds

BEYOND = {1: 1, 3: 3}
"""Contexts of a core, and one that the port can name and the core does not have."""


@pytest.mark.slow
@pytest.mark.parametrize("contexts", BEYOND)
def test_a_key_for_no_context_changes_no_fixed_field(contexts):
    config = CoreConfig(
        iv="counter", contexts=contexts, aes="loop", key_schedule="travelling", ghash="serial"
    )
    traffic = Traffic(core=config, seed=1, rng=Random(1))
    load_key(traffic, 0)
    for number in range(6):
        if number % 2:
            other = LoadKey(context=BEYOND[contexts], key=bytes(32), fixed=b"none")
            traffic.operations.append(other)
        sealed = sealed_lengths(traffic, traffic.keys[0], aad_bytes=4, text_bytes=20)
        traffic.operations.append(good_packet(traffic, number, 0, sealed, 16, decrypt=False))
    assert not Core(built(config)).run(traffic.operations, seed=1).failures


@pytest.mark.slow
@pytest.mark.verilator
@pytest.mark.parametrize("direction", ["encrypt", "both"])
@pytest.mark.parametrize("limit", [30, 2**32])
def test_what_verify_plays_expects_the_ivs_that_the_core_makes(direction: str, limit: int) -> None:
    config = CoreConfig(
        iv="counter", iv_limit=limit, direction=direction, contexts=2, aes="loop",
        key_schedule="travelling", ghash="serial", sbox="table", max_text_bytes=500,
        max_aad_bytes=60,
    )  # fmt: skip
    core, patterns = Core(built(config)), patterns_of(PRESSURE)
    rounds = [
        *((one, stalls, name) for name, one, stalls in edge_rounds(config, patterns[0])),
        *((one, stalls, "random") for one, _, stalls in random_rounds(config, 600, 1, patterns)),
    ]
    for operations, stalls, name in rounds:
        assert not core.run(operations, stalls=stalls, seed=1).failures, name


@pytest.mark.slow
@pytest.mark.verilator
@pytest.mark.parametrize(("direction", "limit"), [("both", 1), ("encrypt", 1), ("encrypt", 30)])
def test_a_core_with_few_ivs_has_a_trace_and_a_throughput(direction: str, limit: int) -> None:
    config = CoreConfig(
        iv="counter", iv_limit=limit, direction=direction, contexts=2, aes="loop",
        key_schedule="travelling", ghash="serial", sbox="table", max_text_bytes=500,
        max_aad_bytes=60,
    )  # fmt: skip
    with Core(built(config)).simulation() as simulation:
        trace = play_trace(simulation, config)
        assert trace.packets[0].direction == "encrypt"
        rate = packet_rate(simulation, config, 128, 64)
    loaded = replace(config, iv_limit=2**32)
    with Core(built(loaded)).simulation() as simulation:
        free = packet_rate(simulation, loaded, 128, 64)
    keys = direction == "encrypt"  # these take their time
    assert (rate.cycles_per_packet > free.cycles_per_packet) == keys


@pytest.mark.slow
@pytest.mark.verilator
@pytest.mark.parametrize("limit", [1, 2])
def test_resets_of_a_core_with_few_ivs_find_nothing_wrong(limit: int) -> None:
    """A key whose IVs are used up is loaded again between the packets, not before them all."""
    config = CoreConfig(
        iv="counter", iv_limit=limit, direction="encrypt", contexts=2, aes="loop",
        key_schedule="travelling", ghash="serial", sbox="table", max_text_bytes=500,
        max_aad_bytes=60,
    )  # fmt: skip
    played = "".join("k" if isinstance(one, LoadKey) else "p" for one in fresh(config, 1))
    assert played == {1: "pkpkpkp", 2: "pkppkp"}[limit]
    core = Core(built(config))
    assert not reset_in_every_cycle(core, seed=1, every=7).failures
    with core.simulation() as simulation:
        assert not list(reset_near_events(simulation, config, seed=1))
