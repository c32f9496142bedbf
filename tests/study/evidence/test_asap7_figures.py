# SPDX-License-Identifier: Apache-2.0
"""Presets at 7 nm: what is kept agrees with OpenSTA, and what the page works out."""

from dataclasses import replace

import pytest

from gcmforge.config.presets import PRESETS
from gcmforge.measure.result import (
    CriticalPath,
    OtherTiming,
    PowerFigure,
    Rate,
    Result,
    Throughput,
)
from gcmforge.place.families import FAMILIES
from gcmforge.study.evidence import asap7
from gcmforge.study.papers.contenders import CONTENDERS

POWER = PowerFigure(
    average_uw=110.0, switching_uw=60.0, internal_uw=40.0, leakage_uw=10.0, peak_uw=1.0,
    peak_transition=None, frequency_mhz=50.0, transitions=1, exhaustive=False, toggles=1,
    glitch_toggles=0, energy_per_transition_pj=2.0,
)  # fmt: skip
RESULT = Result(
    what="small", kind="core", summary="a core", configuration=None, rtl_sha256="0",
    target="asap7", target_kind="asic", target_family="cells", target_version="v",
    tools={"yosys": "1"}, effort="quick", note="ideal wires", command="gcmforge measure small",
    area_ge=100_000.0, area_um2=5832.0, flip_flops=10, gbit_per_s=10.0, power=POWER,
    pj_per_bit=1.0,
    timing=CriticalPath(
        delay_ns=1.0, delay_ta=None, fmax_mhz=1000.0, start="a", end="b", cells=3,
        clock_transition_ns=0.03,
    ),
    throughput=Throughput(
        rates=(Rate(key_bits=256, packet_bytes=64, cycles_per_packet=1.0, bits_per_cycle=512.0,
                    gbit_per_s=512.0),),
        long_message_bytes=65_536, first_text_latency_cycles=1, tag_latency_cycles=1, key_bits=256,
    ),
)  # fmt: skip


def test_power_at_fmax_is_the_dynamic_part_scaled_and_the_leakage() -> None:
    found = asap7.figures(RESULT)
    assert found["mw_at_fmax"] == pytest.approx((100 * 1000 / 50 + 10) / 1000)
    assert found["leakage_mw"] == pytest.approx(0.01)
    assert asap7.figures(replace(RESULT, power=None))["mw_at_fmax"] is None


@pytest.mark.parametrize(("differs", "unclocked", "good"), [(0.5, 0, True), (1.5, 0, False),
                                                            (0.0, 3, False)])  # fmt: skip
def test_a_step_fails_where_opensta_finds_another_path_or_no_clock(
    differs: float, unclocked: int, good: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = OtherTiming(
        tool="OpenSTA", delay_ns=1.0, delay_ta=None, start="a", end="b",
        difference_percent=differs, unclocked=unclocked,
    )  # fmt: skip
    result = replace(RESULT, other_timing=other)
    ask = next(iter(asap7.asks().values()))
    monkeypatch.setattr(type(ask), "result", lambda *_: result)
    assert asap7.measured(ask).ok is good


def test_every_preset_is_asked_for_and_those_that_are_not_measured_are_named() -> None:
    of_fpgas = {name for name, preset in PRESETS.items() if preset.technology in FAMILIES}
    beside = [name for name in asap7.asks() if name not in PRESETS]
    assert set(asap7.asks()) - set(beside) == set(PRESETS) - of_fpgas
    assert len(beside) == len(CONTENDERS)
    assert all(any(one.name in name and one.paper in name for name in beside) for one in CONTENDERS)
    assert of_fpgas == {"ice40", "ecp5", "nexus", "gowin", "gatemate", "ecp5-line"}
    record = {"found": asap7.figures(RESULT), "command": "gcmforge measure small --target asap7"}
    text = "\n".join(asap7.page({"small": record}))
    assert "| `small` | 1 | 1,000 | 10.0 | 100 | 5,832 | 100 | 2.01 | 1.00 |" in text
    assert "Not measured: " in text and "800g" in text.partition("Not measured: ")[2]


def test_what_is_kept_is_within_a_percent_of_opensta_and_clocked_everywhere() -> None:
    for name, record in asap7.KEPT.read().items():
        found = record["found"]
        assert record["ok"], name
        assert abs(found["opensta_differs_percent"]) <= asap7.AGREEMENT_PERCENT, name
        assert found["unclocked"] == 0, name
