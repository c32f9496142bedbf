# SPDX-License-Identifier: Apache-2.0
"""gcm_counters: exact over every carry, at every taking, in each of its three parts."""

import random

import pytest
from bench import Bench, Instance, compile_bench, ports, rtl, side_by_side

WIDTHS = {"narrow": (18, 4), "of one bit": (10, 1), "the register block's": (64, 10)}
"""Bits of a count and of what is added; the first two wrap around in the run."""
COUNT = 3


@pytest.fixture
def bench() -> Bench:
    instances = [
        Instance(
            prefix=f"c{n}", module="gcm_counters",
            parameters={"Count": COUNT, "Width": width, "AddWidth": add},
            ports=ports(add_i=COUNT * add, take_i=1, taken_o=COUNT * width),
        )
        for n, (width, add) in enumerate(WIDTHS.values())
    ]  # fmt: skip
    return Bench(
        compile_bench(
            "laws_top", rtl("gcm_counters", "gcm_increment") | {"laws_top": side_by_side(instances)}
        )
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", WIDTHS)
@pytest.mark.parametrize("rate", [0.05, 0.0005])
def test_every_event_is_in_one_taking(bench, name, rate):
    number, (width, add) = list(WIDTHS).index(name), WIDTHS[name]
    rng = random.Random(f"{name} {rate}")
    sums, before, wanted, taken = [0] * COUNT, [0] * COUNT, [0] * COUNT, 0
    for cycle in range(30_000):
        adds = [rng.choice([0, 1, 2**add - 1, rng.getrandbits(add)]) for _ in range(COUNT)]
        take = rng.random() < rate
        packed = sum(value << (add * n) for n, value in enumerate(adds))
        bench.put(f"c{number}_add_i", packed)
        bench.put(f"c{number}_take_i", take)
        bench.settle()
        got = bench.get(f"c{number}_taken_o")
        assert [got >> (width * n) & (2**width - 1) for n in range(COUNT)] == wanted, cycle
        sums = [total + value for total, value in zip(sums, before, strict=True)]
        if take:
            wanted, sums = [total % 2**width for total in sums], [0] * COUNT
            taken += 1
        before = adds
        bench.edge()
    assert taken > 3
