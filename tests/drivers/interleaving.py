# SPDX-License-Identifier: Apache-2.0
"""gcm_streams on its own bus: beats of packets in any order, and what the core has to answer.

What packets are, and what has to come of them, is told by gcmforge.sim.interleaved.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bench import Bench, Chance, Sink, Source, compile_bench, never, run
from leaf_models import aes_texts, multiplier_text

from gcmforge.config import CoreConfig
from gcmforge.emit.core import core_files
from gcmforge.engines.gcm_streams.engine import ENGINE
from gcmforge.sim.interleaved import (
    TAG_FIELDS,
    TEXT_FIELDS,
    Packet,
    Place,
    awaited,
    differences,
    outcome,
    words,
)


def streams_config(**options: object) -> CoreConfig:
    """A small one, with other options where they are given."""
    small = {
        "core": "streams", "iv": "96", "max_text_bytes": 2**16, "max_aad_bytes": 2**16,
        "streams": 4, "key_sizes": (128,), "contexts": 2,
    }  # fmt: skip
    return CoreConfig(**{**small, **options})


@cache
def compiled(config: CoreConfig) -> Path:
    """The library of its top, with leaves that a simulator likes."""
    files, rtl, _ = core_files(config, prove=False)
    texts = {Path(name).stem: files[name] for name in rtl if not name.startswith("bench/")}
    top = texts[ENGINE.module]
    for name, value in ENGINE.parameters(config):
        assert re.search(rf"parameter int {name} = {value}\b", top), name
    return compile_bench(ENGINE.module, {
        **texts, **aes_texts(config.aes_substages),
        "gf128_mul": multiplier_text(config.ghash_stages),
    })  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Played:
    """Words as they came, and when."""

    text: list[tuple[int, ...]]
    tags: list[tuple[int, ...]]
    in_cycles: list[int]
    text_cycles: list[int]
    tag_cycles: list[int]


class Interleaved(Bench):
    """A core and its keys."""

    def __init__(self, config: CoreConfig, *, seed: int = 1) -> None:
        super().__init__(compiled(config), clock="aclk", reset="aresetn", reset_level=0, seed=seed)
        self.config = config
        self.held: dict[int, bytes] = {}

    def key(self, key: bytes, context: int = 0, *, size: int | None = None, **more) -> Source:
        """A key that is offered."""
        word = {
            "s_key_tdata": int.from_bytes(key, "little"),
            "s_key_size": len(key) // 8 - 2 if size is None else size, "s_key_context": context,
        }  # fmt: skip
        return Source(self, "s_key_tvalid", "s_key_tready", [word], **more)

    def load(self, key: bytes, context: int = 0, *, size: int | None = None) -> None:
        """A key, until it is usable: packets would wait for it."""
        source = self.key(key, context, size=size)
        run(self, [source], lambda: source.done)
        usable = self.cycle + ENGINE.key_cycles(self.config)
        run(self, [], lambda: self.cycle >= usable)
        self.held[context] = key
        if size is not None:
            del self.held[context]

    def play(
        self,
        packets: Sequence[Packet],
        order: Sequence[Place],
        *,
        idle: Chance = never,
        text_wait: Chance = never,
        tag_wait: Chance = never,
        more: Sequence[Source] = (),
    ) -> Played:
        """Beats in, until each packet is answered and nothing more comes."""
        given = words(packets, order)
        source = Source(self, "s_axis_tvalid", "s_axis_tready", given, idle=idle)
        text = Sink(self, "m_axis_tvalid", "m_axis_tready",
                    [f"m_axis_{name}" for name in TEXT_FIELDS], wait=text_wait)  # fmt: skip
        tags = Sink(self, "m_tag_tvalid", "m_tag_tready",
                    [f"m_tag_{name}" for name in TAG_FIELDS], wait=tag_wait)  # fmt: skip

        def there() -> bool:
            return source.done and len(tags.got) == len(packets) and all(one.done for one in more)

        run(self, [source, text, tags, *more], there, limit=40 * len(given) + 20_000)
        drained = self.cycle + 12
        run(self, [text, tags], lambda: self.cycle >= drained)
        return Played(
            text=text.got, tags=tags.got, in_cycles=source.sent, text_cycles=text.cycles,
            tag_cycles=tags.cycles,
        )  # fmt: skip

    def check(self, packets: Sequence[Packet], order: Sequence[Place], **more) -> Played:
        """Played, and every word is the right one under the keys that contexts hold."""
        limits = (self.config.max_aad_bytes, self.config.max_text_bytes)
        played = self.play(packets, order, **more)
        results = [outcome(one, self.held.get(one.context), limits) for one in packets]
        compare(packets, order, results, played)
        return played


def compare(packets, order, results, played: Played) -> None:
    """Every word of text and every answer is the one that has to come, in order."""
    text, tags = awaited(packets, order, results)
    assert list(differences("text", played.text, text)) == []
    assert list(differences("answers", played.tags, tags)) == []
