# SPDX-License-Identifier: Apache-2.0
"""First carry of a chain on Nexus: its carry input is left open, as nextpnr asks for.

Yosys begins a chain with a CCU2 whose carry output does not depend on its carry input, since that
comes from the neighbour by a wire of its own. abc9 then ties the input to a 0, for which there is
no wire (YosysHQ/yosys issue 5639).
"""

from gcmforge.place.readers import Module, readers_of

CARRY, ZERO, ONE = "CCU2", "VLO", "VHI"
FIRST = "0x00AA"
"""INIT1 of the first carry (Yosys, arith_map_nexus.v): where D1 is 1 its carry is A1. Its sums
depend on what comes in, but nobody reads them."""


def open_first_carries(module: Module) -> int:
    """Take the 0 from the carry inputs that do not matter; how many had one."""
    cells = module["cells"].values()
    zeros, ones, read = {"0"}, {"1"}, readers_of(module).keys()
    for cell in cells:
        if cell["type"] in {ZERO, ONE}:
            (zeros if cell["type"] == ZERO else ones).update(cell["connections"]["Z"])
    opened = 0
    for cell in cells:
        pins = cell["connections"]
        if cell["type"] != CARRY or pins.get("CIN", [None])[0] not in zeros:
            continue
        begins = cell["parameters"].get("INIT1") == FIRST and pins.get("D1", ["0"])[0] in ones
        sums = {*pins.get("S0", ()), *pins.get("S1", ())}
        if begins and not sums & read:
            del pins["CIN"]
            opened += 1
    return opened
