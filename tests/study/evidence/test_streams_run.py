# SPDX-License-Identifier: Apache-2.0
"""Cycles of a core with many streams are those of the law, and what differs is seen."""

import dataclasses
import random
import re

import pytest

from gcmforge.sim.interleaved import Packet, cuts, interleaved, places
from gcmforge.study.evidence import streams
from gcmforge.study.evidence.streams_bus import Bus, library

pytestmark = [pytest.mark.verilator, pytest.mark.yosys, pytest.mark.slow]
LENGTHS = (0, 1, 16, 17, 40, 65)


@pytest.fixture(scope="module")
def bus(tmp_path_factory):
    config = streams.core_of(3, 3, contexts=4)
    return Bus(config, library(config, tmp_path_factory.mktemp("bus"), optimise="-O0"))


def test_every_length_takes_the_cycles_of_the_law(bus):
    one, more = streams.compare(bus, LENGTHS)
    assert one.startswith("3 streams, 3 stages, 1 key: 6 lengths, 114 beats in 114 cycles")
    assert "4 keys in turn" in more and "text after 16 and answers after 23" in more


def test_a_wrong_law_is_seen(bus, monkeypatch):
    monkeypatch.setattr(streams, "tag_cycles", lambda config: 22)
    with pytest.raises(ValueError, match=r"an answer does not come 22 cycles after the last beat"):
        list(streams.compare(bus, LENGTHS))


def test_random_packets_are_right_under_every_pattern_of_pauses(bus):
    lines = list(streams.random_run(bus, 1500, seed=4))
    assert len(lines) == 5 and all("300 of 300 packets" in line for line in lines)
    assert all(int(re.search(r"([\d,]+) cuts", line)[1].replace(",", "")) > 300 for line in lines)


@pytest.mark.parametrize("what", ["text", "tag", "aad", "stream"])
def test_what_is_wrong_is_seen(bus, what, monkeypatch):
    """The core gets other packets than those whose outcome is told."""
    rng = random.Random(what)
    streams.load(bus, rng)
    packets = [
        dataclasses.replace(
            streams.random_packet(rng, bus.held, n % 3, range(4), 40),
            cut=None, command=True, refused_at=None, iv_good=True, tag_bytes=16,
        )
        for n in range(20)
    ]  # fmt: skip
    packets[9] = dataclasses.replace(packets[9], aad=b"some", text=b"more", decrypt=False)
    order = interleaved(packets, rng)
    assert not bus.play(packets, order).wrong
    told = {
        "text": {"text": b"morf"}, "tag": {"tag_bytes": 12}, "aad": {"aad": b"somf"},
        "stream": {"stream": (packets[9].stream + 1) % 3},
    }  # fmt: skip
    other = [*packets]
    other[9] = dataclasses.replace(packets[9], **told[what])
    sent = [streams_bus_words(packets, order)]
    monkeypatch.setattr("gcmforge.study.evidence.streams_bus.words", lambda *_: sent.pop())
    assert bus.play(other, order).wrong


def streams_bus_words(packets, order):
    from gcmforge.sim.interleaved import words

    return words(packets, order)


def test_beats_of_a_stream_keep_their_order():
    rng = random.Random(7)
    packets = [streams.random_packet(rng, {}, rng.randrange(5), range(2), 100) for _ in range(60)]
    for turns in (False, True):
        for rest in (0.0, 0.5):
            order = interleaved(packets, rng, turns=turns, rest=rest, stays=0.2)
            for stream in range(5):
                own = [n for n, one in enumerate(packets) if one.stream == stream]
                wanted = [place for n in own for place in places(packets, n)]
                assert [place for place in order if place[0] in own] == wanted


def test_a_packet_is_cut_where_others_come_before_it_goes_on():
    two = [Packet(stream=0, text=bytes(32)), Packet(stream=1, text=bytes(16))]
    assert cuts(two, [(0, -1), (0, 0), (0, 1), (1, -1), (1, 0)]) == 0
    assert cuts(two, [(0, -1), (1, -1), (1, 0), (0, 0), (0, 1)]) == 1
    assert cuts(two, [(0, -1), (1, -1), (0, 0), (1, 0), (0, 1)]) == 3
