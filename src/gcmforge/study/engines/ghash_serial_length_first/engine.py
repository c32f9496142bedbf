# SPDX-License-Identifier: Apache-2.0
"""One multiplier that hashes the lengths between AAD and text: its tags are NOT those of GCM."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcmforge.config.engine import GhashEngine, Own, contexts_only
from gcmforge.config.option import Option
from gcmforge.engines.counting import Count, memory, product_of, products

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig


def _refuses(config: CoreConfig) -> Iterator[str]:
    if config[SAYS_SO] != "yes":
        yield (
            f"ghash={config.ghash}: its tags are NOT those of SP 800-38D, and no AES-GCM elsewhere "
            f"takes them; add {SAYS_SO}=yes if that is what you want, or use ghash=serial"
        )
    if config.iv_any:
        yield (
            f"iv={config.iv} with ghash={config.ghash}: Yang 2005 does not say how it would hash "
            "an IV; use iv=96, or ghash=serial"
        )


def _counts(config: CoreConfig) -> Count:
    found = products(product_of(config), 1) + memory(128, config.contexts)
    return found + Count(register=384 + 128 * (config.contexts > 1), xor=256, mux=128, one=1)


SAYS_SO = "tags_not_of_gcm"

ENGINE = GhashEngine(
    name="serial_length_first",
    says="hashes the lengths between AAD and text, so that its tags are NOT those of SP 800-38D "
    "(one lane, iv=96)",
    source="Yang 2005, equation (3)",
    header="Length first, as in Yang 2005: its tags are not those of SP 800-38D.",
    own={
        SAYS_SO: Own(
            option=Option(
                meaning="yes: it is known that the tags of ghash=serial_length_first are NOT "
                "those of SP 800-38D.",
                choices=("no", "yes"),
                expert="to study Yang 2005's GHASH; never in a product",
            ),
            default="no",
            without="its tags are those of SP 800-38D",
        )
    },
    refuses=_refuses,
    parameters=contexts_only,
    leaves=lambda config: ("gf128_mul",),
    latency_cycles=lambda config: 2,
    counts=_counts,
    one_block=True,
    takes_powers=True,
    lengths_first=True,
    product_tail="its length block comes before the text, not at the end",
)
