# SPDX-License-Identifier: Apache-2.0
"""Proofs that a circuit computes its specification, or the same as another circuit.

A specification takes the input buses as ints in port order and returns the output bus as an int (a
tuple of ints when there are several). Each proof is complete for circuits: the exhaustive one as it
stands, the others because the circuit's structure is shown to be affine, bilinear or a sum of
functions of one byte first. They take a specification to be of the kind that it claims, and compare
random further points to catch one that is not.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from gcmforge.circuit.ir import Circuit
from gcmforge.circuit.patterns import (
    MAX_EXHAUSTIVE_INPUTS,
    Patterns,
    all_patterns,
    byte_patterns,
    chosen_patterns,
    not_affine,
    not_bilinear,
    not_bytewise,
    outputs,
    unit_pair_block,
    unit_pairs,
    unit_patterns,
)
from gcmforge.circuit.simulate import evaluate, slice_ints

Spec = Callable[..., "int | tuple[int, ...]"]
RANDOM_POINTS = 64
SEED = 1


def python_version() -> dict[str, str]:
    """The tool of a proof that needs no other."""
    return {"python": sys.version.split()[0]}


@dataclass(frozen=True, kw_only=True, slots=True)
class Proof:
    """What was shown about `circuit`: `cases` patterns compared; detail names a counterexample."""

    kind: str
    circuit: str
    passed: bool
    cases: int
    seconds: float
    detail: str
    tools: dict[str, str] = field(default_factory=python_version)

    def line(self) -> str:
        """One line for a log, without the time, which changes from run to run."""
        verdict = "proven" if self.passed else "FAILED"
        versions = ", ".join(f"{tool} {version}" for tool, version in self.tools.items())
        what = f"{self.circuit}: {verdict}, {self.kind}, {self.cases} cases"
        return f"{what}: {self.detail} ({versions})"


def prove_exhaustive(c: Circuit, spec: Spec) -> Proof:
    """Every input pattern, up to 16 input bits."""
    start = time.perf_counter()
    patterns = all_patterns(c)
    wrong = _first_mismatch(c, spec, patterns)
    return _proof(
        "exhaustive", c, patterns.count, start, wrong or "all input patterns agree", wrong
    )


def prove_linear(c: Circuit, spec: Spec) -> Proof:
    """An affine map: the structure is affine, and zero and every unit vector agree."""
    start = time.perf_counter()
    wrong = not_affine(c)
    patterns = unit_patterns(c)
    wrong = wrong or _first_mismatch(c, spec, patterns) or _random_mismatch(c, spec)
    detail = wrong or (
        f"affine by its gates; zero and {patterns.count - 1} unit vectors agree, "
        f"and {RANDOM_POINTS} random points"
    )
    return _proof("linear", c, patterns.count + RANDOM_POINTS, start, detail, wrong)


def prove_bytewise(c: Circuit, spec: Spec) -> Proof:
    """A sum of functions of one byte each: the structure is one, and every value of each byte,
    with the others 0, agrees."""
    start = time.perf_counter()
    wrong = not_bytewise(c)
    patterns = byte_patterns(c) if not wrong else None
    count = patterns.count if patterns else 0
    if patterns:
        wrong = _first_mismatch(c, spec, patterns) or _random_mismatch(c, spec)
    detail = wrong or (
        f"a sum of functions of one byte by its gates; {count} values of single bytes agree, "
        f"and {RANDOM_POINTS} random points"
    )
    return _proof("bytewise", c, count + RANDOM_POINTS, start, detail, wrong)


def prove_bilinear(c: Circuit, spec: Spec) -> Proof:
    """A bilinear map of two buses: the structure is bilinear, and every basis pair agrees."""
    start = time.perf_counter()
    wrong = not_bilinear(c)
    count = 0
    if not wrong:
        for patterns in unit_pairs(c):
            count += patterns.count
            wrong = wrong or _first_mismatch(c, spec, patterns)
        wrong = wrong or _random_mismatch(c, spec)
    detail = wrong or (
        f"bilinear by its gates; {count} pairs of unit vectors agree, "
        f"and {RANDOM_POINTS} random points"
    )
    return _proof("bilinear", c, count + RANDOM_POINTS, start, detail, wrong)


def prove_dot(c: Circuit, spec: Spec) -> Proof:
    """A sum of products, lane by lane: two buses of lanes as wide as the output.

    The structure is bilinear, every basis pair of one lane agrees, and every pair of two lanes
    gives 0. Of the specification, that it adds the lanes' products is taken, like bilinearity.
    """
    start = time.perf_counter()
    width, lanes = c.output_width, c.inputs[0].width // c.output_width
    wrong = not_bilinear(c)
    if not wrong and {bus.width for bus in c.inputs} != {width * lanes}:
        wrong = f"the buses are not of one width, a multiple of the output's {width} bits"
    for lane in range(lanes) if not wrong else ():
        wrong = wrong or _lane_mismatch(c, spec, lane, lanes)
    wrong = wrong or _random_mismatch(c, spec)
    detail = wrong or (
        f"bilinear by its gates; {lanes * width**2} pairs of unit vectors of one lane agree, "
        f"{lanes * (lanes - 1) * width**2} of two lanes give 0, "
        f"and {RANDOM_POINTS} random points agree"
    )
    return _proof("dot", c, (lanes * width) ** 2 + RANDOM_POINTS, start, detail, wrong)


def _lane_mismatch(c: Circuit, spec: Spec, lane: int, lanes: int) -> str:
    """The first basis pair with the first bus's vector in this lane that is wrong, as text."""
    width = c.output_width
    rows = range(lane * width, (lane + 1) * width)
    product = slice_ints(
        [spec(1 << i, 1 << j) for i in rows for j in rows],  # type: ignore[misc]
        width,
    )
    for other in range(lanes):
        columns = range(other * width, (other + 1) * width)
        patterns = unit_pair_block(c, rows, columns)
        (words,) = evaluate(c, patterns.sliced(), patterns.count).values()
        wanted = product if other == lane else [0] * width
        if words != wanted:
            return _wrong_pair(c, patterns, words, wanted)
    return ""


def _wrong_pair(c: Circuit, patterns: Patterns, words: Sequence[int], wanted: Sequence[int]) -> str:
    """The first pattern on which the one output bus has other words than wanted, as text."""
    different = 0
    for p, q in zip(words, wanted, strict=True):
        different |= p ^ q
    k = (different & -different).bit_length() - 1
    got, want = (sum((w >> k & 1) << i for i, w in enumerate(bus)) for bus in (words, wanted))
    return describe_mismatch(c, patterns.pattern(k).ints()[0], (got,), (want,))


def prove(c: Circuit, spec: Spec, kind: str) -> Proof:
    """The proof of the given kind: exhaustive, linear, bytewise, bilinear or dot."""
    kinds = {
        "exhaustive": prove_exhaustive, "linear": prove_linear, "bytewise": prove_bytewise,
        "bilinear": prove_bilinear, "dot": prove_dot,
    }  # fmt: skip
    if kind not in kinds:
        raise ValueError(f"kind={kind!r}: a proof is one of {', '.join(kinds)}")
    return kinds[kind](c, spec)


def _proof(kind: str, c: Circuit, cases: int, start: float, detail: str, wrong: str) -> Proof:
    return Proof(
        kind=kind,
        circuit=c.name,
        passed=not wrong,
        cases=cases,
        seconds=time.perf_counter() - start,
        detail=detail,
    )


def _first_mismatch(c: Circuit, spec: Spec, patterns: Patterns) -> str:
    """The first pattern on which circuit and specification differ, as text; empty when none."""
    for given, got in zip(patterns.ints(), outputs(c, patterns), strict=True):
        expected = spec(*given)
        wanted = expected if isinstance(expected, tuple) else (expected,)
        if got != wanted:
            return describe_mismatch(c, given, got, wanted)
    return ""


def _random_mismatch(c: Circuit, spec: Spec) -> str:
    wrong = _first_mismatch(c, spec, _random_patterns(c, RANDOM_POINTS))
    return f"the specification is not of this kind, or: {wrong}" if wrong else ""


def _random_patterns(c: Circuit, count: int) -> Patterns:
    rng = random.Random(SEED)
    return chosen_patterns(c, [rng.getrandbits(c.input_width) for _ in range(count)])


def describe_mismatch(
    c: Circuit, given: tuple[int, ...], got: tuple[int, ...], wanted: tuple[int, ...]
) -> str:
    """A counterexample: inputs, what the circuit gives, what is wanted."""
    at = ", ".join(f"{bus.name}=0x{v:x}" for bus, v in zip(c.inputs, given, strict=True))
    is_ = ", ".join(f"{bus.name}=0x{v:x}" for bus, v in zip(c.outputs, got, strict=True))
    want = ", ".join(f"0x{v:x}" for v in wanted)
    return f"at {at}: got {is_}, expected {want}"


def prove_equal(c: Circuit, d: Circuit, *, time_limit_s: float = 60) -> Proof:
    """That d computes the same as c (the reference) on the same ports, by whatever decides it.

    In this order: the same and-inverter graph; a random counterexample; all patterns, unit
    vectors or unit pairs where the structure allows; last ABC's equivalence checker.
    """
    from gcmforge.circuit.equivalence import same_graph, sweep

    start = time.perf_counter()
    if ports_differ := _ports_differ(c, d):
        return _proof("equal", c, 0, start, ports_differ, ports_differ)
    if same_graph(c, d):
        return _proof("equal", c, c.output_width, start, "the same and-inverter graph", "")
    sample = _random_patterns(c, 4096)
    if wrong := compare(c, d, sample):
        return _proof("equal", c, sample.count, start, wrong, wrong)
    if (decisive := _decisive(c, d)) is not None:
        how, blocks = decisive
        count = 0
        for patterns in blocks:
            count += patterns.count
            wrong = wrong or compare(c, d, patterns)
        return _proof("equal", c, count, start, wrong or how, wrong)
    wrong, versions = sweep(c, d, time_limit_s)
    return Proof(
        kind="equal",
        circuit=c.name,
        passed=not wrong,
        cases=c.output_width,
        seconds=time.perf_counter() - start,
        detail=wrong or "ABC &cec finds every output equal",
        tools=python_version() | versions,
    )


def _ports_differ(c: Circuit, d: Circuit) -> str:
    ports = [
        [(bus.name, bus.width) for bus in buses]
        for buses in (c.inputs, d.inputs, c.outputs, d.outputs)
    ]
    if ports[0] != ports[1] or ports[2] != ports[3]:
        return f"ports differ: {ports[0]} -> {ports[2]} against {ports[1]} -> {ports[3]}"
    return ""


def _decisive(c: Circuit, d: Circuit) -> tuple[str, Iterable[Patterns]] | None:
    """Patterns that decide whether c and d are equal, and in which words; None when none do."""
    if c.input_width <= MAX_EXHAUSTIVE_INPUTS:
        return "equal on all input patterns", [all_patterns(c)]
    if not not_affine(c) and not not_affine(d):
        return "both affine by their gates, equal on zero and unit vectors", [unit_patterns(c)]
    if not not_bilinear(c) and not not_bilinear(d):
        return "both bilinear by their gates, equal on all pairs of unit vectors", unit_pairs(c)
    return None


def compare(c: Circuit, d: Circuit, patterns: Patterns) -> str:
    """The first pattern on which c and d differ, as text; empty when none."""
    words_c = evaluate(c, patterns.sliced(), patterns.count)
    words_d = evaluate(d, patterns.sliced(), patterns.count)
    different = 0
    for bus in c.outputs:
        for p, q in zip(words_c[bus.name], words_d[bus.name], strict=True):
            different |= p ^ q
    if not different:
        return ""
    k = (different & -different).bit_length() - 1
    one = patterns.pattern(k)
    return describe_mismatch(c, one.ints()[0], outputs(d, one)[0], outputs(c, one)[0])
