# SPDX-License-Identifier: Apache-2.0
"""The commands: what they print, where errors go, and which exit code they leave."""

import dataclasses
import errno
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gcmforge
from gcmforge.cli import main
from gcmforge.config import options
from gcmforge.emit.records import ProofRecord
from gcmforge.sim.core import Core


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GCMFORGE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def small(tmp_path_factory, own_cache):
    """A small core, built by the command."""
    folder = tmp_path_factory.mktemp("cores") / "small"
    with pytest.raises(SystemExit) as end:
        main(["build", "--preset", "small", "--out", str(folder)])
    assert end.value.code == 0
    return folder


@pytest.fixture
def run(capsys):
    """Run a command in this process: exit code, standard output, standard error."""

    def command(*arguments):
        with pytest.raises(SystemExit) as end:
            main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return end.value.code, printed.out, printed.err

    return command


@pytest.mark.yosys
@pytest.mark.verilator
@pytest.mark.slow
def test_build_says_what_was_made_and_where(run, tmp_path):
    code, out, err = run("build", "--preset", "small", "-o", tmp_path / "core")
    assert code == 0
    assert all(line.startswith("gcmforge: step ") for line in err.splitlines()), err
    assert out.startswith(f"{tmp_path / 'core'}: AES-128/192/256-GCM, 1 lane, loop AES")
    assert "6 of 6 proofs passed" in out
    code, out, _ = run("build", "--preset", "small", "-o", tmp_path / "core")
    assert code == 0
    assert "already there, unchanged" in out


@pytest.mark.slow
def test_build_takes_a_file_and_settings(run, tmp_path):
    (tmp_path / "mine.toml").write_text('aes = "loop"\nghash = "serial"\ncontexts = 2\n')
    code, out, _ = run(
        "build", tmp_path / "mine.toml", "--set", "contexts=9", "--set", "key_sizes=128,256",
        "-o", tmp_path / "core", "--json", "--no-prove", "--no-datasheet",
    )  # fmt: skip
    assert code == 0
    result = json.loads(out)
    assert "datasheet.html" not in result["files"]
    assert result["config"]["contexts"] == 9
    assert result["config"]["key_sizes"] == [128, 256]
    assert result["config"]["aes"] == "loop"
    assert result["proofs"] == []
    assert set(result["rtl"]) <= set(result["files"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "lanes=17"], "lanes=17: not allowed; use 1 to 16"),
        (["--set", "lans=1"], "lans: no such option; did you mean lanes or aad_lanes?"),
        (["--preset", "quat"], "preset quat: no such preset; did you mean quad?"),
        (["--preset", "small", "--set", "lanes=2"], "lanes=2 with ghash=serial: serial takes"),
        (["missing.toml"], "missing.toml: cannot be read"),
        (["default"], "default: no such file; for the preset of that name use --preset default"),
        (["missing.toml", "--preset", "quad"], "both name a configuration"),
    ],
)
def test_a_wrong_configuration_is_one_line_and_leaves_nothing(run, tmp_path, arguments, message):
    code, out, err = run("build", *arguments, "-o", tmp_path / "deep" / "core")
    assert code == 1
    assert out == ""
    assert err.startswith("gcmforge: ")
    assert message in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_mark_of_the_byte_order_before_a_file_is_no_error(run, tmp_path):
    (tmp_path / "mine.toml").write_bytes(b'\xef\xbb\xbfaes = "loop"\nghash = "serial"\n')
    asked = ["--no-prove", "--no-datasheet", "--json", "-o", tmp_path / "core"]
    code, out, _ = run("build", tmp_path / "mine.toml", *asked)
    assert (code, json.loads(out)["config"]["aes"]) == (0, "loop")
    code, out, _ = run("explore", tmp_path / "mine.toml", "--count", "--json")
    assert (code, json.loads(out)["points"]) == (0, 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["build", "--preset", "quat", "-o", "x"], "preset quat: no such preset; did you mean"),
        (["build", "--lanes", "2", "-o", "x"], "Unknown option: --lanes"),
        (["build"], "--out requires an argument"),
        (["verify", ".", "--random", "1"], ".: not a core's folder"),
        (["prove", "aes_sbocks"], "aes_sbocks: neither a core's folder nor a leaf"),
        (["prove", "aes_sbox", "--control"], "--control is about built cores"),
        (["prove", ".", "--cycles", "5"], "--cycles goes with --control"),
        (["prove", ".", "--control", "--cycles", "-1"], "--cycles -1"),
        (["measure", "aes_sbox/tabel"], "aes_sbox/tabel: no preset, leaf"),
        (["measure", "aes_sbox/table", "--target", "osu"], "osu"),
        (["explore", "missing.toml"], "missing.toml: cannot be read (No such file or directory)"),
        (["sbox", "mozafari_2012"], "did you mean mozaffari_2012?"),
        (["specialise", "--key-file", "missing.key", "-o", "x"], "missing.key"),
    ],
)
def test_with_json_an_error_is_one_object(run, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GCMFORGE_STORE", str(tmp_path / "store.sqlite"))
    code, out, err = run(*arguments, "--json")
    assert (code in (1, 2), err) == (True, "")
    assert message in json.loads(out)["error"]
    assert run(*arguments)[:2] == (code, "")


def test_ctrl_c_in_build_says_that_the_folder_is_as_it_was(run, tmp_path, monkeypatch):
    from gcmforge.emit import core

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(core, "core_files", interrupted)
    asked = ["build", "--no-datasheet", "-o", tmp_path / "core"]
    message = f"interrupted; {tmp_path / 'core'} is as it was"
    assert run(*asked) == (130, "", f"gcmforge: {message}\n")
    code, out, err = run(*asked, "--json")
    assert (code, json.loads(out), err) == (130, {"error": message}, "")


@pytest.mark.slow
def test_an_error_of_the_system_names_the_file_and_says_what_to_do(run, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    code, _, err = run("build", "--no-prove", "--no-datasheet", "-o", "/proc/no/core")
    assert (code, err) == (1, "gcmforge: /proc/no: no such file or directory; look at its name\n")

    def full(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    code, _, err = run("build", "--no-prove", "--no-datasheet", "-o", tmp_path / "core")
    what = f"{tmp_path / 'core'}: no space left on device"
    assert (code, err) == (1, f"gcmforge: {what}; free some space, or write elsewhere\n")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, a full disk")
def test_what_cannot_be_printed_is_an_error():
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(
            [sys.executable, "-m", "gcmforge", "sbox", "table"],
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=60,
        )  # fmt: skip
    assert run.returncode == 1
    assert re.match("gcmforge: standard output.*: no space left on device; free", run.stderr)
    assert run.stderr.count("\n") == 1


def test_a_number_of_processes_is_one_or_more(run, tmp_path):
    (tmp_path / "space.toml").write_text("contexts = 1\n")
    for jobs in (0, -2):
        code, _, err = run("explore", tmp_path / "space.toml", "--jobs", jobs)
        assert (code, err.split(",")[0]) == (1, f"gcmforge: jobs={jobs}: use 1 or more processes")
    (tmp_path / "keys").write_text("0" * 32)
    code, _, err = run(
        "specialise", "--keys", tmp_path / "keys", "--workers", -2, "-o", tmp_path / "keys.out"
    )
    assert (code, err) == (1, "gcmforge: workers=-2: use 1 or more processes\n")


def test_a_space_without_options_is_refused(run, tmp_path):
    (tmp_path / "space.toml").write_text("# nothing\n")
    code, out, err = run("explore", tmp_path / "space.toml", "--count")
    assert (code, out) == (1, "")
    assert "space.toml: no option is named, so that this space has the default core only" in err


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """A small core without proofs or datasheet."""
    folder = tmp_path_factory.mktemp("cores") / "plain"
    with pytest.raises(SystemExit) as end:
        main(["build", "--preset", "small", "--no-prove", "--no-datasheet", "-o", str(folder)])
    assert end.value.code == 0
    return folder


@pytest.fixture
def changed(plain, tmp_path):
    """The same, and then one file changed, one missing, one added."""
    folder = shutil.copytree(plain, tmp_path / "changed")
    with (folder / "core.toml").open("a") as file:
        file.write("# mine\n")
    (folder / "README.md").unlink()
    (folder / "notes.txt").write_text("mine")
    return folder


DIFFERENCES = "changed: core.toml; missing: README.md; added: notes.txt"


@pytest.mark.parametrize("command", [["verify", "--random", "10"], ["prove"], ["measure"]])
def test_a_folder_that_is_not_what_was_built_is_refused(run, changed, command, monkeypatch):
    monkeypatch.setattr("subprocess.run", None)  # no tool is run
    code, out, err = run(*command, changed)
    assert (code, out) == (1, "")
    assert err.startswith(f"gcmforge: {changed}: was changed since it was built ({DIFFERENCES});")
    assert "--allow-changed" in err and err.count("\n") == 1


@pytest.mark.yosys
@pytest.mark.verilator
@pytest.mark.slow
def test_what_is_allowed_to_be_changed_is_said_in_the_last_line(run, changed):
    last = f"NOT AS BUILT, allowed by --allow-changed: {DIFFERENCES}"
    asked = ["verify", changed, "--random", "10", "--seed", "1", "--allow-changed"]
    code, out, err = run(*asked)
    assert (code, err) == (0, "")
    assert out.splitlines()[1:] == [last]
    code, out, _ = run(*asked, "--json")
    assert (code, json.loads(out)["changed"]) == (0, DIFFERENCES)
    code, out, _ = run("prove", changed, "--allow-changed")
    assert (code, out.splitlines()[-1]) == (0, last.replace("d: c", f"d: {changed}: c", 1))
    code, out, _ = run("prove", changed, "--allow-changed", "--json")
    assert (code, json.loads(out)["changed"]) == (0, {str(changed): DIFFERENCES})


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("vectors.txt", "", "unknown suffix '.txt': use NIST .rsp or Wycheproof-schema .json"),
        ("vectors.rsp", "Count = 0\nKey = 1\n", "vectors.rsp:1: a record of Count, Key"),
        ("missing.rsp", None, "missing.rsp: no such file or directory"),
    ],
)
def test_bad_vectors_are_told_before_anything_is_compiled(
    run, plain, tmp_path, monkeypatch, name, text, message
):
    monkeypatch.setattr(Core, "library", None)
    if text is not None:
        (tmp_path / name).write_text(text)
    code, out, err = run("verify", plain, "--vectors", tmp_path / name)
    assert (code, out) == (1, "")
    assert message in err


def test_a_folder_that_is_no_core_is_refused(run, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    code, _, err = run("build", "-o", tmp_path, "--no-prove")
    assert code == 1
    assert "not a core's folder" in err
    code, _, err = run("verify", tmp_path, "--random", "1")
    assert code == 1
    assert "not a core's folder" in err


@pytest.mark.slow
def test_sbox_lists_every_choice_in_a_hundred_columns(run):
    code, out, err = run("sbox")
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 100
    listed = [line.split()[0] for line in out.splitlines() if " proven" in line]
    assert listed == list(options()["sbox"].choices)
    row = next(line for line in out.splitlines() if line.startswith("boyar_peralta"))
    assert row.split() == [
        "boyar_peralta", "222.25", "47.79", "6A+21X", "81", "32", "0", "0", "0", "proven",
        "193.8", "1.64",
    ]  # fmt: skip


def test_sbox_tells_of_one_what_it_is_and_how_it_can_be_cut(run):
    code, out, _ = run("sbox", "poly_phi3_nu10_lemma1", "mixed", "twisted_bdd")
    assert code == 0
    for words in (
        "Phi = {11}_2, nu = {1010}_2, polynomial basis",
        "Table 1 has 239.6 GE and 1.11 ns",
        "53.78 uW on average, peak 1.229 mW at C9 -> 00",
        "equal to FIPS 197 for all 256 inputs",
        "Morioka, Satoh",
    ):
        assert words in out
    assert max(map(len, out.splitlines())) <= 100
    stages = [line.split()[:2] for line in out.splitlines() if "register bits" in line]
    assert [words[0] for words in stages] == ["stages", "2:", "3:", "4:"] * 3


def test_sbox_as_json(run):
    code, out, _ = run("sbox", "mozaffari_2012", "--json")
    (sbox,) = json.loads(out)
    assert code == 0
    assert sbox["gates"]["nand"] == 38
    assert sbox["area_ge"] <= 212
    assert [cut["stages"] for cut in sbox["stages"]] == [1, 2, 3, 4]
    assert sbox["stages"][0]["register_bits"] == 0 < sbox["stages"][1]["register_bits"]
    assert sbox["mozaffari_2012"]["area_ge"] == 239.6
    assert sbox["proof"] == {"kind": "exhaustive", "passed": True, "cases": 256}


def test_an_sbox_that_there_is_not_is_refused(run):
    code, out, err = run("sbox", "mozafari_2012")
    assert (code, out) == (1, "")
    assert "did you mean mozaffari_2012?" in err


def test_an_sbox_that_is_wrong_fails_the_listing(run, monkeypatch):
    from gcmforge.leaf import sbox_list

    leaf = sbox_list.sbox_leaf
    wrong = lambda name: dataclasses.replace(leaf(name), spec=lambda x: x)  # noqa: E731
    monkeypatch.setattr(sbox_list, "sbox_leaf", wrong)
    code, out, _ = run("sbox", "mixed")
    assert code == 1
    assert "FAILED" in out


@pytest.mark.yosys
def test_prove_names_every_proof_of_a_leaf(run):
    code, out, _ = run("prove", "aes_mix_column/small", "aes_sbox/boyar_peralta")
    assert code == 0
    assert "proven  aes_mix_column/small: linear: " in out
    assert "proven  aes_sbox/boyar_peralta: readback: " in out
    assert out.endswith("4 passed, 0 failed\n")


@pytest.mark.verilator
@pytest.mark.yosys
@pytest.mark.slow
def test_prove_takes_a_core(run, small):
    code, out, _ = run("prove", small, "--json")
    result = json.loads(out)
    assert (code, result["passed"], result["failed"]) == (0, 6, 0)
    assert {proof["module"] for proof in result["proofs"]} == {
        "aes_sbox", "aes_mix_column", "gf128_mul",
    }  # fmt: skip


def test_prove_fails_loudly(run, monkeypatch):
    import gcmforge.emit

    record = ProofRecord(
        module="aes_sbox", variant="table", kind="exhaustive", passed=False, cases=256,
        detail="x_i=0x53 gives 0xec, not 0xed",
    )  # fmt: skip
    monkeypatch.setattr(gcmforge.emit, "prove_library", lambda *_, **__: iter([record]))
    code, out, _ = run("prove")
    assert code == 1
    assert "FAILED  aes_sbox/table: exhaustive: x_i=0x53 gives 0xec, not 0xed" in out
    assert out.endswith("0 passed, 1 failed\n")


def test_prove_names_what_is_there_for_nothing_and_does_not_fail_of_it(run, monkeypatch):
    import gcmforge.emit
    from gcmforge.emit import IdleLeaf

    record = ProofRecord(
        module="aes_sbox", variant="made", kind="exhaustive", passed=True, cases=256, detail="agree"
    )
    waste = IdleLeaf(
        where="", leaf="aes_sbox/made", stages=1, constant=(("n3_8", 0),), unread=(), flip_flops=0,
        detail="n3_8 is always 0 (256 all patterns)",
    )  # fmt: skip
    monkeypatch.setattr(gcmforge.emit, "prove_library", lambda *_, **__: iter([record]))
    monkeypatch.setattr(gcmforge.emit, "idle_in_library", lambda _: iter([waste]))
    code, out, _ = run("prove")
    assert code == 0
    assert "idle    aes_sbox/made: n3_8 is always 0 (256 all patterns)" in out
    code, out, _ = run("prove", "--json")
    (found,) = json.loads(out)["idle"]
    assert (code, found["leaf"], found["constant"]) == (0, "aes_sbox/made", [["n3_8", 0]])


def test_prove_refuses_an_unknown_name(run):
    code, _, err = run("prove", "aes_sbocks")
    assert code == 1
    assert "aes_sbocks: neither a core's folder nor a leaf; did you mean aes_sbox" in err


RSP = """[Keylen = 128]
[IVlen = 96]
[PTlen = 128]
[AADlen = 0]
[Taglen = 128]

Count = 0
Key = 7fddb57453c241d03efbed3ac44e371c
IV = ee283a3fc75575e33efd4887
PT = d5de42b461646c255c87bd2962d3b9a2
AAD =
CT = 2ccda4a5415cb91e135c2a0f78c9b2fd
Tag = b36d1df9b9d5e596f83e8b7f52971cb3
"""


@pytest.mark.verilator
@pytest.mark.slow
def test_verify_passes_on_right_vectors_and_fails_on_a_wrong_one(run, small, tmp_path):
    right, wrong = tmp_path / "right.rsp", tmp_path / "wrong.rsp"
    right.write_text(RSP)
    wrong.write_text(RSP.replace("Tag = b3", "Tag = b2"))
    code, out, err = run("verify", small, "--vectors", right, "--seed", "3")
    assert (code, err) == (0, "")
    assert "right.rsp: 1 passed, 0 failed, 0 skipped" in out
    code, out, err = run("verify", small, "--vectors", wrong)
    assert code == 1
    assert "0 passed, 1 failed" in out
    assert "b36d1df9b9d5e596f83e8b7f52971cb3" in err
    code, out, _ = run("verify", small, "--vectors", right, wrong, "--json")
    result = json.loads(out)
    assert (code, result["passed"], result["failed"], result["ok"]) == (1, 1, 1, False)


@pytest.mark.verilator
@pytest.mark.slow
def test_verify_runs_random_packets(run, small):
    code, out, err = run("verify", small, "--random", "200", "--seed", "7", "--stalls", "both")
    assert code == 0, out + err
    assert "200 passed, 0 failed" in out
    assert "seed 7" in out


@pytest.mark.verilator
@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--random", "10", "--nist"],
            "use either vector files or a number of random packets",
        ),
        (["--random", "10", "--stalls", "some"], "stalls=some: use one of none, idle"),
        (["--vectors", "no.rsp"], "no.rsp"),
    ],
)
def test_verify_says_what_is_wrong_with_the_request(run, small, arguments, message):
    code, out, err = run("verify", small, *arguments)
    assert (code, out) == (1, "")
    assert message in err


@pytest.mark.iverilog
def test_doctor_lists_tools_as_text_and_as_json(run):
    code, out, _ = run("doctor")
    assert code == 0
    assert "verilator" in out
    code, out, _ = run("doctor", "--json")
    tools = {tool["name"]: tool for tool in json.loads(out)["tools"]}
    assert code == 0
    assert tools["verilator"]["version"] == "5.48.0"
    assert all(tool["install"] and tool["enables"] for tool in tools.values())


@pytest.mark.iverilog
def test_doctor_fails_when_a_needed_tool_is_missing(run, monkeypatch):
    monkeypatch.setenv("CXX", "no-such-compiler")
    code, out, _ = run("doctor")
    assert code == 1
    assert "MISSING  C++ compiler" in out
    assert "apt-get install g++" in out


@pytest.mark.parametrize(
    ("program", "said", "told"),
    [
        ("iverilog", "Icarus Verilog version 11.0 (stable) ()", "limited  Icarus Verilog"),
        ("iverilog", "Icarus Verilog version 13.0 (stable) ()", "limited  Icarus Verilog"),
        ("iverilog", "Icarus Verilog version 14.0 (stable) ()", "found    Icarus Verilog"),
        ("yosys", "Yosys 0.23 (git sha1 7ce5011c24b)", "limited  yosys command"),
        ("yosys", "Yosys 0.38+46 (git sha1 7ce5011c24b)", "limited  yosys command"),
        ("yosys", "Yosys 0.39 (git sha1 7ce5011c24b)", "found    yosys command"),
        ("yosys", "no version", "found    yosys command"),
    ],
)
def test_doctor_says_what_an_old_program_cannot_do(run, tmp_path, monkeypatch, program, said, told):
    (tmp_path / program).write_text(f"#!/bin/sh\necho '{said}'\n")
    (tmp_path / program).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    code, out, _ = run("doctor")
    assert code == 0
    (line,) = [line for line in out.splitlines() if told in line]
    assert ("use Verilator" in line or "gcmforge has its own" in line) == ("limited" in told)
    _, out, _ = run("doctor", "--json")
    notes = [tool["note"] for tool in json.loads(out)["tools"] if tool["name"] in told]
    assert [bool(note) for note in notes] == ["limited" in told]


@pytest.mark.slow
def test_the_module_runs_as_a_program(tmp_path):
    command = [sys.executable, "-m", "gcmforge"]
    version = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=60)
    assert version.stdout.strip() == gcmforge.__version__
    arguments = ["build", "--set", "lanes=0", "-o", "core"]
    failed = subprocess.run(
        [*command, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert failed.returncode == 1
    assert failed.stderr == "gcmforge: lanes=0: not allowed; use 1 to 16\n"


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["papers"], "gcmforge papers: it is now `gcmforge-study papers`\n"),
        (["papers", "yang2005", "1", "--measure"], "`gcmforge-study papers`\n"),
        (["specialise", "--statistics", "1000"], "it is now `gcmforge-study zeros 1000`\n"),
    ],
)
def test_what_went_to_the_study_says_so(run, arguments, answer):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.endswith(answer) and err.count("\n") == 1
