# SPDX-License-Identifier: Apache-2.0
"""Parts of the core itself: keys and commands on their way in, beats on their way to slots."""

from gcmforge.config import CoreConfig
from gcmforge.emit.package import command_iv_bits, key_sizes_built
from gcmforge.emit.parts.making import input_, inputs, output, part


def gcm_key_feed(config: CoreConfig) -> str:
    """What a key becomes on its way into the AES, and into a key unit of its own."""
    ports = (
        input_("clk"),
        input_("rst"),
        input_("take_i"),
        input_("key_i", 256),
        input_("size_i", 2),
        input_("keep_i"),
        input_("start_i"),
        output("busy_o"),
        output("round_valid_o"),
        output("round_index_o", 4),
        output("round_key_o", 128),
        output("schedule_valid_o"),
        output("schedule_index_o", 4),
        output("schedule_key_o", 128),
        input_("hold_i"),
    )
    purpose = "How a key comes into this core's AES."
    sizes = ("Sizes", key_sizes_built(config))
    stages = ("SubStages", str(config.aes_substages))
    if not config.key_schedule_engine.travels:
        return part("gcm_key_feed", purpose, ports, "gcm_key_feed_expanded", (sizes, stages))
    if config.key_unit_engine.dedicated:
        return part("gcm_key_feed", purpose, ports, "gcm_key_feed_both", (sizes, stages))
    idle = ("hold_i",)
    return part("gcm_key_feed", purpose, ports, "gcm_key_feed_handed", (sizes,), unused=idle)


def gcm_ahead_commands(config: CoreConfig) -> str:
    """Where commands wait whose key stream is made before their text comes."""
    width = config.context_bits + 1 + 128 + 5 + 1 + 32 + 1  # word_in of gcm_ahead
    ports = (
        input_("clk"),
        input_("rst"),
        input_("in_valid_i"),
        output("in_ready_o"),
        input_("in_data_i", width),
        output("told_o"),
        input_("start_i"),
        output("out_valid_o"),
        input_("out_ready_i"),
        output("out_data_o", width),
    )
    purpose = "Where this core's commands wait for their text."
    sizes = [("Width", str(width))]
    if config.ahead_depth > 1:
        sizes += [("Places", str(config.ahead_depth))]
    target = "gcm_ahead_commands_queue" if config.ahead_depth > 1 else "gcm_ahead_commands_one"
    return part("gcm_ahead_commands", purpose, ports, target, sizes)


def gcm_side(config: CoreConfig) -> str:
    """AAD that comes with a beat of text, in gcm_issue."""
    lanes = max(config.aad_lanes, 1)
    ports = (
        input_("data_i", 128 * lanes),
        input_("keep_i", 16 * lanes),
        *map(input_, ("late_i", "text_i", "null_i")),
        *map(output, ("any_o", "bad_o")),
        output("bytes_o", (16 * lanes).bit_length()),
        output("data_o", 128 * lanes),
    )
    purpose = "AAD on ports of its own, in this core."
    if config.aad_lanes:
        return part("gcm_side", purpose, ports, "gcm_side_aad")
    return part("gcm_side", purpose, ports, "gcm_side_none", unused=inputs(ports))


def gcm_said(config: CoreConfig) -> str:
    """What gcm_issue knows of text that is still to come."""
    ports = (
        *map(input_, ("clk", "rst", "start_i")),
        input_("text_beats_i", 32),
        *map(input_, ("data_i", "close_i", "text_i", "last_i", "drained_i", "taken_i", "still_i")),
        input_("left_i", 6),
        *map(output, ("has_stream_o", "more_streams_o", "wrong_o", "drains_o", "cut_o")),
    )
    purpose = "Text that this core's commands announced, and that is still to come."
    if config.ahead:
        return part("gcm_said", purpose, ports, "gcm_said_ahead")
    return part("gcm_said", purpose, ports, "gcm_said_none", unused=inputs(ports))


def gcm_two_values(config: CoreConfig) -> str:
    """Whether counters of a beat keep J0 from having a lane among them, in gcm_issue."""
    ports = (
        *map(input_, ("clk", "start_i", "hashed_i", "next_i")),
        input_("counted_i", config.lanes),
        output("two_values_o"),
    )
    purpose = "Whether a carry within a beat of text keeps J0 from it, in this core."
    if _looks_for_a_lane(config):
        return part("gcm_two_values", purpose, ports, "gcm_two_values_shared")
    return part("gcm_two_values", purpose, ports, "gcm_two_values_none", unused=inputs(ports))


def _looks_for_a_lane(config: CoreConfig) -> bool:
    """Whether J0 may take a lane among text whose lanes share what their counters have in common:
    only where there are two values of that at most."""
    return config.counter_sharing == "on" and "free_i" in _CLOSING[_closing(config)]


_CLOSING = {
    "gcm_closing_ahead": ("text_i", "short_i", "more_i"),
    "gcm_closing_own_j0": ("last_i",),
    "gcm_closing_own_tail": ("text_i", "last_i", "free_i", "j0_sent_i"),
    "gcm_closing_shared": ("free_i",),
}
"""What each way to end a packet looks at. `free_i`: J0 may take a lane of the last beat."""


def gcm_closing(config: CoreConfig) -> str:
    """Whether J0 and a packet's end go with a beat, in gcm_issue."""
    target = _closing(config)
    inputs = ("text_i", "last_i", "short_i", "two_values_i", "more_i", "j0_sent_i")
    ports = (*map(input_, inputs), *map(output, ("j0_here_o", "j0_first_o", "closes_o")))
    purpose = "When the end of a packet goes with its last beat, in this core."
    sees = _CLOSING[target]
    free = "short_i && !two_values_i" if _looks_for_a_lane(config) else "short_i"
    there = {"two_values_i": "free_i"}
    return part(
        "gcm_closing",
        purpose,
        ports,
        target,
        instead=there,
        given={"two_values_i": free},
        unused=[name for name in inputs if there.get(name, name) not in sees],
    )


def _closing(config: CoreConfig) -> str:
    own = "gcm_closing_own_j0" if config.own_j0 else config.tail_engine.closing
    return config.slots_engine.closing or own


def gcm_issue_iv(config: CoreConfig) -> str:
    """IVs of a packet's command, in gcm_issue."""
    ports = (
        *map(input_, ("clk", "rst", "start_i", "beat_i")),
        input_("bytes_i", 16),
        input_("iv_i", 128),
        *map(input_, ("slot_i", "j0_valid_i")),
        *map(output, ("taken_o", "passes_o", "at_once_o", "done_o", "hash_o", "length_o")),
        output("block_o", 128),
        *map(output, ("wait_o", "count_o")),
    )
    purpose = "The IVs that this core takes."
    if config.iv_any:
        return part("gcm_issue_iv", purpose, ports, "gcm_issue_iv_hashed")
    hashing = ("iv_i", "slot_i", "j0_valid_i")
    if config.ahead:
        unused = ("clk", "rst", "beat_i", *hashing)
        return part("gcm_issue_iv", purpose, ports, "gcm_issue_iv_short", unused=unused)
    return part("gcm_issue_iv", purpose, ports, "gcm_issue_iv_dropped", unused=hashing)


def gcm_blocks(config: CoreConfig) -> str:
    """Counter blocks and J0 on their way into the AES, in gcm_issue."""
    ports = (
        input_("j0_i", 128),
        input_("counters_i", 32 * config.lanes),
        input_("counted_i", config.lanes),
        input_("count_i", config.lanes.bit_length()),
        *map(input_, ("j0_here_i", "first_i", "close_i", "zero_i")),
        output("has_j0_o", config.lanes),
        output("blocks_o", 128 * config.aes_lanes),
    )
    purpose = "Where J0 goes, in this core."
    if not config.own_j0:
        return part("gcm_blocks", purpose, ports, "gcm_blocks_shared")
    unused = ("counted_i", "count_i", "j0_here_i", "first_i", "close_i")
    return part("gcm_blocks", purpose, ports, "gcm_blocks_own_j0", unused=unused)


def gcm_mask(config: CoreConfig) -> str:
    """What a packet's digest is compared with, in gcm_join."""
    ports = (
        *map(input_, ("clk", "passes_i", "has_j0_i", "aad_i")),
        input_("count_i", config.lanes.bit_length()),
        input_("mixed_i", 128 * config.lanes),
        input_("stream_i", 128 * config.lanes),
        input_("j0_i", 128),
        input_("tag_i", 128),
        output("mask_o", 128),
    )
    purpose = "What this core compares a packet's digest with."
    sees: tuple[str, ...]
    if config.own_j0:
        target, sees = "gcm_mask_own_j0", ("j0_i", "tag_i")
    elif config.tail_engine.dedicated:
        target = "gcm_mask_early"
        sees = ("clk", "passes_i", "has_j0_i", "aad_i", "count_i", "stream_i", "tag_i")
    else:
        target, sees = "gcm_mask_closing", ("count_i", "mixed_i")
    unused = [name for name in inputs(ports) if name not in sees]
    return part("gcm_mask", purpose, ports, target, unused=unused)


def gcm_hashed(config: CoreConfig) -> str:
    """Blocks of a slot for GHASH, in gcm_join."""
    ports = (
        input_("side_i"),
        input_("aad_i", 128 * max(config.aad_lanes, 1)),
        input_("beat_i", config.data_bits),
        output("hashed_o", 128 * config.ghash_lanes),
    )
    purpose = "Which blocks of a slot this core hashes."
    if config.aad_lanes:
        return part("gcm_hashed", purpose, ports, "gcm_hashed_side")
    idle = ("side_i", "aad_i")
    return part("gcm_hashed", purpose, ports, "gcm_hashed_alone", unused=idle)


def gcm_input(config: CoreConfig) -> str:
    """Beats of data on their way in, in gcm_front."""
    lanes = max(config.aad_lanes, 1)
    # beat_in of gcm_front
    width = config.data_bits + config.data_bits // 8 + 4 + config.lanes.bit_length()
    ports = (
        *map(input_, ("clk", "rst", "in_valid_i")),
        output("in_ready_o"),
        input_("in_beat_i", width),
        input_("in_side_i", 128 * lanes),
        input_("in_side_keep_i", 16 * lanes),
        output("out_valid_o"),
        input_("out_ready_i"),
        output("out_beat_o", width),
        output("out_side_o", 128 * lanes),
        output("out_side_keep_o", 16 * lanes),
    )
    purpose = "Where this core's beats of data wait on their way in."
    sizes = [("Width", str(width))]
    if config.aad_lanes:
        return part("gcm_input", purpose, ports, "gcm_input_side", sizes)
    idle = ("in_side_i", "in_side_keep_i")
    return part("gcm_input", purpose, ports, "gcm_input_plain", sizes, unused=idle)


def gcm_command_places(config: CoreConfig) -> str:
    """Where command beats wait, in gcm_command."""
    width = config.context_bits + 1 + 5 + command_iv_bits(config) + 1  # fields_in of gcm_command
    ports = (
        *map(input_, ("clk", "rst", "in_valid_i")),
        output("in_ready_o"),
        input_("in_fields_i", width),
        input_("in_blocks_i", 256),
        *map(output, ("out_valid_o", "out_two_o")),
        input_("out_ready_i"),
        output("out_fields_o", width),
        output("out_blocks_o", 256),
    )
    purpose = "How many command beats wait in this core."
    target = f"gcm_command_places_{'one' if config.ahead_depth == 1 else 'two'}"
    return part("gcm_command_places", purpose, ports, target, [("Width", str(width))])


def gcm_command_words(config: CoreConfig) -> str:
    """What is kept of a command, in gcm_command."""
    iv_bits = command_iv_bits(config)
    ports = (
        input_("in_valid_i"),
        output("in_ready_o"),
        input_("in_first_i"),
        input_("in_tag_i", 128),
        input_("in_iv_bytes_i", 16),
        input_("in_iv_i", 128),
        input_("in_text_beats_i", 32),
        output("keep_o"),
        input_("space_i"),
        output("iv_o", iv_bits),
        output("blocks_o", 256),
        *map(input_, ("some_i", "two_i")),
        input_("iv_i", iv_bits),
        input_("blocks_i", 256),
        output("out_valid_o"),
        output("out_tag_o", 128),
        output("out_iv_bytes_o", 16),
        output("out_iv_o", 128),
        output("out_text_beats_o", 32),
    )
    purpose = "What this core keeps of a command."
    if config.ahead:
        return part("gcm_command_words", purpose, ports, "gcm_command_words_first")
    idle = ("in_first_i", "in_text_beats_i", "two_i")
    return part("gcm_command_words", purpose, ports, "gcm_command_words_all", unused=idle)
