# SPDX-License-Identifier: Apache-2.0
"""The searches for the S-boxes in which theta is two levels of gates: faster and low_depth.

    gcmforge-study search two-level                              what is kept
    gcmforge-study search two-level forms                        what the searches choose from
    gcmforge-study search two-level search faster --seeds 1-4    a climb from each seed

What is better than what is kept replaces it: by delay on osu018 (Debian's qflow-tech-osu018) at up
to 350 GE, by area x delay above. A climb takes minutes and is decided by its seed. As in `fast`
(sboxes.py) the norm x^17 is a quadratic form of the input bits, bit by bit, and a bit of
theta = norm^-1 is a function of four bits of the norm. Two things are new.

*More than four bits of the norm.* Any of the 15 sums of the norm's bits can be made from the input
as directly as any other: four gates over sums of input bits. With six or seven of them at hand,
instead of four, most of the 15 sums of the bits of theta are

    s ? ~(a b) : c d        (any of them, also inverted; s, a, b, c, d among those bits)

a NAND, an AND and a multiplexer: two levels.

*What the products are.* `faster` multiplies as towers do, by nine sums of theta, and adds the 18
products up in a last layer. `low_depth` has no such layer: each output bit is a sum of four
products of a sum of theta's bits and a sum of input bits, for each bit with four sums of its own
choice. This is the form that Maximov and Ekdahl claim (see leaf/sbox_searched.py).
"""

import argparse
import itertools
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gcmforge.circuit import (
    Builder,
    Circuit,
    Net,
    circuit_listing,
    cost,
    emit_systemverilog,
    parse_listing,
    prove,
)
from gcmforge.field import aes_affine, aes_sbox
from gcmforge.measure import find_target, synthesise
from gcmforge.study.searches.sbox_forms import (
    FAST,
    FAST_NORM,
    add_form,
    finish,
    operands_over,
    quadratic,
)
from gcmforge.study.searches.sboxes import DATA, seed_range
from gcmforge.study.searches.two_level_choices import (
    GF16,
    Gate,
    choices,
    chosen_products,
    fewest_sums,
    made_of,
    needs,
    nine_of_tower,
    sets_of_bits,
    sums_of,
    ways,
    within,
)

SCRIPTS = ("keep, fan-out 4", "rebuild, fan-out 4", "speed, fan-out 4")


# Circuits -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rolls:
    """What is chosen by lot: each choice has a name and is decided by a number, by `base` unless it
    was rolled again."""

    base: int
    again: tuple[tuple[str, int], ...] = ()

    def rng(self, choice: str) -> random.Random:
        return random.Random(f"{choice} {dict(self.again).get(choice, self.base)}")

    def changed(self, rng: random.Random) -> "Rolls":
        """With one choice rolled again."""
        names = ["bits", "norm", "behind"]
        names += [f"{what} {a}" for what in ("order", "theta") for a in GF16]
        return Rolls(
            self.base, tuple((dict(self.again) | {rng.choice(names): rng.getrandbits(32)}).items())
        )


def norm_of(b: Builder, rolls: Rolls, nets: dict[int, Net]) -> dict[int, Net]:
    """The chosen bits of the norm by c; adds the sums of input bits that they need to nets."""
    bits = sorted(rolls.rng("bits").choice(sets_of_bits()))
    chosen = fewest_sums(bits, rolls.rng("norm"))
    with b.section("sums of input bits for the norm"):
        for mask in sorted(set().union(*map(sums_of, chosen.values())), key=int.bit_count):
            add_form(b, nets, mask)
    with b.section("norm: bits and sums of bits, each a quadratic form of four products"):
        order = {c: rolls.rng(f"order {c}").sample(chosen[c], 4) for c in bits}
        norm = {c: quadratic(b, nets, order[c]) for c in bits}
        b.label(list(norm.values()), "norm")
    return norm


def sums_of_theta(
    b: Builder, rolls: Rolls, norm: Mapping[int, Net], wanted: Sequence[int]
) -> dict[int, Net]:
    """Those sums by d, one after the other with the fewest gates that are not there yet."""
    made, there = made_of(frozenset(norm)), set[Gate]()
    sums = {}
    for d in wanted:
        rng = rolls.rng(f"theta {d}")
        more = [len({x.upper, x.lower} - there) for x in made[d]]
        least = min(more)
        choice = rng.choice([x for x, n in zip(made[d], more, strict=True) if n == least])
        there |= {choice.upper, choice.lower}
        sums[d] = choice.build(b, norm)
    return sums


def faster_start(rolls: Rolls) -> Circuit:
    """The nine sums of theta in two levels, 18 products, a last layer."""
    b = Builder("aes_sbox")
    nets = {1 << i: net for i, net in enumerate(b.input("x_i", 8))}
    norm = norm_of(b, rolls, nets)
    with b.section("sums of theta = norm^-1 in GF(2^4)"):
        sums = sums_of_theta(b, rolls, norm, nine_of_tower())
        b.label(list(sums.values()), "theta_sum")
    with b.section("operands"):
        operands = operands_over(b, nets, FAST.operands().rows[:18])
    finish(b, FAST, operands, list(sums.values()), 3)
    return b.build()


def low_depth_start(rolls: Rolls) -> Circuit:
    """Each output bit a sum of four products."""
    b = Builder("aes_sbox")
    nets = {1 << i: net for i, net in enumerate(b.input("x_i", 8))}
    norm = norm_of(b, rolls, nets)
    allowed = within(frozenset(norm))
    products = chosen_products(allowed, list(nets), rolls.rng("behind"))
    with b.section("sums of theta = norm^-1 in GF(2^4)"):
        used = sorted({d for basis, _ in products for d in basis})
        sums = sums_of_theta(b, rolls, norm, used)
        b.label(list(sums.values()), "theta_sum")
    with b.section("sums of input bits to be multiplied"):
        for mask in sorted({m for _, masks in products for m in masks}, key=int.bit_count):
            near = next((other for other in nets if mask ^ other in nets), None)
            if mask not in nets and near is not None:
                nets[mask] = b.xor(nets[near], nets[mask ^ near])
            add_form(b, nets, mask)
    with b.section("each output bit the sum of four products, with the constant 0x63"):
        outputs = [four_products(b, sums, nets, *products[bit], bit) for bit in range(8)]
    b.output("y_o", outputs)
    return b.build()


def four_products(
    b: Builder,
    sums: Mapping[int, Net],
    nets: Mapping[int, Net],
    basis: Sequence[int],
    masks: Sequence[int],
    bit: int,
) -> Net:
    terms = [b.nand(sums[d], nets[mask]) for d, mask in zip(basis, masks, strict=True)]
    low, high = b.xor(terms[0], terms[1]), b.xor(terms[2], terms[3])
    return b.xnor(low, high) if aes_affine(0) >> bit & 1 else b.xor(low, high)


# The search ---------------------------------------------------------------------------------------


ENOUGH = 350.0
"""GE that are free: the part of the front between towers and tables that is searched."""


@dataclass(frozen=True, slots=True)
class Mapped:
    """On osu018, by the script that makes the figure least: area x delay, where area below ENOUGH
    counts as ENOUGH."""

    figure: float
    area_ge: float
    delay_ns: float


def mapped(c: Circuit) -> Mapped:
    made = synthesise(emit_systemverilog(c), find_target("osu018"), goal="delay", scripts=SCRIPTS)
    (module,) = made.modules.values()
    tried = [(area, delay) for area, delay in module.tried.values() if delay]
    return min(
        (Mapped(max(area, ENOUGH) * delay, area, delay) for area, delay in tried),
        key=lambda m: m.figure,
    )


@dataclass(frozen=True, slots=True)
class Kind:
    """An S-box to be searched."""

    title: str
    start: Callable[[Rolls], Circuit]


KINDS = {
    "faster": Kind("less delay than fast on osu018", faster_start),
    "low_depth": Kind("little delay on osu018, without a last layer", low_depth_start),
}
FIRST, MOVES = 20, 300
"""Circuits to start from, and changes tried on the best of them."""


def search(name: str, seed: int) -> None:
    """The best of FIRST choices, then MOVES changes of one choice, kept where no worse."""
    kind, rng = KINDS[name], random.Random(seed)
    kept = figure_of_kept(name)
    now: tuple[Mapped, Rolls] | None = None
    seen = set()
    for move in range(FIRST + MOVES):
        first = now is None or move < FIRST
        rolls = Rolls(rng.getrandbits(32)) if first or now is None else now[1].changed(rng)
        circuit = kind.start(rolls)
        if circuit.gates in seen:
            continue
        seen.add(circuit.gates)
        found = mapped(circuit)
        if now is None or found.figure <= now[0].figure:
            if now is None or found.figure < now[0].figure:
                print(f"  {move}: {found.area_ge:.1f} GE, {found.delay_ns:.3f} ns", flush=True)
            now = found, rolls
        if found.figure < kept:
            kept = found.figure
            keep(name, circuit, f"search, seed {seed}, circuit {move}")


def figure_of_kept(name: str) -> float:
    file = DATA / f"sbox_{name}.txt"
    if not file.exists():
        return float("inf")
    return mapped(parse_listing(file.read_text(), "aes_sbox")).figure


def keep(name: str, circuit: Circuit, step: str) -> None:
    if not prove(circuit, aes_sbox, "exhaustive").passed:
        sys.exit("not the S-box")
    lines = [
        "SPDX-License-Identifier: Apache-2.0",
        f"aes_sbox for {KINDS[name].title}: {cost(circuit).summary()}",
        f"gcmforge-study search two-level search {name}",
        f"step: {step}",
    ]
    (DATA / f"sbox_{name}.txt").write_text(circuit_listing(circuit, lines))


def print_forms() -> None:
    """What there is to choose from."""
    for c in GF16:
        least = min((len(sums_of(way)) for way in ways()[c]), default=0)
        print(f"trace({c} x^17): {len(ways()[c])} ways as four gates, at least {least} sums")
    rng = random.Random(1)
    tried = [fewest_sums(tuple(FAST_NORM), rng) for _ in range(300)]
    least = min(len(set().union(*map(sums_of, chosen.values()))) for chosen in tried)
    print(f"the four bits of `fast`, {tuple(FAST_NORM)}: {least} sums together")
    print(f"trace(1 / y): {len(choices())} ways in two levels, from {len(needs(1))} sets of bits")
    for count in (4, 5, 6, 7):
        most = max(len(within(frozenset(s))) for s in itertools.combinations(GF16, count))
        print(f"{count} bits of the norm: up to {most} of 15 sums of theta in two levels")
    print(f"the nine sums of the tower: from {len(sets_of_bits())} sets of six or seven bits")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", nargs="?", choices=["forms", "search"])
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(KINDS))
    parser.add_argument("--seeds", type=seed_range, default=[1])
    given = parser.parse_args(arguments)
    if given.command == "forms":
        print_forms()
    elif given.command:
        for name, seed in itertools.product(given.names, given.seeds):
            print(f"{name}, seed {seed}")
            search(name, seed)
    else:
        for name in KINDS:
            if not (DATA / f"sbox_{name}.txt").exists():
                continue
            text = (DATA / f"sbox_{name}.txt").read_text()
            found = mapped(parse_listing(text, "aes_sbox"))
            print(
                f"{name}: {found.area_ge:.1f} GE, {found.delay_ns:.3f} ns; {text.splitlines()[3]}"
            )
