# SPDX-License-Identifier: Apache-2.0
"""Parts of what guards a core: waiting, IVs, erasing."""

from gcmforge.config import CoreConfig
from gcmforge.emit.parts.making import input_, output, part


def gcm_waiting(config: CoreConfig) -> str:
    """What comes of a sender that stops."""
    ports = (
        input_("clk"),
        input_("rst"),
        input_("command_valid_i"),
        output("command_ready_o"),
        input_("command_decrypt_i"),
        input_("command_iv_bytes_i", 16),
        output("command_valid_o"),
        input_("command_ready_i"),
        output("made_o"),
        input_("data_valid_i"),
        output("data_ready_o"),
        input_("data_last_i"),
        output("data_valid_o"),
        input_("data_ready_i"),
        output("close_o"),
        output("doubt_o"),
    )
    purpose = "What this core does when a sender stops."
    if not config.timeout:
        idle = ("clk", "rst", "command_decrypt_i", "command_iv_bytes_i", "data_last_i")
        return part("gcm_waiting", purpose, ports, "gcm_waits_for_ever", unused=idle)
    limit = (("Limit", str(config.timeout)),)
    decrypt = ("command_decrypt_i",)
    if config.iv != "counter":
        return part("gcm_waiting", purpose, ports, "gcm_timeout", limit, unused=decrypt)
    made_here = "command_decrypt_i ? command_iv_bytes_i : 16'd12"
    return part(
        "gcm_waiting",
        f"{purpose} Packets to be encrypted get an IV of 12 bytes.",
        ports,
        "gcm_timeout",
        limit,
        unused=decrypt,
        given={"command_iv_bytes_i": made_here},
    )


def gcm_ivs(config: CoreConfig) -> str:
    """Where IVs come from."""
    ports = (
        input_("clk"),
        input_("rst"),
        input_("key_take_i"),
        input_("key_context_i", config.context_bits),
        input_("key_fixed_i", 32),
        input_("command_valid_i"),
        output("command_ready_o"),
        input_("command_context_i", config.context_bits),
        input_("command_decrypt_i"),
        input_("command_iv_bytes_i", 16),
        input_("command_iv_i", 128),
        output("command_valid_o"),
        input_("command_ready_i"),
        output("command_iv_bytes_o", 16),
        output("command_iv_o", 128),
        input_("answer_take_i"),
        output("answer_iv_o", 96),
    )
    purpose = "Where the IVs of this core's packets come from."
    if config.iv != "counter":
        idle = (
            "clk", "rst", "key_take_i", "key_context_i", "key_fixed_i", "command_context_i",
            "command_decrypt_i", "answer_take_i",
        )  # fmt: skip
        return part("gcm_ivs", purpose, ports, "gcm_iv_given", unused=idle)
    under_way = config.slot_depth + config.tag_depth + 4
    parameters = (
        ("Contexts", str(config.contexts)),
        ("Limit", f"64'd{config.iv_limit}"),
        ("Depth", str(under_way)),
    )
    return part("gcm_ivs", purpose, ports, "gcm_iv_counter", parameters)


def gcm_erasing(config: CoreConfig) -> str:
    """How a core is erased."""
    ports = (
        input_("clk"),
        input_("rst"),
        input_("request_i"),
        output("busy_o"),
        output("core_reset_o"),
        output("zeros_o"),
        output("context_o", config.context_bits),
        input_("key_valid_i"),
        output("key_ready_o"),
        input_("key_size_i", 2),
        input_("key_context_i", config.context_bits),
        output("key_valid_o"),
        input_("key_ready_i"),
        output("key_size_o", 2),
        input_("command_valid_i"),
        output("command_ready_o"),
        input_("command_iv_bytes_i", 16),
        output("command_valid_o"),
        input_("command_ready_i"),
        input_("data_valid_i"),
        output("data_ready_o"),
        input_("data_last_i"),
        output("data_valid_o"),
        input_("data_ready_i"),
        input_("text_valid_i"),
        output("text_ready_o"),
        input_("text_last_i"),
        output("text_valid_o"),
        input_("text_ready_i"),
        output("text_close_o"),
        input_("tag_valid_i"),
        output("tag_ready_o"),
        output("tag_valid_o"),
        input_("tag_ready_i"),
        output("tag_erased_o"),
    )
    purpose = "How this core is erased."
    if config.zeroise == "off":
        idle = (
            "clk", "rst", "request_i", "key_context_i", "command_iv_bytes_i", "data_last_i",
            "text_last_i",
        )  # fmt: skip
        return part("gcm_erasing", purpose, ports, "gcm_erases_nothing", unused=idle)
    parameters = (
        ("Contexts", str(config.contexts)),
        ("KeyCode", f"gcm_pkg::KEY_{max(config.key_sizes)}"),
        ("Packets", str(config.erase_packets)),
        ("Quiet", str(config.release_depth + 8)),  # a failed packet is passed by in a cycle
    )
    return part("gcm_erasing", purpose, ports, "gcm_erase", parameters)
