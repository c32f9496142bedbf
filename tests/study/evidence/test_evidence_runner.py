# SPDX-License-Identifier: Apache-2.0
"""The runner of the evidence: it may be interrupted and goes on; a step that breaks is told."""

import time
from pathlib import Path

import pytest

from gcmforge.config import CoreConfig
from gcmforge.study.evidence import runner
from gcmforge.study.evidence.runner import known_records, rtl_digest, run_steps
from gcmforge.study.kept import Found, Kept, Step


def noted(path: str, name: str, seconds: float = 0.0) -> Found:
    """A step that leaves a line when it ends."""
    time.sleep(seconds)
    with Path(path).open("a", encoding="ascii") as file:
        file.write(f"{name}\n")
    return Found(ok=True, text="done", data={"name": name})


def broken(path: str) -> Found:
    noted(path, "broken")
    raise ValueError("a tool is not there")


class Run:
    """Steps that note that they were made, and their results in a folder."""

    def __init__(self, folder: Path) -> None:
        self.notes, self.kept = folder / "notes", Kept("trial", folder)
        self.names = ["first", "second", "third", "broken"]

    def step(self, name: str, seconds: float = 0.0, digest: str = "1") -> Step:
        call, more = (broken, ()) if name == "broken" else (noted, (name, seconds))
        return Step(
            kind="trial", name=name, command=f"trial {name}", call=call,
            arguments=(str(self.notes), *more), seed=7, digest=digest,
        )  # fmt: skip

    def __call__(self, *steps: Step, progress=lambda *_: None):
        known = {("trial", name): record for name, record in self.kept.read().items()}
        done = run_steps(
            steps, jobs=1, known=known, progress=progress,
            keep=lambda step, record: self.kept.add(step.name, record, self.names),
        )  # fmt: skip
        return {one.step.name: one for one in done}

    @property
    def made(self) -> list[str]:
        return self.notes.read_text("ascii").split()


@pytest.fixture
def run(tmp_path):
    return Run(tmp_path)


@pytest.mark.slow
def test_an_interrupted_run_keeps_what_has_ended_and_goes_on_there(run):
    def interrupt(*_):
        raise KeyboardInterrupt

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run(run.step("first"), run.step("second", 120), progress=interrupt)
    assert time.monotonic() - began < 60, "the step that runs is ended, not waited for"
    assert run.made == ["first"]
    assert list(run.kept.read()) == ["first"]

    done = run(run.step("first"), run.step("second"), run.step("third"))
    assert done["first"].record is None and done["first"].text == "kept already"
    assert sorted(run.made) == ["first", "second", "third"]
    assert list(run.kept.read()) == ["first", "second", "third"]


@pytest.mark.slow
def test_a_step_that_breaks_ends_no_other_and_is_made_again(run):
    steps = run.step("broken"), run.step("first")
    done = run(*steps)
    assert done["first"].ok and not done["broken"].ok
    assert done["broken"].text == "ValueError: a tool is not there"
    record = run.kept.read()["broken"]
    assert (record["ok"], record["command"], record["seed"]) == (False, "trial broken", 7)

    again = run(*steps)
    assert again["first"].record is None
    assert again["broken"].record is not None
    assert sorted(run.made) == ["broken", "broken", "first"]


@pytest.mark.slow
def test_a_step_is_made_again_when_what_it_depends_on_changes(run):
    run(run.step("first"))
    run(run.step("first", digest="2"))
    assert run.made == ["first", "first"]
    assert run.kept.read()["first"]["asked"] == "trial first 2"


def test_what_is_of_no_commit_of_this_repository_is_made_again(monkeypatch, tmp_path):
    kept = Kept("trial", tmp_path)
    for name, version in (("first", "0.1.0+e005140"), ("second", "0.1.0+ed219a8")):
        kept.add(name, {"version": version}, ["first", "second"])
    monkeypatch.setattr(runner, "Kept", lambda kind: Kept(kind, tmp_path))
    monkeypatch.setattr(runner, "is_of_a_commit", lambda version: version.endswith("e005140"))
    assert known_records(["trial"]) == {("trial", "first"): {"version": "0.1.0+e005140"}}


def test_again_keeps_what_this_version_made(monkeypatch, tmp_path):
    kept = Kept("trial", tmp_path)
    for name, version in (("first", "0.1.0+e005140"), ("second", "0.1.0+0ba2c5d")):
        kept.add(name, {"version": version}, ["first", "second"])
    monkeypatch.setattr(runner, "Kept", lambda kind: Kept(kind, tmp_path))
    monkeypatch.setattr("gcmforge.measure.store.project_version", lambda: "0.1.0+0ba2c5d")
    known = known_records(["trial"], again=True)
    assert known == {("trial", "second"): {"version": "0.1.0+0ba2c5d"}}


def test_comments_and_blanks_of_a_core_change_no_result(monkeypatch, tmp_path):
    from gcmforge.sim import aead
    from gcmforge.sim import compile as compiling

    def digest(text: str) -> str:
        (tmp_path / "core.sv").write_text(text, encoding="utf-8")
        step = Step(kind="trial", name="core", command="", call=noted, arguments=(),
                    rtl=CoreConfig())  # fmt: skip
        return rtl_digest(step)

    monkeypatch.setattr(aead, "built", lambda config: None)
    monkeypatch.setattr(compiling, "core_sources", lambda core: [tmp_path / "core.sv"])
    first = digest("// one\nmodule core;\n  assign a = b;  // sum\nendmodule\n")
    assert digest("// other\nmodule core;\n  assign a  = b;\nendmodule\n") == first
    assert digest("// one\nmodule core;\n  assign a = c;  // sum\nendmodule\n") != first
