# SPDX-License-Identifier: Apache-2.0
"""The ports of a core as nothing but AXI4-Stream: what has fields of its own is packed.

Keys, commands and answers have ports beside TDATA that the standard does not know. Here each of
these streams has all of its fields in TDATA. A stream with a TUSER, the data's, gets more of it.

- Each field begins at a byte; the bits up to the next one are ignored, and 0 where they come out.
- In TDATA the longest field is first, and fields of one length are in the order of their ports.
- TDATA is filled up to a power of two of bytes: FIFOs, converters and DMAs are made for these.
- Answers have a TLAST that is always high, as a DMA that writes them to memory needs its end.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from gcmforge.config import CoreConfig
from gcmforge.emit.layers import public_ports
from gcmforge.emit.ports import Port, Stream, streams_of
from gcmforge.emit.rendering import render

FOLDER = "ip"
DATA, USER, LAST = "tdata", "tuser", "tlast"
STANDARD = (DATA, "tkeep", USER, LAST, "tid")
"""Payload that AXI4-Stream knows."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Field:
    """A port of the core, and where it is in the port that carries it."""

    port: Port
    bit: int

    @property
    def end(self) -> int:
        return self.bit + self.port.width

    @property
    def place(self) -> str:
        """Its bits, as SystemVerilog selects them."""
        return _select(self.bit, self.end)


@dataclass(frozen=True, kw_only=True)
class Record:
    """A port of AXI4-Stream that carries several ports of the core."""

    port: Port
    fields: tuple[Field, ...]

    @cached_property
    def gaps(self) -> tuple[tuple[str, int], ...]:
        """What no field uses: its bits, as selected, and how many these are."""
        edges = [0, *(edge for field in self.fields for edge in (field.bit, field.end))]
        edges.append(self.port.width)
        pairs = zip(edges[::2], edges[1::2], strict=True)
        return tuple((_select(low, high), high - low) for low, high in pairs if low < high)


@dataclass(frozen=True, kw_only=True)
class Packed:
    """The module around a core's top: its ports, and what is packed into which of them."""

    module: str
    core: str
    records: tuple[Record, ...]
    ports: tuple[Port, ...]
    ends: tuple[Port, ...]
    """The TLAST of streams whose transfers are packets of their own."""

    @property
    def path(self) -> str:
        """Where it is in the core's folder. No file list has it: the core does without."""
        return f"{FOLDER}/{self.module}.sv"


def packed(config: CoreConfig) -> Packed | None:
    """The packed variant; None for a core whose ports are AXI4-Stream and AXI4-Lite already."""
    streams = data_streams(public_ports(config))
    records = {one.name: record for one in streams if (record := _record(one))}
    if not records:
        return None
    ends = tuple(
        Port(name=f"{name}_{LAST}", direction="output", width=1)
        for name, record in records.items()
        if record.port.name == f"{name}_{DATA}" and record.port.direction == "output"
    )
    return Packed(
        module=f"{config.top}_packed",
        core=config.top,
        records=tuple(records.values()),
        ports=tuple(_ports(public_ports(config), streams, records, ends)),
        ends=ends,
    )


def _ports(
    ports: Sequence[Port],
    streams: Sequence[Stream],
    records: Mapping[str, Record],
    ends: Sequence[Port],
) -> Iterator[Port]:
    """The ports in their order, but those of a stream together where its first one was."""
    found = {port.name: one for one in streams for port in (one.valid, one.ready, *one.payload)}
    done: set[str] = set()
    for port in ports:
        stream = found.get(port.name)
        if stream is None:
            yield port
        elif stream.name not in done:
            done.add(stream.name)
            record = records.get(stream.name)
            fields = [field.port for field in record.fields] if record else []
            yield from (stream.valid, stream.ready)
            yield from [record.port] if record else []
            yield from (one for one in stream.payload if one not in fields)
            yield from (end for end in ends if end.name.startswith(f"{stream.name}_"))


def data_streams(ports: Sequence[Port]) -> tuple[Stream, ...]:
    """The AXI4-Streams among the ports; those of AXI4-Lite are none."""
    return tuple(one for one in streams_of(ports) if one.valid.name == f"{one.name}_tvalid")


def _record(stream: Stream) -> Record | None:
    kinds = {port.name.removeprefix(f"{stream.name}_"): port for port in stream.payload}
    own = [port for kind, port in kinds.items() if kind not in STANDARD]
    if not own:
        return None
    carrier = USER if USER in kinds else DATA
    carried = [*([kinds[carrier]] if carrier in kinds else []), *own]
    if carrier == DATA:
        carried.sort(key=lambda port: -_bytes(port))
    fields, end = [], 0
    for port in carried:
        fields.append(Field(port=port, bit=8 * end))
        end += _bytes(port)
    if carrier == DATA:
        end = 1 << (end - 1).bit_length()
    width = 8 * end
    direction = stream.valid.direction
    return Record(
        port=Port(name=f"{stream.name}_{carrier}", direction=direction, width=width),
        fields=tuple(fields),
    )


def _bytes(port: Port) -> int:
    return -(-port.width // 8)


def _select(low: int, high: int) -> str:
    return f"[{high - 1}:{low}]" if high - low > 1 else f"[{low}]"


def packed_module(config: CoreConfig) -> dict[str, str]:
    """Its SystemVerilog by its place in the folder; nothing where there is none."""
    made = packed(config)
    if made is None:
        return {}
    places = {
        field.port.name: f"{record.port.name}{field.place}"
        for record in made.records
        for field in record.fields
    }
    ports = public_ports(config)
    range_width = max(len(port.range) for port in made.ports)
    text = render(
        "packed.sv.j2",
        made=made,
        outputs=[record for record in made.records if record.port.direction == "output"],
        spare=[
            f"{record.port.name}{place}"
            for record in made.records
            if record.port.direction == "input"
            for place, _ in record.gaps
        ],
        connections=[(port.name, places.get(port.name, port.name)) for port in ports],
        port_width=max(len(port.name) for port in ports),
        pad=str.ljust,
        declare=lambda port: f"{port.direction:6} logic {port.range:{range_width}} {port.name}",
    )
    return {made.path: text}


def packed_rows(config: CoreConfig) -> list[tuple[str, str, str, int]]:
    """For documents: the port, bits of it, the port of the core that they are, and its width."""
    made = packed(config)
    return [
        (record.port.name, field.place.strip("[]"), field.port.name, field.port.width)
        for record in (made.records if made else ())
        for field in record.fields
    ]


def packed_note(config: CoreConfig) -> str:
    """What the table of fields does not say, in a paragraph."""
    made = packed(config)
    if made is None:
        return ""
    names = [f"`{record.port.name}` has {record.port.width} bits" for record in made.records]
    ends = [
        f" `{port.name}` is always 1: each transfer is a packet of its own." for port in made.ends
    ]
    return (
        f"{', '.join(names)}. What no field uses is ignored, and 0 where it comes out."
        f"{''.join(ends)}"
    )
