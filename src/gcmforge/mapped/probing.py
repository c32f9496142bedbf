# SPDX-License-Identifier: Apache-2.0
"""A masked gadget as its netlist of library cells, before the prover of gcmforge.circuit.probing.

Synthesis knows nothing of shares: it may join what was meant to stay apart. So each proof about a
gadget is made again of the gates that it has become.
"""

from __future__ import annotations

from collections.abc import Mapping

from gcmforge.circuit.probing import ProbeGraph, Probing
from gcmforge.circuit.probing.graph import ONE, ZERO, Gate, Node
from gcmforge.leaf.masked import Gadget
from gcmforge.netlist.functions import function_inputs, truth_table
from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Bit, Module, NetlistError
from gcmforge.netlist.targets import Target, library_of

_FIRST = 2
"""Net n of a module is node n + 2; below stand the constants."""


def mapped_probing(gadget: Gadget, target: Target) -> Probing:
    """The gadget, synthesised for a target."""
    from gcmforge.synth.synthesis import synthesise

    made = synthesise(gadget.text(), target, top=gadget.module)
    graph = probe_graph(made.netlist.flatten(), library_of(target))
    return Probing(graph, gadget.roles, gadget.outputs)


def probe_graph(module: Module, library: Library, *, clock: str = "clk") -> ProbeGraph:
    """The gates and registers of a flat module; NetlistError for latches and the like."""
    gates: dict[Node, Gate] = {}
    registers: dict[Node, Node] = {}
    free = _FIRST + module.free_net()
    for name, cell in module.cells.items():
        found = library.cell(cell.type)
        nets = {pin: bits[0] for pin, bits in cell.connections.items() if bits}
        flop = found.flip_flop
        if found.latch is not None or found.clock_gate or (flop and (flop.clear or flop.preset)):
            raise NetlistError(f"cell {name} is a {cell.type}: registers of a probing proof delay "
                               "and do nothing else")  # fmt: skip
        known: dict[str, Node] = {pin: _node(bit) for pin, bit in nets.items()}
        if flop is not None:
            state, data = free, free + 1
            free += 2
            gates[data] = _gate(flop.data, known)
            registers[state] = data
            known |= {flop.state: state}
            gates[free] = Gate(0b01, (state,))
            known[flop.inverted] = free
            free += 1
        for pin in found.outputs:
            if pin.name in nets:
                gates[_node(nets[pin.name])] = _gate(pin.function, known)
    ports = {
        way: {
            name: tuple(_node(bit) for bit in port.bits)
            for name, port in module.ports.items()
            if port.direction == way and name != clock
        }
        for way in ("input", "output")
    }
    names = {_FIRST + net: name for net, name in module.net_names.items()}
    for reader, gate in gates.items():
        if len(gate.args) == 1 and gate.args[0] in registers and reader in names:
            names[gate.args[0]] = f"register {names[reader]}"
    return ProbeGraph(
        name=f"{module.name} on {library.name}",
        inputs=ports["input"],
        outputs=ports["output"],
        gates=gates,
        registers=registers,
        names=names,
    )


def _gate(function: str, known: Mapping[str, Node]) -> Gate:
    inputs = function_inputs(function)
    return Gate(truth_table(function, inputs), tuple(known[name] for name in inputs))


def _node(bit: Bit) -> Node:
    if isinstance(bit, str):
        if bit == "x":
            raise NetlistError("a net without a value")
        return ONE if bit == "1" else ZERO
    return _FIRST + bit
