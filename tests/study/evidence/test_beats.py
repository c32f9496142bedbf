# SPDX-License-Identifier: Apache-2.0
"""Beats per packet are those of the law; the bench counts them, here on two cores and a sample."""

import dataclasses
import random

import pytest

from gcmforge.config import CoreConfig
from gcmforge.emit import build_core
from gcmforge.sim import Core, LoadKey
from gcmforge.study.evidence import beats

pytestmark = pytest.mark.slow

LEAN = CoreConfig(
    lanes=2, key_sizes=(128,), contexts=3, sbox="table", iv="96", ghash_stages=2, tail="dedicated"
)
CORES = {
    "dedicated tail": LEAN,
    "dedicated, AAD with text": LEAN.with_settings(
        ["j0=dedicated", "aad_lanes=1", "key_unit=dedicated", "key_schedule=travelling"]
    ),
    "line": LEAN.with_settings(["slots=line", "j0=dedicated", "counter_sharing=on"]),
    "ahead": LEAN.with_settings(
        ["slots=ahead", "tail=shared", "key_unit=dedicated", "counter_sharing=on"]
    ),
}


@pytest.fixture(scope="module")
def bench():
    return beats


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


def with_keys(bench, core, keys):
    """Cycles that 200 packets of two contexts take while that many keys go to the third."""
    made = list(bench.packets(random.Random(3), [(0, 64)] * 200, 3))
    made = [dataclasses.replace(packet, context=packet.context % 2) for packet in made]
    loads = [LoadKey(context=context, key=bench.KEY) for context in (0, 1)]
    others = [LoadKey(context=2, key=bench.KEY)] * keys
    result = core.run([*loads, *made[:40], *others, *made[40:]])
    assert result.clean, result.failures[:3]
    assert result.counters.key_loads == 2 + keys
    return result.answers[-1].last_in_cycle - result.answers[40].last_in_cycle


def test_keys_under_full_traffic_cost_nothing_with_a_key_unit_of_their_own(bench, core):
    """And something without one, or this would see nothing."""
    alone, loaded = with_keys(bench, core, 0), with_keys(bench, core, 3)
    if core.config.key_unit == "dedicated":
        assert loaded == alone == sum(bench.law(core.config, 0, 64) for _ in range(159))
    else:
        assert loaded >= alone + 3


def test_a_key_does_not_wait_for_packets_of_other_contexts(bench, core):
    """It is in place when a long packet of another context, begun before it, ends."""
    first, long, packet = bench.packets(random.Random(4), [(0, 32), (0, 40_000), (0, 32)], 3)
    first, long = (dataclasses.replace(packet, context=0) for packet in (first, long))
    packet = dataclasses.replace(packet, context=1)
    key0, key1 = (LoadKey(context=context, key=bench.KEY) for context in (0, 1))
    result = core.run([key0, first, long, key1, packet])
    assert result.clean, result.failures[:3]
    _, before, after = result.answers
    assert after.last_in_cycle - before.last_in_cycle <= 1 + bench.law(core.config, 0, 32)


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
        (CORES["dedicated, AAD with text"], 0, 32, 1),
        (CORES["dedicated, AAD with text"], 16, 32, 1),
        (CORES["dedicated, AAD with text"], 17, 32, 2),
        (CORES["dedicated, AAD with text"], 16, 0, 1),
        (CORES["ahead"], 0, 0, 2),
        (CORES["ahead"], 0, 1, 2),
        (CORES["ahead"], 0, 16, 2),
        (CORES["ahead"], 0, 33, 3),
        (CORES["ahead"], 1, 0, 2),
        (CORES["ahead"], 32, 0, 2),
        (CORES["ahead"], 48, 0, 2),
        (CORES["ahead"], 64, 0, 3),
        (CORES["ahead"], 65, 0, 3),
        (CORES["ahead"], 33, 1, 4),
    ],
)
def test_the_law_by_hand(bench, config, aad, text, cycles):
    assert bench.law(config, aad, text) == cycles
