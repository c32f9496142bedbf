# SPDX-License-Identifier: Apache-2.0
"""The parts of the core nano that have several forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gcmforge.config.architecture import Choice
from gcmforge.config.engine import Parameters
from gcmforge.config.names import MEMORY_SBOXES

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig


def has_long_keys(config: CoreConfig) -> bool:
    return 256 in config.key_sizes


def _in_memory(config: CoreConfig) -> Parameters:
    return (("InMemory", "1'b1"),) if config.sbox in MEMORY_SBOXES else ()


def _key(config: CoreConfig) -> str:
    return "nano_key_both" if has_long_keys(config) else "nano_key_short"


def _cipher(config: CoreConfig) -> str:
    return "nano_aes_both" if has_long_keys(config) else "nano_aes"


def _direction(config: CoreConfig) -> str:
    one = config.direction
    return "nano_direction_both" if one == "both" else f"nano_direction_{one}s"


def _any(name: str, config: CoreConfig) -> str:
    return f"{name}_any" if config.iv_any else name


CHOICES = (
    Choice(
        name="nano_direction",
        purpose="The directions of this core.",
        ports=(
            ("clk", "input", 1),
            ("begin_i", "input", 1),
            ("decrypt_i", "input", 1),
            ("refused_i", "input", 1),
            ("compare_i", "input", 1),
            ("equal_i", "input", 1),
            ("refuses_o", "output", 1),
            ("decrypts_o", "output", 1),
            ("expects_o", "output", 1),
            ("differs_o", "output", 1),
        ),
        target=_direction,
    ),
    Choice(
        name="nano_key",
        purpose="The key of this core.",
        ports=(
            ("clk", "input", 1),
            ("rst", "input", 1),
            ("write_i", "input", 1),
            ("place_i", "input", 4),
            ("byte_i", "input", 8),
            ("last_i", "input", 1),
            ("whole_o", "output", 1),
            ("wrong_o", "output", 1),
            ("long_o", "output", 1),
            ("turn_ends_i", "input", 1),
            ("load_i", "input", 1),
            ("head_o", "output", 8),
        ),
        target=_key,
        unused=lambda config: () if has_long_keys(config) else ("rst", "turn_ends_i", "load_i"),
    ),
    Choice(
        name="nano_iv",
        purpose="The IVs of this core.",
        ports=(
            ("clk", "input", 1),
            ("rst", "input", 1),
            ("phase_i", "input", 4),
            ("active_i", "input", 1),
            ("taken_i", "input", 1),
            ("byte_i", "input", 8),
            ("last_i", "input", 1),
            ("place_i", "input", 4),
            ("full_i", "input", 1),
            ("hash_busy_i", "input", 1),
            ("aes_done_i", "input", 1),
            ("stream_i", "input", 8),
            ("opens_o", "output", 1),
            ("ready_o", "output", 1),
            ("wrong_o", "output", 1),
            ("done_o", "output", 1),
            ("begins_o", "output", 1),
            ("write_o", "output", 1),
            ("block_o", "output", 8),
            ("count_o", "output", 1),
            ("clear_o", "output", 1),
            ("hashed_o", "output", 8),
            ("lengths_o", "output", 1),
            ("hash_o", "output", 1),
            ("load_o", "output", 1),
            ("passes_o", "output", 1),
        ),
        target=lambda config: f"nano_iv_{config.iv}",
        unused=lambda config: () if config.iv_any else (
            "clk", "rst", "full_i", "hash_busy_i", "aes_done_i", "stream_i",
        ),
    ),
    Choice(
        name="nano_counter",
        purpose="The counter block of this core.",
        ports=(
            ("clk", "input", 1),
            ("rst", "input", 1),
            ("phase_i", "input", 4),
            ("begin_i", "input", 1),
            ("write_i", "input", 1),
            ("byte_i", "input", 8),
            ("count_i", "input", 1),
            ("blank_i", "input", 1),
            ("first_i", "input", 1),
            ("block_o", "output", 8),
            ("counts_o", "output", 1),
        ),
        target=lambda config: _any("nano_counter", config),
        unused=lambda config: ("begin_i",) if config.iv_any else (),
    ),
    Choice(
        name="nano_cipher",
        purpose="The AES of this core.",
        ports=(
            ("clk", "input", 1),
            ("rst", "input", 1),
            ("phase_i", "input", 4),
            ("long_i", "input", 1),
            ("start_i", "input", 1),
            ("pass_i", "input", 1),
            ("block_i", "input", 8),
            ("key_i", "input", 8),
            ("done_o", "output", 1),
            ("stream_o", "output", 8),
        ),
        target=_cipher,
        parameters=_in_memory,
        unused=lambda config: () if has_long_keys(config) else ("long_i",),
    ),
    Choice(
        name="nano_wide_key",
        purpose="The keys that this core takes, in one transfer each.",
        ports=(
            ("clk", "input", 1),
            ("rst", "input", 1),
            ("open_i", "input", 1),
            ("busy_o", "output", 1),
            ("key_valid_i", "input", 1),
            ("key_ready_o", "output", 1),
            ("key_data_i", "input", 256),
            ("key_size_i", "input", 2),
            ("key_context_i", "input", 1),
            ("byte_valid_o", "output", 1),
            ("byte_ready_i", "input", 1),
            ("byte_o", "output", 8),
            ("byte_last_o", "output", 1),
        ),
        target=lambda config: "nano_wide_key_sized",
        parameters=lambda config: (("KeyBits", str(max(config.key_sizes))),),
    ),
    Choice(
        name="nano_wide_command",
        purpose="The commands that this core takes, in one transfer each.",
        ports=(
            ("clk", "input", 1),
            ("rst", "input", 1),
            ("open_i", "input", 1),
            ("busy_o", "output", 1),
            ("command_valid_i", "input", 1),
            ("command_ready_o", "output", 1),
            ("command_context_i", "input", 1),
            ("command_decrypt_i", "input", 1),
            ("command_tag_i", "input", 128),
            ("command_tag_bytes_i", "input", 5),
            ("command_iv_bytes_i", "input", 16),
            ("command_iv_i", "input", 128),
            ("byte_valid_o", "output", 1),
            ("byte_ready_i", "input", 1),
            ("byte_o", "output", 8),
            ("byte_last_o", "output", 1),
        ),
        target=lambda config: _any("nano_wide_command", config),
    ),
)  # fmt: skip
