# SPDX-License-Identifier: Apache-2.0
"""Cores whose S-boxes are memories: they answer as all others do, in the same cycles as a core of
as many stages with circuits."""

import pytest

from gcmforge.config import CoreConfig
from gcmforge.emit import build_core
from gcmforge.sim.verify import verify

pytestmark = [pytest.mark.verilator, pytest.mark.slow]

CORES = {
    "loop": CoreConfig(aes="loop", aes_substages=2, contexts=2, iv="96", ghash="digit"),
    "loop of two rounds, keys made with the data": CoreConfig(
        aes="loop", aes_rounds=2, aes_substages=3, key_schedule="travelling", ghash="serial"
    ),
    "pipelined": CoreConfig(aes_substages=3, key_sizes=(128, 256), contexts=1, ghash_stages=2),
}


@pytest.mark.parametrize("name", CORES)
def test_a_core_around_memories_takes_the_cycles_of_one_with_circuits(name, tmp_path):
    cycles = []
    for sbox in ("table", "bram"):
        config = CORES[name].with_settings([f"sbox={sbox}"])
        core = build_core(config, tmp_path / sbox, prove=False).path
        report = verify(core, packets=300, stalls="pressure", seed=11)
        assert (report.passed, report.failed, report.failures) == (300, 0, ())
        cycles.append(report.cycles)
    assert cycles[0] == cycles[1]
