# SPDX-License-Identifier: Apache-2.0
"""The cycle law in the header of ghash_aggregated, for every number of lanes and stages.

Its leaf has fixed lanes and stages, so each pair of them is compiled under names of its own; all
stage counts of one lane count stand side by side and run at once.
"""

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from bench import (
    Bench,
    Chance,
    Instance,
    Probe,
    Source,
    at_random,
    compile_bench,
    never,
    rtl,
    run,
    side_by_side,
)
from ghash_engines import (
    CONTEXTS,
    Engine,
    check,
    check_key,
    core_of,
    digest_law,
    engine_ports,
    expected_digests,
    is_gapless,
    lanes_of,
    load_law,
    new_keys,
    of_any_length,
    play,
    ragged_message,
    reflect,
    stages_of,
    subkey_source,
)
from leaf_models import dot_text, multiplier_text, variant
from variants import variant as bound

from gcmforge.emit.ports import Port
from gcmforge.model.ghash import gf_mult

FIRST = Port(name="subkey_first_i", direction="input", width=1)

HELD = ("gcm_ram", "gcm_copy", "ghash_aggregated_rest_early", "ghash_aggregated_rest_now")
"""Modules that ghash_aggregated or a part of it holds."""

QUICK = {2: (1, 2)}
"""Lanes -> stages of `make check`."""

EVERY = [
    *QUICK,
    *(
        pytest.param(lanes, marks=pytest.mark.slow, id=f"{lanes}-every stage")
        for lanes in (1, 2, 3, 4, 8, 16)
    ),
]


def law_of(prefix: str) -> int:
    """From a message's last beat to its digest, with few contexts."""
    return digest_law(core_of("aggregated", lanes_of(prefix), stages_of(prefix)))


@cache
def compiled(lanes: int, all_stages: Sequence[int]) -> Path:
    texts = rtl(*HELD)
    texts["gf128_mul"] = multiplier_text(1)
    instances = []
    for stages in all_stages:
        numbered = dot_text(stages, lanes)
        name, texts[f"dot_{stages}"] = variant("gf128_dot", numbered, lanes, stages)
        core = core_of("aggregated", lanes, stages)
        name, engine = bound("ghash_aggregated", f"p{stages}q{lanes}", core)
        texts |= engine
        _, texts[name] = variant("ghash_aggregated", engine[name], lanes, stages)
        parameters = {"Lanes": lanes, "Stages": stages, "Contexts": CONTEXTS}
        instances.append(
            Instance(
                prefix=f"p{stages}q{lanes}",
                module=name,
                parameters=parameters,
                ports=(*engine_ports(lanes), FIRST),
            )
        )
    texts["laws_top"] = side_by_side(instances)
    return compile_bench("laws_top", texts)


@pytest.fixture(params=EVERY)
def opened(request: pytest.FixtureRequest) -> tuple[Bench, list[str]]:
    """A bench and the prefixes of its engines."""
    lanes, slow = request.param, "every" in request.node.name
    all_stages = (1, 2, 3, 4, 5, 6) if slow else QUICK[lanes]
    prefixes = [f"p{stages}q{lanes}" for stages in all_stages]
    return Bench(compiled(lanes, all_stages)), prefixes


def test_messages_of_any_length_follow_one_another_a_beat_a_cycle(opened):
    bench, prefixes = opened
    rng = random.Random(prefixes[0])
    keys = new_keys(bench, prefixes, rng)
    engines = of_any_length(bench, prefixes, rng)
    play(bench, engines)
    for engine in engines:
        assert is_gapless(engine.input.sent), engine.prefix
        check(engine, keys, law_of(engine.prefix))


@pytest.mark.parametrize("pause", [0.1, 0.7])
def test_partial_beats_contexts_and_idle_cycles_change_neither_digest_nor_its_time(opened, pause):
    bench, prefixes = opened
    rng = random.Random(prefixes[0])
    keys = new_keys(bench, prefixes, rng)
    engines = []
    for prefix in prefixes:
        lanes = lanes_of(prefix)
        beats = [b for _ in range(25) for b in ragged_message(rng, lanes, rng.randrange(CONTEXTS))]
        engines.append(Engine(bench, prefix, beats, at_random(rng.getrandbits(32), pause)))
    play(bench, engines)
    for engine in engines:
        check(engine, keys, law_of(engine.prefix))


def test_a_subkey_load_takes_the_stated_cycles_out_of_running_messages(opened):
    bench, prefixes = opened
    rng = random.Random(prefixes[0])
    keys = new_keys(bench, prefixes, rng)
    new_key, start = rng.getrandbits(128), bench.cycle + 20
    engines, loads, probes = [], [], []
    for prefix in prefixes:
        lanes, stages = lanes_of(prefix), stages_of(prefix)
        beats = []
        while len(beats) < 40 + lanes * stages * (law_of(prefix) + 2):
            context = rng.randrange(2)  # the last one is loaded
            beats += ragged_message(rng, min(lanes, 3), context)
        engines.append(Engine(bench, prefix, beats))
        loads.append(subkey_source(bench, prefix, 2, new_key, lambda cycle: cycle < start))
        probes += [Probe(bench, f"{prefix}_in_ready_o"), Probe(bench, f"{prefix}_subkey_done_o")]
    play(bench, engines, *loads, *probes)
    for engine, load, ready, done in zip(engines, loads, probes[::2], probes[1::2], strict=True):
        law, turns = law_of(engine.prefix), engine.lanes * stages_of(engine.prefix) - 1
        assert load.sent == [start]
        stolen = [ready.first + i for i, value in enumerate(ready.values) if not value]
        assert stolen == [start + 2 + k * (law + 1) for k in range(turns)], engine.prefix
        busy = [done.first + i for i, value in enumerate(done.values) if not value]
        usable = start + load_law(core_of("aggregated", engine.lanes, stages_of(engine.prefix)))
        assert busy == list(range(start + 1, usable)), engine.prefix
        check(engine, keys, law_of(engine.prefix))
    check_key(bench, prefixes, [*keys[:2], new_key])


def given(stages: int, lanes: int) -> tuple[Bench, str]:
    """An engine that is given its powers and reads them ahead: one of twenty contexts."""
    texts = rtl(*HELD)
    texts["gf128_mul"] = multiplier_text(1)
    texts["gf128_dot"] = dot_text(stages, lanes)
    prefix = f"p{stages}q{lanes}"
    name, engine = bound("ghash_aggregated", prefix, core_of("aggregated", lanes, stages))
    texts |= engine
    instance = Instance(
        prefix=prefix, module=name,
        parameters={"Lanes": lanes, "Stages": stages, "Contexts": 20, "PowersGiven": 1},
        ports=(*engine_ports(lanes, 20), FIRST),
    )  # fmt: skip
    texts["laws_top"] = side_by_side([instance])
    return Bench(compile_bench("laws_top", texts)), prefix


@pytest.mark.slow
@pytest.mark.parametrize(("stages", "lanes"), [(1, 2), (2, 2), (3, 1)])
def test_powers_from_outside_take_no_cycle_and_memories_are_read_ahead(stages, lanes):
    """Digests come 2p cycles after the last beat, with one stage 3; the powers of the third context
    come while messages of the first two run."""
    bench, prefix = given(stages, lanes)
    rng = random.Random(prefix)
    keys = [rng.getrandbits(128) for _ in range(3)]

    def powers(context: int, idle: Chance = never) -> Source:
        power, words = 1 << 127, []
        for number in range(lanes * stages):
            power = gf_mult(power, keys[context])
            words.append(
                {
                    f"{prefix}_subkey_i": reflect(power),
                    f"{prefix}_subkey_first_i": number == 0,
                    f"{prefix}_subkey_context_i": context,
                }
            )
        return Source(bench, f"{prefix}_subkey_valid_i", None, words, idle=idle)

    for context in (0, 1):
        load = powers(context)
        run(bench, [load], lambda load=load: load.done)
        run(
            bench,
            [Probe(bench, f"{prefix}_subkey_done_o")],
            lambda end=bench.cycle + 3: bench.cycle >= end,
        )
    for contexts, load in (((0, 1), powers(2, at_random(7, 0.6))), ((0, 1, 2), None)):
        beats = [b for _ in range(30) for b in ragged_message(rng, lanes, rng.choice(contexts))]
        engine = Engine(bench, prefix, beats)
        play(bench, [engine], *([load] if load else []))
        law = digest_law(core_of("aggregated", lanes, stages, contexts=20, key_unit="dedicated"))
        assert is_gapless(engine.input.sent)
        assert engine.output.cycles == [cycle + law for cycle in engine.last_cycles]
        assert engine.digests() == expected_digests(beats, keys)
