# SPDX-License-Identifier: Apache-2.0
"""nano_aes computes AES-128, and nano_aes_both AES-128 and AES-256, for every block and key: by
induction over their rounds.

The gates of a module, as Yosys reads it, are unrolled over the cycles of a round, from any
contents of its rings. What goes into the S-box in each cycle is cut: it becomes an input of its
own, and an output that has to be right. So everything is a sum of functions of one byte, by its
gates; all values of each byte are a complete proof. Loading, ten rounds or fourteen, the last key
and the way out follow each other: each begins with what the one before is proven to end with.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pytest
from unrolled import (
    Answers,
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
from gcmforge.emit.leaves import leaf_file
from gcmforge.emit.rtl import handwritten
from gcmforge.model.aes import mix_columns, sbox, shift_rows

pytestmark = [pytest.mark.yosys, pytest.mark.slow]


@dataclass(frozen=True, kw_only=True)
class Form:
    """A module, with keys of one size."""

    module: str
    asked: str
    """What goes into its S-box."""
    inside: tuple[str, ...] = ()
    """Modules that it is made of, but for leaves."""
    key_ring: str
    key_cells: int
    """Bytes of that ring."""
    last: int
    """The value of round_q in which the last key is added; then comes that of rest."""
    long: bool = False

    @property
    def rounds(self) -> int:
        return 14 if self.long else 10


ONE_SIZE = Form(module="nano_aes", asked="mixes ? source : added", inside=("nano_state",),
                key_ring="key_q", key_cells=16, last=11)  # fmt: skip
SHORT = Form(
    module="nano_aes_both", asked="step_q[4] ? source : added",
    inside=("nano_state", "nano_schedule_both"), key_ring="u_schedule.key_q", key_cells=32, last=15,
)  # fmt: skip
LONG = replace(SHORT, long=True)
FORMS = (ONE_SIZE, SHORT, LONG)
ROUNDS = [(form, round_) for form in FORMS for round_ in range(1, form.rounds + 1)]
LOAD = 0


def name_of(value: object) -> str | None:
    if isinstance(value, Form):
        return f"{value.module} {256 if value.long else 128}"
    return None


INPUTS = {"state_i": 16, "key_i": 32, "cut_i": 24, "outer_key_i": 16, "block_i": 16}
"""Bytes of each, in one bus: the rings, what the S-box gets, the bytes of the key and the block."""

Bytes = Sequence[int]
"""Sixteen of them: byte 4 * row + column is that of cell 4 * row + column of a ring, or of one of
its halves."""


@cache
def netlist(form: Form, old: str = "", new: str = "") -> Mapping[str, Any]:
    """Its module in single gates with the S-box's input and output as ports; `old` becomes `new`
    in one of its files."""
    texts = {name: handwritten()[name].read_text() for name in (form.module, *form.inside)}
    if old:
        (where,) = (name for name, text in texts.items() if old in text)
        texts[where] = changed(texts[where], old, new)
    text = changed(texts[form.module], "    input  logic       clk,\n",
                   "    input  logic       clk,\n    output logic [7:0] asked_o,\n"
                   "    input  logic [7:0] cut_i,\n")  # fmt: skip
    text = changed(text, f".x_i ({form.asked})", ".x_i (cut_i)")
    texts[form.module] = changed(text, "endmodule", f"  assign asked_o = {form.asked};\nendmodule")
    config = preset("nano")
    leaves = ("aes_sbox", "aes_mix_column")
    texts |= {leaf: leaf_file(config, leaf, prove=False).text for leaf in leaves}
    return in_gates(texts, form.module)


def unrolled(form: Form, round_: int, cycles: int, *fault: str, passes: bool = False) -> Circuit:
    """So many cycles from step 0 of a round on, which begins in phase 0: rings, the key's and the
    block's bytes and cuts in; what was asked of the S-box, the stream, and the rings out."""
    b = Builder(form.module)
    run = Unrolled(netlist(form, *fault), b)
    rings = ("u_state.state_q", form.key_ring)
    ports = byte_inputs(b, INPUTS)
    run.set(rings[0], ports["state_i"])
    run.set(rings[1], ports["key_i"][: 8 * form.key_cells])
    width = len(run.bits("round_q"))
    run.set("round_q", constant(round_, width))
    run.set("step_q", constant(0, 5))
    asked: list[Net] = []
    stream: list[Net] = []
    for cycle in range(cycles):
        run.set("rst", [ZERO])
        run.set("start_i", [ZERO])
        run.set("pass_i", [ONE if passes else ZERO])
        if form.module == SHORT.module:
            run.set("long_i", [ONE if form.long else ZERO])
        run.set("phase_i", constant(cycle % 16, 4))
        run.set("cut_i", ports["cut_i"][8 * cycle : 8 * cycle + 8])
        place = slice(8 * (cycle % 16), 8 * (cycle % 16) + 8)
        run.set("key_i", ports["outer_key_i"][place])
        run.set("block_i", ports["block_i"][place])
        asked += run.get("asked_o")
        stream += run.get("stream_o")
        run.edge()
    rest = form.last + 1
    after = rest if passes else form.last if round_ == form.rounds else min(round_ + 1, rest)
    assert run.get("round_q") == constant(after, width)
    assert run.get("step_q") == constant(0, 5)
    b.output("asked_o", asked)
    b.output("stream_o", stream if round_ == rest else [ZERO])
    for ring, port in zip(rings, ("state_o", "key_o"), strict=True):
        b.output(port, run.get(ring))
    return b.build()


# ---- what a round has to be, by FIPS 197 ---------------------------------------------------------


def turned(values: Bytes) -> list[int]:
    """From rows to columns, and back."""
    return [values[4 * (n % 4) + n // 4] for n in range(16)]


def round_key(form: Form, ring: Bytes, outer: Bytes, round_: int) -> list[int]:
    """That of a round, out of the ring: its first column stands there, each other one less the
    column before it. The first round's comes from outside. Of 256 bits the second round's, too,
    stands there as it is."""
    if round_ == 1:
        return list(outer)
    found = list(ring[:16])
    for n in range(16):
        if n % 4 and not (form.long and round_ == 2):
            found[n] ^= found[n - 1]
    return found


def of_round(form: Form, round_: int) -> Spec:
    """Rings and bytes in, what has to come out, as one number each.

    The next round's key is made of this one; of 256 bits it is made of the one before, which is in
    the ring's second half and comes to the first, and of this one's last word.
    """
    table = sbox()
    turns = not form.long or round_ % 2 == 0
    makes = not form.long or round_ > 1
    rcon = round_constants()[(round_ // 2 if form.long else round_) - 1] if turns else 0

    def spec(state_i: int, key_i: int, cut_i: int, outer_key_i: int, block_i: int) -> Answers:
        state, ring, cut = octets(state_i), octets(key_i, 32), octets(cut_i, 24)
        key = round_key(form, ring, octets(outer_key_i), round_)
        asked = [s ^ k for s, k in zip(state, key, strict=True)]
        asked += [key[4 * ((row + turns) % 4) + 3] for row in range(4)]
        boxed = [table[byte] for byte in cut[:16]]
        moved = shift_rows(turned(boxed))
        after = turned(mix_columns(moved) if round_ < form.rounds else moved)
        made = ring[16:] if form.long else list(key)
        if makes:
            for row in range(4):
                made[4 * row] ^= table[cut[16 + row]]
            made[0] ^= rcon
        return packed(asked), 0, packed(after), packed([*made, *key][: form.key_cells])

    return spec


@pytest.mark.parametrize(("form", "round_"), ROUNDS, ids=name_of)
def test_a_round_from_any_rings_is_that_of_fips_197_and_leaves_the_next_rounds_key(form, round_):
    proof = check(unrolled(form, round_, 20), INPUTS, of_round(form, round_))
    assert proof.passed, proof.detail


@pytest.mark.parametrize("form", FORMS, ids=name_of)
def test_a_block_is_loaded(form):
    loaded = unrolled(form, LOAD, 16)
    proof = check(loaded, INPUTS, lambda *given: (given[4],), "state_o")
    assert proof.passed, proof.detail


@pytest.mark.parametrize("form", FORMS, ids=name_of)
def test_a_block_that_passes_is_loaded_as_it_is_and_leaves_so(form):
    """J0: from its own order to that of rings. The AES rests then, of which the stream is proven
    below, with the last key."""
    loaded = unrolled(form, LOAD, 16, passes=True)
    proof = check(loaded, INPUTS, lambda *given: (given[4],), "state_o")
    assert proof.passed, proof.detail


def test_the_second_half_of_a_key_of_256_bits_is_loaded_with_the_block():
    loaded = unrolled(LONG, LOAD, 16)
    proof = check(loaded, INPUTS, lambda *given: (given[1] >> 128 | given[3] << 128,), "key_o")
    assert proof.passed, proof.detail


@pytest.mark.parametrize("form", FORMS, ids=name_of)
def test_the_last_key_is_added_and_the_stream_leaves_in_the_order_of_bytes(form):
    def added(state_i: int, key_i: int, cut_i: int, outer_key_i: int, block_i: int) -> Answers:
        key = round_key(form, octets(key_i, 32), octets(outer_key_i), form.last)
        return (packed([s ^ k for s, k in zip(octets(state_i), key, strict=True)]),)

    proof = check(unrolled(form, form.last, 24), INPUTS, added, "state_o")
    assert proof.passed, proof.detail
    streams = unrolled(form, form.last + 1, 16)
    proof = check(streams, INPUTS, lambda state, *_: (packed(turned(octets(state))),), "stream_o")
    assert proof.passed, proof.detail


WRONG = {
    "ShiftRows": (
        ONE_SIZE, "!mixes && column >= row;", "!mixes && column > row;", {1: False},
    ),
    "a round constant": (
        ONE_SIZE, "4'd9: constant = 8'h1b;", "4'd9: constant = 8'h1d;", {8: True, 9: False},
    ),
    "the key's word": (
        ONE_SIZE, "2'd1: source = key_q[8*10+:8];", "2'd1: source = key_q[8*9+:8];", {2: False},
    ),
    "the last MixColumns": (
        ONE_SIZE, "round_q == LAST - 4'd1", "round_q == LAST", {9: True, 10: False},
    ),
    "the rotation, with 256 bits": (
        LONG, "{turns, column_i}", "{1'b1, column_i}", {4: True, 5: False},
    ),
    "the constant's half pace": (
        LONG, "long_i ? round_i[3:1]", "1'b0 ? round_i[3:1]", {4: False, 5: True},
    ),
    "the key before": (
        LONG, "long_i ? key[16] : key_o;", "key_o;", {3: False},
    ),
    "the second round's key": (
        LONG, "long_i && round_i == 5'd2;", "long_i && round_i == 5'd3;", {2: False, 4: True},
    ),
    "a constant of 128 bits where 256 are built": (
        SHORT, "constant = 8'h36;", "constant = 8'h37;", {9: True, 10: False},
    ),
}  # fmt: skip
"""In which form, what is written instead of what, and in which rounds it makes no difference."""


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_module_is_not_proven(name):
    form, old, new, expected = WRONG[name]
    found = {
        r: check(unrolled(form, r, 20, old, new), INPUTS, of_round(form, r)).passed
        for r in expected
    }
    assert found == expected
