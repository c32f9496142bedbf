# SPDX-License-Identifier: Apache-2.0
"""A core's streams all at once: keys, commands, data, and what comes of them."""

import random
from collections.abc import Callable

from bench import Sink, Source, play
from core_bench import CoreBench, library

from gcmforge.config import CoreConfig
from gcmforge.sim.operations import Status
from gcmforge.sim.reference import seal

SMALL = {"sbox": "table", "mix_columns": "small", "key_sizes": (256,), "aes": "loop"}
CORES = {
    "loop": CoreConfig(**SMALL, ghash="serial", contexts=3),
    "dedicated": CoreConfig(
        **SMALL, lanes=2, contexts=2, key_schedule="travelling", tail="dedicated", j0="dedicated",
        aad_lanes=1, ghash_stages=2,
    ),
    "line": CoreConfig(
        **SMALL | {"aes": "pipelined"}, contexts=2, slots="line", multiplier="ko2"
    ),
    "ahead": CoreConfig(
        **SMALL | {"aes": "pipelined"}, contexts=2, slots="ahead", multiplier="ko2", iv="96",
        key_unit="dedicated",
    ),
    "one ahead": CoreConfig(
        **SMALL | {"aes": "pipelined"}, contexts=2, slots="ahead", multiplier="ko2", iv="96",
        key_unit="dedicated", ahead_places=1, lanes=2, release="verified", max_text_bytes=256,
    ),
    "memories": CoreConfig(**SMALL, contexts=20, ghash="serial", key_unit="dedicated"),
    "verified": CoreConfig(
        **SMALL, contexts=2, ghash="serial", release="verified", max_text_bytes=128
    ),
    "erasable": CoreConfig(**SMALL, contexts=2, ghash="serial", zeroise="on"),
    "own IVs": CoreConfig(**SMALL, contexts=2, ghash="serial", iv="counter"),
    "profile": CoreConfig(**SMALL, contexts=2, ghash="serial", profile="ipsec"),
}  # fmt: skip
"""Kinds of core that treat senders each in its way."""

KEYS = [bytes(range(c, c + 32)) for c in range(2)]


class Packets:
    """A core with two keys, and everything that goes in and comes out of it."""

    def __init__(self, config: CoreConfig) -> None:
        self.core = CoreBench(library(config), config)
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
