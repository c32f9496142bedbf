# SPDX-License-Identifier: Apache-2.0
"""Exploring: measured points as the store gives them, needs confirmed, fronts found by search."""

import dataclasses

import pytest

from gcmforge.config import CoreConfig
from gcmforge.explore import executor
from gcmforge.explore.estimate import estimate
from gcmforge.explore.executor import Ask, Measured
from gcmforge.explore.explore import TRIES, Plan, explore, point_of, serve
from gcmforge.explore.need import Need
from gcmforge.explore.pareto import front
from gcmforge.explore.point import GOALS
from gcmforge.explore.search import search
from gcmforge.explore.space import Space
from gcmforge.measure.result import CriticalPath, Rate, Result, Throughput

SPACE = Space.from_mapping(
    {"key_sizes": [128], "aes": ["pipelined", "loop"], "aes_rounds": [1, 2], "multiplier": "ko4"}
)


def result(ask, *, area, fmax):
    rate = Rate(key_bits=128, packet_bytes=64, cycles_per_packet=5, bits_per_cycle=102.4)
    return Result(
        what="x", kind="core", summary="", configuration=ask.config.to_mapping(), rtl_sha256="",
        target=ask.target, target_kind="asic", target_family="", target_version="", tools={},
        effort=ask.effort, note="", command="", area_ge=area,
        timing=CriticalPath(
            delay_ns=1000 / fmax, delay_ta=None, fmax_mhz=fmax, start="", end="", cells=1
        ),
        throughput=Throughput(
            rates=(rate,), long_message_bytes=64, first_text_latency_cycles=15,
            tag_latency_cycles=20, key_bits=128,
        ),
    )  # fmt: skip


@pytest.fixture
def measured(monkeypatch):
    """Stands in for the executor: areas as estimated, the clock 20 % slower; who was asked."""
    asked = []

    def run(asks, store, **how):
        for ask in asks:
            asked.append(ask.config)
            told = estimate(ask.config, ask.target, 1500)
            yield Measured(ask=ask, result=result(ask, area=told.area_ge, fmax=0.8 * told.fmax_mhz))

    monkeypatch.setattr(executor, "run", run)
    return asked


def test_every_point_is_estimated_in_the_spaces_order():
    found = explore(SPACE, Plan())
    assert [point.config for point in found.points] == list(SPACE.survey().points)
    assert found.invalid == {"aes_rounds with aes": 1}


def test_a_measured_point_has_the_simulated_rate_or_says_that_it_has_the_law():
    ask = Ask(config=CoreConfig(key_sizes=(128,)), target="osu018")
    done = Measured(ask=ask, result=result(ask, area=1000.0, fmax=200.0))
    simulated, law = point_of(done, 64), point_of(done, 1500)
    assert (simulated.bits_per_cycle, simulated.note) == (102.4, "")
    assert simulated.gbit_per_s == pytest.approx(20.48)
    assert law.bits_per_cycle == pytest.approx(8 * 1500 / 95)  # 94 blocks and the closing slot
    assert "by the law" in law.note


def test_an_error_is_a_point_without_figures():
    ask = Ask(config=CoreConfig(), target="osu018")
    point = point_of(Measured(ask=ask, result=None, error="no"), 64)
    assert (point.error, point.area_ge) == ("no", None)


def test_a_need_is_confirmed_by_measuring_the_smallest_first(measured, tmp_path, monkeypatch):
    monkeypatch.setenv("GCMFORGE_STORE", str(tmp_path / "results.sqlite"))
    estimated = {p.config: p for p in explore(SPACE, Plan(packet_bytes=64)).points}
    rates = sorted(p.gbit_per_s for p in estimated.values())
    need = Need(gbit_per_s=0.85 * rates[0], packet_bytes=64)
    _, answer = serve(SPACE, Plan(depth="measure"), need)
    assert answer.best is not None
    assert answer.best.point.depth == "measure"
    areas = [estimated[config].area_ge for config in measured]
    assert areas == sorted(areas)
    assert 0 < len(measured) <= TRIES


def test_a_need_that_measuring_does_not_confirm_is_not_met(measured, tmp_path, monkeypatch):
    monkeypatch.setenv("GCMFORGE_STORE", str(tmp_path / "results.sqlite"))
    most = max(p.fmax_mhz for p in explore(SPACE, Plan()).points)
    _, answer = serve(SPACE, Plan(depth="measure"), Need(clock_mhz=0.95 * most))
    assert answer.best is None
    assert measured


# Search -------------------------------------------------------------------------------------------

LARGE = Space.from_mapping(
    {
        "lanes": "1..16",
        "contexts": "1..6",
        "aes": ["pipelined", "loop"],
        "aes_rounds": "1..7",
        "ghash": ["serial", "aggregated"],
        "ghash_stages": "1..4",
    }
)
TWO = (GOALS["gbit_per_s"], GOALS["area_ge"])


def figures(config):
    """Made up, with a front that is known: area falls with what is not needed."""
    rate = 100.0 * config.lanes / (1 if config.aes == "pipelined" else 11 - config.aes_rounds)
    area = 50.0 * config.lanes * (3 if config.aes == "pipelined" else config.aes_rounds / 7)
    return rate, area + 10 * config.contexts + 5 * (config.ghash == "aggregated")


def covered(rows):
    """Area below the front, in parts of all there is."""
    best = sorted(rows[i] for i in front(rows, TWO))
    total, last = 0.0, 0.0
    for rate, area in best:
        total += (rate - last) * max(0.0, 3000 - area)
        last = rate
    return total / (1600 * 3000)


@pytest.mark.slow
@pytest.mark.optuna
def test_search_finds_most_of_the_front_in_a_fraction_of_the_points():
    survey = LARGE.survey()
    whole = covered([figures(config) for config in survey.points])
    found = search(
        LARGE, lambda cs: [figures(c) for c in cs], TWO, points=len(survey.points) // 8, seed=7
    )
    assert len(found) == len(survey.points) // 8
    assert covered(list(found.values())) > 0.95 * whole
    assert set(found) <= set(survey.points)


@pytest.mark.slow
@pytest.mark.optuna
def test_search_with_the_same_seed_is_the_same_and_evaluates_nothing_twice():
    seen = []

    def evaluate(configs):
        seen.extend(configs)
        return [figures(config) for config in configs]

    first = search(LARGE, evaluate, TWO, points=150, seed=3)
    assert len(seen) == len(set(seen)) == len(first) == 150
    assert list(search(LARGE, evaluate, TWO, points=150, seed=3)) == list(first)
    assert list(search(LARGE, evaluate, TWO, points=150, seed=4)) != list(first)


@pytest.mark.slow
@pytest.mark.optuna
def test_search_passes_over_points_without_figures():

    def evaluate(configs):
        return [(None, None) if c.lanes == 5 else figures(c) for c in configs]

    found = search(LARGE, evaluate, TWO, points=120, seed=1)
    assert len(found) == 120


def test_a_plan_says_what_is_wrong_with_it():
    with pytest.raises(ValueError, match="packet-bytes=0: use 1 to 65536"):
        Plan(packet_bytes=0)
    assert dataclasses.replace(Plan(), points=5).points == 5
