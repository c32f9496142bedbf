# SPDX-License-Identifier: Apache-2.0
"""Engines side by side in one bench, each with the parts that its own configuration binds.

A part has one name in every core, so a bench of several cores' engines gives each its own.
"""

import re

from bench import rtl

from gcmforge.config import CoreConfig
from gcmforge.emit.parts import parts


def variant(module: str, prefix: str, config: CoreConfig) -> tuple[str, dict[str, str]]:
    """The module under a name of its own with its generated parts under theirs, by name."""
    text, made = rtl(module)[module], {}
    for part, make in parts(config).items():
        instance = rf"\b{part}(?= (?:u_\w+ \(|#\())"
        if re.search(instance, text):
            own = f"{part}_{prefix}"
            text = re.sub(instance, own, text)
            made[own] = make().replace(f"module {part} ", f"module {own} ")
    name = f"{module}_{prefix}"
    return name, made | {name: re.sub(rf"\bmodule {module}\b", f"module {name}", text)}
