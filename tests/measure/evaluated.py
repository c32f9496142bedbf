# SPDX-License-Identifier: Apache-2.0
"""Evaluation of a flat mapped netlist by the functions that its Liberty library states."""

from collections.abc import Mapping

from gcmforge.netlist.functions import truth_table
from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Bit, Cell, Module


def evaluate(
    module: Module, library: Library, inputs: Mapping[str, list[int]], patterns: int
) -> dict[str, list[int]]:
    """Outputs of a combinational module: each bit an int with one bit per pattern."""
    ones = (1 << patterns) - 1
    values: dict[Bit, int] = {"0": 0, "1": ones}
    for name, columns in inputs.items():
        values |= dict(zip(module.ports[name].bits, columns, strict=True))
    todo = list(module.cells.values())
    while todo:
        left = [cell for cell in todo if not _settle(cell, library, values, ones)]
        assert len(left) < len(todo), f"no driver for the inputs of {left[0]}"
        todo = left
    return {
        name: [values[bit] for bit in port.bits]
        for name, port in module.ports.items()
        if port.direction == "output"
    }


def _settle(cell: Cell, library: Library, values: dict[Bit, int], ones: int) -> bool:
    """Set the cell's outputs if its inputs are known."""
    lib = library.cells[cell.type]
    pins = [pin.name for pin in lib.inputs]
    bits = [cell.connections[pin][0] for pin in pins]
    if any(bit not in values for bit in bits):
        return False
    for output in lib.outputs:
        if output.name not in cell.connections:
            continue
        table = truth_table(output.function, pins)
        value = 0
        for row in range(1 << len(pins)):
            if table >> row & 1:
                term = ones
                for i, bit in enumerate(bits):
                    term &= values[bit] if row >> i & 1 else values[bit] ^ ones
                value |= term
        values[cell.connections[output.name][0]] = value
    return True


def columns(values: list[int], width: int) -> list[int]:
    """Bit i of every value as one int, first value lowest."""
    return [sum((v >> i & 1) << n for n, v in enumerate(values)) for i in range(width)]


def rows(bits: list[int], patterns: int) -> list[int]:
    """The inverse of columns."""
    return [sum((bit >> n & 1) << i for i, bit in enumerate(bits)) for n in range(patterns)]
