# SPDX-License-Identifier: Apache-2.0
"""The SystemVerilog that emit writes itself: tops, and one binding for each engine of a core."""

from collections.abc import Sequence
from dataclasses import replace

from gcmforge.config import CoreConfig
from gcmforge.config.engine import Engine
from gcmforge.config.kinds import fixed_ghash
from gcmforge.emit.aside import Aside, command_aside, slot_aside
from gcmforge.emit.layers import Bound, checked_streams
from gcmforge.emit.ports import (
    Port,
    Stream,
    aes_ports,
    fixed_ghash_ports,
    gcm_ghash_ports,
    ghash_ports,
    middle_ports,
    release_ports,
    subkey_ports,
    tail_ports,
    top_ports,
)
from gcmforge.emit.rendering import render


def gcm_axis(config: CoreConfig) -> str:
    """The top: the hand-written core, or what guards it; or what a core of its own is inside."""
    own = config.architecture
    if own:
        return _binding(
            "gcm_axis",
            [
                f"{config.summary}.",
                f"{own.module_of(config)} with the streams of every other core, to verify it.",
            ],
            top_ports(config),
            own.wide,
            own.parameters(config),
            streams=checked_streams(config),
        )
    return _binding(
        "gcm_axis",
        [f"{config.summary}.", "Made by gcmforge from core.toml; belongs to whoever generated it."],
        top_ports(config),
        "gcm_axis_guard" if config.guarded else "gcm_axis_core",
        (),
        tied=_tied(config),
        dropped=_dropped(config),
        zero=("m_tag_tag",) if config.direction == "decrypt" else (),
        asides=command_aside(config),
        streams=checked_streams(config),
    )


def _tied(config: CoreConfig) -> list[tuple[str, str]]:
    """Ports of the hand-written core that this one does without."""
    tied = [] if config.aad_lanes else [("s_axis_aad", "128'd0"), ("s_axis_aad_keep", "16'd0")]
    if config.guarded and config.zeroise == "off":
        tied += [("zeroise", "1'b0")]
    if config.guarded and config.iv != "counter":
        tied += [("s_key_fixed", "32'd0")]
    if not config.guarded:
        tied += [("s_cmd_void", "1'b0")]
    if not config.guarded and not config.ahead:
        tied += [("s_cmd_text_beats", "32'd0")]
    return tied


def _dropped(config: CoreConfig) -> list[Port]:
    """Outputs of the guard that this core does without."""
    if not config.guarded:
        return []
    there = {port.name for port in top_ports(config)}
    outputs = (("zeroise_busy", 1), ("m_tag_iv", 96))
    return [
        Port(name=name, direction="output", width=width)
        for name, width in outputs
        if name not in there
    ]


def layer(bound: Bound) -> str:
    """The top that holds a layer and what it surrounds."""
    target = bound.layer
    range_width = max(len(port.range) for port in bound.ports)
    wire_width = max(len(wire.range) for wire in bound.wires)
    return render(
        "layer.sv.j2",
        module=target.top,
        header=[
            target.purpose,
            "Made by gcmforge from core.toml; belongs to whoever generated it.",
        ],
        ports=bound.ports,
        wires=bound.wires,
        target=target.module,
        instance=f"u_{target.module.removeprefix('gcm_')}",
        parameters=target.parameters,
        parameter_width=max(len(name) for name, _ in target.parameters),
        layer_connections=bound.connections,
        layer_width=max(len(port.name) for port in target.ports),
        loose=bound.loose,
        streams=bound.streams,
        reset=_reset(bound.ports),
        inner=bound.inner,
        inner_instance=f"u_{bound.inner.removeprefix('gcm_')}",
        connections=bound.inner_connections,
        inner_width=max(len(name) for name, _ in bound.inner_connections),
        pad=str.ljust,
        declare=lambda port: f"{port.direction:6} logic {port.range:{range_width}} {port.name}",
        wire_of=lambda wire: f"logic {wire.range:{wire_width}} {wire.name}",
    )


def gcm_aes(config: CoreConfig) -> str:
    """Binds the AES engine of this configuration."""
    return _engine_binding("gcm_aes", "The AES engine of this core.", config.aes_engine, config)


def gcm_ghash(config: CoreConfig) -> str:
    """Binds the GHASH architecture of this configuration."""
    return _engine_binding("gcm_ghash", "The GHASH of this core.", config.ghash_engine, config)


_PORTS = {"aes": aes_ports, "ghash": gcm_ghash_ports}
_CONNECTED = {"aes": aes_ports, "ghash": ghash_ports}


def _engine_binding(module: str, purpose: str, engine: Engine, config: CoreConfig) -> str:
    """The module that binds an engine of any kind, as its descriptor says."""
    return _binding(
        module,
        [purpose, *([engine.header] if engine.header else [])],
        _PORTS[engine.kind](config),
        engine.module,
        engine.parameters(config),
        connected=_CONNECTED[engine.kind](config),
    )


def gcm_subkey(config: CoreConfig) -> str:
    """Binds what makes the hash subkeys of this configuration."""
    return _part("gcm_subkey", "Hash subkeys of this core.", subkey_ports(), config.key_unit_engine,
                 config)  # fmt: skip


def gcm_ghash_fixed(config: CoreConfig) -> str:
    """Binds a GHASH for one key instead."""
    engine = fixed_ghash()
    return _binding(
        "gcm_ghash",
        [engine.header],
        gcm_ghash_ports(config),
        engine.core_module,
        engine.parameters(config),
        connected=fixed_ghash_ports(config),
    )


def gcm_middle(config: CoreConfig) -> str:
    """Binds the way of slots to their key stream that this configuration has."""
    purpose = "How beats meet their key stream in this core."
    ports, engine = middle_ports(config), config.slots_engine
    return _part("gcm_middle", purpose, ports, engine, config, slot_aside(config))


def gcm_release(config: CoreConfig) -> str:
    """Binds what lets the text of this configuration go."""
    purpose = "When text leaves this core."
    return _part("gcm_release", purpose, release_ports(config), config.release_engine, config)


def gcm_tail(config: CoreConfig) -> str:
    """Binds what comes after the GHASH of this configuration."""
    purpose = "The end of a hash in this core."
    return _part("gcm_tail", purpose, tail_ports(config), config.tail_engine, config)


def _part(
    module: str,
    purpose: str,
    ports: Sequence[Port],
    engine: Engine,
    config: CoreConfig,
    asides: Sequence[Aside] = (),
) -> str:
    """Binds what the configuration chose for a part of the core."""
    parameters = engine.parameters(config)
    return _binding(module, [purpose], ports, engine.module, parameters, asides=asides)


def _binding(
    module: str,
    header: Sequence[str],
    ports: Sequence[Port],
    target: str,
    parameters: Sequence[tuple[str, str]],
    connected: Sequence[Port] = (),
    tied: Sequence[tuple[str, str]] = (),
    dropped: Sequence[Port] = (),
    zero: Sequence[str] = (),
    asides: Sequence[Aside] = (),
    streams: Sequence[Stream] = (),
) -> str:
    """A module that is one instance of another, with literal parameters and the same ports, or
    those of them that are connected; the instance's inputs in `tied` have constants, its outputs in
    `dropped` lead nowhere, and the module's outputs that are not connected, or named in `zero`, are
    0. Modules `asides` stand in the way of some ports. In simulation the streams are held to their
    rules."""
    connected = connected or ports
    kept = [*connected, *dropped]
    left = [port for port in ports if port not in connected or port.name in zero]
    hidden = [replace(port, name=f"hidden_{port.name}") for port in ports if port.name in zero]
    there = {port: wire for one in asides for port, wire in one.instead.items()}
    there |= {name: f"hidden_{name}" for name in zero}
    dropped = [*dropped, *hidden]
    range_width = max(len(port.range) for port in ports)
    prefix = "gcm_axis_" if module == "gcm_axis" else f"{target.partition('_')[0]}_"
    return render(
        "binding.sv.j2",
        module=module,
        header=header,
        ports=ports,
        dropped=dropped,
        constant=[port for port in left if port.direction == "output"],
        unused=[*(port for port in left if port.direction == "input"), *dropped],
        target=target,
        instance=f"u_{target.removeprefix(prefix)}",
        parameters=parameters,
        parameter_width=max((len(name) for name, _ in parameters), default=0),
        asides=asides,
        connections=[*((port.name, there.get(port.name, port.name)) for port in kept), *tied],
        streams=streams,
        reset=_reset(ports),
        port_width=max(len(name) for name in (*(port.name for port in kept), *dict(tied))),
        pad=str.ljust,
        declare=lambda port: (
            f"{port.direction:6} {port.kind} {port.range:{range_width}} {port.name}"
        ),
    )


def _reset(ports: Sequence[Port]) -> str:
    """When offers may be taken back: in a reset, and where a core is erased."""
    return "!aresetn || zeroise" if "zeroise" in {port.name for port in ports} else "!aresetn"
