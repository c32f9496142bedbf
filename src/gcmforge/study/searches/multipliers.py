# SPDX-License-Identifier: Apache-2.0
"""The searches for the multipliers and squarers: linear maps in few XORs under a depth bound.

    gcmforge-study search multipliers ko4_small mixed_15_small    some searches, by name
    gcmforge-study search multipliers                              all of them, about 15 minutes

Each writes src/gcmforge/leaf/data/NAME.txt and prints the XORs before and after.  Multipliers start
from their own recombination and reduction, and the arrival of every product is respected, so that
the depth stays what it is; the squarers start from Paar's greedy.  The Plan with its seed decides
everything, on any machine.  A C++ compiler is needed.
"""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from gcmforge import leaf
from gcmforge.circuit import (
    Builder,
    Plan,
    SearchResult,
    XorProgram,
    improve_program,
    search_linear,
    xors_behind,
)
from gcmforge.config import MULTIPLIERS
from gcmforge.field import BitMatrix, gf128_square
from gcmforge.leaf import fft
from gcmforge.leaf.reduction import DEGREE
from gcmforge.leaf.scheme import plain_scheme

DATA = Path(leaf.__file__).parent / "data"

Start = tuple[XorProgram, tuple[int, ...]]
"""A program and the arrivals of its inputs in XOR levels."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Search:
    """What is searched, how, and within which depth (None: that of the start)."""

    title: str
    find: Callable[[Plan, int | None], SearchResult]
    plan: Plan
    depth: int | None = None


def improved(start: Callable[[], Start], plan: Plan, depth: int | None) -> SearchResult:
    program, arrivals = start()
    bound = program.depth if depth is None else depth
    return improve_program(program, bound, arrivals=arrivals, plan=plan, workers=1)


def recombination(variant: str) -> Start:
    """What follows the products of a multiplier."""
    scheme = plain_scheme(variant)
    b = Builder("start")
    p, q = b.input("a_i", DEGREE), b.input("b_i", DEGREE)
    products = scheme.products(b, *scheme.evaluate_both(b, p, q))
    b.output("p_o", products)
    b.output("c_o", scheme.combine(b, products))
    circuit = b.build()
    made, result = circuit.outputs
    program, arrivals = xors_behind(circuit, made.nets)
    outputs = program.outputs[-result.width :]
    return XorProgram.of(len(arrivals), program.steps, outputs, arrivals), arrivals


def fft_map(function: Callable[[Builder, tuple[int, ...]], list[int]], width: int) -> Start:
    """One of the two linear maps of the FFT."""
    b = Builder("start")
    b.output("y_o", function(b, b.input("x_i", width)))
    circuit = b.build()
    return xors_behind(circuit, circuit.inputs[0].nets)


def squares(powers: int, plan: Plan, depth: int | None) -> SearchResult:
    """a^2, a^4 .. a^(2^powers) from a."""
    rows: list[int] = []
    for k in range(1, powers + 1):
        rows += BitMatrix.of_map(partial(doubled, k), DEGREE, DEGREE).rows
    return search_linear(rows, depth, width=DEGREE, plan=plan, workers=1)


def doubled(times: int, a: int) -> int:
    """a^(2^times)."""
    for _ in range(times):
        a = gf128_square(a)
    return a


def main(arguments: Sequence[str] | None = None) -> None:
    names = list(arguments or SEARCHES)
    if unknown := set(names) - set(SEARCHES):
        sys.exit(f"{', '.join(sorted(unknown))}: there is {', '.join(SEARCHES)}")
    for name in names:
        search = SEARCHES[name]
        begun = time.process_time()
        result = search.find(search.plan, search.depth)
        seconds = time.process_time() - begun
        found = result.program
        comments = (
            "SPDX-License-Identifier: Apache-2.0",
            f"{search.title}: {found.xors:,} XORs, depth {found.depth}.",
            f"Seed {result.seed}, {seconds:.0f} s; gcmforge-study search multipliers {name}",
        )
        (DATA / f"{name}.txt").write_text(found.text(comments), encoding="ascii")
        print(
            f"{name}: {result.start_xors:,} -> {found.xors:,} XORs, depth {found.depth}, seed "
            f"{result.seed}, {seconds:.0f} processor seconds",
            flush=True,
        )


def _multiplier(variant: str, depth: int | None = None) -> Search:
    plain = variant.removesuffix("_small")
    return Search(
        title=f"Recombination and reduction after the products of {plain}",
        find=partial(improved, partial(recombination, plain)),
        plan=Plan(seeds=(1,), rounds=1, moves=30_000_000, hot=0.22, cold=0.1, scan=16, slack=30),
        depth=depth,
    )


def _squares(powers: int, depth: int, plan: Plan) -> Search:
    return Search(
        title=f"a^2 to a^{2**powers} within {depth} XOR levels",
        find=partial(squares, powers),
        plan=plan,
        depth=depth,
    )


_EVALUATE = Plan(seeds=(1,), rounds=8, moves=40_000_000, hot=0.22, cold=0.08, scan=8, slack=30)
_COMBINE = Plan(seeds=(1,), rounds=1, moves=100_000_000, hot=0.2, cold=0.08, scan=16, slack=30)
_SQUARES = Plan(seeds=(1, 2), rounds=1, moves=20_000_000, hot=0.4, cold=0.15, scan=4, slack=30)

SEARCHES = {
    **{f"squarers_depth{depth}": _squares(3, depth, _SQUARES) for depth in (5, 6, 9)},
    **{name: _multiplier(name) for name in MULTIPLIERS if name.endswith("_small")},
    "fft_evaluate": Search(
        title="The values of an operand for the additive FFT multiplier",
        find=partial(improved, partial(fft_map, fft.evaluate, DEGREE)),
        plan=_EVALUATE,
    ),
    "fft_combine": Search(
        title="Interpolation and reduction of the additive FFT multiplier",
        find=partial(improved, partial(fft_map, fft.combine, fft.PRODUCTS)),
        plan=_COMBINE,
    ),
}
