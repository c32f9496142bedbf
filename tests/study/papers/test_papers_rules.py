# SPDX-License-Identifier: Apache-2.0
"""A core stands beside its paper in every column that is printed, or is refused by name."""

from dataclasses import replace

import pytest

from gcmforge.study.papers.contenders import CONTENDERS, Contender, contenders
from gcmforge.study.papers.measured import Figures, Measured
from gcmforge.study.papers.rules import (
    FLOWS,
    HEADLINE,
    LONG,
    Comparison,
    Figure,
    Flow,
    Printed,
    WorseError,
)
from gcmforge.study.papers.text import comparisons_markdown
from gcmforge.study.papers.yang2005_packets import TABLE_2

# Simulated: the three-stage core of Yang's rival with one, and with two packets ahead and two
# places for tags (gcmforge-study papers yang2005 --measure plays what stands in contenders.py).
TWO_AHEAD = {
    "16": 11.19, "20": 11.11, "40": 22.76, "44": 25.04, "64": 37.32, "128": 72.99, "256": 120.47,
    "552": 122.67, "576": 124.54, "1024": 126.03, "1500": 126.32, "8192": 127.75,
}  # fmt: skip
PRINTED = {row.name: row.number("gcm") for row in TABLE_2.rows}
IDEAL = Flow(placed=False, gated=True, effort="quick")


def yang() -> Contender:
    return contenders("yang2005")[0]


def measured(**changes: object) -> Measured:
    """A core above Yang's in all columns but latency."""
    made = Measured(
        area_ge=180_000.0, fmax_mhz=500.0, gbit_per_s=63.9, first_text_latency_cycles=36,
        bits_per_cycle={"64": 102.4, "576": 124.5, "1500": 126.3, "9000": 127.8, "65536": 127.9},
    )  # fmt: skip
    return replace(made, **changes)  # type: ignore[arg-type]


def compared(one: Contender, core: Measured, packets: dict[str, float]) -> Comparison:
    assert one.packets_need is not None
    return one.comparison(
        Figures(
            {
                one.need(IDEAL).name: core,
                one.packets_need.name: Measured(bits_per_cycle=packets),
            }
        )
    )


def better() -> dict[str, float]:
    return {size: 1.01 * float(value or 0) for size, value in PRINTED.items() if size != "Avg."}


def test_a_core_above_its_paper_everywhere_passes() -> None:
    compared(yang(), measured(), better()).check()


def test_a_core_that_is_worse_at_one_length_is_refused_with_that_length() -> None:
    with pytest.raises(WorseError, match=r"Table 2, 20 bytes.*11\.11 where it has 11\.4"):
        compared(yang(), measured(), TWO_AHEAD).check()


@pytest.mark.parametrize("size", [name for name in PRINTED if name != "Avg."])
def test_every_length_of_the_paper_counts(size: str) -> None:
    packets = better() | {size: 0.99 * float(PRINTED[size] or 0)}
    found = [text for text in compared(yang(), measured(), packets).worse() if "Table 2" in text]
    assert any(text.startswith(f"Table 2, {size} bytes,") for text in found)


def test_the_average_of_the_mix_counts_as_well() -> None:
    packets = better() | {"1500": 60.0}
    texts = [*compared(yang(), measured(), packets).worse()]
    assert any(text.startswith("Table 2, Avg.") for text in texts)


@pytest.mark.parametrize(
    ("changes", "column"),
    [({"area_ge": 500_000.0}, "Table 1, gates"), ({"fmax_mhz": 270.0}, "Table 1, MHz")],
)
def test_area_and_clock_are_columns_too(changes: dict[str, float], column: str) -> None:
    with pytest.raises(WorseError, match=column):
        compared(yang(), measured(**changes), better()).check()


def test_a_column_that_was_not_measured_is_refused() -> None:
    one = yang()
    with pytest.raises(WorseError, match=r"Table 2, 16 bytes.*not measured"):
        one.comparison(Figures({one.need(IDEAL).name: measured()})).check()


def test_a_flow_in_which_it_is_worse_does_not_count() -> None:
    """Placed a MHz too slow: the ideal figure stands, the headline is none, and both are shown."""
    one = yang()
    assert one.packets_need is not None
    known = {
        one.need(IDEAL).name: measured(),
        one.need(HEADLINE).name: measured(placed_area_ge=185_000.0, placed_fmax_mhz=270.0),
        one.packets_need.name: Measured(bits_per_cycle=better()),
    }
    both = one.comparison(Figures(known))
    both.check()
    assert both.stands(IDEAL) and not both.stands(HEADLINE) and both.headline() is None
    page = "\n".join(comparisons_markdown([both]))
    assert f"| {IDEAL.name} | yes |" in page and f"| {HEADLINE.name} | no |" in page
    assert f"does not stand {HEADLINE.name}: Table 1, MHz: 270 where it has 271" in page


def test_what_is_admitted_is_said_with_its_reason() -> None:
    (text,) = compared(yang(), measured(), better()).admitted()
    assert text.startswith("Table 1, latency in cycles: 36 where it has 12: ")
    assert [*compared(yang(), measured(first_text_latency_cycles=12), better()).admitted()] == []


def test_a_key_size_that_is_not_built_is_refused() -> None:
    one = contenders("satoh2007")[0]
    core = measured(
        area_ge=600_000.0, bits_per_cycle={"64": 256.0, "65536": 511.0},
        long_bits_by_key={"128": 511.0, "256": 511.0},
    )  # fmt: skip
    with pytest.raises(WorseError, match=r"AES-192.*not measured"):
        one.comparison(Figures({one.need(IDEAL).name: core})).check()
    whole = replace(core, long_bits_by_key={"128": 511.0, "192": 511.0, "256": 511.0})
    one.comparison(Figures({one.need(IDEAL).name: whole})).check()
    short = replace(whole, bits_per_cycle={"64": 21.6, "65536": 511.0})
    with pytest.raises(WorseError, match="64 bytes"):
        one.comparison(Figures({one.need(IDEAL).name: short})).check()


def test_a_figure_on_ideal_wires_is_no_headline() -> None:
    ideal = compared(yang(), measured(), better())
    assert ideal.headline() is None and HEADLINE in ideal.missing()
    assert ideal.figures[IDEAL].per_gate(LONG) == pytest.approx(127.9 * 500e3 / 180_000)
    one = yang()
    assert one.packets_need is not None
    known = {
        one.need(HEADLINE).name: measured(placed_area_ge=185_000.0, placed_fmax_mhz=400.0),
        one.packets_need.name: Measured(bits_per_cycle=better()),
    }
    placed = one.comparison(Figures(known))
    assert placed.headline() == pytest.approx(127.9 * 400e3 / 185_000)


def test_every_flow_and_length_stands_in_the_table() -> None:
    figure = Figure(
        area_ge=1000.0, fmax_mhz=100.0, columns={"a": 2.0},
        bits_per_cycle={"64": 10.0, "576": 20.0, "1500": 30.0, "9000": 40.0, LONG: 50.0},
    )  # fmt: skip
    one = Comparison(
        paper="p", core="c", printed=(Printed(column="a", value=1.0),),
        figures=dict.fromkeys(FLOWS, figure),
    )  # fmt: skip
    rows = [line for line in comparisons_markdown([one]) if line.startswith("| p |")]
    assert len(rows) == len(FLOWS) == len({flow.name for flow in FLOWS})
    assert rows[0].startswith("| p | c | placed, gated, one script | yes | 100 | 1 | 1000 | 2000 |")


def test_every_contender_can_be_built() -> None:
    from gcmforge.config.presets import load_config

    for one in CONTENDERS:
        load_config(None, "plain", one.all_settings)


def test_more_gates_than_the_paper_prints_are_refused() -> None:
    """Two stages a round with three key sizes, as measured on ihp-sg13g2-gated with one script."""
    one = contenders("satoh2007")[0]
    core = measured(
        area_ge=762_963.7, fmax_mhz=433.5,
        bits_per_cycle={"64": 256.0, "65536": 511.5},
        long_bits_by_key={"128": 511.5, "192": 511.5, "256": 511.5},
    )  # fmt: skip
    with pytest.raises(WorseError) as refused:
        one.comparison(Figures({one.need(IDEAL).name: core})).check()
    assert "Table 1, gates: 7.63e+05 where it has 6.976e+05" in str(refused.value)
    assert "MHz" not in str(refused.value)
