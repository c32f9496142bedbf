# SPDX-License-Identifier: Apache-2.0
"""The cycle laws of ghash_interleaved and ghash_log_tail: Satoh 2007's equations (8) register by
register, Mozaffari-Kermani and Reyhani-Masoleh 2012's Table 3, and any message in any beats."""

import math
import random
from collections.abc import Sequence
from functools import cache

import pytest
from bench import (
    Bench,
    Instance,
    Probe,
    at_random,
    compile_bench,
    rtl,
    side_by_side,
)
from ghash_engines import (
    CONTEXTS,
    Beat,
    Engine,
    check_key,
    engine_ports,
    expected_digests,
    load_keys,
    message,
    new_keys,
    play,
    ragged_message,
    reflect,
    subkey_source,
)
from leaf_models import model_text, multiplier_text

from gcmforge.model import gf_mult
from gcmforge.study.papers.satoh2007_cycles import plain_cycles

pytestmark = pytest.mark.slow

LANES = {"interleaved": (2, 3, 4, 5, 8, 16), "log_tail": (2, 4, 8, 16)}
PREFIXES = [f"{name}_{lanes}" for name in LANES for lanes in LANES[name]]
FIRST_PRODUCT = 1
"""Cycles from a message's first beat to its first product, with which the papers start to count."""


def open_bench() -> Bench:
    """All engines as interleaved_2, .., log_tail_16, and serial_1 with them; reg1_o .. reg4_o
    are Satoh's Fig. 2."""
    taps = {f"reg{lane + 1}_o": (f"gen_lane[{lane}].register_q", 128) for lane in range(4)}
    instances = [
        Instance(
            prefix=f"{name}_{lanes}",
            module=f"ghash_{name}",
            parameters={"Lanes": lanes, "Contexts": CONTEXTS},
            ports=engine_ports(lanes),
            taps=taps if (name, lanes) == ("interleaved", 4) else {},
        )
        for name in LANES
        for lanes in LANES[name]
    ]
    instances.append(
        Instance(
            prefix="serial_1",
            module="ghash_serial",
            parameters={"Contexts": CONTEXTS},
            ports=engine_ports(1),
        )
    )
    texts = rtl("gcm_ram", "ghash_serial", "ghash_deal", "ghash_interleaved", "ghash_log_tail")
    texts["gf128_mul"] = multiplier_text(1)
    texts["gf128_squares"] = model_text("gf128_squares")
    texts["laws_top"] = side_by_side(instances)
    return Bench(compile_bench("laws_top", texts))


def tail(engine: Engine, last_beat: int, blocks: int) -> int:
    """Cycles from the last beat to the last product: the laws of the headers."""
    if engine.prefix.startswith("log_tail"):
        return int(math.log2(engine.lanes))
    most = engine.lanes - 1
    return max(min(last_beat, most), min(blocks, most) - 1)


def messages_of(beats: Sequence[Beat]) -> list[list[int]]:
    """For each message the blocks in each of its beats."""
    messages, open_message = [], []
    for blocks, last, _ in beats:
        open_message.append(len(blocks))
        if last:
            messages.append(open_message)
            open_message = []
    return messages


def check(engine: Engine, keys: Sequence[int]) -> None:
    """Digests right, and at the time that the header states."""
    tails = [tail(engine, beats[-1], sum(beats)) for beats in messages_of(engine.beats)]
    expected = [cycle + t + 2 for cycle, t in zip(engine.last_cycles, tails, strict=True)]
    assert engine.output.cycles == expected, engine.prefix
    assert engine.digests() == expected_digests(engine.beats, keys), engine.prefix


def open_with_keys(rng: random.Random) -> tuple[Bench, list[int]]:
    bench = open_bench()
    return bench, new_keys(bench, PREFIXES, rng)


def test_a_message_takes_its_beats_and_the_stated_tail():
    """n = 1 .. 4q and longer, back to back: the next message starts in the tail's last cycle."""
    rng = random.Random(1)
    bench, keys = open_with_keys(rng)
    engines = []
    for prefix in PREFIXES:
        lanes = int(prefix.rpartition("_")[2])
        lengths = [*range(1, 4 * lanes + 1), *range(1, 4 * lanes + 1)]
        lengths += [rng.randint(1, 1000) for _ in range(3)]
        rng.shuffle(lengths)
        beats = [b for n in lengths for b in message(rng, lanes, n, rng.randrange(CONTEXTS))]
        engines.append(Engine(bench, prefix, beats))
    play(bench, engines)
    for engine in engines:
        check(engine, keys)
        cycle = engine.input.sent[0]
        expected = []
        for beats in messages_of(engine.beats):
            expected += range(cycle, cycle + len(beats))
            cycle = expected[-1] + tail(engine, beats[-1], sum(beats))
        assert engine.input.sent == expected, engine.prefix


def test_partial_beats_contexts_and_idle_cycles_change_neither_digest_nor_tail():
    rng = random.Random(2)
    for density in (0.0, 0.4):
        bench, keys = open_with_keys(rng)
        engines = []
        for prefix in PREFIXES:
            lanes = int(prefix.rpartition("_")[2])
            beats = [
                beat
                for _ in range(80)
                for beat in ragged_message(rng, lanes, rng.randrange(CONTEXTS))
            ]
            idle = at_random(rng.getrandbits(32), density)
            engines.append(Engine(bench, prefix, beats, idle))
        play(bench, engines)
        for engine in engines:
            check(engine, keys)


def test_messages_of_one_beat_follow_one_another():
    """The shortest messages: a lane may start a new one while it ends the one before."""
    rng = random.Random(3)
    bench, keys = open_with_keys(rng)
    engines = []
    for prefix in PREFIXES:
        lanes = int(prefix.rpartition("_")[2])
        counts = [rng.randint(1, lanes) for _ in range(200)]
        beats = [([rng.getrandbits(128) for _ in range(n)], True, n % CONTEXTS) for n in counts]
        engines.append(Engine(bench, prefix, beats))
    play(bench, engines)
    for engine in engines:
        check(engine, keys)


@pytest.mark.parametrize("offset", range(3))
def test_a_subkey_load_holds_messages_up_for_the_stated_cycles(offset):
    """interleaved: q - 1 cycles of the multipliers after a tail; log_tail: none."""
    rng = random.Random(40 + offset)
    bench, keys = open_with_keys(rng)
    new_key, start = rng.getrandbits(128), bench.cycle + 20 + offset
    engines, loads, probes = [], [], []
    for prefix in PREFIXES:
        lanes = int(prefix.rpartition("_")[2])
        beats = [b for _ in range(12) for b in ragged_message(rng, lanes, rng.randrange(2))]
        engines.append(Engine(bench, prefix, beats))
        loads.append(subkey_source(bench, prefix, 2, new_key, lambda cycle: cycle < start))
        probes.append(
            (Probe(bench, f"{prefix}_in_ready_o"), Probe(bench, f"{prefix}_subkey_done_o"))
        )
    play(bench, engines, *loads, *(probe for pair in probes for probe in pair))
    for engine, load, (ready, done) in zip(engines, loads, probes, strict=True):
        assert load.sent == [start]
        check(engine, keys)
        busy = [done.first + i for i, value in enumerate(done.values) if not value]
        if engine.prefix.startswith("log_tail"):
            assert busy == [start + 1], engine.prefix
            continue
        in_tail = products_left(engine, start)
        first = start + 1 + in_tail
        assert busy == list(range(start + 1, first + engine.lanes)), engine.prefix
        assert not any(ready.at(c) for c in range(start + 1, first + engine.lanes - 1))
    check_key(bench, PREFIXES, [*keys[:2], new_key])


def products_left(engine: Engine, start: int) -> int:
    """Cycles after `start` in which the tail of a message that ended at or before it goes on."""
    ends = [
        last + tail(engine, beats[-1], sum(beats))
        for last, beats in zip(engine.last_cycles, messages_of(engine.beats), strict=True)
        if last <= start
    ]
    return max(0, *(end - start for end in ends)) if ends else 0


# ---- what the papers print -----------------------------------------------------------------------

TABLE_3_CYCLES = {
    "serial": lambda n, q: n,
    "interleaved": lambda n, q: n // q + q - 1,
    "log_tail": lambda n, q: n // q + int(math.log2(q)),
}
"""Mozaffari 2012, Table 3, latencies of "Sequential", "[31], [32]" (Satoh) and "Proposed"."""


@cache
def cycles_alone(name: str, lanes: int, blocks: int) -> int:
    """Cycles in which a lone message of full beats has products or its final sum."""
    rng = random.Random(blocks)
    bench = open_bench()
    load_keys(bench, [f"{name}_{lanes}"], [rng.getrandbits(128)])
    engine = Engine(bench, f"{name}_{lanes}", message(rng, lanes, blocks, 0))
    play(bench, [engine])
    return engine.output.cycles[0] - engine.input.sent[0] - FIRST_PRODUCT


@pytest.mark.parametrize(
    ("name", "lanes"), [("serial", 1), *((name, q) for name in LANES for q in (2, 4, 8, 16))]
)
def test_a_lone_message_takes_the_cycles_of_mozaffari_2012_table_3(name, lanes):
    for beats in (1, 2, 3, 7, 40):
        assert cycles_alone(name, lanes, beats * lanes) == TABLE_3_CYCLES[name](
            beats * lanes, lanes
        )


def test_16_blocks_on_8_lanes_take_the_5_and_9_cycles_that_mozaffari_2012_states():
    assert cycles_alone("log_tail", 8, 16) == 5
    assert cycles_alone("interleaved", 8, 16) == 9


@pytest.mark.parametrize("lanes", [2, 4, 8])
def test_a_lone_message_takes_the_cycles_that_satoh_2007_is_judged_by(lanes):
    """Its blocks and the length block: the products, and the cycle of the sum after them."""
    for blocks in range(2 * lanes + 2):
        simulated = cycles_alone("interleaved", lanes, blocks + 1)
        assert simulated == plain_cycles(blocks, lanes) + 1, blocks


def test_the_registers_hold_satoh_2007_equations_8a_to_8e():
    """q = 4, ten blocks, Fig. 4: Reg1 to Reg4 at the end of each cycle."""
    rng = random.Random(8)
    bench = open_bench()
    h = rng.getrandbits(128)
    load_keys(bench, ["interleaved_4"], [h])
    engine = Engine(bench, "interleaved_4", message(rng, 4, 10, 0))
    registers = [Probe(bench, f"interleaved_4_reg{number}_o") for number in (1, 2, 3, 4)]
    play(bench, [engine], *registers)
    a = {number + 1: block for number, block in enumerate(b for x in engine.beats for b in x[0])}
    h4 = gf_mult(gf_mult(h, h), gf_mult(h, h))
    t = {i: gf_mult(a[i], h4) for i in (1, 2, 3, 4)}
    t |= {i: gf_mult(t[i - 4] ^ a[i], h4) for i in (5, 6, 7)}
    t8_prime = gf_mult(t[4] ^ a[8], h)
    t8_second, t9_prime = gf_mult(t8_prime, h), gf_mult(t[5] ^ a[9], h)
    t[8], t[9], t[10] = gf_mult(t8_second, h), gf_mult(t9_prime, h), gf_mult(t[6] ^ a[10], h)
    equations = {
        "8.a": (t[1], t[2], t[3], t[4]),
        "8.b": (t[5], t[6], t[7], t8_prime),
        "8.c": (t9_prime, t[10], t[7], t8_second),
        "8.d": (t[9], t[10], t[7], t[8]),
    }
    first = engine.input.sent[0] + FIRST_PRODUCT
    for number, (name, expected) in enumerate(equations.items()):
        held = tuple(reflect(register.at(first + number + 1)) for register in registers)
        assert held == expected, name
    x10 = t[7] ^ t[8] ^ t[9] ^ t[10]  # (8.e), the fifth cycle
    assert engine.digests() == [x10] == expected_digests(engine.beats, [h])
    assert engine.output.cycles == [first + 5]
