# SPDX-License-Identifier: Apache-2.0
"""gcm_pkg, the package of a core's SystemVerilog: sizes, codes, and the words between modules."""

from collections.abc import Iterator, Sequence

from gcmforge.config import CoreConfig
from gcmforge.config.codes import (
    ERASE_KEY_SIZE,
    KEY_SIZE_BITS,
    KEY_SIZES,
    OTHER_TAG_BYTES,
    SLOT_KIND_BITS,
    SLOT_KINDS,
    Code,
    Status,
    status_bits,
)
from gcmforge.emit.rendering import render

_Constant = tuple[str, str, str, str]
_Field = tuple[str, str, str]


def gcm_pkg(config: CoreConfig) -> str:
    """The package of that core."""
    return render(
        "gcm_pkg.sv.j2",
        constants=[
            ("What the core was built with.", _choices(config)),
            ("Widths that follow, in bits unless noted.", [*_widths(config), *_sums(config)]),
            (
                "What a slot, one step of the in-order stream from gcm_issue to gcm_join, is.",
                _codes("SLOT", SLOT_KIND_BITS, SLOT_KINDS),
            ),
            (
                "m_tag_status: the first thing that went wrong in a packet.",
                [*_codes("STATUS", status_bits(config), _named(config)), *_one_way(config)],
            ),
            (
                "Key sizes, as on s_key_size; an AES key of this size takes 10 + 2 * size rounds.",
                _codes("KEY", KEY_SIZE_BITS, (*KEY_SIZES, ERASE_KEY_SIZE)),
            ),
        ],
        structs=[
            ("command_t", "A packet's command.", _command_fields()),
            ("fact_t", "Facts of a slot.", _fact_fields()),
            ("slot_t", "A slot as gcm_issue makes it.", _slot_fields()),
            ("sized_t", "Facts of a slot, and how long it is.", _sized_fields()),
            ("counted_t", "A slot whose bytes are counted, as gcm_join takes it.", _counted()),
            ("takers_t", "Who is to take a slot.", _takers()),
        ],
    )


def _sums(config: CoreConfig) -> Iterator[_Constant]:
    """Widths of structures: not every tool that reads this counts their bits."""
    widths = {f"[{name}-1:0]": int(value) for _, name, value, _ in _widths(config)}
    widths |= {f"[{bits - 1}:0]": bits for bits in range(1, 129)} | {"": 1}
    for name, constant, fields in (
        ("fact_t", "FACT_WIDTH", _fact_fields()),
        ("sized_t", "SIZED_WIDTH", _sized_fields()),
    ):
        total = sum(widths[kind.removeprefix("logic").strip()] for kind, _, _ in fields)
        widths[name] = total
        yield "int", constant, str(total), f"a {name}"


def _choices(config: CoreConfig) -> list[_Constant]:
    sizes = key_sizes_built(config)

    def number(name: str, value: int, meaning: str) -> _Constant:
        return "int", name, str(value), meaning

    def flag(name: str, value: bool, meaning: str) -> _Constant:
        return "bit", name, f"1'b{int(value)}", meaning

    def limit(name: str, value: int, meaning: str) -> _Constant:
        return "longint unsigned", name, f"64'd{value}", meaning

    return [
        number("LANES", config.lanes, "blocks of a beat"),
        number("AAD_LANES", config.aad_lanes, "blocks of AAD that may come with a beat"),
        number("CONTEXTS", config.contexts, "keys held at the same time"),
        ("bit [2:0]", "KEY_SIZES", sizes, "bit 0 AES-128, bit 1 AES-192, bit 2 AES-256"),
        flag("ANY_IV", config.iv_any, "IVs of other lengths than 96 bits are taken"),
        flag("AES_WAITS", not config.aes_engine.flows, "it does not take a beat in every cycle"),
        flag("OWN_TAIL", config.tail_engine.dedicated, "the length block is added after GHASH"),
        flag("IN_STEP", config.in_step, "slots move on with the AES and wait in no queue"),
        number("AHEAD_PLACES", config.ahead_depth, "packets that it is made for, at most"),
        number("SLOT_DEPTH", config.slot_depth, "slots that wait for the AES, or move with it"),
        number("AES_LATENCY", config.aes_latency_cycles, "cycles"),
        number("TAG_DEPTH", config.tag_depth, "packets between their last beat and m_tag"),
        number("RELEASE_DEPTH", config.release_depth, "beats held back; 0: none is"),
        limit("MAX_TEXT_BYTES", config.max_text_bytes, "of a packet"),
        limit("MAX_AAD_BYTES", config.max_aad_bytes, "of a packet"),
    ]


def key_sizes_built(config: CoreConfig) -> str:
    """Bit 0 AES-128, bit 1 AES-192, bit 2 AES-256."""
    return "3'b" + "".join(str(int(size in config.key_sizes)) for size in (256, 192, 128))


def command_iv_bits(config: CoreConfig) -> int:
    """What gcm_command keeps of the length of an IV: the length, or whether it is 96 bits."""
    return 1 if config.ahead else 16


def _widths(config: CoreConfig) -> list[_Constant]:
    side_lanes = max(1, config.aad_lanes)
    slot_lanes = config.ghash_lanes + config.tail_engine.dedicated
    rows = [
        ("WIDTH", config.data_bits, "a beat"),
        ("BYTES", config.data_bits // 8, "bytes of a beat"),
        ("CONTEXT_WIDTH", config.context_bits, "a context's number"),
        ("COMMAND_IV_WIDTH", command_iv_bits(config), "what is kept of the length of an IV"),
        ("COUNT_WIDTH", config.lanes.bit_length(), "how many blocks of a beat"),
        ("SIDE_LANES", side_lanes, "lanes of the ports of AAD, there or not"),
        ("SIDE_WIDTH", (16 * side_lanes).bit_length(), "how many bytes of AAD with a beat"),
        ("AES_WIDTH", 128 * config.aes_lanes, "a beat in the AES"),
        ("HASH_LANES", config.ghash_lanes, "lanes of a beat in GHASH"),
        ("HASH_WIDTH", 128 * config.ghash_lanes, "a beat in GHASH"),
        ("HASH_COUNT_WIDTH", config.ghash_lanes.bit_length(), "how many blocks of it"),
        ("SLOT_WIDTH", 128 * slot_lanes, "a slot's data"),
        ("STATUS_WIDTH", status_bits(config), "m_tag_status"),
        ("SIZE_WIDTH", (16 * config.ghash_lanes).bit_length(), "how many bytes of a slot"),
    ]
    return [("int", name, str(value), meaning) for name, value, meaning in rows]


def _codes(prefix: str, bits: int, codes: Sequence[Code]) -> list[_Constant]:
    return [
        (
            f"logic [{bits - 1}:0]",
            f"{prefix}_{code.name}",
            f"{bits}'d{code.value}",
            code.meaning,
        )
        for code in codes
    ]


def _named(config: CoreConfig) -> list[Code]:
    """Statuses that modules of this core name, whether or not it gives them."""
    bits = status_bits(config)
    written = [one for one in Status if one.given_by(config) or one.shared]
    return [one.code for one in written if one.value < 1 << bits]


def _one_way(config: CoreConfig) -> list[_Constant]:
    """What a core with one direction refuses commands of the other one with."""
    if config.direction == "both":
        return []
    (mark,) = _codes("STATUS", 5, [OTHER_TAG_BYTES])
    kind, _, value, meaning = mark
    return [(kind, OTHER_TAG_BYTES.name, value, f"s_cmd_tag_bytes inside: {meaning}")]


def _command_fields() -> Iterator[_Field]:
    yield "logic [CONTEXT_WIDTH-1:0]", "context_id", "whose key"
    yield "logic", "decrypt", ""
    yield "logic [127:0]", "tag", "decrypting: the one that came with the packet"
    yield "logic [4:0]", "tag_bytes", ""
    yield "logic [15:0]", "iv_bytes", ""
    yield "logic [127:0]", "iv", "or 16 bytes of a long one"
    yield "logic", "is_void", "its packet is refused"
    yield (
        "logic [31:0]",
        "text_beats",
        "beats in which text will come, if announced",
    )


def _fact_fields() -> Iterator[_Field]:
    yield f"logic [{SLOT_KIND_BITS - 1}:0]", "kind", "SLOT_KEY, ..."
    yield "logic", "aes", "it has counter blocks in the AES"
    yield "logic", "closes", "its packet, or its IV"
    yield "logic", "has_j0", "it has J0 in the AES"
    yield "logic [CONTEXT_WIDTH-1:0]", "context_id", ""
    yield "logic", "decrypt", ""
    yield "logic [STATUS_WIDTH-1:0]", "status", "the packet's first error up to here"
    yield "logic [4:0]", "tag_bytes", ""
    yield "logic [COUNT_WIDTH-1:0]", "count", "blocks of data"
    yield "logic", "gives_out", "a beat of text leaves with it"
    yield "logic", "out_last", "the packet's last one"


def _slot_fields() -> Iterator[_Field]:
    yield "fact_t", "fact", ""
    yield "logic [3:0]", "tail", "bytes in the last block of data, less one"
    yield "logic [SIDE_WIDTH-1:0]", "side", "bytes of AAD with it"
    yield "logic [SLOT_WIDTH-1:0]", "data", "beat, AAD with it, expected tag; absent bytes zero"


def _sized_fields() -> Iterator[_Field]:
    yield "logic", "packet", "of a packet: its bytes count for the lengths"
    yield "logic", "side", "AAD came with the beat"
    yield "logic [4:0]", "tail_bytes", "in the last block of data, 1 to 16"
    yield "logic [SIZE_WIDTH-1:0]", "text_bytes", ""
    yield "logic [SIZE_WIDTH-1:0]", "aad_bytes", ""
    yield "fact_t", "fact", ""


def _counted() -> Iterator[_Field]:
    yield "fact_t", "fact", ""
    yield "logic", "side", "AAD came with the beat"
    yield "logic [BYTES-1:0]", "keep", "bytes of the beat that are there"
    yield "logic", "hash", "GHASH is to take it"
    yield "logic", "tag", "gcm_tag is to take it"
    yield "logic [HASH_COUNT_WIDTH-1:0]", "hash_count", "blocks for GHASH, lengths included"
    yield "logic", "adds_lengths", "the length block goes into GHASH with it"
    yield "logic [63:0]", "aad_bits", "the packet's, up to here"
    yield "logic [63:0]", "text_bits", ""
    yield "logic [SLOT_WIDTH-1:0]", "data", "as in slot_t"


def _takers() -> Iterator[_Field]:
    yield "logic", "out", "m_axis: a beat of text leaves with it"
    yield "logic", "error", "nobody at m_axis, if packets with errors are dropped: it is of one"
    yield "logic", "hash", "GHASH"
    yield "logic", "tag", "gcm_tag"
    yield "logic", "aes", "it takes key stream itself"
