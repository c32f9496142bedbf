# SPDX-License-Identifier: Apache-2.0
"""gcm_micro on its own streams of 32 bits: the cycles of its descriptor and headers, what it
answers, and frames that its wide form never sends. Expected values are those of `cryptography`."""

import random
import re
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from pathlib import Path

import pytest
from bench import Bench, Sink, Source, at_random, compile_bench, never, run
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from refusals import hold_refusals

from gcmforge.config.codes import Status
from gcmforge.config.presets import preset
from gcmforge.emit.core import core_files
from gcmforge.emit.rtl import handwritten
from gcmforge.engines.gcm_micro.engine import ENGINE, block_cycles, hash_cycles, word_cycles

pytestmark = [pytest.mark.verilator, pytest.mark.slow]
CONFIG = preset("micro").with_settings(["max_text_bytes=64", "max_aad_bytes=32"])
SHORT_KEYS = CONFIG.with_settings(["key_sizes=128"])
FOUR = CONFIG.with_settings(["sboxes=4"])
FOUR_SHORT = FOUR.with_settings(["key_sizes=128"])
FOUR_MEMORY = FOUR.with_settings(["sbox=bram"])
DETECT = CONFIG.with_settings(["faults=detect"])
DETECT_SHORT = DETECT.with_settings(["key_sizes=128"])
KEYS = (bytes(range(16)), bytes(range(32)))
WITH_KEYS = [
    (config, key)
    for config in (CONFIG, SHORT_KEYS, FOUR, FOUR_SHORT, FOUR_MEMORY, DETECT, DETECT_SHORT)
    for key in KEYS
    if 8 * len(key) in config.key_sizes
]
"""Every form of the core, with a key of each size that it takes."""
LARGEST = [(config, key) for config, key in WITH_KEYS if 8 * len(key) == max(config.key_sizes)]
FORMS = [CONFIG, FOUR, DETECT]
AAD, TEXT = 0, 1
WHOLE = 15


@cache
def compiled(config=CONFIG) -> Path:
    files, rtl, _ = core_files(config, prove=False)
    texts = {Path(name).stem: files[name] for name in rtl if not name.startswith("bench/")}
    return compile_bench(config.top, texts)


@dataclass(frozen=True, kw_only=True)
class Packet:
    """One command and its data, as words on the streams; what is not set follows from the rest."""

    iv: bytes
    aad: bytes = b""
    text: bytes = b""
    tag: bytes | None = None
    """To decrypt: the tag that is expected."""
    tag_bytes: int = 16
    context: int = 0
    beats: tuple[tuple[bytes, int, int], ...] | None = None
    """Bytes, tkeep, tuser of each beat, for frames out of the ordinary."""

    @property
    def command(self) -> list[dict[str, int]]:
        first = (self.tag is not None) << 7 | self.context << 5 | self.tag_bytes
        frames = [bytes([first, 0, 0, 0]) + self.iv, *([] if self.tag is None else [self.tag])]
        return [word for frame in frames for word in framed("s_cmd", frame)]

    @property
    def data(self) -> list[dict[str, int]]:
        beats = self.beats
        if beats is None:
            beats = tuple(
                (section[at : at + 4], (1 << len(section[at : at + 4])) - 1, user)
                for section, user in ((self.aad, AAD), (self.text, TEXT))
                for at in range(0, len(section), 4)
            )
        beats = beats or ((b"", 0, AAD),)
        return [
            {
                "s_axis_tdata": int.from_bytes(data, "little"), "s_axis_tkeep": keep,
                "s_axis_tuser": user, "s_axis_tlast": number == len(beats) - 1,
            }
            for number, (data, keep, user) in enumerate(beats)
        ]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Answer:
    text: bytes
    ended: bool
    """Whether tlast came with the text's last beat, and with no other."""
    tag: bytes
    status: Status
    cycle: int
    first_text: int


def framed(stream: str, frame: bytes) -> list[dict[str, int]]:
    starts = range(0, len(frame), 4)
    return [
        {
            f"{stream}_tdata": int.from_bytes(frame[at : at + 4], "little"),
            f"{stream}_tlast": at == starts[-1],
        }
        for at in starts
    ]


def fresh(config=CONFIG) -> Bench:
    return Bench(compiled(config), clock="aclk", reset="aresetn", reset_level=0)


def load(bench: Bench, key: bytes) -> tuple[int, int]:
    """Cycles of the key's first and last word."""
    source = Source(bench, "s_key_tvalid", "s_key_tready", framed("s_key", key))
    run(bench, [source], lambda: source.done)
    return source.sent[0], source.sent[-1]


def kept(data: int, keep: int) -> bytes:
    word = data.to_bytes(4, "little")
    assert not any(byte for n, byte in enumerate(word) if not keep >> n & 1)
    return bytes(byte for n, byte in enumerate(word) if keep >> n & 1)


def answers(bench: Bench, packets: list[Packet], *, pauses: float = 0.0) -> list[Answer]:
    """What comes of packets one after the other, with pauses on every stream."""
    idle = [at_random(n, pauses) if pauses else never for n in range(4)]
    commands = Source(
        bench, "s_cmd_tvalid", "s_cmd_tready", [w for p in packets for w in p.command], idle=idle[0]
    )
    data = Source(
        bench, "s_axis_tvalid", "s_axis_tready", [w for p in packets for w in p.data], idle=idle[1]
    )
    fields = ("tdata", "tkeep", "tlast")
    text = Sink(bench, "m_axis_tvalid", "m_axis_tready", [f"m_axis_{f}" for f in fields],
                wait=idle[2])  # fmt: skip
    fields = ("tdata", "tkeep", "tuser", "tlast")
    tags = Sink(bench, "m_tag_tvalid", "m_tag_tready", [f"m_tag_{f}" for f in fields],
                wait=idle[3])  # fmt: skip

    def ends() -> int:
        return sum(last for *_, last in tags.got)

    run(bench, [commands, data, text, tags], lambda: ends() == len(packets))
    found, at, text_at = [], 0, 0
    for _ in packets:
        end = next(n for n in range(at, len(tags.got)) if tags.got[n][-1])
        before = [n for n, cycle in enumerate(text.cycles) if cycle < tags.cycles[end]]
        beats = text.got[text_at : len(before)]
        (status,) = {user for _, _, user, _ in tags.got[at : end + 1]}
        found.append(
            Answer(
                text=b"".join(kept(word, keep) for word, keep, _ in beats),
                ended=[last for _, _, last in beats] == [0] * (len(beats) - 1) + [1] * bool(beats),
                tag=b"".join(kept(word, keep) for word, keep, *_ in tags.got[at : end + 1]),
                status=Status(status),
                cycle=tags.cycles[end],
                first_text=text.cycles[text_at] if beats else 0,
            )
        )
        at, text_at = end + 1, len(before)
    assert text_at == len(text.got)
    return found


def sealed(packet: Packet, key: bytes = KEYS[0]) -> tuple[bytes, bytes]:
    whole = AESGCM(key).encrypt(packet.iv, packet.text, packet.aad)
    return whole[:-16], whole[-16:]


def drawn(seed: int, count: int) -> list[Packet]:
    rng = random.Random(seed)
    return [
        Packet(
            iv=rng.randbytes(12), aad=rng.randbytes(rng.choice((0, 1, 15, 16, 17, 32))),
            text=rng.randbytes(rng.choice((0, 1, 4, 15, 16, 17, 33, 64))),
            tag_bytes=rng.choice((4, 8, 12, 13, 14, 15, 16)),
        )
        for _ in range(count)
    ]  # fmt: skip


# ---- cycles --------------------------------------------------------------------------------------


def texts(blocks: int, *, aad: int = 0) -> list[Packet]:
    packet = Packet(iv=bytes(12), aad=bytes(16 * aad), text=bytes(16 * blocks))
    return 4 * [packet]


def period(bench: Bench, packets: list[Packet]) -> int:
    """Cycles from one of equal packets to the next."""
    cycles = [answer.cycle for answer in answers(bench, packets)]
    (found,) = {after - before for before, after in list(pairwise(cycles))[1:]}
    return found


BLOCKS = {20: {16: 11, 32: 15}, 4: {16: 55, 32: 75}}
"""S-boxes, bytes of a key -> cycles of a block."""


@pytest.mark.parametrize(("config", "key"), WITH_KEYS)
def test_packets_take_the_cycles_of_the_law(config, key):
    bench = fresh(config)
    load(bench, key)
    block = BLOCKS[config["sboxes"]][len(key)]
    assert block == block_cycles(config, 8 * len(key))
    base = ENGINE.packet_cycles(config, 16) - block_cycles(config)
    for blocks in (1, 2, 3, 4):
        assert period(bench, texts(blocks)) == base + block * blocks
        packet = texts(blocks)[0]
        text, tag = sealed(packet, key)
        other = Packet(iv=packet.iv, text=text, tag=tag)
        assert period(bench, 4 * [other]) == base + block * blocks + 1
    assert period(bench, texts(1, aad=4)) - period(bench, texts(1, aad=3)) == hash_cycles(config)
    if len(key) == max(config.key_sizes) // 8:
        assert block == block_cycles(config) == ENGINE.beat_cycles(config)
        assert base + 3 * block == ENGINE.packet_cycles(config, 48)


@pytest.mark.parametrize("config", [CONFIG, DETECT])
def test_a_part_of_a_block_waits_a_cycle_where_faults_are_found(config):
    bench = fresh(config)
    load(bench, KEYS[1])
    whole = period(bench, texts(2))
    part = period(bench, 4 * [Packet(iv=bytes(12), text=bytes(23))])
    assert part - whole == (config is DETECT)
    assert part == ENGINE.packet_cycles(config, 23)


@pytest.mark.parametrize(("config", "key"), LARGEST)
def test_the_first_text_leaves_when_the_law_says(config, key):
    bench = fresh(config)
    load(bench, key)
    answers(bench, texts(1)[:1])  # the key is usable when this one is answered
    took = []
    for more in range(4):
        for _ in range(more):
            bench.settle()
            bench.edge()
        began = bench.cycle
        (answer,) = answers(bench, texts(1)[:1])
        took.append(answer.first_text - began)
    assert max(took) == word_cycles(config)


@pytest.mark.parametrize(("config", "key"), LARGEST)
def test_a_key_takes_the_cycles_of_the_law(config, key):
    bench = fresh(config)
    begins = [load(bench, key)[0] for _ in range(5)]
    assert max(after - before for before, after in pairwise(begins)) == ENGINE.key_cycles(config)


def test_the_headers_have_the_laws():
    modules = (
        "gcm_micro", "micro_aes", "micro_aes_four", "micro_ghash", "gcm_micro_detect",
        "micro_checked_aes", "micro_checked_ghash",
    )  # fmt: skip
    heads = {
        name: re.sub(r"\n// ?", " ", handwritten()[name].read_text().partition("\nmodule ")[0])
        for name in modules
    }
    for config, short_keys, top, aes in (
        (CONFIG, SHORT_KEYS, "gcm_micro", "micro_aes"),
        (FOUR, FOUR_SHORT, "gcm_micro", "micro_aes_four"),
        (DETECT, DETECT_SHORT, "gcm_micro_detect", "micro_checked_aes"),
    ):
        short, long = block_cycles(short_keys), block_cycles(config)
        base = ENGINE.packet_cycles(config, 16) - long
        first = f"{word_cycles(short_keys)} cycles, or {word_cycles(config)} with a key of 256 bits"
        law = f"{base} + {short} * n cycles, or {base} + {long} * n; a block of AAD in"
        assert first in heads[top]
        assert f"{law} {hash_cycles(config)}" in heads[top]
        assert f"a block in {short} or {long} cycles" in heads[aes]
        law = f"{short - 1} cycles after start_i with a key of 128 bits, {long - 1} with 256"
        assert law in heads[aes]
        decrypts = config.with_settings(["direction=decrypt"])
        assert ENGINE.packet_cycles(decrypts, 16) == ENGINE.packet_cycles(config, 16) + 1
    for top in ("gcm_micro", "gcm_micro_detect"):
        assert "A packet to decrypt takes one cycle more" in heads[top]
    assert "a block in 11 cycles." in heads["micro_checked_ghash"]
    assert "a block in 11 cycles, or 43" in heads["micro_ghash"]
    assert (hash_cycles(CONFIG), hash_cycles(FOUR)) == (11, 43)


# ---- answers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("pauses", [0.0, 0.4])
@pytest.mark.parametrize(("config", "key"), WITH_KEYS)
def test_packets_are_right_in_both_directions(config, key, pauses):
    bench = fresh(config)
    load(bench, key)
    packets = drawn(7, 24)
    for packet, answer in zip(packets, answers(bench, packets, pauses=pauses), strict=True):
        text, tag = sealed(packet, key)
        assert (answer.text, answer.tag) == (text, tag[: packet.tag_bytes])
        assert (answer.status, answer.ended) == (Status.OK, True)
    forged = [number % 3 == 0 for number in range(len(packets))]
    received = []
    for packet, wrong in zip(packets, forged, strict=True):
        text, tag = sealed(packet, key)
        tag = bytes([tag[0] ^ wrong]) + tag[1 : packet.tag_bytes]
        received.append(Packet(iv=packet.iv, aad=packet.aad, text=text, tag=tag,
                               tag_bytes=packet.tag_bytes))  # fmt: skip
    found = answers(bench, received, pauses=pauses)
    for packet, wrong, answer in zip(packets, forged, found, strict=True):
        assert (answer.text, answer.tag) == (packet.text, b"\0")
        assert answer.status == (Status.AUTH_FAIL if wrong else Status.OK)


@pytest.mark.parametrize("size", [4, 8, 12, 13, 14, 15, 16])
def test_every_bit_of_a_tag_counts_and_nothing_beyond_it(size):
    bench = fresh()
    load(bench, KEYS[0])
    packet = Packet(iv=bytes(12), aad=b"a", text=b"text")
    text, tag = sealed(packet)
    number = int.from_bytes(tag[:size], "big")
    wrong = [(number ^ 1 << bit).to_bytes(size, "big") for bit in range(8 * size)]
    right = [tag[:size] + more for more in (b"", bytes(-size % 4), b"\xff" * (-size % 4))]
    found = answers(bench, [
        Packet(iv=packet.iv, aad=b"a", text=text, tag=one, tag_bytes=size)
        for one in (*wrong, *right)
    ])  # fmt: skip
    assert {answer.status for answer in found[:-3]} == {Status.AUTH_FAIL}
    assert {answer.status for answer in found[-3:]} == {Status.OK}


def test_a_tag_of_another_number_of_words_fails():
    """Also one whose first bytes are the right ones, as many as its command tells."""
    bench = fresh()
    load(bench, KEYS[0])
    text, tag = sealed(Packet(iv=bytes(12), text=b"text"))
    given = [(tag[:n], 16) for n in (4, 8, 12)]
    given += [(tag[:n] + bytes(-n % 4) + bytes(more), n) for n in (4, 8, 12, 13, 16)
              for more in (4, 16, 32)]  # fmt: skip
    given += [(more * tag, 16) for more in (2, 3, 5)]
    packets = [Packet(iv=bytes(12), text=text, tag=one, tag_bytes=n) for one, n in given]
    found = answers(bench, packets)
    assert [a.status for a in found] == len(given) * [Status.AUTH_FAIL]
    assert {a.text for a in found} == {b"text"}


@pytest.mark.parametrize("config", FORMS)
@pytest.mark.parametrize("size", [4, 12, 20, 24, 28, 36, 48, 64, 80])
def test_a_key_of_another_number_of_words_is_none(size, config):
    bench = fresh(config)
    load(bench, KEYS[0])
    load(bench, bytes(size))
    without, _ = answers(bench, 2 * [Packet(iv=bytes(12), text=b"text")])
    assert (without.status, without.text, without.tag) == (Status.NO_KEY, bytes(4), b"\0")
    packet = Packet(iv=bytes(12), text=b"text")
    for key in reversed(KEYS):
        load(bench, key)
        (answer,) = answers(bench, [packet])
        assert (answer.text, answer.tag) == sealed(packet, key)


@pytest.mark.parametrize("config", [SHORT_KEYS, FOUR_SHORT])
def test_a_core_of_128_bits_takes_no_key_of_256(config):
    bench = fresh(config)
    load(bench, KEYS[1])
    (answer,) = answers(bench, [Packet(iv=bytes(12), text=b"text")])
    assert answer.status == Status.NO_KEY


@pytest.mark.parametrize("config", FORMS)
def test_commands_that_cannot_be_done_get_the_first_error_and_the_next_is_right(config):
    bench = fresh(config)
    load(bench, KEYS[0])
    lengths = (0, 4, 8, 16, 28, 44, 76)
    hold_refusals(partial(answers, bench), Packet, sealed, iv_lengths=lengths, word=4)


def test_an_empty_beat_ends_what_has_begun():
    bench = fresh()
    load(bench, KEYS[0])
    beats = ((b"aads", WHOLE, AAD), (b"", 0, AAD), (b"text", WHOLE, TEXT), (b"", 0, TEXT))
    (answer,) = answers(bench, [Packet(iv=bytes(12), beats=beats)])
    expected = sealed(Packet(iv=bytes(12), aad=b"aads", text=b"text"))
    assert (answer.text, answer.tag, answer.ended) == (*expected, True)


BROKEN = {
    "a hole": ((b"text", WHOLE, TEXT), (b"text", 5, TEXT), (b"text", WHOLE, TEXT)),
    "a hole at byte 0": ((b"text", WHOLE, TEXT), (b"text", 2, TEXT), (b"text", WHOLE, TEXT)),
    "a short beat amid text": ((b"te", 3, TEXT), (b"text", WHOLE, TEXT)),
    "a beat without a byte amid text": ((b"", 0, TEXT), (b"text", WHOLE, TEXT)),
    "a short beat amid AAD": ((b"a", 1, AAD), (b"aads", WHOLE, AAD), (b"text", WHOLE, TEXT)),
    "a short word at the start of a block": (
        (b"t", 1, TEXT),
        (b"text", WHOLE, TEXT),
        (b"text", WHOLE, TEXT),
        (b"text", WHOLE, TEXT),
    ),
    "a hole at byte 0 amid a block": (
        (b"text", WHOLE, TEXT),
        (b"text", 2, TEXT),
        (b"text", WHOLE, TEXT),
        (b"text", WHOLE, TEXT),
    ),
    "a hole in AAD": ((b"aads", 9, AAD), (b"aads", WHOLE, AAD), (b"text", WHOLE, TEXT)),
    "AAD after text": ((b"text", WHOLE, TEXT), (b"aads", WHOLE, AAD), (b"text", WHOLE, TEXT)),
    "AAD at the end": ((b"text", WHOLE, TEXT), (b"aads", WHOLE, AAD)),
}


@pytest.mark.parametrize("config", FORMS)
@pytest.mark.parametrize("name", BROKEN)
def test_a_frame_that_breaks_a_rule_is_refused_and_shows_no_text_from_there_on(name, config):
    bench = fresh(config)
    load(bench, KEYS[0])
    good = Packet(iv=bytes(12), text=b"more")
    answer, after = answers(bench, [Packet(iv=bytes(12), beats=BROKEN[name]), good])
    begun = {"a short beat amid text": 2, "a short word at the start of a block": 1}.get(
        name, 4 if BROKEN[name][0] == (b"text", 15, 1) else 0
    )
    text, _ = sealed(Packet(iv=bytes(12), text=b"text"))
    assert (answer.status, answer.tag, answer.ended) == (Status.BAD_FRAME, b"\0", True)
    assert answer.text[begun:] == bytes(len(answer.text) - begun)
    if not name.startswith("a short"):
        assert answer.text[:begun] == text[:begun]
    assert (after.text, after.tag) == sealed(good)


@pytest.mark.parametrize("config", FORMS)
def test_text_that_nobody_takes_holds_up_its_packet_and_changes_nothing(config):
    bench = fresh(config)
    load(bench, KEYS[0])
    packet = Packet(iv=bytes(12), text=bytes(range(64)))
    (answer,) = answers(bench, [packet], pauses=0.9)
    assert (answer.text, answer.tag) == sealed(packet)


# ---- a fault -------------------------------------------------------------------------------------

INPUT = "    input  logic        aresetn,\n"
BAD = ("  assign fault_inside = ", "  assign fault_inside = hurt_i || ")
BEAT = ("takes ? beat_q :", "takes ? beat_q ^ 32'(hurt_i) :")
WORD = ("  assign tag_word = ", "  assign tag_word = 32'(hurt_i) ^ ")


@cache
def hurt(config, place: tuple[str, str]) -> Path:
    """The core with one more input, which is a fault."""
    files, rtl, _ = core_files(config, prove=False)
    texts = {Path(name).stem: files[name] for name in rtl if not name.startswith("bench/")}
    top = texts[config.top]
    assert top.count(INPUT) == top.count(place[0]) == 1
    top = top.replace(INPUT, INPUT + "    input  logic        hurt_i,\n").replace(*place)
    return compile_bench(config.top, {**texts, config.top: top})


def test_a_wrong_bit_before_the_comparison_accepts_no_wrong_tag():
    bench = Bench(hurt(DETECT, WORD), clock="aclk", reset="aresetn", reset_level=0)
    packet = Packet(iv=bytes(12), text=b"text")
    text, tag = sealed(packet)
    wrong = bytes(byte ^ (at % 4 == 3) for at, byte in enumerate(tag))  # bit 0 of each word
    forged = Packet(iv=bytes(12), text=text, tag=wrong)
    load(bench, KEYS[0])
    bench.put("hurt_i", 1)
    (answer,) = answers(bench, [forged])
    assert answer.status == Status.FAULT


def test_the_same_wrong_bit_in_each_word_of_a_block_shows_no_text():
    """Four of them cancel in the check byte of the block, so every word has to be checked."""
    bench = Bench(hurt(DETECT, BEAT), clock="aclk", reset="aresetn", reset_level=0)
    load(bench, KEYS[0])
    bench.put("hurt_i", 1)
    (answer,) = answers(bench, [Packet(iv=bytes(12), text=bytes(64))])
    assert (answer.status, answer.text) == (Status.FAULT, b"")


@pytest.mark.parametrize(("size", "taken"), [(16, 1), (20, 1), (32, 4), (32, 7), (48, 4), (64, 8)])
def test_what_is_left_of_a_key_after_a_fault_is_no_key(size, taken):
    """A fault amid a key, and a packet before the rest of the key comes."""
    bench = Bench(hurt(DETECT, BAD), clock="aclk", reset="aresetn", reset_level=0)
    words = framed("s_key", bytes(range(size)))
    packet = Packet(iv=bytes(12), text=bytes(range(20)))

    def send(some: list[dict[str, int]]) -> None:
        source = Source(bench, "s_key_tvalid", "s_key_tready", some)
        run(bench, [source], lambda: source.done)

    send(words[:taken])
    bench.put("hurt_i", 1)
    bench.settle()
    bench.edge()
    bench.put("hurt_i", 0)
    (first,) = answers(bench, [packet])
    send(words[taken:])
    (second,) = answers(bench, [packet])
    assert first.status == second.status == Status.FAULT
    for key in KEYS:
        load(bench, key)
        (answer,) = answers(bench, [packet])
        assert (answer.status, answer.text, answer.tag) == (Status.OK, *sealed(packet, key))
