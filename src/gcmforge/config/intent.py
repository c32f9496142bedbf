# SPDX-License-Identifier: Apache-2.0
"""From what an engineer states to a whole configuration.

    plan = plan_core({"goal": "balanced", "gbit_per_s": 100, "clock_mhz": 250, "contexts": 8})
    plan.config      # a CoreConfig with every option
    plan.derived     # options that were not set, each with its value and the reason

A goal derives the expert options: engines, S-box, multiplier, pipeline stages. A need of protection
derives the core that has it (gcmforge.config.protection). An option that is set is never changed.
Without a goal every option that is not set has its own default. A CoreConfig has no goal any more,
only what follows from it: `core.toml` is complete, and builds the same core after a later version
derives something else.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from gcmforge.config.core import CoreConfig, check_names, options
from gcmforge.config.option import ConfigError, Option, shown
from gcmforge.config.protection import BLOCK_BITS, asks, protected
from gcmforge.config.stated import INTENTS

MAX_LANES = 16

STORED_CONTEXTS = 16
"""With more contexts than this the round keys are made with the data: stored ones would take more
area than the rest of the core (estimates on osu018)."""

DIGIT_BITS = 26
"""Up to so many bits a cycle a digit multiplier is smaller than a whole one."""


FEW_ROUNDS = 2
"""With more rounds in hardware a digit multiplier and few places for tags are refused: all blocks
would stand still for each that waits."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Derived:
    """An option that was not set: the value that it got, and why."""

    name: str
    value: Any
    why: str

    def __str__(self) -> str:
        return f"{self.name}={shown(self.value)}: {self.why}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """A configuration, and how it came from what was set."""

    config: CoreConfig
    intent: Mapping[str, Any]
    """The goal, rate, clock and protection that were set."""
    derived: tuple[Derived, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """What the recipe of a goal may look at."""

    lanes: int
    key_sizes: tuple[int, ...]
    contexts: int
    cycles: int | None
    """Cycles that a beat may take at the rate and clock that were set; None: any number."""
    given: Mapping[str, Any]
    """Every option that was set."""

    @property
    def smallest_rounds(self) -> int:
        return min(self.key_sizes) // 32 + 6

    @property
    def rounds(self) -> int:
        return max(self.key_sizes) // 32 + 6


SHORT_BYTES = 64
"""Packets that goal=balanced has places for at full rate."""

Choice = tuple[str, Any, str]
"""Option, value, reason."""


def _area(ask: Ask) -> Iterator[Choice]:
    yield "sbox", "small", "the smallest S-box"
    rounds = _rounds_in_hardware(ask)
    if rounds is None:
        yield "aes", "pipelined", "a block a lane and cycle, which the rate needs"
        yield from _round_keys(ask)
        if ask.lanes == 1:
            yield "ghash", "serial", "one multiplier for one lane"
        yield "multiplier", "ko5_small", "the smallest multiplier of a block a cycle"
        return
    yield "aes", "loop", "a few rounds in hardware, used again and again"
    if rounds > 1:
        yield "aes_rounds", rounds, f"a beat may take {ask.cycles} cycles at this rate and clock"
    yield "key_schedule", "travelling", "round keys are made with the block, not stored"
    if rounds <= FEW_ROUNDS:
        yield "tag_places", 1, "one packet at a time waits for its tag"
    cycles = -(-ask.smallest_rounds // rounds)
    bits = max(4, -(-BLOCK_BITS // cycles))
    if ask.lanes > 1:
        yield "multiplier", "ko5_small", "the smallest multiplier of a block a cycle"
    elif bits > DIGIT_BITS or rounds > FEW_ROUNDS:
        yield "ghash", "serial", "one multiplier for one lane"
        yield "multiplier", "ko5_small", "the smallest multiplier of a block a cycle"
    else:
        yield "ghash", "digit", "a part of a block a cycle, no slower than the AES"
        yield "digit_bits", bits, f"a block in the {cycles} cycles that the AES takes at least"


def _rounds_in_hardware(ask: Ask) -> int | None:
    """The fewest rounds of a loop that reach the rate; None if no loop does."""
    if ask.given.get("aes", "loop") != "loop":
        return None
    if "aes_rounds" in ask.given:
        return int(ask.given["aes_rounds"])
    if ask.cycles is None:
        return 1
    able = (count for count in range(1, 8) if -(-ask.rounds // count) <= ask.cycles)
    return next(able, None)


def _round_keys(ask: Ask) -> Iterator[Choice]:
    if ask.contexts > STORED_CONTEXTS:
        yield (
            "key_schedule", "travelling",
            f"{ask.contexts} contexts: stored round keys would take more than the rest",
        )  # fmt: skip


def _pipeline(ask: Ask, aes_stages: int, ghash_stages: int) -> Iterator[Choice]:
    """Stages of about one length from one end of the core to the other."""
    yield "aes_substages", aes_stages, f"{aes_stages} pipeline stages in each round"
    yield "sbox", "faster", "the S-box of the shortest path for its gates"
    yield "mix_columns", "depth3", "the MixColumns of the shortest path"
    yield "multiplier", "ko5_small", "the smallest multiplier, as it is cut into stages"
    yield "ghash_stages", ghash_stages, "these stages, as short as those of a round"
    yield "slots", "line", "beats move along with the AES: less hardware and a shorter path"
    yield from _round_keys(ask)
    if ask.lanes > 1:
        yield "counter_sharing", "on", "the lanes share what their counters have in common"


def _balanced(ask: Ask) -> Iterator[Choice]:
    return _pipeline(ask, 2, 3 + (ask.lanes > 2))


def _throughput(ask: Ask) -> Iterator[Choice]:
    return _pipeline(ask, 3, 4 + (ask.lanes > 1) + (ask.lanes > 4))


def _short_packets(ask: Ask) -> Iterator[Choice]:
    yield from _balanced(ask)
    yield "tail", "dedicated", "the length block takes no beat of GHASH"
    yield "j0", "dedicated", "the tag's cipher block takes no beat of the AES"
    yield "key_unit", "dedicated", "a new key takes nothing from packets under way"


GOALS: Mapping[str, Callable[[Ask], Iterator[Choice]]] = MappingProxyType(
    {
        "area": _area,
        "balanced": _balanced,
        "throughput": _throughput,
        "short_packets": _short_packets,
    }
)
"""What each goal derives. Chosen by the explorer's estimates on osu018 over these options."""


def plan_core(given: Mapping[str, Any]) -> Plan:
    """The configuration that follows from options and intents by name; ConfigError if none does."""
    known: dict[str, Option] = {**INTENTS, **options()}
    check_names(given, known)
    intent = {name: given[name] for name in INTENTS if name in given}
    for name, value in intent.items():
        INTENTS[name].check(name, value)
    values = {name: value for name, value in given.items() if name not in INTENTS}
    derived = tuple(_derive(intent, values))
    made = {one.name: one.value for one in derived}
    if intent.get("goal") and not [name for name in made if name != "lanes"]:
        raise ConfigError(
            f"goal={intent['goal']}: every option that it decides is set already; leave out the "
            "goal, or the options that it is to decide"
        )
    try:
        config = CoreConfig(**{**values, **made})
    except ConfigError as error:
        if not made:
            raise
        asked = ", ".join(f"{name}={shown(value)}" for name, value in intent.items())
        followed = " ".join(f"{name}={shown(value)}" for name, value in made.items())
        raise ConfigError(f"{error} (from {asked} follows {followed})") from None
    _check_rate(config, intent)
    return Plan(config=config, intent=MappingProxyType(intent), derived=derived)


def _derive(intent: Mapping[str, Any], values: Mapping[str, Any]) -> Iterator[Derived]:
    """What follows for options that were not set."""
    if "gbit_per_s" in intent and "clock_mhz" not in intent:
        raise ConfigError(
            f"gbit_per_s={intent['gbit_per_s']} without clock_mhz: lanes follow from both; set "
            "clock_mhz, too, or lanes instead"
        )
    if asks(intent):
        for name, value, why in protected(intent, values):
            yield Derived(name=name, value=value, why=why)
        return
    plain = CoreConfig(**{name: values[name] for name in _ASKED if name in values})
    lanes = plain.lanes
    if "gbit_per_s" in intent and "lanes" not in values:
        lanes = _lanes(intent["gbit_per_s"], intent["clock_mhz"])
        why = (
            f"{intent['gbit_per_s']} Gbit/s at {intent['clock_mhz']} MHz, in a power of two of "
            f"blocks of {BLOCK_BITS} bits a cycle"
        )
        yield Derived(name="lanes", value=lanes, why=why)
    if "goal" not in intent:
        return
    ask = Ask(
        lanes=lanes,
        key_sizes=plain.key_sizes,
        contexts=plain.contexts,
        cycles=_cycles(intent, lanes),
        given=values,
    )
    made = {**values, "lanes": lanes}
    for name, value, why in GOALS[intent["goal"]](ask):
        if name not in values:
            made[name] = value
            yield Derived(name=name, value=value, why=why)
    if intent["goal"] == "balanced" and "tag_places" not in values:
        yield from _places(made)


def _places(values: Mapping[str, Any]) -> Iterator[Derived]:
    """As many places for packets as short ones take, where a beat comes a cycle."""
    try:
        config = CoreConfig(**values)
    except ConfigError:  # which whoever makes the core of it tells
        return
    if config.cycles_per_beat > 1:
        return
    slots = config.packet_slots(0, SHORT_BYTES)
    places = min(config.full_tag_depth, -(-config.tag_cycles // slots))
    why = f"packets of {SHORT_BYTES} bytes wait for no place"
    yield Derived(name="tag_places", value=places, why=why)


_ASKED = ("lanes", "key_sizes", "contexts")


def _lanes(gbit_per_s: int, clock_mhz: int) -> int:
    needed = -(-1000 * gbit_per_s // (BLOCK_BITS * clock_mhz))
    if needed > MAX_LANES:
        least = math.ceil(1000 * gbit_per_s / (BLOCK_BITS * MAX_LANES))
        raise ConfigError(
            f"gbit_per_s={gbit_per_s} with clock_mhz={clock_mhz}: it takes {needed} lanes, and a "
            f"core has {MAX_LANES} at most; use clock_mhz={least} or more, or several cores"
        )
    return 1 << (needed - 1).bit_length()


def _cycles(intent: Mapping[str, Any], lanes: int) -> int | None:
    if "gbit_per_s" not in intent:
        return None
    return BLOCK_BITS * lanes * int(intent["clock_mhz"]) // (1000 * int(intent["gbit_per_s"]))


def _check_rate(config: CoreConfig, intent: Mapping[str, Any]) -> None:
    """Options that were set may be too slow for the rate that was set."""
    if "gbit_per_s" not in intent:
        return
    rate, clock = intent["gbit_per_s"], intent["clock_mhz"]
    reached = config.data_bits * clock / config.cycles_per_beat / 1000
    if reached < rate:
        raise ConfigError(
            f"gbit_per_s={rate} with clock_mhz={clock}, lanes={config.lanes} and "
            f"aes={config.aes}: a beat of {config.data_bits} bits in {config.cycles_per_beat} "
            f"cycle{'s' * (config.cycles_per_beat > 1)} makes {reached:.1f} Gbit/s; set fewer of "
            "these, and the rest follows"
        )
