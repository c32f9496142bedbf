# SPDX-License-Identifier: Apache-2.0
"""What reads each net of a mapped module."""

from collections import defaultdict
from typing import Any

Module = dict[str, Any]
"""A module of a netlist as `write_json` of Yosys gives it."""


def readers_of(module: Module) -> dict[Any, list[tuple[str, str]]]:
    """Net -> cells with their ports that read it; a port of the module is two empty names."""
    readers: dict[Any, list[tuple[str, str]]] = defaultdict(list)
    for name, cell in module["cells"].items():
        for port, bits in cell["connections"].items():
            if cell["port_directions"].get(port) != "output":
                for bit in bits:
                    readers[bit].append((name, port))
    for port in module["ports"].values():
        if port["direction"] != "input":
            for bit in port["bits"]:
                readers[bit].append(("", ""))
    return readers
