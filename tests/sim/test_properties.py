# SPDX-License-Identifier: Apache-2.0
"""What modules keep and require is asserted in every simulation of a core, and seen when broken."""

import re
import shutil
from pathlib import Path

import pytest

import gcmforge
from gcmforge.config import CoreConfig
from gcmforge.emit.core import build_core
from gcmforge.sim.compile import PROPERTIES, simulated_leaves
from gcmforge.sim.core import Core
from gcmforge.sim.properties import all_of, properties, requirements, with_properties
from gcmforge.sim.report import format_failures
from gcmforge.sim.verify import VerifyJob, run_job

RTL = Path(gcmforge.__file__).parent
TOY = """module gcm_toy #(parameter int Depth = 4) (
    input  logic clk,
    input  logic rst,
    input  logic [1:0] count_i
);
endmodule
"""


def simulated(monkeypatch, kept: str) -> str:
    """The toy with those properties."""
    from gcmforge.sim import properties as room

    monkeypatch.setattr(room, "properties", lambda: {"gcm_toy": kept})
    (text,) = with_properties({"gcm_toy.sv": TOY}).values()
    return text.removeprefix(TOY.removesuffix("endmodule\n"))


@pytest.mark.parametrize("module", sorted(properties()))
def test_properties_leave_the_names_of_a_proof_alone(module):
    """A second f_begun_q would hold the reset for ever, and all would be proven of nothing."""
    declared = re.findall(r"\blogic\b[^;]*;", all_of(module))
    assert not [line for line in declared if re.search(r"\bf_(?:begun|off)(?:_q)?\b", line)]


def test_properties_are_of_modules_that_exist():
    modules = {path.stem for path in RTL.rglob("*.sv") if "properties" not in path.parts}
    assert len(properties()) > 30
    assert {*properties(), *requirements()} <= modules
    for module in (*properties(), *requirements()):
        assert re.search(r": (lemma|assert|require) \(", all_of(module)), module


def test_a_module_without_properties_stays_as_it_is():
    assert with_properties({"gcm_toy.sv": TOY}) == {"gcm_toy.sv": TOY}


def test_what_is_shown_and_relied_upon_is_asserted_at_the_edge(monkeypatch):
    text = simulated(
        monkeypatch,
        "  always_comb\n    if (!rst) begin\n      few : lemma (count_i < 2'd3);\n"
        "      some : reach (count_i != '0);\n    end\n  always_comb f_two = count_i == 2'd2;\n",
    )
    assert "always_ff @(posedge clk)\n    if (!rst) begin\n      few : assert (" in text
    assert "some" not in text  # what has to be possible is no assertion
    assert "always_comb f_two = count_i" in text  # and what only says something stays so


def test_what_a_proof_chooses_is_drawn(monkeypatch):
    text = simulated(
        monkeypatch,
        "  (* anyconst *) logic [1:0] f_at;\n  (* anyseq *) logic f_watch;\n"
        "  always_comb at_it : assert (!f_watch || f_at != count_i);\n",
    )
    assert "initial f_at = $bits(f_at)'($urandom);" in text
    assert "always_ff @(posedge clk) f_watch <= $bits(f_watch)'($urandom);" in text


def test_beyond_what_a_proof_is_limited_to_nothing_is_asserted(monkeypatch):
    text = simulated(
        monkeypatch,
        "  always_comb\n    if (!rst) begin\n      two : suppose (count_i < 2'd2);\n"
        "      few : assert (count_i < 2'd3);\n    end\n",
    )
    assert "(!rst && !((count_i < 2'd2)))" in text and "assert (f_off || (count_i < 2'd3))" in text


def test_a_signal_of_an_instance_has_its_name(monkeypatch):
    text = simulated(
        monkeypatch,
        '  (* look = "u_a.count_q" *) logic [1:0] f_a;\n'
        '  (* look = "u_b.count_q", where = "Depth > 2" *) logic [1:0] f_b;\n'
        "  always_comb same : assert (f_a == f_b);\n",
    )
    assert "logic [1:0] f_a;\n  assign f_a = {u_a.count_q};" in text
    assert "if (Depth > 2) begin : gen_f_b\n    assign f_b = {u_b.count_q};" in text


# A core that was changed ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def core(tmp_path_factory) -> Path:
    config = CoreConfig(
        aes="loop", ghash="digit", key_sizes=(128,), contexts=1, sbox="small", iv="96",
        max_text_bytes=256, max_aad_bytes=64,
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("properties") / "core"
    build_core(config, folder, prove=False)
    return folder


def changed(core: Path, to: Path, file: str, old: str, new: str) -> Path:
    shutil.copytree(core, to)
    (path,) = to.rglob(file)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return to


@pytest.mark.slow
def test_a_broken_property_is_told_by_name_and_place(core, tmp_path):
    """No answer of this core is wrong: lengths are counted on after an error, and not told."""
    other = changed(core, tmp_path / "core", "gcm_slot_count.sv", "passes_i && good_q", "passes_i")
    report = run_job(VerifyJob(core=other, packets=20, allow_changed=True))
    assert not report.ok
    lines = "\n".join(format_failures(report))
    assert "u_count.bytes_are_counted_to_the_first_error" in lines
    assert "not watched" not in lines


@pytest.mark.slow
def test_modules_with_other_names_are_simulated_without_properties(core, tmp_path):
    other = changed(core, tmp_path / "core", "gcm_slot_count.sv", "so_far", "until_now")
    report = run_job(VerifyJob(core=other, packets=20, allow_changed=True))
    assert report.ok
    (line,) = format_failures(report)
    assert re.match(r"properties of modules are not watched: .*so_far", line)
    assert PROPERTIES not in simulated_leaves(Core(core).library())
