# SPDX-License-Identifier: Apache-2.0
"""Every hand-written file and every leaf is clean: Verilator -Wall, read_verilog -sv, no latch, no
combinational loop."""

import dataclasses
import subprocess

import pytest

from gcmforge.build import build_core
from gcmforge.build.rtl import RTL_FOLDER
from gcmforge.config import CoreConfig
from gcmforge.leaf import leaf_text, library
from gcmforge.presets import preset
from gcmforge.specialise import Subkey, make_plan, specialise
from gcmforge.specialise.core import specialise_core
from gcmforge.tools import ToolError, run_yosys, verilator_binary, verilator_environment

LATCHES = "t:$dlatch t:$adlatch t:$dlatchsr t:$dlatch_* t:$_DLATCH*"

CORES = {
    "default": preset("default"),
    "small": preset("small"),
    "lean": CoreConfig(
        key_sizes=(128,), contexts=1, iv="96", aes="loop", ghash="serial_length_first",
        sbox="table",
        aes_rounds=5, aes_substages=2, key_schedule="travelling",
        max_text_bytes=2**16, max_aad_bytes=1024,
    ),
    "odd": CoreConfig(
        lanes=3, contexts=3, key_sizes=(192, 256), aes="loop", ghash="dot", ghash_stages=3
    ),
    "evaluated": CoreConfig(
        lanes=2, contexts=2, aes="loop", sbox="table", ghash="evaluated", multiplier="ko5",
        ghash_stages=2,
    ),
    "fast": CoreConfig(aes_substages=3, ghash_stages=4, mix_columns="depth3", multiplier="ko2"),
    "aggregated": CoreConfig(
        lanes=2, contexts=3, aes="loop", ghash="aggregated", ghash_stages=3, multiplier="ko4",
    ),
    "guarded": CoreConfig(
        contexts=3, aes="loop", sbox="table", ghash="serial", iv="counter", zeroise="on",
    ),
    "erased": CoreConfig(
        contexts=1, aes="loop", sbox="table", ghash="serial", iv="96", zeroise="on",
    ),
    "verified": CoreConfig(
        lanes=2, aes="loop", sbox="table", iv="96", release="verified", max_text_bytes=1500
    ),
    "quad": preset("quad"),
    "turns": CoreConfig(aes="loop_parallel", aes_loops=3, contexts=3, ghash="serial"),
    "shared": CoreConfig(
        lanes=3, contexts=1, key_sizes=(128,), iv="96", counter_sharing="on", sbox="table"
    ),
    "travelling": CoreConfig(key_schedule="travelling", aes_substages=2, mix_columns="depth3"),
    "fixed": CoreConfig(key_schedule="travelling", contexts=1, key_sizes=(192,), ghash="serial"),
    "interleaved": CoreConfig(lanes=3, contexts=2, aes="loop", sbox="table", ghash="interleaved"),
    "shared_reduction": CoreConfig(
        lanes=2, contexts=2, aes="loop", sbox="table", ghash="shared_reduction", ghash_stages=3
    ),
    "dedicated": CoreConfig(
        lanes=2, contexts=3, sbox="table", tail="dedicated", j0="dedicated", aad_lanes=2,
        counter_sharing="on", ghash_stages=2, key_unit="dedicated",
    ),
    "tail": CoreConfig(contexts=1, aes="loop", sbox="table", ghash="serial", tail="dedicated"),
    "memories": CoreConfig(
        contexts=1000, aes="loop", sbox="table", multiplier="ko2", key_unit="dedicated",
        key_schedule="travelling",
    ),
    "window": CoreConfig(aes="loop", sbox="table", contexts=3, ghash="window"),
    "window8": CoreConfig(
        lanes=2, contexts=1, aes="loop", sbox="table", ghash="window", window_bits=8
    ),
    "log_tail": CoreConfig(
        lanes=2, contexts=1, aes="loop", sbox="table", ghash="log_tail", squarers="parallel"
    ),
    "registers": CoreConfig(
        lanes=2, contexts=1, key_sizes=(128,), aes="loop", sbox="table", ghash="dot",
        registers="axi4lite", aad_lanes=1,
    ),
    "macsec": CoreConfig(
        lanes=2, contexts=3, key_sizes=(128,), aes="loop", sbox="table", ghash="dot",
        aad_lanes=2, profile="macsec",
    ),
    "ipsec": CoreConfig(aes="loop", sbox="table", ghash="serial", profile="ipsec"),
    "tls13": CoreConfig(contexts=1, aes="loop", sbox="table", ghash="serial", profile="tls13"),
}  # fmt: skip
SLOW = {
    "macsec", "ipsec", "tls13",
    "window", "window8",
    "erased",
    "quad", "odd", "shared", "aggregated", "interleaved", "log_tail", "shared_reduction", "turns",
    "travelling", "fixed", "dedicated", "tail", "memories",
}  # fmt: skip

some_cores = [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in CORES]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Cores by name, built when first asked for; lint does not need proofs."""
    folder = tmp_path_factory.mktemp("cores")
    cores = {}

    def get(name):
        if name not in cores:
            cores[name] = build_core(CORES[name], folder / name, prove=False)
        return cores[name]

    return get


def verilator_lint(files, top, cwd):
    """What Verilator -Wall has to say; empty when it is content."""
    run = subprocess.run(
        [verilator_binary(), "--lint-only", "-Wall", "--quiet", "--top-module", top, *files],
        env=verilator_environment(), cwd=cwd, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    return run.stderr if run.returncode or "%Warning" in run.stderr else ""


def yosys_checks(files, top, cwd):
    """Read and elaborate with read_verilog; ToolError for a loop, an undriven wire or a latch."""
    run_yosys(
        [
            f"read_verilog -sv {' '.join(files)}", f"hierarchy -check -top {top}", "proc",
            "flatten", "opt_expr", "opt_clean", "check -assert", f"select -assert-none {LATCHES}",
        ],
        time_limit_s=300, cwd=cwd,
    )  # fmt: skip


@pytest.mark.parametrize("name", some_cores)
def test_core_is_clean_in_verilator(name, built):
    core = built(name)
    assert verilator_lint(core.rtl, core.config.top, core.path) == ""


@pytest.mark.parametrize("name", some_cores)
def test_core_has_no_latch_and_no_loop(name, built):
    core = built(name)
    yosys_checks(core.rtl, core.config.top, core.path)


@pytest.mark.parametrize("name", ["default", "small", "registers"])
def test_core_is_read_by_a_strict_front_end(name, built):
    """slang refuses what others let pass, such as a name used before its declaration."""
    core = built(name)
    run_yosys(
        [f"read_slang --top {core.config.top} {' '.join(core.rtl)}"],
        time_limit_s=300,
        cwd=core.path,
    )


FIXED = {
    "one_cycle": {"target": "xcv5"},
    "two_cycle": {"cycles": 2},
    "chain": {"stages": 3, "target": "ecp5"},
    "lanes": {"lanes": 2, "target": "lut6"},
}
"""Options of modules for one key, by shape."""


@pytest.mark.parametrize("shape", FIXED)
def test_module_for_one_key_is_clean_in_both_tools(shape, tmp_path):
    plan = make_plan(effort="quick", **FIXED[shape])
    made = specialise(Subkey(0x66E94BD4EF8A2C3B884CFA59CA342B2E), plan, tmp_path / "key")
    files = (made.path / "ghash_key.f").read_text().split()
    files += [str(path) for path in made.path.glob("sim/*.sv")]
    assert verilator_lint(files, "ghash_key", made.path) == ""
    yosys_checks(files, "ghash_key", made.path)


@pytest.mark.parametrize("lanes", [1, 3])
def test_core_for_one_key_is_clean_in_both_tools(lanes, tmp_path):
    config = dataclasses.replace(CORES["small"], lanes=lanes, ghash="dot", sbox="table")
    core = specialise_core(Subkey(1), config, tmp_path / "core", effort="quick")
    assert verilator_lint(core.rtl, "gcm_axis", core.path) == ""
    yosys_checks(core.rtl, "gcm_axis", core.path)


def test_what_is_linted_holds_every_hand_written_file(built):
    held = {name for core in map(built, CORES) for name in core.rtl} | {"ghash_fixed_core.sv"}
    held |= {f"{make_plan(**options).module}.sv" for options in FIXED.values()}
    missing = {path.name for path in RTL_FOLDER.rglob("*.sv")} - {
        name.removeprefix("rtl/") for name in held
    }
    assert not missing


def test_hand_written_files_keep_to_the_common_form():
    for path in RTL_FOLDER.rglob("*.sv"):
        text = path.read_text()
        keyword = "package" if path.stem.endswith("_pkg") else "module"
        assert text.startswith("// SPDX-License-Identifier: Apache-2.0\n"), path.name
        assert f"\n{keyword} {path.stem}" in text, path.name
        assert text.count(f"\nend{keyword}") == 1, path.name
        assert "`" not in text, f"{path.name}: no macros"


@pytest.mark.parametrize("leaf", list(library()), ids=lambda leaf: leaf.name)
def test_leaf_is_clean_in_both_tools(leaf, tmp_path):
    (tmp_path / "leaf.sv").write_text(leaf_text(leaf))
    top = leaf.circuit.name
    flags = ["-Wno-DECLFILENAME", "leaf.sv"]  # the file is named for this test only
    assert verilator_lint(flags, top, tmp_path) == ""
    yosys_checks(["leaf.sv"], top, tmp_path)


BAD = {
    "latch": "always_comb if (a_i) y_o = b_i;",
    "combinational loop": "logic t; assign t = a_i & y_o; assign y_o = t ^ b_i;",
    "undriven wire": "logic t; assign y_o = a_i & b_i & t;",
}


@pytest.mark.parametrize("what", BAD)
def test_the_checks_see_a(what, tmp_path):
    ports = "input logic a_i, input logic b_i, output logic y_o"
    (tmp_path / "bad.sv").write_text(f"module bad ({ports}); {BAD[what]} endmodule\n")
    assert verilator_lint(["bad.sv"], "bad", tmp_path) != ""
    with pytest.raises(ToolError):
        yosys_checks(["bad.sv"], "bad", tmp_path)
