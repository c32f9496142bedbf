# SPDX-License-Identifier: Apache-2.0
"""Faults in the netlist of micro with faults=detect: found, and with a check taken out not."""

import re
from collections import Counter

import pytest

from gcmforge.config.presets import preset
from gcmforge.emit.core import build_core
from gcmforge.mapped.fault_classes import CONTROL, GHASH, KEYS, PORTS, SBOXES, classes
from gcmforge.mapped.faults import (
    DETECTED,
    FLIP,
    HARMLESS,
    LANES,
    SILENT,
    STUCK_1,
    Fault,
    FaultSimulator,
    outcome_of,
)
from gcmforge.study.evidence.faults import campaign, few_silent, singles

pytestmark = [pytest.mark.yosys, pytest.mark.slow, pytest.mark.osu018]
CORE = preset("micro").with_settings(["faults=detect"])
SAMPLE = 4 * LANES
REMOVED = {
    "the S-boxes' sum": ("micro_checked_aes", r"(assign bad_o\s+= ).*?;", r"\g<1>1'b0;", SBOXES),
    "the sums of GHASH": ("micro_checked_ghash", r"(assign bad_o = ).*?;", r"\g<1>1'b0;", GHASH),
    "the parities of keys": (
        "micro_checked_schedule_both", r"(assign bad_o = ).*?;", r"\g<1>1'b0;", KEYS,
    ),
    "the comparison of both copies": (
        "gcm_micro_detect", r"(assign differs = ).*?;", r"\g<1>1'b0;", CONTROL,
    ),
}  # fmt: skip
"""A check, its module, what is tied to never, and the class whose faults it finds."""


@pytest.fixture(scope="module")
def core(tmp_path_factory):
    return build_core(CORE, tmp_path_factory.mktemp("faults") / "core", prove=False)


@pytest.fixture(scope="module")
def simulator(core):
    return FaultSimulator(core.path, "osu018", effort="quick")


def in_class(simulator, name, number=SAMPLE):
    """The first single faults of a class, from a sample of all."""
    of_net = classes(simulator.design, simulator.module)
    runs = [run for run in singles(simulator, 3, 40 * number) if of_net[run[0].net] == name]
    return runs[:number]


def outcomes(simulator, runs):
    found = Counter()
    for first in range(0, len(runs), LANES):
        found.update(one.what for one in simulator.run(runs[first : first + LANES]))
    return found


def test_a_sample_of_faults_is_found_or_does_no_harm(simulator):
    found = campaign(simulator, "single", singles(simulator, 7, 20 * LANES))
    assert few_silent(found), found.listed
    assert found.count(DETECTED) > 0.7 * found.total()
    assert found.count(SILENT, (CONTROL, SBOXES)) == 0
    assert found.unrecovered <= 2


def test_no_fault_is_no_fault(simulator):
    """A flip of a net that is read by nothing in that cycle: before the first word."""
    runs = [[] for _ in range(LANES)]
    assert outcomes(simulator, runs) == {HARMLESS: LANES}


def test_a_stuck_verdict_of_the_core_answers_every_packet_with_fault(simulator):
    (net,) = (n for n, name in simulator.design.names.items() if name == "fails")
    (found,) = simulator.run([[Fault(net=net, kind=STUCK_1)]])
    assert found.what == DETECTED
    assert not found.recovered


def test_a_flip_of_a_state_bit_is_found_and_a_new_key_mends_it(simulator):
    states = [n for n, name in simulator.design.state_names.items() if name.startswith("stream[")]
    busy = simulator.last_packet // 3
    runs = [[Fault(net=net, kind=FLIP, cycle=busy)] for net in states]
    found = simulator.run(runs)
    assert {one.what for one in found} == {DETECTED}
    assert all(one.recovered for one in found)


def test_outcomes_are_told_apart():
    assert outcome_of(8 | 128).what == DETECTED
    assert outcome_of(8 | 2).what == SILENT
    assert outcome_of(0).what == HARMLESS


@pytest.mark.parametrize("check", REMOVED)
def test_without_a_check_its_faults_are_silent(core, simulator, tmp_path, check):
    module, pattern, instead, name = REMOVED[check]
    changed = tmp_path / "core"
    for file in core.path.rglob("*"):
        if file.is_file():
            copy = changed / file.relative_to(core.path)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes())
    (path,) = changed.rglob(f"{module}.sv")
    text, count = re.subn(pattern, instead, path.read_text(), count=1, flags=re.DOTALL)
    assert count == 1
    path.write_text(text)
    without = FaultSimulator(changed, "osu018", effort="quick")
    silent = outcomes(without, in_class(without, name))[SILENT]
    kept = outcomes(simulator, in_class(simulator, name))[SILENT]
    assert silent >= 10 * max(1, kept), (silent, kept)


def test_nets_of_ports_are_a_class_of_their_own(simulator):
    of_net = classes(simulator.design, simulator.module)
    names = {simulator.design.names[net] for net, one in of_net.items() if one == PORTS}
    assert {"s_axis_tdata[0]", "m_axis_tdata[0]", "m_tag_tvalid"} <= names
