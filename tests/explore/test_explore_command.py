# SPDX-License-Identifier: Apache-2.0
"""gcmforge explore: what it prints, what it writes, which exit code it leaves."""

import csv
import json
import re

import pytest

from gcmforge.cli import main
from gcmforge.explore import executor
from gcmforge.measure.result import CriticalPath, Result

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


@pytest.mark.slow
def test_a_space_is_estimated_with_its_front_and_the_error(run, space):
    code, out, err = run(space)
    assert (code, err) == (0, "")
    assert "of 6 points are on the front of gbit_per_s and area_ge" in out
    assert "estimates on osu018" in out.splitlines()[-2]
    assert "placed figures on osu018 are estimates" in out.splitlines()[-1]


@pytest.mark.slow
def test_a_long_front_says_how_many_it_does_not_show_and_shows_all_when_asked(run, tmp_path):
    (tmp_path / "long.toml").write_text(
        'lanes = "1..16"\nghash_stages = [1, 2]\ncontexts = 1\nsbox = ["small", "fast"]\n'
    )
    asked = (tmp_path / "long.toml", "--front", "bits_per_cycle,area_ge,fmax_mhz")
    _, out, _ = run(*asked, "--json")
    front = json.loads(out)["front"]["osu018"]
    assert len(front) > 25
    code, out, _ = run(*asked)
    left = f"{len(front) - 25} of the {len(front)} points on the front are not shown; "
    assert code == 0
    assert f"{left}--whole shows them all" in out.splitlines()
    assert len(rows(out)) == 25
    code, out, _ = run(*asked, "--whole")
    assert (code, len(rows(out))) == (0, len(front))
    assert "not shown" not in out


def rows(printed):
    """Lines of a table of points: each begins with a number and has options."""
    return [line for line in printed.splitlines() if re.match(r" *[\d,]+  +\d", line)]


@pytest.fixture
def on_ge(monkeypatch, tmp_path):
    """Measurements as `ge` gives them: T_A, no Fmax. Areas fall with the number of the point."""

    def measured(asks, store, **_):
        for number, ask in enumerate(asks):
            path = CriticalPath(
                delay_ns=None, delay_ta=70.0 + number, fmax_mhz=None, start="", end="", cells=1
            )
            yield executor.Measured(
                ask=ask,
                result=Result(
                    what="x", kind="core", summary="", configuration=ask.config.to_mapping(),
                    rtl_sha256="", target="ge", target_kind="asic", target_family="",
                    target_version="", tools={}, effort="quick", note="", command="",
                    area_ge=90_000.0 - number, timing=path,
                ),
            )  # fmt: skip

    monkeypatch.setenv("GCMFORGE_STORE", str(tmp_path / "results.sqlite"))
    monkeypatch.setattr(executor, "run", measured)


def test_on_gate_equivalents_the_front_is_of_what_they_have(run, space, on_ge):
    code, out, err = run(space, "--depth", "measure", "--target", "ge")
    assert (code, err) == (0, "")
    title = next(line for line in out.splitlines() if "on the front" in line)
    assert "of 6 points are on the front of bits_per_cycle and area_ge" in title
    assert not title.startswith("ge, measured: 0 ")
    assert len(rows(out)) == int(title.split()[2])


def test_a_target_whose_points_make_no_front_fails_with_the_reason(run, space, on_ge):
    """Energy may be missing of every core although it was asked for."""
    code, out, err = run(
        space,
        "--depth",
        "measure",
        "--power",
        "--target",
        "osu018",
        "--front",
        "area_ge,pj_per_bit",
    )
    assert (code, out) == (1, "")
    assert "osu018: no front: no core has pj_per_bit there; use --front with two or more of " in err


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
        (["SPACE", "--front", "area_ge"], "front=area_ge: a front takes two figures or more"),
        (
            ["SPACE", "--depth", "measure", "--target", "ge", "--front", "gbit_per_s,area_ge"],
            "front=gbit_per_s,area_ge on ge: no core would be on it (gbit_per_s: the target has no "
            "unit of time); use two or more of bits_per_cycle, area_ge, flip_flops, delay_ta, ",
        ),
        (
            ["SPACE", "--depth", "measure", "--target", "xc7", "--front", "fmax_mhz,area_ge"],
            "fmax_mhz: no tool here places this family, so it has no clock; area_ge: an FPGA has "
            "no gate equivalents); use two or more of bits_per_cycle, luts, ",
        ),
        (["SPACE", "--front", "area_ge,flip_flops"], "flip_flops: they are not estimated"),
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
