# SPDX-License-Identifier: Apache-2.0
"""Long work tells of itself off a terminal: now and then a line on standard error, else nothing."""

import importlib
import re
import time

import pytest

from gcmforge.cli import main, progress
from gcmforge.cli.progress import Told, counted, stepped

LINE = re.compile(r"gcmforge: .+; \d+ (s|min) so far(, about \d+ (s|min) left)?")


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(autouse=True)
def no_lines_of_progress():
    """Here they are what is tested."""


@pytest.fixture
def told(clock):
    return Told(clock)


@pytest.fixture
def often(monkeypatch):
    """Lines every hundredth of a second, and each step lasts until a line has told of it: however
    busy the machine is, no step is missed."""
    for name in ("LEAST_S", "MOST_S"):
        monkeypatch.setattr(progress, name, 0.01)
    monkeypatch.setattr(progress, "FIRST_S", 0.0)
    lines, at, line = [], Told.at, Told.line

    def told_line(self):
        lines.append(line(self))
        return lines[-1]

    def told_step(self, step):
        at(self, step)
        latest = time.monotonic() + 60
        while not any(f"gcmforge: {step}; " in one for one in lines):
            assert time.monotonic() < latest, f"no line told of {step}"
            time.sleep(0.002)

    monkeypatch.setattr(Told, "line", told_line)
    monkeypatch.setattr(Told, "at", told_step)


@pytest.fixture
def run(capsys):
    def command(*arguments):
        with pytest.raises(SystemExit) as end:
            main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return end.value.code, printed.out, printed.err.splitlines()

    return command


# What a line says ---------------------------------------------------------------------------------


def test_a_line_says_what_how_far_how_long_and_how_long_still(told, clock):
    told.at("0 of 47,250 packets")
    clock.now += 40
    told.at("12,000 of 47,250 packets")
    assert told.line() == "gcmforge: 12,000 of 47,250 packets; 40 s so far, about 118 s left"


def test_what_is_left_is_told_from_where_counting_began(told, clock):
    """Compiling took 60 s of no packets: the packets' own rate is what counts."""
    told.at("compiling")
    clock.now += 60
    assert told.line() == "gcmforge: compiling; 60 s so far"
    told.at("0 of 100 packets")
    clock.now += 10
    told.at("50 of 100 packets")
    assert told.line() == "gcmforge: 50 of 100 packets; 70 s so far, about 10 s left"


def test_nothing_is_said_of_what_is_left_while_nothing_is_done(told, clock):
    told.at("0 of 5: measuring on ge")
    clock.now += 4_000
    assert told.line() == "gcmforge: 0 of 5: measuring on ge; 67 min so far"


def test_lines_come_after_ten_seconds_then_less_and_less_often(told, clock):
    waits = []
    while clock.now < 100 + 6 * 3600:
        waits.append(told.due - clock.now)
        clock.now = told.due
        told.line()
    assert waits[:4] == [10, 30, 30, 30]
    assert waits == [waits[0], *sorted(waits[1:])]
    assert max(waits) == 300
    assert len(waits) < 100  # of a work of six hours


def test_steps_are_counted_for_who_does_not():
    said = []
    leaf, step = counted(said.append, 3, "leaves"), stepped(said.append, 2)
    for name in ("one", "two"):
        leaf(name)
        step(name)
    assert said == ["0 of 3 leaves: one", "step 1/2: one", "1 of 3 leaves: two", "step 2/2: two"]


# Commands -----------------------------------------------------------------------------------------


def test_short_work_says_nothing(capsys):
    with progress.progress_line() as shown, progress.bar() as counts:
        shown("compiling")
        counts(1, 2, "half")
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "")


@pytest.mark.slow
@pytest.mark.yosys
def test_build_and_prove_tell_of_themselves(run, often, tmp_path):
    code, _, lines = run("build", "--no-prove", "--no-datasheet", "-o", tmp_path / "core")
    assert code == 0 and lines
    assert all(LINE.fullmatch(line) for line in lines), lines
    assert any(re.match(r"gcmforge: step \d/\d: \w+: making", line) for line in lines)
    code, out, lines = run("prove", "aes_sbox/table", "aes_mix_column", "--json")
    assert code == 0 and out.startswith("{")
    assert all(LINE.fullmatch(line) for line in lines), lines
    assert any(re.match(r"gcmforge: \d of 5 leaves: ", line) for line in lines)


def test_verify_tells_of_itself(run, often, tmp_path, monkeypatch):
    from gcmforge.tools import ToolError

    module = importlib.import_module("gcmforge.sim.verify")  # what `sim` names so is a function

    def slow(job, progress, core=None):
        for done in (0, 10, 20):
            progress(done, 40)
        raise ToolError("enough")

    assert run("build", "--no-prove", "--no-datasheet", "-o", tmp_path / "core")[0] == 0
    monkeypatch.setattr(module, "run_job", slow)
    code, _, lines = run("verify", tmp_path / "core", "--random", "40")
    assert (code, lines[-1]) == (1, "gcmforge: enough")
    assert all(LINE.fullmatch(line) for line in lines[:-1]), lines
    told = [line for line in lines if line.startswith("gcmforge: 10 of 40 packets; ")]
    assert told and all(" so far, about " in line for line in told)


def test_measuring_and_exploring_tell_of_themselves(run, often, tmp_path, monkeypatch):
    from gcmforge.explore import executor
    from gcmforge.measure import measure
    from gcmforge.measure.subject import MeasureError

    def slow(what, target, *, progress, **_):
        progress("mapped gf128_mul (3 of 12)")
        raise MeasureError("enough")

    def failing(asks, store, **_):
        for number, ask in enumerate(asks):
            yield executor.Measured(ask=ask, result=None, error=f"enough {number}")

    monkeypatch.setenv("GCMFORGE_STORE", str(tmp_path / "results.sqlite"))
    monkeypatch.setattr(measure, "measure", slow)
    monkeypatch.setattr(executor, "run", failing)
    _, _, lines = run("measure", "small")
    assert any(line.startswith("gcmforge: mapped gf128_mul (3 of 12); ") for line in lines)
    (tmp_path / "space.toml").write_text("contexts = [1, 2, 3]\n")
    _, _, lines = run("explore", tmp_path / "space.toml", "--depth", "measure", "--target", "ge")
    told = [line for line in lines if LINE.fullmatch(line)]
    assert any(line.startswith("gcmforge: 1 of 3: AES") and "left" in line for line in told)


@pytest.mark.slow
@pytest.mark.yosys
def test_specialise_tells_of_itself(run, often, tmp_path):
    (tmp_path / "h").write_text("66e94bd4ef8a2c3b884cfa59ca342b2e\n")
    code, _, lines = run(
        "specialise", "--subkey-file", tmp_path / "h", "--effort", "quick", "-o", tmp_path / "g"
    )
    assert code == 0
    assert any(line.startswith("gcmforge: minimising and proving; ") for line in lines)
