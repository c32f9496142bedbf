# SPDX-License-Identifier: Apache-2.0
"""The cycle laws in the headers of ghash_serial and ghash_dot, and Satoh 2007's equations (9).

All lane counts of one stage count stand side by side and run at once.
"""

import math
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from bench import (
    Bench,
    Chance,
    Instance,
    Probe,
    Sink,
    Source,
    at_random,
    compile_bench,
    never,
    rtl,
    run,
    side_by_side,
)

from gcmforge.build.ports import Port, ghash_ports
from gcmforge.config import CoreConfig
from gcmforge.model import gf_mult, ghash

LANES = (1, 2, 3, 4, 8)
STAGES = (1, 2, 3, 4, 5, 6)
CONTEXTS = 3
SERIAL = "serial"

Beat = tuple[list[int], bool, int]
"""Blocks, whether it is the message's last, context."""


def reflect(block: int) -> int:
    """Block order to polynomial order and back."""
    return int(f"{block:0128b}"[::-1], 2)


def engine_ports(lanes: int) -> tuple[Port, ...]:
    return ghash_ports(CoreConfig(lanes=lanes, ghash="dot", contexts=CONTEXTS))


def open_bench(stages: int) -> Bench:
    """ghash_dot with that many stages as q1, q2, ...; ghash_serial beside those of one stage."""
    instances = [
        Instance(
            prefix=f"q{lanes}",
            module="ghash_dot",
            parameters={"Lanes": lanes, "Stages": stages, "Contexts": CONTEXTS},
            ports=engine_ports(lanes),
            taps={"sum_o": ("sums_q[0]", 128)},
        )
        for lanes in LANES
    ]
    if stages == 1:
        parameters = {"Contexts": CONTEXTS}
        instances.append(
            Instance(
                prefix=SERIAL, module="ghash_serial", parameters=parameters, ports=engine_ports(1)
            )
        )
    leaf = Path(__file__).with_name("gf128_mul.sv").read_text(encoding="utf-8")
    texts = rtl("gcm_ram", "ghash_dot", "ghash_serial")
    texts["gf128_mul"] = leaf.replace("= STAGES", f"= {stages}")
    texts["laws_top"] = side_by_side(instances)
    return Bench(compile_bench("laws_top", texts))


class Engine:
    """One engine of a bench with its streams."""

    def __init__(
        self, bench: Bench, prefix: str, beats: Sequence[Beat], idle: Chance = never
    ) -> None:
        self.prefix, self.beats = prefix, beats
        self.lanes = 1 if prefix == SERIAL else int(prefix[1:])
        self.input = Source(
            bench, f"{prefix}_in_valid_i", f"{prefix}_in_ready_o",
            [self._word(beat) for beat in beats], idle=idle,
        )  # fmt: skip
        self.output = Sink(bench, f"{prefix}_digest_valid_o", None, [f"{prefix}_digest_o"])
        self.streams = [self.input, self.output]

    def _word(self, beat: Beat) -> dict[str, int]:
        blocks, last, context = beat
        data = 0
        for lane in range(self.lanes):  # noise where there is no block
            block = blocks[lane] if lane < len(blocks) else random.getrandbits(128)
            data = data << 128 | reflect(block)
        word = {"in_data_i": data, "in_count_i": len(blocks), "in_last_i": last}
        word["in_context_i"] = context
        return {f"{self.prefix}_{name}": value for name, value in word.items()}

    @property
    def done(self) -> bool:
        return self.input.done and len(self.output.got) == len(self.last_cycles)

    @property
    def last_cycles(self) -> list[int]:
        """Cycles of the messages' last beats."""
        pairs = zip(self.input.sent, self.beats, strict=False)
        return [cycle for cycle, (_, last, _) in pairs if last]

    def digests(self) -> list[int]:
        return [reflect(value) for (value,) in self.output.got]


def expected_digests(beats: Sequence[Beat], keys: Sequence[int]) -> list[int]:
    digests, message = [], []
    for blocks, last, context in beats:
        message += blocks
        if last:
            digests.append(ghash(keys[context], message))
            message = []
    return digests


def load_keys(bench: Bench, prefixes: Sequence[str], keys: Sequence[int]) -> None:
    for context, key in enumerate(keys):
        words = [subkey_source(bench, prefix, context, key) for prefix in prefixes]
        probes = [Probe(bench, f"{prefix}_subkey_done_o") for prefix in prefixes]
        run(bench, words, lambda words=words: all(word.done for word in words))
        run(
            bench,
            [*words, *probes],
            lambda p=probes: all(len(x.values) > 1 and x.values[-1] for x in p),
        )


def subkey_source(
    bench: Bench, prefix: str, context: int, key: int, idle: Chance = never
) -> Source:
    word = {f"{prefix}_subkey_context_i": context, f"{prefix}_subkey_i": reflect(key)}
    return Source(bench, f"{prefix}_subkey_valid_i", None, [word], idle=idle)


def message(rng: random.Random, lanes: int, blocks: int, context: int) -> list[Beat]:
    """Full beats, and what is left in the last."""
    data = [rng.getrandbits(128) for _ in range(blocks)]
    parts = [data[i : i + lanes] for i in range(0, blocks, lanes)]
    return [(part, i == len(parts) - 1, context) for i, part in enumerate(parts)]


def ragged_message(rng: random.Random, lanes: int, context: int) -> list[Beat]:
    """Beats of any number of blocks, as after the end of a section."""
    count = rng.randint(1, 12)
    return [
        ([rng.getrandbits(128) for _ in range(rng.randint(1, lanes))], i == count - 1, context)
        for i in range(count)
    ]


def prefixes_of(stages: int) -> list[str]:
    return [f"q{lanes}" for lanes in LANES] + [SERIAL] * (stages == 1)


def latency(prefix: str, stages: int) -> int:
    """From the last beat to the digest: the law of the headers."""
    return 2 if prefix == SERIAL else 2 * stages + 2


def is_gapless(cycles: Sequence[int]) -> bool:
    return list(cycles) == list(range(cycles[0], cycles[0] + len(cycles)))


@pytest.mark.parametrize("stages", STAGES)
def test_messages_follow_one_another_a_beat_a_cycle_and_digests_come_at_the_stated_time(stages):
    rng = random.Random(stages)
    bench = open_bench(stages)
    keys = [rng.getrandbits(128) for _ in range(CONTEXTS)]
    load_keys(bench, prefixes_of(stages), keys)
    engines = []
    for prefix in prefixes_of(stages):
        lanes = 1 if prefix == SERIAL else int(prefix[1:])
        lengths = [*range(1, 4 * lanes + 1), *range(1, 4 * lanes + 1)]
        lengths += [rng.randint(1, 1000) for _ in range(3)]
        rng.shuffle(lengths)
        beats = [b for n in lengths for b in message(rng, lanes, n, rng.randrange(CONTEXTS))]
        assert len(beats) == sum(math.ceil(n / lanes) for n in lengths)
        engines.append(Engine(bench, prefix, beats))
    streams = [stream for engine in engines for stream in engine.streams]
    run(bench, streams, lambda: all(engine.done for engine in engines))
    for engine in engines:
        law = latency(engine.prefix, stages)
        assert is_gapless(engine.input.sent), engine.prefix
        assert engine.output.cycles == [cycle + law for cycle in engine.last_cycles], engine.prefix
        assert engine.digests() == expected_digests(engine.beats, keys), engine.prefix


@pytest.mark.parametrize("stages", STAGES)
def test_partial_beats_contexts_and_idle_cycles_change_neither_digest_nor_its_time(stages):
    rng = random.Random(100 + stages)
    bench = open_bench(stages)
    keys = [rng.getrandbits(128) for _ in range(CONTEXTS)]
    load_keys(bench, prefixes_of(stages), keys)
    engines = []
    for prefix in prefixes_of(stages):
        lanes = 1 if prefix == SERIAL else int(prefix[1:])
        beats = [b for _ in range(60) for b in ragged_message(rng, lanes, rng.randrange(CONTEXTS))]
        engines.append(Engine(bench, prefix, beats, at_random(rng.getrandbits(32), 0.4)))
    streams = [stream for engine in engines for stream in engine.streams]
    run(bench, streams, lambda: all(engine.done for engine in engines))
    for engine in engines:
        law = latency(engine.prefix, stages)
        assert engine.output.cycles == [cycle + law for cycle in engine.last_cycles], engine.prefix
        assert engine.digests() == expected_digests(engine.beats, keys), engine.prefix


@pytest.mark.parametrize("stages", STAGES)
def test_a_subkey_load_takes_the_stated_turns_out_of_running_messages(stages):
    rng = random.Random(200 + stages)
    bench = open_bench(stages)
    prefixes = [f"q{lanes}" for lanes in LANES]
    keys = [rng.getrandbits(128) for _ in range(CONTEXTS)]
    load_keys(bench, prefixes, keys)
    new_key, start = rng.getrandbits(128), bench.cycle + 20
    engines, loads, probes = [], [], []
    for lanes, prefix in zip(LANES, prefixes, strict=True):
        beats = []
        while len(beats) < 40 + lanes * stages * (stages + 4):
            beats += ragged_message(rng, lanes, rng.randrange(2))  # the last context is loaded
        engines.append(Engine(bench, prefix, beats))
        loads.append(subkey_source(bench, prefix, 2, new_key, lambda cycle: cycle < start))
        probes.append(
            (Probe(bench, f"{prefix}_in_ready_o"), Probe(bench, f"{prefix}_subkey_done_o"))
        )
    streams = [stream for engine in engines for stream in engine.streams]
    streams += [*loads, *(probe for pair in probes for probe in pair)]
    run(bench, streams, lambda: all(engine.done for engine in engines))
    for engine, load, (ready, done) in zip(engines, loads, probes, strict=True):
        powers = engine.lanes * stages
        assert load.sent == [start]
        turns = [start + 2 + k * (stages + 3) for k in range(powers - 1)]
        stolen = [ready.first + i for i, value in enumerate(ready.values) if not value]
        assert stolen == turns, engine.prefix
        busy = [done.first + i for i, value in enumerate(done.values) if not value]
        usable = start + (powers - 1) * (stages + 3) + 2
        assert busy == list(range(start + 1, usable)), engine.prefix
        assert engine.output.cycles == [
            digest_cycle(cycle, stages, set(turns)) for cycle in engine.last_cycles
        ], engine.prefix
        assert engine.digests() == expected_digests(engine.beats, keys), engine.prefix
    check_key(bench, prefixes, [*keys[:2], new_key])


def digest_cycle(last_beat: int, stages: int, stolen: set[int]) -> int:
    """The last of a message's sums has its turn after `stages` turns that are not stolen; its
    product is the digest stages + 2 cycles later."""
    cycle, turns = last_beat, 0
    while turns < stages:
        cycle += 1
        turns += cycle not in stolen
    return cycle + stages + 2


def check_key(bench: Bench, prefixes: Sequence[str], keys: Sequence[int]) -> None:
    """Messages under every context have the right digests."""
    rng = random.Random(1)
    engines = []
    for prefix in prefixes:
        lanes = int(prefix[1:])
        beats = [b for c in range(CONTEXTS) for b in message(rng, lanes, 3 * lanes + 1, c)]
        engines.append(Engine(bench, prefix, beats))
    streams = [stream for engine in engines for stream in engine.streams]
    run(bench, streams, lambda: all(engine.done for engine in engines))
    for engine in engines:
        assert engine.digests() == expected_digests(engine.beats, keys), engine.prefix


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
