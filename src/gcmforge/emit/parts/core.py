# SPDX-License-Identifier: Apache-2.0
"""Parts of the core itself: keys and commands on their way in, beats on their way to slots."""

from gcmforge.config import CoreConfig
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
    bits = "".join(str(int(size in config.key_sizes)) for size in (256, 192, 128))
    sizes = ("Sizes", f"3'b{bits}")
    stages = ("SubStages", str(config.aes_substages))
    if not config.key_schedule_engine.travels:
        return part("gcm_key_feed", purpose, ports, "gcm_key_feed_expanded", (sizes, stages))
    if config.key_unit_engine.dedicated:
        return part("gcm_key_feed", purpose, ports, "gcm_key_feed_both", (sizes, stages))
    idle = ("size_i", "hold_i")
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


_CLOSING = {
    "gcm_closing_ahead": ("text_i", "short_i", "more_i"),
    "gcm_closing_own_j0": ("last_i",),
    "gcm_closing_own_tail": ("text_i", "last_i", "free_i", "j0_sent_i"),
    "gcm_closing_shared": ("free_i",),
}
"""What each way to end a packet looks at."""


def gcm_closing(config: CoreConfig) -> str:
    """Whether J0 and a packet's end go with a beat, in gcm_issue."""
    own = "gcm_closing_own_j0" if config.own_j0 else config.tail_engine.closing
    target = config.slots_engine.closing or own
    inputs = ("text_i", "last_i", "free_i", "short_i", "more_i", "j0_sent_i")
    ports = (*map(input_, inputs), *map(output, ("j0_here_o", "closes_o")))
    unused = [name for name in inputs if name not in _CLOSING[target]]
    purpose = "When the end of a packet goes with its last beat, in this core."
    return part("gcm_closing", purpose, ports, target, unused=unused)
