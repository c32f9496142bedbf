# SPDX-License-Identifier: Apache-2.0
"""A core on a segmented bus: several packets in a beat, each under a key of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcmforge.config.architecture import Architecture, Choice, PartPort, Row
from gcmforge.config.engine import Own, Parameters
from gcmforge.config.option import Option
from gcmforge.engines.gcm_subkey_dedicated.engine import ENGINE as KEY_UNIT

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig

SEGMENTS = "segments"
LIMITS = tuple(2**bits for bits in (16, *range(12, 16), *range(17, 31)))
"""Of AAD and of text: whole beats, and one bit of a counter."""

PACK_CYCLES = 7
"""What segments_wide adds to the way of a lone packet's text: it waits for a full beat."""
KEY_MARGIN_CYCLES = 20


_ONE_AT_A_TIME = "it follows packets one at a time, and here several end in a cycle"
_REASONS = {
    "iv": (
        "96",
        "J0 of an IV of another length is a digest, for which all packets after it would wait, and "
        "nothing here counts IVs",
    ),
    "zeroise": ("off", _ONE_AT_A_TIME),
    "timeout": (0, _ONE_AT_A_TIME),
    "registers": ("off", _ONE_AT_A_TIME),
    "profile": ("none", "a profile makes one header a beat"),
    "aad_lanes": (0, "AAD comes in segments of its own"),
    "direction": (
        "both",
        "packets of both directions share a beat on one data path, and only the choice of what is "
        "hashed, and the expected tags or the tags that leave, would go",
    ),
}
"""Options that mean nothing here: the value that they have, and why."""


def _refuses(config: CoreConfig) -> Iterator[str]:
    for name, (value, why) in _REASONS.items():
        if config[name] != value:
            yield (
                f"{name}={config[name]} with core=segments: {why}; use {name}={value}, or "
                "core=standard"
            )
    segments, lanes = config[SEGMENTS], config.lanes
    if segments > lanes:
        yield (
            f"{SEGMENTS}={segments} with lanes={lanes}: a segment has a block at least; use "
            f"{SEGMENTS}={lanes} or less, or lanes={segments} or more"
        )


def blocks(config: CoreConfig) -> int:
    """Blocks of a segment."""
    return int(config.lanes // config[SEGMENTS])


def steps(config: CoreConfig) -> int:
    """Of the AES (law of segments_rounds)."""
    return config.rounds * config.aes_substages + 2


def text_cycles(config: CoreConfig) -> int:
    """From a beat to its text (law of gcm_segments); with verified release from a packet's last
    beat to its first text, where it has one beat."""
    return tag_cycles(config) if config.release_engine.holds else steps(config) + 3


def tag_cycles(config: CoreConfig) -> int:
    """From the last beat of a packet to its answer."""
    return steps(config) + 3 + answer_cycles(config)


def answer_cycles(config: CoreConfig) -> int:
    """From when text and key stream of a beat have met to the answers of the packets that end in it
    (law of gcm_segments)."""
    return 2 * config.ghash_stages + 2


def packet_segments(config: CoreConfig, aad_bytes: int, text_bytes: int) -> int:
    """What a packet takes of the bus: its sections begin in segments of their own."""
    size = 16 * blocks(config)
    return max(1, -(-aad_bytes // size) + -(-text_bytes // size))


def bus_cycles(config: CoreConfig, aad_bytes: int, text_bytes: int) -> float:
    """Of a packet among many such, each in the segment after the one before it."""
    return float(packet_segments(config, aad_bytes, text_bytes) / config[SEGMENTS])


def bits_per_cycle(config: CoreConfig, text_bytes: int) -> float:
    """Of text, in packets of one length, without AAD."""
    return 8 * text_bytes / bus_cycles(config, 0, text_bytes)


def answers(config: CoreConfig) -> int:
    """Beats whose answers are under way when each beat ends a packet, and one more."""
    return 2 * config.ghash_stages + 4


def _depth(config: CoreConfig) -> int:
    """Beats of the ring of segments_release_verified: a text may come a segment a beat, and what is
    behind it goes on until its verdict is there."""
    if not config.release_engine.holds:
        return 0
    return int(config.max_text_bytes // (16 * blocks(config))) + 2 * config.ghash_stages + 8


def _release(config: CoreConfig) -> str:
    return (
        "segments_release_verified"
        if config.release_engine.holds
        else ("segments_release_streaming")
    )


def _release_parameters(config: CoreConfig) -> Parameters:
    common = (("Segments", str(config[SEGMENTS])),)
    if not config.release_engine.holds:
        return common
    return (*common, ("Depth", str(_depth(config))), ("Pending", str(answers(config))))


def _verdicts(config: CoreConfig) -> tuple[str, ...]:
    names = ("in_good_i", "in_close_i", "verdict_i", "verdict_ok_i")
    return () if config.release_engine.holds else names


def _release_ports(config: CoreConfig) -> tuple[PartPort, ...]:
    n, empty = config[SEGMENTS], (16 * blocks(config)).bit_length()
    return (
        ("clk", "input", 1), ("rst", "input", 1), ("in_valid_i", "input", 1),
        ("in_text_i", "input", config.data_bits), ("in_used_i", "input", n),
        ("in_start_i", "input", n), ("in_end_i", "input", n),
        ("in_empty_i", "input", n * empty), ("in_good_i", "input", n),
        ("in_close_i", "input", n), ("verdict_i", "input", n), ("verdict_ok_i", "input", n),
        ("in_soon_o", "output", 1), ("out_valid_o", "output", 1), ("out_ready_i", "input", 1),
        ("out_text_o", "output", config.data_bits), ("out_used_o", "output", n),
        ("out_start_o", "output", n), ("out_end_o", "output", n),
        ("out_empty_o", "output", n * empty),
    )  # fmt: skip


def _unpacking(config: CoreConfig) -> str:
    return "segments_unpack_frames" if config.release_engine.holds else "segments_unpack"


def _unpacking_ports(config: CoreConfig) -> tuple[PartPort, ...]:
    n, empty = config[SEGMENTS], (16 * blocks(config)).bit_length()
    return (
        ("clk", "input", 1), ("rst", "input", 1), ("text_valid_i", "input", 1),
        ("text_ready_o", "output", 1), ("text_count_i", "input", int(n).bit_length()),
        ("in_valid_i", "input", 1), ("in_ready_o", "output", 1),
        ("in_data_i", "input", config.data_bits), ("in_used_i", "input", n),
        ("in_end_i", "input", n), ("in_empty_i", "input", n * empty),
        ("out_valid_o", "output", 1), ("out_ready_i", "input", 1),
        ("out_data_o", "output", config.data_bits),
        ("out_keep_o", "output", config.data_bits // 8), ("out_last_o", "output", 1),
    )  # fmt: skip


CHOICES = (
    Choice(
        name="segments_release",
        purpose="When the text of this core leaves.",
        ports=_release_ports,
        target=_release,
        parameters=_release_parameters,
        unused=_verdicts,
    ),
    Choice(
        name="segments_unpacking",
        purpose="How the segments that leave become plain beats again.",
        ports=_unpacking_ports,
        target=_unpacking,
        parameters=lambda config: (("Segments", str(config[SEGMENTS])),),
    ),
)


def _front_lanes(config: CoreConfig) -> tuple[int, int]:
    """Counters of a segment begin at an even one: two of them never differ before byte 15, and J0
    is the second value. More of them have both values without it."""
    count = blocks(config)
    return count + 1, int(count > 2)


def _powers(config: CoreConfig) -> int:
    return config.lanes * config.ghash_stages + 1


def _parameters(config: CoreConfig) -> Parameters:
    return (
        ("Segments", str(config[SEGMENTS])),
        ("SubStages", str(config.aes_substages)),
        ("Stages", str(config.ghash_stages)),
        ("Answers", str(answers(config))),
    )


def _packet_cycles(config: CoreConfig, text_bytes: int) -> int:
    """On the plain streams of segments_wide, where each packet begins a beat."""
    return max(1, -(-text_bytes // (16 * config.lanes)))


def _key_cycles(config: CoreConfig) -> int:
    """The mark's way through the core, the rounds, the powers."""
    mark = steps(config) + 2 * config.ghash_stages + 4
    a_round = 4 + config.aes_substages + KEY_UNIT.round_cycles(config)
    made = (config.rounds + 1) * a_round + KEY_UNIT.power_cycles(config) * _powers(config)
    return mark + made + KEY_MARGIN_CYCLES


def _ports(config: CoreConfig) -> tuple[Row, ...]:
    n, data, context = config[SEGMENTS], config.data_bits, config.context_bits
    empty = (16 * blocks(config)).bit_length()
    return (
        ("aclk", "input", 1, "clock: everything is at its rising edge"),
        ("aresetn", "input", 1, "reset, synchronous, active low"),
        ("s_key_tvalid", "input", 1, "a key is offered"),
        ("s_key_tready", "output", 1, "the core takes a key; high again when it is usable"),
        ("s_key_tdata", "input", 256, "the key, byte 0 lowest; shorter keys use the lower bytes"),
        (
            "s_key_size", "input", 2,
            "0: 128 bits, 1: 192, 2: 256, 3: the context has no key any more",
        ),
        ("s_key_context", "input", context, "the context that gets the key"),
        ("s_axis_tvalid", "input", 1, "a beat is offered"),
        ("s_axis_tready", "output", 1, "the core takes it"),
        ("s_axis_tdata", "input", data, "AAD and text, byte 0 of segment 0 lowest"),
        ("s_axis_ena", "input", n, "of each segment: it holds a part of a packet"),
        ("s_axis_sop", "input", n, "a packet starts in it"),
        ("s_axis_eop", "input", n, "a packet ends in it"),
        ("s_axis_err", "input", n, "refuse its packet (BAD_FRAME)"),
        ("s_axis_mty", "input", n * empty, "bytes at its end that are not there"),
        ("s_axis_text", "input", n, "0: additional authenticated data, 1: text"),
        ("s_axis_context", "input", n * context, "with sop: the context whose key the packet uses"),
        ("s_axis_decrypt", "input", n, "with sop: 1: decrypt and check the tag, 0: encrypt"),
        ("s_axis_iv", "input", 96 * n, "with sop: the IV, byte 0 in the lowest bits"),
        ("s_axis_iv_bytes", "input", 16 * n, "with sop: length of the IV: 12, others are refused"),
        ("s_axis_tag_bytes", "input", 5 * n, "with sop: length of the tag: 4, 8, 12 to 16 bytes"),
        ("s_axis_tag", "input", 128 * n, "with eop, decrypting: the expected tag, byte 0 lowest"),
        ("m_axis_tvalid", "output", 1, "the core offers a beat of text"),
        ("m_axis_tready", "input", 1, "the receiver takes it"),
        ("m_axis_tdata", "output", data, "text, in the segment in which it came; else zero"),
        ("m_axis_ena", "output", n, "of each segment: it holds text, or ends one"),
        ("m_axis_sop", "output", n, "the packet's first text"),
        ("m_axis_eop", "output", n, "the packet's text ends, maybe without a byte here"),
        ("m_axis_mty", "output", n * empty, "with ena: bytes at its end that are not there"),
        ("m_tag_tvalid", "output", 1, "the core offers answers"),
        ("m_tag_tready", "input", 1, "the receiver takes them"),
        ("m_tag_ena", "output", n, "of each segment: a packet that ended in it is answered"),
        ("m_tag_tag", "output", 128 * n, "encrypting: its tag; else, or on an error, zero"),
        ("m_tag_status", "output", 3 * n, "its status; 0: OK, else the first error"),
    )  # fmt: skip


def _title(config: CoreConfig) -> str:
    sizes = "/".join(map(str, config.key_sizes))
    substages = f" with {config.aes_substages} stages a round" * (config.aes_substages > 1)
    substages += ", shared counters" * (config.counter_sharing == "on")
    stages = f", {config.ghash_stages} stages" * (config.ghash_stages > 1)
    return (
        f"AES-{sizes}-GCM, {config.lanes} lanes in {config[SEGMENTS]} segments, each with a packet "
        f"of its own, pipelined AES{substages}, GHASH ({config.multiplier}{stages}), "
        f"{config.contexts} context{'s' * (config.contexts > 1)}{config.release_engine.summary}"
    )


ENGINE = Architecture(
    name="segments",
    says="has a bus of segments: a packet starts in any segment and ends at any byte, so that "
    "several packets share a beat, each with its own key, IV and direction, in a top gcm_segments",
    rank=1,
    needs={
        "lanes": (4, 2, 8, 16),
        "contexts": (4, *range(1, 4), *range(5, 17)),
        "iv": ("96",),
        "release": ("streaming", "verified"),
        "max_text_bytes": LIMITS,
        "max_aad_bytes": LIMITS,
    },
    takes=(
        "key_sizes",
        "sbox",
        "mix_columns",
        "multiplier",
        "aes_substages",
        "aes_slack",
        "ghash_stages",
        "counter_sharing",
    ),
    own={
        SEGMENTS: Own(
            option=Option(
                meaning="Segments of a beat (core=segments). Each is lanes / segments blocks, and "
                "may hold a part of another packet.",
                numbers=(2, 4, 8),
                expert="to keep the rate of short packets on a wide bus",
            ),
            default=2,
            without="its packets begin beats of their own",
        )
    },
    refuses=_refuses,
    parameters=_parameters,
    leaves=lambda config: ("aes_sbox", "aes_mix_column", "gf128_dot"),
    own_stores=True,
    title=_title,
    ports=_ports,
    beat="{config.data_bits} bits, {config[segments]} segments",
    status="m_tag_status",
    streams="a bus of segments",
    page="segments",
    interface=(
        "A key is one transfer on `s_key`. A packet whose first segment is taken in the cycle of "
        "that transfer, or before it, keeps the old key; later packets have the new one. Packets "
        "of its context wait in `s_axis` until it is usable, and so does what comes after them; "
        "other packets go on before that.",
        "What is offered stays as it is until it is taken (`tready`). If `m_axis` or `m_tag` is "
        "not taken, the whole core stands: take from both all the time, and let neither wait for "
        "the other.",
        "A beat on `s_axis` is several segments of equal size, in order. A segment holds AAD or "
        "text of one packet. A packet starts in the first segment that is used after the end of "
        "the one before, with `sop`, and ends in the segment with `eop`. Segments without `ena` "
        "may stand anywhere, also within a packet, and a beat may have no other; nothing in them "
        "counts.",
        "Segment 0 is in the lowest bits of every field. Where a field has W bits for each "
        "segment, those of segment g are W g to W g + W - 1. `mty` has as many as it takes to say "
        "that all bytes are missing: 5, 6, 7 or 8 where a segment has 16, 32, 64 or 128 bytes.",
        "Additional authenticated data (AAD) comes first, then text (`text` is 1). Each section "
        "begins in a segment of its own, and only its last segment may have `mty` above 0. "
        "A packet of AAD alone ends with its last segment of AAD. A packet without AAD and text is "
        "a segment whose bytes are all missing; `text` may be 0 or 1 there.",
        "Context, direction, IV and tag length come with the first segment; decrypting, the "
        "expected tag comes with the last one. A tag of fewer than 16 bytes is in the lower ones; "
        "the others are zero on `m_tag_tag`, and do not count on `s_axis_tag`.",
        "Text leaves on `m_axis` in the segments in which it came; segments of AAD are not used "
        "there, and of a packet without text nothing leaves. A text that has begun ends on "
        "`m_axis` in the segment in which its packet ended, if need be without a byte there "
        "(`ena` is 1, `mty` says that all are missing).",
        "Each packet has one answer, also one that is refused or has no text. The packets that "
        "ended in one beat are answered in one transfer on `m_tag`, each in the segment in which "
        "it ended. Packets keep their order, so the answers are in the order of `eop` on `s_axis`. "
        "Beats in which nothing ended give no transfer on `m_tag`, beats without text none on "
        "`m_axis`.",
        "A wrong frame is answered with BAD_FRAME and without a tag, at the segment with `eop`. "
        "What comes from the wrong segment on leaves as zeros; with verified release nothing "
        "leaves. Wrong is: `err` in any used segment; AAD after text, or as the last section of a"
        " packet with text; a segment that follows one of its section that was not full, with "
        "bytes or without; more missing bytes than a segment has; a first segment without `sop`; "
        "and `sop` in a packet that has not ended. Such a `sop` starts nothing: its segment "
        "belongs to the packet that is open, and both have one answer. So the sender counts "
        "packets by `eop`, not by `sop`.",
        "The `gcm_axis` in `bench/wide/` may be used in a design, too, as an adapter from plain "
        "AXI4-Stream, at the rate of a core without segments: compile `gcm_axis.f`, then "
        "`wide.f` in `bench/wide/`.",
    ),
    choices=CHOICES,
    release_depth=_depth,
    wide="segments_wide",
    laws=("gcm_segments", "segments_rounds", "segments_ghash"),
    diagram=lambda config: (
        ("segments_keys", ("keys, subkeys,", "what contexts hold")),
        ("segments_issue", ("packets of a beat,", "counters")),
        ("segments_line", ("data in step", "with the AES")),
        ("segments_aes", ("a key a segment,", f"S-box {config.sbox}")),
        ("segments_ghash", ("a sum a segment,", f"{config.multiplier}")),
        ("segments_check", ("frames, lengths,", "statuses")),
    ),
    out="a segment out",
    beat_cycles=lambda config: 1,
    packet_cycles=_packet_cycles,
    bus_cycles=bus_cycles,
    text_cycles=lambda config: text_cycles(config) + PACK_CYCLES,
    key_cycles=_key_cycles,
    dot_lanes=lambda config: blocks(config) + 1,
    front_lanes=_front_lanes,
    flows=True,
)
