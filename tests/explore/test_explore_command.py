# SPDX-License-Identifier: Apache-2.0
"""gcmforge explore: what it prints, what it writes, which exit code it leaves."""

import csv
import json

import pytest

from gcmforge.cli import main

SPACE = """
key_sizes = [128]
aes = ["pipelined", "loop"]
aes_rounds = [1, 2]
ghash = ["serial", "aggregated"]
multiplier = "ko4"
"""


@pytest.fixture
def space(tmp_path):
    (tmp_path / "space.toml").write_text(SPACE)
    return tmp_path / "space.toml"


@pytest.fixture
def run(capsys):
    def command(*arguments):
        with pytest.raises(SystemExit) as end:
            main(["explore", *map(str, arguments)])
        printed = capsys.readouterr()
        return end.value.code, printed.out, printed.err

    return command


def test_a_space_is_counted_before_anything_runs(run, space):
    code, out, _ = run(space, "--count")
    assert code == 0
    assert out.splitlines() == [
        "6 points of 8 combinations", "  2 contradict themselves: aes_rounds with aes",
    ]  # fmt: skip


def test_a_space_is_estimated_with_its_front_and_the_error(run, space):
    code, out, err = run(space)
    assert (code, err) == (0, "")
    assert "of 6 points are on the front of gbit_per_s and area_ge" in out
    assert "estimates on osu018" in out.splitlines()[-1]


def test_json_and_csv_hold_every_point(run, space, tmp_path):
    code, out, _ = run(space, "--json", "--csv", tmp_path / "all.csv")
    assert code == 0
    found = json.loads(out)
    assert len(found["points"]) == 6
    assert found["front"]["osu018"]
    assert found["points"][0]["build"].startswith("gcmforge build --set ")
    rows = list(csv.DictReader((tmp_path / "all.csv").open()))
    assert [float(row["area_ge"]) for row in rows] == [p["area_ge"] for p in found["points"]]


def test_a_need_names_a_core_and_its_command(run, space):
    code, out, _ = run(space, "--need", "10 Gbit/s, osu018, 64-byte packets")
    assert code == 0
    assert "build: AES-128-GCM, 1 lane, pipelined AES, serial GHASH" in out
    assert "gcmforge build --set key_sizes=128 --set ghash=serial --set multiplier=ko4" in out


def test_a_need_that_nothing_serves_is_said_with_exit_code_1(run, space):
    code, out, _ = run(space, "--gbit", "900")
    assert code == 1
    assert "nothing serves: none of 6 points does" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a space (a TOML file) or a need"),
        (["none.toml"], "none.toml: cannot be read"),
        (["SPACE", "--front", "speed"], "front=speed: use gbit_per_s"),
        (["SPACE", "--depth", "guess"], "depth=guess: use estimate or measure"),
        (["SPACE", "--target", "ecp5"], "estimates on ecp5: nothing was measured there"),
        (["SPACE", "--need", "quick"], "quick: not understood"),
    ],
)
def test_what_is_wrong_is_one_line(run, space, arguments, message):
    code, out, err = run(*(space if word == "SPACE" else word for word in arguments))
    assert (code, out) == (1, "")
    assert err.startswith("gcmforge: ")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.optuna
def test_a_search_looks_at_as_many_points_as_it_may(run, space):
    code, out, _ = run(space, "--search", "4", "--json")
    assert code == 0
    assert len(json.loads(out)["points"]) == 4
