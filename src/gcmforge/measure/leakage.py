# SPDX-License-Identifier: Apache-2.0
"""Whether the simulated power of a core tells of its key: fixed against random keys.

Every trace is a key, its H, and a packet that is decrypted and refused: nothing public depends on
the key in it, as its text is empty and its tag wrong. Half of the traces, drawn at random, have one
fixed key, the others a new one each; a key of two shares gets a new sharing in every trace. A trace
has the energy of each cycle, from the mapped netlist with the delays of its gates, so that glitches
count (gcmforge.power). There is no noise in it: what shows here in so many traces takes a
measurement more of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gcmforge.measure.subject import MeasureError, find_subject
from gcmforge.netlist.targets import Target, library_of
from gcmforge.power.running import Ports, Running
from gcmforge.power.ttest import THRESHOLD, TTest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gcmforge.power.design import EventDesign

    Bytes = NDArray[np.uint8]
    Ints = NDArray[np.int64]

Progress = Callable[[str], None]
Randomness = Literal["fresh", "zero"]

FIXED_KEY = bytes(range(16))
BATCH = 64
"""Traces in one call of the kernel."""
WATCHED_CYCLES = 3
"""Cycles that are looked into, net by net, after the test has failed."""
_NETS_BATCHES = 4
_STREAMS = ("s_key", "s_cmd", "s_axis")
_TURNS = {1: 16, 16: 11}
"""Cycles after which a core's control begins again, by the bytes of its streams."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Leakage:
    """What the test found; t by cycle of a trace."""

    core: str
    target: str
    traces: int
    randomness: str
    first: tuple[float, ...]
    second: tuple[float, ...]
    fails_at: int | None
    """Traces after which |t| of first order was above the threshold for the first time, and stayed
    so; batches are looked at one after another."""
    nets: tuple[tuple[int, str, float], ...]
    """Where it leaks: (cycle, net, t of its edges), the worst first."""

    @property
    def worst(self) -> float:
        return max(map(abs, self.first))

    @property
    def worst_second(self) -> float:
        return max(map(abs, self.second))


def leakage(
    what: str | Path,
    target: Target,
    *,
    traces: int = 1000,
    seed: int = 1,
    randomness: Randomness = "fresh",
    progress: Progress = lambda step: None,
) -> Leakage:
    """The t-test of a core with streams of bytes, or of a masked one, on a target."""
    if traces < 2 * BATCH:
        raise MeasureError(f"traces={traces}: use {2 * BATCH} or more")
    subject = find_subject(what)
    names = {name for name, _, _ in subject.ports}
    if not {"s_key_tlast", "s_key_tmask"} & names:
        raise MeasureError(f"{what}: the test for leakage takes cores with streams of bytes, and "
                           "masked cores")  # fmt: skip
    design = _design(what, target, progress)
    traffic = _Traffic(design, seed, randomness)
    try:
        return _tested(str(what), target, traffic, traces, progress)
    finally:
        traffic.running.close()


def _design(what: str | Path, target: Target, progress: Progress) -> EventDesign:
    from gcmforge.power.power import event_design
    from gcmforge.synth.synthesis import synthesise

    subject = find_subject(what)
    with subject.folder() as folder:
        files = [folder / name for name in subject.texts]
        made = synthesise(files, target, top=subject.top, goal="balanced", progress=progress)
    return event_design(
        made.netlist, library_of(target), driving_cell=target.driving_cell, load_ff=target.load_ff
    )


def _tested(
    core: str, target: Target, traffic: _Traffic, traces: int, progress: Progress
) -> Leakage:
    test = TTest(len(traffic.keys_at))
    fails_at: int | None = None
    while test.traces < traces:
        energy, fixed, _ = traffic.batch(min(BATCH, traces - test.traces))
        test.add(energy, fixed)
        worst = abs(test.first()).max() if test.traces > BATCH else 0.0
        fails_at = (fails_at or test.traces) if worst > THRESHOLD else None
        progress(f"leakage: {test.traces:,} of {traces:,} traces, |t| up to {worst:.2f}")
    first, second = test.first(), test.second()
    return Leakage(
        core=core,
        target=target.name,
        traces=test.traces,
        randomness=traffic.randomness,
        first=tuple(map(float, first)),
        second=tuple(map(float, second)),
        fails_at=fails_at,
        nets=_nets(traffic, first, progress) if fails_at else (),
    )


def _nets(
    traffic: _Traffic, first: NDArray[np.float64], progress: Progress
) -> tuple[tuple[int, str, float], ...]:
    """The nets whose edges tell the classes apart, in the cycles that do so most."""
    import numpy as np

    cycles = [int(c) for c in np.argsort(-abs(first))[:WATCHED_CYCLES]]
    tests = [TTest(traffic.running.nets) for _ in cycles]
    for number in range(_NETS_BATCHES):
        progress(f"leakage: nets, {number} of {_NETS_BATCHES} batches")
        _, fixed, rows = traffic.batch(BATCH, watched=sorted(cycles))
        for place, cycle in enumerate(sorted(cycles)):
            edges = rows[place :: len(cycles)].astype(np.float64)
            tests[cycles.index(cycle)].add(edges, fixed)
    names = traffic.design.bound.net_names
    found = []
    for cycle, test in zip(cycles, tests, strict=True):
        t = test.first()
        best = np.argsort(-abs(t))[:5]
        found += [(cycle, names[n] or f"net {n}", float(t[n])) for n in best]
    return tuple(found)


class _Traffic:
    """Traces of one netlist: the ports by cycle, recorded once, with other keys in each."""

    def __init__(self, design: EventDesign, seed: int, randomness: Randomness) -> None:
        import numpy as np

        self.design = design
        self.randomness = randomness
        self.ports = Ports(design)
        self.running = Running(design)
        self.draw = np.random.default_rng(seed)
        self.bytes = len(self.ports.columns["s_key_tdata"]) // 8
        self.turn = _TURNS[self.bytes]
        self.ready = [self.ports.nets(f"{stream}_tready")[0] for stream in _STREAMS]
        last = ("tvalid", "tlast") if self.bytes == 1 else ("tvalid",)
        self.answer = [self.ports.nets(f"m_tag_{name}")[0] for name in last]
        self._reset()
        first = self._recorded(FIXED_KEY)
        again = self._recorded(bytes(self.draw.bytes(16)))
        if first[1] != again[1]:
            raise MeasureError("another key was taken in other cycles: the core's timing tells it")
        rows, self.keys_at = again
        self.template = np.array(rows, dtype=np.uint8)

    def _reset(self) -> None:
        import numpy as np

        low, high = self._row(aresetn=0), self._row()
        self.running.run(np.array([low] * 4 + [high] * 12 + [high] * self.turn, dtype=np.uint8))

    def _row(self, **values: int) -> list[int]:
        idle = {"aresetn": 1, "m_axis_tready": 1, "m_tag_tready": 1}
        if "s_rnd_tvalid" in self.ports.columns:
            idle["s_rnd_tvalid"] = 1
        return self.ports.pattern(idle | values)

    def _recorded(self, key: bytes) -> tuple[list[list[int]], list[int]]:
        """Each cycle's ports, and which byte of the key is offered in it (-1: none)."""
        import numpy as np

        queues = {
            "s_key": _beats(key, self.bytes), "s_cmd": _command(self.bytes),
            "s_axis": _aad(self.bytes),
        }  # fmt: skip
        sent = dict.fromkeys(queues, 0)
        rows: list[list[int]] = []
        keys_at: list[int] = []
        answered = False
        while not answered or len(rows) % self.turn:
            values: dict[str, int] = {}
            keyed = sent["s_key"] == len(queues["s_key"]) and len(rows) >= _key_end(rows, keys_at)
            for stream, queue in queues.items():
                if sent[stream] < len(queue) and (stream == "s_key" or keyed):
                    values |= {f"{stream}_tvalid": 1}
                    values |= {
                        name: value
                        for port, value in queue[sent[stream]].items()
                        if (name := f"{stream}_{port}") in self.ports.columns
                    }
            rows.append(self._row(**values))
            keys_at.append(sent["s_key"] if "s_key_tvalid" in values else -1)
            self.running.run(np.array([self._with_random(rows[-1])], dtype=np.uint8))
            ready = self.running.values(self.ready)
            for stream, now in zip(_STREAMS, ready, strict=True):
                sent[stream] += bool(now and f"{stream}_tvalid" in values)
            answered = answered or all(self.running.values(self.answer))
            if len(rows) > 10_000:
                raise MeasureError("the core did not answer a packet")
        return rows, keys_at

    def _with_random(self, row: Sequence[int]) -> list[int]:
        row = list(row)
        if self.randomness == "fresh":
            for column in self.ports.columns.get("s_rnd_tdata", ()):
                row[column] = int(self.draw.integers(2))
        return row

    def batch(
        self, count: int, watched: Sequence[int] = ()
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_], Bytes]:
        """Traces one after another: (energy by cycle, which have the fixed key, rows of the
        watched cycles)."""
        import numpy as np

        length = len(self.keys_at)
        fixed = self.draw.integers(2, size=count).astype(bool)
        keys = self.draw.integers(256, size=(count, 16), dtype=np.uint8)
        keys[fixed] = np.frombuffer(FIXED_KEY, dtype=np.uint8)
        patterns = np.tile(self.template, (count, 1, 1))
        masks = np.zeros_like(keys)
        masked = "s_key_tmask" in self.ports.columns
        if masked and self.randomness == "fresh":
            masks = self.draw.integers(256, size=keys.shape, dtype=np.uint8)
        at = np.array(self.keys_at)
        offered = np.flatnonzero(at >= 0)
        self._put(patterns, "s_key_tdata", offered, (keys ^ masks), at)
        if masked:
            self._put(patterns, "s_key_tmask", offered, masks, at)
        if self.randomness == "fresh" and "s_rnd_tdata" in self.ports.columns:
            columns = self.ports.columns["s_rnd_tdata"]
            size = (count, length, len(columns))
            patterns[:, :, columns] = self.draw.integers(2, size=size, dtype=np.uint8)
        flags = np.zeros((count, length), dtype=np.uint8)
        flags[:, list(watched)] = 1
        energy, rows = self.running.run(patterns.reshape(count * length, -1), flags.reshape(-1))
        return energy.reshape(count, length), fixed, rows

    def _put(self, patterns: Bytes, port: str, cycles: Ints, values: Bytes, beats: Ints) -> None:
        """Bytes of every trace into a port: in each cycle the beat of that number."""
        for bit, column in enumerate(self.ports.columns[port]):
            byte = self.bytes * beats[cycles] + bit // 8
            patterns[:, cycles, column] = values[:, byte] >> bit % 8 & 1


def _beats(data: bytes, width: int, **more: int) -> list[dict[str, int]]:
    """Bytes on a stream of that many, the last one with tlast."""
    starts = range(0, len(data), width)
    return [
        {"tdata": int.from_bytes(data[n : n + width], "little"), "tlast": int(n == starts[-1])}
        | more
        for n in starts
    ]


def _key_end(rows: Sequence[object], keys_at: Sequence[int]) -> int:
    """The cycle from which the packet is offered: some time after the key, while H is made."""
    last = max((n for n, at in enumerate(keys_at) if at >= 0), default=len(rows))
    return last + 2 * _TURNS[1]


def _command(width: int) -> list[dict[str, int]]:
    """To decrypt, a tag of 16 bytes, an IV, and a tag that is wrong."""
    first, iv, tag = b"\x90", bytes(range(12)), bytes(16 * [0xA5])
    return _beats(first + iv if width == 1 else iv + first, width) + _beats(tag, width)


def _aad(width: int) -> list[dict[str, int]]:
    return _beats(bytes(range(16)), width, tkeep=(1 << width) - 1, tuser=0)
