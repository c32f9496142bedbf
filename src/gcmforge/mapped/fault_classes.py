# SPDX-License-Identifier: Apache-2.0
"""To which part of a core a net of its netlist belongs, by the instance that drives it, or by the
registers that it reaches."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from gcmforge.mapped.fault_design import COPY, NOT, PORTS, TOP, FaultDesign
from gcmforge.netlist.netlist import Module

SBOXES, MIX, AES, KEYS, GHASH, DATA = (
    "S-boxes", "MixColumns", "AES", "key schedule", "GHASH", "data and IV",
)  # fmt: skip
CONTROL, CHECKS, SHARED = "control, both copies", "checks", "of several parts"
CLASSES = (SBOXES, MIX, AES, KEYS, GHASH, DATA, CONTROL, CHECKS, SHARED, PORTS)

_PLACES = (
    (r"u_check_boxes|\.u_boxes|^u_boxes|u_products|micro_byte_sum|u_sum$|u_where", CHECKS),
    (r"u_mix\b", MIX),
    (r"u_sbox", SBOXES),
    (r"^u_control|^u_again", CONTROL),
)
_REGISTERS = (
    (r"^u_where", CHECKS),
    (r"^u_control|^u_again", CONTROL),
    (r"^digest|^u_ghash\.sum_q|^u_ghash\.product_q|subkey_q", GHASH),
    (r"rest_q|_sum|sum_q|parity|products_q|more_q|made_q|loaded_q|odd_q|boxed", CHECKS),
    (r"^u_ghash", GHASH),
    (r"^round_key|^u_schedule", KEYS),
    (r"^stream|^u_aes", AES),
    (r"^data|^u_data|^beat|^iv|^u_iv|^word", DATA),
)


_OUTPUTS = 32
"""A gate before no more outputs than these belongs to them, others hold all outputs back."""


def _match(patterns: tuple[tuple[str, str], ...], text: str) -> str:
    return next((one for pattern, one in patterns if re.search(pattern, text)), "")


def _register_class(name: str) -> str:
    return _match(_REGISTERS, name) or SHARED


def classes(design: FaultDesign, module: Module) -> Mapping[int, str]:
    """The class of each net that may have a fault."""
    reads: dict[int, list[int]] = defaultdict(list)
    for _, a, b, out in design.ops:
        reads[a].append(out)
        if b != a:
            reads[b].append(out)
    ends: dict[int, set[str]] = defaultdict(set)
    for state, following in design.flops:
        ends[following].add(_register_class(design.state_names.get(state, "")))
    for port in module.ports.values():
        if port.direction == "output":
            for bit in port.bits:
                if isinstance(bit, int):
                    ends[bit].add(f"{PORTS} {bit}")
    drivers = {out: (op, a) for op, a, _, out in design.ops}
    return {net: _class(design, net, reads, ends, drivers) for net in design.named}


def _class(
    design: FaultDesign, net: int, reads: Mapping[int, list[int]],
    ends: Mapping[int, set[str]], drivers: Mapping[int, tuple[int, int]],
) -> str:  # fmt: skip
    place = design.places[net]
    if any(one.startswith(PORTS) for one in ends.get(net, ())):
        return PORTS
    if place == PORTS or _buffers_a_port(design, net, drivers):
        return PORTS
    if place != TOP and (found := _match(_PLACES, place)):
        return found
    if net in design.state_names:
        return _register_class(design.state_names[net])
    reached = _reached(net, reads, ends)
    outputs = {one for one in reached if one.startswith(PORTS)}
    reached -= outputs
    if not reached - {CHECKS}:
        before_ports = 0 < len(outputs) <= _OUTPUTS and place == TOP
        return PORTS if before_ports else CHECKS
    parts = reached - {CHECKS, CONTROL}
    if len(parts) == 1:
        return parts.pop()
    return CONTROL if not parts else SHARED


def _buffers_a_port(design: FaultDesign, net: int, drivers: Mapping[int, tuple[int, int]]) -> bool:
    """Whether a net is nothing but an input of the core, or the inverse of one."""
    while net in drivers and drivers[net][0] in (COPY, NOT):
        net = drivers[net][1]
    return design.places.get(net) == PORTS


def _reached(net: int, reads: Mapping[int, list[int]], ends: Mapping[int, set[str]]) -> set[str]:
    """The classes of all registers and outputs that a net changes in its cycle."""
    seen, todo = {net}, [net]
    found: set[str] = set()
    while todo:
        one = todo.pop()
        found |= ends.get(one, set())
        for out in reads.get(one, ()):
            if out not in seen:
                seen.add(out)
                todo.append(out)
    return found
