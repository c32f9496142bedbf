# SPDX-License-Identifier: Apache-2.0
"""Faster candidates for the modules that the slowest paths are in, as long as they are cheap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from gcmforge.netlist.netlist import Module, Netlist
from gcmforge.netlist.targets import Target
from gcmforge.synth.assembler import Assembler, Progress
from gcmforge.synth.mapping import Candidate, own_area


def speed_up(
    assembler: Assembler,
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
            netlist, assembler.library, driving_cell=target.driving_cell, load_ff=target.load_ff,
            clock_slew_ns=target.clock_transition_ns,
        )  # fmt: skip
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
    assembler: Assembler,
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
    instances: Collection[str], assembler: Assembler, netlist: Netlist
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
