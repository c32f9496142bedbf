# SPDX-License-Identifier: Apache-2.0
"""What search_towers.py minimises its thousands of small maps with; a C++ compiler is needed.

A start is made by taking, again and again, the pair of terms that most sums share (Paar 1997; ties
by seed) as long as each sum can still be finished within the depth; bench/xor_search.cpp improves
it.  Everything is decided by the seeds.  gcmforge.circuit.search_linear is the later form of it.
"""

import random
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from gcmforge.field import BitMatrix

HERE = Path(__file__).parent


def start(matrix: BitMatrix, depth: int, seed: int) -> str:
    """A first program, in the notation of xor_search.cpp."""
    rng = random.Random(seed)
    sums = [{j for j in range(matrix.columns) if (row >> j) & 1} for row in matrix.rows]
    depths = [0] * matrix.columns
    gates: list[tuple[int, int]] = []

    def fits(terms: set[int], p: int, q: int) -> bool:
        joined = 2 << max(depths[p], depths[q])
        rest = sum(1 << depths[t] for t in terms) - (1 << depths[p]) - (1 << depths[q])
        return rest + joined <= 1 << depth

    while any(len(terms) > 1 for terms in sums):
        pairs = Counter(
            (p, q) for terms in sums for p in terms for q in terms if p < q and fits(terms, p, q)
        )
        most = max(pairs.values())
        p, q = rng.choice(sorted(pair for pair, count in pairs.items() if count == most))
        for terms in sums:
            if p in terms and q in terms and fits(terms, p, q):
                terms -= {p, q}
                terms.add(matrix.columns + len(gates))
        gates.append((p, q))
        depths.append(1 + max(depths[p], depths[q]))
    lines = [f"{matrix.columns} {len(gates)} {len(sums)}"]
    lines += [f"{p} {q}" for p, q in gates] + [str(*terms) for terms in sums]
    return "\n".join(lines) + "\n"


def compiled(folder: str) -> str:
    binary = str(Path(folder) / "xor_search")
    subprocess.run(
        ["c++", "-O2", "-std=c++17", "-o", binary, str(HERE / "xor_search.cpp")], check=True
    )
    return binary


def improve(binary: str, program: str, depth: int, seed: int, how: Sequence[int]) -> str:
    """xor_search with (rounds, moves, slack, goal) = how."""
    command = [binary, *map(str, (seed, depth, *how))]
    return subprocess.run(command, input=program, capture_output=True, text=True, check=True).stdout
