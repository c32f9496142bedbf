# SPDX-License-Identifier: Apache-2.0
"""Names of modules as Yosys gives them."""


def plain_name(name: str) -> str:
    """A module's name without what Yosys put around it for its parameters."""
    if name.startswith("$paramod"):
        return name.split("\\")[1]
    return name.removeprefix("\\")
