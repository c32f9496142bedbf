# SPDX-License-Identifier: Apache-2.0
"""From a need of protection against power analysis to the core that has it."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from gcmforge.config.architecture import Architecture, allowed_values, understood
from gcmforge.config.core import CoreConfig, default_of
from gcmforge.config.installed import engines
from gcmforge.config.option import ConfigError, either, shown

MASKED = "masked"
"""The value of the intent protection that asks for one."""

BLOCK_BITS = 128
_FAST = ("balanced", "throughput", "short_packets")
"""Goals that ask for the fastest such core, not the smallest that serves; but for one that takes a
rate to ask for it."""

Choice = tuple[str, Any, str]
"""Option, value, reason."""


def asks(intent: Mapping[str, Any]) -> bool:
    """Whether protection is asked for."""
    return intent.get("protection") == MASKED


def protected(intent: Mapping[str, Any], values: Mapping[str, Any]) -> Iterator[Choice]:
    """The masked core that serves, and what it needs; ConfigError where what was set is against it.

    values: the options that were set.
    """
    own, why = _core(intent, values)
    _check(own, values)
    _check_rate(own, intent)
    if "core" not in values:
        yield "core", own.name, why
    for name, allowed in own.needs.items():
        if name not in values and allowed[0] != default_of(name):
            which = "only" if len(allowed) == 1 else "first"
            yield name, allowed[0], f"the {which} choice of core={own.name}"


def _able() -> list[Architecture]:
    """The masked cores, the slowest first."""
    every = cast(Mapping[str, Architecture], engines("core")).values()
    return sorted((e for e in every if e.masked), key=lambda e: -_cycles(e))


def _core(intent: Mapping[str, Any], values: Mapping[str, Any]) -> tuple[Architecture, str]:
    """Which one, and why."""
    able = _able()
    if "core" in values:
        name = values["core"]
        if (found := next((e for e in able if e.name == name), None)) is None:
            raise ConfigError(
                f"protection={MASKED} with core={shown(name)}: nothing of it is masked; use "
                f"{either(f'core={e.name}' for e in able)}, or protection=none"
            )
        return found, ""
    goal = intent.get("goal")
    fastest = [e for e in able if not e.for_rates][-1]
    rated = "gbit_per_s" in intent and "clock_mhz" in intent
    if goal in _FAST and not (rated and not _serves(fastest, intent)):
        which = "fastest" if fastest is able[-1] else "fastest small"
        return fastest, f"every secret in two shares; the {which} masked core, for goal={goal}"
    if rated:
        why = (
            "every secret in two shares; the smallest masked core of "
            f"{intent['gbit_per_s']} Gbit/s at {intent['clock_mhz']} MHz"
        )
        return next((e for e in able if _serves(e, intent)), able[-1]), why
    return able[0], "every secret in two shares; the smallest masked core"


def _cycles(own: Architecture) -> int:
    """Cycles of a block, with the first of all choices."""
    first = {name: allowed[0] for name, allowed in own.needs.items()}
    return own.beat_cycles(CoreConfig(core=own.name, **first))


def _serves(own: Architecture, intent: Mapping[str, Any]) -> bool:
    """Whether it has the rate at the clock."""
    needed: int = 1000 * intent["gbit_per_s"] * _cycles(own)
    return bool(BLOCK_BITS * intent["clock_mhz"] >= needed)


def _check_rate(own: Architecture, intent: Mapping[str, Any]) -> None:
    """ConfigError where it is too slow for the rate at the clock that was set."""
    if "gbit_per_s" in intent and not _serves(own, intent):
        rate, clock, cycles = intent["gbit_per_s"], intent["clock_mhz"], _cycles(own)
        makes, plural = BLOCK_BITS * clock / cycles / 1000, "s" * (cycles > 1)
        raise ConfigError(
            f"gbit_per_s={rate} with clock_mhz={clock} and protection={MASKED}: core={own.name} "
            f"takes {cycles} cycle{plural} a block, which makes {makes:.2f} Gbit/s; use "
            f"clock_mhz={-(-1000 * rate * cycles // BLOCK_BITS)}, or several cores"
        )


def _check(own: Architecture, values: Mapping[str, Any]) -> None:
    """ConfigError where an option that was set is not one of a masked core."""
    for name, value in values.items():
        allowed = own.needs.get(name)
        given = tuple(sorted(value)) if isinstance(value, (list, set, tuple)) else value
        if allowed is not None and given not in allowed:
            raise ConfigError(
                f"{name}={shown(value)} with protection={MASKED}: a masked core has been built "
                f"with fewer choices; use {allowed_values(name, allowed)}, or protection=none"
            )
        if allowed is None and name not in understood(own) and value != default_of(name):
            having = [f"core={e.name}" for e in _able() if name in understood(e)]
            raise ConfigError(
                f"{name}={shown(value)} with protection={MASKED}: "
                + (f"core={own.name} does not have it; use {either(having)}, or" if having
                   else "no masked core has it;")
                + f" leave {name} out, or use protection=none"
            )  # fmt: skip
