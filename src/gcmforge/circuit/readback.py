# SPDX-License-Identifier: Apache-2.0
"""Printed SystemVerilog, read by Yosys, turned back into a circuit and compared.

Yosys elaborates the text to single-bit gates and flip-flops without optimising them; netlist.py
makes a circuit of that and checks the registers; prove_equal compares the two circuits.
"""

from __future__ import annotations

import json
import re
import tempfile
import time
from collections.abc import Collection, Mapping
from pathlib import Path

from gcmforge import tools
from gcmforge.circuit.ir import Circuit, PipelinedCircuit, combinational
from gcmforge.circuit.netlist import ReadBackError, import_netlist
from gcmforge.circuit.prove import Proof, prove_equal

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_PRAGMA = re.compile(r"\b(translate_o(?:ff|n)|full_case|parallel_case)\b")


def prove_readback(
    c: Circuit | PipelinedCircuit,
    sv_text: str,
    *,
    controls: Collection[str] | None = None,
    time_limit_s: float = 120,
) -> Proof:
    """That sv_text, as every tool reads it, computes c with the latency of c on every path.

    `controls` are the control inputs (of clk, en_i) that the module must have, None for whichever
    it has.
    """
    start = time.perf_counter()
    pipe = combinational(c) if isinstance(c, Circuit) else c
    circuit = pipe.circuit
    versions = {"yosys": tools.yosys_version()}
    try:
        back = read_systemverilog(
            circuit,
            sv_text,
            pipe.stages - 1,
            controls=controls,
            arrives={bus.name: pipe.stage_of[bus.nets[0]] for bus in circuit.inputs},
            time_limit_s=time_limit_s,
        )
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
    like: Circuit,
    sv_text: str,
    latency: int,
    *,
    controls: Collection[str] | None = None,
    arrives: Mapping[str, int] | None = None,
    time_limit_s: float = 120,
) -> Circuit:
    """The circuit in sv_text, with the ports of `like` and its registers made wires.

    Raises ReadBackError unless the text is one module, the same to every tool, with these
    `controls` and `latency` registers on every path, less those of the stage in which an input
    arrives, and ToolError when Yosys does not read it.
    """
    _check_text(sv_text)
    with tempfile.TemporaryDirectory(prefix="gcmforge-") as folder:
        (Path(folder) / "leaf.sv").write_text(sv_text)
        tools.run_yosys(
            [
                "read_verilog -sv leaf.sv",
                f"hierarchy -check -top {like.name}",
                "proc -norom",
                "memory_collect",
                "memory_map",
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
    return import_netlist(like, design["modules"][like.name], latency, controls, arrives)


def _check_text(sv_text: str) -> None:
    """Raise ReadBackError where Yosys may read something else than a simulator or another
    synthesiser: compiler directives, pragmas, and modules other than the one that is proven."""
    if pragma := _PRAGMA.search(sv_text):
        raise ReadBackError(f"{pragma[1]}: tools would read different things")
    code = _COMMENT.sub(" ", sv_text)
    if directive := re.search(r"`\w*", code):
        raise ReadBackError(f"{directive[0]}: tools would read different things")
    if (modules := len(re.findall(r"\bmodule\b", code))) > 1:
        raise ReadBackError(f"the text holds {modules} modules, not one")
