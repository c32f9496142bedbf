# SPDX-License-Identifier: Apache-2.0
"""What a configuration puts around gcm_axis: hand-written modules, each bound by a generated top.

A layer's port `core_NAME` is joined to the port NAME of what it surrounds, which the new top then
no longer has. A port of a layer that has the name of another port of what it surrounds watches it.
All other ports, of either side, are ports of the new top.
"""

from dataclasses import dataclass

from gcmforge.build.ports import Port, top_ports
from gcmforge.build.registers import RESULT_DEPTH
from gcmforge.config import CoreConfig

INNER = "core_"


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
    def inner_connections(self) -> tuple[tuple[str, str], ...]:
        """Port of the inner module -> wire or port of the new top."""
        joined = {wire.name.removeprefix(INNER): wire.name for wire in self.wires}
        return tuple((port.name, joined.get(port.name, port.name)) for port in self.inner_ports)


def bound_layers(config: CoreConfig) -> tuple[Bound, ...]:
    """The layers of this configuration, innermost first."""
    inner, ports, bound = "gcm_axis", top_ports(config), []
    for layer in _layers(config):
        bound.append(Bound(layer=layer, inner=inner, inner_ports=ports, ports=_outer(layer, ports)))
        inner, ports = layer.top, bound[-1].ports
    return tuple(bound)


def public_ports(config: CoreConfig) -> tuple[Port, ...]:
    """Ports of the outermost module, `config.top`."""
    bound = bound_layers(config)
    return bound[-1].ports if bound else top_ports(config)


def _outer(layer: Layer, inner: tuple[Port, ...]) -> tuple[Port, ...]:
    """The layer's own ports before those that only pass; clock and reset first."""
    names = {port.name for port in layer.ports}
    joined = {name.removeprefix(INNER) for name in names if name.startswith(INNER)}
    missing = joined - {port.name for port in inner}
    assert not missing, f"{layer.module} joins ports that are not there: {missing}"
    passing = [port for port in inner if port.name not in joined]
    known = {port.name for port in passing}
    own = [p for p in layer.ports if p.name not in known and not p.name.startswith(INNER)]
    return (*passing[:2], *own, *passing[2:])


def _layers(config: CoreConfig) -> tuple[Layer, ...]:
    return (_registers(config),) if config.registers == "axi4lite" else ()


def _registers(config: CoreConfig) -> Layer:
    sizes = "".join(str(int(size in config.key_sizes)) for size in (256, 192, 128))
    return Layer(
        top="gcm_axil",
        module="gcm_regs",
        purpose="Keys, commands, answers and counters behind AXI4-Lite; data on its streams.",
        parameters=(
            ("Lanes", str(config.lanes)),
            ("Contexts", str(config.contexts)),
            ("KeySizes", f"3'b{sizes}"),
            ("AnyIv", f"1'b{int(config.iv_any)}"),
            ("ResultDepth", str(RESULT_DEPTH)),
        ),
        ports=_register_ports(config),
    )


def _register_ports(config: CoreConfig) -> tuple[Port, ...]:
    rows = (
        ("aclk", "input", 1, ""),
        ("aresetn", "input", 1, ""),
        ("s_axil_awvalid", "input", 1, "an address to write is offered"),
        ("s_axil_awready", "output", 1, "it is taken"),
        ("s_axil_awaddr", "input", 12, "address in bytes"),
        ("s_axil_awprot", "input", 3, "ignored"),
        ("s_axil_wvalid", "input", 1, "data to write is offered"),
        ("s_axil_wready", "output", 1, "it is taken"),
        ("s_axil_wdata", "input", 32, "data to write"),
        ("s_axil_wstrb", "input", 4, "which bytes of it"),
        ("s_axil_bvalid", "output", 1, "a write is answered"),
        ("s_axil_bready", "input", 1, "the answer is taken"),
        ("s_axil_bresp", "output", 2, "0: done, 2: refused, nothing was changed"),
        ("s_axil_arvalid", "input", 1, "an address to read is offered"),
        ("s_axil_arready", "output", 1, "it is taken"),
        ("s_axil_araddr", "input", 12, "address in bytes"),
        ("s_axil_arprot", "input", 3, "ignored"),
        ("s_axil_rvalid", "output", 1, "a read is answered"),
        ("s_axil_rready", "input", 1, "the answer is taken"),
        ("s_axil_rdata", "output", 32, "what was read"),
        ("s_axil_rresp", "output", 2, "0: done, 2: refused"),
        ("irq", "output", 1, "high while an enabled cause of IRQ_STATUS is"),
    )
    own = tuple(
        Port(name=name, direction=direction, width=width, meaning=meaning)
        for name, direction, width, meaning in rows
    )
    core = {port.name: port for port in top_ports(config)}
    joined = tuple(
        Port(name=f"{INNER}{name}", direction=_other(port.direction), width=port.width)
        for name, port in core.items()
        if name.startswith(("s_key_", "s_cmd_", "m_tag_"))
    )
    watched = tuple(
        Port(name=name, direction="input", width=core[name].width)
        for name in (
            "s_axis_tvalid", "s_axis_tready", "s_axis_tkeep", "s_axis_tuser",
            "m_axis_tvalid", "m_axis_tready",
        )
    )  # fmt: skip
    return (*own, *joined, *watched)


def _other(direction: str) -> str:
    return "output" if direction == "input" else "input"
