# SPDX-License-Identifier: Apache-2.0
"""Inversion in GF(2^4) and its neighbours: the fewest gates, by rewriting and by SAT.

    gcmforge-study search inversions                           the table, from what is kept
    gcmforge-study search inversions search NAME ... [--seeds 1-2] [--time-limit 60]

First the circuit of the library is rewritten for GE (gcmforge.circuit.rewrite), then SAT
(gcmforge.circuit.exact, extra `search`) is asked for a circuit with a gate less, and so on, until
there is none, which is a proof, or the time is over. Gates are counted as SAT counts them: any
function of two nets or a multiplexer, inversions for nothing. `search all` takes minutes. What was
found is kept in src/gcmforge/study/searches/data/inversions.json: circuit, seed, seconds, and what
SAT said; every kept circuit is checked for all inputs whenever the table is printed.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gcmforge.circuit import (
    Builder,
    Circuit,
    GateBudget,
    Net,
    RewritePlan,
    call,
    circuit_listing,
    cost,
    exact,
    parse_listing,
    rewrite,
)
from gcmforge.field import NORMAL_BASES, TowerField
from gcmforge.leaf.tower_inversion import derived_inversion, lemma_1
from gcmforge.study.searches.sboxes import seed_range

KEPT = Path(__file__).parent / "data" / "inversions.json"
MOVES = 100_000


POLYNOMIAL = TowerField(phi=0b11, nu=0b1010)
NORMAL = TowerField(phi=0b10, nu=0b0001, bases=NORMAL_BASES)
Forms = Callable[[Builder, Sequence[Net]], list[Net]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """Functions of four bits, and a circuit for them to start from."""

    title: str
    spec: Callable[[int], int]
    outputs: int
    start: Forms

    def tables(self) -> list[int]:
        return [sum((self.spec(t) >> i & 1) << t for t in range(16)) for i in range(self.outputs)]

    def circuit(self) -> Circuit:
        b = Builder("exact")
        b.output("y_o", self.start(b, b.input("x_i", 4)))
        return b.build()


def product2(b: Builder, x: Sequence[Net]) -> list[Net]:
    """In GF(2^2), normal basis: bit i is p_i q_i + (p_0 + p_1)(q_0 + q_1)."""
    both = b.and_(b.xor(x[0], x[1]), b.xor(x[2], x[3]))
    return [b.xor(b.and_(x[0], x[2]), both), b.xor(b.and_(x[1], x[3]), both)]


def trace_table(y: int) -> int:
    """A sum of bits of the inverse: trace(1 / y)."""
    inverse, multiply = POLYNOMIAL.inverse4(y), POLYNOMIAL.multiply4
    total, power = 0, inverse
    for _ in range(4):
        total ^= power
        power = multiply(power, power)
    return total & 1


def table_of(spec: Callable[[int], int], outputs: int) -> Forms:
    """Multiplexers, from the values."""

    def build(b: Builder, x: Sequence[Net]) -> list[Net]:
        def select(values: list[int], bit: int) -> Net:
            if bit < 0:
                return b.const(values[0])
            half = len(values) // 2
            return b.mux(x[bit], select(values[half:], bit - 1), select(values[:half], bit - 1))

        return [select([spec(t) >> i & 1 for t in range(16)], 3) for i in range(outputs)]

    return build


SUBJECTS = {
    "product2": Subject(
        title="product in GF(2^2), normal basis", outputs=2, start=product2,
        spec=lambda x: NORMAL.multiply2(x & 3, x >> 2),
    ),
    "sum": Subject(
        title="a sum of bits of the inverse", outputs=1, spec=trace_table,
        start=table_of(trace_table, 1),
    ),
    "low": Subject(
        title="inverse in GF(2^4), Phi = {11}, polynomial basis: low half", outputs=2,
        spec=lambda y: POLYNOMIAL.inverse4(y) & 3,
        start=lambda b, x: lemma_1(b, POLYNOMIAL, x)[:2],
    ),
    "high": Subject(
        title="inverse in GF(2^4), Phi = {11}, polynomial basis: high half", outputs=2,
        spec=lambda y: POLYNOMIAL.inverse4(y) >> 2,
        start=lambda b, x: lemma_1(b, POLYNOMIAL, x)[2:],
    ),
    "lemma_1": Subject(
        title="inverse in GF(2^4), Phi = {11}, polynomial basis", outputs=4,
        spec=POLYNOMIAL.inverse4, start=lambda b, x: lemma_1(b, POLYNOMIAL, x),
    ),
    "derived": Subject(
        title="inverse in GF(2^4), Phi = {10}, normal basis", outputs=4,
        spec=NORMAL.inverse4, start=lambda b, x: derived_inversion(b, NORMAL, x),
    ),
}  # fmt: skip


def gates_of(c: Circuit) -> tuple[int, int]:
    """Gates but for inverters, and the multiplexers among them."""
    counted = cost(c)
    return counted.gates - counted.not_, counted.mux


def check(name: str, circuit: Circuit) -> None:
    subject = SUBJECTS[name]
    if any(call(circuit, x_i=t)["y_o"] != subject.spec(t) for t in range(16)):
        sys.exit(f"{name}: the kept circuit is another function")


def search(name: str, seeds: Sequence[int], time_limit_s: float) -> None:
    """By rewriting, then ever fewer gates by SAT."""
    subject = SUBJECTS[name]
    plan = RewritePlan(seeds=tuple(seeds), rounds=4, moves=MOVES, hot=1.0, cold=0.1)
    found = rewrite(subject.circuit(), plan=plan)
    check(name, found.circuit)
    entry: dict[str, Any] = {
        "ge": found.cost_ge, "seed": found.seed, "seconds": round(found.seconds),
        "circuit": circuit_listing(found.circuit), "sat": [],
    }  # fmt: skip
    fewest = gates_of(found.circuit)[0]
    print(f"{name}: {cost(found.circuit).summary()}; {fewest} gates", flush=True)
    while True:
        budget = GateBudget(gates=fewest - 1, muxes=fewest - 1)
        result = exact(subject.tables(), 4, budget, seed=seeds[0], time_limit_s=time_limit_s)
        entry["sat"].append([budget.gates, result.answer, round(result.seconds, 1)])
        print(f"  {budget.gates} gates: {result.answer}, {result.seconds:.1f} s", flush=True)
        if result.circuit is None:
            break
        check(name, result.circuit)
        fewest = budget.gates
        entry["fewest"] = circuit_listing(result.circuit)
    kept = load()
    kept[name] = entry
    KEPT.write_text(json.dumps(kept, indent=1) + "\n")


def load() -> dict[str, Any]:
    return dict(json.loads(KEPT.read_text())) if KEPT.exists() else {}


def print_table() -> None:
    print("| functions | library | GE | rewritten | seed | s | fewest gates | what SAT says |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, entry in load().items():
        subject = SUBJECTS[name]
        small = parse_listing(entry["circuit"], "exact")
        few = parse_listing(entry.get("fewest", entry["circuit"]), "exact")
        check(name, small)
        check(name, few)
        gates, muxes = gates_of(few)
        last = entry["sat"][-1]
        said = {"impossible": "none has", "unknown": "not known"}[last[1]]
        print(
            f"| {subject.title} | {cost(subject.circuit()).ge:.2f} | {entry['ge']:.2f} "
            f"| {cost(small).path} | {entry['seed']} | {entry['seconds']} "
            f"| {gates}{f', {muxes} of them MUX' if muxes else ''} "
            f"| {last[0]}: {said} ({last[2]:.0f} s) |"
        )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", nargs="?", choices=["search"])
    parser.add_argument("names", nargs="*", metavar="name", help=f"{', '.join(SUBJECTS)}, all")
    parser.add_argument("--seeds", type=seed_range, default=[1, 2])
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds for each question")
    given = parser.parse_args(arguments)
    if given.command is None:
        print_table()
        return
    if unknown := set(given.names) - {*SUBJECTS, "all"}:
        sys.exit(f"{', '.join(sorted(unknown))}: there is {', '.join(SUBJECTS)}, or all")
    for name in SUBJECTS if "all" in given.names else given.names:
        search(name, given.seeds, given.time_limit)
