# SPDX-License-Identifier: Apache-2.0
"""From SystemVerilog to a netlist of library cells, with area by block.

Each distinct module is mapped once, by several scripts, and stays a module; instances share the
result. What a module is mapped with is chosen by area or by delay; with a clock to meet, faster
candidates replace smaller ones along the slowest path until it is met or none is left.
"""

from __future__ import annotations

import gzip
import os
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from gcmforge.emit.leaves import LEAF_MODULES
from gcmforge.netlist.liberty import LibertyError, Library
from gcmforge.netlist.netlist import Cell, Module, Netlist
from gcmforge.netlist.targets import Target, TargetError, library_of
from gcmforge.synth.elaborate import Elaborated, elaborate, plain_name
from gcmforge.synth.fanout import buffered
from gcmforge.synth.figures import Block
from gcmforge.synth.mapping import Candidate, Mapped, Mapper, own_area, own_flip_flops
from gcmforge.synth.repair import repaired
from gcmforge.synth.scripts import SMALL_GATES, Effort, Goal, scripts_for
from gcmforge.synth.yosys import Yosys, yosys_version

Progress = Callable[[str], None]
"""Called with a few words before each step."""

LEAVES = (*LEAF_MODULES, "gf128_fixed", "gf128_square", "gf128_reduce", "aes_sub_mix_column")
"""Modules that are circuits of their own: their structure is not to be undone."""

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
        assembler = _Assembler(design, library, target)
        if clock_ns is not None or goal == "balanced":
            chosen = _speed_up(assembler, candidates, chosen, target, clock_ns, progress)
            if effort == "high" and len(design.pieces) > 1:
                assembler.repair_to_ns = clock_ns or 0.0
                chosen = _speed_up(assembler, candidates, chosen, target, clock_ns, progress)
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


# Putting modules together -------------------------------------------------------------------------


class _Assembler:
    """Netlists of one design out of a candidate for each module."""

    def __init__(self, design: Elaborated, library: Library, target: Target) -> None:
        self.design = design
        self.library = library
        self.target = target
        self.names = _readable(design)
        """Names in the netlist by the names modules were elaborated under."""
        self.originals = {new: old for old, new in self.names.items()}
        self.repair_to_ns: float | None = None
        """From then on netlists are repaired: until that clock is met, as far as they get for 0."""
        self._modules: dict[tuple[str, str], Module] = {}
        self._repaired: dict[frozenset[tuple[str, str]], Netlist] = {}

    def netlist(self, chosen: Mapping[str, Candidate]) -> Netlist:
        """The whole design, each module as it was chosen."""
        modules = {self.names[old]: self._module(c) for old, c in chosen.items()}
        netlist = Netlist(modules=modules, top=self.names[self.design.top])
        if not self.target.has_units:  # delays do not depend on loads
            return netlist
        netlist = buffered(netlist, self.library, self.target.dont_use)
        if self.repair_to_ns is None:
            return netlist
        key = frozenset((name, candidate.script) for name, candidate in chosen.items())
        if key not in self._repaired:
            self._repaired[key] = repaired(
                netlist,
                self.library,
                driving_cell=self.target.driving_cell,
                load_ff=self.target.load_ff,
                clock_ns=self.repair_to_ns,
                dont_use=self.target.dont_use,
            )
        return self._repaired[key]

    def _module(self, candidate: Candidate) -> Module:
        key = (candidate.module, candidate.script)
        if key not in self._modules:
            mapped = candidate.netlist()
            self._modules[key] = Module(
                name=self.names[candidate.module],
                ports=mapped.ports,
                cells=self._named(mapped),
                net_names=mapped.net_names,
            )
        return self._modules[key]

    def _named(self, module: Module) -> dict[str, Cell]:
        """Cells under names that say something: a flip-flop is called after its net, gates are
        numbered; what tools call them changes from run to run."""
        cells: dict[str, Cell] = {}
        gates = 0
        for instance, cell in module.cells.items():
            name = instance
            if instance.startswith("$"):
                name = self._flip_flop_name(module, cell)
                while not name or name in cells or name in module.cells:
                    gates += 1
                    name = f"g{gates}"
            kind = self.names.get(cell.type, cell.type)
            cells[name] = Cell(type=kind, connections=cell.connections)
        return cells

    def _flip_flop_name(self, module: Module, cell: Cell) -> str:
        """Its output's name with _reg, empty for any other cell or a net without a name."""
        lib = self.library.cells.get(cell.type)
        if lib is None or lib.flip_flop is None:
            return ""
        outputs = [bit for pin in lib.outputs for bit in cell.connections.get(pin.name, ())]
        named = [
            module.net_names[b] for b in outputs if isinstance(b, int) and b in module.net_names
        ]
        return f"{named[0]}_reg" if named else ""


def _readable(design: Elaborated) -> dict[str, str]:
    """Module names without parameters; variants of one module are numbered by their size."""
    variants: dict[str, list[str]] = {}
    for name in design.pieces:
        variants.setdefault(plain_name(name), []).append(name)
    names: dict[str, str] = {}
    for plain, found in variants.items():
        found.sort(key=lambda name: (design.pieces[name].gates, name))
        for number, name in enumerate(found, 1):
            names[name] = plain if len(found) == 1 else f"{plain}_{number}"
    return names


# Speed where it is needed -------------------------------------------------------------------------


def _speed_up(
    assembler: _Assembler,
    candidates: Mapping[str, Sequence[Candidate]],
    chosen: Mapping[str, Candidate],
    target: Target,
    clock_ns: float | None,
    progress: Progress,
) -> dict[str, Candidate]:
    """Replace modules along the slowest path by faster candidates.

    With a clock: until it is met. Without: as long as there are any and it pays; the best product
    of area and slowest path that was passed on the way is taken.
    """
    from gcmforge.sta.timing import analyse

    if clock_ns is None and assembler.repair_to_ns is None:
        chosen = _cheap_speed(assembler, candidates, chosen)
    current, best = dict(chosen), dict(chosen)
    best_score, best_attempt = float("inf"), 0
    for attempt in range(_MAX_SPEED_UPS):
        progress(f"timing of the whole ({attempt + 1})")
        netlist = assembler.netlist(current)
        timing = analyse(
            netlist, assembler.library, driving_cell=target.driving_cell, load_ff=target.load_ff
        )
        score = timing.critical_path_ns
        if clock_ns is None:
            score *= own_area(netlist.counts, assembler.library, netlist.top)
        if score < best_score:
            best, best_score, best_attempt = dict(current), score, attempt
        if clock_ns is None and attempt - best_attempt >= _PATIENCE:
            break
        if clock_ns is not None and timing.critical_path_ns <= clock_ns:
            return best
        faster = {
            name: _next_faster(candidates[name], current[name])
            for name in _modules_on([step.instance for step in timing.path], assembler, netlist)
        }
        current |= {name: candidate for name, candidate in faster.items() if candidate}
        if not any(faster.values()):
            break
    return best


_MAX_SPEED_UPS = 20
"""Each costs a timing of the whole design."""

_PATIENCE = 3
"""Attempts without a better product before the search for one ends."""

_CHEAP = 0.05
"""Of what a nanosecond of the slowest path is worth in area: paid for one of any module, as nobody
knows yet where the slowest path is going to be."""


def _cheap_speed(
    assembler: _Assembler,
    candidates: Mapping[str, Sequence[Candidate]],
    chosen: Mapping[str, Candidate],
) -> dict[str, Candidate]:
    """Candidates with the speed that costs next to nothing: that of control, above all."""
    netlist = assembler.netlist(chosen)
    instances = Counter(assembler.originals[module] for _, module in netlist.instances())
    whole = own_area(netlist.counts, assembler.library, netlist.top)
    slowest = max((c.delay_ns or 0.0 for c in chosen.values()), default=0.0)
    if slowest == 0.0:
        return dict(chosen)
    worth = _CHEAP * whole / slowest

    def price(candidate: Candidate) -> float:
        delay = slowest if candidate.delay_ns is None else candidate.delay_ns
        return instances[candidate.module] * candidate.area + worth * delay

    return {name: min(candidates[name], key=price) for name in chosen}


def _modules_on(
    instances: Collection[str], assembler: _Assembler, netlist: Netlist
) -> Iterator[str]:
    """Modules, by the names they were elaborated under, that the cells of a path lie in."""
    seen: set[str] = set()
    for instance in instances:
        module, rest = netlist.modules[netlist.top], instance
        while inner := _instance_in(module, rest, netlist):
            rest = rest[len(inner) + 1 :]
            module = netlist.modules[module.cells[inner].type]
        if module.name not in seen:
            seen.add(module.name)
            yield assembler.originals[module.name]


def _instance_in(module: Module, path: str, netlist: Netlist) -> str:
    """The instance of a module that a path from here begins with; empty when there is none."""
    for name, cell in module.cells.items():
        if cell.type in netlist.modules and path.startswith(f"{name}."):
            return name
    return ""


def _next_faster(found: Sequence[Candidate], current: Candidate) -> Candidate | None:
    """The smallest candidate that is faster than the current one."""
    if current.delay_ns is None:
        return None
    faster = [c for c in found if c.delay_ns is not None and c.delay_ns < current.delay_ns]
    return min(faster, key=lambda c: (c.area, c.delay_ns), default=None)


# The result ---------------------------------------------------------------------------------------

_CONTROL, _KEYS, _AES, _GHASH, _BUFFERS = "control", "key schedule", "aes", "ghash", "buffers"
_KEY_UNIT, _TAIL = "key unit", "tail"
_REGISTERS, _PROFILE = "registers", "profile"
_RELEASE, _ERASE, _IVS = "verified release", "zeroise", "IV counter"
_TIMEOUT = "timeout"
BLOCKS = (
    _AES, _KEYS, _KEY_UNIT, _GHASH, _TAIL, _RELEASE, _IVS, _ERASE, _TIMEOUT, _CONTROL, _BUFFERS,
    _REGISTERS, _PROFILE,
)  # fmt: skip

_WHOLE = (_REGISTERS, _PROFILE, _RELEASE, _IVS)
"""Blocks that keep what is in them: their queues and memories are no others'."""

_HOLD_CONTEXTS = (_KEYS, _GHASH, _TAIL, _IVS)
"""Blocks whose memories have a place for each context."""

_BLOCK_OF = {
    "gcm_axis": _CONTROL,
    "gcm_axis_core": _CONTROL,
    "gcm_front": _CONTROL,
    "gcm_middle": _CONTROL,
    "gcm_back": _CONTROL,
    "gcm_issue": _CONTROL,
    "gcm_join": _CONTROL,
    "gcm_command": _CONTROL,
    "gcm_tag": _BUFFERS,
    "gcm_subkey": _KEYS,
    "gcm_subkey_dedicated": _KEY_UNIT,
    "gcm_tail": _GHASH,
    "gcm_tail_dedicated": _TAIL,
    "gcm_keys": _KEYS,
    "gcm_aes": _AES,
    "gcm_ghash": _GHASH,
    "gcm_axil": _REGISTERS,
    "gcm_macsec": _PROFILE,
    "gcm_ipsec": _PROFILE,
    "gcm_tls13": _PROFILE,
    "gcm_regs": _REGISTERS,
    "profile_macsec": _PROFILE,
    "profile_ipsec": _PROFILE,
    "profile_tls13": _PROFILE,
    "gcm_release_verified": _RELEASE,
    "gcm_iv_counter": _IVS,
    "gcm_erase": _ERASE,
    "gcm_timeout": _TIMEOUT,
    "gcm_slots_queue": _BUFFERS,
    "gcm_slots_line": _BUFFERS,
    "gcm_fifo": _BUFFERS,
    "axis_skid": _BUFFERS,
}


def _block(module: str, parent: str) -> str:
    """The block that an instance counts for: its module's own, else that of what holds it."""
    plain = re.sub(r"_\d+$", "", module)
    if parent in _WHOLE and plain != "gcm_axis":
        return parent
    if (plain == "gcm_ram" and parent == _AES) or plain.startswith(("aes_key_", "aes_schedule_")):
        return _KEYS  # round keys, stored or made
    return _BLOCK_OF.get(module) or _BLOCK_OF.get(plain) or parent


def _by_block(netlist: Netlist, library: Library, target: Target) -> tuple[dict[str, Block], Block]:
    """Area and flip-flops by block, and of them those that hold contexts; a design whose top is no
    core's is one block."""
    own = {
        name: Counter(cell.type for cell in module.cells.values())
        for name, module in netlist.modules.items()
    }
    cells: dict[str, list[str]] = {}
    held: list[str] = []
    block_at: dict[tuple[str, ...], str] = {}
    for path, module in netlist.instances():
        parent = block_at[path[:-1]] if path else netlist.top
        block = block_at[path] = _block(module, parent)
        cells.setdefault(block, []).append(module)
        if block in _HOLD_CONTEXTS and re.fullmatch(r"gcm_ram(_\d+)?", module):
            held.append(module)

    def made(name: str, modules: Sequence[str]) -> Block:
        area = sum(own_area(own[module], library, module) for module in modules)
        return Block(
            name=name,
            area_um2=area if target.has_units else None,
            area_ge=area / target.nand2_area,
            flip_flops=sum(own_flip_flops(own[module], library) for module in modules),
        )

    order = [block for block in BLOCKS if block in cells]
    order += [block for block in cells if block not in BLOCKS]
    return {block: made(block, cells[block]) for block in order}, made("contexts", held)


def _result(
    assembler: _Assembler,
    candidates: Mapping[str, Sequence[Candidate]],
    chosen: Mapping[str, Candidate],
    target: Target,
    yosys: Yosys,
    notes: Sequence[str],
    seconds: float,
) -> Synthesis:
    netlist, library = assembler.netlist(chosen), assembler.library
    by_block, contexts = _by_block(netlist, library, target)
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
        by_block=by_block,
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
        "AND-OR logic, so read counts of gates beside them",
    )
