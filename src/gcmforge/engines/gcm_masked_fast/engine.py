# SPDX-License-Identifier: Apache-2.0
"""A fast core that is masked: sixteen S-boxes in shares, eight blocks in flight through them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gcmforge.config.architecture import Architecture
from gcmforge.engines.gcm_masked import randomness
from gcmforge.engines.gcm_masked.engine import ENGINE as SMALL

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig

SBOXES = 16
DIGIT = 13
"""Bits of a factor of GHASH in a cycle: a block in 10 cycles, and one in which it is added."""
BLOCK_CYCLES = 11
PACKET_CYCLES = 110
BEAT_CYCLES = 103
"""From a command to the first beat of text, at most; masked_fast_wide keeps it a cycle more."""
KEY_CYCLES = 176
TAG_CYCLES = 22
"""More for a tag that is compared."""

RANDOM_BITS = {"S-boxes": 18 * SBOXES, "keys": 12, "digest": 12, "H": DIGIT}
"""A cycle. 12 bits in each of 11 cycles are a new sharing of a block."""


INSTANCES = 5
"""Of Trivium, where random bits are made of a seed."""


def random_bits() -> int:
    """Of `s_rnd`, in every cycle."""
    return sum(RANDOM_BITS.values())


def _packet_cycles(config: CoreConfig, text_bytes: int) -> int:
    """Command, E(K, J0), the lengths and the tag; and each block."""
    blocks = max(1, -(-text_bytes // 16))
    return PACKET_CYCLES + BLOCK_CYCLES * blocks


STREAMS = (
    "A key is one transfer on `s_key`, in two shares. With `tuser` it is none, and the core "
    "has no key any more.",
    "A command is one transfer on `s_cmd`. Decrypting, the expected tag is a second one. It is "
    "offered until it has been compared, so nothing is kept of it.",
    "Data comes on `s_axis`: first the additional authenticated data (AAD), then the text "
    "(`tuser` is 1). Each begins in a beat of its own; only its last beat may be partial. "
    "`tlast` ends the packet. A packet without AAD and text is a beat with `tkeep` = 0.",
    "The text leaves on `m_axis` beat for beat. Each packet has one answer on `m_tag`, in the "
    "order of the commands.",
    "Only one packet is under way. The next command is taken after the answer before it.",
    "`m_axis_tdata` and `m_tag_tdata` are one register. Each means something only with its "
    "own `tvalid`.",
)
"""What is to be known of each of its streams, but for random bits."""

ENGINE = Architecture(
    name="masked_fast",
    says="is masked as core=masked is, with sixteen S-boxes: 11 cycles a block, streams of 128 "
    "bits in a top gcm_masked_fast",
    needs=SMALL.needs,
    takes=SMALL.takes,
    own=SMALL.own,
    refuses=SMALL.refuses,
    parameters=SMALL.parameters,
    leaves=SMALL.leaves,
    title=lambda config: (
        "AES-128-GCM, fast masked core: every secret in two shares, sixteen S-boxes in shares, "
        f"{DIGIT} bits of four products of GHASH a cycle, 1 context" + randomness.title(config)
    ),
    ports=lambda config: (
        ("aclk", "input", 1, "clock: everything is at its rising edge"),
        ("aresetn", "input", 1, "reset, synchronous, active low"),
        ("s_key_tvalid", "input", 1, "a key is offered"),
        ("s_key_tready", "output", 1, "the core takes it"),
        ("s_key_tdata", "input", 128, "one share of the key, byte 0 lowest"),
        ("s_key_tmask", "input", 128, "the other: the key is the XOR of both"),
        ("s_key_tuser", "input", 1, "1: the core has no key any more"),
        ("s_cmd_tvalid", "input", 1, "a command is offered, or an expected tag"),
        ("s_cmd_tready", "output", 1, "the core takes it"),
        (
            "s_cmd_tdata", "input", 128,
            "first: bits 95:0 are the IV, bits 100:96 the bytes of the tag, bits 101 and 102 are 0 "
            "(1 is answered with NO_KEY, and with BAD_IV), bit 103 is 1 to decrypt, bits 127:104 "
            "are ignored; decrypting, then: the expected tag, byte 0 lowest",
        ),
        ("s_axis_tvalid", "input", 1, "a beat of data is offered"),
        ("s_axis_tready", "output", 1, "the core takes it"),
        ("s_axis_tdata", "input", 128, "additional authenticated data, then text"),
        ("s_axis_tkeep", "input", 16, "which bytes are there, from 0 on without holes"),
        ("s_axis_tuser", "input", 1, "0: additional authenticated data, 1: text"),
        ("s_axis_tlast", "input", 1, "the packet's last beat"),
        ("m_axis_tvalid", "output", 1, "the core offers a beat of text"),
        ("m_axis_tready", "input", 1, "the receiver takes it"),
        ("m_axis_tdata", "output", 128, "text, encrypted or decrypted; absent bytes are zero"),
        ("m_axis_tkeep", "output", 16, "which bytes of the beat are there"),
        ("m_axis_tlast", "output", 1, "the packet's last beat of text"),
        ("m_tag_tvalid", "output", 1, "the core offers a packet's answer"),
        ("m_tag_tready", "input", 1, "the receiver takes it"),
        ("m_tag_tdata", "output", 128, "encrypting: the tag; zero when decrypting or on an error"),
        ("m_tag_tuser", "output", 3, "the status; 0: OK, else the first error"),
        *randomness.rows(config, random_bits()),
    ),
    beat="128 bits",
    status="m_tag_tuser",
    streams="streams of 128 bits",
    page="masking",
    interface=lambda config: (
        *randomness.interface(config, random_bits(), INSTANCES),
        *STREAMS,
    ),
    choices=(),
    wide="masked_fast_wide",
    tops=randomness.tops("gcm_masked_fast", "masked_fast_wide"),
    laws=("gcm_masked_fast_seeded", "masked_generator", "gcm_masked_fast", "masked_fast_aes",
          "masked_fast_ghash"),
    diagram=lambda config: (
        ("masked_fast_share", ("round keys,", "in two shares")),
        ("gcm_masked_fast", ("IV and counter",)),
        ("gcm_masked_fast", ("one beat,", "one packet")),
        ("masked_fast_aes", ("a block in 11 cycles,", "16 S-boxes in shares")),
        ("masked_fast_ghash", ("four products,", "13 bits a cycle")),
        ("masked_fast_lengths", ("bytes of AAD", "and of text")),
    ),
    out="a beat out",
    beat_cycles=lambda config: BLOCK_CYCLES,
    packet_cycles=_packet_cycles,
    text_cycles=lambda config: BEAT_CYCLES + 1,
    key_cycles=lambda config: KEY_CYCLES,
    masked=True,
    withstands=SMALL.withstands,
)  # fmt: skip
