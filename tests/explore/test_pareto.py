# SPDX-License-Identifier: Apache-2.0
"""Pareto fronts, and their definition."""

import random

from gcmforge.explore.pareto import Goal, front

GOALS = (Goal(name="gbit_per_s", more_is_better=True), Goal(name="area_ge", more_is_better=False))


def test_a_front_is_what_nothing_beats():
    rows = [(10, 5), (10, 4), (9, 4), (20, 9), (5, 1), (None, 0), (4, 1), (10, 4)]
    assert front(rows, GOALS) == [1, 3, 4]


def test_fronts_of_random_rows_are_those_of_the_definition():
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    draw = random.Random(seed)
    goals = (*GOALS, Goal(name="latency_cycles", more_is_better=False))
    rows = [tuple(draw.randrange(12) for _ in goals) for _ in range(300)]

    def beats(a, b):
        good = [x >= y if g.more_is_better else x <= y for x, y, g in zip(a, b, goals, strict=True)]
        return all(good) and a != b

    best = [i for i, row in enumerate(rows) if not any(beats(other, row) for other in rows)]
    assert front(rows, goals) == [i for i in best if rows[i] not in rows[:i]]
