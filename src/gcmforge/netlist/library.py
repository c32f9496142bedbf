# SPDX-License-Identifier: Apache-2.0
"""What a library of standard cells holds: cells, pins, and tables of delay and energy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

from gcmforge.netlist.liberty_syntax import LibertyError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Table:
    """Values over two axes: values[i, j] belongs to first[i] and second[j].

    Delays, transitions and energies: first is the input's transition in ns, second the load in pF.
    Constraints: first is the transition of the related (clock) pin, second that of the data pin.
    An axis that the file does not have is one point at 0.
    """

    first: Array
    second: Array
    values: Array


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class TimingArc:
    """A `timing` group; tables in ns, None where the file has none."""

    related_pin: str
    timing_type: str = "combinational"
    timing_sense: str = "non_unate"
    when: str = ""
    cell_rise: Table | None = None
    cell_fall: Table | None = None
    rise_transition: Table | None = None
    fall_transition: Table | None = None
    rise_constraint: Table | None = None
    fall_constraint: Table | None = None


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class InternalPower:
    """An `internal_power` group: pJ for one transition of the pin that it belongs to.

    Without related pins it counts whenever the pin itself switches.
    """

    related_pins: tuple[str, ...] = ()
    when: str = ""
    rise: Table | None = None
    fall: Table | None = None


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Pin:
    """A signal pin of a cell; capacitances in pF as it loads what drives it."""

    name: str
    direction: str
    capacitance: float
    rise_capacitance: float
    fall_capacitance: float
    function: str = ""
    three_state: str = ""
    max_capacitance: float | None = None
    clock: bool = False
    timing: tuple[TimingArc, ...] = ()
    power: tuple[InternalPower, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Sequential:
    """An `ff` or `latch` group: `clock` is clocked_on or enable, `data` next_state or data_in."""

    state: str
    inverted: str
    clock: str
    data: str
    clear: str = ""
    preset: str = ""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class LibCell:
    """A standard cell; area in the file's unit (um2 as a rule), leakage in nW."""

    name: str
    area: float
    leakage_nw: float
    footprint: str = ""
    pins: Mapping[str, Pin] = field(default_factory=dict)
    flip_flop: Sequential | None = None
    latch: Sequential | None = None
    dont_use: bool = False
    clock_gate: bool = False
    """An integrated clock gate for the rising edge."""

    @property
    def inputs(self) -> tuple[Pin, ...]:
        return tuple(pin for pin in self.pins.values() if pin.direction == "input")

    @property
    def outputs(self) -> tuple[Pin, ...]:
        return tuple(pin for pin in self.pins.values() if pin.direction == "output")

    @property
    def is_sequential(self) -> bool:
        return self.flip_flop is not None or self.latch is not None or self.clock_gate


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Library:
    """A library's cells; `voltage` in V is the nominal one. `paths` are the files it came from.
    `slew_of_step` is the transition, in units of R C, that a resistance and a capacitance make of a
    step: ln 4 where transitions are from 20 % to 80 %, as they are unless a file says otherwise."""

    name: str
    voltage: float
    cells: Mapping[str, LibCell]
    paths: tuple[Path, ...] = ()
    slew_of_step: float = log(0.8 / 0.2)

    @property
    def has_power(self) -> bool:
        """Whether there is a voltage and any cell's internal energy."""
        pins = (pin for cell in self.cells.values() for pin in cell.pins.values())
        return self.voltage > 0 and any(pin.power for pin in pins)

    def cell(self, name: str) -> LibCell:
        """The cell of this name; LibertyError names the library when there is none."""
        found = self.cells.get(name)
        if found is None:
            raise LibertyError(f"library {self.name} has no cell {name}")
        return found
