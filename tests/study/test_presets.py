# SPDX-License-Identifier: Apache-2.0
"""Presets against the measured cores of their class."""

from dataclasses import replace

import pytest

from gcmforge.config import CoreConfig
from gcmforge.config.presets import PRESETS, load_config
from gcmforge.study.searches import presets
from gcmforge.study.searches.presets import MARGIN, Row, best, candidates, of_class, rows

KEPT = rows()


@pytest.mark.parametrize("name", sorted({row.preset for row in KEPT}))
def test_no_measured_core_of_its_class_beats_a_preset(name):
    own, top = best(name, KEPT)
    assert own is not None, "the preset has changed: gcmforge-study search presets NAME"
    assert top is not None
    assert top.per_gate <= MARGIN * own.per_gate, top.command


@pytest.mark.parametrize("name", sorted({row.preset for row in KEPT}))
def test_kept_cores_are_of_the_class(name):
    for row in KEPT:
        if row.preset == name:
            assert of_class(row.core, PRESETS[name].config), row.command


def test_a_better_core_of_the_class_is_found_and_one_that_slows_short_packets_is_not():
    def row(config: CoreConfig, fmax: float, short: float) -> Row:
        plain = CoreConfig().to_mapping()
        differs = {name: v for name, v in config.to_mapping().items() if v != plain[name]}
        return Row(
            preset="quad", settings=(), config=differs, area_ge=1000.0, fmax_mhz=fmax,
            short_bits=short, long_bits=511.5, command="", version="",
        )  # fmt: skip

    quad = PRESETS["quad"].config
    own = row(quad, 400.0, 256.0)
    slow = row(replace(quad, tag_places=2), 500.0, 128.0)
    better = row(replace(quad, sbox="fast"), 450.0, 256.0)
    assert best("quad", [own, slow]) == (own, own)
    assert best("quad", [own, slow, better]) == (own, better)
    assert best("quad", [slow, better]) == (None, None)


@pytest.mark.slow
def test_candidates_are_of_the_class_and_differ_in_their_s_box_or_stages(monkeypatch):
    fewer = {name: values[:2] for name, values in presets.FREE.items()}
    monkeypatch.setattr(presets, "FREE", {**fewer, "sbox": presets.FREE["sbox"]})
    config = PRESETS["balanced"].config
    found = list(candidates(config, 3))
    assert len(found) == 3
    cores = [load_config(None, "balanced", settings) for settings in found]
    assert all(of_class(core, config) for core in cores)
    assert len({(core.sbox, core.aes_substages) for core in cores}) == 3
