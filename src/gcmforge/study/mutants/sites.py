# SPDX-License-Identifier: Apache-2.0
"""Mutants of SystemVerilog: where a module may be changed by one operator, and into what.

All mutants of a file stand in one text, in which a number chooses one of them: an expression e that
has the mutant m becomes `(gcm_mutant::chosen == 17 ? m : e)`. What decides widths and what is
decided when a design is elaborated stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pyslang import SourceManager
from pyslang.ast import (
    Compilation,
    GenerateBlockArraySymbol,
    GenerateBlockSymbol,
    InstanceSymbol,
    Symbol,
)
from pyslang.syntax import SyntaxNode, SyntaxTree

PACKAGE = "gcm_mutant"
CHOSEN = f"{PACKAGE}::chosen"

_SWAPPED = {
    "LogicalAndExpression": ("||",),
    "LogicalOrExpression": ("&&",),
    "BinaryAndExpression": ("|",),
    "BinaryOrExpression": ("&",),
    "BinaryXorExpression": ("|",),
    "EqualityExpression": ("!=",),
    "InequalityExpression": ("==",),
    "LessThanExpression": ("<=", ">="),
    "LessThanEqualExpression": ("<", ">"),
    "GreaterThanExpression": (">=", "<="),
    "GreaterThanEqualExpression": (">", "<"),
    "AddExpression": ("-",),
    "SubtractExpression": ("+",),
}
"""Kind of an expression of two operands -> what stands for its operator."""

_DROPPED = {"LogicalAndExpression": "1'b1", "LogicalOrExpression": "1'b0"}
"""Where each operand is left out, too, and what stands for it."""

_AS_IT_IS = {
    "SimpleRangeSelect", "AscendingRangeSelect", "DescendingRangeSelect", "BitSelect",
    "ForLoopStatement", "LoopGenerate", "IfGenerate", "ParameterDeclarationStatement",
    "DataDeclaration", "EventControlWithExpression", "ImmediateAssertStatement", "ElabSystemTask",
    "ParameterValueAssignment", "SystemName", "NetDeclaration", "Declarator",
}  # fmt: skip
_OFF = re.compile(r"// synthesis translate_off.*?// synthesis translate_on", re.S)
_LITERAL = re.compile(r"(\d+)'([bdh])([0-9a-fA-F]+)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Mutant:
    """One change: the file's line, what stood there, and what stands there instead."""

    file: str
    line: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.old} -> {self.new}"


@dataclass(slots=True)
class _Writer:
    file: str
    text: str
    first: int
    off: list[tuple[int, int]]
    mutants: list[Mutant]

    def source(self, node: SyntaxNode) -> str:
        return self.text[node.sourceRange.start.offset : node.sourceRange.end.offset]

    def choose(self, node: SyntaxNode, changes: list[tuple[str, str]], plain: str) -> str:
        """The rewritten text of an expression, with its own mutants: text, and how it is told."""
        chosen = plain
        for new, told in changes:
            number = self.first + len(self.mutants)
            line = self.text.count("\n", 0, node.sourceRange.start.offset) + 1
            old = " ".join(self.source(node).split())
            self.mutants.append(Mutant(file=self.file, line=line, old=old, new=told))
            chosen = f"({CHOSEN} == {number} ? ({new}) : ({chosen}))"
        return chosen

    def rewritten(self, node: SyntaxNode) -> str:
        """The text of a node, with the mutants of all that is in it."""
        kind = node.kind.name
        start = node.sourceRange.start.offset
        if kind in _AS_IT_IS and kind not in _INSIDE:
            return self.source(node)
        if any(begin <= start < end for begin, end in self.off):
            return self.source(node)
        parts = [child for child in node if isinstance(child, SyntaxNode)]
        if kind in _INSIDE:
            parts = _INSIDE[kind](parts)
        plain = self.joined(node, parts)
        return self.choose(node, list(self.changes(node, parts)), plain)

    def joined(self, node: SyntaxNode, parts: list[SyntaxNode]) -> str:
        at, result = node.sourceRange.start.offset, ""
        for part in parts:
            start, end = part.sourceRange.start.offset, part.sourceRange.end.offset
            if start < at or end <= start:
                continue  # an empty list
            result += self.text[at:start] + self.rewritten(part)
            at = end
        return result + self.text[at : node.sourceRange.end.offset]

    def changes(self, node: SyntaxNode, parts: list[SyntaxNode]) -> Iterator[tuple[str, str]]:
        """Texts that may stand for the node, each with how people are told."""
        kind = node.kind.name
        if kind in _SWAPPED and len(parts) == 2:
            left, right = (self.source(part) for part in parts)
            for operator in _SWAPPED[kind]:
                yield f"({left}) {operator} ({right})", operator
            if neutral := _DROPPED.get(kind):
                operator = "&&" if neutral == "1'b1" else "||"
                yield f"({left}) {operator} {neutral}", f"{left} alone"
                yield f"({right}) {operator} {neutral}", f"{right} alone"
        elif kind == "UnaryLogicalNotExpression":
            yield f"!({self.source(node)})", "without !"
        elif kind == "ConditionalPredicate":
            yield "1'b1", "always"
            yield "1'b0", "never"
        elif kind == "NonblockingAssignmentExpression":
            pass
        elif kind == "IntegerVectorExpression":
            found = _LITERAL.fullmatch(self.source(node))
            if found:
                width, base, digits = int(found[1]), found[2], found[3]
                value = int(digits, {"b": 2, "d": 10, "h": 16}[base])
                other = (value + 1) % (1 << width)
                yield f"{width}'d{other}", f"{width}'d{other}"
        elif kind == "UnbasedUnsizedLiteralExpression":
            text = self.source(node)
            yield ("'1", "'1") if text == "'0" else ("'0", "'0")


def _value_alone(parts: list[SyntaxNode]) -> list[SyntaxNode]:
    return parts[-1:]


_INSIDE = {
    "CastExpression": _value_alone,
    "MultipleConcatenationExpression": _value_alone,
    "AssignmentExpression": _value_alone,
    "NonblockingAssignmentExpression": _value_alone,
    "ElementSelectExpression": lambda parts: parts[:1],
    "ForLoopStatement": _value_alone,
}
"""Kinds of which a part alone may be changed: not a width, not what is assigned to."""

_MEMBERS = {
    "ContinuousAssign", "AlwaysFFBlock", "AlwaysCombBlock", "HierarchyInstantiation",
    "FunctionDeclaration",
}  # fmt: skip


Ranges = frozenset[tuple[int, int]]
"""Parts of a text, from an offset to another."""


def with_mutants(
    file: str, text: str, first: int, leave: Ranges = frozenset()
) -> tuple[str, list[Mutant]]:
    """The file with all its mutants, numbered from `first` on, and what they are; none in the
    parts to leave."""
    tree = SyntaxTree.fromText(text)
    off = [*(found.span() for found in _OFF.finditer(text)), *leave]
    writer = _Writer(file=file, text=text, first=first, off=off, mutants=[])
    at, result = 0, ""
    for member in _members(tree.root):
        start, end = member.sourceRange.start.offset, member.sourceRange.end.offset
        result += text[at:start] + writer.rewritten(member)
        at = end
    return result + text[at:], writer.mutants


def _members(node: SyntaxNode) -> Iterator[SyntaxNode]:
    """Where a module says what it does, in the order of its text."""
    for child in node:
        if isinstance(child, SyntaxNode):
            if child.kind.name in _MEMBERS:
                yield child
            else:
                yield from _members(child)


def not_in_design(files: Mapping[str, str]) -> dict[str, Ranges]:
    """Generated blocks that no instance of their module has, by module."""
    manager, design = SourceManager(), Compilation()
    for name, text in files.items():
        design.addSyntaxTree(SyntaxTree.fromText(text, manager, name, name))
    found: dict[str, Ranges] = {}
    _look_into(design.getRoot(), set(), found)
    return found


def _look_into(
    scope: Iterable[Symbol], absent: set[tuple[int, int]], found: dict[str, Ranges]
) -> None:
    for member in scope:
        if isinstance(member, GenerateBlockSymbol) and member.isUninstantiated:
            whole = member.syntax.sourceRange
            absent.add((whole.start.offset, whole.end.offset))
        elif isinstance(member, GenerateBlockSymbol):
            _look_into(member, absent, found)
        elif isinstance(member, GenerateBlockArraySymbol):
            for entry in member.entries:
                _look_into(entry, absent, found)
        elif isinstance(member, InstanceSymbol):
            own: set[tuple[int, int]] = set()
            _look_into(member.body, own, found)
            name = member.definition.name
            found[name] = found.get(name, frozenset(own)) & own
