# SPDX-License-Identifier: Apache-2.0
"""Estimates: counts against synthesised cores, calibration against what it is to find, leaf costs
against their circuits."""

import dataclasses
import random

import pytest

from gcmforge.config import ConfigError, CoreConfig
from gcmforge.config.installed import engines, ghash_engine
from gcmforge.config.presets import preset
from gcmforge.explore.calibration import (
    AREA_PRIOR,
    Sample,
    calibrate,
    calibrated,
    calibration_of,
    data_of,
    fit,
)
from gcmforge.explore.estimate import COUNTED, accuracy, errors, estimate
from gcmforge.explore.parts import BLOCKS, parts
from gcmforge.explore.timing import PATHS
from gcmforge.leaf.costs import make_product, product_cost

# Flip-flops by `gcmforge measure`: docs/reference/measured.md.
FLIP_FLOPS = {"default": 25_656, "small": 5_999, "quad": 67_823}


@pytest.mark.parametrize("name", FLIP_FLOPS)
def test_register_bits_are_the_flip_flops_of_the_synthesised_core(name):
    counts = parts(preset(name)).values()
    bits = sum(c.get(kind, 0) for c in counts for kind in ("stage", "register", "store"))
    assert bits == pytest.approx(FLIP_FLOPS[name], rel=0.05)


def test_unit_costs_are_found_again_from_what_they_make():
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    draw = random.Random(seed)
    true = {"store": 6.0, "read": 1.6, "one": 530.0}  # its prior is 500
    counts = [
        {"store": draw.randrange(100, 9000), "read": draw.randrange(100, 9000), "one": 1}
        for _ in range(60)
    ]
    found = [sum(n * true[kind] for kind, n in count.items()) for count in counts]
    units = fit(counts, found, AREA_PRIOR)
    for kind, cost in true.items():
        assert units[kind] == pytest.approx(cost, rel=0.06)


def test_a_kind_that_no_sample_has_keeps_its_prior():
    units = fit([{"store": 100.0}] * 3, [600.0] * 3, AREA_PRIOR)
    assert units["read"] == AREA_PRIOR["read"]
    assert units["store"] < AREA_PRIOR["store"]


@pytest.mark.slow
def test_the_error_that_is_told_is_of_estimates_that_did_not_know_the_core():
    data = data_of("osu018")
    found = errors("osu018")
    told = accuracy("osu018")
    assert told.points == len(found) == len(data.samples)
    assert told.worst_area == max(abs(error.area) for error in found)
    first = data.samples[0]
    without = calibrate("osu018", data.effort, data.samples[1:], data.leaves)
    assert found[0].area_ge == sum(without.area_ge(first.config).values())
    assert found[0].fmax == pytest.approx(
        first.delay / max(without.delays(first.config).values()) - 1
    )


@pytest.mark.slow
def test_estimates_are_within_ten_percent_of_area_and_fmax():
    found = errors("osu018")
    assert all(abs(error.area) < 0.10 for error in found)
    assert all(abs(error.fmax) < 0.10 for error in found)


def test_a_core_is_measured_once_in_the_data():
    for target in calibrated():
        configs = [sample.config for sample in data_of(target).samples]
        assert len(configs) == len(set(configs))


@pytest.mark.slow
def test_an_estimate_has_every_block_and_path():
    point = estimate(CoreConfig(aes_substages=2), "osu018", 1500)
    assert set(point.blocks) == set(BLOCKS)
    assert sum(point.blocks.values()) == pytest.approx(point.area_ge)
    assert point.gbit_per_s == pytest.approx(point.bits_per_cycle * point.fmax_mhz / 1000)
    assert set(calibration_of("osu018").delays(CoreConfig())) == set(PATHS)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", sorted(COUNTED - {"max_text_bytes", "max_aad_bytes", "buffer_beats"})
)
def test_every_counted_option_changes_the_estimate(name):
    changes = {
        "lanes": {"lanes": 2}, "key_sizes": {"key_sizes": (128,)}, "contexts": {"contexts": 8},
        "aes": {"aes": "loop"}, "aes_rounds": {"aes": "loop", "aes_rounds": 2},
        "aes_loops": {"aes": "loop_parallel", "aes_loops": 3},
        "aes_substages": {"aes_substages": 2},
        "aes_slack": {"aes_substages": 3, "aes_slack": 40},
        "key_schedule": {"key_schedule": "travelling"},
        "counter_sharing": {"lanes": 2, "counter_sharing": "on"}, "sbox": {"sbox": "small"},
        "mix_columns": {"mix_columns": "depth3"}, "ghash": {"ghash": "dot"},
        "multiplier": {"multiplier": "ko4"},
        "squarers": {"lanes": 4, "ghash": "log_tail", "squarers": "parallel"},
        "window_bits": {"ghash": "window", "window_bits": 3},
        "window_splits": {"ghash": "window", "window_splits": 1},
        "ghash_stages": {"ghash_stages": 2}, "iv": {"iv": "96"},
        "j0": {"tail": "dedicated", "j0": "dedicated"}, "tail": {"tail": "dedicated"},
        "aad_lanes": {"aad_lanes": 1}, "release": {"release": "verified", "max_text_bytes": 1500},
        "tag_places": {"tag_places": 2},
        "key_unit": {"key_unit": "dedicated"},
        "digit_bits": {"ghash": "digit", "aes": "loop", "digit_bits": 8},
    }  # fmt: skip
    config = CoreConfig(**changes[name])
    without = {key: value for key, value in changes[name].items() if key != name}
    if name in ("aes_rounds", "aes_loops"):
        without[name] = 2 if name == "aes_loops" else 1
    assert (
        estimate(config, "osu018", 1500).area_ge
        != estimate(CoreConfig(**without), "osu018", 1500).area_ge
    )


def test_what_no_estimate_counts_is_said():
    config = CoreConfig(registers="axi4lite", zeroise="on")
    point = estimate(config, "osu018", 1500)
    assert point.note == "not in the estimate: zeroise=on, registers=axi4lite"


def test_a_ghash_that_counts_nothing_has_no_estimate_and_the_user_is_told(monkeypatch):
    """As one of another package may be."""
    uncounted = dataclasses.replace(ghash_engine("dot"), counts=None)
    others = ghash_engine

    def found(name):
        return uncounted if name == "dot" else others(name)

    monkeypatch.setattr("gcmforge.config.chosen.ghash_engine", found)
    without = estimate(CoreConfig(ghash="dot"), "osu018", 1500)
    assert without.area_ge is None
    assert without.error == "ghash=dot: no estimate counts it; use --depth measure"


def test_every_ghash_that_is_shipped_has_an_estimate():
    for name, engine in engines("ghash").items():
        assert engine.counts is not None, name


SMALL = {"aes": "loop", "key_sizes": (128,), "iv": "96"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "area_ge", "ghash_ge", "delay_ns"),
    [
        ({"ghash": "residues", "contexts": 1}, 145_450, 94_990, 15.66),
        ({"ghash": "residues", "contexts": 4, "lanes": 2}, 685_019, 577_100, 16.26),
        (
            {"ghash": "evaluated", "contexts": 1, "lanes": 2, "multiplier": "ko5_small"},
            153_442, 84_265, 5.75,
        ),
    ],
    ids=["residues", "residues of 4 contexts", "evaluated"],
)  # fmt: skip
def test_a_ghash_that_no_sample_has_is_near_to_what_was_measured(
    options, area_ge, ghash_ge, delay_ns
):
    """Measured with `gcmforge measure --target osu018 --effort quick`."""
    found = estimate(CoreConfig(**SMALL, **options), "osu018", 1500)
    assert found.area_ge == pytest.approx(area_ge, rel=0.03)
    assert found.blocks["ghash"] == pytest.approx(ghash_ge, rel=0.06)
    assert 1000 / found.fmax_mhz == pytest.approx(delay_ns, rel=0.1)


@pytest.mark.parametrize(
    ("options", "unit_ge"),
    [
        ({**SMALL, "contexts": 1}, 7_414),
        ({"aes": "loop", "lanes": 2, "aes_substages": 2, "ghash_stages": 2}, 8_101),
    ],
    ids=["small", "in stages"],
)
def test_a_key_unit_of_its_own_counts_as_it_was_measured(options, unit_ge):
    """The block "key unit" of gcmforge measure --target osu018 --effort quick."""
    config = CoreConfig(multiplier="ko5_small", **options)
    own = dataclasses.replace(config, key_unit="dedicated")
    more = estimate(own, "osu018", 1500).area_ge - estimate(config, "osu018", 1500).area_ge
    assert more == pytest.approx(unit_ge, rel=0.08)


def test_a_target_without_measured_points_is_refused_with_those_that_have_some():
    with pytest.raises(ConfigError, match=r"estimates on xc7: .*osu018"):
        estimate(CoreConfig(), "xc7", 1500)


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "lanes", "stages"), [("ko4", 5, 1), ("ko5_small", 4, 2)])
def test_costs_of_many_lanes_are_those_of_their_circuit(scheme, lanes, stages):
    told, made = product_cost(scheme, lanes, stages), make_product(scheme, lanes, stages)
    assert told.ge == pytest.approx(made.ge, rel=0.01)
    assert told.period_ta == pytest.approx(made.period_ta, abs=2.0)
    assert told.registers == pytest.approx(made.registers, abs=0.02 * made.ge / 5.5)


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "stages"), [("ko4", 1), ("mixed_15_small", 2)])
def test_costs_kept_with_the_library_are_those_of_the_circuits_as_they_are(scheme, stages):
    assert product_cost(scheme, 1, stages) == make_product(scheme, 1, stages)


def test_a_sample_is_plain_data():
    sample = data_of("osu018").samples[0]
    values = {name: getattr(sample, name) for name in Sample.__dataclass_fields__}
    assert Sample.from_mapping(
        values | {"config": sample.config.to_mapping()}
    ) == dataclasses.replace(sample)
