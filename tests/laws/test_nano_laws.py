# SPDX-License-Identifier: Apache-2.0
"""gcm_nano on its own streams of bytes: the cycles of its descriptor and header, what it answers,
and frames that its wide form never sends. Expected values are those of `cryptography` and NIST."""

import random
import re
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise
from pathlib import Path

import pytest
from bench import Bench, Sink, Source, at_random, compile_bench, never, run
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from refusals import hold_refusals

from gcmforge.config import CoreConfig
from gcmforge.config.codes import Status
from gcmforge.config.presets import preset
from gcmforge.emit.core import core_files
from gcmforge.emit.rtl import handwritten
from gcmforge.engines.gcm_nano.engine import (
    ENGINE,
    IV_BLOCK_CYCLES,
    IV_CYCLES,
    LIMITS,
    byte_cycles,
    iv_cycles,
)
from gcmforge.model import encrypt_block, iv_for_counter, key_expansion
from gcmforge.sim.reference import seal

pytestmark = [pytest.mark.verilator, pytest.mark.slow]
CONFIG = preset("nano").with_settings(["max_text_bytes=64", "max_aad_bytes=32"])
BOTH = CONFIG.with_settings(["key_sizes=128,256"])
KEY = bytes(range(16))
LONG = bytes(range(32))
ANY = preset("nano").with_settings(["iv=any", "max_aad_bytes=32"])
ANY_BOTH = ANY.with_settings(["key_sizes=128,256"])
LARGEST = ((CONFIG, KEY), (BOTH, LONG), (ANY, KEY), (ANY_BOTH, LONG))
"""Cores, each with a key of its largest size."""
AAD, TEXT = 0, 1
REFUSED = 2


of_each_core = pytest.mark.parametrize(
    ("config", "key"), LARGEST,
    ids=("128", "128 and 256", "IVs of any length", "IVs of any length, 128 and 256"),
)  # fmt: skip
of_any_iv = pytest.mark.parametrize(
    ("config", "key"), [(ANY, KEY), (ANY_BOTH, LONG)], ids=("128", "128 and 256")
)
IVS = (1, 2, 7, 8, 11, 13, 15, 16, 17, 28, 31, 32, 33, 44, 60, 64, 127, 128, 129, 256)


@cache
def compiled(config: CoreConfig = CONFIG, text_bits: int = 0) -> Path:
    """A core; with another limit of its text, and so of its IVs, if that is told."""
    files, rtl, _ = core_files(config, prove=False)
    texts = {Path(name).stem: files[name] for name in rtl if not name.startswith("bench/")}
    values = dict(ENGINE.parameters(config))
    if text_bits:
        values["TextBits"] = str(text_bits)
    top = texts["gcm_nano"]
    for name, value in values.items():
        top, count = re.subn(rf"(parameter int {name} =) \d+", rf"\g<1> {value}", top)
        assert count == 1
    return compile_bench("gcm_nano", {**texts, "gcm_nano": top})


@dataclass(frozen=True, kw_only=True)
class Packet:
    """One command and its data, as bytes on the streams; what is not set follows from the rest."""

    iv: bytes
    aad: bytes = b""
    text: bytes = b""
    tag: bytes | None = None
    """To decrypt: the tag that is expected."""
    tag_bytes: int = 16
    context: int = 0
    beats: tuple[tuple[int, int, int], ...] | None = None
    """tdata, tkeep, tuser of each beat, for frames out of the ordinary."""

    @property
    def command(self) -> list[dict[str, int]]:
        first = (self.tag is not None) << 7 | self.context << 5 | self.tag_bytes
        frames = [bytes([first]) + self.iv, *([] if self.tag is None else [self.tag])]
        return [word for frame in frames for word in framed("s_cmd", frame)]

    @property
    def data(self) -> list[dict[str, int]]:
        beats = self.beats
        if beats is None:
            beats = tuple((byte, 1, AAD) for byte in self.aad)
            beats += tuple((byte, 1, TEXT) for byte in self.text)
        beats = beats or ((0, 0, AAD),)
        return [
            {
                "s_axis_tdata": data, "s_axis_tkeep": keep, "s_axis_tuser": user,
                "s_axis_tlast": number == len(beats) - 1,
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
    return [
        {f"{stream}_tdata": byte, f"{stream}_tlast": number == len(frame) - 1}
        for number, byte in enumerate(frame)
    ]


def fresh(config: CoreConfig = CONFIG, text_bits: int = 0) -> Bench:
    return Bench(compiled(config, text_bits), clock="aclk", reset="aresetn", reset_level=0)


def load(bench: Bench, key: bytes) -> tuple[int, int]:
    """Cycles of the key's first and last byte."""
    source = Source(bench, "s_key_tvalid", "s_key_tready", framed("s_key", key))
    run(bench, [source], lambda: source.done)
    return source.sent[0], source.sent[-1]


def answers(
    bench: Bench, packets: list[Packet], *, pauses: float = 0.0, noise: Source | None = None
) -> list[Answer]:
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
    fields = ("tdata", "tuser", "tlast")
    tags = Sink(bench, "m_tag_tvalid", "m_tag_tready", [f"m_tag_{f}" for f in fields],
                wait=idle[3])  # fmt: skip

    def ends() -> int:
        return sum(last for _, _, last in tags.got)

    ports = [commands, data, text, tags, *([noise] if noise else [])]
    run(bench, ports, lambda: ends() == len(packets))
    found, at, text_at = [], 0, 0
    for _ in packets:
        end = next(n for n in range(at, len(tags.got)) if tags.got[n][2])
        before = [n for n, cycle in enumerate(text.cycles) if cycle < tags.cycles[end]]
        beats = text.got[text_at : len(before)]
        (status,) = {user for _, user, _ in tags.got[at : end + 1]}
        found.append(
            Answer(
                text=bytes(byte for byte, keep, _ in beats if keep),
                ended=[last for _, _, last in beats] == [0] * (len(beats) - 1) + [1] * bool(beats),
                tag=bytes(byte for byte, _, _ in tags.got[at : end + 1]),
                status=Status(status),
                cycle=tags.cycles[end],
                first_text=text.cycles[text_at] if beats else 0,
            )
        )
        at, text_at = end + 1, len(before)
    assert text_at == len(text.got)
    return found


def sealed(packet: Packet, key: bytes = KEY) -> tuple[bytes, bytes]:
    if not 8 <= len(packet.iv) <= 128:  # which `cryptography` refuses
        return seal(key, packet.iv, packet.text, packet.aad)
    whole = AESGCM(key).encrypt(packet.iv, packet.text, packet.aad)
    return whole[:-16], whole[-16:]


def drawn(seed: int, count: int) -> list[Packet]:
    rng = random.Random(seed)
    return [
        Packet(
            iv=rng.randbytes(12), aad=rng.randbytes(rng.choice((0, 1, 15, 16, 17, 32))),
            text=rng.randbytes(rng.choice((0, 1, 15, 16, 17, 33, 64))),
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


@of_each_core
def test_packets_take_the_cycles_of_the_law(config, key):
    bench = fresh(config)
    load(bench, key)
    one, three = period(bench, texts(1)), period(bench, texts(3))
    assert (one, three) == (ENGINE.packet_cycles(config, 16), ENGINE.packet_cycles(config, 48))
    assert three - one == 2 * ENGINE.beat_cycles(config) == 2 * (256 if key == KEY else 336)
    assert period(bench, texts(1, aad=2)) - period(bench, texts(1, aad=1)) <= 144


@of_any_iv
def test_an_iv_of_another_length_takes_the_cycles_of_the_law_more(config, key):
    bench = fresh(config)
    load(bench, key)
    short = period(bench, texts(1))
    packets = {n: 4 * [Packet(iv=bytes(n), text=bytes(16))] for n in (1, 11, 13, 16, 17, 28, 48)}
    found = {n: period(bench, same) - short for n, same in packets.items()}
    assert found == {n: iv_cycles(config, n) for n in packets}
    assert found[17] == 192 + 144 * 2


def test_a_short_key_takes_the_same_cycles_where_long_ones_are_built():
    bench = fresh(BOTH)
    load(bench, LONG)
    load(bench, KEY)
    assert [period(bench, texts(n)) for n in (1, 3)] == [
        ENGINE.packet_cycles(CONFIG, 16 * n) for n in (1, 3)
    ]


@of_each_core
def test_the_first_text_leaves_when_the_law_says(config, key):
    bench = fresh(config)
    load(bench, key)
    answers(bench, texts(1)[:1])  # the key is usable when this one is answered
    took = []
    for phase in range(16):
        while bench.cycle % 16 != phase:
            bench.settle()
            bench.edge()
        began = bench.cycle
        (answer,) = answers(bench, texts(1)[:1])
        took.append(answer.first_text - began)
    assert max(took) == byte_cycles(config)


@of_any_iv
def test_the_first_text_after_another_iv_leaves_when_the_law_says(config, key):
    bench = fresh(config)
    load(bench, key)
    answers(bench, texts(1)[:1])
    for size in (1, 16, 17):
        took = []
        for phase in range(16):
            while bench.cycle % 16 != phase:
                bench.settle()
                bench.edge()
            began = bench.cycle
            (answer,) = answers(bench, [Packet(iv=bytes(size), text=b"t")])
            took.append(answer.first_text - began)
        assert max(took) == byte_cycles(config) + iv_cycles(config, size)


@of_each_core
def test_a_key_takes_the_cycles_of_the_law(config, key):
    bench = fresh(config)
    begins = [load(bench, key)[0] for _ in range(4)]
    assert max(after - before for before, after in pairwise(begins)) == ENGINE.key_cycles(config)


def test_the_header_has_the_laws():
    head = handwritten()["gcm_nano"].read_text().partition("module ")[0].replace("\n//", "")
    assert f"first text {byte_cycles(CONFIG)} cycles after a command" in head
    assert f"with a key of 256 bits {byte_cycles(BOTH)}." in head
    for config, law in ((CONFIG, "text in"), (BOTH, "with a key of 256 bits in")):
        base = ENGINE.packet_cycles(config, 16) - ENGINE.beat_cycles(config)
        assert f"{law} {base} + {ENGINE.beat_cycles(config)} * n" in head
        cycles = [ENGINE.packet_cycles(config, 16 * n) for n in (1, 2, 5)]
        assert cycles == [base + ENGINE.beat_cycles(config) * n for n in (1, 2, 5)]
    other = f"in b blocks {IV_CYCLES} + {IV_BLOCK_CYCLES} * b"
    assert f"for IVs of 12 bytes: with another IV {other} more." in head
    assert [iv_cycles(ANY, n) for n in (1, 16, 17, 12)] == [
        IV_CYCLES + IV_BLOCK_CYCLES * blocks if blocks else 0 for blocks in (1, 1, 2, 0)
    ]


# ---- answers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("pauses", [0.0, 0.4])
@of_each_core
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


def test_every_bit_of_a_tag_counts():
    bench = fresh()
    load(bench, KEY)
    packet = Packet(iv=bytes(12), aad=b"a", text=b"text")
    text, tag = sealed(packet)
    number = int.from_bytes(tag, "big")
    wrong = [(number ^ 1 << bit).to_bytes(16, "big") for bit in range(128)]
    found = answers(bench, [Packet(iv=packet.iv, aad=b"a", text=text, tag=one) for one in wrong])
    assert {answer.status for answer in found} == {Status.AUTH_FAIL}


def test_a_tag_of_another_number_of_bytes_fails():
    """Also one whose first bytes are the right ones, as many as its command tells."""
    bench = fresh()
    load(bench, KEY)
    text, tag = sealed(Packet(iv=bytes(12), text=b"text"))
    sizes = (4, 8, 12, 13, 14, 15, 16)
    given = [(tag[:n], 16) for n in (1, 4, 12, 15)]
    given += [(tag[:n] + bytes(more), n) for n in sizes for more in (1, 4, 16)]
    given += [((2 * tag)[: n + more], n) for n in sizes for more in (1, 3, 16 - n, 16) if more]
    given += [(more * tag, 16) for more in (2, 3)]
    packets = [Packet(iv=bytes(12), text=text, tag=one, tag_bytes=n) for one, n in given]
    found = answers(bench, packets)
    assert [a.status for a in found] == len(given) * [Status.AUTH_FAIL]
    assert {a.text for a in found} == {b"text"}
    right = [Packet(iv=bytes(12), text=text, tag=tag[:n], tag_bytes=n) for n in sizes]
    assert {a.status for a in answers(bench, right)} == {Status.OK}


@pytest.mark.parametrize("size", [1, 15, 17, 24, 32, 33, 48])
def test_a_key_of_another_number_of_bytes_is_none(size):
    bench = fresh()
    load(bench, KEY)
    load(bench, bytes(size))
    without, _ = answers(bench, 2 * [Packet(iv=bytes(12), text=b"text")])
    assert (without.status, without.text, without.tag) == (Status.NO_KEY, bytes(4), b"\0")
    load(bench, KEY)
    packet = Packet(iv=bytes(12), text=b"text")
    (answer,) = answers(bench, [packet])
    assert (answer.text, answer.tag) == sealed(packet)


@pytest.mark.parametrize("size", [1, 15, 17, 24, 31, 33, 48, 64])
def test_a_key_of_another_number_of_bytes_is_none_where_two_sizes_are_built(size):
    bench = fresh(BOTH)
    packet = Packet(iv=bytes(12), text=b"text")
    for before, after in ((LONG, KEY), (KEY, LONG)):
        load(bench, before)
        load(bench, bytes(size))
        (without,) = answers(bench, [packet])
        assert (without.status, without.text, without.tag) == (Status.NO_KEY, bytes(4), b"\0")
        load(bench, after)
        (answer,) = answers(bench, [packet])
        assert (answer.text, answer.tag) == sealed(packet, after)


def test_a_key_that_comes_amid_a_block_of_a_refused_packet_is_right():
    """The answer to a command without an IV does not wait for the AES, which still works then."""
    bench = fresh(BOTH)
    packet = Packet(iv=bytes(12), text=b"text")
    for key in (KEY, LONG, KEY, KEY, LONG, LONG):
        load(bench, key)
        refused, answer = answers(bench, [Packet(iv=b""), packet])
        assert refused.status == Status.BAD_IV
        assert (answer.text, answer.tag) == sealed(packet, key)
        (refused,) = answers(bench, [Packet(iv=b"")])
        assert refused.status == Status.BAD_IV


def test_commands_that_cannot_be_done_get_the_first_error_and_the_next_is_right():
    bench = fresh()
    load(bench, KEY)
    lengths = (0, 1, 11, 13, 27, 28, 43)
    hold_refusals(partial(answers, bench), Packet, sealed, iv_lengths=lengths, word=1)


def test_a_command_without_an_iv_is_refused_where_ivs_have_any_length():
    bench = fresh(ANY)
    load(bench, KEY)
    hold_errors(bench, [(Packet(iv=b"", text=b"text"), Status.BAD_IV)], 12)


@pytest.mark.parametrize("size", [1, 12, 16, 64])
def test_commands_with_any_iv_get_the_first_error_and_the_next_is_right(size):
    """An IV may have as many bytes as a text: here 64."""
    bench = fresh(ANY, text_bits=6)
    (answer,) = answers(bench, [Packet(iv=bytes(size), text=b"text", tag=b"t", tag_bytes=4)])
    assert (answer.status, answer.tag, answer.text) == (Status.NO_KEY, b"\0", bytes(4))
    load(bench, KEY)
    iv = bytes(range(size))
    refused = [
        (Packet(iv=iv, text=b"text", context=1), Status.NO_KEY),
        (Packet(iv=iv, text=b"text", tag_bytes=0), Status.BAD_TAG_LENGTH),
        (Packet(iv=iv, text=b"text", tag_bytes=17), Status.BAD_TAG_LENGTH),
        (Packet(iv=iv, text=b"text", tag=b"t", tag_bytes=31), Status.BAD_TAG_LENGTH),
        *((Packet(iv=bytes(n), text=b"text"), Status.BAD_IV) for n in (65, 80, 128, 129, 200)),
        (Packet(iv=bytes(140), text=b"text", tag=bytes(16)), Status.BAD_IV),
        (Packet(iv=bytes(65), text=b"text", context=1), Status.NO_KEY),
        (Packet(iv=bytes(65), text=b"text", tag_bytes=3), Status.BAD_IV),
        (Packet(iv=b"", text=b"text", tag=bytes(16)), Status.BAD_IV),
        (Packet(iv=iv, text=bytes(65)), Status.TOO_LONG),
        (Packet(iv=iv, aad=bytes(33), text=b"text"), Status.TOO_LONG),
    ]
    hold_errors(bench, refused, size)
    hold_errors(bench, refused, 65 - size)


@pytest.mark.parametrize(
    ("direction", "tag"), [("encrypt", bytes(16)), ("decrypt", None)], ids=("encrypt", "decrypt")
)
def test_the_other_direction_is_refused_with_any_iv(direction, tag):
    bench = fresh(ANY.with_settings([f"direction={direction}"]))
    load(bench, KEY)
    packets = [Packet(iv=bytes(n), text=b"text", tag=tag) for n in (0, 1, 12, 16, 40)]
    found = answers(bench, packets)
    assert {(a.status, a.tag, a.text) for a in found} == {(Status.BAD_DIRECTION, b"\0", bytes(4))}


def hold_errors(bench: Bench, cases: list[tuple[Packet, Status]], size: int) -> None:
    """Each has its status, no tag and no text; the packet after it, with such an IV, is right."""
    good = Packet(iv=bytes(range(size)), aad=b"a", text=b"text")
    found = answers(bench, [one for packet, _ in cases for one in (packet, good)])
    for (packet, status), answer, after in zip(cases, found[::2], found[1::2], strict=True):
        assert (answer.status, answer.tag, answer.ended) == (status, b"\0", True), packet
        assert status is Status.TOO_LONG or not any(answer.text)
        assert (after.text, after.tag, after.status) == (*sealed(good), Status.OK), packet


@pytest.mark.parametrize("pauses", [0.0, 0.4])
@of_any_iv
def test_ivs_of_any_length_are_right_in_both_directions(config, key, pauses):
    bench = fresh(config)
    load(bench, key)
    rng = random.Random(11)
    packets = [replace(one, iv=rng.randbytes(n)) for one, n in zip(drawn(8, 20), IVS, strict=True)]
    packets = [one for pair in zip(packets, drawn(9, 20), strict=True) for one in pair]
    whole = [sealed(packet, key) for packet in packets]
    for packet, answer, (text, tag) in zip(
        packets, answers(bench, packets, pauses=pauses), whole, strict=True
    ):
        assert (answer.text, answer.tag) == (text, tag[: packet.tag_bytes]), packet
        assert (answer.status, answer.ended) == (Status.OK, True)
    received = [
        replace(packet, text=text, tag=tag[: packet.tag_bytes])
        for packet, (text, tag) in zip(packets, whole, strict=True)
    ]
    forged = [replace(one, iv=bytes([one.iv[0] ^ 1]) + one.iv[1:]) for one in received]
    found = answers(bench, received, pauses=pauses)
    assert [answer.text for answer in found] == [one.text for one in packets]
    assert {answer.status for answer in found} == {Status.OK}
    assert {a.status for a in answers(bench, forged, pauses=pauses)} == {Status.AUTH_FAIL}


CARRIES = (0, 1, 0xFC, 0xFE, 0xFF, 0xFFFE, 0xFFFF, 0xFFFFFE, 0xFFFFFF, 0x12FFFFFF, 2**32 - 3,
           2**32 - 2, 2**32 - 1)  # fmt: skip


@of_any_iv
def test_the_counter_wraps_after_32_bits_and_the_tag_has_j0_itself(config, key):
    h = encrypt_block(key_expansion(key), 0)
    bench = fresh(config)
    load(bench, key)
    rng = random.Random(5)
    for low in CARRIES:
        iv = iv_for_counter(h, rng.getrandbits(96) << 32 | low)
        packet = Packet(iv=iv, aad=b"a", text=rng.randbytes(75))
        (answer,) = answers(bench, [packet])
        assert (answer.text, answer.tag) == sealed(packet, key), hex(low)


def test_empty_beats_change_nothing_and_end_what_has_begun():
    bench = fresh()
    load(bench, KEY)
    hole = (0, 0, AAD)
    beats = (hole, (1, 1, AAD), hole, hole, (2, 1, TEXT), (0, 0, TEXT), (3, 1, TEXT), (0, 0, TEXT))
    (answer,) = answers(bench, [Packet(iv=bytes(12), beats=beats)])
    expected = sealed(Packet(iv=bytes(12), aad=b"\1", text=b"\2\3"))
    assert (answer.text, answer.tag, answer.ended) == (*expected, True)


@pytest.mark.parametrize("at", range(4))
def test_a_refused_beat_refuses_the_packet_and_shows_no_text_from_there_on(at):
    bench = fresh()
    load(bench, KEY)
    beats = [(1, 1, AAD), (2, 1, TEXT), (3, 1, TEXT), (4, 1, TEXT)]
    beats[at] = (beats[at][0], 1, beats[at][2] | REFUSED)
    (answer,) = answers(bench, [Packet(iv=bytes(12), beats=tuple(beats))])
    right, _ = sealed(Packet(iv=bytes(12), aad=b"\1", text=b"\2\3\4"))
    assert (answer.status, answer.tag) == (Status.BAD_FRAME, b"\0")
    shown = max(0, at - 1)
    assert answer.text == right[:shown] + bytes(3 - shown)


def test_aad_after_text_is_a_bad_frame():
    bench = fresh()
    load(bench, KEY)
    beats = ((2, 1, TEXT), (1, 1, AAD), (3, 1, TEXT))
    (answer,) = answers(bench, [Packet(iv=bytes(12), beats=beats)])
    assert (answer.status, len(answer.text), answer.text[1:]) == (Status.BAD_FRAME, 2, b"\0")


# ---- the counter ---------------------------------------------------------------------------------

PLACES = [4 * (phase % 4) + phase // 4 for phase in range(16)]
"""Which byte of a block has each phase."""
COUNT_TURNS = 64 // 16
"""Of a count, at most (law of both counters)."""
HEAD = bytes(range(100, 112))
COUNTS = (0, 1, 2, 0xFE, 0xFF, 0xFFFF, 0xFEFFFF, 0xFFFFFF, 0x12FFFFFF, 0xFFFFFFFE)


def counter_bench(module: str) -> Bench:
    texts = {name: handwritten()[name].read_text() for name in ("nano_ring", module)}
    return Bench(compile_bench(module, texts))


def counter_block(count: int) -> bytes:
    return HEAD + (count % 2**32).to_bytes(4, "big")


def turn(bench: Bench, *, write: bytes = b"", counts: bool = False) -> bytes:
    """The block that passes in one turn; one that is written, and a count with the last byte."""
    found = {}
    for phase, place in enumerate(PLACES):
        bench.put("phase_i", phase)
        bench.put("write_i", bool(write))
        bench.put("byte_i", write[place] if write else 0)
        bench.put("count_i", counts and phase == 15)
        bench.settle()
        found[place] = bench.get("block_o")
        bench.edge()
    return bytes(found[place] for place in range(16))


def counted(bench: Bench, turns: int = COUNT_TURNS) -> bytes:
    """The block after so many turns, when no count may be under way."""
    for _ in range(turns):
        turn(bench)
    assert not bench.get("counts_o")
    return turn(bench)


@pytest.mark.parametrize("count", COUNTS)
def test_the_counter_carries_from_byte_to_byte_and_leaves_the_iv_alone(count):
    """It begins with 2 and counts blocks of text, so that it never wraps."""
    assert max(LIMITS) // 16 + 2 < 2**32
    bench = counter_bench("nano_counter")
    turn(bench, write=counter_block(count))
    assert turn(bench, counts=True) == counter_block(count)
    assert counted(bench) == counter_block(count + 1)


@pytest.mark.parametrize("count", [*COUNTS, 0xFFFFFFFF])
def test_the_counter_after_any_iv_goes_up_while_j0_comes_wraps_and_keeps_j0(count):
    bench = counter_bench("nano_counter_any")
    turn(bench, counts=True)
    turn(bench, write=counter_block(count))
    assert counted(bench, COUNT_TURNS - 1) == counter_block(count + 1)
    assert turn(bench, counts=True) == counter_block(count + 1)
    assert counted(bench) == counter_block(count + 2)
    bench.put("first_i", 1)
    assert turn(bench) == counter_block(count)
    bench.put("blank_i", 1)
    assert turn(bench) == bytes(16)


def test_the_counter_after_12_bytes_goes_up_again_with_the_last_byte_of_j0():
    """The AES begins with it at once."""
    bench = counter_bench("nano_counter_any")
    turn(bench, counts=True)
    turn(bench, write=counter_block(1), counts=True)
    assert turn(bench) == counter_block(2)
    assert counted(bench, COUNT_TURNS - 1) == counter_block(3)
    bench.put("first_i", 1)
    assert turn(bench) == counter_block(1)


# ---- an IV of any length alone -------------------------------------------------------------------

PRODUCT_CYCLES = 128
"""Of nano_ghash (its law)."""


def iv_alone(bench: Bench, size: int) -> tuple[int, bool]:
    """Cycles of an IV from phase 0 to done_o, and whether the AES begins at once. GHASH is busy
    after hash_o for as long as its law says, and the AES gives the digest 16 cycles after load_o.
    """
    taken = cycle = free_at = gives_at = done = 0
    writes, counts = [], []
    bench.put("active_i", 1)
    while not done:
        bench.put("phase_i", cycle % 16)
        bench.put("place_i", taken % 16)
        bench.put("hash_busy_i", cycle < free_at)
        bench.put("aes_done_i", 0 < gives_at <= cycle)
        bench.put("taken_i", 0)
        bench.settle()
        takes = bench.get("ready_o")
        bench.put("taken_i", takes)
        bench.put("last_i", taken == size - 1)
        bench.settle()
        taken += takes
        if bench.get("hash_o"):
            free_at = cycle + 1 + PRODUCT_CYCLES
        if bench.get("load_o"):
            gives_at = cycle + 1 + 16
        writes += [cycle] * bench.get("write_o")
        counts += [cycle] * bench.get("count_o")
        done, begins = bench.get("done_o"), bench.get("begins_o")
        bench.edge()
        cycle += 1
    assert taken == size
    assert writes == list(range(cycle - 16, cycle))
    assert counts == [cycle - 17]
    bench.put("active_i", 0)
    bench.put("taken_i", 0)
    for phase in range(16):
        bench.put("phase_i", phase)
        bench.settle()
        bench.edge()
    return cycle, bool(begins)


def test_an_iv_of_any_length_is_done_when_its_header_says():
    text = handwritten()["nano_iv_any"].read_text()
    head = text.partition("module ")[0].replace("\n//", "")
    bench = Bench(compile_bench("nano_iv_any", {"nano_iv_any": text}))
    found = {size: iv_alone(bench, size) for size in (12, *IVS, 12)}
    short, begins = found.pop(12)
    assert begins
    assert f"of an IV of 12 bytes {short} cycles from phase 0 to done_o; of n bytes, else," in head
    assert f"in b blocks {IV_CYCLES} + {IV_BLOCK_CYCLES} * b." in head
    assert found == {n: (IV_CYCLES + IV_BLOCK_CYCLES * -(-n // 16), False) for n in found}
