# SPDX-License-Identifier: Apache-2.0
"""An S-box in shares is simulated as what it computes, and one that is changed is not."""

import random
from functools import reduce
from operator import xor
from pathlib import Path

import pytest
from bench import Bench, compile_bench

from gcmforge.emit.gadgets import gadget_text
from gcmforge.leaf.masked import gadget
from gcmforge.sim.gadgets import gadget_as_function

SBOX = gadget_text("masked_sbox")


def times(a: int, b: int) -> int:
    """A product in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (FIPS 197, section 4.2)."""
    found = 0
    for bit in range(8):
        found ^= (b >> bit & 1) * a
        a = a << 1 ^ (0x11B if a & 0x80 else 0)
    return found


def sub_byte(x: int) -> int:
    """SubBytes of FIPS 197, section 5.1.1: the inverse, and an affine map."""
    inverse = next((b for b in range(256) if times(x, b) == 1), 0)
    return reduce(xor, ((inverse << n | inverse >> 8 - n) & 0xFF for n in range(5)), 0x63)


@pytest.mark.verilator
@pytest.mark.yosys
@pytest.mark.slow
@pytest.mark.parametrize("form", ["gates", "function"])
def test_the_shares_of_both_forms_add_up_to_sub_bytes(form: str, tmp_path: Path) -> None:
    text = SBOX
    if form == "function":
        (tmp_path / "masked_sbox.sv").write_text(SBOX)
        text = gadget_as_function(tmp_path / "masked_sbox.sv")["text"]
    bench = Bench(compile_bench("masked_sbox", {"masked_sbox": text}), clock="clk", reset="en_i")
    draw, latency = random.Random(1), gadget("masked_sbox").latency
    given, masks = [], []
    while len(given) < 256 + latency:
        runs = draw.random() < 0.8
        share, x = draw.getrandbits(8), len(given) % 256
        ports = {"en_i": runs, "x0_i": x ^ share, "x1_i": share}
        ports |= {f"r{n}_i": draw.getrandbits(w) for n, w in ((1, 4), (3, 2), (5, 4), (7, 8))}
        for port, value in ports.items():
            bench.put(port, int(value))
        bench.settle()
        if runs and len(given) >= latency:
            shares = bench.get("y0_o"), bench.get("y1_o")
            assert shares[0] ^ shares[1] == sub_byte(given[-latency])
            masks.append(shares[1])
        if runs:
            given.append(x)
        bench.edge()
    assert len(set(masks)) > 100  # random bits are in them


@pytest.mark.slow
@pytest.mark.yosys
def test_a_gadget_with_a_wrong_gate_is_no_function(tmp_path: Path) -> None:
    path = tmp_path / "masked_sbox.sv"
    before = "wire n0_0 = x0_i[1] ^ x0_i[2];"
    assert SBOX.count(before) == 1
    path.write_text(SBOX.replace(before, before.replace("^", "|")))
    with pytest.raises(ValueError, match="not proven"):
        gadget_as_function(path)
