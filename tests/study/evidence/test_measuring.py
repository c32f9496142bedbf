# SPDX-License-Identifier: Apache-2.0
"""A figure of the evidence fails where OpenSTA times the same netlist otherwise."""

from types import SimpleNamespace

import pytest

from gcmforge.measure.result import OtherTiming
from gcmforge.study.evidence.measuring import measured_ask
from gcmforge.study.pages.asks import Ask


def found(monkeypatch, difference):
    other = None
    if difference is not None:
        other = OtherTiming(
            tool="OpenSTA 9", delay_ns=4.0, delay_ta=None, start="a", end="b",
            difference_percent=difference,
        )  # fmt: skip
    result = SimpleNamespace(
        area_ge=5.0, timing=None, other_timing=other, measured_at="", command="gcmforge measure it",
        seconds=7.0,
    )  # fmt: skip
    monkeypatch.setattr(Ask, "result", lambda *_: result)
    return measured_ask(Ask(what="it"))


@pytest.mark.parametrize("difference", [None, 0.0, 0.00008, -0.04])
def test_a_timing_that_agrees_is_good(monkeypatch, difference):
    step = found(monkeypatch, difference)
    assert (step.ok, step.seconds) == (True, 7.0)
    assert step.data["opensta_differs_percent"] == difference


@pytest.mark.parametrize(("difference", "told"), [(0.002, "+0.0020 %"), (-0.06, "-0.0600 %")])
def test_a_timing_that_does_not_agree_fails_its_step(monkeypatch, difference, told):
    step = found(monkeypatch, difference)
    assert not step.ok
    assert step.text == f"gcmforge measure it: the built-in path and OpenSTA 9's differ by {told}"
