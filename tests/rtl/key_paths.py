# SPDX-License-Identifier: Apache-2.0
"""Whether any bit of a key reaches a port, read off a core's netlist.

Key material is what is offered as a key or salt, what follows from it, hash subkeys, and whatever
stands at the key side of a GHASH product. It spreads through every gate, register, memory, select
and enable, but for two places, where it may go on as data:

- an XOR with what has just left the S-boxes of the data path: AddRoundKey, from round 1 on;
- a product of GHASH, or an entry of its tables.

What is left must not reach an output. Values are not looked at: an S-box layer that adds nothing,
or a key that is added twice, would not be seen. Simulation with known keys does that.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gcmforge.emit import BuiltCore
from gcmforge.emit.leaves import LEAF_MODULES
from gcmforge.tools import run_yosys

PRODUCTS = {
    "gf128_mul": "b_i", "gf128_dot": "b_i", "gf128_dot_stored": "k_i",
    "ghash_digit_step": "subkey_i",
}  # fmt: skip
"""Modules that multiply data by a power of H, and the side of the power."""

TABLES = {"ghash_table": "write_data_i"}
IN_TURN = "gf128_residues"
"""Serves blocks and powers in turn: what goes in is no key only because what comes out is stored
as one. The power goes in by a wire of its own, and that is the key side of a product."""
POWER_IN_TURN = ".u_residues.turned"
SUBKEY = "gcm_subkey_shared"
"""Hands a block of the key stream on as H, by wires: from here on it is key material."""
BOXES = ("aes_sub_shift", "ghash_digit_step", *TABLES, SUBKEY)
"""Hand-written modules that are not looked into, in addition to the leaves."""

SHARED_FRONT = "aes_front_shared"
"""Its S-boxes are of the data path, too."""

_BITWISE = {"$not", "$pos", "$buf", "$and", "$or", "$xor", "$xnor"}
_REGISTERS = {"$dff", "$dffe", "$sdff", "$sdffe", "$sdffce", "$adff", "$adffe"}

Bit = int
Bits = list[int | str]


@dataclass(slots=True)
class Graph:
    """Which bit depends on which; numbers above the netlist's stand for whole cells."""

    nets: dict[str, Bits]
    names: dict[Bit, str]
    """The outermost name of each bit."""
    ports: dict[str, tuple[str, Bits]]
    next_bit: Bit
    users: dict[Bit, list[Bit]] = field(default_factory=lambda: defaultdict(list))
    data_of: dict[Bit, list[Bit]] = field(default_factory=lambda: defaultdict(list))
    """Of a bit, those whose values it may have or combine; no selects, enables, addresses."""
    xors: dict[Bit, list[tuple[Bit, Bit]]] = field(default_factory=lambda: defaultdict(list))
    """Of a bit that is added to another: the other, and the sum."""
    fresh: set[Bit] = field(default_factory=set)
    """What has just left the S-boxes of the data path."""
    muxes: dict[Bit, list[Bit]] = field(default_factory=dict)
    linear: list[tuple[Bits, Bits]] = field(default_factory=list)
    """Inputs and outputs of MixColumns."""
    key_side: set[Bit] = field(default_factory=set)
    """Bits that a product multiplies by."""
    subkeys: set[Bit] = field(default_factory=set)
    stored: set[Bit] = field(default_factory=set)
    """Outputs of registers and memories."""

    def join(self, sources: Iterable[int | str], targets: Iterable[int | str], data: bool) -> None:
        """Every target depends on every source."""
        node, self.next_bit = self.next_bit, self.next_bit + 1
        for source in _nets(sources):
            self.edge(source, node, data)
        for target in _nets(targets):
            self.edge(node, target, data)

    def edge(self, source: Bit, target: Bit, data: bool) -> None:
        self.users[source].append(target)
        if data:
            self.data_of[target].append(source)


def _nets(bits: Iterable[int | str]) -> Iterator[Bit]:
    return (bit for bit in bits if isinstance(bit, int))


# ---- the netlist ---------------------------------------------------------------------------------


def key_graph(core: BuiltCore, work: Path) -> Graph:
    """The graph of a built core, its files read as they are now."""
    boxed = [file for file in core.rtl if Path(file).stem in (*LEAF_MODULES, *BOXES)]
    read = [file for file in core.rtl if file not in boxed]
    out = work / "core.json"
    run_yosys(
        [
            f"read_verilog -sv -lib {' '.join(boxed)}", f"read_verilog -sv {' '.join(read)}",
            f"hierarchy -check -top {core.config.top}", "proc",
            f"setattr -set data_path 1 *{SHARED_FRONT}*/t:aes_sbox",
            "memory_collect", "flatten", "opt_clean", f"write_json {out}",
        ],
        time_limit_s=300, cwd=core.path,
    )  # fmt: skip
    module = json.loads(out.read_text())["modules"][core.config.top]
    nets = {name: net["bits"] for name, net in module["netnames"].items()}
    names: dict[Bit, str] = {}
    for name in sorted(nets, key=lambda name: (name.startswith("$"), name.count("."), name)):
        for index, bit in enumerate(nets[name]):
            if isinstance(bit, int):
                names.setdefault(bit, f"{name}[{index}]" if len(nets[name]) > 1 else name)
    ports = {name: (port["direction"], port["bits"]) for name, port in module["ports"].items()}
    graph = Graph(nets=nets, names=names, ports=ports, next_bit=max(names) + 1)
    for cell in module["cells"].values():
        _add(graph, cell)
    turned = [bits for name, bits in nets.items() if name.endswith(POWER_IN_TURN)]
    in_turn = any(cell["type"] == IN_TURN for cell in module["cells"].values())
    assert len(turned) == in_turn, f"{IN_TURN} without the wire {POWER_IN_TURN}"
    graph.key_side.update(bit for bits in turned for bit in _nets(bits))
    _spread_fresh(graph)
    return graph


def _add(graph: Graph, cell: dict[str, Any]) -> None:
    kind, pins = cell["type"], cell["connections"]
    outputs = [pin for pin, side in cell["port_directions"].items() if side == "output"]
    inputs = [bits for pin, bits in pins.items() if pin not in outputs]
    all_inputs = [bit for bits in inputs for bit in bits]
    all_outputs = [bit for pin in outputs for bit in pins[pin]]
    if kind in _BITWISE:
        _add_bitwise(graph, kind, pins)
    elif kind == "$mux":
        _slices(graph, pins["Y"], [pins["A"], pins["B"]], pins["S"], choice=True)
    elif kind == "$pmux":
        width = len(pins["Y"])
        parts = [pins["B"][at : at + width] for at in range(0, len(pins["B"]), width)]
        _slices(graph, pins["Y"], [pins["A"], *parts], pins["S"], choice=True)
    elif kind in _REGISTERS:
        graph.stored.update(_nets(pins["Q"]))
        control = [bit for pin, bits in pins.items() if pin not in "DQ" for bit in bits]
        _slices(graph, pins["Q"], [pins["D"]], control)
    elif kind == "$mem_v2":
        _add_memory(graph, cell["parameters"], pins)
    elif kind in PRODUCTS or kind in TABLES:
        graph.key_side.update(_nets(pins[(PRODUCTS | TABLES)[kind]]))
    elif kind == "aes_sub_shift" or (kind == "aes_sbox" and "data_path" in cell["attributes"]):
        graph.fresh.update(_nets(all_outputs))
    elif kind == SUBKEY:
        graph.subkeys.update(_nets(pins["subkey_o"]))
        words = ("stream_i", "round_key_i", "subkey_o")
        control = [bit for pin, bits in pins.items() if pin not in words for bit in bits]
        graph.join(control, control, data=False)
    else:
        if kind == "aes_mix_column":
            graph.linear.append((all_inputs, all_outputs))
        graph.join(all_inputs, all_outputs, data=kind != IN_TURN)


def _add_bitwise(graph: Graph, kind: str, pins: dict[str, Bits]) -> None:
    operands = [pins[name] for name in ("A", "B") if name in pins]
    gates = {bits[0] for bits in operands if len(bits) > 1 and len(set(bits)) == 1}
    for at, target in enumerate(pins["Y"]):
        bits = list(_nets(bits[min(at, len(bits) - 1)] for bits in operands))
        assert isinstance(target, int)
        if kind in ("$xor", "$xnor") and len(bits) == 2:
            for one, other in (bits, reversed(bits)):
                graph.xors[one].append((other, target))
                graph.data_of[target].append(one)
        else:
            for bit in bits:  # one bit that gates a word is not what the word is
                graph.edge(bit, target, data=bit not in gates)


def _slices(
    graph: Graph, targets: Bits, words: Sequence[Bits], control: Bits, *, choice: bool = False
) -> None:
    """Bit i of the target is one of the words' bits i, as the control says."""
    graph.join(control, targets, data=False)
    for at, target in enumerate(_nets(targets)):
        bits = [word[at] for word in words]
        for bit in _nets(bits):
            graph.edge(bit, target, data=True)
        if choice:
            graph.muxes[target] = list(_nets(bits)) if all(isinstance(b, int) for b in bits) else []


def _add_memory(graph: Graph, parameters: dict[str, Any], pins: dict[str, Bits]) -> None:
    width = int(str(parameters["WIDTH"]), 2)
    reads, writes = (
        [pins[pin][at : at + width] for at in range(0, len(pins[pin]), width)]
        for pin in ("RD_DATA", "WR_DATA")
    )
    control = [bit for pin, bits in pins.items() if not pin.endswith("_DATA") for bit in bits]
    for word in reads:
        graph.stored.update(_nets(word))
        _slices(graph, word, writes, control)


def _spread_fresh(graph: Graph) -> None:
    """Through MixColumns, sums, and choices between two such bits: within the cycle."""
    before = -1
    while before != len(graph.fresh):
        before = len(graph.fresh)
        for inputs, outputs in graph.linear:
            if not graph.fresh.isdisjoint(_nets(inputs)):
                graph.fresh.update(_nets(outputs))
        for one, sums in graph.xors.items():
            if one in graph.fresh:
                graph.fresh.update(target for _, target in sums)
        for target, bits in graph.muxes.items():
            if bits and graph.fresh.issuperset(bits):
                graph.fresh.add(target)


# ---- what reaches what ---------------------------------------------------------------------------


def key_material(graph: Graph, sources: Iterable[str]) -> set[Bit]:
    """The bits of these ports and nets, hash subkeys, and what is stored for the key side of
    products."""
    found = {bit for name in sources for bit in _nets(graph.nets[name])}
    side, todo = set[Bit](), list(graph.key_side)
    while todo:
        bit = todo.pop()
        if bit not in side:
            side.add(bit)
            todo += graph.data_of[bit]
    data = {bit for name in graph.ports if name.startswith(("s_axis", "s_cmd"))
            for bit in _nets(graph.ports[name][1])}  # fmt: skip
    assert side.isdisjoint(data), "the key side of a product is data"
    return found | side & graph.stored | graph.subkeys


def leaks(graph: Graph, sources: Iterable[str], masks: Iterable[str] = ()) -> dict[str, str]:
    """Output bits that key material reaches, each with the way it takes, by names. A sum with one
    of the nets `masks` may go on, too."""
    fresh = graph.fresh | {bit for name in masks for bit in _nets(graph.nets[name])}
    came: dict[Bit, Bit | None] = dict.fromkeys(key_material(graph, sources))
    todo = list(came)
    while todo:
        bit = todo.pop()
        sums = [
            target for other, target in graph.xors.get(bit, ())
            if other not in fresh or other in came
        ]  # fmt: skip
        for target in (*graph.users[bit], *sums):
            if target not in came:
                came[target] = bit
                todo.append(target)
    outputs = (bits for side, bits in graph.ports.values() if side == "output")
    return {
        graph.names[bit]: _way(graph, came, bit)
        for bits in outputs for bit in _nets(bits) if bit in came
    }  # fmt: skip


def _way(graph: Graph, came: dict[Bit, Bit | None], bit: Bit) -> str:
    """From key material to this bit, by the nets that have names."""
    way, at = [], bit
    while at is not None:
        if at in graph.names and not graph.names[at].startswith("$"):
            way.append(graph.names[at])
        at = came[at]
    return " <- ".join(way)
