# SPDX-License-Identifier: Apache-2.0
"""Where a masked core has its random bits from: a port, or a generator that takes seeds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gcmforge.config.architecture import Row
from gcmforge.config.engine import Own
from gcmforge.config.option import Option

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig

RANDOMNESS = "randomness"

OWN = {
    RANDOMNESS: Own(
        option=Option(
            meaning="Random bits of a masked core. randomness=port takes all of them on s_rnd, new "
            "ones in every cycle. randomness=generator makes them of a seed with Trivium (De "
            "Cannière, Preneel, eSTREAM 2005), in a top gcm_masked_seeded or "
            "gcm_masked_fast_seeded: s_rnd takes seeds, five words of 32 bits each. Until it has "
            "one the core stands still.",
            choices=("port", "generator"),
            expert="to have a masked core without a source of many random bits a cycle",
        ),
        default="port",
        without="it takes no random bits, as nothing of it is masked",
    )
}

SEED_WORDS = 5
SEED_LASTS = 256
"""Cycles with random bits before another seed is taken."""
STEPS = 1170
"""Of Trivium, for a warm-up: the first multiple of 26 and of 65 from its own 1,152 on."""

SOURCE = "De Cannière, Preneel, eSTREAM 2005; ISO/IEC 29192-3"


def is_seeded(config: CoreConfig) -> bool:
    """Whether it has a generator."""
    return bool(config[RANDOMNESS] == "generator")


def warm_cycles(bits: int) -> int:
    """From a seed's last word to random bits, of a generator of so many bits in one instance."""
    return STEPS // bits + 2


def stop_cycles(bits: int) -> int:
    """In which there are none for a further seed whose words come one after another."""
    return SEED_WORDS - 1 + warm_cycles(bits) - 1


def tops(module: str, wide: str) -> Callable[[CoreConfig], tuple[str, str]]:
    """Of a core with a generator, or of one without."""
    name = wide.removesuffix("_wide")
    return lambda c: (f"{module}_seeded", f"{name}_seeded_wide") if is_seeded(c) else (module, wide)


def rows(config: CoreConfig, bits: int) -> tuple[Row, ...]:
    """The ports of s_rnd."""
    if is_seeded(config):
        return (
            ("s_rnd_tvalid", "input", 1, "a word of a seed is offered"),
            ("s_rnd_tready", "output", 1, "the core takes it"),
            ("s_rnd_tdata", "input", 32, "four bytes of a seed, the first one lowest; 20 are one"),
        )
    return (
        ("s_rnd_tvalid", "input", 1, "random bits are offered; without, the core stands still"),
        ("s_rnd_tready", "output", 1, "the core takes them"),
        ("s_rnd_tdata", "input", bits, f"{bits} random bits, new in every transfer"),
    )


def interface(config: CoreConfig, bits: int, instances: int) -> tuple[str, ...]:
    """What a core's documents say of s_rnd, before all else."""
    if not is_seeded(config):
        return (
            "Random bits come on `s_rnd`: uniform, independent, and used once. The core takes "
            f"{bits} in every cycle in which it does anything. In a cycle without them it does "
            "nothing, and offers nothing new.",
        )
    each = bits // instances
    several = f"{instances} instances, {each} from each" if instances > 1 else "one instance"
    return (
        f"Random bits are made by Trivium: {bits} a cycle, of {several}. A seed is 20 bytes on "
        "`s_rnd`, four in a word, byte 0 lowest: 10 of a key, 9 of an IV, and one that is ignored. "
        "It has to be random, secret, and used once.",
        "From reset on the core stands still: it takes no key and no command until "
        f"{warm_cycles(each)} cycles after a seed's last word. Another seed is taken after "
        f"{SEED_LASTS} cycles or more with random bits. It takes the place of the one before, and "
        "from its first word until the same time after its last one the core stands still again. "
        "It then goes on where it was.",
        "A seed is not checked. One of zeros is taken, and the results are right, but whoever "
        "knows it knows the random bits, and nothing is protected.",
    )


def withstands(config: CoreConfig) -> str:
    """A sentence or two about attackers at the pins."""
    source = (
        "on the seed at `s_rnd`, and on a generator that is not masked itself"
        if is_seeded(config)
        else "on the random bits at `s_rnd`"
    )
    return (
        "Power analysis: every secret is in two shares, which withstands first order as far as "
        "docs/theory/masking.md of gcmforge says. Second order, electromagnetic and fault attacks "
        f"are not withstood: there is no redundancy. All of it hangs {source}."
    )


def title(config: CoreConfig) -> str:
    """The end of a core's summary."""
    return ", random bits from Trivium" if is_seeded(config) else ""
