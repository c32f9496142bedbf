# SPDX-License-Identifier: Apache-2.0
"""What a verification should reach is reached by the one that nothing else is asked of."""

import re
from itertools import pairwise, product
from pathlib import Path

import pytest

import gcmforge
from gcmforge.config import CoreConfig
from gcmforge.config.presets import preset
from gcmforge.sim import covered
from gcmforge.sim.aead import built
from gcmforge.sim.coverage import Coverage
from gcmforge.sim.operations import packets_of
from gcmforge.sim.pairs import KINDS, each_after_each, kind_of, pair_operations, statuses
from gcmforge.sim.unreachable import RULES, reason

RTL = Path(gcmforge.__file__).parent


@pytest.mark.parametrize("count", [1, 2, 7, 18])
def test_each_comes_after_each_once(count):
    found = list(pairwise(each_after_each(range(count))))
    assert sorted(found) == sorted(product(range(count), repeat=2))


@pytest.mark.parametrize("name", ["default", "compact", "quad"])
def test_pairs_of_packets_are_all_there(name):
    config = preset(name)
    packets = packets_of(pair_operations(config))
    kinds = list(pairwise(kind_of(config, packet) for packet in packets))
    assert set(product(KINDS, repeat=2)) <= set(kinds)
    wanted = statuses(config)
    found = set(pairwise(packet.expect.status for packet in packets))
    assert set(product(wanted, repeat=2)) <= found
    beat = 16 * config.lanes
    assert {(len(packet.text) - 1) % beat for packet in packets} == set(range(beat))


def test_points_are_of_modules_that_exist():
    modules = {path.stem for path in RTL.rglob("*.sv") if "covered" not in path.parts}
    assert len(covered.points()) > 15
    for module, text in covered.points().items():
        assert module in modules
        assert re.search(r"^ +\w+ : cover \(", text, re.M)


def test_points_go_before_a_modules_end_and_into_no_other():
    module = "module gcm_join (\n    input logic clk\n);\nendmodule\n"
    more = covered.with_points(module)
    assert more.endswith("  end\nendmodule\n") and "text_is_shown : cover" in more
    assert covered.with_points(module.replace("gcm_join", "other")) == module.replace(
        "gcm_join", "other"
    )


def test_bins_have_a_reason_only_on_the_cores_for_which_it_is_so():
    name = "u_core.u_front.u_issue: counter_wraps"
    assert reason(CoreConfig(), name) == ""
    assert "2^32" in reason(CoreConfig(iv="96"), name)
    assert reason(CoreConfig(iv="96"), "u_core.u_front.u_issue: counter_carries") == ""
    point = re.compile(r"^ +(\w+) : cover", re.M)
    known = {name for text in covered.points().values() for name in point.findall(text)}
    for rule in RULES:
        assert any(rule.bins.search(f"u_output: {name}") for name in known), rule.bins


def test_nothing_is_reached_before_anything_is_played():
    coverage = Coverage(config=CoreConfig())
    assert len(coverage.missed) == len(coverage.bins) > 400
    assert "0 of 4" in str(coverage)


@pytest.mark.slow
@pytest.mark.verilator
@pytest.mark.parametrize("name", ["default", "small", "compact", "balanced", "verified", "timeout"])
def test_the_default_verification_reaches_every_bin(name):
    others = {
        "verified": CoreConfig(release="verified", max_text_bytes=2048),
        "timeout": CoreConfig(timeout=200),  # shorter than the longest pauses of other cores
    }
    config = others[name] if name in others else preset(name)
    report = gcmforge.verify(gcmforge.Core(built(config)), seed=1)
    assert report.ok
    assert report.coverage.missed == ()
    for bin_name in report.coverage.bins:
        reached, why = report.coverage.counts[bin_name], reason(config, bin_name)
        assert not (reached and why), f"{bin_name} was reached, although {why}"
