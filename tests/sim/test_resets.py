# SPDX-License-Identifier: Apache-2.0
"""A reset in every cycle of two packets: what comes after is right, and nothing of before."""

import shutil
from pathlib import Path

import pytest

from gcmforge.config import CoreConfig
from gcmforge.config.presets import preset
from gcmforge.sim.aead import built
from gcmforge.sim.core import Core
from gcmforge.sim.report import format_line
from gcmforge.sim.resets import reset_in_every_cycle
from gcmforge.sim.verify import verify

SEED = 91
CORES = {
    "small": preset("small"),
    "verified": CoreConfig(release="verified", max_text_bytes=128),
    "counter": CoreConfig(iv="counter", contexts=1, aes="loop", ghash="digit"),
    "line": CoreConfig(slots="line", tail="dedicated", key_unit="dedicated", key_sizes=(128,)),
}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n != "small")) for n in CORES]
)
def test_a_core_is_right_after_a_reset_in_any_cycle(name):
    found = reset_in_every_cycle(Core(built(CORES[name])), seed=SEED)
    assert not found.failures
    assert found.resets > 50
    assert found.packets == 4 * found.resets


def broken(place: Path, file: str, old: str) -> Path:
    """The small core without a line."""
    core = place / "core"
    shutil.copytree(built(preset("small")), core)
    path = core / "rtl" / file
    path.chmod(0o644)
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, ""))
    return core


@pytest.mark.slow
def test_a_register_that_a_reset_leaves_is_found(tmp_path):
    core = broken(tmp_path, "axis_skid.sv", "      valid_q       <= 1'b0;\n")
    found = reset_in_every_cycle(Core(core), seed=SEED)
    assert found.failures
    assert "reset in cycle" in str(found.failures[0])


@pytest.mark.slow
def test_verify_counts_the_resets_in_its_line():
    report = verify(built(preset("small")), packets=20, seed=SEED, resets=True)
    assert report.ok and report.resets > 50
    assert f" · {report.resets} resets amid packets" in format_line(report)
