# SPDX-License-Identifier: Apache-2.0
"""Named configurations, and the one way from what a user sets to a CoreConfig."""

import difflib
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from gcmforge.config import ConfigError, CoreConfig, options, parse_settings
from gcmforge.config.core import toml_values
from gcmforge.config.ethernet_presets import PRESETS as ETHERNET
from gcmforge.config.intent import Plan, plan_core
from gcmforge.config.names import belongs_to_study
from gcmforge.config.preset import Preset
from gcmforge.config.rules import check_heard
from gcmforge.config.stated import INTENTS

GROUP = "gcmforge.presets"
"""Entry point group of modules whose PRESETS are more of them."""


_SHORT_PATHS = CoreConfig(
    aes_substages=2,
    sbox="faster",
    mix_columns="depth3",
    multiplier="ko5_small",
    ghash_stages=3,
    slots="line",
)
"""Stages of about one length from one end to the other, of the circuits with the shortest paths for
their gates: the most throughput per gate (`gcmforge-study search presets`)."""

_LINE_RATE = replace(
    _SHORT_PATHS,
    key_sizes=(128, 256),
    contexts=16,
    key_schedule="travelling",
    key_unit="dedicated",
    j0="dedicated",
    tail="dedicated",
)
"""What the presets of a line rate have in common: nothing that a packet waits for."""

_MANY_CONTEXTS = (
    "sbox=fast", "mix_columns=small", "multiplier=mixed_15_small", "ghash_stages=2",
    "counter_sharing=on",
)  # fmt: skip
"""What 100g has instead: with 16 contexts each stage of GHASH takes powers of 16 subkeys more."""

_PAST_400_MHZ = (
    "aes_substages=3", "sbox=fast", "mix_columns=small", "multiplier=mixed_15_small",
    "ghash_stages=5",
)  # fmt: skip
"""What 800g has instead, which was measured with it."""


_NANO = CoreConfig(
    core="nano",
    key_sizes=(128,),
    contexts=1,
    sbox="small",
    iv="96",
    max_text_bytes=65_536,
    max_aad_bytes=65_536,
)

_MICRO = CoreConfig(
    core="micro",
    key_sizes=(128, 256),
    contexts=1,
    sbox="small",
    iv="96",
    max_text_bytes=65_536,
    max_aad_bytes=65_536,
)

_BLOCK_RAM = CoreConfig(key_sizes=(128, 256), contexts=1, iv="96", sbox="bram", aes_substages=2)
"""What the presets of FPGAs have in common."""

_GIGABIT = replace(
    _BLOCK_RAM, aes="loop", key_schedule="stored", ghash="digit", mix_columns="depth3"
)
"""One round around block RAMs: about a gigabit in a small FPGA."""


def _line_rate(gbit_per_s: int, lanes: int, technology: str, *more: str) -> Preset:
    config = _LINE_RATE.with_settings([f"lanes={lanes}", *more])
    return Preset(
        name=f"{gbit_per_s}g",
        purpose=f"{gbit_per_s} Gbit/s of full beats, and a beat in every cycle whatever the "
        "packets are, each under any of its loaded keys: nothing is shared that a packet waits for",
        config=config,
        clock_mhz=math.ceil(1000 * gbit_per_s / config.data_bits),
        technology=technology,
    )


_OWN = (
    Preset(
        name="default",
        purpose="one block a cycle: the place to start; packets below 64 bytes wait for a place",
        config=replace(_SHORT_PATHS, tag_places=2),
    ),
    Preset(
        name="plain",
        purpose="every option at its default, one stage a round: where settings of your own begin",
        config=CoreConfig(),
    ),
    Preset(
        name="small",
        purpose="little area: one AES round in hardware, one GHASH multiplier, several keys",
        config=CoreConfig(
            aes="loop",
            key_schedule="travelling",
            sbox="small",
            ghash="serial",
            multiplier="ko5_small",
        ),
    ),
    Preset(
        name="quad",
        purpose="four blocks a cycle: two pipeline stages a round, four in the multipliers",
        config=replace(_SHORT_PATHS, lanes=4, counter_sharing="on", ghash_stages=4, tag_places=6),
    ),
    _line_rate(100, 4, "osu018", *_MANY_CONTEXTS),
    _line_rate(200, 8, "osu018"),
    _line_rate(400, 16, "osu018"),
    _line_rate(800, 16, "ihp-sg13g2", *_PAST_400_MHZ),
    *ETHERNET,
    Preset(
        name="compact",
        purpose="the smallest with streams of whole blocks: one key, one AES round in hardware "
        "with its key schedule, one serial GHASH multiplier, 96-bit IVs",
        config=CoreConfig(
            key_sizes=(128, 256),
            contexts=1,
            aes="loop",
            key_schedule="travelling",
            sbox="small",
            ghash="serial",
            multiplier="ko5_small",
            iv="96",
        ),
    ),
    Preset(
        name="nano",
        purpose="the smallest core there is: AES-128, one key, 96-bit IVs, one S-box, a bit of "
        "GHASH a cycle, 256 cycles a block, streams of bytes",
        config=_NANO,
    ),
    Preset(
        name="micro",
        purpose="small, for a microcontroller: AES-128 and 256, one key, 96-bit IVs, 11 or 15 "
        "cycles a block, streams of 32 bits",
        config=_MICRO,
    ),
    Preset(
        name="ice40",
        purpose="nano for a small FPGA, such as an iCE40 UltraPlus: its S-box is in a block RAM",
        config=replace(_NANO, sbox="bram"),
        technology="ice40-up5k",
    ),
    Preset(
        name="ecp5",
        purpose="a gigabit in a small FPGA, such as an ECP5-25: one AES round around block RAMs, "
        "16 bits of GHASH a cycle, one key",
        config=_GIGABIT,
        technology="ecp5-25",
    ),
    Preset(
        name="nexus",
        purpose="the core of ecp5 for Lattice's Nexus, such as a CrossLink-NX-40",
        config=_GIGABIT,
        technology="nexus",
    ),
    Preset(
        name="gowin",
        purpose="the core of ecp5 for a small FPGA of Gowin, such as a GW2A-18",
        config=_GIGABIT,
        technology="gowin",
    ),
    Preset(
        name="gatemate",
        purpose="micro with four S-boxes in block RAM, for a GateMate, such as a CCGM1A1",
        config=_MICRO.with_settings(["sboxes=4", "sbox=bram"]),
        technology="gatemate",
    ),
    Preset(
        name="ecp5-line",
        purpose="a block a cycle in an FPGA, such as an ECP5-85: every AES round has block RAMs, "
        "one key",
        config=replace(
            _BLOCK_RAM,
            aes_substages=3,
            multiplier="ko5_small",
            ghash_stages=3,
            slots="line",
            tag_places=2,
        ),
        clock_mhz=100,
        technology="ecp5-85-8",
    ),
    Preset(
        name="balanced",
        purpose="much throughput for its area: two lanes that share what counters have in "
        "common, round keys made with each block",
        config=replace(
            _SHORT_PATHS,
            lanes=2,
            key_sizes=(128, 256),
            key_schedule="travelling",
            counter_sharing="on",
        ),
    ),
)
"""The presets of the product."""


def _others() -> Iterator[Preset]:
    """Presets of packages that installed distributions name in the entry point group."""
    for point in entry_points(group=GROUP):
        try:
            yield from point.load().PRESETS
        except ModuleNotFoundError as error:
            if error.name is None or not point.value.startswith(error.name):
                raise  # not merely a package that was taken away since it was installed


PRESETS: dict[str, Preset] = {preset.name: preset for preset in _OWN}
PRESETS |= {preset.name: preset for preset in _others()}


def preset(name: str) -> CoreConfig:
    """The configuration of that name; ConfigError with the names there are if there is none."""
    if name not in PRESETS:
        near = difflib.get_close_matches(name, PRESETS, n=1)
        advice = f"did you mean {near[0]}?" if near else f"presets: {', '.join(PRESETS)}"
        raise ConfigError(f"preset {name}: no such preset{belongs_to_study(name)}; {advice}")
    return PRESETS[name].config


def period_of(config: CoreConfig) -> float | None:
    """What the rate of a preset of the product asks of this configuration, in ns, its name aside;
    None if no preset with a clock is like it."""
    plain = replace(config, name="")
    return next((own.clock_ns for own in _OWN if own.clock_ns and own.config == plain), None)


def load_plan(
    file: Path | None = None, name: str | None = None, settings: Iterable[str] = ()
) -> Plan:
    """The configuration of a TOML file or of a preset, with settings applied, and what of it was
    derived. With neither, settings apply to the defaults of all options; without settings it is the
    preset default.

    file and name exclude each other; settings are `key=value` strings and override both. A goal, a
    rate and a clock may stand in the file or in the settings; a preset has decided all already.
    """
    if file is not None and name is not None:
        raise ConfigError(f"{file} with preset {name}: both name a configuration; use one of them")
    given = parse_settings(settings, {**INTENTS, **options()})
    plan = _plan(file, name, given)
    check_heard(given, plan.config)
    return plan


def _plan(file: Path | None, name: str | None, given: dict[str, Any]) -> Plan:
    if name is not None:
        for intent in INTENTS.keys() & given.keys():
            raise ConfigError(
                f"{intent}={given[intent]} with preset {name}: a preset has decided every option; "
                f"use one of the two"
            )
        return Plan(config=replace(preset(name), **given), intent={}, derived=())
    if file is None:
        return plan_core(given) if given else Plan(config=preset("default"), intent={}, derived=())
    if str(file) in PRESETS and not file.exists():
        raise ConfigError(f"{file}: no such file; for the preset of that name use --preset {file}")
    try:
        return plan_core(toml_values(file) | given)
    except ConfigError as error:
        message = str(error)
        raise ConfigError(message if str(file) in message else f"{file}: {message}") from None


def load_config(
    file: Path | None = None, name: str | None = None, settings: Iterable[str] = ()
) -> CoreConfig:
    """The configuration alone of load_plan."""
    return load_plan(file, name, settings).config
