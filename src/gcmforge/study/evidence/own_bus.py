# SPDX-License-Identifier: Apache-2.0
"""A built core with a bus of its own, compiled with that bus as the top and driven from Python."""

from __future__ import annotations

import ctypes
import shutil
import struct
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gcmforge import tools
from gcmforge.config import CoreConfig
from gcmforge.config.architecture import Architecture, architecture_of
from gcmforge.emit import build_core
from gcmforge.sim.compile import core_sources
from gcmforge.sim.leaves import simulated_leaf

_FLAGS = (
    "--cc", "--no-timing", "--assert", "-O3", "-Wno-fatal", "-Wno-lint", "--x-assign", "unique",
    "--x-initial", "unique",
)  # fmt: skip
_CXX = (
    "-std=gnu++17", "-fPIC", "-w", "-shared", "-Wl,-Bsymbolic", "-DVERILATOR=1",
    *(f"-DVM_{name}=0" for name in ("COVERAGE", "SC", "TIMING", "TRACE", "TRACE_FST", "TRACE_VCD")),
)  # fmt: skip
_HARNESS = Path(__file__).with_name("own_bus.cpp")
WRONG = {
    1: "the core hangs", 2: "an assertion of the RTL failed",
    3: "a word changed while it waited",
}  # fmt: skip
Pauses = tuple[float, float, float]
"""Of the sender, of the receiver of text, of that of tags: how often each is not ready."""
_KEY = struct.Struct("<32sIII")


@dataclass(frozen=True, kw_only=True, slots=True)
class Wires:
    """What differs between buses: fields of text and of answers in their order, how many packets an
    answer is about (C++), whether s_key_tready is high again when a key is usable."""

    text: tuple[str, ...]
    tag: tuple[str, ...]
    answered: str
    ready_again: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Loaded:
    """A key that comes when so many beats have gone in."""

    key: bytes
    context: int
    after: int
    size: int | None = None
    """On s_key_size, if it is not that of the key."""

    @property
    def packed(self) -> bytes:
        size = len(self.key) // 8 - 2 if self.size is None else self.size
        return _KEY.pack(self.key, size, self.context, self.after)


@dataclass(frozen=True, kw_only=True, slots=True)
class Raw:
    """Cycles of transfers, and words as they came."""

    in_cycles: Sequence[int]
    text_cycles: Sequence[int]
    tag_cycles: Sequence[int]
    key_cycles: Sequence[int]
    text: Sequence[tuple[int, ...]]
    tags: Sequence[tuple[int, ...]]
    wrong: str | None
    """Why the run ended before its end."""


def own(config: CoreConfig) -> Architecture:
    """The descriptor of a core with a bus of its own."""
    found = architecture_of(config)
    if found is None:
        raise ValueError(f"core={config.core} has no bus of its own")
    return found


def library(config: CoreConfig, wires: Wires, work: Path, *, optimise: str = "-O1") -> Path:
    """Built, its leaves proven and simulated as what they were proven to be, compiled."""
    core = build_core(config, work / "core", prove=False).path
    model = work / "model"
    model.mkdir()
    sources = []
    for source in core_sources(core):
        leaf = simulated_leaf(source, config)
        if leaf is not None and leaf.text is not None:
            source = model / source.name
            source.write_text(leaf.text, encoding="utf-8")
        sources.append(source)
    top = own(config).module
    flags = [*_FLAGS, "--prefix", f"V{top}", "--top-module", top, "--Mdir", str(model)]
    _run(
        [str(tools.verilator_binary()), *flags, *map(str, sources)],
        environment=tools.verilator_environment(),
    )
    for name, fields in fields_of(config, wires).items():
        lines = [f"FIELD({port})" for port, _ in fields]
        (model / f"bus_{name}.h").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (model / "bus_core.h").write_text(
        f'#include "V{top}.h"\n'
        f"using Core = V{top};\n"
        f"inline int answered(const Core& core) {{ return {wires.answered}; }}\n"
        f"constexpr bool kReadyAgain = {str(wires.ready_again).lower()};\n",
        encoding="utf-8",
    )
    include = tools.verilator_root() / "include"
    whole = model / "whole.cpp"
    parts = [_HARNESS, *sorted(model.glob(f"V{top}*.cpp"))]
    parts += [include / "verilated.cpp", include / "verilated_threads.cpp"]
    whole.write_text("".join(f'#include "{part}"\n' for part in parts), encoding="utf-8")
    made = work / "bus.so"
    folders = [f"-I{folder}" for folder in (model, include, include / "vltstd")]
    flags = [*_CXX, optimise, *folders, "-pthread"]
    _run([*tools.cxx_command(), *flags, "-o", str(made), str(whole)])
    shutil.rmtree(model)
    return made


def _run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
    run = subprocess.run(
        command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if run.returncode:
        raise tools.ToolError("\n".join(run.stdout.splitlines()[-20:]))


def fields_of(config: CoreConfig, wires: Wires) -> dict[str, list[tuple[str, int]]]:
    """Of what goes in, of text, of tags: ports and the bytes in which Verilator keeps them."""
    found: dict[str, list[tuple[str, int]]] = {"in": [], "text": [], "tag": []}
    streams = {
        "text": [f"m_axis_{name}" for name in wires.text],
        "tag": [f"m_tag_{name}" for name in wires.tag],
    }
    for name, _, bits, _ in own(config).ports(config):
        size = next((n for n in (1, 2, 4, 8) if bits <= 8 * n), 4 * -(-bits // 32))
        if name.startswith("s_axis_") and name not in ("s_axis_tvalid", "s_axis_tready"):
            found["in"].append((name, size))
        for stream, names in streams.items():
            if name in names:
                found[stream].append((name, size))
    for stream, names in streams.items():
        found[stream].sort(key=lambda field, order=names: order.index(field[0]))  # type: ignore[misc]
    return found


class OwnBus:
    """A running core."""

    def __init__(self, config: CoreConfig, wires: Wires, made: Path, *, seed: int = 1) -> None:
        self.config = config
        self._fields = fields_of(config, wires)
        self._lib = ctypes.CDLL(str(made))
        self._lib.bus_new.restype = ctypes.c_void_p
        self._lib.bus_key.restype = ctypes.c_long
        self._core = ctypes.c_void_p(self._lib.bus_new(ctypes.c_uint(seed)))

    def close(self) -> None:
        self._lib.bus_delete(self._core)

    def load(self, key: bytes, context: int) -> None:
        """A key, until it is usable."""
        word = ctypes.create_string_buffer(key.ljust(32, b"\0"), 32)
        size = len(key) // 8 - 2
        if self._lib.bus_key(self._core, word, ctypes.c_uint(size), ctypes.c_uint(context)) < 0:
            raise ValueError(f"a key of {len(key)} bytes for context {context} is never usable")

    def run(
        self,
        words: Sequence[Mapping[str, int]],
        answers: int,
        most: int,
        *,
        pauses: Pauses = (0, 0, 0),
        holds: float = 0.0,
        keys: Sequence[Loaded] = (),
    ) -> Raw:
        """Words in, until so many packets are answered; no more than `most` words come out.

        `holds`: in how many of the cycles a receiver begins to take nothing for 30 to 250 cycles.
        Where it is not 0, every other key is followed by such a time, too.
        """
        count = len(words)
        text_size = sum(size for _, size in self._fields["text"])
        tag_size = sum(size for _, size in self._fields["tag"])
        given = b"".join(
            word[name].to_bytes(size, "little")
            for word in words
            for name, size in self._fields["in"]
        )
        text = ctypes.create_string_buffer((most + 1) * text_size)
        tag = ctypes.create_string_buffer((most + 1) * tag_size)
        cycles = [(ctypes.c_uint64 * size)() for size in (count, most + 1, most + 1)]
        key_cycles = (ctypes.c_uint64 * max(1, len(keys)))()
        counts = [ctypes.c_long(), ctypes.c_long()]
        state = self._lib.bus_play(
            self._core, given, ctypes.c_long(count), ctypes.c_long(answers),
            (ctypes.c_uint * 4)(*(round(256 * part) for part in pauses), round(65536 * holds)),
            cycles[0], text, cycles[1], ctypes.byref(counts[0]),
            tag, cycles[2], ctypes.byref(counts[1]),
            b"".join(key.packed for key in keys), ctypes.c_long(len(keys)), key_cycles,
        )  # fmt: skip
        return Raw(
            in_cycles=list(cycles[0]),
            text_cycles=list(cycles[1])[: counts[0].value],
            tag_cycles=list(cycles[2])[: counts[1].value],
            key_cycles=list(key_cycles)[: len(keys)],
            text=self._read(text.raw, "text", counts[0].value),
            tags=self._read(tag.raw, "tag", counts[1].value),
            wrong=WRONG.get(state),
        )

    def _read(self, data: bytes, stream: str, count: int) -> list[tuple[int, ...]]:
        sizes = [size for _, size in self._fields[stream]]
        found, at = [], 0
        for _ in range(count):
            word = []
            for size in sizes:
                word.append(int.from_bytes(data[at : at + size], "little"))
                at += size
            found.append(tuple(word))
        return found
