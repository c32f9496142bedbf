# SPDX-License-Identifier: Apache-2.0
"""Which LUT cells of a netlist share a LUT6: hand-made netlists; the most pairs by trying all."""

import random
import time
from collections.abc import Mapping, Sequence
from itertools import combinations

import pytest

from gcmforge.netlist.netlist import Bit, Cell, Module, Netlist
from gcmforge.synth.lut_pairs import Lut, fit, functions, module_pairs, pairs, pairs_of


def lut(inputs: Sequence[Bit], output: int) -> Cell:
    pins: dict[str, tuple[Bit, ...]] = {f"I{at}": (bit,) for at, bit in enumerate(inputs)}
    return Cell(type=f"LUT{len(inputs)}", connections={**pins, "O": (output,)})


def module(*cells: Cell, name: str = "m") -> Module:
    named = {f"u{at}": cell for at, cell in enumerate(cells)}
    return Module(name=name, ports={}, cells=named, net_names={})


TOGETHER = {
    "two of the same five nets": ((1, 2, 3, 4, 5), (5, 4, 3, 2, 1)),
    "four and one of them": ((1, 2, 3, 4), (4, 5)),
    "three and two without a net in common": ((1, 2, 3), (4, 5)),
    "four and one without a net in common": ((1, 2, 3, 4), (5,)),
    "constants are no nets": ((1, 2, 3, "0", "1"), (4, 5, "1")),
    "six pins, five nets": ((1, 2, 3, 4, 5, "1"), (5,)),
    "six pins, a net twice": ((1, 2, 3, 4, 5, 5), (1, 2, 3, 4, 5)),
}
APART = {
    "six nets": ((1, 2, 3, 4, 5), (1, 6)),
    "three and three without a net in common": ((1, 2, 3), (4, 5, 6)),
    "four and three with one in common": ((1, 2, 3, 4), (4, 5, 6)),
    "a LUT6 has no room": ((1, 2, 3, 4, 5, 6), (1,)),
    "the second reads the first": ((1, 2), (100, 3)),
    "the first reads the second": ((1, 101), (2, 3)),
    "each reads the other": ((1, 101), (2, 100)),
    "one reads itself": ((1, 100), (1, 2)),
}


@pytest.mark.parametrize("case", TOGETHER)
def test_two_functions_of_five_nets_share_a_lut(case):
    one, other = TOGETHER[case]
    assert module_pairs(module(lut(one, 100), lut(other, 101))) == 1
    assert module_pairs(module(lut(other, 101), lut(one, 100))) == 1


@pytest.mark.parametrize("case", APART)
def test_what_does_not_fit_stays_apart(case):
    one, other = APART[case]
    assert module_pairs(module(lut(one, 100), lut(other, 101))) == 0
    assert module_pairs(module(lut(other, 101), lut(one, 100))) == 0


def test_a_path_over_a_third_cell_is_no_loop():
    """u0 -> u1 -> u2: only u0 and u2 may share a LUT, u2's function of u1 is not u0's."""
    cells = [lut((1, 2), 100), lut((100, 3), 101), lut((101, 4), 102)]
    assert pairs(functions(module(*cells))) == [(0, 2)]


def test_three_functions_of_the_same_nets_are_two_luts():
    assert module_pairs(module(*(lut((1, 2, 3, 4, 5), at) for at in (100, 101, 102)))) == 1


def test_a_lut_with_one_partner_gets_it():
    """a fits b, b fits c, c fits d, nothing else does: two pairs, and not b with c alone."""
    a, b, c, d = (1, 2, 3, 4, 5), (2, 3, 4, 5), (2, 3, 4, 6), (2, 3, 4, 6, 7)
    for order in ((a, b, c, d), (b, c, a, d), (c, b, d, a)):
        cells = [lut(inputs, 100 + at) for at, inputs in enumerate(order)]
        assert module_pairs(module(*cells)) == 2


def test_of_many_that_share_nets_each_large_one_finds_a_small_one():
    """Functions of four nets and of three, all with 1 and 2 among them: no two of four fit, any two
    of three do, and so does one of each. As many of each are that many pairs, of one each."""
    fours = [lut((1, 2, 1000 + 2 * at, 1001 + 2 * at), 5000 + at) for at in range(60)]
    threes = [lut((1, 2, 2000 + at), 6000 + at) for at in range(60)]
    assert module_pairs(module(*fours, *threes)) == 60
    assert module_pairs(module(*threes, *fours)) == 60


def test_many_functions_of_the_same_nets_are_paired_but_for_an_odd_one():
    cells = [lut((1, 2, 3, 4, 5), 100 + at) for at in range(101)]
    assert module_pairs(module(*cells)) == 50


def test_a_lut_of_two_outputs_is_taken():
    five = {f"I{at}": (at + 1,) for at in range(5)}
    taken = Cell(type="LUT6_2", connections={**five, "I5": ("1",), "O5": (90,), "O6": (91,)})
    assert module_pairs(module(taken, lut((1, 2), 100))) == 0


@pytest.mark.parametrize(("kind", "pin"), [("MUXF7", "I0"), ("MUXF8", "I1"), ("CARRY4", "S")])
def test_what_drives_a_multiplexer_or_a_carry_cell_is_alone(kind, pin):
    cells = lut((1, 2), 100), lut((1, 2), 101)
    assert module_pairs(module(*cells)) == 1
    reader = Cell(type=kind, connections={pin: (101,)})
    assert module_pairs(module(*cells, reader)) == 0


def test_pairs_are_of_one_module_and_count_with_its_instances():
    """The inner module has a pair and one function over, in three instances; the top's own
    function finds no partner in them."""
    inner = module(*(lut((1, 2, 3), 100 + at) for at in range(3)), name="inner")
    calls = [Cell(type="inner", connections={}) for _ in range(3)]
    top = module(lut((1, 2, 3), 100), *calls, name="top")
    assert pairs_of(Netlist(modules={"inner": inner, "top": top}, top="top")) == 3


# Random netlists ----------------------------------------------------------------------------------


def random_luts(rng: random.Random, count: int, nets: int) -> list[Lut]:
    """Every other function is also an input of later ones."""
    found: list[Lut] = []
    for at in range(count):
        known = [*range(nets), *(lut.output for lut in found[::2] if isinstance(lut.output, int))]
        size = min(rng.randint(1, 5), len(known))
        found.append(Lut(frozenset(rng.sample(known, size)), nets + at))
    return found


def largest(fits: Mapping[int, set[int]], left: frozenset[int]) -> int:
    """The most pairs there can be: the first one stays alone or takes any of its partners."""
    if len(left) < 2:
        return 0
    first = min(left)
    rest = left - {first}
    return max([largest(fits, rest), *(1 + largest(fits, rest - {o}) for o in fits[first] & rest)])


def test_pairs_of_small_netlists_are_valid_and_nearly_as_many_as_there_can_be():
    rng = random.Random(2011)
    found = possible = 0
    for _ in range(300):
        luts = random_luts(rng, rng.randint(2, 10), rng.randint(4, 9))
        fits: dict[int, set[int]] = {at: set() for at in range(len(luts))}
        for a, b in combinations(range(len(luts)), 2):
            read = luts[a].inputs | luts[b].inputs
            if len(read) <= 5 and not read & {luts[a].output, luts[b].output}:
                fits[a].add(b)
                fits[b].add(a)
        made = pairs(luts)
        assert all(b in fits[a] for a, b in made)
        assert len({at for pair in made for at in pair}) == 2 * len(made)
        most = largest(fits, frozenset(fits))
        assert len(made) <= most
        found, possible = found + len(made), possible + most
    assert possible > 500
    assert found >= 0.98 * possible


@pytest.mark.slow
def test_ten_thousand_luts_are_paired_in_seconds_and_none_is_left_that_fits_another():
    luts = random_luts(random.Random(7), 10_000, 2_000)
    start = time.process_time()
    made = pairs(luts)
    assert time.process_time() - start < 20
    assert made == pairs(luts)
    taken = {at for pair in made for at in pair}
    assert len(taken) == 2 * len(made)
    assert all(fit(luts[a], luts[b]) for a, b in made)
    over = [luts[at] for at in range(len(luts)) if at not in taken]
    assert not any(fit(a, b) for a, b in combinations(over, 2))
