# SPDX-License-Identifier: Apache-2.0
"""The searches that found the XOR programs kept in gcmforge.leaf; a C++ compiler is needed.

    python bench/search_linear_layers.py mix_columns small        about 5 s
    python bench/search_linear_layers.py mix_columns depth3

A start is made by taking, again and again, the pair of terms that most sums share (Paar 1997; ties
by seed) as long as each sum can still be finished within the depth; bench/xor_search.cpp improves
it.  Everything is decided by the seeds, printed with the result.  Those of the multipliers are in
bench/search_multipliers.py.
"""

import random
import subprocess
import sys
import tempfile
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from gcmforge.field import BitMatrix, aes_mix_column

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


def search(
    binary: str, matrix: BitMatrix, depth: int, seeds: Iterable[int], how: Sequence[int]
) -> tuple[int, int, str]:
    """(gates, seed, program), the best over the seeds."""
    found = []
    for seed in seeds:
        program = improve(binary, start(matrix, depth, seed), depth, seed, how)
        found.append((int(program.split()[1]), seed, program))
    return min(found)


def show(title: str, program: str) -> None:
    """The program as XorProgram.parse takes it."""
    words = program.split()
    inputs, gates = int(words[0]), int(words[1])
    numbers = words[3:]
    pairs = [f"{numbers[2 * k]}+{numbers[2 * k + 1]}" for k in range(gates)]
    print(f"{title}: {inputs} inputs, {gates} XORs")
    for text in (" ".join(pairs), " ".join(numbers[2 * gates :])):
        print(textwrap.fill(text, 96, initial_indent="    ", subsequent_indent="    "), "\n")


def search_mix_columns(binary: str, variant: str) -> None:
    matrix = BitMatrix.of_map(aes_mix_column, 32, 32)
    if variant == "small":
        depth, seeds, how = 6, [1], (10, 500_000, 3, 91)
    else:
        depth, seeds, how = 3, [6], (10, 600_000, 4, 99)
    gates, seed, program = search(binary, matrix, depth, seeds, how)
    show(f"mix_columns {variant}, depth {depth}, {gates} XORs, seed {seed}", program)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        binary = compiled(folder)
        match sys.argv[1:]:
            case ["mix_columns", ("small" | "depth3") as variant]:
                search_mix_columns(binary, variant)
            case _:
                sys.exit(__doc__)


if __name__ == "__main__":
    main()
