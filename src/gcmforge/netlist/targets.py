# SPDX-License-Identifier: Apache-2.0
"""What a core can be measured on: standard-cell libraries and FPGA families.

Nothing is looked for at import. A target that is not installed is a `TargetError` that says what
to install. Liberty files are looked for in the folders of $GCMFORGE_PDK (several, separated like
PATH), then where the process's own installers put them.

The convention of every measurement on cells: each input is driven by one buffer, each output
loaded with four NAND2 inputs, wires are ideal.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gcmforge.netlist import ge_library
from gcmforge.netlist.clock_gates import Gate, MadeOf, with_gate

if TYPE_CHECKING:
    from gcmforge.netlist.liberty import LibCell, Library

Kind = Literal["asic", "fpga"]

PDK_VARIABLE = "GCMFORGE_PDK"
QFLOW_TECH = Path("/usr/share/qflow/tech")
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


@dataclass(frozen=True, kw_only=True, slots=True)
class _Cells:
    """How one standard-cell library is found. Each tuple in `files` is one way to have it: all its
    patterns must match, each relative to a folder of PDKs; the first file of each is taken."""

    family: str
    install: str
    files: tuple[tuple[str, ...], ...]
    driving_cell: str = ""
    dont_use: tuple[str, ...] = ()
    gate: Gate | None = None


_LIBRARIES: dict[str, _Cells] = {
    "osu018": _Cells(
        family="OSU standard cells, TSMC 0.18 um, typical, 1.8 V, 25 C",
        install="apt-get install qflow-tech-osu018",
        files=(("osu018_stdcells.lib",), ("osu018/osu018_stdcells.lib",)),
        driving_cell="BUFX2",
        dont_use=("CLKBUF*", "TBUF*"),
    ),
    "osu035": _Cells(
        family="OSU standard cells, TSMC 0.35 um, typical",
        install="apt-get install qflow-tech-osu035",
        files=(("osu035_stdcells.lib",), ("osu035/osu035_stdcells.lib",)),
        driving_cell="BUFX2",
        dont_use=("CLKBUF*", "TBUF*"),
    ),
    "osu050": _Cells(
        family="OSU standard cells, AMI 0.5 um, typical",
        install="apt-get install qflow-tech-osu050",
        files=(("osu05_stdcells.lib",), ("osu050/osu05_stdcells.lib",)),
        driving_cell="BUFX2",
        dont_use=("CLKBUF*", "TBUF*"),
    ),
    "sky130": _Cells(
        family="SkyWater 130 nm, high density cells, typical, 1.8 V, 25 C",
        install="install sky130A with 'ciel enable --pdk sky130'",
        files=(
            ("sky130hd*tt*.lib*",),
            ("sky130_fd_sc_hd__tt_025C_1v80.lib*",),
            ("sky130A/libs.ref/sky130_fd_sc_hd/lib/sky130_fd_sc_hd__tt_025C_1v80.lib*",),
            ("platforms/sky130hd/lib/sky130_fd_sc_hd__tt_025C_1v80.lib*",),
        ),
        driving_cell="sky130_fd_sc_hd__buf_2",
        dont_use=(
            "sky130_fd_sc_hd__lpflow_*", "sky130_fd_sc_hd__probe*", "sky130_fd_sc_hd__macro*",
            "sky130_fd_sc_hd__dly*", "sky130_fd_sc_hd__clk*",
            "sky130_fd_sc_hd__edf*",  # larger than a flip-flop and a multiplexer
        ),
    ),
    "gf180mcu": _Cells(
        family="GlobalFoundries 180 nm MCU, 7-track cells, typical, 25 C",
        install="install gf180mcuD with 'ciel enable --pdk gf180mcu'",
        files=(
            ("gf180mcu*7t5v0*tt_025C_3v30.lib*",),
            ("gf180mcu?/libs.ref/gf180mcu_fd_sc_mcu7t5v0/lib/*__tt_025C_3v30.lib*",),
            ("platforms/gf180/lib/*7t5v0*tt_025C_*.lib*",),
        ),
        dont_use=("*__clk*", "*__dly*", "*__icgt*"),
    ),
    "ihp-sg13g2": _Cells(
        family="IHP SG13G2 130 nm, typical, 1.2 V, 25 C",
        install="install IHP-Open-PDK (git clone https://github.com/IHP-GmbH/IHP-Open-PDK)",
        files=(
            ("sg13g2*typ*.lib*",),
            ("ihp-sg13g2/libs.ref/sg13g2_stdcell/lib/sg13g2_stdcell_typ_1p20V_25C.lib*",),
            (
                "IHP-Open-PDK/ihp-sg13g2/libs.ref/sg13g2_stdcell/lib/"
                "sg13g2_stdcell_typ_1p20V_25C.lib*",
            ),
            ("platforms/ihp-sg13g2/lib/sg13g2_stdcell_typ_1p20V_25C.lib*",),
        ),
        driving_cell="sg13g2_buf_2",
        dont_use=("sg13g2_dlygate*", "sg13g2_lgcp*", "sg13g2_slgcp*", "sg13g2_sighold"),
    ),
    "asap7": _Cells(
        family="ASAP7 predictive 7 nm, RVT, typical",
        install="install asap7 as in OpenROAD-flow-scripts (flow/platforms/asap7)",
        files=tuple(
            tuple(f"{folder}asap7sc7p5t_{kind}_RVT_TT_nldm_*.lib*" for kind in kinds)
            for folder in ("", "platforms/asap7/lib/NLDM/", "platforms/asap7/lib/")
            for kinds in (("SIMPLE", "INVBUF", "AO", "OA", "SEQ"),)
        ),
        driving_cell="BUFx2_ASAP7_75t_R",
        dont_use=("*x1p*_ASAP7*", "*xp*_ASAP7*", "SDF*", "ICG*", "DLL*", "DHL*"),
    ),
    "nangate45": _Cells(
        family="Nangate 45 nm open cell library, typical",
        install="install nangate45 as in OpenROAD-flow-scripts (flow/platforms/nangate45)",
        files=(
            ("NangateOpenCellLibrary_typical.lib*",),
            ("platforms/nangate45/lib/NangateOpenCellLibrary_typical.lib*",),
        ),
        driving_cell="BUF_X2",
        dont_use=("CLKBUF*", "TBUF*", "TINV*", "DLL*", "DLH*", "SDFF*", "CLKGATE*"),
    ),
}  # fmt: skip

_GATES: dict[str, Gate] = {
    "osu018": Gate(
        cell="GATE_OF_LATCH", enable="EN", clock="CLK", output="GCLK",
        # The LEF's 5.6 um of width; Liberty says 0. Its setup times are 0.41 ns at most where the
        # clock's transition is 0.3 ns or less and the enable's 1.2 ns.
        made_of=MadeOf(latch="LATCH", inverter="INVX1", and_gate="AND2X2", latch_area=56.0,
                       setup_ns=0.42),
    ),
    "sky130": Gate(
        cell="sky130_fd_sc_hd__dlclkp_1", enable="GATE", clock="CLK", output="GCLK"
    ),
    "ihp-sg13g2": Gate(cell="sg13g2_lgcp_1", enable="GATE", clock="CLK", output="GCLK"),
}  # fmt: skip
_LIBRARIES |= {
    f"{name}-gated": replace(
        _LIBRARIES[name], gate=gate, family=f"{_LIBRARIES[name].family}, with clock gates"
    )
    for name, gate in _GATES.items()
}

_FPGAS = {
    "xc7": "Xilinx 7-series",
    "xcup": "Xilinx UltraScale+",
    "xcv4": "Xilinx Virtex-4",
    "xcv5": "Xilinx Virtex-5",
    "xcv6": "Xilinx Virtex-6",
    "xc3s": "Xilinx Spartan-3",
    "ecp5": "Lattice ECP5-85",
    "ice40": "Lattice iCE40",
    "nexus": "Lattice Nexus",
    "gowin": "Gowin",
}

_PLACES = (
    "$PDK_ROOT",
    "~/.ciel",
    "~/.volare",
    "/usr/share/pdk",
    "/usr/local/share/pdk",
    "/opt/pdk",
    "$ORFS/flow",
    "$FLOW_HOME",
    "~/OpenROAD-flow-scripts/flow",
    "/OpenROAD-flow-scripts/flow",
)


def target_names() -> tuple[str, ...]:
    """Every name that `find_target` knows."""
    return ("ge", *_LIBRARIES, *_FPGAS)


def targets() -> tuple[Known, ...]:
    """Every known target, with whether it is there."""
    return tuple(map(_known, target_names()))


def find_target(name: str) -> Target:
    """The target of that name; TargetError when there is none or it is not installed."""
    if name == "ge":
        return _ge_target()
    if name in _FPGAS:
        return Target(name=name, kind="fpga", family=_FPGAS[name])
    if name not in _LIBRARIES:
        near = difflib.get_close_matches(name, target_names(), n=3, cutoff=0.4)
        advice = (
            f"did you mean {', '.join(near)}?" if near else "pass a library with --liberty FILE"
        )
        raise TargetError(f"target {name}: there is {', '.join(target_names())}; {advice}")
    wanted = _LIBRARIES[name]
    files = _find(wanted)
    if not files:
        raise TargetError(
            f"target {name} ({wanted.family}) is not installed: {wanted.install}, or put its "
            f"Liberty file into a folder and set {PDK_VARIABLE} to that folder"
        )
    plain = _cell_target(name, files, wanted.driving_cell, wanted.dont_use, wanted.family)
    if wanted.gate is None:
        return plain
    if wanted.gate.made_of is not None:
        files = (_with_gate(name, files[0], wanted.gate),)
    return replace(plain, gate=wanted.gate, liberty=files, version=_digest(files))


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
    wanted = _LIBRARIES[name]
    files = _find(wanted)
    return Known(
        name=name,
        kind="asic",
        family=wanted.family,
        found=bool(files),
        where=str(files[0]) if files else "",
        install=wanted.install,
    )


# Where files are ----------------------------------------------------------------------------------


def _folders() -> Iterator[Path]:
    asked = os.environ.get(PDK_VARIABLE, "")
    yield from (Path(folder).expanduser() for folder in asked.split(os.pathsep) if folder)
    yield QFLOW_TECH
    for place in _PLACES:
        expanded = os.path.expandvars(place)
        if not expanded.startswith("$"):
            yield Path(expanded).expanduser()


def _find(wanted: _Cells) -> tuple[Path, ...]:
    """The Liberty files of the first folder that has them all."""
    for folder in _folders():
        if not folder.is_dir():
            continue
        for patterns in wanted.files:
            found = [min(folder.glob(pattern), default=None) for pattern in patterns]
            if all(found):
                return tuple(file for file in found if file is not None)
    return ()


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
    name: str, files: tuple[Path, ...], driving_cell: str, dont_use: tuple[str, ...], family: str
) -> Target:
    """A target out of Liberty files; what was not said is read from them."""
    from gcmforge.netlist.liberty import LibertyError, read_liberty

    try:
        library = read_liberty(files)
    except LibertyError as error:
        raise TargetError(f"target {name}: {error}") from error
    usable = [
        cell
        for cell in library.cells.values()
        if not any(fnmatchcase(cell.name, pattern) for pattern in dont_use)
    ]
    nand2 = _smallest(usable, "!(A&B)", 2)
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
    driver = driving_cell if driving_cell in library.cells else buffer.name if buffer else ""
    if driving_cell and driver != driving_cell and not family:
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
    from gcmforge.netlist.liberty import LibertyError, truth_table

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
