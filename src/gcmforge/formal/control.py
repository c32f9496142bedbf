# SPDX-License-Identifier: Apache-2.0
"""What is proven about the control of a core, and how.

Modules that hold words, tags or text are proven each alone, for any time: first their lemmas, by
induction; then, relying on these, what they assert; and that what is watched can happen at all, so
that no proof is empty. What such a module requires of its inputs is listed with it. The whole core
is looked at from its reset, for a number of cycles that is stated.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gcmforge.emit import open_core
from gcmforge.emit.folder import check_unchanged
from gcmforge.emit.leaves import leaf_modules
from gcmforge.emit.naming import unnamed
from gcmforge.formal import checker, texts
from gcmforge.formal.circuit import Circuit, circuit, read, variants
from gcmforge.synth.yosys import Yosys

_DEPTHS = (1, 2, 3)
"""Cycles of an induction."""
_SEARCH = 12
"""Cycles from the reset in which a property that is not proven is looked for a counterexample."""
_LIMIT_S = 120.0
_CORE = "gcm_axis_core"
_CUT = ("stream", "j0", "u_back.sum_poly", "u_back.u_tag.match")
"""Signals of a whole core that may be anything: they are data, or a comparison of data."""
_SIZES: Mapping[str, Mapping[str, int]] = {
    "gcm_release_verified": {"Width": 1, "Depth": 5, "Pending": 3}
}
"""Modules that are proven at a size of their own: their sums over a queue grow with its depth."""

INDUCTION, PDR, BOUNDED, REACHED, OPEN = "induction", "PDR", "bounded", "reached", "open"

Progress = Callable[[str], object]


@dataclass(frozen=True, kw_only=True, slots=True)
class ControlProof:
    """One property of one module of a core, and what was found."""

    module: str
    parameters: Mapping[str, int]
    name: str
    how: str
    """INDUCTION or PDR: for any time; BOUNDED: within `cycles` from the reset, where one that is
    false is found, too; REACHED: what must be possible; OPEN: neither proven nor false."""
    passed: bool
    cycles: int
    """Of the induction, of the bound, or until the property is false or reached."""
    seconds: float

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
        }
        failed = {
            BOUNDED: f"false {counted(self.cycles, 'cycle')} after the reset",
            REACHED: f"does not happen within {counted(self.cycles, 'cycle')}",
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
    progress: Progress = lambda step: None,
) -> Iterator[ControlProof]:
    """Prove the control of the core in the folder, module by module.

    With `cycles` the whole core, too, for so many from its reset. BuildError for a folder that was
    changed since it was built, unless that is allowed.
    """
    check_unchanged(path, allow_changed=allow_changed)
    core = open_core(path, changed_is_error=False)
    files = {name: text for name, text in unnamed(path, core.rtl).items() if name.endswith(".sv")}
    yield from prove_texts(
        files, leaf_modules(core.config), core.config.top, cycles=cycles, progress=progress
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
    asked = [name for name in texts.properties() if name != _CORE]
    with tempfile.TemporaryDirectory(prefix="gcmforge-") as folder:
        found = variants(files, top, leaves, yosys, Path(folder))
    for module in asked:
        for parameters in _sizes(module, found) if not modules or module in modules else ():
            progress(f"{module}: proving")
            with tempfile.TemporaryDirectory(prefix="gcmforge-") as folder:
                yield from _prove_module(files, leaves, module, parameters, yosys, Path(folder))
    if cycles:
        progress(f"the whole core: {cycles} cycles from its reset")
        with tempfile.TemporaryDirectory(prefix="gcmforge-") as folder:
            yield from _search_core(files, leaves, cycles, yosys, Path(folder))


def _sizes(
    module: str, found: Mapping[str, Sequence[Mapping[str, int]]]
) -> list[Mapping[str, int]]:
    """The parameters of each instance, without those that have the same but for the words' width:
    properties of words are about one bit."""
    if module in _SIZES and module in found:
        return [_SIZES[module]]
    chosen: dict[tuple[tuple[str, int], ...], Mapping[str, int]] = {}
    for parameters in sorted(found.get(module, ()), key=lambda one: one.get("Width", 0)):
        rest = tuple(sorted(item for item in parameters.items() if item[0] != "Width"))
        chosen.setdefault(rest, parameters)
    return list(chosen.values())


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
        commands = read(texts.for_module(files, module, parameters, asked), module, leaves, cwd)
        what = f"{module}: {asked}"
        made = circuit(commands, yosys, cwd, what, looks=texts.looks(files, module))
        if made is None:
            continue
        deep = _SEARCH + 2 * parameters.get("Depth", 0)
        if asked == texts.REACH:
            results = _reach(made, deep)
        elif holds:
            results = _prove(made)
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


def _prove(made: Circuit) -> _Found:
    """All properties at once by induction; if that fails, each by itself."""
    each = len(made.properties)
    false, looked, spent = checker.bounded(made.file, cycles=max(_DEPTHS), limit_s=_LIMIT_S)
    # an induction over so many cycles begins with as many from the reset
    for depth in () if false else [depth for depth in _DEPTHS if depth <= looked]:
        verdict = checker.induction(made.file, depth=depth)
        spent += verdict.seconds
        if verdict.proven:
            yield from ((name, INDUCTION, True, depth, spent / each) for name in made.properties)
            return
    false, looked, seconds = checker.bounded(made.file, cycles=_SEARCH, limit_s=_LIMIT_S)
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


def _search_core(
    files: Mapping[str, str], leaves: tuple[str, ...], cycles: int, yosys: Yosys, cwd: Path
) -> Iterator[ControlProof]:
    commands = read(texts.for_core(files, _CORE), _CORE, leaves, cwd)
    made = circuit(commands, yosys, cwd, "the whole core", cut=_CUT)
    assert made is not None, "the whole core has properties"
    false, looked, seconds = checker.bounded(made.file, cycles=cycles, limit_s=30.0 * cycles)
    for number, name in enumerate(made.properties):
        yield ControlProof(
            module=_CORE,
            parameters={},
            name=name,
            how=BOUNDED,
            passed=number not in false and looked >= cycles,
            cycles=false.get(number, looked),
            seconds=seconds / len(made.properties),
        )
