# SPDX-License-Identifier: Apache-2.0
"""A built core's module as a bench, with leaves of one stage that simulate quickly."""

import random
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from bench import Bench, Source, compile_bench, run
from leaf_models import aes_texts, dot_text, key_texts, multiplier_text

from gcmforge.config import CoreConfig
from gcmforge.emit import BuiltCore
from gcmforge.emit.core import core_files


def compiled(core: BuiltCore, top: str, changed: Mapping[str, str] | None = None) -> Path:
    """The shared library of `top`; S-box and multiplier compute what their leaves compute,
    and `changed` has modules to put in the place of the core's."""
    texts = {Path(name).stem: (core.path / name).read_text() for name in core.rtl}
    quick = aes_texts(1) | {"gf128_mul": multiplier_text(1)} | dict(changed or {})
    return compile_bench(top, {name: quick.get(name, text) for name, text in texts.items()})


def core_texts(config: CoreConfig) -> dict[str, str]:
    """The core's modules by name in compile order, with leaves for a simulator."""
    files = core_files(config, prove=False)[0]
    found = {Path(name).stem: text for name, text in files.items() if name.endswith(".sv")}
    order = [Path(name).stem for name in files["gcm_axis.f"].split()]
    found = {name: found[name] for name in order}
    found |= {name: leaf for name, leaf in aes_texts(1).items() if name in found}
    found["gf128_mul"] = multiplier_text(config.ghash_stages)
    if "gf128_dot" in found:
        text = dot_text(config.ghash_stages, config.ghash_lanes)
        found["gf128_dot"] = text.replace("gf128_mul u_", "product u_")
        found["product"] = multiplier_text(1).replace("module gf128_mul ", "module product ")
    if "gf128_dot_stored" in found:
        made = key_texts(config.ghash_stages, [config.ghash_lanes])
        own = f"_p{config.ghash_stages}q{config.ghash_lanes}"
        found["gf128_dot_stored"] = made[f"stored_{config.ghash_lanes}"].replace(own, "")
        found["gf128_key"] = made["gf128_key"]
    return found


@cache
def library(config: CoreConfig) -> Path:
    """The core's shared library."""
    return compile_bench(config.top, core_texts(config))


class CoreBench(Bench):
    """A core and its ports; text and answers are taken, nothing is offered."""

    def __init__(self, path: Path, config: CoreConfig) -> None:
        super().__init__(path, clock="aclk", reset="aresetn", reset_level=0)
        self.config = config
        for name in self.widths:
            if name not in ("aclk", "aresetn"):
                self.put(name, 0)
        self.put("m_axis_tready", 1)
        self.put("m_tag_tready", 1)

    def idle(self, cycles: int) -> None:
        for _ in range(cycles):
            self.settle()
            self.edge()
        self.settle()

    def words(
        self, prefix: str, words: Iterable[Mapping[str, int]], others: random.Random | None = None
    ) -> list[dict[str, int]]:
        """Words of those fields that the core has; others that it has are zero, or drawn."""
        names = [name for name in self.widths if name.startswith(f"{prefix}_")]
        own = [name for name in names if not name.endswith(("_tvalid", "_tready"))]

        def field(word: Mapping[str, int], name: str) -> int:
            drawn = others.getrandbits(self.widths[name]) if others else 0
            return word.get(name.removeprefix(f"{prefix}_"), drawn)

        return [{name: field(word, name) for name in own} for word in words]

    def stream(
        self, prefix: str, words: list[dict[str, int]], others: random.Random | None = None
    ) -> Source:
        full = self.words(prefix, words, others)
        return Source(self, f"{prefix}_tvalid", f"{prefix}_tready", full)

    def clear(self, source: Source) -> None:
        """Nothing of its words stays on the ports."""
        for name in source.words[0]:
            self.put(name, 0)

    @property
    def header(self) -> bytes:
        """What a profile adds in front of the AAD, when all of its fields are zero."""
        assert self.config.profile in ("none", "ipsec")
        return bytes(8) if self.config.profile == "ipsec" else b""

    def load(self, keys: list[bytes], size: int = 2, salts: random.Random | None = None) -> None:
        """Keys into contexts 0 and up, and away from the port; ready again when all is done. With
        them go salts, where the core takes some: drawn, or zero."""
        kind = {"fixed": 0, "size": size, "esn": int(salts is not None)}
        words = [
            kind | {"tdata": int.from_bytes(key, "little"), "context": c}
            for c, key in enumerate(keys)
        ]
        source = self.stream("s_key", words, salts)
        run(self, [source], lambda: source.done)
        self.clear(source)
        self.idle(1)
        while not self.get("s_key_tready"):
            self.idle(1)

    def packet(self, text: bytes) -> tuple[dict[str, int], list[dict[str, int]]]:
        """A command for context 0 to be encrypted, with an IV of zeros, and its data."""
        lanes = 16 * self.config.lanes
        command = {
            "context": 0, "decrypt": 0, "tag": 0, "tag_bytes": 16, "iv_bytes": 12, "iv": 0,
            "text_beats": -(-len(text) // lanes),
        }  # fmt: skip
        pieces = [text[at : at + lanes] for at in range(0, len(text), lanes)]
        beats = [
            {"tdata": int.from_bytes(piece, "little"), "tkeep": (1 << len(piece)) - 1, "tuser": 1,
             "tlast": piece is pieces[-1]}
            for piece in pieces
        ]  # fmt: skip
        return command, beats
