# SPDX-License-Identifier: Apache-2.0
"""`gcmforge measure`: what it prints, what it remembers, and what it says when it cannot."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gcmforge.cli import main
from gcmforge.measure.measure import history, measure
from gcmforge.measure.store import Store
from gcmforge.measure.subject import MeasureError
from gcmforge.netlist.ge_library import liberty_text
from gcmforge.netlist.netlist import NetlistError
from gcmforge.sta.opensta import opensta_version
from gcmforge.tools import ToolError

pytestmark = pytest.mark.slow

SBOX = "aes_sbox/boyar_peralta"
NO_TOOL = """
import subprocess, sys
from gcmforge.cli import main
from gcmforge.sta.opensta import opensta_version

def only_git(command, **named):
    if command[0] != "git":
        raise AssertionError(f"started: {command}")
    return run(command, **named)

opensta_version()
run, subprocess.run = subprocess.run, only_git
main(sys.argv[1:])
"""


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("GCMFORGE_STORE", str(tmp_path / "results.sqlite"))
    return tmp_path / "results.sqlite"


@pytest.fixture
def run(capsys):
    def command(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main(["measure", *map(str, arguments)])
        said = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return end.value.code, said.out, said.err

    return command


def own_library(folder: Path, old: str = "", new: str = "") -> Path:
    """A library of our own, which every test may break."""
    text = liberty_text()
    assert old in text
    file = folder / "mine.lib"
    file.write_text(text.replace(old, new) if old else text)
    return file


def test_a_leaf_on_ge_is_measured_in_gates_of_its_circuit(run):
    code, out, _ = run(SBOX, "--json")
    (found,) = json.loads(out)
    assert code == 0
    # 77 XOR, 4 XNOR, 32 AND are 222.25 GE; 6 A + 21 X are 47.79 T_A. Mapping may only gain.
    assert 150 < found["area_ge"] <= 222.25 * 1.02
    assert 10 < found["timing"]["delay_ta"] <= 47.79 * 1.02
    assert found["timing"]["fmax_mhz"] is None and found["area_um2"] is None
    assert found["flip_flops"] == 0 and found["throughput"] is None
    assert found["command"] == f"gcmforge measure {SBOX} --target ge"


@pytest.mark.verilator
def test_a_core_is_measured_by_block_and_the_second_time_it_comes_from_the_store(run):
    """The second time no tool is started but those that say a version, in a process of its own: its
    figures are the store's."""
    code, out, _ = run("small", "--effort", "quick", "--json")
    (found,) = json.loads(out)
    assert code == 0
    names = [block["name"] for block in found["blocks"]]
    assert set(names) == {"aes", "key schedule", "ghash", "control", "buffers"}
    assert sum(block["area_ge"] for block in found["blocks"]) == pytest.approx(found["area_ge"])
    flip_flops = sum(block["flip_flops"] for block in found["blocks"])
    assert flip_flops == found["flip_flops"] > 1000
    assert {rate["packet_bytes"] for rate in found["throughput"]["rates"]} == {
        64, 576, 1500, 9000, 65536,
    }  # fmt: skip
    assert found["gbit_per_s"] is None  # ge has no ns
    assert found["configuration"]["aes"] == "loop"
    with Store() as store:
        before = store.count()
    again = subprocess.run(
        [sys.executable, "-c", NO_TOOL, "measure", "small", "--effort", "quick"],
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert again.returncode == 0, again.stderr
    assert "bits/cycle, long message, AES-128" in again.stdout
    with Store() as store:
        assert store.count() == before


def test_a_clock_that_cannot_be_met_is_a_negative_slack_and_a_failure(run):
    code, out, _ = run("aes_mix_column/small", "--clock", "1")
    assert code == 1
    assert "CLOCK NOT MET: slack -" in out
    code, out, _ = run("aes_mix_column/small", "--clock", "100")
    assert code == 0
    assert "NOT MET" not in out


def test_any_liberty_file_is_a_target(run, tmp_path):
    file = own_library(tmp_path)
    code, out, err = run("aes_mix_column/small", "--liberty", file, "--json")
    assert (code, err) == (0, "")
    (found,) = json.loads(out)
    assert found["area_ge"] == pytest.approx(found["area_um2"])
    assert found["target"] == "mine"
    assert found["command"].endswith(f"--liberty {file}")


def test_a_changed_library_is_another_measurement(run, tmp_path):
    file = own_library(tmp_path)
    assert run("aes_mix_column/small", "--liberty", file)[0] == 0
    own_library(tmp_path, "area : 2.25", "area : 3.25")
    code, out, _ = run("aes_mix_column/small", "--liberty", file, "--json")
    assert code == 0
    with Store() as store:
        assert store.count() == 2
    assert json.loads(out)[0]["area_ge"] > 250


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nothing",), "no preset, leaf, TOML file or core's folder of that name"),
        (("aes_sbox/none",), "did you mean aes_sbox/table"),
        (("small", "--target", "osu81"), "did you mean osu018"),
        (("small", "--set", "lanes=99"), "use 1 to 16"),
        (("gf128_square", "--clock", "0"), "use a period above 0"),
        (("gf128_square", "--effort", "much"), "use quick, normal, high"),
        (("gf128_square", "--goal", "luck"), "use area, delay, balanced"),
        (("gf128_square", "--target", "xc7", "--power"), "no power model of FPGAs"),
        (("gf128_square", "--liberty", "gone.lib"), "there is no such file"),
        (("gf128_square", "--history"), "nothing of it was measured yet"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(run, arguments, says):
    code, out, err = run(*arguments)
    assert code == 1
    assert says in err
    assert err.startswith("gcmforge: ") and err.count("\n") == 1
    assert out.strip() == ""


@pytest.mark.parametrize(
    "text",
    ["no library at all", "library (x) { cell (a) { area : 1; }", "", "\x1f\x8b broken"],
)
def test_a_bad_liberty_file_is_an_error_that_names_the_file(run, tmp_path, text):
    file = tmp_path / "bad.lib"
    file.write_text(text)
    code, _, err = run("aes_sbox/table", "--liberty", file)
    assert code == 1
    assert "bad.lib" in err
    with Store() as store:
        assert store.count() == 0


def test_what_one_target_gave_is_shown_although_another_failed(run):
    code, out, err = run("gf128_square", "--target", "ge", "nowhere")
    assert code == 1
    assert "area, GE" in out
    assert "target nowhere" in err


def test_a_netlist_with_a_latch_is_an_error_that_says_so(tmp_path):
    from gcmforge.config.presets import preset
    from gcmforge.emit import build_core

    folder = tmp_path / "core"
    build_core(preset("small"), folder, prove=False)
    file = folder / "rtl/aes_mix_columns.sv"
    text = file.read_text()
    latch = "  logic held;\n  always_latch if (state_i[0]) held = state_i[1];\n"
    file.write_text(text.replace("endmodule", f"{latch}endmodule"))
    with pytest.raises(NetlistError, match="latch"):
        measure(folder, "ge", effort="quick")
    with Store() as store:
        assert store.count() == 0


def test_history_shows_a_figure_over_versions_of_the_project(run, monkeypatch):
    from gcmforge.measure import measure as page

    for version in ("1.0", "1.1"):
        monkeypatch.setattr(page, "project_version", lambda version=version: version)
        assert run("gf128_square")[0] == 0
    code, out, _ = run("gf128_square", "--history")
    assert code == 0
    assert out.index("1.0") < out.index("1.1")
    code, out, _ = run("gf128_square", "--history", "--json")
    assert [row["project"] for row in json.loads(out)] == ["1.0", "1.1"]
    with Store() as store:
        assert store.count() == 1
        assert len(history("gf128_square", store=store)) == 2
        assert history("gf128_square", store=store, clock_ns=5.0) == []


def test_a_core_is_made_for_throughput_per_gate_a_leaf_for_area_unless_asked(monkeypatch):
    from gcmforge.measure import measure as page

    asked = []

    def remember(job, *_):
        asked.append((job.goal, job.command))
        raise MeasureError("enough")

    monkeypatch.setattr(page, "_make", remember)
    for what, goal in (("small", None), ("small", "area"), (SBOX, None), (SBOX, "balanced")):
        with pytest.raises(MeasureError, match="enough"):
            measure(what, "ge", goal=goal)
    goals = [goal for goal, _ in asked]
    assert goals == ["balanced", "area", "area", "balanced"]
    ends = [command.rpartition("--target ge")[2] for _, command in asked]
    assert ends == ["", " --goal area", "", " --goal balanced"]


@pytest.mark.parametrize(
    ("number", "code", "says"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "")]
)
def test_a_signal_ends_it_and_leaves_store_and_files_intact(
    number, code, says, own_store, tmp_path
):
    tmp = tmp_path / "tmp"
    tmp.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "gcmforge", "measure", "gf128_mul/ko4", "--effort", "high"],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(tmp)},
        # Whoever runs the tests in the background may have them ignore an interrupt.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    limit = time.monotonic() + 60
    while not list(tmp.glob("gcmforge-synthesis-*")) and time.monotonic() < limit:
        time.sleep(0.05)
    time.sleep(1)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert says in err and "Traceback" not in err
    assert list(tmp.iterdir()) == []
    with Store() as store:
        assert store.count() == 0


def test_effort_is_checked_by_the_function_too():
    with pytest.raises(MeasureError, match="use quick"):
        measure("gf128_square", effort="most")


@pytest.fixture
def without_opensta(monkeypatch):
    """As on a machine where it is not installed."""
    which = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "sta" else which(name))
    opensta_version.cache_clear()
    yield
    opensta_version.cache_clear()


def test_without_opensta_it_is_said_and_the_rest_is_measured(run, without_opensta):
    code, out, _ = run("aes_mix_column/small", "--json")
    (found,) = json.loads(out)
    assert code == 0
    assert found["other_timing"] is None
    assert "apt-get install opensta" in found["other_timing_missing"]
    assert "opensta" not in found["tools"]
    assert found["timing"]["delay_ta"] > 0
    assert "no second timing: OpenSTA: sta not found" in run("aes_mix_column/small")[1]


@pytest.mark.opensta
def test_opensta_times_the_same_netlist(run):
    code, out, _ = run("aes_mix_column/small", "--json")
    (found,) = json.loads(out)
    assert code == 0
    other, ours = found["other_timing"], found["timing"]
    assert other["delay_ta"] == pytest.approx(ours["delay_ta"], rel=1e-5)
    assert abs(other["difference_percent"]) < 1e-3
    assert other["tool"] == f"OpenSTA {found['tools']['opensta']}"
    assert other["start"] and other["end"].startswith("y_o[")


def test_a_result_with_a_second_timing_is_not_taken_for_one_without(without_opensta):
    from gcmforge.measure.job import Job
    from gcmforge.measure.subject import find_subject
    from gcmforge.netlist.targets import find_target

    job = Job(subject=find_subject("gf128_square"), target=find_target("ge"), goal="area")
    without = job.key
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gcmforge.measure.job.opensta_version", lambda: "2.0.17")
        assert job.key != without


def test_an_opensta_that_fails_costs_its_own_figure_only(run, monkeypatch):
    def fail(*_, **__):
        raise ToolError("OpenSTA: not done after 600 s")

    monkeypatch.setattr("gcmforge.sta.opensta.analyse_with_opensta", fail)
    monkeypatch.setattr("gcmforge.measure.measure.opensta_path", lambda: Path("sta"))
    code, out, _ = run("aes_mix_column/small", "--json")
    (found,) = json.loads(out)
    assert code == 0
    assert found["other_timing_missing"] == "OpenSTA: not done after 600 s"
    assert found["timing"]["delay_ta"] > 0
