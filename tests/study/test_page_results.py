# SPDX-License-Identifier: Apache-2.0
"""Results that are kept with a page are there on another machine, and a page asks for no more."""

import json
import time

import pytest

from gcmforge.study.pages import asks
from gcmforge.study.pages.asks import Ask, keep, lend, results_of

SBOX, OTHER = (
    Ask(what=f"aes_sbox/{name}", target="ge", effort="quick") for name in ("small", "fast")
)


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Turns to another machine, by its name: nothing is in its store yet."""
    monkeypatch.setattr(asks, "DATA", tmp_path)
    return lambda name: monkeypatch.setenv("GCMFORGE_STORE", str(tmp_path / f"{name}.sqlite"))


def ask(*wanted, minutes=10.0):
    until = time.monotonic() + 60 * minutes
    return results_of("page", wanted, until=until, jobs=1)


@pytest.mark.slow
def test_another_machine_measures_nothing_again(machine, tmp_path):
    machine("one")
    made = ask(SBOX)
    machine("two")
    assert ask(SBOX, minutes=0) == made
    assert ask(SBOX, OTHER, minutes=0) == made, "what is not kept is left out once time is up"


@pytest.mark.slow
def test_what_a_page_asks_for_no_more_is_dropped(machine, tmp_path):
    machine("one")
    ask(SBOX, OTHER)
    assert len((tmp_path / "page.jsonl").read_text().splitlines()) == 2
    found = ask(OTHER)
    assert list(found) == [OTHER]
    (line,) = (tmp_path / "page.jsonl").read_text().splitlines()
    assert json.loads(line)["result"]["what"] == OTHER.what


@pytest.mark.slow
def test_a_result_that_was_made_otherwise_is_not_taken(machine, tmp_path):
    machine("one")
    found = ask(SBOX)
    keep("page", found)
    file = tmp_path / "page.jsonl"
    kept = json.loads(file.read_text())
    file.write_text(json.dumps({**kept, "key": "of another program"}) + "\n")
    machine("two")
    lend("page")
    assert ask(SBOX, minutes=0) == {}
