# SPDX-License-Identifier: Apache-2.0
"""What an engine tells of itself.

An engine is one way to build a part of a core: a GHASH, an AES, a key schedule. It is one folder
with two files: its SystemVerilog, and `engine.py`, whose ENGINE is one of the descriptors below or
of those in gcmforge.config.kinds.
All that gcmforge knows of an engine stands there: its sentence in the options, its own options,
what it refuses, its parameters and leaves, its cycle laws, and what the estimator counts.

Which engines there are is found by gcmforge.config.installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from gcmforge.config.option import Option

if TYPE_CHECKING:
    from gcmforge.config.core import CoreConfig

Parameters = tuple[tuple[str, str], ...]
"""Name and literal value of a module's parameters, in the order of its header."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Own:
    """An option of one engine, or of a few of a kind; `without`: why the others lack it."""

    option: Option
    default: Any
    without: str


def _nothing(config: CoreConfig) -> Iterator[str]:
    return iter(())


def _no_parameters(config: CoreConfig) -> Parameters:
    return ()


def _no_leaves(config: CoreConfig) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Engine:
    """What every engine tells of itself."""

    kind: ClassVar[str] = ""
    """The option whose value it is."""
    prefix: ClassVar[str] = ""
    """What its module's name begins with; the kind where empty."""

    name: str
    """The value of that option."""
    says: str
    """What it does, as the rest of a sentence that begins with its name; others may follow."""
    source: str = ""
    """Paper, and equation or figure; empty for what is our own."""
    default: bool = False
    """Whether the option has this value when nobody sets it."""
    rank: int = 0
    """Its place among those of its kind that are not the default; by name where equal."""
    summary: str = ""
    """How a core's summary names it."""
    own: Mapping[str, Own] = field(default_factory=dict)
    """Options that only this engine has, or it and a few of its kind."""
    refuses: Callable[[CoreConfig], Iterator[str]] = _nothing
    """What it cannot be built with, each as a ConfigError's message: asked, why, what to do."""
    parameters: Callable[[CoreConfig], Parameters] = _no_parameters
    """The parameters of its module."""
    leaves: Callable[[CoreConfig], tuple[str, ...]] = _no_leaves
    """The gate-level modules that it instantiates."""
    header: str = ""
    """A line in the header of the module that binds it in a core; empty for none."""

    @property
    def module(self) -> str:
        """Its SystemVerilog module, which is its file and its folder, too."""
        return f"{self.prefix or self.kind}_{self.name}"


def _no_words(config: CoreConfig) -> str:
    return ""


def _none(config: CoreConfig) -> int:
    return 0


def _one(config: CoreConfig) -> int:
    return 1


def _no_wait(config: CoreConfig, blocks: int) -> int:
    return 0


def _multiplier(config: CoreConfig) -> str:
    return config.multiplier


def powers_made(config: CoreConfig, apart: int) -> int:
    """Cycles of a load whose powers of H, one for each lane and stage, are so many cycles apart."""
    return (config.ghash_lanes * config.ghash_stages - 1) * apart + 2


def contexts_only(config: CoreConfig) -> Parameters:
    """Parameters of a GHASH of one lane."""
    return (("Contexts", str(config.contexts)),)


def lanes_and_contexts(config: CoreConfig) -> Parameters:
    """Parameters of a GHASH of several lanes."""
    return (("Lanes", str(config.ghash_lanes)), ("Contexts", str(config.contexts)))


def staged_lanes(config: CoreConfig) -> Parameters:
    """Parameters of a GHASH of several lanes whose products are cut into stages."""
    return (
        ("Lanes", str(config.ghash_lanes)),
        ("Stages", str(config.ghash_stages)),
        ("Contexts", str(config.contexts)),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class GhashEngine(Engine):
    """A GHASH architecture. Cycles are those of its header; tests/laws holds them to simulation."""

    kind: ClassVar[str] = "ghash"

    latency_cycles: Callable[[CoreConfig], int]
    """From a message's last beat to its digest, at most."""
    block_cycles: Callable[[CoreConfig], int] = _one
    """From one beat into it to the next."""
    wait_cycles: Callable[[CoreConfig, int], int] = _no_wait
    """Cycles that the next message waits for the tail of one of so many blocks of text."""
    load_cycles: Callable[[CoreConfig], int] = _one
    """From a hash subkey until messages may use it, at most."""
    powers: Callable[[CoreConfig], int] = _one
    """Powers of H that a dedicated key unit makes for it."""
    counts: Callable[[CoreConfig], Mapping[str, float]] | None = None
    """What it is made of, by kind, for the estimator; None where no estimate knows."""
    path: Callable[[CoreConfig], Mapping[str, float]] | None = None
    """What its longest path depends on, for the estimator; that of a product when None."""
    product: Callable[[CoreConfig], str] = _multiplier
    """What multiplies, in a core's summary."""
    one_block: bool = False
    """Whether it takes one block at a time, and so has one lane."""
    staged: bool = False
    """Whether its products can be cut into pipeline stages (ghash_stages)."""
    summed: bool = False
    """Whether the products of a beat are added before one recombination or reduction."""
    adds_products: bool = False
    """Whether the products of a beat are added after their reduction, in an adder of their own."""
    takes_powers: bool = False
    """Whether a dedicated key unit can make its powers of H."""
    given_powers: bool = False
    """Whether these come one after another on its subkey port, told apart by subkey_first_i."""
    tells_ahead: bool = False
    """Whether it tells a cycle ahead that it will take a beat (in_soon_o)."""
    chooses_powers: bool = True
    """Whether what it multiplies by is chosen after the register of the operand."""
    multiplies: str = ""
    """How it multiplies without a multiplier, such as "by tables"; empty where it has one."""
    stands_in: bool = False
    """Whether a GHASH for one key is built in its place: what is around it stays the same."""
    lengths_first: bool = False
    """Whether the lengths are hashed before the text, so that its tags are NOT those of GCM."""
    product_tail: str = ""
    """Why a dedicated tail makes no sense after it; empty where it does."""


@dataclass(frozen=True, kw_only=True, eq=False)
class AesEngine(Engine):
    """An AES engine: counter blocks in, key stream out."""

    kind: ClassVar[str] = "aes"

    latency_cycles: Callable[[CoreConfig, int], int]
    """From a counter block to its key stream, with a key of so many rounds, when nothing waits."""
    memories_are_registers: bool = False
    """Where S-boxes are memories, their registers stand for those of its rounds."""
    turn: Callable[[CoreConfig], tuple[int, int]]
    """Beats that it takes in one turn, one a cycle, and the cycles of a turn, smallest key."""
    beat_cycles: Callable[[CoreConfig], int]
    """Cycles from one beat to the next, largest key: the average, rounded up."""
    slot_cycles: Callable[[CoreConfig], float]
    """The same, not rounded."""
    counts: Callable[[CoreConfig], Mapping[str, float]]
    """What it is made of, by kind, for the estimator."""
    key_counts: Callable[[CoreConfig], Mapping[str, float]]
    """What the keys of this engine are kept and made in, by kind."""
    diagram: Callable[[CoreConfig], str]
    """Its rounds, in a block diagram."""
    extent: Callable[[CoreConfig], str] = _no_words
    """How much of it is in hardware, in a core's summary, with a space before it."""
    flows: bool = False
    """Whether it takes a beat in every cycle, so that slots can move along with its blocks."""
    cut_rounds: Callable[[CoreConfig], int] = _none
    """Rounds in hardware whose S-boxes may be cut into stages."""
    muxes_after_mix: int = 2
    """Gates of the depth of an XOR that follow MixColumns in a round."""
    side_by_side: bool = False
    """Whether it has loops that read one store of round keys."""
    ring: Callable[[CoreConfig], int] = _one
    """Blocks that go round together, and stand still together when nobody takes the key stream."""
