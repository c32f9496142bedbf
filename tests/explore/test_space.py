# SPDX-License-Identifier: Apache-2.0
"""Spaces of cores: what a file means, what is left out, and in which order points come."""

import itertools
from pathlib import Path

import pytest

from gcmforge.config import ConfigError, CoreConfig
from gcmforge.explore.space import MOST_ENUMERATED, Space, common_space

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_a_plain_configuration_is_a_space_of_one_point():
    survey = Space.from_mapping({"lanes": 2, "key_sizes": [128, 256]}).survey()
    assert survey.points == (CoreConfig(lanes=2, key_sizes=(128, 256)),)
    assert survey.invalid == {}


@pytest.mark.parametrize(
    ("value", "lanes"),
    [
        ([4, 1], (4, 1)),
        ("1..4", (1, 2, 3, 4)),
        ({"from": 1, "to": 16, "times": 2}, (1, 2, 4, 8, 16)),
        ({"from": 1, "to": 9, "step": 4}, (1, 5, 9)),
        ({"from": 3, "to": 3}, (3,)),
    ],
)
def test_lists_and_ranges(value, lanes):
    points = Space.from_mapping({"lanes": value}).survey().points
    assert tuple(point.lanes for point in points) == lanes


def test_a_list_of_key_sizes_is_one_set_and_a_list_of_lists_is_several():
    one = Space.from_mapping({"key_sizes": [128, 256]}).survey().points
    assert [point.key_sizes for point in one] == [(128, 256)]
    two = Space.from_mapping({"key_sizes": [[256], [128, 192]]}).survey().points
    assert [point.key_sizes for point in two] == [(256,), (128, 192)]


def test_the_order_is_that_of_the_options_whatever_the_file_says():
    first = Space.from_mapping({"contexts": [1, 2], "lanes": [1, 2, 4]})
    second = Space.from_mapping({"lanes": [1, 2, 4], "contexts": [1, 2]})
    assert first == second
    points = [(p.lanes, p.contexts) for p in first.survey().points]
    assert points == list(itertools.product((1, 2, 4), (1, 2)))


def test_contradictory_points_are_left_out_and_counted_by_reason():
    space = Space.from_mapping(
        {"lanes": [1, 2, 3], "ghash": ["serial", "log_tail"], "aes": ["pipelined", "loop"]}
    )
    survey = space.survey()
    assert survey.combinations == space.combinations == 12
    built = {(p.lanes, p.ghash, p.aes) for p in survey.points}
    assert built == {
        (1, "serial", "pipelined"), (1, "serial", "loop"),
        (2, "log_tail", "pipelined"), (2, "log_tail", "loop"),
    }  # fmt: skip
    assert survey.invalid == {"lanes with ghash": 8}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"contxts": [1]}, "contxts: no such option; did you mean contexts?"),
        ({"lanes": [1, 99]}, "lanes=99: not allowed; use 1 to 16"),
        ({"lanes": []}, "lanes=[]: no values"),
        ({"lanes": [1, 1]}, "lanes: 1 is there twice"),
        ({"lanes": "4..1"}, "lanes: a range goes up"),
        ({"lanes": {"from": 1}}, "lanes: not a range"),
        ({"lanes": {"from": 1, "to": 4, "by": 2}}, "by is unknown"),
        ({"lanes": {"from": 1, "to": 4, "step": 2, "times": 2}}, "lanes: not a range"),
        ({"lanes": {"from": 1.5, "to": 4}}, "whole numbers only"),
        ({"sbox": ["fast", "fasst"]}, "sbox=fasst: not allowed"),
    ],
)
def test_what_is_wrong_with_a_space_is_said(values, message):
    with pytest.raises(ConfigError) as error:
        Space.from_mapping(values)
    assert message in str(error.value)


def test_a_space_that_is_too_large_to_look_at_says_so():
    space = Space.from_mapping({"contexts": "1..64", "max_aad_bytes": "16..9999"})
    assert space.combinations == 64 * 9984 > MOST_ENUMERATED
    with pytest.raises(ConfigError, match="search them"):
        space.survey()


def test_a_file_that_is_not_there_or_not_toml_is_one_line(tmp_path):
    with pytest.raises(ConfigError, match=r"missing.toml: cannot be read"):
        Space.from_toml(tmp_path / "missing.toml")
    (tmp_path / "bad.toml").write_text("lanes = [1,")
    with pytest.raises(ConfigError, match="not a TOML file"):
        Space.from_toml(tmp_path / "bad.toml")


@pytest.mark.slow
@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.toml")), ids=lambda file: file.name)
def test_the_examples_are_spaces_with_points(file):
    space = Space.from_toml(file)
    assert space.combinations > 1
    if space.is_small:
        assert space.survey().points


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"lanes = {'[' * 5000}{']' * 5000}", r"not a TOML file \(nested too deeply\)"),
        (f"lanes = '1..{'9' * 5000}'", "lanes=1\\.\\.9+\\.\\.\\.: str instead of whole numbers"),
        (f"lanes = {{from = 1, to = {'9' * 4000}}}", "lanes: [9,]+\\.\\.\\. values from 1 to 9+"),
        (f"lanes = {{from = {'9' * 4000}, to = 1}}", "lanes: a range goes up, from 9+"),
    ],
    ids=["depth", "digits", "values", "range"],
)
def test_a_file_that_nobody_would_write_is_refused_in_one_short_line(tmp_path, text, message):
    file = tmp_path / "odd.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=rf"odd\.toml: {message}") as refused:
        Space.from_toml(file)
    assert len(str(refused.value)) < 400


@pytest.mark.slow
def test_the_space_of_a_need_is_looked_at_one_by_one_and_has_every_kind_of_small_core():
    survey = common_space().survey()
    assert 20_000 < len(survey.points) < survey.combinations <= MOST_ENUMERATED
    small = {config.ghash for config in survey.points if config.lanes == 1 and config.aes == "loop"}
    assert small == {"serial", "digit", "aggregated"}
