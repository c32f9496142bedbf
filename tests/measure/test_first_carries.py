# SPDX-License-Identifier: Apache-2.0
"""Carry inputs left open for nextpnr: by SAT against their source, with any value there."""

import json
from pathlib import Path

import pytest

from gcmforge.place import fpga
from gcmforge.place.families import FAMILIES
from gcmforge.place.first_carries import open_first_carries
from gcmforge.tools import run_yosys

pytestmark = pytest.mark.slow

SUMS = """
module sums (
    input logic [9:0] a_i, b_i, input logic c_i,
    output logic [10:0] sum_o, difference_o
);
  assign sum_o = a_i + b_i + 11'(c_i);
  assign difference_o = a_i - b_i;
endmodule
"""
MODELS = "+/lattice/cells_sim_nexus.v"


@pytest.fixture(scope="module")
def mapped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The netlist, as it goes to nextpnr, beside its source."""
    folder = tmp_path_factory.mktemp("sums")
    (folder / "sums.sv").write_text(SUMS)
    fpga._synthesise([folder / "sums.sv"], "sums", FAMILIES["nexus"], folder / "mapped.json", 120)
    return folder / "mapped.json"


def same(mapped: Path) -> str:
    """Yosys' log of the comparison: an open input has any value."""
    return run_yosys(
        [
            f"read_json {mapped}",
            "delete =*paramod*",  # boxes without content, which would be taken for models
            f"read_verilog -overwrite -nowb {MODELS}",
            "hierarchy -top sums",
            "rename sums mapped",
            "proc",
            "flatten",
            "setundef -undriven -anyseq",
            f"read_verilog -sv {mapped.with_name('sums.sv')}",
            "proc",
            "miter -equiv -flatten sums mapped miter",
            "hierarchy -top miter",
            "opt -full",
            "sat -prove trigger 0 miter",
        ],
        time_limit_s=120,
    )


def carries(netlist: Path) -> list[dict]:
    cells = json.loads(netlist.read_text())["modules"]["sums"]["cells"].values()
    return [cell for cell in cells if cell["type"] == "CCU2"]


def test_the_first_carry_of_each_chain_is_open_and_nothing_depends_on_it(mapped):
    chains = carries(mapped)
    opened = [cell for cell in chains if "CIN" not in cell["connections"]]
    assert len(opened) == 2
    assert len(chains) > len(opened)
    assert "no model found: SUCCESS" in same(mapped)


def test_a_carry_that_matters_is_seen_when_it_is_open(mapped, tmp_path):
    netlist = json.loads(mapped.read_text())
    second = next(c for c in netlist["modules"]["sums"]["cells"].values()
                  if c["type"] == "CCU2" and "CIN" in c["connections"])  # fmt: skip
    del second["connections"]["CIN"]
    (tmp_path / "sums.sv").write_text(SUMS)
    (tmp_path / "broken.json").write_text(json.dumps(netlist))
    assert "model found: FAIL" in same(tmp_path / "broken.json")


@pytest.mark.parametrize(
    ("change", "opened"),
    [
        ({}, 1), ({"D1": ["1"]}, 1), ({"INIT1": "0x96AA"}, 0), ({"D1": [5]}, 0), ({"CIN": [7]}, 0),
        ({"S1": [8]}, 0), ({"S0": [9]}, 0), ({"S1": [10]}, 1),
    ],
)  # fmt: skip
def test_only_a_first_carry_is_opened_whose_sums_nobody_reads(change, opened):
    output = {"Z": "output"}
    pins = {"CIN": [2], "D1": [3], "S0": [11], "S1": [12]}
    first = {
        "type": "CCU2", "parameters": {"INIT1": change.get("INIT1", "0x00AA")},
        "connections": pins | {pin: bits for pin, bits in change.items() if pin != "INIT1"},
        "port_directions": {"S0": "output", "S1": "output", "CIN": "input", "D1": "input"},
    }  # fmt: skip
    cells = {
        "zero": {"type": "VLO", "connections": {"Z": [2]}, "port_directions": output},
        "one": {"type": "VHI", "connections": {"Z": [3]}, "port_directions": output},
        "reader": {"type": "LUT4", "connections": {"A": [8]}, "port_directions": {"A": "input"}},
        "first": first,
    }
    ports = {"y_o": {"direction": "output", "bits": [9]}}
    assert open_first_carries({"cells": cells, "ports": ports}) == opened
