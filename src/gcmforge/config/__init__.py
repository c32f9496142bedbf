# SPDX-License-Identifier: Apache-2.0
"""What a core is to be: its options, what they refuse, presets, and the laws that follow."""

from gcmforge.config.core import CoreConfig, check_names, default_of, options, parse_settings
from gcmforge.config.names import MULTIPLIERS, SBOXES
from gcmforge.config.option import ConfigError, Option

__all__ = [
    "MULTIPLIERS",
    "SBOXES",
    "ConfigError",
    "CoreConfig",
    "Option",
    "check_names",
    "default_of",
    "options",
    "parse_settings",
]
