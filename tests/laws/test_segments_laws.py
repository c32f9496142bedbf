# SPDX-License-Identifier: Apache-2.0
"""gcm_segments on its own bus: every place of packets in a beat, the cycles of its header and
descriptor, keys amid packets, forged tags and broken frames. Expected values are those of
`cryptography` (segmented.py)."""

import random
import re
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from bench import Source, at_random, never
from segmented import Segmented, check, segments_config

from gcmforge.config.codes import Status
from gcmforge.engines.gcm_segments.engine import (
    packet_segments,
    tag_cycles,
    text_cycles,
)
from gcmforge.sim.segmented import Packet, Part, beats, opened, random_packet, sealed

pytestmark = [pytest.mark.verilator, pytest.mark.slow]
CONFIGS = {
    "4 of 1, 2 stages": segments_config(ghash_stages=2),
    "2 of 1": segments_config(
        lanes=2, segments=2, contexts=2, ghash_stages=1, aes_substages=2, counter_sharing="on"
    ),
    "2 of 2, 3 stages": segments_config(
        segments=2, ghash_stages=3, contexts=3, counter_sharing="on"
    ),
    "2 of 2, verified": segments_config(
        segments=2, ghash_stages=2, contexts=3, release="verified", max_text_bytes=16_384
    ),
}
KEYS = [random.Random(n).randbytes(16) for n in range(2)]
IMIX = (40,) * 7 + (576,) * 4 + (1500,)


@cache
def loaded(name: str) -> Segmented:
    """A core with a key in contexts 0 and 1, used by one test after the other."""
    core = Segmented(CONFIGS[name])
    for context, key in enumerate(KEYS):
        core.load(key, context)
    return core


every = pytest.mark.parametrize("name", CONFIGS)


def numbered(count: int, sizes: list[int], rng: random.Random) -> list[Packet]:
    """Packets of these many bytes of text, the two keys in turn."""
    return [
        sealed(KEYS[n % 2], Packet(iv=rng.randbytes(12), text=rng.randbytes(sizes[n % len(sizes)]),
                                   context=n % 2))
        for n in range(count)
    ]  # fmt: skip


@every
def test_random_packets_under_pauses(name):
    core, rng = loaded(name), random.Random(name)
    for pauses in ((0, 0, 0), (0.5, 0, 0), (0, 0.5, 0), (0, 0, 0.6), (0.3, 0.3, 0.3)):
        packets = [random_packet(rng, KEYS) for _ in range(60)]
        idle, text, tags = (at_random(n, p) if p else never for n, p in enumerate(pauses))
        sent = beats(core.config, packets, gap=lambda: rng.random() < 0.2)
        check(packets, core.play(sent, 60, idle=idle, text_wait=text, tag_wait=tags))


@every
def test_every_place_of_packets_in_a_beat(name):
    """Packets of 0 to 3 segments one after the other from each segment on, AAD alone or text."""
    core, rng = loaded(name), random.Random(name)
    count, size = core.config["segments"], core.config.lanes // core.config["segments"] * 16
    packets = []
    for lengths in product(range(4), repeat=3):
        for segments in lengths:
            body = rng.randbytes(max(0, segments * size - rng.randrange(size)))
            only_aad = rng.random() < 0.3
            plain = Packet(
                iv=rng.randbytes(12), aad=body if only_aad else b"", context=rng.randrange(2),
                text=b"" if only_aad else body,
            )  # fmt: skip
            make = sealed if rng.random() < 0.5 else opened
            packets.append(make(KEYS[plain.context], plain))
    for shift in range(count):
        gaps = iter([True] * shift + [False] * 10_000)
        played = core.play(beats(core.config, packets, gap=lambda g=gaps: next(g)), len(packets))
        check(packets, played)


@every
def test_a_beat_is_taken_in_every_cycle_whatever_the_packets_are(name):
    """Cycles are segments / segments of a beat: for 0 to 600 bytes, and for IMIX."""
    core, rng = loaded(name), random.Random(name)
    count = core.config["segments"]
    every_length = list(range(0, 601, 7))
    for sizes in (*([n] for n in (0, 1, 16, 17, 40, 64, 100, 599, 600)), list(IMIX), every_length):
        packets = numbered(12 if len(sizes) == 1 else len(sizes), sizes, rng)
        taken = sum(packet_segments(core.config, 0, len(packet.text)) for packet in packets)
        played = core.play(beats(core.config, packets), len(packets))
        check(packets, played)
        first, last = played.in_cycles[0], played.in_cycles[-1]
        assert last - first + 1 == -(-taken // count), sizes
        assert played.tag_cycles[-1] - last == tag_cycles(core.config), sizes


@pytest.mark.parametrize("name", [*CONFIGS, "2 of 4, shared counters"])
def test_long_texts_are_right_where_the_low_byte_of_a_counter_overflows(name):
    """Block 254 of a text has counter 256, in the middle of a segment of four blocks. AAD before
    the texts moves them from segment to segment."""
    if name in CONFIGS:
        core = loaded(name)
    else:
        core = Segmented(segments_config(lanes=8, segments=2, contexts=1, counter_sharing="on"))
        core.load(KEYS[0])
    rng = random.Random(name)
    packets = [
        sealed(KEYS[0], Packet(iv=rng.randbytes(12), aad=rng.randbytes(aad),
                               text=rng.randbytes(size)))
        for aad in (0, 5) for size in (4_063, 4_064, 4_065, 4_200, 8_300)
    ]  # fmt: skip
    check(packets, core.play(beats(core.config, packets), len(packets)))


@every
def test_latencies_are_those_of_the_descriptor(name):
    core = loaded(name)
    (packet,) = numbered(1, [5], random.Random(name))
    played = core.play(beats(core.config, [packet]), 1)
    check([packet], played)
    assert played.text_cycles[0] - played.in_cycles[0] == text_cycles(core.config)
    assert played.tag_cycles[0] - played.in_cycles[0] == tag_cycles(core.config)


PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "carry-ethernet.md"
ROW = re.compile(r"^\| (\d+) \| `(\w+)` \| (.*) \|$", re.MULTILINE)
SHOWN = {"s_axis": ("ena", "sop", "eop", "mty", "text"), "m_axis": ("ena", "sop", "eop", "mty"),
         "m_tag": ("ena",)}  # fmt: skip


def test_the_table_of_the_page_is_what_comes():
    """Cycle by cycle: which segments are used, and what is said of them."""
    core, size = loaded("4 of 1, 2 stages"), 16
    iv = bytes(12)
    packets = [
        sealed(KEYS[0], Packet(iv=iv, aad=bytes(20), text=bytes(40))),
        sealed(KEYS[0], Packet(iv=iv, text=bytes(16))),
        sealed(KEYS[0], Packet(iv=iv, text=bytes(33))),
    ]
    rows = {(int(cycle), stream): cells for cycle, stream, cells in ROW.findall(PAGE.read_text())}
    words = beats(core.config, packets)
    seen: dict[tuple[int, str], dict[str, int]] = {}
    start = core.cycle
    source = Source(core, "s_axis_tvalid", "s_axis_tready", words)
    core.put("m_axis_tready", 1)
    core.put("m_tag_tready", 1)
    for _ in range(40):
        source.put()
        core.settle()
        for stream, fields in SHOWN.items():
            if core.get(f"{stream}_tvalid"):
                values = {field: core.get(f"{stream}_{field}") for field in fields}
                seen[core.cycle - start, stream] = values
        source.sample()
        core.edge()
    source.stop()
    assert seen.keys() == rows.keys()
    begun = dict.fromkeys(SHOWN, 0)  # packets so far: one begins with sop, an answer is one
    for place, cells in sorted(rows.items()):
        for g, cell in enumerate(cells.split("|")):
            said, given = cell.split(), seen[place]
            assert bool(said) == bool(given["ena"] >> g & 1), (place, g)
            if said:
                begun[place[1]] += given.get("sop", given["ena"]) >> g & 1
                assert said[0] == "ABC"[begun[place[1]] - 1], (place, g)
            for flag in ("sop", "eop", "text"):
                if said and flag in given:
                    assert (flag in said) == bool(given[flag] >> g & 1), (place, g, flag)
            if said and "mty" in given:
                (mty,) = [int(word[4:]) for word in said if word.startswith("mty=")] or [0]
                assert given["mty"] >> (g * size.bit_length()) & 31 == mty, (place, g)


@every
def test_a_forged_packet_between_two_others_is_the_only_one_refused(name):
    core, rng = loaded(name), random.Random(name)
    for _ in range(20):
        plain = [Packet(iv=rng.randbytes(12), text=rng.randbytes(9)) for _ in range(3)]
        packets = [opened(KEYS[0], one, forged=n == 1) for n, one in enumerate(plain)]
        played = core.play(beats(core.config, packets), 3)
        check(packets, played)
        assert [status for _, status in played.answers] == [
            Status.OK, Status.AUTH_FAIL, Status.OK
        ]  # fmt: skip


@every
def test_packets_that_came_before_a_key_keep_the_old_one(name):
    """In the beat in which a key is taken, and in those before; later ones have the new key."""
    rng = random.Random(name)
    for delay in range(0, 24):
        core = loaded(name)
        core.load(KEYS[0], 0)
        new = rng.randbytes(16)
        word = {"s_key_tdata": int.from_bytes(new, "little"), "s_key_size": 0, "s_key_context": 0}
        start = core.cycle
        key = Source(core, "s_key_tvalid", "s_key_tready", [word],
                     idle=lambda cycle, at=start + delay: cycle < at)  # fmt: skip
        sizes = [rng.choice((0, 5, 16, 33)) for _ in range(40)]
        plain = [
            Packet(iv=rng.randbytes(12), text=rng.randbytes(size), context=rng.choice((0, 0, 1)))
            for size in sizes
        ]
        words = beats(core.config, plain)
        played = core.play(words, len(plain), more=[key])
        # A packet's key is decided by the beat in which it starts.
        count, at, packets = core.config["segments"], 0, []
        for one in plain:
            taken = played.in_cycles[at // count]
            at += packet_segments(core.config, 0, len(one.text))
            old = one.context == 1 or taken <= key.sent[0]
            packets.append(sealed((KEYS[1] if one.context else KEYS[0]) if old else new, one))
        check(packets, played)
    core.load(KEYS[0], 0)


def test_a_key_for_a_context_that_is_not_there_does_not_hold_up_the_next():
    """With packets of that context, long ones, of which one is open at the end of every beat."""
    core, rng = Segmented(segments_config(lanes=2, segments=2, contexts=1)), random.Random(8)
    core.load(KEYS[0])
    plain = [Packet(iv=rng.randbytes(12), text=rng.randbytes(size), context=1, out=bytes(size),
                    status=Status.NO_KEY) for size in (16, *(320,) * 200)]  # fmt: skip
    words = [
        {"s_key_tdata": int.from_bytes(key, "little"), "s_key_size": 0, "s_key_context": context}
        for context, key in ((1, KEYS[0]), (0, KEYS[1]))
    ]
    keys = Source(core, "s_key_tvalid", "s_key_tready", words,
                  idle=lambda cycle, at=core.cycle + 100: cycle < at)  # fmt: skip
    check(plain, core.play(beats(core.config, plain), len(plain), more=[keys]))
    assert keys.sent[1] - keys.sent[0] < 100
    last = [sealed(KEYS[1], Packet(iv=bytes(12), text=bytes(40)))]
    check(last, core.play(beats(core.config, last), 1))


@every
def test_what_is_wrong_with_a_command_is_answered_and_nothing_leaves(name):
    core, rng = loaded(name), random.Random(name)
    core.load(bytes(16), 1, size=3)
    good = Packet(iv=rng.randbytes(12), text=rng.randbytes(20))
    wrong = [
        (replace(good, context=1), Status.NO_KEY),
        (replace(good, iv_bytes=13), Status.BAD_IV),
        (replace(good, tag_bytes=5), Status.BAD_TAG_LENGTH),
        (replace(good, context=1, iv_bytes=0, tag_bytes=0), Status.NO_KEY),
    ]
    packets = []
    for bad, status in wrong:
        packets += [replace(bad, out=bytes(20), status=status), sealed(KEYS[0], good)]
    check(packets, core.play(beats(core.config, packets), len(packets)))
    core.load(KEYS[1], 1)


@every
def test_broken_frames_are_refused_and_harm_no_other_packet(name):
    """What came before the first broken rule leaves, zeros from there on."""
    core, rng = loaded(name), random.Random(name)
    size = core.config.lanes // core.config["segments"] * 16
    full, short = rng.randbytes(size), rng.randbytes(size - 3)
    more = Part(data=full, text=True)
    head, last = replace(more, start=True), Part(data=short, text=True, end=True)
    frames = {
        "two starts": ((head, replace(more, start=True), last), 1),
        "no start": ((replace(head, start=False), more, last), 0),
        "refused from outside": ((head, replace(more, error=True), last), 1),
        "goes on after a segment that is not full": ((head, replace(last, end=False), last), 2),
        "AAD after text": ((head, replace(more, text=False), last), 1),
        "AAD at the end": ((head, replace(last, text=False)), 1),
        "AAD after a segment that is not full": (
            (Part(data=b"a", start=True), Part(data=b"b"), last),
            0,
        ),
    }
    for what, (parts, good) in frames.items():
        plain = Packet(iv=rng.randbytes(12), parts=parts)
        text = b"".join(one.data for one in parts[:good])
        cipher = sealed(KEYS[0], replace(plain, text=text)).out
        zeros = sum(len(one.data) for one in parts[good:] if one.text)
        broken = replace(plain, out=cipher + bytes(zeros), status=Status.BAD_FRAME)
        others = [sealed(KEYS[0], Packet(iv=rng.randbytes(12), text=b"other")) for _ in range(2)]
        packets = [others[0], broken, others[1]]
        try:
            check(packets, core.play(beats(core.config, packets), 3))
        except AssertionError as error:
            raise AssertionError(what) from error


def test_limits_are_exact():
    config = segments_config(max_text_bytes=4096, max_aad_bytes=4096, lanes=2, segments=2,
                             contexts=2)  # fmt: skip
    core, rng = Segmented(config), random.Random(3)
    core.load(KEYS[0])
    packets = []
    for aad, text in ((4096, 3), (3, 4096), (4097, 3), (3, 4097), (4112, 40), (40, 5000)):
        plain = Packet(iv=rng.randbytes(12), aad=rng.randbytes(aad), text=rng.randbytes(text))
        packet = sealed(KEYS[0], plain)
        if max(aad, text) > 4096:
            out = packet.out[:4096] if aad <= 4096 else b""
            packet = replace(
                packet, out=out.ljust(text, b"\0"), answer=bytes(16), status=Status.TOO_LONG
            )
        packets.append(packet)
    check(packets, core.play(beats(config, packets), len(packets)))


@every
def test_more_missing_bytes_than_a_segment_has_are_refused(name):
    core, rng = loaded(name), random.Random(name)
    size = core.config.lanes // core.config["segments"] * 16
    bits = size.bit_length()
    good = [sealed(KEYS[0], Packet(iv=rng.randbytes(12), text=b"other")) for _ in range(2)]
    for missing in (size + 1, (1 << bits) - 1):
        bad = Packet(iv=rng.randbytes(12), text=rng.randbytes(size), status=Status.BAD_FRAME)
        (word, *rest) = beats(core.config, [good[0], bad, good[1]])
        word["s_axis_mty"] |= missing << bits  # of segment 1, which was full
        played = core.play([word, *rest], 3)
        assert [status for _, status in played.answers] == [
            Status.OK, Status.BAD_FRAME, Status.OK
        ]  # fmt: skip
        assert played.answers[1][0] == bytes(16)


@every
def test_what_nobody_names_does_not_count(name):
    """Bytes of the expected tag beyond its length, and err in a segment that is not used."""
    core, rng = loaded(name), random.Random(name)
    packets, sent = [], []
    for count in (4, 8, 12, 13, 14, 15, 16):
        plain = Packet(iv=rng.randbytes(12), text=rng.randbytes(7), tag_bytes=count)
        packets.append(opened(KEYS[0], plain))
        noise = packets[-1].tag[:count] + rng.randbytes(16 - count)
        sent.append(replace(packets[-1], tag=noise))
    gaps = iter([True, False] * len(sent))
    words = beats(core.config, sent, gap=lambda: next(gaps))
    unused = (1 << core.config["segments"]) - 1
    words = [word | {"s_axis_err": unused & ~word["s_axis_ena"]} for word in words]
    check(packets, core.play(words, len(packets)))
    nothing = dict.fromkeys(words[0], 0)
    check(packets, core.play([nothing, words[0], nothing, *words[1:]], len(packets)))
