# SPDX-License-Identifier: Apache-2.0
"""An AXI4-Lite master and the streams of a compiled module, with pauses on every channel.

Writes and reads are played at the same time; a write's address and data come in any order.
Responses are checked for AXI's rules as they come: valid stays, payload stays, ready does not look
at valid.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from bench import Bench

OKAY, SLVERR = 0, 2
PATIENCE_CYCLES = 20_000
HELD = {"b": ("bresp",), "r": ("rdata", "rresp")}


class Stream(Protocol):
    """What is put before a cycle settles and sampled after."""

    def put(self) -> None: ...
    def sample(self) -> None: ...


@dataclass(slots=True)
class Write:
    """One write; `resp` and the cycle in which it was answered come with the answer."""

    address: int
    data: int
    strobe: int = 15
    resp: int | None = None
    cycle: int = 0


@dataclass(slots=True)
class Read:
    address: int
    data: int = 0
    resp: int | None = None


class Bus:
    """The master, and the clock of everything else that is in `streams`."""

    def __init__(
        self, bench: Bench, streams: Sequence[Stream] = (), *, seed: int = 0, pause: float = 0.0
    ) -> None:
        self.bench, self.streams = bench, list(streams)
        self.rng, self.pause = random.Random(seed), pause
        self.writes: list[Write] = []
        self.reads: list[Read] = []
        self._at = dict.fromkeys(("aw", "w", "b", "ar", "r"), 0)
        self._shown = dict.fromkeys(("aw", "w", "ar"), False)
        self._ready = dict.fromkeys(HELD, False)
        self._held: dict[str, tuple[int, ...] | None] = dict.fromkeys(HELD)
        self.hold: set[str] = set()
        """Channels on which nothing new is offered for now."""
        for channel in self._shown:
            bench.put(f"s_axil_{channel}valid", 0)

    # ---- what a processor does

    def write(self, address: int, data: int, strobe: int = 15) -> int:
        """The response to one write."""
        access = Write(address, data, strobe)
        self.play([access])
        return access.resp

    def read(self, address: int) -> int:
        """What one read gives; it must not be refused."""
        access = Read(address)
        self.play([access])
        assert access.resp == OKAY, f"read of {address:#x} was refused"
        return access.data

    def store(self, address: int, data: int) -> None:
        assert self.write(address, data) == OKAY, f"write to {address:#x} was refused"

    def store_bytes(self, address: int, data: bytes) -> None:
        """Whole words; what is missing in the last one is zero."""
        for at in range(0, len(data), 4):
            self.store(address + at, int.from_bytes(data[at : at + 4], "little"))

    def load_bytes(self, address: int, size: int) -> bytes:
        words = (self.read(address + at) for at in range(0, size, 4))
        return b"".join(word.to_bytes(4, "little") for word in words)

    def play(self, accesses: Iterable[Write | Read]) -> None:
        """Writes in their order and reads in theirs, both at once, until all are answered."""
        for access in accesses:
            (self.writes if isinstance(access, Write) else self.reads).append(access)
        self.until(lambda: self._at["b"] == len(self.writes) and self._at["r"] == len(self.reads))

    # ---- the clock

    def until(self, done: Callable[[], bool]) -> None:
        end = self.bench.cycle + PATIENCE_CYCLES
        while not done():
            assert self.bench.cycle < end, f"nothing after {PATIENCE_CYCLES} cycles"
            self.tick()

    def tick(self, cycles: int = 1) -> None:
        for _ in range(cycles):
            for stream in (self, *self.streams):
                stream.put()
            self.bench.settle()
            for stream in (self, *self.streams):
                stream.sample()
            self.bench.edge()

    def _pauses(self) -> bool:
        return self.rng.random() < self.pause

    # ---- channels

    def put(self) -> None:
        payloads = {
            "aw": [("awaddr", "address")], "w": [("wdata", "data"), ("wstrb", "strobe")],
            "ar": [("araddr", "address")],
        }  # fmt: skip
        for channel, fields in payloads.items():
            queue = self.reads if channel == "ar" else self.writes
            at = self._at[channel]
            if not self._shown[channel]:
                offer = at < len(queue) and channel not in self.hold and not self._pauses()
                self._shown[channel] = offer
                for port, name in fields:
                    noise = self.rng.getrandbits(self.bench.widths[f"s_axil_{port}"])
                    value = getattr(queue[at], name) if offer else noise
                    self.bench.put(f"s_axil_{port}", value)
            self._show(channel)
        for channel in HELD:
            self._ready[channel] = not self._pauses()
            self.bench.put(f"s_axil_{channel}ready", self._ready[channel])

    def _show(self, channel: str) -> None:
        """Valid as decided; now and then it is seen that ready does not depend on it."""
        valid, ready = f"s_axil_{channel}valid", f"s_axil_{channel}ready"
        if self.rng.random() < 0.05:
            seen = []
            for level in (0, 1):
                self.bench.put(valid, level)
                self.bench.settle()
                seen.append(self.bench.get(ready))
            assert seen[0] == seen[1], f"{ready} follows {valid}"
        self.bench.put(valid, self._shown[channel])

    def sample(self) -> None:
        for channel in self._shown:
            if self._shown[channel] and self.bench.get(f"s_axil_{channel}ready"):
                self._at[channel] += 1
                self._shown[channel] = False
        for channel, fields in HELD.items():
            valid = self.bench.get(f"s_axil_{channel}valid")
            payload = tuple(self.bench.get(f"s_axil_{name}") for name in fields)
            held = self._held[channel]
            assert held is None or (valid and payload == held), f"{channel} did not stay"
            self._held[channel] = payload if valid and not self._ready[channel] else None
            if valid and self._ready[channel]:
                self._answer(channel, payload)

    def _answer(self, channel: str, payload: tuple[int, ...]) -> None:
        at = self._at[channel]
        self._at[channel] += 1
        if channel == "b":
            assert at < min(self._at["aw"], self._at["w"]), "a write was answered before it came"
            self.writes[at].resp, self.writes[at].cycle = payload[0], self.bench.cycle
        else:
            assert at < self._at["ar"], "a read was answered before it came"
            self.reads[at].data, self.reads[at].resp = payload
