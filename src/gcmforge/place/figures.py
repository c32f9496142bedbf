# SPDX-License-Identifier: Apache-2.0
"""What placing finds of a design, and mapping of one on an FPGA."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_letters

from gcmforge.power.figures import PowerFigure


@dataclass(frozen=True, kw_only=True, slots=True)
class Limit:
    """The slowest path of a placed design: what limits its clock."""

    start: str
    """The cell, as Yosys names it."""
    end: str
    luts: int
    """Of the path, carry cells included."""
    cells_ns: float
    """From the clock to the output of the first cell, in LUTs, and the setup of the last one."""
    wires_ns: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Fpga:
    """Resources of an FPGA; LUT RAM stands apart from LUTs that hold logic."""

    device: str
    luts: int
    """That hold logic. A LUT6 of a Xilinx part counts once when it holds two functions."""
    lut_ram_luts: int
    flip_flops: int
    block_rams: float
    """In the family's large blocks; a half block is 0.5."""
    carry: int
    wide_muxes: int
    dsps: int
    cells: Mapping[str, int]
    """Of the mapped netlist by type; each LUT cell is one function, but LUT6_2."""
    placed: bool
    luts_of_two: int = 0
    """Of `luts`, those that hold two functions, which read at most five different nets."""
    fmax_mhz: float | None = None
    """Of several placements the median; with an even number the lower one of the two."""
    fmax_by_seed: tuple[tuple[int, float], ...] = ()
    """Seeds of the placements with their clocks."""
    seeds_not_done: tuple[int, ...] = ()
    """Seeds with which it was not placed and routed, within the time or at all."""
    limit: Limit | None = None
    """Of the placement with that clock."""
    utilisation: Mapping[str, tuple[int, int]] | None = None
    """Of the placed device: used and available by kind, wrapper included."""
    wrapper_flip_flops: int = 0
    """Flip-flops of the few-pin wrapper, counted in `utilisation` only."""
    seed: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacedMap:
    """A core seen from above, as a raster of tiles. Each belongs to the block that most of its
    cells are of, by area."""

    blocks: tuple[str, ...]
    rows: tuple[str, ...]
    """The uppermost first: a letter for each tile, a for the first block and so on; a dot where no
    cell is."""
    path: tuple[tuple[float, float], ...]
    """Where the slowest path goes, from its start to its end, as parts of width and height from the
    lower left corner."""

    @staticmethod
    def letter(number: int) -> str:
        """That of a block's tiles."""
        return ascii_letters[number]


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacedFigure:
    """Standard cells in rows, and the slowest path with their wires and the clock's."""

    utilisation: float
    """Part of the core's area that cells take."""
    core_area_um2: float
    width_um: float
    height_um: float
    wire_m: float
    wire_pf: float
    ff_per_um: float
    ohm_per_um: float
    wires_from: str
    """Where the two figures before are from."""
    cells_added: int
    """Buffers, where wires made paths slow."""
    area_um2: float
    area_ge: float
    """Of the cells, with these and with stronger ones."""
    mapped_delay_ns: float
    """Of the netlist as it was mapped for ideal wires, placed and not mended."""
    delay_ns: float
    fmax_mhz: float
    start: str
    end: str
    slack_ns: float | None = None
    """To the clock that was asked for."""
    gbit_per_s: float | None = None
    """Of a core: long message, largest key, at this Fmax."""
    clock_buffers: int = 0
    """Of the clock tree that is built; 0 where nothing is clocked."""
    clock_buffer: str = ""
    """The cell that all of them are."""
    clock_area_ge: float = 0.0
    """A part of area_ge."""
    clock_wire_pf: float = 0.0
    """A part of wire_pf."""
    clock_latency_ns: float = 0.0
    """From the clock's port to flip-flops, mean."""
    clock_skew_ns: float = 0.0
    """From the first flip-flop that the clock reaches to the last. A path counts what there is of
    it between its own two flip-flops."""
    clock_transition_ns: float = 0.0
    """At flip-flops, the slowest."""
    other_tool: str = ""
    """What timed the same netlist and wires, too."""
    other_delay_ns: float | None = None
    other_start: str = ""
    other_end: str = ""
    other_missing: str = ""
    """Why there is no other timing."""
    map: PlacedMap | None = None
    power: PowerFigure | None = None
    """With the capacitance of wires and the clock's tree, where power was asked for."""
    pj_per_bit: float | None = None
    seconds: float = 0.0
    """For placing and timing."""
