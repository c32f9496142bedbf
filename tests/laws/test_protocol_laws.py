# SPDX-License-Identifier: Apache-2.0
"""Data without a command, commands without data, packets that break off, a reset among packets:
what comes of each on every kind of core, and that the next packet is right.

What single beats and commands may do wrong is in tests/rtl/protocol_cases.py, erasing among packets
in test_erase_laws.py.
"""

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from bench import Sink, Source, compile_bench, play
from core_bench import CoreBench, core_texts

from gcmforge.config import CoreConfig
from gcmforge.sim.operations import Status
from gcmforge.sim.reference import seal

pytestmark = pytest.mark.slow

SMALL = {"sbox": "table", "mix_columns": "small", "key_sizes": (256,), "aes": "loop"}
CORES = {
    "loop": CoreConfig(**SMALL, ghash="serial", contexts=3),
    "dedicated": CoreConfig(
        **SMALL, lanes=2, contexts=2, key_schedule="travelling", tail="dedicated", j0="dedicated",
        aad_lanes=1, ghash_stages=2,
    ),
    "memories": CoreConfig(**SMALL, contexts=20, ghash="serial", key_unit="dedicated"),
    "verified": CoreConfig(
        **SMALL, contexts=2, ghash="serial", release="verified", max_text_bytes=128
    ),
    "erasable": CoreConfig(**SMALL, contexts=2, ghash="serial", zeroise="on"),
    "own IVs": CoreConfig(**SMALL, contexts=2, ghash="serial", iv="counter"),
    "profile": CoreConfig(**SMALL, contexts=2, ghash="serial", profile="ipsec"),
}  # fmt: skip
QUICK = "loop"
every_core = [pytest.param(n, marks=[pytest.mark.slow] * (n != QUICK)) for n in CORES]
KEYS = [bytes(range(c, c + 32)) for c in range(2)]
COMMANDS = 3
"""Commands that are taken without data: one whose packet is open, and two in the queue."""


@cache
def library(name: str) -> Path:
    return compile_bench(CORES[name].top, core_texts(CORES[name]))


class Packets:
    """A core with two keys, and everything that goes in and comes out of it."""

    def __init__(self, name: str) -> None:
        self.core = CoreBench(library(name), CORES[name])
        self.counts_ivs = self.core.config.iv == "counter"
        self.begin()
        self.load()

    def begin(self) -> None:
        """Nothing has been sent."""
        self.words: dict[str, list[dict[str, int]]] = {"s_key": [], "s_cmd": [], "s_axis": []}
        self.sources = {
            name: Source(self.core, f"{name}_tvalid", f"{name}_tready", words)
            for name, words in self.words.items()
        }
        self.tags = Sink(self.core, "m_tag_tvalid", "m_tag_tready", ["m_tag_tag", "m_tag_status"])
        self.text = Sink(
            self.core, "m_axis_tvalid", "m_axis_tready",
            ["m_axis_tdata", "m_axis_tkeep", "m_axis_tlast"],
        )  # fmt: skip

    def cycles(self, count: int) -> None:
        end = self.core.cycle + count
        self.until(lambda: self.core.cycle == end)

    def until(self, done: Callable[[], bool]) -> None:
        """What is offered stays offered afterwards, as it must."""
        streams = [*self.sources.values(), self.tags, self.text]
        play(self.core, streams, done, limit=20_000)

    def taken(self, stream: str) -> int:
        return len(self.sources[stream].sent)

    def send(self, stream: str, *words: dict[str, int]) -> None:
        self.words[stream] += self.core.words(stream, words)

    def load(self) -> None:
        """Both keys, and until they are in place."""
        for context, key in enumerate(KEYS):
            word = {"tdata": int.from_bytes(key, "little"), "size": 2, "context": context}
            self.send("s_key", word)
        self.until(lambda: self.sources["s_key"].done)
        self.until(lambda: bool(self.core.get("s_key_tready")))
        self.encrypted = [0, 0]

    def iv(self, context: int) -> bytes:
        """Of the context's next packet to be encrypted."""
        number = self.encrypted[context] if self.counts_ivs else 0
        self.encrypted[context] += 1
        return bytes(4) + number.to_bytes(8, "big")

    def sealed(self, context: int, text: bytes) -> tuple[bytes, tuple[int, int]]:
        """What the next packet of that context gives: text, and tag with status."""
        ciphertext, tag = seal(KEYS[context], self.iv(context), text, self.core.header)
        return ciphertext, (int.from_bytes(tag, "little"), Status.OK)

    def answers(self, count: int) -> list[tuple[int, int]]:
        """The next answers, as soon as they are there, and no other after them."""
        self.until(lambda: len(self.tags.got) >= count)
        self.cycles(20)
        got = self.tags.got[:]
        self.tags.got.clear()
        return got

    def frames(self) -> list[bytes]:
        """Texts since this was called last, each as its beats say."""
        found, text = [], b""
        for data, keep, last in self.text.got:
            text += data.to_bytes(16 * self.core.config.lanes, "little")[: keep.bit_count()]
            if last:
                found.append(text)
                text = b""
        assert not text, "a frame without an end"
        self.text.got.clear()
        return found

    def next_is_right(self) -> None:
        """A packet under each key."""
        for context in range(len(KEYS)):
            text = random.Random(context).randbytes(50)
            command, beats = self.core.packet(text)
            self.send("s_cmd", command | {"context": context})
            self.send("s_axis", *beats)
            ciphertext, answer = self.sealed(context, text)
            assert self.answers(1) == [answer]
            assert self.frames() == [ciphertext]


def several(
    packets: Packets, count: int
) -> tuple[list[dict[str, int]], list[dict[str, int]], list]:
    """Commands and data of packets of two beats and a byte, and what they give."""
    commands, beats, expected = [], [], []
    for number in range(count):
        text = random.Random(number).randbytes(32 * packets.core.config.lanes + 1)
        command, data = packets.core.packet(text)
        commands.append(command | {"context": number % 2})
        beats += data
        expected.append(packets.sealed(number % 2, text))
    return commands, beats, expected


@pytest.mark.parametrize("name", every_core)
def test_data_waits_for_its_command(name):
    packets = Packets(name)
    commands, beats, expected = several(packets, 3)
    packets.send("s_axis", *beats)
    packets.cycles(300)
    assert packets.taken("s_axis") == (0 if name == "erasable" else 2)
    assert not packets.tags.got and not packets.text.got
    packets.send("s_cmd", *commands)
    assert packets.answers(3) == [answer for _, answer in expected]
    assert packets.frames() == [text for text, _ in expected]


@pytest.mark.parametrize("name", every_core)
def test_commands_wait_for_their_data_and_only_keys_of_their_context_for_them(name):
    packets = Packets(name)
    text = bytes(range(40))
    command, beats = packets.core.packet(text)
    packets.send("s_cmd", *[command] * (COMMANDS + 1))
    packets.cycles(300)
    assert packets.taken("s_cmd") == COMMANDS
    for context, ready in ((1, True), (0, False)):
        loads = packets.taken("s_key")
        packets.send("s_key", {"tdata": 5, "size": 2, "context": context})
        packets.cycles(800)
        assert packets.taken("s_key") == loads + 1
        assert bool(packets.core.get("s_key_tready")) is ready
    assert not packets.tags.got and not packets.text.got
    packets.send("s_axis", *beats * COMMANDS)
    expected = [packets.sealed(0, text) for _ in range(COMMANDS)]
    assert packets.answers(COMMANDS) == [answer for _, answer in expected]
    assert packets.frames() == [text for text, _ in expected]


ENDS = {
    "nothing came, then an end": (0, {"tkeep": 0}, 0, Status.OK),
    "a beat came, then an end": (1, {"tkeep": 0}, 0, Status.OK),
    "nothing came, then a hole": (0, {"tkeep": 2}, 0, Status.BAD_FRAME),
    "a beat came, then a hole": (1, {"tkeep": 2}, 0, Status.BAD_FRAME),
    "decrypting, nothing came, then an end": (0, {"tkeep": 0}, 1, Status.AUTH_FAIL),
    "decrypting, a beat came, then an end": (1, {"tkeep": 0}, 1, Status.AUTH_FAIL),
}
"""Full beats of a packet of which no more comes; the beat that ends it; whether it is decrypted."""


@pytest.mark.parametrize("name", every_core)
@pytest.mark.parametrize("what", ENDS)
def test_a_packet_that_breaks_off_is_ended_by_any_last_beat(name, what):
    full, end, decrypt, status = ENDS[what]
    packets = Packets(name)
    size = 16 * packets.core.config.lanes
    text = bytes(range(size))[: full * size]
    command, _ = packets.core.packet(b"much more text than there will be")
    packets.send("s_cmd", command | {"decrypt": decrypt, "tag": 1})
    beats = packets.core.packet(text)[1] if full else []
    packets.send("s_axis", *(beat | {"tlast": 0} for beat in beats))
    packets.cycles(300)
    assert not packets.tags.got
    packets.send("s_axis", {"tdata": 0, "tuser": 1, "tlast": 1} | end)
    if not decrypt:
        _, whole = packets.sealed(0, text)
    assert packets.answers(1) == [whole if status is Status.OK else (0, status)]
    packets.frames()
    packets.next_is_right()


@pytest.mark.parametrize("name", every_core)
def test_packets_that_run_together_are_one_bad_frame(name):
    """The last beat of the first is not marked; the second begins with AAD. Its command is left
    over and waits, until a beat ends it."""
    packets = Packets(name)
    command, beats = packets.core.packet(bytes(16 * packets.core.config.lanes))
    packets.send("s_cmd", command, command)
    packets.send("s_axis", beats[0] | {"tlast": 0}, beats[0] | {"tuser": 0, "tlast": 0}, beats[0])
    packets.iv(0)
    assert packets.answers(1) == [(0, Status.BAD_FRAME)]
    packets.send("s_axis", beats[0] | {"tkeep": 0})
    assert packets.answers(1) == [packets.sealed(0, b"")[1]]
    packets.frames()
    packets.next_is_right()


@pytest.mark.parametrize("name", every_core)
def test_a_reset_among_packets_leaves_nothing_of_them_and_the_next_is_right(name):
    packets = Packets(name)
    for cycles in range(1, 90, 8):
        commands, beats, _ = several(packets, 3)
        packets.send("s_cmd", *commands)
        packets.send("s_axis", *beats)
        packets.cycles(cycles)
        packets.core.put("aresetn", 0)
        packets.begin()
        packets.core.idle(2)  # nobody looks at what is offered in a reset
        packets.core.put("aresetn", 1)
        command, beats = packets.core.packet(b"text")
        packets.send("s_cmd", command)
        packets.send("s_axis", *beats)
        assert packets.answers(1) == [(0, Status.NO_KEY)], f"after {cycles} cycles"
        packets.frames()
        packets.load()
        packets.next_is_right()
