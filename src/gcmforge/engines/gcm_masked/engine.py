# SPDX-License-Identifier: Apache-2.0
"""A small core that is masked: every secret in two shares, one S-box in shares, a byte a cycle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcmforge.config.architecture import Architecture
from gcmforge.config.engine import Parameters
from gcmforge.engines.gcm_masked import randomness

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig

LIMITS = tuple(2**bits for bits in (16, *range(4, 16), *range(17, 21)))
"""Of AAD and of text: one bit of a counter. A longer counter would be the slowest path."""

BLOCK_CYCLES = 272
"""In phase again: AES in 256, and 16 in which the text passes."""
PACKET_CYCLES = 368
BYTE_CYCLES = 321
"""From a command to the first byte of text, at most: the IV waits for its phase."""
BEAT_CYCLES = BYTE_CYCLES + 17
"""The same for a beat of 16 bytes, which masked_wide takes from gcm_masked and gives away."""
KEY_CYCLES = 368
RANDOM_BITS = 26
"""Of `s_rnd`, in every cycle."""


def _parameters(config: CoreConfig) -> Parameters:
    return (
        ("AadBits", str(config.max_aad_bytes.bit_length() - 1)),
        ("TextBits", str(config.max_text_bytes.bit_length() - 1)),
    )


def _refuses(config: CoreConfig) -> Iterator[str]:
    if config.direction != "both":
        yield (
            f"direction={config.direction} with core={config.core}: both directions add one key "
            "stream to their text on one data path, and only the comparison of tags, or the tag's "
            "way out, would go; use direction=both, or core=nano, which is not masked"
        )


def _packet_cycles(config: CoreConfig, text_bytes: int) -> int:
    """Command and IV, E(K, J0), the lengths and the tag; and each block."""
    blocks = max(1, -(-text_bytes // 16))
    return PACKET_CYCLES + BLOCK_CYCLES * blocks


ENGINE = Architecture(
    name="masked",
    says="is masked: AES-128 and GHASH in two shares against power analysis of first order (one "
    "probe on a wire), 272 cycles a block, one key, streams of bytes in a top gcm_masked, random "
    "bits from outside, or of a seed",
    needs={
        "lanes": (1,),
        "key_sizes": ((128,),),
        "contexts": (1,),
        "iv": ("96",),
        "release": ("streaming",),
        "direction": ("both",),
        "max_text_bytes": LIMITS,
        "max_aad_bytes": LIMITS,
    },
    takes=("mix_columns",),
    own=randomness.OWN,
    refuses=_refuses,
    parameters=_parameters,
    leaves=lambda config: ("masked_sbox", "masked_match", "aes_mix_column"),
    title=lambda config: (
        "AES-128-GCM, masked core: every secret in two shares, one S-box in shares, four bits of "
        "products of GHASH a cycle, 1 context, streams of bytes" + randomness.title(config)
    ),
    ports=lambda config: (
        ("aclk", "input", 1, "clock: everything is at its rising edge"),
        ("aresetn", "input", 1, "reset, synchronous, active low"),
        ("s_key_tvalid", "input", 1, "a byte of a key is offered"),
        ("s_key_tready", "output", 1, "the core takes it"),
        ("s_key_tdata", "input", 8, "one share of the key, byte 0 first"),
        ("s_key_tmask", "input", 8, "the other: the key is the XOR of both"),
        ("s_key_tlast", "input", 1, "the last byte of the key; 16 bytes are a key, others none"),
        ("s_cmd_tvalid", "input", 1, "a byte of a command is offered"),
        ("s_cmd_tready", "output", 1, "the core takes it"),
        (
            "s_cmd_tdata", "input", 8,
            "first: bit 7 is 1 to decrypt, bit 6 is ignored, bit 5 is 0 (1 is answered with "
            "NO_KEY), bits 4:0 are the bytes of the tag; then the IV; decrypting, after its tlast: "
            "the expected tag",
        ),
        ("s_cmd_tlast", "input", 1, "the last byte of the IV, and of the expected tag"),
        ("s_axis_tvalid", "input", 1, "a byte of data is offered"),
        ("s_axis_tready", "output", 1, "the core takes it"),
        ("s_axis_tdata", "input", 8, "additional authenticated data, then text"),
        ("s_axis_tkeep", "input", 1, "0: there is no byte in this beat"),
        ("s_axis_tuser", "input", 2, "bit 0: text; bit 1: refuse this packet (BAD_FRAME)"),
        ("s_axis_tlast", "input", 1, "the packet's last beat"),
        ("m_axis_tvalid", "output", 1, "the core offers a byte of text"),
        ("m_axis_tready", "input", 1, "the receiver takes it"),
        ("m_axis_tdata", "output", 8, "text, encrypted or decrypted"),
        ("m_axis_tkeep", "output", 1, "0: the text ended before, and this beat says so"),
        ("m_axis_tlast", "output", 1, "the packet's last beat of text"),
        ("m_tag_tvalid", "output", 1, "the core offers a byte of a packet's answer"),
        ("m_tag_tready", "input", 1, "the receiver takes it"),
        ("m_tag_tdata", "output", 8, "encrypting: the tag; else, or on an error, one zero"),
        ("m_tag_tuser", "output", 3, "the status, with each byte; 0: OK, else the first error"),
        ("m_tag_tlast", "output", 1, "the last byte of the answer"),
        *randomness.rows(config, RANDOM_BITS),
    ),
    beat="one byte",
    status="m_tag_tuser",
    streams="streams of bytes",
    page="masking",
    interface=lambda config: (
        *randomness.interface(config, RANDOM_BITS, 1),
        "A key is 16 bytes on `s_key`, in two shares, with `tlast` on the last one. With another "
        "number of bytes the core has no key any more.",
        "A command is one byte on `s_cmd`, then the IV, with `tlast` on its last byte. Without an "
        "IV the first byte has `tlast`.",
        "Decrypting, the expected tag follows on `s_cmd`, with `tlast` on its last byte. The core "
        "takes it when the text has ended, so nothing is kept of it. Give as many bytes as the "
        "command tells: with fewer it is wrong, and whether more are is not said.",
        "Data comes on `s_axis`: first the additional authenticated data (AAD), then the text "
        "(`tuser` bit 0), each a byte a beat. `tlast` ends the packet. A beat with `tkeep` = 0 has "
        "no byte: a packet without AAD and text is one of these. `tuser` bit 1 refuses the packet.",
        "The text leaves on `m_axis` byte for byte. Each packet has one answer on `m_tag`, in the "
        "order of the commands: its tag, or one byte of zeros, and with each byte the status.",
        "Only one packet is under way. The next command is taken after the answer before it.",
        "`m_axis_tdata` and `m_tag_tdata` are one register. Each means something only with its "
        "own `tvalid`.",
    ),
    choices=(),
    wide="masked_wide",
    tops=randomness.tops("gcm_masked", "masked_wide"),
    laws=("gcm_masked_seeded", "masked_generator", "gcm_masked", "masked_aes", "masked_ghash",
          "masked_counter"),
    diagram=lambda config: (
        ("masked_key", ("the key, 16 bytes", "in two shares")),
        ("masked_counter", ("IV and counter,", "16 bytes")),
        ("gcm_masked", ("one beat,", "one packet")),
        ("masked_aes", ("256 cycles a block,", "one S-box in shares")),
        ("masked_ghash", ("four products, a bit a", "cycle, 128 cycles a block")),
        ("nano_lengths", ("bytes of AAD", "and of text")),
    ),
    beat_cycles=lambda config: BLOCK_CYCLES,
    packet_cycles=_packet_cycles,
    text_cycles=lambda config: BEAT_CYCLES,
    key_cycles=lambda config: KEY_CYCLES,
    masked=True,
    withstands=randomness.withstands,
)  # fmt: skip
