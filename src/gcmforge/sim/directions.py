# SPDX-License-Identifier: Apache-2.0
"""Packets for cores that have one direction: those of the other one must be refused.

Whatever else is wrong with a packet, the status of a command of the direction that is not built is
BAD_DIRECTION; zeros leave for its text, and no tag does.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from gcmforge.sim import reference
from gcmforge.sim.operations import Abilities, Expected, Packet, Status

MISDIRECTED = 0.08
"""Share of the packets, in random traffic, whose command is of the other direction."""


def decrypts(core: Abilities, wish: bool) -> bool:
    """The direction of a packet that is to be taken: the one wished, where the core has it."""
    return wish if core.direction == "both" else core.direction == "decrypt"


def directions(core: Abilities) -> Iterator[bool]:
    """Whether to decrypt: each direction that the core has."""
    yield from (wish for wish in (False, True) if takes(core, wish))


def takes(core: Abilities, decrypt: bool) -> bool:
    """Whether the core has that direction."""
    return decrypts(core, decrypt) == decrypt


def refused_if_misdirected(core: Abilities, packet: Packet) -> Packet:
    """The packet; one that is of a direction that the core does not have is to be refused."""
    if takes(core, packet.decrypt):
        return packet
    return replace(
        packet, expect=reference.refusal(packet.text, Status.BAD_DIRECTION),
        label=f"{packet.label}, of the direction that is not built",
    )  # fmt: skip


def opened(packet: Packet) -> Packet:
    """The decryption of what a good packet's encryption gives."""
    return replace(
        packet, decrypt=True, text=packet.expect.text, tag=packet.expect.tag,
        expect=Expected(text=packet.text, tag=None, status=Status.OK),
    )  # fmt: skip


def misdirected(core: Abilities, packet: Packet) -> Packet:
    """The packet as a command of the other direction, on a core that has one."""
    tag = None if packet.decrypt else bytes(min(packet.tag_bytes, 16))
    return refused_if_misdirected(core, replace(packet, decrypt=not packet.decrypt, tag=tag))


def now_and_then_misdirected(rng: Random, core: Abilities, packet: Packet) -> Packet:
    """What random traffic has of it. Where a core makes the IVs, its packet has used one up."""
    if core.direction == "both":
        return packet
    if takes(core, packet.decrypt) and core.iv != "counter" and rng.random() < MISDIRECTED:
        return misdirected(core, packet)
    return refused_if_misdirected(core, packet)
