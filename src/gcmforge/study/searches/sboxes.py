# SPDX-License-Identifier: Apache-2.0
"""The searches for the S-boxes that are kept as data: small, medium and fast.

    gcmforge-study search sboxes                          what is kept
    gcmforge-study search sboxes search small             make a start, rewrite it
    gcmforge-study search sboxes again small --seeds 3-6  rewrite what is kept once more, cooler
    gcmforge-study search sboxes norm                     check the quadratic forms of the norm
    gcmforge-study search sboxes scales [FIELD ...]       what scaling the input gives, by field

A search or a repetition takes minutes; what is better than what is kept replaces it: small and
medium by GE, fast by area x delay^2 mapped on osu018 (Debian's qflow-tech-osu018).

Every S-box here is a tower: operands, norm, inversion in GF(2^4), products with nine sums of
theta = norm^-1, and a last linear layer. Two freedoms more than field, basis and conjugate:

*Scaling.* For every a in GF(2^8)*, x^-1 = a (a x)^-1, so that both linear layers may be those of
a x: 255 pairs of matrices for each of the 8 conjugates.

*Norm as quadratic forms.* A bit of x^17 (in any basis of GF(2^4)) is an elliptic quadratic form of
rank 8 over the input bits: a sum of four gates (AND, OR, one of them with inverted inputs) over
pairs of sums. With sums of two or three input bits the norm takes 2 T_X (mostly one), a gate and
2 T_X; the tower's own way takes four T_X more.

What comes out is rewritten as a whole (gcmforge.circuit.rewrite) and proven for all 256 inputs.
A C++ compiler is needed.
"""

import argparse
import dataclasses
import heapq
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gcmforge import leaf
from gcmforge.circuit import (
    GE_PRICES,
    Builder,
    Circuit,
    Net,
    Op,
    Plan,
    Prices,
    RewritePlan,
    circuit_listing,
    cost,
    emit_systemverilog,
    improve_program,
    paar,
    parse_listing,
    prove,
    rewrite,
)
from gcmforge.field import BitMatrix, aes_sbox
from gcmforge.leaf.programs import apply_affine
from gcmforge.leaf.sbox_towers import TOWER_SBOXES
from gcmforge.leaf.tower import tower_circuit
from gcmforge.leaf.tower_inversion import derived_inversion
from gcmforge.study.searches.sbox_forms import (
    FAST,
    FAST_NORM,
    Tower,
    add_form,
    finish,
    nine_sums,
    norm_bit,
    operands_over,
    quadratic,
    searched,
)

DATA = Path(leaf.__file__).parent / "data"

MEDIUM_DELAY = 35.85
"""T_A; mozaffari_2012 takes 4A+16X, 35.84 of them."""

OSU018_PRICES = Prices(
    area_ge={
        Op.XOR: 2.33, Op.XNOR: 2.1, Op.AND: 1.33, Op.NAND: 1.0, Op.OR: 1.33, Op.NOR: 1.0,
        Op.NOT: 0.67, Op.MUX: 2.2,
    },
    delay={
        Op.XOR: 1.15, Op.XNOR: 1.15, Op.AND: 1.3, Op.NAND: 0.65, Op.OR: 1.4, Op.NOR: 0.75,
        Op.NOT: 0.4, Op.MUX: 1.0,
    },
    load={
        Op.XOR: 0.7, Op.XNOR: 0.7, Op.AND: 0.3, Op.NAND: 0.3, Op.OR: 0.3, Op.NOR: 0.33,
        Op.NOT: 0.25, Op.MUX: 0.42,
    },
    output_load=0.9, input_part=0.4, max_delay=21.0, penalty_ge=6.0,
)  # fmt: skip
"""Rough prices of osu018: areas in NAND2, delays in about 0.08 ns, read off mapped paths."""


# Towers with a scaled input -----------------------------------------------------------------------


SMALL = Tower("normal_phi1_nu2", 43, 230)
"""The least XORs of the first layer (21) and the last (27) of four fields, 8 conjugates and 255
scales."""


def small_start() -> Circuit:
    """The tower in three linear maps, the inversion derived from the tower."""
    tower = SMALL
    b = Builder("aes_sbox")
    x = b.input("x_i", 8)
    with b.section("basis change: both factors with the sums of their bits, the scaled square"):
        top = searched(tower.operands()).apply(b, x)
    b.label(top[:9], "first")
    b.label(top[9:18], "second")
    with b.section("gamma: the product of the two factors, and the scaled square"):
        nands = [b.nand(p, q) for p, q in zip(top[:9], top[9:18], strict=True)]
        norm = searched(tower.sbox.norm())
        inputs = [*nands, *top[18:]]
        gamma = apply_affine(b, norm, inputs, inverted=range(9), constant=0)
        b.label(gamma, "gamma")
    with b.section("theta = gamma^-1 in GF(2^4)"):
        theta = derived_inversion(b, tower.sbox.field, gamma)
        b.label(theta, "theta")
        sums = nine_sums(b, theta)
    finish(b, tower, top[:18], sums, None)
    return b.build()


SCALED_FIELDS = ("normal_phi1_nu2", "normal_phi2_nu1", "poly_phi2_nu8", "poly_phi3_nu10")
"""What `scales` looks at unasked."""


def print_scales(names: Sequence[str]) -> None:
    """For each field, over 8 conjugates and 255 scales: the fewest XORs in the two layers by a
    short search, and the towers whose output bits are sums of the fewest products."""
    for name in names:
        roots = TOWER_SBOXES[name].field.roots()
        towers = [Tower(name, root, scale) for root in roots for scale in range(1, 256)]
        small = [(quick(t.operands()), quick(t.output()), t) for t in towers]
        print(f"{name}: {len(towers)} towers")
        for first, last, tower in heapq.nsmallest(3, small, key=lambda s: s[0] + s[1]):
            print(f"  {first} + {last} XORs: x to {tower.root}, scale {tower.scale}")
        most = {t: max(row.bit_count() for row in t.output().rows) for t in towers}
        least = min(most.values())
        where = [f"x to {t.root}, scale {t.scale}" for t in towers if most[t] == least]
        print(f"  output bits of at most {least} products: {len(where)}, the first {where[0]}")


def quick(matrix: BitMatrix) -> int:
    """XORs after a short search."""
    start = paar(matrix.rows, width=matrix.columns, seed=1)
    plan = Plan(seeds=(1,), rounds=1, moves=3_000, hot=0.5, cold=0.15)
    return improve_program(start, plan=plan, workers=1).program.xors


# The norm as quadratic forms ----------------------------------------------------------------------


def fast_start() -> Circuit:
    """Norm by quadratic forms, all nine sums of theta as functions of the norm's four bits."""
    tower = FAST
    b = Builder("aes_sbox")
    x = b.input("x_i", 8)
    nets: dict[int, Net] = {1 << i: net for i, net in enumerate(x)}
    with b.section("sums of input bits for the norm"):
        for mask in sorted({m for pairs in FAST_NORM.values() for p in pairs for m in (p.u, p.v)}):
            add_form(b, nets, mask)
    with b.section("norm: a basis of GF(2^4), each bit a quadratic form of four products"):
        gamma = [quadratic(b, nets, pairs) for pairs in FAST_NORM.values()]
        b.label(gamma, "gamma")
    with b.section("sums of theta = gamma^-1 in GF(2^4)"):
        sums = b.instance(theta_circuit(tower, tuple(FAST_NORM)), gamma_i=gamma)["sum_o"]
        b.label(sums, "theta_sum")
    with b.section("operands"):
        operands = operands_over(b, nets, tower.operands().rows[:18])
    finish(b, tower, operands, sums, 3)
    return b.build()


@cache
def theta_circuit(tower: Tower, basis: tuple[int, ...]) -> Circuit:
    """The nine sums of theta from the four bits of the norm in a basis, by multiplexers, rewritten
    under a delay bound."""
    table: dict[int, int] = {}
    for x in range(256):
        gamma = sum(norm_bit(c)[x] << i for i, c in enumerate(basis))
        theta = tower.theta(x)
        assert table.setdefault(gamma, theta) == theta
    forms = (1, 2, 3, 4, 8, 12, 5, 10, 15)
    b = Builder("theta_sums")
    gamma_nets = b.input("gamma_i", 4)
    made: dict[tuple[int, ...], Net] = {}

    def select(values: tuple[int, ...]) -> Net:
        if len(values) == 1:
            return b.const(values[0])
        if values not in made:
            half = len(values) // 2
            bit = half.bit_length() - 1
            made[values] = b.mux(gamma_nets[bit], select(values[half:]), select(values[:half]))
        return made[values]

    parity = [tuple((table[g] & form).bit_count() & 1 for g in range(16)) for form in forms]
    b.output("sum_o", [select(values) for values in parity])
    target = dataclasses.replace(GE_PRICES, max_delay=4.0, penalty_ge=6.0)
    plan = RewritePlan(seeds=(1, 2, 3, 4), rounds=3, moves=60_000, hot=1.5, cold=0.2)
    return rewrite(b.build(), target=target, plan=plan).circuit


# What is kept -------------------------------------------------------------------------------------


def area_and_delay(c: Circuit) -> tuple[float, ...]:
    """GE and T_A."""
    return cost(c).ge, cost(c).delay


def area_in_time(c: Circuit) -> tuple[float, ...]:
    """T_A above MEDIUM_DELAY, GE, T_A."""
    found = cost(c)
    return max(0.0, found.delay - MEDIUM_DELAY), found.ge, found.delay


def mapped(c: Circuit) -> tuple[float, ...]:
    """Area x delay^2 on osu018 by the best script; that script's area in GE and delay in ns."""
    from gcmforge.measure import find_target, synthesise

    made = synthesise(emit_systemverilog(c), find_target("osu018"), goal="delay")
    (module,) = made.modules.values()
    tried = [(area, delay) for area, delay in module.tried.values() if delay]
    return min((area * delay**2, area, delay) for area, delay in tried)


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """An S-box to be searched: from where, at which prices, with what budget, and the figure that
    decides what is kept."""

    title: str
    start: Callable[[], Circuit]
    figure: Callable[[Circuit], tuple[float, ...]]
    target: Prices
    plan: RewritePlan


KINDS = {
    "small": Kind(
        title="few GE",
        start=small_start,
        figure=area_and_delay,
        target=dataclasses.replace(GE_PRICES, max_delay=56.0, penalty_ge=1.0),
        plan=RewritePlan(seeds=(1, 2), rounds=2, moves=400_000, hot=1.0, cold=0.15),
    ),
    "medium": Kind(
        title="few GE at the delay of mozaffari_2012",
        start=lambda: tower_circuit(TOWER_SBOXES["merged_phi3_nu8"]),
        figure=area_in_time,
        target=dataclasses.replace(GE_PRICES, max_delay=MEDIUM_DELAY, penalty_ge=4.0),
        plan=RewritePlan(seeds=(11, 12), rounds=2, moves=6_000_000, hot=1.0, cold=0.15),
    ),
    "fast": Kind(
        title="little delay on osu018",
        start=fast_start,
        figure=mapped,
        target=OSU018_PRICES,
        plan=RewritePlan(seeds=tuple(range(10, 22)), rounds=1, moves=120_000, hot=1.5, cold=0.15),
    ),
}


def file_of(name: str) -> Path:
    return DATA / f"sbox_{name}.txt"


def kept(name: str) -> Circuit | None:
    file = file_of(name)
    return parse_listing(file.read_text(), "aes_sbox") if file.exists() else None


def history(name: str) -> list[str]:
    """The steps that led to what is kept, from its comments."""
    lines = file_of(name).read_text().splitlines()
    return [line.removeprefix("# step: ") for line in lines if line.startswith("# step: ")]


def search(name: str, seeds: Sequence[int], again: bool) -> None:
    kind, before = KINDS[name], kept(name)
    start = before if again and before is not None else kind.start()
    print(f"{name}: from {cost(start).summary()}", flush=True)
    best = kind.figure(before) if before is not None else (float("inf"),)
    steps = history(name) if again else []
    for seed in seeds or kind.plan.seeds:
        hot = kind.plan.hot / (2 if again else 1)
        plan = dataclasses.replace(kind.plan, seeds=(seed,), hot=hot)
        found = rewrite(start, target=kind.target, plan=plan)
        if not prove(found.circuit, aes_sbox, "exhaustive").passed:
            sys.exit("not the S-box")
        figure = kind.figure(found.circuit)
        step = f"{'again' if again else 'search'}, seed {seed}, {found.seconds:.0f} s"
        numbers = ", ".join(f"{x:.2f}" for x in figure)
        print(f"  {cost(found.circuit).summary()}; {numbers}; {step}", flush=True)
        if figure < best:
            best = figure
            keep(name, found.circuit, [*steps, step])


def keep(name: str, circuit: Circuit, steps: Sequence[str]) -> None:
    lines = [
        "SPDX-License-Identifier: Apache-2.0",
        f"aes_sbox for {KINDS[name].title}: {cost(circuit).summary()}",
        f"gcmforge-study search sboxes: {name}",
        *(f"step: {step}" for step in steps),
    ]
    file_of(name).write_text(circuit_listing(circuit, lines))


def check_norm() -> None:
    """Each form of FAST_NORM equals the bit of the norm that it stands for."""

    def bit(mask: int, x: int) -> int:
        return (mask & x).bit_count() & 1

    for c, pairs in FAST_NORM.items():
        for x in range(256):
            form = 0
            for p in pairs:
                s, t = bit(p.u, x), bit(p.v, x)
                form ^= s | t if p.inverted == 3 else (s ^ (p.inverted & 1)) & (t ^ p.inverted >> 1)
            if form != norm_bit(c)[x]:
                sys.exit(f"form {c} is not the norm's at {x}")
    print(f"{len(FAST_NORM)} forms are the norm's for all 256 inputs")


def seed_range(text: str) -> list[int]:
    first, _, last = text.partition("-")
    return list(range(int(first), int(last or first) + 1))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", nargs="?", choices=["search", "again", "norm", "scales"])
    parser.add_argument("names", nargs="*", metavar="name", help=f"{', '.join(KINDS)}, or fields")
    parser.add_argument("--seeds", type=seed_range, default=[])
    given = parser.parse_args(arguments)
    if given.command == "norm":
        check_norm()
    elif given.command == "scales":
        print_scales(given.names or SCALED_FIELDS)
    elif given.command:
        for name in given.names:
            search(name, given.seeds, given.command == "again")
    else:
        for name in KINDS:
            circuit = kept(name)
            if circuit is not None:
                print(f"{name}: {cost(circuit).summary()}; {'; '.join(history(name))}")
