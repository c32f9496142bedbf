# SPDX-License-Identifier: Apache-2.0
"""micro_aes and its key schedules compute AES-128 and AES-256, for every block and key: by
induction over their rounds.

A round takes one cycle. From any state and any round key, the gates of micro_aes give the next
state; from any two round keys that follow each other, those of a schedule give the next two. Each
is a sum of functions of one byte, by its gates, so that all values of each byte are a complete
proof. What counts rounds, and the round's constant, are numbers: each cycle begins with those that
the one before ends with.
"""

from collections.abc import Mapping
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
from gcmforge.circuit.ir import ONE, ZERO
from gcmforge.config.presets import preset
from gcmforge.emit.leaves import leaf_file
from gcmforge.emit.rtl import handwritten
from gcmforge.model.aes import mix_columns, sbox, shift_rows

pytestmark = [pytest.mark.yosys, pytest.mark.slow]

AES, WORDS = "micro_aes", "micro_words"
SHORT, BOTH = "micro_schedule_short", "micro_schedule_both"
INSIDE = {AES: ("aes_sub_shift", "aes_mix_columns"), SHORT: (WORDS,), BOTH: (WORDS,)}
LEAVES = {AES: ("aes_sbox", "aes_mix_column"), SHORT: ("aes_sbox",), BOTH: ("aes_sbox",)}

SIZES = {128: 10, 256: 14}
"""Bits of a key -> rounds."""
SCHEDULES = ((SHORT, 128), (BOTH, 128), (BOTH, 256))

ROUND = {"state": 16, "key": 16, "block": 16}
KEYS = {"this": 16, "next": 16, "key": 32}
"""Bytes: a round key and the one after it, and the key itself; the first byte on top."""


@cache
def netlist(module: str, old: str = "", new: str = "") -> Mapping[str, Any]:
    """The module in single gates; `old` becomes `new` in one of its files."""
    texts = {name: handwritten()[name].read_text() for name in (*INSIDE[module], module)}
    if old:
        (where,) = (name for name, text in texts.items() if old in text)
        texts[where] = changed(texts[where], old, new)
    config = preset("micro")
    leaves = {leaf: leaf_file(config, leaf, prove=False).text for leaf in LEAVES[module]}
    return in_gates(leaves | texts, module)


# ---- a round -------------------------------------------------------------------------------------


def a_round(round_: int, size: int, *fault: str) -> Circuit:
    """The cycle of a round, or of a start with 0: the next state, after what counts is right."""
    b = Builder(AES)
    run = Unrolled(netlist(AES, *fault), b)
    ports = byte_inputs(b, ROUND)
    run.set("state_q", ports["state"])
    run.set("round_q", constant(round_, 4))
    run.set("rst", [ZERO])
    run.set("start_i", [ZERO if round_ else ONE])
    run.set("block_i", ports["block"])
    run.set("key_i", ports["key"])
    run.set("long_i", [ONE if size == 256 else ZERO])
    last = round_ == SIZES[size]
    assert run.get("done_o") == [ZERO if round_ else ONE]
    assert run.get("load_o") == [ONE if last else ZERO]
    assert run.get("stream_o") == ports["state"]
    run.edge()
    assert run.get("round_q") == constant(0 if last else round_ + 1, 4)
    b.output("state_o", run.get("state_q"))
    return b.build()


def of_fips(round_: int, size: int) -> Spec:
    table = sbox()

    def spec(state: int, key: int, block: int) -> tuple[int]:
        if round_ == 0:
            return (block ^ key,)
        after = shift_rows([table[byte] for byte in reversed(octets(state))])
        if round_ < SIZES[size]:
            after = mix_columns(after)
        return (packed(after[::-1]) ^ key,)

    return spec


ROUNDS = [(round_, size) for size in SIZES for round_ in range(SIZES[size] + 1)]


@pytest.mark.parametrize(("round_", "size"), ROUNDS)
def test_a_cycle_is_a_round_of_fips_197(round_, size):
    proof = check(a_round(round_, size), ROUND, of_fips(round_, size))
    assert proof.passed, proof.detail


# ---- round keys ----------------------------------------------------------------------------------


def a_key(module: str, size: int, number: int, *fault: str) -> Circuit:
    """The cycle of round key `number`, and after it this round key and the next one; with -1 that
    of the load."""
    b = Builder(module)
    run = Unrolled(netlist(module, *fault), b)
    ports = byte_inputs(b, KEYS)
    loads = number < 0
    if module == BOTH:
        run.set("long_q", [ONE if size == 256 else ZERO])
        run.set("after_q", ports["next"] if size == 256 else ports["this"])
        run.set("turns_q", constant(turns(size, number), 1))
        run.set("key_q", ports["key"])
    else:
        run.set("key_q", ports["key"][128:])
    run.set("this_q", ports["this"])
    run.set("constant_q", constant(constant_of(size, number), 8))
    run.set("load_i", [ONE if loads else ZERO])
    run.set("rst", [ZERO])
    run.set("write_i", [ZERO])
    for name in ("place_i", "word_i", "last_i"):  # of a key that is written
        run.set(name, constant(0, len(run.bits(name))))
    assert run.get("key_o") == ports["this"]
    run.edge()
    assert run.get("constant_q") == constant(constant_of(size, number + 1), 8)
    b.output("this_o", run.get("this_q"))
    if module == BOTH:
        assert run.get("turns_q") == constant(turns(size, number + 1), 1)
        b.output("next_o", run.get("after_q")[: None if size == 256 else 32])
    return b.build()


def turns(size: int, number: int) -> int:
    """Whether the words made with round key `number` have a constant."""
    return int(size == 128 or number % 2 == 0)


def constant_of(size: int, number: int) -> int:
    """That of the words made with a round key, or with the one after it; after the last one twice
    that, which nobody looks at."""
    used = number if size == 128 else (number + 1) // 2
    return round_constants()[used] if 0 <= used < 10 else 0x6C if used == 10 else 0


def keys_of_fips(module: str, size: int, number: int) -> Spec:
    """This round key and the next one, of which only the last word is kept with 128 bits."""
    table = sbox()

    def made(old: list[int], newest: list[int]) -> list[int]:
        word = [*newest[1:], newest[0]] if turns(size, number) else newest
        change = [table[byte] for byte in word]
        change[0] ^= constant_of(size, number) if turns(size, number) else 0
        found = [old[n] ^ change[n] for n in range(4)]
        for n in range(4, 16):
            found.append(old[n] ^ found[n - 4])
        return found

    def spec(this: int, next_: int, key: int) -> tuple[int, ...]:
        ours, after = octets(this)[::-1], octets(next_)[::-1]
        both = octets(key, 32)[::-1]
        if number < 0:
            first, second = both[:16], both[16:]
        elif size == 256:
            first, second = after, made(ours, after[12:])
        else:
            first, second = made(ours, ours[12:]), []
        if module == SHORT:
            return (packed(first[::-1]),)
        kept = second if size == 256 else first[12:]
        return packed(first[::-1]), packed(kept[::-1])

    return spec


STEPS = [(module, size, number) for module, size in SCHEDULES for number in range(-1, SIZES[size])]


@pytest.mark.parametrize(("module", "size", "number"), STEPS)
def test_a_cycle_makes_the_round_key_after(module, size, number):
    proof = check(a_key(module, size, number), KEYS, keys_of_fips(module, size, number))
    assert proof.passed, proof.detail


WRONG_ROUND = {
    "the last MixColumns": ("last ? shifted : mixed", "mixed", {(9, 128): True, (10, 128): False,
                                                               (14, 256): False}),
    "ShiftRows": ("(column+row)%4", "(column+3*row)%4", {(0, 128): True, (1, 128): False}),
    "the state": ("start_i || !done_o", "start_i", {(0, 256): True, (3, 256): False}),
}  # fmt: skip
WRONG_KEY = {
    "the rotation": ("{newest_i[23:0], newest_i[31:24]}", "newest_i",
                     {(SHORT, 128, 0): False, (BOTH, 256, 0): False, (BOTH, 256, 1): True}),
    "a word's sum": ("old_i[127-32*w-:32] ^ sums", "sums", {(BOTH, 128, 4): False}),
    "a constant too many": ("turns_i ? constant_i : 8'h00", "constant_i",
                            {(BOTH, 256, 3): False, (BOTH, 256, 2): True, (SHORT, 128, 3): True}),
    "the load": ("key_q[31:0] : key_q[159:128]", "key_q[31:0] : key_q[31:0]",
                 {(BOTH, 128, -1): False, (BOTH, 256, -1): True}),
}  # fmt: skip
"""What is written instead of what, and in which cycles it makes no difference."""


@pytest.mark.parametrize("name", WRONG_ROUND)
def test_a_wrong_round_is_not_proven(name):
    old, new, expected = WRONG_ROUND[name]
    found = {one: check(a_round(*one, old, new), ROUND, of_fips(*one)).passed for one in expected}
    assert found == expected


@pytest.mark.parametrize("name", WRONG_KEY)
def test_a_wrong_schedule_is_not_proven(name):
    old, new, expected = WRONG_KEY[name]
    found = {one: check(a_key(*one, old, new), KEYS, keys_of_fips(*one)).passed for one in expected}
    assert found == expected
