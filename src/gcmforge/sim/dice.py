# SPDX-License-Identifier: Apache-2.0
"""What random traffic has drawn so far, and how lengths, IVs and bytes are drawn."""

from dataclasses import dataclass, field
from random import Random

from gcmforge.model import TAG_BYTES
from gcmforge.sim.operations import (
    Abilities,
    Operation,
)

# No 12 here: to a core built for 96-bit IVs each of these is a wrong length.
EDGE_IV_BYTES = (1, 2, 7, 8, 11, 13, 15, 16, 17, 31, 32, 33, 48, 60, 64, 127, 128, 129, 255, 256)


LONG_IV_BYTES = (1024, 4095, 4096)


@dataclass(slots=True)
class Traffic:
    """The generator's state: its dice, and the usable key of each context."""

    core: Abilities
    seed: int
    rng: Random
    keys: dict[int, bytes] = field(default_factory=dict)
    fixed: dict[int, bytes] = field(default_factory=dict)
    counts: dict[int, int] = field(default_factory=dict)
    operations: list[Operation] = field(default_factory=list)
    last_context: int = 0
    refused_last: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Sealed:
    """A packet's fields before it is decided where it goes; `tag` is the right one, full length."""

    key: bytes
    iv: bytes
    aad: bytes
    plaintext: bytes
    ciphertext: bytes
    tag: bytes


def draw_aad_bytes(traffic: Traffic) -> int:
    return min(_section_bytes(traffic), traffic.core.max_aad_bytes)


def draw_text_bytes(traffic: Traffic) -> int:
    return min(_section_bytes(traffic), traffic.core.max_text_bytes)


def _section_bytes(traffic: Traffic) -> int:
    """Length of an AAD or text section: mostly at an edge of a block or of a beat."""
    rng, beat = traffic.rng, 16 * traffic.core.lanes
    dice = rng.random()
    if dice < 0.15:
        return 0
    if dice < 0.35:
        return rng.choice((1, 15, 16, 17, 31, 32, 33))
    if dice < 0.65:
        return rng.randint(1, 4) * beat + rng.choice((-1, 0, 0, 1))
    if dice < 0.985:
        return rng.randint(1, max(64, 3 * beat))
    return rng.randint(4 * beat, 32 * beat)


def draw_iv_bytes(traffic: Traffic) -> int:
    dice = traffic.rng.random()
    if traffic.core.iv != "any" or dice < 0.75:
        return 12
    if dice < 0.999:
        return traffic.rng.choice(EDGE_IV_BYTES)
    return traffic.rng.choice(LONG_IV_BYTES)


def draw_tag_bytes(rng: Random) -> int:
    return 16 if rng.random() < 0.5 else rng.choice(TAG_BYTES)


def draw_bytes(rng: Random, length: int) -> bytes:
    """Random bytes, now and then all zeros or all ones."""
    dice = rng.random()
    if dice < 0.04:
        return (b"\0" if dice < 0.02 else b"\xff") * length
    return rng.randbytes(length)


def flipped(data: bytes, bit: int) -> bytes:
    """`data` with one bit flipped; bit 0 is the first of the first byte."""
    flipped = bytearray(data)
    flipped[bit // 8] ^= 0x80 >> bit % 8
    return bytes(flipped)


def label(traffic: Traffic, number: int, what: str) -> str:
    return f"random packet {number} of seed {traffic.seed}, {what}"
