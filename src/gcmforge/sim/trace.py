# SPDX-License-Identifier: Apache-2.0
"""What a core does cycle by cycle in two packets: the timing diagram of its datasheet.

The simulator is the one that `gcmforge verify` compiles; it is run a cycle at a time and its
counters are read in between, so every transfer has its own cycle. All answers are checked.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from gcmforge.cache import cached, digest
from gcmforge.config import CoreConfig
from gcmforge.sim.core import Core, compare
from gcmforge.sim.directions import decrypts
from gcmforge.sim.driver import Batch, Simulation
from gcmforge.sim.operations import LoadKey, Operation, Packet, packets_of
from gcmforge.sim.packing import Answer
from gcmforge.sim.reference import answer

WAITING = "s_axis waiting"
"""Cycles in which a beat was offered and not taken."""
_COUNTERS = {
    "s_cmd": "commands", "s_axis": "in_beats", WAITING: "in_refused", "m_axis": "out_beats",
    "m_tag": "tags",
}  # fmt: skip


class TraceError(RuntimeError):
    """The core gave a wrong answer, or none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Section:
    """One packet of the trace."""

    direction: str
    """encrypt or decrypt"""
    aad_bytes: int
    text_bytes: int
    aad_beats: int
    """0 where the AAD came in the same beat as text."""
    text_beats: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Trace:
    """Cycles of each stream's transfers, counted from the first command's."""

    packets: tuple[Section, ...]
    transfers: Mapping[str, tuple[int, ...]]
    """By stream, and WAITING."""

    @property
    def last_cycle(self) -> int:
        return max(max(cycles, default=0) for cycles in self.transfers.values())

    @property
    def first_text_latency_cycles(self) -> int:
        """From the first beat of text in to the first out, of a packet in an idle core."""
        return self.transfers["m_axis"][0] - self.transfers["s_axis"][self.packets[0].aad_beats]

    @property
    def tag_latency_cycles(self) -> int:
        """From that packet's last beat in to its tag."""
        first = self.packets[0]
        last_beat = first.aad_beats + first.text_beats - 1
        return self.transfers["m_tag"][0] - self.transfers["s_axis"][last_beat]

    def to_mapping(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Trace:
        return cls(
            packets=tuple(Section(**packet) for packet in values["packets"]),
            transfers={name: tuple(cycles) for name, cycles in values["transfers"].items()},
        )


def check_simulator() -> None:
    """ToolError, which says what to install, unless everything is there that a trace needs."""
    from gcmforge import tools

    tools.verilator_version()
    tools.cxx_version()
    tools.package_folder("cryptography", "cryptography, which computes expected answers,", "sim")


def trace_core(config: CoreConfig, files: Mapping[str, str]) -> Trace:
    """The trace of a core that is still texts (path in its folder -> text), kept in the cache."""
    from gcmforge.tools import verilator_version

    own = Path(__file__).read_text()
    key = digest("trace", own, verilator_version(), *core_texts(files))
    return Trace.from_mapping(cached("trace", key, lambda: _traced(config, files).to_mapping()))


def core_texts(files: Mapping[str, str]) -> list[str]:
    """What decides what a core does: its SystemVerilog and its configuration."""
    kept = (name for name in sorted(files) if name.endswith(".sv") or name == "core.toml")
    return [f"{name}\n{files[name]}" for name in kept]


def _traced(config: CoreConfig, files: Mapping[str, str]) -> Trace:
    with core_folder(files) as folder, Core(folder).simulation() as simulation:
        return play_trace(simulation, config)


@contextmanager
def core_folder(files: Mapping[str, str]) -> Iterator[Path]:
    """A folder that holds the files, there for as long as it is used."""
    with tempfile.TemporaryDirectory(prefix="gcmforge-core-") as name:
        folder = Path(name, "core")
        for file, text in files.items():
            path = folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        yield folder


def play_trace(simulation: Simulation, config: CoreConfig) -> Trace:
    """Two packets, one after the other, on an idle core whose key is in place."""
    key, before, *more = _operations(config)
    _check(packets_of([before]), simulation.play([key, before]))
    if config.iv == "counter":
        simulation.play([key])  # so that IVs count from 0 again
    operations = [before, *more]
    packets = packets_of(operations)
    counts = [simulation.counters()]
    batch = simulation.play(
        operations, cycles_per_call=1, progress=lambda cycle: counts.append(simulation.counters())
    )
    _check(packets, batch)
    transfers: dict[str, list[int]] = {stream: [] for stream in _COUNTERS}
    for last, now in pairwise(counts):
        for stream, name in _COUNTERS.items():
            if getattr(now, name) > getattr(last, name):
                transfers[stream].append(now.cycles)
    first = transfers["s_cmd"][0]
    return Trace(
        packets=tuple(map(_section, packets, batch.answers)),
        transfers={
            stream: tuple(cycle - first for cycle in cycles) for stream, cycles in transfers.items()
        },
    )


def _check(packets: Sequence[Packet], batch: Batch) -> None:
    if batch.hang:
        raise TraceError(f"the core hangs: {batch.hang}")
    if batch.violations:
        raise TraceError(f"the core breaks a rule of its streams: {batch.violations[0].rule}")
    for number, (packet, got) in enumerate(zip(packets, batch.answers, strict=True)):
        for failure in compare(packet, got, packet_number=number, seed=0):
            raise TraceError(str(failure))


def _operations(config: CoreConfig) -> list[Operation]:
    """A key, then a packet of AAD and four beats of text, and a shorter one that is decrypted. A
    core that makes IVs counts those that are encrypted (SP 800-38D, section 8.2.1), and gets the
    key again where no IV is left."""
    draw = random.Random(2012)
    key = draw.randbytes(max(config.key_sizes) // 8)
    load = LoadKey(context=0, key=key)
    beat = 16 * config.lanes
    operations: list[Operation] = [load]
    for number, (wish, aad_bytes, text_bytes) in enumerate(
        ((False, 13, 3 * beat + beat // 2), (True, 0, 2 * beat - 3))
    ):
        decrypt = decrypts(config, wish)
        iv, aad, text = draw.randbytes(12), draw.randbytes(aad_bytes), draw.randbytes(text_bytes)
        if config.iv == "counter" and not decrypt:
            iv = load.fixed + (number % config.iv_limit).to_bytes(8, "big")
            if number and not number % config.iv_limit:
                operations.append(load)
        tag = None
        if decrypt:
            sealed = answer(
                key=key, decrypt=False, iv=iv, aad=aad, text=text, tag=None, tag_bytes=16,
                length_first=config.length_first,
            )  # fmt: skip
            text, tag = sealed.text, sealed.tag
        operations.append(
            Packet(
                context=0, decrypt=decrypt, iv=iv, aad=aad, text=text, tag=tag, tag_bytes=16,
                expect=answer(
                    key=key, decrypt=decrypt, iv=iv, aad=aad, text=text, tag=tag, tag_bytes=16,
                    length_first=config.length_first,
                ),
                label=f"packet {number} of the trace",
            )
        )  # fmt: skip
    return operations


def _section(packet: Packet, got: Answer) -> Section:
    return Section(
        direction="decrypt" if packet.decrypt else "encrypt",
        aad_bytes=len(packet.aad),
        text_bytes=len(packet.text),
        aad_beats=got.in_beats - got.out_beats,
        text_beats=got.out_beats,
    )
