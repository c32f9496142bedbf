# SPDX-License-Identifier: Apache-2.0
"""The sign-off counts what passed on the SystemVerilog of today, and nothing else."""

import pytest

from gcmforge.config import CoreConfig
from gcmforge.study.evidence import control, mutants, mutants_page, sign_off
from gcmforge.study.evidence.kinds import KINDS
from gcmforge.study.kept import Found, Step

CONFIG = CoreConfig(aes="loop", ghash="serial", key_sizes=(128,), contexts=1, iv="96")
RECORD = {"asked": "it", "ok": True, "rtl": "", "version": "1+a", "seed": 3, "seconds": 60.0}


def step(name: str) -> Step:
    return Step(kind="soak", name=name, command="it", call=lambda: Found(ok=True, text=""))


def test_every_part_of_the_page_is_a_kind_of_evidence():
    assert set(sign_off.PARTS) <= set(KINDS)


@pytest.mark.parametrize(
    ("record", "figures"),
    [
        (RECORD, (1, 1, 0, 1)),
        (RECORD | {"ok": False}, (1, 0, 1, 0)),
        (RECORD | {"rtl": "older"}, (1, 1, 0, 0)),
        (RECORD | {"asked": "something else"}, (1, 0, 0, 0)),
        (None, (1, 0, 0, 0)),
    ],
    ids=["current", "failed", "other SystemVerilog", "other command", "never run"],
)
def test_a_step_is_current_when_it_passed_on_what_is_built_now(record, figures):
    one = sign_off.standing([step("a")], {} if record is None else {"a": record})
    assert (one.steps, one.passed, one.failed, one.current) == figures
    assert one.whole == (figures == (1, 1, 0, 1))


def test_a_core_that_was_changed_since_is_not_current():
    kept = step("a")
    changed = Step(kind="soak", name="a", command="it", call=kept.call, rtl=CONFIG)
    assert sign_off.standing([changed], {"a": RECORD}).current == 0
    digest = sign_off.rtl_digest(changed)
    assert sign_off.standing([changed], {"a": RECORD | {"rtl": digest}}).current == 1


def test_each_step_without_a_core_has_its_own_digest():
    steps = [
        Step(kind="fuzz", name=name, command="it", call=step("a").call, digest=name)
        for name in "ab"
    ]
    kept = {one.name: RECORD | {"asked": one.asked, "rtl": one.name} for one in steps}
    assert sign_off.standing(steps, kept).current == 2


def row(**changes):
    values = {
        "name": "default", "summary": "a core", "sites": 40, "by_part": {"edges": 6},
        "by_file": {"gcm_a.sv": {"killed": 6, "each cycle": 2, "refuted": 1, "unseen": 1}},
        "longest_s": 3.0, "whole_s": 9.0,
        "left": [["gcm_a.sv", 3, "a || b", "&&", "refuted"], ["gcm_a.sv", 4, "c", "d", "unseen"]],
    }  # fmt: skip
    return {"version": "1+a", "found": values | changes}


def test_the_page_of_mutants_counts_what_is_not_equal():
    lines = list(mutants_page.page([row(), row(left=[], by_part={"pairs": 6})]))
    # 12 of 16 are killed, 14 with proofs
    assert "| `default` | 20 | 12 | 2 | 4 | 0 | 0 | 2 | 75.0 % | 87.5 % |" in lines
    assert "| `gcm_a` | 20 | 12 | 2 | 4 | 0 | 0 | 2 | 75.0 % | 87.5 % |" in lines
    (left,) = [line for line in lines if line.startswith("| `gcm_a.sv:3`")]
    assert "`a \\|\\| b`" in left and left.endswith("a property of the module is false |")
    assert any(line.startswith("Not every part has been run") for line in lines)


def test_a_mutant_without_a_reason_says_so():
    lines = list(mutants_page.page([row()]))
    (left,) = [line for line in lines if line.startswith("| `gcm_a.sv:4`")]
    assert left.endswith("| unseen | not found out |")


def test_every_core_of_the_mutants_is_judged_in_parts():
    names = [one.name for one in mutants.steps()]
    assert len(names) == mutants.PARTS * len(mutants.CORES)


def test_the_page_of_the_control_has_proven_and_watched():
    found = control.Row(
        name="default", summary="a core", without=["gcm_b"],
        found={"gcm_a": {"proven": 5, "watched": 2, "reached": 1}},
    )  # fmt: skip
    lines = list(control.page([found], ["1+a"]))
    assert "| `gcm_a` | 5 + 2 watched |" in lines
    assert "| **open** | 0 |" in lines
