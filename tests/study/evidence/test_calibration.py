# SPDX-License-Identifier: Apache-2.0
"""What estimates are calibrated by can be made again: the cores are those of their seeds."""

import json
from itertools import islice
from types import SimpleNamespace

import pytest

from gcmforge.config import ConfigError, CoreConfig
from gcmforge.explore.placed import PlacedSample
from gcmforge.netlist.targets import find_target
from gcmforge.study.evidence import calibration, one_key

POINTS = json.loads((calibration.DATA / "osu018.json").read_text())["points"]


@pytest.mark.parametrize("draw", sorted({(point["cores"], point["seed"]) for point in POINTS}))
def test_every_kept_core_is_the_one_that_its_seed_draws(draw):
    name, seed = draw
    kept = [point["config"] for point in POINTS if (point["cores"], point["seed"]) == draw]
    drawn = islice(calibration.drawn(calibration.CORES[name], seed), len(kept))
    assert [CoreConfig.from_mapping(config) for config in kept] == list(drawn)


@pytest.mark.parametrize("run", [calibration.main, one_key.main])
def test_nothing_is_measured_for_the_package_from_a_tree_that_is_no_commit(run, monkeypatch):
    def dirty(what):
        raise ConfigError(f"{what}: the tree is dirty")

    monkeypatch.setattr(calibration, "clean_commit", dirty)
    monkeypatch.setattr(one_key, "clean_commit", dirty)
    with pytest.raises(ConfigError, match="dirty"):
        run(["products" if run is calibration.main else "keys"])


def test_tables_of_a_key_have_a_row_for_each_target_and_module():
    lines = one_key.text().splitlines()
    for name in (*one_key.TARGETS.values(), *one_key.kept()["modules"]):
        assert any(line.startswith(f"| {name} |") for line in lines)


@pytest.mark.osu018
def test_placed_cores_are_kept_with_their_commands_in_place_of_older_ones(tmp_path, monkeypatch):
    def measured(core, target, *, effort, placed):
        figure = SimpleNamespace(area_ge=110.0, fmax_mhz=90.0)
        return SimpleNamespace(
            command=f"gcmforge measure {core} --placed", project_version="1", area_ge=100.0,
            timing=SimpleNamespace(fmax_mhz=next(clocks)), placed=figure,
        )  # fmt: skip

    clocks = iter([100.0, 90.0, 120.0])
    monkeypatch.setattr(calibration, "DATA", tmp_path)
    monkeypatch.setattr(calibration, "measure", measured)
    for cores in (["a"], ["b", "a"]):
        calibration.placed(find_target("osu018"), "quick", cores)
    kept = json.loads((tmp_path / "placed" / "osu018.json").read_text())["cores"]
    assert [one["command"] for one in kept] == [f"gcmforge measure {c} --placed" for c in "ba"]
    ratios = [PlacedSample(**one).clock for one in kept]
    assert ratios == [pytest.approx(1.0), pytest.approx(0.75)]
