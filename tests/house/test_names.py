# SPDX-License-Identifier: Apache-2.0
"""Where engines are named: by their folders, by the options, and by nobody else."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from gcmforge.config import installed, options
from gcmforge.config.installed import ROOM, EngineError, engines, every_engine
from gcmforge.config.option import either
from gcmforge.emit.rtl import handwritten

ROOT = Path(__file__).parents[2]
NAMES_AS_DATA = {"config/presets.py", "config/ethernet_presets.py", "config/intent.py"}
"""What chooses engines by name, as a user does: presets, and the recipes of goals."""


@cache
def code() -> dict[str, list[str]]:
    """Lines of the product, and of what writes its pages, without engines and comments."""
    package = ROOT / "src" / "gcmforge"
    files = [*package.rglob("*.py"), *package.rglob("*.j2"), ROOT / "docs/generate.py"]
    found = {}
    for file in files:
        place = str(file.relative_to(package if package in file.parents else ROOT))
        if place not in NAMES_AS_DATA and not {"engines", "study"} & set(Path(place).parts):
            lines = (line.strip() for line in file.read_text(encoding="utf-8").splitlines())
            found[place] = [line for line in lines if not line.startswith(('"""', "#"))]
    return found


@cache
def a_name(kind: str) -> re.Pattern[str]:
    """An engine of that kind chosen by its name, or printed."""
    names = "|".join(engines(kind))
    chosen = rf"""\b{kind}\b["'\])]*\s*(=|==|!=|in|:|,)\s*[\[({{]*["']({names})["']"""
    return re.compile(rf"{chosen}|\b{kind}=({names})\b")


def named_in(lines: list[str], kind: str) -> list[str]:
    """Those that name an engine of that kind; the name of a flag of it is none."""
    able = [line for line in lines if kind in line]
    return [line for line in able if a_name(kind).search(re.sub(r"\bnamed\([^)]*\)", "", line))]


@pytest.mark.parametrize("kind", sorted({engine.kind for engine in every_engine()}))
def test_an_engine_is_named_by_its_folder_alone(kind):
    found = {place: named_in(lines, kind) for place, lines in code().items()}
    assert len(found) > 200
    assert {place: lines for place, lines in found.items() if lines} == {}


def test_a_name_is_found_in_each_form():
    for line in (
        'if config.slots == "line":', '"needs slots=line"', 'slots="line",', '("slots", "line")',
        'if config["slots"] in ("line", other):', '{"slots": "line"}',
    ):  # fmt: skip
        assert named_in([line], "slots"), line
    for line in ("named('slots', 'ahead')", 'slots = "none"', 'lines_of_slots("line")'):
        assert not named_in([line], "slots"), line


@pytest.mark.parametrize(
    ("kind", "flag", "sentence"),
    [("aes", "flows", "aes={}"), ("ghash", "tells_ahead", "ghash={}")],
)
def test_the_sentence_of_slots_names_the_engines_that_move_in_step(kind, flag, sentence):
    able = either(name for name, one in engines(kind).items() if getattr(one, flag))
    assert sentence.format(able) in engines("slots")["line"].says


def test_an_engine_is_a_module_that_is_there():
    assert {one.kind for one in every_engine()} - options().keys() == {"fixed_ghash"}
    for engine in every_engine():
        assert engine.module in handwritten(), engine
        if engine.kind not in options():  # made for one key, and chosen by a command
            continue
        assert engine.name in options()[engine.kind].choices
        assert engine.name in options()[engine.kind].meaning


def test_a_second_engine_of_a_name_is_refused(monkeypatch):
    """It took the place of the first one, without a word."""
    ours = [one for one in every_engine() if one.kind == "ghash"]
    rooms = {ROOM: tuple(ours), "another.package": (replace(ours[0]),)}
    monkeypatch.setattr(installed, "_by_room", lambda: rooms)
    wanted = f"ghash={ours[0].name}: two engines have that name, the second one in another.package"
    with pytest.raises(EngineError, match=wanted):
        installed.every_engine.__wrapped__()


@pytest.mark.parametrize("text", ["", "ENGINE = 3\n"])
def test_a_folder_without_a_descriptor_is_refused_by_name(text, tmp_path, monkeypatch):
    room = f"other_engines_{len(text)}"
    folder = tmp_path / room / "gcm_new"
    folder.mkdir(parents=True)
    (folder / "engine.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(installed, "_rooms", lambda: ((room, tmp_path / room),))
    with pytest.raises(EngineError, match=r"gcm_new/engine.py: it has no ENGINE that is"):
        installed._by_room.__wrapped__()
