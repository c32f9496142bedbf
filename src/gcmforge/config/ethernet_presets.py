# SPDX-License-Identifier: Apache-2.0
"""Configurations that carry an Ethernet rate whatever the frames are: packets share beats."""

from gcmforge.config.core import CoreConfig
from gcmforge.config.ethernet import clock_needed
from gcmforge.config.preset import Preset

_COMMON = CoreConfig(
    core="segments",
    lanes=4,
    segments=2,
    key_sizes=(128, 256),
    iv="96",
    max_text_bytes=16_384,
    max_aad_bytes=16_384,
    aes_substages=2,
    counter_sharing="on",
    sbox="faster",
    mix_columns="depth3",
    multiplier="ko5_small",
    ghash_stages=3,
)

_ABOUT_200_MHZ = ("aes_substages=1", "ghash_stages=2")
_PAST_400_MHZ = ("aes_substages=3", "sbox=fast", "mix_columns=small", "multiplier=mixed_15_small",
                 "ghash_stages=5")  # fmt: skip
"""As in the preset 800g, which was measured with it."""


def _ethernet(
    gbit_per_s: int,
    lanes: int,
    segments: int,
    clock_mhz: int,
    technology: str,
    *more: str,
    name: str = "",
) -> Preset:
    """Its name is the rate and `ge`, unless one is given. The clock is the lowest whole one that
    gcmforge.config.ethernet allows; a test compares."""
    terabit = gbit_per_s >= 1000
    rate = f"{gbit_per_s / 1000:g}-terabit" if terabit else f"{gbit_per_s}-gigabit"
    return Preset(
        name=name or f"{gbit_per_s}ge",
        purpose=f"{rate} Ethernet with MACsec: every frame of 64 to 9,600 bytes at "
        "line rate, each under any of its loaded keys; packets start in any segment of a beat. The "
        "SecTAG is parsed by your own logic, which makes AAD and IV of it: core=segments has no "
        "profile",
        config=_COMMON.with_settings([f"lanes={lanes}", f"segments={segments}", *more]),
        clock_mhz=clock_mhz,
        technology=technology,
        ethernet_gbit_per_s=gbit_per_s,
    )


PRESETS = (
    _ethernet(100, 4, 2, 202, "osu018", *_ABOUT_200_MHZ),
    _ethernet(200, 8, 4, 202, "osu018", *_ABOUT_200_MHZ),
    _ethernet(400, 16, 4, 300, "osu018"),
    _ethernet(800, 16, 8, 404, "ihp-sg13g2", *_PAST_400_MHZ),
    _ethernet(1600, 16, 8, 807, "asap7", name="1t6"),
)
"""Segments of 32 bytes take a short frame's AAD and text in one each; with longer ones the clock
would be higher for the same lanes. 400ge has longer ones, and fewer lanes for J0."""


def ethernet_arithmetic(preset: Preset, core: str = "CORE") -> tuple[str, ...]:
    """How segments and clock make the rate, in lines to print; `core` is its folder."""
    config, rate, clock = preset.config, preset.ethernet_gbit_per_s, preset.clock_mhz
    if rate is None or clock is None:
        raise ValueError(f"preset {preset.name} is of no Ethernet rate")
    need = clock_needed(config, rate)
    segment = config.data_bits // config["segments"] // 8
    period = f"{preset.clock_ns:.2f}"
    return (
        f"{config['segments']} segments of {segment} bytes a cycle; a frame's AAD and its text "
        "each begin in a segment of their own",
        f"frames of 64 to 9,600 bytes at {rate:,} Gbit/s, MACsec's SecTAG and ICV counted, ask for "
        f"{need.clock_mhz:.1f} MHz: the most with {need.frame_bytes} bytes",
        f"{clock:g} MHz is asked of {preset.technology}: {period} ns a stage; "
        f"gcmforge measure {core} --target {preset.technology} --clock {period} says "
        "what it gives",
    )
