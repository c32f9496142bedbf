# SPDX-License-Identifier: Apache-2.0
"""What is proven about the control of a core, and how.

Modules that hold words, tags or text are proven each alone, for any time: first their lemmas, by
induction; then, relying on these, what they assert; and that what is watched can happen at all, so
that no proof is empty. What such a module requires of the modules around is watched in simulation
of the whole core. Of the whole core it is shown that no time depends on data; and it can be looked
at from its reset, for a number of cycles that is stated.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gcmforge.config import CoreConfig
from gcmforge.emit import open_core
from gcmforge.emit.folder import check_unchanged
from gcmforge.emit.leaves import leaf_modules
from gcmforge.emit.naming import unnamed
from gcmforge.formal import checker, texts, watched
from gcmforge.formal.circuit import Circuit, circuit, read, variants
from gcmforge.formal.flow import flow
from gcmforge.sim.properties import properties
from gcmforge.synth.yosys import Yosys

_DEPTHS = (1, 2, 3)
"""Cycles of an induction."""
_SEARCH = 12
"""Cycles from the reset, and one for each place of a queue, in which counterexamples are sought."""
_LIMIT_S = 120.0
_CUT = ("stream", "j0", "u_back.sum_poly", "u_back.u_tag.match")
"""Signals of a whole core that may be anything: they are data, or a comparison of data."""
_STREAMS = "gcm_axis"
"""The module whose ports are the streams, with what guards them."""
TIMING = "no_time_depends_on_data"
_SIZES: Mapping[str, Mapping[str, int]] = {
    "gcm_release_verified": {"Width": 1, "Depth": 5, "Pending": 3}
}
"""Modules that are proven at a size of their own: their sums over a queue grow with its depth."""
_FIFOS: Mapping[str, Sequence[int]] = {"gcm_release_verified": (3, 5)}
"""Depths of the gcm_fifo inside these at that size."""

_MOST: Mapping[str, Mapping[str, int]] = {
    "gcm_iv_counter": {"Depth": 4},
    "gcm_keys": {"Contexts": 16},
    "gcm_tag": {"Depth": 4},
    "streams_keys": {"Streams": 4},
    "streams_tags": {"Streams": 4},
}
"""Parameters that are proven up to there. With more places a proof does not end; contexts beyond 16
stand in a memory, whose clearing has no lemmas."""
_SHORT: Mapping[str, Mapping[str, int]] = {
    "gcm_erase": {"Contexts": 3, "Packets": 2, "Quiet": 2},
    "gcm_timeout": {"Limit": 4},
}
"""Numbers that are this small where something is sought, so that it happens soon: proofs have those
of the core."""
_FURTHER: Mapping[str, int] = {
    "gcm_erase": 24, "gcm_micro": 24, "gcm_nano": 90, "micro_aes_four": 50, "micro_ghash": 40,
    "nano_ghash": 110, "nano_iv_any": 50, "nano_key_both": 30, "streams_keys": 12,
}  # fmt: skip
"""Cycles more in which what must be possible is sought, and counterexamples of faults."""

WATCHED_PACKETS = 2000

INDUCTION, PDR, BOUNDED, REACHED, WATCHED, FLOW, OPEN = (
    "induction", "PDR", "bounded", "reached", "watched", "flow", "open",
)  # fmt: skip

Progress = Callable[[str], object]


@dataclass(frozen=True, kw_only=True, slots=True)
class ControlProof:
    """One property of one module of a core, and what was found."""

    module: str
    parameters: Mapping[str, int]
    name: str
    how: str
    """INDUCTION or PDR: for any time; BOUNDED: within `cycles` from the reset, where one that is
    false is found, too; REACHED: what must be possible; WATCHED: what a module requires of those
    around, in simulation; FLOW: no way for data in the whole core; OPEN: neither proven nor
    false."""
    passed: bool
    cycles: int
    """Of the induction, of the bound, of the simulation, or until it is false or reached."""
    seconds: float
    way: str = ""
    """With FLOW, where it failed: an output, and signals on the way to it; else what else, besides
    the verdict on a tag, was not followed."""

    @property
    def where(self) -> str:
        """The module with its parameters."""
        sizes = ", ".join(f"{key} {value}" for key, value in self.parameters.items())
        return f"{self.module} ({sizes})" if sizes else self.module

    @property
    def detail(self) -> str:
        """How it was found, for people."""
        proven = {
            INDUCTION: f"for any time, by induction over {counted(self.cycles, 'cycle')}",
            PDR: "for any time, by PDR",
            BOUNDED: f"for {counted(self.cycles, 'cycle')} from the reset",
            REACHED: f"happens {counted(self.cycles, 'cycle')} after the reset",
            WATCHED: f"holds in {self.cycles:,} simulated cycles",
            FLOW: "for any time, as no such bit has a way there but by the verdict on a tag"
            + self.way,
        }
        failed = {
            BOUNDED: f"false {counted(self.cycles, 'cycle')} after the reset",
            REACHED: f"does not happen within {counted(self.cycles, 'cycle')}",
            WATCHED: f"does not hold in simulated cycle {self.cycles:,}",
            FLOW: f"there is a way: {self.way}",
            OPEN: f"not proven; not false within {counted(self.cycles, 'cycle')}",
        }
        return (proven if self.passed else failed)[self.how]

    def to_mapping(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def prove_control(
    path: Path,
    *,
    allow_changed: bool = False,
    cycles: int = 0,
    packets: int = WATCHED_PACKETS,
    progress: Progress = lambda step: None,
) -> Iterator[ControlProof]:
    """Prove the control of the core in the folder, module by module.

    What modules require of each other is watched under so many random packets; without any it is
    not. With `cycles` the whole core is looked at, too, for so many from its reset. BuildError for
    a folder that was changed since it was built, unless that is allowed.
    """
    check_unchanged(path, allow_changed=allow_changed)
    config, files = _opened(path)
    yield from prove_texts(
        files, leaf_modules(config), config.top, cycles=cycles, progress=progress
    )
    if packets:
        progress(f"what modules require: watched in simulation of {packets:,} random packets")
        yield from _watch(files, path / "core.toml", packets)


def without_properties(path: Path) -> tuple[str, ...]:
    """The modules of the core in the folder, leaves aside, of which nothing is proven here."""
    config, files = _opened(path)
    known = {*properties(), *leaf_modules(config)}
    return tuple(sorted(texts.modules(files) - known))


def _opened(path: Path) -> tuple[CoreConfig, dict[str, str]]:
    core = open_core(path, changed_is_error=False)
    files = {name: text for name, text in unnamed(path, core.rtl).items() if name.endswith(".sv")}
    return core.config, files


def _watch(files: Mapping[str, str], toml: Path, packets: int) -> Iterator[ControlProof]:
    began = time.perf_counter()
    found = list(watched.watch(files, toml, packets=packets))
    for module, name, broken_at, cycles in found:
        yield ControlProof(
            module=module,
            parameters={},
            name=name,
            how=WATCHED,
            passed=broken_at is None,
            cycles=cycles if broken_at is None else broken_at,
            seconds=(time.perf_counter() - began) / len(found),
        )


def prove_texts(
    files: Mapping[str, str],
    leaves: tuple[str, ...],
    top: str,
    *,
    modules: tuple[str, ...] = (),
    cycles: int = 0,
    progress: Progress = lambda step: None,
) -> Iterator[ControlProof]:
    """The same for SystemVerilog texts by file, all modules or those."""
    yosys = Yosys()
    asked = [name for name in properties() if name != watched.CORE]
    sizes = proven_sizes(files, top)
    for module in asked:
        for parameters in sizes[module] if not modules or module in modules else ():
            progress(f"{module}: proving")
            with tempfile.TemporaryDirectory(prefix="gcmforge-") as folder:
                yield from _prove_module(files, leaves, module, parameters, yosys, Path(folder))
    if not modules:
        progress("the whole core: whether its time depends on data")
        yield prove_timing(files, leaves, top)
    if cycles:
        progress(f"the whole core: {cycles} cycles from its reset")
        with tempfile.TemporaryDirectory(prefix="gcmforge-") as folder:
            yield from _search_core(files, leaves, cycles, yosys, Path(folder))


def proven_sizes(files: Mapping[str, str], top: str) -> dict[str, list[Mapping[str, int]]]:
    """The modules with properties, each with the parameters that it is proven for."""
    with tempfile.TemporaryDirectory(prefix="gcmforge-") as folder:
        found = variants(files, top, Yosys(), Path(folder))
    return {module: _sizes(module, found) for module in properties()}


def refuted(
    files: Mapping[str, str], leaves: tuple[str, ...], module: str, parameters: Mapping[str, int]
) -> dict[str, int]:
    """What of a module is false first within a few cycles from its reset: name -> cycle.

    Nothing is proven, and no lemma relied upon, so that a fault is found in seconds.
    """
    parameters = _shortened(module, parameters)
    cycles = 2 * _SEARCH + parameters.get("Depth", 0) + _FURTHER.get(module, 0)
    with tempfile.TemporaryDirectory(prefix="gcmforge-") as folder:
        cwd = Path(folder)
        asked = texts.for_module(files, module, parameters, texts.ALL)
        commands = read(asked, module, leaves, cwd)
        what = f"{module}: {texts.ALL}"
        made = circuit(commands, Yosys(), cwd, what, looks=texts.looks(files, module, parameters))
        if made is None:  # a module may have none with these parameters
            return {}
        false, *_ = checker.bounded(made.file, cycles=cycles, limit_s=_LIMIT_S, first=True)
    return {made.properties[number]: cycle for number, cycle in false.items()}


def _sizes(
    module: str, found: Mapping[str, Sequence[Mapping[str, int]]]
) -> list[Mapping[str, int]]:
    """The parameters of each instance, without those that have the same but for the words' width:
    properties of words are about one bit."""
    if module in _SIZES and module in found:
        return [_SIZES[module]]
    found = {**found, "gcm_fifo": [*found.get("gcm_fifo", ()), *_fifos_of_sizes(found)]}
    chosen: dict[tuple[tuple[str, int], ...], Mapping[str, int]] = {}
    most = _MOST.get(module, {})
    for instance in sorted(found.get(module, ()), key=lambda one: one.get("Width", 0)):
        parameters = {key: min(value, most.get(key, value)) for key, value in instance.items()}
        rest = tuple(sorted(item for item in parameters.items() if item[0] != "Width"))
        chosen.setdefault(rest, parameters)
    return list(chosen.values())


def _shortened(module: str, parameters: Mapping[str, int]) -> Mapping[str, int]:
    """The parameters with which what can happen happens soon."""
    short = _SHORT.get(module, {})
    return {key: min(value, short.get(key, value)) for key, value in parameters.items()}


def _fifos_of_sizes(found: Mapping[str, object]) -> Iterator[Mapping[str, int]]:
    for module, depths in _FIFOS.items():
        if module in found:
            yield from ({"Width": 1, "Depth": depth} for depth in depths)


def _prove_module(
    files: Mapping[str, str],
    leaves: tuple[str, ...],
    module: str,
    parameters: Mapping[str, int],
    yosys: Yosys,
    cwd: Path,
) -> Iterator[ControlProof]:
    holds = True
    for asked in (texts.LEMMAS, texts.PROPERTIES, texts.REACH):
        if asked == texts.REACH:
            parameters = _shortened(module, parameters)
        commands = read(texts.for_module(files, module, parameters, asked), module, leaves, cwd)
        what = f"{module}: {asked}"
        made = circuit(commands, yosys, cwd, what, looks=texts.looks(files, module, parameters))
        if made is None:
            continue
        deep = _SEARCH + 2 * parameters.get("Depth", 0) + _FURTHER.get(module, 0)
        if asked == texts.REACH:
            results = _reach(made, deep)
        elif holds:
            results = _prove(made, _SEARCH + parameters.get("Depth", 0))
        else:  # nothing is to rely on a lemma that is not proven
            results = iter([(name, OPEN, False, 0, 0.0) for name in made.properties])
        for name, how, passed, cycles, seconds in results:
            holds = holds and passed
            yield ControlProof(
                module=module,
                parameters=dict(parameters),
                name=name,
                how=how,
                passed=passed,
                cycles=cycles,
                seconds=seconds,
            )


_Found = Iterator[tuple[str, str, bool, int, float]]


def _prove(made: Circuit, cycles: int) -> _Found:
    """All properties at once by induction; if that fails, those that are not false within so many
    cycles each by itself."""
    each = len(made.properties)
    false, looked, spent = checker.bounded(made.file, cycles=max(_DEPTHS), limit_s=_LIMIT_S)
    # an induction over so many cycles begins with as many from the reset
    for depth in () if false else [depth for depth in _DEPTHS if depth <= looked]:
        verdict = checker.induction(made.file, depth=depth)
        spent += verdict.seconds
        if verdict.proven:
            yield from ((name, INDUCTION, True, depth, spent / each) for name in made.properties)
            return
    false, looked, seconds = checker.bounded(made.file, cycles=cycles, limit_s=_LIMIT_S)
    for number, cycle in false.items():
        yield made.properties[number], BOUNDED, False, cycle, seconds / each
    for number, name in enumerate(made.properties):
        if number not in false:  # beside a false one, no proof is worth its time
            found = (OPEN, False, looked, 0.0) if false else _prove_one(made, number, looked)
            yield name, *found


def _prove_one(made: Circuit, number: int, looked: int) -> tuple[str, bool, int, float]:
    """A property that is not false within the cycles that were looked at."""
    spent = 0.0
    for depth in (depth for depth in _DEPTHS if depth <= looked):
        verdict = checker.induction(made.file, depth=depth, number=number)
        spent += verdict.seconds
        if verdict.proven:
            return INDUCTION, True, depth, spent
    verdict = checker.reachability(made.file, number, limit_s=_LIMIT_S)
    spent += verdict.seconds
    if verdict.proven:
        return PDR, True, 0, spent
    if verdict.false_at is not None:
        return BOUNDED, False, verdict.false_at, spent
    return OPEN, False, looked, spent


def _reach(made: Circuit, cycles: int) -> _Found:
    """Each is to be false: it says that what must be possible never happens."""
    false, looked, seconds = checker.bounded(made.file, cycles=cycles, limit_s=_LIMIT_S)
    for number, name in enumerate(made.properties):
        at = false.get(number)
        spent = seconds / len(made.properties)
        yield name, REACHED, at is not None, looked if at is None else at, spent


def prove_timing(files: Mapping[str, str], leaves: tuple[str, ...], top: str) -> ControlProof:
    """That no handshake, end, length or status of a core depends on keys, IVs, AAD, text or tags,
    but for the verdict on a tag. Of a core within registers or a profile, its streams."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="gcmforge-") as folder:
        below = variants(files, top, Yosys(), Path(folder))
        inner = _STREAMS if _STREAMS in below else top
        followed = flow(files, inner, leaves, Path(folder))
    found = followed.public
    ways = "; ".join(f"{name} from {_told(way)}" for name, way in found.items())
    return ControlProof(
        module=inner,
        parameters={},
        name=TIMING,
        how=FLOW,
        passed=not found,
        cycles=0,
        seconds=time.perf_counter() - began,
        way=ways or (", or a fault that is found" if followed.finds_faults else ""),
    )


def _told(way: Sequence[str]) -> str:
    """A way in a line: where it begins, and how it ends."""
    return " -> ".join(way if len(way) <= 5 else (way[0], "..", *way[-3:]))


def _search_core(
    files: Mapping[str, str], leaves: tuple[str, ...], cycles: int, yosys: Yosys, cwd: Path
) -> Iterator[ControlProof]:
    commands = read(texts.for_core(files, watched.CORE), watched.CORE, leaves, cwd)
    made = circuit(commands, yosys, cwd, "the whole core", cut=_CUT)
    assert made is not None, "the whole core has properties"
    false, looked, seconds = checker.bounded(made.file, cycles=cycles, limit_s=30.0 * cycles)
    for number, name in enumerate(made.properties):
        yield ControlProof(
            module=watched.CORE,
            parameters={},
            name=name,
            how=BOUNDED,
            passed=number not in false and looked >= cycles,
            cycles=false.get(number, looked),
            seconds=seconds / len(made.properties),
        )
