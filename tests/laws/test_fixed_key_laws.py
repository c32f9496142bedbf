# SPDX-License-Identifier: Apache-2.0
"""The cycle laws in the headers of ghash_fixed*.sv, with every digest compared with GHASH of
SP 800-38D. All shapes stand side by side, under the top that their folders have.

The logic of the key is the paper's table here, which compiles fast; that what is handed over
computes the same is proven for every module that is made.
"""

import math
import random
import re

import pytest
from bench import Bench, Instance, Sink, Source, at_random, compile_bench, never, run, side_by_side

from gcmforge.config.kinds import fixed_ghash
from gcmforge.emit.rtl import handwritten
from gcmforge.leaf.fixed_key import fixed_matrix
from gcmforge.model import ghash
from gcmforge.specialise import make_plan
from gcmforge.specialise.module import top_text

pytestmark = pytest.mark.slow

SUBKEY = 0x66E94BD4EF8A2C3B884CFA59CA342B2E
"""Of the key of zeros: SP 800-38D's test case 1, published."""

PLANS = {
    "one": make_plan(),
    "two": make_plan(cycles=2),
    "chain4": make_plan(stages=4),
    "chain1": make_plan(stages=1),
    "skewed3": make_plan(stages=3, skewed=True),
    "lanes2": make_plan(lanes=2),
    "lanes3": make_plan(lanes=3),
}


def table_text(lanes: int) -> str:
    """gf128_fixed as algorithm 2 of the paper: the sum of the rows of T that the bits choose."""
    images = fixed_matrix(SUBKEY, lanes).transpose().rows
    rows = "\n".join(f"  assign t[{i}] = 128'h{image:032x};" for i, image in enumerate(images))
    return f"""module gf128_fixed (
  input  logic [{128 * lanes - 1}:0] a_i,
  output logic [127:0] c_o
);
  logic [127:0] t[{128 * lanes}];
{rows}
  always_comb begin
    c_o = '0;
    for (int i = 0; i < {128 * lanes}; i++) c_o = c_o ^ (t[i] & {{128{{a_i[i]}}}});
  end
endmodule
"""


@pytest.fixture(scope="module")
def library():
    texts, instances = {}, []
    for name, plan in PLANS.items():
        own = {"gf128_fixed": table_text(plan.lanes), "ghash_key": top_text(plan)}
        own[plan.module] = handwritten()[plan.module].read_text(encoding="utf-8")
        for module, text in own.items():
            renamed = re.sub(rf"\b({'|'.join(own)})\b", rf"\1_{name}", text)
            texts[f"{module}_{name}"] = renamed
        instances.append(
            Instance(prefix=name, module=f"ghash_key_{name}", parameters={}, ports=plan.ports)
        )
    texts["laws_top"] = side_by_side(instances)
    return compile_bench("laws_top", texts)


class Engine:
    """One specialised module with its streams; messages are lists of blocks."""

    def __init__(self, bench, name, messages, idle=never):
        self.name, self.plan, self.messages = name, PLANS[name], messages
        self.beats = [beat for message in messages for beat in self._beats(message)]
        self.input = Source(
            bench, f"{name}_in_valid_i", f"{name}_in_ready_o", list(map(self._word, self.beats)),
            idle=idle,
        )  # fmt: skip
        self.output = Sink(bench, f"{name}_digest_valid_o", None, [f"{name}_digest_o"])
        self.streams = [self.input, self.output]

    def _beats(self, message):
        """Full beats and the rest; a chain has zeros before a short message."""
        n = self.plan.blocks
        if self.plan.shape == "chain":
            return [([0] * (n - len(message)) + message, True)]
        parts = [message[i : i + n] for i in range(0, len(message), n)]
        return [(part, i == len(parts) - 1) for i, part in enumerate(parts)]

    def _word(self, beat):
        blocks, last = beat
        data = 0
        for lane in range(self.plan.blocks):  # noise where there is no block
            data = data << 128 | (blocks[lane] if lane < len(blocks) else random.getrandbits(128))
        word = {"in_data_i": data, "in_count_i": len(blocks), "in_last_i": last}
        if self.plan.blocks == 1:
            word["in_count_i"] = 1
        return {f"{self.name}_{port}": value for port, value in word.items()}

    @property
    def done(self):
        return self.input.done and len(self.output.got) == len(self.messages)

    def check(self):
        pairs = zip(self.input.sent, self.beats, strict=True)
        ends = [cycle for cycle, (_, last) in pairs if last]
        law = self.plan.latency_cycles
        assert self.output.cycles == [cycle + law for cycle in ends], self.name
        digests = [value for (value,) in self.output.got]
        assert digests == [ghash(SUBKEY, message) for message in self.messages], self.name


def messages_for(name, rng, lengths):
    most = PLANS[name].blocks if PLANS[name].shape == "chain" else 1000
    return [[rng.getrandbits(128) for _ in range(min(n, most))] for n in lengths]


def engines_of(bench, rng, lengths, idle=None):
    names = [name for name, plan in PLANS.items() if not plan.skewed]
    return [
        Engine(bench, name, messages_for(name, rng, lengths), idle(rng) if idle else never)
        for name in names
    ]


def run_all(bench, engines):
    streams = [stream for engine in engines for stream in engine.streams]
    run(bench, streams, lambda: all(engine.done for engine in engines))
    for engine in engines:
        engine.check()


def test_digests_come_at_the_stated_time_and_messages_without_a_gap(library):
    rng = random.Random(7)
    lengths = [*range(1, 17), *range(1, 17), *(rng.randint(1, 1000) for _ in range(3))]
    rng.shuffle(lengths)
    engines = engines_of(Bench(library), rng, lengths)
    run_all(engines[0].input._bench, engines)
    for engine in engines:
        per_beat = engine.plan.beat_cycles
        first, last = engine.input.sent[0], engine.input.sent[-1]
        beats = sum(
            1 if engine.plan.shape == "chain" else math.ceil(len(m) / engine.plan.blocks)
            for m in engine.messages
        )
        assert last - first == per_beat * (beats - 1), engine.name


def test_idle_cycles_change_neither_digests_nor_their_time(library):
    rng = random.Random(8)
    engines = engines_of(
        Bench(library), rng, [rng.randint(1, 12) for _ in range(40)],
        lambda rng: at_random(rng.getrandbits(32), 0.4),
    )  # fmt: skip
    run_all(engines[0].input._bench, engines)


def test_a_skewed_chain_takes_each_block_a_cycle_later_than_the_one_before(library):
    bench, rng, name = Bench(library), random.Random(9), "skewed3"
    messages = [[rng.getrandbits(128) for _ in range(3)] for _ in range(20)]
    digests = []
    for cycle in range(len(messages) + 3):
        data = 0
        for stage in range(3):
            at = cycle - stage
            block = messages[at][stage] if 0 <= at < len(messages) else rng.getrandbits(128)
            data = data << 128 | block
        bench.put(f"{name}_in_data_i", data)
        bench.put(f"{name}_in_valid_i", cycle < len(messages))
        bench.settle()
        if bench.get(f"{name}_digest_valid_o"):
            digests.append((cycle, bench.get(f"{name}_digest_o")))
        bench.edge()
    assert digests == [(i + 3, ghash(SUBKEY, m)) for i, m in enumerate(messages)]


def test_every_hand_written_module_of_a_fixed_key_is_here():
    engine = fixed_ghash()
    modules = {name for name, path in handwritten().items() if path.parent.name == engine.module}
    plans = [*PLANS.values(), make_plan(stages=4, feedback=True)]  # test_feedback_laws.py
    assert modules - {engine.core_module} == {plan.module for plan in plans}
    assert {plan.shape for plan in plans} == engine.shapes.keys()
