# SPDX-License-Identifier: Apache-2.0
"""The compiled simulator from Python: operations packed once, then one call for many cycles.

Layouts and codes here are those of harness.cpp. Nothing is done in Python for a beat or a cycle.
"""

import ctypes
import re
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Self

from gcmforge.sim.operations import LoadKey, Operation, Packet, Status
from gcmforge.tools import ToolError

PATIENCE_CYCLES = 20_000
"""Cycles without a single transfer on any stream after which a core counts as hung."""

CYCLES_PER_CALL = 20_000
"""Cycles between two looks at Ctrl-C and at the progress display."""

_OPERATION = struct.Struct("<10QIHBBBBBBI16s")
_RESULT = struct.Struct("<QQQQQQQQQ16sBB6x")
_VIOLATION = struct.Struct("<QII")
_NEVER = 2**64 - 1
_NO_OPERATION = 2**32 - 1
_MAX_VIOLATIONS = 256
_SIDE_ROOM = 64
_DONE, _HANG = 1, 2
_ASSERTED = 24
_ASSERTION = re.compile(r"Assertion failed in gcm_axis\.(\S+?):? ")

RULES = {
    1: "m_axis_tvalid fell before m_axis_tready",
    2: "m_axis payload changed before m_axis_tready",
    3: "m_tag_tvalid fell before m_tag_tready",
    4: "m_tag payload changed before m_tag_tready",
    5: "m_axis_tkeep has a gap",
    6: "m_axis_tkeep is partial on a beat that is not the last",
    7: "m_axis beat without a byte",
    8: "m_axis_tdata is not zero outside tkeep",
    9: "m_axis_tlast too early: text is missing",
    10: "m_axis_tlast missing on the last text beat",
    11: "m_axis beat that no text beat asked for",
    12: "m_tag for a packet whose command was not accepted",
    13: "m_tag says OK before the packet's last data beat",
    14: "m_tag_tag is not zero beyond tag_bytes",
    15: "m_tag_tag is not zero although decrypting or on an error",
    16: "m_tag_ok does not agree with m_tag_status",
    17: "text never came out, although the tag did",
    18: "s_key_tready follows s_key_tvalid within a cycle",
    19: "s_cmd_tready follows s_cmd_tvalid within a cycle",
    20: "s_axis_tready follows s_axis_tvalid within a cycle",
    21: "m_axis_tvalid follows m_axis_tready within a cycle",
    22: "m_tag_tvalid follows m_tag_tready within a cycle",
    23: "m_axis_tkeep keeps more bytes than there are of text",
    24: "assertion in the RTL",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Stalls:
    """How the streams pause: probabilities from 0 to 1, drawn from the run's seed.

    `*_idle`: a source has nothing to offer; `*_wait`: a sink is not ready. `data_after_command`:
    a packet's data is held back until its command was accepted (else it may come before).
    `null_beats`: an empty section gets a beat without bytes. `bursts`: densities change every few
    hundred cycles between flowing, by chance, long pauses, and nearly stopped.
    """

    key_idle: float = 0.0
    command_idle: float = 0.0
    data_idle: float = 0.0
    text_wait: float = 0.0
    tag_wait: float = 0.0
    data_after_command: float = 0.0
    null_beats: float = 0.0
    bursts: bool = False

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not 0 <= value <= 1:
                raise ValueError(f"{field.name}={value}: use a probability from 0 to 1")

    @classmethod
    def named(cls, name: str) -> Self:
        """One of the patterns none, idle, backpressure, both."""
        if name not in STALL_PATTERNS:
            raise ValueError(f"stalls={name}: use one of {', '.join(STALL_PATTERNS)}")
        return cls(**STALL_PATTERNS[name], bursts=name != "none")


_IDLE = {"key_idle": 0.4, "command_idle": 0.4, "data_idle": 0.4}
_WAIT = {"text_wait": 0.4, "tag_wait": 0.4}
_STYLE = {"data_after_command": 0.3, "null_beats": 0.3}
STALL_PATTERNS: dict[str, dict[str, float]] = {
    "none": {},
    "idle": {**_IDLE, **_STYLE},
    "backpressure": {**_WAIT, **_STYLE},
    "both": {**_IDLE, **_WAIT, **_STYLE},
}


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
class FramedPacket(Packet):
    """A packet given beat by beat, to break the rules of a frame; tlast is on the last beat.

    `aad` and `text` are not sent. On m_axis one beat is awaited for each text beat with a byte in
    it, and one more that ends the text if the packet's last beat has none. `expect.text` is the
    bytes of these beats; the rules of tkeep are not checked.
    """

    beats: tuple[Beat, ...]
    said: int | None = None
    """On a core with slots=ahead: how many beats of text the command says, None for those there."""

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
    last_cycle: int = _NEVER


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


@dataclass(frozen=True, kw_only=True, slots=True)
class Violation:
    """A broken rule of the streams; `operation` is its number in the list, None for no packet."""

    cycle: int
    rule: str
    operation: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Batch:
    """What one list of operations gave: an answer for each packet, in order."""

    answers: tuple[Answer, ...]
    violations: tuple[Violation, ...]
    violations_total: int
    hang: str | None
    """What every stream was waiting for, when the core stopped answering."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Counters:
    """Since reset. `longest_in_run`: most consecutive cycles with a data beat."""

    cycles: int
    key_loads: int
    commands: int
    in_beats: int
    out_beats: int
    tags: int
    in_refused: int
    out_waited: int
    longest_in_run: int


_COUNTERS = struct.Struct(f"<{len(fields(Counters))}Q")
_STALLS = struct.Struct("<8I")


class Simulation:
    """One running core, reset when it is made; a context manager. For one thread at a time."""

    def __init__(
        self,
        library: Path,
        *,
        seed: int = 0,
        stalls: Stalls | None = None,
        waveform: Waveform | None = None,
        verified: bool = False,
    ) -> None:
        """`verified`: the core gives no text out of a packet whose status is not OK."""
        self.verified = verified
        self._lib = _load(library)
        self.lanes: int = self._lib.gcm_beat_bytes() // 16
        path, first, last = b"", 0, 0
        if waveform is not None:
            path = str(waveform.path).encode()
            first, last = waveform.first_cycle, waveform.last_cycle
        self._handle: int | None = self._lib.gcm_new(seed & _NEVER, path, first, last)
        self._violations_seen = 0
        self.set_stalls(stalls or Stalls())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """End the simulation and its waveform file; may be called again."""
        handle = getattr(self, "_handle", None)
        if handle is not None:
            self._lib.gcm_delete(handle)
            self._handle = None

    def set_stalls(self, stalls: Stalls) -> None:
        chances = (
            stalls.key_idle, stalls.command_idle, stalls.data_idle, stalls.text_wait,
            stalls.tag_wait, stalls.data_after_command, stalls.null_beats,
        )  # fmt: skip
        packed = _STALLS.pack(*(round(chance * 65536) for chance in chances), stalls.bursts)
        self._lib.gcm_set_stalls(self._handle, packed)

    def counters(self) -> Counters:
        raw = ctypes.create_string_buffer(_COUNTERS.size)
        self._lib.gcm_counters(self._handle, raw)
        return Counters(
            **dict(zip((f.name for f in fields(Counters)), _COUNTERS.unpack(raw.raw), strict=True))
        )

    def play(
        self,
        operations: Sequence[Operation],
        *,
        patience_cycles: int = PATIENCE_CYCLES,
        cycles_per_call: int = CYCLES_PER_CALL,
        progress: Callable[[int], None] | None = None,
    ) -> Batch:
        """Play the operations until all are answered; the core is not reset before or after.

        `progress` is called every so many cycles with the cycles since reset; Ctrl-C is obeyed
        there.
        After a hang the simulation is of no more use.
        """
        if self._handle is None:
            raise ValueError("this simulation is closed")
        records, data, out_bytes = _pack(operations, self.lanes, verified=self.verified)
        results = ctypes.create_string_buffer(max(1, len(operations)) * _RESULT.size)
        out = ctypes.create_string_buffer(max(1, out_bytes))
        lib, handle = self._lib, self._handle
        lib.gcm_submit(handle, records, results, len(operations), data, out)
        state = 0
        while state not in (_DONE, _HANG):
            state = lib.gcm_run(handle, cycles_per_call, patience_cycles)
            if progress is not None:
                progress(self.counters().cycles)
        violations, total = self._new_violations()
        return Batch(
            answers=_answers(operations, results.raw, out.raw),
            violations=violations,
            violations_total=total,
            hang=self._describe() if state == _HANG else None,
        )

    def _describe(self) -> str:
        text = ctypes.create_string_buffer(1024)
        self._lib.gcm_describe(self._handle, text, len(text))
        return text.value.decode()

    def _new_violations(self) -> tuple[tuple[Violation, ...], int]:
        """Those since the last call; the simulator keeps only so many."""
        raw = ctypes.create_string_buffer(_MAX_VIOLATIONS * _VIOLATION.size)
        total = self._lib.gcm_violations(self._handle, raw, _MAX_VIOLATIONS)
        first, last = self._violations_seen, min(total, _MAX_VIOLATIONS)
        self._violations_seen = total
        found = []
        for index in range(first, last):
            cycle, code, operation = _VIOLATION.unpack_from(raw.raw, index * _VIOLATION.size)
            number = None if operation == _NO_OPERATION else operation
            rule = RULES[code]
            if code == _ASSERTED:
                rule, number = f"{rule}: {self._words(operation)}", None
            found.append(Violation(cycle=cycle, rule=rule, operation=number))
        return tuple(found), total - first

    def _words(self, number: int) -> str:
        """Which assertions were broken at once, by their places in the hierarchy."""
        text = ctypes.create_string_buffer(1024)
        self._lib.gcm_words(self._handle, number, text, len(text))
        said = text.value.decode()
        return ", ".join(_ASSERTION.findall(said)) or said.strip()


# ---- packing -------------------------------------------------------------------------------------


def _pack(
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
    """The beats of a FramedPacket: data, keep, user, last, AAD beside; nothing for others."""
    if not isinstance(packet, FramedPacket):
        return b""
    return b"".join(
        beat.data.ljust(16 * lanes, b"\0")
        + beat.keep.to_bytes(2 * lanes, "little")
        + bytes((beat.text, number == len(packet.beats) - 1))
        + beat.aad.ljust(_SIDE_ROOM, b"\0")
        + beat.aad_keep.to_bytes(_SIDE_ROOM // 8, "little")
        for number, beat in enumerate(packet.beats)
    )


def _pack_key(load: LoadKey, at: int) -> bytes:
    return _OPERATION.pack(
        at, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        len(load.key), load.context, 0, 0, load.wire_size_code(), 0, 0, 0, 0, load.fixed,
    )  # fmt: skip


def _pack_packet(packet: Packet, at: int, out_at: int, lanes: int, *, verified: bool) -> bytes:
    tag = packet.tag or b""
    aad_at = at + len(packet.iv)
    text_at = aad_at + len(packet.aad)
    beats, out_beats = 0, -(-len(packet.text) // (16 * lanes))
    said = out_beats
    if isinstance(packet, FramedPacket):
        beats = len(packet.beats)
        out_beats, said = packet.out_beats, packet.said_beats
    if verified and packet.expect.status != Status.OK:
        out_beats = 0
    return _OPERATION.pack(
        at, aad_at, len(packet.aad), text_at, len(packet.text), out_at, _room(packet),
        text_at + len(packet.text), beats, out_beats,
        len(packet.iv), packet.context, 1, packet.decrypt, 0, packet.tag_bytes, len(tag), verified,
        said, tag,
    )  # fmt: skip


def _answers(operations: Sequence[Operation], results: bytes, out: bytes) -> tuple[Answer, ...]:
    answers = []
    out_at = 0
    for number, operation in enumerate(operations):
        if isinstance(operation, LoadKey):
            continue
        *cycles, in_beats, out_beats, out_bytes, tag, status, ok = _RESULT.unpack_from(
            results, number * _RESULT.size
        )
        command, first_in, last_in, first_out, last_out, tag_cycle = (
            None if cycle == _NEVER else cycle for cycle in cycles
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


# ---- the library ---------------------------------------------------------------------------------


def _load(library: Path) -> ctypes.CDLL:
    lib = ctypes.CDLL(str(library))
    u64, pointer, text = ctypes.c_uint64, ctypes.c_void_p, ctypes.c_char_p
    signatures: dict[str, tuple[list[type], type | None]] = {
        "gcm_beat_bytes": ([], ctypes.c_uint32),
        "gcm_layout": ([], ctypes.c_uint32),
        "gcm_new": ([u64, text, u64, u64], pointer),
        "gcm_delete": ([pointer], None),
        "gcm_set_stalls": ([pointer, text], None),
        "gcm_submit": ([pointer, text, text, u64, text, text], None),
        "gcm_run": ([pointer, u64, u64], ctypes.c_int),
        "gcm_counters": ([pointer, text], None),
        "gcm_violations": ([pointer, text, u64], u64),
        "gcm_describe": ([pointer, text, u64], None),
        "gcm_words": ([pointer, u64, text, u64], None),
    }
    for name, (arguments, result) in signatures.items():
        function = getattr(lib, name)
        function.argtypes, function.restype = arguments, result
    if lib.gcm_layout() != _OPERATION.size << 16 | _RESULT.size:
        raise ToolError(f"{library} belongs to another version of this package; start again")
    return lib
