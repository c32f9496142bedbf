# SPDX-License-Identifier: Apache-2.0
"""Beats per packet are those of the law; the bench counts them, here on two cores and a sample."""

import importlib.util
import sys
from pathlib import Path

import pytest

from gcmforge.build import build_core
from gcmforge.config import CoreConfig
from gcmforge.sim import Core

pytestmark = pytest.mark.slow

LEAN = CoreConfig(
    lanes=2, key_sizes=(128,), contexts=3, sbox="table", iv="96", ghash_stages=2, tail="dedicated"
)
CORES = {
    "dedicated tail": LEAN,
    "dedicated, AAD beside": LEAN.with_settings(["j0=dedicated", "aad_lanes=1"]),
}


@pytest.fixture(scope="module")
def bench():
    path = Path(__file__).parents[2] / "bench/beats.py"
    spec = importlib.util.spec_from_file_location("beats", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["beats"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["beats"]


@pytest.fixture(scope="module", params=CORES)
def core(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("cores") / "core"
    return Core(build_core(CORES[request.param], folder, prove=False).path)


def test_packets_take_the_beats_of_the_law(bench, core):
    pairs = bench.chosen_pairs(complete=False)
    assert len(pairs) > 300
    assert bench.mismatches(core, pairs) == []


def test_a_wrong_law_is_seen(bench, core, monkeypatch):
    right = bench.law
    monkeypatch.setattr(
        bench, "law", lambda config, aad, text: right(config, aad, text) + (text == 64)
    )
    assert len(bench.mismatches(core, [(0, 63), (0, 64), (5, 64), (5, 65)])) >= 2


@pytest.mark.parametrize(
    ("config", "aad", "text", "cycles"),
    [
        (CoreConfig(lanes=2), 0, 0, 1),
        (CoreConfig(lanes=2), 0, 16, 1),
        (CoreConfig(lanes=2), 0, 17, 2),
        (CoreConfig(lanes=2), 32, 0, 2),
        (CoreConfig(lanes=2), 1, 32, 3),
        (CORES["dedicated tail"], 0, 32, 2),
        (CORES["dedicated tail"], 1, 32, 2),
        (CORES["dedicated tail"], 32, 0, 1),
        (CORES["dedicated, AAD beside"], 0, 32, 1),
        (CORES["dedicated, AAD beside"], 16, 32, 1),
        (CORES["dedicated, AAD beside"], 17, 32, 2),
        (CORES["dedicated, AAD beside"], 16, 0, 1),
    ],
)
def test_the_law_by_hand(bench, config, aad, text, cycles):
    assert bench.law(config, aad, text) == cycles
