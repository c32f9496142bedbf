# SPDX-License-Identifier: Apache-2.0
"""The libraries of standard cells that are known by name, and where their files are found."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from gcmforge.netlist.clock_gates import Gate, MadeOf

PDK_VARIABLE = "GCMFORGE_PDK"


QFLOW_TECH = Path("/usr/share/qflow/tech")


@dataclass(frozen=True, kw_only=True, slots=True)
class Cells:
    """How one standard-cell library is found. Each tuple in `files` is one way to have it: all its
    patterns must match, each relative to a folder of PDKs; the first file of each is taken."""

    family: str
    install: str
    files: tuple[tuple[str, ...], ...]
    driving_cell: str = ""
    dont_use: tuple[str, ...] = ()
    nand2: str = ""
    """The cell that is one gate equivalent, where that is not the smallest NAND2 to be used."""
    clock_transition_ns: float = 0.0
    """Assumed of the clock at flip-flops. Each stated figure is a round one that a buffer of the
    library keeps with eight flip-flops to drive (tests/measure/test_measure_targets.py)."""
    gate: Gate | None = None
    lef: str = ""
    """A file beside the Liberty file that says how large cells are, where Liberty may say
    otherwise."""


LIBRARIES: dict[str, Cells] = {
    "osu018": Cells(
        family="OSU standard cells, TSMC 0.18 um, typical, 1.8 V, 25 C",
        install="apt-get install qflow-tech-osu018",
        files=(("osu018_stdcells.lib",), ("osu018/osu018_stdcells.lib",)),
        driving_cell="BUFX2",
        clock_transition_ns=0.2,
        lef="osu018_stdcells.lef",
        dont_use=("CLKBUF*", "TBUF*"),
    ),
    "osu035": Cells(
        family="OSU standard cells, TSMC 0.35 um, typical",
        install="apt-get install qflow-tech-osu035",
        files=(("osu035_stdcells.lib",), ("osu035/osu035_stdcells.lib",)),
        driving_cell="BUFX2",
        clock_transition_ns=0.3,
        lef="osu035_stdcells.lef",
        dont_use=("CLKBUF*", "TBUF*"),
    ),
    "osu050": Cells(
        family="OSU standard cells, AMI 0.5 um, typical",
        install="apt-get install qflow-tech-osu050",
        files=(("osu05_stdcells.lib",), ("osu050/osu05_stdcells.lib",)),
        driving_cell="BUFX2",
        clock_transition_ns=0.4,
        lef="osu050_stdcells.lef",
        dont_use=("CLKBUF*", "TBUF*"),
    ),
    "sky130": Cells(
        family="SkyWater 130 nm, high density cells, typical, 1.8 V, 25 C",
        install="install sky130A with 'ciel enable --pdk sky130'",
        files=(
            ("sky130hd*tt*.lib*",),
            ("sky130_fd_sc_hd__tt_025C_1v80.lib*",),
            ("sky130A/libs.ref/sky130_fd_sc_hd/lib/sky130_fd_sc_hd__tt_025C_1v80.lib*",),
            ("platforms/sky130hd/lib/sky130_fd_sc_hd__tt_025C_1v80.lib*",),
        ),
        driving_cell="sky130_fd_sc_hd__buf_2",
        clock_transition_ns=0.1,
        dont_use=(
            "sky130_fd_sc_hd__lpflow_*", "sky130_fd_sc_hd__probe*", "sky130_fd_sc_hd__macro*",
            "sky130_fd_sc_hd__dly*", "sky130_fd_sc_hd__clk*",
            "sky130_fd_sc_hd__edf*",  # larger than a flip-flop and a multiplexer
        ),
    ),
    "gf180mcu": Cells(
        family="GlobalFoundries 180 nm MCU, 7-track cells, typical, 25 C",
        install="install gf180mcuD with 'ciel enable --pdk gf180mcu'",
        files=(
            ("gf180mcu*7t5v0*tt_025C_3v30.lib*",),
            ("gf180mcu?/libs.ref/gf180mcu_fd_sc_mcu7t5v0/lib/*__tt_025C_3v30.lib*",),
            ("platforms/gf180/lib/*7t5v0*tt_025C_*.lib*",),
        ),
        clock_transition_ns=0.2,
        dont_use=("*__clk*", "*__dly*", "*__icgt*"),
    ),
    "ihp-sg13g2": Cells(
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
        clock_transition_ns=0.1,
        dont_use=("sg13g2_dlygate*", "sg13g2_lgcp*", "sg13g2_slgcp*", "sg13g2_sighold"),
    ),
    "asap7": Cells(
        # One corner only: the slow one. Its files belong together; Liberty splits them by kind of
        # cell. Not used are weak cells and those of scan, as OpenROAD-flow-scripts does it
        # (platforms/asap7/config.mk), and the only flip-flop whose output is not inverted: it is
        # as large as another and an inverter, and half as large again. A gate equivalent is the
        # smallest NAND2 of all, so that XOR2 counts 2.75 and a flip-flop 5; it is too weak to be
        # used itself.
        family="ASAP7 predictive 7 nm, RVT, slow, 0.63 V, 100 C",
        install="install asap7 as in OpenROAD-flow-scripts (flow/platforms/asap7)",
        files=tuple(
            tuple(f"{folder}asap7sc7p5t_{kind}_RVT_SS*.lib*" for kind in kinds)
            for folder in ("", "asap7/", "platforms/asap7/lib/NLDM/", "platforms/asap7/lib/")
            for kinds in (("SIMPLE", "INVBUF", "AO", "OA", "SEQ"),)
        ),
        driving_cell="BUFx2_ASAP7_75t_R",
        nand2="NAND2xp5_ASAP7_75t_R",
        clock_transition_ns=0.03,
        dont_use=("*x1p*_ASAP7*", "*xp*_ASAP7*", "SDF*", "ICG*", "DLL*", "DHL*", "DFFHQx4_*"),
    ),
    "nangate45": Cells(
        family="Nangate 45 nm open cell library, typical",
        install="install nangate45 as in OpenROAD-flow-scripts (flow/platforms/nangate45)",
        files=(
            ("NangateOpenCellLibrary_typical.lib*",),
            ("platforms/nangate45/lib/NangateOpenCellLibrary_typical.lib*",),
        ),
        driving_cell="BUF_X2",
        clock_transition_ns=0.05,
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
    "asap7": Gate(
        cell="ICGx1_ASAP7_75t_R", enable="ENA", clock="CLK", output="GCLK", tied_low="SE"
    ),
}  # fmt: skip
LIBRARIES |= {
    f"{name}-gated": replace(
        LIBRARIES[name], gate=gate, family=f"{LIBRARIES[name].family}, with clock gates"
    )
    for name, gate in _GATES.items()
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


def folders() -> Iterator[Path]:
    asked = os.environ.get(PDK_VARIABLE, "")
    yield from (Path(folder).expanduser() for folder in asked.split(os.pathsep) if folder)
    yield QFLOW_TECH
    for place in _PLACES:
        expanded = os.path.expandvars(place)
        if not expanded.startswith("$"):
            yield Path(expanded).expanduser()


def find_files(wanted: Cells) -> tuple[Path, ...]:
    """The Liberty files of the first folder that has them all."""
    for folder in folders():
        if not folder.is_dir():
            continue
        for patterns in wanted.files:
            found = [min(folder.glob(pattern), default=None) for pattern in patterns]
            if all(found):
                return tuple(file for file in found if file is not None)
    return ()
