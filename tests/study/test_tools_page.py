# SPDX-License-Identifier: Apache-2.0
"""What docs/reference/tools.md says of tools of others: its commands are run again."""

import dataclasses
import re
import shutil
import sys
from pathlib import Path

import needs
import pytest

from gcmforge.study import cli
from gcmforge.study.pages import tools
from gcmforge.study.pages.tool_versions import package, program
from gcmforge.tools import ToolError

ROOT = Path(__file__).parents[2]
TRIALS = tools.trials()
LONG = ("gcmforge verify", "--target sim", "litex/run.py", "amaranth/run.py", "cocotbext-axi/run")
"""These are run by tests of their own."""


def marks(trial):
    return [getattr(pytest.mark, tool.mark) for tool in trial.tools]


def parameters():
    for trial in TRIALS:
        if not any(word in trial.command for word in LONG):
            name = f"{trial.tool.mark}: {trial.what}"
            yield pytest.param(trial, marks=marks(trial), id=re.sub(r"\W+", " ", name))


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    return tools.Bench(tmp_path_factory.mktemp("tools"))


@pytest.mark.slow
@pytest.mark.parametrize("trial", list(parameters()))
def test_a_tool_does_with_a_core_what_the_page_says(trial, bench):
    found = bench.run(trial)
    assert found.ok, f"{trial.command}: {found.text}"


def test_every_tool_is_tried_and_every_long_run_has_a_test_of_its_own():
    names = {trial.tool.name for trial in TRIALS}
    assert {"Verilator", "Icarus Verilog", "slang", "GHDL", "FuseSoC", "LiteX", "OpenSTA"} <= names
    assert {"schema of IP-XACT", "Yosys of the package", "Yosys of the system"} <= names
    for trial in TRIALS:
        assert {tool.mark for tool in trial.tools} <= set(needs.NEEDS)
        if any(word in trial.command for word in LONG):
            assert trial.test
        if trial.test:
            text = (ROOT / trial.test).read_text()
            given = needs.IMPORTS.get(trial.tool.mark, {})
            modules = [module for module in given if module and module in text]
            assert f"mark.{trial.tool.mark}" in text or modules, trial.test


def test_the_page_has_a_row_and_a_command_for_each():
    text = (ROOT / "docs/reference/tools.md").read_text()
    rows = re.findall(r"^\| \d+ \| (.*?) \| (.*?) \|", text, re.MULTILINE)
    assert [name for name, _ in rows] == [trial.tool.name for trial in TRIALS]
    commands = re.findall(r"^\d+\. `(.*)`$", text, re.MULTILINE)
    assert commands == [trial.command for trial in TRIALS]
    assert "did not do what is expected" not in text


# ---- a tool that is missing, a core that is wrong ------------------------------------------------


def echo(text, finds, **more):
    tool = tools.Tool(name="echo", mark="cc", version=lambda: "1.0", install="nothing")
    trial = {"tool": tool, "what": "says", "command": f"echo {text}", "finds": finds, **more}
    return tools.Trial(**trial)


def written(trials, tmp_path, monkeypatch):
    monkeypatch.setattr(tools, "trials", lambda: tuple(trials))
    monkeypatch.setattr(sys, "stderr", sys.stdout)
    out = tmp_path / "tools.md"
    try:
        tools.main(["--out", str(out)])
    except ToolError as error:
        return out.read_text(), str(error)
    return out.read_text(), ""


def test_a_tool_that_is_missing_is_a_row_that_says_so(tmp_path, monkeypatch):
    there = echo("yes", "^yes$")
    gone = tools.Tool(
        name="gone", mark="cc", version=program("no-such-tool-1"), install="apt-get it"
    )
    missing = dataclasses.replace(there, tool=gone)
    text, error = written([there, missing], tmp_path, monkeypatch)
    assert error == ""
    assert "**Not installed where this was written**: gone (`apt-get it`)." in text
    assert "| 1 | echo | 1.0 | says | `yes` |" in text
    assert "| 2 | gone | none | says | not installed |" in text
    assert package("no-such-package-1")() == ""


def test_a_second_tool_that_is_missing_is_named(tmp_path, monkeypatch):
    """It was a failure of the first, with the last line that happened to be printed."""
    there = tools.Tool(name="there", mark="cc", version=lambda: "1", install="nothing")
    first, second = (
        tools.Tool(name=name, mark="cc", version=lambda: "", install=f"apt-get {name}")
        for name in ("one", "two")
    )
    asked = [
        echo("no", "^yes$", needs=(there, first)),
        echo("no", "^yes$", needs=(first, second), what="asks"),
        echo("no", "^yes$", tool=second, needs=(first,), what="tells"),
    ]
    text, error = written(asked, tmp_path, monkeypatch)
    assert error == ""
    assert "| 1 | echo | 1.0 | says | not run without one |" in text
    assert "| 2 | echo | 1.0 | asks | not run without one and two |" in text
    assert "| 3 | two | none | tells | not run without two and one |" in text
    told = "**Not installed where this was written**: one (`apt-get one`), two (`apt-get two`)."
    assert told in text and "failed" not in text


def test_a_core_is_not_built_without_what_proves_its_leaves():
    built = [trial for trial in TRIALS if trial.cores]
    assert built and all(tools.YOSYS in trial.tools for trial in built)


@pytest.mark.parametrize(
    ("trial", "words"),
    [
        (echo("no", "^yes$"), "exit code 0: no"),
        (echo("yes; exit 3", "^yes$"), "exit code 3: yes"),
        (echo("yes", "^yes$", refuses=True), "exit code 0: yes"),
    ],
    ids=["other words", "an error", "no error where one has to be"],
)
def test_what_is_not_as_expected_is_said_and_is_an_error(trial, words, tmp_path, monkeypatch):
    text, error = written([trial], tmp_path, monkeypatch)
    assert f"**failed**: `{words}`" in text
    assert "**1 did not do what is expected**" in text
    assert error.startswith("1 of 1 did not do what is expected: echo: echo ")
    monkeypatch.setattr(cli, "_write_page", lambda name, arguments: tools.main(list(arguments)))
    assert cli._write_pages(["tools"], ["--out", str(tmp_path / "again.md")]) == 1


@pytest.mark.slow
@pytest.mark.slang
@pytest.mark.yosys
def test_a_core_that_is_wrong_is_not_read(bench):
    """The command of slang, on a core with a name that nothing declares."""
    (trial,) = [one for one in TRIALS if one.tool is tools.SLANG]
    assert bench.run(trial).ok
    wrong = tools.Bench(bench.folder.with_name("wrong"))
    shutil.copytree(bench.folder / "cores/default", wrong.folder / "cores/default")
    (file,) = wrong.folder.rglob("axis_skid.sv")
    file.write_text(file.read_text().replace("spare_valid_q;", "spare_other_q;", 1))
    found = wrong.run(trial)
    assert not found.ok
    assert "Build failed" in found.text
