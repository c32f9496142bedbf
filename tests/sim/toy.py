# SPDX-License-Identifier: Apache-2.0
"""What tests/sim/data/toy_core.sv should answer, and the numbers of its faults."""

from enum import IntEnum
from pathlib import Path
from random import Random

from gcmforge.sim.operations import Expected, LoadKey, Operation, Packet, Status

TOY_CORE = Path(__file__).parent / "data" / "toy_core.sv"
TAG_LENGTHS = (4, 8, 12, 13, 14, 15, 16)


class Fault(IntEnum):
    """Last byte of a 256-bit key."""

    NONE = 0
    WRONG_TAG = 1
    DROPPED_BEAT = 2
    VALID_FALLS = 3
    HANG = 4
    PAYLOAD_CHANGES = 5
    DIRTY_BYTES = 6
    EXTRA_BEAT = 7
    FORGERY_ACCEPTED = 8
    READY_FOLLOWS_VALID = 9
    TAG_SHOWN = 10
    TAG_VALID_FOLLOWS_READY = 11
    OK_WRONG = 12
    KEEP_TOO_WIDE = 13
    ASSERTED = 14
    WAITS_FOR_READY = 15


def fold(data: bytes) -> int:
    """XOR of 16-byte blocks, the last one padded with zeros; byte 0 lowest."""
    blocks = (data[i : i + 16] for i in range(0, len(data), 16))
    total = 0
    for block in blocks:
        total ^= int.from_bytes(block, "little")
    return total


def toy_tag(key: bytes, iv: bytes, aad: bytes, text: bytes) -> bytes:
    total = fold(key[:16]) ^ fold(iv) ^ fold(aad) ^ fold(text)
    return total.to_bytes(16, "little")


def toy_packet(
    key: bytes | None, *, context: int, decrypt: bool, iv: bytes, aad: bytes, text: bytes,
    tag_bytes: int, forged: bool, label: str,
) -> Packet:  # fmt: skip
    """A packet with the toy's answer; `key` is None for a context without one."""
    tag = toy_tag(key or bytes(16), iv, aad, text)[:tag_bytes]
    given = bytes([tag[0] ^ 1]) + tag[1:] if forged else tag
    status = Status.AUTH_FAIL if decrypt and forged else Status.OK
    out = bytes(byte ^ key[0] for byte in text) if key else bytes(len(text))
    shown = tag if not decrypt else None
    if key is None:
        status, shown = Status.NO_KEY, None
    return Packet(
        context=context, decrypt=decrypt, iv=iv, aad=aad, text=text,
        tag=given if decrypt else None, tag_bytes=tag_bytes,
        expect=Expected(text=out, tag=shown, status=status), label=label,
    )  # fmt: skip


def toy_traffic(
    count: int, *, seed: int, contexts: int = 4, fault: Fault = Fault.NONE, long: int = 100
) -> list[Operation]:
    """Random packets with key changes between them; every key asks for the fault."""
    rng = Random(seed)
    keys: dict[int, bytes] = {}
    operations: list[Operation] = []
    for number in range(count):
        context = rng.randrange(contexts)
        if rng.random() < 0.3 or (fault and context not in keys):
            size = 32 if fault else rng.choice((16, 24, 32))
            key = rng.randbytes(size - 1) + bytes([fault])
            keys[context] = key
            operations.append(LoadKey(context=context, key=key))
        decrypt = rng.random() < 0.5
        operations.append(
            toy_packet(
                keys.get(context),
                context=context,
                decrypt=decrypt,
                iv=rng.randbytes(rng.choice((1, 12, 12, 16, 17, 40))),
                aad=rng.randbytes(rng.choice((0, 1, 16, 32, 33, rng.randrange(long)))),
                text=rng.randbytes(rng.choice((0, 1, 16, 31, 32, 64, rng.randrange(long)))),
                tag_bytes=rng.choice(TAG_LENGTHS),
                forged=decrypt and rng.random() < 0.3,
                label=f"toy packet {number}",
            )
        )
    return operations
