# SPDX-License-Identifier: Apache-2.0
"""What a core can be measured on: standard-cell libraries and FPGA families.

Nothing is looked for at import. A target that is not installed is a `TargetError` that says what
to install. Liberty files are looked for in the folders of $GCMFORGE_PDK (several, separated like
PATH), then where the process's own installers put them.

The convention of every measurement on cells: each input is driven by one buffer, each output
loaded with four NAND2 inputs, wires are ideal. The clock reaches every flip-flop at once, with the
transition that the target states.
"""

from __future__ import annotations

import difflib
import hashlib
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gcmforge.netlist import ge_library
from gcmforge.netlist.clock_gates import Gate, with_gate
from gcmforge.netlist.libraries import LIBRARIES, PDK_VARIABLE, find_files

if TYPE_CHECKING:
    from gcmforge.netlist.library import LibCell, Library

Kind = Literal["asic", "fpga"]

OUTPUT_LOAD_NAND2 = 4
"""An output is loaded with as many NAND2 inputs."""


class TargetError(RuntimeError):
    """There is no such target, or it is not installed; the text says what to do."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """A library of standard cells, or an FPGA family (then the fields about cells are empty)."""

    name: str
    kind: Kind
    liberty: tuple[Path, ...] = ()
    """Liberty files, plain or gzipped; several where a library is split by kind of cell."""
    nand2: str = ""
    """The cell that is one gate equivalent."""
    nand2_area: float = 0.0
    """Its area in the library's unit, um2 except for `ge`."""
    driving_cell: str = ""
    """What drives every input in mapping and timing."""
    load_ff: float = 0.0
    """What loads every output."""
    lef: Path | None = None
    """Says how large cells are; None where Liberty's areas are all there is."""
    clock_transition_ns: float = 0.0
    """Of the clock at every flip-flop and gate: assumed, as there is no clock tree."""
    dont_use: tuple[str, ...] = ()
    """Cells that mapping must not take; * and ? stand for any letters."""
    gate: Gate | None = None
    """What holds flip-flops with the same enable; None: a multiplexer at each."""
    family: str = ""
    """Technology in words, or the FPGA family's name in the flow."""
    version: str = ""
    """What tells two releases of it apart: a digest of its files."""

    @property
    def has_units(self) -> bool:
        """Whether areas are um2 and times ns; `ge` counts in GE and T_A."""
        return self.name != "ge"


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """A target by name, and whether it was found."""

    name: str
    kind: Kind
    family: str
    found: bool
    where: str
    """The first of its files, empty when nothing was found or none is needed."""
    install: str
    """What to do to get it; empty when nothing is needed."""


_FPGAS = {
    "xc7": "Xilinx 7-series",
    "xcup": "Xilinx UltraScale+",
    "xcv4": "Xilinx Virtex-4",
    "xcv5": "Xilinx Virtex-5",
    "xcv6": "Xilinx Virtex-6",
    "xc3s": "Xilinx Spartan-3",
    "ecp5": "Lattice ECP5-85",
    "ecp5-dense": "Lattice ECP5-85, for arrays of XORs that take hours to route",
    "ecp5-85": "Lattice ECP5-85, for whole cores of a block a cycle",
    "ecp5-85-8": "Lattice ECP5-85, the same in speed grade 8",
    "ecp5-25": "Lattice ECP5-25",
    "ice40": "Lattice iCE40",
    "ice40-up5k": "Lattice iCE40 UltraPlus",
    "nexus": "Lattice Nexus",
    "gowin": "Gowin",
    "gatemate": "Cologne Chip GateMate",
}


def target_names() -> tuple[str, ...]:
    """Every name that `find_target` knows."""
    return ("ge", *LIBRARIES, *_FPGAS)


def targets() -> tuple[Known, ...]:
    """Every known target, with whether it is there."""
    return tuple(map(_known, target_names()))


def find_target(name: str) -> Target:
    """The target of that name; TargetError when there is none or it is not installed."""
    if name == "ge":
        return _ge_target()
    if name in _FPGAS:
        return Target(name=name, kind="fpga", family=_FPGAS[name])
    if name not in LIBRARIES:
        near = difflib.get_close_matches(name, target_names(), n=3, cutoff=0.4)
        advice = (
            f"did you mean {', '.join(near)}?" if near else "pass a library with --liberty FILE"
        )
        raise TargetError(f"target {name}: there is {', '.join(target_names())}; {advice}")
    wanted = LIBRARIES[name]
    files = find_files(wanted)
    if not files:
        raise TargetError(
            f"target {name} ({wanted.family}) is not installed: {wanted.install}, or put its "
            f"Liberty file into a folder and set {PDK_VARIABLE} to that folder"
        )
    lef = files[0].with_name(wanted.lef) if wanted.lef else None
    lef = lef if lef is not None and lef.is_file() else None
    plain = replace(
        _cell_target(
            name, files, wanted.driving_cell, wanted.dont_use, wanted.family, wanted.nand2
        ),
        lef=lef,
        clock_transition_ns=wanted.clock_transition_ns,
        version=_digest(files if lef is None else (*files, lef)),
    )
    if wanted.gate is None:
        return plain
    if wanted.gate.made_of is not None:
        files = (_with_gate(name, files[0], wanted.gate),)
    version = _digest(files if lef is None else (*files, lef))
    return replace(plain, gate=wanted.gate, liberty=files, version=version)


def liberty_target(
    files: Sequence[Path], *, driving_cell: str = "", dont_use: Sequence[str] = ()
) -> Target:
    """A target made of Liberty files; the smallest buffer drives its inputs unless one is given."""
    if not files:
        raise TargetError("--liberty: no file was given")
    for file in files:
        if not file.is_file():
            raise TargetError(f"--liberty {file}: there is no such file")
    name = files[0].name.removesuffix(".gz").removesuffix(".lib")
    return _cell_target(name, tuple(files), driving_cell, tuple(dont_use), "")


def _known(name: str) -> Known:
    if name in _FPGAS:
        return Known(name=name, kind="fpga", family=_FPGAS[name], found=True, where="", install="")
    if name == "ge":
        family = _GE_FAMILY
        return Known(name=name, kind="asic", family=family, found=True, where="", install="")
    wanted = LIBRARIES[name]
    files = find_files(wanted)
    return Known(
        name=name,
        kind="asic",
        family=wanted.family,
        found=bool(files),
        where=str(files[0]) if files else "",
        install=wanted.install,
    )


# Making a target ----------------------------------------------------------------------------------

_GE_FAMILY = "gate equivalents, T_A and T_X (built in)"


def _ge_target() -> Target:
    return Target(
        name="ge",
        kind="asic",
        liberty=(_ge_file(),),
        nand2=ge_library.NAND2,
        nand2_area=1.0,
        driving_cell=ge_library.DRIVING_CELL,
        load_ff=OUTPUT_LOAD_NAND2 * ge_library.PIN_FF,
        family=_GE_FAMILY,
        version=_digest([_ge_file()]),
    )


def _ge_file() -> Path:
    """The built-in library as a file in the user's cache, written when it is not there yet."""
    return _written("ge", ge_library.liberty_text())


def _with_gate(name: str, file: Path, gate: Gate) -> Path:
    """A library without a clock gate, and one made of its cells, in the user's cache."""
    from gcmforge.netlist.liberty import read_liberty

    text = file.read_text(encoding="utf-8", errors="replace")
    return _written(name, with_gate(text, read_liberty((file,)), gate))


def _written(name: str, text: str) -> Path:
    from gcmforge.cache import cache_folder

    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    folder = cache_folder()
    path = folder / f"{name}-{digest}.lib"
    if not path.is_file() or path.read_text() != text:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=folder, suffix=".lib", delete=False) as file:
            file.write(text)
        Path(file.name).replace(path)
    return path


def _cell_target(
    name: str,
    files: tuple[Path, ...],
    driving_cell: str,
    dont_use: tuple[str, ...],
    family: str,
    unit: str = "",
) -> Target:
    """A target out of Liberty files; what was not given is read from them."""
    from gcmforge.netlist.liberty import read_liberty
    from gcmforge.netlist.liberty_syntax import LibertyError

    try:
        library = read_liberty(files)
    except LibertyError as error:
        raise TargetError(f"target {name}: {error}") from error
    usable = [
        cell
        for cell in library.cells.values()
        if not any(fnmatchcase(cell.name, pattern) for pattern in dont_use)
    ]
    nand2 = library.cells.get(unit) or _smallest(usable, "!(A&B)", 2)
    if nand2 is None:
        raise TargetError(
            f"target {name}: {files[0]} has no two-input NAND, so gate equivalents are not "
            "defined; it may be one part of a library that is split over several files"
        )
    if not any(cell.flip_flop for cell in usable):
        raise TargetError(
            f"target {name}: {files[0]} has no flip-flop; give every file of the library"
        )
    buffer = _smallest(usable, "A", 1)
    driver = driving_cell or (buffer.name if buffer else "")
    if driving_cell and driving_cell not in library.cells:
        raise TargetError(f"target {name}: {files[0]} has no cell {driving_cell} to drive inputs")
    if not driver:
        raise TargetError(f"target {name}: {files[0]} has no buffer to drive inputs with")
    target = Target(
        name=name,
        kind="asic",
        liberty=files,
        nand2=nand2.name,
        nand2_area=nand2.area,
        driving_cell=driver,
        load_ff=round(OUTPUT_LOAD_NAND2 * 1000 * nand2.inputs[0].capacitance, 3),
        dont_use=dont_use,
        family=family or f"library {library.name}",
    )
    return replace(target, version=_digest(files))


def _digest(files: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:12]


def _smallest(cells: Sequence[LibCell], function: str, inputs: int) -> LibCell | None:
    """The smallest single-output gate of that function of A, B."""
    from gcmforge.netlist.functions import truth_table
    from gcmforge.netlist.liberty_syntax import LibertyError

    wanted = truth_table(function, "AB"[:inputs])
    found = []
    for cell in cells:
        if cell.is_sequential or len(cell.inputs) != inputs or len(cell.outputs) != 1:
            continue
        if cell.area <= 0 or cell.dont_use or cell.outputs[0].three_state:
            continue
        try:
            table = truth_table(cell.outputs[0].function, [pin.name for pin in cell.inputs])
        except LibertyError:
            continue
        if table == wanted:
            found.append(cell)
    return min(found, key=lambda cell: (cell.area, cell.name), default=None)


def library_of(target: Target) -> Library:
    """The target's parsed Liberty files."""
    from gcmforge.netlist.liberty import read_liberty

    return read_liberty(target.liberty)
