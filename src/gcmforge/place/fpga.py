# SPDX-License-Identifier: Apache-2.0
"""FPGAs: what a design takes after mapping (Yosys), and its clock after place and route (nextpnr).

Xilinx families are mapped module by module and counted; no open tool places them. Those with LUT6
are mapped for area, and two small functions share a LUT where a placer could do that. Lattice and
Gowin parts are placed and routed. A core has more ports than a package has pins, so it goes into a
wrapper of four pins: its inputs come from a shift register, its outputs are caught in another one
that is shifted out. Both ends of every path through the design are registers of the wrapper.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gcmforge.netlist.netlist import read_yosys_json
from gcmforge.place.counting import best_modules, fpga_of
from gcmforge.place.families import FAMILIES, Family
from gcmforge.place.figures import Fpga, Limit
from gcmforge.synth.children import end, start
from gcmforge.synth.lut_pairs import pairs_of
from gcmforge.synth.yosys import Yosys
from gcmforge.tools import ToolError

Progress = Callable[[str], None]

TIME_LIMIT_S = 3600.0
"""Of one tool's run; placing a wide core takes many minutes."""
WRAPPER = "gcmforge_few_pins"


@dataclass(frozen=True, kw_only=True, slots=True)
class Design:
    """What is to be put on an FPGA; `ports` are (name, direction, width), clock included."""

    files: tuple[Path, ...]
    top: str
    ports: tuple[tuple[str, str, int], ...]
    clock: str = ""
    """The clock's port; empty for logic without one."""


def measure_fpga(
    design: Design,
    family: str,
    *,
    place: bool = True,
    most_luts: int | None = None,
    seeds: Sequence[int] = (1,),
    time_limit_s: float = TIME_LIMIT_S,
    progress: Progress = lambda step: None,
) -> Fpga:
    """Counts of the design, and its clock where the family can be placed: the median of seeds. One
    of more LUTs than `most_luts` is not placed.

    NetlistError for a latch or a loop, ToolError when a tool is missing, stops or does not fit; a
    seed that does not end is told, unless none does.
    """
    known = FAMILIES[family]
    placing = place and bool(known.nextpnr)
    if placing:
        nextpnr_version(family)
    with tempfile.TemporaryDirectory(prefix="gcmforge-fpga-") as name:
        folder = Path(name)
        progress(f"mapping to {family}")
        found = _count(design, known, folder, time_limit_s)
        large = most_luts is not None and found.luts + found.lut_ram_luts > most_luts
        if large or not placing:
            return found
        return _placed(design, known, found, folder, seeds, time_limit_s, progress)


def nextpnr_version(family: str) -> str:
    """Version of the family's nextpnr wheel, empty where there is none to place it."""
    known = FAMILIES[family]
    if not known.nextpnr:
        return ""
    try:
        return importlib.metadata.version(known.package)
    except importlib.metadata.PackageNotFoundError:
        raise ToolError(
            f"target {family}: nextpnr is not installed: pip install {known.package} "
            "(all of them: pip install 'gcmforge[fpga]')"
        ) from None


# Mapping and counting -----------------------------------------------------------------------------


def _synthesise(
    files: Sequence[Path],
    top: str,
    known: Family,
    out: Path,
    time_limit_s: float,
    options: str = "",
) -> list[Path]:
    """Map with Yosys into JSON netlists, one for each way to map LUTs; all have the same modules.

    The file of the first way is `out`, and the only one where the family has but one.
    """
    # A case of 256 entries stays logic: as a memory it would be padded and mapped larger.
    commands = [
        *(f'read_verilog -sv "{file}"' for file in files),
        f"hierarchy -check -top {top}",
        "proc -norom",
        *known.synth,
    ]
    made = [out]
    if not known.luts:
        commands.append(f"write_json {out.name}")
    else:
        made += [out.with_stem(f"{out.stem}_{way}") for way in range(1, len(known.luts))]
        commands.append("design -save before_luts")
        for ways, file in zip(known.luts, made, strict=True):
            commands += ["design -load before_luts", *ways, f"write_json {file.name}"]
    Yosys().run(
        [command.replace("{top}", top).replace("{options}", options) for command in commands],
        time_limit_s=time_limit_s,
        cwd=out.parent,
        what=f"mapping {top} to {known.device}",
    )
    if known.rewrites:
        for file in made:
            netlist = json.loads(file.read_text())
            modules = netlist["modules"].values()
            if sum(rewrite(module) for rewrite in known.rewrites for module in modules):
                file.write_text(json.dumps(netlist))
    return made


def _count(design: Design, known: Family, folder: Path, time_limit_s: float) -> Fpga:
    options = "" if known.synth[0].startswith("synth_xilinx") else "-noflatten"
    files = _synthesise(
        [file.resolve() for file in design.files],
        design.top,
        known,
        folder / "mapped.json",
        time_limit_s,
        options,
    )
    netlists = [read_yosys_json(file, design.top) for file in files]
    if not known.luts:
        return fpga_of(netlists[0].counts, known.device)
    best = best_modules(netlists)
    return fpga_of(best.counts, known.device, shared=pairs_of(best))


# Few pins -----------------------------------------------------------------------------------------


def wrapper_text(design: Design) -> str:
    """SystemVerilog of the wrapper: pins clk, serial_i, load_i, serial_o."""
    inputs = [p for p in design.ports if p[1] == "input" and p[0] != design.clock]
    outputs = [p for p in design.ports if p[1] == "output"]
    pins = [f".{design.clock}(clk)"] if design.clock else []
    pins += _slices(inputs, "in_q") + _slices(outputs, "out")
    wide_in, wide_out = _width(inputs), _width(outputs)
    shifted = f"{{in_q[{wide_in - 2}:0], serial_i}}" if wide_in > 1 else "serial_i"
    moved = f"{{out_q[{wide_out - 2}:0], 1'b0}}" if wide_out > 1 else "1'b0"
    joined = ",\n    ".join(pins)
    return f"""// SPDX-License-Identifier: Apache-2.0
// {design.top} in a wrapper of four pins: inputs shifted in, outputs caught and shifted out.
module {WRAPPER} (
    input  logic clk,
    input  logic serial_i,
    input  logic load_i,
    output logic serial_o
);
  logic [{wide_in - 1}:0] in_q;
  logic [{wide_out - 1}:0] out, out_q;

  always_ff @(posedge clk) in_q <= {shifted};
  always_ff @(posedge clk) out_q <= load_i ? out : {moved};
  assign serial_o = out_q[{wide_out - 1}];

  {design.top} u_design (
    {joined}
  );
endmodule
"""


def _width(ports: Sequence[tuple[str, str, int]]) -> int:
    return sum(width for _, _, width in ports)


def _slices(ports: Sequence[tuple[str, str, int]], vector: str) -> list[str]:
    pins, low = [], 0
    for name, _, width in ports:
        pins.append(f".{name}({vector}[{low}+:{width}])")
        low += width
    return pins


# Place and route ----------------------------------------------------------------------------------


def _placed(
    design: Design,
    known: Family,
    found: Fpga,
    folder: Path,
    seeds: Sequence[int],
    time_limit_s: float,
    progress: Progress,
) -> Fpga:
    (folder / f"{WRAPPER}.sv").write_text(wrapper_text(design))
    progress(f"mapping the wrapped design to {known.device}")
    files = [*(file.resolve() for file in design.files), folder / f"{WRAPPER}.sv"]
    _synthesise(files, WRAPPER, known, folder / "wrapped.json", time_limit_s)
    (folder / "pins.txt").write_text(known.pins)
    names = {"json": "wrapped.json", "report": "report.json", "pins": "pins.txt"}
    arguments = [part.format(**names) for part in known.place]
    reports, not_done = [], []
    for number, seed in enumerate(seeds, 1):
        of = f" ({number} of {len(seeds)})" if len(seeds) > 1 else ""
        progress(f"placing and routing on {known.device}{of}")
        try:
            limit_s = min(time_limit_s, known.ends_in_s)
            _nextpnr(known, [*arguments, "--seed", str(seed)], folder, limit_s)
        except ToolError:
            not_done.append(seed)
            if len(not_done) == len(seeds):
                raise
            continue
        reports.append((seed, json.loads((folder / "report.json").read_text())))
    ranked = sorted(reports, key=lambda one: _fmax(one[1]) or 0.0)
    seed, report = ranked[(len(ranked) - 1) // 2]
    clocks = [(one, _fmax(found)) for one, found in reports]
    others = [p for p in design.ports if p[0] != design.clock]
    return replace(
        found,
        placed=True,
        fmax_mhz=_fmax(report),
        fmax_by_seed=tuple((one, mhz) for one, mhz in clocks if mhz is not None),
        seeds_not_done=tuple(not_done),
        limit=_limit(report),
        utilisation={
            kind: (int(use["used"]), int(use["available"]))
            for kind, use in sorted(report.get("utilization", {}).items())
            if use["used"]
        },
        wrapper_flip_flops=_width(others),
        seed=seed,
    )


def _fmax(report: Mapping[str, Any]) -> float | None:
    """Of the only clock there is, in MHz."""
    clocks = [float(clock["achieved"]) for clock in report.get("fmax", {}).values()]
    return min(clocks, default=None)


def _limit(report: Mapping[str, Any]) -> Limit | None:
    """The slowest path between two edges of the clock."""
    paths = [
        path["path"]
        for path in report.get("critical_paths", ())
        if not {path["from"], path["to"]} & {"<async>"}
    ]
    if not paths:
        return None
    path = max(paths, key=lambda steps: sum(step["delay"] for step in steps))
    wires = sum(step["delay"] for step in path if step["type"] == "routing")
    return Limit(
        start=path[0]["from"]["cell"],
        end=path[-1]["to"]["cell"],
        luts=sum(step["type"] == "logic" for step in path),
        cells_ns=round(sum(step["delay"] for step in path) - wires, 3),
        wires_ns=round(wires, 3),
    )


def _nextpnr(known: Family, arguments: Sequence[str], cwd: Path, time_limit_s: float) -> None:
    """Run the wheel's nextpnr in a process of its own; ToolError with its words when it fails."""
    module, function = known.nextpnr.split(":")
    program = f"import sys\nfrom {module} import {function} as run\nsys.exit(run())\n"
    log = cwd / "nextpnr.log"
    (cwd / "report.json").unlink(missing_ok=True)
    with log.open("w") as file:
        process = start(program, arguments, cwd=cwd, stdin=subprocess.DEVNULL, stdout=file)
        try:
            code = process.wait(timeout=time_limit_s)
        except subprocess.TimeoutExpired as error:
            raise ToolError(
                f"nextpnr on {known.device}: not done after {time_limit_s:g} s"
            ) from error
        finally:
            end(process)
    if code != 0 or not (cwd / "report.json").is_file():
        text = log.read_text(errors="replace")
        errors = [line for line in text.splitlines() if line.startswith("ERROR")]
        raise ToolError(
            f"nextpnr on {known.device}: "
            + (errors[-1] if errors else f"code {code}\n{text[-600:]}")
        )
