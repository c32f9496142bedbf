# SPDX-License-Identifier: Apache-2.0
"""Formulas as the headers of modules write them: 2p + 2, q (2^w + 2), ceil(R / Rounds), log2 q.

A word that is no symbol is the product of its letters: qp is q times p.
"""

import math
import re
from collections.abc import Callable, Mapping
from fractions import Fraction

TOKEN = re.compile(r"\s*(\d+|[A-Za-z]\w*|[-+*/^(),])")
FUNCTIONS: Mapping[str, Callable[..., Fraction]] = {
    "ceil": lambda value: Fraction(math.ceil(value)),
    "log2": lambda value: Fraction(value.numerator.bit_length() - 1),
    "max": max,
    "min": min,
}


def value_of(formula: str, symbols: Mapping[str, int]) -> Fraction:
    """The value of a formula; ValueError where it is none."""
    tokens, position = [], 0
    formula = formula.strip()
    while position < len(formula):
        found = TOKEN.match(formula, position)
        if not found:
            raise ValueError(f"{formula}: not a formula")
        tokens.append(found[1])
        position = found.end()
    parser = _Parser(tokens, symbols)
    value = parser.sum()
    if parser.tokens:
        raise ValueError(f"{formula}: {' '.join(parser.tokens)} is left")
    return value


class _Parser:
    def __init__(self, tokens: list[str], symbols: Mapping[str, int]) -> None:
        self.tokens, self.symbols = tokens, symbols

    def next(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def take(self, *wanted: str) -> str:
        return self.tokens.pop(0) if self.next() in wanted and self.tokens else ""

    def sum(self) -> Fraction:
        value = self.product()
        while sign := self.take("+", "-"):
            value += self.product() * (1 if sign == "+" else -1)
        return value

    def product(self) -> Fraction:
        value = self.power()
        while self.next() not in ("", "+", "-", ")", ",", "^"):
            sign = self.take("*", "/")
            factor = self.power()
            value = value / factor if sign == "/" else value * factor
        return value

    def power(self) -> Fraction:
        base = self.factor()
        return base ** int(self.power()) if self.take("^") else base

    def factor(self) -> Fraction:
        if self.take("("):
            value = self.sum()
            self.close()
            return value
        token = self.tokens.pop(0)
        if token.isdigit():
            return Fraction(token)
        if token in FUNCTIONS:
            if not self.take("("):
                return FUNCTIONS[token](self.factor())
            values = [self.sum()]
            while self.take(","):
                values.append(self.sum())
            self.close()
            return FUNCTIONS[token](*values)
        if token in self.symbols:
            return Fraction(self.symbols[token])
        if token.isalpha() and all(letter in self.symbols for letter in token):
            return Fraction(math.prod(self.symbols[letter] for letter in token))
        raise ValueError(f"{token}: unknown")

    def close(self) -> None:
        if not self.take(")"):
            raise ValueError(f"no parenthesis before {self.next() or 'the end'}")
