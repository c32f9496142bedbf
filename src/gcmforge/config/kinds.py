# SPDX-License-Identifier: Apache-2.0
"""What the parts around AES and GHASH tell of themselves: descriptors as in gcmforge.config.engine.

Round keys, hash subkeys, the end of a hash, the release of text, the slots, and the packets of
protocols are each built in one of a few ways. A way is an engine like any other: its sentence, what
it refuses, its parameters, its cycle laws and its counts stand in its folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, cast

from gcmforge.config.engine import Engine, Parameters
from gcmforge.config.installed import engines

if TYPE_CHECKING:
    from gcmforge.config.core import CoreConfig

Field = tuple[str, int, str]
"""Name, width and meaning of an input of a profile."""


def _nothing(config: CoreConfig) -> Mapping[str, float]:
    return {}


def _zero(config: CoreConfig) -> int:
    return 0


@dataclass(frozen=True, kw_only=True, eq=False)
class KeySchedule(Engine):
    """Where round keys come from. Its module is that of a pipeline; loops have parts of theirs."""

    kind: ClassVar[str] = "key_schedule"
    prefix: ClassVar[str] = "aes_schedule"

    feed_cycles: Callable[[CoreConfig, int], int]
    """Cycles until the AES has a key of so many rounds, beyond what every key takes (gcm_keys)."""
    counts: Callable[[CoreConfig], Mapping[str, float]]
    """What a pipeline's round keys are kept and made in, for the estimator."""
    travels: bool = False
    """Whether the round keys are made with the data, so that the AES has S-boxes for them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class KeyUnit(Engine):
    """Where hash subkeys and their powers are made."""

    kind: ClassVar[str] = "key_unit"
    prefix: ClassVar[str] = "gcm_subkey"

    load_cycles: Callable[[CoreConfig], int]
    """From a key's handshake until its context is usable, at most, beyond what every load takes,
    while nothing is under way."""
    round_cycles: Callable[[CoreConfig], int] = _zero
    """From a round key to the end of its round, in a cipher of its own."""
    power_cycles: Callable[[CoreConfig], int] = _zero
    """From each power of H to the next, in a multiplier of its own."""
    diagram: tuple[str, ...]
    """Where H comes from, in a block diagram."""
    counts: Callable[[CoreConfig], Mapping[str, float]] = _nothing
    """What it is made of, for the estimator."""
    dedicated: bool = False
    """Whether it has hardware of its own, and so takes nothing from packets."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Tail(Engine):
    """The end of a hash."""

    kind: ClassVar[str] = "tail"
    prefix: ClassVar[str] = "gcm_tail"

    latency_cycles: Callable[[CoreConfig], int] = _zero
    """From GHASH's digest to the one with the lengths."""
    diagram: tuple[str, ...]
    """What it does, in a block diagram."""
    counts: Callable[[CoreConfig], Mapping[str, float]] = _nothing
    """What it is made of, for the estimator."""
    closing: str
    """The module that says whether a packet's end goes with its last beat."""
    dedicated: bool = False
    """Whether it has a multiplier of its own, and the length block takes no turn of GHASH."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Release(Engine):
    """When text leaves."""

    kind: ClassVar[str] = "release"
    prefix: ClassVar[str] = "gcm_release"

    depth: Callable[[CoreConfig], int] = _zero
    """Beats that it holds."""
    full_depth: Callable[[CoreConfig], int] = _zero
    """Beats with which packets of max_text_bytes follow each other without a pause."""
    counts: Callable[[CoreConfig], Mapping[str, float]] = _nothing
    """What it is made of, for the estimator."""
    holds: bool = False
    """Whether text waits for its packet's verdict."""


def _no_wait(config: CoreConfig, beats: int) -> float:
    return 0.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Slots(Engine):
    """The way of beats to their key stream."""

    kind: ClassVar[str] = "slots"
    prefix: ClassVar[str] = "gcm_middle"

    depth: Callable[[CoreConfig], int]
    """Slots between gcm_issue and gcm_join: what the AES holds of them, and the next ones."""
    counts: Callable[[CoreConfig], Mapping[str, float]]
    """What slots lie in, and what waits before them, for the estimator."""
    diagram: str
    """The module that they lie in, in a block diagram."""
    closing: str = ""
    """The module that says whether a packet's end goes with its last beat, if not the tail's."""
    text_cycles: int = 3
    """From a packet's first beat in to its first beat out, beyond the AES, its command with it."""
    wait_cycles: Callable[[CoreConfig, int], float] = _no_wait
    """Cycles of a packet of so many beats, at least, however the AES and GHASH are."""
    in_step: bool = False
    """Whether slots move on all together, one place a cycle."""
    ahead: bool = False
    """Whether the key stream of a packet is made before its text comes."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Profile(Engine):
    """Packets of a protocol: a module around gcm_axis makes IV and AAD from a header's fields."""

    kind: ClassVar[str] = "profile"

    purpose: str
    """A line in the header of the top that holds it."""
    fields: Iterable[Field] = field(default=())
    """What it takes with a key and with a command instead of an IV."""
    fixed_tag: bool = False
    """Whether tags are always of 16 bytes."""

    @property
    def top(self) -> str:
        """The module that holds it and gcm_axis."""
        return f"gcm_{self.name}"


@dataclass(frozen=True, kw_only=True, slots=True)
class FixedShape:
    """One module of a GHASH for one key; n is the number of blocks that it takes in a beat."""

    module: str
    latency_cycles: Callable[[int], int]
    """From a message's last beat to its digest, or from its first block where these are skewed."""
    beat_cycles: int = 1
    """From one beat to the next."""
    law: Callable[[int, bool], str]
    """Both in words, given n and whether blocks are skewed."""
    parameters: Callable[[int, bool], Parameters] = lambda blocks, skewed: ()
    """Of the module, given the same."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FixedGhash(Engine):
    """A GHASH for one key, which is in its logic. No option chooses it: `gcmforge specialise`
    makes it, as a module of one of its shapes or in a core, where it replaces another GHASH."""

    kind: ClassVar[str] = "fixed_ghash"
    prefix: ClassVar[str] = "ghash"

    shapes: Mapping[str, FixedShape]
    """By name; the first has the module of the engine's name."""
    core_module: str
    """The module that stands in a core, with the ports of any GHASH; `parameters` are its own."""


def fixed_ghash() -> FixedGhash:
    """The GHASH for one key."""
    (found,) = engines("fixed_ghash").values()
    return cast(FixedGhash, found)
