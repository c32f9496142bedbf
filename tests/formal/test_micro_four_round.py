# SPDX-License-Identifier: Apache-2.0
"""micro_aes_four computes AES-128 and AES-256, for every block and key: by induction over its
rounds.

Its gates are unrolled over the five cycles of a round, from any state, any words of the key
schedule, and any word in the register after the S-boxes. What goes into that register in the fifth
cycle, of which the next round's first word is made, is proven alone. So everything is a sum of
functions of one byte, by its gates; all values of each byte are a complete proof. What counts
rounds and steps, and the round's constant, are numbers: each round begins with those that the one
before ends with. The rings that give the key and the IV word by word are proven as well.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import pytest
from unrolled import (
    Spec,
    Unrolled,
    byte_inputs,
    changed,
    check,
    constant,
    in_gates,
    octets,
    packed,
    round_constants,
)

from gcmforge.circuit import Builder, Circuit
from gcmforge.circuit.ir import ONE, ZERO, Net
from gcmforge.config.presets import preset
from gcmforge.emit.core import core_files
from gcmforge.model.aes import mix_columns, sbox, shift_rows

pytestmark = [pytest.mark.yosys, pytest.mark.slow]

AES, COUNTER = "micro_aes_four", "micro_counter_words"
SHORT, BOTH = "short", "both"
SIZES = {128: 10, 256: 14}
"""Bits of a key -> rounds."""
FORMS = ((SHORT, 128), (BOTH, 128), (BOTH, 256))
SLOTS = {SHORT: 5, BOTH: 10}
"""Words of a window: of each five the newest is not used when a round begins."""
STEPS = 5


@cache
def netlist(form: str, module: str, old: str = "", new: str = "") -> Mapping[str, Any]:
    """The module in single gates; `old` becomes `new` in one of its files."""
    sizes = "128" if form == SHORT else "128,256"
    config = preset("micro").with_settings(["sboxes=4", f"key_sizes={sizes}"])
    files, rtl, _ = core_files(config, prove=False)
    texts = {name.rpartition("/")[2].removesuffix(".sv"): files[name] for name in rtl}
    inside = {AES: ("aes_sbox", "aes_mix_column", "micro_boxes_gates", "micro_boxes",
                    f"micro_window_{form}", "micro_window")}  # fmt: skip
    needed = {name: texts[name] for name in (*inside.get(module, ()), module)}
    if old:
        (where,) = (name for name, text in needed.items() if old in text)
        needed[where] = changed(needed[where], old, new)
    return in_gates(needed, module)


def word_of(run: Unrolled, name: str, place: int) -> list[Net]:
    """A word of a register, the newest one 0."""
    return run.get(name)[32 * place : 32 * place + 32]


def words(nets: Sequence[Net]) -> list[list[Net]]:
    """Of a block, the first one first."""
    return [list(nets[low : low + 32]) for low in range(len(nets) - 32, -1, -32)]


def joined(values: Sequence[Sequence[Net]]) -> list[Net]:
    """The other way."""
    return [net for value in reversed(values) for net in value]


# ---- a round -------------------------------------------------------------------------------------

ROUND = {"cells": 16, "words": 40, "boxed": 4, "block": 16, "key": 16, "other": 4}
"""Bytes: the state as its cells have it, column by column; words of the schedule, the newest one
lowest; the register after the S-boxes; what comes, and another counter in its place later."""


def a_round(form: str, size: int, round_: int, *fault: str) -> Circuit:
    """The cycles of a round, or of a start with 0: the next state and the words of the schedule."""
    b = Builder(AES)
    run = Unrolled(netlist(form, AES, *fault), b)
    ports = byte_inputs(b, ROUND)
    cells, block, key = (words(ports[name]) for name in ("cells", "block", "key"))
    for row in range(4):
        low = 8 * (3 - row)
        run.set(f"gen_row[{row}].cells_q", joined([cell[low : low + 8] for cell in cells]))
    window = f"u_window.u_window_{form}"
    run.set(f"{window}.words_q", ports["words"][: 32 * SLOTS[form]])
    run.set(f"{window}.constant_q", constant(constant_of(size, round_), 8))
    run.set("u_boxes.u_boxes_gates.word_o", ports["boxed"])
    run.set("round_q", constant(round_, 4))
    run.set("step_q", constant(0, 3))
    last, loads = round_ == SIZES[size], round_ * 128 < size
    for step in range(STEPS):
        idle = round_ == 0 and step == 0
        run.set("rst", [ZERO])
        run.set("long_i", [ONE if size == 256 else ZERO])
        run.set("start_i", [ONE if idle else ZERO])
        first = block[step - 1] if 1 <= step <= 3 else block[0]
        low = block[3] if step == 0 else ports["other"]
        run.set("block_i", joined([first, block[0], block[0], low]))
        run.set("key_i", joined([key[min(step, 3)], *(3 * [key[0]])]))
        assert run.get("done_o") == [ONE if idle else ZERO]
        assert run.get("load_o") == [ONE if loads and step < 4 else ZERO]
        run.edge()
    assert run.get("step_q") == constant(0, 3)
    assert run.get("round_q") == constant(0 if last else round_ + 1, 4)
    assert run.get(f"{window}.constant_q") == constant(constant_of(size, round_ + 1), 8)
    b.output("state_o", run.get("stream_o"))
    b.output("words_o", run.get(f"{window}.words_q")[32 : 32 * STEPS])
    if form == BOTH:
        b.output("old_o", run.get(f"{window}.words_q")[32 * (STEPS + 1) :])
    return b.build()


def turns(size: int, round_: int) -> bool:
    """Whether the first word of a round has a constant, and the word it is made of is rotated."""
    return size == 128 or round_ % 2 == 0


def constant_of(size: int, round_: int) -> int:
    """That of a round, or of the next one that has one; nobody looks at that after the last."""
    if round_ == 0:
        return 0
    used = round_ - 1 if size == 128 else (round_ - 1) // 2
    return round_constants()[used] if used < 10 else 0x6C


def of_fips(form: str, size: int, round_: int) -> Spec:
    table = sbox()
    last, loads = round_ == SIZES[size], round_ * 128 < size

    def spec(
        cells: int, slots: int, boxed: int, block: int, key: int, other: int
    ) -> tuple[int, ...]:
        window = [octets(slots, 40)[4 * n : 4 * n + 4][::-1] for n in range(10)]
        far = window[9:5:-1] if size == 256 else window[4:0:-1]
        new = [octets(key)[::-1][4 * n : 4 * n + 4] for n in range(4)]
        if not loads:
            before = octets(boxed, 4)[::-1]
            before[0] ^= constant_of(size, round_) if turns(size, round_) else 0
            new = []
            for word in far:
                before = [one ^ two for one, two in zip(word, before, strict=True)]
                new.append(before)
        flat = [byte for word in new for byte in word]
        state = octets(block)[::-1]
        if round_:
            # The cells are those of ShiftRows already.
            state = [table[byte] for byte in octets(cells)[::-1]]
            state = state if last else mix_columns(state)
        state = [one ^ two for one, two in zip(state, flat, strict=True)]
        state = state if last else shift_rows(state)
        kept = [byte for word in window[4:0:-1] for byte in word]
        found = (packed(state[::-1]), packed(flat[::-1]), packed(kept[::-1]))
        return found if form == BOTH else found[:2]

    return spec


ROUNDS = [(form, size, round_) for form, size in FORMS for round_ in range(SIZES[size] + 1)]


@pytest.mark.parametrize(("form", "size", "round_"), ROUNDS)
def test_five_cycles_are_a_round_of_fips_197(form, size, round_):
    proof = check(a_round(form, size, round_), ROUND, of_fips(form, size, round_))
    assert proof.passed, proof.detail


# ---- the word that the next round's first one is made of -----------------------------------------

WORD = {"newest": 4}


def a_word(form: str, size: int, round_: int, *fault: str) -> Circuit:
    """The fifth cycle of a round: what the S-boxes make of the newest word."""
    b = Builder(AES)
    run = Unrolled(netlist(form, AES, *fault), b)
    ports = byte_inputs(b, WORD)
    rest = constant(0, 32 * (SLOTS[form] - 1))
    run.set(f"u_window.u_window_{form}.words_q", [*ports["newest"], *rest])
    run.set("round_q", constant(round_, 4))
    run.set("step_q", constant(4, 3))
    run.set("rst", [ZERO])
    run.set("start_i", [ZERO])
    run.set("long_i", [ONE if size == 256 else ZERO])
    for name in ("block_i", "key_i"):
        run.set(name, constant(0, 128))
    run.edge()
    b.output("boxed_o", run.get("u_boxes.u_boxes_gates.word_o"))
    return b.build()


def word_of_fips(size: int, round_: int) -> Spec:
    def spec(newest: int) -> tuple[int]:
        word = [sbox()[byte] for byte in octets(newest, 4)[::-1]]
        word = [*word[1:], word[0]] if turns(size, round_ + 1) else word
        return (packed(word[::-1]),)

    return spec


@pytest.mark.parametrize(
    ("form", "size", "round_"),
    [one for one in ROUNDS if one[2] < SIZES[one[1]] and one[2] >= one[1] // 128 - 1],
)
def test_the_fifth_cycle_makes_a_word_of_the_key_schedule(form, size, round_):
    proof = check(a_word(form, size, round_), WORD, word_of_fips(size, round_))
    assert proof.passed, proof.detail


# ---- the rings that give words -------------------------------------------------------------------


@pytest.mark.parametrize(("form", "size"), FORMS)
def test_the_key_is_given_word_by_word_and_comes_round(form, size):
    counts = {"before": 16 if form == SHORT else 32, "key": size // 8}
    b = Builder("key")
    run = Unrolled(netlist(form, f"micro_key_{form}"), b)
    ports = byte_inputs(b, counts)
    key = words(ports["key"])
    run.set("key_q", ports["before"])
    for place in range(3 * len(key)):
        writes = place < len(key)
        run.set("rst", [ZERO])
        run.set("write_i", [ONE if writes else ZERO])
        run.set("load_i", [ZERO if writes else ONE])
        run.set("place_i", constant(place % len(key), 4))
        run.set("word_i", key[place % len(key)])
        run.set("last_i", [ONE if place == len(key) - 1 else ZERO])
        assert run.get("whole_o") == [ONE if place % 4 == 3 else ZERO]
        if not writes:
            assert run.get("long_o") == [ONE if size == 256 else ZERO]
            assert words(run.get("key_o"))[0] == key[place % len(key)]
        run.edge()


def test_the_iv_is_given_word_by_word_and_comes_round():
    b = Builder("counter")
    run = Unrolled(netlist(SHORT, COUNTER), b)
    ports = byte_inputs(b, {"before": 16, "iv": 12})
    iv = words(ports["iv"])
    run.set("iv_q", ports["before"][32:])
    run.set("counter_q", ports["before"][:32])
    run.set("turns_q", constant(0, 3))
    for cycle in range(3 + 2 * 5):
        writes, step = cycle < 3, (cycle - 3) % 5
        run.set("blank_i", [ZERO])
        run.set("first_i", [ZERO])
        run.set("write_i", [ONE if writes else ZERO])
        run.set("count_i", [ONE if not writes and step == 0 else ZERO])
        run.set("place_i", constant(cycle % 4, 2))
        run.set("word_i", iv[cycle % 3])
        first, *_, last = words(run.get("block_o"))
        if not writes and step == 0:
            assert last == constant(2 + (cycle - 3) // 5, 32)
        elif not writes and step <= 3:
            assert first == iv[step - 1]
        run.edge()


# ---- what is wrong is not proven -----------------------------------------------------------------

WRONG_ROUND = {
    "the last MixColumns": ("last ? boxed : mixed", "mixed",
                            {(SHORT, 128, 9): True, (SHORT, 128, 10): False}),
    "ShiftRows": ("step_q > 3'(row)", "step_q > 3'd3",
                  {(SHORT, 128, 1): False, (SHORT, 128, 10): True}),
    "ShiftRows of the last round": ("step_q > 3'(row) && !last", "step_q > 3'(row)",
                                    {(BOTH, 256, 13): True, (BOTH, 256, 14): False}),
    "the counter": ("ends ? head : block_i[127:96]", "ends ? block_i[31:0] : block_i[127:96]",
                    {(SHORT, 128, 0): False, (SHORT, 128, 1): True}),
    "a word's sum": ("{constant_q, 24'h0} : word_o)", "{constant_q, 24'h0} : 32'b0)",
                     {(SHORT, 128, 0): True, (SHORT, 128, 4): False}),
    "a constant too many": ("constant_q & {8{constant}}", "constant_q",
                            {(BOTH, 256, 3): False, (BOTH, 256, 2): True, (BOTH, 128, 3): True}),
    "which word": ("long_i ? words_q[319:288]", "!long_i ? words_q[319:288]",
                   {(BOTH, 256, 1): True, (BOTH, 256, 2): False, (BOTH, 128, 2): False}),
}  # fmt: skip
WRONG_WORD = {
    "the rotation": ("!long_i || round_q[0]", "!long_i || !round_q[0]",
                     {(BOTH, 256, 2): False, (BOTH, 256, 3): False, (BOTH, 128, 3): True}),
}  # fmt: skip
"""What is written instead of what, and in which rounds it makes no difference."""


@pytest.mark.parametrize("name", WRONG_ROUND)
def test_a_wrong_round_is_not_proven(name):
    old, new, expected = WRONG_ROUND[name]
    found = {one: check(a_round(*one, old, new), ROUND, of_fips(*one)).passed for one in expected}
    assert found == expected


@pytest.mark.parametrize("name", WRONG_WORD)
def test_a_wrong_word_is_not_proven(name):
    old, new, expected = WRONG_WORD[name]
    found = {
        one: check(a_word(*one, old, new), WORD, word_of_fips(*one[1:])).passed for one in expected
    }
    assert found == expected
