# SPDX-License-Identifier: Apache-2.0
"""Erasing: afterwards the whole state of a core is the same, whatever keys it held before.

The state is every register and memory word of the simulated core. Two cores live through the same
cycles, with other keys; if anything that depends on a key is left anywhere, their states differ.
"""

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from bench import Bench, Instance, Sink, compile_bench, ports, rtl, run, side_by_side
from core_bench import CoreBench, core_texts

from gcmforge.config import CoreConfig, laws
from gcmforge.model import key_expansion
from gcmforge.sim.operations import Status
from gcmforge.sim.reference import seal

pytestmark = pytest.mark.slow

SMALL = {"zeroise": "on", "sbox": "table", "mix_columns": "small", "key_sizes": (128, 256)}
CORES = {
    "loop": CoreConfig(**SMALL, aes="loop", ghash="serial", contexts=3, multiplier="ko4"),
    "pipeline": CoreConfig(
        **SMALL, contexts=2, release="verified", max_text_bytes=128, iv="counter"
    ),
    "dedicated": CoreConfig(
        **SMALL, aes="loop", contexts=1, tail="dedicated", j0="dedicated", aad_lanes=1
    ),
    "travelling": CoreConfig(
        **SMALL, contexts=2, aes="loop_parallel", aes_loops=2, key_schedule="travelling"
    ),
    "two lanes": CoreConfig(
        **SMALL, lanes=2, contexts=2, aes="loop", aes_rounds=3, ghash="dot", ghash_stages=2
    ),
}  # fmt: skip
MORE = {
    "key unit": CoreConfig(
        **SMALL, lanes=2, contexts=2, aes="loop", key_unit="dedicated", tail="dedicated",
        ghash_stages=2, multiplier="ko2",
    ),
    "evaluated": CoreConfig(
        **SMALL, contexts=2, aes="loop", ghash="evaluated", ghash_stages=2, multiplier="ko5"
    ),
    "digit": CoreConfig(**SMALL, contexts=2, aes="loop", ghash="digit", digit_bits=8),
    "window": CoreConfig(**SMALL, contexts=2, aes="loop", ghash="window", window_bits=3),
    "residues": CoreConfig(**SMALL, lanes=2, contexts=2, aes="loop", ghash="residues"),
    "window in RAM": CoreConfig(**SMALL, contexts=1, aes="loop", ghash="window", window_bits=8),
    "16 contexts": CoreConfig(**SMALL, contexts=16, aes="loop", ghash="serial", iv="counter"),
    "one tag": CoreConfig(**SMALL, contexts=1, ghash_stages=4, multiplier="ko2", tag_places=1),
    "line": CoreConfig(**SMALL, contexts=2, slots="line", multiplier="ko2", release="verified",
        max_text_bytes=128),
    "256 contexts": CoreConfig(
        **SMALL, contexts=256, aes="loop", key_schedule="travelling", multiplier="ko2"
    ),
    "profile": CoreConfig(**SMALL, contexts=3, aes="loop", ghash="serial", profile="ipsec"),
}  # fmt: skip
"""Cores of which little more is looked at than the state, and the time."""

QUICK = "loop"
some_cores = [pytest.param(n, marks=[pytest.mark.slow] * (n != QUICK)) for n in CORES]
every_core = [*some_cores, *(pytest.param(n, marks=pytest.mark.slow) for n in MORE)]

CHANGES = {
    "no packets of zeros": ("else state_q <= ERASE_PLAY;", "else state_q <= ERASE_VOID;"),
    "too few of them": ("commands_q <= CountWidth'(Packets);", "commands_q <= CountWidth'(4);"),
    "no zero key": ("key_step && !offered_q;", "1'b0;"),
    "one context is left": ("context_q != ContextWidth'(Contexts - 1)", "context_q == '1"),
}


@cache
def library(name: str) -> Path:
    config = (CORES | MORE)[name]
    return compile_bench(config.top, core_texts(config), state=True)


class Erasable(CoreBench):
    """A core that can be erased."""

    def __init__(self, path: Path, config: CoreConfig) -> None:
        super().__init__(path, config)
        self.until_erased()

    def until_erased(self) -> int:
        """Cycles with zeroise_busy, from the next one on."""
        began = self.cycle
        self.idle(1)
        while self.get("zeroise_busy"):
            assert self.cycle < began + 2 * self.config.erase_cycles, "never erased"
            self.idle(1)
        return self.cycle - began

    def erase(self) -> int:
        self.put("zeroise", 1)
        self.idle(1)
        self.put("zeroise", 0)
        return self.until_erased()

    def traffic(self, packets: int) -> None:
        """Packets of both directions under every key, always the same on the ports."""
        rng = random.Random(5)
        lanes, contexts = self.config.lanes, self.config.contexts
        commands, beats = [], []
        for number in range(packets):
            long_iv = number % 3 == 0 and self.config.iv_any and "s_cmd_iv" in self.widths
            commands += (1 + long_iv) * [{
                "context": number % contexts, "decrypt": number // contexts % 2,
                "tag": rng.getrandbits(128), "tag_bytes": 16,
                "iv_bytes": 20 if long_iv else 12, "iv": rng.getrandbits(128),
            }]  # fmt: skip
            for part in range(3):
                beats.append({
                    "tdata": rng.getrandbits(128 * lanes), "tkeep": (1 << 16 * lanes) - 1,
                    "tuser": part > 0, "tlast": part == 2,
                })  # fmt: skip
        sources = [self.stream("s_cmd", commands, rng), self.stream("s_axis", beats)]
        tags = Sink(self, "m_tag_tvalid", "m_tag_tready", ["m_tag_tag", "m_tag_status"])
        run(self, [*sources, tags], lambda: len(tags.got) == packets)
        for source in sources:
            self.clear(source)
        self.idle(30)


def keys_of(seed: int, contexts: int) -> list[bytes]:
    return [random.Random(f"{seed} {c}").randbytes(32) for c in range(contexts)]


def lived(path: Path, config: CoreConfig, seed: int) -> Iterator[bytes]:
    """The states of a core that held keys and worked: before it is erased, and after."""
    core = Erasable(path, config)
    core.load(keys_of(seed, config.contexts), salts=random.Random(seed))
    core.traffic(2 * config.erase_packets)
    yield core.state()
    core.erase()
    yield core.state()


def differences(path: Path, config: CoreConfig) -> list[int]:
    """Bytes in which the states of two cores with other keys differ: before, and after."""
    pairs = zip(lived(path, config, 1), lived(path, config, 2), strict=True)
    return [sum(a != b for a, b in zip(*pair, strict=True)) for pair in pairs]


@pytest.mark.parametrize("name", every_core)
def test_an_erased_core_is_the_same_whatever_it_held(name):
    before, after = differences(library(name), (CORES | MORE)[name])
    assert before > 100
    assert after == 0


def test_the_state_shows_keys_and_round_keys_before_and_none_after():
    config = CORES[QUICK]
    (key, *_) = keys_of(1, config.contexts)
    # Words of 32 bits: whatever the order of blocks in a memory, a round key's columns stay whole.
    words = [word for words in _round_words(key) for word in words]
    before, after = lived(library(QUICK), config, 1)
    assert all(word in before for word in words)
    assert not [word for word in words if word in after]


def _round_words(key: bytes) -> Iterator[list[bytes]]:
    for block in key_expansion(key):
        yield [(block >> 32 * i & 0xFFFFFFFF).to_bytes(4, "little") for i in range(4)]


@pytest.mark.slow
@pytest.mark.parametrize("what", CHANGES)
def test_the_comparison_sees_that_there_are(what):
    before, after = CHANGES[what]

    config = CORES[QUICK]
    texts = core_texts(config)
    assert texts["gcm_erase"].count(before) == 1
    texts["gcm_erase"] = texts["gcm_erase"].replace(before, after)
    path = compile_bench("gcm_axis", texts, state=True)
    try:
        assert differences(path, config)[1] > 0
    except AssertionError as hang:
        assert "never erased" in str(hang)


@pytest.mark.parametrize("name", every_core)
def test_erasing_takes_no_longer_than_stated(name):
    config = (CORES | MORE)[name]
    core = Erasable(library(name), config)
    core.load(keys_of(1, config.contexts))
    took = core.erase()
    assert took <= config.erase_cycles
    print(f"{name}: {took} of {config.erase_cycles} cycles")


@pytest.mark.parametrize("name", [*some_cores, pytest.param("profile", marks=pytest.mark.slow)])
@pytest.mark.parametrize("sent", [0, 1, 3, 12])
def test_packets_under_way_are_answered_as_erased_and_the_next_is_right(name, sent):
    """`sent` beats of four packets of three beats have come in when the core is erased."""
    core = Erasable(library(name), (CORES | MORE)[name])
    (key, *_) = keys_of(3, 1)
    core.load([key])
    text = bytes(range(48 * core.config.lanes))
    command, beats = core.packet(text)
    tags = Sink(core, "m_tag_tvalid", "m_tag_tready", ["m_tag_tag", "m_tag_status"])
    data, ends = (
        Sink(core, "m_axis_tvalid", "m_axis_tready", [name])
        for name in ("m_axis_tdata", "m_axis_tlast")
    )
    sinks = [tags, data, ends]
    commands, words = core.stream("s_cmd", [command] * 4), core.stream("s_axis", beats * 4)
    core.put("m_tag_tready", 0)
    run(core, [commands, *([words] if sent else []), data, ends],
        lambda: len(commands.sent) >= min(4, 1 + sent) and len(words.sent) >= sent)  # fmt: skip
    given = len(commands.sent)
    core.put("m_axis_tready", 0)  # nothing is taken while nobody looks
    core.erase()
    left = core.stream("s_axis", (beats * 4)[len(words.sent) : 3 * given])
    run(core, [left, *sinks], lambda: len(tags.got) == given and left.done)
    end = core.cycle + 5
    run(core, sinks, lambda: core.cycle == end)
    assert tags.got == [(0, Status.ERASED)] * given
    assert sum(last for (last,) in ends.got) <= given
    assert not ends.got or ends.got[-1] == (1,)  # no frame is left open
    core.load([key])
    shown = len(data.got)
    again, words = core.stream("s_cmd", [command]), core.stream("s_axis", beats)
    run(core, [again, words, *sinks],
        lambda: len(tags.got) == given + 1 and len(data.got) == shown + 3)  # fmt: skip
    ciphertext, tag = seal(key, bytes(12), text, core.header)
    got = b"".join(word.to_bytes(16 * core.config.lanes, "little") for (word,) in data.got[shown:])
    assert (got, tags.got[-1]) == (ciphertext, (int.from_bytes(tag, "little"), Status.OK))


@pytest.mark.parametrize("name", some_cores)
@pytest.mark.parametrize("port", ["m_axis", "m_tag"])
def test_an_erase_withdraws_what_is_offered_and_not_taken(name, port):
    """docs/reference/ports.md says so: the one exception from the rule that an offer stays. Without
    an erase it stays, and for one context (key size 3) nothing is withdrawn."""
    core = Erasable(library(name), CORES[name])
    keys = keys_of(4, core.config.contexts)
    core.load(keys)
    command, beats = core.packet(b"text")
    core.put(f"{port}_tready", 0)
    streams = core.stream("s_cmd", [command]), core.stream("s_axis", beats)
    run(core, streams, lambda: bool(core.get(f"{port}_tvalid")))
    for stream in streams:
        core.clear(stream)
    last = core.config.contexts - 1
    of_one = core.words("s_key", [{"tdata": 0, "size": 3, "context": last}])[0]
    for field, value in of_one.items():
        core.put(field, value)
    core.put("s_key_tvalid", 1)
    for _ in range(50):
        core.idle(1)
        assert core.get(f"{port}_tvalid")
    core.put("zeroise", 1)
    core.idle(1)
    core.put("zeroise", 0)
    core.idle(1)
    assert not core.get(f"{port}_tvalid")


@pytest.mark.parametrize("name", some_cores)
def test_after_erasing_no_context_has_a_key(name):
    core = Erasable(library(name), CORES[name])
    core.load(keys_of(1, core.config.contexts))
    core.erase()
    for context in range(core.config.contexts):
        command, beats = core.packet(b"text")
        commands = core.stream("s_cmd", [command | {"context": context}])
        words = core.stream("s_axis", beats)
        tags = Sink(core, "m_tag_tvalid", "m_tag_tready", ["m_tag_tag", "m_tag_status"])
        run(core, [commands, words, tags], lambda found=tags: bool(found.got))
        assert tags.got == [(0, Status.NO_KEY)]


@pytest.mark.parametrize("name", some_cores)
def test_one_context_is_erased_and_the_others_keep_their_keys(name):
    """Key size 3: the states of two cores that differ in this context's key only become the same,
    and a packet under the other key is right."""
    config = CORES[name]
    _, other = keys_of(7, 2)
    states = []
    for mine in keys_of(8, 2):
        core = Erasable(library(name), config)
        core.load([mine, other][: config.contexts])
        core.traffic(2 * config.erase_packets)
        core.load([b""], size=3)
        states.append(core.state())
    assert states[0] == states[1]
    if config.contexts > 1:
        command, beats = core.packet(b"text")
        tags = Sink(core, "m_tag_tvalid", "m_tag_tready", ["m_tag_tag", "m_tag_status"])
        for context in (0, 1):
            streams = [
                core.stream("s_cmd", [command | {"context": context}]), core.stream("s_axis", beats)
            ]  # fmt: skip
            run(core, [*streams, tags], lambda n=context: len(tags.got) == n + 1)
        assert [status for _, status in tags.got] == [Status.NO_KEY, Status.OK]


VERIFIED = {**SMALL, "key_sizes": (128,), "iv": "96", "release": "verified"}


@pytest.mark.parametrize("failed", [pytest.param(8, id="8"), pytest.param(40, id="40")])
def test_text_behind_failed_packets_comes_out_before_a_context_is_erased(failed):
    """All verdicts are known and nothing was read when key size 3 comes: a good packet, failed ones
    of one beat, each passed by in a cycle without text, and a good one."""
    config = CoreConfig(**VERIFIED, contexts=2, max_text_bytes=64, buffer_beats=64)
    core = Erasable(compile_bench(config.top, core_texts(config)), config)
    (key, other) = keys_of(9, 2)
    core.load([key, other], size=0)
    first, last = bytes(range(64)), bytes(range(100, 164))
    (command, beats), (_, more) = core.packet(first), core.packet(last)
    forged, one_beat = command | {"decrypt": 1, "tag": 1}, core.packet(bytes(16))[1]
    commands = core.stream("s_cmd", [command, *[forged] * failed, command])
    words = core.stream("s_axis", [*beats, *one_beat * failed, *more])
    tags = Sink(core, "m_tag_tvalid", "m_tag_tready", ["m_tag_tag", "m_tag_status"])
    core.put("m_axis_tready", 0)
    run(core, [commands, words, tags], lambda: len(tags.got) == failed + 2)
    statuses = [status for _, status in tags.got]
    assert statuses == [Status.OK, *[Status.AUTH_FAIL] * failed, Status.OK]
    core.clear(commands)
    core.clear(words)
    erase = core.stream("s_key", [{"tdata": 0, "size": 3, "context": 1, "fixed": 0}])
    run(core, [erase], lambda: erase.done)
    core.idle(20)
    data = Sink(core, "m_axis_tvalid", "m_axis_tready", ["m_axis_tdata", "m_axis_tlast"])
    until = core.cycle + 2 * config.erase_cycles
    run(core, [data], lambda: core.cycle == until)
    got = b"".join(word.to_bytes(16, "little") for word, _ in data.got)
    sealed = [seal(key[:16], bytes(12), text, core.header)[0] for text in (first, last)]
    assert got == b"".join(sealed)
    assert [end for _, end in data.got] == [0, 0, 0, 1] * 2
    assert core.get("s_key_tready") and not core.get("zeroise_busy")


def test_a_core_whose_longest_text_is_shorter_than_a_beat_is_erased():
    config = CoreConfig(**VERIFIED | {"ghash": "dot"}, lanes=2, max_text_bytes=31)
    core = Erasable(compile_bench(config.top, core_texts(config)), config)
    core.load(keys_of(1, 1), size=0)
    assert core.erase() <= config.erase_cycles


# ---- the module alone ----------------------------------------------------------------------------

PACKETS, QUIET = 5, 8
ERASE_PORTS = {
    "request_i": 1, "busy_o": 1, "core_reset_o": 1, "zeros_o": 1, "key_valid_i": 1,
    "key_ready_o": 1, "key_size_i": 2, "key_context_i": 2, "key_valid_o": 1, "key_ready_i": 1,
    "command_valid_i": 1, "command_iv_bytes_i": 16, "command_valid_o": 1, "command_ready_i": 1,
    "data_valid_i": 1, "data_last_i": 1, "data_valid_o": 1, "data_ready_i": 1, "text_valid_i": 1,
    "text_last_i": 1, "text_ready_i": 1, "tag_valid_i": 1, "tag_ready_i": 1,
}  # fmt: skip


class StandIn:
    """gcm_erase of three contexts, and in place of its core one that is busy with a key for so many
    cycles, and answers a packet so many cycles after its beat."""

    def __init__(self, load: int, answer: int) -> None:
        instance = Instance(
            prefix="e", module="gcm_erase", ports=ports(**ERASE_PORTS),
            parameters={"Contexts": 3, "Packets": PACKETS, "Quiet": QUIET},
        )  # fmt: skip
        texts = rtl("gcm_iv_words", "gcm_erase") | {"laws_top": side_by_side([instance])}
        self.bench = Bench(compile_bench("laws_top", texts))
        self.load, self.answer = load, answer
        self.busy_until, self.answers = 0, list[int]()
        for name in ("command_ready_i", "data_ready_i", "text_last_i"):
            self.bench.put(f"e_{name}", 1)
        self.until_served()

    def cycle(self) -> set[str]:
        """One cycle; which outputs were high in it."""
        bench, now = self.bench, self.bench.cycle
        bench.put("e_key_ready_i", now >= self.busy_until)
        for name in ("text_valid_i", "tag_valid_i"):
            bench.put(f"e_{name}", now in self.answers)
        bench.settle()
        high = {name for name in ERASE_PORTS if name[-1] == "o" and bench.get(f"e_{name}")}
        if "key_valid_o" in high and now >= self.busy_until:
            self.busy_until = now + self.load
        if "data_valid_o" in high:
            self.answers.append(now + self.answer)
        bench.edge()
        return high

    def until_served(self) -> tuple[int, int]:
        """Cycles until keys from outside are taken again, and those of them in which the core is
        not busy with a key or with packets of zeros."""
        cycles = other = 0
        self.answers.clear()
        while "key_ready_o" not in (high := self.cycle()):
            assert cycles < 500, "never erased"
            cycles += 1
            now = self.bench.cycle - 1
            keys = "key_valid_o" in high or now <= self.busy_until
            packets = self.answers and now <= max(self.answers)
            other += not keys and not packets
        return cycles, other


@pytest.mark.parametrize(("load", "answer"), [(1, 1), (7, 3), (20, 11)])
def test_gcm_erase_adds_as_many_cycles_as_the_law_has(load, answer):
    core = StandIn(load, answer)
    core.bench.put("e_request_i", 1)
    core.cycle()
    core.bench.put("e_request_i", 0)
    cycles, other = core.until_served()
    assert other == laws.ERASE_CYCLES
    assert cycles == laws.ERASE_CYCLES + 3 * (load + 1) + PACKETS + answer


@pytest.mark.parametrize(("load", "answer"), [(1, 1), (20, 11)])
def test_gcm_erase_of_one_context_takes_a_key_load_more(load, answer):
    core = StandIn(load, answer)
    for name, value in {"key_valid_i": 1, "key_size_i": 3, "key_context_i": 1}.items():
        core.bench.put(f"e_{name}", value)
    core.cycle()
    core.bench.put("e_key_valid_i", 0)
    cycles, other = core.until_served()
    assert other - QUIET <= laws.ERASE_CYCLES
    assert cycles == other + 2 * (load + 1) + PACKETS + answer
