# SPDX-License-Identifier: Apache-2.0
"""Mutants are what they are called, one at a time, and are judged by what verification sees."""

import re
import time
from pathlib import Path

import pytest
from pyslang.syntax import SyntaxTree

from gcmforge.config import CoreConfig
from gcmforge.study.mutants import judge as judging
from gcmforge.study.mutants.judge import Part, judge
from gcmforge.study.mutants.parts import parts_of
from gcmforge.study.mutants.sites import CHOSEN, with_mutants
from gcmforge.study.mutants.switched import switched

TEXT = """module some #(
    parameter int Width = 8
) (
    input  logic             clk,
    input  logic             a_i,
    input  logic [Width-1:0] b_i,
    output logic [Width-1:0] c_o
);
  logic [Width-1:0] d_q;
  always_ff @(posedge clk) if (a_i) d_q <= Width'(b_i + 3'd2);
  assign c_o = a_i && !b_i[0] ? {2{d_q[Width-1:Width/2]}} : '0;
  // synthesis translate_off
  always_ff @(posedge clk) all_is_well : assert (a_i || !a_i);
  // synthesis translate_on
endmodule
"""


def chosen(text: str, number: int) -> str:
    """The text with that mutant in force, and without the others."""
    choice = re.compile(rf"\({CHOSEN} == (\d+) \? \(")
    while found := choice.search(text):
        first = _closing(text, found.end())
        assert text[first + 1 : first + 5] == " : ("
        second = _closing(text, first + 5)
        mutant, other = text[found.end() : first], text[first + 5 : second]
        kept = f"({mutant})" if int(found[1]) == number else other
        text = text[: found.start()] + kept + text[second + 2 :]
    return text


def _closing(text: str, at: int) -> int:
    depth = 1
    while depth:
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return at - 1


def test_mutants_are_expressions_of_what_a_module_does():
    text, mutants = with_mutants("some.sv", TEXT, 1)
    assert [(m.line, m.old, m.new) for m in mutants] == [
        (10, "a_i", "always"),
        (10, "a_i", "never"),
        (10, "3'd2", "3'd3"),
        (10, "b_i + 3'd2", "-"),
        (11, "!b_i[0]", "without !"),
        (11, "a_i && !b_i[0]", "||"),
        (11, "a_i && !b_i[0]", "a_i alone"),
        (11, "a_i && !b_i[0]", "!b_i[0] alone"),
        (11, "a_i && !b_i[0]", "always"),
        (11, "a_i && !b_i[0]", "never"),
        (11, "'0", "'1"),
    ]
    assert not list(SyntaxTree.fromText(text).diagnostics)
    assert chosen(text, 0) == TEXT


@pytest.mark.parametrize(
    "number, old, new",
    [
        (2, "if (a_i)", "if ((1'b0))"),
        (4, "b_i + 3'd2", "((b_i) - (3'd2))"),
        (5, "!b_i[0]", "(!(!b_i[0]))"),
        (6, "a_i && !b_i[0] ", "((a_i) || (!b_i[0])) "),
        (8, "a_i && !b_i[0] ", "((!b_i[0]) && 1'b1) "),
    ],
)
def test_a_chosen_mutant_is_the_only_change(number, old, new):
    text, _ = with_mutants("some.sv", TEXT, 1)
    assert re.sub(r"\s+", "", chosen(text, number)) == re.sub(r"\s+", "", TEXT.replace(old, new))


@pytest.mark.slow
@pytest.mark.verilator
def test_a_wrong_core_is_seen_and_a_right_one_is_not(tmp_path: Path):
    config = CoreConfig.from_mapping({"aes": "loop", "contexts": 1, "key_sizes": [128]})
    core, mutants = switched(config, tmp_path)
    assert len(mutants) > 500
    asked = {
        "gcm_join.sv": "!fact.decrypt",
        "gcm_tag.sv": "tag == '0",
        "gcm_fifo.sv": "in_valid_i && in_ready_o",
    }
    numbers = [0] + [
        1 + next(i for i, m in enumerate(mutants) if (m.file, m.old) == (file, old))
        for file, old in asked.items()
    ]
    found = {one.number: one for one in judge(core, parts_of(config, packets=400), numbers, jobs=2)}
    assert [found[number].killed for number in numbers] == [False, True, True, True], found
    assert all(one.by != "time" for one in found.values()), "text that never ends is seen as that"


class _Made:
    """A core whose simulator is there."""

    def library(self) -> None:
        return None


def _spins(core: object) -> tuple[None, int]:
    while True:
        pass


def _sleeps(core: object) -> tuple[None, int]:
    time.sleep(1.2)
    return None, 7


@pytest.mark.slow
def test_a_mutant_has_its_time_of_the_processor_and_not_of_the_clock(monkeypatch):
    monkeypatch.setattr(judging, "TIME_LIMIT_S", 1)
    found = {}
    for name, play in (("spins", _spins), ("sleeps", _sleeps)):
        (found[name],) = judge(_Made(), [Part(name=name, play=play)], [1], jobs=1)
    assert (found["spins"].by, found["spins"].cycles) == ("time", ())
    assert (found["sleeps"].killed, found["sleeps"].cycles) == (False, (7,))
    assert found["sleeps"].seconds < 1
