# SPDX-License-Identifier: Apache-2.0
"""Named configurations, and the one way from what a user says to a CoreConfig."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gcmforge.config import ConfigError, CoreConfig


@dataclass(frozen=True, kw_only=True, slots=True)
class Preset:
    """A configuration that has a name, and what it is for."""

    name: str
    purpose: str
    config: CoreConfig


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            name="default",
            purpose="one block a cycle: the place to start",
            config=CoreConfig(),
        ),
        Preset(
            name="small",
            purpose="least area: one AES round in hardware, one GHASH multiplier",
            config=CoreConfig(aes="loop", ghash="serial"),
        ),
        Preset(
            name="quad",
            purpose="four blocks a cycle, multipliers in two pipeline stages",
            config=CoreConfig(lanes=4, ghash="dot", ghash_stages=2),
        ),
    )
}


def preset(name: str) -> CoreConfig:
    """The configuration of that name; ConfigError with the names there are if there is none."""
    if name not in PRESETS:
        near = difflib.get_close_matches(name, PRESETS, n=1)
        advice = f"did you mean {near[0]}?" if near else f"presets: {', '.join(PRESETS)}"
        raise ConfigError(f"preset {name}: no such preset; {advice}")
    return PRESETS[name].config


def load_config(
    file: Path | None = None, name: str | None = None, settings: Iterable[str] = ()
) -> CoreConfig:
    """The configuration of a TOML file or of a preset (default if neither), with settings applied.

    file and name exclude each other; settings are `key=value` strings and override both.
    """
    if file is not None and name is not None:
        raise ConfigError(f"{file} with preset {name}: both name a configuration; use one of them")
    base = CoreConfig.from_toml(file) if file is not None else preset(name or "default")
    return base.with_settings(settings)
