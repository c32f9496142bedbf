# SPDX-License-Identifier: Apache-2.0
"""What a core is to be: its options, what they refuse, presets, and the laws that follow."""

from gcmforge.config.core import (
    MULTIPLIERS,
    ONE_BLOCK,
    SBOXES,
    ConfigError,
    CoreConfig,
    Option,
    check_names,
    default_of,
    options,
    parse_settings,
)

__all__ = [
    "MULTIPLIERS",
    "ONE_BLOCK",
    "SBOXES",
    "ConfigError",
    "CoreConfig",
    "Option",
    "check_names",
    "default_of",
    "options",
    "parse_settings",
]
