# SPDX-License-Identifier: Apache-2.0
"""gcm_iv_counter: the IVs of SP 800-38D 8.2.1, none twice under one key, and none too many."""

import random
from collections import Counter

import pytest
from bench import (
    Bench,
    Instance,
    Sink,
    Source,
    at_random,
    compile_bench,
    ports,
    rtl,
    run,
    side_by_side,
)

CONTEXTS, DEPTH = 3, 4
LIMITS = {5: 0.03, 16: 0.01, 150: 0.002}
"""Packets under one key, the last with many carries into the count's upper bits; for each how often
a key is taken in a cycle."""
WIDTHS = {
    "key_take_i": 1, "key_context_i": 2, "key_fixed_i": 32, "command_valid_i": 1,
    "command_ready_o": 1, "command_context_i": 2, "command_decrypt_i": 1,
    "command_iv_bytes_i": 16, "command_iv_i": 128, "command_valid_o": 1, "command_ready_i": 1,
    "command_iv_bytes_o": 16, "command_iv_o": 128, "answer_take_i": 1, "answer_iv_o": 96,
}  # fmt: skip


@pytest.fixture(params=LIMITS)
def limit(request: pytest.FixtureRequest) -> int:
    return request.param


@pytest.fixture
def bench(limit: int) -> Bench:
    instance = Instance(
        prefix="iv", module="gcm_iv_counter", ports=ports(**WIDTHS),
        parameters={"Contexts": CONTEXTS, "Limit": limit, "Depth": DEPTH},
    )  # fmt: skip
    texts = rtl("gcm_ram", "gcm_fifo", "gcm_iv_words", "gcm_iv_counter")
    return Bench(compile_bench("laws_top", texts | {"laws_top": side_by_side([instance])}))


class Keys:
    """Takes a key now and then, and answers packets; knows what every command must get."""

    def __init__(self, bench: Bench, limit: int, seed: int) -> None:
        self.limit = limit
        self.bench, self.rng = bench, random.Random(seed)
        self.fixed: dict[int, bytes] = {}
        self.counts: Counter[int] = Counter()
        self.epoch: Counter[int] = Counter()
        self.wanted: list[bytes] = []
        self.answered = 0
        self.seen: set[tuple[int, int, bytes]] = set()
        self.refused = 0

    def put(self) -> None:
        bench, rng = self.bench, self.rng
        self.take = bench.cycle < CONTEXTS or rng.random() < LIMITS[self.limit]
        self.context = bench.cycle if bench.cycle < CONTEXTS else rng.randrange(CONTEXTS)
        self.key_fixed = rng.randbytes(4)
        bench.put("iv_key_take_i", self.take)
        bench.put("iv_key_context_i", self.context)
        bench.put("iv_key_fixed_i", int.from_bytes(self.key_fixed, "little"))
        self.answer = self.answered < len(self.wanted) and rng.random() < 0.5
        bench.put("iv_answer_take_i", self.answer)

    def sample(self) -> None:
        bench = self.bench
        if self.answer:
            got = bench.get("iv_answer_iv_o").to_bytes(12, "little")
            assert got == self.wanted[self.answered]
            self.answered += 1
        if bench.get("iv_command_valid_o") and bench.get("iv_command_ready_i"):
            self.command()
        if self.take:  # a command of the same cycle was still under the key before
            self.fixed[self.context] = self.key_fixed
            self.counts[self.context] = 0
            self.epoch[self.context] += 1

    def command(self) -> None:
        bench = self.bench
        context = bench.get("iv_command_context_i")
        shown = bench.get("iv_command_iv_o").to_bytes(16, "little")[:12]
        if bench.get("iv_command_decrypt_i"):
            given = bench.get("iv_command_iv_i").to_bytes(16, "little")[:12]
            assert (shown, bench.get("iv_command_iv_bytes_o")) == (given, 12)
            self.wanted.append(given)
            return
        count = self.counts[context]
        if count == self.limit:
            assert bench.get("iv_command_iv_bytes_o") == 0
            self.wanted.append(bytes(12))
            self.refused += 1
            return
        assert shown == self.fixed[context] + count.to_bytes(8, "big")
        assert bench.get("iv_command_iv_bytes_o") == 12
        use = (context, self.epoch[context], shown)
        assert use not in self.seen, "an IV came twice under one key"
        self.seen.add(use)
        self.counts[context] += 1
        self.wanted.append(shown)


@pytest.mark.parametrize("seed", range(4))
def test_every_packet_gets_the_next_iv_of_its_key_and_no_more_than_the_limit(bench, limit, seed):
    rng = random.Random(seed)
    words = [
        {
            "iv_command_context_i": rng.randrange(CONTEXTS), "iv_command_iv_bytes_i": 12,
            "iv_command_decrypt_i": rng.random() < 0.3, "iv_command_iv_i": rng.getrandbits(128),
        }
        for _ in range(600 if limit < 100 else 2400)
    ]  # fmt: skip
    keys = Keys(bench, limit, seed)
    wait, idle = at_random(seed, 0.3 if seed else 0.0), lambda cycle: cycle < CONTEXTS + 1
    source = Source(bench, "iv_command_valid_i", "iv_command_ready_o", words, idle=idle)
    sink = Sink(bench, "iv_command_valid_o", "iv_command_ready_i", [], wait=wait)
    run(bench, [keys, source, sink], lambda: source.done and keys.answered == len(words))
    assert keys.refused > 20
    assert len(keys.seen) > 100
