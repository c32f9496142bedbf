# SPDX-License-Identifier: Apache-2.0
"""No ready, no valid and no latency depends on a key, a text or a tag: two runs that differ in
these alone have the same handshakes in every cycle, and the same packets' ends. tests/formal
proves it of every preset."""

import random
from pathlib import Path

import pytest

from gcmforge.config import CoreConfig
from gcmforge.config.presets import load_config, preset
from gcmforge.emit import build_core
from gcmforge.power.traffic import read_vcd
from gcmforge.sim import Core, Expected, LoadKey, Packet, Status, Waveform
from gcmforge.sim.directions import decrypts

OWN = {
    "masked": CoreConfig(
        core="masked", key_sizes=(128,), contexts=1, iv="96",
        max_text_bytes=65_536, max_aad_bytes=65_536,
    ),
    "four": preset("micro").with_settings(["sboxes=4"]),
}  # fmt: skip
"""Those that no preset has."""
LENGTHS = ((0, 0), (0, 1), (20, 0), (5, 16), (0, 100), (33, 47), (16, 64))
"""Bytes of AAD and of text."""
HANDSHAKES = ("ready", "valid", "last", "keep", "user", "status", "ok")
"""What two runs have in common: ports that end so. A tag that is expected is wrong in both."""


def operations(config: CoreConfig, seed: int) -> list[object]:
    """Keys, texts and tags are drawn; sizes, contexts, IVs and directions are not."""
    secret, public = random.Random(seed), random.Random("public")
    given: list[object] = [LoadKey(context=0, key=secret.randbytes(max(config.key_sizes) // 8))]
    for number, (aad, text) in enumerate(LENGTHS * 2):
        decrypt = decrypts(config, wish=number % 2 == 1)
        given.append(
            Packet(
                context=0, decrypt=decrypt, iv=public.randbytes(12), aad=public.randbytes(aad),
                text=secret.randbytes(text), tag=secret.randbytes(16) if decrypt else None,
                tag_bytes=16, label=f"packet {number}",
                expect=Expected(text=b"", tag=None, status=Status.OK),
            )
        )  # fmt: skip
    return given


def ports(core: Core, seed: int, folder: Path) -> dict[str, list[int]]:
    """Every port, cycle by cycle."""
    file = folder / f"{seed}.vcd"
    with core.simulation(waveform=Waveform(path=file)) as simulation:
        batch = simulation.play(operations(core.config, seed))  # type: ignore[arg-type]
    assert batch.hang is None
    with file.open() as text:
        return read_vcd(text)


def handshakes(samples: dict[str, list[int]]) -> dict[str, list[int]]:
    """The ports of the kinds of HANDSHAKES."""
    return {name: values for name, values in samples.items() if name.endswith(HANDSHAKES)}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["masked", "nano", "micro", "four", "default"])
def test_handshakes_do_not_depend_on_key_text_or_tag(name: str, tmp_path: Path) -> None:
    config = OWN[name] if name in OWN else load_config(None, name, ())
    core = Core(build_core(config, tmp_path / "core", prove=False).path)
    first, second = (ports(core, seed, tmp_path) for seed in (1, 2))
    assert first["m_axis_tdata"] != second["m_axis_tdata"]
    assert sum(first["m_tag_tvalid"]) >= 2 * len(LENGTHS)
    assert {"m_tag_tvalid", "s_axis_tready", "m_axis_tvalid"} <= handshakes(first).keys()
    assert handshakes(first) == handshakes(second)
