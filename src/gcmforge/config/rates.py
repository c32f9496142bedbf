# SPDX-License-Identifier: Apache-2.0
"""Cycles of a core from its configuration, by the laws in its modules' headers.

Packets of one length back to back, nothing stalled, 96-bit IVs, no AAD, the largest key: what
gcmforge.measure.throughput simulates.
"""

from __future__ import annotations

from gcmforge.config import CoreConfig

LONG_BYTES = 65_536


def bits_per_cycle(config: CoreConfig, packet_bytes: int) -> float:
    """Text bits a cycle, long-run average."""
    return 8 * packet_bytes / cycles_per_packet(config, packet_bytes)


def cycles_per_packet(config: CoreConfig, packet_bytes: int) -> float:
    """From one packet's tag to the next one's, long-run average."""
    if config.architecture:
        return config.architecture.packet_cycles(config, packet_bytes)
    blocks = max(1, -(-packet_bytes // 16))
    slots = config.packet_slots(0, packet_bytes)
    return max(
        slots * max(cycles_per_slot(config), config.ghash_block_cycles),
        slots + config.ghash_engine.wait_cycles(config, blocks),
        config.tag_cycles / config.tag_depth,
        config.slots_engine.wait_cycles(config, slots),
    )


def cycles_per_slot(config: CoreConfig) -> float:
    """Of the AES engine, when all blocks have the largest key."""
    return config.aes_engine.slot_cycles(config)


def first_text_latency_cycles(config: CoreConfig) -> int:
    """From a packet's first beat in to its first beat out, in an idle core, its command with it."""
    if config.architecture:
        return config.architecture.text_cycles(config)
    return config.aes_latency_cycles + config.slots_engine.text_cycles
