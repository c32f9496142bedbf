# SPDX-License-Identifier: Apache-2.0
"""Yang 2005, Fig. 5 as a core (core=yang2005), with both directions and with one: its latencies,
and cycles of packets one after another, are those that the paper prints, 12 / 11 / 12 of Table 1
and n + 12 of Table 2."""

import itertools
import random
from functools import cache

import pytest
from bench import Bench, Instance, Sink, Source, compile_bench, rtl, run
from bench import side_by_side as top_of
from leaf_models import aes_texts, multiplier_text

from gcmforge.config import CoreConfig
from gcmforge.config.codes import Status
from gcmforge.config.installed import engines
from gcmforge.emit.parts import parts
from gcmforge.emit.ports import Port
from gcmforge.model import encrypt
from gcmforge.study.papers.yang2005_model import DECRYPTING, ENCRYPTING

pytestmark = pytest.mark.slow

MODULES = (
    "gcm_increment", "gcm_ram", "gcm_length", "ghash_serial", "aes_sub_shift", "aes_mix_columns",
    "aes_key_expand", "yang2005_aes", "yang2005_frame",
)  # fmt: skip
BOTH, ONE_WAY = "both", {False: "encrypt", True: "decrypt"}
TEXT_OUT = 11
"""From text in to text out: ten rounds, and the sum with the text."""
KEY, IV = bytes(range(16)), bytes(range(100, 112))


def little(data: bytes) -> int:
    return int.from_bytes(data, "little")


@cache
def library(direction):
    config = CoreConfig(core="yang2005", key_sizes=(128,), contexts=1, iv="96", direction=direction)
    widths = tuple(
        Port(name=name, direction=way, width=width)
        for name, way, width, _ in engines("core")["yang2005"].ports(config)
        if name not in ("aclk", "aresetn")
    )
    texts = rtl(*MODULES, config=config) | aes_texts(1)
    texts["gf128_mul"] = multiplier_text(1)
    if direction == BOTH:
        texts |= rtl("gcm_yang2005", config=config)
    else:
        texts |= rtl(f"yang2005_{direction}s", "yang2005_one_way", config=config)
        texts |= {name: parts(config)[name]() for name in ("yang2005_way", "gcm_yang2005")}
    one = Instance(prefix="core", module="gcm_yang2005", parameters={}, ports=widths)
    texts["laws_top"] = (
        top_of([one]).replace(".clk", ".aclk").replace(".rst(rst)", ".aresetn(!rst)")
    )
    return compile_bench("laws_top", texts)


class Played:
    """Packets one after another, always waiting, with a receiver that is always ready."""

    def __init__(self, packets: list[tuple[bool, bytes]], direction: str = BOTH) -> None:
        bench = Bench(library(direction))
        for name in ("m_axis_tready", "m_tag_tready"):
            bench.put(f"core_{name}", 1)
        key = {"s_key_tdata": little(KEY), "s_key_size": 0, "s_key_context": 0}
        self._load(bench, "s_key", [key])
        made = [encrypt(KEY, IV, text, b"") for _, text in packets]
        commands = [
            {
                "s_cmd_context": 0, "s_cmd_decrypt": int(decrypt), "s_cmd_tag": little(tag),
                "s_cmd_tag_bytes": 16, "s_cmd_iv_bytes": 12, "s_cmd_iv": little(IV),
            }
            for (decrypt, _), (_, tag) in zip(packets, made, strict=True)
        ]  # fmt: skip
        beats = []
        for (decrypt, text), (cipher, _) in zip(packets, made, strict=True):
            data = cipher if decrypt else text
            blocks = [data[n : n + 16] for n in range(0, len(data), 16)]
            beats += [
                {
                    "s_axis_tdata": little(block), "s_axis_tkeep": (1 << len(block)) - 1,
                    "s_axis_tuser": 1, "s_axis_tlast": int(n == len(blocks) - 1),
                }
                for n, block in enumerate(blocks)
            ]  # fmt: skip
        self.commands, self.beats = (
            self._source(bench, name, words)
            for name, words in (("s_cmd", commands), ("s_axis", beats))
        )
        self.out = Sink(bench, "core_m_axis_tvalid", None, ["core_m_axis_tdata"])
        self.tags = Sink(bench, "core_m_tag_tvalid", None, ["core_m_tag_tag", "core_m_tag_status"])
        run(
            bench, [self.commands, self.beats, self.out, self.tags],
            lambda: len(self.tags.got) == len(packets),
        )  # fmt: skip
        built = [direction in (BOTH, ONE_WAY[decrypt]) for decrypt, _ in packets]
        assert self.tags.got == [
            (0 if decrypt else little(tag), Status.OK) if there else (0, Status.BAD_DIRECTION)
            for (decrypt, _), (_, tag), there in zip(packets, made, built, strict=True)
        ]
        texts = iter(self.out.got)
        for (decrypt, text), (cipher, _), there in zip(packets, made, built, strict=True):
            data = (text if decrypt else cipher) if there else bytes(len(text))
            for n in range(0, len(data), 16):
                assert next(texts) == (little(data[n : n + 16]),)
        assert next(texts, None) is None

    @staticmethod
    def _source(bench, name, words):
        named = [{f"core_{port}": value for port, value in word.items()} for word in words]
        return Source(bench, f"core_{name}_tvalid", f"core_{name}_tready", named)

    def _load(self, bench, name, words):
        load = self._source(bench, name, words)
        run(bench, [load], lambda: load.done)

    @property
    def cycles(self) -> set[int]:
        """From a packet's start to the next one's."""
        return {b - a for a, b in itertools.pairwise(self.commands.sent)}


def cores(decrypt):
    """The two that have that direction."""
    return BOTH, ONE_WAY[decrypt]


@pytest.mark.parametrize(
    ("decrypt", "direction"), [(way, one) for way in (False, True) for one in cores(way)]
)
@pytest.mark.parametrize("size", [1, 16, 20, 64, 1500])
def test_packets_follow_one_another_as_the_paper_counts(size, decrypt, direction):
    text = random.Random(size).randbytes(size)
    played = Played([(decrypt, text)] * 4, direction)
    assert played.cycles == {-(-size // 16) + (DECRYPTING if decrypt else ENCRYPTING)}


@pytest.mark.parametrize(
    ("decrypt", "direction"), [(way, one) for way in (False, True) for one in cores(way)]
)
def test_text_leaves_as_soon_as_the_paper_counts(decrypt, direction):
    played = Played([(decrypt, bytes(range(100)))], direction)
    assert {b - a for a, b in zip(played.beats.sent, played.out.cycles, strict=True)} == {TEXT_OUT}


@pytest.mark.parametrize("direction", [BOTH, *ONE_WAY.values()])
def test_directions_may_change_with_each_packet(direction):
    """Of the direction that is not built nothing leaves but zeros, and the next packet is right."""
    draw = random.Random(3)
    packets = [(draw.random() < 0.5, draw.randbytes(draw.randint(1, 90))) for _ in range(30)]
    Played(packets, direction)
