# SPDX-License-Identifier: Apache-2.0
"""Yang 2005, Fig. 5, as a core of its own: one packet after another."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gcmforge.config.architecture import Architecture, Choice, PartPort, Row
from gcmforge.config.codes import status_bits
from gcmforge.config.engine import Parameters

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig

TEXT_CYCLES = 11
"""From text in to text out: ten rounds, and the sum with the text."""
FIRST_BEAT_CYCLES = 1
"""The command is a beat of its own, as Y0 goes into the AES with it."""
KEY_CYCLES = 80
"""Expansion, and ten rounds for H."""


_ONLY = {"both": "", "encrypt": " encryption", "decrypt": " decryption"}
_UNUSED = {
    "encrypt": ("tag_i", "in_end_i"),
    "decrypt": ("in_text_i", "out_valid_i", "out_block_i", "digest_valid_i"),
}
"""What the other direction needs of what is around yang2005_way."""


def _ports(config: CoreConfig) -> tuple[Row, ...]:
    return (
        ("aclk", "input", 1, "clock: everything is at its rising edge"),
        ("aresetn", "input", 1, "reset, synchronous, active low"),
        ("s_key_tvalid", "input", 1, "a key is offered"),
        ("s_key_tready", "output", 1, "the core takes a key"),
        ("s_key_tdata", "input", 256, "the key, byte 0 lowest, in the lower 16 bytes"),
        ("s_key_size", "input", 2, "0: 128 bits; else the core has no key any more"),
        ("s_key_context", "input", 1, "0; a key for context 1 is not kept"),
        ("s_cmd_tvalid", "input", 1, "a command is offered"),
        ("s_cmd_tready", "output", 1, "the core takes it; Y0 goes into the AES with it"),
        ("s_cmd_context", "input", 1, "0; context 1 has no key"),
        ("s_cmd_decrypt", "input", 1, "1: decrypt and check the tag, 0: encrypt"),
        ("s_cmd_tag", "input", 128, "decrypting: the expected tag, byte 0 in the lowest bits"),
        ("s_cmd_tag_bytes", "input", 5, "length of the tag: 4, 8, 12, 13, 14, 15 or 16 bytes"),
        ("s_cmd_iv_bytes", "input", 16, "length of the IV in bytes: 12"),
        ("s_cmd_iv", "input", 128, "the IV; of a longer one further words come, and are dropped"),
        ("s_axis_tvalid", "input", 1, "a beat of data is offered"),
        ("s_axis_tready", "output", 1, "the core takes a beat of data"),
        ("s_axis_tdata", "input", 128, "additional authenticated data, then text"),
        ("s_axis_tkeep", "input", 16, "which bytes are there, from 0 on without holes"),
        ("s_axis_tuser", "input", 1, "0: additional authenticated data, 1: text"),
        ("s_axis_tlast", "input", 1, "the packet's last beat"),
        ("m_axis_tvalid", "output", 1, "the core offers a beat of text"),
        ("m_axis_tready", "input", 1, "the receiver takes it; everything stops while it does not"),
        ("m_axis_tdata", "output", 128, "text, encrypted or decrypted; absent bytes are zero"),
        ("m_axis_tkeep", "output", 16, "which bytes of the beat are there"),
        ("m_axis_tlast", "output", 1, "the packet's last beat of text"),
        ("m_tag_tvalid", "output", 1, "the core offers a packet's answer"),
        ("m_tag_tready", "input", 1, "the receiver takes a packet's answer"),
        ("m_tag_tag", "output", 128, "encrypting: the tag; zero when decrypting or on an error"),
        ("m_tag_ok", "output", 1, "the status is 0; decrypting: the tag matched"),
        ("m_tag_status", "output", status_bits(config), "0: OK; else the first error"),
    )


def _part_ports(config: CoreConfig) -> tuple[PartPort, ...]:
    return tuple((name, way, width) for name, way, width, _ in _ports(config))


def _way_ports(config: CoreConfig) -> tuple[PartPort, ...]:
    return (
        ("clk", "input", 1),
        ("rst", "input", 1),
        ("step_i", "input", 1),
        ("begin_i", "input", 1),
        ("decrypt_i", "input", 1),
        ("tag_i", "input", 128),
        ("tag_bytes_i", "input", 5),
        ("refuses_o", "output", 1),
        ("in_valid_i", "input", 1),
        ("in_text_i", "input", 1),
        ("in_end_i", "input", 1),
        ("in_block_i", "input", 128),
        ("out_valid_i", "input", 1),
        ("out_end_i", "input", 1),
        ("out_block_i", "input", 128),
        ("lengths_i", "input", 128),
        ("e_y0_i", "input", 128),
        ("status_i", "input", status_bits(config)),
        ("ends_o", "output", 1),
        ("closes_o", "output", 1),
        ("hash_valid_o", "output", 1),
        ("hash_last_o", "output", 1),
        ("hash_block_o", "output", 128),
        ("digest_valid_i", "input", 1),
        ("digest_i", "input", 128),
        ("tag_valid_o", "output", 1),
        ("tag_ready_i", "input", 1),
        ("tag_o", "output", 128),
        ("tag_status_o", "output", status_bits(config)),
    )


def _limits(config: CoreConfig) -> Parameters:
    return (
        ("MaxAad", f"64'd{config.max_aad_bytes}"),
        ("MaxText", f"64'd{config.max_text_bytes}"),
    )


def _one_way(config: CoreConfig) -> bool:
    return config.direction != "both"


def _parameters(config: CoreConfig) -> Parameters:
    """Of gcm_yang2005 as a file. With one direction it is a binding, with the values in it."""
    return () if _one_way(config) else _limits(config)


def _packet_cycles(config: CoreConfig, text_bytes: int) -> int:
    """Encrypting, unless it only decrypts: there the lengths hide. Of a packet without text the
    last beat goes through the FIFO, too."""
    lengths = config.direction != "decrypt"
    return max(1, math.ceil(text_bytes / 16)) + TEXT_CYCLES + lengths


ENGINE = Architecture(
    name="yang2005",
    says="is Yang 2005's Fig. 5: AES-128 in ten stages, one multiplier, one packet after another "
    "in n + 12 cycles, one key",
    source="Yang 2005, Fig. 5",
    needs={
        "lanes": (1,),
        "key_sizes": ((128,),),
        "contexts": (1,),
        "iv": ("96",),
        "release": ("streaming",),
    },
    takes=("direction", "sbox", "mix_columns", "multiplier", "max_text_bytes", "max_aad_bytes"),
    parameters=_parameters,
    leaves=lambda config: ("aes_sbox", "aes_mix_column", "gf128_mul"),
    title=lambda config: (
        f"AES-128-GCM{_ONLY[config.direction]} as Yang 2005, Fig. 5: ten stages, S-box "
        f"{config.sbox}, one multiplier ({config.multiplier}), one packet after another"
    ),
    ports=_ports,
    beat="one block",
    status="m_tag_status",
    streams="the same streams",
    page="ghash-architectures",
    interface=(
        "The streams are those of `gcm_axis`, without queues: one packet is under way.",
        "A command is the packet's first beat: its Y0 goes into the AES. Data follows, a block a "
        "beat.",
        "The next command is taken when the lengths of the packet before it are hashed.",
    ),
    choices=(
        Choice(
            name="gcm_yang2005",
            purpose="Yang 2005, Fig. 5, with one direction.",
            ports=_part_ports,
            target=lambda config: "yang2005_one_way" if _one_way(config) else "gcm_yang2005",
            parameters=_limits,
        ),
        Choice(
            name="yang2005_way",
            purpose="What the direction of this core needs of its own.",
            ports=_way_ports,
            target=lambda config: f"yang2005_{config.direction}s",
            unused=lambda config: _UNUSED[config.direction],
        ),
        Choice(
            name="yang2005_wide",
            purpose="gcm_yang2005 as it is: it has the streams of every other core itself.",
            ports=_part_ports,
            target=lambda config: "gcm_yang2005" if _one_way(config) else "yang2005_wide",
        ),
    ),
    wide="yang2005_wide",
    laws=("gcm_yang2005", "yang2005_aes", "ghash_serial"),
    diagram=lambda config: (
        ("aes_key_expand", ("one key",)),
        ("gcm_yang2005", ("the command is", "a beat: Y0")),
        ("yang2005_frame", ("one beat,", "one packet")),
        ("yang2005_aes", ("ten stages,", f"S-box {config.sbox}")),
        ("ghash_serial", ("a block a cycle,", f"{config.multiplier}")),
        ("gcm_length", ("bytes of AAD", "and of text")),
    ),
    beat_cycles=lambda config: 1,
    packet_cycles=_packet_cycles,
    text_cycles=lambda config: TEXT_CYCLES + FIRST_BEAT_CYCLES,
    key_cycles=lambda config: KEY_CYCLES,
)  # fmt: skip
