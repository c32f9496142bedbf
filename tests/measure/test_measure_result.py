# SPDX-License-Identifier: Apache-2.0
"""The record of a measurement, its JSON, and how it is shown."""

from dataclasses import replace

import pytest

from gcmforge.measure.result import (
    Block,
    CriticalPath,
    Fpga,
    OtherTiming,
    Rate,
    Result,
    Throughput,
)
from gcmforge.measure.table import results_text, significant

RATE = Rate(
    key_bits=256, packet_bytes=64, cycles_per_packet=5.0, bits_per_cycle=102.4, gbit_per_s=10.24
)
THROUGHPUT = Throughput(
    rates=(RATE,), long_message_bytes=64, first_text_latency_cycles=19, tag_latency_cycles=24,
    key_bits=256,
)  # fmt: skip


def result(slack: float | None = None) -> Result:
    return Result(
        what="default", kind="core", summary="a core", configuration={"lanes": 1},
        rtl_sha256="00", target="osu018", target_kind="asic", target_family="cells",
        target_version="v", tools={"yosys": "1"}, effort="normal", note="ideal wires",
        command="gcmforge measure default --target osu018", area_ge=12345.6, area_um2=296294.4,
        flip_flops=99,
        blocks=(
            Block(name="aes", area_ge=345.6, area_um2=8294.4, flip_flops=1),
            Block(name="ghash", area_ge=12000.0, area_um2=288000.0, flip_flops=98),
        ),
        timing=CriticalPath(
            delay_ns=10.0, delay_ta=None, fmax_mhz=100.0, start="u_a.q", end="u_b.d", cells=7,
            clock_ns=None if slack is None else 10.0 + slack, slack_ns=slack,
        ),
        throughput=THROUGHPUT, gbit_per_s=10.24, kbit_per_s_per_gate=829.4,
        measured_at="2026-01-02T03:04:05+00:00",
    )  # fmt: skip


def test_json_gives_the_same_result_back():
    assert Result.from_json(result().to_json()) == result()


@pytest.mark.parametrize("text", ["{}", "[]", '{"what": 1}', "nothing"])
def test_other_json_is_refused(text):
    with pytest.raises(ValueError):
        Result.from_json(text)


def test_a_result_cannot_be_changed():
    with pytest.raises(AttributeError):
        result().area_ge = 1.0  # type: ignore[misc]


def test_a_missed_clock_is_said_loudly_and_a_met_one_is_not():
    missed, met = results_text([result(-1.25)]), results_text([result(0.5)])
    assert not result(-1.25).meets_clock and result(0.5).meets_clock and result().meets_clock
    assert "-1.25 ns, NOT MET" in missed
    assert "CLOCK NOT MET" in missed
    assert "+0.50 ns, met" in met
    assert "NOT MET" not in met


def test_a_second_timing_is_shown_with_its_difference_and_a_missing_one_with_its_reason():
    other = OtherTiming(
        tool="OpenSTA 9", delay_ns=8.0, delay_ta=None, start="u_x", end="u_y",
        difference_percent=25.0,
    )  # fmt: skip
    both = replace(result(), other_timing=other)
    assert Result.from_json(both.to_json()) == both
    for part in ("8.00 ns", "10.0 ns", "OpenSTA 9: u_x -> u_y", "differ by 25.0000 %"):
        assert part in results_text([both]), part
    without = results_text([replace(result(), other_timing_missing="sta is not there")])
    assert "no second timing: sta is not there" in without


def test_the_table_has_every_block_with_its_share_and_where_the_figures_come_from():
    text = results_text([result()])
    for part in ("aes, GE", "345.6 (3%)", "ghash, GE", "12,000 (97%)", "12,346", "296,294",
                 "102.4", "10.2", "829", "u_a.q -> u_b.d", "ideal wires", "yosys 1",
                 "gcmforge measure default --target osu018"):  # fmt: skip
        assert part in text, part


def test_what_contexts_take_is_shown_where_it_is_counted_whole():
    held = Block(name="contexts", area_ge=2469.1, area_um2=59258.4, flip_flops=9)
    for core, shown in ((None, True), ("segments", False)):
        one = replace(result(), contexts=held, configuration={"lanes": 1, "core": core})
        assert ("(of which contexts, GE)" in results_text([one])) is shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, ""),
        (0.0, "0"),
        (1234.567, "1,235"),
        (123.4567, "123"),
        (12.3456, "12.3"),
        (1.23456, "1.23"),
        (0.123456, "0.123"),
        (0.00123456, "0.00123"),
        (-4.5678, "-4.57"),
        (999.96, "1,000"),
    ],
)
def test_rounding_keeps_three_digits_and_never_writes_exponents(value, shown):
    assert significant(value) == shown


def test_luts_of_two_functions_are_shown_where_there_are_any():
    found = Fpga(
        device="any", luts=1_600, luts_of_two=541, lut_ram_luts=0, flip_flops=0, block_rams=0.0,
        carry=0, wide_muxes=0, dsps=0, cells={"LUT2": 2_141}, placed=False,
    )  # fmt: skip
    paired = replace(result(), fpga=found)
    assert Result.from_json(paired.to_json()) == paired
    rows = [line.split() for line in results_text([paired]).splitlines()]
    assert ["LUTs,", "logic", "1,600"] in rows
    assert ["(of", "which", "with", "two", "functions)", "541"] in rows
    without = replace(result(), fpga=replace(found, luts_of_two=0))
    assert "two functions" not in results_text([without])
