# SPDX-License-Identifier: Apache-2.0
"""One module's gates mapped to library cells by several scripts: the candidates to choose from."""

from __future__ import annotations

import gzip
import re
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path

import msgspec

from gcmforge.cache import cache_folder, digest, keep
from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Module, Netlist, NetlistError, read_modules
from gcmforge.netlist.targets import Target
from gcmforge.synth.elaborate import Piece
from gcmforge.synth.names import plain_name
from gcmforge.synth.scripts import AS_WRITTEN, SCRIPTS
from gcmforge.synth.yosys import Yosys, YosysError, yosys_version

KEY_IN_THE_LOGIC = "gf128_fixed"
"""The module whose gates are a key: nothing made of it is kept anywhere."""

NOTHING = "no gates"
"""The script of a module that has only flip-flops and other modules."""

_MARK = re.compile(r"^script ended: \d+$", re.M)
_DELAY = re.compile(r"Delay = +([0-9.]+) ps")

# The library `ge` has one cell for each kind of gate that a circuit is made of.
_AS_WRITTEN_MAP = "\n".join(
    f"module \\$_{kind}_ ({', '.join([*pins, 'Y'])});\n"
    f"  input {', '.join(pins)};\n  output Y;\n"
    f"  {cell} u ({', '.join(f'.{pin}({pin})' for pin in [*pins, 'Y'])});\n"
    "endmodule"
    for kind, cell, pins in (
        ("NOT", "INV", "A"),
        ("BUF", "BUF", "A"),
        ("AND", "AND2", "AB"),
        ("NAND", "NAND2", "AB"),
        ("OR", "OR2", "AB"),
        ("NOR", "NOR2", "AB"),
        ("XOR", "XOR2", "AB"),
        ("XNOR", "XNOR2", "AB"),
        ("MUX", "MUX2", "ABS"),
    )
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A module mapped by one script; its netlist lies in a file until it is chosen."""

    module: str
    script: str
    file: Path
    area: float
    """Of its own cells in the library's unit, without modules below."""
    flip_flops: int
    delay_ns: float | None
    """Slowest path through its own gates as ABC sees it; None where it did not map them."""

    def netlist(self) -> Module:
        """The mapped module."""
        return read_modules(self.file)[self.module]


class _Figures(msgspec.Struct, frozen=True, kw_only=True):
    """What there is of a candidate apart from its netlist."""

    area: float
    flip_flops: int
    delay_ns: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Mapped:
    """What came out of one job: candidates, and why scripts gave none."""

    candidates: tuple[Candidate, ...]
    errors: Mapping[str, YosysError]


@dataclass(frozen=True, kw_only=True)
class Mapper:
    """How modules of one design are mapped; `folder` is where everything lies meanwhile."""

    target: Target
    library: Library
    liberty: tuple[Path, ...]
    """Plain copies of the target's files."""
    yosys: Yosys
    folder: Path
    time_limit_s: float

    def map(self, piece: Piece, scripts: Sequence[str], number: int) -> Mapped:
        """Candidates in the order of `scripts`; one that fails or takes too long is left out and
        its error kept.

        NetlistError when cells stay unmapped. `number` tells jobs apart.
        """
        cwd = self.folder / f"job{number}"
        cwd.mkdir()
        text = canonical(piece.rtlil)
        (cwd / "module.il").write_text(text)
        (cwd / "as_written.v").write_text(_AS_WRITTEN_MAP)
        (cwd / "constr").write_text(self._constraints)
        asked = list(scripts) if piece.gates else [NOTHING]
        secret = plain_name(piece.name) == KEY_IN_THE_LOGIC
        found: dict[str, Candidate] = {}
        for script in asked:
            if not secret and (kept := self._kept(piece, script, text, cwd)):
                found[script] = kept
        left = [script for script in asked if script not in found]
        errors: dict[str, YosysError] = {}
        while left:
            logs, error = self._run(piece, left, cwd)
            for script, log in logs.items():
                found[script] = self._candidate(piece, script, cwd, log)
                if not secret:
                    self._keep(found[script], text, piece.gates)
            if error is None:
                break
            failed = left[len(logs)] if len(logs) < len(left) else left[-1]
            errors[failed] = error
            left = left[left.index(failed) + 1 :]
        return Mapped(candidates=tuple(found[s] for s in asked if s in found), errors=errors)

    @property
    def _constraints(self) -> str:
        return f"set_driving_cell {self.target.driving_cell}\nset_load {self.target.load_ff}\n"

    # -- what was mapped before, by everything that it depends on

    @cached_property
    def _target_key(self) -> str:
        cells = [sha256(path.read_bytes()).hexdigest() for path in self.liberty]
        return digest(*cells, *self.target.dont_use, self._constraints)

    def _kept_file(self, script: str, text: str, gates: int) -> Path:
        steps = self._steps(script, gates) if script in SCRIPTS else script
        key = digest(text, steps, self._target_key, _program(), yosys_version())
        return cache_folder() / "mapped" / f"{key}.gz"

    def _kept(self, piece: Piece, script: str, text: str, cwd: Path) -> Candidate | None:
        """The candidate of an earlier run; None where there is none, or its file is damaged."""
        try:
            lines = gzip.decompress(self._kept_file(script, text, piece.gates).read_bytes())
            head, netlist = lines.split(b"\n", 1)
            found = msgspec.json.decode(head, type=_Figures)
        except (OSError, EOFError, ValueError, zlib.error):
            return None
        file = cwd / f"{_slug(script)}.json"
        file.write_bytes(netlist)
        figures = msgspec.structs.asdict(found)
        return Candidate(module=piece.name, script=script, file=file, **figures)

    def _keep(self, candidate: Candidate, text: str, gates: int) -> None:
        figures = _Figures(
            area=candidate.area, flip_flops=candidate.flip_flops, delay_ns=candidate.delay_ns
        )
        lines = msgspec.json.encode(figures) + b"\n" + candidate.file.read_bytes()
        keep(self._kept_file(candidate.script, text, gates), gzip.compress(lines, 3, mtime=0))

    def _steps(self, script: str, gates: int) -> str:
        """ABC's commands for a module of so many gates."""
        return SCRIPTS[script].text(sized=self.target.has_units, gates=gates)

    # -- mapping

    def _run(
        self, piece: Piece, scripts: Sequence[str], cwd: Path
    ) -> tuple[dict[str, str], YosysError | None]:
        """What ABC printed by each script that ended; the error of the first that did not."""
        commands = ["read_rtlil module.il", "design -save gates"]
        for index, script in enumerate(scripts):
            file = cwd / f"{_slug(script)}.json"
            commands += [
                "design -load gates",
                *self._map(script, piece.gates, cwd),
                f"write_json {file.name}.part",
                f"exec -- mv {file.name}.part {file.name}",
                f"log script ended: {index}",
            ]
        what = f"mapping {piece.name.split(chr(92))[-1] or piece.name}"
        error = None
        try:
            log = self.yosys.run(commands, time_limit_s=self.time_limit_s, cwd=cwd, what=what).log
        except YosysError as caught:
            log, error = caught.log, caught
        parts = _MARK.split(log)
        done = [s for s in scripts if (cwd / f"{_slug(s)}.json").is_file()]
        return {script: parts[i] if i < len(parts) else "" for i, script in enumerate(done)}, error

    def _map(self, script: str, gates: int, cwd: Path) -> list[str]:
        if script == NOTHING:
            return []
        if script == AS_WRITTEN:
            return ["techmap -map as_written.v"]
        file = cwd / f"{_slug(script)}.abc"
        file.write_text(self._steps(script, gates))
        libraries = " ".join(f"-liberty {path}" for path in self.liberty)
        unused = " ".join(f"-dont_use {name}" for name in self.target.dont_use)
        return [f"abc {libraries} {unused} -constr constr -script {file.name}"]

    def _candidate(self, piece: Piece, script: str, cwd: Path, log: str) -> Candidate:
        file = cwd / f"{_slug(script)}.json"
        module = read_modules(file)[piece.name]
        counts = Counter(cell.type for cell in module.cells.values())
        return Candidate(
            module=piece.name,
            script=script,
            file=file,
            area=own_area(counts, self.library, piece.name),
            flip_flops=own_flip_flops(counts, self.library),
            delay_ns=self._delay(module, script, log),
        )

    def _delay(self, module: Module, script: str, log: str) -> float | None:
        """What ABC printed last, which is after sizing; our own timing where ABC had no part."""
        printed = _DELAY.findall(log)
        if printed:
            return float(printed[-1]) / 1000
        if script != AS_WRITTEN:
            return None
        from gcmforge.sta.timing import analyse

        if any(cell.type not in self.library.cells for cell in module.cells.values()):
            return None
        alone = Netlist(modules={module.name: module}, top=module.name)
        found = analyse(alone, self.library, driving_cell=self.target.driving_cell)
        return found.critical_path_ns


@cache
def _program() -> str:
    """What turns a module and a script into a candidate, as text."""
    return Path(__file__).read_text()


_SOURCE_LINE = re.compile(r"^ *attribute \\src [^\n]*\n", re.M)
_GENERATED = re.compile(r"(?<=[ \n])\$(?!paramod|_)(\S*\$\d\S*)")


def canonical(rtlil: str) -> str:
    """A module without what tells one reading of it from another: where its lines stood, and the
    numbers that Yosys gave to cells and nets without a name of their own."""
    numbers: dict[str, str] = {}

    def name(match: re.Match[str]) -> str:
        return numbers.setdefault(match.group(1), f"$made${len(numbers)}")

    return _GENERATED.sub(name, _SOURCE_LINE.sub("", rtlil))


def own_area(counts: Counter[str], library: Library, module: str) -> float:
    """Area of a module's library cells; NetlistError when a gate was not mapped."""
    area = 0.0
    for kind, number in counts.items():
        cell = library.cells.get(kind)
        if cell is not None:
            area += number * cell.area
        elif kind.startswith("$_"):
            raise NetlistError(
                f"{module}: {number} cells of kind {kind} stayed unmapped: library {library.name} "
                "has nothing for them, or only cells that are not to be used"
            )
    return area


def own_flip_flops(counts: Counter[str], library: Library) -> int:
    """Flip-flops among a module's own cells."""
    return sum(
        number
        for kind, number in counts.items()
        if kind in library.cells and library.cells[kind].flip_flop is not None
    )


def _slug(script: str) -> str:
    return re.sub(r"\W+", "_", script)
