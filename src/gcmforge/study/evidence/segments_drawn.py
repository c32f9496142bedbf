# SPDX-License-Identifier: Apache-2.0
"""Segments drawn at random, right and wrong ones, for the own bus of cores with segments."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gcmforge.config import CoreConfig
from gcmforge.engines.gcm_segments.engine import SEGMENTS, blocks
from gcmforge.model import TAG_BYTES
from gcmforge.sim import reference
from gcmforge.study.evidence.own_bus import Loaded


@dataclass(kw_only=True, slots=True)
class Command:
    """What comes with a packet's first segment."""

    context: int
    decrypt: bool
    iv: bytes
    iv_bytes: int = 12
    tag_bytes: int = 16


@dataclass(kw_only=True, slots=True)
class Segment:
    """One segment as it is offered; `data` has all its bytes, with noise for the missing ones."""

    command: Command
    tag: bytes
    data: bytes
    ena: bool = True
    sop: bool = False
    eop: bool = False
    err: bool = False
    text: bool = False
    mty: int = 0

    @property
    def there(self) -> bytes:
        """Without the bytes that are missing; none where more are than there could be."""
        return self.data[: max(0, len(self.data) - self.mty)]


Placed = tuple[int, int, Segment]
"""The number of its beat, its place in it, and what is there."""


class Draw:
    """Draws the packets of a chunk, which are alike in length and in how often they are wrong."""

    def __init__(self, config: CoreConfig, rng: random.Random) -> None:
        self.config, self.rng = config, rng
        self.size = 16 * blocks(config)
        self.longest = rng.choice((20, 40, 150, 150, 150, 700))
        self.at_limits = rng.random() < 0.25
        self.with_aad = rng.choice((0, 0.3, 0.6, 1))
        self.broken = rng.choice((0, 0.003, 0.02, 0.15))
        self.any_context = rng.choice((0, 0.02, 0.3))
        every = range(config.contexts)
        self.contexts = rng.sample(every, rng.randint(1, len(every)))
        likely = rng.random() * 0.7
        self.gap: Callable[[int], bool] = rng.choice((
            lambda place: False,
            lambda place: rng.random() < likely,
            lambda place: rng.random() < 0.1,
            lambda place: place != 0,
            lambda place: rng.random() < (0.97 if place else 0.05),
        ))  # fmt: skip

    def segments(self, packets: int) -> list[Segment]:
        """One after the other; the last one ends a packet."""
        found = [one for _ in range(packets) for one in self._packet()]
        found[-1].eop = True
        return found

    def beats(self, segments: Sequence[Segment]) -> list[list[Segment]]:
        """In the next place each, but for gaps; a beat may be all gaps."""
        places = list[Segment]()
        count = self.config[SEGMENTS]
        for one in segments:
            while self.gap(len(places) % count):
                places.append(self._noise())
            places.append(one)
        while len(places) % count:
            places.append(self._noise())
        return [places[at : at + count] for at in range(0, len(places), count)]

    def word(self, beat: Sequence[Segment]) -> dict[str, int]:
        """For s_axis."""
        fields = (
            (8 * self.size, "tdata", lambda one: int.from_bytes(one.data, "little")),
            (1, "ena", lambda one: one.ena), (1, "sop", lambda one: one.sop),
            (1, "eop", lambda one: one.eop), (1, "err", lambda one: one.err),
            (1, "text", lambda one: one.text),
            (self.size.bit_length(), "mty", lambda one: one.mty),
            (self.config.context_bits, "context", lambda one: one.command.context),
            (1, "decrypt", lambda one: one.command.decrypt),
            (96, "iv", lambda one: int.from_bytes(one.command.iv, "little")),
            (16, "iv_bytes", lambda one: one.command.iv_bytes),
            (5, "tag_bytes", lambda one: one.command.tag_bytes),
            (128, "tag", lambda one: int.from_bytes(one.tag, "little")),
        )  # fmt: skip
        return {
            f"s_axis_{name}": sum(int(value(one)) << bits * g for g, one in enumerate(beat))
            for bits, name, value in fields
        }

    def keys(self, beats: int) -> list[Loaded]:
        """Keys amid so many beats, in order; now and then all at once."""
        rng, found = self.rng, list[Loaded]()
        together = rng.randrange(beats) if rng.random() < 0.3 else None
        for _ in range(rng.choice((0, 1, 2, 4, 8))):
            known = rng.choice(self.config.key_sizes) // 64 - 2
            size = rng.choice((3, rng.randrange(4))) if rng.random() < 0.2 else known
            after = rng.randrange(beats) if together is None else together
            key = rng.randbytes(16 + 8 * min(size, 2))
            found.append(Loaded(key=key, context=self._context(0.15), after=after, size=size))
        return sorted(found, key=lambda load: load.after)

    def usable(self, load: Loaded) -> bytes | None:
        """The key, if its size is built."""
        built = load.size != 3 and 8 * len(load.key) in self.config.key_sizes
        return load.key if built else None

    def seal(self, packet: Sequence[Placed], key: bytes | None) -> None:
        """Mostly gives a packet that is to be decrypted its right tag under that key; forges some
        of them."""
        command, rng = packet[0][2].command, self.rng
        if key is None or not command.decrypt or rng.random() < 0.15:
            return
        sections = [
            b"".join(one.there for _, _, one in packet if one.text == text)
            for text in (False, True)
        ]
        plain = reference.open_unchecked(key, command.iv, sections[1])
        tag = bytearray(reference.seal(key, command.iv, plain, sections[0])[1])
        used = min(command.tag_bytes, 16)
        tag[used:] = rng.randbytes(16 - used)
        if rng.random() < 0.25:
            tag[rng.randrange(max(1, used))] ^= 1 << rng.randrange(8)
        packet[-1][2].tag = bytes(tag)

    def _packet(self) -> list[Segment]:
        rng, size = self.rng, self.size
        aad = self._length(self.config.max_aad_bytes) if rng.random() < self.with_aad else 0
        text = self._length(self.config.max_text_bytes)
        parts = [
            (kind, min(size, length - at))
            for kind, length in ((False, aad), (True, text))
            for at in range(0, length, size)
        ]
        if rng.random() < 0.08 or not parts:  # a section that is there without a byte
            kind = rng.random() < 0.6
            parts.insert(len(parts) if kind else 0, (kind, 0))
        command = self._command()
        found = []
        for number, (kind, count) in enumerate(parts):
            one = self._noise()
            one.ena, one.text, one.err, one.mty = True, kind, False, size - count
            one.sop, one.eop = number == 0, number == len(parts) - 1
            one.command = command if number == 0 else one.command
            if rng.random() < self.broken:
                self._break(one)
            found.append(one)
        return found

    def _break(self, one: Segment) -> None:
        flag = self.rng.choice(("err", "sop", "eop", "text", "mty", "mty"))
        if flag == "mty":
            most = (1 << self.size.bit_length()) - 1
            one.mty = self.rng.choice((self.rng.randint(0, most), self.rng.randrange(self.size)))
        else:
            setattr(one, flag, not getattr(one, flag))

    def _length(self, limit: int) -> int:
        rng, size = self.rng, self.size
        if self.at_limits and rng.random() < 0.08:
            around = (-size, -size + 1, -1, 0, 1, size, 3 * size + 5)
            return max(0, limit + rng.choice(around))
        return rng.choice(
            (0, rng.randint(1, size + 1), size * rng.randint(1, 4), rng.randrange(self.longest))
        )

    def _context(self, any_of_them: float) -> int:
        if self.rng.random() < any_of_them:
            return self.rng.randrange(1 << self.config.context_bits)
        return self.rng.choice(self.contexts)

    def _command(self) -> Command:
        rng = self.rng
        right = rng.random() < 0.97
        return Command(
            context=self._context(self.any_context), decrypt=rng.random() < 0.5,
            iv=rng.randbytes(12), iv_bytes=12 if right else rng.choice((0, 11, 12, 13, 268, 65535)),
            tag_bytes=rng.choice(TAG_BYTES) if right else rng.randrange(32),
        )  # fmt: skip

    def _noise(self) -> Segment:
        """A segment that is not used, in which nothing counts."""
        rng = self.rng
        sop, eop, err, text = (rng.random() < 0.5 for _ in range(4))
        return Segment(
            command=self._command(), tag=rng.randbytes(16), data=rng.randbytes(self.size),
            ena=False, sop=sop, eop=eop, err=err, text=text,
            mty=rng.randrange(1 << self.size.bit_length()),
        )  # fmt: skip
