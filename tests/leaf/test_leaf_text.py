# SPDX-License-Identifier: Apache-2.0
"""The SystemVerilog of a leaf."""

import re

import pytest

from gcmforge.circuit import prove
from gcmforge.circuit.pipeline import pipeline
from gcmforge.circuit.readback import prove_readback
from gcmforge.field import aes_sbox
from gcmforge.leaf import (
    SBOX_VARIANTS,
    leaf_text,
    memory_pipeline,
    multiplier,
    sbox,
    sbox_pair,
)


def test_header_names_purpose_source_gates_area_depth_and_proof():
    head = leaf_text(sbox("mozaffari_2012"), proven=True).split("module")[0]
    assert head.startswith("// SPDX-License-Identifier: Apache-2.0\n// aes_sbox: SubBytes")
    for word in (
        "Mozaffari-Kermani",
        "Phi = {11}_2",
        "239.6 GE",
        "38 NAND",
        "212.00 GE",
        "4A+16X",
        "for every input",
    ):
        assert word in head
    assert "Proof: none was run" in leaf_text(sbox("mozaffari_2012"))


def test_header_of_a_cut_leaf_states_latency_and_registers():
    leaf = sbox("boyar_peralta")
    pipelined = pipeline(leaf.circuit, 2)
    head = leaf_text(leaf, pipelined, clocked=True).split("module")[0]
    assert f"Latency: 1 cycles, {pipelined.registers} register bits" in head


def test_table_is_a_case_statement_of_256_bytes():
    text = leaf_text(sbox("table"), clocked=True, enable=True)
    entries = re.findall(r"(8'h\w\w|default): y_o = 8'h(\w\w);", text)
    assert [int(y, 16) for _, y in entries] == [aes_sbox(x) for x in range(256)]
    assert [x for x, _ in entries] == [f"8'h{x:02x}" for x in range(255)] + ["default"]
    assert all(len(line) <= 100 for line in text.splitlines())


KINDS = ("table", "twisted_bdd", "boyar_peralta", "mozaffari_2012", "normal_phi2_nu1")


@pytest.mark.parametrize(
    ("variant", "stages"),
    [
        pytest.param(variant, stages, marks=() if variant in KINDS else pytest.mark.slow)
        for stages in (1, 3)
        for variant in SBOX_VARIANTS
    ],
)
def test_sbox_text_read_back_is_its_circuit(variant, stages):
    leaf = sbox(variant)
    pipelined = pipeline(leaf.circuit, stages)
    text = leaf_text(leaf, pipelined, clocked=True, enable=True)
    proof = prove_readback(pipelined, text)
    assert proof.passed, proof.detail


MEMORIES = {"aes_sbox": sbox("bram"), "aes_sbox_pair": sbox_pair("bram")}


@pytest.mark.slow
@pytest.mark.parametrize("stages", [2, 3])
@pytest.mark.parametrize("module", MEMORIES)
def test_a_memory_read_back_is_its_circuit_with_a_register_for_each_stage(module, stages):
    leaf = MEMORIES[module]
    pipelined = memory_pipeline(leaf.circuit, stages)
    text = leaf_text(leaf, pipelined, clocked=True, enable=True)
    found = re.findall(r"table_q\[(\d+)\] = 8'h(\w\w);", text)
    assert [(int(x), int(y, 16)) for x, y in found] == [(x, aes_sbox(x)) for x in range(256)]
    assert max(map(len, text.splitlines())) <= 100
    assert prove(leaf.circuit, leaf.spec, leaf.proof_kind).passed
    assert prove_readback(pipelined, text, controls=("clk", "en_i")).passed
    wrong = text.replace("table_q[83] = 8'hed", "table_q[83] = 8'hec")
    assert not prove_readback(pipelined, wrong, controls=("clk", "en_i")).passed
    assert not prove_readback(memory_pipeline(leaf.circuit, stages + 1), text).passed


def test_a_memory_needs_a_clock_and_without_stages_it_is_a_case_statement():
    leaf = MEMORIES["aes_sbox"]
    with pytest.raises(ValueError, match="a memory needs clocked=True"):
        leaf_text(leaf, memory_pipeline(leaf.circuit, 2))
    assert "case (x_i)" in leaf_text(leaf)


@pytest.mark.slow
def test_a_wrong_byte_in_the_table_is_noticed():
    leaf = sbox("table")
    text = leaf_text(leaf).replace("8'h53: y_o = 8'hed", "8'h53: y_o = 8'hec")
    assert not prove_readback(leaf.circuit, text).passed


@pytest.mark.slow
@pytest.mark.parametrize("name", ["aes_mix_column/small", "gf128_mul/ko4"])
def test_text_read_back_is_its_circuit(name, leaves):
    leaf = leaves[name]
    proof = prove_readback(leaf.circuit, leaf_text(leaf))
    assert proof.passed, proof.detail


@pytest.mark.slow
def test_the_same_leaf_prints_the_same_text():
    assert leaf_text(multiplier("ko3")) == leaf_text(multiplier("ko3"))
