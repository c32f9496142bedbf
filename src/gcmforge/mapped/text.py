# SPDX-License-Identifier: Apache-2.0
"""A mapped netlist as SystemVerilog for a simulator: one statement a cell, with the function that
the Liberty file states for it, and one register a flip-flop.

Cells stand in the order in which values pass through them, some hundreds in one `always_comb`. So
Verilator has few processes to order, where an instance or an `assign` for each cell takes it many
times as long.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from gcmforge.netlist.functions import Expression, function_inputs, parse_function, truth_table
from gcmforge.netlist.library import LibCell, Library, Pin
from gcmforge.netlist.netlist import Bit, Cell, Module, Netlist, NetlistError

CELLS_A_PROCESS = 400

_OPERATORS = {"and": "&", "or": "|", "xor": "^"}


@dataclass(frozen=True, kw_only=True, slots=True)
class _Driver:
    """What drives a net: an output of a cell by its function, and what the function's names are."""

    function: str
    nets: Mapping[str, Bit]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Register:
    """A flip-flop: the net of its state, and its next state."""

    state: Bit
    clock: Bit
    next: _Driver


def netlist_text(netlist: Netlist, library: Library) -> str:
    """The netlist, flat, as one module with the name and the ports of its top.

    NetlistError for what is not simulated here: latches, clock gates, flip-flops with a set or
    clear of their own that is not tied to do nothing, cells without a function.
    """
    return "".join(_text(netlist.flatten(), library))


def _text(module: Module, library: Library) -> Iterator[str]:
    drivers: dict[Bit, _Driver] = {}
    registers: list[_Register] = []
    free = module.free_net()
    for name, cell in module.cells.items():
        found = library.cell(cell.type)
        nets = {pin: bits[0] for pin, bits in cell.connections.items() if bits}
        _refuse(name, found, nets)
        outputs = {pin.name: pin for pin in found.outputs if pin.name in nets}
        if found.flip_flop is not None:
            flop = found.flip_flop
            shown = [name for name, pin in outputs.items() if pin.function == flop.state]
            nets[flop.state] = nets[shown[0]] if shown else free
            nets[flop.inverted] = free + 1
            drivers[free + 1] = _Driver(function=f"!{flop.state}", nets=nets)
            free += 2
            registers.append(_register(found, nets))
            outputs = {name: pin for name, pin in outputs.items() if name not in shown[:1]}
        for pin in outputs.values():
            drivers[nets[pin.name]] = _driver(name, cell, pin, nets)
    states = [register.state for register in registers]
    names = _names(module)
    order = _ordered(module, drivers, registers)
    ports = ",\n  ".join(_ports(module))
    yield f"module {module.name} (\n  {ports}\n);\n"
    yield from (f"  logic {_name(names, net)};\n" for net in (*states, *order) if net not in names)
    yield from _gates(order, drivers, names)
    yield from _clocked(registers, names)
    for name, port in module.ports.items():
        if port.direction == "output":
            bits = ", ".join(_name(names, bit) for bit in reversed(port.bits))
            yield f"  assign {name} = {{{bits}}};\n"
    yield "endmodule\n"


# ---- cells ---------------------------------------------------------------------------------------


def _refuse(name: str, cell: LibCell, nets: Mapping[str, Bit]) -> None:
    what = ""
    flop = cell.flip_flop
    if cell.latch is not None or cell.clock_gate:
        what = "latches and clock gates"
    elif flop is not None and any(
        set_or_clear and not _tied_off(set_or_clear, nets)
        for set_or_clear in (flop.clear, flop.preset)
    ):
        what = "flip-flops with a set or clear of their own"
    elif any(pin.three_state for pin in cell.outputs):
        what = "outputs of three states"
    if what:
        raise NetlistError(f"cell {name} is a {cell.name}: {what} are not simulated here")


def _tied_off(function: str, nets: Mapping[str, Bit]) -> bool:
    """Whether a set or clear never comes: its function is 0 by constants on the cell's pins."""
    pins = function_inputs(function)
    tied = [nets.get(pin) for pin in pins]
    pattern = sum(1 << number for number, net in enumerate(tied) if net == "1")
    return set(tied) <= {"0", "1"} and not truth_table(function, pins) >> pattern & 1


def _driver(name: str, cell: Cell, pin: Pin, nets: Mapping[str, Bit]) -> _Driver:
    used = function_inputs(pin.function) if pin.function else ()
    if not pin.function or any(one not in nets for one in used):
        raise NetlistError(
            f"cell {name} is a {cell.type}, whose output {pin.name} has no function of its pins"
        )
    return _Driver(function=pin.function, nets=nets)


def _register(cell: LibCell, nets: Mapping[str, Bit]) -> _Register:
    flop = cell.flip_flop
    assert flop is not None
    clock = nets.get(flop.clock)
    if clock is None:
        raise NetlistError(f"{cell.name}: only flip-flops of a pin's rising edge are simulated")
    following = _Driver(function=flop.data, nets=nets)
    return _Register(state=nets[flop.state], clock=clock, next=following)


# ---- order ---------------------------------------------------------------------------------------


def _ordered(
    module: Module, drivers: Mapping[Bit, _Driver], registers: Sequence[_Register]
) -> list[Bit]:
    """Driven nets, each after those that its driver reads; NetlistError for a loop."""
    ends = [net for one in registers for net in _read(one.next)]
    ends += [bit for p in module.ports.values() if p.direction == "output" for bit in p.bits]
    order: list[Bit] = []
    done: dict[Bit, bool] = {}
    for end in ends:
        todo = [(end, False)]
        while todo:
            net, read = todo.pop()
            if read:
                done[net] = True
                order.append(net)
            elif net in drivers and net not in done:
                done[net] = False
                todo.append((net, True))
                todo += [(one, False) for one in _read(drivers[net]) if not done.get(one)]
            elif done.get(net) is False:
                raise NetlistError(f"net {module.net_name(net)} depends on itself")
    return order


def _read(driver: _Driver) -> list[Bit]:
    return [driver.nets[name] for name in function_inputs(driver.function)]


# ---- text ----------------------------------------------------------------------------------------


def _ports(module: Module) -> Iterator[str]:
    for name, port in module.ports.items():
        width = f" [{len(port.bits) - 1}:0]" if len(port.bits) > 1 else ""
        yield f"{port.direction} logic{width} {name}"


def _names(module: Module) -> dict[Bit, str]:
    """Nets that are bits of input ports, and constants."""
    names: dict[Bit, str] = {}
    for name, port in module.ports.items():
        if port.direction == "input":
            one = len(port.bits) == 1
            names |= {b: name if one else f"{name}[{i}]" for i, b in enumerate(port.bits)}
    return names


def _name(names: Mapping[Bit, str], bit: Bit) -> str:
    return f"1'b{bit}" if isinstance(bit, str) else names.get(bit) or f"n{bit}"


def _value(driver: _Driver, names: Mapping[Bit, str]) -> str:
    def text(tree: Expression | str) -> str:
        if isinstance(tree, str):
            return f"1'b{tree}" if tree in ("0", "1") else _name(names, driver.nets[tree])
        operator, left, right = tree
        if operator == "not":
            return f"(~{text(left)})"
        return f"({text(left)} {_OPERATORS[operator]} {text(right)})"

    return text(exact(driver.function))


@cache
def exact(function: str) -> Expression | str:
    """The function in operators that give X only where an X among its inputs matters: a multiplexer
    with the same value at both inputs has that, whatever chooses."""

    def made(tree: Expression | str) -> Expression | str:
        if isinstance(tree, str):
            return tree
        operator, left, right = tree[0], made(tree[1]), made(tree[2])
        both = _chosen(left, right) if operator == "or" else ()
        return ("or", (operator, left, right), ("and", *both)) if both else (operator, left, right)

    return made(parse_function(function))


def _chosen(
    left: Expression | str, right: Expression | str
) -> tuple[Expression | str, Expression | str] | tuple[()]:
    """Of two ANDs, one with a signal and one with its inverse: what else is in them."""
    if isinstance(left, tuple) and isinstance(right, tuple) and left[0] == right[0] == "and":
        for select, one in (left[1:], left[:0:-1]):
            for other_select, other in (right[1:], right[:0:-1]):
                if ("not", select, "") == other_select or ("not", other_select, "") == select:
                    return one, other
    return ()


def _gates(
    order: Sequence[Bit], drivers: Mapping[Bit, _Driver], names: Mapping[Bit, str]
) -> Iterator[str]:
    lines = (f"{_name(names, net)} = {_value(drivers[net], names)};\n" for net in order)
    while some := list(islice(lines, CELLS_A_PROCESS)):
        yield "  always_comb begin\n"
        yield from (f"    {line}" for line in some)
        yield "  end\n"


def _clocked(registers: Sequence[_Register], names: Mapping[Bit, str]) -> Iterator[str]:
    by_clock: dict[str, list[_Register]] = {}
    for one in registers:
        by_clock.setdefault(_name(names, one.clock), []).append(one)
    for clock, found in by_clock.items():
        ones = iter(found)
        while some := list(islice(ones, CELLS_A_PROCESS)):
            yield f"  always_ff @(posedge {clock}) begin\n"
            for one in some:
                yield f"    {_name(names, one.state)} <= {_value(one.next, names)};\n"
            yield "  end\n"
