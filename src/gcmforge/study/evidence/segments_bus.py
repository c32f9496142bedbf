# SPDX-License-Identifier: Apache-2.0
"""A built core with segments, compiled with its own bus as the top and driven from Python."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gcmforge import tools
from gcmforge.config import CoreConfig
from gcmforge.config.codes import Status
from gcmforge.emit import build_core
from gcmforge.engines.gcm_segments.engine import ENGINE, SEGMENTS
from gcmforge.sim.compile import core_sources
from gcmforge.sim.leaves import simulated_leaf
from gcmforge.sim.segmented import TAG_FIELDS, TEXT_FIELDS, Packet, answers, beats, texts

_FLAGS = (
    "--cc", "--no-timing", "--assert", "-O3", "-Wno-fatal", "-Wno-lint", "--x-assign", "unique",
    "--x-initial", "unique", "--prefix", "Vgcm_segments",
)  # fmt: skip
_CXX = (
    "-std=gnu++17", "-fPIC", "-w", "-shared", "-Wl,-Bsymbolic", "-DVERILATOR=1",
    *(f"-DVM_{name}=0" for name in ("COVERAGE", "SC", "TIMING", "TRACE", "TRACE_FST", "TRACE_VCD")),
)  # fmt: skip
_HARNESS = Path(__file__).with_name("segments_bus.cpp")
WRONG = {
    1: "the core hangs", 2: "an assertion of the RTL failed",
    3: "a word changed while it waited",
}  # fmt: skip
Pauses = tuple[float, float, float]
"""Of the sender, of the receiver of text, of that of tags: how often each is not ready."""


@dataclass(frozen=True, kw_only=True)
class Played:
    """Cycles of transfers, and what differs from what had to come."""

    in_cycles: Sequence[int]
    text_cycles: Sequence[int]
    tag_cycles: Sequence[int]
    tags: Sequence[int]
    """Packets answered in each transfer."""
    wrong: tuple[str, ...]


def library(config: CoreConfig, work: Path, *, optimise: str = "-O1") -> Path:
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
    flags = [*_FLAGS, "--top-module", ENGINE.module, "--Mdir", str(model)]
    _run(
        [str(tools.verilator_binary()), *flags, *map(str, sources)],
        environment=tools.verilator_environment(),
    )
    for name, fields in _fields(config).items():
        lines = [f"FIELD({port})" for port, _ in fields]
        (model / f"bus_{name}.h").write_text("\n".join(lines) + "\n", encoding="utf-8")
    include = tools.verilator_root() / "include"
    whole = model / "whole.cpp"
    parts = [_HARNESS, *sorted(model.glob("Vgcm_segments*.cpp"))]
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


def _fields(config: CoreConfig) -> dict[str, list[tuple[str, int]]]:
    """Of what goes in, of text, of tags: ports and the bytes in which Verilator keeps them."""
    found: dict[str, list[tuple[str, int]]] = {"in": [], "text": [], "tag": []}
    streams = {
        "text": [f"m_axis_{name}" for name in TEXT_FIELDS],
        "tag": [f"m_tag_{name}" for name in TAG_FIELDS],
    }
    for name, _, bits, _ in ENGINE.ports(config):
        size = next((n for n in (1, 2, 4, 8) if bits <= 8 * n), 4 * -(-bits // 32))
        if name.startswith("s_axis_") and name not in ("s_axis_tvalid", "s_axis_tready"):
            found["in"].append((name, size))
        for stream, names in streams.items():
            if name in names:
                found[stream].append((name, size))
    for stream, names in streams.items():
        found[stream].sort(key=lambda field, order=names: order.index(field[0]))  # type: ignore[misc]
    return found


class Bus:
    """A running core."""

    def __init__(self, config: CoreConfig, made: Path, *, seed: int = 1) -> None:
        self.config = config
        self._fields = _fields(config)
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

    def play(
        self, packets: Sequence[Packet], *, pauses: Pauses = (0, 0, 0), words: Sequence[
            Mapping[str, int]] | None = None,
    ) -> Played:  # fmt: skip
        """Packets, and whether every text, tag and status is the right one."""
        words = list(beats(self.config, packets)) if words is None else words
        count, most = len(words), len(words) * (self.config[SEGMENTS] + 1)
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
        counts = [ctypes.c_long(), ctypes.c_long()]
        state = self._lib.bus_play(
            self._core, given, ctypes.c_long(count), ctypes.c_long(len(packets)),
            (ctypes.c_uint * 3)(*(round(256 * part) for part in pauses)),
            cycles[0], text, cycles[1], ctypes.byref(counts[0]),
            tag, cycles[2], ctypes.byref(counts[1]),
        )  # fmt: skip
        got_text = self._read(text.raw, "text", counts[0].value)
        got_tags = self._read(tag.raw, "tag", counts[1].value)
        return Played(
            in_cycles=list(cycles[0]),
            text_cycles=list(cycles[1])[: counts[0].value],
            tag_cycles=list(cycles[2])[: counts[1].value],
            tags=[ena.bit_count() for _, ena, _ in got_tags],
            wrong=(WRONG[state],) if state else tuple(self._wrong(packets, got_text, got_tags)),
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

    def _wrong(
        self,
        packets: Sequence[Packet],
        text: Sequence[tuple[int, ...]],
        tags: Sequence[tuple[int, ...]],
    ) -> Iterable[str]:
        """Of each packet, what differs."""
        expected = [(packet.answer, packet.status) for packet in packets]
        found: list[tuple[bytes, Status]] = answers(self.config, tags)
        for number, (want, got) in enumerate(zip(expected, found, strict=False)):
            if want != got:
                yield f"packet {number}: answer {got}, not {want}"
        if len(expected) != len(found):
            yield f"{len(found)} answers for {len(expected)} packets"
        holds = self.config.release_engine.holds
        outs = [
            packet.out
            for packet in packets
            if packet.out and (packet.status is Status.OK or not holds)
        ]
        came = texts(self.config, text)
        for number, (wanted, out) in enumerate(zip(outs, came, strict=False)):
            if wanted != out:
                yield f"text {number}: {out.hex()}, not {wanted.hex()}"
        if len(outs) != len(came):
            yield f"{len(came)} texts for {len(outs)} packets with text"
