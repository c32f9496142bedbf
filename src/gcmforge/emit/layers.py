# SPDX-License-Identifier: Apache-2.0
"""What a configuration puts around gcm_axis: hand-written modules, each bound by a generated top.

A layer's port `core_NAME` is joined to the port NAME of what it surrounds, which the new top then
no longer has. A port of a layer that has the name of another port of what it surrounds watches it.
All other ports, of either side, are ports of the new top. A layer's ports for what only some cores
have (`OPTIONAL`) are left alone, or tied to zero, where the core has no such port.
"""

import dataclasses
from dataclasses import dataclass

from gcmforge.config import CoreConfig
from gcmforge.config.kinds import Profile
from gcmforge.emit.package import key_sizes_built
from gcmforge.emit.ports import (
    Port,
    Stream,
    bus_ports,
    own_ports,
    streams_of,
    top_ports,
)
from gcmforge.emit.registers import RESULT_DEPTH

INNER = "core_"
ASIDE = ("s_axis_aad", "s_axis_aad_keep")
OPTIONAL = (*ASIDE, "zeroise")
"""Ports that only a core with aad_lanes has, and only one that can be zeroised."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Layer:
    """One module around what is below it; `top` is the module that holds both."""

    top: str
    module: str
    purpose: str
    parameters: tuple[tuple[str, str], ...]
    ports: tuple[Port, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Bound:
    """A layer, the module inside it with its ports, and the ports of the new top."""

    layer: Layer
    inner: str
    inner_ports: tuple[Port, ...]
    ports: tuple[Port, ...]

    @property
    def wires(self) -> tuple[Port, ...]:
        """The layer's ports that lead inwards."""
        return tuple(port for port in self.layer.ports if port.name.startswith(INNER))

    @property
    def loose(self) -> tuple[Port, ...]:
        """Those of them for which the inner module has no port."""
        names = {port.name for port in self.inner_ports}
        return tuple(wire for wire in self.wires if wire.name.removeprefix(INNER) not in names)

    @property
    def connections(self) -> tuple[tuple[str, str], ...]:
        """Port of the layer -> wire, port of the new top, or zero where there is none. Of a core
        with narrow streams a port of the new top may have fewer bits."""
        known = {port.name: port.width for port in (*self.ports, *self.wires)}

        def joined(port: Port) -> str:
            width = known.get(port.name)
            if width is None:
                return f"{port.width}'d0"
            return port.name if width == port.width else f"{port.width}'({port.name})"

        return tuple((port.name, joined(port)) for port in self.layer.ports)

    @property
    def streams(self) -> tuple[Stream, ...]:
        """The streams of the new top that the layer has a part in; others only pass."""
        inner = {port.name for port in self.inner_ports}
        joined = {wire.name.removeprefix(INNER) for wire in self.wires}
        return tuple(s for s in streams_of(self.ports) if s.valid.name not in inner - joined)

    @property
    def inner_connections(self) -> tuple[tuple[str, str], ...]:
        """Port of the inner module -> wire or port of the new top."""
        joined = {wire.name.removeprefix(INNER): wire.name for wire in self.wires}
        return tuple((port.name, joined.get(port.name, port.name)) for port in self.inner_ports)


def bound_layers(config: CoreConfig) -> tuple[Bound, ...]:
    """The layers of this configuration, innermost first."""
    inner, ports = "gcm_axis", top_ports(config)
    if bus := config.bus:
        inner, ports = bus.module, bus_ports(bus, config)
    bound: list[Bound] = []
    for layer in _layers(config):
        bound.append(Bound(layer=layer, inner=inner, inner_ports=ports, ports=_outer(layer, ports)))
        inner, ports = layer.top, bound[-1].ports
    return tuple(bound)


def checked_streams(config: CoreConfig) -> tuple[Stream, ...]:
    """The streams of gcm_axis that are held to the rules of streams: all but those that come out of
    a layer, which may take an offer back as its header says."""
    joined = {wire.name for bound in bound_layers(config) for wire in bound.wires}
    return tuple(
        stream for stream in streams_of(top_ports(config))
        if stream.is_output or f"{INNER}{stream.valid.name}" not in joined
    )  # fmt: skip


def public_ports(config: CoreConfig) -> tuple[Port, ...]:
    """Ports of the outermost module, `config.top`."""
    bound = bound_layers(config)
    if bound:
        return bound[-1].ports
    return own_ports(config.architecture, config) if config.architecture else top_ports(config)


def _outer(layer: Layer, inner: tuple[Port, ...]) -> tuple[Port, ...]:
    """The layer's own ports before those that only pass; clock and reset first."""
    names = {port.name for port in layer.ports}
    joined = {name.removeprefix(INNER) for name in names if name.startswith(INNER)}
    missing = joined - {port.name for port in inner} - set(OPTIONAL)
    assert not missing, f"{layer.module} joins ports that are not there: {missing}"
    passing = [port for port in inner if port.name not in joined]
    known = {port.name for port in passing} | set(OPTIONAL)
    own = [p for p in layer.ports if p.name not in known and not p.name.startswith(INNER)]
    return (*passing[:2], *own, *passing[2:])


def _layers(config: CoreConfig) -> tuple[Layer, ...]:
    if config.profile_engine:
        return (_profile(config, config.profile_engine),)
    return (_registers(config),) if config.registers == "axi4lite" else ()


# Registers ----------------------------------------------------------------------------------------


_JOINED = (
    "s_key_tvalid", "s_key_tready", "s_key_tdata", "s_key_size", "s_key_context",
    "s_cmd_tvalid", "s_cmd_tready", "s_cmd_context", "s_cmd_decrypt", "s_cmd_tag",
    "s_cmd_tag_bytes", "s_cmd_iv_bytes", "s_cmd_iv",
    "m_tag_tvalid", "m_tag_tready", "m_tag_tag", "m_tag_ok", "m_tag_status",
)  # fmt: skip
_ZEROISE = Port(name="zeroise", direction="input", width=1)


def _registers(config: CoreConfig) -> Layer:
    return Layer(
        top="gcm_axil",
        module="gcm_regs",
        purpose="Keys, commands, answers and counters on AXI4-Lite; data on its streams.",
        parameters=(
            ("Lanes", str(config.lanes)),
            ("Contexts", str(config.contexts)),
            ("KeySizes", key_sizes_built(config)),
            ("AnyIv", f"1'b{int(config.iv_any)}"),
            ("AadLanes", str(config.aad_lanes)),
            ("ResultDepth", str(RESULT_DEPTH)),
            ("ReadyAlone", f"1'b{int(not config.bus)}"),  # a bus takes the last word of a command
            ("Timeout", str(config.timeout)),
        ),
        ports=_register_ports(config),
    )


def _register_ports(config: CoreConfig) -> tuple[Port, ...]:
    rows = (
        ("aclk", "input", 1, ""),
        ("aresetn", "input", 1, ""),
        ("s_axil_awvalid", "input", 1, "an address to write is offered"),
        ("s_axil_awready", "output", 1, "the core takes it"),
        ("s_axil_awaddr", "input", 12, "address in bytes"),
        ("s_axil_awprot", "input", 3, "ignored"),
        ("s_axil_wvalid", "input", 1, "data to write is offered"),
        ("s_axil_wready", "output", 1, "the core takes it"),
        ("s_axil_wdata", "input", 32, "data to write"),
        ("s_axil_wstrb", "input", 4, "which bytes of it"),
        ("s_axil_bvalid", "output", 1, "a write is answered"),
        ("s_axil_bready", "input", 1, "the processor takes the answer"),
        ("s_axil_bresp", "output", 2, "0: done, 2: refused, nothing was changed"),
        ("s_axil_arvalid", "input", 1, "an address to read is offered"),
        ("s_axil_arready", "output", 1, "the core takes it"),
        ("s_axil_araddr", "input", 12, "address in bytes"),
        ("s_axil_arprot", "input", 3, "ignored"),
        ("s_axil_rvalid", "output", 1, "a read is answered"),
        ("s_axil_rready", "input", 1, "the processor takes the answer"),
        ("s_axil_rdata", "output", 32, "what was read"),
        ("s_axil_rresp", "output", 2, "0: done, 2: refused"),
        ("irq", "output", 1, "high while a cause of IRQ_STATUS that is enabled is set"),
    )
    own = tuple(
        Port(name=name, direction=direction, width=width, meaning=meaning)
        for name, direction, width, meaning in rows
    )
    core = {port.name: port for port in top_ports(config)}
    joined = tuple(_inwards(port) for name, port in core.items() if name in _JOINED)
    watched = tuple(
        Port(name=name, direction="input", width=core[name].width)
        for name in (
            "s_axis_tvalid", "s_axis_tready", "s_axis_tkeep", "s_axis_tuser",
            "m_axis_tvalid", "m_axis_tready",
        )
    )  # fmt: skip
    aside = Port(name="s_axis_aad_keep", direction="input", width=16 * max(1, config.aad_lanes))
    return (*own, *joined, *watched, aside, _ZEROISE)


# Profiles -----------------------------------------------------------------------------------------


def _profile(config: CoreConfig, profile: Profile) -> Layer:
    return Layer(
        top=profile.top,
        module=profile.module,
        purpose=profile.purpose,
        parameters=(
            ("Lanes", str(config.lanes)),
            ("Contexts", str(config.contexts)),
            ("AadLanes", str(config.aad_lanes)),
        ),
        ports=_profile_ports(config, profile),
    )


def _profile_ports(config: CoreConfig, profile: Profile) -> tuple[Port, ...]:
    core = {port.name: port for port in top_ports(config)}
    watched = ("aclk", "aresetn", "s_key_context", "s_cmd_context")
    streams = ("s_key_tvalid", "s_key_tready", "s_cmd_tvalid", "s_cmd_tready")
    fields = [
        Port(name=name, direction="input", width=width, meaning=meaning)
        for name, width, meaning in profile.fields
    ]
    handed_on = [core[name] for name in streams]
    handed_on += [core[name] for name in core if name.startswith("s_axis_") and name not in ASIDE]
    made = [core["s_cmd_iv_bytes"], core["s_cmd_iv"]]
    if profile.fixed_tag:
        made.append(core["s_cmd_tag_bytes"])
    side_bits = 128 * max(1, config.aad_lanes)
    aside = [
        Port(name=f"{INNER}{name}", direction="output", width=width)
        for name, width in zip(ASIDE, (side_bits, side_bits // 8), strict=True)
    ]
    return (
        *(dataclasses.replace(core[name], direction="input") for name in watched),
        *fields,
        *handed_on,
        *(_inwards(port) for port in (*handed_on, *made)),
        *aside,
        _ZEROISE,
    )


def _inwards(port: Port) -> Port:
    return Port(name=f"{INNER}{port.name}", direction=_other(port.direction), width=port.width)


def _other(direction: str) -> str:
    return "output" if direction == "input" else "input"
