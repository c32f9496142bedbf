# SPDX-License-Identifier: Apache-2.0
"""The built-in library `ge`: gate equivalents and T_A, T_X as a Liberty file.

Areas are those that Mozaffari 2012 counts with (NAND2/NOR2 1, AND2/OR2 1.25, XOR2/XNOR2 2.25,
MUX2 2, INV 0.75, DFF 5.5); the area unit is GE. Delays are those of `gcmforge.circuit.cost`: AND,
NAND, OR, NOR one T_A, XOR, XNOR and MUX one T_X = 1.99 T_A, INV none (it disappears into the
polarity of the gate next to it). The time unit is T_A, written as 1 ns because a Liberty file needs
a unit. A flip-flop costs no time (clock to output 0, setup 0, hold 0), so that a critical path is
the depth that papers print. BUF is two INV; nothing depends on load or slew, so none is ever of
use, but mappers want one. Pins carry 1 fF each for tools that divide by it. There is no power:
`ge` has no technology.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from gcmforge.circuit.cost import DELAY, GE, GE_DFF, T_A
from gcmforge.circuit.ir import Op

LIBRARY_NAME = "gcmforge_ge"
REVISION = "1"
"""Goes up when the meaning of a figure below changes."""

NAND2 = "NAND2"
FLIP_FLOP = "DFF"
DRIVING_CELL = "INV"
PIN_FF = 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Gate:
    """One cell: output Y as a Liberty function of its inputs; delay in T_A from every input."""

    name: str
    inputs: Sequence[str]
    function: str
    sense: str
    op: Op
    count: int = 1  # of that op, one after another

    @property
    def area_ge(self) -> float:
        return GE[self.op] * self.count

    @property
    def delay(self) -> float:
        return DELAY[self.op] * self.count / T_A


GATES = (
    Gate(name="BUF", inputs="A", function="A", sense="positive_unate", op=Op.NOT, count=2),
    Gate(name="INV", inputs="A", function="!A", sense="negative_unate", op=Op.NOT),
    Gate(name=NAND2, inputs="AB", function="!(A&B)", sense="negative_unate", op=Op.NAND),
    Gate(name="NOR2", inputs="AB", function="!(A|B)", sense="negative_unate", op=Op.NOR),
    Gate(name="AND2", inputs="AB", function="(A&B)", sense="positive_unate", op=Op.AND),
    Gate(name="OR2", inputs="AB", function="(A|B)", sense="positive_unate", op=Op.OR),
    Gate(name="XOR2", inputs="AB", function="(A^B)", sense="non_unate", op=Op.XOR),
    Gate(name="XNOR2", inputs="AB", function="!(A^B)", sense="non_unate", op=Op.XNOR),
    Gate(name="MUX2", inputs="ABS", function="(A&!S)|(B&S)", sense="non_unate", op=Op.MUX),
)

_HEADER = f"""\
/* Gate equivalents after Mozaffari 2012 as a library: area in GE, 1 ns = one T_A. */
library({LIBRARY_NAME}) {{
  delay_model : table_lookup;
  revision : "{REVISION}";
  time_unit : "1ns";
  voltage_unit : "1V";
  current_unit : "1uA";
  pulling_resistance_unit : "1kohm";
  leakage_power_unit : "1nW";
  capacitive_load_unit(1, ff);
  slew_upper_threshold_pct_rise : 80;
  slew_lower_threshold_pct_rise : 20;
  slew_upper_threshold_pct_fall : 80;
  slew_lower_threshold_pct_fall : 20;
  input_threshold_pct_rise : 50;
  input_threshold_pct_fall : 50;
  output_threshold_pct_rise : 50;
  output_threshold_pct_fall : 50;
  nom_process : 1;
  nom_voltage : 1;
  nom_temperature : 25;
  operating_conditions(typical) {{
    process : 1;
    voltage : 1;
    temperature : 25;
  }}
  default_operating_conditions : typical;
  lu_table_template(delay_2x2) {{
    variable_1 : input_net_transition;
    variable_2 : total_output_net_capacitance;
    index_1("0, 1");
    index_2("0, 1000000");
  }}
  lu_table_template(constraint_2x2) {{
    variable_1 : related_pin_transition;
    variable_2 : constrained_pin_transition;
    index_1("0, 1");
    index_2("0, 1");
  }}
"""


@cache
def liberty_text() -> str:
    """The whole Liberty file; the same bytes every time."""
    return _HEADER + "".join(map(_cell, GATES)) + _flip_flop() + "}\n"


def _table(kind: str, template: str, value: float) -> str:
    row = f'"{value:g}, {value:g}"'
    return f"        {kind}({template}) {{ values({row}, {row}); }}\n"


def _arc(related: str, delay: float, attributes: Sequence[str]) -> str:
    """Timing of an output pin from `related`; every edge takes `delay`, slews are 0."""
    return (
        "      timing() {\n"
        f'        related_pin : "{related}";\n'
        + "".join(f"        {attribute};\n" for attribute in attributes)
        + _table("cell_rise", "delay_2x2", delay)
        + _table("rise_transition", "delay_2x2", 0)
        + _table("cell_fall", "delay_2x2", delay)
        + _table("fall_transition", "delay_2x2", 0)
        + "      }\n"
    )


def _check(kind: str) -> str:
    return (
        "      timing() {\n"
        '        related_pin : "CK";\n'
        f"        timing_type : {kind}_rising;\n"
        + _table("rise_constraint", "constraint_2x2", 0)
        + _table("fall_constraint", "constraint_2x2", 0)
        + "      }\n"
    )


def _input(pin: str, inside: str = "") -> str:
    return (
        f"    pin({pin}) {{\n      direction : input;\n      capacitance : {PIN_FF:g};\n"
        f"{inside}    }}\n"
    )


def _output(pin: str, function: str, arcs: str) -> str:
    return (
        f"    pin({pin}) {{\n      direction : output;\n      capacitance : 0;\n"
        f'      max_capacitance : 1000000;\n      function : "{function}";\n{arcs}    }}\n'
    )


def _cell(gate: Gate) -> str:
    arcs = "".join(_arc(pin, gate.delay, [f"timing_sense : {gate.sense}"]) for pin in gate.inputs)
    return (
        f"  cell({gate.name}) {{\n    area : {gate.area_ge:g};\n    cell_leakage_power : 0;\n"
        + "".join(map(_input, gate.inputs))
        + _output("Y", gate.function, arcs)
        + "  }\n"
    )


def _flip_flop() -> str:
    clock = "      clock : true;\n"
    arc = _arc("CK", 0, ["timing_type : rising_edge", "timing_sense : non_unate"])
    return (
        f"  cell({FLIP_FLOP}) {{\n    area : {GE_DFF:g};\n    cell_leakage_power : 0;\n"
        '    ff(IQ, IQN) {\n      clocked_on : "CK";\n      next_state : "D";\n    }\n'
        + _input("D", _check("setup") + _check("hold"))
        + _input("CK", clock)
        + _output("Q", "IQ", arc)
        + "  }\n"
    )
