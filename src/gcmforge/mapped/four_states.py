# SPDX-License-Identifier: Apache-2.0
"""A core's netlist in Icarus Verilog, which knows 0, 1, X and Z, with every flip-flop X at first.

The bench of the core's folder plays a packet of NIST on it. After the reset no `tvalid` and no
`tready` of the core may be X, and text and tag must be right.
"""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from gcmforge.mapped.core import MappedCore
from gcmforge.power.icarus import icarus_path
from gcmforge.tools import ToolError

BENCH = "gcm_axis_tb.sv"
TIME_LIMIT_S = 1_800.0

WATCH = """
module watch;
  wire [4:0] offers = {
    gcm_axis_tb.s_key_tready, gcm_axis_tb.s_cmd_tready, gcm_axis_tb.s_axis_tready,
    gcm_axis_tb.m_axis_tvalid, gcm_axis_tb.m_tag_tvalid
  };
  reg seen = 1'b0;
  integer cycles = 0;
  always @(posedge gcm_axis_tb.aclk) begin
    if (^gcm_axis_tb.m_axis_tdata === 1'bx && !gcm_axis_tb.aresetn) seen = 1'b1;
    if (gcm_axis_tb.aresetn) cycles = cycles + 1;
    if (gcm_axis_tb.aresetn && ^offers === 1'bx) $fatal(1, "FAIL: X after reset: %b", offers);
    if (gcm_axis_tb.m_tag_tvalid && !seen) $fatal(1, "FAIL: nothing began as X");
    if (gcm_axis_tb.m_tag_tvalid) $display("the tag comes %0d cycles after the reset", cycles);
  end
endmodule
"""
"""Beside the bench of a core's folder: it fails when a handshake is X after the reset, or nothing
was X at first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FourStates:
    """Whether the packet was right and no handshake was X, and what the bench said."""

    ok: bool
    said: str


def run_four_states(core: MappedCore, *, time_limit_s: float = TIME_LIMIT_S) -> FourStates:
    """The bench's packet on the netlist of a core without a name or registers of its own."""
    compiler = icarus_path()
    with TemporaryDirectory(prefix="gcmforge-four-states-") as name:
        folder = Path(name)
        (folder / "netlist.sv").write_text(core.text, encoding="utf-8")
        (folder / "watch.sv").write_text(WATCH, encoding="utf-8")
        bench = str((core.path / "bench" / BENCH).resolve())
        made = _run(
            [str(compiler), "-g2012", "-s", "gcm_axis_tb", "-s", "watch", "-o", "sim.vvp",
             "netlist.sv", bench, "watch.sv"],
            folder, time_limit_s,
        )  # fmt: skip
        if made.returncode != 0:
            raise ToolError(f"Icarus Verilog refused the netlist:\n{made.stdout[-2000:]}")
        run = _run([str(compiler.with_name("vvp")), "-n", "sim.vvp"], folder, time_limit_s)
    ok = run.returncode == 0 and "PASS" in run.stdout and "FAIL" not in run.stdout
    return FourStates(ok=ok, said=" · ".join(run.stdout.split("\n")[:-1]))


def _run(
    command: list[str], folder: Path, time_limit_s: float
) -> "subprocess.CompletedProcess[str]":
    try:
        return subprocess.run(
            command, cwd=folder, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=time_limit_s,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        program = Path(command[0]).name
        raise ToolError(f"{program}: not done after {time_limit_s:.0f} s") from error
