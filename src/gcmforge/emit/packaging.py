# SPDX-License-Identifier: Apache-2.0
"""What other tools take a core by: IP-XACT for Vivado, a component for VHDL."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gcmforge.config import CoreConfig
from gcmforge.emit.layers import public_ports
from gcmforge.emit.naming import named_path
from gcmforge.emit.packed import DATA, LAST, USER, data_streams, packed
from gcmforge.emit.ports import Port, Stream
from gcmforge.emit.registers import MAP_BYTES
from gcmforge.emit.rendering import render

COMPONENT = "component.xml"
"""Vivado finds it by this name, whatever the core's name is."""

_REGISTERS = "s_axil"


@dataclass(frozen=True, kw_only=True, slots=True)
class Bus:
    """Ports that belong together, by the names that a bus has for them."""

    name: str
    library: str
    type: str
    mode: str
    ports: tuple[tuple[str, str], ...]
    parameters: tuple[tuple[str, str], ...] = ()
    memory_map: str = ""


def component_xml(config: CoreConfig, files: Sequence[str]) -> str:
    """component.xml: IP-XACT of IEEE 1685-2009, the version of Vivado's own.

    Its top is the packed variant where the core has one, so that every stream is an interface.
    """
    made = packed(config)
    ports = made.ports if made else public_ports(config)
    listed = [*files, made.path] if made else files
    return render(
        "component.xml.j2",
        name=config.named("gcm_axis"),
        top=config.named(made.module if made else config.top),
        summary=config.summary,
        buses=list(_buses(ports)),
        map_bytes=MAP_BYTES if config.registers == "axi4lite" else 0,
        ports=ports,
        files=[named_path(config, file) for file in listed],
        constraints=config.named("gcm_axis.xdc"),
    )


def _buses(ports: Sequence[Port]) -> Iterator[Bus]:
    names = [port.name for port in ports]
    there = []
    for stream in data_streams(ports):
        there.append(stream.name)
        yield _stream_bus(stream)
    if any(name.startswith(f"{_REGISTERS}_") for name in names):
        there.append(_REGISTERS)
        fields = tuple(
            (name.removeprefix(f"{_REGISTERS}_").upper(), name)
            for name in names
            if name.startswith(f"{_REGISTERS}_")
        )
        yield Bus(name=_REGISTERS, library="interface", type="aximm", mode="slave", ports=fields,
                  memory_map=_REGISTERS)  # fmt: skip
        yield Bus(name="irq", library="signal", type="interrupt", mode="master",
                  ports=(("INTERRUPT", "irq"),),
                  parameters=(("SENSITIVITY", "LEVEL_HIGH"),))  # fmt: skip
    yield Bus(name="aresetn", library="signal", type="reset", mode="slave",
              ports=(("RST", "aresetn"),), parameters=(("POLARITY", "ACTIVE_LOW"),))  # fmt: skip
    clocked = (("ASSOCIATED_BUSIF", ":".join(there)), ("ASSOCIATED_RESET", "aresetn"))
    yield Bus(name="aclk", library="signal", type="clock", mode="slave", ports=(("CLK", "aclk"),),
              parameters=clocked)  # fmt: skip


def _stream_bus(stream: Stream) -> Bus:
    """An AXI4-Stream, with the parameters by which Vivado compares two that are connected."""
    payload = {port.name.removeprefix(f"{stream.name}_"): port for port in stream.payload}
    there = (stream.valid, stream.ready, *stream.payload)
    values = {
        "TDATA_NUM_BYTES": payload[DATA].width // 8,
        "TDEST_WIDTH": 0,
        "TID_WIDTH": payload["tid"].width if "tid" in payload else 0,
        "TUSER_WIDTH": payload[USER].width if USER in payload else 0,
        "HAS_TREADY": 1,
        "HAS_TSTRB": 0,
        "HAS_TKEEP": int("tkeep" in payload),
        "HAS_TLAST": int(LAST in payload),
    }
    return Bus(
        name=stream.name,
        library="interface",
        type="axis",
        mode="master" if stream.is_output else "slave",
        ports=tuple((port.name.removeprefix(f"{stream.name}_").upper(), port.name)
                    for port in there),
        parameters=tuple((name, str(value)) for name, value in values.items()),
    )  # fmt: skip


def vhdl(config: CoreConfig) -> str:
    """gcm_axis.vhd: the top's component, and an entity that has one with every port."""
    ports = public_ports(config)
    width = max(len(port.name) for port in ports)
    lines = [f"{port.name:{width}} : {_side(port)} {_type(port)}" for port in ports]
    return render(
        "gcm_axis.vhd.j2",
        top=config.named(config.top),
        list=config.named("gcm_axis.f"),
        package=config.named("gcm_axis_component"),
        example=config.named("gcm_axis_example"),
        declared=";\n".join(f"      {line}" for line in lines),
        ports=ports,
        width=width,
        pad=str.ljust,
    )


def _side(port: Port) -> str:
    return "in " if port.direction == "input" else "out"


def _type(port: Port) -> str:
    if port.width == 1:
        return "std_logic"
    return f"std_logic_vector({port.width - 1} downto 0)"
