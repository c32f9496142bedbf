# SPDX-License-Identifier: Apache-2.0
"""Packets for what random traffic meets too rarely and vector files leave out, always the same.

Every context before it holds a key, every bit of a tag, every tag length that a command can name,
IV lengths around every power of two, counters about to carry, also in each lane of a packet's last
beat, sections whose length does not fit in 16 bits, or is above a limit of about as much. `verify`
plays them before anything else.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from random import Random

from gcmforge.model import TAG_BYTES, encrypt_block, iv_for_counter, key_expansion
from gcmforge.sim import reference
from gcmforge.sim.dice import Traffic
from gcmforge.sim.directions import decrypts, refused_if_misdirected
from gcmforge.sim.operations import Abilities, LoadKey, Operation, Packet, Status
from gcmforge.sim.traffic import CROSSED_LIMIT_BYTES, crossing_packet

SEED = 38_000
WIDE_BYTES = 2**16 + 17
FAR_BEATS = 12
"""What is left of a limit is counted in as few bits as 16 beats need."""
CARRIES = (0x0000_00FF, 0x0000_FFFF, 0x00FF_FFFF, 0x7FFF_FFFF, *range(2**32 - 4, 2**32))
"""Low 32 bits of J_0 from which counting carries far, or wraps."""


def edge_operations(core: Abilities) -> list[Operation]:
    """A packet for each empty context, then a key of each size that is built and, with the keys in
    turn, the packets above."""
    rng = Random(SEED)
    keys = [rng.randbytes(bits // 8) for bits in core.key_sizes][: core.contexts]
    loads: list[Operation] = [LoadKey(context=i, key=key) for i, key in enumerate(keys)]
    counts: Counter[int] = Counter()
    turns = cycle([_Turn(context=i, key=key, counts=counts) for i, key in enumerate(keys)])
    packets = (
        *_tag_bits(core, turns, rng), *_tag_lengths(core, turns, rng),
        *_iv_lengths(core, turns, rng), *_carries(core, turns, rng),
        *_last_carries(core, turns, rng), *_wide(core, turns, rng),
        *_crossed(core, keys, counts, rng),
    )  # fmt: skip
    return [*_empty(core, rng), *loads, *packets]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Turn:
    """A context with its key; of all contexts, how many IVs the core has made."""

    context: int
    key: bytes
    counts: Counter[int]

    def next_iv(self, limit: int) -> bytes:
        """Of the next packet that is encrypted, on a core that makes the IVs: the fixed field that
        came with the key, which is 0 here, and a number; none when they are used up."""
        count = self.counts[self.context]
        if count == limit:
            return b""
        self.counts[self.context] += 1
        return bytes(4) + count.to_bytes(8, "big")


Turns = Iterator[_Turn]


def _empty(core: Abilities, rng: Random) -> Iterator[Packet]:
    decrypt = decrypts(core, wish=False)
    for context in range(core.contexts):
        iv, text = rng.randbytes(12), rng.randbytes(20)
        yield Packet(
            context=context, decrypt=decrypt, iv=iv, aad=b"", text=text,
            tag=bytes(16) if decrypt else None, tag_bytes=16,
            expect=reference.refusal(text, Status.NO_KEY),
            label=f"edge packet, context {context} holds no key",
        )  # fmt: skip


def _tag_bits(core: Abilities, turns: Turns, rng: Random) -> Iterator[Packet]:
    """Each bit of the tag wrong alone; the last bit of each tag length wrong."""
    wrong = [(bit, 16) for bit in range(128)] + [(8 * n - 1, n) for n in TAG_BYTES]
    for bit, tag_bytes in wrong:
        yield _packet(
            core, next(turns), rng, f"bit {bit} of a tag of {tag_bytes} bytes flipped",
            decrypt=True, tag_bytes=tag_bytes, flip=bit,
        )  # fmt: skip


def _tag_lengths(core: Abilities, turns: Turns, rng: Random) -> Iterator[Packet]:
    for tag_bytes in range(32):
        for decrypt in (False, True):
            yield _packet(
                core, next(turns), rng, f"tag of {tag_bytes} bytes",
                decrypt=decrypt, tag_bytes=tag_bytes,
            )  # fmt: skip


def _iv_lengths(core: Abilities, turns: Turns, rng: Random) -> Iterator[Packet]:
    powers = [2**k for k in range(5, 16)]
    around = [power + more for power in powers for more in (-1, 0, 1, 12)]
    for iv_bytes in sorted({*range(33), *around, 2**16 - 1}):
        yield _packet(core, next(turns), rng, f"IV of {iv_bytes} bytes", iv=rng.randbytes(iv_bytes))


def _carries(core: Abilities, turns: Turns, rng: Random) -> Iterator[Packet]:
    if core.iv != "any":
        return
    for low in CARRIES:
        yield _counted_packet(core, next(turns), rng, low, core.lanes + 5)


def _last_carries(core: Abilities, turns: Turns, rng: Random) -> Iterator[Packet]:
    """Byte 15 of the counter carries in, just before and just after each lane that the last beat
    can have a block in: from J0 where the core takes such IVs, after 254 blocks where not."""
    for blocks in range(253, 257 + core.lanes):
        yield _packet(core, next(turns), rng, f"{blocks} blocks", text_bytes=16 * blocks - 3)
    if core.iv != "any":
        return
    for blocks in range(1, core.lanes + 1):
        for carry in range(-1, blocks + 1):  # the lane whose counter ends in 00
            low = rng.getrandbits(24) << 8 | (255 - core.lanes - carry) % 256
            yield _counted_packet(core, next(turns), rng, low, core.lanes + blocks)


def _counted_packet(core: Abilities, turn: _Turn, rng: Random, low: int, blocks: int) -> Packet:
    """A packet of that many blocks of text whose J_0 ends in these 32 bits."""
    h = encrypt_block(key_expansion(turn.key), 0)
    return _packet(
        core, turn, rng, f"J0 ends in {low:08x}, {blocks} blocks",
        iv=iv_for_counter(h, rng.getrandbits(96) << 32 | low), text_bytes=16 * blocks,
    )  # fmt: skip


def _wide(core: Abilities, turns: Turns, rng: Random) -> Iterator[Packet]:
    for decrypt, aad_bytes, text_bytes in ((False, WIDE_BYTES, 16), (True, 20, WIDE_BYTES)):
        yield _packet(
            core, next(turns), rng, f"AAD of {aad_bytes} and text of {text_bytes} bytes",
            decrypt=decrypt, aad_bytes=aad_bytes, text_bytes=text_bytes,
        )  # fmt: skip


def _crossed(
    core: Abilities, keys: Sequence[bytes], counts: Counter[int], rng: Random
) -> Sequence[Operation]:
    """Over limits that random traffic does not cross, as they are long, but not too long; and far
    over all limits that are not too long, so that counters of what is left wrap."""
    traffic = Traffic(
        core=core, seed=SEED, rng=rng, keys=dict(enumerate(keys)), counts=counts,
        fixed=dict.fromkeys(range(len(keys)), bytes(4)),
    )  # fmt: skip
    decrypt = decrypts(core, wish=True)

    def cross(in_text: bool, over: int) -> None:
        packet = crossing_packet(traffic, 0, 0, in_text=in_text, decrypt=decrypt, over=over)
        traffic.operations.append(packet)

    for in_text, limit in ((True, core.max_text_bytes), (False, core.max_aad_bytes)):
        if CROSSED_LIMIT_BYTES < limit <= WIDE_BYTES:
            cross(in_text, 0)
        if limit <= WIDE_BYTES:
            far = FAR_BEATS * 16 * (core.lanes + core.aad_lanes)
            for over in (far, 2 * far):
                cross(in_text, over)
    return traffic.operations


def _packet(
    core: Abilities,
    turn: _Turn,
    rng: Random,
    what: str,
    *,
    decrypt: bool = False,
    iv: bytes | None = None,
    aad_bytes: int = 7,
    text_bytes: int = 20,
    tag_bytes: int = 16,
    flip: int | None = None,
) -> Packet:
    """A packet of random bytes, sections cut to the core's limits; bit `flip` of the tag is
    wrong."""
    context, key = turn.context, turn.key
    own_ivs = core.iv == "counter"  # of packets to be encrypted
    decrypt = decrypt or decrypts(core, wish=own_ivs)
    iv = rng.randbytes(12) if iv is None else iv
    if own_ivs and not decrypt:
        iv = turn.next_iv(core.iv_limit)
    aad = rng.randbytes(min(aad_bytes, core.max_aad_bytes))
    plaintext = rng.randbytes(min(text_bytes, core.max_text_bytes))
    label = f"edge packet, {'decrypt' if decrypt else 'encrypt'}, {what}"
    refused = _refusal(core, iv, tag_bytes)
    ciphertext, full_tag = reference.seal(
        key, iv or bytes(12), plaintext, aad, length_first=core.length_first
    )
    tag = full_tag[:tag_bytes] if decrypt else None
    if tag is not None and flip is not None:
        wrong = int.from_bytes(tag, "big") ^ (1 << (8 * tag_bytes - 1 - flip))
        tag = wrong.to_bytes(tag_bytes, "big")
    text = ciphertext if decrypt else plaintext
    expect = (
        reference.refusal(text, refused)
        if refused is not None
        else reference.answer(
            key=key,
            decrypt=decrypt,
            iv=iv,
            aad=aad,
            text=text,
            tag=tag,
            tag_bytes=tag_bytes,
            length_first=core.length_first,
        )
    )
    packet = Packet(
        context=context, decrypt=decrypt, iv=iv, aad=aad, text=text, tag=tag,
        tag_bytes=tag_bytes, expect=expect, label=label,
    )  # fmt: skip
    return refused_if_misdirected(core, packet)


def _refusal(core: Abilities, iv: Sequence[int], tag_bytes: int) -> Status | None:
    if not iv or (core.iv != "any" and len(iv) != 12):
        return Status.BAD_IV
    return None if tag_bytes in TAG_BYTES else Status.BAD_TAG_LENGTH
