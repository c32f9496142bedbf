# SPDX-License-Identifier: Apache-2.0
"""The compiled simulator from Python: operations packed once, then one call for many cycles.

Layouts and codes here are those of harness.cpp. Nothing is done in Python for a beat or a cycle.
"""

from __future__ import annotations

import ctypes
import re
import struct
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Self

from gcmforge.sim import covered
from gcmforge.sim.operations import Operation
from gcmforge.sim.packing import (
    NEVER,
    NO_OPERATION,
    OPERATION,
    RESULT,
    Answer,
    Waveform,
    key_cycles,
    pack,
    unpacked_answers,
)
from gcmforge.sim.stalls import Stalls
from gcmforge.tools import ToolError

PATIENCE_CYCLES = 20_000
"""Cycles without a single transfer on any stream after which a core counts as hung."""

CYCLES_PER_CALL = 20_000
"""Cycles between two looks at Ctrl-C and at the progress display."""

DRAIN_CYCLES = 64
"""Cycles that are played after the last answer: nothing may come in them."""

_TWO_KEYS = 250
"""Cycles in which two keys are loaded, one after the other."""

_VIOLATION = struct.Struct("<QII")
_MAX_VIOLATIONS = 256
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
    25: "a text that an erase cut off is not ended by a beat without a byte",
    26: "m_axis_tdata changes to what is not offered next",
}


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


@dataclass(frozen=True, kw_only=True, slots=True)
class _Kept:
    """What the simulator has pointers to until all is played."""

    given: tuple[bytes, bytes]
    results: ctypes.Array[ctypes.c_char]
    out: ctypes.Array[ctypes.c_char]


_COUNTERS = struct.Struct(f"<{len(fields(Counters))}Q")
_STALLS = struct.Struct("<10I")


@dataclass(frozen=True, kw_only=True, slots=True)
class Erased:
    """When a core is erased, `cycle` is the first one in which it is, and what it has taken then:
    packets whose command had begun, packets that were answered."""

    cycle: int
    accepted: int
    answered: int


_ERASED = struct.Struct(f"<{len(fields(Erased))}Q")


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
        longest_pause: int = 0,
    ) -> None:
        """`verified`: the core gives no text out of a packet whose status is not OK.
        `longest_pause`: cycles that a sender pauses at most, 0 for any number; data does
        not come before a command, then, that waits for its key while others are slow."""
        self.verified = verified
        self._longest_pause = longest_pause
        self._lib = _load(library)
        self.lanes: int = self._lib.gcm_beat_bytes() // 16
        path, first, last = b"", 0, 0
        if waveform is not None:
            path = str(waveform.path).encode()
            first, last = waveform.first_cycle, waveform.last_cycle
        self._handle: int | None = self._lib.gcm_new(seed & NEVER, path, first, last)
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
        after_command = stalls.data_after_command
        short = 0 < self._longest_pause < _TWO_KEYS
        if short or (self._longest_pause and stalls.slow):
            after_command = 1.0  # as a command may wait for its key for longer than a timeout
        chances = (
            stalls.key_idle, stalls.command_idle, stalls.data_idle, stalls.text_wait,
            stalls.tag_wait, after_command, stalls.null_beats,
        )  # fmt: skip
        packed = _STALLS.pack(
            *(round(chance * 65536) for chance in chances), stalls.bursts, self._longest_pause,
            stalls.after_valid,
        )  # fmt: skip
        self._lib.gcm_set_stalls(self._handle, packed)

    def counters(self) -> Counters:
        raw = ctypes.create_string_buffer(_COUNTERS.size)
        self._lib.gcm_counters(self._handle, raw)
        return Counters(
            **dict(zip((f.name for f in fields(Counters)), _COUNTERS.unpack(raw.raw), strict=True))
        )

    @property
    def first_cycle(self) -> int:
        """The number, as answers have it, of the first cycle after the last reset."""
        return int(self._lib.gcm_first(self._handle))

    def points(self) -> dict[str, int]:
        """In how many cycles each point of the core's modules was reached, see `covered`."""
        with tempfile.NamedTemporaryFile(prefix="gcmforge-points-") as file:
            self._lib.gcm_points(self._handle, file.name.encode())
            return covered.counts(file.read().decode())

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
        return self._played(
            operations, self._submitted(operations), patience_cycles=patience_cycles,
            cycles_per_call=cycles_per_call, progress=progress,
        )  # fmt: skip

    def play_and_reset(self, operations: Sequence[Operation], cycles: int) -> None:
        """Play that many cycles of the operations, and reset the core whatever it does then. What
        it answered meanwhile is not looked at; rules that it broke are told by the next `play`."""
        kept = self._submitted(operations)
        self._lib.gcm_run(self._handle, cycles, PATIENCE_CYCLES)
        self._lib.gcm_interrupt(self._handle)
        del kept

    def play_and_erase(
        self, operations: Sequence[Operation], cycles: int, *, patience_cycles: int
    ) -> tuple[Batch, Erased, Mapping[int, int]]:
        """Play them, and erase the core after that many cycles whatever it does then. Also tells
        when keys were taken: the operation's number and the cycle."""
        kept = self._submitted(operations)
        self._lib.gcm_run(self._handle, cycles, patience_cycles)
        raw = ctypes.create_string_buffer(_ERASED.size)
        self._lib.gcm_erase(self._handle, raw)
        names = (field.name for field in fields(Erased))
        erased = Erased(**dict(zip(names, _ERASED.unpack(raw.raw), strict=True)))
        batch = self._played(operations, kept, patience_cycles=patience_cycles)
        return batch, erased, key_cycles(operations, kept.results.raw)

    def _submitted(self, operations: Sequence[Operation]) -> _Kept:
        if self._handle is None:
            raise ValueError("this simulation is closed")
        records, data, out_bytes = pack(operations, self.lanes, verified=self.verified)
        kept = _Kept(
            given=(records, data),
            results=ctypes.create_string_buffer(max(1, len(operations)) * RESULT.size),
            out=ctypes.create_string_buffer(max(1, out_bytes)),
        )
        self._lib.gcm_submit(self._handle, records, kept.results, len(operations), data, kept.out)
        return kept

    def _played(
        self,
        operations: Sequence[Operation],
        kept: _Kept,
        *,
        patience_cycles: int,
        cycles_per_call: int = CYCLES_PER_CALL,
        progress: Callable[[int], None] | None = None,
    ) -> Batch:
        """What was submitted, until all of it is answered."""
        state = 0
        while state not in (_DONE, _HANG):
            state = self._lib.gcm_run(self._handle, cycles_per_call, patience_cycles)
            if progress is not None:
                progress(self.counters().cycles)
        violations, total = self._new_violations()
        return Batch(
            answers=unpacked_answers(operations, kept.results.raw, kept.out.raw),
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
            number = None if operation == NO_OPERATION else operation
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
        "gcm_interrupt": ([pointer], None),
        "gcm_erase": ([pointer, text], None),
        "gcm_first": ([pointer], u64),
        "gcm_counters": ([pointer, text], None),
        "gcm_violations": ([pointer, text, u64], u64),
        "gcm_describe": ([pointer, text, u64], None),
        "gcm_points": ([pointer, text], None),
        "gcm_words": ([pointer, u64, text, u64], None),
    }
    for name, (arguments, result) in signatures.items():
        function = getattr(lib, name)
        function.argtypes, function.restype = arguments, result
    if lib.gcm_layout() != OPERATION.size << 16 | RESULT.size:
        raise ToolError(f"{library} belongs to another version of this package; start again")
    return lib
