# SPDX-License-Identifier: Apache-2.0
"""Clock gates instead of enables: which cell a library has for it, or what one is made of.

A flip-flop with an enable is a flip-flop and a multiplexer that keeps its value. Where several have
the same enable, as every stage of a pipeline that can be held back, one cell that lets the clock
pass or not does for all of them: a latch, open while the clock is low, and an AND gate. Flows for
chips can put them in; here a target of its own (`osu018-gated`) has them, so that figures with and
without stand side by side.

A gate drives what its cell may (max_capacitance) and is made as often as that takes, which
`fanout` does. Clocks are ideal, a gated one, too: no time is counted from a gate's clock to its
output. What enables it has to be there before the clock rises. A gate that is made of cells has the
delay of its AND gate, from that cell's first input: while the clock is high the latch holds, so
that its output does not change then, and the inverter before it is not in the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gcmforge.netlist.library import LibCell, Library, Pin, Table, TimingArc

FEWEST = 3
"""Flip-flops with the same enable that a gate is put in for; fewer keep their multiplexers."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Gate:
    """A clock gate: its cell and pins; `made_of` where the library has no such cell."""

    cell: str
    enable: str
    clock: str
    output: str
    tied_low: str = ""
    """A pin for tests, which opens the gate where it is high."""
    made_of: MadeOf | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class MadeOf:
    """A latch that is open while its clock pin is high, the inverter before that pin, and the
    AND gate after the latch; areas in the library's unit."""

    latch: str
    inverter: str
    and_gate: str
    latch_area: float
    """Where the library says none."""
    setup_ns: float
    """From the enable to the rising clock: at least what the latch asks for before it closes."""


def gating(gate: Gate | None) -> Sequence[str]:
    """What Yosys runs before flip-flops become the library's."""
    if gate is None:
        return ()
    pins = f"{gate.enable}:{gate.clock}:{gate.output}"
    tied = f" -tie_lo {gate.tied_low}" if gate.tied_low else ""
    return (f"clockgate -pos {gate.cell} {pins}{tied} -min_net_size {FEWEST}",)


def with_gate(text: str, library: Library, gate: Gate) -> str:
    """The library's Liberty text with the gate that is made of its cells."""
    made = gate.made_of
    assert made is not None
    latch, inverter, last = (
        library.cell(name) for name in (made.latch, made.inverter, made.and_gate)
    )
    area = made.latch_area + inverter.area + last.area
    enable = _data(latch).capacitance
    clock = inverter.inputs[0].capacitance + last.inputs[0].capacitance
    end = text.rstrip()
    if not end.endswith("}"):
        raise ValueError("the Liberty text does not end with its library's brace")
    return f"""{end[:-1]}
lu_table_template({_TEMPLATE}) {{
  variable_1 : input_net_transition;
  variable_2 : total_output_net_capacitance;
  index_1 ("0, 1");
  index_2 ("0, 1");
}}
/* {made.latch}, {made.inverter} and {made.and_gate} together: latch open while the clock is low */
cell ({gate.cell}) {{
  area : {area:g};
  dont_use : true;
  cell_leakage_power : {latch.leakage_nw + inverter.leakage_nw + last.leakage_nw:g};
  clock_gating_integrated_cell : "latch_posedge";
  statetable ("{gate.clock} {gate.enable}", "state") {{
    table : "L L : - : L , L H : - : H , H - : - : N ";
  }}
  pin (state) {{ direction : internal; internal_node : "state"; }}
  pin ({gate.enable}) {{
    clock_gate_enable_pin : true;
    direction : input;
    capacitance : {enable:g};
    timing () {{
      related_pin : "{gate.clock}";
      timing_type : setup_rising;
      rise_constraint (scalar) {{ values ("{made.setup_ns:g}"); }}
      fall_constraint (scalar) {{ values ("{made.setup_ns:g}"); }}
    }}
  }}
  pin ({gate.clock}) {{
    clock_gate_clock_pin : true;
    direction : input;
    clock : true;
    capacitance : {clock:g};
  }}
  pin ({gate.output}) {{
    clock_gate_out_pin : true;
    direction : output;
    state_function : "{gate.clock} * state";
    max_capacitance : {last.outputs[0].max_capacitance or 1:g};
    timing () {{
      related_pin : "{gate.clock}";
      timing_sense : positive_unate;
{"".join(_delays(_first_arc(last)))}    }}
  }}
}}
}}
"""


_TEMPLATE = "delay_of_a_gate_that_is_made"


def _first_arc(cell: LibCell) -> TimingArc:
    """From the first input to the output."""
    output = cell.outputs[0]
    return next(arc for arc in output.timing if arc.related_pin == cell.inputs[0].name)


def _delays(arc: TimingArc) -> Iterator[str]:
    """The tables of an arc, in ns and pF."""
    for name in ("cell_rise", "cell_fall", "rise_transition", "fall_transition"):
        table: Table | None = getattr(arc, name)
        if table is not None:
            rows = ", ".join(f'"{_listed(row)}"' for row in table.values.tolist())
            yield f"      {name} ({_TEMPLATE}) {{\n"
            yield f'        index_1 ("{_listed(table.first.tolist())}");\n'
            yield f'        index_2 ("{_listed(table.second.tolist())}");\n'
            yield f"        values ({rows});\n      }}\n"


def _listed(numbers: Sequence[float]) -> str:
    return ", ".join(f"{number:g}" for number in numbers)


def _data(latch: LibCell) -> Pin:
    return next(pin for pin in latch.inputs if not pin.clock)
