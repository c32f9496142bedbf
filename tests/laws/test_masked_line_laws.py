# SPDX-License-Identifier: Apache-2.0
"""gcm_masked_line on its own streams: the cycles of its descriptor and header, its random bits, and
what it answers. Expected values are those of `cryptography`. What drives it is that of
gcm_masked_fast, which has the same streams."""

import random
import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from bench import Bench, Instance, Source, at_random, compile_bench, ports, side_by_side
from test_masked_fast_laws import KEY, Packet, answers, drawn, load, period, sealed

from gcmforge.config import CoreConfig
from gcmforge.config.codes import Status
from gcmforge.emit.core import build_core
from gcmforge.emit.rtl import handwritten
from gcmforge.engines.gcm_masked_line.engine import (
    BEAT_CYCLES,
    ENGINE,
    PACKET_CYCLES,
    SBOXES,
    TAG_CYCLES,
    random_bits,
)
from gcmforge.leaf.masked import gadget
from gcmforge.sim.leaves import simulated_leaf

pytestmark = [pytest.mark.verilator, pytest.mark.slow]
CONFIG = CoreConfig(
    core="masked_line", key_sizes=(128,), contexts=1, iv="96", max_text_bytes=2048,
    max_aad_bytes=64,
)  # fmt: skip

PRODUCT = """\
module gf128_mul (
  input  logic         clk,
  input  logic [127:0] a_i,
  input  logic [127:0] b_i,
  output logic [127:0] c_o
);
  logic [127:0] x;
  always_comb begin
    c_o = '0;
    x = a_i;
    for (int i = 0; i < 128; i++) begin
      if (b_i[i]) c_o = c_o ^ x;
      x = {x[126:0], 1'b0} ^ (x[127] ? 128'h87 : 128'h0);
    end
  end
endmodule
"""
"""Schoolbook, as the leaf is proven elsewhere: it is compiled in a second."""


@cache
def texts(folder: Path) -> dict[str, str]:
    """The modules of the core; S-boxes in shares as what they are proven to compute."""
    core = build_core(CONFIG, folder / "core", prove=False)
    files = [core.path / name for name in core.rtl if not name.startswith("bench/")]
    given = {path.stem: path.read_text(encoding="utf-8") for path in files}
    (sbox,) = (path for path in files if path.stem == "masked_sbox")
    proven = simulated_leaf(sbox, CONFIG)
    assert proven is not None and proven.text is not None, proven
    top = given["gcm_masked_line"]
    for name, value in ENGINE.parameters(CONFIG):
        top, count = re.subn(rf"(parameter int {name} =) \d+", rf"\g<1> {value}", top)
        assert count == 1
    changed = {"gcm_masked_line": top, "gf128_mul": PRODUCT, "masked_sbox": proven.text}
    return {**given, **changed}


def compiled(folder: Path) -> Path:
    return compile_bench("gcm_masked_line", texts(folder))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("masked_line"))


def fresh(library: Path, randomness: int = 0x2A5_9C3E) -> Bench:
    """With random bits that are there in every cycle, and always the same: results need no more."""
    bench = Bench(library, clock="aclk", reset="aresetn", reset_level=0)
    bench.put("s_rnd_tvalid", 1)
    bench.put("s_rnd_tdata", randomness)
    return bench


@pytest.fixture
def bench(library: Path) -> Bench:
    """The same, with a key."""
    one = fresh(library)
    load(one, KEY)
    return one


def test_packets_take_the_cycles_of_the_law(bench: Bench) -> None:
    took = {n: period(bench, Packet(text=bytes(16 * n))) for n in (1, 2, 100)}
    assert took == {n: ENGINE.packet_cycles(CONFIG, 16 * n) for n in took}
    assert took[100] - took[1] == 99  # a block a cycle
    aad = [period(bench, Packet(aad=bytes(16 * n), text=bytes(64))) for n in (0, 1, 4)]
    assert len(set(aad)) == 1  # while the AES makes the first stream


def test_a_tag_to_compare_takes_the_same_whether_it_is_right_or_wrong(bench: Bench) -> None:
    text, tag = sealed(Packet(text=bytes(16)))
    right, wrong = (period(bench, Packet(text=text, tag=one)) for one in (tag, bytes(16)))
    assert right == wrong == ENGINE.packet_cycles(CONFIG, 16) + TAG_CYCLES


def test_the_first_text_leaves_when_the_law_says(bench: Bench) -> None:
    answers(bench, [Packet(text=bytes(16))])  # the key is usable when this one is answered
    took = []
    for wait in range(6):
        for _ in range(wait):
            bench.settle()
            bench.edge()
        began = bench.cycle
        (answer,) = answers(bench, [Packet(text=bytes(16))])
        took.append(answer.first_text - began)
    assert max(took) == BEAT_CYCLES


def test_a_key_takes_the_cycles_of_the_law(library: Path) -> None:
    bench = fresh(library)
    begins = [load(bench, KEY) for _ in range(4)]
    assert max(after - before for before, after in pairwise(begins)) == ENGINE.key_cycles(CONFIG)


def test_a_key_is_made_whenever_it_comes(library: Path) -> None:
    """What counts the AES's cycles goes on between packets: a key meets each of its values."""
    bench = fresh(library)
    for wait in range(0, 130, 2):
        for blocks in (1, 2):
            load(bench, KEY)
            answers(bench, [Packet(text=bytes(16 * blocks))])
            for _ in range(wait):
                bench.settle()
                bench.edge()


def test_the_header_has_the_laws() -> None:
    head = handwritten()["gcm_masked_line"].read_text().partition("module ")[0].replace("\n//", "")
    assert f"first text {BEAT_CYCLES} cycles after a command" in head
    assert f"{PACKET_CYCLES} + n cycles" in head
    assert f"has a tag to compare {TAG_CYCLES} more" in head


def test_random_bits_are_those_of_the_law() -> None:
    """Each gadget takes its own; 12 bits in each of 11 cycles share a key anew, and a product has
    128 of its own."""
    box = gadget("masked_sbox").random_bits
    assert random_bits() == SBOXES * box + 12 + 128
    top = handwritten()["gcm_masked_line"].read_text()
    assert f"input  logic [{random_bits() - 1}:0] s_rnd_tdata" in top
    assert ("s_rnd_tdata", random_bits()) in [(row[0], row[2]) for row in ENGINE.ports(CONFIG)]


def test_every_bit_of_a_tag_counts(bench: Bench) -> None:
    text, tag = sealed(Packet(aad=b"a", text=b"text"))
    number = int.from_bytes(tag, "big")
    tags = [(number ^ 1 << bit).to_bytes(16, "big") for bit in range(128)]
    found = answers(bench, [Packet(aad=b"a", text=text, tag=one) for one in (*tags, tag)])
    assert [one.status for one in found] == 128 * [Status.AUTH_FAIL] + [Status.OK]
    assert {one.tag for one in found} == {bytes(16)}


@pytest.mark.parametrize("pauses", [0.0, 0.4])
def test_packets_are_right_in_both_directions(bench: Bench, pauses: float) -> None:
    rng = random.Random(8)
    packets = [*drawn(7, 24), *(Packet(text=rng.randbytes(n)) for n in (1300, 1500, 2048))]
    received = []
    for packet, answer in zip(packets, answers(bench, packets, pauses=pauses), strict=True):
        text, tag = sealed(packet)
        short = tag[: packet.tag_bytes].ljust(16, b"\0")
        assert (answer.text, answer.tag, answer.status) == (text, short, Status.OK)
        received.append(Packet(iv=packet.iv, aad=packet.aad, text=text, tag=short,
                               tag_bytes=packet.tag_bytes))  # fmt: skip
    found = answers(bench, received, pauses=pauses)
    assert {answer.status for answer in found} == {Status.OK}
    assert [answer.text for answer in found] == [packet.text for packet in packets]


@pytest.mark.parametrize("bits", ["stuck at zero", "stuck at one", "new, with pauses"])
def test_random_bits_change_no_result(library: Path, bits: str) -> None:
    bench = fresh(library, -(bits == "stuck at one") % (1 << random_bits()))
    load(bench, KEY, mask=bytes(16))
    packets, noise = drawn(3, 8), None
    if bits == "new, with pauses":
        draw = random.Random(11)
        words = [{"s_rnd_tdata": draw.getrandbits(random_bits())} for _ in range(4_000)]
        noise = Source(bench, "s_rnd_tvalid", "s_rnd_tready", words, idle=at_random(5, 0.2))
    for packet, answer in zip(packets, answers(bench, packets, noise=noise), strict=True):
        text, tag = sealed(packet)
        assert (answer.text, answer.tag[: packet.tag_bytes]) == (text, tag[: packet.tag_bytes])


def test_what_is_wrong_has_its_status(bench: Bench) -> None:
    given = {
        Packet(flags=32): Status.NO_KEY, Packet(flags=64): Status.BAD_IV,
        Packet(tag_bytes=5): Status.BAD_TAG_LENGTH, Packet(text=bytes(2049)): Status.TOO_LONG,
        Packet(aad=bytes(65)): Status.TOO_LONG, Packet(text=bytes(2048), aad=bytes(64)): Status.OK,
    }  # fmt: skip
    found = answers(bench, list(given))
    assert [one.status for one in found] == list(given.values())
    assert all(one.tag == bytes(16) for one in found[:-1])


def test_without_random_bits_nothing_moves_and_results_stay(bench: Bench) -> None:
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


@pytest.mark.parametrize("every", [1, 2, 3, 11])
def test_random_bits_of_every_rhythm_are_enough(library: Path, every: int) -> None:
    bench = fresh(library)
    bench.put("s_key_tvalid", 1)
    for cycle in range(200):
        bench.put("s_rnd_tvalid", cycle % every == 0)
        bench.settle()
        if bench.get("s_key_tready"):
            return
        bench.edge()
    raise AssertionError(f"no key is taken with random bits every {every} cycles")


# ---- the sharing of round keys -------------------------------------------------------------------

AES_MODULES = (
    "masked_line_aes", "masked_line_share", "masked_line_round", "masked_sbox",
    "aes_mix_column",
)  # fmt: skip
AES_PORTS = {
    "run_i": 1, "key_i": 1, "key0_i": 128, "key1_i": 128, "expands_o": 1, "block_i": 128,
    "stream0_o": 128, "stream1_o": 128, "mask_i": 128, "random_i": 18 * SBOXES,
}  # fmt: skip
KEYS, CYCLES = 11, 300
SAME = ("{mask_i[63:0], mask_i[127:64]} : mask_i", "mask_i : mask_i")


def sums_of_neighbours(folder: Path, change: tuple[str, str] | None = None) -> list[int]:
    """How many values the sum of share 0 of two round keys, one after the other, takes in CYCLES
    cycles with one key."""
    given = {name: texts(folder / "core")[name] for name in AES_MODULES}
    if change:
        assert given["masked_line_share"].count(change[0]) == 1
        given["masked_line_share"] = given["masked_line_share"].replace(*change)
    instance = Instance(
        prefix="a", module="masked_line_aes", parameters={}, ports=ports(**AES_PORTS),
        taps={"keys": ("u_share0.keys_q", 128 * KEYS)},
    )  # fmt: skip
    bench = Bench(compile_bench("laws_top", {**given, "laws_top": side_by_side([instance])}))
    rng = random.Random(5)
    window = rng.getrandbits(128)
    values: list[set[int]] = [set() for _ in range(KEYS - 1)]
    for cycle in range(150 + CYCLES):  # first the key is made
        bench.put("a_run_i", 1)
        bench.put("a_key_i", int(cycle == 0))
        bench.put("a_key0_i", rng.getrandbits(128))
        bench.put("a_mask_i", window)
        bench.put("a_random_i", rng.getrandbits(18 * SBOXES))
        bench.edge()
        window = (window << 12 | rng.getrandbits(12)) & (1 << 128) - 1
        if cycle >= 150:
            bench.settle()
            shares = bench.get("a_keys")
            keys = [shares >> 128 * n & (1 << 128) - 1 for n in range(KEYS)]
            for found, (one, other) in zip(values, pairwise(keys), strict=True):
                found.add(one ^ other)
    return list(map(len, values))


def test_no_two_round_keys_keep_a_sum_of_their_shares(tmp_path: Path) -> None:
    """What moves a key down sees a share of two of them: a sum that stays would tell over many
    packets what the key is."""
    assert sums_of_neighbours(tmp_path) == [CYCLES] * (KEYS - 1)
    assert sums_of_neighbours(tmp_path, SAME) == [1] * (KEYS - 1)
