# SPDX-License-Identifier: Apache-2.0
"""Operations as the harness reads them, and answers as it writes them."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gcmforge.sim.operations import LoadKey, Operation, Packet, Status

OPERATION = struct.Struct("<10QIHBBBBBBI16sIBBH")


RESULT = struct.Struct("<QQQQQQQQQ16sBB6x")


NEVER = 2**64 - 1


NO_OPERATION = 2**32 - 1


AFTER_KEY = 16


_SIDE_ROOM = 64


@dataclass(frozen=True, kw_only=True, slots=True)
class Beat:
    """One beat of a frame: `data` from byte 0 on, `keep` with bit i for byte i, `text` is tuser;
    `aad` and `aad_keep` are the same for `s_axis_aad`, in a core with `aad_lanes`."""

    data: bytes
    keep: int
    text: bool
    aad: bytes = b""
    aad_keep: int = 0


def has_holes(keep: int) -> bool:
    """Whether the bytes that are there are not the first ones."""
    return keep & (keep + 1) != 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Stops:
    """A sender that stops amid a packet: nothing more is sent before its answer, and for so many
    cycles after it. Without `data` its last beat is not sent, and `rest` is what comes after that
    silence; without `command` nothing of that is sent, and with `one_word` no more than its first
    word. With `late_command` all is sent, and the command so many cycles after its data."""

    silence: int
    command: bool = True
    one_word: bool = False
    data: bool = False
    late_command: bool = False
    rest: tuple[Beat, ...] = ()

    @property
    def code(self) -> int:
        """As the harness has it."""
        return (not self.data) + 2 * (not self.command) + 4 * self.one_word + 8 * self.late_command


@dataclass(frozen=True, kw_only=True, slots=True)
class FramedPacket(Packet):
    """A packet given beat by beat, to break the rules of a frame; tlast is on the last beat.

    `aad` and `text` are not sent. On m_axis one beat is awaited for each text beat with a byte in
    it, and one more that ends the text if the packet's last beat has none. `expect.text` is the
    bytes of these beats; the rules of tkeep are not checked.
    """

    beats: tuple[Beat, ...]
    said: int | None = None
    """On a core with slots=ahead: how many beats of text the command says, None for those there."""
    stops: Stops | None = None
    """What its sender leaves out; the last of `beats` is then the one that the core makes."""

    @property
    def sent_beats(self) -> tuple[Beat, ...]:
        """Those that come from outside, but for what comes late."""
        return self.beats if self.stops is None or self.stops.data else self.beats[:-1]

    @property
    def text_beats(self) -> int:
        """Beats with text in them."""
        return sum(beat.text and beat.keep != 0 for beat in self.beats)

    @property
    def said_beats(self) -> int:
        """What `s_cmd_text_beats` carries."""
        return self.text_beats if self.said is None else self.said

    @property
    def out_beats(self) -> int:
        """Beats of text that leave a core with `streaming` release."""
        if self.stops is not None and not self.expect.text:
            return 0
        texts = [beat.text and beat.keep != 0 for beat in self.beats]
        return sum(texts) + (any(texts) and not texts[-1])

    @property
    def holes(self) -> bool:
        """Whether tkeep of some text has holes; how many zeros leave for that beat is open."""
        return any(beat.text and has_holes(beat.keep) for beat in self.beats)


@dataclass(frozen=True, kw_only=True, slots=True)
class Waveform:
    """Where a waveform goes and which cycles it shows, first and last included."""

    path: Path
    first_cycle: int = 0
    last_cycle: int = NEVER


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What came out for one packet. A cycle is None for what never happened."""

    text: bytes
    tag: bytes
    ok: bool
    status: int
    command_cycle: int | None
    first_in_cycle: int | None
    last_in_cycle: int | None
    first_out_cycle: int | None
    last_out_cycle: int | None
    tag_cycle: int | None
    in_beats: int
    out_beats: int

    @property
    def answered(self) -> bool:
        return self.tag_cycle is not None

    @property
    def in_cycles(self) -> int:
        """From the first to the last data beat, both included."""
        if self.first_in_cycle is None or self.last_in_cycle is None:
            return 0
        return self.last_in_cycle - self.first_in_cycle + 1

    @property
    def out_cycles(self) -> int:
        """From the first to the last text beat that came out, both included."""
        if self.first_out_cycle is None or self.last_out_cycle is None:
            return 0
        return self.last_out_cycle - self.first_out_cycle + 1


def pack(
    operations: Sequence[Operation], lanes: int, *, verified: bool
) -> tuple[bytes, bytes, int]:
    """Records, input bytes, and the bytes of output that there will be."""
    records: list[bytes] = []
    data: list[bytes] = []
    at, out_at = 0, 0
    for operation in operations:
        if isinstance(operation, LoadKey):
            parts: tuple[bytes, ...] = (operation.key,)
            records.append(_pack_key(operation, at))
        else:
            frame = _frame(operation, lanes)
            parts = (operation.iv, operation.aad, operation.text, frame)
            records.append(_pack_packet(operation, at, out_at, lanes, verified=verified))
            out_at += _room(operation)
        data.extend(parts)
        at += sum(map(len, parts))
    return b"".join(records), b"".join(data), out_at


def _room(packet: Packet) -> int:
    """Bytes of text that may come out."""
    return len(packet.expect.text if isinstance(packet, FramedPacket) else packet.text)


def _frame(packet: Packet, lanes: int) -> bytes:
    """The beats of a FramedPacket: data, keep, user, last, AAD with it; nothing for others."""
    if not isinstance(packet, FramedPacket):
        return b""
    late = packet.stops.rest if packet.stops is not None else ()
    beats = packet.sent_beats + late
    ends = len(beats) - 1 if packet.stops is None or packet.stops.data or late else -1
    return b"".join(
        beat.data.ljust(16 * lanes, b"\0")
        + beat.keep.to_bytes(2 * lanes, "little")
        + bytes((beat.text, number == ends))
        + beat.aad.ljust(_SIDE_ROOM, b"\0")
        + beat.aad_keep.to_bytes(_SIDE_ROOM // 8, "little")
        for number, beat in enumerate(beats)
    )


def _pack_key(load: LoadKey, at: int) -> bytes:
    return OPERATION.pack(
        at, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        len(load.key), load.context, 0, 0, load.wire_size_code(), 0, 0, 0, 0, load.fixed, 0, 0,
        load.early, 0,
    )  # fmt: skip


def _pack_packet(packet: Packet, at: int, out_at: int, lanes: int, *, verified: bool) -> bytes:
    tag = packet.tag or b""
    aad_at = at + len(packet.iv)
    text_at = aad_at + len(packet.aad)
    beats, out_beats = 0, -(-len(packet.text) // (16 * lanes))
    said, silence, stops, rest = out_beats, 0, 0, 0
    if isinstance(packet, FramedPacket):
        beats = len(packet.sent_beats)
        if packet.stops is not None:
            silence, stops = packet.stops.silence, packet.stops.code
            rest = len(packet.stops.rest)
        out_beats, said = packet.out_beats, packet.said_beats
    if verified and packet.expect.status != Status.OK:
        out_beats = 0
    return OPERATION.pack(
        at, aad_at, len(packet.aad), text_at, len(packet.text), out_at, _room(packet),
        text_at + len(packet.text), beats, out_beats,
        len(packet.iv), packet.context, 1, packet.decrypt, 0, packet.tag_bytes, len(tag), verified,
        said, tag, silence, stops | AFTER_KEY * packet.after_key, packet.held, rest,
    )  # fmt: skip


def key_cycles(operations: Sequence[Operation], results: bytes) -> dict[int, int]:
    """Number of an operation that loads a key -> cycle in which it was taken."""
    return {
        number: RESULT.unpack_from(results, number * RESULT.size)[0]
        for number, operation in enumerate(operations)
        if isinstance(operation, LoadKey)
    }


def unpacked_answers(
    operations: Sequence[Operation], results: bytes, out: bytes
) -> tuple[Answer, ...]:
    answers = []
    out_at = 0
    for number, operation in enumerate(operations):
        if isinstance(operation, LoadKey):
            continue
        *cycles, in_beats, out_beats, out_bytes, tag, status, ok = RESULT.unpack_from(
            results, number * RESULT.size
        )
        command, first_in, last_in, first_out, last_out, tag_cycle = (
            None if cycle == NEVER else cycle for cycle in cycles
        )
        answers.append(
            Answer(
                text=out[out_at : out_at + out_bytes],
                tag=tag,
                ok=bool(ok),
                status=status,
                command_cycle=command,
                first_in_cycle=first_in,
                last_in_cycle=last_in,
                first_out_cycle=first_out,
                last_out_cycle=last_out,
                tag_cycle=tag_cycle,
                in_beats=in_beats,
                out_beats=out_beats,
            )
        )
        out_at += _room(operation)
    return tuple(answers)
