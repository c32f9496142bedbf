# SPDX-License-Identifier: Apache-2.0
"""Twenty S-boxes, gate by gate, in the places of one core's, against NIST vectors."""

import re

import pytest

from gcmforge.config import SBOXES
from gcmforge.sim import leaves
from gcmforge.study.evidence import sbox_cores


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.setattr(leaves, "_LEAVES", dict(leaves._LEAVES))
    monkeypatch.setenv("GCMFORGE_CACHE", "")
    return sbox_cores


@pytest.mark.yosys
@pytest.mark.verilator
@pytest.mark.slow
def test_twenty_sboxes_in_a_core_pass_the_nist_vectors(bench, tmp_path):
    report = bench.play(SBOXES[: bench.COUNT], tmp_path)
    assert (report.passed, report.failed) == (5250, 0)


@pytest.mark.yosys
@pytest.mark.verilator
@pytest.mark.slow
def test_one_wrong_gate_in_one_of_twenty_sboxes_fails(bench, tmp_path, monkeypatch):
    right = bench.sbox_text

    def wrong(name):
        text = right(name)
        if name != "mixed":
            return text
        changed, count = re.subn(r"~\((\w+(?:\[\d+\])?) & ", r"~(\1 | ", text, count=1)
        assert count == 1
        return changed

    monkeypatch.setattr(bench, "sbox_text", wrong)
    report = bench.play(SBOXES[: bench.COUNT], tmp_path)
    assert report.failed > 1000
