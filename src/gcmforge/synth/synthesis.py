# SPDX-License-Identifier: Apache-2.0
"""From SystemVerilog to a netlist of library cells, with area by block.

Each distinct module that stays one (merged.py) is mapped once, by several scripts; instances share
the result. What a module is mapped with is chosen by area or by delay; with a clock to meet, faster
candidates replace smaller ones along the slowest path until it is met or none is left.
"""

from __future__ import annotations

import gzip
import os
import re
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from gcmforge.emit.leaves import LEAF_MODULES
from gcmforge.netlist.liberty_syntax import LibertyError
from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Netlist
from gcmforge.netlist.targets import Target, TargetError, library_of
from gcmforge.synth.assembler import Assembler, Progress
from gcmforge.synth.blocks import by_block
from gcmforge.synth.elaborate import Elaborated, elaborate
from gcmforge.synth.figures import Block
from gcmforge.synth.mapping import Candidate, Mapped, Mapper, own_area, own_flip_flops
from gcmforge.synth.names import plain_name
from gcmforge.synth.scripts import SMALL_GATES, Effort, Goal, scripts_for
from gcmforge.synth.speed import speed_up
from gcmforge.synth.yosys import Yosys, yosys_version

LEAVES = (*LEAF_MODULES, "gf128_fixed", "gf128_square", "aes_sub_mix_column")
"""Modules that are circuits of their own: their structure is not to be undone. Those of cores, that
of one key, and two leaves that are in no core."""

AS_FAST = 0.005
"""Of candidates whose delays differ by no more than this part, the smallest is the fastest."""

TIME_LIMIT_S = 600.0
"""Of one job: a module's scripts, or reading the whole design."""


class SynthesisError(ValueError):
    """What was asked cannot be synthesised; the text says why and what to do."""


# Records ------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class MappedModule:
    """How one distinct module was mapped; figures of one instance with everything below it."""

    area_ge: float
    flip_flops: int
    instances: int
    script: str
    """Name of the script that won."""
    delay_ns: float | None
    """Slowest path through its gates, as the mapper saw it; None where it was not asked."""
    tried: Mapping[str, tuple[float, float | None]]
    """Every script that ended: own area in GE (without modules below) and delay in ns."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Synthesis:
    """A mapped design. Areas are sums of cells: no wires, no clock tree, no fill."""

    target: Target
    netlist: Netlist
    area_um2: float
    """In the library's unit; for `ge` this is GE."""
    area_ge: float
    flip_flops: int
    by_block: Mapping[str, Block]
    """"aes", "key schedule", "ghash", "control", "buffers" of a core; one block for a leaf."""
    contexts: Block
    """What holds round keys, powers of H and counts for each context; in `by_block`, too."""
    modules: Mapping[str, MappedModule]
    script: str
    """Which scripts won, by module."""
    warnings: tuple[str, ...]
    yosys_version: str
    seconds: float
    peak_memory_mib: float
    """Of the largest job; as many run at a time as there are processors."""


# The function -------------------------------------------------------------------------------------


def synthesise(
    source: Path | Sequence[Path] | str,
    target: Target,
    *,
    top: str = "",
    clock_ns: float | None = None,
    effort: Effort = "normal",
    goal: Goal = "area",
    leaves: Collection[str] = LEAVES,
    scripts: Sequence[str] | None = None,
    jobs: int | None = None,
    time_limit_s: float = TIME_LIMIT_S,
    progress: Progress = lambda step: None,
) -> Synthesis:
    """Map a core's folder, SystemVerilog files, or SystemVerilog text (a leaf) to a target.

    Modules in `leaves` keep their structure. `effort` says how many scripts are tried, `scripts`
    names them instead. `goal` chooses among them: the smallest, the fastest, or (balanced) the
    smallest but for modules whose speed is worth its area to the whole; `clock_ns` asks for speed
    until that clock is met. For either, effort high repairs a design of several modules (repair.py)
    and goes on choosing for what that is. Raises SynthesisError, TargetError, NetlistError (a
    latch, unmapped cells) or YosysError.
    """
    start = time.perf_counter()
    if target.kind != "asic":
        raise SynthesisError(f"target {target.name} is an FPGA: it has no cells to map to")
    library = _library(target)
    yosys = Yosys()
    with tempfile.TemporaryDirectory(prefix="gcmforge-synthesis-") as name:
        folder = Path(name)
        files, asked_top = _files(source, folder)
        liberty = _plain_copies(target, folder)
        progress("reading")
        design = elaborate(
            files,
            target,
            top=top or asked_top,
            leaves=leaves,
            yosys=yosys,
            liberty=liberty,
            cwd=folder,
            time_limit_s=time_limit_s,
        )
        mapper = Mapper(
            target=target,
            library=library,
            liberty=liberty,
            yosys=yosys,
            folder=folder,
            time_limit_s=time_limit_s,
        )
        plan = {
            name: tuple(scripts)
            if scripts is not None
            else scripts_for(
                leaf=piece.leaf,
                gates=piece.gates,
                effort=effort,
                goal="balanced" if clock_ns is not None else goal,
                as_written=not target.has_units,
            )
            for name, piece in design.pieces.items()
        }
        candidates, notes = _map_all(design, mapper, plan, jobs or os.cpu_count() or 1, progress)
        chosen = {name: _best(found, goal) for name, found in candidates.items()}
        assembler = Assembler(design, library, target)
        if clock_ns is not None or goal == "balanced":
            chosen = speed_up(assembler, candidates, chosen, target, clock_ns, progress)
            if effort == "high" and len(design.pieces) > 1:
                assembler.repair_to_ns = clock_ns or 0.0
                chosen = speed_up(assembler, candidates, chosen, target, clock_ns, progress)
        return _result(
            assembler, candidates, chosen, target, yosys, notes, time.perf_counter() - start
        )


def _library(target: Target) -> Library:
    try:
        return library_of(target)
    except LibertyError as error:
        raise TargetError(f"target {target.name}: {error}") from error


def _files(source: Path | Sequence[Path] | str, folder: Path) -> tuple[list[Path], str]:
    """Files to read in order, and the name of the top where the source says it."""
    if isinstance(source, str):
        modules = re.findall(r"^\s*module\s+(\w+)", source, re.M)
        if not modules:
            raise SynthesisError("the text has no module: SystemVerilog was expected")
        file = folder / f"{modules[-1]}.sv"
        file.write_text(source)
        return [file], modules[-1]
    if not isinstance(source, Path):
        return list(source), ""
    if source.is_dir():
        listed = source / "gcm_axis.f"
        if not listed.is_file():
            raise SynthesisError(f"{source}: no core's folder, it has no gcm_axis.f; build one")
        return [source / line for line in listed.read_text().split()], "gcm_axis"
    if not source.is_file():
        raise SynthesisError(f"{source}: there is no such file or folder")
    return [source], ""


def _plain_copies(target: Target, folder: Path) -> tuple[Path, ...]:
    """The target's Liberty files, unpacked and under names that no tool trips over."""
    copies = []
    for index, file in enumerate(target.liberty):
        data = file.read_bytes()
        copy = folder / f"cells{index}.lib"
        copy.write_bytes(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
        copies.append(copy)
    return tuple(copies)


# Mapping all modules ------------------------------------------------------------------------------


def _map_all(
    design: Elaborated,
    mapper: Mapper,
    plan: Mapping[str, Sequence[str]],
    jobs: int,
    progress: Progress,
) -> tuple[dict[str, list[Candidate]], list[str]]:
    """Candidates by module, and a line for each script that gave none.

    The largest modules come first, each of their scripts a job of its own.
    """
    work: list[tuple[str, Sequence[str]]] = []
    for name in sorted(design.pieces, key=lambda n: (-design.pieces[n].gates, n)):
        if design.pieces[name].gates > SMALL_GATES:
            work += [(name, (script,)) for script in plan[name]]
        else:
            work.append((name, plan[name]))
    found: dict[str, list[Candidate]] = {name: [] for name in design.pieces}
    errors: dict[str, list[tuple[str, Exception]]] = {name: [] for name in design.pieces}
    pool = ThreadPoolExecutor(max_workers=jobs)
    try:
        futures: dict[Future[Mapped], str] = {
            pool.submit(mapper.map, design.pieces[name], scripts, number): name
            for number, (name, scripts) in enumerate(work)
        }
        for done, future in enumerate(as_completed(futures), 1):
            name = futures[future]
            progress(f"mapped {plain_name(name)} ({done} of {len(futures)})")
            mapped = future.result()
            found[name] += mapped.candidates
            errors[name] += mapped.errors.items()
    finally:
        mapper.yosys.stop()
        pool.shutdown(cancel_futures=True)
    for name in found:
        if not found[name]:
            raise errors[name][0][1]
    notes = [
        f"script '{script}' gave nothing: {str(error).splitlines()[0]}"
        for failed in errors.values()
        for script, error in failed
    ]
    return found, notes


def _best(found: Sequence[Candidate], goal: Goal) -> Candidate:
    def by_area(c: Candidate) -> tuple[float, float]:
        return c.area, c.delay_ns or 0.0

    if goal != "delay":
        return min(found, key=by_area)
    delays = [c.delay_ns for c in found if c.delay_ns is not None]
    if not delays:
        return min(found, key=by_area)
    enough = min(delays) * (1 + AS_FAST)
    return min((c for c in found if c.delay_ns and c.delay_ns <= enough), key=by_area)


# The result ---------------------------------------------------------------------------------------


def _result(
    assembler: Assembler,
    candidates: Mapping[str, Sequence[Candidate]],
    chosen: Mapping[str, Candidate],
    target: Target,
    yosys: Yosys,
    notes: Sequence[str],
    seconds: float,
) -> Synthesis:
    netlist, library = assembler.netlist(chosen), assembler.library
    blocks, contexts = by_block(netlist, library, target)
    instances = Counter(module for _, module in netlist.instances())
    modules: dict[str, MappedModule] = {}
    for old, new in sorted(assembler.names.items(), key=lambda item: item[1]):
        counts = netlist.module_counts(new) if instances[new] else Counter[str]()
        modules[new] = MappedModule(
            area_ge=own_area(counts, library, new) / target.nand2_area,
            flip_flops=own_flip_flops(counts, library),
            instances=instances[new],
            script=chosen[old].script,
            delay_ns=chosen[old].delay_ns,
            tried={c.script: (c.area / target.nand2_area, c.delay_ns) for c in candidates[old]},
        )
    area = own_area(netlist.counts, library, netlist.top)
    return Synthesis(
        target=target,
        netlist=netlist,
        area_um2=area,
        area_ge=area / target.nand2_area,
        flip_flops=own_flip_flops(netlist.counts, library),
        by_block=blocks,
        contexts=contexts,
        modules=modules,
        script="; ".join(f"{name}: {module.script}" for name, module in modules.items()),
        warnings=(*assembler.design.warnings, *notes, *_quirks(library, target)),
        yosys_version=yosys_version(),
        seconds=seconds,
        peak_memory_mib=yosys.peak_memory_mib,
    )


def _quirks(library: Library, target: Target) -> tuple[str, ...]:
    """Gates of three inputs or more that are smaller than the NAND2 that GE are counted in."""
    odd = [
        cell.name
        for cell in library.cells.values()
        if 0 < cell.area < target.nand2_area
        and len(cell.inputs) > 2
        and not cell.is_sequential
        and len(cell.outputs) == 1
    ]
    if not odd:
        return ()
    return (
        f"{target.name}: {', '.join(odd)} smaller than {target.nand2}: its areas favour "
        "AND-OR logic, so read counts of gates, too",
    )
