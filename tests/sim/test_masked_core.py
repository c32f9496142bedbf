# SPDX-License-Identifier: Apache-2.0
"""The masked core gives the results of every other core, whatever its random bits are."""

from pathlib import Path

import pytest

from gcmforge.config import CoreConfig
from gcmforge.emit import build_core
from gcmforge.sim.verify import verify

CONFIG = CoreConfig(
    core="masked", key_sizes=(128,), contexts=1, iv="96",
    max_text_bytes=65_536, max_aad_bytes=65_536,
)  # fmt: skip
VALID = "assign valid_o = 1'b1;"
NOISE = "assign noise_o = state_q[63:30];"

SOURCES = {
    "as it is": {},
    "stuck at zero": {NOISE: "assign noise_o = state_q[63:30] & 34'h0;"},
    "with pauses": {VALID: "assign valid_o = state_q[1] || state_q[17];"},
}


@pytest.mark.slow
@pytest.mark.parametrize("source", list(SOURCES))
def test_random_packets_pass_whatever_the_random_bits_are(source: str, tmp_path: Path) -> None:
    path = build_core(CONFIG, tmp_path / "core", prove=False).path
    noise = path / "bench/wide/masked_noise.sv"
    text = noise.read_text()
    for before, after in SOURCES[source].items():
        assert before in text
        text = text.replace(before, after)
    noise.write_text(text)
    report = verify(path, packets=150, seed=5, allow_changed=True)
    assert report.failed == 0 and report.passed == 150


@pytest.mark.slow
@pytest.mark.parametrize("core", ["masked", "masked_fast"])
def test_random_packets_pass_with_a_generator(core: str, tmp_path: Path) -> None:
    config = CoreConfig.from_mapping(
        {**CONFIG.to_mapping(), "core": core, "randomness": "generator"}
    )
    path = build_core(config, tmp_path / "core", prove=False).path
    report = verify(path, packets=150, seed=6)
    assert report.failed == 0 and report.passed == 150
