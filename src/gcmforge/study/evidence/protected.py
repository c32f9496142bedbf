# SPDX-License-Identifier: Apache-2.0
"""Cores that are to withstand attackers at their pins, and are no presets: NIST's vectors and
random packets go through them as through every preset."""

from collections.abc import Mapping
from types import MappingProxyType

from gcmforge.config import CoreConfig
from gcmforge.config.presets import load_config

PACKETS = 25_000
"""Under each stall pattern."""

SETTINGS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "masked": ("protection=masked", "core=masked"),
        "masked-generator": ("protection=masked", "core=masked", "randomness=generator"),
        "masked_fast": ("protection=masked", "core=masked_fast"),
        "masked_fast-generator": ("protection=masked", "core=masked_fast", "randomness=generator"),
        "masked_line": ("protection=masked", "core=masked_line"),
        "micro-detect": (
            "core=micro", "key_sizes=128,256", "contexts=1", "iv=96", "max_text_bytes=65536",
            "max_aad_bytes=65536", "faults=detect",
        ),
    }
)  # fmt: skip
"""By the folder that a core is built into, as `gcmforge build --set` takes them."""


def protected() -> dict[str, CoreConfig]:
    """Each by its name."""
    return {name: load_config(None, None, settings) for name, settings in SETTINGS.items()}


def build_command(name: str) -> str:
    """How one is built."""
    return f"gcmforge build {' '.join(f'--set {one}' for one in SETTINGS[name])} -o cores/{name}"
