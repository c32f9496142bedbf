# SPDX-License-Identifier: Apache-2.0
"""Slots in a line, whose key stream is made before their text comes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcmforge.config.kinds import Slots
from gcmforge.engines.counting import Count, memory, slot_commands, slot_line, slot_steps

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig


def _refuses(config: CoreConfig) -> Iterator[str]:
    from gcmforge.config import default_of

    if config.iv != "96":
        yield (
            f"iv={config.iv} with slots=ahead: a packet's counters have to follow from its command "
            "alone; use iv=96, or slots=line"
        )
    if config.contexts > 1 and not config.key_unit_engine.dedicated:
        yield (
            f"contexts={config.contexts} with key_unit={config.key_unit} and slots=ahead: a hash "
            "subkey would wait in the AES for the text of other packets; use key_unit=dedicated, "
            "contexts=1, or slots=line"
        )
    if config.tail_engine.dedicated:
        yield (
            f"tail={config.tail} with slots=ahead: J0 follows the counters of the text there, and "
            "would come too late for a beat of AAD; use tail=shared, or slots=line"
        )
    for name in ("zeroise", "timeout", "registers", "profile"):
        if config[name] != default_of(name):
            yield (
                f"{name}={config[name]} with slots=ahead: it does not know in how many "
                f"beats a packet's text comes; use {name}={default_of(name)}, or slots=line"
            )
    if config.ahead_places > config.full_ahead_depth:
        yield (
            f"ahead_places={config.ahead_places}: no packets take more than "
            f"{config.full_ahead_depth} in this core; use that many or less, or 0"
        )


def _wait(config: CoreConfig, beats: int) -> float:
    """Cycles a packet when those whose key stream is under way do not fill the AES: its passage,
    shared by the packets that gcm_ahead has places for and the one that takes its key stream; of
    two beats the next command is here before the last key stream is taken."""
    places = config.ahead_depth
    passage = config.aes_latency_cycles + beats + (2 if places == 1 else 1)
    return (passage + beats) / (places + 2) if beats <= 2 else passage / (places + 1)


def _counts(config: CoreConfig) -> Count:
    """The line, and the queue and the registers of gcm_ahead."""
    found = slot_line(config) + slot_steps(config)
    found += slot_commands(config, 1 if config.ahead_depth == 1 else 2)
    found += memory(167 + config.context_bits, config.ahead_depth)
    return found + Count(register=96 + 3 * 32 + config.context_bits)


ENGINE = Slots(
    name="ahead",
    says="makes the key stream before the text comes, so that no text waits for the AES. Each "
    "command then tells in how many beats its text will come (iv=96, one context or "
    "key_unit=dedicated)",
    rank=2,
    summary=" ahead of the text",
    refuses=_refuses,
    depth=lambda config: 3 if config.lanes >= 4 else 2,  # whose bytes take longer to count
    counts=_counts,
    diagram="gcm_slots_line",
    closing="gcm_closing_ahead",
    text_cycles=4,
    wait_cycles=_wait,
    in_step=True,
    ahead=True,
)
