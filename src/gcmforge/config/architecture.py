# SPDX-License-Identifier: Apache-2.0
"""Cores that are built otherwise from the ground up: what one of them tells of itself.

Such a core is an engine as any other (gcmforge.config.engine), chosen by the option `core`. It has
none of the parts that other options choose, so these keep their defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, cast

from gcmforge.config.engine import Engine, Parameters
from gcmforge.config.installed import engines
from gcmforge.config.option import either, shown

if TYPE_CHECKING:
    from gcmforge.config.core import CoreConfig

STANDARD = "standard"
"""The value of the option `core` for cores that are put together of the parts of other options."""

UNPROTECTED = "Power, electromagnetic and fault attacks: there is no masking and no redundancy."

_FEW = 4
"""As many values are all told."""

Row = tuple[str, str, int, str]
"""Name, direction, width and meaning of a port."""


PartPort = tuple[str, str, int]
"""Name, direction and width."""


def _no_parameters(config: CoreConfig) -> Parameters:
    return ()


def _nothing(config: CoreConfig) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """A part of such a core that has several forms: modules with the same ports."""

    name: str
    """Of the part, as what is around it calls it."""
    purpose: str
    """A line in the header of the module that binds it."""
    ports: tuple[PartPort, ...] | Callable[[CoreConfig], tuple[PartPort, ...]]
    """Name, direction and width of each."""
    target: Callable[[CoreConfig], str]
    """The module that a core has. One of the part's own name is not bound: it is the part."""
    parameters: Callable[[CoreConfig], Parameters] = _no_parameters
    """Of that module."""
    unused: Callable[[CoreConfig], tuple[str, ...]] = _nothing
    """Inputs that it does without."""


def _same(config: CoreConfig) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True, kw_only=True, slots=True)
class Bus:
    """What a register block is put around: keys, commands and answers in one transfer each."""

    module: str
    bits: int
    """Of its streams of data."""
    interface: tuple[str, ...]
    """How a packet's data goes through these, a sentence or two each."""


def _lanes(config: CoreConfig) -> int:
    return config.lanes


@dataclass(frozen=True, kw_only=True, eq=False)
class Architecture(Engine):
    """A whole core. Its module is the top; a second one gives it the streams of gcm_axis."""

    kind: ClassVar[str] = "core"
    prefix: ClassVar[str] = "gcm"

    needs: Mapping[str, tuple[Any, ...]]
    """Options of which it has some values only, and those; the first is the one to begin with."""
    takes: tuple[str, ...]
    """Other options that it understands."""
    title: Callable[[CoreConfig], str]
    """A core in one line."""
    ports: Callable[[CoreConfig], tuple[Row, ...]]
    """Of its module."""
    beat: str
    """What a beat of its own streams is; {config} in it is the core's."""
    status: str
    """The port with the status."""
    streams: str
    """What these are, after "on"."""
    page: str
    """Of docs/theory, which says how it works."""
    interface: tuple[str, ...] | Callable[[CoreConfig], tuple[str, ...]]
    """How a packet goes through them, a sentence or two each."""
    bus: Bus | None = None
    """Where it takes registers=axi4lite."""
    choices: tuple[Choice, ...] = ()
    """Its parts that have several forms."""
    variants: Callable[[CoreConfig], Mapping[str, str]] = _same
    """Leaves that it has in a variant of its own, whatever an option says."""
    wide: str
    """The module that has it inside, and the streams of gcm_axis: with it the core is verified."""
    tops: Callable[[CoreConfig], tuple[str, str]] | None = None
    """Its top, and the module with the streams of gcm_axis, where a core may have others than its
    own module and `wide`. Where the second one is `wide` itself, what is around the core
    instantiates the top in place of its own module; else both have that module inside."""
    laws: tuple[str, ...]
    """Modules whose headers say how many cycles what takes, for the datasheet."""
    diagram: Callable[[CoreConfig], tuple[tuple[str, tuple[str, ...]], ...]]
    """Modules and a few words about each, in a block diagram: of keys, commands, data, what
    encrypts, what hashes, lengths."""
    out: str = "a byte out"
    """What leaves, in the block diagram."""
    beat_cycles: Callable[[CoreConfig], int]
    """From one beat of a long text to the next, with the largest key."""
    packet_cycles: Callable[[CoreConfig, int], int]
    """From one tag to the next, of packets of so many bytes of text and no AAD, at most."""
    text_cycles: Callable[[CoreConfig], int]
    """From a packet's first beat in to its first beat out, in an idle core, at most."""
    key_cycles: Callable[[CoreConfig], int]
    """From one key to the next, at most."""
    bus_cycles: Callable[[CoreConfig, int, int], float] | None = None
    """Of its own bus, for each of many packets of so many bytes of AAD and of text, where packets
    share beats."""
    dot_lanes: Callable[[CoreConfig], int] = _lanes
    """Products in one of its sums, where it has the leaf gf128_dot."""
    release_depth: Callable[[CoreConfig], int] | None = None
    """Beats of its packet buffer where text waits for a verdict, which then is its own."""
    front_lanes: Callable[[CoreConfig], tuple[int, int]] | None = None
    """Lanes in one aes_front, where it has some; how many of them, the last ones, are not of a row
    of counters whose bytes 12 to 14 have two values at most, that of the first and of the last."""
    flows: bool = False
    """Whether it takes a beat in every cycle."""
    unreached: tuple[tuple[str, str], ...] = ()
    """Coverage bins that it alone cannot reach, and why not."""
    own_stores: bool = False
    """Whether keys and powers of H rest in stores of its own, which several read in one cycle: in
    no gcm_ram, so that areas do not count them as what contexts take."""
    masked: bool = False
    """Whether its secrets are in shares, so that it serves protection=masked."""
    for_rates: bool = False
    """Whether it is derived for a rate that no other of its kind has, and never for a goal."""
    withstands: str | Callable[[CoreConfig], str] = UNPROTECTED
    """A sentence or two about attackers at the pins, for the core's documents."""

    def top_of(self, config: CoreConfig) -> str:
        """A core's outermost module, but for a register block."""
        return self.tops(config)[0] if self.tops else self.module

    def wide_of(self, config: CoreConfig) -> str:
        """The module around it with the streams of gcm_axis."""
        return self.tops(config)[1] if self.tops else self.wide

    def bus_of(self, config: CoreConfig) -> Bus | None:
        """What a core has within its register block; None where it has none."""
        return self.bus if config.registers != "off" else None

    def told(self, config: CoreConfig) -> tuple[str, ...]:
        """How a packet goes through a core's own streams."""
        bus = self.bus_of(config)
        if bus:
            return bus.interface
        return self.interface(config) if callable(self.interface) else self.interface

    def told_status(self, config: CoreConfig) -> str:
        """The port with the status."""
        return "m_tag_status" if self.bus_of(config) else self.status


def architecture_of(config: CoreConfig) -> Architecture | None:
    """The descriptor of a core of its own; None for a standard one."""
    return cast(Architecture | None, engines(Architecture.kind).get(config.core))


def dot_lanes(config: CoreConfig) -> int:
    """Products in each sum of them: those of a beat, unless a core of its own has others."""
    own = architecture_of(config)
    return own.dot_lanes(config) if own else config.ghash_lanes


def withstands(config: CoreConfig) -> str:
    """What a core's documents say about attackers at the pins."""
    own = architecture_of(config)
    if own is None:
        return UNPROTECTED
    return own.withstands(config) if callable(own.withstands) else own.withstands


def allowed_values(name: str, values: Sequence[Any]) -> str:
    """Each of a few values; of many, how they go on."""
    if len(values) > _FEW:
        first, second, *_, last = map(shown, sorted(values))
        return f"{name}={first}, {second}, ... {last}"
    return either(f"{name}={shown(value)}" for value in values)


def of_architecture(config: CoreConfig, defaults: Mapping[str, Any]) -> Iterator[str]:
    """What a core of its own refuses, each as the message of a ConfigError."""
    own = architecture_of(config)
    if own is None:
        return
    asked = f"core={own.name}"
    yield from own.refuses(config)
    wrong, foreign = _not_of(own, config, defaults)
    if not wrong and not foreign:
        return
    core = either((*(f"core={name}" for name in _would_take(config, defaults)), f"core={STANDARD}"))
    if wrong:
        named = ", ".join(f"{name}={shown(config[name])}" for name in wrong)
        use = "; ".join(allowed_values(name, own.needs[name]) for name in wrong)
        yield (
            f"{named} with {asked}: it has been built with fewer choices; use {use}"
            f"{',' if len(wrong) == 1 else ';'} or {core}"
        )
    for name in foreign:
        yield (
            f"{name}={shown(config[name])} with {asked}: it has no such part, or one of its "
            f"own; use {name}={shown(defaults[name])}, or {core}"
        )


def _not_of(
    own: Architecture, config: CoreConfig, defaults: Mapping[str, Any]
) -> tuple[list[str], list[str]]:
    """Options with values that this core has not been built with, and such that it has no part
    for."""
    wrong = [name for name, values in own.needs.items() if config[name] not in values]
    foreign = [
        name
        for name, default in defaults.items()
        if name not in understood(own) and config[name] != default
    ]
    return wrong, foreign


def _would_take(config: CoreConfig, defaults: Mapping[str, Any]) -> list[str]:
    """Other cores of their own that have all that is asked for."""
    return [
        one.name
        for one in engines(Architecture.kind).values()
        if isinstance(one, Architecture)
        and one.name != config.core
        and _not_of(one, config, defaults) == ([], [])
    ]


def own_of_cores() -> frozenset[str]:
    """Options that only cores of their own have."""
    return frozenset(name for one in engines(Architecture.kind).values() for name in one.own)


def understood(own: Architecture) -> frozenset[str]:
    """The options that mean something in that core."""
    return frozenset((Architecture.kind, "name", *own.needs, *own.takes, *own.own))
