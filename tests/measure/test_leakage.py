# SPDX-License-Identifier: Apache-2.0
"""The t-test of simulated power: its statistic, and that it finds what leaks and nothing else."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gcmforge.measure import leakage as measured
from gcmforge.measure.errors import SHOWN
from gcmforge.measure.gadget_leakage import gadget_leakage
from gcmforge.measure.leakage import BATCH, leakage
from gcmforge.measure.leakage_record import (
    KIND,
    Leakage,
    LeakageRecord,
    keep,
    kept,
    of_core,
    run_key,
)
from gcmforge.measure.leakage_text import leakage_text
from gcmforge.measure.store import Store
from gcmforge.measure.subject import find_subject
from gcmforge.netlist.targets import find_target
from gcmforge.power.ttest import THRESHOLD, TTest


def _filled(traces: np.ndarray, second: np.ndarray) -> TTest:
    test = TTest(traces.shape[1])
    for start in range(0, len(traces), 300):
        test.add(traces[start : start + 300], second[start : start + 300])
    return test


def test_the_statistic_is_welchs_t_whatever_the_batches() -> None:
    draw = np.random.default_rng(3)
    second = draw.integers(2, size=1000).astype(bool)
    traces = draw.normal(5.0, 2.0, size=(1000, 3)) + second[:, None] * [0.0, 0.3, 0.0]
    zero, one = traces[~second], traces[second]
    spread = zero.var(axis=0) / len(zero) + one.var(axis=0) / len(one)
    wanted = (zero.mean(axis=0) - one.mean(axis=0)) / np.sqrt(spread)
    assert np.allclose(_filled(traces, second).first(), wanted)


def test_variances_are_told_apart_at_second_order_alone() -> None:
    draw = np.random.default_rng(4)
    second = draw.integers(2, size=4000).astype(bool)
    traces = draw.normal(0.0, 1.0, size=(4000, 1)) * np.where(second, 1.3, 1.0)[:, None]
    test = _filled(traces, second)
    assert abs(test.first()[0]) < THRESHOLD < abs(test.second()[0])


@pytest.mark.slow
@pytest.mark.yosys
@pytest.mark.osu018
def test_a_gadget_passes_with_random_bits_and_fails_without() -> None:
    target = find_target("osu018")
    fresh = gadget_leakage("masked_match", target, traces=6_000)
    assert fresh.fails_at is None and fresh.worst < THRESHOLD
    assert "passed" in leakage_text(fresh)
    zero = gadget_leakage("masked_match", target, traces=4_000, randomness="zero")
    assert zero.fails_at == 2_000 and zero.worst > 4 * THRESHOLD
    assert "failed, from 2,000 traces on" in leakage_text(zero) and zero.nets


@pytest.mark.slow
@pytest.mark.yosys
@pytest.mark.osu018
def test_two_fixed_values_are_told_apart_without_random_bits_alone() -> None:
    target = find_target("osu018")
    fresh = gadget_leakage("dom_mul4", target, traces=8_000, against="fixed")
    assert fresh.fails_at is None and fresh.worst < THRESHOLD
    assert "fixed against fixed" in leakage_text(fresh)
    zero = gadget_leakage("dom_mul4", target, traces=4_000, randomness="zero", against="fixed")
    assert zero.fails_at == 2_000 and zero.worst > 1.5 * THRESHOLD


@pytest.mark.slow
@pytest.mark.osu018
def test_too_few_traces_and_other_cores_are_refused() -> None:
    with pytest.raises(SHOWN, match="traces=10: use 4000 or more"):
        gadget_leakage("masked_match", find_target("osu018"), traces=10)
    with pytest.raises(SHOWN, match="the test for leakage takes cores with streams of bytes"):
        leakage("small", find_target("osu018"), traces=1_000)


# Batches ------------------------------------------------------------------------------------------


class Drawn:
    """Traces of five points drawn by the number of their batch; it counts what it makes."""

    keys_at = (0, -1, -1, -1, -1)

    simulated = 0.0

    def __init__(self, leaks: float = 0.0, stops_at: int = -1, lanes: int = 1) -> None:
        self.leaks, self.stops_at, self.lanes, self.made = leaks, stops_at, lanes, 0

    def batches(self, first: int, counts: list[int]) -> list[tuple[np.ndarray, np.ndarray]]:
        assert 1 <= len(counts) <= self.lanes
        return [self._batch(first + n, count) for n, count in enumerate(counts)]

    def _batch(self, number: int, count: int) -> tuple[np.ndarray, np.ndarray]:
        if number == self.stops_at:
            raise KeyboardInterrupt
        self.made += 1
        draw = np.random.default_rng(number)
        second = draw.integers(2, size=count).astype(bool)
        return draw.normal(5.0, 1.0, size=(count, 5)) + self.leaks * second[:, None], second

    def stop(self) -> None:
        """Its batches take no time."""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("gcmforge.measure.leakage_state.cache_folder", lambda: tmp_path)
    return tmp_path


def _run(name: str, traffic: Drawn, traces: int, jobs: int = 1) -> tuple[list[float], int | None]:
    state = measured._tested(name, traffic, traces, jobs, lambda step: None)
    assert state.test.traces == traces
    return state.test.second().tolist(), state.fails_at


@pytest.mark.parametrize("traces", [BATCH * 9, BATCH * 9 + 5])
def test_the_same_comes_of_any_number_of_jobs_and_of_interruptions(cache, traces) -> None:
    wanted = _run("one", Drawn(), traces)
    assert _run("four", Drawn(), traces, jobs=4) == wanted
    assert _run("lanes", Drawn(lanes=4), traces, jobs=2) == wanted
    assert _run("a simulation", Drawn(lanes=50), traces) == wanted
    for jobs in (1, 3):
        name = f"stopped with {jobs}"
        with pytest.raises(KeyboardInterrupt):
            _run(name, Drawn(stops_at=6), traces, jobs)
        rest = Drawn()
        assert _run(name, rest, traces, jobs) == wanted
        assert rest.made == -(-traces // BATCH) - 6


def test_more_traces_go_on_from_fewer_and_fewer_begin_anew(cache) -> None:
    wanted = _run("at once", Drawn(), BATCH * 8)
    _run("grows", Drawn(), BATCH * 4 + 7)
    more, fewer = Drawn(), Drawn()
    assert _run("grows", more, BATCH * 8) == wanted and more.made == 4
    assert _run("grows", fewer, BATCH * 2) == _run("few", Drawn(), BATCH * 2) and fewer.made == 2


def test_since_when_a_test_fails_outlives_an_interruption(cache) -> None:
    wanted = _run("one", Drawn(leaks=1.0), BATCH * 6)
    assert wanted[1] == 2 * BATCH
    with pytest.raises(KeyboardInterrupt):
        _run("two", Drawn(leaks=1.0, stops_at=4), BATCH * 6)
    assert _run("two", Drawn(leaks=1.0), BATCH * 6) == wanted


def test_what_the_cache_has_of_another_kind_is_no_state(cache) -> None:
    (cache / "leakage").mkdir()
    wanted = _run("one", Drawn(), BATCH * 3)
    for text in ("", "[]", "{", '{"sums": [1], "around": [], "count": [1], "fails_at": null}'):
        (cache / "leakage/other.json").write_text(text)
        assert _run("other", Drawn(), BATCH * 3) == wanted


# The store ----------------------------------------------------------------------------------------


@pytest.mark.osu018
def test_the_store_gives_a_core_its_test_of_most_traces(tmp_path: Path) -> None:
    subject, target = find_subject("nano"), find_target("osu018")

    def found(traces: int, randomness: str = "fresh") -> Leakage:
        return Leakage(
            core="nano", target="osu018", traces=traces, randomness=randomness, first=(0.5, -5.0),
            second=(1.0, 2.0), fails_at=128, nets=((1, "a net", 5.0),), parts=(("a key", 0, 2),),
        )  # fmt: skip

    run, zero = (run_key(subject, target, 1, one, "random") for one in ("fresh", "zero"))
    two = run_key(subject, target, 1, "fresh", "fixed")
    assert len({run, zero, two, run_key(subject, target, 2, "fresh", "random")}) == 4
    with Store(tmp_path / "store.sqlite") as store:
        assert kept(store, run, 200) is None
        for traces in (200, 300):
            keep(store, run, found(traces), subject, target, 1)
        keep(store, zero, found(900, "zero"), subject, target, 1)
        keep(store, two, replace(found(900), against="fixed"), subject, target, 1)
        assert kept(store, run, 200) == found(200) and kept(store, run, 250) is None
        (one,) = of_core(store, subject.rtl_sha256)
        assert one.found == found(300) and one.seed == 1
        assert one.command == "gcmforge measure nano --target osu018 --leakage 300"
        assert not store.of_rtl(subject.rtl_sha256)
        commands = [
            store.read(one, LeakageRecord).command
            for one in store.of_rtl(subject.rtl_sha256, kind=KIND)
        ]
        assert "gcmforge measure nano --target osu018 --leakage 900 --two-keys" in commands


@pytest.mark.slow
@pytest.mark.yosys
@pytest.mark.osu018
def test_a_core_with_a_generator_needs_no_random_bits_and_has_none_to_stop(tmp_path: Path) -> None:
    toml = tmp_path / "core.toml"
    toml.write_text(
        'core = "masked"\nkey_sizes = [128]\ncontexts = 1\niv = "96"\nrandomness = "generator"\n'
        "max_text_bytes = 64\nmax_aad_bytes = 64\n"
    )
    found = leakage(toml, find_target("osu018"), traces=2 * BATCH)
    assert found.fails_at is None and found.worst < THRESHOLD
    assert [name for name, _, _ in found.parts] == ["a key", "its H", "a packet"]
    with pytest.raises(SHOWN, match="zero randomness with randomness=generator: no random bits"):
        leakage(toml, find_target("osu018"), traces=2 * BATCH, randomness="zero")
