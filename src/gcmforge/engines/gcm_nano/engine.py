# SPDX-License-Identifier: Apache-2.0
"""The smallest core: one S-box, a byte a cycle, everything in rings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcmforge.config.architecture import Architecture
from gcmforge.config.codes import status_bits
from gcmforge.config.engine import Parameters
from gcmforge.engines.gcm_nano.parts import CHOICES, has_long_keys

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig

LIMITS = tuple(2**bits for bits in (16, *range(4, 16), *range(17, 21)))
"""Of AAD and of text: one bit of a counter. A longer counter would be the slowest path."""

_ONLY = {"both": "", "encrypt": " encryption", "decrypt": " decryption"}

AES_CYCLES = {128: 240, 256: 320}
"""Of a block, by the bits of its key (law of nano_aes_both)."""
TEXT_CYCLES = 16
"""In which the text of a block passes."""
HASH_CYCLES = 272
"""Of the last block and of the lengths, in GHASH, while the AES makes E(K, J0)."""
PACKET_CYCLES = 96
"""Of a packet beside its blocks and the longer one of these: the command, the IV and the tag."""
BYTE_CYCLES = 65
"""From a command to the first byte of text beside the AES, at most: the IV waits for its phase."""
BEAT_CYCLES = BYTE_CYCLES + 17
"""The same for a beat of 16 bytes, which nano_wide takes from gcm_nano and gives away."""
KEY_CYCLES = {128: 112, 256: 176}
"""Of a key beside the AES: its bytes wait for their phases."""


IV_BYTES = 2**16
"""At least so many bytes of text, where IVs of any length are counted by the same counter."""
IV_CYCLES = 192
"""Of an IV that has not 12 bytes: its length, and from the digest to the counter."""
IV_BLOCK_CYCLES = 144
"""Of a block of such an IV."""


def aes_cycles(config: CoreConfig) -> int:
    """Of a block with the longest key."""
    return AES_CYCLES[max(config.key_sizes)]


def block_cycles(config: CoreConfig) -> int:
    """In phase again: AES, and the text."""
    return aes_cycles(config) + TEXT_CYCLES


def byte_cycles(config: CoreConfig) -> int:
    """From a command to the first byte of text, at most (law of gcm_nano)."""
    return aes_cycles(config) + BYTE_CYCLES


def _parameters(config: CoreConfig) -> Parameters:
    return (
        ("AadBits", str(config.max_aad_bytes.bit_length() - 1)),
        ("TextBits", str(config.max_text_bytes.bit_length() - 1)),
        ("StatusBits", str(status_bits(config))),
    )


def _refuses(config: CoreConfig) -> Iterator[str]:
    if config.iv_any and config.max_text_bytes < IV_BYTES:
        yield (
            f"max_text_bytes={config.max_text_bytes} with core=nano and iv=any: the text's counter "
            f"counts the bytes of an IV, too, and that has up to 65535; use "
            f"max_text_bytes={IV_BYTES} or more, or iv=96"
        )


def iv_cycles(config: CoreConfig, iv_bytes: int) -> int:
    """Of a packet more than with an IV of 12 bytes (law of nano_iv_any)."""
    return 0 if iv_bytes == 12 else IV_CYCLES + IV_BLOCK_CYCLES * -(-iv_bytes // 16)


def _packet_cycles(config: CoreConfig, text_bytes: int) -> int:
    blocks = max(1, -(-text_bytes // 16))
    ends = max(HASH_CYCLES, aes_cycles(config))
    return PACKET_CYCLES + ends + block_cycles(config) * blocks


def _key_cycles(config: CoreConfig) -> int:
    return aes_cycles(config) + KEY_CYCLES[max(config.key_sizes)]


ENGINE = Architecture(
    name="nano",
    says="is the smallest: AES with one S-box, 256 cycles a block with a key of 128 bits and 336 "
    "with 256, one key, streams of bytes in a top gcm_nano",
    needs={
        "lanes": (1,),
        "key_sizes": ((128,), (128, 256)),
        "contexts": (1,),
        "iv": ("96", "any"),
        "release": ("streaming",),
        "max_text_bytes": LIMITS,
        "max_aad_bytes": LIMITS,
    },
    takes=("direction", "sbox", "mix_columns"),
    refuses=_refuses,
    parameters=_parameters,
    leaves=lambda config: ("aes_sbox", "aes_mix_column"),
    title=lambda config: (
        f"AES-{'/'.join(map(str, config.key_sizes))}-GCM{_ONLY[config.direction]}, nano core: "
        f"one S-box ({config.sbox}), a bit of GHASH a cycle, 1 context, streams of bytes"
        f"{', IVs of any length' * config.iv_any}"
    ),
    ports=lambda config: (
        ("aclk", "input", 1, "clock: everything is at its rising edge"),
        ("aresetn", "input", 1, "reset, synchronous, active low"),
        ("s_key_tvalid", "input", 1, "a byte of a key is offered"),
        ("s_key_tready", "output", 1, "the core takes it"),
        ("s_key_tdata", "input", 8, "the key, byte 0 first"),
        (
            "s_key_tlast", "input", 1,
            "the last byte of the key; "
            + ("16 or 32" if has_long_keys(config) else "16") + " bytes are a key, others none",
        ),
        ("s_cmd_tvalid", "input", 1, "a byte of a command is offered"),
        ("s_cmd_tready", "output", 1, "the core takes it"),
        (
            "s_cmd_tdata", "input", 8,
            "first: bit 7 is 1 to decrypt, bit 6 is ignored, bit 5 is 0 (1 is answered with "
            "NO_KEY), bits 4:0 are the bytes of the tag; then the IV, "
            + (f"1 to {config.max_text_bytes} bytes" if config.iv_any else "12 bytes")
            + "; decrypting, after its tlast: the expected tag",
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
        (
            "m_tag_tuser", "output", status_bits(config),
            "the status, with each byte; 0: OK, else the first error",
        ),
        ("m_tag_tlast", "output", 1, "the last byte of the answer"),
    ),
    beat="one byte",
    status="m_tag_tuser",
    streams="streams of bytes",
    page="nano",
    interface=(
        "A key is 16 bytes on `s_key`, or 32 where keys of 256 bits are built, with `tlast` on the "
        "last one. With another number of bytes the core has no key any more.",
        "A command is one byte on `s_cmd`, then the IV, with `tlast` on its last byte. Without an "
        "IV the first byte has `tlast`. An IV has 12 bytes, or with iv=any 1 to 65535 as in every "
        "core, and on these streams as many as max_text_bytes, which may be more; another is "
        "answered with BAD_IV.",
        "Decrypting, the expected tag follows on `s_cmd`, with `tlast` on its last byte. The core "
        "takes it when the text has ended, so nothing is kept of it. With more or fewer bytes than "
        "the command tells it is wrong (AUTH_FAIL), whatever the bytes are.",
        "Data comes on `s_axis`: first the additional authenticated data (AAD), then the text "
        "(`tuser` bit 0), each a byte a beat. `tlast` ends the packet. A beat with `tkeep` = 0 has "
        "no byte: a packet without AAD and text is one of these. `tuser` bit 1 refuses the packet.",
        "The text leaves on `m_axis` byte for byte. Each packet has one answer on `m_tag`, in the "
        "order of the commands: its tag, or one byte of zeros, and with each byte the status.",
        "Only one packet is under way. The next command is taken after the answer before it.",
        "`m_axis_tdata` and `m_tag_tdata` are one register. Each means something only with its "
        "own `tvalid`.",
    ),
    choices=CHOICES,
    wide="nano_wide",
    laws=(
        "gcm_nano",
        "nano_aes",
        "nano_aes_both",
        "nano_schedule_both",
        "nano_ghash",
        "nano_counter",
        "nano_counter_any",
        "nano_iv_any",
    ),
    diagram=lambda config: (
        ("nano_key", ("the key, in rings", "of 16 bytes")),
        ("nano_counter", ("IV and counter,", "16 bytes")),
        ("gcm_nano", ("one beat,", "one packet")),
        ("nano_cipher", ("a byte a cycle,", f"S-box {config.sbox}")),
        ("nano_ghash", ("a bit a cycle,", "128 cycles a block")),
        ("nano_lengths", ("bytes of AAD", "and of text")),
    ),
    beat_cycles=block_cycles,
    packet_cycles=_packet_cycles,
    text_cycles=lambda config: aes_cycles(config) + BEAT_CYCLES,
    key_cycles=_key_cycles,
)  # fmt: skip
