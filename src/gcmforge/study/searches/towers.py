# SPDX-License-Identifier: Apache-2.0
"""The search over towers of fields: 8 conjugates x 32 fields, mixed bases, merged layers.

    gcmforge-study search towers            about 8 min of a processor; needs a C++ compiler

Every linear map of every S-box is minimised by gcmforge.circuit.search_linear (fewest XORs, then
least depth, fixed seeds), each S-box is made and counted.  Written: the programs of the towers that
the library has, src/gcmforge/leaf/data/linear_maps.txt, and the count of all,
src/gcmforge/study/searches/data/towers.json, from which gcmforge-study pages sboxes makes its
tables.  A program that the library has stays unless one of fewer XORs is found.  Printed: the
conjugates to be chosen in leaf/sbox_towers.py, and the S-boxes whose area changes.
"""

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gcmforge import leaf
from gcmforge.circuit import Plan, XorProgram, cost, least_depth, paar, search_linear
from gcmforge.field import NORMAL_BASES, POLYNOMIAL_BASES, Bases, BitMatrix, TowerField
from gcmforge.leaf import programs
from gcmforge.leaf.sbox_towers import TOWER_SBOXES
from gcmforge.leaf.tower import TowerSbox, tower_circuit

LIBRARY = Path(leaf.__file__).parent / "data" / "linear_maps.txt"
TABLE = Path(__file__).parent / "data" / "towers.json"
QUICK = Plan(seeds=(1, 2, 3, 4), rounds=4, moves=30_000, slack=3)
THOROUGH = Plan(seeds=tuple(range(1, 25)), rounds=8, moves=120_000, slack=3)
MOZAFFARI = TowerSbox(
    field=TowerField(phi=0b11, nu=0b1010), root=83, inversion="lemma_1", merged=True
)
MOZAFFARI_DEPTHS = {"operands": 4, "output": 5}
"""Deeper maps have no fewer gates there."""
Key = tuple[int, tuple[int, ...]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """One S-box with what it costs."""

    sbox: TowerSbox
    ge: float
    delay: float

    @property
    def small(self) -> tuple[float, bool, float, int]:
        """Smallest first, then those of the library, then fastest, then in the order of roots."""
        return self.ge, self.sbox not in TOWER_SBOXES.values(), self.delay, self.sbox.root

    @property
    def fast(self) -> tuple[float, float, int]:
        """Fastest first."""
        return self.delay, self.ge, self.sbox.root


class Minimiser:
    """Programs for maps, each found once; equal rows in another order are one map."""

    def __init__(self, recorded: Mapping[Key, XorProgram]) -> None:
        self.recorded = dict(recorded)
        """What the library has: it stays unless a search finds fewer XORs, or the bound is less."""
        self.known: dict[tuple[int, tuple[int, ...], int | None, Plan], XorProgram] = {}

    def program(self, matrix: BitMatrix, depth: int | None, plan: Plan) -> XorProgram:
        """Fewest XORs within a depth, or within any and then of least depth."""
        order = sorted(range(len(matrix.rows)), key=lambda i: matrix.rows[i])
        rows = tuple(matrix.rows[i] for i in order)
        key = (matrix.columns, rows, depth, plan)
        if key not in self.known:
            least = least_depth(rows)
            depths = range(least, least + 4) if depth is None else [max(least, depth)]
            candidates = [
                search_linear(rows, d, width=matrix.columns, plan=plan).program for d in depths
            ]
            candidates.append(paar(rows, depth and max(least, depth), width=matrix.columns))
            self.known[key] = min(candidates, key=lambda p: (p.xors, p.depth))
        program = self.known[key]
        outputs: list[int | None] = [None] * len(rows)
        for place, output in zip(order, program.outputs, strict=True):
            outputs[place] = output
        return replace(program, outputs=tuple(outputs))

    def use(
        self,
        sbox: TowerSbox,
        *,
        fast: bool = False,
        depths: Mapping[str, int] | None = None,
        plan: Plan = QUICK,
    ) -> Found:
        """The S-box with its maps minimised: fast for least depth, else for fewest XORs, where
        `depths` bounds the depth of the maps that it names. A map that others have, too, keeps
        its first program unless one has fewer XORs or a bound is given."""
        kept = programs._kept_programs()
        for what, matrix in sbox.maps().items():
            key = matrix.columns, matrix.rows
            bound = least_depth(matrix.rows) if fast else (depths or {}).get(what)
            program = self.program(matrix, bound, plan)
            recorded = self.recorded.get(key)
            if recorded and not fast and recorded.xors <= program.xors:
                program = recorded if bound is None or recorded.depth <= bound else program
            known = kept.get(key)
            if bound is not None or known is None or program.xors < known.xors:
                kept[key] = program
        counted = cost(tower_circuit(sbox))
        return Found(sbox=sbox, ge=counted.ge, delay=counted.delay)


def fields(bases: Bases) -> Iterator[TowerField]:
    """The sixteen fields in these bases, in ascending order of constants."""
    for phi, nu in itertools.product(range(4), range(16)):
        field = TowerField(phi=phi, nu=nu, bases=bases)
        if field.is_field():
            yield field


def conjugates(m: Minimiser, field: TowerField, **options: Any) -> list[Found]:
    """The eight S-boxes of a field."""
    return [m.use(TowerSbox(field=field, root=root, **options)) for root in field.roots()]


def fastest(m: Minimiser) -> dict[str, Found]:
    """The fastest conjugate of each tower that the library has in blocks, its maps of least
    depth."""
    found = {}
    for what, sbox in TOWER_SBOXES.items():
        if not sbox.merged and what != "mixed":
            all_of_them = [replace(sbox, root=root) for root in sbox.field.roots()]
            found[what] = min((m.use(one, fast=True) for one in all_of_them), key=lambda f: f.fast)
    return found


def mixed(m: Minimiser) -> Found:
    """The fastest S-box whose bases are of more than one kind, input and inverse apart.

    Only those are looked at whose basis changes, in and out, have least depth in sum.
    """
    kinds: list[Any] = list(itertools.product(("polynomial", "normal"), repeat=3))
    candidates = []
    for bases, inverse in itertools.product(kinds, repeat=2):
        if len({*bases, *inverse}) == 1:
            continue
        for field in fields(bases):
            for root in field.roots():
                sbox = TowerSbox(field=field, root=root, inverse_bases=inverse)
                outer = (sbox.basis_change(), sbox.output())
                depth = sum(least_depth(matrix.rows) for matrix in outer)
                candidates.append((depth, sum(r.bit_count() for x in outer for r in x.rows), sbox))
    least = min(depth for depth, _, _ in candidates)
    near = sorted((c for c in candidates if c[0] == least), key=lambda c: c[1])[:64]
    print(f"mixed bases: {len(candidates)} towers, {len(near)} with basis changes of depth {least}")
    return min((m.use(sbox, fast=True) for _, _, sbox in near), key=lambda f: f.fast)


def merged_classes() -> list[TowerSbox]:
    """One S-box for each set of rows that the merged operand layers have, Phi = {11}_2 before
    others: it has Lemma 1's equation (2)."""
    seen: dict[frozenset[int], TowerSbox] = {}
    for field in sorted(fields(POLYNOMIAL_BASES), key=lambda f: -(f.phi or 0)):
        for root in field.roots():
            sbox = TowerSbox(field=field, root=root, merged=True, inversion="lemma_1")
            seen.setdefault(sum_classes(sbox), sbox)
    return list(seen.values())


def sum_classes(sbox: TowerSbox) -> frozenset[int]:
    """The sums of input bits that are multiplied: with h, l and h + l of all of them, these tell
    one merged tower from another."""
    rows = sbox.merged_operands().rows
    first, second = rows[:9], rows[9:18]
    both = tuple(p ^ q for p, q in zip(first, second, strict=True))
    return frozenset(first + second + both)


def main(arguments: Sequence[str] | None = None) -> None:
    m = Minimiser(programs._kept_programs())
    programs._kept_programs().clear()
    rows = {}
    for field in [*fields(POLYNOMIAL_BASES), *fields(NORMAL_BASES)]:
        rows[name(field)] = conjugates(m, field)
        print(name(field), *(f"{f.ge}/{f.delay:.1f}" for f in rows[name(field)]), flush=True)
    rows["gf16_nu14"] = conjugates(m, TowerField(phi=None, nu=14))
    rows["mixed"] = [mixed(m)]
    classes = [m.use(sbox, plan=THOROUGH) for sbox in merged_classes()]
    for found in sorted(classes, key=lambda f: f.small):
        print(f"merged {found.ge} GE, {found.delay:.2f} T_A: {found.sbox}", flush=True)
    best = {what: min(found, key=lambda f: f.small) for what, found in rows.items()}
    best["merged, smallest"] = min(classes, key=lambda f: f.small)
    near = [f for f in classes if f.ge <= best["merged, smallest"].ge + 2.25]
    best["merged, fast"] = min(near, key=lambda f: f.fast)
    best["mozaffari_2012"] = m.use(MOZAFFARI, depths=MOZAFFARI_DEPTHS, plan=THOROUGH)
    keep(best.values(), m.recorded)
    before = json.loads(TABLE.read_text(encoding="ascii"))
    table = table_of(rows, classes, fastest(m))
    print(*changes(before, table), sep="\n")
    write_table(with_better(before, table))
    for what, found in best.items():
        print(f"{what}: root {found.sbox.root}, {found.ge} GE, {found.delay:.2f} T_A")


def name(field: TowerField) -> str:
    """As in the library: poly_phi3_nu10."""
    kind = "poly" if field.bases == POLYNOMIAL_BASES else "normal"
    return f"{kind}_phi{field.phi}_nu{field.nu}"


def keep(chosen: Iterable[Found], recorded: Mapping[Key, XorProgram]) -> None:
    """Write the programs that the chosen towers and those of the library are made of."""
    lines = [
        "# SPDX-License-Identifier: Apache-2.0",
        "# XOR programs of linear maps: columns, rows in hex, gates, outputs.",
        "# Found by gcmforge-study search towers.",
    ]
    kept = programs._kept_programs()
    sboxes = [*(found.sbox for found in chosen), *TOWER_SBOXES.values()]
    maps = {(x.columns, x.rows) for sbox in sboxes for x in sbox.maps().values()}
    for columns, rows in sorted(maps):
        program = kept[columns, rows]
        before = recorded.get((columns, rows), program)
        program = program if program.xors < before.xors else before
        gates = ",".join(f"{p}+{q}" for p, q in program.steps)
        outputs = ",".join(map(str, program.outputs))
        if gates:
            lines.append(f"{columns} {','.join(f'{r:x}' for r in rows)} {gates} {outputs}")
    LIBRARY.write_text("\n".join(lines) + "\n", encoding="ascii")


def table_of(
    rows: dict[str, list[Found]], classes: Sequence[Found], fast: dict[str, Found]
) -> dict[str, dict[str, list[float]]]:
    """[GE, delay] of all S-boxes, for the tables of gcmforge-study pages sboxes."""
    table = {
        what: {str(f.sbox.root): [f.ge, round(f.delay, 2)] for f in found}
        for what, found in rows.items()
    }
    table["merged"] = {
        f"{name(f.sbox.field)}/{f.sbox.root}": [f.ge, round(f.delay, 2)]
        for f in sorted(classes, key=lambda f: f.small)
    }
    table["fastest"] = {what: [f.ge, round(f.delay, 2)] for what, f in fast.items()}
    return table


def write_table(table: Mapping[str, Any]) -> None:
    text = ",\n".join(f"{json.dumps(what)}: {json.dumps(row)}" for what, row in table.items())
    TABLE.write_text("{\n" + text + "\n}\n", encoding="ascii")


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """A line for each S-box whose [GE, delay] is another than in the table before."""
    return [
        f"{what}/{name}: {row} instead of {before[what][name]}"
        for what, found in after.items()
        for name, row in found.items()
        if name in before.get(what, {}) and row != before[what][name]
    ]


def with_better(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """The table after, but for rows that were better before: smaller, or faster in `fastest`.
    "earlier" names them; they were so already then, or come from the table before."""
    table: dict[str, Any] = {}
    earlier = []
    for what, found in after.items():
        table[what] = {}
        for name, row in found.items():
            known = before.get(what, {}).get(name, row)
            order = slice(None, None, -1 if what == "fastest" else 1)
            table[what][name] = min(known, row, key=lambda one: one[order])
            if table[what][name] != row:
                earlier.append(f"{what}/{name}")
    return {**table, "earlier": earlier}
