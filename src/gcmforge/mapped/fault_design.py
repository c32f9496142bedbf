# SPDX-License-Identifier: Apache-2.0
"""A mapped netlist as the operations that the simulator of faults does, one net after another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from gcmforge.netlist.functions import Expression, function_inputs, parse_function
from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Bit, Module, NetlistError

AND, OR, XOR, NOT, COPY = range(5)
_CODE = {"and": AND, "or": OR, "xor": XOR}

PORTS, TOP = "ports", "top"


@dataclass(kw_only=True, slots=True)
class FaultDesign:
    """Operations in the order in which values pass through them. Net numbers are the module's;
    those above `named` are within a cell."""

    nets: int
    zero: int
    one: int
    named: tuple[int, ...]
    """Nets that may have a fault: outputs of cells, and inputs of the core but its clock."""
    ops: list[tuple[int, int, int, int]] = field(default_factory=list)
    """Operation, both operands and the result."""
    flops: list[tuple[int, int]] = field(default_factory=list)
    """State, and the net of the next one."""
    places: dict[int, str] = field(default_factory=dict)
    """Instance path of the cell that drives a net; PORTS for inputs."""
    names: dict[int, str] = field(default_factory=dict)
    state_names: dict[int, str] = field(default_factory=dict)
    """Cell names of flip-flops by their state's net."""


class _Builder:
    def __init__(self, module: Module, library: Library) -> None:
        self.module, self.library = module, library
        self.next = module.free_net()
        self.design = FaultDesign(nets=0, zero=self.fresh(), one=self.fresh(), named=())
        self.drivers: dict[Bit, tuple[str, Mapping[str, Bit]]] = {}
        self.states: list[tuple[Bit, str, Mapping[str, Bit]]] = []

    def fresh(self) -> int:
        self.next += 1
        return self.next - 1

    def cells(self) -> None:
        """Which function drives each net, and what registers take."""
        for name, cell in self.module.cells.items():
            found = self.library.cell(cell.type)
            nets: dict[str, Bit] = {pin: bits[0] for pin, bits in cell.connections.items() if bits}
            flop = found.flip_flop
            if flop is not None:
                shown = [p for p in found.outputs if p.name in nets and p.function == flop.state]
                if len(shown) != 1 or flop.clear or flop.preset:
                    raise NetlistError(f"{name} is a {cell.type}: only plain flip-flops are known")
                state = nets[shown[0].name]
                self.states.append((state, flop.data, nets))
                self._place(state, name)
                if isinstance(state, int):
                    self.design.state_names[state] = name
                continue
            for pin in found.outputs:
                if pin.name in nets:
                    self.drivers[nets[pin.name]] = (pin.function, nets)
                    self._place(nets[pin.name], name)

    def _place(self, net: Bit, cell: str) -> None:
        if isinstance(net, int):
            self.design.places[net] = cell.rpartition(".")[0] or TOP

    def number(self, bit: Bit) -> int:
        if isinstance(bit, str):
            return self.design.one if bit == "1" else self.design.zero
        return bit

    def expression(self, tree: Expression | str, nets: Mapping[str, Bit], into: int) -> int:
        """The operations of a function; its value is in `into` where that is a net."""
        if isinstance(tree, str):
            value = self.number(tree if tree in ("0", "1") else nets[tree])
            if into < 0:
                return value
            self.design.ops.append((COPY, value, value, into))
            return into
        operator, left, right = tree
        a = self.expression(left, nets, -1)
        b = a if operator == "not" else self.expression(right, nets, -1)
        out = self.fresh() if into < 0 else into
        self.design.ops.append((NOT if operator == "not" else _CODE[operator], a, b, out))
        return out

    def order(self) -> Iterator[int]:
        """Driven nets, each after those that its driver reads; NetlistError for a loop."""
        done: dict[Bit, bool] = {}
        for end in self.drivers:
            todo = [(end, False)]
            while todo:
                net, read = todo.pop()
                if read:
                    done[net] = True
                    yield self.number(net)
                elif net in self.drivers and net not in done:
                    done[net] = False
                    todo.append((net, True))
                    function, nets = self.drivers[net]
                    reads = [nets[name] for name in function_inputs(function)]
                    todo += [(one, False) for one in reads if not done.get(one)]
                elif done.get(net) is False:
                    raise NetlistError(f"net {self.module.net_name(net)} depends on itself")


def fault_design(module: Module, library: Library, *, clock: str) -> FaultDesign:
    """A flat netlist of plain flip-flops and gates, ready to be simulated with faults."""
    made = _Builder(module, library)
    made.cells()
    for net in made.order():
        function, nets = made.drivers[net]
        made.expression(parse_function(function), nets, net)
    for state, data, nets in made.states:
        following = made.expression(parse_function(data), nets, -1)
        made.design.flops.append((made.number(state), following))
    for name, port in module.ports.items():
        if port.direction == "input" and name != clock:
            for bit in port.bits:
                made.design.places[made.number(bit)] = PORTS
    design = made.design
    design.nets = made.next
    design.named = tuple(sorted(design.places))
    design.names = {net: module.net_name(net) for net in design.named}
    return design
