# SPDX-License-Identifier: Apache-2.0
"""The cycle laws of gcm_axis_core, gcm_issue and gcm_join, on built cores with their own leaves."""

import itertools
import math
import random
from dataclasses import dataclass
from pathlib import Path

import pytest

from gcmforge.config import CoreConfig
from gcmforge.config.presets import preset
from gcmforge.emit import build_core
from gcmforge.model.aes import encrypt_block, key_expansion
from gcmforge.model.gcm import iv_for_counter
from gcmforge.sim import Core, LoadKey, Packet, Stalls
from gcmforge.sim.reference import answer

pytestmark = pytest.mark.slow

TARGET_BITS_PER_CYCLE = {16: 64, 40: 80, 64: 102, 256: 120, 576: 124, 1500: 126, 8192: 127.7}
"""One lane without AAD, packet bytes -> what a core with shared engines must reach."""

KEY_BYTES = (16, 24, 32)

CONFIGS = {
    **{name: preset(name) for name in ("plain", "default", "quad", "small")},
    "four": CoreConfig(lanes=4, multiplier="ko5_small", ghash_stages=2),
    "shared": CoreConfig(lanes=4, counter_sharing="on"),
    "dedicated": CoreConfig(lanes=2, tail="dedicated", j0="dedicated", ghash_stages=2),
    "ahead": CoreConfig(
        lanes=2, slots="ahead", iv="96", key_unit="dedicated", sbox="table", ghash_stages=2
    ),
}


AHEAD = [["aes_substages=1"], ["aes_substages=2", "ahead_places=2"], ["aes_substages=4", "lanes=1"]]
"""Cores with slots=ahead that pass text in the same time."""

TEXT_LATENCY_AHEAD = 4
"""Cycles from a beat of text in to the same beat out, its key stream made long before."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Built:
    """A preset's core and the latencies that its engines' headers state."""

    core: Core

    def aes_latency(self, key_bytes: int) -> int:
        config = self.core.config
        return config.aes_engine.latency_cycles(config, key_bytes // 4 + 6)

    def beat_cycles(self, key_bytes: int) -> int:
        """Cycles from one beat of counter blocks to the next."""
        return 1 if self.core.config.aes_engine.flows else key_bytes // 4 + 6

    def text_latency(self, key_bytes: int) -> int:
        """Cycles from a packet's first beat in to its first beat out, its command accepted a cycle
        before: two registers and the AES; with slots=ahead four and the AES from the command."""
        return self.aes_latency(key_bytes) + self.core.config.slots_engine.text_cycles - 1

    def slots(self, size: int) -> int:
        """The law of gcm_issue, which tests/laws/test_headers.py compares with its header."""
        return self.core.config.packet_slots(0, size)


@pytest.fixture(scope="module", params=CONFIGS)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("cores") / request.param
    return Built(core=Core(build_core(CONFIGS[request.param], folder).path))


def packets(rng: random.Random, key: bytes, size: int, count: int) -> list[Packet]:
    """Packets of `size` bytes of text without AAD, to be encrypted."""
    made = []
    for number in range(count):
        data = {
            "decrypt": False, "iv": rng.randbytes(12), "aad": b"", "text": rng.randbytes(size),
            "tag": None, "tag_bytes": 16,
        }  # fmt: skip
        expect = answer(key=key, **data)
        made.append(Packet(context=0, **data, expect=expect, label=f"{size} bytes, {number}"))
    return made


def back_to_back(built: Built, key: bytes, size: int, count: int) -> list[int]:
    """Cycles from packet to packet once the core runs, the first half left out."""
    made = packets(random.Random(size), key, size, count)
    result = built.core.run([LoadKey(context=0, key=key), *made])
    assert result.clean, result.failures[:3]
    last = [packet.last_in_cycle for packet in result.answers]
    return [b - a for a, b in itertools.pairwise(last)][count // 2 :]


@pytest.mark.parametrize("key_bytes", KEY_BYTES)
def test_a_lone_packet_takes_the_stated_time_to_text_and_tag(built, key_bytes):
    """Text after the AES and a register at either port; the tag after a register, the slots before
    the closing one, AES, GHASH and gcm_tag."""
    rng = random.Random(key_bytes)
    key = rng.randbytes(key_bytes)
    first, ghash = built.text_latency(key_bytes), built.core.config.ghash_latency_cycles
    with built.core.simulation(stalls=Stalls(data_after_command=1.0)) as simulation:
        simulation.play([LoadKey(context=0, key=key), *packets(rng, key, 16, 1)])
        for size in (1, 15, 16, 17, 40, 48, 49, 64):
            (packet,) = packets(rng, key, size, 1)
            (got,) = simulation.play([packet]).answers
            assert got.text == packet.expect.text and got.tag == packet.expect.tag
            assert got.first_in_cycle - got.command_cycle == 1
            assert got.first_out_cycle - got.first_in_cycle == first, size
            before_closing = (built.slots(size) - 1) * built.beat_cycles(key_bytes)
            tag_latency = before_closing + first + ghash + 1
            assert got.tag_cycle - got.first_in_cycle == tag_latency, size


def test_a_packet_takes_a_slot_for_each_beat_and_one_more_when_no_lane_is_left(built):
    key = random.Random(0).randbytes(16)
    least = 1 if built.core.config.tag_depth == built.core.config.full_tag_depth else 64
    for size in (1, 8, 16, 17, 33, 40, 48, 49, 64, 65, 100, 112, 113, 128, 129, 576):
        if size < least:  # places for packets of 64 bytes
            continue
        distances = back_to_back(built, key, size, 40)
        assert set(distances) == {built.slots(size) * built.beat_cycles(16)}, size


@pytest.mark.parametrize("built", ["shared", "quad"], indirect=True)
def test_shared_counters_cost_a_slot_when_the_last_beat_carries(built):
    """With 96-bit IVs and four lanes: for packets of 255 blocks, 511, 767 and so on."""
    key = random.Random(0).randbytes(16)
    shared = built.core.config.counter_sharing == "on"
    for blocks, slots in ((254, 64), (255, 64 + shared), (256, 65), (257, 65), (511, 128 + shared)):
        distances = back_to_back(built, key, 16 * blocks, 4)
        assert set(distances) == {built.slots(16 * blocks)} == {slots}, blocks


@pytest.mark.parametrize("built", ["shared", "quad", "four"], indirect=True)
def test_no_time_depends_on_what_the_hash_subkey_makes_of_an_iv(built):
    """IVs that are hashed: counters that carry within the last beat, and counters that do not."""
    rng = random.Random(1)
    key = rng.randbytes(16)
    h = encrypt_block(key_expansion(key), 0)

    def packet(carries: bool) -> Packet:
        j0 = rng.getrandbits(120) << 8 | (253 if carries else 17)  # and three blocks of text
        data = {
            "decrypt": False, "iv": iv_for_counter(h, j0), "aad": b"", "text": rng.randbytes(48),
            "tag": None, "tag_bytes": 16,
        }  # fmt: skip
        return Packet(context=0, **data, expect=answer(key=key, **data), label=f"{carries}")

    def cycles(*carries: bool) -> list[tuple[int, ...]]:
        result = built.core.run([LoadKey(context=0, key=key), *map(packet, carries)])
        assert result.clean, result.failures[:3]
        return [(one.first_out_cycle, one.last_in_cycle, one.tag_cycle) for one in result.answers]

    assert cycles(False, True, True, False, True) == cycles(*[False] * 5)


@pytest.mark.parametrize("built", ["four"], indirect=True)
def test_the_cycle_table_of_the_documents_shows_the_transfers_of_a_core(built):
    """Port columns of the table in docs/theory/inside-the-core.md, with its two packets."""
    page = (Path(__file__).parents[2] / "docs/theory/inside-the-core.md").read_text()
    table = page[page.index("| cycle |") :].split("\n\n", 1)[0].splitlines()
    names, _, *cells = [line.split("|")[1:-1] for line in table]
    streams = {"s_cmd": "commands", "s_axis": "in_beats", "m_axis": "out_beats", "m_tag": "tags"}
    stated: dict[str, list[int]] = {stream: [] for stream in streams}
    for row in cells:
        for name, cell in zip(names, row, strict=True):
            stream, word = name.strip(" `"), cell.strip()
            if stream in stated and word and not word.startswith("("):
                stated[stream].append(int(row[0]))

    rng = random.Random(1)
    key = rng.randbytes(16)
    first = {"decrypt": False, "iv": rng.randbytes(12), "aad": rng.randbytes(20),
             "text": rng.randbytes(100), "tag": None, "tag_bytes": 16}  # fmt: skip
    second = {"iv": rng.randbytes(12), "aad": b"", "tag_bytes": 16}
    sealed = answer(key=key, decrypt=False, text=rng.randbytes(64), tag=None, **second)
    second |= {"decrypt": True, "text": sealed.text, "tag": sealed.tag}
    made = [
        Packet(context=0, **data, expect=answer(key=key, **data), label="of the table")
        for data in (first, second)
    ]
    with built.core.simulation() as simulation:
        simulation.play([LoadKey(context=0, key=key), *packets(rng, key, 16, 1)])
        counts = [simulation.counters()]
        batch = simulation.play(
            made, cycles_per_call=1, progress=lambda cycle: counts.append(simulation.counters())
        )
    assert all(
        got.ok and got.text == packet.expect.text
        for packet, got in zip(made, batch.answers, strict=True)
    )
    shown = {
        stream: [
            now.cycles
            for last, now in itertools.pairwise(counts)
            if getattr(now, name) > getattr(last, name)
        ]
        for stream, name in streams.items()
    }
    begin = shown["s_cmd"][0]
    assert {stream: [at - begin for at in cycles] for stream, cycles in shown.items()} == stated


@pytest.mark.parametrize("settings", AHEAD, ids=" ".join)
def test_text_whose_key_stream_is_made_waits_for_no_aes(settings, tmp_path):
    """Two registers and two slots, however many stages the AES has; and the tag after the slot
    of J0, GHASH and gcm_tag."""
    core = Core(build_core(CONFIGS["ahead"].with_settings(settings), tmp_path / "core").path)
    config, rng = core.config, random.Random(9)
    key = rng.randbytes(max(config.key_sizes) // 8)
    sizes = [rng.choice((1, 16, 17, 32, 33, 64)) for _ in range(200)]
    made = [packet for size in sizes for packet in packets(rng, key, size, 1)]
    with core.simulation(stalls=Stalls(data_idle=0.99), seed=4) as simulation:
        simulation.play([LoadKey(context=0, key=key), *packets(rng, key, 1, 1)])
        answers = simulation.play(made).answers
    assert [got.tag for got in answers] == [packet.expect.tag for packet in made]
    # The AES stands still while the packet before waits for its text.
    passage = config.aes_latency_cycles + 20
    long_before = [
        (size, got)
        for size, got, last in zip(sizes[1:], answers[1:], answers, strict=False)
        if got.first_in_cycle > max(got.command_cycle, last.last_in_cycle) + passage
    ]
    assert len(long_before) > 50
    for size, got in long_before:
        assert got.first_out_cycle - got.first_in_cycle == TEXT_LATENCY_AHEAD, size
        closing = TEXT_LATENCY_AHEAD  # its slot is one after the last beat's
        assert got.tag_cycle - got.last_in_cycle == closing + config.ghash_latency_cycles + 2, size


@pytest.mark.parametrize("built", ["plain"], indirect=True)
def test_bits_per_cycle_on_one_lane_reach_the_target(built):
    """Printed with the target: pytest -s shows it."""
    key = random.Random(0).randbytes(32)
    print("\nbytes   bits/cycle   target")
    for size, target in TARGET_BITS_PER_CYCLE.items():
        distances = back_to_back(built, key, size, 6 if size > 4096 else 40)
        assert set(distances) == {math.ceil(size / 16) + 1}
        bits_per_cycle = 8 * size / distances[0]
        print(f"{size:5} {bits_per_cycle:12.1f} {target:8}")
        assert bits_per_cycle >= target
