# SPDX-License-Identifier: Apache-2.0
"""Trivium as a masked core's generator: eSTREAM's test vectors, seeds, cycles, and that a core with
it answers as one without, whenever seeds come."""

import random
import re
from functools import cache
from pathlib import Path

import pytest
import test_masked_fast_laws as fast
import test_masked_laws as small
from bench import Bench, Instance, Source, at_random, compile_bench, ports, rtl, run, side_by_side
from test_nano_laws import drawn as small_packets
from trivium import as_bytes, keystream

from gcmforge.config import CoreConfig
from gcmforge.emit.core import core_files
from gcmforge.emit.rtl import handwritten
from gcmforge.engines.gcm_masked.engine import RANDOM_BITS
from gcmforge.engines.gcm_masked.randomness import (
    SEED_LASTS,
    SEED_WORDS,
    STEPS,
    stop_cycles,
    warm_cycles,
)
from gcmforge.engines.gcm_masked_fast.engine import INSTANCES, random_bits

pytestmark = [pytest.mark.verilator, pytest.mark.slow]

VECTORS = {
    "set 1, vector 0": (
        "80000000000000000000", "00000000000000000000",
        "38EB86FF730D7A9CAF8DF13A4420540DBB7B651464C87501552041C249F29A64"
        "D2FBF515610921EBE06C8F92CECF7F8098FF20CCCC6A62B97BE8EF7454FC80F9",
    ),
    "set 6, vector 0": (
        "0053A6F94C9FF24598EB", "0D74DB42A91077DE45AC",
        "F4CD954A717F26A7D6930830C4E7CF0819F80E03F25F342C64ADC66ABA7F8A8E"
        "6EAA49F23632AE3CD41A7BD290A0132F81C6D4043B6E397D7388F3A03B5FE358",
    ),
}  # fmt: skip
"""stream[0..63] of eSTREAM's file of verified test vectors of Trivium, key and IV of 80 bits; as in
testvectors/trivium-80.80.test-vectors of avr-crypto-lib."""
BITS = (1, 26, 64, 65, 66)
EACH = {"masked": RANDOM_BITS, "masked_fast": random_bits() // INSTANCES}
"""Bits of an instance in a cycle."""


@pytest.mark.parametrize("name", list(VECTORS))
def test_the_model_gives_the_published_stream(name: str) -> None:
    key, iv, stream = VECTORS[name]
    found = keystream(bytes.fromhex(key), bytes.fromhex(iv), 512)
    assert as_bytes(found) == bytes.fromhex(stream)


@pytest.mark.parametrize("name", list(VECTORS))
def test_the_module_gives_the_published_stream_however_many_bits_a_cycle(name: str) -> None:
    key, iv, stream = (bytes.fromhex(text) for text in VECTORS[name])
    bench = Bench(_triviums())
    number = list(VECTORS).index(name)
    for place, word in enumerate(_words(key + iv)):
        _put(bench, number, load_i=1, place_i=place, word_i=word)
        bench.settle()
        bench.edge()
    _put(bench, number, load_i=0, step_i=1)
    found: dict[int, list[int]] = {bits: [] for bits in BITS}
    for _ in range(1152 + 512 + 1):
        bench.settle()
        for bits, got in found.items():
            value = bench.get(f"of_{bits}_{number}_bits_o")
            got += [value >> n & 1 for n in reversed(range(bits))]
        bench.edge()
    for bits, got in found.items():  # the register has what was before, first
        assert as_bytes(got[bits:][1152:][:512]) == stream, bits


def _put(bench: Bench, number: int, **values: int) -> None:
    for bits in BITS:
        for name, value in values.items():
            bench.put(f"of_{bits}_{number}_{name}", value)


def _words(seed: bytes) -> list[int]:
    assert len(seed) == 4 * SEED_WORDS
    return [int.from_bytes(seed[at : at + 4], "little") for at in range(0, 20, 4)]


@cache
def _triviums() -> Path:
    """Instances for each number of bits; their number is the last byte of a vector's IV."""
    instances = [
        Instance(
            prefix=f"of_{bits}_{n}", module="masked_trivium_clocked",
            parameters={"Bits": bits, "Number": bytes.fromhex(iv)[-1]},
            ports=ports(load_i=1, place_i=3, word_i=32, step_i=1, bits_o=bits),
        )
        for bits in BITS
        for n, (_, iv, _) in enumerate(VECTORS.values())
    ]  # fmt: skip
    text = rtl("masked_trivium")["masked_trivium"]
    clocked = text.replace("module masked_trivium", "module masked_trivium_clocked").replace(
        "logic            clk,", "logic clk, input logic rst,"
    )
    top = side_by_side(instances)
    return compile_bench("laws_top", {"masked_trivium_clocked": clocked, "laws_top": top})


# ---- the generator: seeds and cycles


@cache
def _generator(core: str) -> Path:
    count, bits = (INSTANCES if core == "masked_fast" else 1), EACH[core]
    widths = {"seed_valid_i": 1, "seed_ready_o": 1, "seed_i": 32, "valid_o": 1}
    top = side_by_side([
        Instance(
            prefix="g", module="masked_generator", parameters={"Count": count, "Bits": bits},
            ports=ports(**widths, bits_o=count * bits),
        )
    ])  # fmt: skip
    texts = rtl("masked_trivium", "masked_generator")
    return compile_bench("laws_top", {**texts, "laws_top": top})


def _take(bench: Bench, seed: bytes) -> int:
    """The words of a seed one after another: the cycle in which the last one is taken."""
    waited = 0
    bench.put("g_seed_valid_i", 1)
    for number, word in enumerate(_words(seed)):
        bench.put("g_seed_i", word)
        bench.settle()
        while number == 0 and not bench.get("g_seed_ready_o"):
            assert waited < SEED_LASTS
            waited += bench.get("g_valid_o")
            bench.edge()
            bench.settle()
        assert bench.get("g_seed_ready_o")
        bench.edge()
    bench.put("g_seed_valid_i", 0)
    return bench.cycle - 1


def _bits_of(bench: Bench, cycles: int) -> tuple[int, list[int]]:
    """The first cycle that has bits, and bits_o of so many from there on."""
    first, found = 0, []
    while len(found) < cycles:
        bench.settle()
        if bench.get("g_valid_o"):
            first = first or bench.cycle
            found.append(bench.get("g_bits_o"))
        else:
            assert not found
        bench.edge()
    return first, found


@pytest.mark.parametrize("core", list(EACH))
def test_a_seed_gives_the_streams_of_its_instances_from_the_cycle_of_the_law(core: str) -> None:
    bench, draw = Bench(_generator(core)), random.Random(5)
    bits = EACH[core]
    for _ in range(3):  # each takes the place of the one before
        seed = draw.randbytes(20)
        taken = _take(bench, seed)
        first, got = _bits_of(bench, 20)
        assert first - taken == warm_cycles(bits) == STEPS // bits + 2
        for number in range(INSTANCES if core == "masked_fast" else 1):
            stream = keystream(seed[:10], seed[10:19] + bytes([number]), 30 * bits)
            mine = [v >> bits * number + n & 1 for v in got for n in reversed(range(bits))]
            after = STEPS - 1152
            assert mine == stream[after:][: 20 * bits]


@pytest.mark.parametrize("core", list(EACH))
def test_there_are_no_bits_before_a_whole_seed_and_words_wait_for_a_warm_up(core: str) -> None:
    bench = Bench(_generator(core))
    bench.put("g_seed_valid_i", 1)
    for taken in range(SEED_WORDS):
        bench.settle()
        assert (bench.get("g_seed_ready_o"), bench.get("g_valid_o")) == (1, 0)
        bench.edge()
        if taken == 3:  # a seed that is not whole warms nothing up
            bench.put("g_seed_valid_i", 0)
            for _ in range(100):
                bench.settle()
                assert not bench.get("g_valid_o")
                bench.edge()
            bench.put("g_seed_valid_i", 1)
    for _ in range(warm_cycles(EACH[core]) - 1):
        bench.settle()
        assert (bench.get("g_seed_ready_o"), bench.get("g_valid_o")) == (0, 0)
        bench.edge()
    for used in range(SEED_LASTS + 1):
        bench.settle()
        assert (bench.get("g_seed_ready_o"), bench.get("g_valid_o")) == (used == SEED_LASTS, 1)
        bench.edge()


def test_the_headers_have_the_laws() -> None:
    def head(module: str) -> str:
        text = handwritten()[module].read_text().partition("module ")[0]
        return re.sub(r"\s*\n// *", " ", text)

    assert f"{STEPS} / Bits + 2 cycles after a seed's last word" in head("masked_generator")
    assert all(STEPS % bits == 0 and STEPS >= 1152 for bits in EACH.values())
    for core, bits in EACH.items():
        assert f"stops the core for {stop_cycles(bits)} cycles" in head(f"gcm_{core}_seeded")
    assert random_bits() == INSTANCES * EACH["masked_fast"]


# ---- cores with it


@cache
def _core(core: str) -> Path:
    config = {"masked": small, "masked_fast": fast}[core].CONFIG
    config = CoreConfig.from_mapping({**config.to_mapping(), "randomness": "generator"})
    files, names, _ = core_files(config, prove=False)
    given = {Path(name).stem: files[name] for name in names if not name.startswith("bench/")}
    assert config.top == f"gcm_{core}_seeded" in given
    return compile_bench(config.top, given)


def _fresh(core: str) -> Bench:
    return Bench(_core(core), clock="aclk", reset="aresetn", reset_level=0)


def _seeds(bench: Bench, count: int, often: float) -> Source:
    draw = random.Random(count)
    words = [{"s_rnd_tdata": draw.getrandbits(32)} for _ in range(SEED_WORDS * count)]
    return Source(bench, "s_rnd_tvalid", "s_rnd_tready", words, idle=at_random(3, 1 - often))


def _seed(bench: Bench) -> None:
    source = _seeds(bench, 1, 0.9)
    run(bench, [source], lambda: source.done)


@pytest.mark.parametrize("core", list(EACH))
def test_a_core_without_a_seed_takes_nothing(core: str) -> None:
    bench = _fresh(core)
    for name in ("s_key_tvalid", "s_cmd_tvalid", "s_axis_tvalid"):
        bench.put(name, 1)
    for _ in range(300):
        bench.settle()
        assert not any(bench.get(f"{s}_tready") for s in ("s_key", "s_cmd", "s_axis"))
        assert not bench.get("m_axis_tvalid") and not bench.get("m_tag_tvalid")
        bench.edge()


@pytest.mark.parametrize("core", list(EACH))
@pytest.mark.parametrize("often", [0.0, 0.02, 0.2])
def test_packets_are_right_however_often_a_seed_comes(core: str, often: float) -> None:
    bench = _fresh(core)
    _seed(bench)
    noise = _seeds(bench, 400, often) if often else None
    if core == "masked":
        small.load(bench, small.KEY)
        packets = small_packets(7, 6)
        for packet, answer in zip(packets, small.answers(bench, packets, noise=noise), strict=True):
            text, tag = small.sealed(packet)
            assert (answer.text, answer.tag) == (text, tag[: packet.tag_bytes])
    else:
        fast.load(bench, fast.KEY)
        packets = fast.drawn(7, 24)
        found = fast.answers(bench, packets, noise=noise)
        for packet, answer in zip(packets, found, strict=True):
            text, tag = fast.sealed(packet)
            assert (answer.text, answer.tag[: packet.tag_bytes]) == (text, tag[: packet.tag_bytes])
    if noise:
        assert len(noise.sent) > SEED_WORDS


@pytest.mark.parametrize("core", list(EACH))
def test_a_seed_stops_a_core_for_the_cycles_of_the_law(core: str) -> None:
    took = []
    for seeds in (0, 1):
        bench = _fresh(core)
        _seed(bench)
        noise = _seeds(bench, 1, 1.0) if seeds else None
        if core == "masked":
            small.load(bench, small.KEY)
            found = small.answers(bench, small.texts(3)[:3], noise=noise)
        else:
            fast.load(bench, fast.KEY)
            packets = 3 * [fast.Packet(text=bytes(128))]
            found = fast.answers(bench, packets, noise=noise)
        took.append(found[-1].cycle)
    stop = stop_cycles(EACH[core])
    more = 10 if core == "masked_fast" else 0
    assert stop <= took[1] - took[0] <= stop + more
