# SPDX-License-Identifier: Apache-2.0
"""verify on built cores: right ones pass, a wrong gate is found, and the report says what ran."""

import json
import shutil
from pathlib import Path

import pytest

from gcmforge.config.presets import preset
from gcmforge.sim import compile as sim_compile
from gcmforge.sim import rates
from gcmforge.sim.aead import built
from gcmforge.sim.compile import simulated_leaves
from gcmforge.sim.core import Core
from gcmforge.sim.report import format_failures, format_line
from gcmforge.sim.stalls import STALL_PATTERNS
from gcmforge.sim.verify import (
    VerifyJob,
    nist_files,
    verify,
    verify_many,
)

EDGE_CASES = Path(__file__).parents[1] / "data" / "aes_gcm_edge_cases.json"
SEED = 4_711


@pytest.fixture(scope="module")
def default_core() -> Path:
    return built(preset("default"))


@pytest.fixture(scope="module")
def small_core() -> Path:
    return built(preset("small"))


@pytest.fixture(scope="module")
def wrong_core(small_core, tmp_path_factory) -> Path:
    """The small core with one XOR of MixColumns made an OR."""
    folder = tmp_path_factory.mktemp("wrong") / "core"
    shutil.copytree(small_core, folder)
    leaf = folder / "gen" / "aes_mix_column.sv"
    head, gates = leaf.read_text().split("assign", 1)
    leaf.chmod(0o644)
    leaf.write_text(f"{head}assign{gates.replace('^', '|', 1)}")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("stalls", STALL_PATTERNS)
def test_the_default_core_passes_random_traffic(default_core, stalls):
    report = verify(default_core, packets=600, seed=SEED, stalls=stalls)
    assert report.ok, format_failures(report)
    assert (report.passed, report.failed, report.failures_total) == (600, 0, 0)


@pytest.mark.slow
def test_one_beat_a_cycle_inside_a_long_packet(default_core):
    assert verify(default_core, packets=1, seed=SEED).beats_per_cycle == 1.0


@pytest.mark.slow
def test_the_small_core_takes_a_block_in_the_cycles_of_its_rounds(small_core):
    report = verify(small_core, packets=300, seed=SEED, stalls="both")
    assert report.ok, format_failures(report)
    assert 1 / 11 < report.beats_per_cycle < 1 / 9


@pytest.mark.slow
def test_a_core_that_is_slower_than_its_law_fails(small_core, monkeypatch):
    """A block of small takes 14 cycles with a key of 256 bits; a law of 13 is not kept."""
    law = rates.cycles_per_packet
    monkeypatch.setattr(rates, "cycles_per_packet", lambda core, size: law(core, size) * 13 / 14)
    report = verify(small_core, packets=1, seed=SEED)
    assert (report.failed, report.failures_total, report.ok) == (0, 3, False)
    assert "FAILED: an edge packet, a rule of a stream, or a law of cycles" in format_line(report)
    assert "slower than the law" in str(report.failures[0])


@pytest.mark.slow
def test_edge_case_vectors_pass_and_the_line_says_so(default_core):
    report = verify(default_core, vectors=[EDGE_CASES], seed=SEED, stalls="both")
    assert report.ok, format_failures(report)
    line = format_line(report)
    assert f"{EDGE_CASES.name}: {report.passed:,} passed, 0 failed" in line
    assert f"seed {SEED}" in line and "1 beat a cycle" in line
    assert json.loads(json.dumps(report.to_mapping()))["ok"] is True


@pytest.mark.slow
def test_nist_vectors_of_one_file_pass(default_core):
    (file,) = (path for path in nist_files() if path.name == "gcmDecrypt192.rsp")
    report = verify(default_core, vectors=[file], seed=SEED)
    assert report.ok, format_failures(report)
    assert (report.passed, dict(report.skipped)) == (7_875, {})


@pytest.mark.slow
def test_the_second_verification_runs_no_tool(default_core, monkeypatch):
    Core(default_core).library()
    monkeypatch.setattr(sim_compile, "_run", None)
    monkeypatch.setattr(sim_compile.leaves, "simulated_leaf", None)
    assert verify(default_core, packets=10, seed=SEED).ok


@pytest.mark.slow
def test_leaves_are_simulated_as_functions_only_when_proven(default_core, wrong_core):
    right = simulated_leaves(Core(default_core).library())
    assert {module: why.split(":")[0] for module, why in right.items()} == {
        "aes_sbox": "exhaustive", "aes_mix_column": "linear", "gf128_dot": "dot",
    }  # fmt: skip
    wrong = simulated_leaves(Core(wrong_core).library())
    assert wrong["aes_mix_column"].startswith("gates: not proven")


@pytest.mark.slow
def test_a_wrong_gate_fails_with_names_seed_and_waveform(wrong_core, tmp_path):
    report = verify(
        wrong_core, packets=100, seed=SEED, stalls="both", trace=tmp_path / "w.vcd",
        allow_changed=True,
    )  # fmt: skip
    assert not report.ok and report.failed > 50
    failure = report.failures[0]
    assert failure.label == "packet 0 of 1024 bytes" and failure.expected != failure.got
    lines = "\n".join(format_failures(report, limit=8))
    assert f"seed {SEED}" in lines and "aes_mix_column is simulated gate by gate" in lines
    assert report.changed == "changed: gen/aes_mix_column.sv"
    assert report.waveform == tmp_path / "w.vcd"
    assert "m_tag_tvalid" in report.waveform.read_text()


@pytest.mark.slow
def test_reports_of_two_cores_come_back_in_order(default_core, small_core):
    jobs = [
        VerifyJob(core=core, packets=50, seed=seed, stalls="idle")
        for seed, core in enumerate((default_core, small_core))
    ]
    reports = verify_many(jobs, processes=2)
    assert [report.core for report in reports] == [default_core, small_core]
    assert all(report.ok and report.seed == seed for seed, report in enumerate(reports))


def test_a_job_is_either_vectors_or_random_packets(tmp_path):
    with pytest.raises(ValueError, match="either"):
        VerifyJob(core=tmp_path)
    with pytest.raises(ValueError, match="either"):
        VerifyJob(core=tmp_path, vectors=(EDGE_CASES,), packets=3)


@pytest.mark.slow
def test_progress_counts_up_to_all_packets(default_core):
    seen: list[tuple[int, int]] = []
    verify(default_core, packets=200, seed=SEED, progress=lambda done, of: seen.append((done, of)))
    assert seen[-1] == (200, 200)
