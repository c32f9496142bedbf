# SPDX-License-Identifier: Apache-2.0
"""Smaller or faster circuits of up to 8 inputs, by annealing over the gates. Needs a C++ compiler.

Every net carries its whole truth table. A random gate is taken, the inputs for which an output can
see it are found, and it is made anew so that nothing changes where it is seen:

- as another net, or as any one gate (NOT, XOR, XNOR, AND, NAND, OR, NOR, MUX) over other nets;
- as a gate over one other net and a new gate, which need be right only where the first lets it
  through;
- with (q + s) + r summed as (q + r) + s;
- as its complement: XORs, XNORs and selects that read it take the inversion over, other readers get
  an inverter.

Gates that nobody reads are dropped. What a circuit costs is its area, plus a penalty for delay over
a bound; both by price lists of the caller, so that polarity follows the target. A move that costs
is taken with the probability exp(-cost/T), T falling from `hot` to `cold` in each round.

The result is decided by seed and Plan alone; the time limit and Ctrl-C only stop early. It is
checked against the given circuit for every input.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from gcmforge import tools
from gcmforge.circuit.cost import DELAY, GE, T_A
from gcmforge.circuit.ir import ARITY, Bus, Circuit, Gate, Net, Op, check
from gcmforge.circuit.minimise.kernel import StopFlag
from gcmforge.circuit.patterns import all_patterns
from gcmforge.circuit.simulate import net_values

MOST_INPUTS = 8
_OPS = (Op.XOR, Op.XNOR, Op.AND, Op.NAND, Op.OR, Op.NOR, Op.NOT, Op.MUX)
_SPARE_GATES = 64

Progress = Callable[[int, int, float], None]
"""Called with (seed, rounds done, cost of the seed's best circuit in GE)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Prices:
    """Area of each gate in GE; delay of each gate, and what each pin of a reader of that kind and
    each output add to the delay of a net, in T_A (or any other unit); the part of it that counts
    for inputs; the delay to keep, and what each unit that an output is later costs in GE."""

    area_ge: Mapping[Op, float]
    delay: Mapping[Op, float]
    load: Mapping[Op, float] = field(default_factory=dict)
    output_load: float = 0.0
    input_part: float = 1.0
    max_delay: float | None = None
    penalty_ge: float = 4.0


GE_PRICES = Prices(area_ge=GE, delay={op: delay / T_A for op, delay in DELAY.items()})
"""The built-in `ge` target, without a bound."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RewritePlan:
    """The budget in moves; hot and cold in GE."""

    seeds: tuple[int, ...] = (1, 2)
    rounds: int = 4
    moves: int = 200_000
    hot: float = 0.5
    cold: float = 0.05

    def __post_init__(self) -> None:
        if not self.seeds or self.rounds < 1 or self.moves < 1:
            raise ValueError("a plan needs at least one seed, one round and one move")
        if not 0 < self.cold <= self.hot:
            raise ValueError(f"hot={self.hot}, cold={self.cold}: need 0 < cold <= hot")


@dataclass(frozen=True, kw_only=True, slots=True)
class RewriteResult:
    """The best circuit, its cost (area and penalty) in GE, the seed that found it, all seeds'
    costs, wall time, and whether the whole plan was run."""

    circuit: Circuit
    cost_ge: float
    seed: int
    by_seed: tuple[tuple[int, float], ...]
    seconds: float
    complete: bool


def rewrite(
    c: Circuit,
    *,
    target: Prices = GE_PRICES,
    plan: RewritePlan | None = None,
    time_limit_s: float | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> RewriteResult:
    """The same function at less cost. Labels stay with the nets that have their old value."""
    if c.input_width > MOST_INPUTS:
        raise ValueError(f"{c.name} has {c.input_width} inputs; rewrite takes up to {MOST_INPUTS}")
    plan = plan or RewritePlan()
    begun = time.monotonic()
    stop = StopFlag()
    timer = threading.Timer(time_limit_s, stop.set) if time_limit_s is not None else None
    if timer is not None:
        timer.start()
    chains = [_Chain(c, target, plan, seed, stop, progress) for seed in plan.seeds]
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        futures = [pool.submit(chain.run) for chain in chains]
        try:
            for future in futures:
                future.result()
        except KeyboardInterrupt:
            stop.set()
        finally:
            if timer is not None:
                timer.cancel()
    best = min(chains, key=lambda chain: chain.cost)
    return RewriteResult(
        circuit=_circuit(c, best.best), cost_ge=best.cost / 100, seed=best.seed,
        by_seed=tuple((chain.seed, chain.cost / 100) for chain in chains),
        seconds=time.monotonic() - begun, complete=all(chain.done for chain in chains),
    )  # fmt: skip


# Kernel -------------------------------------------------------------------------------------------


class _Listing(ctypes.Structure):
    _fields_ = (
        ("gates", ctypes.c_int32),
        ("rows", ctypes.POINTER(ctypes.c_int32)),
        ("outputs", ctypes.POINTER(ctypes.c_int32)),
    )


class _Prices(ctypes.Structure):
    _fields_ = (
        ("area", ctypes.c_int32 * len(_OPS)),
        ("delay", ctypes.c_int32 * len(_OPS)),
        ("load", ctypes.c_int32 * len(_OPS)),
        *((name, ctypes.c_int32) for name in ("output_load", "input_load", "bound", "penalty")),
    )


class _Round(ctypes.Structure):
    _fields_ = (
        ("inputs", ctypes.c_int32),
        ("outputs", ctypes.c_int32),
        ("hot", ctypes.c_double),
        ("cold", ctypes.c_double),
        ("moves", ctypes.c_int64),
        ("seed", ctypes.c_uint64),
        ("prices", ctypes.POINTER(_Prices)),
        ("stop", ctypes.POINTER(ctypes.c_int32)),
    )


_SOURCE = Path(__file__).with_name("rewrite.cpp")


@dataclass(frozen=True, slots=True)
class _Netlist:
    """Gates numbered as in Circuit, and the nets of the output bits."""

    gates: tuple[Gate, ...]
    outputs: tuple[Net, ...]


def _price_list(target: Prices) -> _Prices:
    """Areas and delays in hundredths; the penalty in hundredths of a GE for a hundredth."""
    bound = 1 << 30 if target.max_delay is None else round(target.max_delay * 100)
    return _Prices(
        (ctypes.c_int32 * len(_OPS))(*(round(target.area_ge[op] * 100) for op in _OPS)),
        (ctypes.c_int32 * len(_OPS))(*(round(target.delay[op] * 100) for op in _OPS)),
        (ctypes.c_int32 * len(_OPS))(*(round(target.load.get(op, 0) * 100) for op in _OPS)),
        round(target.output_load * 100), round(target.input_part * 100), bound,
        max(1, round(target.penalty_ge)),
    )  # fmt: skip


class _Chain:
    """The rounds of one seed."""

    def __init__(
        self, c: Circuit, target: Prices, plan: RewritePlan, seed: int, stop: StopFlag,
        progress: Progress | None,
    ) -> None:  # fmt: skip
        self.seed, self.plan, self.stop, self.progress = seed, plan, stop, progress
        self.inputs = c.input_width
        self.prices = _price_list(target)
        self.room = len(c.gates) + _SPARE_GATES
        self.current = self.best = _Netlist(c.gates, c.output_nets)
        self.cost = 1 << 40
        self.done = False

    def run(self) -> None:
        for number in range(self.plan.rounds):
            if self.stop.is_set():
                return
            self._round(number)
        self.done = not self.stop.is_set()

    def _round(self, number: int) -> None:
        name = hashlib.sha256(f"{self.seed} {number}".encode()).digest()
        call = _Round(
            inputs=self.inputs, outputs=len(self.best.outputs), hot=self.plan.hot * 100,
            cold=self.plan.cold * 100, moves=self.plan.moves,
            seed=int.from_bytes(name[:8], "little"), prices=ctypes.pointer(self.prices),
            stop=ctypes.pointer(self.stop.value),
        )  # fmt: skip
        given, current, best = (_pack(self.current, self.room) for _ in range(3))
        cost = ctypes.c_int64()
        answer = tools.load_kernel(_SOURCE).gcm_rewrite_round(
            ctypes.byref(call), ctypes.byref(given), ctypes.byref(current), ctypes.byref(best),
            self.room, ctypes.byref(cost),
        )  # fmt: skip
        if answer == 1:
            raise RuntimeError("a rewritten gate changed an output")
        self.current = _unpack(current, len(self.best.outputs))
        if cost.value < self.cost:
            self.best, self.cost = _unpack(best, len(self.best.outputs)), cost.value
        if self.progress is not None:
            self.progress(self.seed, number + 1, self.cost / 100)


def _pack(netlist: _Netlist, room: int) -> _Listing:
    rows = (ctypes.c_int32 * (4 * room))()
    for k, (op, args) in enumerate(netlist.gates):
        rows[4 * k : 4 * k + 4] = [_OPS.index(op), *args, *(0,) * (3 - len(args))]
    outputs = (ctypes.c_int32 * len(netlist.outputs))(*netlist.outputs)
    return _Listing(len(netlist.gates), rows, outputs)


def _unpack(made: _Listing, outputs: int) -> _Netlist:
    gates = []
    for k in range(made.gates):
        op = _OPS[made.rows[4 * k]]
        gates.append(Gate(op, tuple(made.rows[4 * k + 1 : 4 * k + 1 + ARITY[op]])))
    return _Netlist(tuple(gates), tuple(made.outputs[:outputs]))


# Back to a circuit --------------------------------------------------------------------------------


def _tables(c: Circuit) -> list[int]:
    """The truth table of every net."""
    patterns = all_patterns(c)
    return net_values(c, patterns.sliced(), (1 << patterns.count) - 1)


def _circuit(old: Circuit, netlist: _Netlist) -> Circuit:
    """The netlist as a circuit with old's ports; sections and labels by value.

    Not through a Builder: that would fold a MUX between a net and its complement, which may be
    cheaper, back into an XOR.
    """
    outputs = iter(netlist.outputs)
    made = Circuit(
        name=old.name, inputs=old.inputs,
        outputs=tuple(Bus(bus.name, tuple(next(outputs) for _ in bus.nets)) for bus in old.outputs),
        gates=netlist.gates, section_of=(0,) * len(netlist.gates),
    )  # fmt: skip
    check(made)
    before, tables = _tables(old), _tables(made)
    if [tables[net] for net in made.output_nets] != [before[net] for net in old.output_nets]:
        raise RuntimeError(f"{old.name}: rewriting changed the function")
    by_value = {tables[net]: net for net in range(made.first_gate, made.net_count)}
    labels = []
    for label in old.labels:
        pairs = ((i, by_value.pop(before[net], None)) for i, net in label.bits)
        bits = tuple((i, net) for i, net in pairs if net is not None)
        if bits:
            labels.append(label._replace(bits=bits))
    sections, section_of = _sections(old, before, made, tables)
    return replace(made, labels=tuple(labels), sections=sections, section_of=section_of)


def _sections(
    old: Circuit, before: list[int], made: Circuit, tables: list[int]
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Sections, and for each gate that of the old net of its value or the complement, else that of
    its latest argument."""
    ones = (1 << (1 << old.input_width)) - 1
    known: dict[int, int] = {}
    for net, section in enumerate(old.section_of, old.first_gate):
        for value in (before[net], ones ^ before[net]):
            known.setdefault(value, section)
    chosen = [0] * made.first_gate
    for net, gate in enumerate(made.gates, made.first_gate):
        chosen.append(known.get(tables[net], max(chosen[arg] for arg in gate.args)))
    used = sorted({0, *chosen[made.first_gate :]})
    return (
        tuple(old.sections[section] for section in used),
        tuple(used.index(section) for section in chosen[made.first_gate :]),
    )
