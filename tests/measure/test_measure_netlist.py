# SPDX-License-Identifier: Apache-2.0
"""Netlists out of Yosys JSON: counts, flattening, names."""

import json

import pytest

from gcmforge.netlist.netlist import NetlistError, parse_yosys_json


def port(direction: str, *bits: int | str) -> dict[str, object]:
    return {"direction": direction, "bits": list(bits)}


def cell(kind: str, **pins: int | str) -> dict[str, object]:
    return {"type": kind, "connections": {pin: [bit] for pin, bit in pins.items()}}


def net(*bits: int, hidden: int = 0) -> dict[str, object]:
    return {"bits": list(bits), "hide_name": hidden}


# pair: y = !(a & b), z = a (a wire through), one = 1; top uses it twice, in a row.
PAIR = {
    "ports": {
        "a": port("input", 2),
        "b": port("input", 3),
        "y": port("output", 4),
        "z": port("output", 2),
        "one": port("output", "1"),
    },
    "cells": {"g": cell("NAND2", A=2, B=3, Y=4)},
    "netnames": {"$auto$1": net(4, hidden=1), "y": net(4), "$auto$2": net(5, hidden=1)},
}
TOP = {
    "ports": {"x": port("input", 2, 3), "q": port("output", 8), "k": port("output", 9)},
    "cells": {
        "u_first": {
            "type": "pair",
            "connections": {"a": [2], "b": [3], "y": [5], "z": [6], "one": [7]},
        },
        "u_second": {
            "type": "pair",
            "connections": {"a": [6], "b": [5], "y": [8], "z": [], "one": [9]},
        },
        "inv": cell("INV", A=7, Y=10),
        "$scope": cell("$scopeinfo"),
    },
    "netnames": {"x": net(2, 3), "between": net(5)},
}
BOX = {"attributes": {"blackbox": "1"}, "ports": {}, "cells": {}, "netnames": {}}
TEXT = json.dumps({"modules": {"pair": PAIR, "top": TOP, "NAND2": BOX}})


def test_cells_are_counted_through_the_hierarchy() -> None:
    assert parse_yosys_json(TEXT, "top").counts == {"NAND2": 2, "INV": 1}


def test_instances_are_found_with_their_paths() -> None:
    found = set(parse_yosys_json(TEXT, "top").instances())
    assert found == {((), "top"), (("u_first",), "pair"), (("u_second",), "pair")}


def test_flat_cells_have_hierarchical_names() -> None:
    flat = parse_yosys_json(TEXT, "top").flatten()
    assert set(flat.cells) == {"u_first.g", "u_second.g", "inv"}


def test_flat_cells_are_connected_across_the_hierarchy() -> None:
    flat = parse_yosys_json(TEXT, "top").flatten()
    first, second = flat.cells["u_first.g"].connections, flat.cells["u_second.g"].connections
    assert (first["A"], first["B"]) == tuple((bit,) for bit in flat.ports["x"].bits)
    assert second["B"] == first["Y"]
    assert flat.ports["q"].bits == second["Y"]
    assert flat.net_name(first["Y"][0]) == "between"


def test_wire_through_a_module_joins_the_nets_of_its_parent() -> None:
    flat = parse_yosys_json(TEXT, "top").flatten()
    assert flat.cells["u_second.g"].connections["A"] == (flat.ports["x"].bits[0],)


def test_constant_output_of_a_module_is_a_constant_outside() -> None:
    flat = parse_yosys_json(TEXT, "top").flatten()
    assert flat.cells["inv"].connections["A"] == ("1",)
    assert flat.ports["k"].bits == ("1",)


def test_net_is_named_by_the_source_and_not_by_a_tool() -> None:
    pair = parse_yosys_json(TEXT, "top").modules["pair"]
    assert (pair.net_name(4), pair.net_name(5), pair.net_name("1")) == ("y", "net5", "1")


def test_missing_top_is_refused_by_name() -> None:
    with pytest.raises(NetlistError, match="no module other; it has pair, top"):
        parse_yosys_json(TEXT, "other")
