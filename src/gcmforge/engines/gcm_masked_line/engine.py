# SPDX-License-Identifier: Apache-2.0
"""A masked core of a block a cycle: a row of sixteen S-boxes in shares for each round of AES."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcmforge.config.architecture import Architecture
from gcmforge.engines.gcm_masked import randomness
from gcmforge.engines.gcm_masked.engine import ENGINE as SMALL
from gcmforge.engines.gcm_masked_fast.engine import ENGINE as FAST
from gcmforge.engines.gcm_masked_fast.engine import STREAMS

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig

SBOXES = 160
BLOCK_CYCLES = 1
PACKET_CYCLES = 86
BEAT_CYCLES = 84
"""From a command to the first beat of text, at most; masked_line_wide keeps it a cycle more."""
KEY_CYCLES = 173
TAG_CYCLES = 26
"""More for a tag that is compared."""

RANDOM_BITS = {"S-boxes": 18 * SBOXES, "keys and H": 12, "digest": 128}
"""A cycle. 12 bits in each of 11 cycles are a new sharing of a block."""


def random_bits() -> int:
    """Of `s_rnd`, in every cycle."""
    return sum(RANDOM_BITS.values())


def _refuses(config: CoreConfig) -> Iterator[str]:
    yield from SMALL.refuses(config)
    if randomness.is_seeded(config):
        yield (
            f"randomness=generator with core={config.core}: {random_bits():,} bits a cycle are "
            f"{-(-random_bits() // 65)} instances of Trivium, larger than the unmasked core; use "
            "randomness=port, or core=masked_fast"
        )


def _packet_cycles(config: CoreConfig, text_bytes: int) -> int:
    """Command, E(K, J0), the lengths and the tag; and each block."""
    return PACKET_CYCLES + max(1, -(-text_bytes // 16))


ENGINE = Architecture(
    name="masked_line",
    says="is masked as core=masked is, with sixteen S-boxes for each of ten rounds: a block a "
    "cycle in long packets, streams of 128 bits in a top gcm_masked_line",
    needs=SMALL.needs,
    takes=(*SMALL.takes, "multiplier"),
    refuses=_refuses,
    parameters=SMALL.parameters,
    leaves=lambda config: (*SMALL.leaves(config), "gf128_mul"),
    title=lambda config: (
        "AES-128-GCM, masked core of a block a cycle: every secret in two shares, 160 S-boxes in "
        f"shares, four products of GHASH ({config.multiplier}), 1 context"
    ),
    ports=lambda config: (
        *(row for row in FAST.ports(config) if not row[0].startswith("s_rnd")),
        *randomness.rows(config, random_bits()),
    ),
    beat=FAST.beat,
    status=FAST.status,
    streams=FAST.streams,
    page="masking",
    interface=lambda config: (
        *randomness.interface(config, random_bits(), 1),
        *STREAMS,
    ),
    choices=(),
    wide="masked_line_wide",
    laws=("gcm_masked_line", "masked_line_aes", "masked_line_ghash"),
    diagram=lambda config: (
        ("masked_line_share", ("round keys,", "in two shares")),
        ("gcm_masked_line", ("IV and counter",)),
        ("gcm_masked_line", ("one beat,", "one packet")),
        ("masked_line_aes", ("a block a cycle,", "160 S-boxes in shares")),
        ("masked_line_ghash", ("four products,", "a block a cycle")),
        ("masked_line_lengths", ("bytes of AAD", "and of text")),
    ),
    out="a beat out",
    beat_cycles=lambda config: BLOCK_CYCLES,
    packet_cycles=_packet_cycles,
    text_cycles=lambda config: BEAT_CYCLES + 1,
    key_cycles=lambda config: KEY_CYCLES,
    masked=True,
    for_rates=True,
    withstands=SMALL.withstands,
)
