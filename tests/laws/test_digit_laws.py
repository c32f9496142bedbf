# SPDX-License-Identifier: Apache-2.0
"""The cycle law in the header of ghash_digit, for digits that divide a block and others."""

import itertools
import random
from functools import cache
from pathlib import Path

import pytest
from bench import Bench, Instance, at_random, compile_bench, rtl, side_by_side
from ghash_engines import (
    CONTEXTS,
    Engine,
    check,
    core_of,
    digest_law,
    engine_ports,
    load_keys,
    message,
    new_keys,
    of_any_length,
    play,
)

from gcmforge.config import CoreConfig

DIGITS = (8, 13, 16, 43, 64)
PREFIXES = tuple(f"d{digit}q1" for digit in DIGITS)


def core(prefix: str) -> CoreConfig:
    """A core with the engine of that prefix."""
    return core_of("digit", aes="loop", digit_bits=int(prefix[1:].removesuffix("q1")))


def steps(prefix: str) -> int:
    """Of a block."""
    config = core(prefix)
    return config.ghash_engine.block_cycles(config)


def law(prefix: str) -> int:
    """Cycles from a message's last block to its digest."""
    return digest_law(core(prefix))


@cache
def compiled() -> Path:
    texts = rtl("gcm_ram", "ghash_digit_step", "ghash_digit")
    instances = [
        Instance(
            prefix=prefix,
            module="ghash_digit",
            parameters={"Digit": digit, "Contexts": CONTEXTS},
            ports=engine_ports(1),
        )
        for prefix, digit in zip(PREFIXES, DIGITS, strict=True)
    ]
    texts["laws_top"] = side_by_side(instances)
    return compile_bench("laws_top", texts)


@pytest.fixture
def bench() -> Bench:
    return Bench(compiled())


def test_messages_of_any_length_follow_one_another_a_block_in_the_stated_steps(
    bench: Bench,
) -> None:
    rng = random.Random(1)
    keys = new_keys(bench, PREFIXES, rng)
    engines = of_any_length(bench, PREFIXES, rng, long=0)
    play(bench, engines)
    for engine in engines:
        sent = engine.input.sent
        apart = {later - sooner for sooner, later in itertools.pairwise(sent)}
        assert apart == {steps(engine.prefix)}, engine.prefix
        check(engine, keys, law(engine.prefix))


@pytest.mark.parametrize("pause", [0.1, 0.7])
def test_contexts_and_idle_cycles_change_neither_digest_nor_its_time(
    bench: Bench, pause: float
) -> None:
    rng = random.Random(2)
    keys = new_keys(bench, PREFIXES, rng)
    engines = []
    for prefix in PREFIXES:
        lengths = [rng.randint(1, 6) for _ in range(8)]
        beats = [b for n in lengths for b in message(rng, 1, n, rng.randrange(CONTEXTS))]
        engines.append(Engine(bench, prefix, beats, at_random(rng.getrandbits(32), pause)))
    play(bench, engines)
    for engine in engines:
        check(engine, keys, law(engine.prefix))


def test_each_bit_of_a_block_counts_with_each_end_of_a_key(bench: Bench) -> None:
    keys = [1 << 127, 1, random.Random(3).getrandbits(128)]
    load_keys(bench, PREFIXES, keys)
    beats = [([1 << n], True, n % CONTEXTS) for n in range(128)]
    engines = [Engine(bench, prefix, beats) for prefix in PREFIXES]
    play(bench, engines)
    for engine in engines:
        check(engine, keys, law(engine.prefix))
