# SPDX-License-Identifier: Apache-2.0
"""Cores in Icarus Verilog, which knows 0, 1, X and Z: by the commands of docs/how-to/
connect-a-core.md, with the bench of the core's folder. All registers begin as X."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import gcmforge
from gcmforge.config import CoreConfig
from gcmforge.config.presets import preset
from gcmforge.emit import build_core
from gcmforge.mapped.four_states import WATCH
from gcmforge.sim.operations import Status
from gcmforge.tools import run_yosys

pytestmark = [pytest.mark.slow, pytest.mark.iverilog, pytest.mark.yosys]
ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/how-to/connect-a-core.md"
GUARDED = {"zeroise": "on", "timeout": 400, "release": "verified", "max_text_bytes": 64}
MASKED = {"key_sizes": (128,), "contexts": 1, "iv": "96",
          "max_text_bytes": 65536, "max_aad_bytes": 65536}  # fmt: skip
CORES = {
    "default": preset("default"),
    "compact": preset("compact"),
    "nano": preset("nano"),
    "nano around a memory": preset("ice40"),
    "nano of two key sizes": preset("nano").with_settings(["key_sizes=128,256"]),
    "nano, IVs of any length": preset("nano").with_settings(["iv=any"]),
    "micro": preset("micro"),
    "micro of four S-boxes": preset("micro").with_settings(["sboxes=4"]),
    "micro of four memories": preset("micro").with_settings(
        ["sboxes=4", "sbox=bram", "key_sizes=128"]
    ),
    "micro that finds faults": preset("micro").with_settings(["faults=detect"]),
    "micro that finds faults, keys of 128 bits": preset("micro").with_settings(
        ["faults=detect", "key_sizes=128"]
    ),
    "guarded": CoreConfig(
        **GUARDED, aes="loop", key_schedule="travelling", ghash="digit", contexts=1, iv="96"
    ),
    "memories": CoreConfig(contexts=17, key_sizes=(128,)),
    "segments": preset("100ge").with_settings(["lanes=2", "contexts=1", "key_sizes=128"]),
    "line": CoreConfig(slots="line", tail="dedicated", key_unit="dedicated", key_sizes=(128,)),
    "masked": CoreConfig(core="masked", **MASKED, randomness="generator"),
    "masked_fast": CoreConfig(core="masked_fast", **MASKED, randomness="generator"),
    "ipsec": CoreConfig(profile="ipsec", contexts=3),
}
ASSERTED = ("compact", "default", "guarded", "line", "segments", "ipsec")
"""Cores with assertions, of each kind."""
UNKEYED = (
    "compact", "nano of two key sizes", "micro", "micro of four S-boxes",
    "micro that finds faults", "guarded", "masked", "segments", "ipsec",
)  # fmt: skip
"""Cores of each kind that may get a packet before a key."""
_MARK = re.compile(r"^\s*// synthesis translate_o(?:ff|n)\n", re.M)
_LABEL = re.compile(r"\b\w+\s*:\s*assert\b")


def section() -> str:
    return PAGE.read_text().partition("\n## Icarus Verilog\n")[2].partition("\n## ")[0]


def simulated(core: Path, place: Path) -> tuple[int, str]:
    """Exit code and output of the page's commands, and of a module that looks for X."""
    (place / "watch.sv").write_text(WATCH)
    lines = re.findall(r"^    ((?:python|iverilog|vvp) .*)$", section(), re.M)
    words = (shlex.split(line.replace("cores/compact", str(core))) for line in lines)
    (_, script, *files), compile_it, run_it = words
    subprocess.run([sys.executable, ROOT / script, *files], cwd=place, check=True)
    subprocess.run([*compile_it, "-s", "watch", "watch.sv"], cwd=place, check=True)
    run = subprocess.run(run_it, cwd=place, text=True, stdout=subprocess.PIPE, timeout=300)
    return run.returncode, run.stdout


def built(name: str, place: Path) -> Path:
    return build_core(CORES[name], place / "core", prove=False).path


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n == "guarded")) for n in CORES]
)
def test_a_core_that_begins_as_x_answers_right_in_icarus(name, tmp_path):
    code, said = simulated(built(name, tmp_path), tmp_path)
    assert "FAIL" not in said
    assert code == 0
    assert re.search(r"^PASS: text and tag of \d+ beats are right$", said, re.M)
    (shown,) = re.findall(r"^    (PASS: .*)$", section(), re.M)
    assert shown in said or name != "compact"


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("rtl/axis_skid.sv", "      valid_q       <= 1'b0;\n", "", "FAIL: X after reset"),
        ("bench/gcm_axis_tb.sv", "128'h3a3f82e9", "128'h3a3f82e8", "FAIL: the tag is 3a3f82e9"),
    ],
    ids=["a register without its reset", "a wrong tag"],
)
def test_what_is_wrong_is_seen_in_icarus(file, old, new, words, tmp_path):
    core = built("compact", tmp_path)
    text = (core / file).read_text()
    assert text.count(old) == 1
    (core / file).write_text(text.replace(old, new))
    code, said = simulated(core, tmp_path)
    assert words in said and "PASS" not in said
    assert code != 0


def with_assertions(core: Path, place: Path) -> str:
    """The core with all that it asserts as plain Verilog, and its bench, compiled and run: what is
    printed."""
    (place / "watch.sv").write_text(WATCH)
    built = gcmforge.open_core(core, changed_is_error=False)
    files = []
    for number, name in enumerate(built.rtl):
        files.append(place / f"{number}.sv")
        files[-1].write_text(_LABEL.sub("assert", _MARK.sub("", (core / name).read_text())))
    run_yosys(
        [
            f"read_verilog -sv -formal {' '.join(map(str, files))}",
            f"hierarchy -check -top {built.config.named(built.config.listed_top)}",
            "proc",
            f"write_verilog -noattr {place / 'core.v'}",
        ],
        time_limit_s=600,
    )
    assert "assert (" in (place / "core.v").read_text()
    bench = core / "bench/gcm_axis_tb.sv"
    compiler = ["iverilog", "-g2012", "-s", "gcm_axis_tb", "-s", "watch", "-o", "core.vvp"]
    subprocess.run([*compiler, "core.v", bench, "watch.sv"], cwd=place, check=True)
    run = subprocess.run(
        ["vvp", "core.vvp"], cwd=place, text=True, stdout=subprocess.PIPE, timeout=300
    )
    return run.stdout


@pytest.mark.parametrize("name", ASSERTED)
def test_what_a_core_asserts_holds_where_registers_begin_as_x(name, tmp_path):
    said = with_assertions(built(name, tmp_path), tmp_path)
    assert "PASS: text and tag" in said
    assert "ERROR" not in said, said


def test_an_assertion_that_fails_is_seen_in_icarus(tmp_path):
    core = built("compact", tmp_path)
    rules = core / "rtl/stream_rules.sv"
    text = rules.read_text()
    assert text.count("data_i === data_q") == 1
    rules.write_text(text.replace("data_i === data_q", "data_i == data_q"))
    assert "ERROR" in with_assertions(core, tmp_path)


@pytest.mark.parametrize("name", UNKEYED)
def test_a_packet_before_the_first_key_is_refused_where_registers_begin_as_x(name, tmp_path):
    """The bench of a core's folder without its key: the status is NO_KEY, nothing is shown."""
    core = built(name, tmp_path)
    bench = core / "bench/gcm_axis_tb.sv"
    text = bench.read_text()
    before, key, rest = re.split(r"( +s_key_tvalid = 1'b1;\n(?:.*s_key_t.*\n)+)", text)
    assert key.count("s_key_tready") == 2
    rest = rest.replace("m_axis_tdata !== expected[taken]", "m_axis_tdata !== '0")
    rest = rest.replace("m_tag_status !== '0", f"m_tag_status !== {Status.NO_KEY.value}")
    rest = re.sub(r"m_tag_tag !== 128'h\w+", "m_tag_tag !== '0", rest)
    if CORES[name].release == "verified":
        rest = rest.replace("taken != Beats", "taken != 0")
    bench.write_text(before + rest)
    code, said = simulated(core, tmp_path)
    assert "PASS: text and tag of" in said, said
    assert code == 0
