# SPDX-License-Identifier: Apache-2.0
"""Reader of Liberty files: what synthesis, timing and power need to know of standard cells.

Units are settled here: times in ns, capacitances in pF, leakage in nW, energies in pJ, whatever
the file's own units are. Every table is brought to two axes in one order, so that nothing after
this page looks at templates. Groups and attributes that nobody needs are read and dropped.
"""

from __future__ import annotations

import gzip
import math
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from gcmforge.config.brief import brief
from gcmforge.netlist.liberty_syntax import Group, LibertyError, parse_groups, words
from gcmforge.netlist.library import (
    InternalPower,
    LibCell,
    Library,
    Pin,
    Sequential,
    Table,
    TimingArc,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


# Reading ------------------------------------------------------------------------------------------


def read_liberty(paths: Sequence[Path]) -> Library:
    """One library out of several files, for libraries that are split by kind of cell."""
    libraries = [parse_liberty(path) for path in paths]
    if not libraries:
        raise LibertyError("no Liberty file was given")
    if len(libraries) == 1:
        return libraries[0]
    cells = {name: cell for library in libraries for name, cell in library.cells.items()}
    first = libraries[0]
    return Library(
        name=first.name,
        voltage=first.voltage,
        cells=cells,
        paths=tuple(path for library in libraries for path in library.paths),
        slew_of_step=first.slew_of_step,
    )


def parse_liberty(path: Path) -> Library:
    """The library in a .lib or .lib.gz file; read once for each version of the file."""
    try:
        state = path.stat()
    except OSError as error:
        raise LibertyError(f"{path}: {error.strerror}") from error
    return _parse_file(path.resolve(), state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=8)
def _parse_file(path: Path, _changed: int, _size: int) -> Library:
    try:
        data = path.read_bytes()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise LibertyError(f"{path}: cannot be read: {error}") from error
    return parse_liberty_text(data.decode("utf-8", errors="replace"), str(path), (path,))


def parse_liberty_text(
    text: str, origin: str = "Liberty text", paths: tuple[Path, ...] = ()
) -> Library:
    """The library in a text; `origin` is what error messages call it."""
    return _Reader(origin, paths).library(parse_groups(text, origin))


# Meaning ------------------------------------------------------------------------------------------

_PREFIX = {"": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9, "p": 1e-12, "f": 1e-15, "k": 1e3, "a": 1e-18}
_QUANTITY = re.compile(r"([\d.eE+-]+?)\s*([munpfka]?)(?:s|v|a|w|ohm|f)", re.IGNORECASE)

_SLEW_NAMES = ("input_net_transition", "input_transition_time", "related_pin_transition")
_LOAD_NAMES = ("total_output_net_capacitance", "constrained_pin_transition")

_DELAY_TABLES = (
    "cell_rise", "cell_fall", "rise_transition", "fall_transition",
    "rise_constraint", "fall_constraint",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Template:
    variables: tuple[str, ...]
    axes: tuple[str, ...]


_GATES = "clock_gating_integrated_cell"
_RAIL = "related_pg_pin"


def _sum(tables: Sequence[Table | None]) -> Table | None:
    """Of tables over the same axes; LibertyError where they are over others."""
    found = [table for table in tables if table is not None]
    if len(found) < 2:
        return found[0] if found else None
    first = found[0]
    for table in found:
        if table.values.shape != first.values.shape or (table.first != first.first).any():
            raise LibertyError("energies that two rails supply stand over different axes")
    import numpy as np

    values = np.stack([table.values for table in found]).sum(axis=0)
    return Table(first=first.first, second=first.second, values=values)


@dataclass(slots=True)
class _Reader:
    """Turns the tree of groups into records; holds units, templates and defaults of the file."""

    origin: str
    paths: tuple[Path, ...]
    time: float = 1.0
    cap: float = 1.0
    leakage: float = 1.0
    energy: float = 1.0
    templates: dict[str, _Template] = field(default_factory=dict)
    defaults: dict[str, float] = field(default_factory=dict)
    axes: dict[tuple[str, float], Array] = field(default_factory=dict)

    def error(self, group: Group, text: str) -> LibertyError:
        where = brief(f"{group.name} ({group.argument})")
        text = brief(text, most=200)
        return LibertyError(f"{self.origin}, line {group.line}: {where}: {text}")

    def library(self, root: Group) -> Library:
        group = root.first("library")
        if group is None:
            raise LibertyError(f"{self.origin}: there is no library group in it")
        if group.simple.get("delay_model", "table_lookup") != "table_lookup":
            raise self.error(group, "only the table_lookup delay model can be used")
        self._units(group)
        for kind in ("lu_table_template", "power_lut_template"):
            for template in group.all(kind):
                self.templates[template.argument] = self._template(template)
        for name in ("input", "output", "inout"):
            key = f"default_{name}_pin_cap"
            self.defaults[name] = self._number(group, key, 0.0) * self.cap
        self.defaults["leakage"] = self._number(group, "default_cell_leakage_power", 0.0)
        cells = {cell.argument: self._cell(cell) for cell in group.all("cell")}
        if not cells:
            raise self.error(group, "there is no cell in it")
        voltage = self._number(group, "nom_voltage", 0.0) * self._unit(group, "voltage_unit", 1.0)
        return Library(
            name=group.argument, voltage=voltage, cells=cells, paths=self.paths,
            slew_of_step=self._slew_of_step(group),
        )  # fmt: skip

    def _slew_of_step(self, group: Group) -> float:
        """By the thresholds of rising edges, in per cent of the swing."""
        low = self._number(group, "slew_lower_threshold_pct_rise", 20.0)
        high = self._number(group, "slew_upper_threshold_pct_rise", 80.0)
        derate = self._number(group, "slew_derate_from_library", 1.0)
        if not 0 < low < high < 100 or derate <= 0:
            raise self.error(group, f"transitions from {low:g} % to {high:g} %, times {derate:g}")
        return math.log((100 - low) / (100 - high)) / derate

    # -- units and numbers

    def _units(self, group: Group) -> None:
        """Factors from the file's units to ns, pF, nW and pJ (energy is C V^2)."""
        self.time = self._unit(group, "time_unit", 1e-9) * 1e9
        self.leakage = self._unit(group, "leakage_power_unit", 1e-9) * 1e9
        self.cap = 1.0
        if (text := group.complex.get("capacitive_load_unit")) is not None:
            number, _, unit = (part.strip() for part in words(text).partition(","))
            if unit.lower() not in ("ff", "pf"):
                raise self.error(group, f"capacitive_load_unit ({text}) is neither ff nor pf")
            self.cap = self._size(group, f"capacitive_load_unit ({text})", number)
            self.cap *= 1.0 if unit.lower() == "pf" else 1e-3
        self.energy = self.cap * self._unit(group, "voltage_unit", 1.0) ** 2

    def _unit(self, group: Group, name: str, default: float) -> float:
        text = group.simple.get(name)
        if text is None:
            return default
        match = _QUANTITY.fullmatch(text)
        if match is None:
            raise self.error(group, f"{name} : {brief(text)} is not understood")
        return self._size(group, f"{name} : {text}", match[1]) * _PREFIX[match[2].lower()]

    def _number(self, group: Group, name: str, default: float) -> float:
        text = group.simple.get(name)
        if text is None:
            return default
        return self._float(group, f"{name} : {text}", text)

    def _float(self, group: Group, what: str, digits: str) -> float:
        """A finite number: others make figures that nothing can be done with."""
        try:
            number = float(digits)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise self.error(group, f"{brief(what)} is not a number")
        return number

    def _size(self, group: Group, what: str, digits: str) -> float:
        """Of a unit."""
        number = self._float(group, what, digits)
        if number <= 0:
            raise self.error(group, f"{brief(what)} is not above 0")
        return number

    def _numbers(self, group: Group, text: str) -> Array:
        import numpy as np

        cleaned = text.replace('"', "").replace(",", " ").split()
        try:
            numbers = np.array(cleaned, dtype=np.float64)
        except ValueError:
            numbers = np.full(1, np.nan)
        if not np.isfinite(numbers).all():
            raise self.error(group, f"not all numbers: {' '.join(cleaned[:6])} ...")
        return numbers

    # -- tables

    def _template(self, group: Group) -> _Template:
        variables = tuple(
            group.simple[key] for n in (1, 2, 3) if (key := f"variable_{n}") in group.simple
        )
        axes = tuple(group.complex.get(f"index_{n + 1}", "") for n in range(len(variables)))
        return _Template(variables, axes)

    def _axis(self, group: Group, text: str, variable: str) -> Array:
        unit = self.cap if "capacitance" in variable else self.time
        found = self.axes.get((text, unit))
        if found is None:
            found = self._numbers(group, text) * unit
            if found.size == 0 or (found[1:] <= found[:-1]).any():
                raise self.error(group, f"its axis does not rise: {brief(words(text))}")
            self.axes[(text, unit)] = found
        return found

    def _table(self, group: Group | None, unit: float) -> Table | None:
        """A table with its axes in Table's order; None for no group."""
        if group is None:
            return None
        import numpy as np

        template = self.templates.get(group.argument, _Template((), ()))
        if group.argument not in ("", "scalar") and group.argument not in self.templates:
            raise self.error(group, "there is no such template")
        if "values" not in group.complex:
            raise self.error(group, "it has no values")
        values = self._numbers(group, group.complex["values"]) * unit
        axes: dict[int, Array] = {}
        order: list[int] = []
        for n, variable in enumerate(template.variables):
            place = 0 if variable in _SLEW_NAMES else 1 if variable in _LOAD_NAMES else -1
            if place < 0 or place in axes:
                raise self.error(group, f"cannot use an axis over {variable}")
            text = group.complex.get(f"index_{n + 1}", template.axes[n])
            axes[place] = self._axis(group, text, variable)
            order.append(place)
        sizes = [axes[place].size for place in order]
        if values.size != int(np.prod(sizes)):
            shape = " x ".join(map(str, sizes)) or "1"
            raise self.error(group, f"{values.size} values for a table of {shape}")
        values = values.reshape(sizes)
        if order == [1, 0]:
            values = np.ascontiguousarray(values.T)
        one = np.zeros(1)
        first, second = axes.get(0, one), axes.get(1, one)
        return Table(first=first, second=second, values=values.reshape(first.size, second.size))

    # -- cells

    def _cell(self, group: Group) -> LibCell:
        pins: dict[str, Pin] = {}
        for holder in [group, *group.all("bundle"), *group.all("bus")]:
            for pin in holder.all("pin"):
                for name in pin.argument.replace(",", " ").split():
                    pins[name] = self._pin(pin, name)
        return LibCell(
            name=group.argument,
            area=self._number(group, "area", 0.0),
            leakage_nw=self._leakage(group),
            footprint=group.simple.get("cell_footprint", ""),
            pins=pins,
            flip_flop=self._sequential(group.first("ff"), "clocked_on", "next_state"),
            latch=self._sequential(group.first("latch"), "enable", "data_in"),
            dont_use=group.simple.get("dont_use", "false") == "true",
            clock_gate=group.simple.get(_GATES, "").startswith("latch_posedge"),
        )

    def _leakage(self, group: Group) -> float:
        """The cell's own figure, else the mean over its states."""
        if "cell_leakage_power" in group.simple:
            return self._number(group, "cell_leakage_power", 0.0) * self.leakage
        groups = list(group.all("leakage_power"))
        states = {one.simple.get("when", "") for one in groups}
        rails = Counter((one.simple.get("when", ""), one.simple.get(_RAIL, "")) for one in groups)
        # A state has a group for each rail, which add up; else each group is a state of its own.
        number = len(states) if max(rails.values(), default=0) == 1 else len(groups)
        total = sum(self._number(one, "value", 0.0) for one in groups)
        return (total / number if groups else self.defaults["leakage"]) * self.leakage

    def _sequential(self, group: Group | None, clock: str, data: str) -> Sequential | None:
        if group is None:
            return None
        names = [name.strip() for name in group.argument.split(",")] + [""]
        return Sequential(
            state=names[0],
            inverted=names[1],
            clock=group.simple.get(clock, ""),
            data=group.simple.get(data, ""),
            clear=group.simple.get("clear", ""),
            preset=group.simple.get("preset", ""),
        )

    def _pin(self, group: Group, name: str) -> Pin:
        direction = group.simple.get("direction", "")
        if direction not in ("input", "output", "inout", "internal"):
            raise self.error(group, f"direction {direction or 'is missing'}")
        rise, fall = (self._capacitance(group, edge, direction) for edge in ("rise", "fall"))
        limit = self._number(group, "max_capacitance", -1.0)
        return Pin(
            name=name,
            direction=direction,
            capacitance=self._capacitance(group, "", direction),
            rise_capacitance=rise,
            fall_capacitance=fall,
            function=group.simple.get("function", ""),
            three_state=group.simple.get("three_state", ""),
            max_capacitance=limit * self.cap if limit >= 0 else None,
            clock=group.simple.get("clock", "false") == "true",
            timing=tuple(arc for t in group.all("timing") for arc in self._arcs(t)),
            power=tuple(self._powers(group)),
        )

    def _capacitance(self, group: Group, edge: str, direction: str) -> float:
        """Of one edge: the top of its range, else its own figure, else the pin's."""
        if edge and (text := group.complex.get(f"{edge}_capacitance_range")) is not None:
            return float(self._numbers(group, text).max()) * self.cap
        for name in (f"{edge}_capacitance" if edge else "capacitance", "capacitance"):
            if name in group.simple:
                return self._number(group, name, 0.0) * self.cap
        return self.defaults.get(direction, 0.0)

    def _arcs(self, group: Group) -> Iterator[TimingArc]:
        tables = {name: self._table(group.first(name), self.time) for name in _DELAY_TABLES}
        for pin in group.simple.get("related_pin", "").split():
            yield TimingArc(
                related_pin=pin,
                timing_type=group.simple.get("timing_type", "combinational"),
                timing_sense=group.simple.get("timing_sense", "non_unate"),
                when=group.simple.get("when", ""),
                **tables,
            )

    def _powers(self, pin: Group) -> Iterator[InternalPower]:
        """Of a pin. What several rails supply of one transition is one energy, the sum of it."""
        by_state: dict[tuple[str, str], dict[str, InternalPower]] = {}
        for group in pin.all("internal_power"):
            state = group.simple.get("related_pin", ""), group.simple.get("when", "")
            rails = by_state.setdefault(state, {})
            rail = group.simple.get(_RAIL, "")
            if rail in rails:
                yield self._power(group)
            else:
                rails[rail] = self._power(group)
        for rails in by_state.values():
            first, *others = rails.values()
            yield replace(
                first,
                rise=_sum([first.rise, *(other.rise for other in others)]),
                fall=_sum([first.fall, *(other.fall for other in others)]),
            )

    def _power(self, group: Group) -> InternalPower:
        either = group.first("power")
        return InternalPower(
            related_pins=tuple(group.simple.get("related_pin", "").split()),
            when=group.simple.get("when", ""),
            rise=self._table(group.first("rise_power") or either, self.energy),
            fall=self._table(group.first("fall_power") or either, self.energy),
        )
