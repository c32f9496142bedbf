# SPDX-License-Identifier: Apache-2.0
"""A core of many streams: their packets interleave beat by beat, and their state rests in
memories."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcmforge.config.architecture import Architecture, Choice, Row
from gcmforge.config.codes import status_bits
from gcmforge.config.engine import Own, Parameters
from gcmforge.config.names import MEMORY_SBOXES
from gcmforge.config.option import Option
from gcmforge.engines.gcm_streams.memories import (
    MAX_STAGES,
    STREAMS,
    context_bits,
    line_bits,
    memory_bits,
    steps,
    stream_bits,
    tid_bits,
)
from gcmforge.engines.gcm_subkey_dedicated.engine import ENGINE as KEY_UNIT

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig

MAX_STREAMS = 1024
WIDE_CYCLES = 2
"""What streams_wide adds to the way of a lone packet's text: its register, and the command."""
KEY_MARGIN_CYCLES = 24

_ONE_AT_A_TIME = "it follows packets one at a time, and here one is open on every stream"
_REASONS = {
    "iv": (
        "96",
        "J0 of an IV of another length is a digest, for which all streams would wait, and "
        "nothing here counts IVs",
    ),
    "release": (
        "streaming",
        "the text of a packet would have to wait for its tag, on every stream, in a buffer of "
        "streams x max_text_bytes",
    ),
    "zeroise": ("off", "an erase has to answer the packets that are open on all streams"),
    "timeout": (0, _ONE_AT_A_TIME),
    "registers": ("off", _ONE_AT_A_TIME),
    "profile": ("none", "a profile makes the header of one packet after the other"),
    "aad_lanes": (0, "AAD comes in beats of its own"),
}
"""Options that mean nothing here, or are not built: the value that they have, and why."""


def _refuses(config: CoreConfig) -> Iterator[str]:
    for name, (value, why) in _REASONS.items():
        if config[name] != value:
            yield (
                f"{name}={config[name]} with core=streams: {why}; use {name}={value}, or "
                "core=standard"
            )
    if config.lanes > 1:
        yield (
            f"lanes={config.lanes} with core=streams: a beat is one block of one stream; use "
            "lanes=1, or core=segments for several packets in a beat"
        )
    if config.ghash_stages > MAX_STAGES:
        yield (
            f"ghash_stages={config.ghash_stages} with core=streams: each stream has a partial "
            f"digest for each stage, and {MAX_STAGES} can be put together with one more product; "
            f"use ghash_stages={MAX_STAGES} or less"
        )
    if config.sbox in MEMORY_SBOXES:
        yield (
            f"sbox={config.sbox} with core=streams: its rounds have been built with circuits only; "
            "use sbox=table, or another circuit"
        )


# ---- laws ----------------------------------------------------------------------------------------


def text_cycles(config: CoreConfig) -> int:
    """From a beat to its text (law of gcm_streams)."""
    return int(steps(config)) + 4


def answer_cycles(config: CoreConfig) -> int:
    """From the text of a packet's last beat, or from when it would leave, to the answer."""
    return {1: 4, 2: 5, 3: 7}[config.ghash_stages]


def tag_cycles(config: CoreConfig) -> int:
    """From the last beat of a packet to its answer."""
    return text_cycles(config) + answer_cycles(config)


def packet_beats(aad_bytes: int, text_bytes: int) -> int:
    """What a packet takes of the bus: its command, and its beats of AAD and text, one at least."""
    return 1 + max(1, -(-aad_bytes // 16) + -(-text_bytes // 16))


def _key_cycles(config: CoreConfig) -> int:
    """All streams are looked at; then the mark's way through the core, rounds, powers."""
    mark = steps(config) + answer_cycles(config) + 4
    a_round = 4 + config.aes_substages + KEY_UNIT.round_cycles(config)
    made = (config.rounds + 1) * a_round + KEY_UNIT.power_cycles(config) * config.ghash_stages
    return int(config[STREAMS]) + mark + made + KEY_MARGIN_CYCLES


# ---- what the core is made of --------------------------------------------------------------------


def _answers(config: CoreConfig) -> int:
    """Packets whose answers are under way when every beat ends one, and one more."""
    return answer_cycles(config) + 2


def _parameters(config: CoreConfig) -> Parameters:
    return (
        ("Streams", str(config[STREAMS])),
        ("SubStages", str(config.aes_substages)),
        ("Stages", str(config.ghash_stages)),
        ("Answers", str(_answers(config))),
    )


def _direction(config: CoreConfig) -> str:
    one = config.direction
    return "streams_direction_both" if one == "both" else f"streams_direction_{one}s"


CHOICES = (
    Choice(
        name="streams_direction",
        purpose="The directions of this core.",
        ports=lambda config: (
            ("decrypt_i", "input", 1),
            ("status_i", "input", status_bits(config)),
            ("decrypt_o", "output", 1),
            ("status_o", "output", status_bits(config)),
        ),
        target=_direction,
    ),
)


def _packet_cycles(config: CoreConfig, text_bytes: int) -> int:
    return packet_beats(0, text_bytes)


def _ports(config: CoreConfig) -> tuple[Row, ...]:
    tid = tid_bits(config)
    return (
        ("aclk", "input", 1, "clock: everything is at its rising edge"),
        ("aresetn", "input", 1, "reset, synchronous, active low"),
        ("s_key_tvalid", "input", 1, "a key is offered"),
        ("s_key_tready", "output", 1, "the core takes it: no packet of its context is open"),
        ("s_key_tdata", "input", 256, "the key, byte 0 lowest; shorter keys use the lower bytes"),
        (
            "s_key_size", "input", 2,
            "0: 128 bits, 1: 192, 2: 256, 3: the context has no key any more",
        ),
        ("s_key_context", "input", config.context_bits, "the context that gets the key"),
        ("s_axis_tvalid", "input", 1, "a beat is offered"),
        ("s_axis_tready", "output", 1, "the core takes it"),
        (
            "s_axis_tdata", "input", 128,
            "AAD or text, byte 0 lowest; of a command bits 95:0 are the IV, byte 0 lowest",
        ),
        ("s_axis_tkeep", "input", 16, "which bytes are there, from 0 on without holes; not of a "
                                      "command"),
        (
            "s_axis_tuser", "input", 3,
            "bits 1:0: 0 additional authenticated data, 1 text, 2 a command; bit 2: refuse its "
            "packet (BAD_FRAME)",
        ),
        ("s_axis_tlast", "input", 1, "the packet's last beat; not of a command"),
        ("s_axis_tid", "input", tid, "the stream"),
        (
            "s_axis_context", "input", config.context_bits,
            "with a command: the context whose key the packet uses",
        ),
        ("s_axis_decrypt", "input", 1, "with a command: 1: decrypt and check the tag, 0: encrypt"),
        (
            "s_axis_iv_bytes", "input", 16,
            "with a command: length of the IV: 12, others are refused",
        ),
        (
            "s_axis_tag_bytes", "input", 5,
            "with a command: length of the tag: 4, 8, 12 to 16 bytes",
        ),
        ("s_axis_tag", "input", 128, "with tlast, decrypting: the expected tag, byte 0 lowest"),
        ("m_axis_tvalid", "output", 1, "the core offers a beat of text"),
        ("m_axis_tready", "input", 1, "the receiver takes it"),
        ("m_axis_tdata", "output", 128, "text, encrypted or decrypted; absent bytes are zero"),
        ("m_axis_tkeep", "output", 16, "which bytes of the beat are there"),
        ("m_axis_tlast", "output", 1, "the last beat of the packet's text"),
        ("m_axis_tid", "output", tid, "its stream"),
        ("m_tag_tvalid", "output", 1, "the core offers a packet's answer"),
        ("m_tag_tready", "input", 1, "the receiver takes it"),
        ("m_tag_tid", "output", tid, "the packet's stream"),
        ("m_tag_tag", "output", 128, "encrypting: the tag; else, or on an error, zero"),
        (
            "m_tag_status", "output", status_bits(config),
            "the packet's status; 0: OK, else the first error",
        ),
    )  # fmt: skip


def _title(config: CoreConfig) -> str:
    sizes = "/".join(map(str, config.key_sizes))
    substages = f" with {config.aes_substages} stages a round" * (config.aes_substages > 1)
    stages = f", {config.ghash_stages} stages" * (config.ghash_stages > 1)
    way = "" if config.direction == "both" else f", {config.direction}s only"
    count = config[STREAMS]
    return (
        f"AES-{sizes}-GCM, {count} stream{'s' * (count > 1)} interleaved beat by beat, pipelined "
        f"AES{substages}, GHASH ({config.multiplier}{stages}), "
        f"{config.contexts} context{'s' * (config.contexts > 1)}{way}"
    )


def _interface(config: CoreConfig) -> tuple[str, ...]:
    return (
        "A key is one transfer on `s_key`. It is taken when no packet of its context is open on "
        "any stream, so end these packets, and begin no others before it is taken: as long as they "
        "overlap it is not. An offer may be withdrawn. `s_key_tready` is 1 for the one cycle. "
        "Packets whose command is taken in that cycle or later have the new key. Their commands "
        "wait in `s_axis` until it is usable, and so does what comes after them.",
        "Each beat on `s_axis` belongs to the stream `tid`. Any stream may follow any other, in "
        "every cycle, and a stream may rest for as long as it likes.",
        "A packet begins with a command, a beat whose `tuser` is 2 and whose data is the IV; "
        "context, direction and tag length come with it, on ports of their own. Then comes the "
        "additional authenticated data (AAD, `tuser` is 0), then the text (1). Each begins in a "
        "beat of its own; only its last beat may be partial. `tlast` ends the packet; decrypting, "
        "the expected tag comes with it, a short one in the lower bytes. A packet without AAD and "
        "text is a command and a beat with `tkeep` = 0, whose `tuser` is 0 or 1. Of a command "
        "`tkeep`, `tlast` and `tdata[127:96]` do not count.",
        "If `m_axis` or `m_tag` is not taken, all streams stand, and a key that loads: take from "
        "both all the time, and let neither wait for the other.",
        "Text leaves on `m_axis` beat for beat, in the order in which it came. Each packet of a "
        "stream that exists has one answer on `m_tag`, in the order in which packets end.",
        "A command for a stream whose packet is open breaks that packet off: it is answered with "
        "BAD_FRAME, or with the error that it had before, and the new one begins. A text that was "
        "cut off is ended by a beat without a byte. Data of a stream without a packet is answered "
        "with BAD_FRAME at its `tlast` or by the stream's next command. Data of a stream that does "
        "not exist is dropped, and answered with BAD_FRAME and that `tid` at its `tlast`; a "
        "command is not answered there. After an error text leaves as zeros. A packet that was "
        "refused or broken off has used its IV.",
        "After reset the core takes nothing for as many cycles as it has streams or contexts, "
        "whichever are more.",
        f"Memories hold {stream_bits(config):,} bits for each stream, {context_bits(config):,} "
        f"for each context and {line_bits(config):,} for what waits for the AES, "
        f"{memory_bits(config):,} bits in all. Each is a `gcm_ram`: one port to write, one to "
        "read.",
    )


ENGINE = Architecture(
    name="streams",
    says="has packets of many streams at once, which interleave beat by beat and are told apart by "
    "tid; the state of each rests in memory, in a top gcm_streams",
    rank=1,
    needs={"lanes": (1,), "iv": ("96",), "release": ("streaming",)},
    takes=(
        "key_sizes",
        "contexts",
        "direction",
        "sbox",
        "mix_columns",
        "multiplier",
        "aes_substages",
        "aes_slack",
        "ghash_stages",
        "max_text_bytes",
        "max_aad_bytes",
    ),
    own={
        STREAMS: Own(
            option=Option(
                meaning="Streams whose packets interleave (core=streams). Each may have a packet "
                "open; a beat names its stream.",
                bounds=(1, MAX_STREAMS),
                expert="to take packets of many channels as they come, without a buffer for each",
            ),
            default=4,
            without="it has one packet after the other",
        )
    },
    refuses=_refuses,
    parameters=_parameters,
    leaves=lambda config: ("aes_sbox", "aes_mix_column", "gf128_mul"),
    title=_title,
    ports=_ports,
    beat="128 bits of one of {config[streams]} streams",
    status="m_tag_status",
    streams="one bus of many streams",
    page="streams",
    interface=_interface,
    choices=CHOICES,
    wide="streams_wide",
    laws=("gcm_streams", "segments_rounds", "streams_ghash"),
    diagram=lambda config: (
        ("streams_keys", ("keys, subkeys,", "who uses a context")),
        ("streams_issue", ("packets of streams,", "counters")),
        ("streams_line", ("data in step", "with the AES")),
        ("segments_rounds", ("a block a cycle,", f"S-box {config.sbox}")),
        ("streams_ghash", ("partial digests,", f"{config.multiplier}")),
        ("streams_tags", ("tags, statuses",)),
    ),
    out="a beat out",
    beat_cycles=lambda config: 1,
    packet_cycles=_packet_cycles,
    text_cycles=lambda config: text_cycles(config) + WIDE_CYCLES,
    key_cycles=_key_cycles,
    flows=True,
    unreached=(
        (
            "key_waits_for_the_key_before",
            "a key is handed to the schedule only when the key before it is in place",
        ),
    ),
)
