# SPDX-License-Identifier: Apache-2.0
"""The cycle law of ghash_shared_reduction, and Abdellatif et al. 2012's Table I cycle by cycle."""

import random
from collections.abc import Sequence

import pytest
from bench import Bench, Instance, Probe, at_random, compile_bench, rtl, side_by_side
from ghash_engines import (
    CONTEXTS,
    Beat,
    Engine,
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
    of_any_length,
    play,
    ragged_message,
    reflect,
    stages_of,
    subkey_source,
)
from leaf_models import dot_text, multiplier_text, variant

from gcmforge.model import gf_mult

pytestmark = pytest.mark.slow

STAGES = {1: (1, 2, 5), 2: (1, 3), 3: (2, 4), 4: (1, 4, 6), 8: (3,), 16: (2,)}
"""Lanes -> stages; "p4q4" is four stages, four lanes."""

PREFIXES = [f"p{stages}q{lanes}" for lanes in STAGES for stages in STAGES[lanes]]


def open_bench() -> Bench:
    """Of p4q4 also the operands, the lanes' powers and the dot product."""
    texts = rtl("gcm_ram", "ghash_shared_reduction")
    engine = texts.pop("ghash_shared_reduction")
    taps = {"operands_o": ("operands", 512), "factors_o": ("factors", 512), "dot_o": ("dot", 128)}
    texts["gf128_mul"] = multiplier_text(1)
    instances = []
    for prefix in PREFIXES:
        lanes, stages = lanes_of(prefix), stages_of(prefix)
        numbered = dot_text(stages, lanes)
        _, texts[f"dot_{prefix}"] = variant("gf128_dot", numbered, lanes, stages)
        name, texts[prefix] = variant("ghash_shared_reduction", engine, lanes, stages)
        instances.append(
            Instance(
                prefix=prefix,
                module=name,
                parameters={"Lanes": lanes, "Stages": stages, "Contexts": CONTEXTS},
                ports=engine_ports(lanes),
                taps=taps if prefix == "p4q4" else {},
            )
        )
    texts["laws_top"] = side_by_side(instances)
    return Bench(compile_bench("laws_top", texts))


def open_with_keys(rng: random.Random) -> tuple[Bench, list[int]]:
    bench = open_bench()
    return bench, new_keys(bench, PREFIXES, rng)


def digest_cycles(beats: Sequence[Beat], arrivals: Sequence[int], stages: int) -> list[int]:
    """The law of the header: a beat is sent the cycle after the p - 1 beats after it, or its
    message's last, are there; one a cycle; the digest comes p + 1 cycles after the last."""
    cycles, sent = [], -1
    for number, (_, last, _) in enumerate(beats):
        end = next(i for i in range(number, len(beats)) if beats[i][1])
        known = arrivals[min(end, number + stages - 1)]
        sent = max(sent, known) + 1
        if last:
            cycles.append(sent + stages + 1)
    return cycles


def check(engine: Engine, keys: Sequence[int]) -> None:
    stages = stages_of(engine.prefix)
    expected = digest_cycles(engine.beats, engine.input.sent, stages)
    assert engine.output.cycles == expected, engine.prefix
    most = digest_law(core_of("shared_reduction", engine.lanes, stages))
    latest = [cycle + most for cycle in engine.last_cycles]
    assert all(a <= b for a, b in zip(expected, latest, strict=True)), engine.prefix
    assert engine.digests() == expected_digests(engine.beats, keys), engine.prefix


def test_messages_follow_one_another_a_beat_a_cycle_and_digests_come_at_the_stated_time():
    rng = random.Random(1)
    bench, keys = open_with_keys(rng)
    engines = of_any_length(bench, PREFIXES, rng)
    play(bench, engines)
    for engine in engines:
        assert is_gapless(engine.input.sent), engine.prefix
        check(engine, keys)


@pytest.mark.parametrize("pause", [0.1, 0.7])
def test_partial_beats_contexts_and_idle_cycles_keep_digest_and_law(pause):
    rng = random.Random(2)
    bench, keys = open_with_keys(rng)
    engines = []
    for prefix in PREFIXES:
        lanes = lanes_of(prefix)
        beats = [b for _ in range(60) for b in ragged_message(rng, lanes, rng.randrange(CONTEXTS))]
        engines.append(Engine(bench, prefix, beats, at_random(rng.getrandbits(32), pause)))
    play(bench, engines)
    for engine in engines:
        check(engine, keys)


def test_a_subkey_load_takes_the_stated_cycles_out_of_running_messages():
    rng = random.Random(3)
    bench, keys = open_with_keys(rng)
    new_key, start = rng.getrandbits(128), bench.cycle + 20
    engines, loads, probes = [], [], []
    for prefix in PREFIXES:
        lanes, stages = lanes_of(prefix), stages_of(prefix)
        beats = []
        while len(beats) < 40 + lanes * stages * (stages + 3):
            beats += ragged_message(rng, lanes, rng.randrange(2))
        engines.append(Engine(bench, prefix, beats))
        loads.append(subkey_source(bench, prefix, 2, new_key, lambda cycle: cycle < start))
        probes.append(
            (Probe(bench, f"{prefix}_in_ready_o"), Probe(bench, f"{prefix}_subkey_done_o"))
        )
    play(bench, engines, *loads, *(probe for pair in probes for probe in pair))
    for engine, load, (ready, done) in zip(engines, loads, probes, strict=True):
        stages, powers = stages_of(engine.prefix), engine.lanes * stages_of(engine.prefix)
        assert load.sent == [start]
        stolen = [ready.first + i for i, value in enumerate(ready.values) if not value]
        assert stolen == [start + 2 + k * (stages + 2) for k in range(powers - 1)], engine.prefix
        busy = [done.first + i for i, value in enumerate(done.values) if not value]
        usable = start + load_law(core_of("shared_reduction", engine.lanes, stages))
        assert busy == list(range(start + 1, usable)), engine.prefix
        assert engine.digests() == expected_digests(engine.beats, keys), engine.prefix
    check_key(bench, PREFIXES, [*keys[:2], new_key])


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_lone_message_takes_n_over_q_plus_p_cycles(prefix):
    rng = random.Random(prefix)
    bench = open_bench()
    load_keys(bench, [prefix], [rng.getrandbits(128)])
    lanes, stages = lanes_of(prefix), stages_of(prefix)
    for beats in (1, 2, stages, stages + 1, 25):
        engine = Engine(bench, prefix, message(rng, lanes, beats * lanes, 0))
        play(bench, [engine])
        first_sent = engine.input.sent[min(stages, beats) - 1] + 1
        assert engine.output.cycles[0] - first_sent == beats + stages


# ---- what the paper prints -----------------------------------------------------------------------

TABLE_I = {
    1: ((1, 16), (2, 15), (3, 14), (4, 13)),
    2: ((5, 12), (6, 11), (7, 10), (8, 9)),
    3: ((9, 8), (10, 7), (11, 6), (12, 5)),
    4: ((13, 4), (14, 3), (15, 2), (16, 1)),
}
"""clk -> for each of the four inputs the M and its exponent of H."""

TABLE_I_SUMS = {4: 1, 5: 2, 6: 3, 7: 4}
"""clk -> which Q comes out."""

TABLE_I_TAG = 8


def test_16_blocks_on_4_lanes_and_4_stages_are_abdellatif_2012_table_i():
    rng = random.Random(16)
    bench = open_bench()
    h = rng.getrandbits(128)
    load_keys(bench, ["p4q4"], [h])
    engine = Engine(bench, "p4q4", message(rng, 4, 16, 0))
    operands, factors, dot = (
        Probe(bench, f"p4q4_{name}_o") for name in ("operands", "factors", "dot")
    )
    play(bench, [engine], operands, factors, dot)
    m = dict(enumerate((block for beat in engine.beats for block in beat[0]), start=1))
    power = {1: h}
    for exponent in range(2, 17):
        power[exponent] = gf_mult(power[exponent - 1], h)
    zero = engine.output.cycles[0] - TABLE_I_TAG  # so that the tag is there in clk 8
    for clk, row in TABLE_I.items():
        for lane, (block, exponent) in enumerate(row):
            low = 128 * (3 - lane)
            assert lane_of(operands.at(zero + clk), low) == m[block], f"clk {clk}: M{block}"
            assert lane_of(factors.at(zero + clk), low) == power[exponent], f"clk {clk}: {exponent}"
    for clk, number in TABLE_I_SUMS.items():
        total = 0
        for block, exponent in TABLE_I[number]:
            total ^= gf_mult(m[block], power[exponent])
        assert reflect(dot.at(zero + clk)) == total, f"clk {clk}: Q{number}"
    assert engine.digests() == expected_digests(engine.beats, [h])


def lane_of(value: int, low: int) -> int:
    """A lane of a bus in polynomial order, as a block."""
    return reflect(value >> low & (1 << 128) - 1)
