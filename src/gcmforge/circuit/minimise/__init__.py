# SPDX-License-Identifier: Apache-2.0
"""Fewer gates: linear maps under a depth bound by greedy and by search, whole small circuits by
rewriting and by SAT, common subexpressions."""

from gcmforge.circuit.minimise.cse import cse
from gcmforge.circuit.minimise.exact import ExactResult, GateBudget, exact
from gcmforge.circuit.minimise.greedy import least_depth, linear_map, paar
from gcmforge.circuit.minimise.program import XorProgram, parse_program, xors_behind
from gcmforge.circuit.minimise.rewrite import (
    GE_PRICES,
    Prices,
    RewritePlan,
    RewriteResult,
    rewrite,
)
from gcmforge.circuit.minimise.search import (
    Plan,
    SearchResult,
    boyar_peralta,
    improve_program,
    search_linear,
)

__all__ = [
    "GE_PRICES", "ExactResult", "GateBudget", "Plan", "Prices", "RewritePlan", "RewriteResult",
    "SearchResult", "XorProgram", "boyar_peralta", "cse", "exact", "improve_program", "least_depth",
    "linear_map", "paar", "parse_program", "rewrite", "search_linear", "xors_behind",
]  # fmt: skip
