# SPDX-License-Identifier: Apache-2.0
"""gcm_masked_fast on its own streams: the cycles of its descriptor and header, its random bits, and
what it answers. Expected values are those of `cryptography`."""

import random
import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from bench import (
    Bench,
    Instance,
    Sink,
    Source,
    at_random,
    compile_bench,
    never,
    ports,
    run,
    side_by_side,
)
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from gcmforge.config import CoreConfig
from gcmforge.config.codes import Status
from gcmforge.emit.core import core_files
from gcmforge.emit.rtl import handwritten
from gcmforge.engines.gcm_masked_fast.engine import (
    BEAT_CYCLES,
    BLOCK_CYCLES,
    DIGIT,
    ENGINE,
    SBOXES,
    TAG_CYCLES,
    random_bits,
)
from gcmforge.leaf.masked import gadget

pytestmark = [pytest.mark.verilator, pytest.mark.slow]
CONFIG = CoreConfig(
    core="masked_fast", key_sizes=(128,), contexts=1, iv="96", max_text_bytes=128, max_aad_bytes=64
)
KEY = bytes(range(16))


@cache
def compiled() -> Path:
    files, rtl, _ = core_files(CONFIG, prove=False)
    given = {Path(name).stem: files[name] for name in rtl if not name.startswith("bench/")}
    top = given["gcm_masked_fast"]
    for name, value in ENGINE.parameters(CONFIG):
        top, count = re.subn(rf"(parameter int {name} =) \d+", rf"\g<1> {value}", top)
        assert count == 1
    return compile_bench("gcm_masked_fast", {**given, "gcm_masked_fast": top})


@dataclass(frozen=True, kw_only=True)
class Packet:
    iv: bytes = bytes(12)
    aad: bytes = b""
    text: bytes = b""
    tag: bytes | None = None
    """To decrypt: the tag that is expected."""
    tag_bytes: int = 16
    flags: int = 0
    """64: IV of another length; 32: no such context."""

    @property
    def commands(self) -> list[dict[str, int]]:
        first = (self.tag is not None) << 7 | self.flags | self.tag_bytes
        words = [self.iv + bytes([first]), *([] if self.tag is None else [self.tag])]
        return [{"s_cmd_tdata": int.from_bytes(word, "little")} for word in words]

    @property
    def beats(self) -> list[dict[str, int]]:
        cut = [(data[at : at + 16], user) for user, data in enumerate((self.aad, self.text))
               for at in range(0, len(data), 16)] or [(b"", 0)]  # fmt: skip
        return [
            {
                "s_axis_tdata": int.from_bytes(block, "little"), "s_axis_tuser": user,
                "s_axis_tkeep": (1 << len(block)) - 1, "s_axis_tlast": n == len(cut) - 1,
            }
            for n, (block, user) in enumerate(cut)
        ]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Answer:
    text: bytes
    tag: bytes
    status: Status
    cycle: int
    first_text: int


def fresh(randomness: int = 0x2A5_9C3E) -> Bench:
    """With random bits that are there in every cycle, and always the same: results need no more."""
    bench = Bench(compiled(), clock="aclk", reset="aresetn", reset_level=0)
    bench.put("s_rnd_tvalid", 1)
    bench.put("s_rnd_tdata", randomness)
    return bench


def load(bench: Bench, key: bytes, mask: bytes = bytes(range(99, 115))) -> int:
    """The cycle in which the key is taken."""
    share = bytes(k ^ m for k, m in zip(key, mask, strict=True))
    words = {"s_key_tdata": int.from_bytes(share, "little"),
             "s_key_tmask": int.from_bytes(mask, "little")}  # fmt: skip
    source = Source(bench, "s_key_tvalid", "s_key_tready", [words])
    run(bench, [source], lambda: source.done)
    return source.sent[0]


def answers(
    bench: Bench, packets: list[Packet], *, pauses: float = 0.0, noise: Source | None = None
) -> list[Answer]:
    """What comes of packets one after the other, with pauses on every stream."""
    idle = [at_random(n, pauses) if pauses else never for n in range(4)]
    words, beats = ([w for p in packets for w in p.commands], [b for p in packets for b in p.beats])
    commands = Source(bench, "s_cmd_tvalid", "s_cmd_tready", words, idle=idle[0])
    data = Source(bench, "s_axis_tvalid", "s_axis_tready", beats, idle=idle[1])
    text = Sink(bench, "m_axis_tvalid", "m_axis_tready",
                [f"m_axis_{f}" for f in ("tdata", "tkeep", "tlast")], wait=idle[2])  # fmt: skip
    tags = Sink(bench, "m_tag_tvalid", "m_tag_tready", ["m_tag_tdata", "m_tag_tuser"],
                wait=idle[3])  # fmt: skip
    ports = [commands, data, text, tags, *([noise] if noise else [])]
    run(bench, ports, lambda: len(tags.got) == len(packets))
    found, at = [], 0
    for (tag, status), cycle in zip(tags.got, tags.cycles, strict=True):
        end = sum(one < cycle for one in text.cycles)
        got = text.got[at:end]
        assert [last for _, _, last in got] == [0] * (len(got) - 1) + [1] * bool(got)
        whole = b"".join(d.to_bytes(16, "little")[: k.bit_length()] for d, k, _ in got)
        found.append(
            Answer(
                text=whole, tag=tag.to_bytes(16, "little"), status=Status(status), cycle=cycle,
                first_text=text.cycles[at] if got else 0,
            )
        )  # fmt: skip
        at = end
    assert at == len(text.got)
    return found


def sealed(packet: Packet) -> tuple[bytes, bytes]:
    whole = AESGCM(KEY).encrypt(packet.iv, packet.text, packet.aad)
    return whole[:-16], whole[-16:]


def period(bench: Bench, packet: Packet) -> int:
    """Cycles from one of equal packets to the next."""
    cycles = [answer.cycle for answer in answers(bench, 5 * [packet])]
    (found,) = {after - before for before, after in list(pairwise(cycles))[1:]}
    return found


def test_packets_take_the_cycles_of_the_law():
    bench = fresh()
    load(bench, KEY)
    took = {n: period(bench, Packet(text=bytes(16 * n))) for n in (1, 2, 8)}
    assert took == {n: ENGINE.packet_cycles(CONFIG, 16 * n) for n in took}
    assert took[8] - took[1] == 7 * BLOCK_CYCLES == 7 * 11
    aad = [period(bench, Packet(aad=bytes(16 * n), text=bytes(64))) for n in (0, 1, 4)]
    assert aad[2] - aad[0] <= 4 * BLOCK_CYCLES


def test_a_tag_to_compare_takes_the_same_whether_it_is_right_or_wrong():
    bench = fresh()
    load(bench, KEY)
    text, tag = sealed(Packet(text=bytes(16)))
    right, wrong = (period(bench, Packet(text=text, tag=one)) for one in (tag, bytes(16)))
    assert right == wrong == ENGINE.packet_cycles(CONFIG, 16) + TAG_CYCLES


def test_the_first_text_leaves_when_the_law_says():
    bench = fresh()
    load(bench, KEY)
    answers(bench, [Packet(text=bytes(16))])  # the key is usable when this one is answered
    took = []
    for step in range(BLOCK_CYCLES):
        for _ in range(step):
            bench.settle()
            bench.edge()
        began = bench.cycle
        (answer,) = answers(bench, [Packet(text=bytes(16))])
        took.append(answer.first_text - began)
    assert max(took) == BEAT_CYCLES


def test_a_key_takes_the_cycles_of_the_law():
    bench = fresh()
    begins = [load(bench, KEY) for _ in range(4)]
    assert max(after - before for before, after in pairwise(begins)) == ENGINE.key_cycles(CONFIG)


def test_the_header_has_the_laws():
    head = handwritten()["gcm_masked_fast"].read_text().partition("module ")[0].replace("\n//", "")
    assert f"first text {BEAT_CYCLES} cycles after a command" in head
    base = ENGINE.packet_cycles(CONFIG, 16) - BLOCK_CYCLES
    assert f"{base} + {BLOCK_CYCLES} * n cycles" in head
    assert f"has a tag to compare {TAG_CYCLES} more" in head


def test_random_bits_are_those_of_the_law():
    """Each gadget takes its own, and 12 bits in each of 11 cycles share a block anew."""
    box = gadget("masked_sbox").random_bits
    assert random_bits() == SBOXES * box + 12 + 12 + DIGIT
    assert 12 * BLOCK_CYCLES >= 128 and DIGIT * (BLOCK_CYCLES - 1) >= 128
    top = handwritten()["gcm_masked_fast"].read_text()
    assert f"input  logic [{random_bits() - 1}:0] s_rnd_tdata" in top
    assert ("s_rnd_tdata", random_bits()) in [(row[0], row[2]) for row in ENGINE.ports(CONFIG)]


def test_every_bit_of_a_tag_counts():
    bench = fresh()
    load(bench, KEY)
    packet = Packet(aad=b"a", text=b"text")
    text, tag = sealed(packet)
    number = int.from_bytes(tag, "big")
    tags = [(number ^ 1 << bit).to_bytes(16, "big") for bit in range(128)]
    given = [Packet(aad=b"a", text=text, tag=one) for one in (*tags, tag)]
    found = answers(bench, given)
    assert [one.status for one in found] == 128 * [Status.AUTH_FAIL] + [Status.OK]
    assert {one.tag for one in found} == {bytes(16)}


def drawn(seed: int, count: int) -> list[Packet]:
    rng = random.Random(seed)
    return [
        Packet(
            iv=rng.randbytes(12), aad=rng.randbytes(rng.choice((0, 1, 15, 16, 17, 64))),
            text=rng.randbytes(rng.choice((0, 1, 15, 16, 17, 33, 128))),
            tag_bytes=rng.choice((4, 8, 12, 13, 14, 15, 16)),
        )
        for _ in range(count)
    ]  # fmt: skip


@pytest.mark.parametrize("pauses", [0.0, 0.4])
def test_packets_are_right_in_both_directions(pauses: float):
    bench, packets = fresh(), drawn(7, 24)
    load(bench, KEY)
    received = []
    for packet, answer in zip(packets, answers(bench, packets, pauses=pauses), strict=True):
        text, tag = sealed(packet)
        short = tag[: packet.tag_bytes].ljust(16, b"\0")
        assert (answer.text, answer.tag, answer.status) == (text, short, Status.OK)
        received.append(Packet(iv=packet.iv, aad=packet.aad, text=text, tag=short,
                               tag_bytes=packet.tag_bytes))  # fmt: skip
    found = answers(bench, received, pauses=pauses)
    assert [answer.status for answer in found] == 24 * [Status.OK]
    assert [answer.text for answer in found] == [packet.text for packet in packets]


@pytest.mark.parametrize("bits", ["stuck at zero", "stuck at one", "new, with pauses"])
def test_random_bits_change_no_result(bits: str):
    bench, packets = fresh(-(bits == "stuck at one") % (1 << random_bits())), drawn(3, 8)
    load(bench, KEY, mask=bytes(16))
    noise = None
    if bits == "new, with pauses":
        draw = random.Random(11)
        words = [{"s_rnd_tdata": draw.getrandbits(random_bits())} for _ in range(20_000)]
        noise = Source(bench, "s_rnd_tvalid", "s_rnd_tready", words, idle=at_random(5, 0.2))
    for packet, answer in zip(packets, answers(bench, packets, noise=noise), strict=True):
        text, tag = sealed(packet)
        assert (answer.text, answer.tag[: packet.tag_bytes]) == (text, tag[: packet.tag_bytes])


def test_what_is_wrong_has_its_status():
    bench = fresh()
    load(bench, KEY)
    given = {
        Packet(flags=32): Status.NO_KEY, Packet(flags=64): Status.BAD_IV,
        Packet(tag_bytes=5): Status.BAD_TAG_LENGTH, Packet(text=bytes(129)): Status.TOO_LONG,
        Packet(aad=bytes(65)): Status.TOO_LONG, Packet(text=bytes(128), aad=bytes(64)): Status.OK,
    }  # fmt: skip
    found = answers(bench, list(given))
    assert [one.status for one in found] == list(given.values())
    assert all(one.tag == bytes(16) for one in found[:-1])


def test_without_random_bits_nothing_moves_and_results_stay():
    bench = fresh()
    load(bench, KEY)
    packet = Packet(iv=bytes(range(12)), aad=b"aad", text=bytes(range(40)))
    text, tag = sealed(packet)
    bench.put("s_rnd_tvalid", 0)
    sources = [
        Source(bench, "s_cmd_tvalid", "s_cmd_tready", packet.commands),
        Source(bench, "s_axis_tvalid", "s_axis_tready", packet.beats),
    ]
    for _ in range(200):
        for one in sources:
            one.put()
        bench.settle()
        assert not any(bench.get(f"{s}_tready") for s in ("s_key", "s_cmd", "s_axis"))
        bench.edge()
    bench.put("s_rnd_tvalid", 1)
    (answer,) = answers(bench, [packet])
    assert (answer.text, answer.tag) == (text, tag)


@pytest.mark.parametrize("every", [1, 2, 10, 11, 12, 22, 33])
def test_random_bits_of_every_rhythm_are_enough(every: int) -> None:
    """The ring of keys comes round in 11 cycles: bits that come so often must not miss its step."""
    bench = Bench(compiled(), clock="aclk", reset="aresetn", reset_level=0)
    bench.put("s_key_tvalid", 1)
    due = 0
    for cycle in range(1_000):
        bench.put("s_rnd_tvalid", cycle >= due)
        bench.settle()
        if bench.get("s_key_tready"):
            return
        if cycle >= due and bench.get("s_rnd_tready"):
            due = cycle + every
        bench.edge()
    raise AssertionError(f"no key is taken with random bits every {every} cycles")


# ---- the sharing of round keys -------------------------------------------------------------------

AES_MODULES = ("masked_fast_aes", "masked_fast_share", "masked_sbox", "aes_mix_column")
AES_PORTS = {
    "go_i": 1, "in_step_o": 1, "key_i": 1, "key0_i": 128, "key1_i": 128, "step0_o": 1, "kind_i": 2,
    "block_i": 128, "drop_i": 1, "mask_i": 12, "random_i": 18 * SBOXES,
}  # fmt: skip
ALWAYS = ("if (go_i) mask_q <=", "mask_q <=")
OLD = ("mask_q & {128{go_i}}", "mask_q")


def wrong_keys(*changes: tuple[str, str]) -> int:
    """Cycles in which the first share of a round key has changed otherwise than by a window of the
    latest 128 bits that came with `go_i`. One cycle in seven has it, and another word on `mask_i`
    in the others."""
    files, rtl, _ = core_files(CONFIG, prove=False)
    given = {Path(name).stem: files[name] for name in rtl if Path(name).stem in AES_MODULES}
    for change in changes:
        assert given["masked_fast_aes"].count(change[0]) == 1
        given["masked_fast_aes"] = given["masked_fast_aes"].replace(*change)
    instance = Instance(
        prefix="a", module="masked_fast_aes", parameters={}, ports=ports(**AES_PORTS),
        taps={"ring": ("u_share0.ring_q", 128 * 11)},
    )  # fmt: skip
    bench = Bench(compile_bench("laws_top", {**given, "laws_top": side_by_side([instance])}))
    rng, window, wrong, whole = random.Random(9), 0, 0, (1 << 128) - 1
    for cycle in range(3_000):
        go, mask = cycle % 7 == 0, rng.getrandbits(12)
        bench.put("a_go_i", go)
        bench.put("a_mask_i", mask)
        bench.put("a_random_i", rng.getrandbits(18 * SBOXES))
        for name in ("key_i", "kind_i", "block_i", "drop_i"):
            bench.put(f"a_{name}", 0)
        bench.settle()
        head = bench.get("a_ring") & whole
        bench.edge()
        bench.settle()
        put = bench.get("a_ring") >> 1280
        if cycle > 7 * 11:
            wrong += put != head ^ (window if go else 0)
        if go:
            window = (window << 12 | mask) & whole
    return wrong


def test_round_keys_are_shared_anew_with_bits_that_came_and_no_others() -> None:
    """Where few random bits come, a key would otherwise get one word again and again, or what was
    on the port while nothing was offered."""
    assert wrong_keys() == 0
    assert wrong_keys(ALWAYS) > 0 and wrong_keys(OLD) > 0


def test_no_random_bits_are_left_in_a_digest_that_is_cleared() -> None:
    """They are the same in both shares, and those that the packet's first product begins with."""
    text = handwritten()
    names = ("masked_fast_digit", "masked_fast_ghash_share", "masked_fast_ghash")
    bench = Bench(compile_bench(names[-1], {name: text[name].read_text() for name in names}))
    for name in ("subkey0_i", "subkey1_i", "block0_i", "block1_i", "refresh_i"):
        bench.put(name, 5)
    for name in ("go_i", "collect_i", "subkey_i"):
        bench.put(name, 1)
    rng = random.Random(4)
    for cycle in range(40):
        bench.put("clear_i", cycle == 30)
        bench.put("load_i", cycle == 12)
        bench.put("random_i", rng.getrandbits(12))
        bench.settle()
        bench.edge()
        bench.settle()
        both = bench.get("digest0_o"), bench.get("digest1_o")
        assert all(both) if 14 < cycle < 30 else cycle < 30 or both == (0, 0)
