# SPDX-License-Identifier: Apache-2.0
"""search.cpp called through ctypes: compiled into the cache by whatever C++ compiler there is.

Calls release the interpreter's lock, so that threads run on all processors.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gcmforge import tools

_SOURCE = Path(__file__).with_name("search.cpp")

Steps = Sequence[tuple[int, int]]


class _Listing(ctypes.Structure):
    _fields_ = (
        ("gates", ctypes.c_int32),
        ("pairs", ctypes.POINTER(ctypes.c_int32)),
        ("outputs", ctypes.POINTER(ctypes.c_int32)),
    )


class _Round(ctypes.Structure):
    _fields_ = (
        *(
            (name, ctypes.c_int32)
            for name in ("inputs", "outputs", "bound", "known", "slack", "goal", "scan")
        ),
        ("hot", ctypes.c_double),
        ("cold", ctypes.c_double),
        ("moves", ctypes.c_int64),
        ("seed", ctypes.c_uint64),
        ("arrivals", ctypes.POINTER(ctypes.c_int32)),
        ("stop", ctypes.POINTER(ctypes.c_int32)),
    )


@dataclass(frozen=True, slots=True)
class Listing:
    """Gates as pairs of nodes (inputs first), outputs as nodes."""

    steps: tuple[tuple[int, int], ...]
    outputs: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundSettings:
    """What decides a round of annealing, with the program that it starts from."""

    arrivals: tuple[int, ...]
    bound: int
    known: int
    slack: int
    goal: int
    scan: int
    hot: float
    cold: float
    moves: int
    seed: int


class StopFlag:
    """Set from any thread, it ends the rounds that were given it."""

    def __init__(self) -> None:
        self.value = ctypes.c_int32(0)

    def set(self) -> None:
        self.value.value = 1

    def is_set(self) -> bool:
        return self.value.value != 0


def anneal_round(
    start: Listing, settings: RoundSettings, stop: StopFlag
) -> tuple[Listing, Listing, bool]:
    """(program at the end, best program met, whether the round came to its end)."""
    room = max(len(start.steps), settings.known + settings.slack) + 1
    given, current, best = (_listing(start, room) for _ in range(3))
    call = _Round(
        inputs=len(settings.arrivals), outputs=len(start.outputs), bound=settings.bound,
        known=settings.known, slack=settings.slack, goal=settings.goal, scan=settings.scan,
        hot=settings.hot, cold=settings.cold, moves=settings.moves, seed=settings.seed,
        arrivals=(ctypes.c_int32 * len(settings.arrivals))(*settings.arrivals),
        stop=ctypes.pointer(stop.value),
    )  # fmt: skip
    answer = tools.load_kernel(_SOURCE).gcm_xor_round(
        ctypes.byref(call), ctypes.byref(given), ctypes.byref(current), ctypes.byref(best)
    )
    if answer == 1:
        raise ValueError(
            f"the program to start from is deeper than max_depth={settings.bound}, or one of its "
            "gates is always 0"
        )
    return _read(current, len(start.outputs)), _read(best, len(start.outputs)), answer == 0


def boyar_peralta_steps(
    rows: Sequence[int], arrivals: Sequence[int], bound: int, seed: int
) -> Listing | None:
    """The greedy of Boyar and Peralta; None when it loses its way under the depth bound."""
    room = sum(row.bit_count() for row in rows) + 1
    found = _listing(Listing((), (0,) * len(rows)), room)
    answer = tools.load_kernel(_SOURCE).gcm_xor_boyar_peralta(
        len(arrivals),
        len(rows),
        (ctypes.c_int32 * len(arrivals))(*arrivals),
        (ctypes.c_uint64 * len(rows))(*rows),
        bound,
        ctypes.c_uint64(seed),
        room,
        ctypes.byref(found),
    )
    return None if answer else _read(found, len(rows))


def _listing(start: Listing, room: int) -> _Listing:
    pairs = (ctypes.c_int32 * (2 * room))(*(n for step in start.steps for n in step))
    outputs = (ctypes.c_int32 * max(1, len(start.outputs)))(*start.outputs)
    return _Listing(len(start.steps), pairs, outputs)


def _read(made: _Listing, outputs: int) -> Listing:
    flat = made.pairs[: 2 * made.gates]
    return Listing(tuple(zip(flat[::2], flat[1::2], strict=True)), tuple(made.outputs[:outputs]))
