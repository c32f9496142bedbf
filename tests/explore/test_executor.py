# SPDX-License-Identifier: Apache-2.0
"""Measuring many points: once each, whatever happens to processes on the way."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import toy_measure

from gcmforge.config import CoreConfig
from gcmforge.explore.executor import ATTEMPTS, Ask, ClusterError, run
from gcmforge.explore.explore import Plan, explore
from gcmforge.explore.space import Space
from gcmforge.measure.store import Store

POINTS = 8
ASKS = [Ask(config=CoreConfig(contexts=n), target="ge") for n in range(1, POINTS + 1)]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(toy_measure.FOLDER, str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(Path(__file__).parent), *sys.path]))
    return tmp_path


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "results.sqlite") as store:
        yield store


def areas(found):
    return {m.ask.config.contexts: m.result.area_ge for m in found if m.result}


EXPECTED = {n: 1000.0 * n for n in range(1, POINTS + 1)}


@pytest.mark.slow
def test_every_point_is_measured_once_and_then_comes_from_the_store(store):
    first = list(run(ASKS, store, jobs=2, measure=toy_measure.toy))
    assert areas(first) == EXPECTED
    assert not any(measured.stored for measured in first)
    again = list(run(ASKS, store, jobs=2, measure=toy_measure.toy))
    assert areas(again) == EXPECTED
    assert all(measured.stored for measured in again)
    assert [toy_measure.seen(ask, "measured") for ask in ASKS] == [1] * POINTS


@pytest.mark.slow
def test_a_run_that_was_left_goes_on_where_it_stopped(store):
    running = run(ASKS, store, jobs=1, measure=toy_measure.toy_slow)
    done = [next(running) for _ in range(3)]
    running.close()
    rest = list(run(ASKS, store, jobs=1, measure=toy_measure.toy_slow))
    assert areas(rest) == EXPECTED
    assert {m.ask for m in rest if m.stored} == {m.ask for m in done}


@pytest.mark.slow
def test_the_same_ask_twice_is_measured_once(store):
    found = list(run([ASKS[0], ASKS[0]], store, jobs=2, measure=toy_measure.toy))
    assert len(found) == 1
    assert toy_measure.seen(ASKS[0], "measured") == 1


@pytest.mark.slow
def test_an_error_is_kept_beside_the_points_that_work_and_not_in_the_store(store):
    found = list(run(ASKS, store, jobs=2, measure=toy_measure.toy_with_error))
    assert areas(found) == {n: area for n, area in EXPECTED.items() if n != 3}
    assert [m.error for m in found if m.error] == ["no such thing"]
    assert areas(run(ASKS, store, jobs=2, measure=toy_measure.toy)) == EXPECTED


@pytest.mark.slow
def test_a_process_that_is_killed_loses_nothing(store):
    found = list(run(ASKS, store, jobs=2, measure=toy_measure.toy_that_dies_once))
    assert areas(found) == EXPECTED
    assert toy_measure.seen(ASKS[2], "died") == 1


@pytest.mark.slow
def test_a_point_that_kills_its_process_each_time_is_given_up_and_the_others_are_not(store):
    found = list(run(ASKS, store, jobs=2, measure=toy_measure.toy_that_always_dies))
    assert areas(found) == {n: area for n, area in EXPECTED.items() if n != 3}
    assert [m.error for m in found if m.error] == [f"its process died {ATTEMPTS} times"]
    assert toy_measure.seen(ASKS[2], "died") == ATTEMPTS


def test_other_options_are_another_point():
    ask = ASKS[0]
    others = [
        Ask(config=ask.config, target="ge", effort="normal"),
        Ask(config=ask.config, target="ge", goal="area"),
        Ask(config=ask.config, target="ge", power=True),
        Ask(config=CoreConfig(contexts=1, lanes=2), target="ge"),
    ]
    assert len({other.key for other in [ask, *others]}) == 5
    assert ask.key == Ask(config=CoreConfig(contexts=1), target="ge").key


@pytest.mark.slow
@pytest.mark.distributed
def test_a_cluster_that_does_not_answer_is_said(store):
    with pytest.raises(ClusterError, match="no Dask scheduler answers"):
        list(run(ASKS, store, cluster="tcp://127.0.0.1:9", measure=toy_measure.toy))


# A Dask cluster of two worker processes -----------------------------------------------------------


@pytest.fixture
def cluster(folder):
    """Address of a scheduler on this machine, and the processes of its two workers."""
    command = [sys.executable, "-m", "dask"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    file = folder / "scheduler.json"
    scheduler = subprocess.Popen(
        [*command, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
         "--scheduler-file", str(file)],
        env=environment, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    workers = [
        subprocess.Popen(
            [*command, "worker", "--scheduler-file", str(file), "--nworkers", "1",
             "--nthreads", "1", "--no-dashboard", "--no-nanny",
             "--local-directory", str(folder / f"worker{n}")],
            env=environment, stderr=subprocess.DEVNULL,
        )
        for n in range(2)
    ]  # fmt: skip
    try:
        yield _address(file, workers=2), workers
    finally:
        for process in [*workers, scheduler]:  # a worker may wait for a scheduler that is gone
            process.kill()
            process.wait()


def _address(file, workers):
    """The scheduler's, once it has that many workers."""
    import json

    from distributed import Client

    until = time.monotonic() + 60
    while not file.exists() or not file.read_text():
        assert time.monotonic() < until
        time.sleep(0.1)
    address = json.loads(file.read_text())["address"]
    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(workers, timeout=60)
    return address


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_finds_the_same_as_without(store, cluster):
    address, workers = cluster
    found = []
    for measured in run(ASKS, store, cluster=address, measure=toy_measure.toy_slow):
        found.append(measured)
        if len(found) == 2:
            os.kill(workers[0].pid, signal.SIGKILL)
    assert workers[0].wait() == -signal.SIGKILL
    assert areas(found) == EXPECTED
    local = list(run(ASKS, store, jobs=2, measure=toy_measure.toy))
    assert all(measured.stored for measured in local)
    assert areas(local) == EXPECTED


@pytest.mark.slow
def test_exploring_on_a_cluster_that_loses_a_worker_has_the_same_front(store, cluster, monkeypatch):
    """The first worker is killed by its process id when four of fifteen cores are done."""
    address, workers = cluster
    space = Space.from_mapping({"contexts": [1, 2, 3, 4, 5], "lanes": [1, 2, 4]})
    plan = Plan(targets=("ge",), depth="measure", front=("area_ge", "bits_per_cycle"))

    def progress(number: int, total: int, what: str) -> None:
        if number == 4 and workers[0].poll() is None:
            os.kill(workers[0].pid, signal.SIGKILL)

    def explored(toy, store, **more):
        monkeypatch.setattr("gcmforge.explore.executor.run", partial(run, measure=toy))
        return explore(space, replace(plan, **more), store=store, progress=progress)

    there = explored(toy_measure.toy_slow, store, cluster=address)
    assert workers[0].wait() == -signal.SIGKILL
    with Store(store.path.with_name("another.sqlite")) as another:
        here = explored(toy_measure.toy, another, jobs=2)
    assert len(there.points) == 15
    assert not any(point.error for point in there.points)
    assert there.front("ge") == here.front("ge")
    assert [p.config.lanes for p in there.front("ge")] == [1, 2, 4]
