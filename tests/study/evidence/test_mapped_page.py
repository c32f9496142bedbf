# SPDX-License-Identifier: Apache-2.0
"""The page of cores as netlists, from kept records."""

from gcmforge.study.evidence import mapped

FOUND = {
    "core": "a core", "target": "osu018", "cells": 53_701, "flip_flops": 6_030, "nist": 1_000,
    "random": 900, "resets": 105, "after_resets": 420, "resets_rtl": 106, "after_resets_rtl": 424,
    "failures": 0, "cycles": 123_456, "synthesis_seconds": 9.0, "compile_seconds": 61.4,
    "run_seconds": 1234.5,
}  # fmt: skip


def test_each_core_has_its_row_and_each_run_with_x_its_line():
    records = {
        "small": {"version": "1", "found": FOUND},
        "small, X": {"version": "2", "found": {"said": "90 cycles after the reset · PASS"}},
    }
    lines = list(mapped.page(records))
    figures = "53,701 | 6,030 | 1,000 | 900 | 105 | 420 | 0 | 123,456 | 106 | 424 | 1,234"
    assert f"| small | {figures} |" in lines
    assert "- small: a core" in lines
    assert "- small, X: 90 cycles after the reset · PASS" in lines
    assert any("version 1, 2 of the project" in line for line in lines)


def test_the_cores_are_six_and_differ():
    assert len(mapped.CORES) == len(set(mapped.CORES.values())) == 6
    assert set(mapped.UNKNOWN) <= set(mapped.CORES)
