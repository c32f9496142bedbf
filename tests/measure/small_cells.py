# SPDX-License-Identifier: Apache-2.0
"""A library of four cells whose delays are straight lines, so that results can be had by hand.

Every delay is base + 0.1 * slew + 2 * load and every transition 0.02 + 0.05 * slew + 3 * load (ns,
pF); tables of straight lines interpolate and extrapolate exactly.
"""

import random
from collections.abc import Callable, Mapping

from gcmforge.netlist.liberty import parse_liberty_text
from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Cell, Module, Netlist, Port

RISE_BASE = {"INV": 0.010, "NAND2": 0.020, "XOR2": 0.040, "DFF": 0.100}
FALL_BASE = {"INV": 0.012, "NAND2": 0.015, "XOR2": 0.050, "DFF": 0.110}
CAP = {"INV": 0.010, "NAND2": 0.012, "XOR2": 0.020, "DFF": 0.008}
VOLTAGE = 2.0
SETUP_BASE = 0.05
RISE_ENERGY, FALL_ENERGY = 0.030, 0.020
LEAKAGE_NW = 0.5

FUNCTIONS: dict[str, tuple[str, Callable[..., int]]] = {
    "INV": ("!A", lambda a: 1 - a),
    "NAND2": ("!(A B)", lambda a, b: 1 - (a & b)),
    "XOR2": ("A ^ B", lambda a, b: a ^ b),
}
SENSE = {"INV": "negative_unate", "NAND2": "negative_unate", "XOR2": "non_unate"}
PINS = {"INV": "A", "NAND2": "AB", "XOR2": "AB"}


def delay_ns(cell: str, rise: bool, slew: float, load: float) -> float:
    return (RISE_BASE if rise else FALL_BASE)[cell] + 0.1 * slew + 2 * load


def slew_ns(slew: float, load: float) -> float:
    return 0.02 + 0.05 * slew + 3 * load


def setup_ns(clock_slew: float, slew: float) -> float:
    return SETUP_BASE + 0.2 * slew - 0.1 * clock_slew


def energy_pj(rise: bool, slew: float, load: float) -> float:
    return (RISE_ENERGY if rise else FALL_ENERGY) + 0.01 * slew + 0.1 * load


def table(name: str, template: str, value: Callable[[float, float], float]) -> str:
    """A table over (0, 1) x (0, 0.5): second axis loads or constrained transitions."""
    rows = [", ".join(repr(value(x, y)) for y in (0.0, 0.5)) for x in (0.0, 1.0)]
    values = ", ".join(f'"{row}"' for row in rows)
    return f"{name} ({template}) {{ values ({values}); }}\n"


def arc_text(cell: str, pin: str, kind: str, sense: str) -> str:
    tables = "".join(
        table(f"cell_{edge}", "delay", lambda s, c, r=rise: delay_ns(cell, r, s, c))
        + table(f"{edge}_transition", "delay", slew_ns)
        for edge, rise in (("rise", True), ("fall", False))
    )
    power = "".join(
        table(f"{edge}_power", "energy", lambda s, c, r=rise: energy_pj(r, s, c))
        for edge, rise in (("rise", True), ("fall", False))
    )
    return (
        f'timing () {{ related_pin : "{pin}"; timing_type : {kind}; timing_sense : {sense};\n'
        f'{tables} }}\ninternal_power () {{ related_pin : "{pin}"; {power} }}\n'
    )


def library_text(power: bool = True) -> str:
    cells = []
    for cell, (function, _) in FUNCTIONS.items():
        pins = "".join(
            f"pin ({p}) {{ direction : input; capacitance : {CAP[cell]}; }}\n" for p in PINS[cell]
        )
        arcs = "".join(arc_text(cell, p, "combinational", SENSE[cell]) for p in PINS[cell])
        cells.append(
            f"cell ({cell}) {{ area : 2; cell_leakage_power : {LEAKAGE_NW};\n{pins}"
            f'pin (Y) {{ direction : output; function : "{function}";\n{arcs} }} }}\n'
        )
    checks = "".join(table(f"{e}_constraint", "check", setup_ns) for e in ("rise", "fall"))
    for name, edge, clock in (("DFF", "rising", "CK"), ("DFFN", "falling", "!CK")):
        cells.append(
            f"cell ({name}) {{ area : 8; cell_leakage_power : {LEAKAGE_NW};\n"
            f'ff (IQ, IQN) {{ next_state : "D"; clocked_on : "{clock}"; }}\n'
            f"pin (CK) {{ direction : input; clock : true; capacitance : {CAP['DFF']}; }}\n"
            f"pin (D) {{ direction : input; capacitance : {CAP['DFF']};\n"
            f'timing () {{ related_pin : "CK"; timing_type : setup_{edge}; {checks} }} }}\n'
            f'pin (Q) {{ direction : output; function : "IQ";\n'
            f"{arc_text('DFF', 'CK', f'{edge}_edge', 'non_unate')} }} }}\n"
        )
    cells.append(
        'cell (LAT) { area : 5; latch (IQ, IQN) { enable : "G"; data_in : "D"; }\n'
        "pin (G) { direction : input; capacitance : 0.01; }\n"
        "pin (D) { direction : input; capacitance : 0.01; }\n"
        'pin (Q) { direction : output; function : "IQ"; } }\n'
    )
    text = (
        "library (small) {\n  /* straight lines; a brace { in a comment */\n"
        '  time_unit : "1ns"; voltage_unit : "1V"; leakage_power_unit : "1nW";\n'
        f"  capacitive_load_unit (1, pf);\n  nom_voltage : {VOLTAGE};\n"
        + template("lu_table", "delay", "input_net_transition", "total_output_net_capacitance")
        + template("power_lut", "energy", "input_transition_time", "total_output_net_capacitance")
        + template("lu_table", "check", "related_pin_transition", "constrained_pin_transition")
        + "".join(cells)
        + "}\n"
    )
    return text if power else text.replace("internal_power", "other_power")


def template(kind: str, name: str, first: str, second: str) -> str:
    return (
        f"  {kind}_template ({name}) {{ variable_1 : {first}; variable_2 : {second};\n"
        '    index_1 ("0, 1"); index_2 ("0, 0.5"); }\n'
    )


def small_library(power: bool = True) -> Library:
    return parse_liberty_text(library_text(power), "small.lib")


def netlist(
    inputs: Mapping[str, int | str],
    outputs: Mapping[str, int | str],
    cells: Mapping[str, tuple[str, Mapping[str, int | str]]],
) -> Netlist:
    """One module `top` of one-bit ports: name to net, instance to (cell, pin to net)."""
    ports = {name: Port(direction="input", bits=(bit,)) for name, bit in inputs.items()}
    ports |= {name: Port(direction="output", bits=(bit,)) for name, bit in outputs.items()}
    made = {
        name: Cell(type=kind, connections={pin: (bit,) for pin, bit in pins.items()})
        for name, (kind, pins) in cells.items()
    }
    names = {bit: f"w{bit}" for _, pins in cells.values() for bit in pins.values()}
    nets = {bit: name for bit, name in names.items() if isinstance(bit, int)}
    top = Module(name="top", ports=ports, cells=made, net_names=nets)
    return Netlist(modules={"top": top}, top="top")


def random_netlist(seed: int, inputs: int = 5, gates: int = 40) -> Netlist:
    """Gates whose inputs are any earlier nets; nets that nothing reads are outputs."""
    chance = random.Random(seed)
    cells: dict[str, tuple[str, dict[str, int | str]]] = {}
    read: set[int] = set()
    for gate in range(gates):
        kind = chance.choice(list(FUNCTIONS))
        pins: dict[str, int | str] = {}
        for pin in PINS[kind]:
            net = chance.randrange(max(0, inputs + gate - 12), inputs + gate)
            read.add(net)
            pins[pin] = net
        cells[f"g{gate}"] = (kind, {**pins, "Y": inputs + gate})
    free = [net for net in range(inputs, inputs + gates) if net not in read]
    return netlist({f"i{n}": n for n in range(inputs)}, {f"o{n}": n for n in free}, cells)
