# SPDX-License-Identifier: Apache-2.0
"""Satoh 2007, equation (10) and Fig. 7: the multipliers of Fig. 6 cycle by cycle, every tag
compared with `cryptography`, and the cycles that folding Len and E(K, Y0) into C_X takes and
saves."""

import random
from functools import cache
from pathlib import Path

import pytest
from bench import Bench, compile_bench

from gcmforge.config.installed import engines
from gcmforge.config.presets import load_config
from gcmforge.model import gf_mult
from gcmforge.study.papers.satoh2007_cycles import (
    beats,
    closing_slots,
    folded_cycles,
    plain_cycles,
    setup_cycles,
)

TEXT = Path(__file__).with_name("satoh2007.sv").read_text(encoding="utf-8")
KEY = bytes(range(16))
IDLE, TAKE_Y0, TAKE_H, SQUARE, FOLD, MULTIPLY, ADD = range(7)


@cache
def library(lanes):
    text = TEXT.replace("parameter int Lanes = 4", f"parameter int Lanes = {lanes}")
    return compile_bench("satoh2007", {"satoh2007": text})


def turned(block):
    """Between the order of SP 800-38D and that of polynomials."""
    return int(f"{block:0128b}"[::-1], 2)


def block_cipher(block):
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    data = Cipher(algorithms.AES(KEY), modes.ECB()).encryptor().update(block)
    return int.from_bytes(data, "big")


class Message:
    """m blocks of AAD and n of text, the last of each perhaps not whole, under an IV of 96 bits."""

    def __init__(self, rng, m, n, *, whole=True):
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        def section(count):
            missing = 0 if whole or not count else rng.randint(0, 15)
            return rng.randbytes(16 * count - missing)

        iv, aad, text = rng.randbytes(12), section(m), section(n)
        sealed = AESGCM(KEY).encrypt(iv, text, aad)
        self.tag = int.from_bytes(sealed[-16:], "big")
        self.enc_y0 = block_cipher(iv + b"\0\0\0\1")
        self.lengths = 8 * len(aad) << 64 | 8 * len(text)
        padded = [part + bytes(-len(part) % 16) for part in (aad, sealed[:-16])]
        data = b"".join(padded)
        self.blocks = [int.from_bytes(data[i : i + 16], "big") for i in range(0, len(data), 16)]


def cycle_by_cycle(lanes, message):
    """Of each cycle the step, and the registers after it, until the tag is there."""
    bench = Bench(library(lanes))
    bench.put("blocks_i", len(message.blocks))
    for name, block in (
        ("enc_y0_i", message.enc_y0), ("lengths_i", message.lengths),
        ("subkey_i", block_cipher(bytes(16))),
    ):  # fmt: skip
        bench.put(name, turned(block))
    bench.put("start_i", 1)
    rest, rows = list(message.blocks), []
    while not rows or rows[-1]["step"] != ADD:
        bench.settle()
        if bench.get("take_o"):
            beat, rest = rest[:lanes], rest[lanes:]
            noise = [random.getrandbits(128) for _ in range(lanes - len(beat))]
            data = 0
            for block in [*map(turned, beat), *noise]:
                data = data << 128 | block
            bench.put("in_data_i", data)
            bench.settle()
        row = {"step": bench.get("step_o"), "tag": turned(bench.get("tag_o"))}
        bench.edge()
        bench.put("start_i", 0)
        bench.settle()
        registers = bench.get("registers_o")
        row["lanes"] = [
            turned(registers >> 128 * (lanes - 1 - lane) & (1 << 128) - 1) for lane in range(lanes)
        ]
        row |= {name: turned(bench.get(f"reg_{name}_o")) for name in ("t", "h", "hq")}
        rows.append(row)
    return rows[1:]


@pytest.mark.slow
def test_figure_7_cycle_by_cycle():
    """m = 5, n = 4, q = 4: each register after each step is what the paper's formulas say."""
    message = Message(random.Random(7), 5, 4)
    h = block_cipher(bytes(16))
    h2 = gf_mult(h, h)
    h4 = gf_mult(h2, h2)
    a1, a2, a3, a4, a5, c1, c2, c3, c4 = message.blocks
    c_x = gf_mult(message.lengths, h) ^ message.enc_y0  # equation (10)

    rows = cycle_by_cycle(4, message)
    a, b, c, d, e, first, f, g, last, add = rows
    assert [row["step"] for row in rows] == [
        TAKE_Y0, TAKE_H, SQUARE, SQUARE, FOLD, *4 * [MULTIPLY], ADD,
    ]  # fmt: skip
    assert a["t"] == message.enc_y0
    assert (b["h"], b["hq"]) == (h, h)
    assert (c["h"], c["hq"]) == (h, h2)
    assert (d["h"], d["hq"]) == (h, h4)
    assert e["t"] == c_x

    t = [gf_mult(block, h4) for block in (a1, a2, a3, a4)]
    assert first["lanes"] == t
    t = [
        gf_mult(t[0] ^ a5, h4), gf_mult(t[1] ^ c1, h4), gf_mult(t[2] ^ c2, h4),
        gf_mult(t[3] ^ c3, h),
    ]  # fmt: skip
    assert f["lanes"] == t
    t = [gf_mult(t[0] ^ c4, h), gf_mult(t[1], h), t[2], gf_mult(t[3], h)]
    assert g["lanes"] == t
    t = [gf_mult(t[0], h), t[1], t[2], gf_mult(t[3], h)]
    assert last["lanes"] == t
    assert add["tag"] == c_x ^ t[0] ^ t[1] ^ t[2] ^ t[3] == message.tag


@pytest.mark.slow
def test_the_last_four_blocks_of_figure_7_meet_one_power_more_than_in_equation_6():
    """H^5, H^4, H^3, H^2: a message of one block that is not zero shows its power."""
    h = block_cipher(bytes(16))
    powers = [h]
    for _ in range(4):
        powers.append(gf_mult(powers[-1], h))
    for back, power in enumerate(powers[1:]):  # 0 is the last block
        message = Message(random.Random(1), 5, 4)
        block = message.blocks[-1 - back]
        message.blocks = [0] * 9
        message.blocks[-1 - back] = block
        *_, last = cycle_by_cycle(4, message)
        assert last["tag"] == last["t"] ^ gf_mult(block, power), back


@pytest.mark.slow
@pytest.mark.parametrize("lanes", [2, 4, 8])
def test_tags_and_cycles_of_any_lengths(lanes):
    rng = random.Random(lanes)
    sizes = [(m, n) for m in range(lanes + 2) for n in range(lanes + 2)]
    sizes += [(rng.randint(0, 40), rng.randint(0, 60)) for _ in range(20)]
    for m, n in sizes:
        message = Message(rng, m, n, whole=False)
        rows = cycle_by_cycle(lanes, message)
        assert rows[-1]["tag"] == message.tag, (m, n)
        assert len(rows) == setup_cycles(lanes) + folded_cycles(m + n, lanes) + 1, (m, n)


@pytest.mark.parametrize("lanes", [2, 4, 8])
def test_the_fold_takes_as_many_cycles_as_the_length_block_in_the_tail(lanes):
    """Products of the lanes' last blocks overlap with that of the length block, at every length."""
    assert (folded_cycles(9, 4), plain_cycles(9, 4), setup_cycles(4)) == (4, 4, 5)
    assert all(folded_cycles(n, lanes) == plain_cycles(n, lanes) for n in range(1, 500))


def test_cycles_of_the_tail_are_those_of_figure_4():
    """Ten blocks on four lanes: (a) to (d), four products; the last block gets H."""
    assert plain_cycles(9, 4) == 4


@pytest.mark.parametrize("lanes", [2, 4, 8])
def test_cycles_with_the_length_block_are_those_of_the_engine_of_equation_6(lanes):
    """ghash_interleaved, whose law test_headers.py and test_ghash_interleaved_laws.py hold: the
    beats before the last one, and its tail, which the next message waits for but one cycle."""
    engine = engines("ghash")["interleaved"]
    core = load_config(None, "satoh2007", (f"lanes={lanes}",))
    for blocks in range(400):
        tail = 1 + engine.wait_cycles(core, blocks)
        assert plain_cycles(blocks, lanes) == beats(blocks + 1, lanes) - 1 + tail, blocks


@pytest.mark.parametrize("lanes", [2, 4, 8])
def test_the_closing_slot_takes_a_beat_of_the_lengths_that_fill_their_last_one(lanes):
    core = load_config(None, "satoh2007", (f"lanes={lanes}",))
    for blocks in range(1, 400):
        more = core.packet_slots(0, 16 * blocks) - beats(blocks, lanes)
        assert more == (blocks % lanes == 0), blocks
    assert closing_slots(800, lanes) == 800 // lanes
