# SPDX-License-Identifier: Apache-2.0
"""A small core for a microcontroller, on words of 32 bits: a round of AES a cycle, or a column."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcmforge.config.architecture import UNPROTECTED, Architecture, Bus
from gcmforge.config.codes import status_bits
from gcmforge.config.engine import Own, Parameters
from gcmforge.config.names import MEMORY_SBOXES
from gcmforge.config.option import Option
from gcmforge.engines.gcm_micro.parts import (
    BOXES,
    CHOICES,
    DETECT,
    FAULTS,
    FOUR,
    WHOLE,
    detects,
    digit,
    four,
)
from gcmforge.engines.gcm_nano.engine import LIMITS

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig

_ONLY = {"both": "", "encrypt": " encryption", "decrypt": " decryption"}

PACKET_CYCLES = 9
"""Of a packet beside its blocks and two products: command and IV, the sum for the tag, the tag."""
WORD_CYCLES = 6
"""From a command to the first word of text beside the AES."""
BEAT_CYCLES = 12
"""The same for a beat of 16 bytes, which micro_wide takes from gcm_micro and gives away."""
KEY_CYCLES = 4
"""Of a key beside its words and the AES."""


def hash_cycles(config: CoreConfig) -> int:
    """Of a product (law of micro_ghash)."""
    return -(-128 // digit(config))


def block_cycles(config: CoreConfig, key_bits: int = 0) -> int:
    """Of AES: the rounds, and one more in which a block begins, of one cycle (law of micro_aes) or
    of five (law of micro_aes_four). Without `key_bits`, with the largest key."""
    rounds = key_bits // 32 + 6 if key_bits else config.rounds
    return (5 if four(config) else 1) * (int(rounds) + 1)


def word_cycles(config: CoreConfig) -> int:
    """From a command to the first word of text, at most (law of gcm_micro)."""
    return block_cycles(config) + WORD_CYCLES


def _parameters(config: CoreConfig) -> Parameters:
    return (
        ("AadBits", str(config.max_aad_bytes.bit_length() - 1)),
        ("TextBits", str(config.max_text_bytes.bit_length() - 1)),
        ("StatusBits", str(status_bits(config))),
    )


def _refuses(config: CoreConfig) -> Iterator[str]:
    if config.sbox in MEMORY_SBOXES and not four(config):
        yield (
            f"sbox={config.sbox} with core=micro: its round is one stage, and a memory is read "
            f"with a clock; use sbox=small, {BOXES}={FOUR}, or core=nano"
        )

    if detects(config) and four(config):
        yield (
            f"{FAULTS}={DETECT} with {BOXES}={FOUR}: only the core with a round of AES a cycle has "
            f"checks; use {BOXES}={WHOLE}, or {FAULTS}=none"
        )

    if detects(config) and config.mix_columns != "small":
        yield (
            f"mix_columns={config.mix_columns} with {FAULTS}={DETECT}: what checks it asks for a "
            "circuit of its own; use mix_columns=small"
        )


def _leaves(config: CoreConfig) -> tuple[str, ...]:
    checks = ("aes_sbox_products", "aes_sbox_sum") if detects(config) else ()
    return ("aes_sbox", "aes_mix_column", *checks)


def _withstands(config: CoreConfig) -> str:
    if not detects(config):
        return UNPROTECTED
    return (
        "Power and electromagnetic attacks: there is no masking. One fault at a time is found, and "
        "ends its packet with FAULT, but for what docs/theory/faults.md lists; several faults that "
        "are chosen to agree are not."
    )


def _round(config: CoreConfig) -> str:
    return "one column of AES" if four(config) else "one AES round"


def _step(config: CoreConfig) -> str:
    return "a column of AES" if four(config) else "a round of AES"


def _packet_cycles(config: CoreConfig, text_bytes: int) -> int:
    blocks = max(1, -(-text_bytes // 16))
    compares = int(config.direction == "decrypt")  # a tag, in a cycle of its own
    beside = PACKET_CYCLES + 2 * hash_cycles(config) + compares
    beside += detects(config) and text_bytes % 16 != 0  # a part of a block waits a cycle
    return beside + block_cycles(config) * blocks


def _key_cycles(config: CoreConfig) -> int:
    return max(config.key_sizes) // 32 + block_cycles(config) + KEY_CYCLES


ENGINE = Architecture(
    name="micro",
    says="is small, for a microcontroller: a round of AES and 12 bits of GHASH a cycle, 11 cycles "
    "a block with a key of 128 bits and 15 with 256, or 55 and 75 with sboxes=4, one key, streams "
    "of 32 bits in a top gcm_micro",
    rank=2,
    own={
        BOXES: Own(
            option=Option(
                meaning="S-boxes (core=micro). With 4 a cycle has a column of AES or a word of the "
                "key schedule, and 3 bits of GHASH: a block takes 55 cycles with a key of 128 "
                "bits, and 75 with 256.",
                numbers=(FOUR, WHOLE),
                expert="to save area where 2.3 bits a cycle are enough",
            ),
            default=WHOLE,
            without="its S-boxes follow from other options",
        ),
        FAULTS: Own(
            option=Option(
                meaning="Faults in the hardware, of an attacker or of age (core=micro). "
                "faults=detect has check bytes for AES, GHASH, keys and data, and all control "
                "twice. A fault that is found ends its packet with FAULT, and the key cannot be "
                "used any more. docs/theory/faults.md has what stays silent, as at the ports.",
                choices=("none", DETECT),
            ),
            default="none",
            without="it has no checks",
        ),
    },
    needs={
        "lanes": (1,),
        "key_sizes": ((128, 256), (128,)),
        "contexts": (1,),
        "iv": ("96",),
        "release": ("streaming",),
        "max_text_bytes": LIMITS,
        "max_aad_bytes": LIMITS,
    },
    takes=("direction", "sbox", "mix_columns", "registers"),
    refuses=_refuses,
    parameters=_parameters,
    leaves=_leaves,
    title=lambda config: (
        f"AES-{'/'.join(map(str, config.key_sizes))}-GCM{_ONLY[config.direction]}, micro core: "
        f"{_round(config)} ({config.sbox}), {digit(config)} bits of GHASH a cycle, 1 context, "
        "streams of 32 bits"
        f"{', faults detected' * detects(config)}"
        f"{', AXI4-Lite registers' * (config.registers == 'axi4lite')}"
    ),
    ports=lambda config: (
        ("aclk", "input", 1, "clock: everything is at its rising edge"),
        ("aresetn", "input", 1, "reset, synchronous, active low"),
        ("s_key_tvalid", "input", 1, "a word of a key is offered"),
        ("s_key_tready", "output", 1, "the core takes it"),
        ("s_key_tdata", "input", 32, "the key, byte 0 of a word lowest"),
        (
            "s_key_tlast", "input", 1,
            "the last word of the key; "
            + ("4 or 8" if 256 in config.key_sizes else "4") + " words are a key, others none",
        ),
        ("s_cmd_tvalid", "input", 1, "a word of a command is offered"),
        ("s_cmd_tready", "output", 1, "the core takes it"),
        (
            "s_cmd_tdata", "input", 32,
            "first: bit 7 is 1 to decrypt, bits 31:8 and 6 are ignored, bit 5 is 0 (1 is answered "
            "with NO_KEY), bits 4:0 are the bytes of the tag; then the IV; decrypting, after its "
            "tlast: the expected tag",
        ),
        ("s_cmd_tlast", "input", 1, "the last word of the IV, and of the expected tag"),
        ("s_axis_tvalid", "input", 1, "a word of data is offered"),
        ("s_axis_tready", "output", 1, "the core takes it"),
        ("s_axis_tdata", "input", 32, "additional authenticated data, then text; byte 0 lowest"),
        ("s_axis_tkeep", "input", 4, "which bytes are there, from 0 on without holes"),
        ("s_axis_tuser", "input", 1, "0: additional authenticated data, 1: text"),
        ("s_axis_tlast", "input", 1, "the packet's last beat"),
        ("m_axis_tvalid", "output", 1, "the core offers a word of text"),
        ("m_axis_tready", "input", 1, "the receiver takes it"),
        ("m_axis_tdata", "output", 32, "text, encrypted or decrypted; absent bytes are zero"),
        ("m_axis_tkeep", "output", 4, "which bytes are there; 0: the text ended before"),
        ("m_axis_tlast", "output", 1, "the packet's last beat of text"),
        ("m_tag_tvalid", "output", 1, "the core offers a word of a packet's answer"),
        ("m_tag_tready", "input", 1, "the receiver takes it"),
        ("m_tag_tdata", "output", 32, "encrypting: the tag; else, or on an error, a zero"),
        ("m_tag_tkeep", "output", 4, "which bytes of it are the tag's"),
        (
            "m_tag_tuser", "output", status_bits(config),
            "the status, with each word; 0: OK, else the first error",
        ),
        ("m_tag_tlast", "output", 1, "the last word of the answer"),
    ),
    beat="32 bits",
    status="m_tag_tuser",
    streams="streams of 32 bits",
    page="micro",
    interface=(
        "A key is 4 words of 32 bits on `s_key`, or 8 of a key of 256 bits, with `tlast` on the "
        "last one. With another number of words the core has no key any more.",
        "A command is one word on `s_cmd`, then the IV in three, with `tlast` on the last one. "
        "Without an IV the first word has `tlast`.",
        "Decrypting, the expected tag follows on `s_cmd`, with `tlast` on its last word. The core "
        "takes it when the text has ended, so nothing is kept of it. It has as many words as its "
        "bytes need, and what is beyond these does not matter. With more or fewer words it is "
        "wrong (AUTH_FAIL), whatever they are.",
        "Data comes on `s_axis`: first the additional authenticated data (AAD), then the text "
        "(`tuser`). Each section begins with a beat, and only its last beat may be partial. "
        "`tlast` ends the packet. A packet without AAD and text is a beat with `tkeep` = 0. "
        "A frame that breaks these rules is refused (BAD_FRAME).",
        "A block of text leaves on `m_axis` when all of it has come. A packet has one answer on "
        "`m_tag`, in the order of the commands: its tag, or one zero byte, and with each word the "
        "status.",
        "Only one packet is under way. A key, or the next command, is taken after the answer "
        "before it. Where both wait, they are taken in turn.",
    ),
    bus=Bus(
        module="micro_bus",
        bits=32,
        interface=(
            "Data comes on `s_axis`: first the additional authenticated data (AAD), then the text "
            "(`tuser`). Only a section's last beat may be partial. `tlast` ends the packet. A "
            "packet without AAD and text is a beat with `tkeep` = 0. A frame that breaks these "
            "rules is refused (BAD_FRAME).",
            "A block of text leaves on `m_axis` when all of it has come. A packet has one answer, "
            "in the order of the commands.",
            "Only one packet is under way. A key, or the next command, is taken after the answer "
            "before it.",
        ),
    ),
    choices=CHOICES,
    tops=lambda config: (f"gcm_micro{'_detect' * detects(config)}", "micro_wide"),
    variants=lambda config: {"aes_mix_column": "checked"} if detects(config) else {},
    withstands=_withstands,
    wide="micro_wide",
    laws=(
        "gcm_micro",
        "gcm_micro_detect",
        "micro_aes",
        "micro_checked_aes",
        "micro_aes_four",
        "micro_schedule_both",
        "micro_schedule_short",
        "micro_key_both",
        "micro_key_short",
        "micro_window_both",
        "micro_window_short",
        "micro_ghash",
        "micro_checked_ghash",
        "micro_bus",
    ),
    diagram=lambda config: (
        ("micro_schedule", ("the key, and", "round keys from it")),
        ("micro_counter", ("IV and counter,", "16 bytes")),
        ("micro_data", ("one block,", "one packet")),
        ("micro_cipher", (f"{_step(config)} a cycle,", f"S-box {config.sbox}")),
        (
            "micro_hash",
            (f"{digit(config)} bits a cycle,", f"{hash_cycles(config)} cycles a block"),
        ),
        ("micro_lengths", ("bytes of AAD", "and of text")),
    ),
    out="a word out",
    beat_cycles=block_cycles,
    packet_cycles=_packet_cycles,
    text_cycles=lambda config: block_cycles(config) + BEAT_CYCLES + detects(config),
    key_cycles=_key_cycles,
)  # fmt: skip
