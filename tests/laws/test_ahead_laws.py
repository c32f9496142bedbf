# SPDX-License-Identifier: Apache-2.0
"""The cycle laws in the header of gcm_ahead: which counters go into the AES, and when, and when the
commands after them are there for gcm_issue."""

import itertools
import random
from collections.abc import Sequence
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
from variants import variant

from gcmforge.config import CoreConfig


@dataclass(frozen=True, kw_only=True)
class Shape:
    """Parameters of an instance."""

    lanes: int = 1
    places: int = 4
    latency: int = 12


SHAPES = {
    "one": Shape(),
    "lanes": Shape(lanes=4, places=2, latency=30),
    "place": Shape(lanes=3, places=1, latency=7),
    "wide": Shape(lanes=16, places=7),
}
FIELDS = {
    "context": 2, "decrypt": 1, "tag": 128, "tag_bytes": 5, "iv_bytes": 16, "iv": 128,
    "text_beats": 32,
}  # fmt: skip
OUT = ("context", "decrypt", "tag", "tag_bytes", "iv_bytes", "text_beats", "usable")


@pytest.fixture
def bench() -> Bench:
    fixed = {f"in_{name}_i": width for name, width in FIELDS.items()}
    fixed |= {f"out_{name}_o": FIELDS.get(name, 1) for name in OUT}
    fixed |= {
        "in_valid_i": 1, "in_blocked_i": 1, "in_ready_o": 1, "usable_i": 1, "size_i": 2,
        "subkey_want_i": 1, "subkey_context_i": 2, "subkey_size_i": 2, "step_i": 1,
        "aes_valid_o": 1, "aes_context_o": 2, "aes_size_o": 2, "stream_soon_o": 1,
        "out_valid_o": 1, "out_ready_i": 1, "cut_i": 1,
    }  # fmt: skip
    texts = rtl(
        "gcm_fifo", "gcm_increment", "gcm_ahead_commands_one", "gcm_ahead_commands_queue"
    )  # fmt: skip
    instances = []
    for name, shape in SHAPES.items():
        config = CoreConfig(
            slots="ahead", ghash="aggregated", key_unit="dedicated", iv="96", contexts=3,
            lanes=shape.lanes, ahead_places=shape.places,
        )  # fmt: skip
        module, own = variant("gcm_ahead", f"of_{name}", config)
        texts |= own
        instances.append(
            Instance(
                prefix=name, module=module,
                ports=ports(**fixed, aes_blocks_o=128 * shape.lanes),
                parameters={"Lanes": shape.lanes, "Contexts": 3, "AesLatency": shape.latency},
            )
        )  # fmt: skip
    return Bench(compile_bench("laws_top", texts | {"laws_top": side_by_side(instances)}))


class Engine:
    """The AES: takes a beat in every cycle in which it moves. It does so whenever nothing is at its
    end, and else unless `wait` says that what is there is not taken."""

    def __init__(self, bench: Bench, name: str, wait: Chance) -> None:
        self._bench, self._name, self._wait = bench, name, wait
        self._inside = [False] * SHAPES[name].latency
        self._soon: bool | None = None  # what is said of this cycle
        self.cycles: list[int] = []
        self.beats: list[tuple[int, int, int]] = []

    def put(self) -> None:
        there = self._inside[-1]
        assert self._soon in (None, there), f"cycle {self._bench.cycle}: {there} at its end"
        self._moves = not there or not self._wait(self._bench.cycle)
        self._bench.put(f"{self._name}_step_i", self._moves)

    def sample(self) -> None:
        get, name = self._bench.get, self._name
        self._soon = bool(get(f"{name}_stream_soon_o"))
        if not self._moves:
            return
        valid = bool(get(f"{name}_aes_valid_o"))
        self._inside = [valid, *self._inside[:-1]]
        if valid:
            self.cycles.append(self._bench.cycle)
            values = (get(f"{name}_aes_{of}_o") for of in ("context", "size", "blocks"))
            self.beats.append(tuple(values))


def blocks_of(lanes: int, word: dict[str, int]) -> list[int]:
    """SP 800-38D, section 7.1: counters from inc32(J0) on, a beat of them at a time, then J0."""
    j0 = word["iv"] >> 32 << 32 | 1
    beats = []
    for beat in range(word["text_beats"]):
        lane = [j0 + 1 + beat * lanes + number for number in range(lanes)]
        beats.append(sum(b << 128 * (lanes - 1 - n) for n, b in enumerate(lane)))
    return [*beats, sum(j0 << 128 * number for number in range(lanes))]


def cycles(name: str, beats: int) -> int:
    """From one packet's first counter to the next one's, with so many beats of text. A command that
    waits in the only place there is makes room for the next a cycle later."""
    return max(3 if SHAPES[name].places == 1 else 2, beats + 1)


class Traffic:
    """Commands with these beats of text through one instance; contexts' sizes are their numbers."""

    def __init__(
        self, bench: Bench, name: str, beats: Sequence[int], *, idle: Chance = never,
        wait: Chance = never, stop: Chance = never,
    ) -> None:  # fmt: skip
        rng = random.Random(len(beats))
        self.name, self.commands = name, []
        for count in beats:
            word = {field: rng.getrandbits(width) for field, width in FIELDS.items()}
            word |= {"context": rng.randrange(3), "text_beats": count}
            word["iv_bytes"] = rng.choice((12, 12, 11, 0))
            self.commands.append(word | {"usable": rng.getrandbits(1)})
        self.bench = bench
        words = [
            {f"{name}_in_{field}_i": word[field] for field in FIELDS}
            | {f"{name}_usable_i": word["usable"], f"{name}_size_i": word["context"]}
            for word in self.commands
        ]
        for port in ("in_blocked_i", "subkey_want_i"):
            bench.put(f"{name}_{port}", 0)
        self.source = Source(bench, f"{name}_in_valid_i", f"{name}_in_ready_o", words, idle=idle)
        self.offers = Probe(bench, f"{name}_in_valid_i")
        self.engine = Engine(bench, name, stop)
        self.sink = Sink(
            bench, f"{name}_out_valid_o", f"{name}_out_ready_i",
            [f"{name}_out_{field}_o" for field in OUT], wait=wait,
        )  # fmt: skip

    @property
    def streams(self) -> list:
        return [self.source, self.offers, self.engine, self.sink]

    def run(self) -> None:
        beats = sum(word["text_beats"] + 1 for word in self.commands)

        def done() -> bool:
            return len(self.sink.got) == len(self.commands) and len(self.engine.beats) == beats

        run(self.bench, self.streams, done)

    def check(self) -> None:
        """Every counter, and what gcm_issue is told; an IV of any other length is one of none."""
        lanes = SHAPES[self.name].lanes
        expected = [
            (word["context"], word["context"], beat)
            for word in self.commands
            for beat in blocks_of(lanes, word)
        ]
        assert self.engine.beats == expected
        told = [word | {"iv_bytes": 12 * (word["iv_bytes"] == 12)} for word in self.commands]
        assert self.sink.got == [tuple(word[field] for field in OUT) for word in told]


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("beats", [0, 1, 2, 40])
def test_a_lone_commands_first_counter_comes_two_cycles_after_it(bench, name, beats):
    """And the command is there for gcm_issue, which is ready for its text when the counter is."""
    traffic = Traffic(bench, name, [beats])
    first = bench.cycle
    traffic.run()
    traffic.check()
    assert traffic.offers.at(first) == 1
    assert traffic.engine.cycles == list(range(first + 2, first + 2 + beats + 1))
    assert traffic.sink.cycles == [first + 1]


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("beats", [0, 1, 2, 5, 300])
def test_a_packet_takes_a_beat_more_than_its_text_and_two_at_least(bench, name, beats):
    traffic = Traffic(bench, name, [beats] * 30)
    traffic.run()
    traffic.check()
    takes = cycles(name, beats)
    first = traffic.engine.cycles[0]
    assert traffic.engine.cycles == [
        first + takes * packet + beat for packet in range(30) for beat in range(beats + 1)
    ]
    assert {b - a for a, b in itertools.pairwise(traffic.source.sent)} == {takes}


@pytest.mark.parametrize("name", SHAPES)
def test_packets_of_any_beats_follow_each_other(bench, name):
    rng = random.Random(3)
    beats = [rng.choice((0, 0, 1, 1, 2, 3, 17, 260)) for _ in range(60)]
    traffic = Traffic(bench, name, beats)
    traffic.run()
    traffic.check()
    expected, first = [], 2
    for count in beats:
        expected += range(first, first + count + 1)
        first += cycles(name, count)
    assert traffic.engine.cycles == expected


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("seed", range(3))
def test_random_pauses_lose_and_change_nothing(bench, name, seed):
    """What is said of key stream a cycle ahead holds, too, see Engine."""
    rng = random.Random(seed)
    beats = [rng.choice((0, 0, 1, 1, 2, 3, 17)) for _ in range(150)]
    pauses = [at_random(seed + n, rng.choice((0.1, 0.5, 0.9))) for n in range(3)]
    traffic = Traffic(bench, name, beats, idle=pauses[0], wait=pauses[1], stop=pauses[2])
    traffic.run()
    traffic.check()


@pytest.mark.parametrize("name", SHAPES)
def test_commands_wait_for_gcm_issue_in_so_many_places(bench, name):
    """The next one waits in front of them, and no block of it goes in before it has a place. The
    only place there is is where commands come from."""
    places = SHAPES[name].places
    traffic = Traffic(bench, name, [1] * (places + 5), wait=lambda cycle: cycle < 200)
    run(bench, traffic.streams, lambda: bench.cycle == 200)
    assert len(traffic.source.sent) == (0 if places == 1 else places)
    assert len(traffic.engine.beats) == 2 * places
    traffic.run()
    traffic.check()


@pytest.mark.parametrize("name", SHAPES)
def test_a_stopped_aes_is_filled_and_no_more(bench, name):
    latency = SHAPES[name].latency
    traffic = Traffic(bench, name, [5] * 20, stop=lambda cycle: cycle < 300)
    run(bench, traffic.streams, lambda: bench.cycle == 300)
    assert len(traffic.engine.beats) == latency
    traffic.run()
    traffic.check()


@pytest.mark.parametrize("name", SHAPES)
def test_a_blocked_command_waits(bench, name):
    traffic = Traffic(bench, name, [2])
    bench.put(f"{name}_in_blocked_i", 1)
    run(bench, traffic.streams, lambda: bench.cycle == 50)
    assert not traffic.source.sent and not traffic.sink.got and not traffic.engine.beats
    bench.put(f"{name}_in_blocked_i", 0)
    traffic.run()
    traffic.check()
    assert traffic.engine.cycles == [52, 53, 54] and traffic.sink.cycles == [51]


@pytest.mark.parametrize("name", SHAPES)
def test_a_hash_subkey_is_one_beat_of_zeros(bench, name):
    """Asked for until it is taken or longer; with its own context and key size."""
    traffic = Traffic(bench, name, [2, 3])
    traffic.run()
    traffic.check()
    traffic.engine.beats.clear()
    bench.put(f"{name}_subkey_context_i", 2)
    bench.put(f"{name}_subkey_size_i", 1)
    for cycles in (1, 40):
        bench.put(f"{name}_subkey_want_i", 1)
        end = bench.cycle + cycles
        run(bench, [traffic.engine], lambda end=end: bench.cycle == end)
        bench.put(f"{name}_subkey_want_i", 0)
        end = bench.cycle + 40
        run(bench, [traffic.engine], lambda end=end: bench.cycle == end)
        assert traffic.engine.beats == [(2, 1, 0)]
        traffic.engine.beats.clear()
