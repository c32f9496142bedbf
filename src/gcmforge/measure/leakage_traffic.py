# SPDX-License-Identifier: Apache-2.0
"""Traces of a core for a test of leakage: the same ports in every trace, with other keys.

Traces come in batches. Each batch begins with everything at 0 and a reset, and draws what is random
from its own number: it is the same whatever ran before it, and beside it. Many batches are
simulated at once, a lane each.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gcmforge.measure.subject import MeasureError
from gcmforge.power.running import Ports, Running
from gcmforge.power.wide import MOST_LANES, Wide, energy_unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gcmforge.power.design import EventDesign

    Bytes = NDArray[np.uint8]
    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

Randomness = Literal["fresh", "zero"]
Against = Literal["random", "fixed"]
"""What the fixed value is compared with: random ones, or another fixed one."""

FIXED_KEY = bytes(range(16))
OTHER_KEY = bytes(16)
BATCH = 64
"""Traces that begin with a reset."""
_SLICE = 4
"""Traces of a batch that are drawn at once; of four, their random bits are those that the whole
batch would draw at once."""
_FEW = 8
"""Batches: fewer are simulated one after another, as that is faster."""
_GATE_STEPS = 1_000_000
"""Gates times steps in one call of the kernel, which takes a second or two: an interrupt is heard
after it."""
_STREAMS = ("s_key", "s_cmd", "s_axis")
_TURNS = {1: 16, 16: 11}
"""Cycles after which a core's control begins again, by the bytes of its streams."""
_OTHER_TURNS = {"masked_line": 297}
"""Of a core that has another number: it takes a key in every second cycle of rest, and is at rest
an odd number of cycles before a trace of 297 ends."""
_SEED_WORDS = 5
_WARM_CYCLES = 64
"""More than a generator of random bits takes after a seed."""


class Traffic:
    """Traces of one netlist: the ports by cycle, recorded once, with other keys in each.

    `batches` and `watched` may be called by several threads at once.
    """

    lanes = MOST_LANES
    """Batches at a time."""

    def __init__(
        self,
        design: EventDesign,
        seed: int,
        randomness: Randomness,
        *,
        core: str = "",
        against: Against = "random",
        seeded: bool = False,
    ) -> None:
        """core: what its option of that name says; seeded: it makes its random bits of a seed,
        which comes after each reset."""
        import numpy as np

        self.design = design
        self.seed = seed
        self.randomness = randomness
        self.against = against
        self.seeded = seeded
        self.ports = Ports(design)
        self.bytes = len(self.ports.columns["s_key_tdata"]) // 8
        self.turn = _OTHER_TURNS.get(core, _TURNS[self.bytes])
        self.ready = [self.ports.nets(f"{stream}_tready")[0] for stream in _STREAMS]
        last = ("tvalid", "tlast") if self.bytes == 1 else ("tvalid",)
        self.answer = [self.ports.nets(f"m_tag_{name}")[0] for name in last]
        self.command_at = 0
        self._stopped = False
        self._lock = threading.Lock()
        self.simulated = 0.0
        """Traces so far, those of batches that are not done yet among them."""
        draw = np.random.default_rng(seed)
        with self._running(draw) as running:
            first = self._recorded(running, draw, FIXED_KEY)
            again = self._recorded(running, draw, bytes(draw.bytes(16)))
        if first[1] != again[1]:
            raise MeasureError("another key was taken in other cycles: the core's timing tells it")
        rows, self.keys_at = again
        self.template = np.array(rows, dtype=np.uint8)

    @contextmanager
    def _running(self, draw: np.random.Generator) -> Iterator[Running]:
        """The netlist after a reset, and with a seed where it takes one."""
        with closing(Running(self.design)) as running:
            running.run(self.reset(draw))
            yield running

    def reset(self, draw: np.random.Generator) -> Bytes:
        """Input patterns that a batch begins with."""
        import numpy as np

        low, high = self._row(aresetn=0), self._row()
        rows = [low] * 4 + [high] * 12 + [high] * _TURNS[self.bytes]
        if self.seeded:
            words = draw.integers(2**32, size=_SEED_WORDS)
            rows += [self._row(s_rnd_tvalid=1, s_rnd_tdata=int(word)) for word in words]
            rows += [high] * _WARM_CYCLES
        return np.array(rows, dtype=np.uint8)

    def _row(self, **values: int) -> list[int]:
        idle = {"aresetn": 1, "m_axis_tready": 1, "m_tag_tready": 1}
        if self.random_columns:
            idle["s_rnd_tvalid"] = 1
        return self.ports.pattern(idle | values)

    @property
    def parts(self) -> tuple[tuple[str, int, int], ...]:
        """A trace's key, what the core makes of it, and the packet: the cycles of each, the last
        from when its command is taken."""
        key = max(n for n, at in enumerate(self.keys_at) if at >= 0) + 1
        packet, length = self.command_at, len(self.keys_at)
        parts = (("a key", 0, key), ("its H", key, packet), ("a packet", packet, length))
        return tuple(part for part in parts if part[1] < part[2])

    @property
    def nets(self) -> int:
        """Nets of the netlist."""
        return self.design.bound.net_count

    @property
    def random_columns(self) -> Sequence[int]:
        """Ports that take random bits in every cycle."""
        return () if self.seeded else self.ports.columns.get("s_rnd_tdata", ())

    def _recorded(
        self, running: Running, draw: np.random.Generator, key: bytes
    ) -> tuple[list[list[int]], list[int]]:
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
            running.run(np.array([self._with_random(draw, rows[-1])], dtype=np.uint8))
            ready = running.values(self.ready)
            for stream, now in zip(_STREAMS, ready, strict=True):
                sent[stream] += bool(now and f"{stream}_tvalid" in values)
            if not sent["s_cmd"]:
                self.command_at = len(rows)
            answered = answered or all(running.values(self.answer))
            if len(rows) > 10_000:
                raise MeasureError("the core did not answer a packet")
        return rows, keys_at

    def _with_random(self, draw: np.random.Generator, row: Sequence[int]) -> list[int]:
        row = list(row)
        if self.randomness == "fresh":
            for column in self.random_columns:
                row[column] = int(draw.integers(2))
        return row

    def batches(self, first: int, counts: Sequence[int]) -> list[tuple[Floats, Bools]]:
        """Batches from a number on, of so many traces, each in a lane of one simulation: (energy
        [trace, cycle] in pJ, which traces have the fixed key)."""
        import numpy as np

        batches = [self.batch(first + n, count) for n, count in enumerate(counts)]
        lanes, most, length = len(counts), max(counts), len(self.keys_at)
        if lanes < _FEW:
            return [(self._alone(batch), batch.fixed) for batch in batches]
        energy = np.zeros((lanes, most, length))
        with closing(Wide(self.design, lanes)) as wide:
            resets = [self.reset(batch.draw) for batch in batches]
            patterns = wide.patterns(len(resets[0]))
            for byte in range(0, lanes, 8):
                _pack(patterns[..., byte // 8], np.stack(resets[byte : byte + 8]))
            self._run(wide, patterns, 0.0)
            for start in range(0, most, _SLICE):
                size = min(_SLICE, most - start)
                patterns = wide.patterns(size * length)
                for byte in range(0, lanes, 8):
                    rows = [self.patterns(batch, start, size) for batch in batches[byte : byte + 8]]
                    _pack(patterns[..., byte // 8], np.stack(rows))
                made = self._run(wide, patterns, lanes / length)
                energy[:, start : start + size] = made.T.reshape(lanes, size, length)
        return [
            (energy[lane, :count], batch.fixed)
            for lane, (count, batch) in enumerate(zip(counts, batches, strict=True))
        ]

    def _alone(self, batch: Batch) -> Floats:
        """The energies of one batch, the same to the last bit."""
        import numpy as np

        count, length = len(batch.fixed), len(self.keys_at)
        energy = []
        with closing(Running(self.design, energy_unit(self.design))) as running:
            running.run(self.reset(batch.draw))
            for start in range(0, count, _SLICE):
                self._check()
                size = min(_SLICE, count - start)
                energy.append(running.run(self.patterns(batch, start, size))[0])
                with self._lock:
                    self.simulated += size
        return np.concatenate(energy).reshape(count, length)

    def watched(self, number: int, count: int, cycles: Sequence[int]) -> tuple[Bools, Bytes]:
        """The same traces of one batch: (which have the fixed key, rows of the watched cycles)."""
        import numpy as np

        batch = self.batch(number, count)
        flags = np.zeros(len(self.keys_at), dtype=np.uint8)
        flags[list(cycles)] = 1
        rows = []
        with closing(Running(self.design)) as running:
            running.run(self.reset(batch.draw))
            for start in range(0, count, _SLICE):
                self._check()
                size = min(_SLICE, count - start)
                patterns = self.patterns(batch, start, size)
                rows.append(running.run(patterns, np.tile(flags, size))[1])
        return batch.fixed, np.concatenate(rows)

    def stop(self) -> None:
        """Batches under way end soon, and with an error: nobody asks for them any more."""
        self._stopped = True

    def _check(self) -> None:
        if self._stopped:
            raise MeasureError("interrupted")

    def _run(self, wide: Wide, patterns: Bytes, traces: float) -> Floats:
        """Energies of a part of some batches, whose steps are so many traces each."""
        import numpy as np

        some = max(1, _GATE_STEPS // self.design.gate_count)
        made = []
        for start in range(0, len(patterns), some):
            self._check()
            made.append(wide.run(patterns[start : start + some]))
            with self._lock:
                self.simulated += traces * len(made[-1])
        return np.concatenate(made)

    def batch(self, number: int, count: int) -> Batch:
        """So many traces of a number, nothing but what is drawn first."""
        import numpy as np

        draw = np.random.default_rng([self.seed, number])
        fixed = draw.integers(2, size=count).astype(bool)
        keys = draw.integers(256, size=(count, 16), dtype=np.uint8)
        keys[fixed] = np.frombuffer(FIXED_KEY, dtype=np.uint8)
        if self.against == "fixed":
            keys[~fixed] = np.frombuffer(OTHER_KEY, dtype=np.uint8)
        masks = np.zeros_like(keys)
        if "s_key_tmask" in self.ports.columns and self.randomness == "fresh":
            masks = draw.integers(256, size=keys.shape, dtype=np.uint8)
        return Batch(draw, fixed, keys, masks)

    def patterns(self, batch: Batch, start: int, size: int) -> Bytes:
        """Input patterns [step, input] of the next so many traces of a batch; after its last trace
        there are some with key 0."""
        import numpy as np

        length = len(self.keys_at)
        patterns = np.tile(self.template, (size, 1, 1))
        keys, masks = (np.zeros((size, 16), dtype=np.uint8) for _ in range(2))
        some = batch.keys[start : start + size]
        keys[: len(some)], masks[: len(some)] = some, batch.masks[start : start + size]
        at = np.array(self.keys_at)
        offered = np.flatnonzero(at >= 0)
        self._put(patterns, "s_key_tdata", offered, keys ^ masks, at)
        if "s_key_tmask" in self.ports.columns:
            self._put(patterns, "s_key_tmask", offered, masks, at)
        if self.randomness == "fresh" and (columns := self.random_columns):
            bits = (size, length, len(columns))
            patterns[:, :, columns] = batch.draw.integers(2, size=bits, dtype=np.uint8)
        return patterns.reshape(size * length, -1)

    def _put(self, patterns: Bytes, port: str, cycles: Ints, values: Bytes, beats: Ints) -> None:
        """Bytes of every trace into a port: in each cycle the beat of that number."""
        for bit, column in enumerate(self.ports.columns[port]):
            byte = self.bytes * beats[cycles] + bit // 8
            patterns[:, cycles, column] = values[:, byte] >> bit % 8 & 1


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """What a batch draws first, and where the rest of it comes from."""

    draw: np.random.Generator
    fixed: Bools
    keys: Bytes
    masks: Bytes


def _pack(patterns: Bytes, rows: Bytes) -> None:
    """Rows [lane, step, input] of up to eight lanes into the byte of each pattern that has them."""
    import numpy as np

    patterns[:] = np.packbits(rows, axis=0, bitorder="little")[0]


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
