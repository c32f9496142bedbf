# SPDX-License-Identifier: Apache-2.0
"""Input patterns that decide a circuit completely, and the structure that makes them enough.

Up to 16 input bits: all patterns. An affine circuit: zero and each unit vector. A bilinear circuit
of two buses: each pair of unit vectors. That a circuit is affine or bilinear is read off its gates
before anything is evaluated, so that the patterns prove, and do not merely sample.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gcmforge.circuit.ir import Bus, Circuit, Net, Op
from gcmforge.circuit.simulate import evaluate, slice_ints, unslice_ints

MAX_EXHAUSTIVE_INPUTS = 16
_BLOCK = 128


@dataclass(frozen=True, kw_only=True, slots=True)
class Patterns:
    """`count` input patterns of a circuit, bit-sliced: words[i] belongs to input bit i (all input
    buses in port order), bit k of it to pattern k."""

    buses: tuple[Bus, ...]
    words: tuple[int, ...]
    count: int

    def sliced(self) -> dict[str, list[int]]:
        """The words by bus, as `evaluate` takes them."""
        out, start = {}, 0
        for bus in self.buses:
            out[bus.name] = list(self.words[start : start + bus.width])
            start += bus.width
        return out

    def pattern(self, k: int) -> Patterns:
        """Pattern k alone."""
        return Patterns(buses=self.buses, words=tuple(w >> k & 1 for w in self.words), count=1)

    def ints(self) -> list[tuple[int, ...]]:
        """Each pattern as one int a bus, in port order."""
        columns = [unslice_ints(words, self.count) for words in self.sliced().values()]
        return list(zip(*columns, strict=True))


def all_patterns(c: Circuit) -> Patterns:
    """Pattern k is the number k, the first bus in the low bits."""
    width = c.input_width
    if width > MAX_EXHAUSTIVE_INPUTS:
        raise ValueError(f"{c.name}: {width} input bits; at most {MAX_EXHAUSTIVE_INPUTS} are tried")
    ones = (1 << (1 << width)) - 1
    words = tuple(ones // ((1 << (1 << i)) + 1) << (1 << i) for i in range(width))
    return Patterns(buses=c.inputs, words=words, count=1 << width)


def unit_patterns(c: Circuit) -> Patterns:
    """Pattern 0 is all zero, pattern i + 1 has input bit i alone."""
    words = tuple(2 << i for i in range(c.input_width))
    return Patterns(buses=c.inputs, words=words, count=c.input_width + 1)


def unit_pairs(c: Circuit) -> Iterator[Patterns]:
    """Every pair of unit vectors of the two buses, in blocks of 128 of each."""
    first, second = c.inputs
    for i in range(0, first.width, _BLOCK):
        for j in range(0, second.width, _BLOCK):
            yield unit_pair_block(
                c,
                range(i, min(i + _BLOCK, first.width)),
                range(j, min(j + _BLOCK, second.width)),
            )


def unit_pair_block(c: Circuit, rows: range, columns: range) -> Patterns:
    """Pattern i * m + j has bit rows[i] of the first bus and bit columns[j] of the second alone,
    of m columns."""
    first, second = c.inputs
    n, m = len(rows), len(columns)
    row = (1 << m) - 1
    every_row = sum(1 << i * m for i in range(n))
    words = [0] * (first.width + second.width)
    for i, bit in enumerate(rows):
        words[bit] = row << i * m
    for j, bit in enumerate(columns):
        words[first.width + bit] = every_row << j
    return Patterns(buses=c.inputs, words=tuple(words), count=n * m)


def chosen_patterns(c: Circuit, values: Sequence[int]) -> Patterns:
    """The given patterns, each an int over all input bits, the first bus in the low bits."""
    words = tuple(slice_ints(values, c.input_width))
    return Patterns(buses=c.inputs, words=words, count=len(values))


def outputs(c: Circuit, patterns: Patterns) -> list[tuple[int, ...]]:
    """For each pattern the output buses as ints, in port order."""
    out = evaluate(c, patterns.sliced(), patterns.count)
    columns = [unslice_ints(words, patterns.count) for words in out.values()]
    return list(zip(*columns, strict=True))


def live_nets(c: Circuit) -> set[Net]:
    """The gate nets that reach an output."""
    live: set[Net] = set()
    todo = list(c.output_nets)
    while todo:
        net = todo.pop()
        if net >= c.first_gate and net not in live:
            live.add(net)
            todo += c.gates[net - c.first_gate].args
    return live


def not_affine(c: Circuit) -> str:
    """Why c is not affine by its structure; empty when it is."""
    for net in sorted(live_nets(c)):
        op = c.gates[net - c.first_gate].op
        if op not in (Op.XOR, Op.XNOR, Op.NOT):
            return f"net {net} is a {op} gate; a linear map has only XOR, XNOR and NOT"
    return ""


def not_bytewise(c: Circuit) -> str:
    """Why c is not by its structure a sum of functions of one byte of its input bus each; empty
    when it is. Only XOR, XNOR and NOT may take nets of more than one byte, or sums of such."""
    if len(c.inputs) != 1 or c.input_width % 8:
        return "a sum of functions of bytes has one input bus of whole bytes"
    sources: list[set[int]] = [set(), set(), *({i // 8} for i in range(c.input_width))]
    live = live_nets(c)
    for net, (op, args) in enumerate(c.gates, c.first_gate):
        sources.append(set().union(*(sources[arg] for arg in args)))
        many = len(sources[-1]) > 1
        if many and net in live and op not in (Op.XOR, Op.XNOR, Op.NOT):
            return f"net {net} is a {op} gate of more than one byte; such are only added"
    return ""


def byte_patterns(c: Circuit) -> Patterns:
    """Every value of each byte of the one input bus, the others 0."""
    values = (v << i for i in range(0, c.input_width, 8) for v in range(256))
    return chosen_patterns(c, list(values))


def not_bilinear(c: Circuit) -> str:
    """Why c is not bilinear in its two input buses by its structure; empty when it is.

    Every net is of type a (linear in the first bus), b (linear in the second) or ab (bilinear), or
    the complement of one; AND takes one a and one b, XOR two of a type; 0 is of every type. Every
    output is ab and no complement.
    """
    if len(c.inputs) != 2:
        return f"a bilinear map has two input buses, not {len(c.inputs)}"
    kind = ["any", "any"] + ["a"] * c.inputs[0].width + ["b"] * c.inputs[1].width
    complement = [0, 1] + [0] * c.input_width
    live = live_nets(c)
    for net, (op, args) in enumerate(c.gates, c.first_gate):
        types = {kind[arg] for arg in args} - {"any"}
        odd = sum(complement[arg] for arg in args) & 1
        if op in (Op.AND, Op.NAND):
            plain = types == {"a", "b"} and not any(complement[arg] for arg in args)
            kind.append("ab" if plain else "none")
            complement.append(int(op is Op.NAND))
        elif op in (Op.XOR, Op.XNOR, Op.NOT):
            kind.append(min(types, default="any") if len(types) <= 1 else "none")
            complement.append(odd ^ (op is not Op.XOR))
        else:
            kind.append("none")
            complement.append(0)
        if kind[net] == "none" and net in live:
            of = ", ".join(("not " if complement[arg] else "") + kind[arg] for arg in args)
            return f"net {net} is a {op} gate over nets of type {of}; that is not bilinear"
    if any(kind[net] not in ("ab", "any") or complement[net] for net in c.output_nets):
        return "an output is linear in one bus only, or constant, or a complement"
    return ""
