# SPDX-License-Identifier: Apache-2.0
"""Bits a cycle of a core with segments are those of the law, and what differs is seen."""

import dataclasses
import random
from collections import Counter

import pytest

from gcmforge.config.codes import Status
from gcmforge.engines.gcm_segments.engine import packet_segments
from gcmforge.sim.segmented import random_packet
from gcmforge.study.evidence import segments, segments_broken, segments_soak
from gcmforge.study.evidence.segments_bus import Bus, library

pytestmark = [pytest.mark.verilator, pytest.mark.yosys, pytest.mark.slow]
LENGTHS = (0, 1, 15, 16, 17, 32, 40, 64, 65, 600)


@pytest.fixture(scope="module")
def bus(tmp_path_factory):
    config = segments.core_of(2, 2, "verified")
    return Bus(config, library(config, tmp_path_factory.mktemp("bus"), optimise="-O0"))


def test_every_length_takes_the_cycles_of_the_law(bus):
    one, more = segments.compare(bus, LENGTHS)
    assert "1 key: 10 lengths and IMIX as the law" in one
    assert "4 keys in turn" in more and "64 bytes: 256.0" in more and "(100% of 256" in more


def test_a_wrong_law_is_seen(bus, monkeypatch):
    def wrong(config, aad, text):
        return packet_segments(config, aad, text) + (text > 599)

    monkeypatch.setattr(segments, "packet_segments", wrong)
    monkeypatch.setattr(
        segments, "bits_per_cycle", lambda config, text: 8 * text / (wrong(config, 0, text) / 2)
    )
    with pytest.raises(ValueError, match=r"of 11 rates differ from the law: 600 bytes"):
        list(segments.compare(bus, LENGTHS))


def test_random_packets_are_right_under_every_pattern_of_pauses(bus):
    run = segments_soak.Run(name="two lanes", config=bus.config, packets=300, seed=4)
    lines, tallies = zip(*segments_soak.lines(bus, run), strict=True)
    assert len(lines) == 4 and all("300 packets as they have to be" in line for line in lines)
    assert all(tally.packets == 300 for tally in tallies)
    assert sum(tally.shared for tally in tallies) > 30
    answers = sum((tally.statuses for tally in tallies), Counter())
    assert {"OK", "AUTH_FAIL", "BAD_FRAME", "BAD_IV", "BAD_TAG_LENGTH"} <= answers.keys()


def test_a_packet_under_the_key_before_is_seen(bus, monkeypatch):
    """As if a key that comes amid packets were never taken: packets after it are sealed wrong."""
    monkeypatch.setattr(
        segments_soak, "_key_at", lambda held, load, new, context, raw, start: held[context]
    )
    run = segments_soak.Run(name="two lanes", config=bus.config, packets=2_000, seed=5)
    with pytest.raises(
        ValueError, match=r"two lanes, pauses of none, seed 5, after [0-9,]+ packets"
    ):
        list(segments_soak.lines(bus, run))


def test_frames_that_are_broken_at_random_have_the_answers_of_the_rules(bus):
    tally = segments_broken.play(bus, 700, seed=3)
    assert tally.packets >= 700 and tally.keys > 10
    assert {"OK", "AUTH_FAIL", "NO_KEY", "BAD_FRAME", "BAD_IV"} <= tally.statuses.keys()


@pytest.mark.parametrize(
    ("name", "other", "what"),
    [
        ("packets_of", lambda beats: by_sop(beats), "answer|came of"),
        ("expected", lambda config, packet, key: forgiving(config, packet, key), "answer"),
    ],
)
def test_another_rule_for_broken_frames_is_seen(bus, monkeypatch, name, other, what):
    """Packets counted by sop; err passed over."""
    monkeypatch.setattr(segments_broken, name, other)
    with pytest.raises(ValueError, match=what):
        segments_broken.play(bus, 4_000, seed=3)


def by_sop(beats):
    found = []
    for number, beat in enumerate(beats):
        for place, one in enumerate(beat):
            if one.ena and (one.sop or not found):
                found.append([])
            if one.ena:
                found[-1].append((number, place, one))
    return found


_EXPECTED = segments_broken.expected


def forgiving(config, packet, key):
    without = [(beat, place, dataclasses.replace(one, err=False)) for beat, place, one in packet]
    return _EXPECTED(config, without, key)


@pytest.mark.parametrize("what", ["text", "answer", "status"])
def test_what_is_wrong_is_seen(bus, what):
    rng = random.Random(what)
    for context, key in enumerate(segments.KEYS):
        bus.load(key, context)
    packets = [random_packet(rng, segments.KEYS, size=40) for _ in range(20)]
    good = next(n for n in range(5, 20) if packets[n].status is Status.OK)
    assert not bus.play(packets).wrong
    wrong = {
        "text": {"out": packets[good].out[:-1] + bytes([packets[good].out[-1] ^ 1])},
        "answer": {"answer": bytes(15) + b"\1"},
        "status": {"status": Status.BAD_FRAME},
    }
    packets[good] = dataclasses.replace(packets[good], **wrong[what])
    assert bus.play(packets).wrong
