# SPDX-License-Identifier: Apache-2.0
"""The cycle laws in the headers of gcm_fifo, axis_skid, gcm_ram, gcm_command, gcm_slots_queue and
gcm_tag."""

import itertools
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from bench import (
    Bench,
    Chance,
    Instance,
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

from gcmforge.config import CoreConfig
from gcmforge.emit.package import command_iv_bits
from gcmforge.emit.parts import parts

FIFO_DEPTHS = (1, 2, 3, 5, 16)
EAGER_DEPTHS = (2, 5)
SLOT_DEPTHS = (4, 5, 16)
RAM_DEPTHS = (1, 5)
TAG_DEPTHS = (1, 2, 6, 8, 16)
WIDTH = 24

STREAM = {"in_valid_i": 1, "in_ready_o": 1, "out_valid_o": 1, "out_ready_i": 1}
COMMAND = {
    "context": 2, "decrypt": 1, "tag": 128, "tag_bytes": 5, "iv_bytes": 16, "iv": 128, "void": 1,
}  # fmt: skip
AHEAD = COMMAND | {"text_beats": 32}
SHORT = {"iv_bytes": lambda _: 12, "iv": lambda iv: iv >> 32 << 32}
"""What is drawn for a command whose IV is of 96 bits; no more of it is kept with slots=ahead."""
SLOT = {"data": 128, "kind": 2, "final": 1, "decrypt": 1, "tag_bytes": 5, "count": 1}


FIELDS = {"data": "data", "kind": "fact.kind", "final": "fact.closes", "decrypt": "fact.decrypt",
          "tag_bytes": "fact.tag_bytes", "count": "fact.count"}  # fmt: skip
"""Where they are in slot_t, and in counted_t."""


def slots_queue() -> str:
    """gcm_slots_queue with a port for each of the fields of SLOT, the others zero."""
    declared = ["input logic clk", "input logic rst", "input logic in_valid_i"]
    declared += ["output logic in_ready_o", "output logic out_valid_o", "input logic out_ready_i"]
    for name, width in SLOT.items():
        declared.append(f"input logic [{width - 1}:0] in_{name}_i")
        declared.append(f"output logic [{width - 1}:0] out_{name}_o")
    return "\n".join([
        f"module slots_queue #(parameter int Depth = 4) ({', '.join(declared)});",
        "gcm_pkg::slot_t slot; gcm_pkg::counted_t counted;",
        "always_comb begin slot = '0;",
        *(f"slot.{place} = in_{name}_i;" for name, place in FIELDS.items()),
        "end",
        *(f"assign out_{name}_o = counted.{place};" for name, place in FIELDS.items()),
        "gcm_slots_queue #(.Depth(Depth)) u_slots (.slot_i(slot), .slot_o(counted), .*);",
        "endmodule", "",
    ])  # fmt: skip


COMMANDS = {
    "command": {"contexts": 3},
    "ahead": {"contexts": 3, "slots": "ahead", "iv": "96", "key_unit": "dedicated"},
    "single": {"contexts": 3, "slots": "ahead", "iv": "96", "key_unit": "dedicated",
               "ahead_places": 1},
}  # fmt: skip
"""Cores whose gcm_command are compared: each has parts of its own."""


def commands(name: str, settings: Mapping[str, object]) -> dict[str, str]:
    """gcm_command and its parts in that core, under names of their own."""
    config = CoreConfig(**settings)
    made = parts(config)
    names = ("gcm_command_places", "gcm_command_words")
    texts = {part: made[part]() for part in names} | rtl("gcm_command")
    for part in ("gcm_command", *names):
        new = part.replace("gcm_command", name)
        texts = {k: re.sub(rf"\b{part}\b", new, text) for k, text in texts.items()}
    bits = str(command_iv_bits(config))
    return {
        key.replace("gcm_command", name): text.replace("gcm_pkg::COMMAND_IV_WIDTH", bits)
        for key, text in texts.items()
    }


@dataclass(frozen=True)
class Law:
    """What the header of a module with one stream in and one out says."""

    depth: int
    """Words that it holds while the stream is stopped."""
    latency: int = 1
    cycles_a_word: int = 1
    fields: tuple[tuple[str, int], ...] = (("data", WIDTH),)
    """Of a word, that come out as they went in."""
    drawn: Mapping[str, Callable[[int], int]] = field(default_factory=dict)
    """Of fields that cannot be any number: what becomes of a random one."""


LAWS = {
    "skid": Law(depth=2),
    "command": Law(depth=2, fields=tuple(COMMAND.items())),
    "ahead": Law(depth=2, fields=tuple(AHEAD.items()), drawn=SHORT),
    "single": Law(depth=1, cycles_a_word=2, fields=tuple(AHEAD.items()), drawn=SHORT),
    **{f"fifo{d}": Law(depth=d, cycles_a_word=2 if d == 1 else 1) for d in FIFO_DEPTHS},
    **{f"eager{d}": Law(depth=d) for d in EAGER_DEPTHS},
    **{f"slots{d}": Law(depth=d, latency=3, fields=tuple(SLOT.items())) for d in SLOT_DEPTHS},
}


def ram_ports(depth: int) -> dict[str, int]:
    address = max(1, (depth - 1).bit_length())
    return {
        "clk": 1, "write_i": 1, "write_addr_i": address, "write_data_i": WIDTH,
        "read_i": 1, "read_addr_i": address, "read_data_o": WIDTH,
    }  # fmt: skip


@pytest.fixture
def bench() -> Bench:
    data = {"in_data_i": WIDTH, "out_data_o": WIDTH}
    command = {f"in_{name}_i": width for name, width in COMMAND.items()}
    command |= {f"out_{name}_o": width for name, width in COMMAND.items()}
    slot = {f"in_{name}_i": width for name, width in SLOT.items()}
    slot |= {f"out_{name}_o": width for name, width in SLOT.items()}
    command |= {"load_start_i": 1, "load_busy_i": 1, "load_context_i": 2}
    ahead = command | {"in_text_beats_i": 32, "out_text_beats_o": 32}
    entry = {"valid_i": 1, "ready_o": 1, "iv_i": 1, "decrypt_i": 1, "status_i": 3}
    tag = {f"entry_{name}": width for name, width in entry.items()}
    tag |= {"entry_bytes_i": 5, "entry_mask_i": 128, "digest_valid_i": 1, "digest_i": 128}
    tag |= {"j0_valid_o": 1, "j0_o": 128, "packet_done_o": 1, "tag_valid_o": 1, "tag_ready_i": 1}
    tag |= {"tag_o": 128, "tag_ok_o": 1, "tag_status_o": 3}
    instances = [
        Instance(prefix="skid", module="axis_skid", parameters={"Width": WIDTH},
                 ports=ports(**STREAM, **data)),
        Instance(prefix="command", module="command", parameters={"Contexts": 3},
                 ports=ports(**STREAM, **command, accept_o=1, out_blocked_o=1)),
        *(Instance(prefix=prefix, module=prefix, parameters={"Contexts": 3},
                   ports=ports(**STREAM, **ahead, accept_o=1, out_blocked_o=1))
          for prefix in ("ahead", "single")),
    ]  # fmt: skip
    for module, prefix, depths, widths in (
        ("gcm_fifo", "fifo", FIFO_DEPTHS, {**STREAM, **data}),
        ("gcm_fifo", "eager", EAGER_DEPTHS, {**STREAM, **data}),
        ("slots_queue", "slots", SLOT_DEPTHS, {**STREAM, **slot}),
        ("gcm_tag", "tag", TAG_DEPTHS, tag),
    ):
        more = {"fifo": {"Width": WIDTH}, "eager": {"Width": WIDTH, "Eager": 1}}.get(prefix, {})
        instances += [
            Instance(prefix=f"{prefix}{depth}", module=module, ports=ports(**widths),
                     parameters={"Depth": depth} | more)
            for depth in depths
        ]  # fmt: skip
    instances += [
        Instance(prefix=f"{prefix}{depth}", module="gcm_ram", ports=ports(**ram_ports(depth)),
                 parameters={"Width": WIDTH, "Depth": depth, "ReadRegister": register})
        for depth in RAM_DEPTHS
        for prefix, register in (("ram", 1), ("through", 0))
    ]  # fmt: skip
    texts = rtl(
        "gcm_ram",
        "axis_skid",
        "gcm_fifo",
        "gcm_increment",
        "gcm_command_places_one",
        "gcm_command_places_two",
        "gcm_command_words_all",
        "gcm_command_words_first",
        "gcm_length",
        "gcm_slot_sizes",
        "gcm_slot_count",
        "gcm_slots_queue",
        "gcm_tag",
    )
    texts |= {"slots_queue": slots_queue()}
    for name, settings in COMMANDS.items():
        texts |= commands(name, settings)
    return Bench(compile_bench("laws_top", texts | {"laws_top": side_by_side(instances)}))


def stream(
    bench: Bench, prefix: str, words: int, *, idle: Chance = never, wait: Chance = never,
    law: Law,
) -> tuple[Source, Sink]:  # fmt: skip
    """Random words into a stream, and what comes out."""
    rng, fields = random.Random(words), law.fields

    def word() -> dict[str, int]:
        drawn = {name: rng.getrandbits(width) for name, width in fields}
        drawn |= {name: become(drawn[name]) for name, become in law.drawn.items()}
        return {f"{prefix}_in_{name}_i": value for name, value in drawn.items()}

    values = [word() for _ in range(words)]
    return (
        Source(bench, f"{prefix}_in_valid_i", f"{prefix}_in_ready_o", values, idle=idle),
        Sink(
            bench, f"{prefix}_out_valid_o", f"{prefix}_out_ready_i",
            [f"{prefix}_out_{name}_o" for name, _ in fields], wait=wait,
        ),
    )  # fmt: skip


def all_out(source: Source, sink: Sink) -> Callable[[], bool]:
    return lambda: source.done and len(sink.got) == len(source.words)


def same_words(source: Source, sink: Sink) -> bool:
    return [tuple(word.values()) for word in source.words] == sink.got


def apart(cycles: Sequence[int], distance: int) -> bool:
    """Every cycle is `distance` after the one before."""
    return all(b - a == distance for a, b in itertools.pairwise(cycles))


@pytest.mark.parametrize("prefix", LAWS)
def test_a_word_leaves_after_its_latency_and_one_follows_each_cycle(bench, prefix):
    law = LAWS[prefix]
    source, sink = stream(bench, prefix, 100, law=law)
    run(bench, [source, sink], all_out(source, sink))
    assert sink.cycles == [cycle + law.latency for cycle in source.sent]
    assert apart(source.sent, law.cycles_a_word)
    assert same_words(source, sink)


@pytest.mark.parametrize("prefix", LAWS)
def test_a_stopped_stream_holds_its_depth_and_goes_on_without_a_gap(bench, prefix):
    law = LAWS[prefix]
    source, sink = stream(bench, prefix, 100, law=law, wait=lambda cycle: cycle < 40)
    run(bench, [source, sink], lambda: bench.cycle == 40)
    assert len(source.sent) == law.depth
    run(bench, [source, sink], all_out(source, sink))
    assert apart(sink.cycles, law.cycles_a_word)
    assert sink.cycles[0] == 40
    assert same_words(source, sink)


@pytest.mark.parametrize("prefix", LAWS)
def test_random_pauses_lose_and_change_nothing(bench, prefix):
    law = LAWS[prefix]
    source, sink = stream(
        bench, prefix, 300, law=law, idle=at_random(1, 0.4), wait=at_random(2, 0.5)
    )
    run(bench, [source, sink], all_out(source, sink))
    assert same_words(source, sink)


def commands_of_long_ivs(
    bench: Bench, prefix: str, count: int, **pauses: Chance
) -> tuple[Source, Sink, list[int], list[int]]:
    """Commands whose IVs take up to nine beats, what comes out, and the numbers of each one's first
    beat and of its last."""
    rng = random.Random(count)
    words, firsts, lasts = [], [], []
    for _ in range(count):
        iv_bytes = rng.choice((0, 1, 12, 12, 12, 16, 17, 32, 33, rng.randint(18, 144)))
        beats = max(1, -(-iv_bytes // 16))
        firsts.append(len(words))
        lasts.append(len(words) + beats - 1)
        for beat in range(beats):
            drawn = {name: rng.getrandbits(width) for name, width in AHEAD.items()}
            if beat == 0:
                drawn |= {"iv_bytes": iv_bytes, "iv": drawn["iv"] >> 32 << 32}
            words.append({f"{prefix}_in_{name}_i": value for name, value in drawn.items()})
    source = Source(
        bench, f"{prefix}_in_valid_i", f"{prefix}_in_ready_o", words,
        idle=pauses.get("idle", never),
    )  # fmt: skip
    sink = Sink(
        bench, f"{prefix}_out_valid_o", f"{prefix}_out_ready_i",
        [f"{prefix}_out_{name}_o" for name in AHEAD], wait=pauses.get("wait", never),
    )  # fmt: skip
    return source, sink, firsts, lasts


def told(source: Source, firsts: Sequence[int]) -> list[tuple[int, ...]]:
    """What comes out of commands with these first beats: every length but 96 bits is one of none,
    all of them are refused alike."""
    number = list(AHEAD).index("iv_bytes")
    words = [list(source.words[first].values()) for first in firsts]
    for word in words:
        word[number] = 12 * (word[number] == 12)
    return [tuple(word) for word in words]


@pytest.mark.parametrize("prefix", ["ahead", "single"])
def test_a_command_ahead_is_there_when_the_last_beat_of_its_iv_has_come(bench, prefix):
    """Of a long IV no beat but the first is kept; the others are taken one a cycle."""
    source, sink, firsts, lasts = commands_of_long_ivs(bench, prefix, 100)
    accepted = Sink(bench, f"{prefix}_accept_o", None, [])
    run(bench, [source, sink, accepted], lambda: len(sink.got) == 100)
    assert sink.got == told(source, firsts)
    assert sink.cycles == [source.sent[last] + 1 for last in lasts]
    assert accepted.cycles == [source.sent[first] for first in firsts]
    for first, last in zip(firsts, lasts, strict=True):
        assert apart(source.sent[first : last + 1], 1)
    gap = 2 if prefix == "single" else 1
    follows = {source.sent[b] - source.sent[a] for a, b in zip(lasts[:-1], firsts[1:], strict=True)}
    assert follows == {gap}


@pytest.mark.parametrize("prefix", ["ahead", "single"])
def test_a_long_iv_is_swallowed_while_no_command_is_taken(bench, prefix):
    """Those of the last command that there is room for, too."""
    depth = LAWS[prefix].depth
    source, sink, firsts, lasts = commands_of_long_ivs(
        bench, prefix, 60, wait=lambda cycle: cycle < 100
    )
    run(bench, [source, sink], lambda: bench.cycle == 100)
    assert not sink.got and len(source.sent) == lasts[depth - 1] + 1
    run(bench, [source, sink], lambda: len(sink.got) == 60)
    assert sink.cycles[0] == 100
    assert sink.got == told(source, firsts)


@pytest.mark.parametrize("density", [0.3, 0.8])
@pytest.mark.parametrize("prefix", ["ahead", "single"])
def test_commands_of_long_ivs_survive_random_pauses(bench, prefix, density):
    """As many wait as there are places for, and none leaves before its IV has come."""
    depth = LAWS[prefix].depth
    source, sink, firsts, lasts = commands_of_long_ivs(
        bench, prefix, 200, idle=at_random(3, density), wait=at_random(4, 1.1 - density)
    )
    run(bench, [source, sink], lambda: source.done and len(sink.got) == 200)
    assert sink.got == told(source, firsts)
    assert all(out > source.sent[last] for out, last in zip(sink.cycles, lasts, strict=True))
    for number in range(depth, 200):
        assert source.sent[firsts[number]] > sink.cycles[number - depth]


@pytest.mark.parametrize("prefix", ["command", "ahead", "single"])
def test_a_command_that_comes_while_its_key_is_loaded_is_blocked_and_an_earlier_one_is_not(
    bench, prefix
):
    """Two commands of one context, the key's load between them; then one of another context."""
    for name, value in (("in_valid_i", 0), ("out_ready_i", 0), ("load_context_i", 1)):
        bench.put(f"{prefix}_{name}", value)

    def cycle(**levels: int) -> None:
        for name, value in levels.items():
            bench.put(f"{prefix}_{name}", value)
        bench.settle()
        bench.edge()
        bench.settle()

    def head() -> tuple[int, int]:
        return bench.get(f"{prefix}_out_valid_o"), bench.get(f"{prefix}_out_blocked_o")

    for context, expected in ((1, [(1, 0), (1, 1)]), (2, [(1, 0), (1, 0)])):
        command = {"in_context_i": context, "in_iv_bytes_i": 12}
        cycle(in_valid_i=1, **command)
        cycle(in_valid_i=0)
        cycle(load_start_i=1, load_busy_i=1)
        cycle(load_start_i=0)
        cycle()
        seen = [head()]
        cycle(out_ready_i=1)
        cycle(out_ready_i=0, in_valid_i=1, **command)
        cycle(in_valid_i=0)
        seen.append(head())
        assert seen == expected
        cycle(load_busy_i=0)
        cycle()
        assert head() == (1, 0)
        cycle(out_ready_i=1)
        cycle(out_ready_i=0)
        assert head()[0] == 0


@pytest.mark.parametrize("depth", RAM_DEPTHS)
def test_ram_shows_a_word_one_enabled_cycle_after_its_address(bench, depth):
    rng = random.Random(depth)
    memory: dict[int, int] = {}
    expected = None
    p = f"ram{depth}"
    for _ in range(400):
        write, read = rng.random() < 0.5, rng.random() < 0.5
        target, value, address = rng.randrange(depth), rng.getrandbits(WIDTH), rng.randrange(depth)
        for name, level in (
            ("write_i", write), ("write_addr_i", target), ("write_data_i", value),
            ("read_i", read), ("read_addr_i", address),
        ):  # fmt: skip
            bench.put(f"{p}_{name}", level)
        bench.settle()
        shown = bench.get(f"{p}_read_data_o")
        if depth == 1:  # a single word is shown as it stands
            expected = memory.get(0)
        assert expected is None or shown == expected
        if read:
            expected = memory.get(address)
        if write:
            memory[target] = value
        bench.edge()


@pytest.mark.parametrize("depth", RAM_DEPTHS)
def test_ram_without_read_register_shows_a_word_with_its_address(bench, depth):
    rng = random.Random(depth)
    memory: dict[int, int] = {}
    p = f"through{depth}"
    for _ in range(400):
        target, address = rng.randrange(depth), rng.randrange(depth)
        write, value = rng.random() < 0.5, rng.getrandbits(WIDTH)
        for name, level in (
            ("write_i", write), ("write_addr_i", target), ("write_data_i", value),
            ("read_addr_i", address),
        ):  # fmt: skip
            bench.put(f"{p}_{name}", level)
        bench.settle()
        assert bench.get(f"{p}_read_data_o") == memory.get(address, bench.get(f"{p}_read_data_o"))
        if write:
            memory[target] = value
        bench.edge()
    assert len(memory) == depth


class Digests:
    """Gives each entry's digest `delay` cycles after the entry, as a GHASH engine would."""

    def __init__(
        self, bench: Bench, prefix: str, entries: Source, values: Sequence[int], delay: int
    ) -> None:
        self._bench, self._prefix, self._entries = bench, prefix, entries
        self._values, self._delay = values, delay
        self.cycles: list[int] = []

    def put(self) -> None:
        number = len(self.cycles)
        sent = self._entries.sent
        due = number < len(sent) and sent[number] + self._delay == self._bench.cycle
        self._bench.put(f"{self._prefix}_digest_valid_i", due)
        if due:
            self._bench.put(f"{self._prefix}_digest_i", self._values[number])
            self.cycles.append(self._bench.cycle)

    def sample(self) -> None:
        """Nothing to sample."""


def first_bytes(block: int, count: int) -> int:
    return block >> (128 - 8 * count) << (128 - 8 * count)


@pytest.mark.parametrize("depth", TAG_DEPTHS)
@pytest.mark.parametrize("delay", [2, 4, 6, 14])
def test_tag_comes_two_cycles_after_its_digest_and_depth_of_them_are_under_way(bench, depth, delay):
    rng = random.Random(depth * delay)
    p = f"tag{depth}"
    packets = [
        {
            f"{p}_entry_iv_i": int(rng.random() < 0.2), f"{p}_entry_decrypt_i": 0,
            f"{p}_entry_status_i": 0, f"{p}_entry_bytes_i": rng.choice([4, 8, 12, 16]),
            f"{p}_entry_mask_i": rng.getrandbits(128),
        }
        for _ in range(120)
    ]  # fmt: skip
    values = [rng.getrandbits(128) for _ in packets]
    entries = Source(bench, f"{p}_entry_valid_i", f"{p}_entry_ready_o", packets)
    digests = Digests(bench, p, entries, values, delay)
    tags = Sink(bench, f"{p}_tag_valid_o", f"{p}_tag_ready_i", [f"{p}_tag_o", f"{p}_tag_ok_o"])
    counters = Sink(bench, f"{p}_j0_valid_o", None, [f"{p}_j0_o"])
    done = Sink(bench, f"{p}_packet_done_o", None, [])
    run(
        bench, [entries, digests, tags, counters, done],
        lambda: len(tags.got) + len(counters.got) == len(packets),
    )  # fmt: skip
    of_iv = [packet[f"{p}_entry_iv_i"] for packet in packets]
    cut = [
        first_bytes(value ^ packet[f"{p}_entry_mask_i"], packet[f"{p}_entry_bytes_i"])
        for value, packet in zip(values, packets, strict=True)
    ]
    plain = [number for number, iv in enumerate(of_iv) if not iv]
    hashed = [number for number, iv in enumerate(of_iv) if iv]
    assert tags.cycles == [digests.cycles[n] + 2 for n in plain]
    assert tags.got == [(cut[n], 1) for n in plain]
    assert done.cycles == [digests.cycles[n] + 1 for n in plain]
    assert counters.cycles == [digests.cycles[n] + 1 for n in hashed]
    assert counters.got == [(values[n],) for n in hashed]
    # An entry's place is free again in the cycle after its result has left.
    free = [cycle + (2 if iv else 3) for cycle, iv in zip(digests.cycles, of_iv, strict=True)]
    for number, cycle in enumerate(entries.sent):
        earliest = entries.sent[number - 1] + 1 if number else cycle
        left = sorted(free)[number - depth] if number >= depth else 0
        assert cycle == max(earliest, left), number
