# SPDX-License-Identifier: Apache-2.0
"""The cycle laws in the headers of ghash_window, for every width of its windows, and of
ghash_residues, for several lanes."""

import random
from functools import cache
from pathlib import Path

import pytest
from bench import Bench, Instance, Probe, at_random, compile_bench, rtl, side_by_side
from ghash_engines import (
    CONTEXTS,
    Engine,
    check,
    check_key,
    digest_law,
    engine_ports,
    is_gapless,
    lanes_of,
    load_law,
    new_keys,
    of_any_length,
    play,
    ragged_message,
    subkey_source,
)
from variants import variant

from gcmforge.config import CoreConfig
from gcmforge.leaf import from_residues, leaf_text, reduce, residues

pytestmark = pytest.mark.slow

PREFIXES = ("w4q1", "w5q2", "w7q2", "w8q1", "w5s2q3", "w4s3q1", "w8s1q1", "rq1", "rq3")
"""ghash_window with windows of so many bits and so many splits; r: ghash_residues."""
LUT_RAM_BITS = 6
"""Wider windows are in block RAM and are loaded during traffic."""


@cache
def compiled() -> Path:
    texts = rtl("gcm_ram", "ghash_table", "ghash_lookup")
    texts["gf128_reduce"] = leaf_text(reduce())
    texts["gf128_residues"] = leaf_text(residues())
    variants = {}
    for prefix in PREFIXES:
        module = "ghash_residues" if of_residues(prefix) else "ghash_window"
        variants[prefix], own = variant(module, prefix, config_of(prefix))
        texts |= own
        if of_residues(prefix):  # its leaf has as many lanes
            leaf = f"gf128_from_residues_{prefix}"
            name = variants[prefix]
            texts[name] = texts[name].replace("gf128_from_residues u_", f"{leaf} u_")
            text = leaf_text(from_residues(lanes_of(prefix)))
            texts[leaf] = text.replace("module gf128_from_residues", f"module {leaf}")
    instances = [
        Instance(
            prefix=prefix,
            module=variants[prefix],
            parameters={
                "Lanes": lanes_of(prefix),
                **({} if of_residues(prefix) else window_parameters(prefix)),
                "Contexts": CONTEXTS,
            },
            ports=engine_ports(lanes_of(prefix)),
        )
        for prefix in PREFIXES
    ]
    texts["laws_top"] = side_by_side(instances)
    return compile_bench("laws_top", texts)


def of_residues(prefix: str) -> bool:
    return prefix.startswith("r")


def config_of(prefix: str) -> CoreConfig:
    if of_residues(prefix):
        return CoreConfig(ghash="residues", lanes=lanes_of(prefix), contexts=CONTEXTS)
    values = window_parameters(prefix)
    return CoreConfig(
        ghash="window", lanes=lanes_of(prefix), contexts=CONTEXTS,
        window_bits=values["WindowBits"], window_splits=values["Splits"],
    )  # fmt: skip


def window_parameters(prefix: str) -> dict[str, int]:
    splits = int(prefix[3]) if prefix[2] == "s" else 0
    return {"WindowBits": window_bits(prefix), "Splits": splits}


def window_bits(prefix: str) -> int:
    return 4 if of_residues(prefix) else int(prefix[1])


def load_cycles(prefix: str) -> int:
    """From the subkey to its tables in place."""
    return load_law(config_of(prefix))


@pytest.fixture
def bench() -> Bench:
    return Bench(compiled())


def test_messages_of_any_length_follow_one_another_a_beat_a_cycle(bench: Bench) -> None:
    rng = random.Random(1)
    keys = new_keys(bench, PREFIXES, rng)
    engines = of_any_length(bench, PREFIXES, rng, long=1)
    play(bench, engines)
    for engine in engines:
        assert is_gapless(engine.input.sent), engine.prefix
        check(engine, keys, digest_law(config_of(engine.prefix)))


@pytest.mark.parametrize("pause", [0.1, 0.7])
def test_partial_beats_contexts_and_idle_cycles_change_neither_digest_nor_its_time(
    bench: Bench, pause: float
) -> None:
    rng = random.Random(2)
    keys = new_keys(bench, PREFIXES, rng)
    engines = []
    for prefix in PREFIXES:
        lanes = lanes_of(prefix)
        beats = [b for _ in range(25) for b in ragged_message(rng, lanes, rng.randrange(CONTEXTS))]
        engines.append(Engine(bench, prefix, beats, at_random(rng.getrandbits(32), pause)))
    play(bench, engines)
    for engine in engines:
        check(engine, keys, digest_law(config_of(engine.prefix)))


@pytest.mark.parametrize("new_key", [0, 1, 2**128 - 1, random.Random(7).getrandbits(128)])
def test_a_subkey_load_takes_the_stated_cycles_out_of_running_messages(
    bench: Bench, new_key: int
) -> None:
    rng = random.Random(3)
    keys = new_keys(bench, PREFIXES, rng)
    start = bench.cycle + 20
    engines, loads, probes = [], [], []
    for prefix in PREFIXES:
        beats = []
        while len(beats) < 40 + load_cycles(prefix) * (window_bits(prefix) > LUT_RAM_BITS):
            beats += ragged_message(rng, min(lanes_of(prefix), 3), rng.randrange(2))
        engines.append(Engine(bench, prefix, beats))
        loads.append(subkey_source(bench, prefix, 2, new_key, lambda cycle: cycle < start))
        probes += [Probe(bench, f"{prefix}_in_ready_o"), Probe(bench, f"{prefix}_subkey_done_o")]
    play(bench, engines, *loads, *probes)
    for engine, load, ready, done in zip(engines, loads, probes[::2], probes[1::2], strict=True):
        assert load.sent == [start]
        busy = [done.first + i for i, value in enumerate(done.values) if not value]
        stolen = [ready.first + i for i, value in enumerate(ready.values) if not value]
        usable = start + load_cycles(engine.prefix)
        assert busy == list(range(start + 1, usable)), engine.prefix
        if window_bits(engine.prefix) > LUT_RAM_BITS:
            assert len(stolen) == engine.lanes - 1, engine.prefix
        else:
            assert stolen == busy, engine.prefix
        check(engine, keys, digest_law(config_of(engine.prefix)))
    check_key(bench, PREFIXES, [*keys[:2], new_key])


def test_each_bit_of_a_block_counts(bench: Bench) -> None:
    """Messages of one block with one bit set, for every lane's first block and a full beat."""
    rng = random.Random(4)
    keys = new_keys(bench, PREFIXES, rng)
    engines = []
    for prefix in PREFIXES:
        lanes = lanes_of(prefix)
        beats = [([1 << n] + [0] * rng.randrange(lanes), True, n % CONTEXTS) for n in range(128)]
        engines.append(Engine(bench, prefix, beats))
    play(bench, engines)
    for engine in engines:
        check(engine, keys, digest_law(config_of(engine.prefix)))


@pytest.mark.parametrize("load_cycles_before", [1, 2, 3, 10, 25])
def test_a_reset_ends_loads_and_messages(bench: Bench, load_cycles_before: int) -> None:
    """In the next cycle an engine is ready for both, and nothing comes of what was under way."""
    rng = random.Random(5)
    new_keys(bench, PREFIXES, rng)
    for prefix in PREFIXES:
        bench.put(f"{prefix}_subkey_valid_i", 1)
    step(bench, 1)
    for prefix in PREFIXES:
        bench.put(f"{prefix}_subkey_valid_i", 0)
    step(bench, load_cycles_before - 1)
    reset(bench)
    offer_last_beats(bench)
    step(bench, 1)
    reset(bench)  # beats are still offered meanwhile
    check_key(bench, PREFIXES, new_keys(bench, PREFIXES, rng))


PORTS = ("valid", "data", "count", "last", "context")


def offer_last_beats(bench: Bench) -> None:
    for prefix in PREFIXES:
        data = (1 << 128 * lanes_of(prefix)) - 1
        for port, value in zip(PORTS, (1, data, 1, 1, 0), strict=True):
            bench.put(f"{prefix}_in_{port}_i", value)


def step(bench: Bench, cycles: int) -> None:
    for _ in range(cycles):
        bench.settle()
        bench.edge()


def reset(bench: Bench) -> None:
    """For one cycle; then nothing is offered, all are ready, and no digest comes."""
    bench.put("rst", 1)
    step(bench, 1)
    bench.put("rst", 0)
    for prefix in PREFIXES:
        bench.put(f"{prefix}_in_valid_i", 0)
    for _ in range(max(map(digest_law, map(config_of, PREFIXES))) + 2):
        bench.settle()
        for prefix in PREFIXES:
            assert bench.get(f"{prefix}_in_ready_o"), prefix
            assert bench.get(f"{prefix}_subkey_done_o"), prefix
            assert not bench.get(f"{prefix}_digest_valid_o"), prefix
        bench.edge()
