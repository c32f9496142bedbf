# SPDX-License-Identifier: Apache-2.0
"""The cycle laws in the headers of the AES engines, of aes_key_expand and of gcm_keys."""

import itertools
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

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
    ports,
    rtl,
    run,
    side_by_side,
)
from leaf_models import aes_texts
from variants import variant

from gcmforge.config import CoreConfig
from gcmforge.config.installed import engines
from gcmforge.emit.leaves import leaf_file
from gcmforge.emit.ports import aes_ports
from gcmforge.model import encrypt_block, key_expansion

SIZE_BYTES = (16, 24, 32)
"""Key bytes by size code."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Engine:
    """An AES engine of a bench; sizes are codes."""

    prefix: str
    lanes: int
    contexts: int
    sizes: tuple[int, ...]
    module: str = "aes_pipelined"
    sharing: bool = False
    travelling: bool = False
    in_step: bool = False
    rounds: int = 1
    loops: int = 1

    @property
    def max_rounds(self) -> int:
        return 10 + 2 * max(self.sizes)

    def config(self, sub_stages: int) -> CoreConfig:
        """A core that has this engine."""
        engine = {"aes_rounds": self.rounds} if self.module == "aes_loop" else {}
        if self.module == "aes_loop_parallel":
            engine = {"aes_loops": self.loops}
        return CoreConfig(
            aes=self.module.removeprefix("aes_"), lanes=self.lanes, contexts=self.contexts,
            key_sizes=tuple(sorted(128 + 64 * size for size in self.sizes)),
            aes_substages=sub_stages, counter_sharing="on" if self.sharing else "off",
            key_schedule="travelling" if self.travelling else "stored",
            slots="line" if self.in_step else "queue",
            ghash="aggregated" if self.in_step else "dot", **engine,
        )  # fmt: skip

    def instance(self, sub_stages: int) -> tuple[Instance, dict[str, str]]:
        """The engine of that core with the parts that the core chose, and their texts."""
        config = self.config(sub_stages)
        module, texts = variant(self.module, self.prefix, config)
        engine = engines("aes")[config.aes]
        return Instance(
            prefix=self.prefix, module=module, parameters=dict(engine.parameters(config)),
            ports=aes_ports(config),
        ), texts  # fmt: skip


ALL_SIZES = Engine(prefix="all", lanes=1, contexts=6, sizes=(0, 1, 2))
TWO_LANES = Engine(prefix="two", lanes=2, contexts=2, sizes=(0, 1))
LONG_KEYS = Engine(prefix="long", lanes=1, contexts=3, sizes=(1, 2))
SHORT_KEY = Engine(prefix="short", lanes=1, contexts=1, sizes=(0,))
SHARED_TWO = Engine(prefix="pair", lanes=2, contexts=1, sizes=(0,), sharing=True)
SHARED_FIVE = Engine(prefix="five", lanes=5, contexts=3, sizes=(0, 1, 2), sharing=True)
TRAVELLING = Engine(prefix="travel", lanes=1, contexts=6, sizes=(0, 1, 2), travelling=True)
TRAVELLING_192 = Engine(prefix="travel192", lanes=1, contexts=1, sizes=(1,), travelling=True)
TRAVELLING_SHORT = Engine(
    prefix="travel_short", lanes=2, contexts=3, sizes=(0, 1), travelling=True, sharing=True
)
IN_STEP = Engine(prefix="step", lanes=1, contexts=3, sizes=(0, 1, 2), in_step=True)
PIPELINED = {
    1: (ALL_SIZES, LONG_KEYS, SHORT_KEY, IN_STEP, SHARED_FIVE, TRAVELLING, TRAVELLING_192),
    2: (ALL_SIZES, TWO_LANES, SHARED_TWO, TRAVELLING_SHORT),
    3: (ALL_SIZES, LONG_KEYS, SHARED_TWO, TRAVELLING, IN_STEP),
    4: (ALL_SIZES, SHORT_KEY),
}
"""By stages a round: the engines that stand side by side."""
LOOP_PARTS = (
    "aes_sub_shift", "aes_mix_columns", "aes_key_turn", "aes_key_start", "aes_loop_keys_stored",
    "aes_loop_keys_travelling", "aes_loop_parallel_keys_stored",
    "aes_loop_parallel_keys_travelling",
)  # fmt: skip
PIPELINED_PARTS = (
    "aes_sub_shift", "aes_mix_columns", "aes_round", "aes_mix_byte", "aes_mix_rest",
    "aes_front_plain", "aes_front_shared", "aes_schedule_stored", "aes_key_step",
    "aes_schedule_travelling", "aes_output_buffer", "aes_output_in_step",
)  # fmt: skip
LOOPS = {
    1: (
        Engine(prefix="loop1", module="aes_loop", lanes=1, contexts=6, sizes=(0, 1, 2)),
        Engine(prefix="wide", module="aes_loop", lanes=2, contexts=1, sizes=(2,)),
        Engine(prefix="loop4", module="aes_loop", lanes=1, contexts=6, sizes=(0, 1, 2), rounds=4),
        Engine(prefix="loop5", module="aes_loop", lanes=1, contexts=1, sizes=(0,), rounds=5),
        Engine(prefix="loop7", module="aes_loop", lanes=1, contexts=2, sizes=(0, 2), rounds=7),
        Engine(
            prefix="goes1", module="aes_loop", lanes=1, contexts=6, sizes=(0, 1, 2), travelling=True
        ),
        Engine(
            prefix="goes4", module="aes_loop", lanes=1, contexts=6, sizes=(0, 1, 2), rounds=4,
            travelling=True,
        ),
        Engine(
            prefix="goes192", module="aes_loop", lanes=1, contexts=1, sizes=(1,), rounds=2,
            travelling=True,
        ),
    ),
    2: (
        Engine(prefix="loop1", module="aes_loop", lanes=1, contexts=2, sizes=(2, 0)),
        Engine(prefix="loop3", module="aes_loop", lanes=1, contexts=3, sizes=(0, 1, 2), rounds=3),
    ),
    3: (
        Engine(prefix="loop2", module="aes_loop", lanes=1, contexts=3, sizes=(0, 1, 2), rounds=2),
        Engine(
            prefix="goes2", module="aes_loop", lanes=1, contexts=3, sizes=(0, 1, 2), rounds=2,
            travelling=True,
        ),
    ),
}  # fmt: skip
"""By stages a round."""
PARALLEL = (
    Engine(
        prefix="turns2", module="aes_loop_parallel", lanes=2, contexts=1, sizes=(1,), loops=2
    ),
    Engine(
        prefix="turns4", module="aes_loop_parallel", lanes=1, contexts=5, sizes=(0, 1, 2), loops=4
    ),
    Engine(
        prefix="goes3", module="aes_loop_parallel", lanes=1, contexts=5, sizes=(0, 1, 2), loops=3,
        travelling=True,
    ),
)  # fmt: skip


def some_of(all_stages: Iterable[int], quick: int) -> list[object]:
    """All of these as parameters, one of them quick."""
    return [pytest.param(n, marks=[pytest.mark.slow] * (n != quick)) for n in all_stages]


def pipelined_bench(sub_stages: int) -> Bench:
    """The engines with that many stages a round, over an S-box of as many."""
    return engines_bench(
        PIPELINED[sub_stages], rtl("gcm_ram", "axis_skid", *PIPELINED_PARTS), sub_stages
    )


def loop_bench(sub_stages: int) -> Bench:
    """The loops with that many stages a round."""
    engines = [*LOOPS[sub_stages], *(PARALLEL if sub_stages == 1 else ())]
    return engines_bench(engines, rtl("gcm_ram", *LOOP_PARTS), sub_stages)


def engines_bench(engines: Iterable[Engine], parts: Mapping[str, str], sub_stages: int) -> Bench:
    """These engines side by side, each with the parts that its configuration chose."""
    texts, instances = {**parts, **aes_texts(sub_stages)}, []
    for engine in engines:
        instance, own = engine.instance(sub_stages)
        instances.append(instance)
        texts |= own
    texts["laws_top"] = side_by_side(instances)
    return Bench(compile_bench("laws_top", texts))


def expand_bench(sub_stages: int) -> Bench:
    """aes_key_expand with the S-box of a built core, cut into that many stages."""
    expand_ports = ports(
        start_i=1,
        key_i=256,
        size_i=2,
        hold_i=1,
        busy_o=1,
        key_valid_o=1,
        key_round_o=4,
        key_data_o=128,
    )
    instances = [
        Instance(
            prefix="expand", module="aes_key_expand", parameters={"SubStages": sub_stages},
            ports=expand_ports,
        )
    ]  # fmt: skip
    texts = rtl("aes_key_expand")
    config = CoreConfig(aes_substages=sub_stages)
    texts["aes_sbox"] = leaf_file(config, "aes_sbox", prove=False).text
    texts["laws_top"] = side_by_side(instances)
    return Bench(compile_bench("laws_top", texts))


@pytest.mark.parametrize("sub_stages", some_of(PIPELINED, 1))
@pytest.mark.parametrize("held", [0.5, 0.9])
def test_key_expansion_is_right_whenever_it_is_held(sub_stages, held):
    rng = random.Random(sub_stages)
    bench = expand_bench(sub_stages)
    for size in (0, 1, 2, 2, 0, 1):
        key = rng.randbytes(SIZE_BYTES[size])
        bench.put("expand_key_i", int.from_bytes(key.ljust(32, b"\xa5"), "big"))
        bench.put("expand_size_i", size)
        bench.put("expand_start_i", 1)
        got = []
        busy = True
        while busy:
            bench.put("expand_hold_i", int(rng.random() < held))
            bench.settle()
            if bench.get("expand_key_valid_o"):
                got.append((bench.get("expand_key_round_o"), bench.get("expand_key_data_o")))
            bench.edge()
            bench.put("expand_start_i", 0)
            bench.settle()
            busy = bool(bench.get("expand_busy_o"))
        assert got == list(enumerate(key_expansion(key)))


class StepSink(Sink):
    """Takes the blocks of an engine that moves in step: it says nowhere which are valid, so it is
    known from what went in that many steps before."""

    def __init__(
        self, bench: Bench, engine: Engine, sub_stages: int, *, wait: Chance = never
    ) -> None:
        p = engine.prefix
        super().__init__(
            bench, f"{p}_out_valid_o", f"{p}_out_ready_i", [f"{p}_out_blocks_o"], wait=wait
        )
        self._enters = f"{p}_in_valid_i"
        self._places = [False] * (engine.max_rounds * sub_stages + 2)

    def sample(self) -> None:
        if not self._takes:
            return
        if self._places.pop():
            super().sample()
        self._places.insert(0, bool(self._bench.get(self._enters)))


class Job:
    """One engine with a key in every context and beats for random contexts."""

    def __init__(
        self, bench: Bench, engine: Engine, seed: int, beats: int,
        *, sub_stages: int = 1, idle: Chance = never, wait: Chance = never,
    ) -> None:  # fmt: skip
        rng, p = random.Random(seed), engine.prefix
        self.engine = engine
        self.sizes = [engine.sizes[c % len(engine.sizes)] for c in range(engine.contexts)]
        keys = [rng.randbytes(SIZE_BYTES[size]) for size in self.sizes]
        self._schedules = [key_expansion(key) for key in keys]
        self._loaded = [
            halves(key, max(self.sizes)) if engine.travelling else schedule
            for key, schedule in zip(keys, self._schedules, strict=True)
        ]
        self.contexts = [rng.randrange(engine.contexts) for _ in range(beats)]
        beat = sharing_blocks if engine.sharing else random_blocks
        self._blocks = [beat(rng, engine.lanes) for _ in range(beats)]
        words = [
            {f"{p}_in_context_i": context, f"{p}_in_size_i": self.sizes[context],
             f"{p}_in_blocks_i": joined(blocks)}
            for context, blocks in zip(self.contexts, self._blocks, strict=True)
        ]  # fmt: skip
        self.input = Source(bench, f"{p}_in_valid_i", f"{p}_in_ready_o", words, idle=idle)
        if engine.in_step:
            self.output: Sink = StepSink(bench, engine, sub_stages, wait=wait)
        else:
            self.output = Sink(
                bench, f"{p}_out_valid_o", f"{p}_out_ready_i", [f"{p}_out_blocks_o"], wait=wait
            )
        self.streams = [self.input, self.output]
        self._load(bench)

    def _load(self, bench: Bench) -> None:
        p = self.engine.prefix
        for context, size in enumerate(self.sizes):
            bench.put(f"{p}_key_context_i", context)
            bench.put(f"{p}_key_size_i", size)
            for r, key in enumerate(self._loaded[context]):
                bench.put(f"{p}_key_round_i", r)
                bench.put(f"{p}_key_data_i", key)
                for valid in (0, 1):  # the round's number stands a cycle before
                    bench.put(f"{p}_key_valid_i", valid)
                    bench.settle()
                    bench.edge()
        bench.put(f"{p}_key_valid_i", 0)

    @property
    def done(self) -> bool:
        return len(self.output.got) == len(self.contexts)

    def right(self) -> bool:
        """Every beat is what the specification says."""
        return self.output.got == [
            (joined([encrypt_block(self._schedules[context], block) for block in blocks]),)
            for context, blocks in zip(self.contexts, self._blocks, strict=True)
        ]


def halves(key: bytes, largest: int) -> list[int]:
    """A key as it is handed over where round keys are made with the data: with the last word of a
    shorter one once more at the end, in front of 32 bits that are not used when the largest has
    192."""
    left = int.from_bytes(key.ljust(32, b"\0"), "big")
    last = int.from_bytes(key[-4:], "big")
    if largest == 2:
        left = left >> 32 << 32 | last
    elif largest == 1:
        left = left >> 64 << 64 | last << 32
    return [left >> 128, left % 2**128]


def random_blocks(rng: random.Random, lanes: int) -> list[int]:
    return [rng.getrandbits(128) for _ in range(lanes)]


def sharing_blocks(rng: random.Random, lanes: int) -> list[int]:
    """Blocks of a beat with the same bytes 0 to 11 and two values in bytes 12 to 14, that of the
    first lane and that of the last."""
    common, first, last = (rng.getrandbits(bits) for bits in (96, 24, 24))
    upper = [first, *(rng.choice((first, last)) for _ in range(lanes - 2)), last]
    return [common << 32 | value << 8 | rng.getrandbits(8) for value in upper]


def joined(blocks: Sequence[int]) -> int:
    """Blocks to a beat, the first on top."""
    beat = 0
    for block in blocks:
        beat = beat << 128 | block
    return beat


def run_all(bench: Bench, jobs: Sequence[Job]) -> None:
    streams = [stream for job in jobs for stream in job.streams]
    run(bench, streams, lambda: all(job.done for job in jobs))


@pytest.mark.slow
@pytest.mark.parametrize("sub_stages", PIPELINED)
def test_pipelined_takes_a_beat_a_cycle_and_every_key_size_the_stated_time(sub_stages):
    bench = pipelined_bench(sub_stages)
    jobs = [
        Job(bench, engine, n, 100, sub_stages=sub_stages)
        for n, engine in enumerate(PIPELINED[sub_stages])
    ]
    run_all(bench, jobs)
    for job in jobs:
        config = job.engine.config(sub_stages)
        latency = config.aes_latency_cycles
        assert all(b - a == 1 for a, b in itertools.pairwise(job.input.sent)), job.engine.prefix
        assert job.output.cycles == [t + latency for t in job.input.sent], job.engine.prefix
        assert job.right(), job.engine.prefix


@pytest.mark.slow
@pytest.mark.parametrize("sub_stages", PIPELINED)
def test_pipelined_keeps_order_and_values_under_pauses(sub_stages):
    bench = pipelined_bench(sub_stages)
    jobs = [
        Job(
            bench,
            engine,
            n,
            60,
            sub_stages=sub_stages,
            idle=at_random(n, 0.3),
            wait=at_random(n + 9, 0.5),
        )
        for n, engine in enumerate(PIPELINED[sub_stages])
    ]
    run_all(bench, jobs)
    for job in jobs:
        assert job.right(), job.engine.prefix


def ring_schedule(engine: Engine, sub_stages: int, sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Cycles in which aes_loop takes each beat and gives it, from the first beat's on."""
    places = engine.rounds * sub_stages
    free = [0] * places  # when a beat may enter at cycles of that remainder
    taken, last_exit, schedule = 0, 0, []
    for size in sizes:
        time = (10 + 2 * size) * sub_stages
        enter = taken + 1
        while free[enter % places] > enter or enter + time <= last_exit:
            enter += 1
        last_exit = enter + time
        free[enter % places] = enter + -(-(10 + 2 * size) // engine.rounds) * places
        schedule.append((taken, last_exit + 1))
        taken = enter
    return schedule


def turns_schedule(engine: Engine, sizes: Sequence[int]) -> list[tuple[int, int]]:
    """The same of aes_loop_parallel."""
    taken, leaves, schedule = 0, [0] * engine.loops, []
    for size in sizes:
        enter = max(taken + 1, leaves[-engine.loops])
        leaves.append(max(enter + 10 + 2 * size, leaves[-1] + 1))
        schedule.append((taken, leaves[-1] + 1))
        taken = enter
    return schedule


@pytest.mark.slow
def test_a_key_that_travels_is_handed_over_in_two_cycles_and_one_that_is_stored_expanded():
    """From the key's handshake to the cycle that asks for the subkey, on an idle core."""
    wires = ports(
        key_valid_i=1, key_ready_o=1, key_i=256, key_size_i=2, key_context_i=2, command_accept_i=1,
        command_context_i=2, hold_i=1, packet_done_i=1, load_start_o=1, load_busy_o=1,
        load_context_o=2, load_size_o=2,
        round_valid_o=1, round_index_o=4, round_key_o=128, subkey_want_o=1, subkey_taken_i=1,
        subkey_valid_i=1, powers_done_i=1, subkey_wrong_i=1,
        lookup_context_i=2, lookup_usable_o=1, lookup_size_o=2,
    )  # fmt: skip
    feeds = ("gcm_key_hand_over", "gcm_key_feed_handed", "gcm_key_feed_expanded")
    texts = rtl("aes_key_expand", "gcm_ram", *feeds) | aes_texts(1)
    instances, cores = [], {}
    for prefix, schedule in (("stored", "stored"), ("travel", "travelling")):
        config = cores[prefix] = CoreConfig(contexts=3, key_schedule=schedule)
        name, own = variant("gcm_keys", prefix, config)
        texts |= own
        instances.append(
            Instance(prefix=prefix, module=name, parameters={"Contexts": 3}, ports=wires)
        )
    bench = Bench(compile_bench("laws_top", texts | {"laws_top": side_by_side(instances)}))
    for size in range(3):
        key = random.Random(size).randbytes(SIZE_BYTES[size])
        for prefix, config in cores.items():
            latency = 5 + config.key_schedule_engine.feed_cycles(config, 10 + 2 * size)
            left = int.from_bytes(key.ljust(32, b"\0"), "big")
            word = {f"{prefix}_key_i": left, f"{prefix}_key_size_i": size}
            word |= {f"{prefix}_key_context_i": size}
            offer = Source(bench, f"{prefix}_key_valid_i", f"{prefix}_key_ready_o", [word])
            fields = [f"{prefix}_round_index_o", f"{prefix}_round_key_o"]
            rounds = Sink(bench, f"{prefix}_round_valid_o", None, fields)
            want = Probe(bench, f"{prefix}_subkey_want_o")
            for name in ("subkey_taken_i", "subkey_valid_i", "powers_done_i"):
                bench.put(f"{prefix}_{name}", 1)
            run(bench, [offer, rounds, want], lambda w=want: w.values[-1:] == [1])
            assert want.values == [0] * latency + [1]
            made = halves(key, 2) if prefix == "travel" else key_expansion(key)
            assert rounds.got == list(enumerate(made))


def test_ring_schedule_is_what_the_header_says():
    """Beats of one key size: as many as there are places in a turn, the latency of the first."""
    ring = Engine(prefix="", lanes=1, contexts=1, sizes=(0,), module="aes_loop", rounds=4)
    assert [take for take, _ in ring_schedule(ring, 1, [0] * 10)][1:] == [
        *(1, 2, 3, 4), *(13, 14, 15, 16), 25
    ]  # fmt: skip
    assert ring_schedule(ring, 3, [2])[0] == (0, 14 * 3 + 2)


@pytest.mark.parametrize("sub_stages", some_of(LOOPS, 2))
def test_loops_take_and_give_beats_of_all_sizes_when_the_law_says(sub_stages):
    bench = loop_bench(sub_stages)
    engines = [*LOOPS[sub_stages], *(PARALLEL if sub_stages == 1 else ())]
    jobs = [Job(bench, engine, n, 60) for n, engine in enumerate(engines)]
    run_all(bench, jobs)
    for job in jobs:
        sizes = [job.sizes[context] for context in job.contexts]
        ring = job.engine.module == "aes_loop"
        schedule = (
            ring_schedule(job.engine, sub_stages, sizes)
            if ring
            else turns_schedule(job.engine, sizes)
        )
        start = job.input.sent[0]
        assert job.input.sent == [start + take for take, _ in schedule], job.engine.prefix
        assert job.output.cycles == [start + give for _, give in schedule], job.engine.prefix
        assert job.right(), job.engine.prefix


@pytest.mark.parametrize("sub_stages", some_of(LOOPS, 2))
def test_loops_keep_order_and_values_under_pauses(sub_stages):
    bench = loop_bench(sub_stages)
    engines = [*LOOPS[sub_stages], *(PARALLEL if sub_stages == 1 else ())]
    jobs = [
        Job(bench, engine, n, 80, idle=at_random(n, pause), wait=at_random(n + 9, 0.9 - pause))
        for pause in (0.1, 0.5, 0.8)
        for n, engine in enumerate(engines)
    ]
    for first in range(0, len(jobs), len(engines)):
        run_all(bench, jobs[first : first + len(engines)])
    for job in jobs:
        assert job.right(), job.engine.prefix


@pytest.mark.parametrize("sub_stages", some_of(PIPELINED, 1))
def test_key_expansion_takes_a_cycle_a_word_and_the_waits_for_the_s_boxes(sub_stages):
    rng = random.Random(sub_stages)
    config = CoreConfig(aes_substages=sub_stages)
    bench = expand_bench(sub_stages)
    for size in (0, 1, 2, 2, 0, 1):  # each started in the first cycle that is not busy
        key = rng.randbytes(SIZE_BYTES[size])
        word = {
            "expand_key_i": int.from_bytes(key.ljust(32, b"\xa5"), "big"),
            "expand_size_i": size,
        }
        start = Source(bench, "expand_start_i", None, [word])
        sink = Sink(bench, "expand_key_valid_o", None, ["expand_key_round_o", "expand_key_data_o"])
        busy = Probe(bench, "expand_busy_o")
        run(bench, [start, sink, busy], lambda b=busy: len(b.values) > 1 and not b.values[-1])
        bench.cycle -= 1  # the last cycle was only looked at
        rounds = 10 + 2 * size
        latency = config.key_schedule_engine.feed_cycles(config, rounds)
        assert sink.got == list(enumerate(key_expansion(key)))
        assert sink.cycles[-1] == start.sent[0] + latency
        assert busy.values == [0] + [1] * latency + [0]
