# SPDX-License-Identifier: Apache-2.0
"""gcm_streams on its own bus: another stream in every beat, packets of one stream back to back, the
cycles of its header and descriptor, keys amid packets, packets that break off. Expected values are
those of `cryptography` (gcmforge.sim.interleaved)."""

import json
import math
import random
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from bench import at_random, never, run
from interleaving import Interleaved, compare, streams_config

from gcmforge.config.codes import Status
from gcmforge.emit.core import core_files
from gcmforge.emit.leaves import LEAF_MODULES
from gcmforge.engines.gcm_streams.engine import packet_beats, tag_cycles, text_cycles
from gcmforge.engines.gcm_streams.memories import (
    context_bits,
    line_bits,
    memories,
    memory_bits,
    steps,
    stream_bits,
)
from gcmforge.field import gf128_multiply
from gcmforge.sim import reference
from gcmforge.sim.interleaved import Beat, Packet, interleaved, outcome, places
from gcmforge.tools import run_yosys

pytestmark = [pytest.mark.verilator, pytest.mark.slow]
CONFIGS = {
    "1 stage": streams_config(),
    "2 stages": streams_config(ghash_stages=2, streams=3, contexts=3, aes_substages=2),
    "3 stages": streams_config(ghash_stages=3, streams=5),
    "one stream, 2 stages": streams_config(ghash_stages=2, streams=1, contexts=1),
    "one stream, 3 stages": streams_config(ghash_stages=3, streams=1, contexts=20),
    "long keys": streams_config(key_sizes=(128, 256), streams=8, ghash_stages=2),
}
KEYS = [random.Random(n).randbytes(16) for n in range(3)]
LENGTHS = (0, 1, 15, 16, 17, 31, 32, 33, 47, 48, 49, 64, 65, 80, 96, 97, 600)


@cache
def loaded(name: str) -> Interleaved:
    """A core with a key in each of its first contexts, used by one test after the other."""
    core = Interleaved(CONFIGS[name])
    for context, key in zip(range(core.config.contexts), KEYS, strict=False):
        core.load(key * (len(core.config.key_sizes) if context == 1 else 1), context)
    return core


every = pytest.mark.parametrize("name", CONFIGS)


def made(core: Interleaved, rng: random.Random, stream: int, aad: int, text: int) -> Packet:
    """A packet to be encrypted, or to be decrypted again; some of these are forged."""
    context = rng.choice(list(core.held))
    packet = Packet(stream=stream, context=context, iv=rng.randbytes(12), aad=rng.randbytes(aad),
                    text=rng.randbytes(text), tag_bytes=rng.choice((16, 12, 4)))  # fmt: skip
    if rng.random() < 0.5:
        return packet
    out, tag = reference.seal(core.held[context], packet.iv, packet.text, packet.aad)
    return replace(packet, decrypt=True, text=out,
                   tag=bytes([tag[0] ^ (rng.random() < 0.2)]) + tag[1:])  # fmt: skip


def follows_the_law(core: Interleaved, packets, order) -> None:
    """A beat in every cycle, and text and answers when they have to come."""
    played = core.check(packets, order)
    first = played.in_cycles[0]
    assert played.in_cycles == list(range(first, first + len(order)))
    sent = [packets[number].beats[beat] if beat >= 0 else None for number, beat in order]
    texts = [first + at for at, beat in enumerate(sent) if beat and beat.text and beat.data]
    ends = [first + at for at, beat in enumerate(sent) if beat and beat.last]
    assert [cycle - text_cycles(core.config) for cycle in played.text_cycles] == texts
    assert [cycle - tag_cycles(core.config) for cycle in played.tag_cycles] == ends


@every
def test_another_stream_in_every_beat_costs_nothing(name):
    """Of packets of every length: as many cycles as commands and beats, each text and each answer
    at its time."""
    core, rng = loaded(name), random.Random(name)
    streams = core.config["streams"]
    for length in LENGTHS:
        aad = rng.choice((0, 16, 20))
        packets = [made(core, rng, stream, aad, length) for stream in range(streams)] * 2
        order = interleaved(packets, rng, turns=True)
        assert len(order) == len(packets) * packet_beats(aad, length)
        follows_the_law(core, packets, order)


@every
def test_packets_of_one_stream_follow_each_other_without_a_pause(name):
    """Command after last beat, every length of AAD and text from none to 4 blocks."""
    core, rng = loaded(name), random.Random(name)
    for stream in {0, core.config["streams"] - 1}:
        packets = [
            made(core, rng, stream, 16 * aad - 3 * (aad > 2), 16 * text - 5 * (text % 2))
            for aad, text in product(range(5), repeat=2)
        ]
        rng.shuffle(packets)
        order = [place for number in range(len(packets)) for place in places(packets, number)]
        follows_the_law(core, packets, order)


@every
def test_any_order_of_streams(name):
    """Blocks of a stream one, two, three and more beats apart, where products are under way."""
    core, rng = loaded(name), random.Random(name)
    for stays in (0.0, 0.3, 0.6, 0.9):
        packets = [
            made(core, rng, rng.randrange(core.config["streams"]), rng.choice((0, 5, 16, 40)),
                 rng.randint(0, 120))
            for _ in range(60)
        ]  # fmt: skip
        follows_the_law(core, packets, interleaved(packets, rng, stays=stays))


@every
def test_under_pauses(name):
    core, rng = loaded(name), random.Random(name)
    for pauses in ((0.5, 0, 0), (0, 0.5, 0), (0, 0, 0.8), (0.3, 0.3, 0.3)):
        packets = [
            made(core, rng, rng.randrange(core.config["streams"]), rng.choice((0, 20)),
                 rng.randint(0, 60))
            for _ in range(40)
        ]  # fmt: skip
        idle, text, tags = (at_random(n, p) if p else never for n, p in enumerate(pauses))
        order = interleaved(packets, rng, stays=rng.choice((0, 0.7)))
        core.check(packets, order, idle=idle, text_wait=text, tag_wait=tags)


@pytest.mark.parametrize("stages", [1, 3])
def test_a_thousand_and_more_streams(stages):
    """Each has a packet open at once; the next beat of each comes 1,024 beats later."""
    config = streams_config(streams=1024, contexts=1024, ghash_stages=stages)
    core, rng = Interleaved(config), random.Random(stages)
    core.load(KEYS[0], 1023)
    core.load(KEYS[1], 512)
    packets = [made(core, rng, stream, 20, 25) for stream in range(1024)]
    follows_the_law(core, packets, interleaved(packets, rng, turns=True))
    few = [made(core, rng, rng.choice((0, 1, 511, 1023)), 5, 33) for _ in range(80)]
    follows_the_law(core, few, interleaved(few, rng))


@every
def test_a_stream_may_rest_amid_its_packet(name):
    """Others go on for 300 packets meanwhile; then it ends as if nothing had been."""
    core, rng = loaded(name), random.Random(name)
    streams = core.config["streams"]
    rests = [made(core, rng, stream, 33, 70) for stream in range(0, streams, 2)]
    others = [made(core, rng, stream, 0, 20) for stream in range(1, streams, 2)] * 150
    packets = rests + others
    whole = [list(places(packets, number)) for number in range(len(packets))]
    order = [place for one in whole[: len(rests)] for place in one[:3]]
    order += [place for one in whole[len(rests) :] for place in one]
    order += [place for one in whole[: len(rests)] for place in one[3:]]
    follows_the_law(core, packets, order)


@every
def test_a_last_beat_without_a_byte(name):
    """It ends a packet whose length its sender did not know, one to five blocks after its start,
    when the last products are still under way and when they are not."""
    core, rng = loaded(name), random.Random(name)
    for blocks, apart, aad in product(range(6), range(4), (False, True)):
        stream, other = 0, core.config["streams"] - 1
        data = rng.randbytes(16 * blocks)
        packet = _OpenEnded(
            stream=stream, iv=rng.randbytes(12), aad=data if aad else b"",
            text=b"" if aad else data,
        )  # fmt: skip
        between = [made(core, rng, other, 0, 16) for _ in range(apart if other else 0)]
        given = [packet, *between]
        order = [(0, beat) for beat in range(-1, blocks)]
        order += [place for n in range(1, len(given)) for place in places(given, n)]
        core.check(given, [*order, (0, blocks)])


class _OpenEnded(Packet):
    """With one more beat, that has no byte."""

    @property
    def beats(self):
        full = [replace(beat, last=False) for beat in Packet.beats.fget(self) if beat.data]
        return (*full, Beat(data=b"", text=bool(self.text), last=True))


@every
def test_a_command_breaks_off_what_is_open_on_its_stream(name):
    """BAD_FRAME for the one, and the other is as if nothing had been; a text is ended."""
    core, rng = loaded(name), random.Random(name)
    packets = []
    for cut in range(5):
        whole = made(core, rng, 0, 20, 40)
        packets += [replace(whole, cut=cut), made(core, rng, 0, 0, 20)]
    order = [place for number in range(len(packets)) for place in places(packets, number)]
    played = core.check(packets, order)
    statuses = [status for _, _, status in played.tags]
    assert statuses[::2] == [Status.BAD_FRAME] * 5
    assert Status.BAD_FRAME not in statuses[1::2]


@every
def test_what_is_wrong_is_answered_once(name):
    core, rng = loaded(name), random.Random(name)
    last = core.config.contexts - 1
    if last:
        core.load(bytes(16), last, size=3)
    good = made(core, rng, 0, 20, 40)
    wrong = [
        (replace(good, context=last), Status.NO_KEY),
        (replace(good, context=last, iv_good=False, tag_bytes=0), Status.NO_KEY),
        (replace(good, iv_good=False), Status.BAD_IV),
        (replace(good, tag_bytes=5), Status.BAD_TAG_LENGTH),
        (replace(good, command=False), Status.BAD_FRAME),
        (replace(good, refused_at=0), Status.BAD_FRAME),
        (replace(good, refused_at=3), Status.BAD_FRAME),
        (replace(good, refused_at=4), Status.BAD_FRAME),
    ]
    if core.config.contexts in (3, 20):  # the port has room for one more
        wrong.append((replace(good, context=core.config.contexts), Status.NO_KEY))
    for packet, status in wrong[0 if last else 2 :]:
        packets = [packet, made(core, rng, core.config["streams"] - 1, 0, 20), good]
        order = [place for number in range(3) for place in places(packets, number)]
        played = core.check(packets, order)
        assert played.tags[0][2] == status
    if last:
        core.load(KEYS[last % 3], last)


def test_data_of_a_stream_that_does_not_exist_is_answered():
    """Three streams: the port has room for a fourth. Nothing of it leaves."""
    core, rng = loaded("2 stages"), random.Random(4)
    packets = [made(core, rng, stream, 20, 40) for stream in (0, 3, 1, 3)]
    order = interleaved(packets, rng)
    results = [
        replace(outcome(one, core.held[one.context]), **(
            {"outs": (None,) * 5, "tag": bytes(16), "status": Status.BAD_FRAME}
            if one.stream == 3 else {}
        ))
        for one in packets
    ]  # fmt: skip
    compare(packets, order, results, core.play(packets, order))


def test_limits_are_exact():
    config = streams_config(max_text_bytes=100, max_aad_bytes=48, contexts=1, ghash_stages=3)
    core, rng = Interleaved(config), random.Random(3)
    core.load(KEYS[0])
    packets = [
        Packet(stream=rng.randrange(4), iv=rng.randbytes(12), aad=rng.randbytes(aad),
               text=rng.randbytes(text))
        for aad in (0, 47, 48, 49, 64, 80) for text in (0, 99, 100, 101, 112, 113, 160)
    ]  # fmt: skip
    played = core.check(packets, interleaved(packets, rng))
    assert sum(status == Status.TOO_LONG for *_, status in played.tags) == 3 * 4 + 3 * 7


@every
def test_a_key_waits_until_no_packet_of_its_context_is_open(name):
    """Packets of other contexts go on, and those of its own that have begun keep the old key."""
    core, rng = loaded(name), random.Random(name)
    streams = core.config["streams"]
    if streams == 1 or core.config.contexts == 1:
        return
    old = core.held[0]
    for delay in range(0, 60, 3):
        new = rng.randbytes(16)
        before = [made(core, rng, stream, 20, 50) for stream in range(streams)]
        before = [_in_context(core, rng, one, 0) for one in before]
        after = [_in_context(core, rng, made(core, rng, s, 0, 40), 1) for s in range(streams)]
        again = [Packet(stream=s, iv=rng.randbytes(12), text=rng.randbytes(30))
                 for s in range(streams)]  # fmt: skip
        packets = before + after + again
        order = interleaved(before, rng, turns=True)
        for part, at in ((after, len(before)), (again, len(before) + len(after))):
            order += [(n + at, beat) for n, beat in interleaved(part, rng, turns=True)]
        start = core.cycle + delay
        key = core.key(new, 0, idle=lambda cycle, start=start: cycle < start)
        played = core.play(packets, order, more=[key])
        begun = {n: cycle for (n, beat), cycle in zip(order, played.in_cycles, strict=True)
                 if beat < 0}  # fmt: skip
        ended = max(
            cycle for (n, _), cycle in zip(order, played.in_cycles, strict=True)
            if n < len(before)
        )  # fmt: skip
        taken = key.sent[0]
        assert taken > ended or delay == 0
        results = [
            outcome(one, (old if begun[n] < taken else new) if one.context == 0 else core.held[1])
            for n, one in enumerate(packets)
        ]
        compare(packets, order, results, played)
        old = core.held[0] = new


def _in_context(core: Interleaved, rng: random.Random, packet: Packet, context: int) -> Packet:
    while packet.context != context:
        packet = replace(made(core, rng, packet.stream, len(packet.aad), len(packet.text)))
    return packet


def test_other_streams_are_not_held_up_by_a_key():
    """While a key is made, a beat goes in in every cycle."""
    core, rng = loaded("1 stage"), random.Random(9)
    packets = [_in_context(core, rng, made(core, rng, n % 4, 0, 60), 1) for n in range(80)]
    order = interleaved(packets, rng, turns=True)
    new = rng.randbytes(16)
    key = core.key(new, 0)
    played = core.play(packets, order, more=[key])
    core.held[0] = new
    results = [outcome(one, core.held[1]) for one in packets]
    compare(packets, order, results, played)
    first = played.in_cycles[0]
    assert played.in_cycles == list(range(first, first + len(order)))
    core.check([replace(one, context=0, decrypt=False) for one in packets[:4]],
               interleaved(packets[:4], rng))  # fmt: skip


def test_after_a_reset_no_stream_has_a_packet_and_no_context_a_key():
    core = Interleaved(CONFIGS["3 stages"], seed=5)
    rng = random.Random(5)
    core.load(KEYS[0])
    packets = [Packet(stream=s, iv=rng.randbytes(12), text=rng.randbytes(40)) for s in range(5)]
    core.check(packets, interleaved(packets, rng))
    core.put("aresetn", 0)
    run(core, [], lambda at=core.cycle: core.cycle >= at + 2)
    core.put("aresetn", 1)
    del core.held[0]
    packets = [replace(one, command=n % 2 == 0) for n, one in enumerate(packets)]
    played = core.check(packets, interleaved(packets, rng))
    assert {status for *_, status in played.tags} == {Status.NO_KEY, Status.BAD_FRAME}


@pytest.mark.parametrize("direction", ["encrypt", "decrypt"])
def test_the_other_direction_is_refused(direction):
    core = Interleaved(streams_config(direction=direction, contexts=1))
    rng = random.Random(direction)
    core.load(KEYS[0])
    packets = [made(core, rng, n % 4, 20, 40) for n in range(20)]
    order = interleaved(packets, rng)
    results = [outcome(one, KEYS[0]) for one in packets]
    for n, one in enumerate(packets):
        if one.decrypt != (direction == "decrypt"):
            outs = tuple(out and (bytes(len(out[0])), out[1]) for out in results[n].outs)
            results[n] = replace(results[n], outs=outs, tag=bytes(16), status=Status.BAD_DIRECTION)
    assert len({result.status for result in results}) > 1
    compare(packets, order, results, core.play(packets, order))


# ---- the algebra of the header -------------------------------------------------------------------


@pytest.mark.parametrize("stages", [1, 2, 3])
def test_partial_digests_close_to_the_digest(stages):
    """The equations of streams_ghash on numbers, compared with Horner's rule."""
    rng = random.Random(stages)
    for count in range(9):
        h, lengths = rng.getrandbits(128), rng.getrandbits(128)
        blocks = [rng.getrandbits(128) for _ in range(count)]
        power = [1, h]
        for _ in range(2):
            power.append(gf128_multiply(power[-1], h))
        digest = 0
        for block in [*blocks, lengths]:
            digest = gf128_multiply(digest ^ block, h)
        partial = [0] * stages
        for number, block in enumerate(blocks[:-1]):
            turn = number % stages
            partial[turn] = gf128_multiply(partial[turn] ^ block, power[stages])
        turn = (count - 1) % stages
        last = (partial[turn] ^ blocks[-1]) if blocks else 0
        if stages == 1:
            found = gf128_multiply(gf128_multiply(last, h) ^ lengths, h)
        else:
            rest = [partial[(turn - back) % stages] if count else 0 for back in (1, 2)]
            found = gf128_multiply(last, power[2])
            found ^= 0 if stages == 2 else rest[0]
            found ^= gf128_multiply(rest[stages - 2] ^ lengths, h)
        assert found == digest


# ---- the page ------------------------------------------------------------------------------------

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "theory" / "streams.md"
ROW = re.compile(r"^\| (\d+) \| `(\w+)` \| (\d) \| (.*) \|$", re.MULTILINE)


def test_the_table_of_the_page_is_what_comes():
    """Cycle by cycle: which stream, and what of it."""
    core = Interleaved(streams_config(ghash_stages=2))
    core.load(KEYS[0])
    core.load(KEYS[1], 1)
    packets = [
        Packet(stream=0, iv=bytes(12), aad=bytes(20), text=bytes(16)),
        Packet(stream=3, iv=bytes(12), context=1, text=bytes(20)),
        Packet(stream=1, iv=bytes(12)),
        Packet(stream=1, iv=bytes(12), text=bytes(1)),
    ]
    order = [(0, -1), (1, -1), (0, 0), (1, 0), (0, 1), (2, -1), (2, 0), (3, -1), (1, 1), (3, 0),
             (0, 2)]  # fmt: skip
    played = core.check(packets, order)
    first = played.in_cycles[0]
    rows = set()
    for at, (number, beat) in enumerate(order):
        one = packets[number].beats[beat] if beat >= 0 else None
        said = "command" if one is None else "text" if one.text else "AAD"
        last = ", tlast" if one and one.last else ""
        rows.add((at, "s_axis", packets[number].stream, said + last))
    for cycle, (_, keep, last, tid) in zip(played.text_cycles, played.text, strict=True):
        size = keep.bit_count()
        rows.add(
            (
                cycle - first,
                "m_axis",
                tid,
                f"{size} bytes{', tlast' * last}".replace("1 bytes", "1 byte")
                if size == 1
                else f"{size} bytes{', tlast' * last}",
            )
        )
    for cycle, (tid, _, _) in zip(played.tag_cycles, played.tags, strict=True):
        rows.add((cycle - first, "m_tag", tid, "answer"))
    page = {
        (int(c), s, int(tid), what)
        for c, s, tid, what in ROW.findall((DOCS / "how-to" / "serve-channels.md").read_text())
    }
    assert page == rows


@pytest.mark.yosys
@pytest.mark.parametrize("stages", [1, 2, 3])
def test_memories_hold_the_bits_that_the_descriptor_says(stages, tmp_path):
    """The words of as many places as there are streams, or contexts, in what Yosys reads."""
    config = streams_config(
        streams=37, contexts=29, ghash_stages=stages, key_sizes=(128, 256), max_aad_bytes=999
    )
    leaves = {leaf: f"module {leaf}; endmodule" for leaf in LEAF_MODULES}
    files, order, _ = core_files(config, prove=False, instead=leaves)
    read = [name for name in order if not name.startswith("bench/") and Path(name).stem != "gcm"]
    for name in read:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(files[name])
    boxed = [name for name in read if Path(name).stem not in leaves]
    run_yosys(
        [
            *(f"read_verilog -sv {name}" for name in boxed),
            f"hierarchy -top {config.top}", "proc -norom", "flatten", "opt_clean",
            "memory_collect", "opt_clean", "write_json flat.json",
        ],
        time_limit_s=300, cwd=tmp_path,
    )  # fmt: skip
    cells = json.loads((tmp_path / "flat.json").read_text())["modules"][config.top]["cells"]
    found = Counter[tuple[int, int]]()
    for cell in cells.values():
        if cell["type"].startswith("$mem"):
            size, width = (int(cell["parameters"][name], 2) for name in ("SIZE", "WIDTH"))
            found[size, width] += size in (37, 29, steps(config))
    said = Counter[tuple[int, int]]()
    for memory in memories(config):
        said[memory.words, memory.bits] += memory.number
    assert +found == said
    bits = Counter[int]()
    for (size, width), number in found.items():
        bits[size] += width * number
    assert bits[37] == stream_bits(config)
    assert bits[29] == context_bits(config)
    assert bits[steps(config)] * steps(config) == line_bits(config)


def test_the_page_says_what_memories_hold():
    text = PAGE.read_text()
    for streams, contexts, stages in ((64, 16, 1), (1024, 1024, 1), (1024, 1024, 3)):
        config = streams_config(
            streams=streams, contexts=contexts, ghash_stages=stages, key_sizes=(128, 256)
        )
        macros = sum(
            memory.number * math.ceil(memory.words / 256) * math.ceil(memory.bits / 32)
            for memory in memories(config)
            if memory.registered
        )
        row = (
            f"| {streams:,} | {contexts:,} | {stages} | {stream_bits(config):,} | "
            f"{context_bits(config):,} | {memory_bits(config) / 1000:,.0f} | {macros} | "
            f"{macros * 493.38 * 400.22 / 1e6:.1f} |"
        )
        assert row in text, row
        for memory in memories(config):
            assert f"| `{memory.name}` | {memory.holds} |" in text


def test_the_page_says_the_bits_a_cycle_of_short_packets():
    rates = [8 * size / packet_beats(0, size) for size in (64, 1_500)]
    assert "{:.1f} for 64 bytes, {:.1f} for 1,500".format(*rates) in PAGE.read_text()
