# SPDX-License-Identifier: Apache-2.0
"""How good the estimate of wires is: placed blocks routed by qrouter, net by net.

gcmforge-study run routed [--what NAME] [--utilisation 0.7]: a leaf or preset is mapped, placed and
mended on osu018 as `gcmforge measure --placed` does it, with one script a module. Then qrouter
routes all its nets on six layers of metal, and the length of each net's wires is held against the
estimate that timing was made with. The slowest path is looked for again with the routed lengths.
Exit code 1 when a net is not routed. Needs qrouter, which Debian's qflow-tech-osu018 brings along.
"""

import argparse
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from gcmforge.cache import digest
from gcmforge.netlist.libraries import LIBRARIES, find_files
from gcmforge.netlist.targets import library_of
from gcmforge.place.placed import UTILISATION, PlacedDesign, graph_of, place_design
from gcmforge.place.repair import mended
from gcmforge.study.checkout import REFERENCE, write_page
from gcmforge.study.evidence.routed_def import TRACKS, def_lines, routed_lengths
from gcmforge.study.kept import Found, Kept, Step
from gcmforge.study.pages.asks import Ask
from gcmforge.study.pages.tables import Column, head, line
from gcmforge.synth.synthesis import synthesise
from gcmforge.tools import ToolError

KEPT = Kept("routed")
TARGET = "osu018"
WHAT = ("aes_sbox/small", "aes_sbox/fast", "nano", "gf128_mul/ko5", "micro")
"""Blocks of the sizes that qrouter routes in an hour, smallest first."""
LIMIT_S = 5400
LAYERS = len(TRACKS)
CLASSES = (20.0, 50.0, 100.0, 200.0, 500.0)
"""Bounds of the estimated length, in um, between which nets are told apart."""
_SCRIPT = """\
read_lef {lef}
layers {layers}
via stack 2
read_def placed.def
stage1
for {{set mask 10}} {{$mask <= 100}} {{incr mask 10}} {{
  if {{[stage2 mask $mask effort 10] == 0}} break
}}
write_def routed.def
quit
"""
"""Nets are routed one after the other; those that found no way are then routed through others,
which are routed again, within wider and wider bounds."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--what", help="only this leaf or preset")
    parser.add_argument("--utilisation", type=float, default=UTILISATION)
    asked = parser.parse_args(arguments)
    ok = True
    for what in [asked.what] if asked.what else WHAT:
        found = routed(what, asked.utilisation)
        print(f"{what}: {found.text}", flush=True)
        ok &= found.ok
    return 0 if ok else 1


def steps() -> Iterator[Step]:
    for what in WHAT:
        ask = _ask(what, UTILISATION)
        yield Step(
            kind="routed", name=what, call=routed, arguments=(what,), digest=_version(ask),
            command=f"gcmforge-study run routed --what {what}",
        )  # fmt: skip


def _version(ask: Ask) -> str:
    """Of all that the placement depends on, and of what is done with it here; none where its tools
    are not installed."""
    try:
        job = ask.job
    except (ToolError, ValueError):
        return ""
    here = Path(__file__)
    files = (here, here.with_name("routed_def.py"))
    return digest(job.key, *(file.read_text(encoding="utf-8") for file in files))[:16]


def _ask(what: str, utilisation: float) -> Ask:
    return Ask(what=what, target=TARGET, effort="quick", placed=True, utilisation=utilisation)


def routed(what: str, utilisation: float = UTILISATION) -> Found:
    """One block: what its nets were estimated to have, and what they have when routed."""
    placed = placed_block(what, utilisation)
    began = time.perf_counter()
    lengths = route(placed)
    return compared(placed, lengths, time.perf_counter() - began)


def placed_block(what: str, utilisation: float = UTILISATION) -> PlacedDesign:
    """Mapped, placed and mended as `gcmforge measure --placed` does it."""
    job = _ask(what, utilisation).job
    with job.subject.folder() as folder:
        made = synthesise(
            [folder / name for name in job.subject.texts],
            job.target,
            top=job.subject.top,
            effort=job.effort,  # type: ignore[arg-type]
            goal=job.goal,  # type: ignore[arg-type]
            progress=lambda step: None,
        )
    library = library_of(job.target)
    return mended(place_design(made.netlist, job.target, library, utilisation=utilisation))


def route(placed: PlacedDesign) -> dict[int, dict[str, float]]:
    """By net and layer: um of wire; of a net that qrouter gave up, nothing, though it may have left
    pieces. ToolError where qrouter is not installed, ends with an error, or takes more than the
    limit."""
    program = shutil.which("qrouter")
    if program is None:
        raise ToolError("qrouter is not installed; apt-get install qflow-tech-osu018")
    lef = find_files(LIBRARIES[TARGET])[0].with_suffix(".lef")
    with tempfile.TemporaryDirectory(prefix="gcmforge-routed-") as name:
        folder = Path(name)
        (folder / "placed.def").write_text("\n".join(def_lines(placed)) + "\n")
        (folder / "script.tcl").write_text(_SCRIPT.format(lef=lef, layers=LAYERS))
        try:
            run = subprocess.run(
                [program, "-noc", "-nog", "-s", "script.tcl"], cwd=folder, capture_output=True,
                text=True, errors="replace", timeout=LIMIT_S, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired as error:
            raise ToolError(f"qrouter: not done after {LIMIT_S} s") from error
        out = folder / "routed.def"
        if run.returncode or not out.is_file():
            raise ToolError(f"qrouter made no routed design: {run.stdout[-500:]}{run.stderr}")
        failed = failed_nets(run.stdout)
        lengths = routed_lengths(out.read_text())
    return {net: {} if net in failed else pieces for net, pieces in lengths.items()}


def failed_nets(said: str) -> set[int]:
    """Those that qrouter says at its end it has not routed. ToolError when it says nothing."""
    *_, last = re.split(r"^Final: ", said, flags=re.MULTILINE)
    if last.startswith("No failed routes"):
        return set()
    failed = {int(net) for net in re.findall(r"^ *n(\d+)\s*$", last, re.MULTILINE)}
    if not last.startswith(f"Failed net routes: {len(failed)}\n"):
        raise ToolError(f"qrouter does not say which nets it routed: {said[-500:]}")
    return failed


def compared(
    placed: PlacedDesign, lengths: Mapping[int, Mapping[str, float]], seconds: float
) -> Found:
    """The routed lengths against the estimate, by the length of nets, and the path with them."""
    import numpy as np

    table, estimate = placed.wires.pins, placed.wires.length
    pins = np.bincount(table.net, minlength=estimate.size)
    nets = np.flatnonzero(pins > 1)
    whole = np.zeros(estimate.size)
    layers: dict[str, float] = {layer: 0.0 for layer, *_ in TRACKS}
    for net, pieces in lengths.items():
        whole[net] = sum(pieces.values())
        for layer, um in pieces.items():
            layers[layer] += um
    not_routed = [net for net in nets.tolist() if not lengths.get(net)]
    classes = []
    bounds = (0.0, *CLASSES, float("inf"))
    for low, high in pairwise(bounds):
        mine = nets[(estimate[nets] >= low) & (estimate[nets] < high)]
        if mine.size:
            classes.append({
                "from_um": low, "nets": int(mine.size),
                "estimated_um": round(float(estimate[mine].sum())),
                "routed_um": round(float(whole[mine].sum())),
            })  # fmt: skip
    data = {
        "cells": len(placed.bound.module.cells),
        "area_ge": round(placed.area_um2 / placed.target.nand2_area),
        "nets": int(nets.size),
        "not_routed": len(not_routed),
        "estimated_um": round(float(estimate[nets].sum())),
        "routed_um": round(float(whole[nets].sum())),
        "layers_um": {layer: round(um) for layer, um in layers.items()},
        "by_length": classes,
        "estimated_ns": placed.timing.critical_path_ns,
        "routed_ns": path_with(placed, whole),
        "route_seconds": round(seconds, 1),
    }
    text = (
        f"{data['nets']:,} nets, {len(not_routed)} not routed; estimated "
        f"{data['estimated_um']:,} um, routed {data['routed_um']:,} um; path "
        f"{data['estimated_ns']:.3f} ns, with routed lengths {data['routed_ns']:.3f} ns"
    )
    return Found(ok=not not_routed, text=text, data=data)


def path_with(placed: PlacedDesign, lengths: Any) -> float:
    """The slowest path in ns where each net is as much longer than its estimate as it was routed:
    its capacitance by that ratio, its own delay by the square. That is too much for a longer net
    and too little for a shorter one, as of its delay what its readers' pins cause grows by the
    ratio alone. The clock comes as before."""
    import numpy as np

    estimate, wires = placed.wires.length, placed.wires.wires
    ratio = np.ones(estimate.size)
    known = (estimate > 0) & (lengths > 0)
    ratio[known] = lengths[known] / estimate[known]
    bound, later = placed.bound, {}
    for group in bound.groups:
        for place, name in enumerate(group.pins):
            key = (group.cell.name, name)
            if key in wires.delay:
                nets = group.nets[:, place]
                later[key] = wires.delay[key] * np.where(nets >= 0, ratio[nets] ** 2, 1.0)
    routed_wires = replace(
        wires, capacitance=wires.capacitance * ratio, delay=later,
        outputs=wires.outputs * ratio[bound.outputs] ** 2,
    )  # fmt: skip
    return graph_of(bound, placed.target, routed_wires).critical_path_ns()


# The page -----------------------------------------------------------------------------------------


INTRODUCTION = f"""\
`gcmforge measure --placed` times wires that are estimated: the shortest tree between a net's pins
([how](../how-to/measure.md#placed)). Here blocks are mapped with one script a module, placed and
mended in that way on {TARGET}, with {UTILISATION:.0%} of the area taken. Then qrouter routes them,
net by net, on six layers. Ports lie in a ring around the rows, 10 um further out at most. Power
rails are those of the cells; there are no straps, and no fill.
"""


def page(records: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Lines of the page."""
    versions = ", ".join(sorted({one["version"] for one in records.values()}))
    yield "# The estimate of wires, and routed ones\n"
    yield "Written by `gcmforge-study pages routed` from what `gcmforge-study evidence routed`"
    yield f"found, version {versions} of the project.\n"
    yield INTRODUCTION
    found = {name: one["found"] for name, one in records.items()}
    yield from head("block", [heading for heading, _ in _COLUMNS])
    for name, one in found.items():
        yield line(f"`{name}`", (show(one) for _, show in _COLUMNS))
    yield "\n*Path, routed* is the slowest path where each net is as much longer than its estimate"
    yield "as it was routed: its capacitance by that ratio, its own delay by the square. That is"
    yield "too much for a longer net and too little for a shorter one: what pins add to the delay"
    yield "grows by the ratio alone.\n"
    yield "Routed length over estimated, by the estimated length of nets, and how many nets these"
    yield "are:\n"
    bounds = (0.0, *CLASSES)
    upper = [f"{bound:g}" for bound in CLASSES] + [""]
    names = [f"{low:g} to {high} um" for low, high in zip(bounds, upper, strict=True)]
    names[-1] = f"from {bounds[-1]:g} um on"
    yield from head("block", names)
    for name, one in found.items():
        rows = {row["from_um"]: row for row in one["by_length"]}
        yield line(f"`{name}`", (_of_class(rows.get(bound)) for bound in bounds))
    yield "\nWire by layer, mm:\n"
    yield from head("block", [layer for layer, *_ in TRACKS])
    for name, one in found.items():
        yield line(f"`{name}`", (f"{one['layers_um'][layer] / 1000:,.2f}" for layer, *_ in TRACKS))
    yield "\nEach is made again by:\n"
    yield from (f"- `{one['command']}`" for one in records.values())


def _of_class(row: Mapping[str, Any] | None) -> str:
    if row is None:
        return ""
    return f"{row['routed_um'] / row['estimated_um']:.3f} ({row['nets']:,})"


_COLUMNS: list[Column] = [
    ("GE", lambda one: f"{one['area_ge']:,}"),
    ("cells", lambda one: f"{one['cells']:,}"),
    ("nets", lambda one: f"{one['nets']:,}"),
    ("not routed", lambda one: f"{one['not_routed']:,}"),
    ("estimated, mm", lambda one: f"{one['estimated_um'] / 1000:,.1f}"),
    ("routed, mm", lambda one: f"{one['routed_um'] / 1000:,.1f}"),
    ("routed over estimated", lambda one: f"{one['routed_um'] / one['estimated_um']:.3f}"),
    ("path, estimated, ns", lambda one: f"{one['estimated_ns']:.3f}"),
    ("path, routed, ns", lambda one: f"{one['routed_ns']:.3f}"),
    ("router, s", lambda one: f"{one['route_seconds']:,.0f}"),
]


def write() -> None:
    """The page, from what is kept."""
    KEPT.records()  # or an error
    write_page(REFERENCE / "routed.md", page(KEPT.read()), "gcmforge-study pages routed")
