# SPDX-License-Identifier: Apache-2.0
"""A core, or a GHASH, that is made for one key."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from gcmforge.api.core import load_config
from gcmforge.api.terms import Configuration, Progress, silent
from gcmforge.config import ConfigError

if TYPE_CHECKING:
    from gcmforge.emit import BuiltCore
    from gcmforge.specialise import Specialised, Subkey


def specialise_core(
    config: Configuration,
    out: str | os.PathLike[str],
    *,
    key: bytes,
    effort: str = "normal",
    force: bool = False,
    progress: Progress = silent,
) -> BuiltCore:
    """A whole core that takes one AES key only: its hash subkey is folded into the GHASH's logic.

        core = specialise_core("small", "cores/one", key=key)       # 16, 24 or 32 bytes

    **The folder is key material**, and is readable by its owner only. The core has one context;
    packets under another key end with status NO_KEY. The logic is proven before it is written.
    `effort` is how long it is minimised: quick, normal (seconds) or high (minutes).
    """
    from gcmforge.specialise import core as specialised

    asked = load_config(config)
    subkey = _subkey(key)
    if len(key) * 8 not in asked.key_sizes:
        sizes = ", ".join(map(str, asked.key_sizes))
        raise ConfigError(f"key of {len(key) * 8} bits: key_sizes of this core is {sizes}")
    return specialised.specialise_core(
        subkey, asked, Path(out), effort=effort, force=force, progress=progress
    )


def specialise_ghash(
    key: bytes,
    out: str | os.PathLike[str],
    *,
    stages: int = 0,
    lanes: int = 0,
    cycles: int = 1,
    skewed: bool = False,
    target: str = "gates",
    effort: str = "normal",
    force: bool = False,
) -> Specialised:
    """A GHASH by itself for one AES key (16, 24 or 32 bytes), as `gcmforge specialise` makes it.

    The module `ghash_key` takes a block a cycle; with `stages` a message of so many blocks a cycle,
    with `lanes` so many blocks a cycle of messages of any length, with `cycles=2` a block every
    other cycle. `target` is what its logic is minimised for: gates, lut4, lut6, or an FPGA family.
    **The folder is key material**, and is readable by its owner only.
    """
    from gcmforge.specialise import make_plan, specialise

    plan = make_plan(
        stages=stages, lanes=lanes, cycles=cycles, skewed=skewed, target=target, effort=effort
    )
    return specialise(_subkey(key), plan, Path(out), force=force)


def _subkey(key: bytes) -> Subkey:
    from gcmforge.specialise import subkey_of_key

    if len(key) not in (16, 24, 32):
        raise ConfigError(f"key of {len(key)} bytes: an AES key has 16, 24 or 32")
    return subkey_of_key(bytes(key))
