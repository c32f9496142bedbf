# SPDX-License-Identifier: Apache-2.0
"""What a need's words mean, and which core serves it."""

import re
from dataclasses import replace

import pytest

from gcmforge.config import ConfigError, CoreConfig
from gcmforge.explore import placed
from gcmforge.explore.estimate import estimate
from gcmforge.explore.need import Need, asked_need, parse_need, recommend, relaxed
from gcmforge.explore.placed import PlacedSample, Placing
from gcmforge.explore.point import Point


def point(area, gbit, *, fmax=200.0, **options):
    config = CoreConfig(**options)
    return Point(
        config=config, target="osu018", depth="estimate", packet_bytes=64, area_ge=area,
        fmax_mhz=fmax, bits_per_cycle=1000 * gbit / fmax, gbit_per_s=gbit, latency_cycles=20,
    )  # fmt: skip


POINTS = [
    point(90_000, 2, aes="loop", ghash="serial"),
    point(240_000, 20),
    point(280_000, 25, multiplier="ko4"),
    point(300_000, 26, key_sizes=(256,), contexts=16),
    point(650_000, 90, lanes=4, fmax=180),
]


def test_the_words_of_a_need():
    text = (
        "100 Gbit/s, osu018, 64-byte packets, AES-256, 128-bit keys, 16 contexts, clock 200 MHz, "
        "latency 300 ns, at most 500 kGE, any IV"
    )
    assert parse_need(text) == Need(
        target="osu018", gbit_per_s=100, packet_bytes=64, key_sizes=(128, 256), contexts=16,
        clock_mhz=200, max_latency_ns=300, max_area_ge=500_000, any_iv=True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("0.5 Tbps", "gbit_per_s", 500), ("800 Mbit/s", "gbit_per_s", 0.8),
        ("1 us", "max_latency_ns", 1000), ("at 1.2 GHz", "clock_mhz", 1200),
        ("9000 bytes", "packet_bytes", 9000), ("1 context", "contexts", 1), ("ge", "target", "ge"),
    ],
)  # fmt: skip
def test_other_ways_to_say_it(text, name, value):
    assert getattr(parse_need(text), name) == value


def test_a_need_in_its_own_words_is_the_same_need():
    need = parse_need("40 Gbit/s, osu018, 576-byte packets, AES-128, 4 contexts, at most 300 kGE")
    assert parse_need(need.text) == need


def test_flags_and_words_come_together():
    need = asked_need("16 contexts", 10.0, 64, ("ge",))
    assert need == Need(target="ge", gbit_per_s=10, packet_bytes=64, contexts=16)
    assert asked_need(None, None, 64, ()) is None


def test_a_word_that_says_nothing_is_refused():
    with pytest.raises(
        ConfigError, match=r"very fast: not understood; write it such as: 100 Gbit/s"
    ):
        parse_need("100 Gbit/s, very fast")


@pytest.mark.parametrize(
    ("words", "gbit", "packet_bytes", "targets", "message"),
    [
        ("20 Gbit/s", 40.0, None, (), "20 Gbit/s: gbit_per_s was given as 40.0, too"),
        ("20 Gbit/s, 40 Gbit/s", None, None, (), "40 Gbit/s: gbit_per_s was given as 20.0, too"),
        ("64-byte packets", 1.0, 1500, (), "packet_bytes was given as 1500, too"),
        ("1 Gbit/s, ge", None, None, ("osu018",), "ge: target was given as osu018, too"),
        ("", None, None, (), "the need is empty"),
        (None, -5.0, None, (), "gbit_per_s -5.0: use a number above 0"),
        (None, float("nan"), None, (), "gbit_per_s nan: use a number above 0"),
    ],
)
def test_a_need_that_contradicts_itself_or_asks_for_nothing_is_refused(
    words, gbit, packet_bytes, targets, message
):
    with pytest.raises(ConfigError, match=re.escape(message)):
        asked_need(words, gbit, packet_bytes, targets)


def test_the_smallest_that_serves_is_named_with_those_behind_it():
    answer = recommend(POINTS, Need(gbit_per_s=15))
    assert answer.best.point is POINTS[1]
    assert len(answer.candidates) == 4
    assert [c.point for c in answer.runners_up] == [POINTS[4]]  # ko4 and contexts: same machine
    assert "15 needed" in answer.why[0]


OWN = {
    "key_sizes": (128,), "contexts": 1, "iv": "96",
    "max_text_bytes": 65536, "max_aad_bytes": 65536,
}  # fmt: skip
DIGIT = {"aes": "loop", "ghash": "digit"}


@pytest.mark.parametrize(
    "points",
    [
        [
            point(7_800, 0.07, core="nano", **OWN),
            point(15_300, 0.5, core="micro", sboxes=4, **OWN),
            point(25_700, 2, core="micro", **OWN),
        ],
        [
            point(60_000, 20, core="segments", segments=2, lanes=4, **OWN),
            point(61_000, 20, core="segments", segments=4, lanes=4, **OWN),
        ],
        [point(40_000, 1, digit_bits=8, **DIGIT), point(41_000, 2, digit_bits=16, **DIGIT)],
    ],
    ids=("cores", "segments", "digits"),
)
def test_another_core_and_another_width_of_it_are_other_architectures(points):
    circuits = [
        replace(one, config=one.config.with_settings(["sbox=table"]), area_ge=one.area_ge + 1)
        for one in points
    ]
    answer = recommend([*points, *circuits], Need(gbit_per_s=0.01, key_sizes=(128,)))
    assert len(answer.candidates) == 2 * len(points)
    assert [c.point for c in (answer.best, *answer.runners_up)] == points


def test_keys_contexts_clock_and_area_all_count():
    assert recommend(POINTS, Need(key_sizes=(256,), contexts=9)).best.point is POINTS[3]
    assert recommend(POINTS, Need(gbit_per_s=80, clock_mhz=170)).best.point is POINTS[4]
    assert recommend(POINTS, Need(gbit_per_s=15, max_area_ge=200_000)).best is None


def test_at_a_given_clock_throughput_is_that_of_the_clock():
    answer = recommend(POINTS, Need(gbit_per_s=10, clock_mhz=100))
    assert answer.best.point is POINTS[1]
    assert answer.best.gbit_per_s == pytest.approx(10)
    assert recommend(POINTS, Need(gbit_per_s=1, clock_mhz=250)).best is None


def test_when_nothing_serves_it_says_so_and_what_comes_nearest():
    answer = recommend(POINTS, Need(gbit_per_s=400))
    assert answer.best is None
    assert "5 of 5 points lack throughput" in answer.why
    assert "the fastest that meets the rest has 90.0 Gbit/s" in answer.why[-1]


@pytest.mark.parametrize(
    ("need", "said"),
    [
        # 16 lanes in 4 segments of 64 bytes: 4 packets a beat. 8 lanes in 4 segments: 2 packets.
        ({"gbit_per_s": 400, "packet_bytes": 64}, "preset 400ge takes 2,048 bits a cycle in "
         "64-byte packets, so 400 Gbit/s at 195 MHz; gcmforge measure 400ge --target osu018"),
        ({"gbit_per_s": 400, "packet_bytes": 64, "clock_mhz": 395},
         "preset 200ge takes 1,024 bits a cycle in 64-byte packets, so 400 Gbit/s at 391 MHz"),
        ({"gbit_per_s": 400, "packet_bytes": 64, "any_iv": True}, None),
        ({"gbit_per_s": 4000, "packet_bytes": 64}, None),
        ({"max_latency_ns": 1}, None),
    ],
)  # fmt: skip
def test_where_nothing_serves_the_preset_whose_packets_share_beats_is_named(need, said):
    answer = recommend(POINTS, Need(**need))
    assert answer.best is None
    told = [why for why in answer.why if "share beats" in why]
    assert (said in told[0] and len(told) == 1) if said else not told


def test_cores_with_other_tags_are_never_recommended():
    odd = point(50_000, 30, ghash="serial_length_first", tags_not_of_gcm="yes", iv="96")
    assert recommend([odd, *POINTS], Need(gbit_per_s=15)).best.point is POINTS[1]


def test_a_relaxed_need_lets_in_what_just_misses_it():
    need = Need(gbit_per_s=21, max_area_ge=230_000)
    assert recommend(POINTS, need).best is None
    assert recommend(POINTS, relaxed(need, 0.10)).best.point is POINTS[1]


# Placed figures -----------------------------------------------------------------------------------


def placing(*clocks: float) -> Placing:
    """Cores of 10, 100, ... kGE with these ratios of the clock; areas grow by a tenth."""
    samples = tuple(
        PlacedSample(
            command="c", version="v", area_ge=10.0 ** (4 + n), fmax_mhz=200.0,
            placed_area_ge=1.1 * 10.0 ** (4 + n), placed_fmax_mhz=200.0 * clock,
        )
        for n, clock in enumerate(clocks or (0.6, 0.6, 0.6))
    )  # fmt: skip
    return Placing(target="osu018", samples=samples)


def test_placed_figures_follow_the_size_of_placed_cores_and_stay_within_them():
    found = placing(0.9, 0.8, 0.7)
    assert found.clock(1e5) == pytest.approx(0.8)
    assert found.clock(10**4.5) == pytest.approx(0.85)
    assert found.clock(1e3) == pytest.approx(0.9) and found.clock(1e9) == pytest.approx(0.7)
    assert found.area(1e5) == pytest.approx(1.1)
    assert placing(0.9, 0.7).clock(1e4) == pytest.approx(0.8)  # two make no line
    bent = placing(0.9, 0.9, 0.6)
    assert bent.clock(1e5) == pytest.approx(0.8) and bent.clock(1e4) == pytest.approx(0.9)
    assert "clock x 0.70 to 0.90 and area x 1.10 to 1.10 by size, from 3 cores" in found.text


def test_an_estimate_has_what_it_would_be_placed(monkeypatch):
    monkeypatch.setattr(placed, "placing_of", lambda target: placing())
    point = estimate(CoreConfig(), "osu018", 1500)
    assert point.placed_fmax_mhz == pytest.approx(point.fmax_mhz * 0.6)
    assert point.placed_area_ge == pytest.approx(point.area_ge * 1.1)
    monkeypatch.setattr(placed, "placing_of", lambda target: None)
    assert estimate(CoreConfig(), "osu018", 1500).placed_fmax_mhz is None


def test_a_need_says_which_kind_of_figure_serves_and_the_answer_names_it(monkeypatch):
    monkeypatch.setattr(placed, "placing_of", lambda target: placing())
    points = [estimate(CoreConfig(lanes=lanes), "osu018", 1500) for lanes in (1, 2, 4)]
    rate = int(points[0].gbit_per_s * 0.9)
    ideal = recommend(points, parse_need(f"{rate} Gbit/s, osu018"))
    assert ideal.best.point.config.lanes == 1
    assert any("is for ideal wires; placed it is about" in reason for reason in ideal.why)
    need = parse_need(f"{rate} Gbit/s, osu018, placed")
    assert need.placed and parse_need(need.text) == need
    wired = recommend(points, need)
    assert wired.best.point.config.lanes == 2
    assert wired.best.clock_mhz == wired.best.point.placed_fmax_mhz
    assert wired.best.size == wired.best.point.placed_area_ge
    assert any("those with wires and a clock tree" in reason for reason in wired.why)


def test_a_target_of_which_no_core_was_placed_serves_no_placed_need(monkeypatch):
    monkeypatch.setattr(placed, "placing_of", lambda target: None)
    answer = recommend([estimate(CoreConfig(), "osu018", 1500)], parse_need("osu018, placed"))
    assert answer.best is None and answer.why[0] == "1 of 1 points lack a placed clock"


@pytest.mark.parametrize("target", ["osu018"])
def test_the_placed_cores_of_a_target_are_within_what_wires_do(target):
    found = placed.placing_of(target)
    assert found is not None and len(found.samples) >= 2
    assert all("--placed" in sample.command and sample.version for sample in found.samples)
    assert all(0.4 < sample.clock < 1.2 for sample in found.samples)
    assert all(1.0 <= sample.area < 1.3 for sample in found.samples)
