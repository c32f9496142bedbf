# SPDX-License-Identifier: Apache-2.0
"""What every part is written with: ports, and a module that is one instance of another."""

import re
from collections.abc import Mapping, Sequence

from gcmforge.config import CoreConfig
from gcmforge.config.architecture import Choice
from gcmforge.emit.ports import Port
from gcmforge.emit.rendering import render


def input_(name: str, width: int = 1) -> Port:
    """An input of so many bits."""
    return Port(name=name, direction="input", width=width)


def output(name: str, width: int = 1) -> Port:
    """An output of so many bits."""
    return Port(name=name, direction="output", width=width)


def inputs(ports: Sequence[Port]) -> tuple[str, ...]:
    """The names of the inputs among them."""
    return tuple(port.name for port in ports if port.direction == "input")


def part(
    module: str,
    purpose: str,
    ports: Sequence[Port],
    target: str,
    parameters: Sequence[tuple[str, str]] = (),
    *,
    instead: Mapping[str, str] | None = None,
    unused: Sequence[str] = (),
    given: Mapping[str, str] | None = None,
) -> str:
    """A module that is one instance of `target`. Its ports are the target's, but for inputs that
    the target does without (`unused`), those that have another name there (`instead`) and those
    that get an expression of the ports (`given`)."""
    there = {port.name: (instead or {}).get(port.name, port.name) for port in ports}
    value = {name: text for name, text in (given or {}).items() if name not in unused}
    kept = [
        (there[port.name], value.get(port.name, port.name))
        for port in ports
        if port.name not in unused
    ]
    read = re.findall(r"\w+", " ".join(value.values()))
    range_width = max(len(port.range) for port in ports)
    return render(
        "binding.sv.j2",
        module=module,
        header=[purpose],
        ports=ports,
        dropped=(),
        constant=(),
        unused=[port for port in ports if port.name in (*unused, *value) and port.name not in read],
        target=target,
        instance=f"u_{target.partition('_')[2]}",
        parameters=parameters,
        parameter_width=max((len(name) for name, _ in parameters), default=0),
        connections=kept,
        asides=(),
        streams=(),
        reset="",
        port_width=max(len(name) for name, _ in kept),
        pad=str.ljust,
        declare=lambda port: f"{port.direction:6} logic {port.range:{range_width}} {port.name}",
    )


def chosen(config: CoreConfig, choice: Choice) -> str:
    """A part of a core of its own, in the form that the configuration has."""
    rows = choice.ports(config) if callable(choice.ports) else choice.ports
    ports = [Port(name=name, direction=way, width=width) for name, way, width in rows]
    return part(choice.name, choice.purpose, ports, choice.target(config),
                choice.parameters(config), unused=choice.unused(config))  # fmt: skip
