# SPDX-License-Identifier: Apache-2.0
"""How long a core takes: whether that depends on keys, text, AAD, IVs or tags.

A core is read by Yosys, its leaves aside, and flattened. From each input that has such data every
bit is followed through gates, registers and memories, whatever their conditions: what is not
reached depends on none of it, in any state and for any time. A gate that works bit by bit passes on
the same bit only; any other one, and a leaf, passes everything to all of its outputs. Nothing is
followed through the comparison of a tag: its verdict is public. Nor is it through what finds a
fault: without one it is 0, and a core may take another time with one.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gcmforge.formal.circuit import TIME_LIMIT_S, files_read
from gcmforge.synth.yosys import Yosys

_Bits = list[Any]
_DATA_IN = (
    "s_key_tdata", "s_key_tmask", "s_key_fixed", "s_axis_tdata", "s_axis_aad", "s_axis_tag",
    "s_axis_iv", "s_cmd_tag", "s_cmd_iv",
)  # fmt: skip
_DATA_OUT = {"m_axis_tdata", "m_tag_tag", "m_tag_tdata", "m_tag_iv"}
_VERDICT = re.compile(r"(^|\.)(u_tag\.match|tag_differs|tag_equal)$")
"""The comparison of a tag, as the cores call it."""
_FAULT = re.compile(r"(^|\.)fault_(inside|at_port)$")
"""What finds a fault, as the cores call it."""
_BITWISE = {"$and", "$or", "$xor", "$xnor", "$not", "$pos", "$mux", "$bwmux", "$pmux", "$buf"}
_REGISTERS = {"$dff", "$dffe", "$sdff", "$sdffe", "$sdffce", "$adff", "$adffe", "$aldff", "$dlatch"}
_DATA = {"A", "B", "D", "AD"}
"""Inputs of these of which an output has its own bit; all others are conditions."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Flow:
    """What data reaches."""

    outputs: Mapping[str, tuple[str, ...]]
    """Outputs of the top, each with signals on a way from an input to one of its bits."""
    finds_faults: bool = False
    """The core has checks against faults, and what they find was not followed."""

    @property
    def public(self) -> dict[str, tuple[str, ...]]:
        """Those that have no business with data: handshakes, ends, lengths, statuses."""
        return {name: way for name, way in self.outputs.items() if name not in _DATA_OUT}


def flow(texts: Mapping[str, str], top: str, leaves: Collection[str], cwd: Path) -> Flow:
    """What the data of a core can reach, that comes into its streams."""
    boxes = [f"blackbox {leaf}" for leaf in sorted(leaves)]
    commands = [
        *files_read(texts, top, cwd),
        "proc -norom",
        *boxes,
        "flatten",
        "opt_clean",
        "memory_collect",
        "opt_clean",
        "write_json flow.json",
    ]
    Yosys().run(commands, time_limit_s=TIME_LIMIT_S, cwd=cwd, what=f"reading {top}")
    module = json.loads((cwd / "flow.json").read_text())["modules"][top]
    return _follow(module)


def _follow(module: Mapping[str, Any]) -> Flow:
    nets = module["netnames"]
    faults = {bit for name in nets if _FAULT.search(name) for bit in nets[name]["bits"]}
    barred = {bit for name in nets if _VERDICT.search(name) for bit in nets[name]["bits"]} | faults
    readers: dict[int, list[_Bits]] = defaultdict(list)
    for cell in module["cells"].values():
        for sources, targets in _arcs(cell):
            for bit in sources:
                if isinstance(bit, int):
                    readers[bit].append(targets)
    before: dict[int, int | None] = {}
    ports = module["ports"]
    inputs = tuple(name for name in _DATA_IN if name in ports)
    todo = [bit for name in inputs for bit in ports[name]["bits"]]
    before.update(dict.fromkeys(todo))
    while todo:
        at = todo.pop()
        for targets in readers.get(at, ()):
            for bit in targets:
                if bit not in before and bit not in barred:
                    before[bit] = at
                    todo.append(bit)
    outputs = {name: port["bits"] for name, port in ports.items() if port["direction"] == "output"}
    reached = {name: [bit for bit in bits if bit in before] for name, bits in outputs.items()}
    named = _names(nets)
    return Flow(
        outputs={name: _way(bits[0], before, named) for name, bits in reached.items() if bits},
        finds_faults=bool(faults),
    )


def _arcs(cell: Mapping[str, Any]) -> Iterator[tuple[_Bits, _Bits]]:
    """Bits of a cell's inputs, and those of its outputs that depend on them."""
    kind, pins, directions = cell["type"], cell["connections"], cell["port_directions"]
    outputs = [bit for pin, bits in pins.items() if directions[pin] == "output" for bit in bits]
    if kind.startswith("$mem"):
        yield from _memory_arcs(cell, outputs)
        return
    own = kind in _BITWISE or kind in _REGISTERS
    for pin, bits in pins.items():
        if directions[pin] != "input" or pin == "CLK":
            continue
        if own and pin in _DATA:
            for n, bit in enumerate(bits):
                yield [bit], [outputs[n % len(outputs)]]
        else:
            yield bits, outputs


def _memory_arcs(cell: Mapping[str, Any], outputs: _Bits) -> Iterator[tuple[_Bits, _Bits]]:
    """A bit of a word is written from, and read to, the same bit of any place."""
    pins = cell["connections"]
    width = int(cell["parameters"]["WIDTH"], 2)
    for n, bit in enumerate(pins["WR_DATA"]):
        yield [bit], outputs[n % width :: width]
    for pin in ("WR_ADDR", "WR_EN", "RD_ADDR", "RD_EN", "RD_ARST", "RD_SRST"):
        yield pins.get(pin, []), outputs


def _names(nets: Mapping[str, Any]) -> dict[int, str]:
    """A name of each bit, one that was written where there is one."""
    names: dict[int, str] = {}
    for hidden in (1, 0):
        for name, net in nets.items():
            if net.get("hide_name", 0) == hidden:
                many = len(net["bits"]) > 1
                for n, bit in enumerate(net["bits"]):
                    names[bit] = f"{name}[{n}]" if many else name
    return names


def _way(bit: int, before: Mapping[int, int | None], names: Mapping[int, str]) -> tuple[str, ...]:
    """Signals with a name, from the input on."""
    passed: list[str] = []
    at: int | None = bit
    while at is not None:
        name = names.get(at, "")
        if name and not name.startswith("$"):
            passed.append(name)
        at = before[at]
    return tuple(reversed(passed))
