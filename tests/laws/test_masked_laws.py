# SPDX-License-Identifier: Apache-2.0
"""gcm_masked on its own streams of bytes: the cycles of its descriptor and header, and what it
answers. Packets, and what is expected of them, are those of the tests of gcm_nano."""

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from bench import Bench, compile_bench
from test_nano_laws import KEY, Packet, answers, drawn, load, period, sealed, texts

from gcmforge.config import CoreConfig
from gcmforge.config.codes import Status
from gcmforge.emit.core import core_files
from gcmforge.emit.rtl import handwritten
from gcmforge.engines.gcm_masked.engine import BYTE_CYCLES, ENGINE

pytestmark = [pytest.mark.verilator, pytest.mark.slow]
CONFIG = CoreConfig(
    core="masked", key_sizes=(128,), contexts=1, iv="96", max_text_bytes=64, max_aad_bytes=32
)
RANDOM = 0x2A5_9C3E


@cache
def compiled() -> Path:
    files, rtl, _ = core_files(CONFIG, prove=False)
    given = {Path(name).stem: files[name] for name in rtl if not name.startswith("bench/")}
    top = given["gcm_masked"]
    for name, value in ENGINE.parameters(CONFIG):
        top = re.sub(rf"(parameter int {name} =) \d+", rf"\g<1> {value}", top)
    return compile_bench("gcm_masked", {**given, "gcm_masked": top})


def fresh() -> Bench:
    """With random bits that are there in every cycle, and always the same: results need no more."""
    bench = Bench(compiled(), clock="aclk", reset="aresetn", reset_level=0)
    bench.put("s_rnd_tvalid", 1)
    bench.put("s_rnd_tdata", RANDOM)
    return bench


def test_packets_take_the_cycles_of_the_law():
    bench = fresh()
    load(bench, KEY)
    one, three = period(bench, texts(1)), period(bench, texts(3))
    assert (one, three) == (ENGINE.packet_cycles(CONFIG, 16), ENGINE.packet_cycles(CONFIG, 48))
    assert three - one == 2 * ENGINE.beat_cycles(CONFIG) == 2 * 272
    assert period(bench, texts(1, aad=2)) - period(bench, texts(1, aad=1)) <= 144


def test_a_tag_to_compare_takes_two_turns_more_whether_it_is_right_or_wrong():
    bench = fresh()
    load(bench, KEY)
    packet = Packet(iv=bytes(12), text=bytes(16))
    text, tag = sealed(packet)
    given = [Packet(iv=bytes(12), text=text, tag=one) for one in (tag, bytes(16))]
    right, wrong = (period(bench, 4 * [one]) for one in given)
    assert right == wrong == ENGINE.packet_cycles(CONFIG, 16) + 32


def test_the_first_text_leaves_when_the_law_says():
    bench = fresh()
    load(bench, KEY)
    answers(bench, texts(1)[:1])  # the key is usable when this one is answered
    took = []
    for phase in range(16):
        while bench.cycle % 16 != phase:
            bench.settle()
            bench.edge()
        began = bench.cycle
        (answer,) = answers(bench, texts(1)[:1])
        took.append(answer.first_text - began)
    assert max(took) == BYTE_CYCLES


def test_a_key_takes_the_cycles_of_the_law():
    bench = fresh()
    begins = [load(bench, KEY)[0] for _ in range(4)]
    assert max(after - before for before, after in pairwise(begins)) == ENGINE.key_cycles(CONFIG)


def test_the_header_has_the_laws():
    head = handwritten()["gcm_masked"].read_text().partition("module ")[0].replace("\n//", "")
    assert f"first text {BYTE_CYCLES} cycles after a command" in head
    base = ENGINE.packet_cycles(CONFIG, 16) - ENGINE.beat_cycles(CONFIG)
    assert f"{base} + {ENGINE.beat_cycles(CONFIG)} * n cycles" in head


def test_every_bit_of_a_tag_counts():
    bench = fresh()
    load(bench, KEY)
    packet = Packet(iv=bytes(12), aad=b"a", text=b"text")
    text, tag = sealed(packet)
    number = int.from_bytes(tag, "big")
    wrong = [(number ^ 1 << bit).to_bytes(16, "big") for bit in range(128)]
    given = [Packet(iv=packet.iv, aad=b"a", text=text, tag=one) for one in (*wrong, tag)]
    found = [answer.status for answer in answers(bench, given)]
    assert found == 128 * [Status.AUTH_FAIL] + [Status.OK]


def test_packets_are_right_in_both_directions():
    bench = fresh()
    load(bench, KEY)
    packets = drawn(7, 12)
    received = []
    for packet, answer in zip(packets, answers(bench, packets, pauses=0.4), strict=True):
        text, tag = sealed(packet)
        assert (answer.text, answer.tag) == (text, tag[: packet.tag_bytes])
        received.append(
            Packet(iv=packet.iv, aad=packet.aad, text=text, tag=tag[: packet.tag_bytes],
                   tag_bytes=packet.tag_bytes)
        )  # fmt: skip
    found = answers(bench, received, pauses=0.4)
    assert [answer.status for answer in found] == 12 * [Status.OK]
    assert [answer.text for answer in found] == [packet.text for packet in packets]
