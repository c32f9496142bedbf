# SPDX-License-Identifier: Apache-2.0
"""All NIST GCM vectors on the simulated RTL of three cores."""

import pytest

from gcmforge.build import build_core
from gcmforge.presets import preset
from gcmforge.sim.verify import nist_files, verify

NIST_VECTORS = 47_250


@pytest.mark.slow
@pytest.mark.parametrize("name", ["small", "default", "quad"])
def test_every_nist_vector_passes_and_none_is_skipped(name, tmp_path):
    core = build_core(preset(name), tmp_path / name).path
    report = verify(core, vectors=nist_files(), stalls="both", seed=3)
    assert (report.passed, report.failed, report.skipped) == (NIST_VECTORS, 0, {})
