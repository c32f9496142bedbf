# SPDX-License-Identifier: Apache-2.0
"""Traffic in which every decrypted packet has one wrong bit, between good ones that must come out.

What is expected follows from the flip alone: a packet whose tag, ciphertext, AAD or IV differs in
one bit from what was sealed is not authentic (but for a chance of 2^-32 at most).
"""

from collections.abc import Sequence
from random import Random

from gcmforge.sim import reference
from gcmforge.sim.operations import Abilities, Expected, LoadKey, Operation, Packet, Status

FLIPPED_PARTS = ("tag", "ciphertext", "AAD", "IV")
GOOD = 0.1
"""Good packets for each flipped one."""

TAG_BYTES = (4, 8, 12, 13, 14, 15, 16)


def flipped_traffic(
    core: Abilities, *, packets: int, seed: int, parts: Sequence[str] = FLIPPED_PARTS
) -> list[Operation]:
    """`packets` packets with a flipped bit, in the parts in turn, and good ones between them.

    Expected texts are those of a core with `streaming` release; one with `verified` release is to
    give none.
    """
    rng = Random(seed)
    keys = [rng.randbytes(rng.choice(core.key_sizes) // 8) for _ in range(core.contexts)]
    operations: list[Operation] = [LoadKey(context=i, key=key) for i, key in enumerate(keys)]
    for number in range(packets):
        context = rng.randrange(core.contexts)
        part = parts[number % len(parts)]
        operations.append(_packet(core, rng, context, keys[context], part, number))
        if rng.random() < GOOD:
            operations.append(_packet(core, rng, context, keys[context], "", number))
    return operations


def _packet(
    core: Abilities, rng: Random, context: int, key: bytes, part: str, number: int
) -> Packet:
    """A packet to be decrypted; `part` has the flipped bit, and so at least a byte."""
    longest = min(rng.choice((1, 40, 300)), core.max_text_bytes)
    text_bytes = rng.randint(part == "ciphertext", longest)
    aad_bytes = rng.randint(part == "AAD", min(50, core.max_aad_bytes))
    iv = rng.randbytes(12 if core.iv != "any" or rng.random() < 0.8 else rng.randint(1, 40))
    aad, plaintext = rng.randbytes(aad_bytes), rng.randbytes(text_bytes)
    ciphertext, tag = reference.seal(key, iv, plaintext, aad, length_first=core.length_first)
    tag = tag[: rng.choice(TAG_BYTES)]
    sent = {"tag": tag, "ciphertext": ciphertext, "AAD": aad, "IV": iv}
    if part:
        bit = rng.randrange(8 * len(sent[part]))
        sent[part] = _flipped(sent[part], bit)
        plaintext = reference.open_unchecked(key, sent["IV"], sent["ciphertext"])
    status = Status.AUTH_FAIL if part else Status.OK
    return Packet(
        context=context, decrypt=True, iv=sent["IV"], aad=sent["AAD"], text=sent["ciphertext"],
        tag=sent["tag"], tag_bytes=len(tag),
        expect=Expected(text=plaintext, tag=None, status=status),
        label=f"packet {number}, " + (f"bit {bit} of the {part} flipped" if part else "good"),
    )  # fmt: skip


def _flipped(data: bytes, bit: int) -> bytes:
    flipped = bytearray(data)
    flipped[bit // 8] ^= 0x80 >> bit % 8
    return bytes(flipped)
