# SPDX-License-Identifier: Apache-2.0
"""Placed blocks as a router sees them, and what is said of the wires that it made."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from gcmforge.place.placed import PlacedDesign
from gcmforge.study.evidence import routed
from gcmforge.study.evidence.routed_def import TRACKS, def_lines, routed_lengths

ROUTED = """\
COMPONENTS 1 ;
- c0 INVX1 + PLACED ( 0 0 ) N ;
END COMPONENTS
NETS 3 ;
- n7
  ( PIN n7 )
  ( c0 A )
+ ROUTED metal1 ( 100 50 ) M2_M1
  NEW metal2 ( 100 50 ) ( * 1050 ) ( 300 * ) M3_M2
  NEW metal3 ( 300 1050 ) ( 1300 * ) ;
- n8
  ( c0 Y ) ;
- n12
  ( c0 Y )
+ ROUTED metal1 ( 50 50 ) ( 250 50 ) ;
END NETS
END DESIGN
"""
FOUND = {
    "cells": 1_234, "area_ge": 5_678, "nets": 1_300, "open": 0, "estimated_um": 20_000,
    "routed_um": 20_500, "layers_um": {layer: 1_500 for layer, *_ in TRACKS},
    "by_length": [
        {"from_um": 0.0, "nets": 900, "estimated_um": 10_000, "routed_um": 11_000},
        {"from_um": 500.0, "nets": 400, "estimated_um": 10_000, "routed_um": 9_500},
    ],
    "estimated_ns": 4.5, "routed_ns": 4.567, "route_seconds": 61.4,
}  # fmt: skip


@cache
def placed_sbox() -> PlacedDesign:
    return routed.placed_block("aes_sbox/boyar_peralta")


def test_a_net_is_as_long_as_its_pieces_and_one_without_wires_has_none():
    """10 um up and 2 aside on metal2, 10 on metal3; a point alone is a via."""
    assert routed_lengths(ROUTED) == {7: {"metal2": 12.0, "metal3": 10.0}, 8: {}, 12: {
        "metal1": 2.0
    }}  # fmt: skip


@pytest.mark.osu018
@pytest.mark.yosys
@pytest.mark.coloquinte
def test_cells_lie_side_by_side_on_rows_and_every_pin_once():
    placed = placed_sbox()
    lines = list(def_lines(placed))
    cells = [line.split() for line in lines if line.startswith("- c")]
    assert len(cells) == len(placed.bound.module.cells)
    rows: dict[int, list[tuple[int, str]]] = {}
    for _, _, kind, _, _, _, x, y, _, turned, _ in cells:
        assert turned == ("FS" if int(y) // 1000 % 2 == 0 else "N")  # the ring is one row
        rows.setdefault(int(y), []).append((int(x), kind))
    widths = placed.geometry.widths
    for row in rows.values():
        for (x, kind), (after, _) in pairwise(sorted(row)):
            assert x + 100 * widths[kind] <= after + 0.5, kind
    ports = [line.split() for line in lines if "+ LAYER metal2" in line]
    spots = [(int(line[-5]), int(line[-4])) for line in ports]
    assert len(spots) == len(set(spots)) == 16  # eight in, eight out
    for x, y in spots:
        assert x % 80 == 40 and y % 100 == 50


@pytest.mark.osu018
@pytest.mark.yosys
@pytest.mark.coloquinte
@pytest.mark.qrouter
def test_no_routed_net_is_shorter_than_the_box_around_its_pins():
    """A pin of a cell may lie half a cell from its middle, a port half of the ring from the
    edge."""
    placed = placed_sbox()
    lengths = routed.route(placed)
    found = routed.compared(placed, lengths, 1.0)
    assert found.ok, found.text
    table = placed.wires.pins
    widest = max(placed.geometry.widths[cell.type] for cell in placed.bound.module.cells.values())
    slack = widest + placed.geometry.rows.height_um
    for net, pieces in lengths.items():
        mine = table.net == net
        box = np.ptp(table.x[mine]) + np.ptp(table.y[mine])
        assert sum(pieces.values()) >= box - 2 * slack, net
    ratio = found.data["routed_um"] / found.data["estimated_um"]
    assert 0.8 < ratio < 1.3
    assert sum(one["nets"] for one in found.data["by_length"]) == found.data["nets"]
    assert sum(found.data["layers_um"].values()) == pytest.approx(found.data["routed_um"], abs=6)


@pytest.mark.osu018
@pytest.mark.yosys
@pytest.mark.coloquinte
def test_the_path_is_as_estimated_with_these_lengths_and_longer_with_longer_ones():
    placed = placed_sbox()
    same = placed.wires.length
    estimated = placed.timing.critical_path_ns
    assert routed.path_with(placed, same) == pytest.approx(estimated, rel=1e-9)
    assert routed.path_with(placed, 3 * same) > 1.02 * estimated


@pytest.mark.osu018
@pytest.mark.yosys
@pytest.mark.coloquinte
def test_a_net_without_a_wire_is_a_failure():
    placed = placed_sbox()
    nets = set(placed.wires.pins.net.tolist())
    lengths = {net: {"metal2": 10.0} for net in nets}
    lone = placed.wires.pins.net
    net = next(n for n in nets if (lone == n).sum() > 1)
    found = routed.compared(placed, {**lengths, net: {}}, 1.0)
    assert not found.ok and found.data["open"] == 1


def test_each_block_has_its_row_and_its_command():
    lines = list(routed.page({"nano": {"version": "1", "command": "a command", "found": FOUND}}))
    row = "| 5,678 | 1,234 | 1,300 | 0 | 20.0 | 20.5 | 1.025 | 4.500 | 4.567 | 61 |"
    assert f"| `nano` {row}" in lines
    assert "| `nano` | 1.100 (900) |  |  |  |  | 0.950 (400) |" in lines
    assert "| `nano` |" + " 1.50 |" * 6 in lines
    assert "- `a command`" in lines
