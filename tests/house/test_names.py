# SPDX-License-Identifier: Apache-2.0
"""Where engines are named: by their folders, by the options, and by nobody else."""

import re
from pathlib import Path

import pytest

from gcmforge.config import options
from gcmforge.config.engine import engines, every_engine
from gcmforge.config.option import either
from gcmforge.emit.rtl import handwritten

ROOT = Path(__file__).parents[2]
NAMES_AS_DATA = {"config/presets.py", "config/intent.py"}
"""What chooses engines by name, as a user does: presets, and the recipes of goals."""


def test_a_ghash_is_named_by_its_folder_alone():
    """Nowhere else in the product does code choose by a GHASH's name."""
    names = "|".join(engines("ghash"))
    chosen = re.compile(rf"""ghash\w*["'\])]*\s*(=|==|!=|in|:|,)\s*[\[({{]*["']({names})["']""")
    listed = re.compile(rf"ghash=({names})\b")
    package = ROOT / "src" / "gcmforge"
    found = set()
    for file in sorted([*package.rglob("*.py"), *package.rglob("*.j2")]):
        place = file.relative_to(package)
        if {"engines", "study"} & set(place.parts):
            continue
        text = file.read_text(encoding="utf-8")
        code = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith('"""'))
        if chosen.search(code) or listed.search(code):
            found.add(str(place))
    assert found == NAMES_AS_DATA


@pytest.mark.parametrize(
    ("kind", "flag", "sentence"),
    [("aes", "flows", "aes={}"), ("ghash", "tells_ahead", "ghash={}")],
)
def test_the_sentence_of_slots_names_the_engines_that_move_in_step(kind, flag, sentence):
    able = either(name for name, one in engines(kind).items() if getattr(one, flag))
    assert sentence.format(able) in engines("slots")["line"].says


def test_an_engine_is_a_module_that_is_there():
    for engine in every_engine():
        assert engine.module in handwritten(), engine
        assert engine.name in options()[engine.kind].choices
        assert engine.name in options()[engine.kind].meaning
