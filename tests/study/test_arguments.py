# SPDX-License-Identifier: Apache-2.0
"""What `gcmforge-study run` and `search` are given reaches the script, whatever sys.argv says."""

import sys

import pytest

from gcmforge.study.cli import main
from gcmforge.study.searches import multipliers


@pytest.fixture(autouse=True)
def other_words(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["gcmforge-study", "other", "words"])


@pytest.mark.verilator
@pytest.mark.yosys
def test_lint_looks_at_the_leaf_that_was_named(capfd):
    with pytest.raises(SystemExit) as ended:
        main(["run", "lint", "aes_mix_column/small"])
    assert ended.value.code == 0
    assert capfd.readouterr().out == "aes_mix_column/small: clean\n"


def test_multipliers_refuses_a_name_that_it_does_not_know():
    with pytest.raises(SystemExit, match="nothing_like_it: there is"):
        multipliers.main(["nothing_like_it"])
