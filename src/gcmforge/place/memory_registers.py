# SPDX-License-Identifier: Apache-2.0
"""Output registers of ECP5's block RAMs, which Yosys does not use: flip-flops become them.

A DP16KD without its output register gives a word more than 5 ns after the clock (nextpnr's data of
speed grade 6), most of what a stage has. What is done here is what Lattice's own tools do:
where all bits that one side gives go into flip-flops and nowhere else, and these have one clock,
that of the side, one enable and no reset, they are taken out. The side's register does their work,
with the enable at its port OCE (Lattice FPGA-TN-02204, "OCE: output clock enable").

A memory is left as it is where its words have 36 bits, which take both sides at once, where the
side has a reset, which would clear this register, too, or where it reads at the falling edge.
"""

from typing import Any

from gcmforge.place.readers import Module, readers_of

MEMORY, FLIP_FLOP = "DP16KD", "TRELLIS_FF"
WIDTH, BOTH_SIDES = 18, 36
"""Bits of a side's output, and of a word that takes both."""


def use_output_registers(module: Module) -> int:
    """Take the flip-flops after memories out; how many sides of memories have a register now."""
    cells: dict[str, Any] = module["cells"]
    readers = readers_of(module)
    changed = 0
    for memory in [cell for cell in cells.values() if cell["type"] == MEMORY]:
        for side in "AB":
            after = _registers(memory, side, cells, readers)
            for port, register in after.items():
                memory["connections"][port] = cells.pop(register)["connections"]["Q"]
            changed += bool(after)
    return changed


def _registers(
    memory: Module, side: str, cells: Module, readers: dict[Any, list[tuple[str, str]]]
) -> dict[str, str]:
    """Output port -> its flip-flop, and the side set to use its own; empty where it cannot."""
    pins, parameters = memory["connections"], memory["parameters"]
    rising = parameters.get(f"CLK{side}MUX", f"CLK{side}") == f"CLK{side}"
    resets = pins.get(f"RST{side}", ["0"]) != ["0"]
    widths = {parameters.get(f"DATA_WIDTH_{one}", "10010") for one in "AB"}
    if parameters.get(f"REGMODE_{side}") != "NOREG" or resets or not rising:
        return {}
    if any(int(width, 2) == BOTH_SIDES for width in widths):
        return {}
    after: dict[str, str] = {}
    enables = set()
    for port in (f"DO{side}{bit}" for bit in range(WIDTH)):
        for bit in pins.get(port, []):
            if not readers.get(bit):
                continue
            if len(readers[bit]) != 1:
                return {}
            name, pin = readers[bit][0]  # the reader may be a port, or a flip-flop that is gone
            if name not in cells or cells[name]["type"] != FLIP_FLOP or pin != "DI":
                return {}
            enable = _enable(cells[name], pins[f"CLK{side}"])
            if enable is None:
                return {}
            enables.add(enable)
            after[port] = name
    if len(enables) != 1:
        return {}
    pins[f"OCE{side}"] = [enables.pop()]
    parameters[f"REGMODE_{side}"] = "OUTREG"
    return after


def _enable(flip_flop: Module, clock: list[Any]) -> Any:
    """The net of a flip-flop's enable, or "1"; None where it is one that a memory cannot have."""
    pins, parameters = flip_flop["connections"], flip_flop["parameters"]
    known = {"CLKMUX": "CLK", "LSRMUX": "LSR", "GSR": "DISABLED", "REGSET": "RESET"}
    if pins.get("CLK") != clock or pins.get("LSR", ["0"]) != ["0"]:
        return None
    if any(parameters.get(name, value) != value for name, value in known.items()):
        return None
    mode = parameters.get("CEMUX", "CE")
    if mode == "1" or "CE" not in pins:
        return "1"
    return pins["CE"][0] if mode == "CE" else None
