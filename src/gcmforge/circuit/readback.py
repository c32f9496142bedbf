# SPDX-License-Identifier: Apache-2.0
"""Printed SystemVerilog, read by Yosys, turned back into a circuit and compared.

Yosys elaborates the text to single-bit gates and flip-flops without optimising them; netlist.py
makes a circuit of that and checks the registers; prove_equal compares the two circuits.
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path

from gcmforge import tools
from gcmforge.circuit.ir import Circuit, PipelinedCircuit, combinational
from gcmforge.circuit.netlist import ReadBackError, import_netlist
from gcmforge.circuit.prove import Proof, prove_equal


def prove_readback(
    c: Circuit | PipelinedCircuit, sv_text: str, *, time_limit_s: float = 120
) -> Proof:
    """That sv_text, as Yosys reads it, computes c with the latency of c on every path."""
    start = time.perf_counter()
    pipe = combinational(c) if isinstance(c, Circuit) else c
    circuit = pipe.circuit
    versions = {"yosys": tools.yosys_version()}
    try:
        back = read_systemverilog(circuit, sv_text, pipe.stages - 1, time_limit_s=time_limit_s)
        found = prove_equal(circuit, back, time_limit_s=time_limit_s)
        passed, cases, detail = found.passed, found.cases, found.detail
        versions = found.tools | versions
    except (ReadBackError, tools.ToolError) as error:
        passed, cases, detail = False, 0, str(error)
    if passed and pipe.stages > 1:
        detail += f"; latency {pipe.stages - 1} on every path"
    return Proof(
        kind="readback",
        circuit=circuit.name,
        passed=passed,
        cases=cases,
        seconds=time.perf_counter() - start,
        detail=detail,
        tools=versions,
    )


def read_systemverilog(
    like: Circuit, sv_text: str, latency: int, *, time_limit_s: float = 120
) -> Circuit:
    """The circuit in sv_text, with the ports of `like` and its registers made wires.

    Raises ReadBackError unless every path passes `latency` registers, and ToolError when Yosys
    does not read the text.
    """
    with tempfile.TemporaryDirectory(prefix="gcmforge-") as folder:
        (Path(folder) / "leaf.sv").write_text(sv_text)
        tools.run_yosys(
            [
                "read_verilog -sv leaf.sv",
                f"hierarchy -check -top {like.name}",
                "proc -norom",
                "opt_dff -simple-dffe",
                "simplemap",
                "techmap",
                "check -assert",
                "write_json leaf.json",
            ],
            time_limit_s=time_limit_s,
            cwd=Path(folder),
        )
        design = json.loads((Path(folder) / "leaf.json").read_text())
    return import_netlist(like, design["modules"][like.name], latency)
