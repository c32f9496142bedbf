# SPDX-License-Identifier: Apache-2.0
"""Plays any transfers, broken ones too, on a core's ports and checks what holds whatever comes in.

The expected answers come from the `cryptography` package. Times are in cycles since reset.
"""

import itertools
import os
import random
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from bench import Bench

from gcmforge.config import CoreConfig
from gcmforge.sim.operations import KEY_SIZE_CODE, Status
from gcmforge.sim.reference import answer

SEED = int(os.environ.get("SEED", "1"))
PATIENCE_CYCLES = 5_000
FIELDS = {"m_axis": ("tdata", "tkeep", "tlast"), "m_tag": ("tag", "ok", "status")}
SECRET = {"m_axis": "tdata", "m_tag": "tag"}

Beat = dict[str, int]


def le(data: bytes) -> int:
    """Bytes as the number on a port: byte 0 in bits 7..0."""
    return int.from_bytes(data, "little")


def beat(data: bytes, user: int, last: int = 0, keep: int | None = None) -> Beat:
    """One transfer on s_axis; user 0 is AAD, 1 is text; keep only where it is not as it should."""
    keep = (1 << len(data)) - 1 if keep is None else keep
    return {"tdata": le(data), "tkeep": keep, "tuser": user, "tlast": last}


@dataclass
class Frame:
    """What left on m_axis up to tlast: the bytes of each beat."""

    beats: list[bytes] = field(default_factory=list)

    @property
    def text(self) -> bytes:
        return b"".join(self.beats)


class AxisBench(Bench):
    """The five streams of one core, out of reset."""

    def __init__(self, library: Path, config: CoreConfig) -> None:
        super().__init__(library, clock="aclk", reset="aresetn", reset_level=0, seed=SEED)
        self.config, self.last_context = config, config.contexts - 1
        self.rng = random.Random(SEED)
        self.beat_bytes = self.widths["s_axis_tkeep"]
        self.queue: dict[str, deque[Beat]] = {s: deque() for s in ("s_key", "s_cmd", "s_axis")}
        self.may_send: dict[str, Callable[[], bool]] = dict.fromkeys(self.queue, lambda: True)
        self.ready: dict[str, Callable[[], bool]] = dict.fromkeys(FIELDS, lambda: True)
        self.reset()

    def clear(self) -> None:
        """Forget everything that was sent, seen and expected."""
        self.cycle = 0
        for queue in self.queue.values():
            queue.clear()
        self.shown = dict.fromkeys(self.queue, False)
        self.taken: dict[str, list[int]] = {stream: [] for stream in self.queue}
        self.held: dict[str, tuple[int, ...] | None] = dict.fromkeys(FIELDS)
        self.between: dict[str, set[int]] = {stream: set() for stream in FIELDS}
        self.frames, self.frame = list[Frame](), Frame()
        self.tags: list[tuple[int, int]] = []  # tag, status
        self.expected: list[tuple[int, int, str]] = []
        self.expected_frames: list[tuple[bytes, str]] = []
        self.keys: dict[int, bytes] = {}
        self.secrets: set[int] = set()  # tags that a decrypting core must not show

    # ---- the clock

    def reset(self) -> None:
        """Into reset at once, whatever is under way, and out of it; the core then holds no key."""
        self.clear()
        for stream in self.queue:
            self.put(f"{stream}_tvalid", 0)
        for stream in FIELDS:
            self.put(f"{stream}_tready", 0)
        for level in (0, 0, 0, 1):
            self.put("aresetn", level)
            self.settle()
            self.edge()
        self.cycle = 0

    def tick(self) -> None:
        """One cycle on all streams."""
        for stream in self.queue:
            self._drive_source(stream)
        ready = {stream: self.ready[stream]() for stream in FIELDS}
        for stream in FIELDS:
            self.put(f"{stream}_tready", ready[stream])
        self.settle()
        for stream, queue in self.queue.items():
            if self.shown[stream] and self.get(f"{stream}_tready"):
                queue.popleft()
                self.shown[stream] = False
                self.taken[stream].append(self.cycle)
        for stream in FIELDS:
            self._sample_sink(stream, ready[stream])
        self.edge()

    def until(self, condition: Callable[[], bool], what: str = "") -> None:
        for _ in range(PATIENCE_CYCLES):
            if condition():
                return
            self.tick()
        raise AssertionError(
            f"nothing after {PATIENCE_CYCLES} cycles: {what}; {len(self.tags)} tags, "
            f"left: { {stream: len(queue) for stream, queue in self.queue.items()} } SEED={SEED}"
        )

    def ticks(self, cycles: int) -> None:
        for _ in range(cycles):
            self.tick()

    def finish(self) -> None:
        """Until everything sent was answered; then compare all of it."""
        self.until(
            lambda: len(self.tags) >= len(self.expected) and not any(self.queue.values()),
            f"{len(self.expected)} tags expected",
        )
        self.ticks(20)
        for got, (tag, status, what) in itertools.zip_longest(
            self.tags, self.expected, fillvalue=(0, 0, "a tag too many")
        ):
            assert got == (tag, status), (
                f"{what}: tag {got[0]:032x} {Status(got[1]).name}, "
                f"not {tag:032x} {Status(status).name}; SEED={SEED}"
            )
        assert [frame.text for frame in self.frames] == [text for text, _ in self.expected_frames]
        assert not self.frame.beats, "m_axis frame without tlast"
        self._check_between()

    # ---- what to send

    def load(self, context: int, key: bytes, size: int | None = None) -> None:
        """Send a key after all commands so far, and wait until the core takes the next key."""
        self.until(lambda: not self.queue["s_cmd"], "commands taken")
        self.send_key(context, key, size)
        self.until(lambda: not self.queue["s_key"], "s_key taken")
        self.until(lambda: bool(self.get("s_key_tready")), "key in place")

    def send_key(self, context: int, key: bytes, size: int | None = None) -> None:
        size = KEY_SIZE_CODE[len(key)] if size is None else size
        self.queue["s_key"].append({"tdata": le(key), "size": size, "context": context})
        self.keys[context] = key

    def command(
        self,
        context: int = 0,
        *,
        iv: bytes = bytes(12),
        tag: bytes | None = None,
        tag_bytes: int = 16,
    ) -> None:
        """Send a command; one with a tag decrypts."""
        pieces = [iv[at : at + 16] for at in range(0, len(iv), 16)] or [b""]
        for index, piece in enumerate(pieces):
            if index:  # the other fields are ignored there
                fields = {"context": self.rng.getrandbits(1), "decrypt": self.rng.getrandbits(1)}
                fields |= {"tag": self.rng.getrandbits(128), "tag_bytes": 3, "iv_bytes": 0}
            else:
                fields = {"context": context, "decrypt": int(tag is not None)}
                fields |= {"tag": le(tag or b""), "tag_bytes": tag_bytes, "iv_bytes": len(iv)}
            self.queue["s_cmd"].append({**fields, "iv": le(piece)})

    def data(self, beats: Iterable[Beat]) -> None:
        self.queue["s_axis"].extend(beats)

    def section(self, data: bytes, user: int) -> list[Beat]:
        step = self.beat_bytes
        return [beat(data[at : at + step], user) for at in range(0, len(data), step)]

    def sections(self, aad: bytes, text: bytes) -> list[Beat]:
        beats = self.section(aad, 0) + self.section(text, 1) or [beat(b"", 1)]
        beats[-1]["tlast"] = 1
        return beats

    def expect(self, what: str, status: int, tag: bytes = b"", text: bytes | None = b"") -> None:
        """The next answer. No frame leaves for an empty text, one with no bytes for None."""
        self.expected.append((le(tag), status, what))
        if text != b"":
            self.expected_frames.append((text or b"", what))

    def expect_good(
        self,
        what: str,
        key: bytes,
        iv: bytes,
        aad: bytes,
        text: bytes,
        tag: bytes | None = None,
        tag_bytes: int = 16,
    ) -> None:
        good = answer(
            key=key,
            decrypt=tag is not None,
            iv=iv,
            aad=aad,
            text=text,
            tag=tag,
            tag_bytes=tag_bytes,
        )
        self.expect(what, good.status, good.tag or b"", good.text)

    def good(
        self,
        context: int = 0,
        *,
        key: bytes | None = None,
        aad_bytes: int | None = None,
        text_bytes: int | None = None,
        iv_bytes: int = 12,
        what: str = "good packet",
    ) -> None:
        """A packet without fault, with its answer; the key is the last one sent to the context."""
        aad = self.rng.randbytes(self.rng.randrange(40) if aad_bytes is None else aad_bytes)
        text = self.rng.randbytes(self.rng.randrange(1, 60) if text_bytes is None else text_bytes)
        iv, key = self.rng.randbytes(iv_bytes), key or self.keys[context]
        tag = None
        if self.rng.random() < 0.5:
            sealed = answer(
                key=key, decrypt=False, iv=iv, aad=aad, text=text, tag=None, tag_bytes=16
            )
            text, tag = sealed.text, sealed.tag
            self.secrets.add(le(tag or b""))
        self.command(context, iv=iv, tag=tag)
        self.data(self.sections(aad, text))
        self.expect_good(what, key, iv, aad, text, tag)

    def some(self, probability: float) -> Callable[[], bool]:
        """For may_send and ready: yes with that probability in each cycle."""
        return lambda: self.rng.random() < probability

    def stall(self) -> None:
        """Random pauses on every stream from here on."""
        for stream in self.may_send:
            self.may_send[stream] = self.some(0.5)
        for stream in self.ready:
            self.ready[stream] = self.some(0.4)

    # ---- ports

    def _drive_source(self, stream: str) -> None:
        queue = self.queue[stream]
        if not self.shown[stream] and queue and self.may_send[stream]():
            self.shown[stream] = True
            for name, value in queue[0].items():
                self.put(f"{stream}_{name}", value)
        self.put(f"{stream}_tvalid", self.shown[stream])

    def _sample_sink(self, stream: str, ready: bool) -> None:
        valid = bool(self.get(f"{stream}_tvalid"))
        held = self.held[stream]
        self.held[stream] = None
        if not valid:
            assert held is None, f"{stream}_tvalid fell before {stream}_tready; SEED={SEED}"
            self.between[stream].add(self.get(f"{stream}_{SECRET[stream]}"))
            return
        payload = tuple(self.get(f"{stream}_{name}") for name in FIELDS[stream])
        assert held in (None, payload), f"{stream} changed before {stream}_tready; SEED={SEED}"
        if not ready:
            self.held[stream] = payload
        elif stream == "m_axis":
            self._take_text(*payload)
        else:
            tag, ok, status = payload
            assert ok == (status == Status.OK)
            self.tags.append((tag, status))

    def _take_text(self, data: int, keep: int, last: int) -> None:
        size = keep.bit_length()
        assert keep == (1 << size) - 1, f"m_axis_tkeep {keep:b} has a gap"
        assert data >> (8 * size) == 0, "m_axis_tdata is not zero outside tkeep"
        self.frame.beats.append(data.to_bytes(self.beat_bytes, "little")[:size])
        if last:
            self.frames.append(self.frame)
            self.frame = Frame()

    def _check_between(self) -> None:
        """Where tvalid is low the registers may show what went by, and nothing else."""
        beats = [data for frame in self.frames for data in frame.beats]
        assert self.between["m_axis"] <= {0, *map(le, beats)}, "m_axis_tdata: other than text"
        assert not self.between["m_tag"] & self.secrets, "m_tag_tag: a tag not to be shown"
