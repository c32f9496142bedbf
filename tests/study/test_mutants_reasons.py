# SPDX-License-Identifier: Apache-2.0
"""Reasons are of what stands in the SystemVerilog, and short."""

from pathlib import Path

import pytest

import gcmforge
from gcmforge.study.mutants.reasons import REASONS, reason

SOURCES = Path(gcmforge.__file__).parent
LONGEST = 160


@pytest.mark.parametrize(("file", "old"), sorted({(file, old) for file, old, _ in REASONS}))
def test_what_a_reason_is_of_stands_in_its_file(file: str, old: str) -> None:
    (path,) = (path for part in ("rtl", "engines") for path in (SOURCES / part).rglob(file))
    assert old in " ".join(path.read_text(encoding="utf-8").split())


def test_reasons_are_one_short_sentence() -> None:
    for why in REASONS.values():
        assert len(why) <= LONGEST, why
        assert why.endswith(".")
        assert ". " not in why, why


def test_a_mutant_has_its_own_reason_or_that_of_its_verdict() -> None:
    (file, old, new), why = next(iter(REASONS.items()))
    assert reason(file, old, new, "slower") == why
    assert reason(file, old, "something else", "unseen") == "not found out"
