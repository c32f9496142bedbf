# SPDX-License-Identifier: Apache-2.0
"""The cycle laws in the headers of ghash_serial, ghash_dot and ghash_evaluated, and
Satoh 2007's equations (9).

All lane counts of one stage count stand side by side and run at once.
"""

import math
import random

import pytest
from bench import (
    Bench,
    Instance,
    Probe,
    at_random,
    compile_bench,
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
    load_keys,
    load_law,
    message,
    new_keys,
    play,
    ragged_message,
    reflect,
    subkey_source,
)
from leaf_models import key_texts, multiplier_text, variant

from gcmforge.config import CoreConfig
from gcmforge.model import gf_mult

LANES = (1, 2, 3, 4, 8)
STAGES = (1, 2, 3, 4, 5, 6)
some_stages = [pytest.param(n, marks=[pytest.mark.slow] * (n != 1)) for n in STAGES]
SERIAL = "serial"
EVALUATED_LANES = (1, 3, 8)
PIPELINED = [*(f"q{lanes}" for lanes in LANES), *(f"e{lanes}" for lanes in EVALUATED_LANES)]
"""ghash_dot and ghash_evaluated."""


def open_bench(stages: int) -> Bench:
    """ghash_dot with that many stages as q1, q2, ..., ghash_evaluated as e1, e2, ...; ghash_serial
    with those of one stage."""
    texts = rtl("gcm_ram", "ghash_sums", "ghash_dot", "ghash_evaluated", "ghash_serial")
    evaluated = texts.pop("ghash_evaluated")
    texts |= key_texts(stages, EVALUATED_LANES)
    instances = [
        Instance(
            prefix=f"q{lanes}",
            module="ghash_dot",
            parameters={"Lanes": lanes, "Stages": stages, "Contexts": CONTEXTS},
            ports=engine_ports(lanes),
            taps={"sum_o": ("u_sums.sums_q[0]", 128)},
        )
        for lanes in LANES
    ]
    for lanes in EVALUATED_LANES:
        name, texts[f"evaluated_{lanes}"] = variant("ghash_evaluated", evaluated, lanes, stages)
        instances.append(
            Instance(
                prefix=f"e{lanes}",
                module=name,
                parameters={
                    "Lanes": lanes, "Stages": stages, "KeyBits": 256, "Contexts": CONTEXTS
                },
                ports=engine_ports(lanes),
            )
        )  # fmt: skip
    if stages == 1:
        parameters = {"Contexts": CONTEXTS}
        instances.append(
            Instance(
                prefix=SERIAL, module="ghash_serial", parameters=parameters, ports=engine_ports(1)
            )
        )
    texts["gf128_mul"] = multiplier_text(stages)
    texts["laws_top"] = side_by_side(instances)
    return Bench(compile_bench("laws_top", texts))


def prefixes_of(stages: int) -> list[str]:
    return [*PIPELINED, *[SERIAL] * (stages == 1)]


def core(prefix: str, stages: int) -> CoreConfig:
    """A core with the engine of that prefix."""
    if prefix == SERIAL:
        return core_of("serial")
    return core_of("dot" if prefix.startswith("q") else "evaluated", lanes_of(prefix), stages)


def latency(prefix: str, stages: int) -> int:
    return digest_law(core(prefix, stages))


@pytest.mark.slow
@pytest.mark.parametrize("stages", some_stages)
def test_messages_follow_one_another_a_beat_a_cycle_and_digests_come_at_the_stated_time(stages):
    rng = random.Random(stages)
    bench = open_bench(stages)
    keys = new_keys(bench, prefixes_of(stages), rng)
    engines = []
    for prefix in prefixes_of(stages):
        lanes = lanes_of(prefix)
        lengths = [*range(1, 4 * lanes + 1), *range(1, 4 * lanes + 1)]
        lengths += [rng.randint(1, 1000) for _ in range(3)]
        rng.shuffle(lengths)
        beats = [b for n in lengths for b in message(rng, lanes, n, rng.randrange(CONTEXTS))]
        assert len(beats) == sum(math.ceil(n / lanes) for n in lengths)
        engines.append(Engine(bench, prefix, beats))
    play(bench, engines)
    for engine in engines:
        assert is_gapless(engine.input.sent), engine.prefix
        check(engine, keys, latency(engine.prefix, stages))


@pytest.mark.slow
@pytest.mark.parametrize("stages", some_stages)
def test_partial_beats_contexts_and_idle_cycles_change_neither_digest_nor_its_time(stages):
    rng = random.Random(100 + stages)
    bench = open_bench(stages)
    keys = new_keys(bench, prefixes_of(stages), rng)
    engines = []
    for prefix in prefixes_of(stages):
        lanes = lanes_of(prefix)
        beats = [b for _ in range(60) for b in ragged_message(rng, lanes, rng.randrange(CONTEXTS))]
        engines.append(Engine(bench, prefix, beats, at_random(rng.getrandbits(32), 0.4)))
    play(bench, engines)
    for engine in engines:
        check(engine, keys, latency(engine.prefix, stages))


@pytest.mark.parametrize("stages", some_stages)
def test_a_subkey_load_takes_the_stated_turns_out_of_running_messages(stages):
    rng = random.Random(200 + stages)
    bench = open_bench(stages)
    keys = new_keys(bench, PIPELINED, rng)
    new_key, start = rng.getrandbits(128), bench.cycle + 20
    engines, loads, probes = [], [], []
    for prefix in PIPELINED:
        lanes = lanes_of(prefix)
        beats = []
        while len(beats) < 40 + lanes * stages * (stages + 4):
            beats += ragged_message(rng, lanes, rng.randrange(2))  # the last context is loaded
        engines.append(Engine(bench, prefix, beats))
        loads.append(subkey_source(bench, prefix, 2, new_key, lambda cycle: cycle < start))
        probes.append(
            (Probe(bench, f"{prefix}_in_ready_o"), Probe(bench, f"{prefix}_subkey_done_o"))
        )
    play(bench, engines, *loads, *(probe for pair in probes for probe in pair))
    for engine, load, (ready, done) in zip(engines, loads, probes, strict=True):
        powers = engine.lanes * stages
        assert load.sent == [start]
        turns = [start + 2 + k * (stages + 3) for k in range(powers - 1)]
        stolen = [ready.first + i for i, value in enumerate(ready.values) if not value]
        assert stolen == turns, engine.prefix
        busy = [done.first + i for i, value in enumerate(done.values) if not value]
        usable = start + load_law(core(engine.prefix, stages))
        assert busy == list(range(start + 1, usable)), engine.prefix
        assert engine.output.cycles == [
            digest_cycle(cycle, stages, set(turns)) for cycle in engine.last_cycles
        ], engine.prefix
        assert engine.digests() == expected_digests(engine.beats, keys), engine.prefix
    check_key(bench, PIPELINED, [*keys[:2], new_key])


def digest_cycle(last_beat: int, stages: int, stolen: set[int]) -> int:
    """The last of a message's sums has its turn after `stages` turns that are not stolen; its
    product is the digest stages + 2 cycles later."""
    cycle, turns = last_beat, 0
    while turns < stages:
        cycle += 1
        turns += cycle not in stolen
    return cycle + stages + 2


def test_the_running_sum_holds_satoh_2007_equations_9a_to_9c():
    """q = 4, one stage, ten blocks: Fig. 5. RegX holds X4, X8, X10 in cycles 3, 4, 5."""
    rng = random.Random(9)
    bench = open_bench(1)
    h = rng.getrandbits(128)
    load_keys(bench, ["q4"], [h])
    engine = Engine(bench, "q4", message(rng, 4, 10, 0))
    register = Probe(bench, "q4_sum_o")
    run(bench, [*engine.streams, register], lambda: engine.done)
    blocks = [block for beat, _, _ in engine.beats for block in beat]
    power = {1: h}
    for exponent in range(2, 11):
        power[exponent] = gf_mult(power[exponent - 1], h)

    def dot(first: int, *exponents: int) -> int:
        """A_first H^e + A_(first + 1) H^e' + ..., blocks counted from 1."""
        total = 0
        for offset, exponent in enumerate(exponents):
            total ^= gf_mult(blocks[first - 1 + offset], power[exponent])
        return total

    x4 = dot(1, 4, 3, 2, 1)
    x8 = gf_mult(x4, power[4]) ^ dot(5, 4, 3, 2, 1)
    x10 = gf_mult(x8, power[2]) ^ dot(9, 2, 1)
    assert x8 == dot(1, 8, 7, 6, 5, 4, 3, 2, 1)
    assert x10 == dot(1, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
    first = engine.input.sent[0]
    assert [reflect(register.at(first + cycle)) for cycle in (3, 4, 5)] == [x4, x8, x10]
    assert engine.digests() == [x10]
