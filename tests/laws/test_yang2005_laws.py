# SPDX-License-Identifier: Apache-2.0
"""Yang 2005, Table 2: bits per cycle of its arrangement (yang2005.sv) for every packet length, and
what its length-first GHASH, equation (3), changes."""

import itertools
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from bench import Bench, Instance, Sink, Source, at_random, compile_bench, ports, rtl, run
from bench import side_by_side as top_of
from ghash_engines import reflect
from leaf_models import aes_texts, multiplier_text

from gcmforge.model import encrypt, encrypt_block, ghash_length_first, key_expansion
from gcmforge.model.gcm import bit_lengths, blocks

pytestmark = pytest.mark.slow

TABLE_2 = {
    16: "9.85", 20: "11.4", 40: "21.3", 44: "23.5", 64: "32.0", 128: "51.2", 256: "73.1",
    552: "94.0", 576: "96.0", 1024: "108", 1500: "113", 8192: "125",
}  # fmt: skip
"""Bytes in a packet -> bits per clock cycle of GCM, as printed."""

TABLE_2_AVERAGE = "90.0"

TABLE_2_CWC = {
    16: "10.7", 20: "12.3", 40: "22.9", 44: "25.1", 64: "34.1", 128: "53.9", 256: "75.9",
    552: "96.0", 576: "98.0", 1024: "109", 1500: "114", 8192: "125",
}  # fmt: skip
"""The row of CWC, ceil(s / 16) + 11 cycles: one less than GCM."""

PACKETS_MIX = {1500: 0.60, 576: 0.20, 552: 0.15, 44: 0.05}
"""Section 5: the share of all bytes that lies in packets of that many bytes."""

PLAIN, LENGTH_FIRST = "plain", "length_first"
KINDS = {"iv": 0, "aad": 1, "text": 2}


@dataclass(frozen=True, kw_only=True, slots=True)
class Packet:
    iv: bytes
    aad: bytes
    text: bytes


def open_bench(key: bytes) -> Bench:
    """Both arrangements side by side, with the round keys and the subkey in place."""
    widths = ports(
        keys_i=1408, subkey_valid_i=1, subkey_i=128, in_valid_i=1, in_ready_o=1, in_kind_i=2,
        in_last_i=1, in_data_i=128, in_mask_i=128, in_lengths_i=128, out_valid_o=1, out_data_o=128,
        tag_valid_o=1, tag_o=128,
    )  # fmt: skip
    instances = [
        Instance(prefix=name, module="yang2005", parameters={"LengthFirst": option}, ports=widths)
        for option, name in enumerate((PLAIN, LENGTH_FIRST))
    ]
    texts = rtl("gcm_ram", "ghash_serial", "aes_sub_shift", "aes_mix_columns") | aes_texts(1)
    texts["gf128_mul"] = multiplier_text(1)
    texts["yang2005"] = Path(__file__).with_name("yang2005.sv").read_text("utf-8")
    texts["laws_top"] = top_of(instances)
    bench = Bench(compile_bench("laws_top", texts))
    round_keys = key_expansion(key)
    all_keys = sum(round_key << 128 * (10 - r) for r, round_key in enumerate(round_keys))
    for name in (PLAIN, LENGTH_FIRST):
        bench.put(f"{name}_keys_i", all_keys)
        word = {f"{name}_subkey_i": reflect(encrypt_block(round_keys, 0))}
        load = Source(bench, f"{name}_subkey_valid_i", None, [word])
        run(bench, [load], lambda load=load: load.done)
    return bench


def words(name: str, packets: Sequence[Packet]) -> list[dict[str, int]]:
    """A beat for the IV, then one for each block."""
    made = []
    for packet in packets:
        beats = [("iv", packet.iv + bytes(4))]
        for kind, data in (("aad", packet.aad), ("text", packet.text)):
            beats += [(kind, data[i : i + 16]) for i in range(0, len(data), 16)]
        for number, (kind, data) in enumerate(beats):
            mask = bytes(255 for _ in data).ljust(16, b"\0")
            word = {
                "in_kind_i": KINDS[kind],
                "in_last_i": number == len(beats) - 1,
                "in_data_i": int.from_bytes(data.ljust(16, b"\xa5"), "big"),
                "in_mask_i": int.from_bytes(mask, "big"),
                "in_lengths_i": bit_lengths(packet.aad, packet.text),
            }
            made.append({f"{name}_{port}": value for port, value in word.items()})
    return made


@dataclass(frozen=True, slots=True)
class Played:
    """What came out for each packet, and the cycles of the IVs."""

    texts: list[bytes]
    tags: list[bytes]
    starts: list[int]


def play(bench: Bench, name: str, packets: Sequence[Packet], idle: float = 0.0) -> Played:
    offered = words(name, packets)
    source = Source(
        bench, f"{name}_in_valid_i", f"{name}_in_ready_o", offered, idle=at_random(1, idle)
    )
    out = Sink(bench, f"{name}_out_valid_o", None, [f"{name}_out_data_o"])
    tags = Sink(bench, f"{name}_tag_valid_o", None, [f"{name}_tag_o"])
    run(bench, [source, out, tags], lambda: len(tags.got) == len(packets))
    stream = iter(block.to_bytes(16, "big") for (block,) in out.got)
    texts = []
    for packet in packets:
        count = math.ceil(len(packet.text) / 16)
        texts.append(b"".join(itertools.islice(stream, count))[: len(packet.text)])
    starts = [
        cycle
        for cycle, word in zip(source.sent, offered, strict=True)
        if word[f"{name}_in_kind_i"] == KINDS["iv"]
    ]
    return Played(texts, [tag.to_bytes(16, "big") for (tag,) in tags.got], starts)


def length_first_tag(key: bytes, packet: Packet, ciphertext: bytes) -> bytes:
    round_keys = key_expansion(key)
    h = encrypt_block(round_keys, 0)
    lengths = bit_lengths(packet.aad, ciphertext)
    digest = ghash_length_first(h, blocks(packet.aad), lengths, blocks(ciphertext))
    y0 = int.from_bytes(packet.iv + b"\0\0\0\1", "big")
    return (digest ^ encrypt_block(round_keys, y0)).to_bytes(16, "big")


@cache
def cycles_per_packet(name: str, size: int) -> int:
    """From a packet's start to the next one's, with packets always waiting."""
    rng = random.Random(size)
    bench = open_bench(rng.randbytes(16))
    packet = Packet(iv=rng.randbytes(12), aad=b"", text=rng.randbytes(size))
    starts = play(bench, name, [packet] * 3).starts
    (cycles,) = {b - a for a, b in itertools.pairwise(starts)}
    return cycles


def bits_per_cycle(name: str, size: int) -> float:
    return 8 * size / cycles_per_packet(name, size)


def printed(value: float, like: str) -> str:
    """To as many digits as the paper prints."""
    return f"{value:.{len(like.partition('.')[2])}f}"


@pytest.mark.parametrize("size", TABLE_2)
def test_bits_per_cycle_are_those_of_table_2(size):
    assert cycles_per_packet(PLAIN, size) == math.ceil(size / 16) + 12
    assert printed(bits_per_cycle(PLAIN, size), TABLE_2[size]) == TABLE_2[size]


def test_the_average_over_the_internet_mix_is_that_of_table_2():
    """The mean of bits per cycle over cycles, as section 5 defines it."""
    share = {s: f * cycles_per_packet(PLAIN, s) / s for s, f in PACKETS_MIX.items()}
    mean = sum(bits_per_cycle(PLAIN, s) * part for s, part in share.items()) / sum(share.values())
    assert printed(mean, TABLE_2_AVERAGE) == TABLE_2_AVERAGE


@pytest.mark.parametrize("size", TABLE_2_CWC)
def test_length_first_saves_a_cycle_and_reaches_the_row_of_cwc(size):
    assert cycles_per_packet(LENGTH_FIRST, size) == math.ceil(size / 16) + 11
    assert printed(bits_per_cycle(LENGTH_FIRST, size), TABLE_2_CWC[size]) == TABLE_2_CWC[size]


@pytest.mark.parametrize("idle", [0.0, 0.4])
def test_texts_are_gcms_and_tags_are_gcms_only_where_the_lengths_come_last(idle):
    rng = random.Random(7)
    key = rng.randbytes(16)
    bench = open_bench(key)
    packets = [
        Packet(
            iv=rng.randbytes(12),
            aad=rng.randbytes(rng.choice([0, 0, rng.randint(1, 60)])),
            text=rng.randbytes(rng.randint(1, 300)),
        )
        for _ in range(40)
    ]
    expected = [encrypt(key, packet.iv, packet.text, packet.aad) for packet in packets]
    for name in (PLAIN, LENGTH_FIRST):
        played = play(bench, name, packets, idle)
        assert played.texts == [ciphertext for ciphertext, _ in expected]
        if name == PLAIN:
            assert played.tags == [tag for _, tag in expected]
        else:
            tags = [
                length_first_tag(key, packet, ciphertext)
                for packet, (ciphertext, _) in zip(packets, expected, strict=True)
            ]
            assert played.tags == tags
            assert not set(tags) & {tag for _, tag in expected}
