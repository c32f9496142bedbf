# SPDX-License-Identifier: Apache-2.0
"""What a refusal of the product calls the study's is what the study has."""

from importlib import import_module
from pathlib import Path

from gcmforge.config.names import STUDY
from gcmforge.study import engines, presets


def test_names_of_the_study_are_its_engines_their_options_and_its_presets():
    (room,) = map(Path, engines.__path__)
    found = [
        import_module(f"{engines.__name__}.{file.parent.name}.engine").ENGINE
        for file in room.glob("*/engine.py")
    ]
    assert len(found) > 1
    names = [engine.name for engine in found] + [name for engine in found for name in engine.own]
    shared = {"yang2005"}  # a preset, and Fig. 5 as a core
    names += [preset.name for preset in presets.PRESETS if preset.name not in shared]
    assert sorted(names) == sorted(STUDY)
