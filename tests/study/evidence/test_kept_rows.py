# SPDX-License-Identifier: Apache-2.0
"""What a step of the evidence found comes back from its file as it was, for the page."""

from collections import Counter

import pytest

from gcmforge.study import kept
from gcmforge.study.evidence import beats, flips, soak
from gcmforge.study.evidence.kinds import KINDS
from gcmforge.study.kept import Kept

BEATS = beats.Row(
    lanes=2, name="shared", pairs=3, wrong=("AAD 1, text 2: 4 cycles, not 3",), imix=70.5,
    yang=dict.fromkeys(beats.YANG_2005_TABLE_2, 9.9),
)  # fmt: skip
FLIPS = flips.Row(
    name="default", summary="a core", flipped=Counter(text=2, tag=3), good=5, good_beats=7,
    out_beats=7, failures=0,
)  # fmt: skip


@pytest.mark.parametrize(
    ("module", "row", "maker", "step"),
    [
        (beats, BEATS, "row", lambda: beats.complete_row("shared", None)),
        (flips, FLIPS, "flip", lambda: flips.kept_flip(next(iter(flips.CORES)))),
    ],
    ids=["beats", "flips"],
)
def test_a_row_comes_back_from_its_file(module, row, maker, step, tmp_path, monkeypatch):
    monkeypatch.setattr(module, maker, lambda *_, **__: row)
    trial = Kept("trial", tmp_path)
    record = {"found": dict(step().data), "version": "1"}
    trial.add("one", record, ["one"])
    monkeypatch.setattr(module, "KEPT", trial)
    pages = {}
    monkeypatch.setattr(
        module, "write_page", lambda path, lines, command: pages.update({path.name: list(lines)})
    )
    module.write()
    (lines,) = pages.values()
    assert lines == list(module.page([row], ["1"]))


def test_the_page_of_random_packets_names_what_was_not_played():
    found = {
        "core": "small", "stalls": "none", "packets": 9, "cycles": 90, "mismatches": 0,
        "hang": False, "processor_seconds": 1.0, "seconds": 1.0,
    }  # fmt: skip
    lines = list(soak.page([{"found": found, "rtl": "0123456789", "version": "1"}]))
    (missing,) = [line for line in lines if line.startswith("\nNot played yet: ")]
    names = missing.removeprefix("\nNot played yet: ").removesuffix(".").split(", ")
    assert {"800ge", "1t6", "masked"} <= set(names)
    assert "small" not in names


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_no_step_takes_the_place_of_another(kind):
    names = [step.name for step in KINDS[kind].steps()]
    assert sorted(set(names)) == sorted(names)


def test_the_times_of_all_kinds_are_added_up(tmp_path, monkeypatch):
    monkeypatch.setattr(kept, "FOLDER", tmp_path)
    for kind, seconds in {"beats": (90, 30), "zeros": (6000,)}.items():
        names = [f"step {number}" for number in range(len(seconds))]
        for name, took in zip(names, seconds, strict=True):
            Kept(kind).add(name, {"seconds": took, "asked": "it"}, names)
    (tmp_path / "other.json").write_text('{"keys": {"xcv5": [1, 2]}}')
    assert list(kept.times_table())[2:] == [
        "| `beats` | 2 | 2.0 |", "| `zeros` | 1 | 100.0 |", "| all | 3 | 102 |",
    ]  # fmt: skip
