# SPDX-License-Identifier: Apache-2.0
"""Wires of a placed design as SPEF (IEEE 1481), for a timing tool of one's own.

Names are those of the netlist that sta/opensta.py writes. A net is its tree: each piece of wire is
a resistance between two pins, with half of its capacitance at either end. Pins' own capacitances
are left to the tool, which has them from the library.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gcmforge.place.wires import PlacedWires, port_bits
from gcmforge.sta.bound import Bound
from gcmforge.sta.opensta import bit_name, net_names

_HEAD = """*SPEF "IEEE 1481-1998"
*DESIGN "{name}"
*DATE ""
*VENDOR "gcmforge"
*PROGRAM "gcmforge"
*VERSION ""
*DESIGN_FLOW "NETLIST_TYPE_VERILOG"
*DIVIDER /
*DELIMITER :
*BUS_DELIMITER [ ]
*T_UNIT 1 NS
*C_UNIT 1 FF
*R_UNIT 1 OHM
*L_UNIT 1 HENRY
"""


def write_spef(bound: Bound, placed: PlacedWires) -> Iterator[str]:
    """A piece of text for each net with a wire."""
    import numpy as np

    yield _HEAD.format(name=bound.module.name)
    yield "\n*NAME_MAP\n"
    names = [name for group in bound.groups for name in group.names]
    for number, name in enumerate(names, 1):
        yield f"*{number} {_escaped(name)}\n"
    nets = _net_names(bound)
    pins = _pin_names(bound, placed)
    table, trees, metal = placed.pins, placed.trees, placed.metal
    begins = np.flatnonzero(np.diff(table.net, prepend=-1))
    ends = np.append(begins[1:], table.net.size)
    half = trees.wire * metal.ff_per_um / 2
    at = half.copy()
    away = np.flatnonzero(trees.before != np.arange(table.net.size))
    np.add.at(at, trees.before[away], half[away])
    ohm = trees.wire * metal.ohm_per_um
    for low, high in zip(begins.tolist(), ends.tolist(), strict=True):
        if high - low < 2:
            continue
        whole = float(at[low:high].sum())
        yield f"\n*D_NET {nets[int(table.net[low])]} {whole:.6g}\n*CONN\n"
        yield from (f"{pins[pin][0]}\n" for pin in range(low, high))
        yield "*CAP\n"
        for number, pin in enumerate(range(low, high), 1):
            yield f"{number} {pins[pin][1]} {at[pin]:.6g}\n"
        yield "*RES\n"
        for number, pin in enumerate(range(low + 1, high), 1):
            before = int(trees.before[pin])
            yield f"{number} {pins[before][1]} {pins[pin][1]} {ohm[pin]:.6g}\n"
        yield "*END\n"


def _net_names(bound: Bound) -> list[str]:
    known = net_names(bound.module)
    found = [""] * bound.net_count
    for bit, net in bound.net_of_bit.items():
        found[net] = known.get(bit, f"n{bit}")
    return found


def _pin_names(bound: Bound, placed: PlacedWires) -> list[tuple[str, str]]:
    """Each pin of the table as a connection and as a node."""
    table = placed.pins
    ports = {
        drives: port_bits(bound, direction)
        for drives, direction in ((True, "input"), (False, "output"))
    }
    found = []
    for drives, group, column, row in zip(
        table.drives.tolist(), table.group.tolist(), table.column.tolist(), table.row.tolist(),
        strict=True,
    ):  # fmt: skip
        if group < 0:
            name, bit = ports[drives][row]
            text = bit_name(name, bit, len(bound.module.ports[name].bits))
            found.append((f"*P {text} {'I' if drives else 'O'}", text))
        else:
            of = bound.groups[group]
            text = f"*{of.first + row + 1}:{of.pins[column]}"
            found.append((f"*I {text} {'O' if drives else 'I'}", text))
    return found


def _escaped(name: str) -> str:
    """A backslash before everything that is no letter, digit or underscore."""
    return re.sub(r"(\W)", r"\\\1", name)
