# SPDX-License-Identifier: Apache-2.0
"""The targets of a core's FuseSoC file, each as FuseSoC runs it, or sets it up where the program
that it is for is not here: yosys as a command, Vivado, Quartus."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gcmforge.config import CoreConfig
from gcmforge.emit import build_core, open_core
from gcmforge.emit.testbench import testbench as one_packet
from gcmforge.tools import verilator_environment

pytestmark = [pytest.mark.fusesoc]
CORE = CoreConfig(
    name="rx", aes="loop", ghash="digit", key_sizes=(128,), contexts=1, iv="96", sbox="small"
)
VLNV = "gcmforge:core:rx_gcm_axis"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return build_core(CORE, tmp_path_factory.mktemp("fusesoc") / "core", prove=False).path


def fusesoc(folder: Path, place: Path, target: str, *flags: str) -> tuple[str, Path]:
    """What it printed, and its work folder; nothing of it lies outside of `place`."""
    own = {f"XDG_{name}_HOME": str(place / name) for name in ("CONFIG", "CACHE", "DATA")}
    environment = verilator_environment() | own
    environment["MAKEFLAGS"] += " OPT_FAST=-O0 OPT_GLOBAL=-O0"
    environment["PATH"] += f"{os.pathsep}{Path(sys.executable).parent}"
    run = subprocess.run(
        [sys.executable, "-m", "fusesoc.main", "--cores-root", str(folder), "run",
         *(["--target", target] if target != "default" else []), *flags, VLNV],
        cwd=place, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout[-3000:]
    (work,) = (place / "build").glob(f"*/{target}*")
    return run.stdout, work


@pytest.mark.slow
@pytest.mark.verilator
def test_lint_finds_nothing(folder, tmp_path):
    said, work = fusesoc(folder, tmp_path, "lint")
    assert "%Warning" not in said and "deprecated" not in said
    (files,) = work.glob("*.vc")
    assert "--lint-only" in files.read_text() and "-Wall" in files.read_text()
    assert len(re.findall(r"\.sv$", files.read_text(), re.M)) == len(open_core(folder).rtl)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "made", "words"),
    [
        ("default", "*.vc", ["--lint-only", "--top-module rx_gcm_axis"]),
        ("synth", "*.tcl", ["read_verilog -sv", "synth_xilinx", "rx_gcm_axis"]),
        ("vivado", "*.tcl", ["read_verilog -sv", "rx_gcm_axis.xdc", "xc7a200tfbg484-3"]),
        ("quartus", "*.tcl", ["SYSTEMVERILOG_FILE", "rx_gcm_axis.sdc", "Cyclone V"]),
    ],
)
def test_a_target_sets_up_all_files_of_the_core(folder, tmp_path, target, made, words):
    said, work = fusesoc(folder, tmp_path, target, "--setup")
    texts = "".join(path.read_text() for path in work.glob(made))
    for word in words:
        assert word in texts
    for name in open_core(folder).rtl:
        assert name in texts
    if target != "quartus":  # which has no flow in edalize
        assert "deprecated" not in said.lower()


@pytest.mark.slow
@pytest.mark.verilator
def test_sim_plays_a_packet_and_sees_a_wrong_tag(folder, tmp_path):
    said, work = fusesoc(folder, tmp_path, "sim")
    assert "PASS: text and tag of 4 beats are right" in said
    (bench,) = work.rglob("rx_gcm_axis_tb.sv")
    tag = re.search(r"m_tag_tag !== 128'h(\w+)", bench.read_text()).group(1)
    assert f"{int(tag, 16):032x}" == tag and int(tag, 16)
    wrong = f"{int(tag, 16) ^ 1:032x}"
    bench.write_text(bench.read_text().replace(tag, wrong))
    environment = verilator_environment()
    environment["MAKEFLAGS"] += " OPT_FAST=-O0 OPT_GLOBAL=-O0"
    subprocess.run(["make", "-C", work], env=environment, check=True, capture_output=True)
    run = subprocess.run(
        [work / "Vrx_gcm_axis_tb"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert run.returncode != 0
    assert f"FAIL: the tag is {tag}, not {wrong}" in run.stdout


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (["iv=counter"], ["s_cmd_decrypt = 1'b1", "logic [31:0] s_key_fixed = '0;"]),
        (["slots=ahead", "iv=96", "contexts=1"], ["s_cmd_text_beats = 32'd4;"]),
        (["lanes=4", "aad_lanes=2"], ["logic [31:0] s_axis_aad_keep = '0;"]),
        (["release=verified", "max_text_bytes=16"], ["localparam int Beats = 1;"]),
        (["ghash=serial_length_first", "tags_not_of_gcm=yes", "iv=96"], ["Yang 2005"]),
    ],
)
def test_the_testbench_of_other_cores_has_a_vector_that_they_take(settings, words):
    text = one_packet(CoreConfig().with_settings(settings))
    for word in words:
        assert word in text
    assert "NIST" in text
