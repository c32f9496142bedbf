# SPDX-License-Identifier: Apache-2.0
"""Files that are almost right are taken or refused; a reader that does otherwise is found out."""

import os
from pathlib import Path
from random import Random

import pytest

from gcmforge.config import ConfigError
from gcmforge.study.evidence import fuzz as evidence
from gcmforge.study.fuzz import guard, runs
from gcmforge.study.fuzz.mutate import Form, mutated
from gcmforge.study.fuzz.reader import Place, Reader
from gcmforge.study.fuzz.runs import INPUTS, fuzz
from gcmforge.study.fuzz.trees import json_changed, liberty_changed, toml_changed

FILES = {"configuration": 60, "vectors": 300, "stores": 60, "liberty": 80}
"""Some seconds each."""
WITH_COMMANDS = ("configuration", "stores")
"""Commands that work with files of the others simulate or synthesise."""


@pytest.mark.slow
@pytest.mark.parametrize("name", INPUTS)
def test_each_input_has_no_finding(name, tmp_path):
    before = dict(os.environ)
    commands = name in WITH_COMMANDS
    report = fuzz(name, seed=7, files=FILES[name], commands=commands, keep=tmp_path / "kept")
    assert report.findings == {}
    assert not (tmp_path / "kept").exists()
    assert report.tried == FILES[name] == report.taken + report.refused
    assert report.taken > 3
    assert (report.commands > 0) == commands
    assert report.lines > 50
    assert dict(os.environ) == before


def test_the_same_seed_makes_the_same_files(monkeypatch):
    form = Form(words=("a", "b"), change=toml_changed)
    made = [[mutated(Random(seed), [b"a = [1, 2]\nb = 'x'\n"], form) for seed in range(60)]] * 2
    assert made[0] == made[1]
    assert len(set(made[0])) > 40
    reports = [fuzz("vectors", seed=3, files=40, commands=False) for _ in range(2)]
    assert reports[0] == reports[1]


@pytest.mark.parametrize(
    ("change", "data"),
    [
        (toml_changed, b"a = [1, {b = 'x'}]\nc = 2020-01-01\n"),
        (json_changed, b'{"a": [1, 2], "b": {"c": null}}'),
        (liberty_changed, b"a () {\n b () { }\n c () { d () { } }\n}\n"),
    ],
)
def test_changes_of_values_differ_and_need_a_valid_file(change, data):
    form = Form(words=("w", "5"))
    assert len({change(Random(seed), data, form) for seed in range(50)}) > 5
    with pytest.raises(ValueError):
        change(Random(1), b"= {", form)


# A reader that is wrong ---------------------------------------------------------------------------


def place(tmp_path, read, **more):
    reader = Reader(
        name="odd", file="odd.txt", samples=(b"x",), read=read, refusals=(ConfigError,),
        form=Form(), **more,
    )  # fmt: skip
    return Place.made(reader, tmp_path)


def raises(error):
    def read(path):
        raise error(f"{path}: wrong") if isinstance(error, type) else error

    return read


def endless(path):
    while True:
        pass


def greedy(path):
    return b"\1" * (2 * guard.MORE_MEMORY)


def writes(path):
    (path.parent / "new").write_text("half")
    raise ConfigError(f"{path}: wrong")


def spoils(path):
    path.write_text("y")


@pytest.mark.parametrize(
    ("read", "finding"),
    [
        (raises(ConfigError), ""),
        (raises(KeyError), "KeyError in "),
        (raises(RecursionError), "RecursionError in "),
        (raises(ConfigError("wrong")), "the message does not name the file"),
        (raises(ConfigError("odd.txt:\n wrong")), "the message is not one printable line"),
        (raises(ConfigError(f"odd.txt: {'x' * 5000}")), "the message is long"),
        (endless, "takes too long"),
        (greedy, "MemoryError"),
        (writes, "changed new and refused it"),
        (spoils, "changed odd.txt and took it"),
    ],
)
def test_what_a_reader_may_not_do_is_a_finding(tmp_path, monkeypatch, read, finding):
    monkeypatch.setattr(guard, "LIMIT_S", 0.05)
    tried = place(tmp_path, read).tried(b"z")
    assert tried.finding.startswith(finding)
    assert bool(tried.finding) == bool(finding)


@pytest.mark.parametrize(
    ("main", "finding"),
    [
        (lambda words: refuse(1, "gcmforge: odd.txt: wrong\n"), ""),
        (lambda words: refuse(0, ""), "gcmforge build: exit code 0"),
        (lambda words: refuse(1, "Traceback (most recent call last)"), "gcmforge build: a trace"),
        (lambda words: refuse(1, ""), "gcmforge build: says nothing"),
        (lambda words: {}["x"], "gcmforge build: KeyError"),
        (lambda words: half(Path(words[1])), "gcmforge build: failed and left half"),
    ],
)
def test_what_a_command_may_not_do_is_a_finding(tmp_path, monkeypatch, main, finding):
    monkeypatch.setattr("gcmforge.cli.main", main)
    at = place(tmp_path, raises(ConfigError))
    found = at.refused(["build", str(at.folder)])
    assert found.startswith(finding)
    assert bool(found) == bool(finding)


def refuse(code, text):
    import sys

    print(text, end="", file=sys.stderr)
    raise SystemExit(code)


def half(folder):
    (folder / "half").write_text("")
    refuse(1, "gcmforge: wrong\n")


def test_a_finding_is_counted_and_one_file_of_it_is_kept(tmp_path, monkeypatch):
    reader = Reader(
        name="odd", file="odd.txt", samples=(b"good",), refusals=(ConfigError,), form=Form(),
        read=lambda path: None if path.read_bytes() == b"good" else {}["x"],
    )  # fmt: skip
    monkeypatch.setitem(INPUTS, "odd", runs.Input(what="", readers=lambda: (reader,), modules=()))
    report = fuzz("odd", seed=1, files=20, keep=tmp_path / "kept")
    ((what, count),) = report.findings.items()
    assert what.startswith("odd: KeyError")
    assert count > 10
    assert {path.suffix for path in (tmp_path / "kept").iterdir()} == {".txt"}
    assert what in report.text


# As evidence --------------------------------------------------------------------------------------


def test_a_run_that_ends_in_any_way_is_told(monkeypatch):
    class Run:
        returncode, stdout, stderr = -11, "", "something\nSegmentation fault\n"

    monkeypatch.setattr(evidence.subprocess, "run", lambda *_, **__: Run())
    found = evidence.kept_run("stores", 1)
    assert (found.ok, found.text) == (False, "stores: ended with -11: Segmentation fault")


def test_the_page_adds_up_the_runs_of_an_input():
    def record(seed, **found):
        report = runs.Report(input="stores", seed=seed, tried=1000, taken=400, refused=600)
        report.processor_seconds = 60.0
        data = {**report.to_mapping(), **found}
        return {"found": data, "seed": seed, "seconds": 600.0, "version": "1.0+abc"}

    lines = list(evidence.page([record(1), record(2, findings={"a": 3})]))
    (row,) = [line for line in lines if line.startswith("| `stores`")]
    assert row.endswith("| 20 | 2.0 | 2,000 | 800 | 1,200 | 0 | 1 | 1 to 2 | `1.0+abc` |")
