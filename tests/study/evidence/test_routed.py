# SPDX-License-Identifier: Apache-2.0
"""Placed blocks as a router sees them, and what is said of the wires that it made."""

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from gcmforge.place.placed import PlacedDesign, graph_of
from gcmforge.study.evidence import routed
from gcmforge.study.evidence.routed_def import TRACKS, def_lines, routed_lengths
from gcmforge.tools import ToolError

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
    "cells": 1_234, "area_ge": 5_678, "nets": 1_300, "not_routed": 0, "estimated_um": 20_000,
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


@pytest.mark.slow
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


@pytest.mark.slow
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
def test_wires_to_readers_and_to_ports_grow_alike():
    """Wires so long that nothing else counts, and the slowest path ends at a port."""
    placed = placed_sbox()
    wires, times = placed.wires.wires, 200
    longer = replace(
        wires, capacitance=times * wires.capacitance, outputs=times**2 * wires.outputs,
        delay={key: times**2 * delay for key, delay in wires.delay.items()},
    )  # fmt: skip
    expected = graph_of(placed.bound, placed.target, longer).critical_path_ns()
    assert routed.path_with(placed, times * placed.wires.length) == pytest.approx(expected)
    nearer = graph_of(placed.bound, placed.target, replace(longer, outputs=wires.outputs))
    assert nearer.critical_path_ns() < 0.99 * expected


def test_what_the_router_gave_up_is_told_by_its_last_words():
    first = "Final: Failed net routes: 1\nList of failed nets follows:\n n5\n\n-----\n"
    last = "Final: Failed net routes: 2\nList of failed nets follows:\n n127\n n5\n\n-----\n"
    assert routed.failed_nets(first + last) == {5, 127}
    assert routed.failed_nets(first + "Final: No failed routes!\n-----\n") == set()
    for broken in ("Nothing at all\n", last.replace("2", "3"), "Final: Failed net routes: 1\n"):
        with pytest.raises(ToolError, match="does not say which nets"):
            routed.failed_nets(broken)


@pytest.mark.slow
@pytest.mark.osu018
@pytest.mark.yosys
@pytest.mark.coloquinte
@pytest.mark.qrouter
def test_a_net_that_the_router_gave_up_counts_as_not_routed(monkeypatch):
    """With one try on three layers it leaves pieces of some nets."""
    placed = routed.placed_block("aes_sbox/small")
    hasty = routed._SCRIPT.replace("{{$mask <= 100}}", "{{$mask <= 10}}")
    monkeypatch.setattr(routed, "_SCRIPT", hasty.replace("effort 10", "effort 1"))
    monkeypatch.setattr(routed, "LAYERS", 3)
    failed: set[int] = set()
    pieces: dict[int, dict[str, float]] = {}
    said, wires = routed.failed_nets, routed.routed_lengths
    monkeypatch.setattr(routed, "failed_nets", lambda text: failed.update(said(text)) or failed)
    monkeypatch.setattr(routed, "routed_lengths", lambda text: pieces.update(wires(text)) or pieces)
    found = routed.compared(placed, routed.route(placed), 1.0)
    assert any(pieces[net] for net in failed)
    assert not found.ok and found.data["not_routed"] == len(failed)


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
    assert not found.ok and found.data["not_routed"] == 1


def test_each_block_has_its_row_and_its_command():
    lines = list(routed.page({"nano": {"version": "1", "command": "a command", "found": FOUND}}))
    row = "| 5,678 | 1,234 | 1,300 | 0 | 20.0 | 20.5 | 1.025 | 4.500 | 4.567 | 61 |"
    assert f"| `nano` {row}" in lines
    assert "| `nano` | 1.100 (900) |  |  |  |  | 0.950 (400) |" in lines
    assert "| `nano` |" + " 1.50 |" * 6 in lines
    assert "- `a command`" in lines
