# SPDX-License-Identifier: Apache-2.0
"""Parts of micro that have several forms, and what chooses among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gcmforge.config.architecture import Choice
from gcmforge.config.names import MEMORY_SBOXES
from gcmforge.engines.gcm_nano.engine import ENGINE as NANO

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig

FAULTS = "faults"
DETECT = "detect"

BOXES = "sboxes"
WHOLE, FOUR = 20, 4
"""S-boxes: a round of AES and four words of the key schedule a cycle, or one column or word."""


def four(config: CoreConfig) -> bool:
    return bool(config[BOXES] == FOUR)


def digit(config: CoreConfig) -> int:
    """Bits of GHASH a cycle: no product takes longer than a block of AES-128."""
    return 3 if four(config) else 12


def detects(config: CoreConfig) -> bool:
    return bool(config[FAULTS] == DETECT)


def _sized(config: CoreConfig, part: str) -> str:
    return f"{part}_both" if 256 in config.key_sizes else f"{part}_short"


def _schedule(config: CoreConfig) -> str:
    return _sized(config, "micro_key" if four(config) else "micro_schedule")


def _boxes(config: CoreConfig) -> str:
    return "micro_boxes_memory" if config.sbox in MEMORY_SBOXES else "micro_boxes_gates"


CHOICES = (
    *(choice for choice in NANO.choices if choice.name == "nano_direction"),
    Choice(
        name="micro_schedule",
        purpose="The key and the key schedule of this core.",
        ports=(
            ("clk", "input", 1),
            ("rst", "input", 1),
            ("write_i", "input", 1),
            ("place_i", "input", 4),
            ("word_i", "input", 32),
            ("last_i", "input", 1),
            ("whole_o", "output", 1),
            ("long_o", "output", 1),
            ("load_i", "input", 1),
            ("key_o", "output", 128),
        ),
        target=_schedule,
    ),
    Choice(
        name="micro_checked_schedule",
        purpose="The key and the key schedule of this core, with parity bits.",
        ports=(
            ("clk", "input", 1),
            ("write_i", "input", 1),
            ("place_i", "input", 3),
            ("word_i", "input", 32),
            ("write_again_i", "input", 1),
            ("place_again_i", "input", 3),
            ("long_again_i", "input", 1),
            ("load_again_i", "input", 1),
            ("key_sum_i", "input", 8),
            ("long_i", "input", 1),
            ("turns_i", "input", 1),
            ("constant_i", "input", 8),
            ("odd_i", "input", 2),
            ("load_i", "input", 1),
            ("key_o", "output", 128),
            ("bad_o", "output", 1),
        ),
        target=lambda config: _sized(config, "micro_checked_schedule"),
    ),
    Choice(
        name="micro_turns",
        purpose="What the key schedule of this core does in each step.",
        ports=(
            ("clk", "input", 1),
            ("rst", "input", 1),
            ("write_i", "input", 1),
            ("place_i", "input", 4),
            ("last_i", "input", 1),
            ("whole_o", "output", 1),
            ("long_o", "output", 1),
            ("load_i", "input", 1),
            ("turns_o", "output", 1),
            ("constant_o", "output", 8),
        ),
        target=lambda config: _sized(config, "micro_turns"),
    ),
    Choice(
        name="micro_cipher",
        purpose="The AES of this core.",
        ports=(
            ("clk", "input", 1),
            ("rst", "input", 1),
            ("start_i", "input", 1),
            ("block_i", "input", 128),
            ("done_o", "output", 1),
            ("stream_o", "output", 128),
            ("long_i", "input", 1),
            ("load_o", "output", 1),
            ("key_i", "input", 128),
        ),
        target=lambda config: "micro_aes_four" if four(config) else "micro_aes",
    ),
    Choice(
        name="micro_hash",
        purpose="The GHASH of this core.",
        ports=(
            ("clk", "input", 1),
            ("rst", "input", 1),
            ("clear_i", "input", 1),
            ("add_i", "input", 1),
            ("block_i", "input", 128),
            ("multiply_i", "input", 1),
            ("free_o", "output", 1),
            ("digest_o", "output", 128),
            ("subkey_i", "input", 1),
            ("subkey_block_i", "input", 128),
        ),
        target=lambda config: "micro_ghash",
        parameters=lambda config: (("Digit", str(digit(config))),),
    ),
    Choice(
        name="micro_counter",
        purpose="The counter block of this core.",
        ports=(
            ("clk", "input", 1),
            ("blank_i", "input", 1),
            ("write_i", "input", 1),
            ("place_i", "input", 2),
            ("word_i", "input", 32),
            ("first_i", "input", 1),
            ("count_i", "input", 1),
            ("block_o", "output", 128),
        ),
        target=lambda config: "micro_counter_words" if four(config) else "micro_counter",
    ),
    Choice(
        name="micro_boxes",
        purpose="Four S-boxes and the register after them.",
        ports=(("clk", "input", 1), ("word_i", "input", 32), ("word_o", "output", 32)),
        target=_boxes,
    ),
    Choice(
        name="micro_window",
        purpose="The round keys of this core, from words of its key.",
        ports=(
            ("clk", "input", 1),
            ("load_i", "input", 1),
            ("key_i", "input", 32),
            ("start_i", "input", 1),
            ("first_i", "input", 1),
            ("long_i", "input", 1),
            ("odd_i", "input", 1),
            ("boxed_i", "input", 32),
            ("word_o", "output", 32),
        ),
        target=lambda config: _sized(config, "micro_window"),
    ),
)
