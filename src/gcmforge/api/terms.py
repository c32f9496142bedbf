# SPDX-License-Identifier: Apache-2.0
"""What the functions of the API take in common."""

import os
from collections.abc import Callable

from gcmforge.config import CoreConfig

Configuration = CoreConfig | str | os.PathLike[str]
"""A CoreConfig, a preset's name, or the path of a TOML file of options."""

AnyCore = CoreConfig | str | os.PathLike[str]
"""What build returned, a Core, a core's folder, a preset's name, or a CoreConfig."""

Progress = Callable[[str], None]
"""Called with a few words before each step that may take a while."""


def silent(step: str) -> None:
    """Nobody asked to be told."""
