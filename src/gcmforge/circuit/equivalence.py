# SPDX-License-Identifier: Apache-2.0
"""Equality of two circuits by one shared graph, or by ABC's sweeping equivalence checker."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from gcmforge import tools
from gcmforge.circuit.export import Aig, emit_aiger
from gcmforge.circuit.ir import Circuit


def same_graph(c: Circuit, d: Circuit) -> bool:
    """Whether c and d, hashed into one and-inverter graph, have the same output literals."""
    aig = Aig(c.input_width)
    return aig.add(c) == aig.add(d)


def sweep(c: Circuit, d: Circuit, time_limit_s: float) -> tuple[str, dict[str, str]]:
    """(why c and d are not shown equal, or empty; tool versions), by ABC's &cec."""
    versions = {"yosys-abc": tools.yosys_version()}
    with tempfile.TemporaryDirectory(prefix="gcmforge-") as folder:
        for name, circuit in (("c", c), ("d", d)):
            (Path(folder) / f"{name}.aig").write_bytes(emit_aiger(circuit))
        try:
            run = subprocess.run(
                [tools.yosys_abc(), "-q", "&r c.aig; &cec d.aig"],
                cwd=folder,
                text=True,
                capture_output=True,
                timeout=time_limit_s,
            )
        except subprocess.TimeoutExpired:
            return f"undecided: ABC &cec did not finish in {time_limit_s} s", versions
    text = run.stdout + run.stderr
    if run.returncode == 0 and "Networks are equivalent" in text and "NOT" not in text:
        return "", versions
    return f"ABC &cec: {' '.join(text.split())[:200] or 'no answer'}", versions
