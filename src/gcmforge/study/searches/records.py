# SPDX-License-Identifier: Apache-2.0
"""Linear maps: the best XOR counts found here, compared with published or earlier ones.

    gcmforge-study search records                     the table, from the programs that are kept
    gcmforge-study search records search NAME ...     search again with the plan of NAME (or `all`);
                                                what is better than the kept program replaces it
    gcmforge-study search records search NAME --seeds 5-12 --time-limit 600

Every program of the table is checked: it computes the map, within the depth, in so many XORs.
Searching needs a C++ compiler and takes from seconds to minutes for each; it keeps its state in
build/records, so that a search that was stopped (Ctrl-C, --time-limit) goes on where it was.
"""

import argparse
import dataclasses
import hashlib
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gcmforge import leaf
from gcmforge.circuit import (
    Circuit,
    Op,
    Plan,
    SearchResult,
    XorProgram,
    improve_program,
    parse_program,
    search_linear,
)
from gcmforge.field import BitMatrix, aes_mix_column, gf128_square
from gcmforge.leaf import sbox
from gcmforge.tools import cache_folder

DATA = Path(leaf.__file__).parent / "data"
STATE = cache_folder() / "records"


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """A linear map, the depth it may have, and the count to reach with its source."""

    name: str
    title: str
    matrix: BitMatrix
    depth: int | None
    count: int
    source: str
    plan: Plan
    start: XorProgram | None = None

    @property
    def file(self) -> Path:
        return DATA / f"{self.name}.txt"

    def search(self, seeds: Sequence[int], time_limit_s: float | None) -> SearchResult:
        plan = dataclasses.replace(self.plan, seeds=tuple(seeds) or self.plan.seeds)
        kind = dataclasses.replace(plan, seeds=(1,), rounds=1)
        digest = hashlib.sha256(repr((kind, self.depth)).encode()).hexdigest()[:8]
        STATE.mkdir(parents=True, exist_ok=True)
        checkpoint = STATE / f"{self.name}-{digest}.json"
        if self.start is not None:
            return improve_program(
                self.start, self.depth, plan=plan, time_limit_s=time_limit_s,
                checkpoint=checkpoint, progress=show,
            )  # fmt: skip
        return search_linear(
            self.matrix.rows, self.depth, width=self.matrix.columns, plan=plan,
            time_limit_s=time_limit_s, checkpoint=checkpoint, progress=show,
        )  # fmt: skip

    def kept(self) -> XorProgram | None:
        """The program in the data folder, checked."""
        if not self.file.exists():
            return None
        program = parse_program(self.file.read_text(encoding="ascii"))
        if program.rows() != list(self.matrix.rows):
            sys.exit(f"{self.file.name} computes another map")
        if self.depth is not None and program.depth > self.depth:
            sys.exit(f"{self.file.name} has depth {program.depth}")
        return program

    def keep(self, found: SearchResult) -> None:
        program = found.program
        lines = (
            "SPDX-License-Identifier: Apache-2.0",
            f"{self.title}: {program.xors} XORs, depth {program.depth}.",
            f"Seed {found.seed}, {found.seconds:.0f} s; "
            f"gcmforge-study search records search {self.name}",
        )
        self.file.write_text(program.text(lines), encoding="ascii")

    def found_by(self) -> tuple[str, str]:
        """(seed, seconds) from the kept file."""
        match = re.search(r"^# Seed (\d+), (\d+) s", self.file.read_text(), re.MULTILINE)
        return (match[1], match[2]) if match else ("-", "-")


def show(seed: int, rounds: int, xors: int) -> None:
    print(f"  seed {seed}, round {rounds}: {xors} XORs", flush=True)


def records() -> list[Record]:
    """All of them, the published ones first."""
    mix = BitMatrix.of_map(aes_mix_column, 32, 32)
    squares = squarers()
    top, bottom = sbox_layers()
    small = Plan(seeds=(1, 2, 3, 4), rounds=4, moves=10_000_000)
    cool = Plan(seeds=(1, 2, 3, 4), rounds=6, moves=8_000_000, hot=0.3, cold=0.12)
    large = Plan(seeds=(1, 2), rounds=6, moves=8_000_000, hot=0.3, cold=0.12, slack=20, scan=8)
    tiny = Plan(seeds=(1, 2, 3, 4), rounds=4, moves=1_000_000)
    kinds = (
        ("mix_columns_depth3", "MixColumns, depth 3", mix, 3, 99, "best published", small),
        ("mix_columns_depth4", "MixColumns, depth 4", mix, 4, 95, "best published", small),
        ("mix_columns_small", "MixColumns", mix, 6, 92, "best published (depth 6)", cool),
        ("squarers_depth5", "H^2, H^4, H^8, depth 5", squares, 5, 1_099,
         "Mozaffari 2012 Table 4", large),
        ("squarers_depth6", "H^2, H^4, H^8, depth 6", squares, 6, 1_062,
         "Mozaffari 2012 Table 4", large),
        ("squarers_depth9", "H^2, H^4, H^8, depth 9", squares, 9, 594,
         "Mozaffari 2012 Table 4", large),
        ("boyar_peralta_top", "S-box of 113 gates, first layer", top, None, 23,
         "Boyar, Peralta", tiny),
        ("boyar_peralta_bottom", "S-box of 113 gates, last layer", bottom, None, 28,
         "Boyar, Peralta", tiny),
    )  # fmt: skip
    fields = ("name", "title", "matrix", "depth", "count", "source", "plan")
    found = [Record(**dict(zip(fields, kind, strict=True))) for kind in kinds]  # type: ignore[arg-type]
    return [*found, merged_columns()]


def squarers() -> BitMatrix:
    """384 x 128: the squares, fourth and eighth powers in GF(2^128), one below the other."""
    square = BitMatrix.of_map(gf128_square, 128, 128)
    fourth = square @ square
    return BitMatrix(rows=square.rows + fourth.rows + (square @ fourth).rows, columns=128)


def sbox_layers() -> tuple[BitMatrix, BitMatrix]:
    """The linear maps of the 113-gate S-box: operands from the input byte (y1 .. y21), output byte
    from the products (z0 .. z17, without the constant)."""
    circuit = sbox("boyar_peralta").circuit
    net = {label.name: label.bits[0][1] for label in circuit.labels}
    operands = [net[f"y{i}"] for i in range(1, 22)]
    products = [net[f"z{i}"] for i in range(18)]
    top = linear_rows(circuit, circuit.input_bus("x_i").nets, operands)
    return top, linear_rows(circuit, products, circuit.output_nets)


def merged_columns() -> Record:
    """MixColumns merged with the last layers of the four S-boxes (113 gates) of a column."""
    layer = parse_program((DATA / "boyar_peralta_bottom.txt").read_text(encoding="ascii"))
    mix = parse_program((DATA / "mix_columns_small.txt").read_text(encoding="ascii"))
    width = 4 * layer.width
    steps: list[tuple[int, int]] = []

    def add(program: XorProgram, terms: list[int]) -> list[int]:
        for p, q in program.steps:
            steps.append((terms[p], terms[q]))
            terms.append(width + len(steps) - 1)
        return [terms[n] for n in program.outputs if n is not None]

    bits = []
    for box in range(4):
        bits += add(layer, list(range(box * layer.width, (box + 1) * layer.width)))
    start = XorProgram.of(width, steps, add(mix, bits))
    return Record(
        name="merged_columns",
        title=f"MixColumns with four last layers ({layer.xors} each)",
        matrix=BitMatrix(rows=tuple(start.rows()), columns=width),
        depth=start.depth,
        count=start.xors,
        source="the parts one by one",
        plan=Plan(seeds=(1, 2), rounds=3, moves=4_000_000, hot=0.4, cold=0.12, slack=15, scan=6),
        start=start,
    )


def linear_rows(circuit: Circuit, sources: Sequence[int], targets: Sequence[int]) -> BitMatrix:
    """Which sources each target is the sum of, up to a constant."""
    rows = {net: 1 << j for j, net in enumerate(sources)}

    def row(net: int) -> int:
        if net not in rows:
            gate = circuit.gates[net - circuit.first_gate]
            assert gate.op in (Op.XOR, Op.XNOR), f"net {net} is not linear"
            rows[net] = row(gate.args[0]) ^ row(gate.args[1])
        return rows[net]

    return BitMatrix(rows=tuple(map(row, targets)), columns=len(sources))


def print_table() -> None:
    print("| map | record | source | ours | depth | seed | seconds |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for record in records():
        program = record.kept()
        ours = ("-",) * 4
        if program is not None:
            ours = (f"{program.xors:,}", str(program.depth), *record.found_by())
        cells = (record.title, f"{record.count:,}", record.source, *ours)
        print(f"| {' | '.join(cells)} |")


def search(names: Sequence[str], seeds: Sequence[int], time_limit_s: float | None) -> None:
    known = {record.name: record for record in records()}
    if unknown := set(names) - {*known, "all"}:
        sys.exit(f"{', '.join(unknown)}: there is {', '.join(known)}, or all")
    for name in known if "all" in names else names:
        record = known[name]
        print(f"{name}: record {record.count} XORs")
        found = record.search(seeds, time_limit_s)
        kept = record.kept()
        better = kept is None or (found.program.xors, found.program.depth) < (
            kept.xors, kept.depth
        )  # fmt: skip
        if better:
            record.keep(found)
        print(
            f"  {found.program.xors} XORs, depth {found.program.depth}, seed {found.seed},"
            f" {found.seconds:.0f} s{'' if found.complete else ', stopped early'};"
            f" {'kept' if better else 'no better than what is kept'}"
        )


def seed_range(text: str) -> list[int]:
    first, _, last = text.partition("-")
    return list(range(int(first), int(last or first) + 1))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", nargs="?", choices=["search"])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seeds", type=seed_range, default=[])
    parser.add_argument("--time-limit", type=float, help="seconds for each map")
    given = parser.parse_args(arguments)
    if given.command == "search":
        search(given.names, given.seeds, given.time_limit)
    else:
        print_table()
