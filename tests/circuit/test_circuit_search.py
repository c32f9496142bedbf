# SPDX-License-Identifier: Apache-2.0
"""The search for few XORs: right, within its bounds, repeatable, stoppable."""

import random

import pytest

from gcmforge.circuit import (
    Builder,
    Plan,
    XorProgram,
    boyar_peralta,
    improve_program,
    least_depth,
    paar,
    parse_program,
    search_linear,
    xors_behind,
)
from gcmforge.field import BitMatrix, aes_mix_column

MIX_COLUMNS = BitMatrix.of_map(aes_mix_column, 32, 32).rows
SHORT = Plan(seeds=(1, 2, 3), rounds=2, moves=30_000)


def depth_of(program, arrivals):
    """The depth of the deepest output, counted here once more."""
    depth = list(arrivals)
    for p, q in program.steps:
        depth.append(max(depth[p], depth[q]) + 1)
    return max(depth[n] for n in program.outputs if n is not None)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("width", [12, 90])
def test_what_is_found_is_the_map_within_the_depth(seed, width):
    rng = random.Random(seed)
    rows = [sum(1 << j for j in rng.sample(range(width), 7)) for _ in range(20)] + [0, 1]
    arrivals = [rng.randrange(3) for _ in range(width)]
    bound = least_depth(rows, arrivals) + seed % 3
    plan = Plan(seeds=(seed,), rounds=2, moves=20_000, scan=3 + seed)
    found = search_linear(rows, bound, width=width, arrivals=arrivals, plan=plan)
    assert found.program.rows() == rows
    assert depth_of(found.program, arrivals) == found.program.depth <= bound
    assert found.program.xors <= paar(rows, bound, width=width, arrivals=arrivals).xors
    assert found.complete


def test_mix_columns_gets_well_below_the_greedy_in_a_moment():
    found = search_linear(MIX_COLUMNS, 3, plan=Plan(seeds=(1,), rounds=1, moves=300_000))
    assert found.start_xors >= 106
    assert found.program.xors <= 104


def test_equal_seeds_give_equal_programs_on_any_number_of_threads():
    one = search_linear(MIX_COLUMNS, 4, plan=SHORT, workers=1)
    three = search_linear(MIX_COLUMNS, 4, plan=SHORT, workers=3)
    assert (one.program, one.seed, one.by_seed) == (three.program, three.seed, three.by_seed)
    assert len({xors for _, xors in one.by_seed}) > 1, "seeds that all do the same show nothing"
    assert one.program.xors == min(xors for _, xors in one.by_seed)


def test_time_limit_stops_early_says_so_and_keeps_what_was_found():
    plan = Plan(seeds=(1, 2), rounds=1_000, moves=10_000_000)
    found = search_linear(MIX_COLUMNS, 4, plan=plan, time_limit_s=0.5)
    assert not found.complete
    assert found.seconds < 5
    assert found.program.rows() == list(MIX_COLUMNS)
    assert found.program.xors < found.start_xors


def test_a_stopped_search_goes_on_and_ends_where_it_would_have_ended(tmp_path):
    file = tmp_path / "state.json"
    short = Plan(seeds=(4, 5), rounds=1, moves=20_000)
    longer = Plan(seeds=(4, 5), rounds=3, moves=20_000)
    search_linear(MIX_COLUMNS, 5, plan=short, checkpoint=file)
    done = []
    resumed = search_linear(
        MIX_COLUMNS, 5, plan=longer, checkpoint=file, progress=lambda *args: done.append(args)
    )
    assert {(seed, rounds) for seed, rounds, _ in done} == {(4, 2), (4, 3), (5, 2), (5, 3)}
    at_once = search_linear(MIX_COLUMNS, 5, plan=longer)
    assert (resumed.program, resumed.by_seed) == (at_once.program, at_once.by_seed)


def test_checkpoint_of_another_search_is_refused(tmp_path):
    file = tmp_path / "state.json"
    plan = Plan(seeds=(1,), rounds=1, moves=1_000)
    search_linear(MIX_COLUMNS, 5, plan=plan, checkpoint=file)
    with pytest.raises(ValueError, match="belongs to another search"):
        search_linear(MIX_COLUMNS, 4, plan=plan, checkpoint=file)


def test_the_first_seed_that_meets_the_goal_is_the_answer():
    free = search_linear(MIX_COLUMNS, 4, plan=SHORT)
    goal = sorted(xors for _, xors in free.by_seed)[1]  # two of the three seeds get there
    first = next(seed for seed, xors in free.by_seed if xors <= goal)
    plan = Plan(seeds=(1, 2, 3), rounds=2, moves=30_000, goal=goal)
    for workers in (1, 3):
        found = search_linear(MIX_COLUMNS, 4, plan=plan, workers=workers)
        assert (found.seed, found.program.xors, found.complete) == (first, goal, True)


def test_an_existing_program_is_improved_and_gates_of_equal_value_become_one():
    width = 70
    steps = []

    def chain(inputs):
        """The sum of these inputs, one after the other."""
        term = inputs[0]
        for j in inputs[1:]:
            steps.append((term, j))
            term = width + len(steps) - 1
        return term

    ranges = [range(width), range(2, width), [0, 1, 3], [0, 1, 3]]
    program = XorProgram.of(width, steps, [chain(inputs) for inputs in ranges])
    rows = [sum(1 << j for j in inputs) for inputs in ranges]
    assert program.rows() == rows
    found = improve_program(program, plan=Plan(seeds=(1,), rounds=1, moves=100_000, scan=4))
    assert found.program.rows() == rows
    assert found.program.xors == 70  # 67 for the second row; 0+1; the first row; 0+1+3


def test_a_program_deeper_than_the_bound_is_refused():
    program = XorProgram.of(3, [(0, 1), (2, 3)], [4])
    with pytest.raises(ValueError, match="deeper than max_depth=1"):
        improve_program(program, 1)


@pytest.mark.parametrize("settings", [{"rounds": 0}, {"cold": 2.0}, {"scan": 1}, {"seeds": ()}])
def test_a_senseless_plan_is_refused(settings):
    with pytest.raises(ValueError, match="need"):
        Plan(**settings)


def test_boyar_peralta_uses_cancellation_where_paar_cannot():
    # a+b, a+b+c, a+b+c+d, b+c+d: the last one is the third plus a
    rows = [0b0011, 0b0111, 0b1111, 0b1110]
    found = boyar_peralta(rows, width=4)
    assert found.rows() == rows
    assert found.xors == 4
    assert paar(rows, width=4).xors == 5


@pytest.mark.parametrize("seed", range(8))
def test_boyar_peralta_keeps_to_the_depth(seed):
    rng = random.Random(seed)
    rows = [rng.randrange(1, 1 << 9) for _ in range(12)]
    arrivals = [rng.randrange(3) for _ in range(9)]
    bound = least_depth(rows, arrivals) + seed % 2
    found = boyar_peralta(rows, bound, width=9, arrivals=arrivals, seed=seed)
    assert found.rows() == rows
    assert depth_of(found, arrivals) == found.depth <= bound


def test_xors_behind_takes_out_the_linear_end_of_a_circuit():
    b = Builder("sample")
    x = b.input("x_i", 6)
    product = b.and_(b.xor(x[0], x[1]), x[2])
    other = b.or_(x[3], x[4])
    b.output("y_o", [b.xor(product, b.xor(other, x[5])), other])
    c = b.build()
    sources = [x[5], c.output_nets[1], c.first_gate + 1]
    program, arrivals = xors_behind(c, sources)
    assert program.rows() == [0b111, 0b010]
    assert arrivals == (0, 0, 1)
    assert program.depth == 2
    with pytest.raises(ValueError, match="not an XOR"):
        xors_behind(c, sources[:2])


def test_text_of_a_program_is_read_back():
    program = XorProgram.of(3, [(0, 1), (2, 3)], [4, None, 3])
    text = program.text(["what it is", "who found it"])
    assert text.startswith("# what it is\n# who found it\ninputs 3\ngates\n0+1 2+3\n")
    assert parse_program(text) == program
