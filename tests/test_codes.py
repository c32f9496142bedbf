# SPDX-License-Identifier: Apache-2.0
"""Numbers of statuses and key sizes stand once: what cannot take them from there agrees with it."""

import ast
import re
from pathlib import Path

from gcmforge.config import CoreConfig, options
from gcmforge.config.codes import ERASE_KEY_SIZE, KEY_SIZES, Status, status_bits, statuses
from gcmforge.config.presets import preset
from gcmforge.emit.bench import __path__ as bench
from gcmforge.emit.rtl import handwritten
from gcmforge.sim.operations import INVALID_KEY_SIZE_CODE, KEY_SIZE_CODE


def test_statuses_count_from_zero_and_each_has_what_to_do():
    assert [status.value for status in Status] == list(range(10)), "count a new one here"
    assert all(status.action for status in Status)


def test_what_gives_a_status_is_a_setting_that_exists():
    for status in Status:
        option, _, values = status.only_with.partition("=")
        allowed = options()[option].choices if option else ("",)
        assert set(values.split("|")) <= set(allowed), status.name


def test_only_a_core_that_can_be_erased_says_erased():
    codes = [status.code for status in Status]
    assert statuses(CoreConfig()) == tuple(codes[:7])
    assert statuses(CoreConfig(zeroise="on")) == tuple(codes[:8])


def test_three_bits_are_enough_unless_a_core_has_one_direction_or_finds_faults():
    assert status_bits(CoreConfig(zeroise="on")) == 3
    assert status_bits(preset("micro")) == 3
    assert status_bits(preset("micro").with_settings(["faults=detect"])) == 4
    assert {status_bits(CoreConfig(direction=one)) for one in ("encrypt", "decrypt")} == {4}


def test_a_core_with_one_direction_says_so_and_one_that_only_encrypts_finds_no_tag_wrong():
    def named(**options):
        return {code.name: code.value for code in statuses(CoreConfig(**options))}

    one_way = named() | {"BAD_DIRECTION": 8}
    assert named(direction="decrypt") == one_way
    assert named(direction="encrypt") == {
        name: value for name, value in one_way.items() if name != "AUTH_FAIL"
    }
    assert named(direction="decrypt", zeroise="on")["ERASED"] == 7


def test_key_sizes_are_two_bits_in_the_order_of_fips_197():
    assert KEY_SIZE_CODE == {16: 0, 24: 1, 32: 2}
    assert ERASE_KEY_SIZE.value == INVALID_KEY_SIZE_CODE == len(KEY_SIZES)


def test_the_bench_of_a_core_which_stands_alone_has_the_same_key_sizes():
    text = (Path(next(iter(bench))) / "test_gcm_axis.py").read_text(encoding="utf-8")
    (literal,) = re.findall(r"^KEY_SIZE_CODE = (\{.*\})$", text, re.MULTILINE)
    assert ast.literal_eval(literal) == KEY_SIZE_CODE


def test_the_modules_that_erase_a_context_compare_its_size_with_that_code():
    for module in ("gcm_axis_guard", "gcm_erase"):
        text = handwritten()[module].read_text(encoding="utf-8")
        sizes = re.findall(r"\w*size\w* *[!=]= *([\w:']+)", text)
        assert sizes and set(sizes) == {"gcm_pkg::KEY_ERASE"}, module
