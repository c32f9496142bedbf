# SPDX-License-Identifier: Apache-2.0
"""Coverage bins that a core cannot reach, and why not."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from gcmforge.config import CoreConfig


@dataclass(frozen=True, kw_only=True, slots=True)
class Unreachable:
    """Bins whose names match, of cores for which it is so."""

    bins: re.Pattern[str]
    cores: Callable[[CoreConfig], bool]
    why: str


RULES: tuple[Unreachable, ...] = ()


def reason(config: CoreConfig, name: str) -> str:
    """Why a core cannot reach a bin; empty where it can."""
    return next((r.why for r in RULES if r.bins.search(name) and r.cores(config)), "")
