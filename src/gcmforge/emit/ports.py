# SPDX-License-Identifier: Apache-2.0
"""The ports of the generated modules, for every text that declares or lists them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gcmforge.config import CoreConfig
from gcmforge.config.architecture import Architecture, Bus
from gcmforge.config.codes import status_bits


@dataclass(frozen=True, kw_only=True, slots=True)
class Port:
    """One port; width in bits."""

    name: str
    direction: str
    width: int
    meaning: str = ""
    kind: str = "logic"
    """Its type: for a structure of gcm_pkg that one, and the width is not used."""

    @property
    def range(self) -> str:
        """As declared: empty for a single bit."""
        return f"[{self.width - 1}:0]" if self.width > 1 else ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Stream:
    """A valid/ready stream among a module's ports, and the ports that move with it."""

    name: str
    valid: Port
    ready: Port
    payload: tuple[Port, ...]

    @property
    def is_output(self) -> bool:
        return self.valid.direction == "output"

    @property
    def width(self) -> int:
        """Bits of the payload."""
        return sum(port.width for port in self.payload)


def streams_of(ports: Sequence[Port]) -> tuple[Stream, ...]:
    """The streams among the ports: s_cmd_tvalid and s_axil_awvalid are of s_cmd and s_axil_aw."""
    named = {port.name: port for port in ports}
    found = []
    for valid in ports:
        stem = valid.name.removesuffix("valid")
        if stem == valid.name:
            continue
        ready, prefix = named[f"{stem}ready"], stem.removesuffix("_t")
        start = stem.removesuffix("t") if stem.endswith("_t") else stem
        payload = [p for p in ports if p.name.startswith(start) and p not in (valid, ready)]
        found.append(Stream(name=prefix, valid=valid, ready=ready, payload=tuple(payload)))
    return tuple(found)


def top_ports(config: CoreConfig) -> tuple[Port, ...]:
    """Every port of the top of that core, in the order in which the top declares them."""
    data, context = config.data_bits, config.context_bits
    rows = [
        ("aclk", "input", 1, "clock: everything is at its rising edge"),
        ("aresetn", "input", 1, "reset, synchronous, active low"),
        *_rows(config.zeroise == "on", _ZEROISE_ROWS),
        ("s_key_tvalid", "input", 1, "a key is offered"),
        ("s_key_tready", "output", 1, "the core takes a key; high again when it is usable"),
        ("s_key_tdata", "input", 256, "the key, byte 0 lowest; shorter keys use the lower bytes"),
        ("s_key_size", "input", 2, _key_size_meaning(config)),
        ("s_key_context", "input", context, "the context that gets the key"),
        *_rows(
            config.iv == "counter", (("s_key_fixed", "input", 32, "first four bytes of its IVs"),)
        ),
        ("s_cmd_tvalid", "input", 1, "a command is offered"),
        ("s_cmd_tready", "output", 1, "the core takes a command"),
        ("s_cmd_context", "input", context, "the context whose key the packet uses"),
        ("s_cmd_decrypt", "input", 1, "1: decrypt and check the tag, 0: encrypt"),
        ("s_cmd_tag", "input", 128, "decrypting: the expected tag, byte 0 in the lowest bits"),
        ("s_cmd_tag_bytes", "input", 5, "length of the tag: 4, 8, 12, 13, 14, 15 or 16 bytes"),
        ("s_cmd_iv_bytes", "input", 16, "length of the initialisation vector in bytes"),
        ("s_cmd_iv", "input", 128, _iv_meaning(config)),
        *_rows(config.ahead, (("s_cmd_text_beats", "input", 32, "in how many beats text comes"),)),
        ("s_axis_tvalid", "input", 1, "a beat of data is offered"),
        ("s_axis_tready", "output", 1, "the core takes a beat of data"),
        ("s_axis_tdata", "input", data, "additional authenticated data, then text"),
        ("s_axis_tkeep", "input", data // 8, "which bytes are there, from 0 on without holes"),
        ("s_axis_tuser", "input", 1, "0: additional authenticated data, 1: text"),
        ("s_axis_tlast", "input", 1, "the packet's last beat"),
        *_side_rows(config),
        ("m_axis_tvalid", "output", 1, "the core offers a beat of text"),
        ("m_axis_tready", "input", 1, "the receiver takes a beat of text"),
        ("m_axis_tdata", "output", data, "text, encrypted or decrypted; absent bytes are zero"),
        ("m_axis_tkeep", "output", data // 8, "which bytes of the beat are there"),
        ("m_axis_tlast", "output", 1, "the packet's last beat of text"),
        ("m_tag_tvalid", "output", 1, "the core offers a packet's answer"),
        ("m_tag_tready", "input", 1, "the receiver takes a packet's answer"),
        ("m_tag_tag", "output", 128, "encrypting: the tag; zero when decrypting or on an error"),
        ("m_tag_ok", "output", 1, "the status is 0; decrypting: the tag matched"),
        ("m_tag_status", "output", status_bits(config), "0: OK; else the first error, see below"),
        *_rows(config.iv == "counter", (("m_tag_iv", "output", 96, "the packet's IV"),)),
    ]
    return tuple(
        Port(name=name, direction=direction, width=width, meaning=meaning)
        for name, direction, width, meaning in rows
    )


def own_ports(architecture: Architecture, config: CoreConfig) -> tuple[Port, ...]:
    """The ports of a core of its own."""
    return tuple(
        Port(name=name, direction=direction, width=width, meaning=meaning)
        for name, direction, width, meaning in architecture.ports(config)
    )


def bus_ports(bus: Bus, config: CoreConfig) -> tuple[Port, ...]:
    """The ports of what such a core has within its register block."""
    widths = {"tdata": bus.bits, "tkeep": bus.bits // 8}
    data = {f"{name}_axis_{kind}": bits for name in "sm" for kind, bits in widths.items()}
    return tuple(replace(port, width=data.get(port.name, port.width)) for port in top_ports(config))


_Row = tuple[str, str, int, str]
_ZEROISE_ROWS: tuple[_Row, ...] = (
    ("zeroise", "input", 1, "1: give up what is under way and erase every key"),
    ("zeroise_busy", "output", 1, "not everything is erased yet; also after a reset"),
)


def _rows(there: bool, rows: tuple[_Row, ...]) -> tuple[_Row, ...]:
    """Rows of ports that only some cores have."""
    return rows if there else ()


def _key_size_meaning(config: CoreConfig) -> str:
    void = "erase the context" if config.zeroise == "on" else "the context has no key any more"
    return f"0: 128 bits, 1: 192, 2: 256, 3: {void}"


def _side_rows(config: CoreConfig) -> list[_Row]:
    """The ports of AAD that comes with the data, where the core has lanes for it."""
    if not config.aad_lanes:
        return []
    return [
        (
            "s_axis_aad",
            "input",
            128 * config.aad_lanes,
            "AAD in the same transfer as the packet's first beat",
        ),
        (
            "s_axis_aad_keep",
            "input",
            16 * config.aad_lanes,
            "which bytes of it are there, from 0 on",
        ),
    ]


def aes_ports(config: CoreConfig) -> tuple[Port, ...]:
    """What every AES engine has."""
    data, context = 128 * config.aes_lanes, config.context_bits
    return _ports(
        ("clk", "input", 1),
        ("rst", "input", 1),
        ("in_valid_i", "input", 1),
        ("in_ready_o", "output", 1),
        ("in_context_i", "input", context),
        ("in_size_i", "input", 2),
        ("in_blocks_i", "input", data),
        ("out_valid_o", "output", 1),
        ("out_ready_i", "input", 1),
        ("out_blocks_o", "output", data),
        ("key_valid_i", "input", 1),
        ("key_context_i", "input", context),
        ("key_size_i", "input", 2),
        ("key_round_i", "input", 4),
        ("key_data_i", "input", 128),
    )


def ghash_ports(config: CoreConfig) -> tuple[Port, ...]:
    """What the GHASH architecture of this configuration has: all the same, a length-first one is
    told which blocks are text, and one that takes powers of H which of them is H. None of them
    knows a wrong subkey."""
    absent = {"subkey_wrong_o"}
    if not config.length_first:
        absent.add("in_text_i")
    if not config.ghash_engine.given_powers:
        absent.add("subkey_first_i")
    if not config.ghash_engine.tells_ahead:
        absent.add("in_soon_o")
    return tuple(port for port in gcm_ghash_ports(config) if port.name not in absent)


def fixed_ghash_ports(config: CoreConfig) -> tuple[Port, ...]:
    """What a GHASH for one key has: it tells when a subkey is another one."""
    absent = {"in_text_i", "in_soon_o", "subkey_first_i"}
    return tuple(port for port in gcm_ghash_ports(config) if port.name not in absent)


def gcm_ghash_ports(config: CoreConfig) -> tuple[Port, ...]:
    """What a core gives to its GHASH, whichever that is."""
    context = config.context_bits
    return _ports(
        ("clk", "input", 1),
        ("rst", "input", 1),
        ("in_valid_i", "input", 1),
        ("in_ready_o", "output", 1),
        ("in_soon_o", "output", 1),
        ("in_data_i", "input", 128 * config.ghash_lanes),
        ("in_count_i", "input", config.ghash_lanes.bit_length()),
        ("in_text_i", "input", 1),
        ("in_last_i", "input", 1),
        ("in_context_i", "input", context),
        ("digest_valid_o", "output", 1),
        ("digest_o", "output", 128),
        ("subkey_valid_i", "input", 1),
        ("subkey_first_i", "input", 1),
        ("subkey_context_i", "input", context),
        ("subkey_i", "input", 128),
        ("subkey_done_o", "output", 1),
        ("subkey_wrong_o", "output", 1),
    )


def subkey_ports() -> tuple[Port, ...]:
    """What every maker of hash subkeys has."""
    return _ports(
        ("clk", "input", 1),
        ("rst", "input", 1),
        ("round_valid_i", "input", 1),
        ("round_index_i", "input", 4),
        ("round_key_i", "input", 128),
        ("size_i", "input", 2),
        ("hold_o", "output", 1),
        ("want_i", "input", 1),
        ("taken_o", "output", 1),
        ("done_o", "output", 1),
        ("slot_want_o", "output", 1),
        ("slot_taken_i", "input", 1),
        ("stream_valid_i", "input", 1),
        ("stream_i", "input", 128),
        ("subkey_valid_o", "output", 1),
        ("subkey_first_o", "output", 1),
        ("subkey_o", "output", 128),
        ("powers_done_i", "input", 1),
    )


def tail_ports(config: CoreConfig) -> tuple[Port, ...]:
    """What every tail has."""
    context = config.context_bits
    return _ports(
        ("clk", "input", 1),
        ("rst", "input", 1),
        ("entry_valid_i", "input", 1),
        ("entry_whole_i", "input", 1),
        ("entry_context_i", "input", context),
        ("entry_lengths_i", "input", 128),
        ("digest_valid_i", "input", 1),
        ("digest_i", "input", 128),
        ("digest_valid_o", "output", 1),
        ("digest_o", "output", 128),
        ("subkey_valid_i", "input", 1),
        ("subkey_context_i", "input", context),
        ("subkey_i", "input", 128),
    )


def middle_ports(config: CoreConfig) -> tuple[Port, ...]:
    """What every way of slots to their key stream has."""
    context, blocks = config.context_bits, 128 * config.aes_lanes
    return _ports(
        ("clk", "input", 1),
        ("rst", "input", 1),
        ("head_valid_i", "input", 1),
        ("head_blocked_i", "input", 1),
        ("head_ready_o", "output", 1),
        ("head_i", "input", "gcm_pkg::command_t"),
        ("head_usable_i", "input", 1),
        ("head_size_i", "input", 2),
        ("command_valid_o", "output", 1),
        ("command_blocked_o", "output", 1),
        ("command_ready_i", "input", 1),
        ("command_o", "output", "gcm_pkg::command_t"),
        ("command_usable_o", "output", 1),
        ("ahead_still_o", "output", 1),
        ("ahead_left_o", "output", 6),
        ("ahead_cut_i", "input", 1),
        ("slot_valid_i", "input", 1),
        ("slot_ready_o", "output", 1),
        ("slot_i", "input", "gcm_pkg::slot_t"),
        ("aes_valid_i", "input", 1),
        ("aes_ready_o", "output", 1),
        ("aes_context_i", "input", context),
        ("aes_size_i", "input", 2),
        ("aes_blocks_i", "input", blocks),
        ("subkey_want_i", "input", 1),
        ("load_context_i", "input", context),
        ("load_size_i", "input", 2),
        ("round_valid_i", "input", 1),
        ("round_index_i", "input", 4),
        ("round_key_i", "input", 128),
        ("there_o", "output", 1),
        ("passes_o", "output", 1),
        ("slot_o", "output", "gcm_pkg::counted_t"),
        ("stream_o", "output", blocks),
        ("out_valid_o", "output", 1),
        ("out_ready_i", "input", 1),
        ("out_soon_i", "input", 1),
        ("hash_valid_o", "output", 1),
        ("hash_ready_i", "input", 1),
        ("hash_soon_i", "input", 1),
        ("tag_valid_o", "output", 1),
        ("tag_ready_i", "input", 1),
        ("tag_soon_i", "input", 1),
    )


def release_ports(config: CoreConfig) -> tuple[Port, ...]:
    """What everything has that lets text go."""
    beat = config.data_bits + config.data_bits // 8 + 1
    return _ports(
        ("clk", "input", 1),
        ("rst", "input", 1),
        ("in_valid_i", "input", 1),
        ("in_ready_o", "output", 1),
        ("in_soon_o", "output", 1),
        ("in_beat_i", "input", beat),
        ("in_error_i", "input", 1),
        ("end_i", "input", 1),
        ("verdict_valid_i", "input", 1),
        ("verdict_ok_i", "input", 1),
        ("out_valid_o", "output", 1),
        ("out_ready_i", "input", 1),
        ("out_soon_i", "input", 1),
        ("out_beat_o", "output", beat),
    )


def _ports(*rows: tuple[str, str, int | str]) -> tuple[Port, ...]:
    """Of names, directions, and widths or types of gcm_pkg."""
    return tuple(
        Port(name=name, direction=side, width=of)
        if isinstance(of, int)
        else Port(name=name, direction=side, width=1, kind=of)
        for name, side, of in rows
    )


def _iv_meaning(config: CoreConfig) -> str:
    if config.iv == "counter":
        return "decrypting: the IV, in the lower 12 bytes; encrypting: ignored"
    if config.iv_any:
        return "the IV; more than 16 bytes come in further transfers of s_cmd, 16 bytes each"
    return "the IV, in the lower 12 bytes"
