# SPDX-License-Identifier: Apache-2.0
"""gcm_segments on its own bus: packets laid out in segments, and what the core has to answer.

How packets lie in beats is told by gcmforge.sim.segmented.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bench import Bench, Chance, Sink, Source, compile_bench, never, run
from leaf_models import aes_texts, dot_text, multiplier_text

from gcmforge.config import CoreConfig
from gcmforge.config.codes import Status
from gcmforge.emit.core import core_files
from gcmforge.engines.gcm_segments.engine import ENGINE
from gcmforge.sim.segmented import TAG_FIELDS, TEXT_FIELDS, Packet
from gcmforge.sim.segmented import answers as answers_of
from gcmforge.sim.segmented import texts as texts_of


def segments_config(**options: object) -> CoreConfig:
    """A small one, with other options where they are given."""
    small = {
        "core": "segments", "iv": "96", "max_text_bytes": 2**16, "max_aad_bytes": 2**16,
        "lanes": 4, "segments": 4, "key_sizes": (128,),
    }  # fmt: skip
    return CoreConfig(**{**small, **options})


@cache
def compiled(config: CoreConfig) -> Path:
    """The library of its top, with leaves that a simulator likes."""
    files, rtl, _ = core_files(config, prove=False)
    texts = {Path(name).stem: files[name] for name in rtl if not name.startswith("bench/")}
    top = texts[ENGINE.module]
    for name, value in ENGINE.parameters(config):
        top, count = re.subn(rf"(parameter int {name} =) \d+", rf"\g<1> {value}", top)
        assert count == 1, name
    dot = dot_text(config.ghash_stages, ENGINE.dot_lanes(config))
    return compile_bench(ENGINE.module, {
        "gf128_mul": multiplier_text(1), **texts, **aes_texts(config.aes_substages),
        "gf128_dot": dot, ENGINE.module: top,
    })  # fmt: skip


# ---- the core ------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Played:
    """What came of packets. Texts and answers are in the order of the packets that have some."""

    texts: list[bytes]
    answers: list[tuple[bytes, Status]]
    in_cycles: list[int]
    """Of each beat that went in."""
    text_cycles: list[int]
    tag_cycles: list[int]
    holds: bool
    """No text of a packet whose status is not OK."""


class Segmented(Bench):
    """A core and its keys."""

    def __init__(self, config: CoreConfig, *, seed: int = 1) -> None:
        super().__init__(compiled(config), clock="aclk", reset="aresetn", reset_level=0, seed=seed)
        self.config = config

    def load(self, key: bytes, context: int = 0, *, size: int | None = None) -> None:
        """A key, until it is usable."""
        size = len(key) // 8 - 2 if size is None else size
        word = {
            "s_key_tdata": int.from_bytes(key, "little"), "s_key_size": size,
            "s_key_context": context,
        }  # fmt: skip
        source = Source(self, "s_key_tvalid", "s_key_tready", [word])
        run(self, [source], lambda: source.done and bool(self.get("s_key_tready")))

    def play(
        self,
        words: Sequence[dict[str, int]],
        answers: int,
        *,
        idle: Chance = never,
        text_wait: Chance = never,
        tag_wait: Chance = never,
        more: Sequence[Source] = (),
    ) -> Played:
        """Beats in, until there are so many answers and nothing more comes."""
        source = Source(self, "s_axis_tvalid", "s_axis_tready", words, idle=idle)
        text = Sink(self, "m_axis_tvalid", "m_axis_tready",
                    [f"m_axis_{name}" for name in TEXT_FIELDS], wait=text_wait)  # fmt: skip
        tags = Sink(self, "m_tag_tvalid", "m_tag_tready",
                    [f"m_tag_{name}" for name in TAG_FIELDS], wait=tag_wait)  # fmt: skip

        def there() -> bool:
            found = sum(ena.bit_count() for _, ena, _ in tags.got)
            return source.done and found == answers and all(one.done for one in more)

        run(self, [source, text, tags, *more], there, limit=40 * len(words) + 20_000)
        drained = self.cycle + (400 if self.config.release_engine.holds else 12)
        run(self, [text, tags], lambda: self.cycle >= drained)
        return Played(
            texts=texts_of(self.config, text.got), answers=answers_of(self.config, tags.got),
            in_cycles=source.sent, text_cycles=text.cycles, tag_cycles=tags.cycles,
            holds=self.config.release_engine.holds,
        )  # fmt: skip


def check(packets: Sequence[Packet], played: Played) -> None:
    """Every text, tag and status is the right one."""
    assert played.answers == [(packet.answer, packet.status) for packet in packets]
    assert played.texts == [
        packet.out
        for packet in packets
        if packet.out and (packet.status is Status.OK or not played.holds)
    ]
