# SPDX-License-Identifier: Apache-2.0
"""Faults in a core's netlist: what comes out when a net is stuck, or wrong for one cycle.

The core is synthesised as `gcmforge measure` does, and its netlist simulated 256 times at once
(faults.cpp), each time with faults of its own, on the same packets. A fault is

    detected   a packet was answered with FAULT, and no wrong word had left
    early      the same, but a wrong word had left before
    refused    no packet with a wrong text or tag was OK; one was answered with another error
    harmless   all came out as without a fault
    silent     wrong text or a wrong tag with status OK, or a wrong tag was accepted
    hang       a packet was never answered
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from gcmforge import tools
from gcmforge.config import CoreConfig
from gcmforge.config.codes import Status
from gcmforge.mapped.fault_design import fault_design
from gcmforge.netlist.netlist import Module
from gcmforge.netlist.targets import find_target, library_of
from gcmforge.sim import reference

LANES = 256
CYCLES = 2_500
STUCK_0, STUCK_1, FLIP = 0, 1, 2
KINDS = ("stuck at 0", "stuck at 1", "flip")
DETECTED, EARLY, REFUSED, HARMLESS, SILENT, HANG = (
    "detected", "early", "refused", "harmless", "silent", "hang",
)  # fmt: skip
OUTCOMES = (DETECTED, EARLY, REFUSED, HARMLESS, SILENT, HANG)

_WRONG_TAG, _WRONG_TEXT, _ACCEPTED, _FAULT, _EARLY, _REFUSED, _HANG, _LAST_RIGHT = (
    1 << bit for bit in range(8)
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """A net, what is wrong with it, and for a flip in which cycle."""

    net: int
    kind: int
    cycle: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What one run gave; `recovered`: its last packet was right."""

    what: str
    recovered: bool


def outcome_of(seen: int) -> Outcome:
    """From the bits that the simulator has of a lane."""
    recovered = bool(seen & _LAST_RIGHT)
    if seen & (_WRONG_TAG | _WRONG_TEXT | _ACCEPTED):
        what = SILENT
    elif seen & _HANG:
        what = HANG
    elif seen & _FAULT:
        what = EARLY if seen & _EARLY else DETECTED
    else:
        what = REFUSED if seen & _REFUSED else HARMLESS
    return Outcome(what=what, recovered=recovered)


# ---- the bench -----------------------------------------------------------------------------------


class _Word(ctypes.Structure):
    _fields_ = (
        ("bits", ctypes.c_uint64), ("after_answers", ctypes.c_int32),
        ("after_keys", ctypes.c_int32),
    )  # fmt: skip


class _Record(ctypes.Structure):
    _fields_ = (("bits", ctypes.c_uint64), ("tag", ctypes.c_int32), ("packet", ctypes.c_int32))


class _Fault(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_int32) for name in ("net", "lane", "kind", "cycle"))


class _Bench(ctypes.Structure):
    _fields_ = (
        ("count", ctypes.c_int32 * 3), ("words", ctypes.POINTER(_Word) * 3),
        ("packets", ctypes.c_int32), ("cycles", ctypes.c_int32), ("fault_status", ctypes.c_int32),
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Packet:
    """A packet of the bench; with `key` that key is loaded before it."""

    iv: bytes
    aad: bytes
    text: bytes
    tag_bytes: int = 16
    decrypt: bool = False
    wrong: bool = False
    """A bit of its expected tag is wrong."""
    key: bytes = b""


def packets(seed: int) -> tuple[Packet, ...]:
    """Keys of both sizes; packets to encrypt, to decrypt, and to refuse; blocks that are full and
    not; the last key comes when a fault of one cycle has passed."""
    rng = Random(seed)
    sizes: tuple[tuple[int, int, int, bool, bool, int], ...] = (
        (16, 5, 37, False, False, 16), (0, 16, 20, True, False, 16), (0, 0, 16, True, True, 16),
        (32, 0, 32, False, False, 16), (0, 3, 9, True, False, 12), (0, 20, 0, True, True, 4),
        (16, 0, 16, False, False, 16),
    )  # fmt: skip
    return tuple(
        Packet(
            key=rng.randbytes(key), iv=rng.randbytes(12), aad=rng.randbytes(aad),
            text=rng.randbytes(text), decrypt=decrypt, wrong=wrong, tag_bytes=tag,
        )
        for key, aad, text, decrypt, wrong, tag in sizes
    )  # fmt: skip


def _words(data: bytes) -> list[int]:
    return [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]


def _beats(data: bytes, text: bool) -> list[int]:
    keeps = [(1 << min(4, len(data) - i)) - 1 for i in range(0, len(data), 4)]
    pairs = zip(_words(data), keeps, strict=True)
    return [word | keep << 32 | text << 36 for word, keep in pairs]


def _streams(sent: Sequence[Packet]) -> list[list[tuple[int, int, int]]]:
    """Words of s_key, s_cmd and s_axis, each with the answers and keys that come before it."""
    streams: list[list[tuple[int, int, int]]] = [[], [], []]
    key, keys = b"", 0
    for number, packet in enumerate(sent):
        if packet.key:
            key = packet.key
            words = _words(key)
            words[-1] |= 1 << 32
            streams[0] += [(word, number, keys) for word in words]
            keys += 1
        text = packet.text
        ciphertext, tag = reference.seal(key, packet.iv, text, packet.aad)
        tag = tag[: packet.tag_bytes]
        if packet.wrong:
            tag = bytes([tag[0] ^ 0x10, *tag[1:]])
        iv = _words(packet.iv)
        iv[-1] |= 1 << 32
        commands = [packet.decrypt << 7 | packet.tag_bytes, *iv]
        if packet.decrypt:
            expected = _words(tag)
            expected[-1] |= 1 << 32
            commands += expected
        streams[1] += [(word, number, keys) for word in commands]
        beats = _beats(packet.aad, False)
        beats += _beats(ciphertext if packet.decrypt else text, True)
        beats = beats or [1 << 36]
        beats[-1] |= 1 << 37
        streams[2] += [(word, number, keys) for word in beats]
    return streams


# ---- the campaign --------------------------------------------------------------------------------


class FaultSimulator:
    """The netlist of a core of 32 bits, on its bench."""

    def __init__(self, core_dir: Path, target: str, *, effort: str = "normal",
                 seed: int = 1) -> None:  # fmt: skip
        self.module, library = _mapped(core_dir, target, effort), library_of(find_target(target))
        self.design = fault_design(self.module, library, clock="aclk")
        self._kernel = tools.load_kernel(Path(__file__).with_name("faults.cpp"))
        self._kernel.gcm_faults_run.restype = ctypes.c_int32
        self._kept: list[object] = []
        self._design = self._pack_design()
        self._seed = ctypes.c_uint64(seed)
        sent = packets(seed)
        self._bench = self._pack_bench(_streams(sent), len(sent))
        self._golden, self._golden_count = self._without_fault(sent)
        self._bench.cycles = 4 * self.cycles
        """As many are played before a packet counts as never answered."""

    def run(self, runs: Sequence[Sequence[Fault]]) -> list[Outcome]:
        """Up to LANES runs, each with its faults."""
        flat = [
            _Fault(net=f.net, lane=lane, kind=f.kind, cycle=f.cycle)
            for lane, faults in enumerate(runs)
            for f in faults
        ]
        seen = (ctypes.c_uint32 * LANES)()
        self._kernel.gcm_faults_run(
            ctypes.byref(self._design), ctypes.byref(self._bench), (_Fault * len(flat))(*flat),
            len(flat), self._golden, self._golden_count, None, 0, self._seed, seen,
        )  # fmt: skip
        return [outcome_of(seen[lane]) for lane in range(len(runs))]

    def _without_fault(self, sent: Sequence[Packet]) -> tuple[object, int]:
        """What leaves without a fault, which is what the model says."""
        room = 10_000
        records, seen = (_Record * room)(), (ctypes.c_uint32 * LANES)()
        count = self._kernel.gcm_faults_run(
            ctypes.byref(self._design), ctypes.byref(self._bench), None, 0, None, 0, records, room,
            self._seed, seen,
        )  # fmt: skip
        _compare(sent, records[:count])
        self.cycles = self._kernel.gcm_faults_run(
            ctypes.byref(self._design), ctypes.byref(self._bench), None, 0, records, count, None, 0,
            self._seed, seen,
        )  # fmt: skip
        self._bench.packets = len(sent) - 1
        self.last_packet = self._kernel.gcm_faults_run(
            ctypes.byref(self._design), ctypes.byref(self._bench), None, 0, records, count, None, 0,
            self._seed, (ctypes.c_uint32 * LANES)(),
        )  # fmt: skip
        """The cycle from which on the last key is loaded, and the last packet played."""
        self._bench.packets = len(sent)
        if any(outcome_of(one) != Outcome(what=HARMLESS, recovered=True) for one in seen):
            raise RuntimeError("the netlist is wrong without a fault")
        return records, count

    def _pack_bench(self, streams: Sequence[Sequence[tuple[int, int, int]]], total: int) -> _Bench:
        arrays = [(_Word * len(words))(*(_Word(*word) for word in words)) for words in streams]
        self._kept += arrays
        counts = (ctypes.c_int32 * 3)(*map(len, streams))
        pointers = (ctypes.POINTER(_Word) * 3)(
            *(ctypes.cast(array, ctypes.POINTER(_Word)) for array in arrays)
        )
        return _Bench(
            count=counts, words=pointers, packets=total, cycles=CYCLES,
            fault_status=Status.FAULT.value,
        )  # fmt: skip

    def _pack_design(self) -> ctypes.Structure:
        design = self.design
        columns: dict[str, Iterable[int]] = {
            "op": (op for op, *_ in design.ops), "a": (a for _, a, _, _ in design.ops),
            "b": (b for _, _, b, _ in design.ops), "out": (out for *_, out in design.ops),
            "flop_q": (q for q, _ in design.flops), "flop_d": (d for _, d in design.flops),
            **{name: self._nets(ports) for name, ports in _PORTS.items()},
        }  # fmt: skip
        arrays = {
            name: (ctypes.c_uint8 if name == "op" else ctypes.c_int32).__mul__(len(values))(*values)
            for name, values in ((name, tuple(column)) for name, column in columns.items())
        }
        self._kept.append(arrays)
        numbers = {
            "nets": design.nets, "ops": len(design.ops), "flops": len(design.flops),
            "zero": design.zero, "one": design.one,
        }  # fmt: skip
        fields: list[tuple[str, type]] = [(name, ctypes.c_int32) for name in numbers]
        fields += [(name, ctypes.c_void_p) for name in arrays]
        structure = type("Design", (ctypes.Structure,), {"_fields_": fields})
        pointers = {name: ctypes.cast(array, ctypes.c_void_p) for name, array in arrays.items()}
        packed: ctypes.Structure = structure(**numbers, **pointers)
        return packed

    def _nets(self, ports: Sequence[str]) -> Iterator[int]:
        for port in ports:
            for bit in self.module.ports[port].bits:
                fixed = {"0": self.design.zero, "1": self.design.one}
                yield fixed[bit] if isinstance(bit, str) else bit


_PORTS: Mapping[str, tuple[str, ...]] = {
    "reset": ("aresetn",),
    "valid_in": ("s_key_tvalid", "s_cmd_tvalid", "s_axis_tvalid"),
    "ready_in": ("s_key_tready", "s_cmd_tready", "s_axis_tready"),
    "key": ("s_key_tdata", "s_key_tlast"),
    "command": ("s_cmd_tdata", "s_cmd_tlast"),
    "data": ("s_axis_tdata", "s_axis_tkeep", "s_axis_tuser", "s_axis_tlast"),
    "text_valid": ("m_axis_tvalid",),
    "text_ready": ("m_axis_tready",),
    "text": ("m_axis_tdata", "m_axis_tkeep", "m_axis_tlast"),
    "tag_valid": ("m_tag_tvalid",),
    "tag_ready": ("m_tag_tready",),
    "tag": ("m_tag_tdata", "m_tag_tkeep", "m_tag_tlast", "m_tag_tuser"),
}


def _mapped(core_dir: Path, target: str, effort: str) -> Module:
    from gcmforge.emit.naming import find_list
    from gcmforge.synth.synthesis import synthesise

    names = find_list(core_dir).read_text(encoding="utf-8").split()
    made = synthesise(
        [core_dir / name for name in names], find_target(target),
        top=CoreConfig.from_toml(core_dir / "core.toml").top,
        effort=effort, goal="balanced",  # type: ignore[arg-type]
    )  # fmt: skip
    return made.netlist.flatten()


def _compare(sent: Sequence[Packet], records: Sequence[_Record]) -> None:
    """RuntimeError unless what left is what the model says."""
    key = b""
    for number, packet in enumerate(sent):
        key = packet.key or key
        ciphertext, tag = reference.seal(key, packet.iv, packet.text, packet.aad)
        text = packet.text if packet.decrypt else ciphertext
        found = b"".join(
            (r.bits & 0xFFFFFFFF).to_bytes(4, "little")[: (r.bits >> 32 & 15).bit_count()]
            for r in records
            if r.packet == number and not r.tag
        )
        status = [r.bits >> 37 & 15 for r in records if r.packet == number and r.tag]
        wanted = Status.AUTH_FAIL if packet.wrong else Status.OK
        if found != text or not status or status[-1] != wanted:
            raise RuntimeError(f"packet {number} of the bench is wrong without a fault")
        if not packet.decrypt:
            given = b"".join(
                (r.bits & 0xFFFFFFFF).to_bytes(4, "little")
                for r in records
                if r.packet == number and r.tag
            )
            if given != tag[: packet.tag_bytes]:
                raise RuntimeError(f"the tag of packet {number} is wrong without a fault")


def batches(
    simulator: FaultSimulator, runs: Sequence[Sequence[Fault]],
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[tuple[Sequence[Fault], Outcome]]:  # fmt: skip
    """Each run with its outcome, LANES at a time."""
    for first in range(0, len(runs), LANES):
        some = runs[first : first + LANES]
        yield from zip(some, simulator.run(some), strict=True)
        progress(first + len(some), len(runs))
