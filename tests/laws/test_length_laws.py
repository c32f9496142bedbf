# SPDX-License-Identifier: Apache-2.0
"""The law of gcm_length: what it adds up and when it says that a limit is passed."""

import random
from itertools import pairwise

import pytest
from bench import Bench, Instance, compile_bench, ports, rtl, side_by_side

LIMITS = {
    "tiny": (16, 16), "less than a step": (16, 256), "four steps": (64, 16), "five": (80, 16),
    "odd": (1003, 16), "wide": (2**12, 80), "low bits": (255, 16), "a carry": (256, 16),
    "largest": (2**36 - 32, 16), "far": (2**20, 2**13), "in few steps": (2**36 - 32, 2**30),
    "sixteen lanes": (2**36 - 32, 256),
}  # fmt: skip
"""Limit and largest step, in bytes."""

LONGEST = 150
"""Steps of a section, about."""


@pytest.fixture
def bench() -> Bench:
    instances = [
        Instance(
            prefix=f"l{n}", module="gcm_length", parameters={"Max": f"64'd{most}", "Step": step},
            ports=ports(
                rst=1, add_i=1, end_i=1, step_i=step.bit_length(), sum_o=64, over_o=1
            ),
        )
        for n, (most, step) in enumerate(LIMITS.values())
    ]  # fmt: skip
    texts = rtl("gcm_length", "gcm_increment")
    return Bench(compile_bench("laws_top", texts | {"laws_top": side_by_side(instances)}))


def sections(rng: random.Random, step: int, most: int, count: int) -> list[list[int]]:
    """Steps of sections whose sums lie around the limit, or far below when that is far away."""
    found = []
    for _ in range(count):
        end = rng.choice([most, most + 1, most - 1, rng.randrange(most + 2 * step)])
        end = min(end, LONGEST * step)
        steps: list[int] = []
        while sum(steps) < end:
            full = rng.random() < 0.7
            steps.append(min(end - sum(steps), step if full else rng.randrange(step + 1)))
        found.append(steps or [0])
    return found


def step_of(bench: Bench, number: int, *, offered: bool = False, end: bool = False) -> None:
    """A cycle with what is offered, or without a step."""
    if not offered:
        bench.put(f"l{number}_add_i", 0)
        bench.put(f"l{number}_end_i", int(end))
        bench.settle()
    bench.edge()
    bench.settle()


@pytest.mark.slow
@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("pause", [0.0, 0.5])
def test_sums_are_right_and_the_first_step_above_the_limit_is_told(bench, name, pause):
    number, (most, step) = list(LIMITS).index(name), LIMITS[name]
    rng = random.Random(number)
    told = 0
    for steps in sections(rng, step, most, 100):
        total = 0
        for n, size in enumerate(steps):
            while rng.random() < pause:
                step_of(bench, number)
            last, over = n == len(steps) - 1, total + size > most
            ends = last and not (over and rng.random() < 0.5)
            bench.put(f"l{number}_step_i", size)
            bench.put(f"l{number}_add_i", 1)
            bench.put(f"l{number}_end_i", int(ends))
            bench.settle()
            total += size
            assert bench.get(f"l{number}_over_o") == over
            step_of(bench, number, offered=True)
            assert bench.get(f"l{number}_sum_o") == total
            if last or over:
                told += over
                if not ends:  # a packet that is too long ends later, and adds no more
                    step_of(bench, number, end=True)
                break
    assert told or most > LONGEST * step


@pytest.mark.parametrize("name", ["largest", "sixteen lanes"])
def test_upper_bits_follow_a_long_sum_exactly(bench, name):
    """Full steps, one a cycle, far above the low bits."""
    number, step = list(LIMITS).index(name), LIMITS[name][1]
    bench.put(f"l{number}_step_i", step)
    bench.put(f"l{number}_add_i", 1)
    sums = []
    for _ in range(5000):
        bench.settle()
        assert not bench.get(f"l{number}_over_o")
        step_of(bench, number, offered=True)
        sums.append(bench.get(f"l{number}_sum_o"))
    assert sums[0] == step
    assert all(b - a == step for a, b in pairwise(sums))
