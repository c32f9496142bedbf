# SPDX-License-Identifier: Apache-2.0
"""Boolean functions as Liberty writes them: parsed, and as truth tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gcmforge.config.brief import brief
from gcmforge.netlist.liberty_syntax import LibertyError

_FUNCTION_TOKEN = re.compile(r"\s*([A-Za-z_][\w\[\]]*|[01]|[!()^*&+|'])")


Expression = tuple[str, "Expression | str", "Expression | str"]
"""("and" | "or" | "xor", left, right) or ("not", what, ""); a plain text is a name, "0" or "1"."""


def function_inputs(function: str) -> tuple[str, ...]:
    """Names in a Liberty function, in order of appearance."""
    names = (t for t in _function_tokens(function) if t[0].isalpha() or t[0] == "_")
    return tuple(dict.fromkeys(names))


def parse_function(function: str) -> Expression | str:
    """A Liberty function as a tree. Operators, strongest first: ! or a quote after it, ^, then AND
    (*, & or a blank), then + or |."""
    tokens = _function_tokens(function)
    try:
        tree, rest = _parse_or(tokens, 0)
    except RecursionError:
        raise LibertyError(f"function {brief(function, repr)} is nested too deeply") from None
    if rest != len(tokens):
        raise LibertyError(
            f"function {brief(function, repr)} is not understood from "
            f"{brief(tokens[rest], repr)} on"
        )
    return tree


def truth_table(function: str, inputs: Sequence[str]) -> int:
    """Value of a Liberty function for every input pattern: bit p is its value when inputs[i] has
    bit i of p."""
    size = 1 << len(inputs)
    ones = (1 << size) - 1
    columns = {"0": 0, "1": ones}
    for i, name in enumerate(inputs):
        columns[name] = sum(1 << p for p in range(size) if p >> i & 1)

    def value(tree: Expression | str) -> int:
        if isinstance(tree, str):
            if tree not in columns:
                raise LibertyError(f"function {brief(function, repr)}: {brief(tree)} is no input")
            return columns[tree]
        operator, left, right = tree
        if operator == "not":
            return ones ^ value(left)
        a, b = value(left), value(right)
        return a & b if operator == "and" else a | b if operator == "or" else a ^ b

    return value(parse_function(function))


def _function_tokens(function: str) -> list[str]:
    tokens, position, function = [], 0, function.strip()
    while position < len(function):
        match = _FUNCTION_TOKEN.match(function, position)
        if match is None:
            raise LibertyError(
                f"function {brief(function, repr)} is not understood at "
                f"{brief(function[position:])}"
            )
        tokens.append(match[1])
        position = match.end()
    return tokens


def _parse_or(t: list[str], at: int) -> tuple[Expression | str, int]:
    tree, at = _parse_and(t, at)
    while at < len(t) and t[at] in ("+", "|"):
        other, at = _parse_and(t, at + 1)
        tree = ("or", tree, other)
    return tree, at


def _parse_and(t: list[str], at: int) -> tuple[Expression | str, int]:
    tree, at = _parse_xor(t, at)
    while at < len(t) and t[at] not in ("+", "|", ")"):
        other, at = _parse_xor(t, at + (t[at] in ("*", "&")))
        tree = ("and", tree, other)
    return tree, at


def _parse_xor(t: list[str], at: int) -> tuple[Expression | str, int]:
    tree, at = _parse_not(t, at)
    while at < len(t) and t[at] == "^":
        other, at = _parse_not(t, at + 1)
        tree = ("xor", tree, other)
    return tree, at


def _parse_not(t: list[str], at: int) -> tuple[Expression | str, int]:
    tree: Expression | str
    if at >= len(t):
        raise LibertyError(f"function {brief(' '.join(t), repr)} ends too early")
    if t[at] == "!":
        tree, at = _parse_not(t, at + 1)
        return ("not", tree, ""), at
    if t[at] == "(":
        tree, at = _parse_or(t, at + 1)
        if at >= len(t) or t[at] != ")":
            raise LibertyError(f"function {brief(' '.join(t), repr)}: a parenthesis is not closed")
    elif t[at][0].isalnum() or t[at][0] == "_":
        tree = t[at]
    else:
        raise LibertyError(f"function {brief(' '.join(t), repr)}: {brief(t[at])} is out of place")
    at += 1
    while at < len(t) and t[at] == "'":
        tree, at = ("not", tree, ""), at + 1
    return tree, at
