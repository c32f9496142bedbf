# SPDX-License-Identifier: Apache-2.0
"""What the memories of a core with many streams hold, and their shapes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gcmforge.config.codes import status_bits

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig

STREAMS = "streams"
MAX_STAGES = 3
WITHIN_A_CYCLE = 16
"""As many contexts may have their round keys read within the cycle."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Instances of `gcm_ram` of one kind."""

    name: str
    holds: str
    words: int
    bits: int
    """Of a word."""
    number: int = 1
    registered: bool = True
    """A word read is there a cycle later (ReadRegister), so that a macro may take its place."""


def steps(config: CoreConfig) -> int:
    """Of the AES (law of segments_rounds)."""
    return config.rounds * config.aes_substages + 2


def tid_bits(config: CoreConfig) -> int:
    """Of the number of a stream; a port has one bit at least."""
    return max(1, int(config[STREAMS] - 1).bit_length())


def _limit_bits(config: CoreConfig) -> int:
    """Of the numbers of whole blocks of AAD and of text."""
    limits = (config.max_aad_bytes, config.max_text_bytes)
    return sum((limit // 16).bit_length() for limit in limits)


def _of_streams(config: CoreConfig) -> tuple[Memory, ...]:
    """A word for each stream, in all of them; GHASH keeps the last block only where it has to."""
    packet = 117 + config.context_bits + status_bits(config) + _limit_bits(config)
    count, stages = int(config[STREAMS]), config.ghash_stages
    return (
        Memory("u_packets", "its packet", count, packet),
        Memory("u_users", "who uses a context", count, 1 + config.context_bits),
        Memory("u_masks", "E(K, J0)", count, 128),
        Memory("u_partial", "partial digests", count, 128, stages),
        *([Memory("u_kept", "the last block", count, 128)] * (stages == MAX_STAGES)),
    )


def _of_contexts(config: CoreConfig) -> tuple[Memory, ...]:
    """With a word for each context."""
    count = config.contexts
    return (
        Memory("u_key", "round keys", count, 128, config.rounds + 1, count > WITHIN_A_CYCLE),
        Memory("u_power", "powers of H", count, 128, config.ghash_stages),
        Memory("u_held", "what it holds", count, 3),
    )


def _line(config: CoreConfig) -> Memory:
    """The ring of streams_line."""
    facts = 28 + status_bits(config) + config.context_bits + tid_bits(config) + _limit_bits(config)
    return Memory("u_words", "what waits for the AES", steps(config), facts + 256)


def memories(config: CoreConfig) -> tuple[Memory, ...]:
    """Each `gcm_ram`, but the one of gcm_keys that nothing reads (more than 16 contexts)."""
    return (*_of_streams(config), *_of_contexts(config), _line(config))


def stream_bits(config: CoreConfig) -> int:
    """Bits of memory for each stream."""
    return sum(memory.number * memory.bits for memory in _of_streams(config))


def context_bits(config: CoreConfig) -> int:
    """Bits of memory for each context."""
    return sum(memory.number * memory.bits for memory in _of_contexts(config))


def line_bits(config: CoreConfig) -> int:
    """Bits of the ring in which data and facts wait for the AES (streams_line)."""
    return _line(config).words * _line(config).bits


def memory_bits(config: CoreConfig) -> int:
    """Bits of all of them."""
    return sum(one.number * one.words * one.bits for one in memories(config))
