# SPDX-License-Identifier: Apache-2.0
"""Bindings of the parts inside engines and guards: modules whose name is always the same and whose
content the configuration chooses.

A hand-written module instantiates such a part by its name; the folder has a generated file of that
name, one instance of the hand-written module that was chosen. `parts` has them all; only those that
a core instantiates are made.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from gcmforge.config import CoreConfig
from gcmforge.emit.ports import Port
from gcmforge.emit.rendering import render

BLOCK_RAM_BITS = 7
"""Windows of so many bits and more are looked up in block RAM, narrower ones in LUT RAM."""


def parts(config: CoreConfig) -> dict[str, Callable[[], str]]:
    """How to make each part that a module of this core may instantiate."""
    made = (ghash_window_table,)
    return {make.__name__: partial(make, config) for make in made}


def ghash_window_table(config: CoreConfig) -> str:
    """The memory of one table of ghash_window."""
    bits, splits = config["window_bits"], config["window_splits"]
    width = (128 >> splits) + bits - 1
    depth = config.contexts << bits
    address = (depth - 1).bit_length()
    ports = (
        Port(name="clk", direction="input", width=1),
        Port(name="write_i", direction="input", width=1),
        Port(name="write_addr_i", direction="input", width=address),
        Port(name="write_data_i", direction="input", width=width),
        Port(name="read_i", direction="input", width=1),
        Port(name="read_addr_i", direction="input", width=address),
        Port(name="read_data_o", direction="output", width=width),
    )
    sizes = (("Width", str(width)), ("Depth", str(depth)))
    if bits >= BLOCK_RAM_BITS:
        return _part("ghash_window_table", "A table of this core's GHASH, in block RAM.", ports,
                     "gcm_ram", sizes)  # fmt: skip
    return _part(
        "ghash_window_table",
        "A table of this core's GHASH, in LUT RAM: one port, to read or to write.",
        ports,
        "ghash_table",
        sizes,
        instead={"read_addr_i": "addr_i"},
        unused=("write_addr_i", "read_i"),
    )


def _part(
    module: str,
    purpose: str,
    ports: Sequence[Port],
    target: str,
    parameters: Sequence[tuple[str, str]] = (),
    *,
    instead: Mapping[str, str] | None = None,
    unused: Sequence[str] = (),
) -> str:
    """A module that is one instance of `target`. Its ports are the target's, but for inputs that
    the target does without (`unused`) and those that have another name there (`instead`)."""
    there = {port.name: (instead or {}).get(port.name, port.name) for port in ports}
    kept = [(there[port.name], port.name) for port in ports if port.name not in unused]
    range_width = max(len(port.range) for port in ports)
    return render(
        "binding.sv.j2",
        module=module,
        header=[purpose],
        ports=ports,
        dropped=(),
        constant=(),
        unused=[port for port in ports if port.name in unused],
        target=target,
        instance=f"u_{target.partition('_')[2]}",
        parameters=parameters,
        parameter_width=max((len(name) for name, _ in parameters), default=0),
        connections=kept,
        streams=(),
        reset="",
        port_width=max(len(name) for name, _ in kept),
        pad=str.ljust,
        declare=lambda port: f"{port.direction:6} logic {port.range:{range_width}} {port.name}",
    )
