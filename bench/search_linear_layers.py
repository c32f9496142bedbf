# SPDX-License-Identifier: Apache-2.0
"""The searches that found the XOR programs kept in gcmforge.leaf; a C++ compiler is needed.

    python bench/search_linear_layers.py mix_columns small        about 5 s
    python bench/search_linear_layers.py mix_columns depth3
    python bench/search_linear_layers.py multiplier 4             about 2 min; 5 takes about 3


A start is made by taking, again and again, the pair of terms that most sums share (Paar 1997; ties
by seed) as long as each sum can still be finished within the depth; bench/xor_search.cpp improves
it.  The multipliers start from their own recombination and write src/gcmforge/leaf/data; arrivals
of the products are respected, so that the depth stays what it was.  Everything is decided by the
seeds, printed with the result.
"""

import random
import subprocess
import sys
import tempfile
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from gcmforge.circuit import Op
from gcmforge.field import BitMatrix, aes_mix_column
from gcmforge.leaf.multiplier import multiplier_circuit

HERE = Path(__file__).parent
RECOMBINATION_ROUNDS = {4: (60, 300_000), 5: (40, 300_000)}
"""Rounds and moves a round, by Karatsuba steps."""


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


def recombination(steps: int) -> tuple[str, int]:
    """What follows the products of a Karatsuba multiplier, as a program for xor_search.cpp with
    arrivals in XOR levels, and its depth."""
    circuit = multiplier_circuit(steps)
    labels = [label for label in circuit.labels if len(label.name) == len("product_") + steps]
    products = [
        net for label in labels if label.name.startswith("product_") for _, net in label.bits
    ]
    arrival = [0] * circuit.net_count
    for net, gate in enumerate(circuit.gates, circuit.first_gate):
        arrival[net] = max(arrival[arg] for arg in gate.args) + (gate.op is Op.XOR)
    number = {net: i for i, net in enumerate(products)}
    behind: set[int] = set()
    todo = list(circuit.output_nets)
    while todo:
        net = todo.pop()
        if net not in behind and net not in number:
            behind.add(net)
            todo += circuit.gates[net - circuit.first_gate].args
    gates = []
    for net in sorted(behind):
        p, q = circuit.gates[net - circuit.first_gate].args
        number[net] = len(products) + len(gates)
        gates.append(f"{number[p]} {number[q]}")
    lines = [f"{len(products)} {len(gates)} 128", *gates]
    lines += [str(number[net]) for net in circuit.output_nets]
    lines += [str(arrival[net]) for net in products]
    return "\n".join(lines) + "\n", max(arrival)


def search_multiplier(binary: str, steps: int) -> None:
    program, depth = recombination(steps)
    keep(steps, depth, improve(binary, program, depth, 1, (*RECOMBINATION_ROUNDS[steps], 2, 0, 16)))


def keep(steps: int, depth: int, program: str) -> None:
    """Write a program where gcmforge.leaf.programs.load_xors finds it."""
    words = program.split()
    gates, numbers = int(words[1]), words[3:]
    pairs = " ".join(f"{numbers[2 * k]}+{numbers[2 * k + 1]}" for k in range(gates))
    lines = (
        "# SPDX-License-Identifier: Apache-2.0",
        f"# Recombination and reduction behind the products of {steps} Karatsuba steps:",
        f"# {gates} XORs; python bench/search_linear_layers.py multiplier {steps} (seed 1).",
        f"inputs {words[0]}",
        "gates",
        textwrap.fill(pairs, 100),
        "outputs",
        textwrap.fill(" ".join(numbers[2 * gates :]), 100),
    )
    target = HERE.parent / f"src/gcmforge/leaf/data/ko{steps}_small.txt"
    target.parent.mkdir(exist_ok=True)
    target.write_text("\n".join(lines) + "\n", encoding="ascii")
    print(f"{target.name}: {gates} XORs, depth {depth} with the products")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        binary = compiled(folder)
        match sys.argv[1:]:
            case ["mix_columns", ("small" | "depth3") as variant]:
                search_mix_columns(binary, variant)
            case ["multiplier", ("4" | "5") as steps]:
                search_multiplier(binary, int(steps))
            case _:
                sys.exit(__doc__)


if __name__ == "__main__":
    main()
