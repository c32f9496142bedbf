# SPDX-License-Identifier: Apache-2.0
"""Long work tells of itself off a terminal: now and then a line on standard error, else nothing."""

import importlib
import re
import time

import pytest

from gcmforge.cli import main, progress
from gcmforge.cli.progress import Told, counted, stepped

LINE = re.compile(r"gcmforge: .+; \d+ s so far(, about \d+ s left)?")


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def told(clock):
    return Told(clock)


@pytest.fixture
def often(monkeypatch):
    """Lines as soon as there is work, and every hundredth of a second."""
    monkeypatch.setattr(progress, "FIRST_S", 0.0)
    monkeypatch.setattr(progress, "LEAST_S", 0.01)


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


def test_short_work_says_nothing(run):
    assert run("sbox", "table")[2] == []


@pytest.mark.yosys
def test_build_and_prove_tell_of_themselves(run, often, tmp_path):
    code, _, lines = run("build", "--no-prove", "--no-datasheet", "-o", tmp_path / "core")
    assert code == 0 and lines
    assert all(LINE.fullmatch(line) for line in lines), lines
    assert any(re.match(r"gcmforge: step \d/\d: \w+: making", line) for line in lines)
    code, out, lines = run("prove", "aes_sbox/table", "aes_mix_column", "--json")
    assert code == 0 and out.startswith("{")
    assert all(LINE.fullmatch(line) for line in lines), lines
    assert any(re.match(r"gcmforge: \d of 4 leaves: ", line) for line in lines)


def test_verify_tells_of_itself(run, often, tmp_path, monkeypatch):
    from gcmforge.tools import ToolError

    module = importlib.import_module("gcmforge.sim.verify")  # what `sim` names so is a function

    def slow(job, progress):
        for done in (0, 10, 20):
            progress(done, 40)
            time.sleep(0.05)
        raise ToolError("enough")

    assert run("build", "--no-prove", "--no-datasheet", "-o", tmp_path / "core")[0] == 0
    monkeypatch.setattr(module, "run_job", slow)
    code, _, lines = run("verify", tmp_path / "core", "--random", "40")
    assert (code, lines[-1]) == (1, "gcmforge: enough")
    assert all(LINE.fullmatch(line) for line in lines[:-1]), lines
    assert "gcmforge: 10 of 40 packets; 0 s so far, about 0 s left" in lines


def test_measuring_and_exploring_tell_of_themselves(run, often, tmp_path, monkeypatch):
    from gcmforge.explore import executor
    from gcmforge.measure import measure
    from gcmforge.measure.subject import MeasureError

    def slow(what, target, *, progress, **_):
        progress("mapped gf128_mul (3 of 12)")
        time.sleep(0.05)
        raise MeasureError("enough")

    def failing(asks, store, **_):
        for number, ask in enumerate(asks):
            time.sleep(0.05)
            yield executor.Measured(ask=ask, result=None, error=f"enough {number}")

    monkeypatch.setenv("GCMFORGE_STORE", str(tmp_path / "results.sqlite"))
    monkeypatch.setattr(measure, "measure", slow)
    monkeypatch.setattr(executor, "run", failing)
    _, _, lines = run("measure", "small")
    assert "gcmforge: mapped gf128_mul (3 of 12); 0 s so far" in lines
    (tmp_path / "space.toml").write_text("contexts = [1, 2, 3]\n")
    _, _, lines = run("explore", tmp_path / "space.toml", "--depth", "measure", "--target", "ge")
    told = [line for line in lines if LINE.fullmatch(line)]
    assert any(line.startswith("gcmforge: 1 of 3: AES") and "left" in line for line in told)


@pytest.mark.yosys
def test_specialise_tells_of_itself(run, often, tmp_path):
    (tmp_path / "h").write_text("66e94bd4ef8a2c3b884cfa59ca342b2e\n")
    code, _, lines = run(
        "specialise", "--subkey-file", tmp_path / "h", "--effort", "quick", "-o", tmp_path / "g"
    )
    assert code == 0
    assert any(line.startswith("gcmforge: minimising and proving; ") for line in lines)
