# SPDX-License-Identifier: Apache-2.0
"""BLIF and AIGER: read back by an interpreter written here, and by ABC."""

import subprocess

import pytest
from circuit_samples import every_gate, gf_inverse, gf_multiplier, tangle

from gcmforge import tools
from gcmforge.circuit import call, emit_aiger, emit_blif, mutations

CIRCUITS = [gf_inverse(4), gf_multiplier(8), every_gate(), tangle(3)]


def aiger_outputs(raw, pattern):
    """Evaluate a binary AIGER file on one pattern (an int over the inputs)."""
    end = raw.index(b"\n")
    kind, total, inputs, latches, outputs, ands = raw[:end].split()
    assert kind == b"aig" and latches == b"0" and int(total) == int(inputs) + int(ands)
    at = end + 1
    literals = []
    for _ in range(int(outputs)):
        end = raw.index(b"\n", at)
        literals.append(int(raw[at:end]))
        at = end + 1

    def delta():
        nonlocal at
        value = shift = 0
        while True:
            byte = raw[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    value = [0] + [pattern >> i & 1 for i in range(int(inputs))]
    for number in range(int(inputs) + 1, int(total) + 1):
        p = 2 * number - delta()
        q = p - delta()
        assert 0 <= q <= p < 2 * number
        value.append((value[p >> 1] ^ p & 1) & (value[q >> 1] ^ q & 1))
    return [value[lit >> 1] ^ lit & 1 for lit in literals], raw[at:].decode()


@pytest.mark.parametrize("c", CIRCUITS, ids=lambda c: c.name)
def test_aiger_computes_the_circuit(c):
    raw = emit_aiger(c)
    for k in range(40):
        pattern = (k * 0x9E3779B97F4A7C15) % (1 << c.input_width)
        given, shift = {}, 0
        for bus in c.inputs:
            given[bus.name] = pattern >> shift & ((1 << bus.width) - 1)
            shift += bus.width
        bits, symbols = aiger_outputs(raw, pattern)
        wanted = [v >> i & 1 for b in c.outputs for v in [call(c, **given)[b.name]]
                  for i in range(b.width)]  # fmt: skip
        assert bits == wanted
    first = c.inputs[0]
    assert symbols.startswith(f"i0 {first.name}" + ("[0]" if first.width > 1 else "") + "\n")


def abc_equal(a, b, folder):
    (folder / "a.blif").write_text(a)
    (folder / "b.aig").write_bytes(b)
    run = subprocess.run(
        [tools.yosys_abc(), "-q", "cec -n a.blif b.aig"],
        cwd=folder,
        text=True,
        capture_output=True,
        timeout=60,
    )
    return "Networks are equivalent" in run.stdout


@pytest.mark.yosys
@pytest.mark.parametrize("c", CIRCUITS, ids=lambda c: c.name)
def test_abc_finds_blif_and_aiger_equal_and_a_mutation_different(c, tmp_path):
    assert abc_equal(emit_blif(c), emit_aiger(c), tmp_path)
    # the complement of the gate before an output always shows
    net = next(net for net in c.output_nets if net >= c.first_gate)
    wrong = next(mutations(c, nets=[net])).circuit
    assert not abc_equal(emit_blif(wrong), emit_aiger(c), tmp_path)
