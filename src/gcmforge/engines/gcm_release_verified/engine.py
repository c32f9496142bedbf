# SPDX-License-Identifier: Apache-2.0
"""Text that leaves after its packet's verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gcmforge.config.engine import Parameters
from gcmforge.config.kinds import Release
from gcmforge.engines.counting import Count, beat_bits, memory

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig


def _full_depth(config: CoreConfig) -> int:
    """n + v + 1 for packets of n beats whose verdict comes v cycles after their end."""
    own = config.architecture
    if own and own.release_depth:
        return own.release_depth(config)
    return config.packet_beats + config.verdict_cycles + 1


def _depth(config: CoreConfig) -> int:
    return config.buffer_beats or _full_depth(config)


def _parameters(config: CoreConfig) -> Parameters:
    return (
        ("Width", str(beat_bits(config))),
        ("Depth", str(_depth(config))),
        ("Pending", str(config.tag_depth)),
    )


def _counts(config: CoreConfig) -> Count:
    return memory(beat_bits(config), _depth(config))


ENGINE = Release(
    name="verified",
    says="keeps it in a packet buffer until the tag was checked. Nothing leaves of a packet whose "
    "status is not OK",
    summary=", verified release",
    parameters=_parameters,
    depth=_depth,
    full_depth=_full_depth,
    counts=_counts,
    holds=True,
)
