# SPDX-License-Identifier: Apache-2.0
"""What is arranged happens: a key comes with a command, one waits on its port while a packet of its
context begins, words of IVs are late, texts end without a byte, packets have more beats than 16
bits count and end long before they said."""

from itertools import pairwise

import pytest

from gcmforge.config import CoreConfig
from gcmforge.config.presets import preset
from gcmforge.sim.aead import built
from gcmforge.sim.arranged import (
    CARRY_BLOCKS,
    WIDE_BEATS,
    arranged_rounds,
    key_on_offer,
    words_of_ivs,
)
from gcmforge.sim.core import Core
from gcmforge.sim.coverage import Coverage
from gcmforge.sim.operations import LoadKey, Packet, Status, packets_of
from gcmforge.sim.packing import FramedPacket

SHORT = {"sbox": "table", "max_text_bytes": 500, "max_aad_bytes": 60}
CORES = {
    "own IVs": CoreConfig(
        **SHORT, aes="loop", key_schedule="travelling", ghash="serial", contexts=2, iv="counter",
        zeroise="on", timeout=1_200,
    ),
    "ahead": CoreConfig(
        **SHORT, lanes=2, key_sizes=(128,), slots="ahead", iv="96", contexts=1
    ),
    "96 bits": preset("compact").with_settings(["max_text_bytes=5000"]),
}  # fmt: skip
POINTS = {
    "own IVs": ("key_with_a_command", "command_while_its_next_key_waits",
                "word_that_is_not_the_last_is_late"),
    "ahead": ("key_with_a_command", "number_borrows_from_its_upper_half", "rest_is_cut",
              "cut_waits_for_blocks_of_its_packet"),
    "96 bits": ("key_with_a_command", "word_that_is_not_the_last_is_late",),
}  # fmt: skip
LONG_END = f"a text of {CARRY_BLOCKS} blocks or more, and a beat without a byte after it"


@pytest.mark.slow
@pytest.mark.verilator
@pytest.mark.parametrize("name", CORES)
def test_what_is_arranged_happens_and_is_right(name: str) -> None:
    config = CORES[name]
    coverage = Coverage(config=config)
    for _, operations, stalls in arranged_rounds(config):
        result = Core(built(config)).run(operations, stalls=stalls, seed=1)
        assert not result.failures
        coverage.add(operations, result)
    missed = {bin_name.rpartition(": ")[2] for bin_name in coverage.missed}
    assert not missed & {*POINTS[name], LONG_END}
    reached = {bin_name.rpartition(": ")[2] for bin_name in coverage.counts}
    assert set(POINTS[name]) <= reached
    assert (LONG_END in coverage.bins) == (config.max_text_bytes >= 16 * CARRY_BLOCKS)


def test_a_key_is_on_offer_for_a_packet_before_it() -> None:
    operations = key_on_offer(CORES["own IVs"])
    waiting = [
        (one, key) for one, key in pairwise(operations) if isinstance(one, Packet) and one.after_key
    ]
    assert len(waiting) == 4
    for one, key in waiting:
        assert isinstance(key, LoadKey)
        assert (key.early, key.context) == (1, one.context)
    assert sum(isinstance(one, Packet) and one.held == 1 for one in operations) == 4
    assert not key_on_offer(CORES["ahead"]), "a second context is needed"
    assert not key_on_offer(CORES["own IVs"].with_settings(["timeout=20"])), "data is held back"


def test_words_of_ivs_are_sent_where_commands_have_ivs() -> None:
    statuses = {
        name: {packet.expect.status for packet in packets_of(words_of_ivs(config))}
        for name, config in {**CORES, "any": CoreConfig()}.items()
    }
    assert statuses["any"] == {Status.OK}
    assert all(statuses[name] == {Status.OK, Status.BAD_IV} for name in CORES)
    assert all(
        packet.decrypt or len(packet.iv) == 12
        for packet in packets_of(words_of_ivs(CORES["own IVs"]))
    )
    assert not words_of_ivs(CoreConfig(iv="counter", direction="encrypt"))


def test_on_a_core_that_makes_key_stream_ahead_numbers_of_beats_are_large_and_wrong() -> None:
    rounds = {name: packets_of(given) for name, given, _ in arranged_rounds(CORES["ahead"])}
    first, *_ = rounds["more beats than 16 bits"]
    assert -(-len(first.text) // 32) == WIDE_BEATS and first.expect.status is Status.TOO_LONG
    early = [one for one in rounds["early ends, slow tags"] if isinstance(one, FramedPacket)]
    assert len(early) > 100
    assert all(one.said_beats > 64 and one.text_beats == 1 for one in early)
    assert {one.expect.status for one in early} == {Status.BAD_FRAME}
    assert not any("ends, slow" in name for name, *_ in arranged_rounds(CoreConfig()))
